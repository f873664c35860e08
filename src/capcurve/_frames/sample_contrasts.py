"""Contrasts of a sample with the one of reference: the rows of both, and their test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from capcurve._engines.row_rankings import Ranking
from capcurve._frames.gain_capture_change import Samples
from capcurve._inference.comparison import Hypothesis
from capcurve._inference.estimate import Comparison
from capcurve._inference.sample_comparison import compare_two_samples
from capcurve._input.column import format_labels
from capcurve._input.columns import Columns
from capcurve._input.options import show
from capcurve.exceptions import CapcurveError


class Contrast(NamedTuple):
    """Rows of a group in a sample and in the reference; None where it has none."""

    group: int
    pair: tuple[Any, Any]
    rows: tuple[Columns | None, Columns | None]

    @property
    def counts(self) -> tuple[int, int]:
        """Numbers of events."""
        first, second = (0 if each is None else each.class_counts[0] for each in self.rows)
        return first, second


class TestedContrast(NamedTuple):
    """A contrast and its test; None where it is undefined."""

    contrast: Contrast
    test: Comparison | None


def list_pairs(samples: Samples, name: str, against: Any) -> list[tuple[int, int, int]]:
    """List groups with the numbers of a sample and of the reference."""
    numbers = {label: number for number, label in enumerate(samples.labels)}
    try:
        reference = numbers.get(against)
    except TypeError:  # such as a list
        reference = None
    if reference is None:
        raise CapcurveError(
            f"`against` must be a value of `{name}` ({format_labels(samples.labels)}), got "
            f"{show(against)}; pass the sample that the others are compared with"
        )
    return [
        (group, number, reference)
        for group in range(samples.groups.number)
        for number in range(len(samples.labels))
        if number != reference
    ]


def make_contrast(
    ranking: Ranking,
    rows: Mapping[int, Any],
    samples: Samples,
    place: tuple[int, int, int],
) -> Contrast:
    """Take the rows of a group in a sample and in the reference."""
    group, *numbers = place
    places = [samples.keys.get((group, number), -1) for number in numbers]
    first, second = (
        ranking.columns[rows[each]] if each in rows else None for each in places
    )
    labels = samples.labels[numbers[0]], samples.labels[numbers[1]]
    return Contrast(group, labels, (first, second))


def run_test(
    contrast: Contrast, fraction: float | None, hypothesis: Hypothesis
) -> TestedContrast:
    """Test a difference; it is undefined without rows, or if all outcomes are equal."""
    first, second = contrast.rows
    if first is None or second is None or first.is_constant or second.is_constant:
        return TestedContrast(contrast, None)
    test = compare_two_samples(first, second, fraction, hypothesis)
    return TestedContrast(contrast, test)
