"""Find the added words for a missing value that no field of any column is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capcurve._files.missing_words import MissingWords
from capcurve._files.numbers import NumberFormat, is_word
from capcurve._files.quoting import quote_name
from capcurve._input.usual_words import fold_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection


def list_unmatched(
    connection: DuckDBPyConnection,
    rows: str,
    keys: Sequence[str],
    met: MissingWords,
    form: NumberFormat,
) -> list[str]:
    """List the added words that matched no field; an empty field needs no word.

    Parameters
    ----------
    connection : DuckDBPyConnection
    rows : str
        SQL query whose result has the columns as text.
    keys : sequence of str
        Columns that stay text, which are only read for words that others lack.
    met : mapping
        By column of any other kind, the words that were met.
    form : NumberFormat
    """
    fields = list(dict.fromkeys(field for words in met.values() for field in words))
    known = {"", *map(fold_word, fields)}
    words = list(dict.fromkeys(form.added_words))
    left = [word for word in words if fold_word(word) not in known]
    unnested = "select unnest(?::varchar[]) as field"
    table = f"select field, {form.cast_any('field')} as number from ({unnested})"  # noqa: S608
    equal = [form.equals_any("field", "number", [fold_word(word)]) for word in left]
    left = drop_met(connection, left, equal, table, [fields])
    if not keys:
        return left
    among = [
        " or ".join(is_word(quote_name(name), [fold_word(word)]) for name in keys)
        for word in left
    ]
    return drop_met(connection, left, among, rows)


def drop_met(
    connection: DuckDBPyConnection,
    words: list[str],
    conditions: Sequence[str],
    rows: str,
    values: Sequence[Any] = (),
) -> list[str]:
    """Drop each word whose condition is true for some row."""
    if not words:
        return []
    selected = ", ".join(f"bool_or({condition})" for condition in conditions)
    query = f"select {selected} from ({rows})"  # noqa: S608 -- quoted
    (found,) = connection.execute(query, values).fetchall()
    return [word for word, is_met in zip(words, found, strict=True) if not is_met]
