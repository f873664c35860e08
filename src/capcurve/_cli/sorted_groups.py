"""Tables with their rows in the order of the groups."""

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._report.segments import split_by_label


def sort_rows_by_group(table: Any, by: Sequence[str]) -> Any:
    """Put the rows of groups together, in the order in which results list these.

    Functions for data frames name groups in the order of their first rows.
    """
    frame = nw.from_native(table, eager_only=True)
    places = [split_by_label(frame, name).segment for name in by]
    return table.take(np.lexsort(places[::-1])) if places else table
