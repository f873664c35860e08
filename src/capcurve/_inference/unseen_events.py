"""The variance that grades without events hide.

A grade of 30 rows without an event looks as if its event rate were known to be 0. Half of
the binomial variance that it lacks is added: that at the rate of a logistic curve through
all grades, which has the event rate and the accuracy ratio of the sample.
"""

from typing import NamedTuple

import numpy as np

from capcurve._inference.expected_ratio import expit
from capcurve._tally.dtypes import FloatArray

ADDED = (
    0.5  # all of it covers 99 % where 95 % is meant, none of it 77 % (docs/inference.md)
)
MAX_STEPS = 100
SMALL_STEP = 1e-12


class UnseenEvents(NamedTuple):
    """What is added for each grade: to the variance of its event rate, and its 4th moment.

    Both have the shape (n_samples, n_grades).
    """

    variance: FloatArray
    fourth: FloatArray


def find_unseen_events(
    rate: FloatArray, units: FloatArray, position: FloatArray
) -> UnseenEvents:
    """Compute what grades lack in variance.

    Parameters
    ----------
    rate : ndarray of float64, shape (n_samples, n_grades)
        Event rate of each grade; 0 where a sample has no rows.
    units : ndarray of float64, shape (n_samples, n_grades)
        Number of independent rows in each grade.
    position : ndarray of float64, shape (n_samples, n_grades)
        Share ranked below less share ranked above each grade.
    """
    fitted = np.array(
        [fit_rates(*sample) for sample in zip(rate, units, position, strict=True)]
    )
    rows = np.where(units > 0, units, np.inf)
    second, fourth = (
        np.maximum(moment(fitted) - moment(rate), 0) for moment in (variance_of, fourth_of)
    )
    return UnseenEvents(ADDED * second / rows, ADDED * fourth / rows**3)


def variance_of(rate: FloatArray) -> FloatArray:
    """Variance of one row, an event at this rate."""
    return rate * (1 - rate)


def fourth_of(rate: FloatArray) -> FloatArray:
    """Fourth central moment of one row, an event at this rate."""
    return rate * (1 - rate) * (rate**3 + (1 - rate) ** 3)


def fit_rates(rate: FloatArray, units: FloatArray, position: FloatArray) -> FloatArray:
    """Fit a logistic curve of the event rate over the position of the grade.

    Its two equations say that the fitted events, and their sum of positions, are those of
    the sample: the event rate and, up to a factor, the accuracy ratio. One more row, half
    of it an event, is spread over all grades, so that the curve exists.
    """
    spread = units / units.sum()
    rows, events = units + spread, rate * units + spread / 2
    design = np.stack([np.ones_like(position), position])
    share = events.sum() / rows.sum()
    line = np.array([np.log(share / (1 - share)), 0.0])
    for _ in range(MAX_STEPS):
        fitted = expit(line @ design)
        missed = design @ (events - rows * fitted)
        curvature = (design * (rows * variance_of(fitted))) @ design.T
        step = np.linalg.lstsq(curvature, missed, rcond=None)[0]
        line = line + np.clip(step, -1, 1)
        if np.abs(step).max() < SMALL_STEP:
            break
    return expit(line @ design)
