"""Plans of groups and models: those of the rows of each group alone."""

import warnings
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    UndefinedMetricWarning,
    plan_from_sample,
    plan_models,
)
from capcurve.datasets import make_portfolio
from frame_constructors import CONSTRUCTORS, columns_of
from query_constructors import ENGINES

COLUMNS = make_portfolio(8_000)
LOANS = pl.DataFrame(COLUMNS)
MODELS = ["challenger_pd", "champion_pd"]
ASKED = {"difference": 0.05, "half_width": 0.1, "power": 0.7, "confidence_level": 0.9}
FIELDS = {
    "estimate": "value",
    "std_error": "standard_error",
    "half_width": "half_width",
    "detectable_difference": "detectable_difference",
    "power_for_difference": "power_for_difference",
    "events_for_difference": "events_for_difference",
    "events_for_half_width": "events_for_half_width",
    "n_events": "n_events",
}


def rows_of(frame):
    columns = columns_of(frame)
    return [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]


@pytest.mark.parametrize("make", list(CONSTRUCTORS.values()), ids=list(CONSTRUCTORS))
def test_plans_of_groups_are_those_of_their_rows(make):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = plan_models(make(COLUMNS), "default", MODELS, by="segment", **ASKED)
    assert type(found) is type(make(COLUMNS))
    rows = rows_of(found)
    pairs = [*((name, "") for name in MODELS), *combinations(MODELS, 2)]
    assert [(row["model_a"], row["model_b"]) for row in rows] == 3 * pairs
    for row in rows:
        part = LOANS.filter(pl.col("segment") == row["segment"])
        names = [row[name] for name in ("model_a", "model_b") if row[name]]
        alone = plan_from_sample(part["default"], *(part[name] for name in names), **ASKED)
        for column, field in FIELDS.items():
            assert row[column] == pytest.approx(getattr(alone, field), rel=1e-12)
        assert row["n"] == len(part)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_query_gives_the_same(engine, request):
    table = LOANS.to_arrow()
    found = plan_models(ENGINES[engine](table, request), "default", MODELS, **ASKED)
    expected = plan_models(LOANS, "default", MODELS, **ASKED)
    for row, same in zip(rows_of(found), rows_of(expected), strict=True):
        assert list(row) == list(same)
        for name, value in same.items():
            expected = value if isinstance(value, str) else pytest.approx(value, rel=1e-12)
            assert row[name] == expected


def test_counted_rows_weights_and_a_planned_size():
    scale = pl.DataFrame(
        {"g": [1, 2, 3, 4], "n": [400, 300, 200, 100], "d": [4, 9, 18, 30]}
    )
    found = plan_models(scale, None, "g", counts="n", events="d", n_events=600)
    y = np.concatenate([np.arange(n) < d for _, n, d in scale.rows()])
    alone = plan_from_sample(y, np.repeat(scale["g"], scale["n"]), n_events=600)
    (row,) = rows_of(found)
    assert row["half_width"] == pytest.approx(alone.half_width)
    assert (row["n_events"], row["n"]) == (600, 9_836)
    assert np.isnan(row["events_for_half_width"])
    with pytest.warns(FewEventsWarning, match="fewer than 10 degrees of freedom"):
        weighted = plan_models(LOANS, "default", "champion_pd", case_weights="exposure")
    with pytest.warns(FewEventsWarning, match=r"degrees of freedom \(fewer than 10\)"):
        alone = plan_from_sample(
            LOANS["default"], LOANS["champion_pd"], sample_weight=LOANS["exposure"]
        )
    assert weighted["half_width"].item() == pytest.approx(alone.half_width)


def test_missing_rows_are_left_out():
    frame = LOANS.with_columns(
        pl.when(pl.col("loan") % 10 != 0).then(pl.col("champion_pd")).alias("champion_pd")
    )
    with pytest.warns(DroppedRowsWarning, match="left out 800 of 8,000 rows"):
        found = plan_models(frame, "default", MODELS)
    complete = frame.drop_nulls()
    alone = plan_from_sample(complete["default"], complete["challenger_pd"])
    assert found["half_width"][0] == pytest.approx(alone.half_width)


def test_groups_that_cannot_be_relied_on_are_named():
    frame = pl.DataFrame(
        {
            "g": list("aaaabbbbccd"),
            "y": [1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1],
            "s": [3, 1, 2, 0, 4, 3, 2, 1, 1, 2, None],
        }
    )
    with pytest.warns() as caught:
        found = plan_models(frame, "y", "s", by="g")
    told = {each.category: str(each.message) for each in caught}
    assert told.keys() == {DroppedRowsWarning, FewEventsWarning, UndefinedMetricWarning}
    assert told[FewEventsWarning].endswith("a fifth narrower: g a")
    assert told[UndefinedMetricWarning] == (
        "the plan is undefined and set to nan where the sample shows no variance, all "
        "outcomes are equal or no row is complete: g b; g c; g d"
    )
    assert found["half_width"].is_nan().to_list() == [False, True, True, True]
    assert found["n_events"].to_list() == [2, 2, 2, 0]


def test_what_cannot_be_planned_is_refused():
    with pytest.raises(CapcurveError, match=r"`power` must lie between .* got 80"):
        plan_models(LOANS, "default", "champion_pd", power=80)
    with pytest.raises(CapcurveError, match="did you mean 'champion_pd'"):
        plan_models(LOANS, "default", "champion")
