"""Contrasts of a sample with the one of reference: the rows of both, and their test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from capcurve._engines.row_rankings import Ranking
from capcurve._frames.gain_capture_change import Samples
from capcurve._inference.comparison import Hypothesis
from capcurve._inference.estimate import Comparison
from capcurve._inference.sample_comparison import compare_two_samples, find_value
from capcurve._input.column import format_labels
from capcurve._input.columns import Columns
from capcurve._input.options import show
from capcurve.exceptions import CapcurveError


class Contrast(NamedTuple):
    """Rows of a group in a sample and in the reference, to compare.

    Attributes
    ----------
    group : int
    pair : tuple of two labels
    rows : tuple of Columns or None
        The complete rows of each; None where there is none.
    has_rows : tuple of bool
        Whether each has rows in the group, though perhaps no complete one.
    """

    group: int
    pair: tuple[Any, Any]
    rows: tuple[Columns | None, Columns | None]
    has_rows: tuple[bool, bool]

    @property
    def counts(self) -> tuple[int, int]:
        """Numbers of events."""
        first, second = (0 if each is None else each.class_counts[0] for each in self.rows)
        return first, second

    def explain(self) -> str:
        """Say why the samples cannot be compared; empty if they can."""
        ends = zip(self.pair, self.rows, self.has_rows, strict=True)
        return " and ".join(filter(None, (explain_sample(*end) for end in ends)))


class TestedContrast(NamedTuple):
    """A contrast and its test; None where it is undefined, beside what either has."""

    contrast: Contrast
    test: Comparison | None
    values: tuple[float, float]


def explain_sample(label: Any, rows: Columns | None, has_rows: bool) -> str:  # noqa: FBT001 -- as they are zipped
    """Say why a sample has no curve; empty if it has one."""
    if rows is not None:
        return f"all outcomes of {label!r} are equal" if rows.is_constant else ""
    return f"no row of {label!r}{' is complete' if has_rows else ''}"


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
    has_rows = places[0] >= 0, places[1] >= 0
    return Contrast(group, labels, (first, second), has_rows)


def run_test(
    contrast: Contrast, fraction: float | None, hypothesis: Hypothesis
) -> TestedContrast:
    """Test a difference; it is undefined without rows, or if all outcomes are equal."""
    first, second = contrast.rows
    if first is None or second is None or first.is_constant or second.is_constant:
        values = find_value(first, fraction), find_value(second, fraction)
        return TestedContrast(contrast, None, values)
    test = compare_two_samples(first, second, fraction, hypothesis)
    return TestedContrast(contrast, test, (test.first, test.second))
