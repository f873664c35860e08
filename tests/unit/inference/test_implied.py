"""The implied accuracy ratio against exact fractions: all outcomes of few rows."""

import itertools
import warnings
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize

from capcurve import (
    FewEventsWarning,
    HardLabelsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_score,
    accuracy_ratio_test_implied,
    implied_accuracy_ratio_score,
)
from capcurve._inference.expected_ratio import compute_design_effect, find_shift
from capcurve._input.columns import Columns, Weights

PROBABILITIES = st.sampled_from([0.02, 0.1, 0.25, 0.5, 0.5, 0.75, 0.9])


@pytest.fixture(autouse=True)
def _silence():
    with warnings.catch_warnings():
        for category in (FewEventsWarning, HardLabelsWarning, UndefinedMetricWarning):
            warnings.simplefilter("ignore", category)
        yield


def sign(difference):
    return (difference > 0) - (difference < 0)


def sum_of_ranks(y, score):
    """Sum, over events, of rows ranked below less rows ranked above."""
    return sum(y[i] * sign(a - b) for i, a in enumerate(score) for b in score)


def ratio_of_pairs(y, score):
    """AR by its definition, over all pairs of an event and a non-event."""
    events = [s for s, each in zip(score, y, strict=True) if each]
    others = [s for s, each in zip(score, y, strict=True) if not each]
    surplus = sum(sign(a - b) for a in events for b in others)
    return Fraction(surplus, len(events) * len(others))


def all_outcomes(probability):
    """Yield each outcome of the rows, with its probability."""
    for y in itertools.product([0, 1], repeat=len(probability)):
        chance = Fraction(1)
        for each, p in zip(y, probability, strict=True):
            chance *= p if each else 1 - p
        yield y, chance


def moments(weighted):
    """Mean and variance of values with weights that need not add up to 1."""
    total = sum(weight for _, weight in weighted)
    mean = sum(value * weight for value, weight in weighted) / total
    return mean, sum((value - mean) ** 2 * weight for value, weight in weighted) / total


def given_events(probability, score, n_events):
    """Exact mean and variance of AR given the number of events."""
    return moments(
        [
            (ratio_of_pairs(y, score), chance)
            for y, chance in all_outcomes(probability)
            if sum(y) == n_events
        ]
    )


def as_fractions(numbers):
    return [Fraction(str(number)) for number in numbers]


@pytest.mark.parametrize("score", [[5, 4, 3, 2, 1], [3, 3, 1, 2, 2], [1, 2, 3, 4, 4]])
def test_the_ratio_is_linear_in_outcomes_and_so_is_what_probabilities_imply(score):
    """AR = T / (M (N - M)); the implied AR has the expected T and M in their place."""
    p = as_fractions([0.7, 0.3, 0.2, 0.4, 0.1])
    expected = Fraction(0)
    for y, chance in all_outcomes(p):
        ranks, m = sum_of_ranks(y, score), sum(y)
        expected += chance * ranks
        if 0 < m < 5:
            assert Fraction(ranks, m * (5 - m)) == ratio_of_pairs(y, score)
            observed = accuracy_ratio_test_implied(y, [0.5] * 5, y_score=score).observed
            assert observed == pytest.approx(float(ratio_of_pairs(y, score)), abs=1e-15)
    m = sum(p)
    implied = implied_accuracy_ratio_score([float(each) for each in p], y_score=score)
    assert implied == pytest.approx(float(expected / (m * (5 - m))), rel=1e-14, abs=1e-15)


def test_the_law_given_the_events_does_not_depend_on_the_shift():
    p = as_fractions([0.7, 0.3, 0.2, 0.4, 0.1])
    odds = [each / (1 - each) for each in p]
    shifted = [3 * each / (1 + 3 * each) for each in odds]
    assert given_events(p, p, 2) == given_events(shifted, p, 2)


def test_without_discrimination_the_moments_are_exact_fractions():
    """Equal probabilities: the events are a simple random sample of the rows.

    AR then has the variance (N + 1) / (3 m n) of the Mann-Whitney statistic, where the
    formula has N / (3 m n) (N**2 - 1) / N**2: one part in N less.
    """
    n_rows, m = 8, 3
    score = list(range(n_rows))
    mean, variance = given_events([Fraction(1, 4)] * n_rows, score, m)
    assert mean == 0
    assert variance == Fraction(n_rows + 1, 3 * m * (n_rows - m))
    y = [1] * m + [0] * (n_rows - m)
    found = accuracy_ratio_test_implied(y, [0.25] * n_rows, y_score=score)
    assert found.implied == pytest.approx(0, abs=1e-15)
    by_hand = Fraction(n_rows**2 - 1, 3 * n_rows * m * (n_rows - m))
    assert found.standard_error**2 == pytest.approx(float(by_hand), rel=1e-12)


def count_ways(odds, ranks, m):
    """Sum odds, and odds times sums of ranks to the powers 1 and 2, over all m events.

    The rows are added one by one, so that many rows can be enumerated.
    """
    ways = [[Fraction(int(k == 0)), Fraction(0), Fraction(0)] for k in range(m + 1)]
    for o, r in zip(odds, ranks, strict=True):
        for k in range(m, 0, -1):
            none, first, second = ways[k - 1]
            ways[k][0] += o * none
            ways[k][1] += o * (first + r * none)
            ways[k][2] += o * (second + 2 * r * first + r * r * none)
    return ways[m]


@pytest.mark.parametrize(
    ("n_rows", "m", "spread", "error_of_mean", "error_of_sd"),
    [
        (12, 3, 4, 2e-3, 0.03),
        (40, 10, 4, 2e-4, 0.01),
        (120, 30, 4, 2e-5, 0.003),
        (120, 12, 8, 2e-5, 0.004),
    ],
)
def test_mean_and_error_given_the_events(n_rows, m, spread, error_of_mean, error_of_sd):
    """The mean is right to second order in 1 / sum(p (1 - p)), the variance to first."""
    odds = [Fraction(1 + i * i * spread, n_rows * 3) for i in range(n_rows)]
    ranks = [2 * i - (n_rows - 1) for i in range(n_rows)]
    ways, first, second = count_ways(odds, ranks, m)
    if n_rows == 12:
        p = [each / (1 + each) for each in odds]
        mean, variance = given_events(p, odds, m)
        assert mean * m * (n_rows - m) == first / ways
        assert variance * (m * (n_rows - m)) ** 2 == second / ways - (first / ways) ** 2
    pairs = m * (n_rows - m)
    y = [1] * m + [0] * (n_rows - m)
    found = accuracy_ratio_test_implied(y, [float(each / (1 + each)) for each in odds])
    assert found.implied == pytest.approx(float(first / ways / pairs), abs=error_of_mean)
    sd = float(second / ways - (first / ways) ** 2) ** 0.5 / pairs
    assert found.standard_error == pytest.approx(sd, rel=error_of_sd)


@pytest.mark.parametrize(
    ("n_rows", "spread", "error_of_mean", "error_of_sd"),
    [(40, 4, 3e-3, 0.05), (120, 4, 3e-4, 0.02), (240, 1, 2e-4, 0.02)],
)
def test_mean_and_error_over_samples_of_any_number_of_events(
    n_rows, spread, error_of_mean, error_of_sd
):
    odds = [Fraction(1 + i * i * spread, n_rows * 3) for i in range(n_rows)]
    p = np.array([float(each / (1 + each)) for each in odds])
    ranks = np.array([2 * i - (n_rows - 1) for i in range(n_rows)])
    chances = np.zeros((n_rows + 1, 3))
    chances[0, 0] = 1
    for each, r in zip(p, ranks, strict=True):
        none, first, second = chances.T.copy()
        chances *= 1 - each
        chances[1:, 0] += each * none[:-1]
        chances[1:, 1] += each * (first + r * none)[:-1]
        chances[1:, 2] += each * (second + 2 * r * first + r * r * none)[:-1]
    chances = chances[1:-1]
    pairs = np.arange(1, n_rows) * np.arange(n_rows - 1, 0, -1)
    chance, mean, square = (chances / chances[:, 0].sum()).T
    expected = (mean / pairs).sum()
    sd = np.sqrt((square / pairs**2).sum() - expected**2)
    y = np.arange(n_rows) < 5
    found = accuracy_ratio_test_implied(y, p, shift=False)
    assert chance.sum() == pytest.approx(1)
    assert found.implied == pytest.approx(expected, abs=error_of_mean)
    assert found.standard_error == pytest.approx(sd, rel=error_of_sd)
    assert found.shift == 0


def draw_rows(seed, n_rows):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 6, n_rows)
    return rng, p, rng.random(n_rows) < p


def test_sampling_weights_by_simulation():
    rng, p, _ = draw_rows(5, 150)
    w = np.exp(rng.normal(2 * p, 0.7))
    observed, implied, errors = [], [], []
    for _ in range(600):
        y = rng.random(150) < p
        found = accuracy_ratio_test_implied(y, p, sample_weight=w)
        observed.append(found.observed)
        implied.append(found.implied)
        errors.append(found.standard_error)
        assert found.observed == accuracy_ratio_score(y, p, sample_weight=w)
    difference = np.subtract(observed, implied)
    assert difference.mean() == pytest.approx(0, abs=3 * difference.std() / 600**0.5)
    assert np.mean(errors) == pytest.approx(difference.std(), rel=0.06)


@pytest.mark.parametrize("shift", [True, False])
def test_the_error_of_weighted_rows_by_numeric_derivatives(shift):
    """The variance is the sum of p (1 - p) times the squared effect of each outcome."""
    rng, p, y = draw_rows(6, 30)
    w = rng.uniform(0.5, 3, 30)
    ranks = np.array([(w * np.sign(each - p)).sum() for each in p])
    log_odds = np.log(p / (1 - p))

    def sigmoid(a):
        return 1 / (1 + np.exp(-(log_odds + a)))

    def difference(outcome):
        events = w @ outcome
        expected = p
        if shift:
            root = optimize.brentq(lambda a: w @ sigmoid(a) - events, -20, 20, xtol=1e-14)
            expected = sigmoid(root)
        else:
            expected = np.zeros(30)
        return w * (outcome - expected) @ ranks / (events * (w.sum() - events))

    base = p
    if shift:
        base = sigmoid(optimize.brentq(lambda a: w @ (sigmoid(a) - y), -20, 20, xtol=1e-14))
    step = 1e-5 * np.eye(30)
    effect = [(difference(base + e) - difference(base - e)) / 2e-5 for e in step]
    found = accuracy_ratio_test_implied(y, p, sample_weight=w, shift=shift)
    error = np.sqrt((base * (1 - base)) @ np.square(effect))
    assert found.standard_error == pytest.approx(error, rel=1e-6)


@pytest.mark.parametrize("shift", [True, False])
def test_clusters_by_hand(shift):
    _, p, y = draw_rows(7, 60)
    cluster = np.empty(60, dtype=int)
    cluster[np.lexsort((p, y))] = np.arange(60) // 4  # alike in outcome and probability
    found = accuracy_ratio_test_implied(y, p, clusters=cluster, shift=shift)
    alone = accuracy_ratio_test_implied(y, p, shift=shift)
    fields = ("observed", "implied", "shift")
    assert numbers(found, fields) == numbers(alone, fields)
    ranks = np.array([np.sign(each - p).sum() for each in p])
    odds = p / (1 - p) * np.exp(found.shift)
    q = odds / (1 + odds)
    centre = np.average(ranks, weights=q * (1 - q))
    if not shift:
        centre = (q @ ranks) / (q.sum() * (1 - q).sum()) * (1 - 2 * q).sum()
    residuals = (y - q) * (ranks - centre)
    sums = [residuals[cluster == number].sum() for number in range(15)]
    effect = np.square(sums).sum() / np.square(residuals).sum()
    assert effect > 1
    ratio = found.standard_error / alone.standard_error
    assert ratio**2 == pytest.approx(effect, rel=1e-9)
    for unrelated in (np.arange(60), np.arange(60) % 17):  # whose effect is 1, or below
        other = accuracy_ratio_test_implied(y, p, clusters=unrelated, shift=shift)
        assert other.standard_error == pytest.approx(alone.standard_error, rel=1e-12)


def test_without_residuals_clusters_add_nothing():
    columns = Columns(np.array([True, False]), np.ones(2), Weights(cluster=np.arange(2)))
    assert compute_design_effect(np.zeros(2), columns) == 1


def test_the_range_and_the_p_value_are_those_of_a_beta_distribution():
    """Its density is integrated here; mean and variance are those of the AUC."""
    _, p, y = draw_rows(8, 200)
    both = accuracy_ratio_test_implied(y, p)
    mean, variance = (1 + both.implied) / 2, (both.standard_error / 2) ** 2
    size = mean * (1 - mean) / variance - 1

    def density(x):
        return x ** (mean * size - 1) * (1 - x) ** ((1 - mean) * size - 1)

    step = 0.5 / (y.sum() * (~y).sum())  # half the distance of two AUCs

    def tail(low, high):
        return integrate.quad(density, low, high)[0] / integrate.quad(density, 0, 1)[0]

    auc = (1 + both.observed) / 2
    below, above = tail(0, auc + step), tail(auc - step, 1)
    less, greater = (
        accuracy_ratio_test_implied(y, p, alternative=each) for each in ("less", "greater")
    )
    assert less.p_value == pytest.approx(below)
    assert greater.p_value == pytest.approx(above)
    assert both.p_value == pytest.approx(2 * min(below, above))
    for end, share in ((both.low, 0.025), (less.low, 0.05)):
        assert tail(0, (1 + end) / 2 + step) == pytest.approx(share)
    for end, share in ((both.high, 0.025), (greater.high, 0.05)):
        assert tail((1 + end) / 2 - step, 1) == pytest.approx(share)
    assert (less.high, greater.low) == (1, -1)


@pytest.mark.parametrize("share", [1e-9, 0.2, 1 - 1e-9])
@pytest.mark.parametrize("spread", [0.0, 1.0, 30.0, 700.0])
def test_the_shift_adds_up_to_the_events(share, spread):
    rng = np.random.default_rng(2)
    log_odds, mass = spread * rng.normal(size=50), rng.uniform(1, 2, 50)
    events = share * mass.sum()
    shift = find_shift(log_odds, mass, events)
    with np.errstate(over="ignore"):
        probability = 1 / (1 + np.exp(-(log_odds + shift)))
    assert mass @ probability == pytest.approx(events, rel=1e-6)


def test_the_shift_of_rows_that_are_all_but_certain():
    """The sum does not change between two log-odds far apart: the range is halved."""
    assert find_shift(np.array([-2000.0, 2000.0]), np.ones(2), 0.5) == pytest.approx(-2000)


def test_probabilities_too_small_for_any_pair_imply_nothing():
    rows = ([1e-300, 1e-300],), {"sample_weight": [1e-50, 1e-50], "y_score": [1, 2]}
    assert np.isnan(implied_accuracy_ratio_score(*rows[0], **rows[1]))
    found = accuracy_ratio_test_implied([0, 1], *rows[0], **rows[1], shift=False)
    assert np.isnan(found.implied)


@pytest.mark.parametrize("size", [1e-160, 1e-200, 1e-310])
@pytest.mark.parametrize("certain", [False, True])
@pytest.mark.parametrize("clusters", [None, np.arange(60) // 3])
def test_probabilities_of_next_to_nothing_leave_any_ratio_possible(size, certain, clusters):
    """With no event expected AR could be anything; nothing warns of an overflow."""
    rng = np.random.default_rng(1)
    y, p = rng.integers(0, 2, 60), (1 + rng.random(60)) * size
    p[(y == 0) & (rng.random(60) < certain / 2)] = 0
    found = accuracy_ratio_test_implied(y, p, shift=False, clusters=clusters)
    assert found.standard_error == np.inf
    assert found.statistic == 0
    assert 0 <= found.p_value <= 1


@st.composite
def portfolios(draw, max_size=20):
    """Draw outcomes of both classes, their probabilities and a score."""
    y = draw(
        st.lists(st.integers(0, 1), min_size=2, max_size=max_size).filter(
            lambda y: len(set(y)) > 1
        )
    )
    rows = {"min_size": len(y), "max_size": len(y)}
    p = draw(st.lists(PROBABILITIES, **rows))
    s = draw(st.lists(st.integers(0, 5), **rows).filter(lambda s: len(set(s)) > 1))
    return np.array(y), np.array(p), np.array(s)


NUMBERS = ("observed", "implied", "standard_error", "low", "high", "p_value", "shift")


def numbers(found, fields=NUMBERS):
    return [getattr(found, name) for name in fields]


def close(found):
    return pytest.approx(numbers(found), rel=1e-7, abs=1e-9, nan_ok=True)


every_kind = pytest.mark.parametrize("shift", [True, False])


@every_kind
@given(portfolio=portfolios(), seed=st.integers(0, 99))
def test_row_order_and_increasing_maps_of_the_score_change_nothing(shift, portfolio, seed):
    y, p, s = portfolio
    expected = close(accuracy_ratio_test_implied(y, p, y_score=s, shift=shift))
    i = np.random.default_rng(seed).permutation(len(y))
    for score in (s[i], np.exp(s[i]), s[i].astype("u1")):
        found = accuracy_ratio_test_implied(y[i], p[i], y_score=score, shift=shift)
        assert numbers(found) == expected
    turned = accuracy_ratio_test_implied(y, p, y_score=-s, descending=False, shift=shift)
    assert numbers(turned) == expected


@every_kind
@given(portfolio=portfolios(), data=st.data())
def test_frequency_weight_means_repetition_and_only_proportions_matter(
    shift, portfolio, data
):
    y, p, s = portfolio
    counts = st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)).map(np.array)
    w = data.draw(counts.filter(lambda w: len(set(y.repeat(w))) > 1))
    counted = accuracy_ratio_test_implied(
        y, p, y_score=s, sample_weight=w, weights="frequency", shift=shift
    )
    one_by_one = (each.repeat(w) for each in (y, p, s))
    y_true, y_prob, y_score = one_by_one
    repeated = accuracy_ratio_test_implied(y_true, y_prob, y_score=y_score, shift=shift)
    assert numbers(counted) == close(repeated)
    assert counted.n_events == repeated.n_events
    assert counted.expected_events == pytest.approx(repeated.expected_events)
    weighted = accuracy_ratio_test_implied(y, p, y_score=s, sample_weight=w, shift=shift)
    for scale in (1e-6, 3.0, 1e8):
        scaled = accuracy_ratio_test_implied(
            y, p, y_score=s, sample_weight=scale * w, shift=shift
        )
        assert numbers(scaled) == close(weighted)


@given(portfolio=portfolios())
def test_a_common_shift_of_the_probabilities_changes_nothing_but_the_shift(portfolio):
    y, p, s = portfolio
    odds = 2.5 * p / (1 - p)
    expected = accuracy_ratio_test_implied(y, p, y_score=s)
    found = accuracy_ratio_test_implied(y, odds / (1 + odds), y_score=s)
    assert numbers(found)[:-1] == pytest.approx(
        numbers(expected)[:-1], rel=1e-6, abs=1e-9, nan_ok=True
    )
    assert found.shift == pytest.approx(expected.shift - np.log(2.5), abs=1e-9)


@every_kind
@given(portfolio=portfolios())
def test_exchanged_classes_leave_the_test_as_it_is(shift, portfolio):
    """Events and non-events change places, and the ranking is turned round."""
    y, p, s = portfolio
    found = accuracy_ratio_test_implied(1 - y, 1 - p, y_score=-s, shift=shift)
    expected = accuracy_ratio_test_implied(y, p, y_score=s, shift=shift)
    fields = ("observed", "implied", "standard_error", "p_value")
    assert [getattr(found, name) for name in fields] == pytest.approx(
        [getattr(expected, name) for name in fields], rel=1e-7, abs=1e-9, nan_ok=True
    )


@given(portfolio=portfolios())
def test_the_implied_ratio_is_that_of_rows_split_by_their_probability(portfolio):
    _, p, s = portfolio
    split = accuracy_ratio_score(
        np.repeat([1, 0], len(p)), np.tile(s, 2), sample_weight=np.append(p, 1 - p)
    )
    assert implied_accuracy_ratio_score(p, y_score=s) == pytest.approx(split, abs=1e-12)
    own = implied_accuracy_ratio_score(p)
    assert own >= implied_accuracy_ratio_score(p, y_score=s) - 1e-12
    assert own >= -1e-12


def test_binomial_coefficients_count_the_ways():
    """The oracle of this file, against a count that needs no program."""
    ways, first, _ = count_ways([1] * 6, [1] * 6, 2)
    assert (ways, first) == (comb(6, 2), 2 * comb(6, 2))
