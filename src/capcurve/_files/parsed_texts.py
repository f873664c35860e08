"""Text columns with what they say beside them: the text, its number, whether it is missing.

Each is worked out once, in a query of its own, and has a name. Written inside each other,
the forms of a number make SQL of 200 kB a column, which takes DuckDB a second to plan.
"""

from collections.abc import Iterable
from typing import NamedTuple

from capcurve._files.numbers import NumberFormat, hide, trim
from capcurve._files.quoting import quote_name

SEPARATOR = "\x1f"  # a control character, so that these are no names of other columns


class ParsedText(NamedTuple):
    """SQL names of the columns that `parse_texts` adds for a text column.

    Attributes
    ----------
    trimmed : str
        Text without blanks around it.
    is_missing : str
        Whether that is a word for a missing value; null for null.
    text, number : str
        Trimmed text and its number; null if missing, a number also if the text is none.
    """

    trimmed: str
    is_missing: str
    text: str
    number: str


def name_parsed(name: str) -> ParsedText:
    """Name the columns that `parse_texts` adds for a column."""
    return ParsedText(
        *(quote_name(f"{name}{SEPARATOR}{part}") for part in ParsedText._fields)
    )


def parse_texts(rows: str, names: Iterable[str], form: NumberFormat) -> str:
    """Return SQL of the rows with the columns of `name_parsed` for each name."""
    columns = {name: name_parsed(name) for name in names}
    any_number = {name: quote_name(f"{name}{SEPARATOR}any") for name in columns}
    layers = [
        {found.trimmed: trim(quote_name(name)) for name, found in columns.items()},
        {any_number[name]: form.cast_any(found.trimmed) for name, found in columns.items()},
        {
            found.is_missing: form.is_missing(found.trimmed, any_number[name])
            for name, found in columns.items()
        },
        {found.text: hide(found.trimmed, found.is_missing) for found in columns.values()}
        | {
            found.number: hide(any_number[name], found.is_missing)
            for name, found in columns.items()
        },
    ]
    for layer in layers:
        added = "".join(f", {expression} as {name}" for name, expression in layer.items())
        rows = f"select *{added} from ({rows})"  # noqa: S608 -- quoted
    return rows
