"""Scores beside an order of grades: columns of words, or of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from capcurve._files.numbers import NumberFormat
from capcurve._files.parsed_texts import name_parsed, parse_texts
from capcurve._files.quoting import quote_literal

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def list_numeric(
    connection: DuckDBPyConnection,
    rows: str,
    names: Sequence[str],
    order: Sequence[str],
    form: NumberFormat,
) -> list[str]:
    """List the columns of numbers most of which are no grades of the order.

    Grades may be written as numbers, of which the order may lack one by mistake; and a
    probability may happen to be 1.
    """
    listed = ", ".join(map(quote_literal, order))
    found = []
    for name in names:
        text, number = name_parsed(name).text, name_parsed(name).number
        n_grades = f"count(distinct {text}) filter ({text} in ({listed}))"
        query = f"""
            select bool_and({number} is not null)
              and {n_grades} < count(distinct {text}) / 2
            from ({parse_texts(rows, [name], form)}) where {text} is not null
        """  # noqa: S608 -- quoted
        ((is_numeric,),) = connection.execute(query).fetchall()
        found += [name] if is_numeric else []
    return found
