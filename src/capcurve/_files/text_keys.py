"""Columns of clusters, groups, periods and codes, which stay text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capcurve._files.missing_words import collect_words
from capcurve._files.numbers import NumberFormat, hide_words, is_word, trim
from capcurve._files.quoting import quote_name
from capcurve._input.usual_words import USUAL_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from capcurve._files.missing_words import MissingWords


CODE = r"^\s*0[0-9]"


def list_codes(
    connection: DuckDBPyConnection, rows: str, names: Sequence[str]
) -> list[str]:
    """List the columns in which a value such as 01 starts with a zero and a digit.

    Nobody says which columns of a query are groups. As a number, 01 would be 1 and 001 too.
    """
    selected = ", ".join(
        f"bool_or(regexp_matches({quote_name(name)}, '{CODE}'))" for name in names
    )
    query = f"select {selected} from ({rows})"  # noqa: S608 -- quoted
    (found,) = connection.execute(query).fetchall()
    return [name for name, is_code in zip(names, found, strict=True) if is_code]


def scan_keys(
    connection: DuckDBPyConnection, rows: str, names: Sequence[str], form: NumberFormat
) -> MissingWords:
    """Count the words such as NA that are names in columns whose other names have digits.

    NA is a region beside EU, but hardly an obligor beside 4711. All values are read, so
    that damaged text shows here.
    """
    found = {name: count_kept(connection, rows, name, form) for name in names}
    return {name: kept for name, kept in found.items() if kept}


def scan_hidden(
    connection: DuckDBPyConnection, rows: str, names: Sequence[str], form: NumberFormat
) -> MissingWords:
    """Count the added words that stand for a missing value, the most frequent first.

    Empty fields are counted beside them; a column that has no other is not listed.
    """
    if not names or not form.added_words:
        return {}
    selected = []
    for column in map(quote_name, names):
        hidden = is_word(column, form.text_words)
        selected.append(f"histogram({trim(column)}) filter ({hidden})")
        selected.append(f"count(*) - count({column})")
    query = f"select {', '.join(selected)} from ({rows})"  # noqa: S608 -- quoted
    (found,) = connection.execute(query).fetchall()
    met = map(collect_words, found[1::2], found[::2])
    return {name: words for name, words in zip(names, met, strict=True) if any(words)}


def count_kept(
    connection: DuckDBPyConnection, rows: str, name: str, form: NumberFormat
) -> dict[str, int]:
    """Count each of the words in a column; none if another name has no digit either."""
    column = hide_words(quote_name(name), form.text_words)
    text = trim(column)
    kept = is_word(column, USUAL_WORDS) if form.usual_words else "false"
    query = (
        f"select case when {kept} then {text} end as word, count(*) as n "  # noqa: S608 -- quoted
        f"from ({rows}) where {kept} or not regexp_matches({text}, '^$|[0-9]') "
        "group by word order by n desc, word"
    )
    counts = dict(connection.execute(query).fetchall())
    return {} if None in counts else counts
