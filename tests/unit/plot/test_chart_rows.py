"""What a chart tells of a long curve is that of the curve, not of its thinned line."""

import numpy as np
import polars as pl
import pytest

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    KSDisplay,
    LiftCurveDisplay,
    LorenzCurveDisplay,
    gain_curve,
    plot_gain_curve,
)
from capcurve._plot.chart_rows import read_off
from capcurve._plot.picture import Layer

RANDOM = np.random.default_rng(1)
N = 30_007
SCORE = RANDOM.normal(size=N)
ROWS = pl.DataFrame(
    {"s": SCORE, "y": SCORE + RANDOM.normal(size=N) > 0, "fold": np.arange(N) % 3}
)


def rows_of(spec, field):
    """List the rows of the only data set that has a field."""
    (found,) = (rows for rows in spec["datasets"].values() if rows and field in rows[0])
    return found


@pytest.fixture(scope="module")
def long():
    """Return two long curves, of which a line keeps few points."""
    parts = ROWS.filter(pl.col("fold") > 0), ROWS
    return [CapCurve.from_frame(part, "y", "s") for part in parts]


@pytest.mark.parametrize(
    ("display", "read"),
    [
        (CAPCurveDisplay, lambda curve, x: curve.capture_rate_at(x)),
        (LiftCurveDisplay, lambda curve, x: curve.lift_at(x)),
        (LorenzCurveDisplay, lambda curve, x: 1 - curve.capture_rate_at(1 - x)),
    ],
)
def test_what_is_told_of_a_long_curve_is_not_that_of_its_thinned_line(display, read, long):
    def check(shown, exact, **options):
        spec = display(shown, **options).chart().to_dict()
        for row in rows_of(spec, "y0"):
            if row["y0"] is not None:
                assert row["y0"] == pytest.approx(exact(row["x"]), rel=1e-5)
        for row in rows_of(spec, "i"):  # at the pointer
            assert row["y"] == pytest.approx(exact(row["x"]), rel=2e-4, abs=2e-5)

    check(long[1], lambda x: read(long[1], x))
    check(long, lambda x: np.mean([read(curve, x) for curve in long]), name="Folds")


def test_ks_of_long_curves_is_read_off_whole(long):
    curves = dict(zip("ab", long, strict=True))
    for over in ("population_share", "score"):
        spec = KSDisplay(curves).chart(over=over).to_dict()
        for row in rows_of(spec, "y0"):
            for i, curve in enumerate(long):
                told = row[f"y{2 * i}"], row[f"y{2 * i + 1}"]
                share, captured = row["x"], 0.0
                if over == "score":  # rows of higher scores and of this one are selected
                    share, captured = curve.at_threshold(row["x"])[:2]
                else:
                    captured = curve.capture_rate_at(share)
                rate = curve.response_rate
                exact = np.array([captured, (share - rate * captured) / (1 - rate)])
                exact = 1 - exact if over == "score" else exact
                known = [each is not None for each in told]
                assert all(known) or over == "score"
                if all(known):
                    assert told == pytest.approx(exact, abs=1e-6)


def test_a_frame_of_a_long_curve_is_read_off_whole(long):
    frame = gain_curve(ROWS, "y", "s")
    spec = plot_gain_curve(frame).chart().to_dict()
    for row in rows_of(spec, "y0"):
        assert row["y0"] == pytest.approx(long[1].capture_rate_at(row["x"]), abs=1e-6)


def test_a_line_that_has_all_its_points_is_read_off_itself():
    line = Layer("curve", np.array([1.0, 3.0]), np.array([0.0, 1.0]))
    assert read_off(line, np.array([0.5, 1.0, 1.5, 3.0, 4.0])) == [None, 0, 0.25, 1, None]
