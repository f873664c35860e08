"""Tidy verbs on every library: published figures, groups, levels, missing values."""

import csv
import datetime as dt
import math
from decimal import Decimal

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    CapCurve,
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_score,
    cap_curve,
    gain_capture,
    gain_capture_vec,
    gain_curve,
    gains_table,
)
from capcurve.datasets import make_portfolio
from frame_constructors import CONSTRUCTORS, categorical, columns_of

HPC_LEVELS = ["VF", "F", "M", "L"]
FOLDS = [f"Fold{i:02}" for i in range(1, 11)]
LOANS = make_portfolio(800)
ONE = {"bad": [1, 0, 1, 0, 0], "pd": [5.0, 4.0, 3.0, 2.0, 1.0], "w": [1, 2, 0, 1, 3]}


@pytest.fixture(params=CONSTRUCTORS.values(), ids=list(CONSTRUCTORS))
def make(request):
    return request.param


def close(value, tolerance=1e-12):
    return pytest.approx(value, rel=tolerance, abs=tolerance)


def estimates(frame):
    return columns_of(frame)["estimate"]


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    text = {"truth", "predicted", "obs", "pred", "Resample"}
    return {
        name: values if name in text else [float(value) for value in values]
        for name, values in columns.items()
    }


@pytest.fixture
def two_class(make, published):
    columns = read(published / "two_class_example.csv")
    columns["seven"] = [1 + i % 7 for i in range(500)]
    columns["rounded"] = [round(score, 1) for score in columns["Class1"]]
    return categorical(make(columns), "truth", ["Class1", "Class2"])


@pytest.fixture
def hpc(make, published):
    columns = read(published / "hpc_cv.csv")
    n = len(columns["obs"])
    columns["seven"] = [1 + i % 7 for i in range(n)]
    columns["holes"] = [None if i < 10 else score for i, score in enumerate(columns["VF"])]
    return categorical(make(columns), "obs", HPC_LEVELS)


# Published figures


@pytest.mark.parametrize(
    ("estimate", "options", "figure"),
    [
        ("Class1", {"event_level": "first"}, 0.8786277147799346),
        ("Class2", {"event_level": "second"}, 0.8786277147799342),
        ("Class1", {"event_level": "second"}, -0.8786277147799346),
        ("Class1", {"pos_label": "Class1"}, 0.8786277147799346),
        ("Class1", {"case_weights": "seven", "event_level": "first"}, 0.8749966039888792),
        ("rounded", {"event_level": "first"}, 0.8687936446921656),
    ],
)
def test_two_class_example(two_class, estimate, options, figure):
    assert estimates(gain_capture(two_class, "truth", estimate, **options)) == [
        close(figure)
    ]


@pytest.mark.parametrize(
    ("options", "figure"),
    [
        ({}, 0.7385272554245393),
        ({"estimator": "macro_weighted"}, 0.7366357347056033),
        ({"case_weights": "seven"}, 0.73858522821144),
        ({"case_weights": "seven", "estimator": "macro_weighted"}, 0.7387232802787207),
    ],
)
def test_hpc_cv(hpc, options, figure):
    result = columns_of(gain_capture(hpc, "obs", HPC_LEVELS, **options))
    assert result["estimate"] == [close(figure)]
    assert result["estimator"] == [options.get("estimator", "macro")]
    assert result["metric"] == ["gain_capture"]


def test_hpc_cv_by_fold(hpc):
    macro = columns_of(gain_capture(hpc, "obs", HPC_LEVELS, by="Resample"))
    assert macro["Resample"] == FOLDS
    published = [0.743, 0.727, 0.796, 0.748, 0.730, 0.754, 0.730, 0.747, 0.710, 0.731]
    assert [round(value, 3) for value in macro["estimate"]] == published
    assert macro["estimate"][0] == pytest.approx(0.7428922, abs=5e-8)
    weighted = gain_capture(
        hpc, "obs", HPC_LEVELS, by="Resample", estimator="macro_weighted"
    )
    published = [0.759, 0.745, 0.811, 0.734, 0.733, 0.730, 0.737, 0.730, 0.681, 0.737]
    assert [round(value, 3) for value in estimates(weighted)] == published


def test_hpc_cv_fold_as_a_vector_and_with_weights(hpc):
    fold = nw.from_native(hpc).filter(nw.col("Resample") == "Fold01")
    truth, scores = fold.get_column("obs").to_native(), fold.select(HPC_LEVELS).to_native()
    assert gain_capture_vec(truth, scores) == pytest.approx(0.7428922, abs=5e-8)
    weight = np.ones(len(fold))
    weight[[1, 49, 199]] = 3
    for estimator, figure in (
        ("macro", 0.7455300542641614),
        ("macro_weighted", 0.7642651656901555),
    ):
        value = gain_capture_vec(truth, scores, case_weights=weight, estimator=estimator)
        assert value == close(figure)


def test_hpc_cv_with_missing_scores(hpc):
    hpc = nw.from_native(hpc).drop("VF").rename({"holes": "VF"}).to_native()
    with pytest.warns(DroppedRowsWarning, match=r"left out 10 of 3,467 rows .* \(VF 10\)"):
        result = gain_capture(hpc, "obs", HPC_LEVELS)
    assert estimates(result) == [pytest.approx(0.7376331, abs=5e-8)]


def test_releveling_changes_the_event(two_class):
    again = categorical(two_class, "truth", ["Class2", "Class1"])
    assert estimates(gain_capture(again, "truth", "Class2")) == [close(0.8786277147799342)]


# What comes back


def test_the_curve_is_that_of_the_arrays(make):
    curve = columns_of(gain_curve(make(ONE), "bad", "pd"))
    assert list(curve) == [
        "n",
        "n_events",
        "population_share",
        "capture_rate",
        "threshold",
        "accuracy_ratio",
    ]
    assert curve["n"] == [0, 1, 2, 3, 4, 5]
    assert curve["n_events"] == [0, 1, 1, 2, 2, 2]
    share, captured, threshold = cap_curve(ONE["bad"], ONE["pd"])
    assert curve["population_share"] == share.tolist()
    assert curve["capture_rate"] == captured.tolist()
    assert curve["threshold"] == threshold.tolist()


def test_results_come_in_the_callers_library(make):
    frame = make(ONE)
    for result in (
        gain_curve(frame, "bad", "pd"),
        gain_capture(frame, "bad", "pd"),
        gains_table(frame, "bad", "pd", bands=2),
        gain_capture(make(LOANS), "default", ["champion_pd"], by="segment"),
    ):
        assert type(result) is type(frame)


def test_weights_and_direction(make):
    frame = make(ONE)
    weighted = estimates(gain_capture(frame, "bad", "pd", case_weights="w"))
    assert weighted == [
        close(accuracy_ratio_score(ONE["bad"], ONE["pd"], sample_weight=ONE["w"]))
    ]
    curve = columns_of(gain_curve(frame, "bad", "pd", case_weights="w", descending=False))
    assert curve["n"] == [0, 3, 4, 6, 7]
    assert curve["n_events"] == [0, 0, 0, 0, 1]
    assert curve["threshold"] == [-math.inf, 1, 2, 4, 5]


def test_decimals_are_numbers(make):
    columns = {"bad": [1, 0, 0], "pd": [Decimal("0.30"), Decimal("0.20"), Decimal("0.10")]}
    assert estimates(gain_capture(make(columns), "bad", "pd")) == [1]


def test_several_models_have_a_row_each(make):
    frame = make(LOANS)
    result = columns_of(gain_capture(frame, "default", ["champion_pd", "challenger_pd"]))
    assert list(result) == ["model", "metric", "estimator", "estimate"]
    assert result["model"] == ["champion_pd", "challenger_pd"]
    expected = [
        accuracy_ratio_score(LOANS["default"], LOANS[name]) for name in result["model"]
    ]
    assert result["estimate"] == close(expected)
    curve = columns_of(gain_curve(frame, "default", ["champion_pd"]))
    assert set(curve["model"]) == {"champion_pd"}


def test_amounts(make):
    result = gain_capture(make(LOANS), "loss", "champion_pd", by="segment")
    keys = columns_of(result)["segment"]
    for key, value in zip(keys, estimates(result), strict=True):
        rows = LOANS["segment"] == key
        expected = accuracy_ratio_score(LOANS["loss"][rows], LOANS["champion_pd"][rows])
        assert value == close(expected)
    counted = make({"claims": [0, 3, 1], "score": [1, 3, 2]})
    with pytest.raises(
        CapcurveError, match="`claims` holds whole numbers other than 0 and 1"
    ):
        gain_capture(counted, "claims", "score")
    assert estimates(
        gain_capture(counted, "claims", "score", target_type="continuous")
    ) == [1]


EDGES = {
    "infinite scores": ([1, 0, 1, 0], [math.inf, 2.0, -math.inf, 1.0], None),
    "negative zero": ([1, 0, 1, 0], [0.0, -0.0, -0.0, 1.0], None),
    "no tolerance": ([0, 1], [0.3, 0.1 + 0.2], None),
    "large integers": ([0, 1], [2**60, 2**60 + 1], None),
    "constant score": ([1, 0, 0], [7, 7, 7], None),
    "booleans": ([True, False, True], [3, 2, 1], None),
    "minus one and one": ([1, -1, 1], [3, 2, 1], None),
    "amounts": ([0.5, 0.0, 250.0], [3, 2, 1], None),
    "boolean score": ([1, 0, 1], [True, False, False], None),
    "zero weights": ([1, 0, 1, 0], [4, 3, 2, 1], [1, 2, 0, 1]),
    "fractions as weights": ([1, 0, 1, 0], [4, 3, 2, 3], [0.5, 2.25, 1.5, 1.0]),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:`y_score` should rank rows")
@pytest.mark.parametrize(("y", "s", "w"), EDGES.values(), ids=list(EDGES))
def test_edges_are_those_of_arrays(make, y, s, w):
    columns = {"y": y, "s": s, "g": ["a"] * len(y)} | ({} if w is None else {"w": w})
    weights = {} if w is None else {"case_weights": "w"}
    expected = close(accuracy_ratio_score(y, s, sample_weight=w))
    frame = make(columns)
    for by in (None, "g"):
        assert estimates(gain_capture(frame, "y", "s", by=by, **weights)) == [expected]
        curve = columns_of(gain_curve(frame, "y", "s", by=by, **weights))
        for name, points in cap_curve(y, s, sample_weight=w)._asdict().items():
            assert curve[name.removesuffix("s")] == close(points.tolist())
        assert curve["accuracy_ratio"] == [expected] * len(curve["n"])


def test_a_curve_whose_ratio_is_hidden_by_rounding_keeps_its_points():
    """The sums of amounts that differ in the 16th digit do not tell their order."""
    frame = pl.DataFrame({"y": [1e9 + 5e-7, 1e9 + 2e-7, 2.0, 1.0], "s": [1, 1, 2, 1]})
    frame = frame.with_columns(g=pl.Series([1, 1, 2, 2]))
    with pytest.raises(CapcurveError, match="rounding of their sums"):
        gain_capture(frame, "y", "s", by="g")
    curve = gain_curve(frame, "y", "s", by="g")
    assert curve["capture_rate"].to_list()[:2] == [0, 1]
    assert np.isnan(curve["accuracy_ratio"].to_list()[:2]).all()
    assert curve["accuracy_ratio"].to_list()[2:] == [1, 1, 1]


@pytest.mark.parametrize("truth", ["default", "loss"])
def test_bins_have_the_ratio_of_their_curve(truth):
    curve = gain_curve(pl.DataFrame(LOANS), truth, "champion_pd", by="segment", approx=True)
    ratios = gain_capture(
        pl.DataFrame(LOANS), truth, "champion_pd", by="segment", approx=True
    )
    found = dict(curve.select("segment", "accuracy_ratio").unique().iter_rows())
    assert found == dict(ratios.select("segment", "estimate").iter_rows())


# Groups


@pytest.mark.slow
@pytest.mark.parametrize("truth", ["default", "loss"])
@pytest.mark.parametrize("weights", [None, "exposure"])
@pytest.mark.parametrize("by", ["segment", ["year", "grade"]])
def test_groups_are_filters(make, truth, weights, by):
    frame = make(LOANS)
    keys = [by] if isinstance(by, str) else by
    with pytest.warns(UndefinedMetricWarning) if keys[0] == "year" else nothing():
        result = columns_of(
            gain_capture(frame, truth, "champion_pd", by=by, case_weights=weights)
        )
        curve = nw.from_native(
            gain_curve(frame, truth, "champion_pd", by=by, case_weights=weights)
        )
    rows = list(zip(*(LOANS[key].tolist() for key in keys), strict=True))
    groups = list(dict.fromkeys(rows))
    assert list(zip(*(result[key] for key in keys), strict=True)) == groups
    for group, value in zip(groups, result["estimate"], strict=True):
        own = np.array([row == group for row in rows])
        weight = None if weights is None else LOANS[weights][own]
        data = LOANS[truth][own], LOANS["champion_pd"][own]
        part = curve.filter(*(nw.col(k) == v for k, v in zip(keys, group, strict=True)))
        if len(set(data[0])) == 1:
            assert math.isnan(value)
        else:
            assert value == close(accuracy_ratio_score(*data, sample_weight=weight))
            expected = cap_curve(*data, sample_weight=weight)
            for name, points in expected._asdict().items():
                column = part.get_column("threshold" if name == "thresholds" else name)
                assert column.to_numpy() == close(points)
        ratios = part.get_column("accuracy_ratio").to_numpy()
        np.testing.assert_allclose(ratios, value, rtol=1e-12)


def nothing():
    import contextlib

    return contextlib.nullcontext()


def test_group_keys_keep_their_types_and_order_and_nulls(make):
    days = [dt.date(2024, 3, 1), None, dt.date(2023, 1, 1)]
    frame = make(
        {
            "day": [day for day in days for _ in "ab"],
            "kind": ["z", "z", None, None, "a", "a"],
            "flag": [True, True, False, False, None, None],
            "number": [3, 3, None, None, 1, 1],
            "bad": [1, 0] * 3,
            "pd": [2, 1, 1, 2, 2, 1],
        }
    )
    frame = categorical(frame, "kind", ["a", "unused", "z"])
    before = nw.from_native(frame)
    for by in ("day", "kind", "flag", "number", ["day", "kind", "flag", "number"]):
        result = nw.from_native(gain_capture(frame, "bad", "pd", by=by))
        assert estimates(result.to_native()) == [1, -1, 1]
        for name in [by] if isinstance(by, str) else by:
            assert result.schema[name] == before.schema[name]
            keys = before.get_column(name)[[0, 2, 4]]
            assert plain(result.get_column(name)) == plain(keys)


def plain(column):
    values = column.to_list()
    return [
        None if missing else value
        for value, missing in zip(values, column.is_null(), strict=True)
    ]


def test_many_groups_of_few_rows(make):
    rng = np.random.default_rng(3)
    columns = {
        "group": rng.integers(0, 4_000, 12_000),
        "bad": rng.integers(0, 2, 12_000),
        "pd": rng.integers(1, 4, 12_000),
        "w": rng.random(12_000) + 0.1,
    }
    with pytest.warns(UndefinedMetricWarning, match="; 1401 more"):
        result = columns_of(
            gain_capture(make(columns), "bad", "pd", by="group", case_weights="w")
        )
    values = dict(zip(result["group"], result["estimate"], strict=True))
    assert len(values) == len(set(columns["group"].tolist()))
    for group in range(0, 4_000, 37):
        rows = columns["group"] == group
        if len(set(columns["bad"][rows])) == 2:
            data = (columns[name][rows] for name in ("bad", "pd"))
            expected = accuracy_ratio_score(*data, sample_weight=columns["w"][rows])
            assert values[group] == close(expected)


def test_groups_with_one_outcome_are_nan_and_named_once(make):
    frame = make(
        {"g": ["a", "a", "b", "b", "c"], "bad": [1, 0, 1, 1, 0], "pd": [2, 1, 2, 1, 1]}
    )
    with pytest.warns(
        UndefinedMetricWarning, match="the accuracy ratio is undefined"
    ) as caught:
        result = gain_capture(frame, "bad", "pd", by="g")
    assert len(caught) == 1
    assert str(caught[0].message).endswith("g b; g c")
    assert caught[0].filename == __file__
    assert estimates(result) == pytest.approx([1, np.nan, np.nan], nan_ok=True)
    with pytest.warns(
        UndefinedMetricWarning, match="the capture rate is undefined .*: g c$"
    ):
        curve = columns_of(gain_curve(frame, "bad", "pd", by="g"))
    assert curve["population_share"] == [0, 0.5, 1, 0, 0.5, 1, 0, 1]
    assert curve["capture_rate"][3:6] == [0, 0.5, 1]
    assert all(math.isnan(value) for value in curve["capture_rate"][6:])
    with pytest.warns(
        UndefinedMetricWarning, match=r"^KS in the gains table .* undefined .*: g b; g c"
    ):
        table = columns_of(gains_table(frame, "bad", "pd", by="g", bands=1))
    assert table["n_events"] == [1, 2, 0]
    assert table["response_rate"] == [0.5, 1, 0]
    assert table["ks"][0] == 0
    assert all(math.isnan(value) for value in table["ks"][1:])


def test_equal_amounts_have_no_ks_and_no_amounts_no_curve(make):
    frame = make(
        {
            "g": ["a"] * 5 + ["b"] * 2 + ["c"] * 2,
            "loss": [0.1] * 5 + [0.0] * 2 + [54.877258785616334, 5.733543112764578],
            "s": [28, -23, -74, -73, 10, 1, 2, 1, 2],
        }
    )
    with pytest.warns(UndefinedMetricWarning, match="g a; g b$"):
        table = columns_of(gains_table(frame, "loss", "s", by="g", bands=3))
    assert all(math.isnan(value) for value in table["ks"][:6])
    with pytest.warns(UndefinedMetricWarning, match="capture rate is undefined .*: g b$"):
        curve = columns_of(gain_curve(frame, "loss", "s", by="g"))
    rates = [
        rate
        for rate, key in zip(curve["capture_rate"], curve["g"], strict=True)
        if key == "b"
    ]
    assert all(map(math.isnan, rates))
    assert len(rates) == 3


def test_a_group_whose_rows_are_all_incomplete_stays_as_nan(make):
    frame = make({"g": ["a", "b", "a"], "bad": [1, 0, 0], "pd": [2.0, None, 1.0]})
    with (
        pytest.warns(DroppedRowsWarning),
        pytest.warns(UndefinedMetricWarning, match="g b"),
    ):
        result = columns_of(gain_capture(frame, "bad", "pd", by="g"))
    assert result["g"] == ["a", "b"]
    assert result["estimate"] == [1, pytest.approx(np.nan, nan_ok=True)]
    with pytest.warns(DroppedRowsWarning):
        assert set(columns_of(gain_curve(frame, "bad", "pd", by="g"))["g"]) == {"a"}


def test_a_first_group_whose_rows_are_all_incomplete_stays_first(make):
    frame = make({"g": ["b", "a", "a"], "bad": [0, 1, 0], "pd": [None, 2.0, 1.0]})
    with (
        pytest.warns(DroppedRowsWarning),
        pytest.warns(UndefinedMetricWarning, match="g b"),
    ):
        result = columns_of(gain_capture(frame, "bad", "pd", by="g"))
    assert result["g"] == ["b", "a"]
    assert result["estimate"] == [pytest.approx(np.nan, nan_ok=True), 1]
    with pytest.warns(DroppedRowsWarning):
        assert set(columns_of(gains_table(frame, "bad", "pd", by="g"))["g"]) == {"a"}


def test_no_complete_row_in_any_group_leaves_intervals_undefined(make):
    frame = make({"g": ["a", "b"], "bad": [1, 0], "pd": [math.nan, math.nan]})
    with pytest.warns((DroppedRowsWarning, UndefinedMetricWarning)):
        found = gain_capture(frame, "bad", "pd", by="g", confidence_level=0.9)
    result = columns_of(found)
    assert result["n_events"] == [0, 0]
    assert np.isnan([*result["estimate"], *result["low"], *result["high"]]).all()


def test_no_rows(make):
    full = make({"g": ["a"], "bad": [1], "pd": [1.0]})
    frame = nw.from_native(full).head(0).to_native()
    for result in (
        gain_capture(frame, "bad", "pd", by="g"),
        gain_curve(frame, "bad", "pd", by="g"),
        gains_table(frame, "bad", "pd", by="g"),
    ):
        assert len(columns_of(result)["g"]) == 0
        assert type(result) is type(frame)
    with pytest.warns(UndefinedMetricWarning, match="no row is complete: `data`"):
        assert math.isnan(estimates(gain_capture(frame, "bad", "pd"))[0])
    for verb in (gain_curve, gains_table):
        with pytest.raises(CapcurveError, match="`data` has no complete row"):
            verb(frame, "bad", "pd")


def test_one_outcome_without_groups(make):
    frame = make({"bad": [1, 1], "pd": [1, 2]})
    with pytest.warns(UndefinedMetricWarning, match="`data`"):
        assert math.isnan(estimates(gain_capture(frame, "bad", "pd"))[0])
    for verb in (gain_curve, gains_table):
        with pytest.raises(CapcurveError, match="undefined: `bad` holds only events"):
            verb(frame, "bad", "pd")


def test_groups_of_a_single_event_or_non_event_are_named(make):
    """Their limits hold for any number of events, so they were left out of the warning."""
    counts = {"a": (1, 40), "b": (2, 40), "c": (40, 1), "d": (40, 40)}
    rows = [
        (key, event, row * (7 + event) % 41)
        for key, (events, others) in counts.items()
        for event, n in ((1, events), (0, others))
        for row in range(n)
    ]
    names = ("g", "bad", "pd")
    frame = make(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    with pytest.warns(FewEventsWarning) as caught:
        gain_capture(frame, "bad", "pd", by="g", confidence_level=0.9)
    few, wide = (str(each.message) for each in caught)
    assert wide == (
        "fewer than 20 events or non-events, so the interval is wide, as limits by 'exact' "
        "hold for any number of them: g a; g c"
    )
    assert "may fall below its confidence level: g b (" in few
    alone = nw.from_native(frame).filter(nw.col("g") == "a").to_native()
    with pytest.warns(FewEventsWarning, match="any number of them: `data`$"):
        gain_capture(alone, "bad", "pd", confidence_level=0.9)


# Levels


@pytest.fixture
def three(make):
    columns = {
        "truth": ["b", "a", "c", "a", "b", "c", "a"],
        "prob_a": [0.1, 0.6, 0.2, 0.5, 0.3, 0.4, 0.7],
        "prob_b": [0.7, 0.2, 0.5, 0.3, 0.3, 0.1, 0.2],
        "prob_c": [0.2, 0.2, 0.3, 0.2, 0.4, 0.5, 0.1],
        "g": [1, 1, 1, 1, 2, 2, 2],
    }
    return columns, make(columns)


def test_levels_are_matched_by_name(three):
    columns, frame = three
    shuffled = ["prob_c", "prob_a", "prob_b"]
    matrix = np.column_stack([columns[f"prob_{level}"] for level in "abc"])
    expected = close(accuracy_ratio_score(columns["truth"], matrix, labels=list("abc")))
    plain = nw.from_native(frame).rename({f"prob_{level}": level for level in "abc"})
    assert estimates(gain_capture(plain.to_native(), "truth", list("cab"))) == [expected]
    levels = categorical(frame, "truth", ["c", "b", "a"])
    assert estimates(gain_capture(levels, "truth", shuffled)) == [expected]
    curve = columns_of(gain_curve(levels, "truth", shuffled, by="g"))
    assert list(dict.fromkeys(zip(curve["g"], curve["level"], strict=True))) == [
        (1, "c"),
        (1, "b"),
        (1, "a"),
        (2, "c"),
        (2, "b"),
        (2, "a"),
    ]


def test_levels_are_matched_by_position_with_a_warning_where_no_name_matches(three):
    columns, frame = three
    frame = categorical(frame, "truth", ["c", "b", "a"])
    named = nw.from_native(frame).rename({"prob_a": "x", "prob_b": "y", "prob_c": "z"})
    with pytest.warns(UserWarning, match="position: 'z' for 'c', 'y' for 'b', 'x' for 'a'"):
        by_position = estimates(gain_capture(named.to_native(), "truth", ["z", "y", "x"]))
    assert by_position == estimates(
        gain_capture(frame, "truth", ["prob_a", "prob_b", "prob_c"])
    )
    text = nw.from_native(make_like(frame, columns)).rename({"prob_a": "x"}).to_native()
    with pytest.raises(CapcurveError, match="pass the label of the event as `pos_label`"):
        gain_capture(text, "truth", ["x", "prob_b", "prob_c"])


def test_categories_in_alphabetical_order_are_not_matched_by_position():
    rows = pd.DataFrame({"x": [0.1, 0.5, 0.9], "y": [0.2, 0.3, 0.4], "z": [0.7, 0.2, 0]})
    rows["truth"] = pd.Categorical(["a", "b", "c"])
    with pytest.raises(CapcurveError, match="or declare the order with `ordered=True`"):
        gain_capture(rows, "truth", ["x", "y", "z"])
    chosen = rows.assign(truth=rows["truth"].cat.as_ordered())
    with pytest.warns(UserWarning, match="position: .*; rename the columns"):
        assert len(gain_capture(chosen, "truth", ["x", "y", "z"])) == 1


def make_like(frame, columns):
    return nw.from_dict(
        {name: list(values) for name, values in columns.items()},
        backend=nw.from_native(frame).implementation,
    ).to_native()


def test_score_columns_that_do_not_match_say_which(three):
    columns, frame = three
    frame = categorical(frame, "truth", ["a", "b", "c"])
    wrong = nw.from_native(frame).rename({"prob_a": "a", "prob_b": "x", "prob_c": "b"})
    with pytest.raises(
        CapcurveError,
        match="'x' for none, 'a' for 'a', 'b' for 'b', and no column for 'c'; rename",
    ):
        gain_capture(wrong.to_native(), "truth", ["a", "x", "b"])
    with pytest.raises(
        CapcurveError, match="`estimate` must name one score column per level"
    ):
        gain_capture(frame, "truth", ["prob_a", "prob_b"])
    text = make_like(frame, columns)
    with pytest.raises(
        CapcurveError, match="the score columns must match the levels by name"
    ):
        gain_capture(text, "truth", ["prob_a", "prob_b", "g"], estimator="macro")


def test_one_level_against_the_rest(three):
    columns, frame = three
    frame = categorical(frame, "truth", ["a", "b", "c"])
    value = estimates(gain_capture(frame, "truth", "prob_b", pos_label="b"))
    events = [label == "b" for label in columns["truth"]]
    assert value == [close(accuracy_ratio_score(events, columns["prob_b"]))]


def test_two_levels_can_be_averaged(make):
    frame = categorical(
        make({"truth": ["a", "b", "a", "b"], "a": [4, 1, 2, 3], "b": [1, 4, 3, 2]}),
        "truth",
        ["a", "b"],
    )
    result = columns_of(gain_capture(frame, "truth", ["b", "a"], estimator="macro"))
    binary = estimates(gain_capture(frame, "truth", "a", event_level="first"))
    assert (result["estimator"], result["estimate"]) == (["macro"], binary)
    named = columns_of(gain_capture(frame, "truth", ["a", "b"]))
    assert (named["estimator"], named["estimate"]) == (["macro"], binary)
    models = columns_of(gain_capture(frame, "truth", ["a", "b"], event_level="first"))
    assert models["model"] == ["a", "b"]


def test_an_empty_level_is_left_out_and_named(three):
    columns, frame = three
    levels = categorical(frame, "truth", ["a", "b", "c", "none"])
    levels = nw.from_native(levels).with_columns(prob_none=nw.col("prob_a")).to_native()
    names = ["prob_a", "prob_b", "prob_c", "prob_none"]
    expected = estimates(
        gain_capture(categorical(frame, "truth", list("abc")), "truth", names[:3])
    )
    for estimator in ("macro", "macro_weighted"):
        with pytest.warns(UndefinedMetricWarning, match="level 'none'$"):
            value = estimates(gain_capture(levels, "truth", names, estimator=estimator))
        weighted = accuracy_ratio_score(
            columns["truth"],
            np.column_stack([columns[name] for name in names[:3]]),
            average="weighted",
        )
        assert value == (expected if estimator == "macro" else [close(weighted)])


def test_number_labels_are_matched_as_text(make):
    frame = make(
        {"truth": [0, 1, 2, 0], "0": [4, 1, 2, 3], "1": [1, 4, 3, 2], "2": [1, 2, 4, 3]}
    )
    result = columns_of(gain_capture(frame, "truth", ["2", "0", "1"]))
    assert result["estimator"] == ["macro"]
    assert result["estimate"] == [1]


# Missing values


def test_missing_values_are_left_out_for_all_or_refused(make):
    columns = {
        "bad": [1, 0, 1, 0, None, 0],
        "a": [4.0, 1.0, None, 3.0, 2.0, 5.0],
        "b": [4.0, 1.0, 2.0, float("nan"), 3.0, 2.0],
        "w": [1.0, 1.0, 1.0, 1.0, 1.0, None],
    }
    frame = make(columns)
    message = r"left out 3 of 6 rows with a missing value \(bad 1, a 1, b 1\)"
    with pytest.warns(DroppedRowsWarning, match=message) as caught:
        result = gain_capture(frame, "bad", ["a", "b"])
    assert caught[0].filename == __file__
    expected = [
        accuracy_ratio_score([1, 0, 0], [4, 1, 5]),
        accuracy_ratio_score([1, 0, 0], [4, 1, 2]),
    ]
    assert estimates(result) == expected
    with pytest.warns(DroppedRowsWarning, match="left out 4 of 6 rows"):
        gain_capture(frame, "bad", ["a", "b"], case_weights="w")
    for verb in (gain_capture, gain_curve, gains_table):
        with pytest.raises(
            CapcurveError, match=r"`na_rm=False`, got 2 of 6 .* `na_rm=True`"
        ):
            verb(frame, "bad", "a", na_rm=False)


@pytest.mark.parametrize("mass", ["case_weights", "counts"])
@pytest.mark.parametrize(
    "make",
    [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table],
    ids=["pandas", "polars", "lazy", "pyarrow"],
)
@pytest.mark.parametrize("options", [{}, {"memory_limit": 1}])
def test_a_row_of_weight_0_is_never_incomplete(make, mass, options):
    """Without a warning, and also where missing values are refused."""
    frame = make(
        {
            "bad": [1, 0, None, 1, 0, None],
            "a": [4.0, 3.0, None, 2.0, 1.0, 5.0],
            "w": [1, 2, 0, 3, 1, 0],
        }
    )
    options = options | {mass: "w", "na_rm": False}
    if mass == "counts":
        options.pop("memory_limit", None)
    expected = accuracy_ratio_score([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1, 2, 3, 1])
    assert estimates(gain_capture(frame, "bad", "a", **options)) == [
        pytest.approx(expected)
    ]


@pytest.mark.parametrize(
    "make",
    [pd.DataFrame, pl.DataFrame, pl.LazyFrame],
    ids=["pandas", "polars", "lazy"],
)
def test_a_row_without_a_weight_is_incomplete_beside_those_of_weight_0(make):
    frame = make({"bad": [1, 0, None, 1], "a": [4, 3, 2, 1], "w": [1, 2, 0, None]})
    with pytest.warns(DroppedRowsWarning, match=r"left out 1 of 4 rows .*\(w 1\)"):
        found = gain_capture(frame, "bad", "a", case_weights="w")
    assert estimates(found) == [1]
    with pytest.raises(CapcurveError, match="no complete row with `w` above 0"):
        gain_curve(
            make({"bad": [1, None], "a": [4, 3], "w": [0, 0]}), "bad", "a", case_weights="w"
        )


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("bda", "pd"), {}, "`data` has no column 'bda'; did you mean 'bad'"),
        (("bad", "xyz"), {}, "no column 'xyz'; its columns are 'bad', 'pd', 'w'"),
        (("bad", "pd"), {"by": "ww"}, "no column 'ww'; did you mean 'w'"),
        (("bad", "pd"), {"case_weights": "weight"}, "no column 'weight'"),
        (("bad", ["pd", "pd"]), {}, r"column names must be distinct, got \['pd', 'pd'\]"),
        (("bad", "pd"), {"by": ["w", "bad"]}, "`by` must not name the truth column 'bad'"),
        (
            ("bad", "pd"),
            {"pos_label": 1, "event_level": "second"},
            "`pos_label` and `event_level` cannot be combined",
        ),
        (
            ("bad", "pd"),
            {"event_level": "third"},
            "`event_level` must be 'first', 'second' or None, got 'third'",
        ),
        (
            ("bad", "pd"),
            {"event_level": "second"},
            "`event_level='second'` requires a column that declares two levels",
        ),
        (
            ("bad", "pd"),
            {"pos_label": 7},
            (
                "`pos_label` is 7, which is not among the labels of `bad`: 0, 1; pass the "
                "one that is the event, as the column holds it"
            ),
        ),
        (
            ("text", "pd"),
            {},
            "`text` must hold 0/1, -1/1 or boolean events, got the labels 'x', 'y'",
        ),
        (("bad", "text"), {}, "`text` must hold numbers"),
        (
            ("bad", "pd"),
            {"case_weights": "negative"},
            "`negative` must be finite and not negative, got 1 negative",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_mistakes_are_answered(make, arguments, options, message):
    frame = make({**ONE, "text": list("xyxyy"), "negative": [1, 1, -1, 1, 1]})
    for verb in (gain_capture, gain_curve, gains_table):
        with pytest.raises(CapcurveError, match=message):
            verb(frame, *arguments, **options)


def test_more_mistakes(make):
    frame = make({**ONE, "n": [1, 1, 2, 2, 2]})
    with pytest.raises(CapcurveError, match=r"`estimator` must be .*, got 'micro'"):
        gain_capture(frame, "bad", "pd", estimator="micro")
    with pytest.raises(
        CapcurveError, match="`pos_label` and `estimator` cannot be combined"
    ):
        gain_capture(frame, "bad", "pd", estimator="macro", pos_label=1)
    with pytest.raises(
        CapcurveError, match=r"`by` must not name .* the result has too, got \['n'\]"
    ):
        gain_curve(frame, "bad", "pd", by="n")
    kinds = categorical(make({"k": ["a", "b", "c"], "pd": [1, 2, 3]}), "k", ["a", "b", "c"])
    with pytest.raises(CapcurveError, match="`k` must have two levels, got 3"):
        gain_capture(kinds, "k", "pd", estimator="binary")
    with pytest.raises(
        CapcurveError, match=r"`pos_label` is 'z', .* labels of `k`: 'a', 'b', 'c'"
    ):
        gain_capture(kinds, "k", "pd", pos_label="z")
    with pytest.raises(
        CapcurveError, match=r"`k` must hold amounts if .* got a categorical"
    ):
        gain_capture(kinds, "k", "pd", estimator="binary", target_type="continuous")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"truth": "s"},
            "`truth` must be the name of a column of `data`, got Series; pass",
        ),
        ({"estimate": "s"}, "`estimate` must be the name of a column .* got Series; pass"),
        ({"by": "s"}, "`by` must be the name of a column of `data`, got Series; pass"),
        ({"case_weights": "s"}, "`case_weights` must be the name of a column"),
    ],
)
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_a_column_instead_of_its_name_is_refused(library, arguments, message):
    frame = library({"y": [1, 0], "s": [2.0, 1.0]})
    given = {"truth": "y", "estimate": "s"}
    given |= {argument: frame[name] for argument, name in arguments.items()}
    for verb in (gain_capture, gain_curve, gains_table):
        with pytest.raises(CapcurveError, match=message):
            verb(frame, **given)


@pytest.mark.parametrize(
    ("estimate", "message"),
    [
        (5, "`estimate` must be the name of a column of `data`, got 5; pass"),
        ([5], "`estimate` must be the name of a column of `data`, got 5; pass"),
        (pl.col("pd"), "`estimate` must be the name of a column of `data`, got Expr; pass"),
        (None, "`estimate` must name a score column, got none; pass its name"),
        ([], "`estimate` must name a score column, got none; pass its name"),
    ],
    ids=str,
)
def test_what_is_no_name_is_refused(make, estimate, message):
    with pytest.raises(CapcurveError, match=message):
        gain_capture(make(ONE), "bad", estimate)


def test_names_may_come_in_any_container():
    frame = pd.DataFrame(ONE)
    for names in (frame.columns[1:2], ("pd",), (name for name in ["pd"])):
        assert estimates(gain_capture(frame, "bad", names)) == [close(2 / 3)]


def test_a_grouped_frame_is_refused_by_a_hint():
    frame = pd.DataFrame({"g": list("aab"), "y": [1, 0, 1], "s": [3.0, 2.0, 1.0]})
    for grouped in (frame.groupby("g"), pl.DataFrame(frame).lazy().group_by("g")):
        with pytest.raises(CapcurveError, match=r"GroupBy; pass the data frame .* `by=`$"):
            gain_capture(grouped, "y", "s")


def test_what_is_no_frame_is_refused():
    doubled = pd.DataFrame([[1, 0, 2]], columns=["bad", "bad", "pd"])
    for data in (doubled, ONE, [1, 2]):
        with pytest.raises(
            CapcurveError, match="`data` must be a data frame or a query with"
        ):
            gain_capture(data, "bad", "pd")


# Vectors


def test_vectors(make):
    frame = nw.from_native(make(ONE))
    truth, score = frame.get_column("bad").to_native(), frame.get_column("pd").to_native()
    expected = accuracy_ratio_score(ONE["bad"], ONE["pd"])
    for estimate in (score, ONE["pd"], np.array(ONE["pd"])):
        assert gain_capture_vec(truth, estimate) == close(expected)
    weighted = gain_capture_vec(
        truth, score, case_weights=frame.get_column("w").to_native()
    )
    assert weighted == close(
        accuracy_ratio_score(ONE["bad"], ONE["pd"], sample_weight=ONE["w"])
    )
    with pytest.raises(CapcurveError, match="equal length"):
        gain_capture_vec(truth, [1, 2])


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "numpy": lambda values: np.array([math.nan if v is None else v for v in values]),
    "objects": lambda values: np.array(values, dtype=object),
    "masked": lambda values: np.ma.masked_invalid(np.array(values, dtype=float)),
    "pandas": pd.Series,
    "pandas nullable": lambda values: pd.Series(values).convert_dtypes(),
    "polars": lambda values: pl.Series(values, strict=False),
    "pyarrow": lambda values: pa.chunked_array([values]),
}


@pytest.mark.parametrize("contain", CONTAINERS.values(), ids=list(CONTAINERS))
def test_missing_values_of_vectors_are_left_out_or_refused(make, contain):
    truth = nw.from_native(make({"y": [1, 0, 1, 0, None, 1]})).get_column("y").to_native()
    score = contain([4.0, 3.0, None, 1.0, 7.0, math.nan])
    weight = contain([1.0, 2.0, 1.0, 1.0, 1.0, 1.0])
    expected = accuracy_ratio_score([1, 0, 0], [4, 3, 1], sample_weight=[1, 2, 1])
    with pytest.warns(DroppedRowsWarning, match="left out 3 of 6 rows with a missing"):
        assert gain_capture_vec(truth, score, case_weights=weight) == close(expected)
    with pytest.raises(
        CapcurveError, match=r"^all rows must be complete if `na_rm=False`, got 3 of 6"
    ):
        gain_capture_vec(truth, score, na_rm=False)
    weight = contain([1, 2, 1, None, 1, 1])
    with pytest.warns(DroppedRowsWarning, match="left out 4 of 6 rows"):
        assert gain_capture_vec(truth, score, case_weights=weight) == 1


@pytest.mark.parametrize(
    ("estimate", "message"),
    [
        (5, "`estimate` must be one-dimensional, got shape"),
        ([[1], [1, 2]], "`estimate` must be one-dimensional, got rows of unequal length"),
        (["a", "b"], "`estimate` must hold numbers, got text"),
        (["a", None], "`estimate` must hold numbers, got text"),
        ([2**70, 2**70 + 1], "`estimate` must hold numbers that float64 tells apart"),
        ([], "arrays must not be empty"),
        ([[1, 2], [3, 4]], "must be one score of a single event, got 2 columns; pass the"),
    ],
)
def test_vectors_that_are_no_scores_are_refused(make, estimate, message):
    truth = nw.from_native(make({"y": [1, 0]})).get_column("y").to_native()
    with pytest.raises(CapcurveError, match=message):
        gain_capture_vec(truth, estimate)


def test_columns_of_a_frame_have_the_names_that_the_caller_gave():
    """Not those of the frame in which they stand beside the outcome."""
    truth = pl.Series([*"abca"], dtype=pl.Enum(["a", "b", "c"]))
    scores = pl.DataFrame({"p_a": [3, 1, 1, 3], "p_b": [1, 3, 1, 1], "p_c": [1, 1, 3, 1]})
    with pytest.raises(CapcurveError, match=r"^`p_b` must hold numbers or an ordered cat"):
        gain_capture_vec(truth, scores.cast({"p_b": pl.String}))
    holed = scores.with_columns(p_b=pl.Series([1, 3, 1, None]))
    with pytest.warns(DroppedRowsWarning, match=r"missing value \(p_b 1\)$"):
        assert gain_capture_vec(truth, holed) == 1


@pytest.mark.parametrize("taken", ["truth", "case_weights"])
def test_a_score_may_be_called_like_another_argument(taken):
    labels = ["truth", "case_weights", "c"]
    truth = pl.Series([*labels, taken], dtype=pl.Enum(labels))
    scores = {name: [3 * (label == name) for label in truth] for name in ("c", taken)}
    other = next(name for name in labels if name not in scores)
    scores[f"p_{other}"] = [3 * (label == other) for label in truth]
    found = gain_capture_vec(truth, pl.DataFrame(scores), case_weights=[1, 2, 1, 1])
    assert found == 1


def test_a_vector_of_objects_stays_as_it_is():
    scores = np.array([2**62, None, 2**62 + 1], dtype=object)
    with pytest.warns(DroppedRowsWarning):
        assert gain_capture_vec(pl.Series([0, 1, 1]), scores) == 1
    assert scores.tolist() == [2**62, None, 2**62 + 1]


def test_a_column_of_lists_is_refused():
    frame = pl.DataFrame({"bad": [1, 0, 1], "pd": [[0.3], [0.2], [0.1]]})
    with pytest.raises(CapcurveError, match="`pd` must hold one value for each row, got"):
        gain_capture(frame, "bad", "pd")


def test_rows_of_vectors_are_matched_by_place_whatever_their_index():
    truth, score = (
        pd.Series([1, 0, 0], index=[7, 8, 9]),
        pd.Series([3, 2, 1], index=[9, 8, 6]),
    )
    assert gain_capture_vec(truth, score) == 1


def test_missing_values_of_a_matrix_are_left_out():
    truth = pl.Series([*"abca"], dtype=pl.Enum(["a", "b", "c"]))
    matrix = np.array([[3, 1, 1], [1, 3, 2], [1, 2, 3], [math.nan, 1, 1]])
    for each in (matrix, np.ma.masked_invalid(matrix), matrix.tolist()):
        with pytest.warns(DroppedRowsWarning, match="left out 1 of 4 rows"):
            assert gain_capture_vec(truth, each) == 1


def test_vectors_of_levels_by_position():
    truth = pl.Series(["a", "b", "c", "a"], dtype=pl.Enum(["a", "b", "c"]))
    matrix = np.array([[3, 1, 1], [1, 3, 2], [1, 2, 3], [2, 1, 1]])
    assert gain_capture_vec(truth, matrix) == 1


@pytest.mark.parametrize("levels", [["0", "1", "2"], ["3", "2", "1"], ["aa", "ab", "ac"]])
def test_a_matrix_stands_for_the_levels_in_their_order(levels):
    truth = pl.Series([*levels, levels[0]], dtype=pl.Enum(levels))
    matrix = np.array([[3, 1, 1], [1, 3, 2], [1, 2, 3], [2, 1, 1]])
    assert gain_capture_vec(truth, matrix) == 1


def test_names_that_share_more_than_an_affix_still_name_their_levels(make):
    columns = {
        "truth": ["low_risk", "mid_risk", "high_risk"],
        "p_high_risk": [1, 2, 3],
        "p_mid_risk": [1, 3, 2],
        "p_low_risk": [3, 2, 1],
    }
    names = ["p_high_risk", "p_mid_risk", "p_low_risk"]
    frame = make(columns)
    assert estimates(gain_capture(frame, "truth", names)) == [1]  # text, by name only
    levels = categorical(frame, "truth", columns["truth"])
    assert estimates(gain_capture(levels, "truth", names)) == [1]


def test_vectors_without_a_library_have_their_own_function():
    with pytest.raises(
        CapcurveError, match=r"got list; use `accuracy_ratio_score` for arrays"
    ):
        gain_capture_vec([1, 0], [2, 1])


# Gains tables


def test_a_grade_scale_has_a_row_for_each_grade(make):
    columns = {
        "default": LOANS["default"],
        "points": [ord(grade) for grade in LOANS["grade"]],
    }
    table = columns_of(gains_table(make(columns), "default", "points", bands="scores"))
    points = np.array(columns["points"])
    grades = sorted(set(columns["points"]), reverse=True)
    assert len(grades) == 8
    assert table["highest_score"] == table["lowest_score"] == grades
    assert table["n"] == close([np.count_nonzero(points == grade) for grade in grades])
    events = [LOANS["default"][points == grade].sum() for grade in grades]
    assert table["n_events"] == close(events)
    assert table["band"] == list(range(1, 9))


def test_counts_per_grade_are_the_table_of_the_rows(make):
    rows = {"bad": [], "grade": [], "book": []}
    counted = {
        "grade": [3, 2, 1, 3, 1],
        "book": list("aaabb"),
        "n": [4, 6, 9, 5, 7],
        "bad": [3, 2, 1, 2, 0],
    }
    for grade, book, n, bad in zip(
        *(counted[k] for k in ("grade", "book", "n", "bad")), strict=True
    ):
        rows["bad"] += [1] * bad + [0] * (n - bad)
        rows["grade"] += [grade] * n
        rows["book"] += [book] * n
    for bands in (3, "scores", [0.1, 0.5]):
        for by in (None, "book"):
            ours = gains_table(
                make(counted),
                None,
                "grade",
                events="bad",
                counts="n",
                by=by,
                bands=bands,
            )
            theirs = gains_table(make(rows), "bad", "grade", by=by, bands=bands)
            for name, column in columns_of(theirs).items():
                own = columns_of(ours)[name]
                assert own == (column if name == "book" else close(column))


def test_counts_that_make_no_sense(make):
    frame = make({"grade": [2, 1], "n": [5, 5], "bad": [6, 0]})
    with pytest.raises(
        CapcurveError, match="`bad` must count events among `n`, got 6 events among 5 rows"
    ):
        gains_table(frame, None, "grade", events="bad", counts="n")
    with pytest.raises(
        CapcurveError, match="`counts` and `case_weights` cannot be combined"
    ):
        gains_table(frame, "bad", "grade", counts="n", case_weights="n")
    with pytest.raises(CapcurveError, match="no column 'm'"):
        gains_table(frame, "bad", "grade", counts="m")
    # A column that counts events is no outcome of equal rows.
    with pytest.raises(CapcurveError, match="`bad` holds whole numbers other than 0 and 1"):
        gains_table(frame, "bad", "grade", counts="n")
    with pytest.raises(CapcurveError, match="either `truth` names the outcome"):
        gains_table(frame, "bad", "grade", events="bad", counts="n")
    with pytest.raises(
        CapcurveError, match="counts events among `counts`; name the column"
    ):
        gains_table(frame, None, "grade", events="bad")
    halves = make({"grade": [2, 1], "n": [5.5, 5], "bad": [3, 0]})
    with pytest.raises(CapcurveError, match="`n` must hold whole numbers if it counts"):
        gains_table(halves, None, "grade", events="bad", counts="n")


def test_gains_of_amounts_by_group_and_model(make):
    names = ["champion_pd", "challenger_pd"]
    table = nw.from_native(
        gains_table(
            make(LOANS), "loss", names, by="segment", case_weights="exposure", bands=4
        )
    )
    assert len(table) == 3 * 2 * 4
    for segment in dict.fromkeys(LOANS["segment"].tolist()):
        rows = LOANS["segment"] == segment
        for name in names:
            curve = CapCurve.from_predictions(
                *(LOANS[column][rows] for column in ("loss", name)),
                sample_weight=LOANS["exposure"][rows],
            )
            part = table.filter(nw.col("segment") == segment, nw.col("model") == name)
            captured = [curve.capture_rate_at(share) for share in (0.25, 0.5, 0.75, 1)]
            assert part.get_column("capture_rate").to_list() == close(captured)
            assert part.get_column("ks").max() <= curve.ks + 1e-12


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_a_level_without_rows_is_left_out_of_the_mean_and_of_its_events():
    truth = pl.Series(["a", "b"] * 6 + ["a"], dtype=pl.Enum(["a", "b", "c"]))
    scores = {name: np.random.default_rng(3).random(13) for name in "abc"}
    frame = pl.DataFrame({"y": truth, **scores})
    told = "and left out of the mean where all outcomes are .* complete: level 'c'"
    with pytest.warns(UndefinedMetricWarning, match=told):
        found = gain_capture(frame, "y", ["a", "b", "c"], confidence_level=0.9)
    assert found["n_events"].item() == 6


def test_the_columns_of_no_groups_have_their_types():
    empty = pl.DataFrame(schema={"g": pl.String, "y": pl.Int64, "s": pl.Float64})
    found = gain_capture(empty, "y", ["s"], by="g")
    assert found.schema.to_python() == {
        **dict.fromkeys(("g", "model", "metric", "estimator"), str),
        "estimate": float,
    }
