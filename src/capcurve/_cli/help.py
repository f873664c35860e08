"""Commands whose help lists options in sections, and shows an example."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import cleandoc
from operator import itemgetter
from typing import Any

import click

from capcurve._cli.column_names import ColumnName
from capcurve._cli.own_inputs import refuse_own_inputs
from capcurve._cli.usage_errors import print_help_with

WIDEST = 31  # characters of an option and its value; the text starts beside it

DATA, MEANING, STATISTICS = "Data", "Meaning of columns", "Statistics"
PICTURE, GATES, OUTPUT = "Picture", "Gates, which exit with code 1", "Output"
FILES = "Text, Parquet, JSON lines, databases; globs; - is stdin."
SECTIONS = (DATA, MEANING, STATISTICS, PICTURE, GATES, OUTPUT)

Function = Callable[..., None]
Decorator = Callable[[Function], Function]


class SectionOption(click.Option):
    """An option that the help lists in a section."""

    def __init__(self, *names: Any, section: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.section = section


class SectionedCommand(click.Command):
    """A command whose help lists options in sections, and which keeps its inputs.

    A long help only names the options of the data, which ``capcurve score`` explains.
    """

    def __init__(self, *arguments: Any, names_data: bool = False, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.names_data = names_data

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option that prints the help."""
        return print_help_with(super().get_help_option(ctx))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; raise if one that takes a single value is given twice."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        if not ctx.resilient_parsing:  # as while a shell completes a word
            refuse_repeated(given)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless its output would replace an input."""
        refuse_own_inputs(ctx)
        return super().invoke(ctx)

    def format_help_text(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does, and the example as a shell takes it."""
        text, _, example = cleandoc(self.help or "").partition("\n\nExample: ")
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)
            margin = " " * formatter.current_indent
            for line in break_command(f"Example: {example}", formatter.width - len(margin)):
                formatter.write(f"{margin}{line}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group of options, without empty lines between them."""
        sections: dict[str, list[tuple[str, str]]] = {name: [] for name in SECTIONS}
        sections[DATA].append(("FILE...", FILES))
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections[getattr(parameter, "section", OUTPUT)].append(record)
        if not any(parameter.name == "file" for parameter in self.params):
            del sections[DATA][0]
        named: list[tuple[str, str]] = []
        if self.names_data:
            sections[DATA], named = sections[DATA][:1], sections[DATA][1:]
        for name, records in filter(itemgetter(1), sections.items()):
            formatter.write_heading(name)
            formatter.indent()
            formatter.write_dl(records, col_max=WIDEST)
            if name == DATA and named:
                formatter.write_text(f"{list_names(named)}: see score --help.")
            formatter.dedent()


def list_names(records: Sequence[tuple[str, str]]) -> str:
    """List the names of options, without the words for their values."""
    return " ".join(name.partition(" ")[0] for name, _ in records)


def break_command(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a command, which continue before an option after a backslash."""
    line = ""
    for part in re.split(r" (?=-)", " ".join(text.split())):
        longer = f"{line} {part}" if line else part
        if not line or len(longer) <= width - len(" \\"):
            line = longer
        else:
            yield f"{line} \\"
            line = f"  {part}"
    yield line


command = partial(click.command, cls=SectionedCommand)


def option(section: str, *names: str, **settings: Any) -> Decorator:
    """Declare an option of a section."""
    return click.option(*names, cls=SectionOption, section=section, **settings)


def column_option(section: str, *names: str, **settings: Any) -> Decorator:
    """Declare an option whose value is a column, which a shell can complete."""
    return option(section, *names, metavar="COLUMN", type=ColumnName(), **settings)


def add_options(options: Sequence[Decorator]) -> Decorator:
    """Return a decorator that adds options to a command, in the given order."""

    def add(function: Function) -> Function:
        for each in reversed(options):
            function = each(function)
        return function

    return add


def refuse_repeated(given: Sequence[click.Parameter]) -> None:
    """Raise if an option that takes one value is given twice; the last would win."""
    for number, option in enumerate(given):
        is_single = isinstance(option, click.Option) and not (
            option.multiple or option.is_flag or option.count
        )
        if is_single and option in given[:number]:
            name = max(option.opts, key=len)
            raise click.UsageError(f"{name} takes one value, got several; pass one of them")
