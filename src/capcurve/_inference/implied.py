"""The accuracy ratio that probabilities imply, and the test of the observed one."""

from dataclasses import asdict, dataclass
from math import isnan, log, nan, sqrt
from typing import Any, NamedTuple, get_args

import numpy as np

from capcurve._engines.rows import below_less_above_ascending, compute_accuracy_ratio
from capcurve._inference.estimate import format_p_value
from capcurve._inference.limits import (
    NEGLIGIBLE_ERROR,
    clip,
    import_scipy,
)
from capcurve._inference.options import Alternative, check_confidence_level
from capcurve._input.columns import Columns, explain_constant
from capcurve._input.options import check_flags, check_word
from capcurve._public import public
from capcurve._tally.contrast import ROUNDING
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.order import find_ascending_order, find_run_ends
from capcurve._tally.tally import clip_ratio

FEW_ERRORS = 2  # minority rows times share of pairs ranked the rarer way; see the docs
LEAST_SIZE = 1e-3  # of a beta distribution, whose parameters must be positive
PRECISION = 1e-14  # of the sum of shifted probabilities, relative to the events


class ImpliedOptions(NamedTuple):
    """How to compare: with shifted probabilities or not, in which direction, how sure."""

    shift: bool = True
    alternative: Alternative = "two-sided"
    confidence_level: float = 0.95


def check_implied_options(options: ImpliedOptions) -> None:
    """Raise if an option is invalid."""
    check_flags(shift=options.shift)
    check_word(options.alternative, "alternative", get_args(Alternative))
    check_confidence_level(options.confidence_level)


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ImpliedComparison:
    """The observed accuracy ratio and the one that probabilities imply, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    observed : float
        Accuracy ratio of the rows; nan if all outcomes are equal.
    implied : float
        Accuracy ratio expected if the probabilities are right.
    difference : float
        ``observed - implied``: negative if the rows are ranked worse than promised.
    standard_error : float
        Standard deviation of the accuracy ratio if the probabilities are right; with
        clusters the standard error of the difference.
    low, high : float
        Limits between which the accuracy ratio lies in a share ``confidence_level`` of
        samples, if the probabilities are right. Of a one-sided test one of them is the end
        of the scale, -1 or 1.
    confidence_level : float
        Probability of an accuracy ratio within the limits, strictly between 0 and 1.
    statistic : float
        ``difference / standard_error``; nan if no outcome could change the accuracy ratio.
    p_value : float
        Probability of a difference at least as large if the probabilities are right.
    alternative : {'two-sided', 'greater', 'less'}
        Which differences count: all, observed above implied, or observed below implied.
    shift : float
        What was added to the log-odds of all probabilities so that they add up to the
        events; 0 if they were taken as given.
    n_events, n_nonevents : int
        Number of events and non-events.
    expected_events : float
        Sum of the probabilities as given: the number of events that they promise.

    See Also
    --------
    accuracy_ratio_test_implied : Compares probabilities with outcomes.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_implied
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> found = accuracy_ratio_test_implied(loans["default"], loans["champion_pd"])
    >>> found.n_events, round(found.expected_events, 1)
    (453, 542.1)
    """

    observed: float
    implied: float
    difference: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    statistic: float
    p_value: float
    alternative: Alternative
    shift: float
    n_events: int
    n_nonevents: int
    expected_events: float

    def __repr__(self) -> str:
        level = f"{100 * self.confidence_level:.4g} %"
        limits = {
            "two-sided": f"{level} range {self.low:.3f} to {self.high:.3f}",
            "less": f"{level} at least {self.low:.3f}",
            "greater": f"{level} at most {self.high:.3f}",
        }
        return (
            f"AR {self.observed:.3f}, implied {self.implied:.3f}, "
            f"{limits[self.alternative]} if the probabilities are right, "
            f"{format_p_value(self.p_value)} ({self.alternative}, shift {self.shift:.3f}, "
            f"{self.n_events:,} events, {self.n_nonevents:,} non-events, "
            f"{self.expected_events:,.1f} events expected)"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute. Infinite and nan values stay floats.

        Examples
        --------
        >>> from capcurve import accuracy_ratio_test_implied
        >>> y_true, y_prob = [1, 0, 1, 0] * 5, [0.7, 0.2, 0.6, 0.5] * 5
        >>> accuracy_ratio_test_implied(y_true, y_prob).to_dict()["n_events"]
        10
        """
        return asdict(self)


class Expected(NamedTuple):
    """Probabilities that are to be tested, and what they make of the accuracy ratio.

    Attributes
    ----------
    probability, spread : ndarray of float64, shape (n_rows,)
        Probability of an event of each row, and its variance.
    shift : float
        What was added to the log-odds.
    ratio : float
        Implied accuracy ratio.
    influence : ndarray of float64, shape (n_rows,)
        How far the accuracy ratio, less the implied one, moves if a row of weight 1 has an
        event more than expected.
    """

    probability: FloatArray
    spread: FloatArray
    shift: float
    ratio: float
    influence: FloatArray


def compute_implied_ratio(probability: FloatArray, columns: Columns) -> float:
    """Compute the AR that probabilities imply; nan if they allow for one class only.

    The target of the columns is not looked at.
    """
    mass = columns.mass
    events = mass @ probability
    pairs = events * (mass @ (1 - probability))
    if not pairs > 0:
        return nan
    return clip_ratio(float((mass * probability) @ rank_among_all(columns) / pairs))


def rank_among_all(columns: Columns) -> FloatArray:
    """Return the weight ranked below less that ranked above each row, among all rows."""
    order = find_ascending_order(columns.score)
    last = find_run_ends(columns.score[order])
    ranks = np.empty(len(order))
    ranks[order] = below_less_above_ascending(columns.mass[order], last)
    return ranks if columns.descending else -ranks


def compare_with_implied(
    probability: FloatArray, columns: Columns, options: ImpliedOptions
) -> ImpliedComparison:
    """Compare the AR of rows with the one that probabilities of their events imply.

    All numbers but counts are nan if all outcomes are equal; statistic, p-value and limits
    are nan if no outcome could change the AR.
    """
    observed = nan if columns.is_constant else compute_accuracy_ratio(columns)
    expect = expect_shifted if options.shift else expect_as_given
    expected = None if columns.is_constant else expect(probability, columns)
    implied = nan if expected is None else expected.ratio
    error = nan if expected is None else compute_error(expected, columns)
    statistic = p_value = low = high = nan
    if error > NEGLIGIBLE_ERROR:  # and not nan
        n, m = count_classes(columns)
        law, step = fit_beta(implied, error), 1 / (n * m)
        statistic = (observed - implied) / error
        p_value = compute_p_value(observed, law, step, options.alternative)
        low, high = find_range(law, step, options)
    n_events, n_nonevents = columns.class_counts
    return ImpliedComparison(
        observed=observed,
        implied=implied,
        difference=observed - implied,
        standard_error=error,
        low=low,
        high=high,
        confidence_level=options.confidence_level,
        statistic=statistic,
        p_value=p_value,
        alternative=options.alternative,
        shift=nan if expected is None else expected.shift,
        n_events=n_events,
        n_nonevents=n_nonevents,
        expected_events=float(columns.row_counts @ probability),
    )


def expect_as_given(probability: FloatArray, columns: Columns) -> Expected | None:
    """Expect the AR under probabilities as given, whatever the number of events.

    AR = T / (M (W - M)) with T the sum of weight * event * rank, M the weight of the events
    and W that of all rows: mean by its expansion to second order, influence to the first.
    None if only one class is possible.
    """
    mass = columns.mass
    ratio = compute_implied_ratio(probability, columns)
    if isnan(ratio):
        return None
    events, others = mass @ probability, mass @ (1 - probability)
    pairs, slope = events * others, others - events
    ranks = rank_among_all(columns)
    spread = probability * (1 - probability)
    variances = columns.squared_weights * spread
    bias = (
        ratio * variances.sum() * (slope**2 / pairs + 1) - variances @ ranks * slope / pairs
    )
    influence = (ranks - ratio * slope) / pairs
    mean = clip_ratio(ratio + float(bias / pairs))
    return Expected(probability, spread, 0.0, mean, influence)


def expect_shifted(probability: FloatArray, columns: Columns) -> Expected | None:
    """Expect the AR under probabilities shifted until they add up to the events.

    The mean is that to second order, given the weight of the events M: the first order adds
    up the shifted probabilities, the second allows for M being one of many possible ones.
    None if all rows whose outcome is open had the same outcome, so that no shift will do.
    """
    mass, event = columns.mass, columns.target
    is_open = (probability > 0) & (probability < 1)
    seen = event[is_open]
    if not seen.any() or seen.all():
        return None
    log_odds = np.log(probability[is_open]) - np.log1p(-probability[is_open])
    shift = find_shift(log_odds, mass[is_open], float(mass[is_open] @ seen))
    shifted, spread = probability.copy(), np.zeros(len(probability))
    shifted[is_open] = expit(log_odds + shift)
    spread[is_open] = shifted[is_open] * expit(-log_odds - shift)
    ranks = rank_among_all(columns)
    pairs = columns.target_mass * float(mass @ ~event)
    open_mass = mass * spread
    total = open_mass.sum()
    away = ranks - (open_mass @ ranks) / total
    bias = (columns.squared_weights @ spread) * ((open_mass * shifted) @ away) / total**2
    mean = clip_ratio(float(((mass * shifted) @ ranks + bias) / pairs))
    return Expected(shifted, spread, shift, mean, away / pairs)


def find_shift(log_odds: FloatArray, mass: FloatArray, events: float) -> float:
    """Find what to add to log-odds for probabilities that add up to a weight of events.

    Newton's method on the log-odds of the sum, which are nearly linear in the shift, kept
    within the two shifts that would do if all rows had the largest, or the smallest,
    log-odds. Each step makes this range smaller, so it ends.
    """
    total = float(mass.sum())
    middle = log(events) - log(total - events)
    low, high = middle - float(log_odds.max()), middle - float(log_odds.min())
    shift = min(max(0.0, low), high)
    while True:
        probability = expit(log_odds + shift)
        found = float(mass @ probability)
        low, high = (low, shift) if found > events else (shift, high)
        following = (low + high) / 2
        slope = float(mass @ (probability * (1 - probability)))
        if 0 < found < total and slope > 0:
            excess = log(found) - log(total - found) - middle
            step = shift - excess * found * (total - found) / (total * slope)
            following = step if low < step < high else following
        if abs(found - events) <= PRECISION * events or not low < following < high:
            return shift
        shift = following


def expit(log_odds: FloatArray) -> FloatArray:
    """Convert log-odds to probabilities."""
    with np.errstate(over="ignore"):
        probability: FloatArray = 1 / (1 + np.exp(-log_odds))
    return probability


def compute_error(expected: Expected, columns: Columns) -> float:
    """Compute the standard error of observed less implied AR if probabilities are right.

    Rows of one cluster may depend on each other in any way; their residuals are summed.
    """
    cluster = columns.weights.cluster
    if cluster is None:
        variance = (columns.squared_weights * expected.spread) @ expected.influence**2
    else:
        residual = columns.mass * (columns.target - expected.probability)
        variance = (np.bincount(cluster, residual * expected.influence) ** 2).sum()
    return sqrt(variance)


def fit_beta(implied: float, error: float) -> tuple[float, float]:
    """Return the parameters of the beta distribution with mean and variance of an AUC."""
    mean = clip((1 + implied) / 2, ROUNDING, 1 - ROUNDING)
    size = max(mean * (1 - mean) / (error / 2) ** 2 - 1, LEAST_SIZE)
    return mean * size, (1 - mean) * size


def compute_p_value(
    observed: float, law: tuple[float, float], step: float, alternative: Alternative
) -> float:
    """Compute the probability of an AR at least as extreme, up to half a step of AUC."""
    up, down = law
    tail = import_scipy("special").betainc
    below = float(tail(up, down, min((1 + observed + step) / 2, 1.0)))
    above = float(tail(down, up, min((1 - observed + step) / 2, 1.0)))
    tails = {"less": below, "greater": above, "two-sided": min(2 * below, 2 * above, 1.0)}
    return tails[alternative]


def find_range(
    law: tuple[float, float], step: float, options: ImpliedOptions
) -> tuple[float, float]:
    """Find the limits between which AR is expected, one of them for one-sided tests."""
    sides = {"two-sided": (1, 1), "less": (2, 0), "greater": (0, 2)}[options.alternative]
    miss = (1 - options.confidence_level) / 2
    up, down = law
    quantile = import_scipy("special").betaincinv
    low = 2 * float(quantile(up, down, sides[0] * miss)) - 1 - step
    high = 1 - 2 * float(quantile(down, up, sides[1] * miss)) + step
    return max(low, -1.0), min(high, 1.0)


def count_classes(columns: Columns) -> tuple[float, float]:
    """Return the numbers of events and non-events; with weights, the effective ones."""
    sizes = []
    for members in (columns.target, ~columns.target):
        weight, squares = columns.mass[members], columns.squared_weights[members]
        sizes.append(float(weight.sum() ** 2 / squares.sum()))
    return sizes[0], sizes[1]


def has_few_errors(comparison: ImpliedComparison, columns: Columns) -> bool:
    """Whether so few wrongly ranked pairs are expected that the test may miss its level."""
    return count_errors(comparison, columns) < FEW_ERRORS


def count_errors(comparison: ImpliedComparison, columns: Columns) -> float:
    """Count the rows of the rarer class by the share of pairs that are ranked wrongly.

    With weights their effective number counts, with clusters at most that of clusters. nan
    if the test is undefined.
    """
    if isnan(comparison.p_value):
        return nan
    size = min(count_classes(columns))
    if columns.weights.cluster is not None:
        size = min(size, columns.n_minority)
    return size * (1 - abs(comparison.implied)) / 2


def explain_undefined(columns: Columns) -> str:
    """Say why the test is undefined."""
    if columns.is_constant:
        return explain_constant(columns)
    return (
        "all rows that may turn out either way rank alike, or had the same outcome, so no "
        "other accuracy ratio was possible"
    )
