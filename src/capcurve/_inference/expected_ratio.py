"""The accuracy ratio to expect of rows whose outcomes have given probabilities."""

from math import isnan, log, nan, sqrt
from typing import NamedTuple

import numpy as np

from capcurve._engines.rows import below_less_above_ascending
from capcurve._input.columns import Columns
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.order import find_ascending_order, find_run_ends
from capcurve._tally.sums import dot
from capcurve._tally.tally import clip_ratio

PRECISION = 1e-14  # of the sum of shifted probabilities, relative to the events


class Expected(NamedTuple):
    """What probabilities that are right make of the accuracy ratio.

    Attributes
    ----------
    shift : float
        What was added to the log-odds.
    ratio, error : float
        Mean and standard deviation of the accuracy ratio.
    """

    shift: float
    ratio: float
    error: float


def compute_implied_ratio(probability: FloatArray, columns: Columns) -> float:
    """Compute the AR that probabilities imply; nan if they allow for one class only.

    The target of the columns is not looked at.
    """
    mass = columns.mass
    events = dot(mass, probability)
    pairs = events * dot(mass, 1 - probability)
    if not pairs > 0:
        return nan
    return clip_ratio(dot(mass * probability, rank_among_all(columns)) / pairs)


def rank_among_all(columns: Columns) -> FloatArray:
    """Return the weight ranked below less that ranked above each row, among all rows."""
    order = find_ascending_order(columns.score)
    last = find_run_ends(columns.score[order])
    ranks = np.empty(len(order))
    ranks[order] = below_less_above_ascending(columns.mass[order], last)
    return ranks if columns.descending else -ranks


def expect_as_given(probability: FloatArray, columns: Columns) -> Expected | None:
    """Expect the AR under probabilities as given, whatever the number of events.

    AR = T / (M (W - M)) with T the sum of weight * event * rank, M the weight of the events
    and W that of all rows: mean by its expansion to second order, error to the first. None
    if only one class is possible.
    """
    mass = columns.mass
    ratio = compute_implied_ratio(probability, columns)
    if isnan(ratio):
        return None
    events, others = dot(mass, probability), dot(mass, 1 - probability)
    pairs, slope = events * others, others - events
    ranks = rank_among_all(columns)
    variances = columns.squared_weights * probability * (1 - probability)
    bias = ratio * float(variances.sum()) * (slope**2 / pairs + 1)
    bias -= dot(variances, ranks) * slope / pairs
    with np.errstate(over="ignore"):  # probabilities of 1e-200 leave any AR possible
        influence = (ranks - ratio * slope) / pairs
        influence[variances == 0] = 0.0  # or it could be 0 times infinity
        variance = dot(variances, influence**2)
        residual = (columns.target - probability) * influence
        variance *= compute_design_effect(residual, columns)
    return Expected(0.0, clip_ratio(ratio + bias / pairs), sqrt(variance))


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
    shift = find_shift(log_odds, mass[is_open], dot(mass[is_open], seen))
    shifted, spread = probability.copy(), np.zeros(len(probability))
    shifted[is_open] = expit(log_odds + shift)
    spread[is_open] = shifted[is_open] * expit(-log_odds - shift)
    ranks = rank_among_all(columns)
    pairs = columns.target_mass * dot(mass, ~event)
    open_mass = mass * spread
    total = float(open_mass.sum())
    influence = (ranks - dot(open_mass, ranks) / total) / pairs
    variances = columns.squared_weights * spread
    bias = float(variances.sum()) * dot(open_mass * shifted, influence) / total**2
    mean = clip_ratio(dot(mass * shifted, ranks) / pairs + bias)
    variance = dot(variances, influence**2)
    variance *= compute_design_effect((event - shifted) * influence, columns)
    return Expected(shift, mean, sqrt(variance))


def compute_design_effect(residual: FloatArray, columns: Columns) -> float:
    """Compute by how much clusters add to a variance; 1 without any.

    It is the sum of the squared residuals of clusters over that of rows, at least 1.
    """
    cluster = columns.weights.cluster
    if cluster is None:
        return 1.0
    of_rows = dot(columns.squared_weights, residual**2)
    sums = np.bincount(cluster, columns.mass * residual)
    return max(1.0, dot(sums, sums) / of_rows) if of_rows > 0 else 1.0


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
        found = dot(mass, probability)
        low, high = (low, shift) if found > events else (shift, high)
        following = (low + high) / 2
        slope = dot(mass, probability * (1 - probability))
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
