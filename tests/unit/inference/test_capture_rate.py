"""Capture rate: limits within the table of two by two, and p-values by chance alone."""

import itertools
from functools import partial

import numpy as np
import pytest
from scipy import stats

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    capture_rate_interval,
    capture_rate_test,
    ks_interval,
    lift_interval,
    response_rate_interval,
)
from capcurve._inference.capture_rate import find_capture_range
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
Y, S = LOANS["default"], LOANS["champion_pd"]
RATE = LOANS["loss"] / LOANS["exposure"]


def place(events, rows, captured, selected):
    """Return outcomes and untied scores of which so many events are among the first."""
    y = np.zeros(rows, dtype=int)
    y[:captured] = 1
    y[selected : selected + events - captured] = 1
    return y, -np.arange(rows)


@pytest.mark.filterwarnings("ignore:.* 10 rows that are selected:capcurve.FewEventsWarning")
@pytest.mark.parametrize(("captured", "selected"), [(2, 10), (0, 100), (7, 100), (30, 400)])
def test_the_p_value_is_that_of_drawing_rows_at_random(captured, selected):
    found = capture_rate_interval(
        *place(30, 1000, captured, selected), fraction=selected / 1000
    )
    chance = stats.hypergeom(1000, 30, selected)
    upper = chance.sf(captured) + chance.pmf(captured) / 2
    assert found.p_value == pytest.approx(2 * min(upper, 1 - upper), rel=1e-9)


def test_between_whole_rows_the_p_value_is_interpolated():
    y, s = place(30, 1000, 4, 100)
    ends = [capture_rate_interval(y, s, fraction=k / 1000).p_value for k in (60, 61)]
    middle = capture_rate_interval(y, s, fraction=0.0605).p_value
    assert middle == pytest.approx(np.mean(ends))


@pytest.mark.filterwarnings("ignore:.* 10 rows that are selected:capcurve.FewEventsWarning")
def test_a_part_of_the_best_grade_is_tested_as_the_grade():
    y, s = place(30, 1000, 6, 100)
    grades = (s > -100).astype(int)
    whole = capture_rate_interval(y, grades, fraction=0.1)
    part = capture_rate_interval(y, grades, fraction=0.01)
    assert part.p_value == pytest.approx(whole.p_value)
    assert part.value == pytest.approx(whole.value / 10)


def test_a_part_of_a_lower_grade_has_the_variance_of_all_orders():
    y, s = place(30, 300, 9, 60)
    grades = np.digitize(s, [-199.5, -99.5, -49.5])
    found = capture_rate_interval(y, grades, fraction=0.3)
    random = np.random.default_rng(3)
    inside = np.where(grades == 3, 1.0, np.where(grades == 2, 0.8, 0.0))
    shares = [inside[random.permutation(300)[:30]].mean() for _ in range(4000)]
    z = (found.value - 0.3) / np.std(shares)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), rel=0.15)


def test_a_constant_score_is_no_evidence():
    found = capture_rate_interval(Y, np.zeros(len(Y)), fraction=0.3)
    assert found.p_value == 1
    for options in ({"sample_weight": LOANS["exposure"]}, {"y_true": RATE}):
        found = capture_rate_interval(
            **{"y_true": Y, "y_score": np.zeros(len(Y)), "fraction": 0.3, **options}
        )
        assert found.value == pytest.approx(0.3)
        assert found.p_value == pytest.approx(1)


def test_where_few_rows_are_selected_their_response_is_the_share():
    y, s = place(400, 1000, 18, 20)
    found = capture_rate_interval(y, s, fraction=0.02)
    assert found.value == 0.045
    low, high = np.array([found.low, found.high]) * 400 / 20
    wilson = stats.binomtest(18, 20).proportion_ci(0.95, "wilson")
    assert low == pytest.approx(wilson.low, abs=0.06)
    rate = stats.binomtest(400, 1000).proportion_ci(0.95, "wilson")
    assert wilson.high < high < wilson.high * 0.4 / rate.low + 0.06
    full = capture_rate_interval(*place(400, 1000, 20, 20), fraction=0.02)
    assert full.low < full.value == 0.05 < full.high < 0.02 / rate.low + 0.004


GRADES = np.repeat([5, 4, 3, 2, 1], [200, 400, 400, 400, 600])
IN_GRADE = np.concatenate(  # 14, 12, 9, 5 and no events, worst grade first
    [np.arange(n) < k for n, k in [(200, 14), (400, 12), (400, 9), (400, 5), (600, 0)]]
)


def test_a_cut_just_above_a_grade_without_events_allows_for_some_there():
    """One event there would count fully; those left out of the grade above hardly do."""
    data = IN_GRADE.astype(int), GRADES
    low, error = {}, {}
    for share in (0.5, 0.6, 0.65, 0.68, 0.69, 0.7, 0.9):
        found = capture_rate_interval(*data, fraction=share)
        low[share], error[share] = found.low, found.standard_error
    t2 = stats.t.ppf(0.975, 39) ** 2
    nothing_missed = 1 / (1 + t2 / 40)  # Wilson's limit with Student's t
    assert low[0.7] == low[0.9] == pytest.approx(nothing_missed)
    assert low[0.69] == pytest.approx(nothing_missed, abs=0.001)
    assert list(low.values()) == pytest.approx(sorted(low.values()), abs=0.001)
    assert error[0.69] < 0.007  # which the grade without events does not add to


def test_the_same_holds_at_the_other_end():
    """A cut just below a grade without events, of which the next has hardly any part."""
    turned = 1 - IN_GRADE, -GRADES
    high = [
        capture_rate_interval(1 - turned[0], turned[1], fraction=share).high
        for share in (0.3, 0.31, 0.32)
    ]
    assert high == pytest.approx(sorted(high), abs=0.001)
    t2 = stats.t.ppf(0.975, 39) ** 2
    assert high[0] == pytest.approx(t2 / 40 / (1 + t2 / 40))


@pytest.mark.slow
def test_equal_capture_rates_of_grades_are_seldom_told_apart():
    random = np.random.default_rng(2)
    shares = np.array([0.1, 0.2, 0.2, 0.2, 0.3]), np.array([0.38, 0.32, 0.2, 0.09, 0.01])
    others = (shares[0] - 0.01 * shares[1]) / 0.99
    y = np.arange(5_000) < 50
    n_rejected = 0
    for _ in range(200):
        drawn = [
            -np.append(random.choice(5, 50, p=shares[1]), random.choice(5, 4_950, p=others))
            for _ in range(2)
        ]
        n_rejected += capture_rate_test(y, *drawn, fraction=0.68).p_value < 0.05
    assert n_rejected <= stats.binom(200, 0.05).ppf(0.999)


@pytest.mark.parametrize(
    ("share", "rate", "ends"),
    [
        (0.1, 0.2, (0, 0.5)),
        (0.3, 0.2, (0, 1)),
        (0.9, 0.2, (0.5, 1)),
        (0.6, 0.6, (1 / 3, 1)),
    ],
)
def test_no_ranking_leaves_the_range_of_the_worst_and_the_best(share, rate, ends):
    assert find_capture_range(share, rate) == pytest.approx(ends)


@pytest.mark.parametrize(
    "options",
    [
        {"sample_weight": LOANS["exposure"]},
        {"clusters": np.arange(len(Y)) // 3},
        {"y_true": RATE, "sample_weight": LOANS["exposure"]},
        {"y_true": RATE, "clusters": np.arange(len(Y)) // 3},
    ],
    ids=["weights", "clusters", "amounts", "amounts in clusters"],
)
@pytest.mark.parametrize("fraction", [0.05, 0.3])
def test_replicates_agree_wherever_rows_are_not_counted(options, fraction):
    data = {"y_true": Y, "y_score": S, "fraction": fraction, **options}
    found = capture_rate_interval(**data)
    drawn = capture_rate_interval(
        **data, method="bootstrap", n_resamples=400, random_state=2
    )
    assert (found.method, drawn.method) == ("wilson", "bootstrap")
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.2)
    ends = [drawn.low, drawn.high]
    assert [found.low, found.high] == pytest.approx(ends, abs=0.03)
    assert found.p_value < 1e-3


def test_few_rows_and_few_effective_events_are_announced():
    with pytest.warns(FewEventsWarning, match="based on 3 rows that are selected; with"):
        capture_rate_interval(Y, S, fraction=0.0003)
    with pytest.warns(FewEventsWarning, match="based on 4 rows that are left out; with"):
        response_rate_interval(Y, S, fraction=0.9996)
    weight = np.where(np.arange(len(Y)) < 200, 1e4, 1.0)
    assert Y[:200].sum() < 20
    with pytest.warns(FewEventsWarning, match=r"effective events \(fewer than 20"):
        capture_rate_interval(Y, S, fraction=0.3, sample_weight=weight)


@pytest.mark.parametrize(
    ("fraction", "told"),
    [(0.01, "2 clusters that are selected"), (0.98, "4 clusters that are left out")],
)
def test_rows_of_few_clusters_are_announced_as_these(fraction, told):
    y, s = place(events=300, rows=2_000, captured=20, selected=1_000)
    borrower = np.arange(2_000) // 10  # with ten loans of neighbouring scores
    with pytest.warns(FewEventsWarning, match=f"based on {told}; with fewer than 15"):
        capture_rate_interval(y, s, fraction=fraction, clusters=borrower)
    scattered = np.arange(2_000) % 200
    capture_rate_interval(y, s, fraction=fraction, clusters=scattered)
    with pytest.warns(FewEventsWarning, match=f"based on {told}; with fewer than 15"):
        capture_rate_test(y, scattered, s, fraction=fraction, clusters=borrower)


def test_a_block_of_ties_counts_by_the_rows_selected_of_it():
    y, s = place(events=300, rows=2_000, captured=20, selected=1_000)
    clusters = np.arange(2_000) // 2
    with pytest.warns(FewEventsWarning, match="based on 10 rows that are selected"):
        capture_rate_interval(y, s // 1_000, fraction=0.005, clusters=clusters)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["wilson", "bootstrap"])
@pytest.mark.parametrize("clusters", [None, np.arange(300) // 2])
def test_a_full_capture_is_never_certain(method, clusters):
    y = np.arange(300) < 40
    options = {"method": method, "clusters": clusters, "random_state": 1}
    for outcome in (y.astype(int), np.where(y, 2.5, 0.0)):
        data = (outcome, -np.arange(300))
        found = [
            capture_rate_interval(*data, fraction=0.3, **options),
            lift_interval(*data, fraction=0.3, **options),
        ]
        if outcome.dtype != float or method == "bootstrap":
            found.append(ks_interval(*data, **options))
        for each in found:
            assert each.low < each.value <= each.high
            assert each.method == "wilson"
    with pytest.raises(CapcurveError, match="got amounts; pass `method='bootstrap'`"):
        ks_interval(np.where(y, 2.5, 0.0), -np.arange(300))


@pytest.mark.filterwarnings("ignore:.* 11.9 clusters that are:capcurve.FewEventsWarning")
@pytest.mark.parametrize(
    "estimate", [ks_interval, partial(capture_rate_interval, fraction=0.3)]
)
def test_clusters_count_and_positive_amounts_are_many(estimate):
    rng = np.random.default_rng(3)
    y, s = (rng.random(5000) < 0.2).astype(int), rng.normal(size=5000)
    with pytest.warns(FewEventsWarning, match=r"based on 1\d\.\d effective events"):
        found = estimate(y, s, clusters=np.arange(5000) % 12)
    assert 10 < found.n_effective < 12
    assert capture_rate_interval(rng.lognormal(size=500), s[:500], fraction=0.3).low > 0


def test_clusters_of_one_row_are_independent_rows():
    alone = {"clusters": np.arange(len(Y))}
    for interval, outcome, weight in itertools.product(
        (capture_rate_interval, lift_interval, response_rate_interval),
        (Y, RATE),
        ({}, {"sample_weight": LOANS["exposure"]}),
    ):
        data = {"y_true": outcome, "y_score": S, "fraction": 0.3, **weight}
        found, expected = interval(**data, **alone), interval(**data)
        for name in ("value", "low", "high", "standard_error", "p_value"):
            assert getattr(found, name) == getattr(expected, name)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "options",
    [{"clusters": np.maximum(np.arange(2_400), 1)}, {"target_type": "continuous"}],
    ids=["one cluster of two rows", "amounts of 1"],
)
def test_limits_of_nearly_independent_rows_are_nearly_the_same(options, seed):
    # Degrees of freedom by the fourth moment of the influences fell to those of the one
    # event that was missed: the lower limit at 90 % was 0.73 in place of 0.90.
    rng = np.random.default_rng(seed)
    y = (np.arange(2_400) % 46 == 0).astype(int)
    s = rng.normal(size=2_400) + 1.3 * y
    for fraction in (0.1, 0.5, 0.8, 0.9, 0.95):
        found, alone = (
            capture_rate_interval(y, s, fraction=fraction, **each) for each in (options, {})
        )
        assert [found.low, found.high] == pytest.approx([alone.low, alone.high], abs=0.01)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sample_weight": LOANS["exposure"]},
        {"clusters": np.arange(len(Y)) // 3},
        {"y_true": RATE},
    ],
    ids=["events", "weights", "clusters", "amounts"],
)
@pytest.mark.parametrize("score", ["champion_pd", "challenger_pd"])
def test_lower_limits_do_not_fall_as_the_share_grows(options, score):
    data = {"y_true": Y, "y_score": LOANS[score], **options}
    lows = [
        capture_rate_interval(**data, fraction=fraction).low
        for fraction in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)
    ]
    assert np.diff(lows).min() > -0.001  # of unequal weights they may, by little
