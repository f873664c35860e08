"""Read JSON lines, whose columns have types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from capcurve._files.column_types import MAX_EXACT_FLOAT, ROUNDED
from capcurve._files.numbers import is_rounded
from capcurve._files.paths import InputFile
from capcurve._files.quoting import quote_literal, quote_name
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


def read_json_lines(
    connection: DuckDBPyConnection, files: Sequence[InputFile], numbers: Sequence[str]
) -> DuckDBPyRelation:
    """Open JSON lines as one relation; raise if a number that is needed was rounded."""
    paths = ", ".join(quote_literal(file.pattern) for file in files)
    reader = f"read_json([{paths}], format = 'newline_delimited'"
    relation = connection.sql(f"from {reader}, sample_size = -1)")
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    for name in numbers:
        if types.get(name) == "DOUBLE" and is_large(relation, name):
            text = f"{{{quote_literal(name)}: 'VARCHAR'}}"
            refuse_rounded(connection, f"from {reader}, columns = {text})", name)
    return relation


def is_large(relation: DuckDBPyRelation, name: str) -> bool:
    """Whether a column of floats has values that may stand for several whole numbers."""
    ((largest,),) = relation.aggregate(f"max(abs({quote_name(name)}))").fetchall()
    return largest is not None and largest >= MAX_EXACT_FLOAT


def refuse_rounded(connection: DuckDBPyConnection, rows: str, name: str) -> None:
    """Raise if the text of a column has whole numbers that are not exact as floats."""
    column = quote_name(name)
    query = f"select {column} from ({rows}) where {is_rounded(column)} limit 1"  # noqa: S608 -- quoted
    for (value,) in connection.execute(query).fetchall():
        raise CapcurveError(
            f"`{name}` must hold {ROUNDED.expected}, got {value}; {ROUNDED.remedy}"
        )
