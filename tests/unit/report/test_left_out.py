"""Rows that were left out, counted by hand, and what leaving them out changes."""

from fractions import Fraction
from math import comb, nan

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import CapSketch, DroppedRowsWarning, accuracy_ratio_score, report
from capcurve.datasets import make_portfolio

pytestmark = pytest.mark.filterwarnings("ignore::capcurve.DroppedRowsWarning")
ROWS = {
    "y": [1, 0, 1, 0, 0, 1, 0, None, 0],
    "s": [0.9, 0.1, 0.7, None, 0.3, None, 0.2, 0.5, 0.4],
    "t": [0.8, 0.2, 0.1, 0.4, None, None, 0.5, 0.3, 0.2],
    "g": ["a", "a", "b", "b", "b", "b", "a", "a", "c"],
}


def describe(rows=None, *, library=pl.DataFrame, **options):
    return report(
        library(ROWS if rows is None else rows), "y", "s", compare="t", by="g", **options
    ).facts["rows"]


@pytest.mark.parametrize(
    "library", [pl.DataFrame, pa.table, pd.DataFrame], ids=["polars", "pyarrow", "pandas"]
)
def test_rows_are_counted_by_reason(library):
    found = describe(library=library)
    counts = found["read"], found["used"], found["left_out"]
    assert counts == (9, 5, 4)
    assert found["missing"] == {"y": 1, "s": 2, "t": 2}
    shown = [tuple(reason.values()) for reason in found["reasons"]]
    assert shown == [
        ("missing outcome", "y", None, 1, 0, 0, None, None, False),
        ("missing score", "s", "s", 2, 2, 0, 1.0, 0.5, False),
        ("missing score", "t", "t", 2, 2, 0, 1.0, 0.5, False),
    ]
    total = found["left_out_total"]
    assert total["n_rows"] == 4
    assert total["n_rows_with_outcome"] == 3
    assert (total["n_events"], total["response_rate"]) == (1, pytest.approx(1 / 3))
    assert found["used_response_rate"] == 2 / 5


def test_the_p_value_is_that_of_fisher_with_half_of_what_was_found():
    # 1 event among 3 rows left out; 2 among 5 rows used.
    def chance(k):
        return Fraction(comb(3, k) * comb(5, 3 - k), comb(8, 3))

    upper = sum(map(chance, (2, 3))) + chance(1) / 2
    expected = 2 * min(upper, 1 - upper)
    assert describe()["left_out_total"]["p_value"] == pytest.approx(float(expected))


def test_rows_left_out_are_counted_by_segment():
    (split,) = describe()["by"]
    assert split["by"] == "g"
    assert [tuple(group.values()) for group in split["groups"]] == [
        ("a", 4, 1, 0, 0, None, None),
        ("b", 4, 3, 3, 0, 1.0, pytest.approx(1 / 3)),
        ("c", 1, 0, 0, 0, None, None),
    ]


def test_each_model_alone_can_rank_more_rows():
    first, second = describe()["own_rows"]
    for found, name in ((first, "s"), (second, "t")):
        own = [
            (y, score)
            for y, score in zip(ROWS["y"], ROWS[name], strict=True)
            if None not in (y, score)
        ]
        assert found["n_rows"] == len(own)
        ratio = accuracy_ratio_score(*zip(*own, strict=True))
        assert found["accuracy_ratio"] == pytest.approx(ratio)
        assert found["n_rows_common"] == 5
        common = [
            (y, score)
            for y, s, t, score in zip(*map(ROWS.get, ("y", "s", "t", name)), strict=True)
            if None not in (y, s, t)
        ]
        ratio = accuracy_ratio_score(*zip(*common, strict=True))
        assert found["accuracy_ratio_common"] == pytest.approx(ratio)
        assert found["difference"] == pytest.approx(
            found["accuracy_ratio_common"] - found["accuracy_ratio"]
        )


def test_amounts_have_a_gauc_on_both_sets_of_rows():
    assert {row["gauc"] for row in describe()["own_rows"]} == {None}
    loans = pl.DataFrame(make_portfolio(300))
    gap = pl.when(pl.col("loan") % 10 > 0).then("challenger_pd").alias("challenger_pd")
    with pytest.warns(UserWarning, match="left out 30"):
        found = report(
            loans.with_columns(gap), "loss", "champion_pd", compare="challenger_pd"
        ).facts
    own, other = found["rows"]["own_rows"]
    alone = report(loans, "loss", "champion_pd").facts["models"][0]["gauc"]
    assert own["gauc"] == pytest.approx(alone["value"])
    assert own["gauc_common"] == pytest.approx(found["models"][0]["gauc"]["value"])
    assert own["gauc"] != own["gauc_common"]
    assert other["gauc"] == other["gauc_common"]


def test_nothing_is_left_out_of_complete_rows():
    loans = pl.DataFrame(make_portfolio(300))
    found = report(
        loans, "default", "champion_pd", compare="challenger_pd", by="segment"
    ).facts["rows"]
    assert (found["left_out"], found["reasons"], found["own_rows"]) == (0, [], [])
    assert found["left_out_total"]["p_value"] is None
    assert sum(group["n_read"] for group in found["by"][0]["groups"]) == 300


def test_one_model_has_no_rows_of_its_own():
    found = report(pl.DataFrame(ROWS), "y", "s").facts["rows"]
    assert found["left_out"] == 3
    assert found["own_rows"] == []


def test_weights_count_and_are_a_reason():
    weights = [2.0, 1.0, 0.5, 4.0, 1.0, None, 1.0, 1.0, 0.0]
    found = describe(ROWS | {"w": weights}, case_weights="w")
    assert (found["read"], found["used"], found["left_out"]) == (9, 4, 5)
    reasons = {reason["column"]: reason for reason in found["reasons"]}
    assert reasons["s"]["n_rows"] == 2
    # A row without a weight does not count in weighted numbers; the other weighs 4.
    assert (reasons["s"]["n_rows_with_outcome"], reasons["s"]["n_events"]) == (2, 0)
    assert reasons["s"]["n_rows_without_weight"] == 1
    of_weight = [
        (each["reason"], each["n_rows"], each["n_events"], each["n_rows_without_weight"])
        for each in found["reasons"]
        if each["column"] == "w"
    ]
    assert of_weight == [("missing weight", 1, None, 1), ("weight of 0", 1, None, 1)]
    assert {each["is_weighted"] for each in found["reasons"]} == {True}
    assert [each["is_weighted"] for each in found["by"]] == [True]
    assert found["left_out_total"]["response_rate"] == 0
    assert found["left_out_total"]["n_rows_without_weight"] == 2
    assert found["left_out_total"]["p_value"] is None
    assert found["used_response_rate"] == pytest.approx(2.5 / 4.5)


@pytest.mark.parametrize(
    ("mass", "reasons"), [("case_weights", [("weight of 0", "w", 4)]), ("counts", [])]
)
def test_what_a_row_of_weight_0_lacks_is_no_reason(mass, reasons):
    rows = {
        "y": [1, 0, None, None, 0, 1, 0, 1, 0],
        "s": [9, 8, None, 6, None, 4, 3, 2, 1],
        "t": [1, 2, 3, 4, 5, 6, 7, 8, 9],
        "g": ROWS["g"],
        "w": [2, 1, 0, 0, 0, 0, 1, 1, 1],
    }
    found = describe(rows, **{mass: "w"})
    assert found["missing"] == {}
    named = [(each["reason"], each["column"], each["n_rows"]) for each in found["reasons"]]
    assert named == reasons


def test_rows_left_out_keep_their_weights_where_all_have_one():
    weights = [2.0, 1.0, 0.5, 4.0, 1.0, 1.0, 1.0, 1.0, 3.0]
    found = describe(ROWS | {"w": weights}, case_weights="w")
    reasons = {reason["column"]: reason for reason in found["reasons"]}
    assert (reasons["s"]["n_events"], reasons["s"]["response_rate"]) == (1.0, 0.2)
    assert reasons["s"]["is_weighted"]
    assert found["left_out_total"]["is_weighted"]


def test_rows_that_a_weight_of_0_takes_away_are_named():
    rows = {"y": [1, 0] * 20, "s": range(40), "w": [0.0] * 3 + [1.0] * 37}
    facts = report(pl.DataFrame(rows), "y", "s", case_weights="w").facts
    (told,) = [each["text"] for each in facts["findings"] if "left out" in each["text"]]
    assert told.startswith(
        "3 of 40 rows (7.50 %) were left out, because the weight is 0 in w (3). None of "
        "the rows left out that have an outcome has a weight above 0."
    )


def test_a_row_without_a_weight_leaves_the_others_their_weights():
    rows = {
        "y": [1, 0] * 20 + [1, 0, 1],
        "s": [*range(40), None, None, None],
        "w": [1.0] * 40 + [1.0, 9.0, None],
        "g": ["a"] * 43,
    }
    made = report(pl.DataFrame(rows, strict=False), "y", "s", case_weights="w", by="g")
    (told,) = [
        each["text"] for each in made.facts["findings"] if "left out" in each["text"]
    ]
    assert (
        "The event rate of the rows left out, by weight, is 10.00 % (of 2 with an outcome "
        "and a weight above 0), compared with 50.00 % of those used, by weight; 1 row "
        "without a weight counts in neither."
    ) in told
    (group,) = made.facts["rows"]["by"][0]["groups"]
    assert group["response_rate_left_out"] == 0.1
    assert group["n_left_out_without_weight"] == 1
    assert "Of those, without a weight above 0" in made.to_html()


def test_a_weighted_rate_is_based_on_rows_of_a_weight_above_0():
    rows = {
        "y": [1, 0] * 20 + [1, 0, 1, None, 0, None],
        "s": [*range(40), None, None, 5, 5, 5, None],
        "w": [1.0] * 40 + [1.0, None, 0.0, 0.0, 0.0, 1.0],
    }
    facts = report(pl.DataFrame(rows, strict=False), "y", "s", case_weights="w").facts
    (told,) = [each["text"] for each in facts["findings"] if each["topic"] == "left_out"]
    assert "is missing in y (1), s (3) and w (1) or the weight is 0 in w (3). " in told
    assert (
        "The event rate of the rows left out, by weight, is 100.00 % (of 1 with an outcome "
        "and a weight above 0), compared with 50.00 % of those used, by weight; 1 row "
        "without a weight and 3 rows of weight 0 count in neither."
    ) in told


def test_counted_rows_count_as_many():
    rows = {
        "s": [4, 3, None, 1, None],
        "n": [10, 20, 30, 40, None],
        "e": [5, None, 3, 2, 1],
    }
    found = report(pl.DataFrame(rows), None, "s", events="e", counts="n").facts["rows"]
    # A line without a count stands for one row.
    assert (found["read"], found["used"], found["left_out"]) == (101, 50, 51)
    reasons = {reason["column"]: reason for reason in found["reasons"]}
    assert reasons["s"]["n_rows"] == 31
    assert reasons["s"]["n_events"] == 3
    assert reasons["s"]["response_rate"] == 0.1
    assert reasons["n"]["reason"] == "missing count"
    assert reasons["e"]["reason"] == "missing number of events"
    assert reasons["e"]["n_rows"] == 20


def test_clusters_are_a_reason_and_are_tested_where_each_has_one_row():
    names = ["x", "y", "z", "u", "v", "w", None, "p", "q"]
    found = describe(ROWS | {"c": names}, clusters="c")
    assert found["reasons"][-1]["reason"] == "missing cluster"
    assert found["left_out_total"]["p_value"] is not None
    names[1] = "w"  # of a row that is left out
    shared = describe(ROWS | {"c": names}, clusters="c")
    assert shared["left_out_total"]["p_value"] is None


def test_clusters_of_one_row_are_tested_as_no_clusters_are():
    plain = describe()["left_out_total"]["p_value"]
    alone = describe(ROWS | {"c": list("xyzuvwopq")}, clusters="c")
    assert alone["left_out_total"]["p_value"] == plain


@pytest.mark.parametrize("other", [0.5, 2.0, "x"])
def test_outcomes_of_another_kind_are_unknown(other):
    """A value that only a row without a score holds does not change what 0/1 means."""
    y = [1.0, 0.0, 1.0, 0.0, other]
    rows = {"y": list(map(str, y)) if other == "x" else y, "s": [4.0, 3.0, 2.0, 1.0, nan]}
    options = {"pos_label": "1.0"} if other == "x" else {}
    found = report(pl.DataFrame(rows), "y", "s", **options).facts["rows"]
    assert found["left_out"] == 1
    known = {"x": (1, 0.0)}.get(other, (0, None))
    total = found["left_out_total"]
    assert (total["n_rows_with_outcome"], total["response_rate"]) == known


def test_text_labels_are_read_like_those_of_the_rows_used():
    rows = {"y": ["bad", "good", "bad", "good", None], "s": [None, 3.0, 2.0, 1.0, 5.0]}
    found = report(pl.DataFrame(rows), "y", "s", pos_label="bad").facts["rows"]
    assert found["left_out_total"]["n_events"] == 1
    assert found["left_out_total"]["n_rows"] == 2


def test_amounts_of_rows_left_out_have_a_mean():
    rows = {"y": [10.5, 0.0, 2.5, 7.5], "s": [4.0, 3.0, 2.0, None]}
    found = report(pl.DataFrame(rows), "y", "s").facts["rows"]
    assert found["left_out_total"]["response_rate"] == 7.5
    assert found["left_out_total"]["p_value"] is None


def test_a_sketch_does_not_hold_what_was_left_out():
    sketch = CapSketch()
    sketch.update([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])
    made = report(sketch, "y", "s")
    found = made.facts["rows"]
    assert (found["read"], found["used"], found["left_out"]) == (None, 4, None)
    assert found["used_response_rate"] == 0.5
    told = "4 binned rows were used; how many rows were left out before they were binned"
    assert made.facts["findings"][-1]["text"].startswith(told)
    assert "4 binned rows; how many were left out before they were" in made.to_html()
    assert (
        "How many rows were left out before the rows were binned, and whether they differ "
        "from those used, is not known."
    ) in made.facts["limitations"]
    made.write("r.xlsx")
    (gate,) = made.with_gates(fail_if_left_out=0.1).gates
    assert (gate.value, gate.passed) == (None, False)
    assert gate.text == (
        "share of rows left out is undefined, as binned rows do not hold it"
    )


def test_text_among_numbers_has_no_outcome():
    rows = {"y": [1, 0, 1, 0, "x", 1], "s": [4.0, 3.0, 2.0, 1.0, nan, nan]}
    found = report(pd.DataFrame(rows), "y", "s").facts["rows"]
    assert (found["left_out"], found["left_out_total"]["response_rate"]) == (2, None)
    assert found["odd_outcomes"] == []


def test_the_frame_still_warns():
    with pytest.warns(DroppedRowsWarning, match="left out 4 of 9 rows"):
        describe()


@pytest.mark.parametrize(
    ("outcomes", "odd", "told"),
    [
        ([1, 0, 0, 7], "7", "neither an event nor a non-event"),
        ([1, 0, 0, 0.5], "0.5", "neither an event nor a non-event"),
        ([1, -1, -1, 7], "7", "neither an event nor a non-event"),
        ([2.5, 0, 0, -7], "-7", "not an amount"),
    ],
)
def test_an_odd_outcome_hides_no_other_of_the_rows_left_out(outcomes, odd, told):
    high, low, *_ = outcomes
    rows = {"y": [high, low] * 10 + outcomes, "s": [*range(20), None, None, None, None]}
    made = report(pl.DataFrame(rows, strict=False), "y", "s")
    total = made.facts["rows"]["left_out_total"]
    assert total["n_rows_with_outcome"] == 3
    assert total["response_rate"] == pytest.approx(high / 3)
    assert made.facts["rows"]["odd_outcomes"] == [{"outcome": odd, "n": 1}]
    (limitation,) = [each for each in made.facts["limitations"] if " in y, " in each]
    assert limitation.startswith(
        f"1 row left out holds {odd} in y, which is {told} like the outcomes of the rows"
    )
    rate = "event rate of the rows left out is 33.33 %"
    text = next(x["text"] for x in made.facts["findings"] if x["topic"] == "left_out")
    assert (rate in text) == (high == 1)
