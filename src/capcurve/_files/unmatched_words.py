"""Find the added words for a missing value that no field of any column is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capcurve._files.missing_words import MissingWords
from capcurve._files.numbers import NumberFormat
from capcurve._input.usual_words import fold_word

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def list_unmatched(
    connection: DuckDBPyConnection,
    met: MissingWords,
    form: NumberFormat,
) -> list[str]:
    """List the added words that matched no field; an empty field needs no word.

    Parameters
    ----------
    connection : DuckDBPyConnection
    met : mapping
        By column, the words that were met.
    form : NumberFormat
    """
    fields = list(dict.fromkeys(field for words in met.values() for field in words))
    known = {"", *map(fold_word, fields)}
    words = list(dict.fromkeys(form.added_words))
    left = [word for word in words if fold_word(word) not in known]
    unnested = "select unnest(?::varchar[]) as field"
    table = f"select field, {form.cast_any('field')} as number from ({unnested})"  # noqa: S608
    equal = [form.equals_any("field", "number", [fold_word(word)]) for word in left]
    if not left:
        return []
    selected = ", ".join(f"bool_or({condition})" for condition in equal)
    query = f"select {selected} from ({table})"  # noqa: S608 -- quoted
    (found,) = connection.execute(query, [fields]).fetchall()
    return [word for word, is_met in zip(left, found, strict=True) if not is_met]
