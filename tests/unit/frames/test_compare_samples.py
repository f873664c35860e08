"""Tests of samples: those of two estimates, each from the rows of its sample alone."""

import numpy as np
import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_test_independent,
    capture_rate_interval,
    compare_samples,
)
from capcurve.datasets import make_portfolio
from frame_constructors import CONSTRUCTORS, columns_of

COLUMNS = make_portfolio(6_000)
LOANS = pl.DataFrame(COLUMNS)
YEARS = sorted(set(COLUMNS["year"].tolist()))
every_library = pytest.mark.parametrize(
    "make", list(CONSTRUCTORS.values()), ids=list(CONSTRUCTORS)
)
few = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
FIELDS = {
    "estimate_a": "first",
    "estimate_b": "second",
    "difference": "value",
    "std_error": "standard_error",
    "low": "low",
    "high": "high",
    "p_value": "p_value",
}


def estimate(frame, model="champion_pd", **options):
    return accuracy_ratio_interval(frame["default"], frame[model], **options)


def year_of(year, frame=LOANS):
    return frame.filter(pl.col("year") == year)


@every_library
def test_each_year_against_the_first(make):
    found = compare_samples(
        make(COLUMNS), "default", ["champion_pd", "challenger_pd"], "year", YEARS[0]
    )
    assert type(found) is type(make(COLUMNS))
    columns = columns_of(found)
    assert list(columns["sample_a"]) == 2 * YEARS[1:]
    assert list(columns["sample_b"]) == [YEARS[0]] * len(columns["model"])
    for at, (model, year) in enumerate(
        zip(columns["model"], columns["sample_a"], strict=True)
    ):
        first, second = year_of(year), year_of(YEARS[0])
        alone = accuracy_ratio_test_independent(
            estimate(first, model), estimate(second, model)
        )
        for column, field in FIELDS.items():
            assert columns[column][at] == pytest.approx(getattr(alone, field))
        assert columns["n_events_a"][at] == first["default"].sum()
        assert columns["n_events_b"][at] == second["default"].sum()


@few
def test_hypotheses_groups_and_adjusted_p_values():
    found = compare_samples(
        LOANS,
        "default",
        "champion_pd",
        "year",
        YEARS[-1],
        by="segment",
        alternative="less",
        confidence_level=0.9,
    )
    assert found.columns[:3] == ["segment", "sample_a", "sample_b"]
    assert set(found["alternative"]) == {"less"}
    assert set(found["margin"]) == {0.0}
    for row in found.iter_rows(named=True):
        part = LOANS.filter(pl.col("segment") == row["segment"])
        first, second = year_of(row["sample_a"], part), year_of(YEARS[-1], part)
        alone = accuracy_ratio_test_independent(
            estimate(first), estimate(second), alternative="less", confidence_level=0.9
        )
        assert row["p_value"] == pytest.approx(alone.p_value)
        assert (row["low"], row["high"]) == pytest.approx((-2, alone.high))
    for _, group in found.group_by("segment"):
        p_values = np.sort(group["p_value"].to_numpy())
        holm = np.minimum(1, np.maximum.accumulate(p_values * (3 - np.arange(3))))
        assert np.sort(group["p_holm"].to_numpy()) == pytest.approx(holm)


@few
def test_weights_counted_rows_clusters_and_low_scores():
    frame = LOANS.with_columns(copies=pl.col("loan") % 3 + 1, minus=-pl.col("champion_pd"))
    for options, given in (
        ({"case_weights": "exposure"}, ("exposure", {})),
        ({"counts": "copies"}, ("copies", {"weights": "frequency"})),
    ):
        found = compare_samples(
            frame, "default", "minus", "year", 2021, descending=False, **options
        )
        column, more = given
        first, second = (
            estimate(
                year_of(year, frame), sample_weight=year_of(year, frame)[column], **more
            )
            for year in (2022, 2021)
        )
        alone = accuracy_ratio_test_independent(first, second)
        assert found["p_value"][0] == pytest.approx(alone.p_value)
        assert found["n_events_a"][0] == alone.n_events or first.n_events
    apart = frame.with_columns(owner=pl.col("year") * 10_000 + pl.col("loan") // 2)
    found = compare_samples(apart, "default", "champion_pd", "year", 2021, clusters="owner")
    first, second = (
        estimate(year_of(year), clusters=year_of(year, apart)["owner"])
        for year in (2022, 2021)
    )
    alone = accuracy_ratio_test_independent(first, second)
    assert found["p_value"][0] == pytest.approx(alone.p_value)


def test_clusters_in_both_samples_are_told():
    frame = LOANS.with_columns(owner=pl.col("loan") % 1_000)
    told = (
        "samples share clusters, so they are not independent and p-values may be too "
        "large or too small"
    )
    remedy = (
        r"; `compare_segments` \(capcurve segments\) with the two samples as segments "
        "allows for them"
    )
    places = ": 2022 against 2021; 2023"
    asked = ("champion_pd", "year", 2021)
    with pytest.warns(UserWarning, match=told + remedy + places):
        compare_samples(frame, "default", *asked, clusters="owner")
    of_amounts = (
        r"; `gain_capture_change` \(capcurve change\) allows for them: its `total` is the "
        "change of AR: "
    )
    with pytest.warns(UserWarning, match=told + of_amounts + places[2:]):
        compare_samples(frame, "exposure", *asked, clusters="owner")
    with pytest.warns(UserWarning, match=told + places):
        compare_samples(frame, "default", *asked, clusters="owner", fraction=0.1)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_capture_rates(alternative):
    found = compare_samples(
        LOANS,
        "default",
        "champion_pd",
        "year",
        2021,
        fraction=0.2,
        alternative=alternative,
    )
    level = 0.95 if alternative == "two-sided" else 0.9
    first, second = (
        capture_rate_interval(
            year_of(year)["default"],
            year_of(year)["champion_pd"],
            fraction=0.2,
            confidence_level=level,
        )
        for year in (2022, 2021)
    )
    alone = accuracy_ratio_test_independent(first, second, alternative=alternative)
    row = found.row(0, named=True)
    for column, field in FIELDS.items():
        assert row[column] == pytest.approx(getattr(alone, field)), column


def test_what_is_few_in_tests_of_capture_rates_is_told_of_these():
    rate = "fewer than 5 rows of the smaller class times the smaller of the capture rate"
    asked = ("champion_pd", "year", 2021)
    events = f"^{rate} and 1 minus it, so the test may not keep"
    with pytest.warns(FewEventsWarning, match=events):
        compare_samples(LOANS, "default", *asked, fraction=0.001)
    amounts = r"^fewer than 20 rows above 0 \(unequal amounts count for less\), "
    with pytest.warns(FewEventsWarning, match=amounts):
        compare_samples(LOANS, "loss", *asked, fraction=0.001)


def test_only_what_is_few_in_tests_of_samples_is_told():
    asked = ("champion_pd", "year", 2021)
    few_rows = LOANS.with_columns(default=(pl.col("loan") % 500 == 0).cast(pl.Int64))
    with pytest.warns(FewEventsWarning, match="^fewer than 20 events or non-events, so"):
        compare_samples(few_rows, "default", *asked)
    random = np.random.default_rng(1)
    loss, year = random.gamma(2, 100, 600), np.arange(600) % 2
    rows = {"loss": loss, "s": loss + random.normal(0, 25, 600), "year": year}
    with pytest.warns(FewEventsWarning, match="^fewer than 10 effective pairs ranked wro"):
        compare_samples(pl.DataFrame(rows), "loss", "s", "year", 0)
    event = (np.arange(600) % 5 == 0).astype(int)
    ranked = pl.DataFrame({"y": event, "s": event + random.normal(0, 0.25, 600)})
    with pytest.warns(FewEventsWarning, match="^fewer than 5 wrongly ranked events, so"):
        compare_samples(ranked.with_columns(year=year), "y", "s", "year", 0)


@few
def test_amounts_and_grades():
    found = compare_samples(LOANS, "loss", "champion_pd", "year", 2021)
    first, second = (
        accuracy_ratio_interval(year_of(year)["loss"], year_of(year)["champion_pd"])
        for year in (2022, 2021)
    )
    alone = accuracy_ratio_test_independent(first, second)
    assert found["p_value"][0] == pytest.approx(alone.p_value)
    order = list("ABCDEFGH")
    graded = compare_samples(LOANS, "default", "grade", "year", 2021, order=order)
    assert graded["estimate_a"][0] == pytest.approx(
        accuracy_ratio_interval(
            year_of(2022)["default"], year_of(2022)["grade"].replace_strict(order, range(8))
        ).value
    )


def test_samples_without_rows_or_with_equal_outcomes_are_undefined():
    frame = pl.DataFrame(
        {
            "y": [1, 0, 1, 0, 1, 1, 1, 0],
            "s": [4, 3, 2, 1, 2, 1, 2, 1],
            "t": ["old", "old", "new", "new", "odd", "odd", "old", "old"],
            "g": ["a", "a", "a", "a", "a", "a", "b", "b"],
        }
    )
    message = (
        r"^the difference is undefined and set to nan: 'odd' against 'old', g a \(all "
        r"outcomes of 'odd' are equal\); 'new' against 'old', g b \(no row of 'new'\); "
        r"'odd' against 'old', g b \(no row of 'odd'\)$"
    )
    with (
        pytest.warns(UndefinedMetricWarning, match=message),
        pytest.warns(FewEventsWarning, match="'new' against 'old', g a"),
    ):
        found = compare_samples(frame, "y", "s", "t", "old", by="g")
    assert found["sample_a"].to_list() == ["new", "odd"] * 2
    assert np.isnan(found["difference"].to_numpy()).tolist() == [False, True, True, True]
    # AR is given where it is defined.
    assert found["estimate_a"].fill_nan(None).to_list() == [1, None, None, None]
    assert found["estimate_b"].to_list() == [1] * 4
    assert found["n_events_a"].to_list() == [1, 2, 0, 0]
    assert found["n_events_b"].to_list() == [1, 1, 1, 1]


def test_many_undefined_samples_are_counted():
    frame = pl.DataFrame({"y": [1, 0, *[1] * 7], "s": range(9), "t": [0, 0, *range(1, 8)]})
    with pytest.warns(UndefinedMetricWarning, match=r"5 against 0 \(.*\); 2 more"):
        compare_samples(frame, "y", "s", "t", 0)


@pytest.mark.filterwarnings("ignore::capcurve.DroppedRowsWarning")
@pytest.mark.parametrize("fraction", [None, 0.1])
def test_a_sample_without_a_complete_row_is_undefined_alone(fraction):
    lost = pl.col("year") == YEARS[0]
    frame = LOANS.with_columns(
        champion_pd=pl.when(lost).then(None).otherwise(pl.col("champion_pd"))
    )
    message = r"2022 against 2021 \(no row of 2021 is complete\); 2023 against"
    with pytest.warns(UndefinedMetricWarning, match=message):
        found = compare_samples(
            frame, "default", "champion_pd", "year", YEARS[0], fraction=fraction
        )
    known = compare_samples(
        LOANS, "default", "champion_pd", "year", YEARS[0], fraction=fraction
    )
    assert found["estimate_a"].to_list() == known["estimate_a"].to_list()
    assert np.isnan(found["estimate_b"].to_numpy()).all()
    none = frame.with_columns(default=pl.when(lost).then("default").otherwise(1))
    both = r"2022 against 2021 \(all outcomes of 2022 are equal and no row of 2021 is"
    with pytest.warns(UndefinedMetricWarning, match=both):
        compare_samples(none, "default", "champion_pd", "year", YEARS[0])


def test_missing_rows_are_left_out():
    frame = LOANS.with_columns(
        champion_pd=pl.when(pl.col("loan") == pl.col("loan").min())
        .then(None)
        .otherwise(pl.col("champion_pd"))
    )
    with pytest.warns(DroppedRowsWarning, match="left out 1 of"):
        compare_samples(frame, "default", "champion_pd", "year", 2021)


@pytest.mark.parametrize("against", [1999, "2021", [2021], None, np.arange(3)])
def test_an_unknown_reference_is_refused(against):
    message = r"`against` must be a value of `year` \(2021, 2022, 2023, 2024\), got"
    with pytest.raises(CapcurveError, match=message):
        compare_samples(LOANS, "default", "champion_pd", "year", against)


def test_other_refusals():
    for options, message in (
        ({"sample": "default"}, "neither the outcome nor in `by`"),
        ({"by": "year"}, "neither the outcome nor in `by`"),
        ({"fraction": 0.0}, "`fraction` must be"),
        ({"alternative": "more"}, "`alternative`"),
        ({"margin": 0.1}, "`margin` requires"),
    ):
        given = {"sample": "year", "against": 2021} | options
        with pytest.raises(CapcurveError, match=message):
            compare_samples(LOANS, "default", "champion_pd", **given)
