"""The views of a page show the same curves as the library."""

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from capcurve import CapCurve, report
from capcurve._report.charts import (
    count_others,
    list_views,
    read_points,
)
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))


@pytest.fixture(scope="module")
def facts():
    return report(LOANS, "default", "champion_pd", compare="challenger_pd").facts


@pytest.fixture(scope="module")
def views(facts):
    return {view.name: view for view in list_views(facts)}


def curves_of(view):
    return [layer for layer in view.picture.layers if layer.role == "curve"]


def test_lift_bends_within_a_grade():
    """Three grades: the line between their ends lay at 26 where lift is 7.33."""
    rows = pl.DataFrame(
        {"grade": [3, 2, 1], "n": [100, 3000, 6900], "events": [30, 50, 20]}
    )
    facts = report(rows, None, "grade", events="events", counts="n").facts
    (layer,) = curves_of(list_views(facts)[1])
    for share, lift in ((0.05, 110 / 15), (0.1, 4.5), (0.31, 80 / 31)):
        assert np.interp(share, layer.x, layer.y) == pytest.approx(lift, rel=2e-3)


def test_roc_is_that_of_scikit_learn(views):
    for layer, column in zip(
        curves_of(views["roc"]), ("champion_pd", "challenger_pd"), strict=True
    ):
        found = roc_curve(LOANS["default"], LOANS[column], drop_intermediate=False)
        # Every point lies on the steps, up to rounding.
        exact = np.column_stack(found[:2])
        near = np.abs(exact[:, None] - np.column_stack([layer.x, layer.y])).max(2).min(0)
        assert near.max() < 1e-9
        area = np.trapezoid(layer.y, layer.x)
        auc = roc_auc_score(LOANS["default"], LOANS[column])
        assert area == pytest.approx(auc, abs=0.002)


def test_ks_is_the_largest_distance_of_both_lines(views, facts):
    layers = views["ks"].picture.layers
    gaps = [layer for layer in layers if layer.role == "gap"]
    for place, (gap, model) in enumerate(zip(gaps, facts["models"], strict=True)):
        assert gap.number == 2 * place
        assert np.ptp(gap.y) == pytest.approx(model["ks"]["value"], abs=1 / 125)
        assert gap.x[0] == pytest.approx(model["ks"]["population_share"], abs=0.05)
    numbers = [layer.number for layer in layers if layer.role == "curve"]
    assert numbers == [0, 1, 2, 3]


def test_cap_has_the_band_the_marks_and_both_references(views):
    picture = views["cap"].picture
    roles = [layer.role for layer in picture.layers]
    assert roles == ["band", "chance", "perfect", "curve", "curve"]
    curve = CapCurve.from_frame(LOANS, "default", "champion_pd")
    assert [mark.y for mark in picture.marks[:5]] == [
        curve.capture_rate_at(share) for share in (0.01, 0.05, 0.1, 0.2, 0.5)
    ]
    assert "95% confidence band of champion_pd" in views["cap"].caption
    # A picture that is saved alone has no table to refer to.
    told = " Dots: the top 1%, 5%, 10%, 20% and 50% of the population."
    assert views["cap"].caption.endswith(told)
    assert not any("table" in view.caption for view in views.values())


def test_lift_starts_at_one_percent(views):
    curve = CapCurve.from_frame(LOANS, "default", "champion_pd")
    first, *_ = curves_of(views["lift"])
    assert first.x[0] == 0.01
    assert first.y[0] == pytest.approx(curve.lift_at(0.01), rel=0.05)
    assert views["lift"].picture.y.high > first.y.max()


def test_amounts_have_neither_non_events_nor_a_band():
    facts = report(LOANS, "loss", "champion_pd").facts
    assert [view.name for view in list_views(facts)] == ["cap", "lift"]
    assert "band" not in list_views(facts)[0].caption
    assert np.isnan(read_points(facts["models"][0]).others).all()


def test_non_events_are_the_rest():
    share, captured = np.array([0, 0.5, 1]), np.array([0, 0.9, 1])
    assert count_others(share, captured, 0.2).tolist() == pytest.approx([0, 0.4, 1])
