"""Describe commands from their own help: purpose, example, and options by section."""

import re
from collections.abc import Iterator

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from capcurve._cli.commands import COMMANDS
from capcurve._cli.commands import capcurve as group
from capcurve._cli.help import SECTIONS

EXAMPLE = "Example:"
WIDEST = 76  # characters of a line of code, the break included


def list_commands() -> Iterator[tuple[str, click.Command]]:
    """Give every command with its name, those of `sketch` after it."""
    for name in COMMANDS:
        command = group.get_command(None, name)
        yield name, command
        for own, each in getattr(command, "commands", {}).items():
            yield f"{name} {own}", each


class CommandPages(SphinxDirective):
    """A section for each command."""

    def run(self) -> list[nodes.Node]:
        """Write all sections."""
        text = "\n\n".join(describe(name, command) for name, command in list_commands())
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def describe(name: str, command: click.Command) -> str:
    """Write the section of a command."""
    context = click.Context(command, info_name=f"capcurve {name}")
    paragraphs = [" ".join(part.split()) for part in command.help.split("\n\n")]
    example = next((part for part in paragraphs if part.startswith(EXAMPLE)), None)
    prose = [as_prose(part) for part in paragraphs if part != example]
    usage = " ".join(command.collect_usage_pieces(context))
    shown = [f"$ capcurve {name} {usage}".rstrip()]
    lines = [f"## capcurve {name}", *prose, as_code(shown)]
    if example:
        lines += ["Example:", as_code(wrap(f"$ {example.removeprefix(EXAMPLE).strip()}"))]
    return "\n\n".join([*lines, *option_tables(command, context)])


def option_tables(command: click.Command, context: click.Context) -> Iterator[str]:
    """Write a table for each section of options."""
    sections: dict[str, list[str]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record and isinstance(parameter, click.Option) and parameter.name != "help":
            name = getattr(parameter, "section", "Output")
            said = as_prose(record[1]).replace("|", "\\|")
            option = record[0].replace("|", "\\|")
            sections.setdefault(name, []).append(f"| `{option}` | {said} |")
    for name in filter(sections.get, SECTIONS):
        rows = sections[name]
        yield "\n".join([f"| {name} | |", "| --- | --- |", *rows])


def as_prose(text: str) -> str:
    """Set options, quotes and files in code, and keep what Markdown would read as marks."""
    text = re.sub(r"\'\'|\"[^\"]+\"", r"`\g<0>`", text)  # else quotes are made curly
    text = re.sub(r"(?<![\w`-])(--[a-z][a-z-]*)", r"`\1`", text)
    text = re.sub(r"\bdocs/run\.md\b", "[The config](../run.md)", text)
    return text.replace("<", "\\<").replace("*", "\\*")


def wrap(line: str) -> list[str]:
    """Break a long line between options, as a shell reads it."""
    words = re.split(r" (?=-)", line)
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < WIDEST:
            lines[-1] += f" {word}"
        else:
            lines[-1] += " \\"
            lines.append(f"    {word}")
    return lines


def as_code(lines: list[str]) -> str:
    """Write lines of a shell."""
    return "\n".join(["```console", *lines, "```"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("command-pages", CommandPages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
