"""Run the query of `--query`: one SELECT that reads the named file and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from capcurve._files.failures import shorten_message
from capcurve._files.paths import InputFile
from capcurve._files.quoting import quote_literal, quote_name
from capcurve._files.unrepeatable import list_unrepeatable, parse, walk
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection, DuckDBPyRelation

# Table functions that make rows of their arguments; all others read something.
TABLE_FUNCTIONS = {"unnest", "range", "generate_series"}
LONGEST_SHOWN = 60
DEFAULT = "cannot contain DEFAULT clause"  # a Binder Error, unlike those of other keywords
KEYWORD_COLUMNS = """
    select distinct column_name from duckdb_columns() where lower(column_name) in (
        select keyword_name from duckdb_keywords()
        where keyword_category in ('reserved', 'type_function')
    ) and not internal order by column_name
"""
TABLES = """
    select table_name from duckdb_tables() where not internal
    union select view_name from duckdb_views() where not internal order by 1
"""
NO_TABLE = re.compile(r"(.*Table with name .* does not exist!).*", re.DOTALL)
QUOTED = re.compile("""(["']).*?\\1""", re.DOTALL)
CLOSED_SETTINGS = (
    "autoinstall_known_extensions",
    "autoload_known_extensions",
    "allow_community_extensions",
    "enable_external_access",
)


def close_connection(
    connection: DuckDBPyConnection, files: Sequence[InputFile], folder: Path
) -> None:
    """Close a connection to all but the named files, the network included, for good."""
    shut_connection(connection, files, folder)
    lock_connection(connection)


def shut_connection(
    connection: DuckDBPyConnection, files: Sequence[InputFile], folder: Path
) -> None:
    """Close a connection to all but the named files; its other settings may change."""
    paths = [path for file in files for path in (file.path, file.pattern)]
    allowed = ", ".join(map(quote_literal, paths))
    connection.execute(f"set allowed_paths = [{allowed}]")
    connection.execute(f"set allowed_directories = [{quote_literal(str(folder))}]")
    for setting in CLOSED_SETTINGS:
        connection.execute(f"set {setting} = false")


def lock_connection(connection: DuckDBPyConnection) -> None:
    """Keep all settings of a connection as they are."""
    connection.execute("set lock_configuration = true")


def use_one_thread(connection: DuckDBPyConnection) -> None:
    """Make a query or view give the same rows on every run.

    With several threads, the order of groups, and with it the last digits of sums, the rows
    of a LIMIT and seeded samples change from run to run.
    """
    connection.execute("set threads = 1")


class QueryResult(NamedTuple):
    """The rows of a query, and what in it gives other rows in another run, by name."""

    relation: DuckDBPyRelation
    unrepeatable: Sequence[str]


def run_query(connection: DuckDBPyConnection, query: str, name: str) -> QueryResult:
    """Return the result of a query; raise if it is more or less than one SELECT."""
    import duckdb

    try:
        kinds = [each.type.name for each in connection.extract_statements(query)]
        if kinds != ["SELECT"]:
            raise refuse_query(query, name)
        tree = parse_query(connection, query)
        if not reads_tables_only(tree):
            raise refuse_query(query, name)
        return QueryResult(connection.sql(query), list_unrepeatable(connection, tree))
    except duckdb.PermissionException as error:
        raise refuse_query(query, name) from error
    except (
        duckdb.ParserException,
        duckdb.BinderException,
        duckdb.CatalogException,
    ) as error:
        told = shorten_message(error)
        if found := NO_TABLE.fullmatch(told):
            told = found[1] + list_tables(connection)
        told += suggest_quotes(connection, query, error)
        raise explain_query(query, "DuckDB", told) from error


def explain_query(query: str, engine: str, told: str) -> CapcurveError:
    """Return the error for a query that an engine cannot run."""
    return CapcurveError(
        f"--query must be a SELECT that {engine} can run, got {shorten(query)!r}; correct "
        f"what {engine} says: {told}"
    )


def explain_failed_run(name: str, told: str) -> CapcurveError:
    """Return the error for a query that fails at the values that it reads."""
    return CapcurveError(
        f"--query failed on {name}: {told.rstrip('.')}; correct it, or the values that it "
        "reads"
    )


def list_tables(connection: DuckDBPyConnection) -> str:
    """Name the tables that a query may read."""
    found = connection.execute(TABLES).fetchall()
    return f"; {say_tables(name for (name,) in found)}"


def say_tables(names: Iterable[str]) -> str:
    """Say which tables there are, if any."""
    listed = ", ".join(map(repr, sorted(names)))
    return f"its tables are {listed}" if listed else "it has no tables"


def suggest_quotes(connection: DuckDBPyConnection, query: str, error: Exception) -> str:
    """Say which columns need quotes, if a query may have failed for their names.

    DuckDB names the word that it did not expect, which may be the next one.
    """
    import duckdb

    if not isinstance(error, duckdb.ParserException) and DEFAULT not in str(error):
        return ""
    found = connection.execute(KEYWORD_COLUMNS).fetchall()
    bare = re.findall(r"\w+", QUOTED.sub("", query).lower())
    names = ", ".join(quote_name(name) for (name,) in found if name.lower() in bare)
    if not names:
        return ""
    return f"; a column whose name is a keyword of SQL needs double quotes: {names}"


def parse_query(connection: DuckDBPyConnection, query: str) -> Any:
    """Parse a query; raise if it is nested too deeply to be looked at."""
    try:
        return parse(connection, query)
    except RecursionError as error:
        raise CapcurveError(
            "--query must nest expressions less deeply, got hundreds of levels; split it "
            "into common table expressions"
        ) from error


def reads_tables_only(tree: Any) -> bool:
    """Whether a parsed SELECT calls no table function that reads files or settings."""
    functions = {
        node["function"]["function_name"].lower()
        for node in walk(tree)
        if node.get("type") == "TABLE_FUNCTION"
    }
    return not tree["error"] and functions <= TABLE_FUNCTIONS


def refuse_query(query: str, name: str) -> CapcurveError:
    """Return the error for a query that is not one SELECT from the file."""
    return CapcurveError(
        f"--query must be one SELECT that reads nothing but {name}, got "
        f"{shorten(query)!r}; query the table `data`, or the tables of a database file"
    )


def shorten(query: str) -> str:
    """Return a query, or its beginning if it is long."""
    return query if len(query) <= LONGEST_SHOWN else f"{query[: LONGEST_SHOWN - 3]}..."
