"""Scripts of a page tell numbers as its tables write them."""

import polars as pl
import pytest

from capcurve import report
from capcurve._report.chart_data import list_chart_data, write_small
from capcurve._report.page_format import choose_scores
from capcurve._report.page_tables import choose_cutoffs, tabulate_captured
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))


def embed(facts):
    return list_chart_data(facts, choose_cutoffs(facts["models"]))


@pytest.fixture(scope="module")
def facts():
    return report(LOANS, "default", "champion_pd", compare="challenger_pd").facts


def test_numbers_are_written_as_in_tables(facts):
    data = embed(facts)
    assert (data["level"], data["steps"]) == ("95%", 1_000)
    for model, written in zip(facts["models"], data["models"], strict=True):
        assert written["name"] == model["name"]
        share = {name: texts.split(" ") for name, texts in written["share"].items()}
        assert {len(texts) for texts in share.values()} == {1_001}
        assert [texts[0] for texts in share.values()] == [
            "0.00", "–", "–", "0.00", "0.0000",
        ]  # fmt: skip
        for at in model["captured"]:
            step = round(1_000 * at["population_share"])
            assert share["captured"][step] + "%" == f"{at['capture_rate']:.2%}"
            assert share["lift"][step] == f"{at['lift']:.2f}"
            rate, place = model["response_rate"], at["population_share"]
            others = (place - rate * at["capture_rate"]) / (1 - rate)
            assert share["others"][step] + "%" == f"{others:.2%}"
            assert share["gap"][step] == f"{at['capture_rate'] - others:.4f}"
        roc = {name: texts.split(" ") for name, texts in written["others"].items()}
        assert {len(texts) for texts in roc.values()} == {1_001}
        exact = model["readings"]["roc"]["population_share"][300]
        assert roc["share"][300] + "%" == f"{exact:.2%}"


def test_the_band_is_straight_between_its_points(facts):
    band, data = facts["band"], embed(facts)
    low, high = ([band[end][i] for i in (100, 101)] for end in ("low", "high"))
    assert data["band"][200] == f"{low[0]:.2%} to {high[0]:.2%}"
    assert data["band"][201] == f"{sum(low) / 2:.2%} to {sum(high) / 2:.2%}"


def test_amounts_have_neither_a_band_nor_non_events():
    data = embed(report(LOANS, "loss", "champion_pd").facts)
    assert data["band"] is None
    (model,) = data["models"]
    assert list(model) == ["name", "share"]
    assert list(model["share"]) == ["captured", "lift", "score"]


@pytest.mark.parametrize(
    ("grades", "kind"), [(["low", "high"], str), (["low", "very high"], list)]
)
def test_names_of_grades_stay_whole(grades, kind):
    rows = {"grade": grades, "n": [900, 100], "events": [9, 30]}
    options = {"counts": "n", "events": "events", "order": grades}
    facts = report(pl.DataFrame(rows), None, "grade", **options).facts
    score = embed(facts)["models"][0]["share"]["score"]
    assert type(score) is kind
    texts = score.split(" ") if kind is str else score
    assert list(dict.fromkeys(texts)) == ["–", *grades[::-1]]


def test_a_score_that_would_seem_0_has_three_digits():
    write = write_small(choose_scores([0.5, 0.25]))
    values = (0.25, 0.0, None, "A", -0.00123456)
    assert list(map(write, values)) == ["0.25", "0.00", "–", "A", "−0.00123"]


def test_cut_offs_have_as_many_decimals_as_those_of_their_own_model():
    """A probability of default needs decimals, which points of a score do not have."""
    rows = LOANS.with_columns(points=(pl.col("challenger_pd") * 1000).round())
    made = report(rows, "default", "champion_pd", compare="points")
    data = embed(made.facts)
    decimals = [
        {len(text.partition(".")[2]) for text in model["share"]["score"].split(" ")[1:]}
        for model in data["models"]
    ]
    champion, points = decimals
    assert points == {0}
    assert 0 not in champion
    table = str(tabulate_captured(made.facts["models"]).__html__())
    top = made.facts["models"][1]["captured"][0]["threshold"]
    assert f'data-value="{top}">{top:.0f}</td>' in table
    assert f">{top:.0f}</td></tr>" in made.to_html()
