"""Facts on segments and periods are the numbers of the other doors."""

import re

import numpy as np
import polars as pl
import pytest

from capcurve import (
    accuracy_ratio_interval,
    accuracy_ratio_test_segments,
    compare_segments,
    pooled_accuracy_ratio_interval,
    report,
    summarize_segments,
)
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))
MODELS = ("champion_pd", "challenger_pd")
pytestmark = pytest.mark.filterwarnings(
    "ignore::capcurve.FewEventsWarning", "ignore::capcurve.UndefinedMetricWarning"
)


@pytest.fixture(scope="module")
def facts():
    return report(
        LOANS,
        "default",
        MODELS[0],
        compare=MODELS[1],
        by=["segment", "grade"],
        period="year",
    ).facts


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("by", ["segment", "grade"])
def test_groups_and_tests_are_those_of_the_frames(facts, by, model):
    split = next(each for each in facts["segments"] if each["by"] == by)
    rows = {row["group"]: row for row in split["groups"] if row["model"] == model}
    expected = compare_segments(LOANS, "default", model, by=by)
    names = {"rest": "rest", "p_value": "p_value", "p_adjusted": "p_holm"}
    for row in expected.iter_rows(named=True):
        own = rows.pop(row[by])
        ratio = own["accuracy_ratio"] or {}
        for name, column in (("value", "estimate"), ("low", "low"), ("high", "high")):
            assert ratio.get(name, np.nan) == pytest.approx(row[column], nan_ok=True)
        for name, column in names.items():
            found = np.nan if own[name] is None else own[name]
            assert found == pytest.approx(row[column], nan_ok=True)
        assert own["n_events"] == row["n_events"]
    assert not rows
    summary = summarize_segments(LOANS, "default", model, by=by)
    pooled, equal = summary.iter_rows(named=True)
    total = next(each for each in split["total"] if each["model"] == model)
    for name, column in (("value", "estimate"), ("low", "low"), ("high", "high")):
        assert total["pooled"][name] == pytest.approx(pooled[column])
    test = next(each for each in split["homogeneity"] if each["model"] == model)
    for name in ("statistic", "df_1", "df_2", "p_value"):
        assert test[name] == pytest.approx(equal[name])
    assert test["n_groups"] == equal["n_segments"]


def test_the_trend_is_that_of_the_frames(facts):
    (split,) = facts["periods"]
    summary = summarize_segments(LOANS, "default", MODELS[0], by="year", ordered=True)
    expected = summary.row(2, named=True)
    trend = split["trend"][0]
    names = {"change": "estimate", "degrees_of_freedom": "df_2", "n_periods": "n_segments"}
    for name in ("low", "high", "statistic", "p_value"):
        assert trend[name] == pytest.approx(expected[name])
    for name, column in names.items():
        assert trend[name] == pytest.approx(expected[column])
    data = [LOANS[name].to_numpy() for name in ("default", MODELS[0], "year")]
    found = accuracy_ratio_test_segments(*data, ordered=True)
    assert trend["text"] == f"from 2021 to 2024, {found.trend!r}"
    assert trend["is_reliable"] == found.is_reliable
    assert "trend" not in facts["segments"][0]


def test_totals_add_up_and_are_those_of_all_rows(facts):
    whole = accuracy_ratio_interval(LOANS["default"], LOANS[MODELS[0]])
    for split in (*facts["segments"], *facts["periods"]):
        total = split["total"][0]
        own = [row for row in split["groups"] if row["model"] == MODELS[0]]
        for name in ("n", "n_rows", "n_events", "n_non_events"):
            assert sum(row[name] for row in own) == total[name]
        assert total["n_rows"] == 3_000
        assert total["response_rate"] == total["n_events"] / total["n"]
        assert total["accuracy_ratio"]["value"] == whole.value
        assert total["accuracy_ratio"]["low"] == whole.low


def test_wide_rows_hold_the_models_side_by_side(facts):
    (split,) = facts["periods"]
    assert [row["group"] for row in split["wide"]] == ["2021", "2022", "2023", "2024"]
    flat = [
        {"group": row["group"], "n_events": row["n_events"], **model}
        for row in split["wide"]
        for model in row["models"]
    ]
    assert [row["model"] for row in flat] == [*MODELS] * 4
    for row, own in zip(flat, split["groups"], strict=True):
        assert {name: own[name] for name in row} == row


def test_the_weakest_group_is_one_without_few_events(facts):
    split = facts["segments"][1]
    own = [row for row in split["groups"] if row["model"] == MODELS[0]]
    values = {
        row["group"]: row["accuracy_ratio"]["value"]
        for row in own
        if row["accuracy_ratio"] is not None and row["status"] is None
    }
    weakest = split["weakest"][0]
    assert weakest["group"] == min(values, key=values.get)
    assert weakest["accuracy_ratio"] == min(values.values())


def make_status_rows():
    """Make groups of all kinds: enough events, few, none, nothing but events."""
    rng = np.random.default_rng(5)
    parts = {"enough": (40, 200), "few": (5, 200), "none": (0, 30), "all": (30, 0)}
    return pl.concat(
        pl.DataFrame({"g": [name] * (m + n), "y": [1] * m + [0] * n})
        for name, (m, n) in parts.items()
    ).with_columns(s=pl.Series(rng.normal(size=505)) + pl.col("y"))


def test_groups_without_events_are_shown_as_such():
    found = report(make_status_rows(), "y", "s", by="g").facts["segments"][0]
    shown = {row["group"]: row["status"] for row in found["groups"]}
    assert shown == {
        "enough": None,
        "few": "few events",
        "none": "no events",
        "all": "no non-events",
    }
    by_name = {row["group"]: row for row in found["groups"]}
    assert by_name["none"]["accuracy_ratio"] is None
    assert by_name["none"]["n_rows"] == 30
    assert by_name["none"]["response_rate"] == 0
    assert by_name["none"]["p_value"] is None
    assert by_name["all"]["n_non_events"] == 0
    assert found["weakest"][0]["group"] == "enough"
    assert found["homogeneity"][0]["n_groups"] == 2
    assert found["homogeneity"][0]["left_out"] == ["all", "none"]


def test_a_group_all_of_whose_rows_are_left_out_has_no_rows():
    rows = make_status_rows().with_columns(
        s=pl.when(pl.col("g") == "few").then(None).otherwise("s")
    )
    with pytest.warns(UserWarning, match="left out 205"):
        found = report(rows, "y", "s", by="g").facts["segments"][0]
    gone = next(row for row in found["groups"] if row["group"] == "few")
    assert (gone["status"], gone["n"], gone["response_rate"]) == ("no rows", 0, None)
    assert gone["accuracy_ratio"] is None
    # A single group has no others to be tested against.
    test = found["homogeneity"][0]
    assert (test["p_value"], test["n_groups"], test["text"]) == (None, 0, None)


def test_amounts_have_intervals_and_pooled_ratios_but_no_tests():
    found = report(LOANS, "loss", "champion_pd", by="segment", period="year").facts
    (split,) = found["segments"]
    for row in split["groups"]:
        part = LOANS.filter(pl.col("segment") == row["group"])
        expected = accuracy_ratio_interval(part["loss"], part["champion_pd"])
        assert row["accuracy_ratio"]["low"] == pytest.approx(expected.low)
        assert (row["p_value"], row["rest"], row["n_non_events"]) == (None, None, None)
    data = [LOANS[name].to_numpy() for name in ("loss", "champion_pd", "segment")]
    pooled = pooled_accuracy_ratio_interval(*data)
    assert split["total"][0]["pooled"]["value"] == pytest.approx(pooled.value)
    assert split["total"][0]["n_non_events"] is None
    assert split["homogeneity"][0]["p_value"] is None
    assert found["periods"][0]["trend"] == [None]


def test_equal_amounts_are_told():
    rows = pl.DataFrame(
        {"y": [1.5, 2.5, 3.5, 0.5, 0.5], "s": [3, 1, 2, 5, 4], "g": list("aaabb")}
    )
    found = report(rows, "y", "s", by="g").facts["segments"][0]
    assert [row["status"] for row in found["groups"]] == ["few events", "equal amounts"]


def test_the_page_shows_no_total_above_0_as_0():
    rows = pl.DataFrame({"y": [9e6, 1e7, 3e6, 4.5] * 9, "s": range(36), "g": [*"ab"] * 18})
    small = pl.when(pl.col("g") == "b").then(1e-10).otherwise(1.0)
    page = report(rows.with_columns(w=small), "y", "s", by="g", case_weights="w").to_html()
    cells = re.findall(r"<td[^>]*data-value=\"[^\"]*\"[^>]*>&lt;[^<]*</td>", page)
    assert [cell.split(">")[1] for cell in cells] == ["&lt;1</td", "&lt;1</td"]


def test_a_single_amount_is_not_called_equal():
    rows = pl.DataFrame(
        {"y": [1.5, 2.5, 3.5, 0.5], "s": [3, 1, 2, 5], "g": list("aaab"), "n": [1, 1, 1, 2]}
    )
    found = report(rows, "y", "s", by="g")
    (segments,) = found.facts["segments"]
    assert [row["status"] for row in segments["groups"]] == ["few events", "a single row"]
    told = next(each for each in found.facts["findings"] if each["topic"] == "segments")
    assert "AR is undefined with a single row in b." in told["text"]
    (segments,) = report(rows, "y", "s", by="g", counts="n").facts["segments"]
    assert segments["groups"][1]["status"] == "equal amounts"


@pytest.mark.filterwarnings("ignore:periods of")
def test_groups_that_hold_one_class_each_have_no_pooled_ratio():
    rows = pl.DataFrame({"y": [1, 1, 0, 0], "s": [4, 2, 3, 1], "g": list("aabb")})
    found = report(rows, "y", "s", by="g", period="g").facts
    for split in (*found["segments"], *found["periods"]):
        assert split["total"][0]["pooled"] is None
        assert split["weakest"] == [None]
    assert found["periods"][0]["trend"] == [None]


def test_the_page_shows_the_ratio_within_groups_of_each_model():
    found = report(LOANS, "default", MODELS[0], compare=MODELS[1], by="segment")
    page = found.to_html()
    for total in found.facts["segments"][0]["total"]:
        told = f"AR within groups, {total['model']}: {total['pooled']['value']:.3f}, 95"
        assert told in page
    flipped = LOANS.with_columns(s=-pl.col(MODELS[0]))
    page = report(flipped, "default", "s", by="segment").to_html()
    assert "AR within groups: \u22120." in page
    made = report(LOANS, "default", MODELS[0], by="segment")
    made.facts["segments"][0]["total"][0]["pooled"] |= {"low": -0.0004}
    assert "interval \u22120.0004 to 0." in made.to_html()
