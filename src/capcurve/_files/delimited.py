"""Read delimited text files as a relation of typed columns.

Every value is read as text and converted here, so column types do not depend on a sample of
the rows, and an error can name the file, the line, the column and the value.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from capcurve._files.column_types import ColumnType, Refusal, find_types
from capcurve._files.compression import refuse_damaged_compression
from capcurve._files.graded_columns import list_numeric
from capcurve._files.missing_columns import (
    OF_QUERY,
    refuse_missing_columns,
    refuse_repeated_columns,
)
from capcurve._files.nul_bytes import refuse_nul_bytes
from capcurve._files.numbers import NumberFormat, hide_words
from capcurve._files.odd_words import describe_odd_words
from capcurve._files.parsed_texts import parse_texts
from capcurve._files.paths import DATABASES, STDIN, InputFile, find_ending
from capcurve._files.quoting import quote_literal, quote_name
from capcurve._files.remedies import FIX_VALUE, find_remedy, suggest_separators
from capcurve._files.text_copy import (
    UTF_8,
    ZSTD,
    copy_as_utf8,
    normalize_encoding,
    open_text,
)
from capcurve._files.text_errors import (
    NOT_UTF_8,
    QuotesOrLineEndsError,
    explain_text_errors,
)
from capcurve._files.text_keys import list_codes, scan_hidden, scan_keys
from capcurve._files.typed_rows import TypedRows
from capcurve._files.unmatched_words import list_unmatched
from capcurve._files.wide_encodings import refuse_wide_encoding
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

DELIMITERS = (",", ";", "\t", "|")
FOR_EXCEL = re.compile("\ufeff?(sep=.)")
MAX_HEADER_LINES = 100  # quoted column names may contain line breaks
ROWS_WANTED = "pass one with a header and rows"
ROWS = """
    select {columns} from read_csv(
        [{paths}], auto_detect = false, header = true, delim = {delimiter},
        columns = {{{types}}}, nullstr = '', quote = '"', escape = '"', strict_mode = true,
        hive_partitioning = false
    )
"""
LINES = """
    from read_csv(
        ?, auto_detect = false, header = false, delim = '\x01', quote = '\x02', escape = '',
        columns = {'line': 'VARCHAR'}, strict_mode = false, hive_partitioning = false
    ) limit ?
"""


@dataclass(frozen=True)
class Source:
    """Files to read, the columns needed, and how text is parsed.

    Attributes
    ----------
    path : str
        File name, glob pattern, or ``-`` for standard input.
    outcomes : sequence of str
        Columns read as integers, floats or text, whichever fits all their values.
    numbers : sequence of str
        Columns that must be numeric.
    keys : sequence of str
        Columns whose type is kept; text files give text.
    missing : sequence of str
        Words that stand for a missing value in every column of a text file, whatever their
        case, and in numeric columns numbers that equal them; an empty field always does.
    usual_words : bool
        Whether numeric columns of text files also take the usual words, such as NA, n/a or
        #NV, for missing values. Text columns never do: NA may be North America.
    decimal : {'.', ','}
        Decimal separator of text files. With a comma, points may separate thousands. A
        percent sign divides by 100 in either case.
    encoding : str
        Encoding of text files.
    table : str or None
        Table of a database file; None for its only table.
    query : str or None
        SQL query whose result is read instead of the file itself; one SELECT that reads
        nothing else.
    others : sequence of str
        Further file names and patterns, whose rows follow.
    grades : sequence of str or None
        Numeric columns that may be given as words in an order instead; None: all.
    graded : sequence of str
        Columns of words in an order, or of numbers that are none of these words.
    order : sequence of str
        These words.
    """

    path: str
    outcomes: Sequence[str]
    numbers: Sequence[str]
    keys: Sequence[str] = ()
    missing: Sequence[str] = ()
    usual_words: bool = True
    decimal: str = "."
    encoding: str = UTF_8
    table: str | None = None
    query: str | None = None
    others: Sequence[str] = ()
    grades: Sequence[str] | None = None
    graded: Sequence[str] = ()
    order: Sequence[str] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All file names and patterns."""
        return (self.path, *self.others)

    @property
    def title(self) -> str:
        """What messages call the files."""
        name = "stdin" if self.path == STDIN else self.path
        return f"{name} and {len(self.others)} more" if self.others else name

    @property
    def names(self) -> list[str]:
        """Distinct names of all columns needed."""
        named = (*self.outcomes, *self.numbers, *self.graded, *self.keys)
        return list(dict.fromkeys(named))

    @property
    def form(self) -> NumberFormat:
        """How numbers and missing values are written."""
        return NumberFormat(self.decimal, self.missing, self.usual_words)


class Header(NamedTuple):
    """Delimiter and column names of a text file."""

    delimiter: str
    names: tuple[str, ...]


def read_delimited(
    connection: DuckDBPyConnection, source: Source, files: Sequence[InputFile], folder: Path
) -> TypedRows:
    """Open text files as one relation of the columns needed; of all columns for a query.

    A file in another encoding, or with several kinds of line ends, is copied to the folder
    for temporary files.
    """
    encoding = normalize_encoding(source.encoding)
    if encoding != UTF_8:
        files = [copy_as_utf8(file, encoding, folder) for file in files]
        for file in files:
            refuse_nul_bytes(file)
    headers = {file: read_header(connection, file) for file in files}
    # DuckDB takes the first line break for the end of all lines, even one within a name.
    has_breaks = any("\n" in name for header in headers.values() for name in header.names)
    if encoding == UTF_8 and has_breaks:
        headers = copy_all(headers, folder)
    try:
        return read_typed(connection, source, headers)
    except QuotesOrLineEndsError:
        if any(file.path.endswith(ZSTD) for file in headers):  # cannot be copied
            raise
        return read_typed(connection, source, copy_all(headers, folder))


def copy_all(headers: Mapping[InputFile, Header], folder: Path) -> dict[InputFile, Header]:
    """Copy all files, so that their lines end alike."""
    return {copy_as_utf8(file, UTF_8, folder): header for file, header in headers.items()}


def read_typed(
    connection: DuckDBPyConnection, source: Source, headers: Mapping[InputFile, Header]
) -> TypedRows:
    """Open text files in UTF-8 as one relation of typed columns."""
    if source.query is not None:
        (known, *_) = headers.values()
        names = [name for name in known.names if name]
        source = replace(source, outcomes=names, numbers=(), keys=(), graded=())
    refuse_other_headers(source, headers)
    names = source.names
    rows = select_texts(headers, names)
    with explain_text_errors(source.title, list(headers)):
        if source.query is not None:
            codes = list_codes(connection, rows, names)
            others = [name for name in names if name not in codes]
            source = replace(source, outcomes=others, keys=codes)
        graded = [name for name in source.graded if name not in source.keys]
        found = list_numeric(connection, rows, graded, source.order, source.form)
        numbers = [*source.numbers, *found]
        typed = list(dict.fromkeys([*source.outcomes, *numbers]))
        keys = [name for name in names if name not in typed]
        kept = scan_keys(connection, rows, keys, source.form)
        rows, types = find_types(connection, rows, typed, numbers, source.form)
        for name, column in types.items():
            if column.refusal is not None:
                refuse_value(connection, source, headers, name, column.refusal)
        met = {name: column.words for name, column in types.items() if column.words}
        words = {**met, **scan_hidden(connection, rows, keys, source.form)}
        percents = {name: column.percents for name, column in types.items()}
        unmatched = list_unmatched(connection, words, source.form)
    columns = ", ".join(convert_column(name, types, source.form) for name in names)
    relation = connection.sql(f"select {columns} from ({rows})")  # noqa: S608 -- quoted
    return TypedRows(
        relation,
        words,
        kept_words=kept,
        unmatched=unmatched,
        percents={name: found for name, found in percents.items() if found is not None},
    )


def convert_column(name: str, types: Mapping[str, ColumnType], form: NumberFormat) -> str:
    """Return SQL of a typed column; keys stay text in which an empty field is missing."""
    column = quote_name(name)
    keys = hide_words(column, form.text_words)
    return f"{types[name].expression if name in types else keys} as {column}"


def read_header(connection: DuckDBPyConnection, file: InputFile) -> Header:
    """Read the column names, split by the delimiter that gives the most of them."""
    import duckdb

    try:
        found = connection.execute(LINES, [file.pattern, MAX_HEADER_LINES]).fetchall()
    except duckdb.InvalidInputException as error:
        if "unicode" not in str(error):
            raise
        refuse_wide_encoding(file, UTF_8)
        raise CapcurveError(f"cannot read {file.name}: the file {NOT_UTF_8}") from error
    lines = [line or "" for (line,) in found]
    if not any(lines):
        refuse_damaged_compression(file)  # of which nothing may be left to read
        raise CapcurveError(f"cannot read {file.name}: the file is empty; {ROWS_WANTED}")
    try:
        headers = [split_header(lines, delimiter) for delimiter in DELIMITERS]
    except csv.Error as error:
        raise CapcurveError(
            f"cannot read {file.name}: the first line must hold column names, got {error}; "
            "check the quotes in it"
        ) from error
    header = max(headers, key=lambda candidate: len(candidate.names))
    if not "".join(header.names).strip():
        raise CapcurveError(
            f"cannot read {file.name}: the first line must hold column names, but it is "
            "empty; remove it, so that the file starts with its header"
        )
    if separator := FOR_EXCEL.fullmatch(lines[0]):
        raise CapcurveError(
            f"cannot read {file.name}: the first line must hold column names, got "
            f"{separator[1]!r}, which tells Excel the separator; remove this line"
        )
    if "\0" in "".join(header.names):  # where the header alone is read
        refuse_nul_bytes(file)
    return header


def split_header(lines: Sequence[str], delimiter: str) -> Header:
    """Split the first record; it may have line breaks, and a byte order mark."""
    texts = [f"{line}\n" for line in (lines[0].removeprefix("\ufeff"), *lines[1:])]
    return Header(delimiter, tuple(next(csv.reader(texts, delimiter=delimiter))))


def refuse_other_headers(source: Source, headers: Mapping[InputFile, Header]) -> None:
    """Raise if a column is missing or ambiguous, or if the files differ in columns."""
    (first, known), *others = headers.items()
    with suggest_separators(known.names):
        files = list(headers)
        refuse_missing_columns(source.names, known.names, name_header(source, files), files)
    for file, header in others:
        lacking = {
            each.name: sorted(set(of_other.names) - set(own.names))
            for each, own, of_other in ((first, known, header), (file, header, known))
        }
        if told := " and ".join(
            f"{name} lacks {', '.join(map(repr, names))}"
            for name, names in lacking.items()
            if names
        ):
            raise CapcurveError(
                f"cannot read {source.title}: {first.name} and {file.name} must have the "
                f"same columns, but {told}; give them the same header"
            )
    for file, header in headers.items():
        refuse_repeated_columns(source.names, header.names, file)
    refuse_ambiguous_names(source.names)


def name_header(source: Source, files: Sequence[InputFile]) -> str:
    """Name what has the columns: a query, a file, or the first of several."""
    if source.query is not None:
        return OF_QUERY
    if len(files) == 1:
        return source.title
    return f"{files[0].name} (the first of {len(files)} files)"


def refuse_ambiguous_names(names: Sequence[str]) -> None:
    """Raise if SQL could not tell columns apart by their names."""
    if "" in names:
        raise CapcurveError(
            "a column that is used must have a name, got ''; name it in the file"
        )
    spellings: dict[str, str] = {}
    for name in names:
        other = spellings.setdefault(name.lower(), name)
        if other != name:
            raise CapcurveError(
                "column names must differ in more than upper and lower case, got "
                f"{other!r} and {name!r}; rename one of them"
            )


def select_texts(headers: Mapping[InputFile, Header], names: Sequence[str]) -> str:
    """Return SQL that reads the columns as text; the files may list them in any order.

    Columns are read by number, because SQL takes no empty name and sees no difference
    between upper and lower case.
    """
    by_header: dict[Header, list[InputFile]] = {}
    for file, header in headers.items():
        by_header.setdefault(header, []).append(file)
    parts = []
    for header, files in by_header.items():
        numbers = {name: f"c{number}" for number, name in enumerate(header.names)}
        columns = [f"{numbers[name]} as {quote_name(name)}" for name in names]
        parts.append(
            ROWS.format(
                columns=", ".join(columns),
                paths=", ".join(quote_literal(file.pattern) for file in files),
                delimiter=quote_literal(header.delimiter),
                types=", ".join(f"c{i}: 'VARCHAR'" for i in range(len(header.names))),
            )
        )
    return " union all ".join(parts)


def refuse_value(
    connection: DuckDBPyConnection,
    source: Source,
    headers: Mapping[InputFile, Header],
    name: str,
    refusal: Refusal,
) -> NoReturn:
    """Raise for the first text that a column must not hold, with its file and line."""
    numbered = " union all ".join(
        f"select {number} as file, row_number() over () as row, "  # noqa: S608 -- quoted
        f"{quote_name(name)} as value, {refusal.condition} as is_bad "
        f"from ({parse_texts(select_texts(dict([item]), [name]), [name], source.form)})"
        for number, item in enumerate(headers.items())
    )
    bad = f"from ({numbered}) where is_bad"
    first = connection.execute(f"{bad} order by file, row limit 1").fetchall()
    number, row, value, _ = first[0]
    file, header = list(headers.items())[number]
    may_be_grade = source.grades is None or name in source.grades
    remedy = find_remedy(
        name, value, source.form, refusal.remedy, may_be_grade=may_be_grade
    )
    others = describe_odd_words(connection, bad) if remedy == FIX_VALUE else ""
    raise CapcurveError(
        f"`{name}` must hold {refusal.expected}, got {value!r} in "
        f"{find_line(file, header, row) or f'data row {row}'} of {file.name}"
        f"{others}; {remedy}"
    )


def find_line(file: InputFile, header: Header, row: int) -> str:
    """Return the line of a data row, counting empty lines and breaks in quoted values.

    Return an empty text where the user's file has no such lines.
    """
    if find_ending(file.name) in DATABASES or file.path.endswith(ZSTD):
        return ""
    with open_text(file, UTF_8) as text, suppress(csv.Error, UnicodeError):
        records = csv.reader(text, delimiter=header.delimiter)
        is_skipped = len(header.names) > 1  # an empty line of a single column is a value
        for record in records:
            row -= bool(record) or not is_skipped
            if row < 0:
                breaks = sum(value.count("\n") for value in record)
                return f"line {records.line_num - breaks}"
    return ""
