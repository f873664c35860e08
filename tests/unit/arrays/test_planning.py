"""Planning from numbers: laws, figures of others, and simulations."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri, stdtrit
from scipy.stats import beta

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    IntervalPlan,
    PowerPlan,
    accuracy_ratio_interval,
    plan_interval,
    plan_test,
)

RATIOS = st.floats(-0.8, 0.8)
RATES = st.sampled_from([0.01, 0.05, 0.4, 0.7])
SPREADS = st.sampled_from([0.5, 1.0, 2.0])
HYPOTHESES = st.sampled_from(
    [
        {},
        {"alternative": "greater"},
        {"alternative": "greater", "margin": 0.05},
        {"alternative": "less", "confidence_level": 0.9},
    ]
)
SAMPLES = st.sampled_from(
    [{"correlation": 0.8}, {"correlation": -0.2}, {}, {"events_ratio": 0.2}]
)


def quiet(function, *data, **options):
    """Plan without the warning of few events."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewEventsWarning)
        return function(*data, **options)


def draw(rng, ratio, spread, size):
    """Draw normal scores of events, with an AR against standard normal ones."""
    mean = np.sqrt(1 + spread**2) * ndtri((1 + ratio) / 2)
    return mean + spread * rng.standard_normal(size)


# -- Intervals -----------------------------------------------------------------------------


@given(ratio=RATIOS, rate=RATES, spread=SPREADS, width=st.floats(0.01, 0.3))
def test_the_fewest_events_are_just_enough_for_a_width(ratio, rate, spread, width):
    options = {"event_rate": rate, "spread": spread}
    plan = quiet(plan_interval, ratio, half_width=width, **options)
    assert isinstance(plan, IntervalPlan)
    assert plan.half_width <= width
    again = quiet(plan_interval, ratio, n_events=plan.n_events, **options)
    assert again.to_dict() == plan.to_dict()
    if plan.n_events > 2:
        fewer = quiet(plan_interval, ratio, n_events=plan.n_events - 1, **options)
        assert fewer.half_width > width


@given(ratio=RATIOS, rate=RATES, m=st.integers(2, 3000))
def test_any_distribution_has_no_wider_interval_than_the_largest_variance(ratio, rate, m):
    options = {"event_rate": rate, "n_events": m}
    largest = quiet(plan_interval, ratio, spread=None, **options)
    for spread in (0.1, 1.0, 10.0):
        plan = quiet(plan_interval, ratio, spread=spread, **options)
        # The means of DeLong's components exceed those of the true ones a little.
        assert plan.half_width <= largest.half_width * (1 + 1 / min(m, plan.n_nonevents))


@given(ratio=RATIOS, rate=RATES, spread=SPREADS)
def test_reversed_scores_turn_the_interval(ratio, rate, spread):
    options = {"event_rate": rate, "spread": spread, "n_events": 60}
    plan = quiet(plan_interval, ratio, **options)
    turned = quiet(plan_interval, -ratio, **options)
    assert (-turned.high, -turned.low) == pytest.approx((plan.low, plan.high), abs=1e-9)


def test_the_largest_variance_is_one_of_a_share():
    """Placements of 0 and 1 with AUC 0.8: nearly the beta interval of 64 among 80."""
    plan = plan_interval(0.6, event_rate=0.1, n_events=80, spread=None)
    share = beta(0.8 * 80, 0.2 * 80)
    assert plan.low == pytest.approx(2 * share.ppf(0.025) - 1, abs=0.03)
    assert plan.high == pytest.approx(2 * share.ppf(0.975) - 1, abs=0.03)
    rare_nonevents = plan_interval(0.6, event_rate=0.9, n_events=720, spread=None)
    assert rare_nonevents.low == pytest.approx(plan.low)


def test_widths_are_those_of_simulated_intervals():
    """Mean half-widths of 60 samples of 50 and 950; the plan is within 3 percent."""
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [50, 950])
    found = []
    for _ in range(60):
        score = np.append(draw(rng, 0.6, 1.0, 50), rng.standard_normal(950))
        interval = accuracy_ratio_interval(y, score)
        found.append((interval.high - interval.low) / 2)
    plan = plan_interval(0.6, event_rate=0.05, n_events=50)
    assert plan.half_width == pytest.approx(np.mean(found), rel=0.03)


# -- Tests ---------------------------------------------------------------------------------


@given(
    first=RATIOS,
    gap=st.floats(0.05, 0.5),
    population=st.fixed_dictionaries({"event_rate": RATES, "spread": SPREADS}),
    hypothesis=HYPOTHESES,
    samples=SAMPLES,
)
def test_the_fewest_events_are_just_enough_for_a_power(
    first, gap, population, hypothesis, samples
):
    power = 0.3 + gap
    side = 1 if hypothesis.get("alternative") == "less" else -1
    options = population | hypothesis | samples
    second = first + side * gap * (1 - abs(first))
    plan = quiet(plan_test, first, second, power=power, **options)
    assert isinstance(plan, PowerPlan)
    assert plan.power >= power
    again = quiet(plan_test, first, second, n_events=plan.n_events, **options)
    assert again.power == plan.power
    if plan.n_events > 2:
        fewer = quiet(plan_test, first, second, n_events=plan.n_events - 1, **options)
        assert fewer.power < power


@given(
    ratio=st.floats(-0.5, 0.5),
    rate=RATES,
    hypothesis=HYPOTHESES,
    samples=SAMPLES,
    power=st.floats(0.3, 0.9),
)
def test_the_ratios_that_are_found_have_the_power(ratio, rate, hypothesis, samples, power):
    options = {"event_rate": rate, "n_events": 80, **hypothesis, **samples}
    for pair in ((ratio, None), (None, ratio)):
        plan = quiet(plan_test, *pair, power=power, **options)
        assert plan.power == pytest.approx(power)
        assert ratio in (plan.first, plan.second)
        side = -1 if plan.alternative == "less" else 1
        assert side * plan.difference > -plan.margin


@given(rate=RATES, spread=SPREADS, samples=SAMPLES, ratios=st.tuples(RATIOS, RATIOS))
def test_power_grows_with_events_and_is_at_most_one(rate, spread, samples, ratios):
    options = {"event_rate": rate, "spread": spread, "alternative": "greater", **samples}
    first, second = max(ratios), min(ratios)
    powers = [
        quiet(plan_test, first, second, n_events=m, **options).power
        for m in (5, 50, 500, 5_000)
    ]
    assert all(a <= b + 1e-9 for a, b in pairwise(powers))
    assert powers[-1] >= 0.05 - 1e-3  # DeLong's variance is a little too large
    assert powers[-1] <= 1 + 1e-9


def test_a_margin_lets_equal_ratios_have_a_power():
    options = {"event_rate": 0.02, "correlation": 0.8, "alternative": "greater"}
    plan = plan_test(0.6, 0.6, power=0.8, margin=0.05, **options)
    assert plan.power == pytest.approx(0.8, abs=2e-3)
    worst = plan_test(0.6, None, n_events=1_000, power=0.8, margin=0.05, **options)
    assert worst.difference < 0  # the first may even be worse


def test_power_is_that_of_simulated_tests():
    """400 pairs of scores, vectorised; the error of the simulation is 2.5 points."""
    rng = np.random.default_rng(5)
    m, n, correlation = 40, 160, 0.7
    options = {"event_rate": 0.2, "n_events": m, "correlation": correlation}
    plan = quiet(plan_test, 0.6, 0.4, **options)
    mixing = np.linalg.cholesky([[1, correlation], [correlation, 1]])
    events = mixing @ rng.standard_normal((400, 2, m))
    events += np.sqrt(2) * ndtri(np.array([0.8, 0.7]))[:, None]
    nonevents = mixing @ rng.standard_normal((400, 2, n))
    sign = np.sign(events[..., None] - nonevents[..., None, :])
    won, lost = (-np.diff(sign.mean(axis=axis), axis=1)[:, 0] for axis in (3, 2))
    parts = won.var(axis=1, ddof=1) / m, lost.var(axis=1, ddof=1) / n
    df = sum(parts) ** 2 / (parts[0] ** 2 / (m - 1) + parts[1] ** 2 / (n - 1))
    rejected = np.abs(won.mean(axis=1)) > stdtrit(df, 0.975) * np.sqrt(sum(parts))
    assert plan.power == pytest.approx(rejected.mean(), abs=0.06)


@pytest.mark.parametrize("ratios", [(0.6, 0.4), (0.6, 0.75)])
def test_power_is_that_of_simulated_samples_of_unequal_size(ratios):
    """600 pairs of samples; pooled AUC and its variance; the simulation errs by 2 points.

    The unpooled error would plan 9 points too many in one direction, and too few in the
    other.
    """
    rng = np.random.default_rng(6)
    m, n, auc, trials, dfs = (50, 500), (150, 1500), [], [], []
    for i in range(2):
        score = rng.standard_normal((600, m[i] + n[i]))
        score[:, : m[i]] += np.sqrt(2) * ndtri((1 + ratios[i]) / 2)
        rank = score.argsort(axis=1).argsort(axis=1)
        within = [
            part.argsort(axis=1).argsort(axis=1)
            for part in (score[:, : m[i]], score[:, m[i] :])
        ]
        won = (rank[:, : m[i]] - within[0]) / n[i]
        lost = (rank[:, m[i] :] - within[1]) / m[i]
        parts = won.var(axis=1, ddof=1) / m[i], lost.var(axis=1, ddof=1) / n[i]
        auc.append(won.mean(axis=1))
        trials.append(auc[i] * (1 - auc[i]) / sum(parts))
        spread = parts[0] ** 2 / (m[i] - 1) + parts[1] ** 2 / (n[i] - 1)
        dfs.append(sum(parts) ** 2 / spread)
    pooled = (trials[0] * auc[0] + trials[1] * auc[1]) / sum(trials)
    shares = 1 / trials[0], 1 / trials[1]
    error = np.sqrt(pooled * (1 - pooled) * sum(shares))
    df = sum(shares) ** 2 / (shares[0] ** 2 / dfs[0] + shares[1] ** 2 / dfs[1])
    rejected = np.abs(auc[0] - auc[1]) > stdtrit(df, 0.975) * error
    plan = quiet(plan_test, *ratios, event_rate=0.25, n_events=50, events_ratio=10)
    assert plan.power == pytest.approx(rejected.mean(), abs=0.04)


def test_it_does_not_matter_which_sample_is_called_the_first():
    options = {"event_rate": 0.05, "margin": 0.02}
    plan = plan_test(
        0.6, 0.4, n_events=100, events_ratio=5, alternative="greater", **options
    )
    turned = plan_test(
        0.4, 0.6, n_events=500, events_ratio=0.2, alternative="less", **options
    )
    assert plan.power == pytest.approx(turned.power, abs=1e-12)


def test_independent_samples_of_unequal_size():
    options = {"event_rate": 0.05, "n_events": 500}
    few = quiet(plan_test, 0.6, 0.4, events_ratio=0.04, **options)
    assert (few.n_events, few.n_nonevents) == (500, 9_500)
    assert (few.n_events_second, few.n_nonevents_second) == (20, 380)
    equal = plan_test(0.6, 0.4, **options)
    assert few.power < equal.power
    assert "20 events in 400 rows" in repr(few)
    assert "500 events in 10,000 rows in each sample" in repr(equal)


# -- What is said --------------------------------------------------------------------------


def test_plans_print_as_a_line():
    assert repr(plan_interval(0.6, event_rate=0.02, n_events=100, spread=2)) == (
        "AR 0.600, expected 95 % interval 0.472 to 0.709, half-width 0.119, with 100 "
        "events in 5,000 rows (binormal, spread 2)"
    )
    assert repr(plan_interval(0.6, event_rate=0.02, n_events=100, spread=None)).endswith(
        "(largest variance)"
    )
    margin = {"alternative": "greater", "margin": 0.02, "confidence_level": 0.9}
    plan = plan_test(0.6, 0.6, event_rate=0.2, n_events=100, correlation=0.9, **margin)
    assert repr(plan) == (
        "AR difference 0.000 (0.600 - 0.600), power 32.5 % with 100 events in 500 rows "
        "(greater at 10 %, margin 0.02, correlation 0.9, binormal)"
    )


def test_plans_are_plain_values():
    plan = plan_test(np.float64(0.6), 0.5, event_rate=0.02, n_events=np.int64(90))
    values = plan.to_dict()
    assert values["difference"] == pytest.approx(0.1)
    assert {type(value) for value in values.values()} <= {int, float, str, type(None)}
    interval = plan_interval(0.6, event_rate=0.02, n_events=np.int64(90)).to_dict()
    assert {type(value) for value in interval.values()} <= {int, float}


def test_few_events_are_announced():
    with pytest.warns(
        FewEventsWarning, match="rests on 20 rows .* AR of 0.900; .* is 1.0, below"
    ):
        plan_interval(0.9, event_rate=0.02, n_events=20)
    with pytest.warns(FewEventsWarning, match=r"rests on 20 rows .* AR of -0.600"):
        plan_test(0.2, -0.6, event_rate=0.02, n_events=500, events_ratio=0.04)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plan_interval(0.6, event_rate=0.02, n_events=50)
        plan_interval(0.8, event_rate=0.05, n_events=100)  # a product of exactly 10
        plan_interval(0.9, event_rate=0.05, n_events=200)


INTERVAL = {"accuracy_ratio": 0.6, "event_rate": 0.02, "n_events": 90}
TEST = {"first": 0.6, "second": 0.5, "event_rate": 0.02, "n_events": 90}


@pytest.mark.parametrize(
    ("function", "changed", "message"),
    [
        (plan_interval, {"accuracy_ratio": 60}, "`accuracy_ratio` must lie between -1 and"),
        (plan_interval, {"event_rate": 2}, "`event_rate` must lie between 0 and 1, got 2"),
        (plan_interval, {"half_width": 0.1}, "exactly one of `half_width` and `n_events` "),
        (plan_interval, {"n_events": None}, "found, got 2 left out; pass the others"),
        (
            plan_interval,
            {"half_width": 0.05, "n_events": 100},
            "found, got 0 left out; leave out the one to find",
        ),
        (plan_interval, {"n_events": 1}, "`n_events` must be a whole number from 2"),
        (plan_interval, {"spread": 0}, "`spread` must be a number from 0.01 to 100"),
        (plan_interval, {"confidence_level": 95}, "`confidence_level` must lie between"),
        (
            plan_interval,
            {"n_events": None, "half_width": 5},
            "`half_width` must lie between 0 and 1, got 5; 5 % is 0.05",
        ),
        (
            plan_interval,
            {"n_events": None, "half_width": 1e-9},
            "`half_width` must be one that a sample can have, got 1e-09",
        ),
        (plan_test, {"first": 1}, "`first` must lie between -1 and 1, got 1; 60 %"),
        (plan_test, {"second": "x"}, "`second` must lie between -1 and 1, got 'x'"),
        (plan_test, {"power": 0.8}, "`first`, `second`, `n_events` and `power` must be"),
        (plan_test, {"n_events": None, "power": 80}, "`power` must lie between 0.05 and 1"),
        (plan_test, {"n_events": 90.5}, "`n_events` must be a whole number"),
        (plan_test, {"correlation": 1}, "`correlation` must lie between -1 and 1"),
        (plan_test, {"events_ratio": 0}, "`events_ratio` must be a number from 0.001"),
        (
            plan_test,
            {"events_ratio": 2, "correlation": 0.5},
            "`events_ratio` requires two independent samples",
        ),
        (plan_test, {"margin": 0.1}, "`margin` requires a one-sided test"),
        (
            plan_test,
            {"n_events": None, "power": 0.8, "alternative": "less"},
            "`first` and `second` must differ in the direction of `alternative`, got 0.6",
        ),
        (
            plan_test,
            {"n_events": None, "power": 0.8, "second": 0.6},
            "got 0.6 and 0.6 with 'two-sided' and a margin of 0",
        ),
        (
            plan_test,
            {"second": None, "power": 0.99, "n_events": 2},
            "`power` must be one that 2 events can have, got 0.99, which no AR below 0.6",
        ),
        (
            plan_test,
            {"first": None, "power": 0.99, "n_events": 2},
            "which no AR above 0.5 reaches; pass more `n_events`",
        ),
    ],
)
def test_what_cannot_be_planned_is_refused(function, changed, message):
    usual = INTERVAL if function is plan_interval else TEST
    with pytest.raises(CapcurveError) as caught:
        function(**{**usual, **changed})
    assert message in str(caught.value)


def test_extreme_rates_are_answered():
    for rate in (1e-300, 1 - 1e-12):
        plan = quiet(plan_interval, 0.5, event_rate=rate, n_events=50)
        assert 0 < plan.half_width < 1
        assert plan.n_nonevents >= 2
