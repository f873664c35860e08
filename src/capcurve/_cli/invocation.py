"""Write the command line, and the Python call, that make the same report again."""

import inspect
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import click

from capcurve._cli.options import parse_bands
from capcurve._cli.report_options import parse_meta, parse_per_model
from capcurve._input.dtypes import Label
from capcurve._report.options import Facts, ReportOptions
from capcurve._report.provenance import make_plain, write_call
from capcurve._report.report import report

NOT_GIVEN = (None, (), False)
# Arguments of `report`, and the options that say the same.
ARGUMENTS = {
    "truth": "truth",
    "by": "by",
    "period": "period",
    "period_by": "period_by",
    "case_weights": "weight",
    "counts": "counts",
    "events": "events",
    "clusters": "cluster",
    "pos_label": "pos_label",
    "target_type": "target_type",
    "confidence_level": "confidence",
    "method": "method",
    "seed": "seed",
    "implied": "implied",
    "implied_side": "implied_side",
    "green": "green",
    "amber": "amber",
    "limitations": "limitation",
    "title": "title",
}

# Arguments of `report` of a sketch, which are named like its options.
OF_SKETCH = ("confidence_level", "bands", "initial_auc", "initial_variance", "title")
FROM_BYTES = "  # data: CapSketch.from_bytes of the file"


class Invocation(NamedTuple):
    """A command that makes a report, and the values of its parameters.

    Attributes
    ----------
    command : str
        Its line.
    given : mapping
    run : dict or None
        Of a report made by ``capcurve run``: the line of that command, and the config.
    """

    command: str
    given: Mapping[str, Any]
    run: Facts | None = None

    def describe(self, pos_label: Label | None) -> Facts:
        """Describe the command and the call, with the label of the event as it was read."""
        return self.describe_call(write_file_call({**self.given, "pos_label": pos_label}))

    def describe_sketch(self, name: str, options: ReportOptions) -> Facts:
        """Describe the command and the call for a report of a sketch of that name."""
        return self.describe_call(write_sketch_call(name, options))

    def describe_call(self, call: str) -> Facts:
        """Describe the command and a call that makes the same report."""
        return {
            "command": self.command,
            "call": call,
            "options": make_plain(self.given),
            **({} if self.run is None else {"run": self.run}),
        }


def find_invocation(context: click.Context) -> Invocation:
    """Find the command that is running."""
    names = [str(parameter.name) for parameter in context.command.params]
    given = {name: context.params[name] for name in names if name in context.params}
    name = context.command_path.removeprefix("capcurve ")  # of a command of commands too
    return Invocation(write_command(context.command, name, given), given)


def write_command(command: click.Command, name: str, given: Mapping[str, Any]) -> str:
    """Write the command line of a command with the given values of its parameters."""
    words: list[str] = []
    last: list[str] = []
    for parameter in command.params:
        value = given.get(parameter.name or "")
        if isinstance(parameter, click.Argument):
            last += [] if value is None else list_values(parameter, value)
        elif value not in (*NOT_GIVEN, parameter.get_default(click.Context(command))):
            words += list_option(parameter, value)
    if any(word.startswith("-") and word != "-" for word in last):
        last.insert(0, "--")
    said = [*words, *last] if "--" in last else [*last, *words]
    return shlex.join(["capcurve", *name.split(), *said])


def list_option(parameter: click.Parameter, value: Any) -> Iterator[str]:
    """Yield the words of an option that was given."""
    name = max(parameter.opts, key=len)
    if isinstance(value, bool):
        yield name
        return
    for each in list_values(parameter, value):
        yield name
        yield each


def list_values(parameter: click.Parameter, value: Any) -> list[str]:
    """List the values of a parameter as text."""
    several = getattr(parameter, "multiple", False) or parameter.nargs != 1
    return [str(each) for each in (value if several else [value])]


def write_file_call(given: Mapping[str, Any]) -> str:
    """Write the call of `report` on a data frame ``data`` of the rows of the file."""
    estimate, *compare = dict.fromkeys((*given["estimate"], *given["compare"]))
    order, meta = given["order"], parse_meta(given["meta"])
    arguments = {name: given[option] for name, option in ARGUMENTS.items()}
    arguments |= {
        "estimate": estimate,
        "compare": compare,
        "descending": not given["ascending"],
        "order": None if order is None else order.split(","),
        "bands": parse_bands(given["bands"]),
        "meta": meta,
        **{
            name: parse_per_model(f"--{name.replace('_', '-')}", given[name])
            for name in ("initial_auc", "initial_variance")
        },
    }
    return write_report_call(arguments)


def write_sketch_call(name: str, options: ReportOptions) -> str:
    """Write the call of `report` on a `CapSketch` ``data`` of the bytes of the file."""
    arguments = {"truth": None, "estimate": name}
    arguments |= {part: getattr(options, part) for part in OF_SKETCH}
    return f"{write_report_call(arguments)}{FROM_BYTES}"


def write_report_call(arguments: Mapping[str, Any]) -> str:
    """Write the call of `report` with the arguments that differ from their defaults."""
    parameters = list(inspect.signature(report).parameters.values())[1:]
    empty: tuple[Any, ...] = (None, (), [], {})
    ordered = {
        each.name: arguments[each.name]
        for each in parameters
        if each.name in arguments
        and not (each.default is None and arguments[each.name] in empty)
    }
    defaults = {
        each.name: each.default for each in parameters if each.default is not each.empty
    }
    return write_call(ordered, defaults)
