"""Weights and amounts of any size: right to 1e-9, or refused; never a wrong number."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capcurve import (
    BinnedCurve,
    CapCurve,
    CapcurveError,
    CapSketch,
    FewEventsWarning,
    GainsTable,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    gain_capture,
    gain_curve,
    somers_d_interval,
)
from fuzz import oracle

WEIGHTS = [1e-50, 3e-20, 1e-9, 0.1, 1.0, 7.0, 1e8 / 3, 1e16, 3e49]
AMOUNTS = [0.0, 1e-12, 0.5, 1.0, 1 + 2**-50, 1e9, 1e9 + 2**-20, 1e30]
REFUSED = "rounding of their sums"

pytestmark = pytest.mark.filterwarnings("ignore::capcurve.HardLabelsWarning")


@st.composite
def extreme_rows(draw, outcomes):
    n = draw(st.integers(2, 12))
    fill = st.lists
    y = draw(fill(outcomes, min_size=n, max_size=n).filter(lambda y: len(set(y)) > 1))
    s = draw(fill(st.integers(0, draw(st.sampled_from([2, 9]))), min_size=n, max_size=n))
    w = draw(fill(st.sampled_from(WEIGHTS), min_size=n, max_size=n))
    return np.array(y), np.array(s), np.array(w)


def is_near(found, truth):
    return abs(found - float(truth)) <= 1e-9


def measure(compute, *data, **options):
    """Return a number, or None if it is refused for its rounding."""
    try:
        return compute(*data, **options)
    except CapcurveError as error:
        if REFUSED not in str(error):
            raise
        return None


def check(y, s, w, **options):
    rows = oracle.read_rows(y.tolist(), s.tolist(), w.tolist())
    truth = oracle.accuracy_ratio(rows)
    options["sample_weight"] = w
    found = measure(accuracy_ratio_score, y, s, **options)
    assert found is None or is_near(found, truth)
    curve = measure(CapCurve.from_predictions, y, s, **options)
    assert (curve is None) == (found is None)
    if curve is not None:
        assert is_near(curve.accuracy_ratio, truth)
        assert is_near(curve.ks, oracle.ks(rows))
        assert is_near(curve.tie_bounds.best, oracle.tie_bounds(rows)[1])
        table = GainsTable.from_curve(curve, "scores")
        assert is_near(table.ks.max(), oracle.ks(rows))
    return truth, found


@given(extreme_rows(st.integers(0, 1)))
def test_events_of_extreme_weights(rows):
    check(*rows)


@given(extreme_rows(st.sampled_from(AMOUNTS)))
def test_amounts_of_extreme_size_and_weight(rows):
    check(*rows, target_type="continuous")


@given(extreme_rows(st.integers(0, 1)))
def test_the_estimate_of_an_interval_is_right_row_by_row(rows):
    y, s, w = rows
    truth = oracle.accuracy_ratio(oracle.read_rows(y.tolist(), s.tolist(), w.tolist()))
    with pytest.warns():  # of few events
        found = accuracy_ratio_interval(y, s, sample_weight=w)
    assert is_near(found.value, truth)


@settings(max_examples=30)
@given(st.lists(extreme_rows(st.integers(0, 1)), min_size=1, max_size=5))
def test_a_heavy_group_rounds_no_other(parts):
    frame = pl.DataFrame(
        {
            "g": np.repeat(np.arange(len(parts)), [len(y) for y, _, _ in parts]),
            **{
                name: np.concatenate([part[place] for part in parts])
                for place, name in enumerate("ysw")
            },
        }
    )
    found = measure(gain_capture, frame, "y", "s", by="g", case_weights="w")
    alone = [measure(accuracy_ratio_score, y, s, sample_weight=w) for y, s, w in parts]
    if found is None:
        assert None in alone
        return
    for (y, s, w), number in zip(parts, found["estimate"].to_list(), strict=True):
        rows = oracle.read_rows(y.tolist(), s.tolist(), w.tolist())
        assert is_near(number, oracle.accuracy_ratio(rows))
    curves = gain_curve(frame, "y", "s", by="g", case_weights="w")
    for (_, part), (y, _, w) in zip(
        curves.group_by("g", maintain_order=True), parts, strict=True
    ):
        events = part["n_events"].to_list()
        assert events[0] == 0
        assert events[-1] == pytest.approx((w * y).sum(), rel=1e-12)
        assert all(low <= high * (1 + 1e-12) for low, high in pairwise(events))


def test_equal_amounts_that_round_when_summed_are_equal():
    low, high = 1000000000.5000002, 1000000000.5000004
    y, s = [low, high, low, low], [1, 3, 0, 2]
    assert accuracy_ratio_score(y, s) == 1
    assert CapCurve.from_predictions(y, s).ks == 1
    sketch = CapSketch()
    sketch.update(y, s)
    with pytest.raises(CapcurveError, match=REFUSED):
        _ = sketch.accuracy_ratio


@pytest.mark.parametrize("weight", [1e51, 1e200, 1e-51, 1e-200, 5e-324])
def test_weights_beyond_the_range_are_refused_by_it(weight):
    with pytest.raises(CapcurveError, match=r"between 1e-50 and 1e\+50"):
        accuracy_ratio_score([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[weight, 1, 1, 1])


@pytest.mark.parametrize("amount", [1e51, 1e308])
def test_amounts_beyond_the_range_are_refused_by_it(amount):
    with pytest.raises(CapcurveError, match=r"lies between 1e-50 and 1e\+50"):
        accuracy_ratio_score([amount, 0, amount, 0.5], [4, 3, 2, 1])
    with pytest.raises(CapcurveError, match=r"lies between 1e-50 and 1e\+50"):
        accuracy_ratio_score([1e-300, 0, 0.5e-300], [3, 2, 1])


def test_what_ties_swallow_is_refused():
    with pytest.raises(CapcurveError, match=REFUSED):
        accuracy_ratio_score([1, 0, 0], [3, 3, 1], sample_weight=[1e16, 1, 1])
    with pytest.raises(CapcurveError, match=REFUSED):
        CapCurve.from_predictions([1, 0, 0], [3, 3, 1], sample_weight=[1e16, 1, 1])
    # Without ties nothing is lost.
    for n_ties in (1, 2):
        s = [2 + n_ties, 2, 1]
        assert accuracy_ratio_score([1, 0, 0], s, sample_weight=[1e16, 1, 1]) == 1


def test_a_sketch_refuses_what_its_sums_have_lost():
    sketch = CapSketch()
    sketch.update([1, 0, 0], [3, 3, 1], sample_weight=[1e16, 1, 1])
    with pytest.raises(CapcurveError, match=REFUSED):
        _ = sketch.accuracy_ratio


@pytest.mark.parametrize("exact_at", [None, ()])
def test_a_query_refuses_what_its_sums_have_lost(exact_at):
    frame = pl.LazyFrame({"y": [1, 0, 0], "s": [3, 3, 1], "w": [1e12, 1.0, 1.0]})
    options = {"case_weights": "w", "exact_at": exact_at}
    with pytest.raises(CapcurveError, match=REFUSED):
        _ = BinnedCurve.from_frame(frame, "y", "s", **options).accuracy_ratio
    less = frame.with_columns(w=pl.Series([1e5, 1.0, 1.0]))
    found = BinnedCurve.from_frame(less, "y", "s", **options).accuracy_ratio
    assert found.value == pytest.approx(0.5, rel=1e-9)


def test_integers_of_many_ties_are_exact_at_any_imbalance():
    y = np.append(np.ones(5_000_000, dtype=np.int8), 0)
    s = np.append(np.arange(5_000_000) % 2, 1)
    assert accuracy_ratio_score(y, s, sample_weight=np.ones(len(y))) == -0.5


def test_counts_of_more_pairs_than_an_integer_holds():
    y, s, n = [1, 0, 1, 0], [4, 3, 2, 1], [2**51] * 4
    curve = CapCurve.from_predictions(y, s, sample_weight=n)
    assert curve.accuracy_ratio == 0.5
    found = accuracy_ratio_interval(y, s, sample_weight=n, weights="frequency")
    assert found.value == pytest.approx(0.5)
    with pytest.raises(CapcurveError, match="at most 2\\*\\*53 rows"):
        accuracy_ratio_interval(y, s, sample_weight=[2**52] * 4, weights="frequency")
    frame = pl.DataFrame({"y": y, "s": s, "n": n})
    assert gain_capture(frame, "y", "s", counts="n")["estimate"].item() == 0.5


def test_somers_d_of_extreme_weights():
    y, s, w = [0.1, 0.2, 0.3], [1, 2, 3], [1e6, 1.0, 1.0]
    with pytest.raises(CapcurveError, match=REFUSED):
        somers_d_interval(y, s, sample_weight=[1e20, 1.0, 1.0])
    with pytest.warns(FewEventsWarning):
        assert somers_d_interval(y, s, sample_weight=w).value == pytest.approx(1)
