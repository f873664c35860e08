"""Rows of files whose columns have types, and what was found while they were opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from capcurve._files.missing_words import MissingWords
from capcurve._files.paths import InputFile
from capcurve._files.percents import Percents

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


class TypedRows(NamedTuple):
    """A relation of typed columns, and where its rows come from.

    Attributes
    ----------
    relation : DuckDBPyRelation
    missing_words : dict
        Words met for missing values, by column.
    files : sequence of InputFile
        The files that were opened.
    before_query : DuckDBPyRelation or None
        The rows that a query reads; None without a query, or for a database.
    kept_words : dict
        Words met that are names but may mean a missing value, by column.
    unmatched : sequence of str
        Added words for missing values that no field of any column is.
    unrepeatable : sequence of str
        What in the query gives other rows in another run, by name.
    percents : mapping
        Values with a percent sign, by column.
    is_view : bool
        Whether a view of a DuckDB file makes the rows, as a query does.
    """

    relation: DuckDBPyRelation
    missing_words: MissingWords
    files: Sequence[InputFile] = ()
    before_query: DuckDBPyRelation | None = None
    kept_words: MissingWords = MappingProxyType({})
    unmatched: Sequence[str] = ()
    unrepeatable: Sequence[str] = ()
    percents: Mapping[str, Percents] = MappingProxyType({})
    is_view: bool = False
