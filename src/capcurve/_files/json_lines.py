"""Read JSON lines, whose columns have types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, NoReturn

from capcurve._files.column_types import MAX_EXACT_FLOAT, ROUNDED
from capcurve._files.compression import read_blocks
from capcurve._files.delimited import Source
from capcurve._files.numbers import is_rounded
from capcurve._files.paths import InputFile
from capcurve._files.quoting import quote_literal, quote_name
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A folder called `key=value` is no column.
OPTIONS = "format = 'newline_delimited', hive_partitioning = false"
# All lines of all files tell what a column is; many or rare keys are columns, too.
DETECTION = (
    "sample_size = -1, maximum_sample_files = -1, "
    "map_inference_threshold = -1, field_appearance_threshold = 0"
)
# What DuckDB takes text for, although 1-2-21 and 01-02-21 may be two names.
LOOKS = re.compile("DATE|TIME|TIMESTAMP.*|UUID")
KEYS = """
    select distinct unnest(json_keys(json))
    from read_ndjson_objects([{paths}], {options})
"""
SHOWN = 20  # bytes of a line
NO_RECORDS = "json"  # what DuckDB calls whole lines, if one of them holds no object
MIXED = "JSON"  # DuckDB's type of a column of numbers and other values


def read_json_lines(
    connection: DuckDBPyConnection, source: Source, files: Sequence[InputFile]
) -> DuckDBPyRelation:
    """Open JSON lines as one relation; raise if a number that is needed was rounded."""
    for file in files:
        refuse_other_lines(file)
    paths = ", ".join(quote_literal(file.pattern) for file in files)
    reader = f"read_json([{paths}], {OPTIONS}"
    relation = connection.sql(f"from {reader}, {DETECTION})")
    if relation.columns == [NO_RECORDS]:
        refuse_lines_without_object(files)
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    refuse_ambiguous_keys(connection, source, relation.columns, files)
    if source.query is None and any(map(LOOKS.fullmatch, types.values())):
        relation = connection.sql(f"from {reader}, columns = {{{keep_texts(types)}}})")
    for name in (*source.numbers, *source.graded):
        if types.get(name) == MIXED and source.query is None:
            refuse_other_values(files, name)
        if types.get(name) == "DOUBLE" and is_large(relation, name):
            text = f"{{{quote_literal(name)}: 'VARCHAR'}}"
            refuse_rounded(connection, f"from {reader}, columns = {text})", name)
    return relation


def keep_texts(types: Mapping[str, str]) -> str:
    """Return SQL of the types of columns in which text stays text."""
    kept = {
        name: "VARCHAR" if LOOKS.fullmatch(kind) else kind for name, kind in types.items()
    }
    return ", ".join(
        f"{quote_literal(name)}: {quote_literal(kind)}" for name, kind in kept.items()
    )


def refuse_other_lines(file: InputFile) -> None:
    """Raise if the first line that is not empty starts no object, or if there is none."""
    start = b""
    for block in read_blocks(file):
        start = bytes(block).removeprefix(BYTE_ORDER_MARK).lstrip()
        if start:
            break
    if not start.startswith(b"{"):
        found = repr(start[:SHOWN].decode(errors="replace")) if start else "empty lines"
        raise CapcurveError(
            f"cannot read {file.name}: each line must hold one JSON object, got {found}; "
            "write an object in each line"
        )


def refuse_lines_without_object(files: Sequence[InputFile]) -> None:
    """Raise for the first line that holds something other than an object."""
    for file in files:
        for number, line in number_lines(file):
            if not line.startswith(b"{") and line != b"null":
                raise CapcurveError(
                    f"cannot read {file.name}: line {number} must hold one JSON object, "
                    f"got {line[:SHOWN].decode(errors='replace')!r}; correct the line"
                )


def refuse_other_values(files: Sequence[InputFile], name: str) -> None:
    """Raise for the first line in which a column of numbers has another value."""
    for file in files:
        for number, line in number_lines(file):
            value: Any = None
            with suppress(ValueError, RecursionError):  # of what DuckDB alone can read
                value = (json.loads(line) or {}).get(name)
            if type(value) not in {int, float, type(None)}:
                raise CapcurveError(
                    f"`{name}` must hold numbers, got {json.dumps(value)[:SHOWN]} in line "
                    f"{number} of {file.name}; fix the value, or write null if it is "
                    "missing"
                )


def number_lines(file: InputFile) -> Iterator[tuple[int, bytes]]:
    """Return the lines that are not empty, decompressed, with their numbers."""
    number, rest = 0, b""
    for block in chain(read_blocks(file), [b"\n"]):  # the last line may have no end
        *lines, rest = (rest + bytes(block)).split(b"\n")
        for line in lines:
            number += 1
            if stripped := line.removeprefix(BYTE_ORDER_MARK).strip():
                yield number, stripped


def refuse_ambiguous_keys(
    connection: DuckDBPyConnection,
    source: Source,
    columns: Sequence[str],
    files: Sequence[InputFile],
) -> None:
    """Raise if keys that are needed differ only in upper and lower case.

    DuckDB calls the second one of `Default` and `default` `default_1`, which may as well be
    a key: it is if some line has it, and else all keys are listed.
    """
    paths = ", ".join(quote_literal(file.pattern) for file in files)
    asked = None if source.query is not None else {name.lower() for name in source.names}
    known = {name.lower() for name in columns}
    for column in columns:
        stem = re.sub(r"_\d+$", "", column).lower()
        is_asked = asked is None or not asked.isdisjoint((stem, column.lower()))
        if stem == column.lower() or stem not in known or not is_asked:
            continue
        text = f"columns = {{{quote_literal(column)}: 'VARCHAR'}}"
        reader = f"read_json([{paths}], {OPTIONS}, {text})"
        query = f"select 1 from {reader} where {quote_name(column)} is not null limit 1"  # noqa: S608 -- quoted
        if connection.execute(query).fetchall():
            continue
        keys = connection.execute(KEYS.format(paths=paths, options=OPTIONS)).fetchall()
        spellings = sorted(key for (key,) in keys if key.lower() == stem)
        if len(spellings) > 1:
            refuse_spellings(files, spellings)


def refuse_spellings(files: Sequence[InputFile], spellings: Sequence[str]) -> NoReturn:
    """Raise for keys that differ in case, with the lines in which they stand first."""
    found = dict.fromkeys(spellings, "")
    lines = ((file.name, *each) for file in files for each in number_lines(file))
    for name, number, line in takewhile(lambda _: not all(found.values()), lines):
        with suppress(ValueError, RecursionError):  # of what DuckDB alone can read
            for key in found.keys() & (json.loads(line) or {}).keys():
                found[key] = found[key] or f" in line {number} of {name}"
    listed = " and ".join(f"{key!r}{place}" for key, place in found.items())
    raise CapcurveError(
        "column names must differ in more than upper and lower case, got "
        f"{listed}; rename one of them"
    )


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
