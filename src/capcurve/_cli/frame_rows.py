"""Rows of a data frame as rows to print, groups in sorted order."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from capcurve._cli.rows import Row
from capcurve._report.scored import format_key, make_sort_key


def make_frame_rows(
    found: Any, by: Sequence[str], names: Mapping[str, str], labels: Sequence[str] = ()
) -> list[Row]:
    """Turn the rows of a data frame into rows to print, groups in sorted order.

    Parameters
    ----------
    found : data frame
    by : sequence of str
        Columns of the groups.
    names : mapping of str to str
        Columns to print, and what the command line calls them.
    labels : sequence of str
        Columns to print as text, whatever holds them in the file.
    """
    rows = []
    for record in nw.from_native(found, eager_only=True).iter_rows(named=True):
        group = {name: format_key(record[name]) for name in by}
        texts = {name: format_key(record[name]) for name in labels}
        cells = {new: texts.get(name, record[name]) for name, new in names.items()}
        rows.append(Row(group, cells))
    return sorted(rows, key=lambda row: list(map(make_sort_key, row.group.values())))
