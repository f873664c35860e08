"""Numbers that NumPy's types do not hold apart are compared as they are, or refused."""

from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    CapCurve,
    CapcurveError,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    cap_curve,
    capture_rate_score,
    gain_capture,
    ks_interval,
    somers_d_score,
)
from capcurve._input.column import refuse_unknown_columns
from capcurve._input.missing import is_missing

Y = [1, 0, 1, 0]
TOGETHER = "must hold numbers that float64 tells apart"
DIGIT = Decimal("0.10000000000000000000001")
# Numbers that differ, and of which float64 makes some equal.
CLOSE = {
    "beyond 64 bits": [2**70, 2**70 + 1, 2**70 + 2, 2**70 + 3],
    "signed and unsigned": [2**63 + 1, 2**63, -1, 2],
    "one float": [2**62, 2**62 + 1, 2**62 + 2, 2**62 + 3.0],
    "decimals": [Decimal("0.1"), DIGIT, Decimal(1), Decimal(2)],
    "decimals and floats": [0.5, Decimal("0.50000000000000000001"), Decimal(1), 2.0],
    "fractions": [Fraction(1, 3), Fraction(10**30, 3 * 10**30 + 1), 1, 2],
    "too large": [10**400, 1, 2, 3],
    "too large a decimal": [Decimal("1e400"), 1, 2, 3],
    "too small": [Decimal("1e-400"), 1, 2, 3],
    "128 bits": pl.Series([2**70, 2**70 + 1, 2, 3], dtype=pl.Int128),
    "a decimal column": pl.Series([Decimal("0.1"), DIGIT, Decimal(1), Decimal(2)]),
    "a decimal column of Arrow": pa.chunked_array(
        [[Decimal("0.1"), DIGIT, Decimal(1), Decimal(2)]]
    ),
    "objects of pandas": pd.Series([2**70, 2**70 + 1, 2, 3]),
}
if np.finfo(np.longdouble).eps < np.finfo(np.float64).eps:  # not on every platform
    step = np.finfo(np.longdouble).eps
    CLOSE["long doubles"] = np.ones(4, np.longdouble) + step * np.arange(4)
close = pytest.mark.parametrize("values", CLOSE.values(), ids=list(CLOSE))
FUNCTIONS = {
    "accuracy_ratio_score": accuracy_ratio_score,
    "capture_rate_score": partial(capture_rate_score, fraction=0.5),
    "cap_curve": cap_curve,
    "CapCurve": CapCurve.from_predictions,
    "accuracy_ratio_interval": accuracy_ratio_interval,
    "ks_interval": ks_interval,
    "somers_d_score": somers_d_score,
}


few_events = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")


@few_events
@close
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=list(FUNCTIONS))
def test_scores_that_would_become_equal_are_refused(function, values):
    with pytest.raises(CapcurveError, match=f"`y_score` {TOGETHER}"):
        function(Y, values)


@close
def test_amounts_and_weights_that_would_become_equal_are_refused(values):
    amounts = [5, 5, 1, 2] if values is CLOSE["signed and unsigned"] else values
    if amounts is values:
        with pytest.raises(CapcurveError, match=f"`y_true` {TOGETHER}"):
            accuracy_ratio_score(values, [1, 2, 3, 4], target_type="continuous")
    with pytest.raises(CapcurveError, match=f"`sample_weight` {TOGETHER}"):
        accuracy_ratio_score(Y, [1, 2, 3, 4], sample_weight=values)


def test_integer_amounts_that_would_become_equal_are_refused():
    amounts = np.array([2**62, 2**62 + 1, 2**62 + 2])
    with pytest.raises(CapcurveError, match=f"`y_true` {TOGETHER}"):
        accuracy_ratio_score(amounts, [1, 2, 3], target_type="continuous")
    apart = 2**62 + 2**20 * np.arange(3)
    assert accuracy_ratio_score(apart, [1, 2, 3], target_type="continuous") == 1


def test_ordinal_outcomes_are_compared_as_integers():
    assert somers_d_score(np.array([2**62, 2**62 + 1]), [1, 2]) == 1
    assert somers_d_score([2**64 - 1, 2**64 - 2], [1, 2]) == -1
    assert somers_d_score([True, False], [1, 2]) == -1


@pytest.mark.parametrize(
    "step", [2**70, Decimal("1e-9"), Fraction(1, 3), np.longdouble(2), 10**300]
)
def test_numbers_that_floats_tell_apart_are_ranked(step):
    """Python counts the pairs."""
    ranks, y = [3, 1, 3, 0, 2, 5], [1, 0, 0, 1, 0, 1]
    signs = [
        (here > there) - (here < there)
        for (here, one), (there, other) in product(zip(ranks, y, strict=True), repeat=2)
        if one > other
    ]
    scores = [step * rank for rank in ranks]
    assert accuracy_ratio_score(y, scores) == sum(signs) / len(signs)
    curve = cap_curve(y, scores)
    floats = [float(step * rank) for rank in (5, 3, 2, 1, 0)]
    assert curve.thresholds.tolist() == [np.inf, *floats]


def test_large_floats_in_lists_are_floats():
    assert accuracy_ratio_score([1, 0, 0], [1e300, -1e300, np.inf]) == 0
    assert accuracy_ratio_score([1e30, 0.0, 2.5], [3, 1, 2]) == 1
    assert accuracy_ratio_score(Y, [1, 2, 3, 4], sample_weight=[2.0**60] * 4) == -0.5


@few_events
def test_clusters_named_by_large_integers_stay_apart():
    """With a float among them NumPy would read one name for all."""
    names = [2**62, 2**62 + 1, 2**62 + 2, 2**62 + 4096.0]
    own, other = (
        accuracy_ratio_interval(Y * 20, [4, 3, 2, 1] * 20, clusters=20 * each)
        for each in (names, [1, 2, 3, 4])
    )
    assert own.standard_error == other.standard_error > 0


def test_numbers_and_text_together_are_no_numbers():
    with pytest.raises(CapcurveError, match=r"`y_score` must hold numbers, got dtype"):
        accuracy_ratio_score([1, 0], [Decimal(1), "2"])


def test_objects_that_are_booleans_are_scores_once_missing_ones_are_gone():
    frame = pd.DataFrame({"y": [1, 0, 1, 0], "s": [True, False, False, None]})
    with pytest.warns(match="left out 1 of 4 rows"):
        assert gain_capture(frame, "y", "s")["estimate"][0] == 0.5


@pytest.mark.parametrize(
    "missing", [None, np.nan, Decimal("NaN"), Decimal("sNaN"), pd.NA, pd.NaT]
)
def test_a_missing_number_of_any_type_is_counted(missing):
    assert is_missing(missing)
    with pytest.raises(CapcurveError, match=r"`y_score` must not .* 1 nan"):
        accuracy_ratio_score([1, 0], np.array([missing, Decimal(1)], dtype=object))


@pytest.mark.parametrize("present", [0, "", False, Decimal(0), [], {}, np.zeros(2), "nan"])
def test_what_is_empty_is_not_missing(present):
    assert not is_missing(present)


def test_amounts_of_frames_that_would_become_equal_are_refused():
    frame = pd.DataFrame({"y": 2**62 + np.arange(3), "s": [1, 2, 3]})
    with pytest.raises(CapcurveError, match=f"`y` {TOGETHER}"):
        gain_capture(frame, "y", "s", target_type="continuous")
    frame["y"] = pd.Series([Decimal("0.5"), Decimal(2), Fraction(1, 4)], dtype=object)
    assert gain_capture(frame, "y", "s")["estimate"][0] == accuracy_ratio_score(
        [0.5, 2, 0.25], [1, 2, 3]
    )


def test_a_name_that_is_there_twice_is_suggested_once():
    with pytest.raises(CapcurveError) as caught:
        refuse_unknown_columns(["pdx"], ["pd", "pd", "year"], "f.csv")
    assert str(caught.value) == "f.csv has no column 'pdx'; did you mean 'pd'?"


def test_a_column_that_differs_only_in_case_is_suggested_before_others():
    with pytest.raises(CapcurveError) as caught:
        refuse_unknown_columns(["pd"], ["id", "PD", "pd2"], "f.csv")
    assert str(caught.value) == "f.csv has no column 'pd'; did you mean 'PD'?"


@pytest.mark.parametrize(("name", "known"), [("Y ", "y"), ("y", " Y"), (" y", "y")])
def test_names_that_differ_in_case_and_blanks_are_suggested(name, known):
    with pytest.raises(CapcurveError) as caught:
        refuse_unknown_columns([name], ["s", known], "f.csv")
    assert str(caught.value) == f"f.csv has no column {name!r}; did you mean {known!r}?"
