"""Values of a config file: their types, by the declarations of the shell's options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

import click

from capcurve._cli.column_names import ColumnName
from capcurve.exceptions import CapcurveError

# Options of the shell that a config file says in another way, or that it has no use for.
NOT_IN_CONFIG = frozenset({"form", "output", "quiet", "verbose", "help"})
OF_PORTFOLIO = ("name", "file", "files")
OF_RUN = frozenset({"quiet", "verbose"})  # options of the command, for all portfolios
OPTION = re.compile(r"(?<![\w-])--([a-z-]*[a-z])")
LISTED = "`capcurve report --help` lists the options"
NONE = ", or [] for none"  # as a list has no text
Table = Mapping[str, Any]
Options = Mapping[str, click.Option]


class ConfigError(CapcurveError):
    """An error of an entry of a config, which names the keys of it."""


class Place(NamedTuple):
    """Where in a config file a value stands."""

    file: str
    path: str = ""

    def at(self, key: str) -> Place:
        """Return the place of a key of this table."""
        return Place(self.file, f"{self.path}.{key}" if self.path else key)

    def __str__(self) -> str:
        return f"`{self.path}` of {self.file}" if self.path else self.file


def list_options(command: click.Command) -> dict[str, click.Option]:
    """List the options of a command that a config file may have, by their names there."""
    return {
        max(option.opts, key=len).lstrip("-"): option
        for option in command.params
        if isinstance(option, click.Option) and option.name not in NOT_IN_CONFIG
    }


def use_key_names(message: str, command: click.Command) -> str:
    """Say the options in an error message as a config does."""
    known = list_options(command)
    return OPTION.sub(
        lambda found: f"`{found[1]}`" if found[1] in known else found[0], message
    )


def refuse_unknown_keys(
    table: Table, known: Iterable[str], place: Place, where: str = LISTED
) -> None:
    """Raise for a key that there is not, name those that are close, and where all are."""
    known = list(known)
    for key in table:
        if key not in known:
            raise CapcurveError(
                f"{place} must have known keys, got {key!r}; {advise(key, known, where)}"
            )


def advise(key: str, known: Sequence[str], where: str) -> str:
    """Say which key may be meant by an unknown one, and where all are listed."""
    if key in OF_RUN:
        return f"pass --{key} to `capcurve run` instead"
    if key in OF_PORTFOLIO:
        return "write it in [[portfolio]] instead"
    near = get_close_matches(key.replace("_", "-"), known, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else "leave it out"
    return f"{hint} ({where})"


def require_table(value: Any, place: Place) -> Table:
    """Return a table; raise for anything else."""
    if not isinstance(value, dict):
        raise make_error(place, "a table", value)
    return value


def take_text(table: Table, key: str, place: Place, default: str) -> str:
    """Return a text; raise for anything else."""
    value = table.get(key, default)
    if not isinstance(value, str) or not value.strip():
        raise make_error(place.at(key), "text", value)
    return value


def take_texts(
    table: Table, key: str, place: Place, default: Sequence[str]
) -> tuple[str, ...]:
    """Return one text or several; raise for anything else."""
    value = table.get(key, default)
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list | tuple) or not all(
        isinstance(each, str) and each.strip() for each in values
    ):
        raise make_error(place.at(key), "text, or a list of texts", value)
    return tuple(values)


def list_arguments(table: Table, options: Options, place: Place) -> list[str]:
    """Say the options of a table as the shell would; raise for values of a wrong type."""
    return [
        argument
        for key, value in table.items()
        if key in options
        for argument in say_option(key, value, options[key], place.at(key))
    ]


def say_option(key: str, value: Any, option: click.Option, place: Place) -> list[str]:
    """Say one option, as often as it has values."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise make_error(place, "true or false", value)
        return [f"--{key}"] if value else []
    if option.multiple and isinstance(value, dict):  # such as names and texts
        return [
            f"--{key}={name}={say_value(each, option, place.at(name))}"
            for name, each in value.items()
        ]
    if value == []:  # takes back what stands in [report]
        return []
    values = value if option.multiple and isinstance(value, list) else [value]
    return [f"--{key}={say_value(each, option, place)}" for each in values]


def say_value(value: Any, option: click.Option, place: Place) -> str:
    """Say a value as text; raise unless the option takes it."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    names_column = isinstance(option.type, ColumnName)
    if isinstance(option.type, click.Choice):
        if value not in option.type.choices:
            raise make_error(place, f"one of {', '.join(option.type.choices)}", value)
    elif isinstance(option.type, click.types.IntParamType):
        if not isinstance(value, int) or isinstance(value, bool):
            raise make_error(place, f"a whole number{NONE}", value)
    elif isinstance(option.type, click.types.FloatParamType):
        if not is_number:
            raise make_error(place, f"a number{NONE}", value)
    elif not (isinstance(value, str) or is_number) or (names_column and not is_name(value)):
        many = ", or a list of texts" if option.multiple else NONE
        raise make_error(place, f"text{many}", value)
    return str(value)


def is_name(value: Any) -> bool:
    """Whether a value may be the name of a column."""
    return isinstance(value, str) and value != ""


def make_error(place: Place, wanted: str, value: Any) -> CapcurveError:
    """Make the error of a value of a wrong type."""
    shown = str(value).lower() if isinstance(value, bool) else repr(value)
    given = shown if value != "" else "an empty one"
    return CapcurveError(f"{place} must be {wanted}, got {given}; change it")
