"""Class labels that have none or all of the rows, which an average leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from capcurve._input.dtypes import Label
from capcurve.exceptions import UndefinedMetricWarning, warn_caller

if TYPE_CHECKING:
    from capcurve._input.columns import Columns


def warn_of_left_out(left_out: Mapping[Label, Columns], n_averaged: int) -> None:
    """Warn of each label that is left out, and say how many labels are averaged."""
    n_labels = n_averaged + len(left_out)
    effect = "set to nan"  # the average too, which is that of no label
    if n_averaged:
        of_how_many = f"{n_averaged} of {n_labels} labels"
        effect = f"left out of the average, which is that of {of_how_many}"
    for label, columns in left_out.items():
        rows = "every row has it" if columns.target[0] else "no row has it"
        warn_caller(
            f"the accuracy ratio of label {label!r} is undefined, as {rows}, and {effect}",
            UndefinedMetricWarning,
        )
