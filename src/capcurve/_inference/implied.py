"""The accuracy ratio that probabilities imply, and the test of the observed one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isnan, nan
from typing import Any, NamedTuple, get_args

import numpy as np

from capcurve._engines.rows import compute_accuracy_ratio
from capcurve._inference.expected_ratio import Expected, expect_as_given, expect_shifted
from capcurve._inference.limits import (
    NEGLIGIBLE_ERROR,
    clip,
    import_scipy,
)
from capcurve._inference.options import Side, check_confidence_level
from capcurve._inference.wording import (
    format_count,
    format_p_value,
    format_range,
    format_value,
)
from capcurve._input.columns import Columns, explain_constant
from capcurve._input.options import check_flags, check_word
from capcurve._public import public
from capcurve._tally.contrast import ROUNDING
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.sums import dot

FEW_ERRORS = 2  # minority rows times share of pairs ranked the rarer way; see the docs
LEAST_SIZE = 1e-3  # of a beta distribution, whose parameters must be positive


class ImpliedOptions(NamedTuple):
    """How to compare: with shifted probabilities or not, in which direction, how sure."""

    shift: bool = True
    alternative: Side = "two-sided"
    confidence_level: float = 0.95


def check_implied_options(options: ImpliedOptions) -> None:
    """Raise if an option is invalid."""
    check_flags(shift=options.shift)
    check_word(options.alternative, "alternative", get_args(Side))
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
        Standard deviation of the accuracy ratio if the probabilities are right.
    low, high : float
        Limits between which the accuracy ratio lies in a share ``confidence_level`` of
        samples, if the probabilities are right. Of a one-sided test one of them is the end
        of the scale, -1 or 1.
    confidence_level : float
        Probability of an accuracy ratio within the limits, strictly between 0 and 1.
    statistic : float
        ``difference / standard_error``; nan if no outcome could change the accuracy ratio.
        The p-value does not come from it, but from a beta distribution.
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
        Sum of the probabilities as given: the number of events that they promise. Like the
        number of events, it counts rows of unequal weight once each, while ``shift`` is
        found by weight.

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
    alternative: Side
    shift: float
    n_events: int
    n_nonevents: int
    expected_events: float

    def __repr__(self) -> str:
        return (
            f"AR {format_value(self.observed)}, implied {format_value(self.implied)}, "
            f"{format_range(self)} if the probabilities are right, "
            f"{format_p_value(self.p_value, self.confidence_level)} ({self.alternative}, "
            f"shift {format_value(self.shift)}, "
            f"{format_count(self.n_events, 'event')}, "
            f"{format_count(self.n_nonevents, 'non-event')}, "
            f"{self.expected_events:,.1f} events expected)"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook import view_implied

        return view_implied(self)

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
    shift, implied, error = expected or Expected(nan, nan, nan)
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
        shift=shift,
        n_events=n_events,
        n_nonevents=n_nonevents,
        expected_events=float(dot(columns.row_counts, probability)),
    )


def fit_beta(implied: float, error: float) -> tuple[float, float]:
    """Return the parameters of the beta distribution with mean and variance of an AUC."""
    mean = clip((1 + implied) / 2, ROUNDING, 1 - ROUNDING)
    size = max(mean * (1 - mean) / (error / 2) ** 2 - 1, LEAST_SIZE)
    return mean * size, (1 - mean) * size


def compute_p_value(
    observed: float, law: tuple[float, float], step: float, alternative: Side
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
    """Return the effective numbers of events and non-events: of rows, or of clusters.

    They are the numbers of equal weights whose sum varies as much; without weights and
    clusters those of the rows.
    """
    cluster = columns.weights.cluster
    sizes = []
    for members in (columns.target, ~columns.target):
        mass, squares = columns.mass[members], columns.squared_weights[members]
        if cluster is not None:
            squares = np.square(np.bincount(cluster[members], mass))
        sizes.append(float(mass.sum() ** 2 / squares.sum()))
    return sizes[0], sizes[1]


def has_few_errors(comparison: ImpliedComparison, columns: Columns) -> bool:
    """Whether so few wrongly ranked pairs are expected that the test may miss its level."""
    return count_errors(comparison, columns) < FEW_ERRORS


def count_errors(comparison: ImpliedComparison, columns: Columns) -> float:
    """Count the rows of the rarer class by the share of pairs that are ranked wrongly.

    nan if the test is undefined.
    """
    if isnan(comparison.p_value):
        return nan
    return min(count_classes(columns)) * (1 - abs(comparison.implied)) / 2


def explain_undefined(columns: Columns) -> str:
    """Say why the test is undefined."""
    if columns.is_constant:
        return explain_constant(columns)
    if columns.score.min() == columns.score.max():
        return "all scores are equal, so no other accuracy ratio was possible"
    return (
        "all rows that may turn out either way rank alike, or had the same outcome, so no "
        "other accuracy ratio was possible"
    )
