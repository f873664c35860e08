"""Name what in a query gives other rows in another run: chance, and clocks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Some are unstable for times with a zone alone, which depend on a setting that is UTC here.
UNSTABLE = """
    select lower(function_name) from duckdb_functions() group by 1
    having bool_and(stability in ('VOLATILE', 'CONSISTENT_WITHIN_QUERY'))
"""
MACROS = """
    select lower(function_name), list(macro_definition) from duckdb_functions()
    where function_type = 'macro' group by 1
"""
# DuckDB calls these unstable, too, but they say nothing about chance or the time.
HARMLESS = {
    *("current_database", "current_schema", "current_schemas", "current_setting", "error"),
    *("getvariable", "in_search_path", "sleep_ms", "write_log"),
}
# DuckDB calls these stable; `age` is a clock if it has one argument.
CLOCKS = {"current_localtime", "current_localtimestamp"}
AGE = "age"
# Words without brackets, which are clocks unless a column is called so.
CLOCK_WORDS = {
    *("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp"),
}
SAMPLE = "sample without a seed"
# SQLite does not say whether its date functions are asked for the time.
SQLITE = {"random", "randomblob", "current_date", "current_time", "current_timestamp"}


def list_unrepeatable(connection: DuckDBPyConnection, tree: Any) -> list[str]:
    """List functions and samples of a parsed query that differ between runs, by name."""
    unstable = {name for (name,) in connection.execute(UNSTABLE).fetchall()}
    unstable = (unstable | CLOCKS) - HARMLESS
    macros = dict(connection.execute(MACROS).fetchall())
    columns = "select lower(column_name) from duckdb_columns()"
    words = CLOCK_WORDS - {name for (name,) in connection.execute(columns).fetchall()}
    found: set[str] = set()
    seen: set[str] = set()
    left = [tree]
    while left:
        for node in walk(left.pop()):
            names = set(name_node(node))
            found |= names & (unstable | words | {SAMPLE})
            for name in (names & macros.keys()) - seen:
                seen.add(name)
                left += [parse(connection, f"select {each}") for each in macros[name]]
    return sorted(found)


def name_node(node: dict[str, Any]) -> Iterator[str]:
    """Name the function, the word or the sample that a part of a query is."""
    name = str(node.get("function_name", "")).lower()
    arguments = node.get("arguments", node.get("children", ()))  # by version of DuckDB
    if name == AGE and len(arguments) == 1:
        yield "current_date"
    yield name
    if node.get("type") == "COLUMN_REF":
        *before, last = node["column_names"]
        yield "" if before else last.lower()
    sample = node.get("sample")
    if sample is not None and sample["seed"] < 0:
        yield SAMPLE


def parse(connection: DuckDBPyConnection, query: str) -> Any:
    """Parse a query; `error` of the result says if it is none that DuckDB can show."""
    found = connection.execute("select json_serialize_sql(?)", [query]).fetchall()
    return json.loads(found[0][0])


def walk(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a JSON document."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left += node.values()
        elif isinstance(node, list):
            left += node
