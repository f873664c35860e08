"""Tests of segments and periods: published figures, laws, and the level of the tests."""

import json
import re
import warnings
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from scipy import stats

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_segments,
    pooled_accuracy_ratio_interval,
)
from capcurve._inference.contrasts import adjust_holm
from capcurve._inference.segments import adjust_false_discoveries
from capcurve._inference.shared_clusters import correlate_segments
from capcurve._input.segments import read_segmented
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
DATA = LOANS["default"], LOANS["champion_pd"]
# The 15 comparisons of Benjamini and Hochberg (1995), section 4.1: at 5 % their procedure
# rejects four hypotheses, Bonferroni's and Holm's three.
PUBLISHED = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000),
]


def test_adjusted_p_values_reject_as_published():
    shuffled = np.random.default_rng(1).permutation(PUBLISHED).tolist()
    found = adjust_false_discoveries(shuffled)
    assert found == pytest.approx(stats.false_discovery_control(shuffled))
    rejected = sorted(p for p, q in zip(shuffled, found, strict=True) if q <= 0.05)
    assert rejected == PUBLISHED[:4]
    holm = adjust_holm(shuffled)
    rejected = sorted(p for p, q in zip(shuffled, holm, strict=True) if q <= 0.05)
    assert rejected == PUBLISHED[:3]
    assert adjust_false_discoveries([]) == []


def test_estimates_and_the_pooled_one_are_those_of_their_rows():
    found = accuracy_ratio_test_segments(*DATA, LOANS["segment"], confidence_level=0.9)
    assert list(found.estimates) == ["corporate", "retail", "small business"]
    for name, estimate in found.estimates.items():
        rows = LOANS["segment"] == name
        y, s = (column[rows] for column in DATA)
        assert repr(estimate) == repr(accuracy_ratio_interval(y, s, confidence_level=0.9))
        others = pooled_accuracy_ratio_interval(
            *(column[~rows] for column in DATA), LOANS["segment"][~rows]
        )
        assert found.rest[name] == pytest.approx(others.value)
    pooled = pooled_accuracy_ratio_interval(*DATA, LOANS["segment"], confidence_level=0.9)
    assert repr(found.pooled) == repr(pooled)
    raw = list(found.p_values.values())
    assert list(found.p_holm.values()) == pytest.approx(adjust_holm(raw))
    assert list(found.p_bh.values()) == pytest.approx(adjust_false_discoveries(raw))
    assert found.trend is None
    assert found.is_reliable


def test_two_segments_are_compared_once():
    rows = LOANS["segment"] != "corporate"
    data = [column[rows] for column in (*DATA, LOANS["segment"] == "retail")]
    found = accuracy_ratio_test_segments(*data, ordered=True)
    assert found.trend.n_periods == 2
    for p_value in (*found.p_values.values(), *found.p_bh.values(), found.trend.p_value):
        assert p_value == pytest.approx(found.p_value)
    first, last = (estimate.value for estimate in found.estimates.values())
    assert (found.trend.first, found.trend.last) == pytest.approx((first, last))
    assert found.trend.change == pytest.approx(last - first)


def numbers_of(found):
    """List the numbers of a result without its labels."""
    return [
        *(found.statistic, *found.degrees_of_freedom, found.p_value),
        *found.p_values.values(),
        *found.p_holm.values(),
        *(found.trend.change, found.trend.low, found.trend.high, found.trend.p_value),
    ]


YEARS = accuracy_ratio_test_segments(*DATA, LOANS["year"], ordered=True)


def test_the_order_of_rows_is_irrelevant():
    i = np.random.default_rng(3).permutation(10_000)
    found = accuracy_ratio_test_segments(
        *(column[i] for column in (*DATA, LOANS["year"])), ordered=True
    )
    assert numbers_of(found) == pytest.approx(numbers_of(YEARS))


@pytest.mark.parametrize(
    "make",
    [
        str,
        lambda year: date(year, 12, 31),
        lambda year: np.datetime64(f"{year}-12-31", "ns"),
        lambda year: year / 2,
        "FY{}".format,
    ],
    ids=["text", "dates", "numpy dates", "floats", "words"],
)
def test_periods_may_be_of_any_kind(make):
    labels = np.array([make(year) for year in LOANS["year"].tolist()])
    found = accuracy_ratio_test_segments(*DATA, labels, ordered=True)
    assert numbers_of(found) == pytest.approx(numbers_of(YEARS))


def test_maps_within_segments_change_nothing():
    s = DATA[1] * (LOANS["year"] - 2020) + 7 * LOANS["year"]
    found = accuracy_ratio_test_segments(DATA[0], s, LOANS["year"], ordered=True)
    assert numbers_of(found) == pytest.approx(numbers_of(YEARS))
    found = accuracy_ratio_test_segments(
        DATA[0], -s, LOANS["year"], ordered=True, descending=False
    )
    assert numbers_of(found) == pytest.approx(numbers_of(YEARS))


def test_periods_backwards_turn_the_trend():
    found = accuracy_ratio_test_segments(*DATA, -LOANS["year"], ordered=True).trend
    trend = YEARS.trend
    assert (found.change, found.low, found.high) == pytest.approx(
        (-trend.change, -trend.high, -trend.low)
    )
    assert (found.first, found.last) == pytest.approx((trend.last, trend.first))


@pytest.mark.filterwarnings("ignore:tests may not keep")
def test_counts_are_rows_and_weights_are_proportions():
    count = np.arange(10_000) % 3
    rows = np.repeat(np.arange(10_000), count)
    repeated = accuracy_ratio_test_segments(
        *(column[rows] for column in (*DATA, LOANS["year"])), ordered=True
    )
    counted = accuracy_ratio_test_segments(
        *DATA, LOANS["year"], sample_weight=count, weights="frequency", ordered=True
    )
    assert numbers_of(counted) == pytest.approx(numbers_of(repeated))
    weights = [scale * LOANS["exposure"] for scale in (1, 1000)]
    first, second = (
        accuracy_ratio_test_segments(
            *DATA, LOANS["year"], sample_weight=weight, ordered=True
        )
        for weight in weights
    )
    assert numbers_of(first) == pytest.approx(numbers_of(second))
    assert numbers_of(first) != pytest.approx(numbers_of(YEARS))


def test_clusters_of_equal_rows_count_once():
    twice = [np.repeat(column, 2) for column in (*DATA, LOANS["year"])]
    clusters = np.repeat(np.arange(10_000), 2)
    found = accuracy_ratio_test_segments(*twice, clusters=clusters, ordered=True)
    assert numbers_of(found) == pytest.approx(numbers_of(YEARS), rel=1e-2)
    assert not found.shares_clusters


@pytest.mark.filterwarnings("ignore:periods of `segments` are text")
def test_segments_of_the_same_loans_are_compared_as_their_scores_are():
    """Loans under two scores, as two segments: DeLong's paired test tells how alike."""
    loan = np.arange(10_000)
    scores = LOANS["champion_pd"], LOANS["challenger_pd"]
    twice = np.tile(DATA[0], 2), np.concatenate(scores), np.repeat(["a", "b"], 10_000)
    _, rows = read_segmented(*twice, clusters=np.tile(loan, 2))
    ((_, found), _) = correlate_segments(rows, 2)
    paired = accuracy_ratio_test(DATA[0], *scores, method="delong")
    errors = [accuracy_ratio_interval(DATA[0], each).standard_error for each in scores]
    covariance = (errors[0] ** 2 + errors[1] ** 2 - paired.standard_error**2) / 2
    assert found == pytest.approx(covariance / (errors[0] * errors[1]), rel=1e-3)
    test = accuracy_ratio_test_segments(*twice, clusters=np.tile(loan, 2), ordered=True)
    assert test.shares_clusters
    for p_value in (test.p_value, test.p_values["a"], test.trend.p_value):
        assert p_value == pytest.approx(paired.p_value, rel=0.2)
    apart = accuracy_ratio_test_segments(*twice, ordered=True)
    assert not apart.shares_clusters
    assert apart.p_value > 2 * paired.p_value


@pytest.mark.filterwarnings("ignore:periods of `segments` are text")
def test_equal_segments_of_the_same_loans_do_not_differ():
    twice = [np.tile(column, 2) for column in DATA]
    segment, loan = np.repeat(["a", "b"], 10_000), np.tile(np.arange(10_000), 2)
    found = accuracy_ratio_test_segments(*twice, segment, clusters=loan, ordered=True)
    assert (found.p_value, found.trend.p_value) == pytest.approx((1, 1))


def test_a_perfectly_ranked_segment_depends_on_no_other():
    y, s = np.tile([1, 1, 1, 0, 0, 0], 2), np.array([6, 5, 4, 3, 2, 1, 6, 2, 4, 3, 5, 1])
    segment, clusters = np.repeat(["a", "b"], 6), np.tile(np.arange(6), 2)
    _, rows = read_segmented(y, s, segment, clusters=clusters)
    assert correlate_segments(rows, 2).tolist() == [[1, 0], [0, 1]]


def test_a_segment_of_one_class_depends_on_no_other():
    y, s = np.array([1, 0, 1, 0, 0, 0]), np.array([3, 2, 1, 4, 3, 2])
    segment, clusters = ["a"] * 4 + ["b"] * 2, [0, 1, 2, 3, 0, 1]
    _, rows = read_segmented(y, s, segment, clusters=clusters)
    assert correlate_segments(rows, 2).tolist() == [[1, 0], [0, 1]]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:tests may not keep")
def test_trends_over_rolling_windows_keep_their_level():
    """Each borrower is in 4 consecutive of 8 periods, and nothing changes."""
    rng, rejected = np.random.default_rng(5), 0
    for _ in range(150):
        event = rng.random(2_000) < 0.12
        score = rng.normal(size=2_000) + event
        start = rng.integers(-3, 8, 2_000)
        borrower = np.repeat(np.arange(2_000), 4)
        period = (start[:, None] + np.arange(4)).ravel()
        kept = (period >= 0) & (period < 8)
        borrower, period = borrower[kept], period[kept]
        found = accuracy_ratio_test_segments(
            *(event[borrower], score[borrower], period), clusters=borrower, ordered=True
        )
        rejected += found.trend.p_value < 0.05
    assert rejected <= 15  # of 7.5 expected; 28 were found without the covariance


@pytest.mark.filterwarnings("ignore:periods of `segments` are text")
def test_no_segment_is_known_for_certain():
    """A perfectly ranked segment of few events is not known for certain."""
    y = np.tile([1] * 4 + [0] * 8, 3)
    s = np.array([*range(12, 0, -1)] * 2 + [12, 11, 3, 4, 9, 8, 7, 6, 10, 5, 2, 1])
    g = np.repeat(["a", "b", "c"], 12)
    with pytest.warns(FewEventsWarning, match="'a', 'b', 'c'; of all"):
        found = accuracy_ratio_test_segments(y, s, g, ordered=True)
    assert [each.value for each in found.estimates.values()] == [1, 1, 0.25]
    assert 0.001 < found.p_value < 0.2
    assert found.rest["c"] == 1
    assert 0 < found.p_values["a"] <= 1
    with pytest.warns(FewEventsWarning, match="of all segments and of the trend"):
        same = accuracy_ratio_test_segments(y[:24], s[:24], g[:24], ordered=True)
    assert (same.p_value, same.trend.p_value) == pytest.approx((1, 1))
    assert same.trend.change == 0
    assert same.trend.low == -same.trend.high < 0
    assert not same.is_reliable
    with pytest.warns(FewEventsWarning):
        reverse = accuracy_ratio_test_segments(y, [*s[:12], *-s[:12], *s[24:]], g)
    assert reverse.estimates["b"].value == -1
    assert np.isfinite(reverse.statistic)


def test_segments_without_two_of_each_class_take_no_part():
    y, s, g = (column.tolist() for column in (*DATA, LOANS["year"].astype(float)))
    more = [1, 0, 0, 1, 1, 0, 0], [0.5, 0.4, 0.3, 0.2, 0.1, 0.7, 0.8], [2021.5] * 3
    more = more[0], more[1], [*more[2], 2022.5, 2022.5, 2023.5, 2023.5]
    data = [old + new for old, new in zip((y, s, g), more, strict=True)]
    with pytest.warns(UndefinedMetricWarning, match=r"2021\.5, 2022\.5, 2023\.5"):
        found = accuracy_ratio_test_segments(*data, ordered=True)
    assert found.statistic == pytest.approx(YEARS.statistic)
    assert found.p_value == pytest.approx(YEARS.p_value)
    tested = [p for p in found.p_holm.values() if not np.isnan(p)]
    assert tested == pytest.approx(list(YEARS.p_holm.values()))
    assert np.isnan(found.rest[2021.5])
    assert found.estimates[2021.5].value == 1
    assert np.isnan(found.estimates[2022.5].value)
    # Periods keep their places: those without events are steps too.
    assert found.trend.n_periods == 4
    assert found.trend.n_spanned == 7
    assert "in 4 of 7 periods" in repr(found.trend)
    assert "in 4 periods" in repr(YEARS.trend)
    assert found.trend.change == pytest.approx((found.trend.last - found.trend.first) / 6)
    assert found.trend.change == pytest.approx(YEARS.trend.change / 2)
    assert found.trend.p_value == pytest.approx(YEARS.trend.p_value)


def test_one_segment_is_compared_with_nothing():
    with pytest.warns(UndefinedMetricWarning, match="without others to compare with: 1"):
        found = accuracy_ratio_test_segments(*DATA, [1] * 10_000, ordered=True)
    assert found.trend is None
    assert np.isnan([found.statistic, found.p_value]).all()
    assert np.isnan([found.p_values[1], found.p_holm[1], found.rest[1]]).all()
    assert found.pooled.value == pytest.approx(found.estimates[1].value)


def test_what_is_printed_can_be_pasted():
    assert repr(YEARS).startswith("AR of 4 segments: all equal F = 0.")
    assert repr(YEARS.trend) in repr(YEARS)
    assert repr(YEARS.trend).startswith("AR change 0.0")
    assert "per period (0." in repr(YEARS.trend)
    plain = json.dumps(YEARS.to_dict())
    assert '"trend": {"change": ' in plain
    assert '"2021": {"value": 0.' in plain
    assert YEARS.trend.to_dict() == YEARS.to_dict()["trend"]
    assert YEARS.trend.to_dict()["n_spanned"] == 4
    none = accuracy_ratio_test_segments(*DATA, LOANS["segment"])
    assert none.to_dict()["trend"] is None
    assert "per period" not in repr(none)


def test_tests_keep_their_level():
    rng, found = np.random.default_rng(5), []
    shift = np.sqrt(2) * stats.norm.ppf(0.75)
    y = np.repeat([1, 0], [150, 450])
    g = np.arange(600) % 3  # 50 events each
    for _ in range(200):
        s = rng.normal(size=600) + shift * y
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            each = accuracy_ratio_test_segments(y, s, g, ordered=True)
        found.append([each.p_value, each.trend.p_value, *each.p_values.values()])
    rejected = (np.array(found) < 0.05).mean(axis=0)
    assert (np.abs(rejected - 0.05) < 0.04).all()


def test_what_is_refused():
    with pytest.raises(CapcurveError, match="a test of segments requires 0/1 events"):
        accuracy_ratio_test_segments(LOANS["loss"], DATA[1], LOANS["year"])
    with pytest.raises(CapcurveError, match="`ordered` must be True or False"):
        accuracy_ratio_test_segments(*DATA, LOANS["year"], ordered="years")
    with pytest.raises(CapcurveError, match="`confidence_level` must lie between"):
        accuracy_ratio_test_segments(*DATA, LOANS["year"], confidence_level=95)
    labels = np.array(["2021-01-01", "NaT"] * 5_000, dtype="datetime64[D]")
    with pytest.raises(CapcurveError, match="`segments` must not hold missing values"):
        accuracy_ratio_test_segments(*DATA, labels)


def test_labels_of_several_types_are_told_apart():
    labels = np.array(["a", 1] * 5_000, dtype=object)
    found = accuracy_ratio_test_segments(*DATA, labels)
    assert set(found.estimates) == {"a", 1}


@pytest.mark.filterwarnings("ignore:tests may not keep", "ignore:the test of all segm")
def test_tiny_segments_take_no_part_in_the_test_of_all():
    """With or without them, the test of all and the trend are those of the large ones."""
    y, s, g = (column.tolist() for column in (*DATA, LOANS["year"]))
    more = [1] * 19 + [0] * 40, np.linspace(0, 1, 59).tolist(), [2025] * 59
    data = [old + new for old, new in zip((y, s, g), more, strict=True)]
    with pytest.warns(
        FewEventsWarning,
        match="leave out segments with fewer than 20 events or non-events: 2025",
    ):
        found = accuracy_ratio_test_segments(*data, ordered=True)
    assert found.left_out == (2025,)
    assert found.is_reliable
    assert found.statistic == YEARS.statistic
    assert found.trend.p_value == YEARS.trend.p_value
    assert not np.isnan(found.p_values[2025])
    # The family of the adjusted p-values is that of the large ones.
    large = [year for year in found.p_values if year != 2025]
    raw = [found.p_values[year] for year in large]
    assert [found.p_holm[year] for year in large] == adjust_holm(raw)
    assert [found.p_bh[year] for year in large] == adjust_false_discoveries(raw)
    assert np.isnan([found.p_holm[2025], found.p_bh[2025]]).all()
    again = [old + new for old, new in zip(data, ([1], [0.5], [2025]), strict=True)]
    found = accuracy_ratio_test_segments(*again, ordered=True)
    assert found.left_out == ()
    assert found.trend.n_periods == 5


def test_one_large_segment_beside_tiny_ones_is_no_reliable_test():
    rows = np.r_[
        np.arange(5_000), 5_000 + np.flatnonzero(DATA[0][5_000:])[:5], 9_990:10_000
    ]
    groups = np.repeat(["large", "tiny"], [5_000, 15])
    with pytest.warns(FewEventsWarning, match="of all segments and of the trend"):
        found = accuracy_ratio_test_segments(*(each[rows] for each in DATA), groups)
    assert found.left_out == ()
    assert not found.is_reliable


def test_without_two_segments_no_test_of_all_is_there_to_keep_a_level():
    few = np.r_[np.flatnonzero(DATA[0])[:5], np.flatnonzero(DATA[0] == 0)[:50]]
    with pytest.warns(UndefinedMetricWarning) as seen:
        found = accuracy_ratio_test_segments(
            *(each[few] for each in DATA), ["all"] * len(few), ordered=True
        )
    assert [each.category for each in seen] == [UndefinedMetricWarning]
    assert (found.is_reliable, found.trend) == (None, None)


def test_events_of_one_cluster_are_named_where_a_test_is_undefined():
    place = np.arange(200)
    event, segment = place % 10 == 0, place // 100
    cluster = np.where(event & (segment == 1), -1, place)
    told = "two events and two non-events in different clusters, or without .* with: 0, 1$"
    with pytest.warns(UndefinedMetricWarning, match=told):
        accuracy_ratio_test_segments(event, place % 37, segment, clusters=cluster)


def test_only_where_rows_count_for_less_are_few_events_effective_ones():
    y, s, g = (column.tolist() for column in (*DATA, LOANS["year"]))
    data = y + [1] * 9 + [0] * 9, s + [0.5] * 18, g + [2025] * 18
    start = "tests may not keep their level: against the rest, with "
    less = "effectively fewer than 20 events or non-events (unequal weights count for less)"
    for weight, small in (
        (None, "fewer than 20 events or non-events"),
        (np.tile([1.0, 2.0], len(data[0]) // 2), less),
    ):
        with pytest.warns(FewEventsWarning) as seen:
            accuracy_ratio_test_segments(*data, sample_weight=weight)
        assert {str(each.message) for each in seen} == {
            f"the test of all segments and the trend leave out segments with {small}: 2025",
            f"{start}{small}, or fewer than 5 wrongly ranked ones: 2025",
        }


QUARTERS = [f"Q{1 + i % 4} {2022 + i % 2}" for i in range(len(LOANS["year"]))]


def test_text_that_need_not_sort_by_time_warns_as_ordered_segments():
    with pytest.warns(UserWarning, match=r"`segments` are .* 'Q1 2022', 'Q2 2023', 'Q3"):
        found = accuracy_ratio_test_segments(*DATA, QUARTERS, ordered=True)
    assert found.trend.n_periods == 4
    accuracy_ratio_test_segments(*DATA, QUARTERS)
    for name in ("{1}-{0}", "FY{1}{0}"):
        renamed = [name.format(*each.split()) for each in QUARTERS]
        accuracy_ratio_test_segments(*DATA, renamed, ordered=True)


@pytest.mark.parametrize(
    ("odd", "told"),
    [
        ("2023-02-31", "hold dates of the calendar, got '2023-02-31'; correct it"),
        ("31.02.2023", "or none, got '31.02.2023' among them; correct it, or"),
    ],
)
def test_ordered_segments_are_all_dates_or_none_is(odd, told):
    days = [f"{year}-01-01" for year in LOANS["year"].tolist()]
    accuracy_ratio_test_segments(*DATA, days, ordered=True)
    days = [odd if day.startswith("2021") else day for day in days]
    with pytest.raises(CapcurveError, match=re.escape(told)):
        accuracy_ratio_test_segments(*DATA, days, ordered=True)
    accuracy_ratio_test_segments(*DATA, days)


def test_a_change_of_nothing_has_no_minus():
    y, s = np.tile([1, 0, 1, 0, 1], 40), np.tile([5, 4, 3, 2, 1], 40)
    found = accuracy_ratio_test_segments(y, s, np.repeat([1, 2], 100), ordered=True).trend
    found = replace(found, change=-1e-9)
    assert repr(found).startswith("AR change 0.000 per period")
