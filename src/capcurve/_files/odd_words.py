"""Words in a text file where a column must hold numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_ODD_WORDS = 10


def describe_odd_words(connection: DuckDBPyConnection, bad: str) -> str:
    """List the distinct texts of `value` in a table; nothing if there is only one."""
    query = (
        "select trim(value) as word, count(*) as n, count(*) over () "
        f"{bad} group by word order by n desc, word limit {MAX_ODD_WORDS}"
    )
    found = connection.execute(query).fetchall()
    n_words = found[0][2]
    if n_words == 1:
        return ""
    shown = ", ".join(f"{word!r} ({count:,})" for word, count, _ in found)
    more = "" if n_words == len(found) else f" and {n_words - len(found):,} more"
    return (
        f", one of {n_words:,} values that are no numbers, with their rows: {shown}{more}"
    )
