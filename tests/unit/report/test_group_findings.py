"""Sentences on segments and periods, on both sides of each border."""

import pytest

from capcurve._report.period_findings import find_trend
from capcurve._report.phrases import say_effective_of
from capcurve._report.segment_findings import find_segments

FEW = "The sample is small for this test, which may not keep its level."
MISRANKED = (
    "Fewer than 6 wrongly ranked events (counted as independent ones of equal weight) are "
    "to be expected in a group, on average, so the test may not keep its level."
)

FEW_PERIODS = ", as fewer than two periods have two or more events and non-events."
SMALL = ("few events", "few non-events")
OF_100_EVENTS = {"name": "AR", "n_effective": 100.0, "n_events": 100, "n_nonevents": 900}


def make_group(name, value, **changed):
    """Make the facts of one group of the champion."""
    row = {
        "group": name,
        "model": "pd",
        "n_rows": 60,
        "status": None,
        "has_free_limits": False,
        "n_non_events": 50.0,
        "accuracy_ratio": None if value is None else {"value": value, **OF_100_EVENTS},
        "rest": 0.6,
        "p_value": 0.5,
        "p_adjusted": 1.0,
    }
    return row | changed


def make_split(groups, p_value=0.2, **changed):
    """Make the facts of one column of segments, whose test leaves out small groups."""
    small = [row["group"] for row in groups if row["status"] in SMALL]
    is_tested = p_value is not None and len(groups) - len(small) > 1
    test = {"model": "pd", "p_value": p_value, "is_reliable": True, "n_groups": 3}
    test["left_out"] = small if is_tested else []
    other = make_group("x", -0.9) | {"model": "new"}
    return {
        "by": "region",
        "groups": [*groups, other],
        "total": [
            {"model": "pd", "accuracy_ratio": {"value": 0.6}, "pooled": {"value": 0.55}},
            {"model": "new"},
        ],
        "homogeneity": [test | changed],
        "trend": [None],
        "in_time_order": True,
        "absent": [],
    }


def make_facts(outcome="events", **changed):
    """Make the facts of a report that findings on groups read."""
    facts = {
        "segments": [],
        "periods": [],
        "outcome": outcome,
        "confidence_level": 0.95,
        "sample": {"clusters": None, "weights": "none"},
        "provenance": {"options": {}},
        "models": [{}],
        "rows": {"own_rows": []},
    }
    return facts | changed


def say(*splits, **changed):
    """Tell of splits by a segment, which have no time."""
    segments = [
        {key: value for key, value in split.items() if key != "in_time_order"}
        for split in splits
    ]
    return find_segments(make_facts(segments=segments, **changed))


GROUPS = [make_group("north", 0.5), make_group("south", 0.7), make_group(None, 0.6)]


NO_VARIANCE = ", as fewer than two groups have two or more events and non-events."


@pytest.mark.parametrize(
    ("p_value", "told"),
    [
        (0.05, "; the differences are not statistically significant (p = 0.050)."),
        (0.0499, "; the differences are statistically significant (p = 0.0499)."),
        (None, f"; differences were not tested{NO_VARIANCE}"),
    ],
)
def test_segments_differ_if_the_p_value_is_low(p_value, told):
    text = say(make_split(GROUPS, p_value))
    assert text == f"By region, AR ranges from 0.500 (north) to 0.700 (south){told}"


@pytest.mark.parametrize(
    ("p_value", "told"), [(1.0, " (p = 1.000)."), (None, "; differences were")]
)
def test_groups_of_equal_ratios_are_called_equal(p_value, told):
    same = [make_group(name, 0.5) for name in ("north", "east", "south")]
    text = say(make_split(same, p_value))
    assert text.startswith(f"By region, AR is 0.500 in all 3 groups{told}")


@pytest.mark.parametrize("n_models", [1, 2])
@pytest.mark.parametrize("clusters", [None, {"column": "customer_id"}])
@pytest.mark.parametrize(
    ("weights", "given"),
    [("none", ""), ("sampling", "--weight, "), ("counts", "--counts, ")],
)
def test_amounts_have_no_test_and_that_is_told(clusters, n_models, weights, given):
    amounts = [row | {"n_non_events": None} for row in GROUPS]
    if clusters is None:
        independent = (
            "no rows of one depend on rows of the other, as loans of one borrower do"
        )
        shared = ""
    else:
        independent = "no customer_id is in both"
        shared = (
            f". If not, the rows total of capcurve change with {given}--sample, "
            "--cluster, --bands 10 and --empty-grades other are the change of AR from "
            "one to the next, or between the two of which a --query keeps the rows, "
            "allowing for clusters in both; bands move its limits a little, itself not"
        )
        if n_models > 1:
            shared += (
                ", and the rows are those of this report if each of its models is an "
                "--estimate there"
            )
    compared = given if clusters is None else f"{given}--cluster, "
    why = (
        "not tested, as there is no test of all {} for amounts. The table has the interval "
        f"of each, and capcurve compare with {compared}--sample{{}} and --against "
        f"compares two of them if they are independent ({independent}){shared}."
    )
    sample = {"clusters": clusters, "weights": weights}
    whole = {"outcome": "amounts", "sample": sample}
    whole["models"] = [{}] * n_models
    told = say(make_split(amounts, None), **whole)
    assert why.format("groups", "") in told
    told = tell(None, amounts, p_value=None, whole=whole)
    assert why.format("periods", " (a column of periods, not of dates)") in told


def test_how_to_compare_two_groups_of_amounts_is_told_once():
    amounts = [row | {"n_non_events": None} for row in GROUPS]
    split = make_split(amounts, None)
    whole = {"outcome": "amounts", "periods": [split]}
    text = say(split, split | {"by": "product"}, **whole)
    assert text.count("capcurve compare with --sample") == 1
    last = "The table has the interval of each, and two of them are compared in the same "
    assert text.endswith(f"{last}way.")
    for segments, n in (([], 1), ([split], 0), ([make_split(amounts[:1], None)], 1)):
        text = find_trend(make_facts(segments=segments, **whole))
        assert text.count("capcurve compare with --sample") == n
        told = (
            "two of them are compared as segments are (a column of periods, not of dates)"
        )
        assert (told in text) is (n == 0)


ONE_CLUSTER = {"clusters": {"n_event_clusters": 1}}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (
            {"sample": ONE_CLUSTER},
            "all events are in one cluster, which shows no variance of AR",
        ),
        (
            {"sample": {"clusters": {"n_event_clusters": 2}}},
            (
                "fewer than two {} have two or more events and non-events in different "
                "clusters"
            ),
        ),
    ],
)
def test_events_that_were_not_tested_have_a_reason(changed, why):
    told = say(make_split(GROUPS, None), **changed)
    assert f"not tested, as {why.format('groups')}." in told
    told = tell(None, p_value=None, whole=changed)
    assert f"not tested, as {why.format('periods')}." in told


def test_what_dates_are_grouped_by_is_told_with_the_trend():
    quarters = {"provenance": {"options": {"period_by": "quarter"}}}
    told = "Periods are the quarters of the dates in region. AR decreases"
    assert tell(TREND, whole=quarters).startswith(told)


def test_a_test_on_few_events_is_told():
    few = [make_group(name, 0.1, status="few events") for name in "ab"]
    assert FEW in say(make_split(few, is_reliable=False))
    assert FEW in tell(TREND | {"is_reliable": False}, few)


def test_a_test_of_groups_with_few_wrongly_ranked_events_is_told():
    few = make_group("c", 0.1, status="few events")  # which the test leaves out
    text = say(make_split([*GROUPS, few], is_reliable=False))
    assert f"(p = 0.200). {MISRANKED}" in text
    assert FEW not in text
    of_periods = MISRANKED.replace("in a group", "in a period")
    assert tell(TREND | {"is_reliable": False}).count(of_periods) == 1


@pytest.mark.parametrize(
    ("changed", "is_told"),
    [
        ({"p_adjusted": 0.0499}, True),
        ({"p_adjusted": 0.05}, False),
        ({"p_adjusted": None}, False),
        ({"p_adjusted": 0.01, "rest": 0.5}, False),
        ({"p_adjusted": 0.01, "rest": None}, False),
    ],
)
def test_the_weakest_segment_is_told_if_it_is_worse_than_the_rest(changed, is_told):
    text = say(make_split([make_group("north", 0.5, **changed), *GROUPS[1:]]))
    told = "north ranks worse than the other groups, within which AR is 0.600 (p = 0.0499, "
    assert (told in text) == is_told
    assert ("adjusted for 3 groups" in text) == is_told


def test_two_groups_are_each_the_other_s_rest_and_not_adjusted():
    two = [make_group("north", 0.5, p_adjusted=0.01), make_group("south", 0.7)]
    text = say(make_split(two))
    assert "north ranks worse than the other group, whose AR is 0.600 (p = 0.010);" in text
    assert "adjusted" not in text
    untested = make_group("east", None, status="no events", p_value=None, p_adjusted=None)
    assert "adjusted" not in say(make_split([*two, untested]))
    small = make_group("tiny", 0.6, status="few events", p_adjusted=None)
    assert "(p = 0.010, adjusted for 2 groups)" in say(make_split([*two, small]))
    assert "in 2023 (0.500, p = 0.010). In" in tell(
        TREND, [make_group("2023", 0.5, p_adjusted=0.01), make_group("2024", 0.7)]
    )


@pytest.mark.parametrize(
    ("statuses", "told"),
    [
        (["few events", "few events"], "events"),
        (["few non-events", "few non-events"], "non-events"),
        (["few events", "few non-events"], "events or non-events"),
    ],
)
def test_the_class_that_is_small_is_named(statuses, told):
    pairs = zip("ab", statuses, strict=True)
    ratio = {
        "name": "AR",
        "value": 0.1,
        "n_effective": 9.0,
        "n_events": 12,
        "n_nonevents": 12,
    }
    few = [make_group(n, 0.1, status=each, accuracy_ratio=ratio) for n, each in pairs]
    text = say(make_split([*GROUPS, *few]))
    assert f"leave out groups with effectively fewer than 20 {told}: a (AR 0.100, " in text
    few_of_all = told.replace("or ", "or few ")
    assert f"a and b have effectively few {few_of_all}, so their" in say(make_split(few))


def test_ratios_that_are_shown_alike_are_no_range():
    alike = [make_group("north", 0.5001), make_group("south", 0.5004)]
    text = say(make_split(alike, 0.9))
    assert text.startswith("By region, AR is 0.500 in both groups, rounded; the differenc")


def test_periods_without_rows_are_told_with_the_trend():
    split = make_split(YEARS) | {"trend": [TREND]}
    for absent, told in (
        (["2021"], " 2021 has no rows: the trend counts periods that have rows as equally"),
        (["2020", "2021"], " 2020, 2021 have no rows: the trend counts"),
    ):
        facts = make_facts(periods=[split | {"absent": absent}])
        assert told in find_trend(facts)
    untested = split | {"trend": [None], "absent": ["2021"]}
    text = find_trend(make_facts(periods=[untested]))
    assert text.startswith(
        f"A trend over periods was not tested{FEW_PERIODS} 2021 has no row"
    )


def test_groups_without_events_and_with_few_are_told():
    groups = [
        *GROUPS,
        make_group("tiny", -0.5, status="few events"),
        make_group("safe", None, status="no events"),
        make_group("safer", None, status="no events"),
        make_group("gone", None, status="no rows"),
    ]
    text = say(make_split(groups))
    assert text.endswith(
        "The range and the test of all groups leave out groups with fewer than 20 events: "
        "tiny (AR -0.500). "
        "AR is undefined with all rows left out in gone. AR is undefined with no events in "
        "safe and safer."
    )
    assert "from 0.500 (north)" in text
    few = [make_group(str(n), n / 10, status="few events") for n in (1, 2)]
    text = say(make_split(few))
    assert "from 0.100 (region 1; few events) to 0.200 (region 2; few events)" in text
    assert text.endswith(
        "region 1 and region 2 have few events, so their intervals may miss more often."
    )
    amounts = [row | {"n_non_events": None} for row in few]
    told = say(make_split(amounts, None), outcome="amounts")
    assert "region 1 and region 2 have few effective pairs of rows, so" in told
    assert "may miss" not in say(make_split(groups))


def test_if_all_have_few_events_the_range_is_that_of_the_tested_groups():
    few = [make_group(name, n / 10, status="few events") for n, name in enumerate("abcd")]
    text = say(make_split(few, left_out=["a", "d"]))
    assert "AR ranges from 0.100 (b; few events) to 0.200 (c; few events);" in text
    left_out = (
        "leave out groups with fewer than two events, as fewer than two groups have 20 "
        "events: a (AR 0.000), d (AR 0.300). b and c have few events"
    )
    assert left_out in text
    assert "0.000 (a; few events) to 0.300 (d; few events)" in say(
        make_split(few, None, left_out=list("abcd"))
    )


def test_groups_with_events_in_one_cluster_are_named_by_that():
    few = [make_group(name, n / 10, status="few events") for n, name in enumerate("abcd")]
    clusters = {"clusters": {"n_event_clusters": 9}}
    size = {"name": "AR", "n_effective": 1.06, "n_events": 2, "n_nonevents": 99}
    for row in few:
        row["accuracy_ratio"] |= size
    text = say(make_split(few, left_out=["a", "d"]), sample=clusters)
    text = text.replace(", effectively 1.06 of 2", "").replace("effectively few", "few")
    assert (
        "leave out groups with events in fewer than two clusters, as fewer than two groups "
        "have effectively 20 events: a (AR 0.000), d (AR 0.300). b and c have few events"
    ) in text


def test_groups_that_all_rank_worse_than_the_whole_are_explained():
    told = (
        "Each group compared is below the 0.600 of all rows, as pairs of rows from "
        "different groups are ranked better than those within a group; within groups AR "
        "is 0.550."
    )
    below = [make_group("north", 0.5), make_group("south", 0.59)]
    assert say(make_split(below)).endswith(told)
    assert "Each group compared is below" not in say(
        make_split([*below, make_group("west", 0.6)])
    )
    few = make_split(below)  # groups that are left out may hold most pairs
    few["total"][0]["pooled"] = {"value": 0.6}
    assert "Each group compared is below" not in say(few)
    equal = make_split([make_group("north", 0.6 - 1e-13), make_group("south", 0.59)])
    assert "Each group compared is below" not in say(equal)  # equal but for rounding
    without = make_split(below)
    without["total"][0]["pooled"] = None
    assert "Each group compared is below" not in say(without)


def test_groups_with_few_wrongly_ranked_events_are_compared_and_called_that():
    best = make_group("west", 0.95, status="few wrongly ranked events")
    text = say(make_split([*GROUPS, best]))
    assert "AR ranges from 0.500 (north) to 0.950 (west; few wrongly ranked events)" in text
    assert "leave" not in text
    assert text.endswith(
        "west has few wrongly ranked events, so its interval may miss more often."
    )
    few = make_group("tiny", 0.1, status="few events")
    assert "tiny and west have few events or few wrongly ranked events, so their" in say(
        make_split([few, best])
    )
    amounts = make_split([row | {"n_non_events": None} for row in (few, *GROUPS, best)])
    amounts["homogeneity"][0] |= {"p_value": None, "left_out": []}
    text = say(amounts)
    pairs = "fewer than 20 effective pairs of rows"
    assert f"The range leaves out groups with {pairs}: tiny (AR 0.100)." in text
    assert "west has few effective pairs ranked wrongly, so its interval may miss" in text


def test_all_rows_are_above_each_group_only_if_all_that_are_compared_are_below():
    below = [make_group("north", 0.5), make_group("south", 0.55)]
    best = make_group("west", 0.95, status="few wrongly ranked events")
    assert "Each group compared is below" in say(make_split(below))
    assert "Each group compared is below" not in say(make_split([*below, best]))
    tiny = best | {"status": "few events"}  # which the test leaves out
    split = make_split([*below, tiny])
    assert "Each group compared is below" in say(split)
    split["total"][0]["pooled"] = {"value": 0.56}  # which the group left out raises
    assert "Each group compared is below" not in say(split)


def test_many_groups_with_few_events_are_named_in_part():
    few = [make_group(f"few {n}", 0.1, status="few events") for n in range(5)]
    names = "few 0 (AR 0.100), few 1 (AR 0.100), few 2 (AR 0.100) and 2 more."
    assert say(make_split([*GROUPS, *few])).endswith(names)
    assert "The range leaves out groups" in say(make_split([*GROUPS, *few], None))


@pytest.mark.parametrize(
    ("ratio", "p_value", "is_told"),
    [(-0.3, 0.001, True), (-0.3, 0.3, False), (0.9, 0, False), (-0.3, None, False)],
)
def test_a_small_group_that_ranks_worse_alone_is_named(ratio, p_value, is_told):
    few = make_group("tiny", ratio, status="few events", p_value=p_value)
    text = say(make_split([*GROUPS, few]))
    assert f"fewer than 20 events: tiny (AR {ratio:.3f})." in text
    told = "tiny ranks worse than the other groups, within which AR is"
    assert (told in text) == is_told
    assert ("The sample is small for this test" in text) == is_told


@pytest.mark.parametrize(
    ("p_value", "told"), [(0.004, "p = 0.020, adjusted for 5 groups"), (0.02, None)]
)
def test_the_lowest_of_several_small_groups_has_an_adjusted_p_value(p_value, told):
    few = [make_group(f"few {n}", 0.3, status="few events") for n in range(4)]
    lowest = make_group("low", -0.3, status="few events", p_value=p_value)
    text = say(make_split([*GROUPS, *few, lowest]))
    assert ("The lowest of these, low, ranks worse than the other groups" in text) == bool(
        told
    )
    assert told is None or f"({told}). The sample is small" in text


@pytest.mark.parametrize(
    ("p_value", "is_told"), [(0.2, True), (0.01, False), (None, False)]
)
def test_two_tests_that_disagree_are_reconciled(p_value, is_told):
    groups = [make_group("north", 0.5, p_adjusted=0.001), *GROUPS[1:]]
    text = say(make_split(groups, p_value))
    assert "north ranks worse" in text
    assert ("the test of all groups together" in text) == is_told


def test_many_groups_are_counted_not_named():
    safe = [make_group(f"s{n}", None, status="no events") for n in range(7)]
    text = say(make_split([*GROUPS, *safe]))
    assert text.endswith("with no events in s0, s1, s2, s3, s4 and 2 others.")
    text = say(make_split([*GROUPS, *safe[:6]]))
    assert text.endswith("with no events in s0, s1, s2, s3, s4 and s5.")


def test_one_group_is_no_range_and_many_columns_are_counted():
    one = make_split(GROUPS[:1])
    alone = "By region, all rows are of one group, so there is nothing to compare."
    assert say(one) == alone
    safe = [make_group(name, None, status="no events") for name in ("s1", "s2")]
    undefined = "AR is undefined with no events in s1 and s2."
    assert say(make_split([*GROUPS[:1], *safe], None)) == (
        "By region, one group alone has an AR, so none can be compared: 0.500 (north). "
        f"{undefined}"
    )
    assert say(make_split(safe, None)) == f"By region, no group has an AR. {undefined}"
    few = make_group("tiny", 0.2, status="few events")
    text = say(make_split([*GROUPS[:1], few]))  # both are tested, with a warning
    assert "AR ranges from 0.200 (tiny; few events) to 0.500 (north)" in text
    assert text.endswith("tiny has few events, so its interval may miss more often.")
    assert say(*[one] * 3).count("By region") == 3
    text = say(*[one] * 4)
    assert text.count("By region") == 3
    assert text.endswith("The tables show 1 more column of segments.")
    assert say() == ""


TREND = {
    "model": "pd",
    "change": -0.01,
    "low": -0.02,
    "high": -0.005,
    "confidence_level": 0.95,
    "p_value": 0.0499,
    "n_periods": 2,
    "n_spanned": 2,
    "is_reliable": True,
}
YEARS = [make_group("2023", 0.6), make_group("2024", 0.5)]


def tell(trend, groups=YEARS, *, in_time_order=True, whole=None, **changed):
    split = make_split(groups, **changed)
    split |= {"trend": [trend], "in_time_order": in_time_order}
    return find_trend(make_facts(periods=[split], **(whole or {})))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {},
            "AR decreases significantly by 0.010 per period over 2 periods, 2023 to 2024 (",
        ),
        (
            {"change": 0.01, "low": 0.005, "high": 0.02},
            (
                "AR increases significantly by 0.010 per period over 2 periods, 2023 to "
                "2024 (95 % "
                "confidence interval 0.005 to 0.020, p = 0.0499)."
            ),
        ),
        (
            {"p_value": 0.05},
            (
                "AR has no significant trend over 2 periods, 2023 to 2024: its change per "
                "period is -0.010 (95 % confidence interval -0.020 to -0.005, p = 0.050)."
            ),
        ),
        (
            {"change": -0.0004, "low": -0.0006, "high": -0.0002},
            "AR decreases significantly by less than 0.0005 per period over 2 periods, ",
        ),
        (
            {"p_value": 0.9, "change": -0.0004, "low": -0.01, "high": 0.01},
            (
                "AR has no significant trend over 2 periods, 2023 to 2024: its change per "
                "period is 0.000 (95 % confidence interval -0.010 to 0.010, p = 0.900)."
            ),
        ),
        ({"p_value": None}, f"A trend over periods was not tested{FEW_PERIODS}"),
    ],
)
def test_a_trend_is_told_if_its_p_value_is_low(changed, told):
    assert tell(TREND | changed).startswith(told)


def test_periods_that_were_not_tested_are_told():
    assert "over 2 periods, " in tell(TREND)
    more = [make_group("2022", None, status="no events"), *YEARS]
    told = tell(TREND, more, left_out=["2022"])
    assert "over 2 periods, 2023 to 2024 (95 %" in told
    more = [YEARS[0], make_group("2023-07", 0.1, status="few events"), *YEARS[1:]]
    told = tell(TREND | {"n_spanned": 3}, more, left_out=["2023-07"])
    assert "over 2 of the 3 periods from 2023 to 2024 (95 %" in told


def test_periods_in_no_order_of_time_have_no_trend_and_no_last_one():
    split = make_split(YEARS) | {"trend": [None], "in_time_order": False}
    told = find_trend(make_facts(periods=[split]))
    assert told == (
        "A trend over the periods of region was not tested, because they are text, whose "
        "order need not be that of time. Tested together, periods do not differ "
        "significantly (p = 0.200)."
    )


def test_amounts_in_no_order_of_time_have_no_trend_for_another_reason():
    amounts = [row | {"n_non_events": None} for row in YEARS]
    whole = {"outcome": "amounts"}
    told = tell(None, amounts, in_time_order=False, p_value=None, whole=whole)
    first = "A trend over periods was not tested, as there is no test of all periods for"
    assert told.startswith(f"{first} amounts. The table has the interval of each, and cap")
    last = "). Those of region are text, whose order need not be that of time."
    assert told.endswith(last)


def test_periods_in_no_order_that_their_test_leaves_out_are_named():
    rows = [make_group("2019", None, status="no events"), *YEARS]
    split = make_split(rows, left_out=["2019"]) | {"trend": [None], "in_time_order": False}
    told = find_trend(make_facts(periods=[split]))
    few = "fewer than 20 events or non-events: 2019."
    assert told.endswith(f"(p = 0.200). That test leaves out periods with {few}")
    rows = [*YEARS, make_group("2026", None, status="equal amounts")]
    split = make_split(rows, p_value=None) | {"trend": [None], "in_time_order": False}
    told = find_trend(make_facts(periods=[split]))
    assert told.endswith("time. AR is undefined in 2026 (equal amounts).")


def test_periods_without_an_ar_are_named_where_no_trend_was_tested():
    rows = [make_group("2022", None, status="equal amounts"), *YEARS]
    told = tell(None, rows, p_value=None)
    assert "AR is undefined in 2022 (equal amounts). In the last period" in told
    assert "undefined" not in tell(None, [*YEARS], p_value=None)


def test_periods_that_the_trend_leaves_out_are_named():
    years = ("2019", "2021", "2022")
    others = [make_group(year, None, status="no events") for year in years]
    told = tell(TREND, [*others, *YEARS], left_out=["2019", None, "2021", "2022"])
    left_out = "fewer than 20 events or non-events: 2019, 2021, 2022."
    assert f"The trend leaves out periods with {left_out}" in told
    assert "leaves out" not in tell(TREND)
    ratio = {"value": 0.5, **OF_100_EVENTS, "n_effective": 15.5}
    few = make_group("2019", 0.5, status="few events", accuracy_ratio=ratio)
    told = tell(TREND, [few, *YEARS], left_out=["2019"])
    told_few = "with effectively fewer than 20 events or non-events"
    assert f"{told_few}: 2019 (effectively 15.5 of 100)." in told
    assert "leaves out" not in tell(TREND, left_out=[None])
    small = [each | {"status": "few events"} for each in YEARS]
    small.insert(0, others[0])
    told = tell(TREND, small, left_out=["2019"])
    why = "fewer than two events or non-events, as fewer than two periods have 20 "
    assert f"leaves out periods with {why}events and non-events: 2019." in told
    clusters = {"sample": {"clusters": {"n_event_clusters": 9}}}
    told = tell(TREND, small, left_out=["2019"], whole=clusters)
    why = "events or non-events in fewer than two clusters, as fewer than two periods have"
    assert f"leaves out periods with {why} 20 events and non-events: 2019." in told


def test_periods_of_which_no_sentence_tells_why_are_named_as_few():
    misranked = {"status": "few wrongly ranked events"}
    ratio = {"value": 0.5, **OF_100_EVENTS, "method": "logit-t"}
    few = [
        make_group("2020", 0.5, status="few events", accuracy_ratio=ratio),
        make_group("2021", 0.5, accuracy_ratio=ratio, **misranked),
        make_group("2022", 0.5, accuracy_ratio=ratio, **misranked),
    ]
    for in_time_order in (True, False):
        told = tell(None, few, p_value=None, in_time_order=in_time_order)
        assert (
            "The periods 2020, 2021 and 2022 have few events or few wrongly ranked events, "
            "so their intervals may miss more often."
        ) in told
    for trend, in_time_order in ((TREND, True), (None, False)):
        told = tell(trend, few, left_out=["2020"], in_time_order=in_time_order)
        assert "The periods 2021 and 2022 have few wrongly ranked events" in told
    assert "The periods 2020, 2021 and" in tell(None, few, left_out=["2020"])


def test_that_there_is_no_trend_is_told():
    untested = tell(None, p_value=None)
    why = "as fewer than two periods have two or more events and non-events"
    assert untested.startswith(
        f"A trend over periods was not tested, {why}. In the last period"
    )
    assert tell(None, [make_group("2023", 0.5)]).startswith(
        "A trend over periods was not tested, as all rows are of one period."
    )
    assert "last period" not in tell(None, [make_group(None, 0.1)])
    assert find_trend(make_facts()) == ""


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {},
            "0.500, which does not differ significantly from the 0.600 within the other ",
        ),
        (
            {"p_value": 0.05},
            "not differ significantly from the 0.600 within the other ",
        ),
        ({"p_value": 0.04}, "AR is 0.500, significantly below the 0.600 within the other "),
        ({"p_value": 0.04, "rest": 0.4}, "significantly above the 0.400 within the other "),
        (
            {"p_value": 0.04, "p_adjusted": 0.08},
            "other period (p = 0.040 alone, p = 0.080 adjusted for 2 periods).",
        ),
        (
            {"p_value": 0.04, "p_adjusted": None},
            "other period (p = 0.040, not adjusted).",
        ),
        (
            {"p_value": 0.04, "p_adjusted": None, "status": "few events"},
            "(p = 0.040, not adjusted). The sample is small for this test, which may not ",
        ),
        (
            {"p_value": 0.5, "p_adjusted": None, "status": "few events"},
            "other period (p = 0.500, not adjusted).",
        ),
        ({"p_value": None}, "In the last period, 2024, AR is 0.500. It is not compared"),
        (
            {"accuracy_ratio": None, "status": "no events"},
            "In the last period, 2024, AR is undefined: no events.",
        ),
    ],
)
def test_the_last_period_is_told(changed, told):
    assert told in tell(TREND, [YEARS[0], YEARS[1] | changed])


@pytest.mark.parametrize(
    ("p_value", "told"),
    [
        (0.0499, "Tested together, periods differ significantly (p = 0.0499)."),
        (0.05, "Tested together, periods do not differ significantly (p = 0.050)."),
    ],
)
def test_periods_that_differ_are_told(p_value, told):
    assert f". {told} In the last period" in tell(TREND, p_value=p_value)
    assert "Tested together" not in tell(TREND, p_value=None)


def test_periods_worse_than_the_others_are_named_the_clearest_first():
    worse = {"p_adjusted": 0.049, "rest": 0.6}
    periods = [
        make_group("2021", 0.3, **worse),
        make_group("2022", -0.2, **worse | {"p_adjusted": 0.0001}),
        make_group("2023", 0.3, p_adjusted=0.05),
        make_group("2024", 0.7, p_adjusted=0.001),
        make_group("2025", None, p_adjusted=None, p_value=None, status="no events"),
    ]
    assert (
        "Tested one by one, AR is significantly below that within the other periods in "
        "2022 (-0.200, p < 0.001) and 2021 (0.300, p = 0.049), adjusted for 4 periods."
    ) in tell(TREND, periods)
    assert "significantly below that of the" not in tell(TREND, periods[2:])


def test_two_periods_are_each_the_other_one():
    periods = [make_group("2021", 0.3, p_adjusted=0.04, rest=0.6), make_group("2022", 0.6)]
    told = tell(TREND, periods)
    assert "AR is significantly below that within the other period in 2021 (0.300" in told
    assert " within the other period (p" in told
    assert " within the other period (p" in tell(TREND, [*periods, make_group(None, 0.5)])


def test_few_events_of_the_last_period_are_told():
    few = make_group("2024", 0.5, status="few events")
    assert "In the last period, 2024, AR is 0.500 (few events), which" in tell(
        TREND, [YEARS[0], few]
    )
    few["accuracy_ratio"] |= {"name": "AR of amounts", "n_effective": 8.04}
    amounts = tell(TREND, [YEARS[0], few])
    assert "AR is 0.500 (few effective pairs of rows: 8.04), which" in amounts


def test_if_all_periods_have_few_events_that_is_told():
    few = [row | {"status": "few events"} for row in YEARS[:2]]
    told = "The periods 2023 and 2024 have few events, so their intervals may miss more "
    told += "often."
    assert tell(TREND, few).endswith(told)
    assert tell(TREND, few, in_time_order=False).endswith(told)
    assert "miss more often" not in tell(TREND, [*YEARS[:2], few[0] | {"group": "2025"}])
    rests = [YEARS[0], YEARS[1] | {"status": "few wrongly ranked events"}]
    assert tell(TREND, rests).endswith(
        "The period 2024 has few wrongly ranked events, so its interval may miss more "
        "often."
    )


def test_few_events_that_unequal_weights_leave_are_called_effective():
    ratio = {"value": 0.5, **OF_100_EVENTS, "n_effective": 12.9}
    few = [row | {"status": "few events", "accuracy_ratio": ratio} for row in YEARS[:2]]
    assert say(make_split(few)).endswith(
        "region 2023 and region 2024 have effectively few events, so their intervals may "
        "miss more often."
    )
    assert "AR is 0.500 (few events, 12.9 of 100 effective), which" in tell(TREND, few)


@pytest.mark.parametrize(
    ("n_effective", "shown"), [(19.97857, "19.9 of 23"), (20.4, "20.4 of 23"), (23, "")]
)
def test_effective_events_below_the_limit_are_not_rounded_to_it(n_effective, shown):
    ratio = {"n_effective": n_effective, "n_events": 23}
    assert say_effective_of({"accuracy_ratio": ratio, "status": "few events"}) == shown


def test_groups_of_fewer_rows_than_the_champion_ranks_are_told():
    own = {"model": "pd", "n_rows": 3_600, "n_rows_common": 2_400}
    rows = {"own_rows": [own, own | {"model": "new", "n_rows": 2_400}]}
    told = (
        " hold the 2,400 rows that all scores rank; a report without the other scores "
        "compares them on the 3,600 with a score of pd, perhaps with another verdict."
    )
    assert say(make_split(GROUPS), rows=rows).endswith(f" The segments{told}")
    assert f" The periods{told}" in find_trend(
        make_facts(periods=[make_split(GROUPS)], rows=rows)
    )
    alike = {"own_rows": [own | {"n_rows": 2_400}]}
    assert told not in say(make_split(GROUPS), rows=alike)
    assert say(rows=rows) == ""


def test_a_test_of_periods_that_may_miss_its_level_is_told_beside_a_trend():
    either = " This test may not keep its level either."
    unreliable = {"is_reliable": False, "p_value": 0.001}
    assert f"(p = 0.001).{either}" in tell(TREND | {"is_reliable": False}, **unreliable)
    assert either not in tell(TREND, p_value=0.001)
