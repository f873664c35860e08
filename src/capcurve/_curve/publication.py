"""Gains tables for publication, made by great_tables."""

from __future__ import annotations

from itertools import groupby
from math import isfinite, isinf, isnan, nan
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from capcurve._curve.gains_layout import (
    ALL_BANDS,
    FRACTIONS,
    LaidOut,
    is_fractional,
    lay_out,
)
from capcurve._input.options import check_word, show
from capcurve._view import write_score
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    from great_tables import GT

    from capcurve._curve.gains_table import GainsTable, GTBackend

BACKENDS = ("polars", "pandas")  # what great_tables reads without a warning
PURPOSE, EXTRA = "a table for publication", "tables"
# Sets the row of all bands apart. A dark notebook would colour the rows, on which the dark
# letters of great_tables could not be read.
STYLE = """\
#{name} .gt_table_body td, #{name} .gt_table_body th {{ background-color: #ffffff; }}
#{name} .gt_table_body tr:last-child > * {{
  font-weight: bold; border-top: 2px solid #a8a8a8;
}}"""
BAND, UNDEFINED = "band", "undefined"


def make_publication(table: GainsTable, title: str | None, backend: GTBackend) -> GT:
    """Format a gains table, with a row of all bands, for publication."""
    check_word(backend, "backend", BACKENDS)
    if title is not None and not isinstance(title, str):
        raise CapcurveError(
            f"`title` must be a text or None, got {show(title)}; for other headers call "
            "`tab_header` of the result"
        )
    columns = lay_out(table)
    made = make_rows(table, columns, backend)
    for column in columns:
        made = format_column(made, column)
    made = add_labels(made, columns)
    if is_fractional(table):
        made = made.tab_source_note(FRACTIONS)
    return made if title is None else made.tab_header(title)


def make_rows(table: GainsTable, columns: list[LaidOut], backend: GTBackend) -> GT:
    """Make the rows without formats: one for each band, and one of all bands."""
    try:
        from great_tables import GT, random_id
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            "great_tables", purpose=PURPOSE, extra=EXTRA
        ) from error
    rows: dict[str, Any] = {BAND: [*map(str, table.band.tolist()), ALL_BANDS]}
    for column in columns:
        numbers = [*column.values.tolist(), column.total]
        rows[column.name] = [
            None if each is None or isnan(each) else each for each in numbers
        ]
    schema = dict.fromkeys(rows, nw.Float64()) | {BAND: nw.String()}
    try:
        frame = nw.from_dict(rows, schema, backend=backend).to_native()
    except ModuleNotFoundError as error:
        raise MissingDependencyError(backend, purpose=PURPOSE, extra=EXTRA) from error
    name = random_id()
    made = GT(frame, rowname_col=BAND, id=name)
    return made.tab_options(table_additional_css=STYLE.format(name=name))


def format_column(made: GT, column: LaidOut) -> GT:
    """Format the numbers of a column, so that they line up at the decimal point."""
    name, n_bands = column.name, len(column.values)
    values = [*column.values.tolist(), nan if column.total is None else column.total]
    rows = [row for row, value in enumerate(values) if isfinite(value)]
    odd = [row for row, value in enumerate(values) if isinf(value)]  # scores
    if column.is_share:
        made = made.fmt_percent(name, rows, decimals=column.decimals or 0)
    elif column.decimals is None:
        odd += rows
    elif column.decimals:
        made = made.fmt_number(name, rows, decimals=column.decimals)
    else:
        made = made.fmt_integer(name, rows)
    blank = "" if column.total is None else UNDEFINED
    return (
        made.fmt(write_score, name, odd)
        .sub_missing(name, list(range(n_bands)), missing_text=UNDEFINED)
        .sub_missing(name, [n_bands], missing_text=blank)
        .cols_align("right", name)
    )


def add_labels(made: GT, columns: list[LaidOut]) -> GT:
    """Name the columns, and the groups of columns."""
    made = made.tab_stubhead("Band").cols_label({each.name: each.label for each in columns})
    for span, below in groupby(columns, key=lambda column: column.span):
        if span:
            made = made.tab_spanner(span, columns=[column.name for column in below])
    return made
