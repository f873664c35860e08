"""Several displays on the same axes: all curves are seen, or the second is refused."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    CapcurveError,
    GainsTableDisplay,
    KSDisplay,
    LiftCurveDisplay,
    LorenzCurveDisplay,
)

RANDOM = np.random.default_rng(4)
SIGNAL = RANDOM.normal(size=2_000)
FEW = SIGNAL[:300], (SIGNAL + RANDOM.normal(size=2_000))[:300] > 0.5  # a low lift
MANY = SIGNAL, SIGNAL > 1.8  # a high one
SMALL, LARGE = (CapCurve.from_predictions(event, score) for score, event in (FEW, MANY))
CURVES = [CAPCurveDisplay, LiftCurveDisplay, LorenzCurveDisplay]
ALONE = [KSDisplay, GainsTableDisplay]


@pytest.mark.parametrize("names", ["AB", "BA"])
@pytest.mark.parametrize("normalize_scale", [True, False])
@pytest.mark.parametrize("kind", CURVES)
def test_a_further_curve_is_seen_beside_the_first(kind, normalize_scale, names):
    curves = {"A": SMALL, "B": LARGE}
    options = {"normalize_scale": normalize_scale}
    first = kind(curves[names[0]], names[0]).plot(**options)
    second = kind(curves[names[1]], names[1]).plot(first.ax_, **options)
    together = kind(curves).plot(**options)
    for limits in ("get_xlim", "get_ylim"):
        found, expected = (getattr(each.ax_, limits)() for each in (second, together))
        assert found == pytest.approx(expected, rel=1e-3)
    assert second.ax_.get_title() == together.ax_.get_title()
    plt.close("all")


def test_limits_of_the_caller_hide_no_later_curve():
    first = CAPCurveDisplay(SMALL, "A").plot(normalize_scale=False)
    first.ax_.set_xlim(0, 50)
    CAPCurveDisplay(LARGE, "B").plot(first.ax_, normalize_scale=False)
    assert first.ax_.get_xlim()[1] >= 2_000


@pytest.mark.parametrize("first", [*ALONE, CAPCurveDisplay])
@pytest.mark.parametrize("second", ALONE)
def test_ks_and_gains_tables_are_alone_on_their_axes(first, second):
    drawn = first(SMALL, "A").plot()
    before = len(drawn.ax_.lines), len(drawn.ax_.patches)
    for pair in ((drawn, second(LARGE, "B")), (second(LARGE).plot(), first(SMALL))):
        with pytest.raises(
            CapcurveError,
            match=r"^`ax` must hold no other picture where one of the two is KS or a gains "
            "table, got axes that hold one; pass several models in one call, as a dict of "
            "scores by name, or pass other axes$",
        ):
            pair[1].plot(pair[0].ax_)
    assert (len(drawn.ax_.lines), len(drawn.ax_.patches)) == before


@pytest.mark.parametrize("kind", ALONE)
def test_cleared_axes_take_another_picture(kind):
    drawn = kind(SMALL).plot()
    drawn.ax_.clear()
    again = kind({"A": SMALL, "B": LARGE}).plot(drawn.ax_)
    again.ax_.clear()
    CAPCurveDisplay(SMALL).plot(again.ax_)


@pytest.mark.parametrize("kind", ALONE)
def test_folds_are_a_picture_too(kind):
    drawn = kind([SMALL, LARGE]).plot()
    with pytest.raises(CapcurveError, match="`ax` must hold no other picture"):
        kind(SMALL).plot(drawn.ax_)
