"""Implied accuracy ratios of groups and models: those of their rows alone."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_test_implied,
    compare_implied,
)
from capcurve._frames.compare_implied import NUMBERS
from capcurve.datasets import make_portfolio
from frame_constructors import CONSTRUCTORS, columns_of
from query_constructors import duckdb_relation, polars_lazy

COLUMNS = make_portfolio(3_000)
LOANS = pl.DataFrame(COLUMNS).with_columns(
    borrower=(pl.col("champion_pd").rank("ordinal") // 6)
)
MODELS = ["champion_pd", "challenger_pd"]


def rows_of(frame):
    columns = columns_of(frame)
    return [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]


def same(row, alone):
    for column, attribute in NUMBERS.items():
        if column == "p_holm":  # of several groups
            continue
        expected = pytest.approx(getattr(alone, attribute), rel=1e-9, nan_ok=True)
        assert row[column] == expected, column
    assert row["n_events"] == alone.n_events


@pytest.mark.parametrize("make", CONSTRUCTORS.values(), ids=CONSTRUCTORS.keys())
def test_groups_and_models_in_every_library(make):
    frame = make(COLUMNS)
    found = compare_implied(frame, "default", MODELS, by="segment", alternative="less")
    assert type(found) is type(frame)
    rows = rows_of(found)
    assert len(rows) == 6
    for row in rows:
        part = LOANS.filter(pl.col("segment") == row["segment"])
        same(
            row,
            accuracy_ratio_test_implied(
                part["default"], part[row["model"]], alternative="less"
            ),
        )


def test_p_values_are_adjusted_for_the_groups_of_a_model():
    """By Holm's method; a group without a test is not counted."""
    frame = LOANS.with_columns(
        default=pl.when(pl.col("segment") == "retail").then(0).otherwise("default")
    )
    with pytest.warns(UndefinedMetricWarning):
        found = compare_implied(frame, "default", MODELS, by="segment")
    for model in MODELS:
        of_model = found.filter(pl.col("model") == model).sort("p_value", nulls_last=True)
        p_values = of_model["p_value"].to_list()
        smaller = min(2 * p_values[0], 1)
        expected = pytest.approx([smaller, max(smaller, p_values[1]), np.nan], nan_ok=True)
        assert of_model["p_holm"].to_list() == expected


@pytest.mark.parametrize("make", [polars_lazy, duckdb_relation])
def test_queries_count_equal_rows_first(make):
    query = make(LOANS.to_arrow(), None)
    for options, arrays in (
        ({}, {}),
        ({"case_weights": "exposure"}, {"sample_weight": LOANS["exposure"]}),
        ({"clusters": "borrower"}, {"clusters": LOANS["borrower"]}),
        (
            {"clusters": "borrower", "case_weights": "loan"},
            {"clusters": LOANS["borrower"], "sample_weight": LOANS["loan"]},
        ),
        ({"score": "exposure"}, {"y_score": LOANS["exposure"]}),
        ({"shift": False, "confidence_level": 0.9},) * 2,
    ):
        (row,) = rows_of(compare_implied(query, "default", "champion_pd", **options))
        assert "model" not in row
        same(
            row,
            accuracy_ratio_test_implied(LOANS["default"], LOANS["champion_pd"], **arrays),
        )


def test_a_row_for_each_grade():
    scale = LOANS.group_by("grade", maintain_order=True).agg(
        defaults=pl.col("default").sum(), obligors=pl.len(), pd=pl.col("champion_pd").mean()
    )
    one_by_one = LOANS.join(scale.select("grade", "pd"), on="grade")
    (row,) = rows_of(
        compare_implied(scale, None, "pd", events="defaults", counts="obligors")
    )
    same(row, accuracy_ratio_test_implied(one_by_one["default"], one_by_one["pd"]))
    counted = scale.lazy()
    lazy = compare_implied(counted, None, "pd", events="defaults", counts="obligors")
    assert rows_of(lazy) == [pytest.approx(row)]


def test_an_ordered_categorical_ranks_as_the_score():
    grades = sorted(set(COLUMNS["grade"]))
    frame = pd.DataFrame(COLUMNS)
    frame["grade"] = pd.Categorical(frame["grade"], categories=grades, ordered=True)
    code = frame["grade"].cat.codes
    (row,) = rows_of(compare_implied(frame, "default", "champion_pd", score="grade"))
    expected = accuracy_ratio_test_implied(
        frame["default"], frame["champion_pd"], y_score=code
    )
    same(row, expected)
    (turned,) = rows_of(
        compare_implied(
            frame.assign(points=-code), "default", "champion_pd", score="points",
            descending=False,
        )
    )  # fmt: skip
    assert turned == row


def test_text_and_levels_name_the_event():
    frame = LOANS.with_columns(
        state=pl.when(pl.col("default") == 1).then(pl.lit("bad")).otherwise(pl.lit("good"))
    )
    expected = accuracy_ratio_test_implied(LOANS["default"], LOANS["champion_pd"])
    (row,) = rows_of(compare_implied(frame, "state", "champion_pd", pos_label="bad"))
    same(row, expected)
    levels = frame.with_columns(pl.col("state").cast(pl.Enum(["good", "bad"])))
    (row,) = rows_of(compare_implied(levels, "state", "champion_pd", event_level="second"))
    same(row, expected)


def test_groups_without_a_test_are_nan_and_named():
    frame = pl.DataFrame(
        {
            "g": list("aaabbbccd"),
            "y": [1, 0, 0, 0, 0, 0, 0, 1, 0],
            "p": [0.5, 0.4, 0.3, 0.2, 0.1, 0.3, 0.2, 0.2, None],
        }
    )
    with pytest.warns() as caught:
        found = compare_implied(frame, "y", "p", by="g")
    messages = {each.category: str(each.message) for each in caught}
    assert set(messages) == {DroppedRowsWarning, FewEventsWarning, UndefinedMetricWarning}
    assert messages[FewEventsWarning].endswith(
        "on the wrong side, and may miss its level: g a"
    )
    assert messages[UndefinedMetricWarning].endswith("complete: g b; g c; g d")
    assert found["p_value"].is_nan().to_list() == [False, True, True, True]
    assert found["estimate"].is_nan().to_list() == [False, True, False, True]
    assert found["n_events"].to_list() == [1, 0, 1, 0]
    assert found["expected_events"].to_list() == [
        pytest.approx(each, nan_ok=True) for each in (1.2, 0.6, 0.4, np.nan)
    ]


@pytest.mark.parametrize(
    ("estimate", "options", "message"),
    [
        ("exposure", {}, "`exposure` must hold probabilities from 0 to 1"),
        ("default", {}, "column names must be distinct|only 0 and 1"),
        ("champion_p", {}, "no column 'champion_p'; did you mean 'champion_pd'"),
        ("champion_pd", {"score": "champion_pd"}, "`score` must be a column other than"),
        ("champion_pd", {"score": ["exposure"]}, "`score` must be the name of a column"),
        ("champion_pd", {"score": "points"}, "no column 'points'"),
        ("champion_pd", {"descending": False}, "`descending=False` requires `score`, got"),
        ("champion_pd", {"alternative": "more"}, "`alternative` must be"),
        ("champion_pd", {"confidence_level": 1}, "`confidence_level` must lie between"),
        ([], {}, "`estimate` must name a score column, got none"),
    ],
)
def test_what_makes_no_sense_is_refused(estimate, options, message):
    with pytest.raises(CapcurveError, match=message):
        compare_implied(LOANS, "default", estimate, **options)


def test_an_event_that_was_impossible_is_refused():
    floored = LOANS.with_columns(p=pl.col("champion_pd").clip(0.0003))
    assert len(compare_implied(floored, "default", "p")) == 1
    zero = LOANS.with_columns(p=pl.col("champion_pd") * (1 - pl.col("default")))
    with pytest.raises(CapcurveError, match=r"`p` must allow .* set a floor"):
        compare_implied(zero, "default", "p", by="segment")
