"""The edge table of the design: each row an outcome or a message."""

import enum
import re
from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    CapCurve,
    CapcurveError,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    cap_curve,
    capture_rate_score,
    lift_curve,
    lift_score,
    perfect_cap_curve,
    somers_d_score,
)
from capcurve._input.reading import read_columns, read_plain_events

Y = [1, 0, 1, 0, 0]
S = [5.0, 4.0, 3.0, 2.0, 1.0]

ON_COLUMNS = {
    "cap_curve": cap_curve,
    "lift_curve": lift_curve,
    "accuracy_ratio_score": accuracy_ratio_score,
    "capture_rate_score": partial(capture_rate_score, fraction=0.1),
    "lift_score": partial(lift_score, fraction=0.1),
    "CapCurve": CapCurve.from_predictions,
}
every_function = pytest.mark.parametrize(
    "function", ON_COLUMNS.values(), ids=list(ON_COLUMNS)
)


def refused(*words):
    return pytest.raises(CapcurveError, match=".*".join(map(re.escape, words)))


# Scores


def test_tied_scores_are_one_point():
    share, captured, thresholds = cap_curve([1, 0, 1, 0], [0.9, 0.3, 0.3, 0.3])
    assert share.tolist() == [0, 0.25, 1]
    assert captured.tolist() == [0, 0.5, 1]
    assert thresholds.tolist() == [np.inf, 0.9, 0.3]


def test_a_constant_score_is_the_diagonal():
    share, captured, _ = cap_curve(Y, [7] * 5)
    assert (share.tolist(), captured.tolist()) == ([0, 1], [0, 1])
    assert accuracy_ratio_score(Y, [7] * 5) == 0


def test_infinite_scores_rank_first_and_last():
    curve = cap_curve([1, 0, 1, 0], [np.inf, 2, -np.inf, 1])
    assert curve.thresholds.tolist() == [np.inf, np.inf, 2, 1, -np.inf]
    assert accuracy_ratio_score([1, 0, 1, 0], [np.inf, 2, -np.inf, 1]) == 0


@pytest.mark.parametrize("n", [2, 20_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_negative_zero_is_zero(n, weighted):
    s = np.tile([0.0, -0.0], n // 2)
    y = np.tile([1, 0], n // 2)
    weight = np.ones(n) if weighted else None
    assert len(cap_curve(y, s, sample_weight=weight).thresholds) == 2
    assert accuracy_ratio_score(y, s, sample_weight=weight) == 0


def test_there_is_no_hidden_tolerance():
    assert accuracy_ratio_score([0, 1], [0.3, 0.1 + 0.2]) == 1


def test_float32_scores_are_compared_as_they_are():
    s = np.array([0.1, 0.2], dtype=np.float32)
    assert accuracy_ratio_score([0, 1], [s[0], 0.1 + 1e-9]) == -1  # float64: above 0.1
    assert accuracy_ratio_score([0, 1], np.array([0.1, 0.1 + 1e-9], dtype=np.float32)) == 0


def test_integer_scores_beyond_the_precision_of_floats_differ():
    s = [2**60, 2**60 + 1]
    assert accuracy_ratio_score([0, 1], s) == 1
    assert accuracy_ratio_score([0, 1], s, sample_weight=[1, 2]) == 1


@pytest.mark.parametrize("score", [[True, False], [Decimal("0.2"), Decimal("0.1")]])
def test_booleans_and_decimals_are_scores(score):
    assert accuracy_ratio_score([1, 0], score) == 1


@every_function
def test_nan_scores_are_refused_with_their_count(function):
    with refused("`y_score`", "missing", "2 nan"):
        function(Y, [np.nan, 1, np.nan, 2, 3])


@pytest.mark.parametrize(
    "missing",
    [
        [None, 1, 2, 3, 4],
        pd.Series([None, 1, 2, 3, 4], dtype="Int64"),
        pl.Series([None, 1, 2, 3, 4]),
        pa.chunked_array([[None, 1, 2, 3, 4]]),
        np.ma.masked_less([0, 1, 2, 3, 4], 1),
    ],
    ids=["list", "pandas", "polars", "pyarrow", "masked array"],
)
def test_nulls_are_missing_whatever_holds_them(missing):
    with refused("`y_score`", "missing", "1 nan or null"):
        accuracy_ratio_score(Y, missing)
    with refused("`y_true`", "missing", "1 nan or null"):
        accuracy_ratio_score(missing, S)
    with refused("`sample_weight`", "1"):
        accuracy_ratio_score(Y, S, sample_weight=missing)


HOLDERS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "reversed view": lambda values: np.array(values[::-1])[::-1],
    "objects": lambda values: np.array(values, dtype=object),
    "masked array": lambda values: np.ma.masked_invalid(np.array(values, dtype=float)),
    "pandas": pd.Series,
    "pandas, shuffled index": lambda values: pd.Series(values, index=range(9, 4, -1)),
    "pandas, nullable": lambda values: pd.Series(values).convert_dtypes(),
    "pandas, Arrow": lambda values: pd.Series(values, dtype="float64[pyarrow]"),
    "polars": pl.Series,
    "pyarrow": lambda values: pa.chunked_array([values]),
}


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=list(HOLDERS))
def test_every_holder_of_values_is_read(holder):
    assert accuracy_ratio_score(holder(Y), holder(S)) == close_to(2 / 3)
    assert accuracy_ratio_score(holder(Y), S, sample_weight=holder([1.0] * 5)) == close_to(
        2 / 3
    )


def close_to(value):
    return pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        [object(), object()],
        ["a", "b"],
        np.array(["0.1", "0.2"], dtype=object),
        [1j, 2j],
        ["2024", 1],
    ],
    ids=["objects", "text", "numbers as text", "complex", "mixed"],
)
def test_scores_that_are_no_numbers_are_never_parsed(text):
    with refused("`y_score` must hold numbers", "convert it first"):
        accuracy_ratio_score([1, 0], text)


# Weights


@pytest.mark.parametrize(
    ("weight", "count"),
    [
        ([-1, 1, 1, 1, -2], "2 negative"),
        ([np.nan, 1, 1, 1, 1], "1 nan"),
        ([np.inf, 1, 1, 1, -1], "1 negative, 1 infinite"),
    ],
)
@every_function
def test_bad_weights_are_refused(function, weight, count):
    with refused("`sample_weight` must be finite and not negative", count):
        function(Y, S, sample_weight=weight)


@every_function
def test_weights_that_are_all_zero_are_refused(function):
    with refused("`sample_weight`", "at least one positive", "zeros; give the rows"):
        function(Y, S, sample_weight=[0] * 5)


def test_a_row_of_weight_zero_does_not_exist_whatever_it_holds():
    share, captured, _ = cap_curve(
        [1, 0, np.nan, -7], [2, 1, np.nan, 9], sample_weight=[1, 1, 0, 0]
    )
    assert (share.tolist(), captured.tolist()) == ([0, 0.5, 1], [0, 1, 1])


# Shapes


@every_function
def test_unequal_lengths_are_refused_with_both_shapes(function):
    with refused("`y_true` (5,), `y_score` (4,)"):
        function(Y, S[:4])
    with refused("`y_true` (5,), `y_score` (5,), `sample_weight` (2,)"):
        function(Y, S, sample_weight=[1, 1])


@every_function
def test_empty_input_is_refused(function):
    with refused("must not be empty", "`y_true` (0,), `y_score` (0,)"):
        function([], [])


@pytest.mark.parametrize("function", [cap_curve, lift_curve, CapCurve.from_predictions])
def test_two_dimensions_are_refused_where_one_is_needed(function):
    with refused("`y_score` must be one-dimensional, got shape (5, 2)", "`proba[:, 1]`"):
        function(Y, np.column_stack([S, S]))


def test_scalars_and_ragged_rows_are_refused():
    with refused("`y_true` must be one-dimensional, got shape ()", "pass a list"):
        accuracy_ratio_score(1, 2)
    with refused("`y_score` must be one-dimensional", "unequal length"):
        accuracy_ratio_score([1, 0], [[1], [1, 2]])


# Rows of weight 0


def drop_nan(values):
    """Put None in the place of nan."""
    return [None if np.isnan(value) else value for value in values]


GAPS_AS = {
    "an array": np.array,
    "a list": list,
    "a list with None": drop_nan,
    "pandas": pd.Series,
    "nullable pandas": lambda values: pd.Series(drop_nan(values), dtype="Float64"),
    "Polars": pl.Series,
    "Polars with null": lambda values: pl.Series(drop_nan(values)),
    "PyArrow": pa.array,
    "PyArrow with null": lambda values: pa.array(drop_nan(values)),
    "a chunked array": lambda values: pa.chunked_array([drop_nan(values)]),
    "a masked array": np.ma.masked_invalid,
    "masked integers": lambda values: np.ma.masked_array(
        np.nan_to_num(values).astype(int), np.isnan(values)
    ),
    "integers of pandas": lambda values: pd.Series(values).astype("Int64"),
    "integers of Polars": lambda values: pl.Series(drop_nan(values)).cast(pl.Int64),
    "decimals": lambda values: pl.Series(drop_nan(values)).cast(pl.Decimal(9, 2)),
}


@every_function
@pytest.mark.parametrize("make", GAPS_AS.values(), ids=list(GAPS_AS))
def test_a_row_of_weight_0_does_not_count_whatever_it_lacks(function, make):
    weights = [1, 2, 1, 0, 3, 0, 1]
    truth = [1.0, 0.0, 1.0, np.nan, 0.0, 0.0, 0.0]
    score = [5.0, 4.0, 3.0, 2.0, 1.0, np.nan, 3.0]
    known = [0, 1, 2, 4, 6]
    whole = [[column[row] for row in known] for column in (truth, score, weights)]
    found = function(make(truth), make(score), sample_weight=weights)
    expected = function(*whole[:2], sample_weight=whole[2])
    np.testing.assert_equal(vars_of(found), vars_of(expected))
    weights[3] = 1
    with refused("`y_true` must not hold missing values, got 1 nan or null"):
        function(make(truth), make(score), sample_weight=weights)
    weights[3], weights[5] = 0, 1
    with refused("`y_score` must not hold missing values, got 1 nan or null"):
        function(make(truth), make(score), sample_weight=weights)


def vars_of(result):
    """List the numbers of a result."""
    return list(vars(result).values())[:1] if isinstance(result, CapCurve) else result


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
@pytest.mark.parametrize("kind", ["object", "category"])
def test_labels_and_clusters_of_a_row_of_weight_0_may_be_missing(kind):
    truth = pd.Series(["bad", "good", None, "bad", "good"], dtype=kind)
    options = {"pos_label": "bad", "sample_weight": [1, 1, 0, 2, 1]}
    assert accuracy_ratio_score(truth, [5, 4, 3, 2, 1], **options) == pytest.approx(1 / 3)
    clusters = pl.Series(["a", "b", None, "c", "d"])
    found = accuracy_ratio_interval(truth, [5, 4, 3, 2, 1], clusters=clusters, **options)
    assert found.value == pytest.approx(1 / 3)


# Outcomes


@pytest.mark.parametrize("y", [[1, 1, 1], [0, 0, 0], [2.5, 2.5, 2.5], [0.0, 0.0, 0.0]])
def test_one_class_has_no_ratio_and_no_curve(y):
    for function in (ON_COLUMNS[name] for name in ("accuracy_ratio_score", "lift_score")):
        with pytest.warns(UndefinedMetricWarning, match="undefined and set to nan"):
            assert np.isnan(function(y, [1, 2, 3]))
        with pytest.warns(UndefinedMetricWarning) as caught:
            function(y, [1, 2, 3])
        assert caught[0].filename == __file__  # it points at the caller
    for function in (cap_curve, lift_curve, CapCurve.from_predictions):
        with refused("the CAP curve is undefined", "`y_true`"):
            function(y, [1, 2, 3])
    with refused("the CAP curve is undefined"):
        perfect_cap_curve(y)


def test_the_reason_for_an_undefined_ratio_is_named():
    for y, reason in (
        ([1, 1], "only events"),
        ([0, 0], "only non-events"),
        ([3.5] * 2, "3.5"),
    ):
        with pytest.warns(UndefinedMetricWarning, match=reason):
            accuracy_ratio_score(y, [1, 2])


@pytest.mark.parametrize(
    "y",
    [
        [1, 0, 1, 0, 0],
        [1.0, 0.0, 1.0, 0.0, 0.0],
        [1, -1, 1, -1, -1],
        [1.0, -1.0, 1.0, -1.0, -1.0],
        [True, False, True, False, False],
        np.array([1, 0, 1, 0, 0], dtype=np.uint8),
        np.array([1, 0, 1, 0, 0], dtype=object),
        pd.Series([True, False, True, False, False], dtype="boolean"),
    ],
)
def test_events_with_a_natural_label(y):
    assert accuracy_ratio_score(y, S) == close_to(2 / 3)
    assert accuracy_ratio_score(y, S, target_type="binary") == close_to(2 / 3)


@pytest.mark.parametrize(
    ("y", "event"),
    [
        (["bad", "good", "bad", "good", "good"], "bad"),
        ([2, 1, 2, 1, 1], 2),
        ([1, 0, 1, 0, 0], 1),
        ([False, True, False, True, True], False),
        (["a", "b", "a", "c", "b"], "a"),
        (pd.Series(list("abacb"), dtype="category"), "a"),
        (pl.Series(list("abacb"), dtype=pl.Categorical), "a"),
    ],
)
def test_other_labels_need_the_event_named(y, event):
    assert accuracy_ratio_score(y, S, pos_label=event) == close_to(2 / 3)


@pytest.mark.parametrize(
    "y", [["x", "y"], [2.0, 3], [2, 5], np.array(["x", "y"], dtype=object)]
)
@every_function
def test_labels_without_a_natural_event_are_listed(function, y):
    with refused("`y_true` must hold 0/1, -1/1 or boolean events", "pos_label"):
        function(y, [1, 2], target_type="binary")


@every_function
def test_amounts_where_events_are_required_are_called_amounts(function):
    with refused("got the amounts 1.5, 2.0; mark events in a column of 0 and 1"):
        function([1.5, 2], [1, 2], target_type="binary")


def test_labels_may_be_members_of_an_enum():
    kind = enum.Enum("Kind", ["GOOD", "BAD"])
    labels = [kind.BAD, kind.GOOD, kind.BAD, kind.GOOD, kind.GOOD]
    assert accuracy_ratio_score(labels, S, pos_label=kind.BAD) == close_to(2 / 3)


def test_labels_of_mixed_types_are_listed():
    mixed = np.array(["x", 2, None, "y"], dtype=object)
    with refused("`pos_label` is 'z'", "2, 'x', 'y'"):
        accuracy_ratio_score(mixed[[0, 1, 3]], [1, 2, 3], pos_label="z")
    events = accuracy_ratio_score(mixed[[0, 1, 3]], [3, 2, 1], pos_label="x")
    assert events == 1
    matrix = [[3, 1, 1], [1, 3, 1], [1, 1, 3]]
    assert accuracy_ratio_score(mixed[[1, 0, 3]], matrix, labels=[2, "x", "y"]) == 1


def test_many_labels_are_cut_short():
    advice = "as `pos_label`, or name another column, as these may be keys"
    with refused("'0', '1', '10'", "... (40 in total)", advice):
        accuracy_ratio_score([str(i) for i in range(40)], range(40))


@every_function
def test_an_absent_event_is_refused_with_the_labels(function):
    with refused("`pos_label` is 'bed'", "'bad', 'good'"):
        function(["bad", "good"], [1, 2], pos_label="bed")
    with refused("`pos_label` is 'bad'", "0, 1"):
        function([0, 1], [1, 2], pos_label="bad")


@every_function
def test_other_integers_are_ambiguous(function):
    with refused(
        "whole numbers other than 0 and 1 (2)", "labels or amounts", "`target_type="
    ):
        function([0, 1, 2], [1, 2, 3])


def test_minus_one_zero_and_one_are_ambiguous():
    with refused("whole numbers other than 0 and 1"):
        accuracy_ratio_score([-1, 0, 1], [1, 2, 3])


def test_integers_can_be_amounts():
    assert accuracy_ratio_score([0, 1, 2], [1, 2, 3], target_type="continuous") == 1


def test_other_floats_are_amounts():
    assert accuracy_ratio_score([0.0, 0.25, 1.0], [0.1, 0.4, 0.3]) == 0.25
    assert accuracy_ratio_score([0.5, 0.25], [2, 1]) == 1


@pytest.mark.parametrize("y", [[-1.5, 2.0], [np.inf, 1.0], [-1, 1]])
@every_function
def test_bad_amounts_are_refused(function, y):
    with refused("`y_true` must hold finite amounts that are not negative", "from"):
        function(y, [1, 2], target_type="continuous")


def test_contradictions_are_refused():
    with refused("`pos_label`", "`target_type='continuous'`"):
        accuracy_ratio_score([1, 0], [1, 2], pos_label=1, target_type="continuous")
    with refused("`target_type` must be", "'regression'"):
        accuracy_ratio_score([1, 0], [1, 2], target_type="regression")


@every_function
def test_missing_outcomes_are_refused(function):
    with refused("`y_true`", "1 nan"):
        function([1.0, np.nan, 0.0], [1, 2, 3])
    with refused("`y_true`", "1 nan"):
        function(["a", None, "b"], [1, 2, 3], pos_label="a")


def test_input_is_never_changed():
    y, s, w = (
        np.array([1, 0, 1, 0]),
        np.array([1.0, -0.0, 3.0, 2.0]),
        np.array([1.0, 0, 1, 1]),
    )
    before = y.copy(), s.copy(), w.copy()
    for weight in (None, w):
        cap_curve(y, s, sample_weight=weight)
        accuracy_ratio_score(y, s, sample_weight=weight)
    assert all(np.array_equal(a, b) for a, b in zip((y, s, w), before, strict=True))


def test_counts_are_exact_beyond_the_precision_of_float32():
    n = 2**24 + 4
    y = np.zeros(n, dtype=bool)
    y[:2] = True
    s = np.zeros(n, dtype=np.float32)
    s[0] = 2
    curve = CapCurve.from_predictions(y, s)
    assert curve.tally.weight.tolist() == [1, n - 1]
    assert curve.tally.target.dtype == np.int64
    assert curve.accuracy_ratio == 0.5 == accuracy_ratio_score(y, s)


def test_what_to_do_about_negative_amounts_is_true():
    """A constant keeps AR and Somers' D; clipping changes AR."""
    amounts, scores = np.array([-0.1, 0.2, 0.3, 0.9]), [2, 1, 3, 4]
    with refused(
        "values from -0.1 to 0.9; set negative ones to 0", "constant", "somers_d_inter"
    ):
        accuracy_ratio_score(amounts, scores, target_type="continuous")
    shifted = [accuracy_ratio_score(amounts + move, scores) for move in (0.15, 1.25)]
    assert shifted[0] == pytest.approx(shifted[1])
    clipped = accuracy_ratio_score(np.maximum(amounts, 0), scores)
    assert abs(clipped - shifted[0]) > 0.01
    ranked = [somers_d_score(amounts + move, scores) for move in (0, 1.25)]
    assert ranked == pytest.approx([2 / 3, 2 / 3])  # 5 of 6 pairs are in order
    with refused("to inf; clip them"):
        accuracy_ratio_score([np.inf, 1.0], [1, 2], target_type="continuous")


EVENTS = np.array([0, 1, 1, 0, 1])
SCORES = np.array([0.1, 0.4, 0.3, 0.2, 0.2])
WEIGHTS = np.array([1.0, 2.0, 0.5, 3.0, 1.5])


@pytest.mark.parametrize("weight", [None, WEIGHTS], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("dtype", [bool, np.int64, np.uint8])
@pytest.mark.parametrize("scores", [np.float64, np.float32, np.int64, np.int32])
def test_the_short_way_reads_what_the_general_way_reads(weight, dtype, scores):
    y, s = EVENTS.astype(dtype), (10 * SCORES).astype(scores)
    short = read_plain_events(y, s, weight, descending=False)
    general = read_columns(
        y.tolist(), s, sample_weight=weight, descending=False, target_type="binary"
    )
    assert short is not None
    assert short.has_events
    assert np.array_equal(short.target, general.target)
    assert np.array_equal(short.score, general.score)
    assert short.descending is False
    assert (short.weight is None) == (weight is None)
    if weight is not None:
        assert np.array_equal(short.weight, general.weight)


@pytest.mark.parametrize(
    ("y", "s", "weight", "descending"),
    [
        (EVENTS.tolist(), SCORES, None, True),
        (EVENTS, SCORES.tolist(), None, True),
        (EVENTS.astype(float), SCORES, None, True),
        (EVENTS + 1, SCORES, None, True),
        (2 * EVENTS - 1, SCORES, None, True),
        (EVENTS[:4], SCORES, None, True),
        (EVENTS[:0], SCORES[:0], None, True),
        (EVENTS[:, None], SCORES[:, None], None, True),
        (EVENTS, SCORES.astype(object), None, True),
        (EVENTS, np.append(SCORES[:4], np.nan), None, True),
        (EVENTS, SCORES, None, 1),
        (EVENTS, SCORES, WEIGHTS.tolist(), True),
        (EVENTS, SCORES, WEIGHTS.astype(np.float32), True),
        (EVENTS, SCORES, WEIGHTS[:4], True),
        (EVENTS, SCORES, 0 * WEIGHTS, True),
        (EVENTS, SCORES, -WEIGHTS, True),
        (EVENTS, SCORES, np.nan * WEIGHTS, True),
        (EVENTS, SCORES, np.append(WEIGHTS[:4], np.inf), True),
    ],
)
def test_the_short_way_leaves_the_rest_to_the_general_way(y, s, weight, descending):
    assert read_plain_events(y, s, weight, descending) is None


def test_advice_on_two_columns_fits_the_argument():
    one_hot = np.eye(2)[Y]
    with pytest.raises(
        CapcurveError,
        match=r"^`y_true` must be one-dimensional, got shape \(5, 2\); of one-hot labels "
        r"pass the column of the event, such as `y\[:, 1\]`, and of a data frame the one "
        r"column; `gain_capture` and `gain_curve` take a frame with the names of its "
        r"columns$",
    ):
        accuracy_ratio_score(one_hot, S)
    with pytest.raises(
        CapcurveError, match=r"`y_score` .* pass that of the event, such as"
    ):
        lift_score(Y, one_hot, fraction=0.5)
    with pytest.raises(CapcurveError, match=r"`sample_weight` .*; pass one value for each"):
        accuracy_ratio_score(Y, S, sample_weight=one_hot)
