"""Influence of rows on shares: derivatives, and variances by brute force."""

import numpy as np
import pytest

from capcurve import CapCurve
from capcurve._inference.share_influence import RankedRows, count_variance, find_cut
from capcurve._input.columns import Columns, Weights
from capcurve._input.reading import read_columns

RNG = np.random.default_rng(17)
N = 400
EVENT = np.arange(N) < 120
GRADE = np.clip(np.round(RNG.normal(size=N) + EVENT), -1, 2)
WEIGHT = RNG.lognormal(size=N)
AMOUNT = EVENT * RNG.lognormal(size=N)
CLUSTER = RNG.integers(0, 90, N)
SHARES = [0.05, 0.2, 0.45, 0.7]
STEP = 1e-6


def rank(y, **options):
    return RankedRows.of_columns(read_columns(y, GRADE, **options))


def derivatives(statistic, weight):
    """Change of a statistic per relative change of each row's weight, numerically."""
    changes = []
    for row in range(N):
        values = []
        for step in (STEP, -STEP):
            moved = weight.copy()
            moved[row] *= 1 + step
            values.append(statistic(moved))
        changes.append((values[0] - values[1]) / (2 * STEP))
    return np.array(changes)


def middle_of_a_block(ranked, share):
    """Return a share well inside a block, where the curve is straight."""
    reached = ranked.curve.population_share
    block = np.searchsorted(reached, share) - 1
    return float(0.6 * reached[block] + 0.4 * reached[block + 1])


@pytest.mark.slow
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("y", [EVENT.astype(int), AMOUNT], ids=["events", "amounts"])
def test_the_influence_is_the_derivative_in_each_weight(y, share):
    ranked = rank(y, sample_weight=WEIGHT)
    share = middle_of_a_block(ranked, share)

    def curve_of(weight):
        return CapCurve.from_predictions(y, GRADE, sample_weight=weight)

    captured = derivatives(lambda w: curve_of(w).capture_rate_at(share), WEIGHT)
    cut = ranked.find_cut(share)
    assert ranked.capture_influence(cut) == pytest.approx(captured, abs=1e-7)

    def response(weight):
        curve = curve_of(weight)
        return curve.capture_rate_at(share) * curve.response_rate / share

    assert ranked.response_influence(None, cut) == pytest.approx(
        derivatives(response, WEIGHT), abs=1e-7
    )


def test_the_influence_on_a_band_and_on_a_block_is_their_derivative():
    ranked = rank(AMOUNT, sample_weight=WEIGHT)
    ends = [middle_of_a_block(ranked, share) for share in (0.2, 0.7)]

    def between(weight):
        curve = CapCurve.from_predictions(AMOUNT, GRADE, sample_weight=weight)
        rise = np.diff(curve.capture_rate_at(ends)).item()
        return rise * curve.response_rate / (ends[1] - ends[0])

    psi = ranked.response_influence(*map(ranked.find_cut, ends))
    assert psi == pytest.approx(derivatives(between, WEIGHT), abs=1e-7)
    inside = GRADE == 1
    block = int(ranked.block[inside][0])
    psi = ranked.block_influence(block)
    assert psi == pytest.approx(
        derivatives(lambda w: np.average(AMOUNT[inside], weights=w[inside]), WEIGHT),
        abs=1e-7,
    )


@pytest.mark.parametrize("share", [*SHARES, 0.999])
def test_counts_have_the_variance_of_their_rows(share):
    ranked = rank(EVENT.astype(int))
    cut = ranked.find_cut(share)
    for given in (False, True):
        psi = ranked.capture_influence(cut, given_classes=given)
        variance = count_variance(ranked.curve, cut, given_classes=given)
        assert variance == pytest.approx((psi**2).sum(), rel=1e-9)
        assert ranked.measure(psi).variance == pytest.approx(variance, rel=1e-9)
    centred = ranked.capture_influence(cut)
    for part in (EVENT, ~EVENT):
        centred[part] -= centred[part].mean()
    assert centred == pytest.approx(psi, abs=1e-12)


def test_counted_rows_are_repeated_rows():
    times = 1 + np.arange(N) % 3
    counted = rank(EVENT.astype(int), sample_weight=times, weights="frequency")
    repeated = RankedRows.of_columns(
        read_columns(EVENT.repeat(times).astype(int), GRADE.repeat(times))
    )
    for share in SHARES:
        found = [each.find_cut(share) for each in (counted, repeated)]
        assert found[0] == pytest.approx(found[1])
        spreads = [
            each.measure(each.response_influence(None, cut))
            for each, cut in zip((counted, repeated), found, strict=True)
        ]
        assert spreads[0] == pytest.approx(spreads[1])


def test_amounts_that_stand_for_rows_are_repeated_amounts():
    times = 1 + np.arange(N) % 3
    counted = rank(AMOUNT, sample_weight=times, weights="frequency")
    repeated = RankedRows.of_columns(
        read_columns(AMOUNT.repeat(times), GRADE.repeat(times))
    )
    spreads = [
        each.measure(each.capture_influence(each.find_cut(0.3)))
        for each in (counted, repeated)
    ]
    assert spreads[0] == pytest.approx(spreads[1])
    assert counted.n_effective_units == pytest.approx(repeated.n_effective_units)


def test_clusters_add_up_before_they_are_squared():
    ranked = rank(EVENT.astype(int), sample_weight=WEIGHT, clusters=CLUSTER)
    psi = ranked.capture_influence(ranked.find_cut(0.2))
    sums = np.array([psi[number == CLUSTER].sum() for number in range(90)])
    with_event = len(np.unique(CLUSTER[EVENT]))
    spread = ranked.measure(psi)
    variance = with_event / (with_event - 1) * (sums**2).sum()
    assert spread.variance == pytest.approx(variance)
    free = 2 * (sums**2).sum() ** 2 / (sums**4).sum()
    assert spread.degrees_of_freedom == pytest.approx(free)


def add_up_equal_rows(columns):
    """Add up rows of equal score and outcome, as a query does."""
    pairs = np.stack([columns.target, columns.score])
    kept, place = np.unique(pairs, axis=1, return_inverse=True)
    powers = (np.ones(N), columns.mass, columns.mass**2, columns.mass**4)
    rows, value, squares, fourths = (np.bincount(place.ravel(), each) for each in powers)
    weights = Weights(value=value, rows=rows, squares=squares, fourths=fourths)
    return Columns(kept[0].astype(columns.target.dtype), kept[1], weights)


@pytest.mark.parametrize("y", [EVENT.astype(int), np.round(AMOUNT)])
def test_rows_of_equal_score_and_outcome_may_be_added_up(y):
    columns = read_columns(y, GRADE, sample_weight=WEIGHT, target_type="auto")
    apart = RankedRows.of_columns(columns)
    joined = RankedRows.of_columns(add_up_equal_rows(columns))
    assert len(joined.block) < len(apart.block)
    assert joined.n_effective == pytest.approx(apart.n_effective)
    assert joined.n_effective_units == pytest.approx(apart.n_effective_units)
    cut = apart.find_cut(0.3)
    assert joined.find_cut(0.3) == pytest.approx(cut)
    found = [each.measure(each.capture_influence(cut)) for each in (apart, joined)]
    assert found[0] == pytest.approx(found[1])
    assert joined.null_variance(cut) == pytest.approx(apart.null_variance(cut))


def test_an_uninformative_score_varies_over_all_orders_of_outcomes():
    for y in (EVENT.astype(int), AMOUNT):
        ranked = rank(y, sample_weight=WEIGHT)
        cut = ranked.find_cut(0.3)
        inside = ranked.select(cut)
        orders = [RNG.permutation(N) for _ in range(4000)]
        drawn = [np.average(inside, weights=WEIGHT * y[order]) for order in orders]
        assert ranked.null_variance(cut) == pytest.approx(np.var(drawn), rel=0.15)


def test_an_uninformative_score_varies_over_all_orders_of_clusters():
    pair = np.arange(N) // 2
    event = np.repeat(np.arange(N // 2) < 40, 2).astype(int)
    grade = np.repeat(GRADE[::2], 2)
    ranked = RankedRows.of_columns(read_columns(event, grade, clusters=pair))
    cut = ranked.find_cut(0.3)
    inside = ranked.select(cut)[::2]
    drawn = [inside[RNG.permutation(N // 2)[:40]].mean() for _ in range(4000)]
    # One of two estimates is cautious: it does not know that all clusters are counted.
    assert np.var(drawn) * 0.9 < ranked.null_variance(cut) < np.var(drawn) * 1.5


def test_equal_weights_are_none():
    ranked = rank(EVENT.astype(int), sample_weight=np.full(N, 0.25))
    assert ranked.is_counted
    assert ranked.curve.total_weight == N


def test_a_single_cluster_with_events_has_no_correction():
    cluster = np.where(EVENT, 0, CLUSTER + 1)
    ranked = rank(EVENT.astype(int), clusters=cluster)
    assert ranked.n_units == 1
    assert ranked.n_effective_units == 1
    assert ranked.measure(ranked.capture_influence(ranked.find_cut(0.2))).variance > 0


def test_the_slope_is_that_of_a_grade_or_of_a_window():
    ranked = rank(EVENT.astype(int))
    tally = ranked.curve.tally
    share = middle_of_a_block(ranked, 0.45)
    cut = ranked.find_cut(share)
    rate = tally.target[cut.block] / tally.weight[cut.block]
    assert cut.slope == pytest.approx(rate / 0.3)
    fine = CapCurve.from_predictions(EVENT, np.arange(N))
    window = 0.5 * N**-0.2
    rise = fine.capture_rate_at(0.5 + window) - fine.capture_rate_at(0.5 - window)
    assert find_cut(fine, 0.5, N).slope == pytest.approx(rise / (2 * window))
