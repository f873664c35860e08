"""Tests of the accuracy ratios of segments."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from capcurve._inference.accuracy_ratio import estimate_accuracy_ratio
from capcurve._inference.angles import (
    Angle,
    PairTest,
    average_angles,
    compare_all_angles,
    compare_angles,
    fit_line,
    measure_segment,
)
from capcurve._inference.contrasts import adjust_holm
from capcurve._inference.estimate import Estimate, make_undefined_estimate
from capcurve._inference.options import FEW_ERRORS, FEW_EVENTS, IntervalOptions
from capcurve._inference.pooled_ratio import estimate_pooled_ratio
from capcurve._inference.shared_clusters import Shared, correlate_segments
from capcurve._inference.trend import Trend, describe_trend
from capcurve._inference.wording import (
    format_counts,
    format_interval,
    format_p_value,
)
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label
from capcurve._input.few_amounts import find_few_columns
from capcurve._input.segments import Segmented, split_segments
from capcurve._public import public
from capcurve.exceptions import CapcurveError

# Wrongly ranked events that segments should show on average for a test of all of them.
FEW_ERRORS_ON_AVERAGE = 6

PAIR = 2


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SegmentComparison:
    """Tests of the accuracy ratios of segments, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    statistic : float
        F statistic of the test that AR is the same in all segments; nan if fewer than two
        segments can be tested.
    degrees_of_freedom : tuple of float
        Degrees of freedom of F, of the numerator and of the denominator.
    p_value : float
        p-value of the hypothesis that AR is the same in all segments.
    pooled : Estimate
        Pooled AR: that of all pairs of rows of the same segment.
    estimates : mapping of class label to Estimate
        AR of each segment with its interval.
    rest : mapping of class label to float
        Pooled AR of the other segments that can be tested.
    p_values : mapping of class label to float
        Two-sided p-value of the hypothesis that the AR of the segment equals that of the
        rest, without adjustment for other segments. nan if it cannot be tested: without
        events or non-events, or with a single one.
    p_holm, p_bh : mapping of class label to float
        The same, adjusted by the methods of Holm, and of Benjamini and Hochberg, for the
        segments that are not ``left_out``; nan for those that are.
    rest_statistics, rest_degrees_of_freedom : mapping of class label to float
        Welch's t of the segment against the rest, and its degrees of freedom.
    trend : Trend or None
        Linear trend over ordered segments, such as years; None if they are not ordered or
        fewer than two can be tested.
    few_events : tuple of class labels
        Segments whose test against the rest may miss its level.
    left_out : tuple of class labels
        Segments that take no part in the test of all segments and in the trend: they have
        fewer than 20 events or non-events in effect, or none that can be tested. If fewer
        than two have 20, all that can be tested take part. Of ordered segments, also rows
        without one.
    is_reliable : bool or None
        Whether the test of all segments and that of the trend keep their level; None if
        they cannot be made.
    shares_clusters : bool
        Whether clusters have rows in several segments. All tests then allow for the
        covariance of segments, and that of all of them has fewer degrees of freedom.

    See Also
    --------
    accuracy_ratio_test_segments : Makes the tests.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_segments
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> data = loans["default"], loans["champion_pd"], loans["segment"]
    >>> accuracy_ratio_test_segments(*data).p_holm
    {'corporate': 0.59..., 'retail': 0.59..., 'small business': 0.58...}
    """

    statistic: float
    degrees_of_freedom: tuple[float, float]
    p_value: float
    pooled: Estimate
    estimates: Mapping[Label, Estimate]
    rest: Mapping[Label, float]
    p_values: Mapping[Label, float]
    p_holm: Mapping[Label, float]
    p_bh: Mapping[Label, float]
    rest_statistics: Mapping[Label, float]
    rest_degrees_of_freedom: Mapping[Label, float]
    trend: Trend | None
    few_events: tuple[Label, ...]
    left_out: tuple[Label, ...]
    is_reliable: bool | None
    shares_clusters: bool = False

    def __repr__(self) -> str:
        numerator, denominator = self.degrees_of_freedom
        trend = "" if self.trend is None else f"; {self.trend!r}"
        n_segments = len(self.estimates)
        some = f"{n_segments - len(self.left_out)} of " if self.left_out else ""
        return (
            f"AR of {some}{n_segments} segments: all equal F = {self.statistic:.3f} "
            f"with {numerator:.4g} and {denominator:.1f} degrees of freedom, "
            f"{format_p_value(self.p_value, self.pooled.confidence_level)}; "
            f"pooled AR {self.pooled.value:.3f}, {format_interval(self.pooled)} "
            f"({self.pooled.method}, {format_counts(self.pooled)}){trend}"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook_samples import view_segments

        return view_segments(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute; estimates and the trend are dictionaries too. Infinite
            and nan values stay floats.

        Examples
        --------
        >>> from capcurve import accuracy_ratio_test_segments
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> data = loans["default"], loans["champion_pd"], loans["segment"]
        >>> accuracy_ratio_test_segments(*data).to_dict()["rest"]["retail"]
        0.5294...
        """
        return {
            **{name: getattr(self, name) for name in self.__dataclass_fields__},
            "pooled": self.pooled.to_dict(),
            "estimates": {
                label: estimate.to_dict() for label, estimate in self.estimates.items()
            },
            "trend": None if self.trend is None else self.trend.to_dict(),
        }


def compare_segments(
    labels: Sequence[Label],
    rows: Segmented,
    options: IntervalOptions,
    *,
    ordered: bool = False,
    untested: Collection[int] = (),
) -> SegmentComparison:
    """Test segments against each other, against the rest, and, if ordered, for a trend.

    ``untested`` are the numbers of segments that no test includes: rows without a period
    are no period.
    """
    refuse_amounts(rows)
    estimates: dict[Label, Estimate] = {}
    angles: dict[Label, Angle] = {}
    places: dict[Label, int] = {}
    for number, part in enumerate(split_segments(rows, len(labels))):
        label = labels[number]
        estimates[label] = estimate_segment(part, options)
        if number not in untested and (angle := measure_segment(part)) is not None:
            angles[label], places[label] = angle, number
    tested_rows = leave_out(rows, untested)
    shared = Shared(list(labels), correlate_segments(tested_rows, len(labels)))
    large = choose_large(angles)
    line = None
    if ordered:
        positions = [places[label] for label in large]
        line = fit_line(positions, list(large.values()), shared.among(large))
    equality = compare_all_angles(list(large.values()), shared.among(large))
    rest, tests = compare_with_rest(angles, shared)
    p_values = {label: test.p_value for label, test in tests.items()}
    tested = [label for label in labels if label in p_values]
    family = [label for label in tested if label in large]
    raw = [p_values[label] for label in family]
    # Two segments are each the other's rest: one hypothesis. Small ones do not count.
    holm = adjust_holm(raw) if len(tested) > PAIR else raw
    undefined = dict.fromkeys(labels, nan)
    return SegmentComparison(
        statistic=equality.statistic,
        degrees_of_freedom=equality.degrees_of_freedom,
        p_value=equality.p_value,
        pooled=estimate_pooled_ratio(rows, options),
        estimates=estimates,
        rest=undefined | rest,
        p_values=undefined | p_values,
        p_holm=undefined | dict(zip(family, holm, strict=True)),
        p_bh=undefined | dict(zip(family, adjust_false_discoveries(raw), strict=True)),
        rest_statistics=undefined
        | {label: test.statistic for label, test in tests.items()},
        rest_degrees_of_freedom=undefined
        | {label: test.degrees_of_freedom for label, test in tests.items()},
        trend=None
        if line is None
        else describe_trend(line, len(large), options.confidence_level),
        few_events=tuple(label for label in tested if has_few_events(angles[label])),
        left_out=tuple(label for label in labels if label not in large),
        is_reliable=None
        if isnan(equality.p_value)
        else have_enough_events(list(large.values())),
        shares_clusters=shared.correlation is not None,
    )


def leave_out(rows: Segmented, untested: Collection[int]) -> Segmented:
    """Leave out the rows of segments that no test includes."""
    if not untested:
        return rows
    kept = ~np.isin(rows.segment, list(untested))
    return Segmented(rows.columns[kept], rows.segment[kept])


def choose_large(angles: Mapping[Label, Angle]) -> Mapping[Label, Angle]:
    """Choose the segments of the test of all; all of them if fewer than two are large.

    A segment of a few events leaves the F-test hardly any degrees of freedom, and so hides
    differences of the others. The choice is by size: one by AR would bias the test.
    """
    large = {
        label: angle for label, angle in angles.items() if angle.n_effective >= FEW_EVENTS
    }
    return large if len(large) >= PAIR else angles


def has_few_events(angle: Angle) -> bool:
    """Whether the test of a segment against the rest may miss its level."""
    return angle.n_effective < FEW_EVENTS or angle.n_errors < FEW_ERRORS


def have_enough_events(angles: Sequence[Angle]) -> bool:
    """Whether tests of all segments keep their level."""
    sizes, errors = zip(
        *((each.n_effective, each.n_errors) for each in angles), strict=True
    )
    return min(sizes) >= FEW_EVENTS and bool(np.mean(errors) >= FEW_ERRORS_ON_AVERAGE)


def estimate_segment(columns: Columns, options: IntervalOptions) -> Estimate:
    """Estimate the accuracy ratio of a segment; nan without rows or one of the classes."""
    if not len(columns.target):
        return make_undefined_estimate(columns, options, "AR")
    return estimate_accuracy_ratio(columns, options)


def compare_with_rest(
    angles: Mapping[Label, Angle], shared: Shared
) -> tuple[dict[Label, float], dict[Label, PairTest]]:
    """Compare each segment with the others; return their AR and the test of each.

    The AR of the others is the mean of theirs, weighted by the pairs that each holds.
    """
    rest: dict[Label, float] = {}
    tests: dict[Label, PairTest] = {}
    for label, angle in angles.items():
        others = {name: other for name, other in angles.items() if name != label}
        if others:
            mean = average_angles(list(others.values()), shared.among(others))
            rest[label] = 2 * mean.auc - 1
            tests[label] = compare_angles(angle, mean, shared.covary(angles, label))
    return rest, tests


def adjust_false_discoveries(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for the rate of false discoveries.

    Benjamini and Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.
    """
    n = len(p_values)
    adjusted, smallest = [1.0] * n, 1.0
    for rank, i in enumerate(sorted(range(n), key=p_values.__getitem__, reverse=True)):
        smallest = min(smallest, p_values[i] * n / (n - rank))
        adjusted[i] = smallest
    return adjusted


def refuse_amounts(rows: Segmented) -> None:
    """Raise for amounts, whose tests have not been shown to keep their level."""
    if not rows.columns.has_events:
        few = find_few_columns(rows.columns)
        correct = "" if few is None else f"{few}, or "
        raise CapcurveError(
            f"a test of segments requires 0/1 events, got amounts; {correct}compare two "
            "of them as two samples (by the change of AR, if they share clusters), or look "
            "at the intervals of all"
        )
