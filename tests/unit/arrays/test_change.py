"""Mix and ranking: exact parts by brute force, influences by differences, and laws."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_at_reference,
    accuracy_ratio_change,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test_independent,
)
from capcurve._inference.change import FACTORS, average_shares
from capcurve._inference.grades import make_grades
from capcurve._inference.mixture import (
    combine,
    find_slope,
    find_variance,
    make_portfolios,
    mix,
)
from capcurve._inference.unseen_events import UnseenEvents, find_unseen_events, fit_rates
from capcurve._input.reading import read_columns
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
GRADE = np.searchsorted(list("ABCDEFGH"), LOANS["grade"])
YEARS = LOANS["year"]
BOTH = (YEARS == 2021) | (YEARS == 2024)
PARTS = ("total", "mix", "ranking")
quiet = pytest.mark.filterwarnings(
    "ignore::capcurve.FewEventsWarning",
    "ignore:the interval of the change is undefined:capcurve.UndefinedMetricWarning",
)
pytestmark = quiet


def change_of(y_true, grade, sample, **options):
    return accuracy_ratio_change(y_true, grade, sample, **options)


def values_of(change):
    return [getattr(change, part).value for part in PARTS]


def errors_of(change):
    return [getattr(change, part).standard_error for part in PARTS]


def numbers_of(change):
    return [
        number
        for part in PARTS
        for name, number in getattr(change, part).to_dict().items()
        if name != "name"
    ]


# -- Values: brute force over pairs of grades, with fractions ------------------------------


def exact_ratio(shares, rates):
    """Compute AR of grades by its definition; higher grades rank first."""
    total = sum(shares)
    mean = sum(q * r for q, r in zip(shares, rates, strict=True)) / total
    surplus = sum(
        shares[g] * rates[g] * shares[h] * (1 - rates[h]) * ((g > h) - (g < h))
        for g, h in product(range(len(shares)), repeat=2)
    )
    return surplus / (mean * (1 - mean)) / total**2


def exact_parts(tables):
    """Compute total, mix and ranking of two tables of (rows, events) by grade."""
    shares = [[Fraction(n, sum(n for n, _ in table)) for n, _ in table] for table in tables]
    rates = [[Fraction(d, n) for n, d in table] for table in tables]
    ratio = {(s, r): exact_ratio(shares[s], rates[r]) for s in (0, 1) for r in (0, 1)}
    first = ratio[1, 0] - ratio[0, 0]
    last = ratio[1, 1] - ratio[0, 1]
    total = ratio[1, 1] - ratio[0, 0]
    return [total, (first + last) / 2, total - (first + last) / 2]


def rows_of(tables):
    """List the outcome, grade and sample of each row of tables of (rows, events)."""
    rows = [
        (event, grade, sample)
        for sample, table in enumerate(tables)
        for grade, (n, d) in enumerate(table)
        for event in [1] * d + [0] * (n - d)
    ]
    return np.array(rows).T


@st.composite
def two_tables(draw, max_grades=5):
    """Draw two tables of (rows, events) by grade, with both classes in each."""
    n_grades = draw(st.integers(2, max_grades))

    def cell():
        n = draw(st.integers(1, 9))
        return n, draw(st.integers(0, n))

    tables = [[cell() for _ in range(n_grades)] for _ in range(2)]
    for table in tables:
        table[0] = (table[0][0] + 1, max(table[0][1], 1))
        table[-1] = (table[-1][0] + 1, table[-1][1])
    return tables


@given(two_tables())
def test_parts_are_those_of_brute_force(tables):
    change = change_of(*rows_of(tables))
    expected = list(map(float, exact_parts(tables)))
    assert values_of(change) == pytest.approx(expected, abs=1e-12)
    assert change.mix.value + change.ranking.value == pytest.approx(
        change.total.value, abs=1e-15
    )
    assert change.n_grades == len(tables[0])


def test_two_grades_by_hand():
    """AR of two grades is q (1 - q) (r_high - r_low) / (M (1 - M))."""
    tables = [[(60, 3), (40, 12)], [(30, 3), (70, 14)]]
    one = 0.6 * 0.4 * (0.3 - 0.05) / (0.15 * 0.85)
    new = 0.3 * 0.7 * (0.2 - 0.1) / (0.17 * 0.83)
    old_rates = 0.3 * 0.7 * (0.3 - 0.05) / (0.225 * 0.775)
    old_shares = 0.6 * 0.4 * (0.2 - 0.1) / (0.14 * 0.86)
    mixed = ((old_rates - one) + (new - old_shares)) / 2
    change = change_of(*rows_of(tables))
    assert change.mix.value == pytest.approx(mixed)
    assert change.ranking.value == pytest.approx(new - one - mixed)
    assert (change.first.value, change.second.value) == pytest.approx((one, new))


def test_a_grade_without_rows_takes_the_rate_of_the_other_sample():
    tables = [[(20, 1), (10, 4), (0, 0)], [(20, 2), (15, 3), (5, 4)]]
    borrowed = [[*tables[0][:2], (Fraction(0), 0)], tables[1]]
    shares = [
        [Fraction(n, 30) for n, _ in tables[0]],
        [Fraction(n, 40) for n, _ in tables[1]],
    ]
    rates = [
        [Fraction(1, 20), Fraction(4, 10), Fraction(4, 5)],
        [Fraction(2, 20), Fraction(3, 15), Fraction(4, 5)],
    ]
    ratio = {(s, r): exact_ratio(shares[s], rates[r]) for s in (0, 1) for r in (0, 1)}
    expected = (ratio[1, 0] - ratio[0, 0] + ratio[1, 1] - ratio[0, 1]) / 2
    change = change_of(*rows_of(tables), empty_grades="other")
    assert change.mix.value == pytest.approx(float(expected))
    assert borrowed[0][2][0] == 0
    with pytest.raises(CapcurveError, match=r"got none of grade 2 in sample 0; merge it"):
        change_of(*rows_of(tables))


def test_bands_keep_the_order_within_them():
    """The total is the change of AR of the score; the mix is that of weighted rows."""
    y, s, sample = (LOANS[name][BOTH] for name in ("default", "champion_pd", "year"))
    change = change_of(y, s, sample, bands=10)
    each = [
        accuracy_ratio_score(y[sample == year], s[sample == year]) for year in (2021, 2024)
    ]
    assert change.total.value == pytest.approx(each[1] - each[0])
    columns = read_columns(y, s)
    grades = make_grades(columns, average_shares(columns, (sample == 2024).astype(int)), 10)
    assert (change.n_grades, change.are_bands, grades.size) == (10, True, 10)
    shares = [
        np.bincount(grades.number[sample == year]) / np.sum(sample == year)
        for year in (2021, 2024)
    ]
    assert (sum(shares) / 2).round(2).tolist() == [0.1] * 10
    mixed = []
    for year, own, other in ((2021, *shares), (2024, *shares[::-1])):
        rows = sample == year
        weight = (other / own)[grades.number[rows]]
        mixed.append(accuracy_ratio_score(y[rows], s[rows], sample_weight=weight))
    expected = (mixed[0] - each[0] + each[1] - mixed[1]) / 2
    assert change.mix.value == pytest.approx(expected)


def test_amounts_are_split_alike():
    loss = LOANS["loss"] / LOANS["exposure"]
    options = {"sample_weight": LOANS["exposure"], "samples": (2021, 2024)}
    change = change_of(loss, GRADE, YEARS, **options)
    for year, found in ((2021, change.first), (2024, change.second)):
        rows = year == YEARS
        weight = LOANS["exposure"][rows]
        alone = accuracy_ratio_score(loss[rows], GRADE[rows], sample_weight=weight)
        assert found.value == pytest.approx(alone)
    assert change.mix.value + change.ranking.value == pytest.approx(change.total.value)
    assert 0 < change.mix.standard_error < change.ranking.standard_error
    assert not change.has_few_events
    above = (change.second.n_events, change.first.n_events)
    assert repr(change).startswith("AR of amounts change ")
    assert repr(change).endswith("{} and {} rows above 0)".format(*above))


def test_ar_of_amounts_at_mixed_shares_is_that_of_brute_force():
    """Pairs of rows differ by their amounts; the shares and the amounts of two samples."""
    rng = np.random.default_rng(4)
    grade = np.tile([1.0, 2.0, 3.0, 1.0, 2.0], 8)
    sample = np.repeat([1, 2], 20)
    grade[sample == 2] = np.repeat([1.0, 2.0, 3.0], [4, 6, 10])
    loss = rng.uniform(size=40) * grade * (rng.uniform(size=40) < 0.6)

    def ratio(shares_of, outcomes_of):
        """AR(q, F) of the inference page, with each pair of rows in turn."""
        y, g = loss[sample == outcomes_of], grade[sample == outcomes_of]
        share = np.array([np.mean(grade[sample == shares_of] == each) for each in g])
        weight = share / np.array([np.sum(g == each) for each in g])
        pair = np.multiply.outer(weight, weight)
        apart, sign = np.subtract.outer(y, y), np.sign(np.subtract.outer(g, g))
        return (pair * apart * sign).sum() / (pair * np.abs(apart)).sum()

    change = change_of(loss, grade, sample)
    by_shares = ratio(2, 1) - ratio(1, 1) + ratio(2, 2) - ratio(1, 2)
    by_outcomes = ratio(1, 2) - ratio(1, 1) + ratio(2, 2) - ratio(2, 1)
    assert change.mix.value == pytest.approx(by_shares / 2)
    assert change.ranking.value == pytest.approx(by_outcomes / 2)


def test_a_few_large_amounts_are_few_effective_pairs():
    """Of 40 amounts above 0 a sample, all equal or one a hundred times as large."""
    grade, sample = np.tile([1.0, 2.0, 3.0], 54)[:160], np.repeat([1, 2], 80)
    loss = np.tile([0.0, 1.5, 1.5, 0.0], 40)
    amounts = {"target_type": "continuous"}
    alike = change_of(loss, grade, sample, **amounts)
    assert not alike.has_few_events
    loss[1] *= 100
    assert loss[80:].max() == loss[2]  # in the first sample alone
    with pytest.warns(FewEventsWarning, match="of amounts, fewer than 20 rows above 0 or"):
        change = change_of(loss, grade, sample, **amounts)
    assert change.has_few_events
    assert change.first.n_effective < 20 <= change.second.n_effective
    rows = loss[:80], grade[:80]
    with pytest.warns(FewEventsWarning):
        own = accuracy_ratio_at_reference(*rows, grade[:80], **amounts)
    assert own.n_effective == change.first.n_effective


def test_a_row_of_weight_0_has_no_need_of_a_sample():
    sample = pl.Series(YEARS).cast(pl.Int64)
    weight = np.ones(len(sample))
    weight[:9] = 0
    lacking = pl.Series([None] * 9 + sample.to_list()[9:])
    options = {"sample_weight": weight, "samples": (2021, 2024)}
    found = change_of(LOANS["default"], GRADE, lacking, **options)
    whole = change_of(LOANS["default"], GRADE, sample, **options)
    assert found.total.to_dict() == whole.total.to_dict()
    options["sample_weight"] = weight + 1
    with pytest.raises(CapcurveError, match="`sample` must not hold missing values, got 9"):
        change_of(LOANS["default"], GRADE, lacking, **options)


# -- Influences: numeric derivatives in the weight of each row -----------------------------


def portfolios_of(y, grade, sample, **options):
    columns = read_columns(y, grade, **options)
    sample = np.asarray(sample)
    grades = make_grades(columns, average_shares(columns, sample), None)
    return make_portfolios(columns, sample, grades)


def apart(rows):
    """Take each kind of rows once, with a weight."""
    y, grade, sample = np.unique(rows, axis=1)
    return y, grade, sample, np.random.default_rng(1).uniform(0.5, 9, len(y))


def places_of(portfolios, *rows):
    """Return where the portfolios have each of some rows."""
    columns = portfolios.columns
    own = list(zip(columns.target, columns.score, portfolios.sample, strict=True))
    return [own.index(row) for row in zip(*rows, strict=True)]


def mixtures_of(portfolios, *, empty=None):
    words = ("first", "second")
    found = {}
    for shares, rates in product((0, 1), repeat=2):
        source = np.full(portfolios.grades.size, rates)
        if empty is not None:
            source[empty] = 1
        share = portfolios.share[shares]
        found[f"{words[shares]} {words[rates]}"] = mix(portfolios, share, source, shares)
    return found


@pytest.mark.parametrize("empty", [None, 2])
def test_influences_are_derivatives(empty):
    tables = [[(8, 1), (6, 2), (5, 4)], [(5, 1), (9, 2), (4, 1)]]
    if empty is not None:
        tables[0][empty] = (0, 0)
    y, grade, sample, weight = apart(rows_of(tables))

    def parts(weight):
        return np.array(
            values_of(
                change_of(y, grade, sample, sample_weight=weight, empty_grades="other")
            )
        )

    portfolios = portfolios_of(y, grade, sample, sample_weight=weight)
    mixtures = mixtures_of(portfolios, empty=empty)
    found = [combine(mixtures, FACTORS[part]) for part in PARTS]
    assert [part.ratio for part in found] == pytest.approx(parts(weight).tolist())
    step = 1e-6
    for row, place in enumerate(places_of(portfolios, y, grade, sample)):
        up, down = weight.copy(), weight.copy()
        up[row] *= 1 + step
        down[row] *= 1 - step
        slope = (parts(up) - parts(down)) / (2 * step)
        influence = [part.by_rows[place] + part.by_shares[place] for part in found]
        assert influence == pytest.approx(slope.tolist(), abs=1e-7)


def test_influences_at_known_shares_are_derivatives():
    y, grade, sample, weight = apart(rows_of([[(8, 1), (6, 2), (5, 4)]]))
    share = np.array([0.2, 0.5, 0.3])
    portfolios = portfolios_of(y, grade, sample, sample_weight=weight)
    found = mix(portfolios, share, np.zeros(3, int))
    assert not found.by_shares.any()
    reference = dict(enumerate(share))
    for row, place in enumerate(places_of(portfolios, y, grade, sample)):
        moved = []
        for step in (1e-6, -1e-6):
            near = weight * (1 + step * (np.arange(len(y)) == row))
            at = accuracy_ratio_at_reference(y, grade, reference, sample_weight=near)
            moved.append(at.value)
        assert found.by_rows[place] == pytest.approx((moved[0] - moved[1]) / 2e-6, abs=1e-7)


def test_slopes_are_derivatives_in_the_event_rates():
    share, rate = np.array([0.2, 0.5, 0.3]), np.array([0.05, 0.1, 0.4])
    position = np.array([-0.8, -0.1, 0.7])
    slope = find_slope(share, rate, position)
    for grade in range(3):
        step = 1e-6 * (np.arange(3) == grade)
        up, down = (exact_ratio(list(share), list(rate + sign * step)) for sign in (1, -1))
        assert slope[grade] == pytest.approx((up - down) / 2e-6, abs=1e-8)


# -- Variances -----------------------------------------------------------------------------


def test_the_variance_of_the_total_is_that_of_both_samples():
    """Without what is added for unseen events it is DeLong's."""
    sample = (YEARS[BOTH] == 2024).astype(int)
    portfolios = portfolios_of(LOANS["default"][BOTH], GRADE[BOTH], sample)
    nothing = UnseenEvents(np.zeros((2, 8)), np.zeros((2, 8)))
    part = combine(mixtures_of(portfolios), FACTORS["total"])
    variance, _ = find_variance(portfolios, part, nothing)
    each = [
        accuracy_ratio_interval(LOANS["default"][year == YEARS], GRADE[year == YEARS])
        for year in (2021, 2024)
    ]
    assert variance == pytest.approx(sum(found.standard_error**2 for found in each))


def test_the_variance_at_known_shares_is_that_of_binomial_rates():
    """With no grade short of events only the correction n / (n - 1) comes on top."""
    tables = [[(400, 60), (300, 75), (200, 80)], [(100, 15), (500, 125), (300, 120)]]
    change = change_of(*rows_of(tables), shares="known")
    rates = np.array([[d / n for n, d in table] for table in tables])
    rows = np.array([[n for n, _ in table] for table in tables])
    shares = rows / rows.sum(axis=1, keepdims=True)
    positions = [
        np.array([q[:g].sum() - q[g + 1 :].sum() for g in range(3)]) for q in shares
    ]
    slope = {
        (s, r): find_slope(shares[s], rates[r], positions[s])
        for s, r in product((0, 1), repeat=2)
    }
    variance = sum(
        (((slope[0, s] + slope[1, s]) / 2) ** 2 * rates[s] * (1 - rates[s]) / rows[s]).sum()
        for s in (0, 1)
    )
    assert change.ranking.standard_error == pytest.approx(sqrt(variance), rel=0.01)
    assert change.mix.standard_error < change_of(*rows_of(tables)).mix.standard_error


def test_fitted_rates_have_the_greatest_likelihood():
    rate, units = np.array([0.0, 0.02, 0.1, 0.3]), np.array([30.0, 100.0, 60.0, 10.0])
    position = np.array([-0.85, -0.2, 0.6, 0.95])
    spread = units / units.sum()
    rows, events = units + spread, units * rate + spread / 2

    def loss(line):
        log_odds = line[0] + line[1] * position
        return (rows * np.logaddexp(0, log_odds) - events * log_odds).sum()

    best = minimize(loss, [0.0, 0.0], tol=1e-12).x
    expected = 1 / (1 + np.exp(-(best[0] + best[1] * position)))
    assert fit_rates(rate, units, position) == pytest.approx(expected, rel=1e-4)


def test_few_steps_come_near_the_fitted_rates(monkeypatch):
    rate, units = np.array([0.0, 0.3]), np.array([50.0, 20.0])
    position = np.array([-0.3, 0.7])
    fitted = fit_rates(rate, units, position)
    monkeypatch.setattr("capcurve._inference.unseen_events.MAX_STEPS", 4)
    assert fit_rates(rate, units, position) == pytest.approx(fitted, rel=0.5)


def test_only_grades_that_lack_events_are_added_to():
    rate, units = np.array([[0.0, 0.5]]), np.array([[50.0, 50.0]])
    position = np.array([[-0.5, 0.5]])
    added = find_unseen_events(rate, units, position)
    fitted = fit_rates(rate[0], units[0], position[0])
    assert added.variance[0, 0] == pytest.approx(fitted[0] * (1 - fitted[0]) / 2 / 50)
    assert added.variance[0, 1] == 0
    # no rows: nothing to add to
    assert find_unseen_events(rate, np.array([[0.0, 50.0]]), position).variance[0, 0] == 0


def test_clusters_add_up_over_both_samples():
    """The same loans twice: what they share cancels in the change."""
    y = np.tile(LOANS["default"][:3000], 2)
    grade = np.append(GRADE[:3000], np.maximum(GRADE[:3000] - (y[:3000] == 0), 0))
    sample = np.repeat([0, 1], 3000)
    apart = change_of(y, grade, sample)
    together = change_of(y, grade, sample, clusters=np.tile(np.arange(3000), 2))
    assert values_of(apart) == pytest.approx(values_of(together))
    assert together.total.standard_error < 0.7 * apart.total.standard_error
    alone = change_of(y, grade, sample, clusters=np.arange(6000))
    assert errors_of(alone) == pytest.approx(errors_of(apart), rel=1e-3)


def test_rows_in_pairs_are_half_as_many():
    y, grade, sample = (np.repeat(column, 2) for column in rows_of(TABLES))
    paired = change_of(y, grade, sample, clusters=np.arange(len(y)) // 2)
    single = change_of(*rows_of(TABLES))
    assert errors_of(paired) == pytest.approx(errors_of(single), rel=0.03)
    assert paired.mix.degrees_of_freedom == pytest.approx(
        single.mix.degrees_of_freedom, rel=0.05
    )


# -- Laws ----------------------------------------------------------------------------------

TABLES = [[(60, 2), (50, 5), (30, 9), (9, 5)], [(30, 3), (50, 4), (40, 10), (20, 9)]]


@given(two_tables(), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_the_order_of_rows_has_no_influence(tables, random):
    y, grade, sample = rows_of(tables)
    order = random.sample(range(len(y)), len(y))
    mixed = change_of(y[order], grade[order], sample[order])
    assert numbers_of(mixed) == pytest.approx(
        numbers_of(change_of(y, grade, sample)), nan_ok=True, rel=1e-9, abs=1e-12
    )


@given(two_tables())
@settings(max_examples=15)
def test_a_swap_of_the_samples_changes_signs(tables):
    there = change_of(*rows_of(tables), samples=(0, 1))
    back = change_of(*rows_of(tables), samples=(1, 0))
    for part in PARTS:
        one, other = getattr(there, part), getattr(back, part)
        assert one.value == pytest.approx(-other.value, abs=1e-12)
        limits = (-other.high, -other.low, other.p_value)
        assert (one.low, one.high, one.p_value) == pytest.approx(
            limits, nan_ok=True, rel=1e-6, abs=1e-9
        )


@given(two_tables())
@settings(max_examples=15)
def test_weights_are_repetition(tables):
    y, grade, sample = rows_of(tables)
    cells, counts = np.unique(
        np.column_stack([y, grade, sample]), axis=0, return_counts=True
    )
    counted = change_of(*cells.T, sample_weight=counts, weights="frequency")
    assert numbers_of(counted) == pytest.approx(
        numbers_of(change_of(y, grade, sample)), nan_ok=True, rel=1e-9, abs=1e-12
    )


@given(two_tables())
@settings(max_examples=15)
def test_only_the_order_of_grades_counts(tables):
    y, grade, sample = rows_of(tables)
    expected = numbers_of(change_of(y, grade, sample))
    for score, descending in ((np.exp(grade), True), (-(grade**3), False)):
        found = numbers_of(change_of(y, score, sample, descending=descending))
        assert found == pytest.approx(expected, nan_ok=True, rel=1e-9, abs=1e-12)


def test_equal_samples_do_not_change():
    change = change_of(*rows_of([TABLES[0], TABLES[0]]))
    assert values_of(change) == [0, 0, 0]
    assert change.mix.p_value == change.total.p_value == 1
    assert change.total.low == pytest.approx(-change.total.high) != 0


def test_equal_shares_have_no_mix_and_equal_rates_no_ranking():
    shares = change_of(*rows_of([[(20, 2), (10, 5)], [(40, 2), (20, 9)]]))
    assert shares.mix.value == pytest.approx(0, abs=1e-15)
    rates = change_of(*rows_of([[(20, 2), (10, 5)], [(40, 4), (60, 30)]]))
    assert rates.ranking.value == pytest.approx(0, abs=1e-15)
    assert rates.mix.value != 0


def test_a_perfect_ranking_is_not_known():
    """Neither sample shows any variance, and yet the limits are apart."""
    change = change_of(*rows_of([[(90, 0), (10, 10)], [(95, 0), (15, 15)]]))
    assert change.total.value == 0
    assert change.total.low < -0.01 < 0.01 < change.total.high
    assert change.has_few_events


def test_zero_weights_leave_rows_out():
    y, grade, sample = rows_of(TABLES)
    weight = np.ones(len(y))
    weight[:7] = 0
    found = change_of(y, grade, sample, sample_weight=weight, samples=[0, 1])
    expected = change_of(y[7:], grade[7:], sample[7:], sample_weight=weight[7:])
    assert numbers_of(found) == pytest.approx(numbers_of(expected))


# -- AR at a reference ---------------------------------------------------------------------


@given(two_tables())
def test_ar_at_reference_is_that_of_brute_force(tables):
    """AR of the first table at the shares of the second, which are given in three ways."""
    y, grade, sample = rows_of(tables)
    first = sample == 0
    rates = [Fraction(d, n) for n, d in tables[0]]
    expected = float(exact_ratio([Fraction(n) for n, _ in tables[1]], rates))
    shares = {number: n for number, (n, _) in enumerate(tables[1])}
    for reference, options in (
        (shares, {}),
        (grade[~first], {}),
        (list(shares), {"reference_weight": list(shares.values())}),
    ):
        found = accuracy_ratio_at_reference(y[first], grade[first], reference, **options)
        assert found.value == pytest.approx(expected, abs=1e-12)
        assert found.low <= found.value <= found.high or np.isnan(found.low)


def test_a_row_of_weight_0_of_the_reference_may_lack_its_grade():
    y, grade = LOANS["default"], GRADE
    whole = accuracy_ratio_at_reference(y, grade, [0, 1, 2], reference_weight=[1, 2, 3])
    for lacking in (np.array([0, 1, np.nan, 2]), pl.Series([0, 1, None, 2])):
        weights = [1, 2, 0, 3]
        found = accuracy_ratio_at_reference(y, grade, lacking, reference_weight=weights)
        assert found.to_dict() == whole.to_dict()
        with pytest.raises(CapcurveError, match="`reference` must not hold missing values"):
            accuracy_ratio_at_reference(y, grade, lacking, reference_weight=[1] * 4)


def test_at_its_own_shares_it_is_the_ar():
    rows = YEARS == 2022
    y, grade = LOANS["default"][rows], GRADE[rows]
    found = accuracy_ratio_at_reference(y, grade, grade)
    alone = accuracy_ratio_interval(y, grade)
    assert found.value == pytest.approx(alone.value)
    assert found.standard_error == pytest.approx(alone.standard_error, rel=0.05)
    score = LOANS["champion_pd"]
    at = accuracy_ratio_at_reference(y, score[rows], score[rows], bands=10)
    assert at.value == pytest.approx(accuracy_ratio_score(y, score[rows]))


def test_two_portfolios_compare_at_the_same_reference():
    found = [
        accuracy_ratio_at_reference(LOANS["default"][rows], GRADE[rows], GRADE)
        for rows in (YEARS == 2021, YEARS == 2024)
    ]
    comparison = accuracy_ratio_test_independent(*found)
    assert comparison.name == "AR at reference"
    assert comparison.value == found[0].value - found[1].value


def test_a_perfect_ranking_at_reference_has_limits():
    y, grade, _ = rows_of([[(90, 0), (10, 10)]])
    found = accuracy_ratio_at_reference(y, grade, {0: 1, 1: 1})
    assert (found.value, found.high) == (1, 1)
    assert 0 < found.low < 0.999
    assert 0 < found.p_value < 0.05


def test_a_grade_of_share_0_is_left_out():
    y, grade, _ = rows_of([[(9, 1), (8, 3), (7, 4)]])
    found = accuracy_ratio_at_reference(y, grade, {0: 2, 1: 1, 2: 0, 3: 0})
    assert found.value == pytest.approx(exact_ratio([2, 1], [1 / 9, 3 / 8]))


@pytest.mark.parametrize(
    ("reference", "options", "message"),
    [
        ({0: 1}, {}, r"lacks 1; correct the names, or give a share of 0"),
        ({0: 1, 1: 1, 2: 3}, {}, r"got none of 2; merge grades"),
        ([0, 1, 2], {}, r"got none of 2; merge grades"),
        ({0: 1, 1: -1}, {}, r"not negative, got -1 for 1; pass"),
        ({0: 1, 1: "x"}, {}, r"not negative, got 'x' for 1; pass"),
        ({0: 0, 1: 0}, {}, r"must not all be 0, got 2 of 0; pass"),
        ({0: 1, 1: 1}, {"bands": 3}, r"`bands` requires `reference` to hold the scores"),
        ({0: 1, 1: 1}, {"reference_weight": [1]}, r"`reference_weight` requires"),
        ([0, 1], {"bands": 1}, r"`bands` must be a whole number from 2 to 1,000, got 1; "),
        (
            [0, 1],
            {"reference_weight": [1]},
            r"\(2,\), `reference_weight` \(1,\)",
        ),
        ([0, 1], {"reference_weight": [1, -1]}, r"`reference_weight` must be finite and"),
        ([0, 1], {"reference_weight": [0, 0]}, r"at least one positive weight, got only"),
        ([0, None], {}, r"`reference` must not hold missing values"),
        ([0, 1], {"confidence_level": 95}, r"`confidence_level` must lie between"),
    ],
)
def test_references_that_are_refused(reference, options, message):
    with pytest.raises(CapcurveError, match=message):
        accuracy_ratio_at_reference([0, 1, 1, 0], [0, 0, 1, 1], reference, **options)


# -- Results, warnings and errors ----------------------------------------------------------


def test_results_print_as_a_line():
    change = change_of(LOANS["default"], GRADE, YEARS, samples=(2021, 2024))
    assert repr(change) == (
        "AR change -0.008 (0.561 - 0.568), 95 % interval -0.136 to 0.120: mix -0.011 "
        "(-0.032 to 0.010), ranking 0.003 (-0.123 to 0.129) (2024 against 2021, 8 grades, "
        "116 and 106 events)"
    )
    assert repr(change.mix) == "mix -0.011, 95 % interval -0.032 to 0.010, p = 0.314"
    named = change.to_dict()
    assert named["first"]["name"] == "AR"
    assert named["mix"]["value"] == change.mix.value
    assert not change.has_few_events


@pytest.mark.filterwarnings("error::capcurve.FewEventsWarning")
def test_few_events_are_warned_of():
    few = r"fewer than 5 wrongly ranked events .*: sample 0 or 1"
    with pytest.warns(FewEventsWarning, match=few):
        assert change_of(
            *rows_of([TABLES[0], [(30, 1), (9, 3), *TABLES[1][2:]]])
        ).has_few_events
    steep = [(900, 0), (100, 40)]  # 40 events, and AR 0.94
    with pytest.warns(FewEventsWarning):
        change_of(*rows_of([steep, steep]))
    with pytest.warns(FewEventsWarning, match="`y_true`"):
        accuracy_ratio_at_reference([0, 1, 1, 0], [0, 0, 1, 1], [0, 1])
    even = [(900, 40), (100, 40)]
    change_of(*rows_of([even, even]))
    y, grade, sample = rows_of([even, even])
    weight = np.where(y * grade * (np.cumsum(y) % 40 == 0), 500, 1)  # a few heavy events
    with pytest.warns(FewEventsWarning):
        change_of(y, grade, sample, sample_weight=weight)
    clusters = np.where(y, 4 * sample + np.arange(len(y)) % 4, 9 + np.arange(len(y)) % 9)
    with pytest.warns(FewEventsWarning):
        change_of(y, grade, sample, clusters=clusters)
    clusters[~y.astype(bool)] = 9  # one cluster shows no variance
    with pytest.warns(UndefinedMetricWarning, match="interval of the change is undefined"):
        change_of(y, grade, sample, clusters=clusters)
    with pytest.warns(FewEventsWarning):
        change_of(y * (np.cumsum(y) % 9 == 0) * 0.7, grade + 1, sample)


def test_a_single_class_is_undefined():
    y, grade, sample = rows_of(TABLES)
    with pytest.warns(
        UndefinedMetricWarning, match="the change of AR is undefined .*: sample"
    ):
        change = change_of(y * sample, grade, sample)
    assert np.isnan(numbers_of(change)[:5]).tolist() == [True] * 4 + [False]
    assert change.second.value == accuracy_ratio_score(y[sample == 1], grade[sample == 1])
    with pytest.warns(
        UndefinedMetricWarning, match="AR at the reference portfolio is undef"
    ):
        found = accuracy_ratio_at_reference([0, 0], [1, 2], [1, 2])
    assert np.isnan([found.value, found.low, found.p_value]).all()


def test_a_part_is_undefined_where_its_ar_is():
    """All events of the first sample are in a grade that the second has not."""
    y, grade, sample = rows_of([[(9, 0), (9, 0), (5, 3)], [(9, 2), (9, 4), (0, 0)]])
    change = change_of(y, grade, sample, empty_grades="other")
    assert np.isnan(change.mix.value)
    assert np.isnan(change.ranking.low)
    assert change.total.value == change.second.value - change.first.value


def test_a_single_event_leaves_the_error_unknown():
    change = change_of(*rows_of([[(9, 0), (5, 1)], [(9, 2), (9, 4)]]))
    assert np.isnan(
        [change.total.standard_error, change.total.low, change.mix.p_value]
    ).all()
    assert not np.isnan(values_of(change)).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"bands": 0},
            r"`bands` must be a whole number from 2 to 1,000, got 0; 10 is usual",
        ),
        ({"bands": 2.5}, r"got 2.5; 10 is usual"),
        ({"shares": "fixed"}, r"`shares` must be 'estimated' or 'known', got 'fixed'"),
        (
            {"empty_grades": "drop"},
            r"`empty_grades` must be 'refuse' or 'other', got 'drop'",
        ),
        ({"confidence_level": 1}, r"`confidence_level` must lie between 0 and 1, got 1"),
        ({"samples": (0,)}, r"between two samples, got 1 \(0\); name the first"),
        ({"samples": (0, 0)}, r"between two samples, got 2 \(0, 0\)"),
        ({"samples": 7}, r"between two samples, got 1 \(7\); name the first"),
        ({"samples": (0, 7)}, r"two samples of `sample`, got 7; `sample` holds 0, 1"),
    ],
)
def test_options_that_are_refused(options, message):
    with pytest.raises(CapcurveError, match=message):
        change_of(*rows_of(TABLES), **options)


@pytest.mark.parametrize("unit", ["D", "ns"])
def test_samples_may_be_dates(unit):
    y, grade, sample = rows_of(TABLES)
    days = np.array(["2023-12-31", "2024-12-31"], dtype=f"M8[{unit}]")[sample]
    found = change_of(y, grade, days)
    assert numbers_of(found) == numbers_of(change_of(y, grade, sample))
    assert found.samples[0].year == 2023


def test_samples_that_are_refused():
    y, grade, sample = rows_of(TABLES)
    with pytest.raises(CapcurveError, match=r"`y_true` \(289,\), `sample` \(288,\)"):
        change_of(y, grade, sample[1:])
    with pytest.raises(CapcurveError, match="`sample` must not hold missing values, got 1"):
        change_of(y, grade, np.where(np.arange(len(y)) == 3, np.nan, sample))
    with pytest.raises(CapcurveError, match=r"got 4 \(2021, 2022, 2023, 2024\); name the"):
        change_of(LOANS["default"], GRADE, YEARS)
    with pytest.raises(CapcurveError, match=r"at most 50 distinct scores, got 1,\d+; pass"):
        change_of(LOANS["default"], LOANS["champion_pd"], YEARS, samples=(2021, 2024))


def test_a_band_without_rows_is_named():
    y = np.tile([1, 0, 0, 1], 10)
    s, sample = np.append(np.arange(20), np.arange(20) + 20), np.repeat(["old", "new"], 20)
    told = "as its {} unknown otherwise, got none of the band from 20 in sample 'old'"
    for outcome, what in ((y, "event rate is"), (y * 0.4, "amounts are")):
        with pytest.raises(CapcurveError, match=told.format(what)):
            change_of(outcome, s, sample, bands=4, samples=("old", "new"))
    found = change_of(y, s, sample, bands=4, samples=("old", "new"), empty_grades="other")
    assert found.samples == ("old", "new")


def test_intervals_cover():
    """In 200 samples of 7 grades, within three standard errors of 95 %."""
    rng = np.random.default_rng(5)
    q = np.array([[8, 12, 20, 25, 20, 10, 5], [4, 8, 16, 24, 24, 14, 10]]) / 100
    r = np.array([0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.5])
    r = np.array([r, 0.7 * r + 0.02])
    ratio = {(s, k): exact_ratio(list(q[s]), list(r[k])) for s in (0, 1) for k in (0, 1)}
    true_mix = (ratio[1, 0] - ratio[0, 0] + ratio[1, 1] - ratio[0, 1]) / 2
    truth = {"mix": true_mix, "total": ratio[1, 1] - ratio[0, 0]}
    truth["ranking"] = truth["total"] - true_mix
    covered = dict.fromkeys(PARTS, 0)
    for _ in range(200):
        n = np.array([rng.multinomial(500, shares) for shares in q])
        d = rng.binomial(n, r)
        y, grade, sample = np.array(
            [(e, g, s) for s, g, e in product((0, 1), range(7), (0, 1))]
        ).T
        count = np.where(y == 1, d[sample, grade], (n - d)[sample, grade])
        change = change_of(
            y, grade, sample, sample_weight=count, weights="frequency", empty_grades="other"
        )
        for part in PARTS:
            found = getattr(change, part)
            covered[part] += found.low <= truth[part] <= found.high
    for part in PARTS:
        assert 0.95 - 3 * sqrt(0.05 * 0.95 / 200) <= covered[part] / 200, part


def test_a_part_of_what_rounding_leaves_is_nothing():
    """The mix does not change where all grades keep their shares."""
    tables = [
        [(103, 3), (97, 7), (71, 11), (39, 9)],
        [(103, 6), (97, 12), (71, 13), (39, 8)],
    ]
    y, grade, sample = rows_of(tables)
    assert change_of(y, grade, sample).mix.value == 0.0
