"""What is to be told of rows that become no curves here, but arguments of functions."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._cli.request import FileOptions, make_file_roles
from capcurve._cli.row_counts import count_each
from capcurve._cli.score_notes import Notify, notify_odd
from capcurve._input.columns import Columns, Weights
from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Roles
from capcurve._report.left_out import list_causes
from capcurve._report.outcomes import read_numbers
from capcurve._report.scored import ScoredRows
from capcurve._tally.dtypes import Array


def notify_odd_columns(table: Any, options: FileOptions, notify: Notify) -> None:
    """Print which scores are infinite, or may stand for a missing value, in all rows."""
    frame = nw.from_native(table, eager_only=True)
    roles = make_file_roles(options)
    used, counts = find_used(frame, roles)
    weights = Weights(value=counts[used], counts_rows=True)
    scored_columns = [
        ScoredRows(
            {},
            name,
            None,
            Columns(
                np.zeros(used.sum()),
                read_numbers(frame, name)[used],
                weights,
                descending=not options.ascending,
            ),
        )
        for name in roles.estimates
        if is_number(frame, name)
    ]
    notify_odd(scored_columns, notify)


def is_number(frame: Frame, name: str) -> bool:
    """Whether a column holds numbers, not grades in words."""
    return frame.get_column(name).dtype.is_numeric()


def find_used(frame: Frame, roles: Roles) -> tuple[Array, Array]:
    """Return which rows are used, and how many each stands for."""
    counts = count_each(frame, roles)
    left_out = [cause.rows for cause in list_causes(frame, roles)]
    return ~np.logical_or.reduce([*left_out, counts == 0]), counts


def has_events(table: Any, options: FileOptions) -> bool:
    """Whether the outcome of rows that were read without an error is an event.

    Results are a data frame, which does not tell: 0/1, -1/1 and labels are events, and all
    other numbers amounts.
    """
    frame = nw.from_native(table, eager_only=True)
    truth = options.truth
    if truth is None or options.pos_label is not None or not is_number(frame, truth):
        return True
    used, _ = find_used(frame, make_file_roles(options))
    return bool(np.isin(read_numbers(frame, truth)[used], (-1, 0, 1)).all())
