"""Intervals and comparisons of groups: those of the rows of each group alone."""

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
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_joint,
    capture_rate_test,
    compare_models,
    gain_capture,
)
from capcurve.datasets import make_portfolio
from frame_constructors import CONSTRUCTORS, columns_of

COLUMNS = make_portfolio(4_000)
LOANS = pl.DataFrame(COLUMNS)
MODELS = ["challenger_pd", "champion_pd", "exposure"]
LIMITS = {"std_error": "standard_error", "low": "low", "high": "high"}
every_library = pytest.mark.parametrize(
    "make", list(CONSTRUCTORS.values()), ids=list(CONSTRUCTORS)
)


def rows_of(frame):
    return [dict(zip(frame, row, strict=True)) for row in zip(*frame.values(), strict=True)]


@every_library
def test_intervals_of_groups_are_those_of_their_rows(make):
    found = gain_capture(
        make(COLUMNS), "default", MODELS, by="segment", confidence_level=0.9
    )
    assert type(found) is type(make(COLUMNS))
    rows = rows_of(columns_of(found))
    assert len(rows) == 9
    for row in rows:
        part = LOANS.filter(pl.col("segment") == row["segment"])
        alone = accuracy_ratio_interval(
            part["default"], part[row["model"]], confidence_level=0.9
        )
        for column, field in {"estimate": "value", **LIMITS}.items():
            assert row[column] == pytest.approx(getattr(alone, field))
        assert row["n_events"] == alone.n_events


def test_intervals_of_weights_amounts_and_one_group():
    for truth, weight in (("default", "exposure"), ("loss", None)):
        found = gain_capture(
            LOANS, truth, "champion_pd", case_weights=weight, confidence_level=0.95
        )
        alone = accuracy_ratio_interval(
            LOANS[truth],
            LOANS["champion_pd"],
            sample_weight=None if weight is None else LOANS[weight],
        )
        assert found["low"].item() == pytest.approx(alone.low)
        assert found["n_events"].item() == alone.n_events


def test_intervals_of_levels_are_those_of_their_average():
    rng = np.random.default_rng(2)
    levels = np.array(list("abc"))
    truth = rng.choice(levels, 500)
    scores = {f"p_{level}": rng.random(500) + 0.3 * (truth == level) for level in levels}
    frame = pl.DataFrame({"truth": truth, **scores, "g": rng.integers(0, 2, 500)})
    matrix = np.column_stack(list(scores.values()))
    for estimator, average in (("macro", "macro"), ("macro_weighted", "weighted")):
        options = {"estimator": estimator, "confidence_level": 0.95}
        found = gain_capture(frame, "truth", list(scores), **options)
        alone = accuracy_ratio_interval(truth, matrix, average=average)
        assert found["low"].item() == pytest.approx(alone.low)
        assert found["std_error"].item() == pytest.approx(alone.standard_error)
        assert found["n_events"].item() == min(np.unique(truth, return_counts=True)[1])
        assert len(gain_capture(frame, "truth", list(scores), by="g", **options)) == 2


def test_few_events_are_announced_by_name():
    frame = LOANS.filter((pl.col("segment") != "retail") | (pl.col("loan") < 300))
    with pytest.warns(
        FewEventsWarning, match=r"fewer than 20 events .*: segment retail \(.*\)$"
    ):
        gain_capture(frame, "default", "exposure", by="segment", confidence_level=0.95)


# Two events above all of four non-events: with AUC a, both are so in at most a**2 of all
# samples, and 0.05 / 2 of them is the least that counts as possible.
PERFECT = f"{2 * np.sqrt(0.025) - 1:.3f} to 1.000"
REVERSED = f"-1.000 to {1 - 2 * np.sqrt(0.025):.3f}"


def test_few_events_come_with_limits_that_hold_anyway():
    frame = pl.DataFrame({"y": [1, 1, 0, 0, 0, 0], "s": range(6, 0, -1)})
    frame = frame.with_columns(t=-pl.col("s"))
    for estimate, limits in (
        ("s", f" {PERFECT}"),
        (["t"], f" {REVERSED}"),
        (["s", "t"], f": s {PERFECT}, t {REVERSED}"),
    ):
        with pytest.warns(FewEventsWarning) as caught:
            gain_capture(frame, "y", estimate, confidence_level=0.95)
        assert str(caught[0].message).endswith(
            f": `data` (distribution-free limits{limits})"
        )
    weighted = frame.with_columns(w=pl.Series([1.5, 1, 2, 1, 1, 1]))
    with pytest.warns(FewEventsWarning, match=": `data`$"):
        gain_capture(weighted, "y", "s", case_weights="w", confidence_level=0.95)


def test_limits_that_hold_anyway_are_those_of_each_class_label():
    frame = pl.DataFrame({"y": list("aabbbb"), "a": range(6, 0, -1), "b": range(1, 7)})
    frame = frame.with_columns(pl.col("y").cast(pl.Enum(["a", "b", "c"])), c=0.5)
    with pytest.warns() as caught:
        gain_capture(frame, "y", ["a", "b", "c"], confidence_level=0.95)
    (message,) = [str(w.message) for w in caught if w.category is FewEventsWarning]
    assert message.endswith(
        f": level 'a' (distribution-free limits {PERFECT}); "
        f"level 'b' (distribution-free limits {PERFECT})"
    )


def test_groups_without_an_interval_are_nan():
    frame = pl.DataFrame({"g": list("aabb"), "y": [1, 0, 1, 1], "s": [1, 2, 3, 4]})
    with pytest.warns() as caught:
        found = gain_capture(frame, "y", "s", by="g", confidence_level=0.95)
    messages = {each.category: str(each.message) for each in caught}
    assert set(messages) == {UndefinedMetricWarning, FewEventsWarning}
    assert messages[FewEventsWarning].endswith("any number of them: g a")
    assert found["std_error"].is_nan().to_list() == [True, True]
    assert found["low"].is_nan().to_list() == [False, True]
    assert found["n_events"].to_list() == [1, 2]


def test_groups_without_a_complete_row_are_nan():
    frame = pl.DataFrame({"g": list("aab"), "y": [1, 0, 1], "s": [1, 2, None]})
    with pytest.warns() as caught:
        found = gain_capture(frame, "y", "s", by="g", confidence_level=0.95)
    messages = {each.category: str(each.message) for each in caught}
    assert messages[FewEventsWarning].endswith("any number of them: g a")
    assert found["low"].is_nan().to_list() == [False, True]
    assert found["n_events"].to_list() == [1, 0]


def test_percentages_are_no_level():
    with pytest.raises(CapcurveError, match="`confidence_level` must lie between 0 and 1"):
        gain_capture(LOANS, "default", "champion_pd", confidence_level=95)


@every_library
def test_pairs_of_groups_are_those_of_their_rows(make):
    with pytest.warns(FewEventsWarning, match="wrongly ranked .*: segment corporate$"):
        found = compare_models(make(COLUMNS), "default", MODELS, by="segment")
    assert type(found) is type(make(COLUMNS))
    rows = rows_of(columns_of(found))
    assert [(row["model_a"], row["model_b"]) for row in rows[:3]] == [
        *combinations(MODELS, 2)
    ]
    assert len(rows) == 9
    for row in rows:
        part = LOANS.filter(pl.col("segment") == row["segment"])
        scores = {name: part[name] for name in MODELS}
        names = row["model_a"], row["model_b"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewEventsWarning)
            alone = accuracy_ratio_test(part["default"], *(scores[name] for name in names))
            joint = accuracy_ratio_test_joint(part["default"], scores)
        fields = {
            "estimate_a": "first",
            "estimate_b": "second",
            "difference": "value",
            **LIMITS,
            "p_value": "p_value",
            "n_events": "n_events",
        }
        for column, field in fields.items():
            assert row[column] == pytest.approx(getattr(alone, field))
        assert row["p_all_equal"] == pytest.approx(joint.p_value)
        assert row["p_holm"] == pytest.approx(joint.p_holm[names])


def test_pairs_without_groups_with_weights_and_missing_rows():
    frame = LOANS.with_columns(
        pl.when(pl.col("loan") % 10 != 0).then(pl.col("champion_pd")).alias("champion_pd")
    )
    with (
        pytest.warns(DroppedRowsWarning, match="left out 400 of 4,000 rows"),
        pytest.warns(FewEventsWarning),
    ):
        found = compare_models(frame, "default", MODELS[:2], case_weights="exposure")
    complete = frame.drop_nulls()
    with pytest.warns(FewEventsWarning):
        alone = accuracy_ratio_test(
            *(complete[name] for name in ("default", *MODELS[:2])),
            sample_weight=complete["exposure"],
        )
    assert found["p_value"].item() == pytest.approx(alone.p_value)


def test_a_test_of_few_degrees_of_freedom_is_told_why_it_may_miss():
    weights = np.ones(len(LOANS))
    weights[LOANS["default"].arg_max()] = 16.0
    frame = LOANS.with_columns(w=weights)
    alone = (
        r"^fewer than 10 degrees of freedom \(few rows or clusters have most of the "
        r"variance\), so the test may not keep its level: `data`"
    )
    with pytest.warns(FewEventsWarning, match=alone):
        compare_models(frame, "default", MODELS[:2], case_weights="w")


def test_groups_without_a_difference_are_named():
    frame = pl.DataFrame(
        {"g": list("aabb"), "y": [1, 0, 1, 1], "s": [1, 2, 3, 4], "t": [4, 3, 2, 1]}
    )
    with (
        pytest.warns(UndefinedMetricWarning, match="the difference is .* g b$"),
        pytest.warns(FewEventsWarning, match="may not keep its level: g a$"),
    ):
        found = compare_models(frame, "y", ["s", "t"], by="g")
    assert found["difference"].is_nan().to_list() == [False, True]
    assert found["n_events"].to_list() == [1, 2]


def test_groups_without_a_difference_keep_their_number_of_events():
    columns = {"g": list("aabbccd"), "y": [1, 0, 1, 1, 0, 0, 1], "n": [2, 3, 4, 5, 6, 7, 8]}
    columns |= {"s": [1, 2, 3, 4, 5, 6, None], "t": [4, 3, 2, 1, 2, 1, 1]}
    frame = pl.DataFrame(columns)
    for data in (frame, frame.lazy()):
        with (
            pytest.warns(UndefinedMetricWarning),
            pytest.warns(DroppedRowsWarning),
            pytest.warns(FewEventsWarning),
        ):
            found = compare_models(data, "y", ["s", "t"], by="g", counts="n")
        assert found["n_events"].to_list() == [2, 9, 0, 0]
        assert found["p_value"].is_nan().to_list() == [False, True, True, True]


@pytest.mark.parametrize("estimates", ["champion_pd", ["champion_pd"]])
def test_a_comparison_takes_two_models(estimates):
    with pytest.raises(CapcurveError, match=r"`estimates` must name at least two .* pivot"):
        compare_models(LOANS, "default", estimates)
    with pytest.raises(CapcurveError, match="did you mean 'champion_pd'"):
        compare_models(LOANS, "default", ["champion", "challenger_pd"])


def test_capture_rates_are_compared_at_a_share():
    found = compare_models(LOANS, "default", MODELS, fraction=0.1)
    scores = {name: LOANS[name] for name in MODELS}
    first, second = found["model_a"][0], found["model_b"][0]
    alone = capture_rate_test(LOANS["default"], scores[first], scores[second], fraction=0.1)
    assert found["difference"][0] == pytest.approx(alone.value)
    assert found["p_value"][0] == pytest.approx(alone.p_value)
    assert found["low"][0] == pytest.approx(alone.low)
    assert found["p_all_equal"].is_nan().all()
    with pytest.warns(
        FewEventsWarning,
        match="effectively fewer than 15 rows .* level: segment corporate$",
    ):
        compare_models(LOANS, "default", MODELS, fraction=0.03, by="segment")
    rare = LOANS.filter((pl.col("default") == 0) | (pl.col("default").cum_sum() < 12))
    alone = (
        "^fewer than 20 events or non-events, so the test may not keep its level: `data`"
    )
    with pytest.warns(FewEventsWarning, match=alone):
        compare_models(rare, "default", MODELS, fraction=0.1)
    with pytest.raises(CapcurveError, match=r"`fraction` must be a fraction in \(0, 1\]"):
        compare_models(LOANS, "default", MODELS, fraction=10)


def test_hypotheses_are_those_of_the_pairs():
    options = {"alternative": "equivalent", "margin": 0.1}
    found = compare_models(LOANS, "default", MODELS[:2], **options)
    alone = accuracy_ratio_test(
        LOANS["default"], *(LOANS[name] for name in MODELS[:2]), **options
    )
    for column in ("low", "high", "p_value", "alternative", "margin"):
        assert found[column].item() == pytest.approx(getattr(alone, column))
    usual = compare_models(LOANS, "default", MODELS)
    assert usual["alternative"].to_list() == ["two-sided"] * 3
    assert usual["margin"].to_list() == [0.0] * 3
    with pytest.raises(CapcurveError, match="`margin` requires a one-sided test or one"):
        compare_models(LOANS, "default", MODELS, margin=0.1)
