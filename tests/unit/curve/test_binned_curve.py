"""Binned curves where a curve is undefined, and options that make no sense."""

import polars as pl
import pytest

from capcurve import BinnedCurve, CapCurve, CapcurveError, CapSketch
from capcurve.datasets import make_portfolio

QUERY = pl.LazyFrame({"y": [1, 0, 1, 0], "s": [0.9, 0.5, 0.5, 0.1]})
READINGS = {
    "accuracy_ratio": lambda curve: curve.accuracy_ratio,
    "ks": lambda curve: curve.ks,
    "tie_bounds": lambda curve: curve.tie_bounds,
    "capture_rate_at": lambda curve: curve.capture_rate_at(0.5),
    "lift_at": lambda curve: curve.lift_at(0.5),
    "cap_curve": lambda curve: curve.cap_curve(),
    "gains_table": lambda curve: curve.gains_table(),
    "interval": lambda curve: curve.interval(),
    "curve": lambda curve: curve.curve,
    "worst": lambda curve: curve.worst,
    "best": lambda curve: curve.best,
}
every_reading = pytest.mark.parametrize("name", READINGS)


@every_reading
@pytest.mark.parametrize("exact_at", [None, (0.5,)])
@pytest.mark.parametrize("outcome", [0, 1])
def test_a_curve_of_one_class_is_undefined_whatever_is_read(name, exact_at, outcome):
    query = QUERY.with_columns(y=outcome)
    curve = BinnedCurve.from_frame(query, "y", "s", exact_at=exact_at)
    with pytest.raises(CapcurveError, match="undefined: all outcomes of the 4 rows so far"):
        READINGS[name](curve)


@every_reading
def test_a_sketch_without_rows_is_undefined_whatever_is_read(name):
    with pytest.raises(CapcurveError, match="undefined: no row has come so far; add rows"):
        READINGS[name](CapSketch().curve)


def test_a_sketch_without_rows_says_so_itself():
    for name in ("accuracy_ratio", "ks"):
        with pytest.raises(CapcurveError, match="undefined: no row has come so far"):
            READINGS[name](CapSketch())


def test_who_calls_the_class_is_told_what_makes_a_curve():
    with pytest.raises(
        CapcurveError, match=r"made of bins, got list and list; pass .*BinnedCurve\.from"
    ):
        BinnedCurve([1, 0], [2, 1])


@pytest.mark.parametrize("shares", [[50], "half", [None], [True], [0.1, -0.1]])
def test_shares_that_are_no_fractions_are_refused(shares):
    with pytest.raises(CapcurveError, match=r"`exact_at` must be a fraction in \[0, 1\]"):
        BinnedCurve.from_frame(QUERY, "y", "s", exact_at=shares)


def test_shares_may_be_any_numbers():
    for shares in (0.5, [0.5], pl.Series([0.5])):
        curve = BinnedCurve.from_frame(QUERY, "y", "s", exact_at=shares)
        assert curve.capture_rate_at(0.5) == (0.75, 0.75, 0.75)


def test_pairs_counted_in_bins_give_the_numbers_of_the_rows():
    loans = make_portfolio(2_000)
    query = pl.LazyFrame(loans)
    found = BinnedCurve.from_frame(query, "default", "champion_pd", exact_at=())
    exact = CapCurve.from_predictions(loans["default"], loans["champion_pd"])
    assert found.accuracy_ratio.value == pytest.approx(exact.accuracy_ratio)
    assert found.ks == pytest.approx((exact.ks,) * 3)
    assert found.tie_bounds == pytest.approx(exact.tie_bounds)
    assert BinnedCurve.from_frame(query, "default", "champion_pd").tie_bounds is None
