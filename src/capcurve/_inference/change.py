"""Change of the accuracy ratio between two samples: mix of the grades, and ranking."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import isnan, nan, sqrt
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from capcurve._inference.accuracy_ratio import estimate_accuracy_ratio
from capcurve._inference.estimate import Estimate
from capcurve._inference.grades import check_bands, make_grades
from capcurve._inference.limits import (
    NEGLIGIBLE_ERROR,
    clip,
    t_quantile,
    two_sided_p_value,
)
from capcurve._inference.mixture import (
    Mixture,
    Portfolios,
    combine,
    find_variance,
    make_portfolios,
    mix,
)
from capcurve._inference.options import IntervalOptions, check_confidence_level
from capcurve._inference.reliability import has_few_events
from capcurve._inference.wording import (
    OF_AMOUNTS,
    format_apart,
    format_interval,
    format_p_value,
    format_value,
    is_of_amounts,
    name_counted,
)
from capcurve._input.column import format_labels
from capcurve._input.columns import Columns
from capcurve._input.options import check_word
from capcurve._input.score import name_grades
from capcurve._public import public
from capcurve._tally.dtypes import Array, FloatArray, IntArray
from capcurve.exceptions import CapcurveError

EmptyGrades = Literal["refuse", "other"]
Shares = Literal["estimated", "known"]

FIRST, SECOND = 0, 1
LARGEST = 2.0  # change of an accuracy ratio
# Shapley value of each part: the mean over both orders in which shares and rates change.
# The names say whose shares come with whose rates.
FACTORS = {
    "total": {"first first": -1.0, "second second": 1.0},
    "mix": {
        "second first": 0.5,
        "first first": -0.5,
        "second second": 0.5,
        "first second": -0.5,
    },
    "ranking": {
        "first second": 0.5,
        "first first": -0.5,
        "second second": 0.5,
        "second first": -0.5,
    },
}


class ChangeOptions(NamedTuple):
    """How to explain a change."""

    bands: int | None = None
    shares: Shares = "estimated"
    empty_grades: EmptyGrades = "refuse"
    confidence_level: float = 0.95


def check_change_options(options: ChangeOptions) -> None:
    """Raise if an option is invalid."""
    check_bands(options.bands)
    check_word(options.shares, "shares", get_args(Shares))
    check_word(options.empty_grades, "empty_grades", get_args(EmptyGrades))
    check_confidence_level(options.confidence_level)


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ChangePart:
    """A part of the change of an accuracy ratio, with its interval, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    name : {'total', 'mix', 'ranking'}
        Which part it is.
    value : float
        The part, from -2 to 2; nan if it is undefined.
    standard_error : float
        Standard error of ``value``.
    low, high : float
        Confidence limits; nan if the standard error is unknown.
    confidence_level : float
        Nominal coverage of the interval, strictly between 0 and 1.
    p_value : float
        Two-sided p-value of the hypothesis that the part is 0.
    degrees_of_freedom : float
        Degrees of freedom of Student's t.

    See Also
    --------
    accuracy_ratio_change : Computes the parts of a change.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_change
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> grade = [ord(letter) for letter in loans["grade"]]
    >>> year = loans["year"]
    >>> change = accuracy_ratio_change(loans["default"], grade, year, samples=(2021, 2024))
    >>> change.mix
    mix -0.011, 95 % interval -0.032 to 0.010, p = 0.314
    """

    name: str
    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    p_value: float
    degrees_of_freedom: float

    def __repr__(self) -> str:
        return (
            f"{self.name} {format_value(self.value)}, {format_interval(self)}, "
            f"{format_p_value(self.p_value, self.confidence_level)}"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook_samples import view_part

        return view_part(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute. Infinite and nan values stay floats.

        Examples
        --------
        >>> from capcurve import accuracy_ratio_change
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> grade = [ord(letter) for letter in loans["grade"]]
        >>> year = loans["year"]
        >>> change = accuracy_ratio_change(
        ...     loans["default"], grade, year, samples=(2021, 2024)
        ... )
        >>> change.mix.to_dict()["name"]
        'mix'
        """
        return asdict(self)


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AccuracyRatioChange:
    """Change of the accuracy ratio between two samples and its two parts, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    first, second : Estimate
        Accuracy ratio of each sample, by the default method of `accuracy_ratio_interval`.
    total : ChangePart
        Change: ``second.value - first.value``.
    mix : ChangePart
        Part of the change that the shares of the grades make.
    ranking : ChangePart
        Part that the outcomes within grades make. Up to rounding,
        ``mix.value + ranking.value == total.value``.
    samples : tuple
        Names of the first and the second sample.
    n_grades : int
        Number of grades or bands.
    are_bands : bool
        Whether a grade is a band of several scores.
    has_few_events : bool
        Whether the intervals cannot promise their level: in a sample the smaller of
        the numbers of events and non-events, times the smaller of AUC and 1 - AUC, is below
        5; of amounts, fewer than 20 are above 0, or there are fewer than 20 effective pairs
        (``n_effective``). Weighted rows count as Kish's effective number, dependent rows as
        clusters.

    See Also
    --------
    accuracy_ratio_change : Computes it.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_change
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> grade = [ord(letter) for letter in loans["grade"]]
    >>> year = loans["year"]
    >>> change = accuracy_ratio_change(loans["default"], grade, year, samples=(2021, 2024))
    >>> change.ranking
    ranking 0.003, 95 % interval -0.123 to 0.129, p = 0.960
    >>> round(change.mix.value + change.ranking.value - change.total.value, 12)
    0.0
    """

    first: Estimate
    second: Estimate
    total: ChangePart
    mix: ChangePart
    ranking: ChangePart
    samples: tuple[Any, Any]
    n_grades: int
    are_bands: bool
    has_few_events: bool

    def __repr__(self) -> str:
        total = self.total
        parts = ", ".join(
            f"{part.name} {part.value:z.3f} ({format_apart(part.low, 0)} to "
            f"{format_apart(part.high, 0)})"
            for part in (self.mix, self.ranking)
        )
        first, second = self.samples
        is_amount = is_of_amounts(self.first)
        of = f" {OF_AMOUNTS}" * is_amount
        return (
            f"AR{of} change {total.value:z.3f} ({self.second.value:.3f} - "
            f"{self.first.value:.3f}), {format_interval(total)}: {parts} ({second} "
            f"against {first}, {self.n_grades} {'bands' if self.are_bands else 'grades'}, "
            f"{self.second.n_events:,} and {self.first.n_events:,} "
            f"{name_counted(is_amount=is_amount)})"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook_samples import view_change

        return view_change(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute, with a dictionary per estimate and part.

        Examples
        --------
        >>> from capcurve import accuracy_ratio_change
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> grade = [ord(letter) for letter in loans["grade"]]
        >>> year = loans["year"]
        >>> change = accuracy_ratio_change(
        ...     loans["default"], grade, year, samples=(2021, 2024)
        ... )
        >>> change.to_dict()["samples"], change.to_dict()["n_grades"]
        ((2021, 2024), 8)
        """
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: value.to_dict() if isinstance(value, Estimate | ChangePart) else value
            for name, value in named.items()
        }


def explain_change(
    columns: Columns,
    is_second: Array,
    samples: tuple[Any, Any],
    options: ChangeOptions,
    names: tuple[str, ...] | None = None,
) -> AccuracyRatioChange:
    """Split the change of AR between two samples of checked rows into its parts.

    ``names`` are those of the scores 0, 1, ..., where the score is an ordered grade.
    """
    sample = is_second.astype(np.int64)
    interval = IntervalOptions(options.confidence_level)
    each = [columns[sample == which] for which in (FIRST, SECOND)]
    first, second = (estimate_accuracy_ratio(rows, interval) for rows in each)
    grades = make_grades(columns, average_shares(columns, sample), options.bands)
    if isnan(first.value) or isnan(second.value):
        parts = {name: make_part(name, nan, nan, nan, options) for name in FACTORS}
    else:
        portfolios = make_portfolios(columns, sample, grades)
        sources = find_sources(portfolios, samples, options, names)
        parts = find_parts(portfolios, sources, (first.value, second.value), options)
    return AccuracyRatioChange(
        first=first,
        second=second,
        samples=samples,
        n_grades=grades.size,
        are_bands=grades.are_bands,
        has_few_events=any(
            has_few_events(rows, own.value, own.n_effective)
            for rows, own in zip(each, (first, second), strict=True)
        ),
        **parts,
    )


def average_shares(columns: Columns, sample: IntArray) -> FloatArray:
    """Return the share of each row in its sample, so that both samples weigh the same."""
    return np.asarray(columns.mass / np.bincount(sample, columns.mass)[sample])


def find_sources(
    portfolios: Portfolios,
    samples: tuple[Any, Any],
    options: ChangeOptions,
    names: tuple[str, ...] | None,
) -> IntArray:
    """Return which sample gives the outcomes of each grade, where one lacks its rows.

    The result has the shape (2, n_grades), a row for each sample that should.
    """
    has_rows = portfolios.mass > 0
    if options.empty_grades == "refuse" and not has_rows.all():
        which, grade = np.argwhere(~has_rows)[0]
        lowest = name_grades(portfolios.grades.lowest[[grade]], names)
        kind = "the band from" if portfolios.grades.are_bands else "grade"
        has_events = portfolios.columns.has_events
        what, verb = ("event rate", "is") if has_events else ("amounts", "are")
        raise CapcurveError(
            f"each grade must have rows in both samples, as its {what} {verb} unknown "
            f"otherwise, got none of {kind} {format_labels(lowest)} in sample "
            f"{samples[which]!r}; merge it with a neighbour, or pass "
            f"`empty_grades='other'` to take its {what} from the other sample"
        )
    own = np.array([[FIRST], [SECOND]])
    return np.where(has_rows, own, 1 - own)


def find_parts(
    portfolios: Portfolios,
    sources: IntArray,
    ratios: tuple[float, float],
    options: ChangeOptions,
) -> dict[str, ChangePart]:
    """Compute the parts of a change, with their intervals."""
    is_known = options.shares == "known"
    words = ("first", "second")
    mixtures = {
        f"{words[shares]} {words[rates]}": mix(
            portfolios,
            portfolios.share[shares],
            sources[rates],
            None if is_known else shares,
        )
        for shares in (FIRST, SECOND)
        for rates in (FIRST, SECOND)
    }
    # As other functions give them: weighted sums would round.
    for name, ratio in zip(("first first", "second second"), ratios, strict=True):
        mixtures[name] = mixtures[name]._replace(ratio=ratio)
    unseen = portfolios.unseen_events
    parts = {}
    for name, factors in FACTORS.items():
        part: Mixture = combine(mixtures, factors)
        variance, df = find_variance(portfolios, part, unseen)
        parts[name] = make_part(name, part.ratio, sqrt(variance), df, options)
    return parts


def make_part(
    name: str, value: float, error: float, df: float, options: ChangeOptions
) -> ChangePart:
    """Make a part of a change, with limits from Student's t and a p-value."""
    low = high = p_value = nan
    value = 0.0 if abs(value) <= NEGLIGIBLE_ERROR else value  # what rounding leaves
    if error > NEGLIGIBLE_ERROR:
        reach = t_quantile((1 + options.confidence_level) / 2, df) * error
        low, high = (clip(value + side * reach, -LARGEST, LARGEST) for side in (-1, 1))
        p_value = two_sided_p_value(value / error, df)
    return ChangePart(
        name=name,
        value=value,
        standard_error=error,
        low=low,
        high=high,
        confidence_level=options.confidence_level,
        p_value=p_value,
        degrees_of_freedom=df,
    )
