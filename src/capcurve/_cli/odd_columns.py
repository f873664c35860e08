"""Notes on odd scores of rows that become no curves here, but arguments of functions."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._cli.request import FileOptions, make_file_roles
from capcurve._cli.row_counts import count_each
from capcurve._cli.score_notes import Notify, notify_odd
from capcurve._input.columns import Columns, Weights
from capcurve._input.dtypes import Frame
from capcurve._report.left_out import list_causes
from capcurve._report.outcomes import read_numbers
from capcurve._report.scored import ScoredRows


def notify_odd_columns(table: Any, options: FileOptions, notify: Notify) -> None:
    """Print which scores are infinite, or may stand for a missing value, in all rows."""
    frame = nw.from_native(table, eager_only=True)
    roles = make_file_roles(options)
    counts = count_each(frame, roles)
    left_out = [cause.rows for cause in list_causes(frame, roles)]
    used = ~np.logical_or.reduce([*left_out, counts == 0])
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
