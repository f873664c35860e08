"""KS: limits at the cut-off found, and the search over cut-offs."""

import numpy as np
import pytest
from scipy import integrate, stats

from capcurve import ks_interval
from capcurve._inference import ks as ks_module
from capcurve._inference.ks import (
    Shares,
    find_class_sizes,
    find_ks_limits,
    newcombe_difference_limits,
    running_maximum_quantile,
)
from capcurve._inference.share_influence import RankedRows, Spread
from capcurve._input.reading import read_columns
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
Y, S = LOANS["default"], LOANS["champion_pd"]
RNG = np.random.default_rng(8)


def test_the_limits_at_a_cut_off_are_published():
    """Newcombe (1998), table II, 56/70 against 48/80 by method 10."""
    first, second = 56 / 70, 48 / 80
    spreads = [Spread(p * (1 - p) / n) for p, n in ((first, 70), (second, 80))]
    limits = newcombe_difference_limits(
        Shares(first, second, *spreads, 0.0), (70, 80), 0.95
    )
    assert limits == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_shares_that_move_together_have_a_more_certain_difference():
    spreads = [Spread(0.16 / 70), Spread(0.24 / 80)]
    widths = []
    for covariance in (-0.001, 0, 0.001, 1):
        shares = Shares(0.8, 0.6, *spreads, covariance)
        low, high = newcombe_difference_limits(shares, (70, 80), 0.95)
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert Shares(0.8, 0.6, *spreads, 1).variance == 0


@pytest.mark.parametrize(("start", "rise"), [(0.1, 0.0), (0.0, 0.2), (0.1, 0.2), (3, 1)])
def test_the_largest_value_of_a_walk_is_a_normal_plus_a_half_normal(start, rise):
    reach = running_maximum_quantile(start, rise, 0.95)
    if not start:
        below = 2 * stats.norm.cdf(reach / rise) - 1
    elif not rise:
        below = stats.norm.cdf(reach / start)
    else:
        below = integrate.quad(
            lambda move: (
                2
                * stats.norm.pdf(move, scale=rise)
                * stats.norm.cdf((reach - move) / start)
            ),
            0,
            10 * rise,
        )[0]
    assert below == pytest.approx(0.95, abs=1e-6)
    assert running_maximum_quantile(0, 0, 0.95) == 0


def test_a_ks_that_chance_reaches_may_be_none():
    y, s = np.arange(200) < 40, RNG.random(200)
    found = ks_interval(y.astype(int), s)
    critical = stats.kstwo.isf(0.05, 32)
    assert found.value < critical
    assert found.low == 0
    assert found.p_value > 0.05


def test_the_search_lowers_the_lower_limit_only():
    found = ks_interval(Y, S)
    ranked = RankedRows.of_columns(read_columns(Y, S))
    gaps = ranked.curve.capture_rate - ranked.curve.population_share
    best = int(gaps.argmax())
    above = ranked.curve.thresholds[best] <= S
    shares = [above[kind == Y].mean() for kind in (1, 0)]
    wilson = [
        stats.binomtest(int(above[kind == Y].sum()), int((kind == Y).sum())).proportion_ci(
            method="wilson"
        )
        for kind in (1, 0)
    ]
    up = np.hypot(wilson[0].high - shares[0], shares[1] - wilson[1].low)
    down = np.hypot(shares[0] - wilson[0].low, wilson[1].high - shares[1])
    assert found.high == pytest.approx(found.value + up)
    assert found.value - 2 * down < found.low < found.value - down
    drawn = ks_interval(Y, S, method="bootstrap", random_state=1, n_resamples=500)
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.15)


def test_clusters_of_one_row_change_nothing_but_the_quantile():
    plain = ks_interval(Y, S)
    alone = ks_interval(Y, S, clusters=np.arange(len(Y)))
    assert (alone.low, alone.high) == pytest.approx((plain.low, plain.high), abs=2e-3)
    assert alone.standard_error == pytest.approx(plain.standard_error, rel=2e-3)


def test_the_same_row_twice_in_a_cluster_counts_once():
    y, s = Y[:2000], S[:2000]
    once = ks_interval(y, s)
    twice = ks_interval(y.repeat(2), s.repeat(2), clusters=np.arange(2000).repeat(2))
    assert twice.standard_error == pytest.approx(once.standard_error, rel=0.01)
    assert (twice.low, twice.high) == pytest.approx((once.low, once.high), abs=0.01)
    sizes = [
        find_class_sizes(RankedRows.of_columns(read_columns(*data, clusters=cluster)))
        for data, cluster in (
            ((y, s), None),
            ((y.repeat(2), s.repeat(2)), np.arange(2000).repeat(2)),
        )
    ]
    assert sizes[1] == pytest.approx(sizes[0], rel=0.02)


def test_weights_that_go_with_the_score_widen_the_limits():
    y = (np.arange(1500) < 150).astype(int)
    s = np.random.default_rng(5).normal(size=1500) + y
    weight = np.exp(s)
    found = ks_interval(y, s, sample_weight=weight)
    drawn = ks_interval(
        y, s, sample_weight=weight, method="bootstrap", n_resamples=400, random_state=1
    )
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.25)
    assert found.high - found.low > 1.3 * (ks_interval(y, s).high - ks_interval(y, s).low)


def test_replicates_of_amounts_that_are_all_equal_have_the_limits_of_a_share():
    amounts = np.where(np.arange(100) < 20, 3.0, 0.0)
    ranked = RankedRows.of_columns(
        read_columns(amounts, -np.arange(100.0), target_type="continuous")
    )
    limits, error = find_ks_limits(ranked, 0.95)
    wilson = stats.binomtest(20, 20).proportion_ci(method="wilson")
    assert (limits.low, limits.high) == pytest.approx((wilson.low, 1), abs=0.03)
    assert np.isnan(limits.p_value)
    assert error == 0


@pytest.mark.parametrize("seed", range(5))
def test_counted_rows_have_the_interval_of_the_influences_of_rows(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    score = rng.normal(size=2_000).round(rng.integers(1, 6))
    event = rng.random(2_000) < 1 / (1 + np.exp(2 - score))
    found = ks_interval(event, score)

    def measure_rows(curve, first, last):
        ranked = RankedRows(curve, read_columns(event, score))
        inside = (ranked.block >= first) & (ranked.block < last)
        parts = []
        for rows in (event, ~event):
            share = inside[rows].mean()
            psi = rows * (inside - share) / rows.sum()
            parts.append((share, ranked.measure(psi)))
        (first_share, events), (second_share, others) = parts
        return Shares(first_share, second_share, events, others, 0.0)

    monkeypatch.setattr(ks_module, "count_shares", measure_rows)
    expected = ks_interval(event, score)
    for name in ("low", "high", "standard_error"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-12)
