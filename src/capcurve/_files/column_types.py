"""Find the type of each text column from all its values, and the missing words in it.

One scan counts plain numbers. A second one reads only columns where some values are none, a
third one only columns with whole numbers that a float may not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from capcurve._files.missing_words import collect_words
from capcurve._files.numbers import (
    NumberFormat,
    hide_words,
    is_fine,
    is_integer,
    is_rounded,
    is_whole,
    list_digits,
    trim,
)
from capcurve._files.parsed_texts import name_parsed, parse_texts
from capcurve._files.percents import Percents
from capcurve._files.quoting import quote_name
from capcurve._files.remedies import FIX_VALUE, NAME_GRADES
from capcurve._input.usual_words import fold_word
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_EXACT_FLOAT = 2**53  # above it, neighbouring integers are the same float
INTEGERS = ("bigint", "ubigint", "hugeint")
N_COUNTS = 5
MAX_ODD = 0.1  # share of texts in a column of numbers, beyond which it may hold grades


class Refusal(NamedTuple):
    """Values that a column must not hold: SQL condition, what is expected, what to do."""

    condition: str
    expected: str
    remedy: str


ROUNDED = Refusal(
    "",
    "numbers that a float or an integer type holds exactly",
    "round the whole numbers beyond 2**53, or write no fractions and at most 38 digits",
)


class ColumnType(NamedTuple):
    """SQL that converts a text column, and what was found in it.

    That is its missing words, what it must not hold, and percent signs, if it has any.
    """

    expression: str
    words: dict[str, int]
    refusal: Refusal | None = None
    percents: Percents | None = None


class TypedTexts(NamedTuple):
    """The types of text columns, and SQL of the rows on which their expressions work."""

    rows: str
    types: dict[str, ColumnType]


class Counts(NamedTuple):
    """Numbers of values, of numeric values, and of kinds of those.

    A float may round large values, beyond 2**53, and fine ones, of more digits than it has.
    """

    values: int
    numbers: int
    integers: int
    large: int
    fine: int


class Candidate(NamedTuple):
    """A column, SQL of its text and of its numbers, and what a scan found in it."""

    name: str
    text: str
    number: str
    counts: Counts
    words: dict[str, int]
    n_percents: int = 0
    is_numeric: bool = False  # whether it must hold numbers

    def find_percents(self) -> Percents | None:
        """Return the number of percent signs, if the column is one of numbers."""
        if not self.n_percents or self.counts.numbers < self.counts.values:
            return None
        return Percents(self.n_percents, self.counts.values)


def find_types(
    connection: DuckDBPyConnection,
    rows: str,
    columns: Sequence[str],
    numeric: Sequence[str],
    form: NumberFormat,
) -> TypedTexts:
    """Find the types of text columns.

    Parameters
    ----------
    connection : DuckDBPyConnection
    rows : str
        SQL query whose result has the columns as text.
    columns : sequence of str
        Columns whose type is to be found.
    numeric : sequence of str
        Those of them that must hold numbers.
    form : NumberFormat

    Returns
    -------
    TypedTexts
        A column that must hold numbers but does not has a refusal.
    """
    plain = scan_plain_numbers(connection, rows, columns, form)
    odd = [
        name
        for name, found in plain.items()
        if found.counts.numbers < found.counts.values or form.has_numeric_words
    ]
    parsed = parse_texts(rows, odd, form) if odd else rows
    found = plain | scan_all_forms(connection, parsed, odd, form)
    types = {
        name: choose_type(
            connection, parsed, candidate._replace(is_numeric=name in numeric), form
        )._replace(percents=candidate.find_percents())
        for name, candidate in found.items()
    }
    return TypedTexts(parsed, types)


def scan_plain_numbers(
    connection: DuckDBPyConnection, rows: str, names: Sequence[str], form: NumberFormat
) -> dict[str, Candidate]:
    """Count plain numbers, which is all that most columns hold, in one scan."""
    selected = []
    for column in map(quote_name, names):
        number, is_number = form.cast_plain(column), form.is_plain(column)
        selected += count_values(column, number, is_number, form)
        selected.append(f"count(*) - count({column})")
    values = iter(run_scan(connection, rows, selected))
    return {
        name: Candidate(
            name,
            quote_name(name),
            form.cast_plain(quote_name(name)),
            take_counts(values),
            {"": empty} if (empty := next(values)) else {},
        )
        for name in names
    }


def scan_all_forms(
    connection: DuckDBPyConnection, parsed: str, names: Sequence[str], form: NumberFormat
) -> dict[str, Candidate]:
    """Count numbers of every form and missing words of parsed texts in one scan."""
    selected = []
    for name in names:
        trimmed, is_missing, text, number = name_parsed(name)
        is_number = f"{number} is not null"
        selected += count_values(text, number, is_number, form)
        selected.append(f"count(*) - count({quote_name(name)})")
        selected.append(f"histogram({trimmed}) filter ({is_missing})")
        selected.append(f"count(*) filter ({is_number} and contains({text}, '%'))")
    values = iter(run_scan(connection, parsed, selected))
    return {
        name: Candidate(
            name,
            name_parsed(name).text,
            name_parsed(name).number,
            take_counts(values),
            collect_words(next(values), next(values)),
            next(values),
        )
        for name in names
    }


def count_values(text: str, number: str, is_number: str, form: NumberFormat) -> list[str]:
    """Return the SQL of `Counts`."""
    return [
        f"count({text})",
        f"count(*) filter ({is_number})",
        f"count(*) filter ({is_number} and {is_integer(text)})",
        f"count(*) filter (abs({number}) >= {MAX_EXACT_FLOAT})",
        f"count(*) filter ({is_fine(form.normalize(text), number)})",
    ]


def run_scan(
    connection: DuckDBPyConnection, rows: str, selected: Sequence[str]
) -> Sequence[Any]:
    """Return the only row of an aggregation; nothing is read where nothing is asked."""
    if not selected:
        return ()
    query = f"select {', '.join(selected)} from ({rows})"  # noqa: S608 -- quoted
    (found,) = connection.execute(query).fetchall()
    return found


def take_counts(values: Iterable[int]) -> Counts:
    """Take the next counts from the results of a scan."""
    return Counts(*(value for _, value in zip(range(N_COUNTS), values, strict=False)))


def choose_type(
    connection: DuckDBPyConnection, rows: str, found: Candidate, form: NumberFormat
) -> ColumnType:
    """Choose the narrowest type that holds all values of a column exactly."""
    counts = found.counts
    only_words = not counts.values and any(map(fold_word, found.words))
    if counts.numbers < counts.values or (only_words and not found.is_numeric):
        kept = keep_text(found, form, refuse_texts(found))
        return kept if found.is_numeric else find_booleans(connection, rows, kept)
    if counts.integers == counts.values:
        return ColumnType(f"cast({found.text} as bigint)", found.words)
    if not counts.large:
        return choose_float(connection, rows, found)
    return choose_large_type(connection, rows, found, form)


def choose_float(connection: DuckDBPyConnection, rows: str, found: Candidate) -> ColumnType:
    """Choose floats; raise if different numbers would be equal as such."""
    if found.is_numeric and found.counts.fine:
        number, digits = found.number, list_digits(found.text)
        query = f"""
            select arg_min({found.text}, {digits}), arg_max({found.text}, {digits})
            from ({rows}) group by {number} having min({digits}) <> max({digits}) limit 1
        """  # noqa: S608 -- quoted
        for first, second in connection.execute(query).fetchall():
            raise CapcurveError(
                f"`{found.name}` must hold numbers that a float tells apart, got "
                f"{first!r} and {second!r}; round them, or pass their rank"
            )
    return ColumnType(found.number, found.words)


def refuse_texts(found: Candidate) -> Refusal:
    """Refuse what is no number."""
    condition = f"{found.text} is not null and {found.number} is null"
    n_texts = found.counts.values - found.counts.numbers
    is_mistake = found.counts.numbers and n_texts <= max(1, MAX_ODD * found.counts.values)
    return Refusal(condition, "numbers", FIX_VALUE if is_mistake else NAME_GRADES)


def keep_text(found: Candidate, form: NumberFormat, refusal: Refusal) -> ColumnType:
    """Keep a column as text, in which only empty fields and added words are missing."""
    column = quote_name(found.name)
    words = {
        word: n for word, n in found.words.items() if fold_word(word) in form.text_words
    }
    expression = hide_words(column, form.text_words)
    return ColumnType(expression, words, refusal if found.is_numeric else None)


def find_booleans(
    connection: DuckDBPyConnection, rows: str, text: ColumnType
) -> ColumnType:
    """Read text as booleans if nothing but true and false occurs."""
    value = f"lower({trim(text.expression)})"
    selected = f"count(*) filter ({value} in ('true', 'false')), count({value})"
    n_booleans, n_values = run_scan(connection, rows, [selected])
    if 0 < n_booleans == n_values:
        return text._replace(expression=f"cast({value} as boolean)")
    return text


def choose_large_type(
    connection: DuckDBPyConnection, rows: str, found: Candidate, form: NumberFormat
) -> ColumnType:
    """Choose a type for numbers beyond 2**53: whole numbers, or floats if all are exact."""
    text = trim(found.text)
    conditions = (is_whole(text), is_rounded(text))
    selected = [f"count(*) filter ({condition})" for condition in conditions]
    selected += [f"count(try_cast({text} as {kind}))" for kind in INTEGERS]
    n_whole, n_rounded, *n_fitting = run_scan(connection, rows, selected)
    if n_whole == found.counts.values in n_fitting:
        kind = INTEGERS[n_fitting.index(n_whole)]
        return ColumnType(f"cast({text} as {kind})", found.words)
    if not n_rounded:
        return choose_float(connection, rows, found)
    return keep_text(found, form, ROUNDED._replace(condition=is_rounded(text)))
