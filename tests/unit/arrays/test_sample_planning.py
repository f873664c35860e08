"""Planning from a sample: closed forms, the intervals and tests themselves, laws."""

import warnings
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import nct, norm, t

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    SamplePlan,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_initial,
    plan_from_sample,
)
from capcurve.datasets import make_portfolio
from strategies import rankings, weighted_rankings

LOANS = make_portfolio(3_000)
Y, CHAMPION, CHALLENGER = (
    LOANS[name] for name in ("default", "champion_pd", "challenger_pd")
)
NUMBERS = (
    "value",
    "standard_error",
    "half_width",
    "detectable_difference",
    "power_for_difference",
)


def plan_quietly(*data, **options):
    """Plan without the warnings of small samples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", (FewEventsWarning, UndefinedMetricWarning))
        return plan_from_sample(*data, difference=0.1, **options)


def numbers(plan):
    return [getattr(plan, name) for name in NUMBERS]


def close(plan):
    return pytest.approx(numbers(plan), rel=1e-7, abs=1e-7, nan_ok=True)


# -- The same numbers elsewhere ------------------------------------------------------------


SHARE = (np.arange(1_500) + 1 / 2) / 1_500  # quantiles of a distribution


@pytest.mark.parametrize(
    ("events", "nonevents", "auc", "squares"),
    [
        # Exponential scores, four times as large: Hanley and McNeil (1982).
        (-4 * np.log(SHARE), -np.log(SHARE), 4 / 5, (2 * 0.8**2 / 1.8, 0.8 / 1.2)),
        # Uniform scores, a quarter higher: integrals of x and x**2 from 1/4 to 1, and 1/4.
        (SHARE + 1 / 4, SHARE, 1 - (3 / 4) ** 2 / 2, [(1 - 1 / 64) / 3 + 1 / 4] * 2),
    ],
    ids=["exponential", "uniform"],
)
def test_components_are_those_of_closed_forms(events, nonevents, auc, squares):
    y = np.repeat([1, 0], [1_500, 1_500])
    plan = plan_from_sample(y, np.append(events, nonevents), n_events=200)
    assert plan.value == pytest.approx(2 * auc - 1, abs=2e-3)
    variance = 4 * (sum(squares) - 2 * auc**2) / 200
    assert plan.standard_error**2 == pytest.approx(variance, rel=5e-3)


def test_the_half_width_is_that_of_the_interval_of_the_sample():
    interval = accuracy_ratio_interval(Y, CHAMPION)
    plan = plan_from_sample(Y, CHAMPION)
    assert isinstance(plan, SamplePlan)
    assert (plan.value, plan.name) == (interval.value, "AR")
    assert plan.standard_error == pytest.approx(interval.standard_error)
    assert plan.half_width == pytest.approx((interval.high - interval.low) / 2)
    assert (plan.n_events, plan.n_nonevents) == (interval.n_events, interval.n_nonevents)


def test_the_half_width_of_a_difference_is_that_of_the_test():
    test = accuracy_ratio_test(Y, CHALLENGER, CHAMPION)
    plan = plan_from_sample(Y, CHALLENGER, CHAMPION)
    assert (plan.value, plan.name) == (test.value, "AR difference")
    assert plan.standard_error == pytest.approx(test.standard_error)
    assert plan.half_width == pytest.approx((test.high - test.low) / 2)


def test_power_of_a_pair_is_that_of_the_score_test_by_the_noncentral_t():
    test = accuracy_ratio_test(Y, CHALLENGER, CHAMPION)
    plan = plan_from_sample(Y, CHALLENGER, CHAMPION, difference=0.05, power=0.9)
    both = [accuracy_ratio_interval(Y, score) for score in (CHALLENGER, CHAMPION)]
    trials = np.array([each.n_trials for each in both])
    shares = (1 + np.array([each.value for each in both])) / 2
    df = test.degrees_of_freedom
    critical = t.ppf(0.975, df)

    def variances(p):
        return p * (1 - p) / trials

    first, second = variances(shares @ trials / trials.sum())
    null_error = test.value / test.statistic  # its formula, solved for the correlation
    rho = (first + second - (null_error / 2) ** 2) / (2 * np.sqrt(first * second))

    def error(p):
        first, second = variances(p)
        return 2 * np.sqrt(first + second - 2 * rho * np.sqrt(first * second))

    def power(difference):
        assumed = shares.mean() + np.array([1, -1]) * difference / 4
        true_error = error(assumed)
        ratio = error(assumed @ trials / trials.sum()) / true_error
        shift = difference / true_error
        edge = critical * ratio
        return nct.sf(edge, df, abs(shift)) + nct.cdf(-edge, df, abs(shift))

    def smaller_power(difference):
        return min(power(difference), power(-difference))

    assert plan.power_for_difference == pytest.approx(smaller_power(0.05))
    assert smaller_power(plan.detectable_difference) == pytest.approx(0.9)
    other = plan_from_sample(Y, CHAMPION, CHALLENGER, difference=-0.05, power=0.9)
    for name in ("half_width", "power_for_difference", "detectable_difference"):
        assert getattr(other, name) == pytest.approx(getattr(plan, name), rel=1e-9)
    assert other.events_for_difference == plan.events_for_difference


def find_power_of_wald(known, truth, trials, df, level=0.05):
    """Find the power of a test for a lower AR that divides by the error of the sample."""
    quantile, p, true = t.ppf(1 - level, df), (1 + known) / 2, (1 + truth) / 2
    edge = brentq(lambda a: p - a - quantile * np.sqrt(a * (1 - a) / trials), 1e-9, p)
    error = np.sqrt(true * (1 - true) / trials)
    return nct.sf((p - edge) / error, df, (p - true) / error)


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_power_against_a_known_value_is_that_of_the_error_at_the_true_value(alternative):
    interval = accuracy_ratio_interval(Y, CHAMPION)
    side = -1 if alternative == "less" else 1
    plan = plan_from_sample(Y, CHAMPION, alternative=alternative, difference=side * 0.06)
    known, df = -side * interval.value, plan.degrees_of_freedom  # mirrored if higher

    def power(distance):
        return find_power_of_wald(known, known - distance, interval.n_trials, df)

    assert plan.power_for_difference == pytest.approx(power(0.06))
    assert power(side * plan.detectable_difference) == pytest.approx(0.8)


def test_a_two_sided_power_is_the_smaller_one_of_both_directions():
    interval = accuracy_ratio_interval(Y, CHAMPION)
    plan = plan_from_sample(Y, CHAMPION, difference=0.06)
    known, df = interval.value, plan.degrees_of_freedom
    both = [
        find_power_of_wald(side * known, side * known - 0.06, interval.n_trials, df, 0.025)
        for side in (1, -1)
    ]
    assert plan.power_for_difference == pytest.approx(min(both), abs=1e-3)  # the far end
    assert plan_from_sample(Y, CHAMPION, difference=-0.06).power_for_difference == (
        plan.power_for_difference
    )


def quantiles(n):
    """Quantiles of the normal distribution, as a sample of it without chance."""
    return norm.ppf((np.arange(n) + 1 / 2) / n)


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_the_decrease_that_is_planned_is_found_as_often_as_planned():
    """By the test of the ECB; the error at the known AUC promised what 61 % find."""
    rng, m, n = np.random.default_rng(6), 30, 300
    population = np.append(quantiles(100 * m) + 1.8, quantiles(100 * n))
    known = np.repeat([1, 0], [100 * m, 100 * n])
    plan = plan_quietly(known, population, n_events=m, alternative="less")
    auc = (1 + plan.value) / 2
    fallen = auc + plan.detectable_difference / 2
    y, found = np.repeat([1, 0], [m, n]), 0
    for _ in range(1_000):
        s = rng.standard_normal(m + n) + np.sqrt(2) * norm.ppf(fallen) * y
        now = accuracy_ratio_interval(y, s)
        found += accuracy_ratio_test_initial(now, initial_auc=auc).ecb.p_value < 0.05
    assert 0.76 < found / 1_000 < 0.84


@pytest.mark.parametrize(
    "options",
    [
        {"clusters": LOANS["loan"] // 3},
        {"sample_weight": LOANS["exposure"]},
        {"target_type": "continuous"},
    ],
)
def test_clusters_weights_and_amounts_are_those_of_the_interval(options):
    y = LOANS["loss"] if "target_type" in options else Y
    interval = accuracy_ratio_interval(y, CHAMPION, **options)
    plan = plan_quietly(y, CHAMPION, **options)
    assert plan.name == interval.name
    assert plan.standard_error == pytest.approx(interval.standard_error)
    assert plan.half_width == pytest.approx((interval.high - interval.low) / 2)


def test_a_sample_of_another_size_has_the_precision_that_was_planned():
    """Twenty samples of 80 plan for 160 events; samples of 160 are as precise."""
    rng = np.random.default_rng(8)

    def draw(m):
        y = np.repeat([1, 0], [m, 9 * m])
        return y, rng.standard_normal(10 * m) + 1.2 * y

    planned = [plan_from_sample(*draw(80), n_events=160).half_width for _ in range(20)]
    made = [plan_from_sample(*draw(160)).half_width for _ in range(20)]
    assert np.mean(planned) == pytest.approx(np.mean(made), rel=0.05)


# -- Laws ----------------------------------------------------------------------------------


@given(ranking=rankings())
def test_the_order_of_rows_and_increasing_maps_change_nothing(ranking):
    y, s = ranking
    expected = close(plan_quietly(y, s))
    i = np.random.default_rng(3).permutation(len(y))
    assert numbers(plan_quietly(y[i], s[i])) == expected
    ranks = np.unique(s, return_inverse=True)[1]
    assert numbers(plan_quietly(y, ranks**3 - 5)) == expected


@given(ranking=weighted_rankings())
def test_only_the_proportions_of_sampling_weights_matter(ranking):
    y, s, w = ranking
    expected = close(plan_quietly(y, s, sample_weight=w))
    assert numbers(plan_quietly(y, s, sample_weight=1e8 * w)) == expected


@given(ranking=rankings(), seed=st.integers(0, 99))
def test_frequency_weight_means_repetition(ranking, seed):
    y, s = ranking
    w = np.random.default_rng(seed).integers(1, 4, len(y))
    counted = plan_quietly(y, s, sample_weight=w, weights="frequency")
    repeated = plan_quietly(y.repeat(w), s.repeat(w))
    assert numbers(counted) == close(repeated)
    assert (counted.n_events, counted.n_nonevents) == (
        repeated.n_events,
        repeated.n_nonevents,
    )


@given(power=st.floats(0.1, 0.95), difference=st.floats(0.02, 0.5))
def test_the_events_that_are_needed_are_just_enough(power, difference):
    options = {"difference": difference, "power": power, "half_width": difference}
    plan = plan_from_sample(Y, CHALLENGER, CHAMPION, **options)
    for events, reached in (
        (plan.events_for_difference, lambda each: each.power_for_difference >= power),
        (plan.events_for_half_width, lambda each: each.half_width <= difference),
    ):
        enough = plan_quietly_of_options(events, options)
        assert reached(enough)
        if events > 2:
            assert not reached(plan_quietly_of_options(events - 1, options))


def plan_quietly_of_options(n_events, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewEventsWarning)
        return plan_from_sample(Y, CHALLENGER, CHAMPION, n_events=n_events, **options)


def test_alternatives_mirror_each_other():
    options = {"margin": 0.02, "power": 0.7}
    greater = plan_from_sample(
        Y, CHALLENGER, CHAMPION, alternative="greater", difference=0.01, **options
    )
    less = plan_from_sample(
        Y, CHAMPION, CHALLENGER, alternative="less", difference=-0.01, **options
    )
    assert less.value == -greater.value
    assert less.detectable_difference == pytest.approx(-greater.detectable_difference)
    assert less.events_for_difference == greater.events_for_difference
    wrong = plan_from_sample(Y, CHAMPION, alternative="less", difference=0.05)
    assert wrong.events_for_difference is None
    assert "80 % with no number of events" in repr(wrong)


# -- Edges ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "scores"),
    [
        ([1, 1, 0, 0], [[4, 3, 2, 1]]),  # a perfect ranking
        ([1, 0, 0, 0], [[4, 3, 5, 1]]),  # a single event
        ([1, 1, 1], [[4, 3, 5]]),  # one class
        ([1, 0, 1, 0], [[4, 3, 2, 1], [8, 6, 4, 2]]),  # scores that rank alike
    ],
)
def test_a_sample_without_variance_plans_nothing(y, scores):
    with pytest.warns(UndefinedMetricWarning, match="nothing can be planned from a sample"):
        plan = plan_from_sample(y, *scores, difference=0.1, half_width=0.1)
    assert isnan(plan.half_width)
    assert isnan(plan.detectable_difference)
    assert (plan.events_for_difference, plan.events_for_half_width) == (None, None)
    assert plan.n_events == sum(y)


def test_few_events_are_announced():
    y, s = np.repeat([1, 0], [3, 30]), np.r_[9, 40, 41, np.arange(30)]
    with pytest.warns(FewEventsWarning, match=r"rests on few rows: .* is 0\.7, below"):
        plan_from_sample(y, s)
    with pytest.warns(FewEventsWarning, match=r"is 0\.7, below"):
        plan = plan_from_sample(y, s, n_events=300)
    assert plan.n_nonevents == 3_000
    clusters = np.r_[0, 0, 0, np.arange(30)]
    with pytest.warns(UndefinedMetricWarning):  # one cluster of events
        plan_from_sample(y, s, clusters=clusters)


def test_few_rows_above_0_are_announced():
    loss = np.r_[0.2, 0.7, 0.9, np.zeros(30)]
    told = (
        r"min\(rows above 0, effective pairs / 2\) \* \(1 - abs\(AR\)\) / 2 is .*0/1 events"
    )
    with pytest.warns(FewEventsWarning, match=told):
        plan = plan_from_sample(loss, np.r_[9, 40, 41, np.arange(30)])
    assert "with 3 rows above 0 in 33 rows" in repr(plan)
    assert "events" not in repr(plan)


def test_what_no_difference_reaches_is_nan():
    y, s = [1, 1, 0, 0], [1, 3, 2, 4]
    with pytest.warns(FewEventsWarning):
        plan = plan_from_sample(y, s, power=0.999)
    assert isnan(plan.detectable_difference)
    assert "no difference found with power 99.9 %" in repr(plan)
    with pytest.warns(FewEventsWarning):  # fewer events than a variance needs
        few = plan_from_sample(np.r_[y, 1, 0, 0, 0], np.r_[s, 0, 1, 2, 3], n_events=2)
    assert not isnan(few.half_width)
    rare = np.repeat([1, 0], [80, 4])
    with pytest.warns(FewEventsWarning):  # and fewer non-events
        none = plan_from_sample(rare, np.arange(84) % 7, n_events=10)
    assert isnan(none.half_width)
    assert isnan(none.detectable_difference)


def test_plans_print_as_a_line_and_are_plain_values():
    plan = plan_from_sample(Y, CHAMPION, difference=0.05, half_width=0.03)
    assert repr(plan) == (
        "AR 0.566, with 124 events in 3,000 rows: half-width 0.083 at 95 %, difference "
        "0.126 found with power 80 % (two-sided at 5 %); difference 0.05: power 19.5 %, "
        "80 % with 714 events; half-width 0.03 with 913 events"
    )
    values = plan.to_dict()
    assert values["events_for_half_width"] == plan.events_for_half_width
    assert {type(value) for value in values.values()} <= {int, float, str}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"difference": 5}, "`difference` must lie between -2 and 2, got 5; 5 % is 0.05"),
        ({"half_width": 0}, "`half_width` must lie between 0 and 1"),
        ({"n_events": 0}, "`n_events` must be a whole number from 2"),
        ({"power": 0.01}, "`power` must lie between 0.05 and 1, got 0.01; 80 % is 0.8"),
        ({"alternative": "up"}, "`alternative` must be 'two-sided', 'greater' or 'less'"),
        ({"y_score_b": CHAMPION[:5]}, "arrays must have equal lengths"),
    ],
)
def test_what_cannot_be_planned_is_refused(changed, message):
    with pytest.raises(CapcurveError) as caught:
        plan_from_sample(Y, CHAMPION, **changed)
    assert message in str(caught.value)
