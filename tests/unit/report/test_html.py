"""The page of a report, as it is written: its head, its order and its notes."""

import polars as pl
import pytest

from capcurve import BinnedCurve, report
from capcurve._report.book_models import note_model
from capcurve._report.html import render_page
from capcurve.datasets import make_portfolio


def test_the_head_counts_rows_and_names_a_weighted_rate():
    loans = pl.DataFrame(make_portfolio(2_000))
    weighted = report(loans, "default", "champion_pd", case_weights="exposure")
    text = render_page(weighted.facts)
    rate = weighted.facts["models"][0]["response_rate"]
    n_events = loans["default"].sum()
    assert f"2,000 rows, {n_events} events, weighted event rate {rate:.2%}" in text
    amounts = report(loans, "loss", "champion_pd", case_weights="exposure")
    assert "weighted total outcome" in render_page(amounts.facts)
    binned = BinnedCurve.from_frame(
        loans, "default", "champion_pd", case_weights="exposure"
    )
    found = report(binned, "default", "champion_pd").facts
    assert "events, " not in render_page(found).partition("</header>")[0]


@pytest.mark.parametrize(
    ("high", "told"),
    [
        (-0.01, "AR is negative: the score may be reversed."),
        (None, "AR is negative: the score may be reversed."),
        (0.01, "AR is negative, but its interval includes 0."),
    ],
)
def test_a_score_is_called_reversed_where_its_interval_is_below_zero(high, told):
    facts = report(pl.DataFrame(make_portfolio(2_000)), "default", "champion_pd").facts
    (model,) = facts["models"]
    ratio = model["accuracy_ratio"] | {"low": None if high is None else -0.09, "high": high}
    model = model | {"reversed": True, "accuracy_ratio": ratio}
    text = render_page(facts | {"models": [model]})
    assert f"champion_pd: {told}</p>" in text
    assert note_model(model) == told.rstrip(".")


def test_a_tile_says_that_limits_are_distribution_free():
    loans = pl.DataFrame(make_portfolio(2_000))
    for method, is_told in (("exact", True), ("beta", False)):
        page = report(loans, "default", "champion_pd", method=method).to_html()
        tiles = page.partition('<div class="tiles">')[2].partition("<dl")[0]
        assert tiles.count(" (distribution-free)</p>") == 2 * is_told  # AR and AUC


def test_limitations_stand_before_the_curves():
    loans = pl.DataFrame(make_portfolio(2_000))
    found = report(loans, "default", "champion_pd", limitations="Not for projects.")
    text = render_page(found.facts)
    assert text.index("Not for projects.") < text.index('<section id="curves"')


@pytest.mark.parametrize(("worst", "same"), [(0.48691, True), (0.4868, False)])
def test_ties_without_effect_are_said_to_have_none(worst, same):
    loans = pl.DataFrame(make_portfolio(2_000))
    facts = report(loans, "default", "champion_pd").facts
    bounds = {"tie_share": 0.1, "tie_bounds": {"worst": worst, "best": 0.48694}}
    text = render_page({**facts, "models": [facts["models"][0] | bounds]})
    assert ("Their order does not change the four digits of AR." in text) == same
    assert ("0.4868 to 0.4869" in text) != same
