"""Say errors of usage, which click finds, as this program says its own."""

import re
from difflib import get_close_matches

import click

from capcurve._cli.streams import print_result

WRONG_KIND = re.compile(r"(.*) is not a valid (float|integer)\.", re.DOTALL)
WRONG_CHOICE = re.compile(r"(.*) is not one of (.*)\.", re.DOTALL)
WRONG_PLACE = re.compile(r"(?:Directory|File) ('.*') is a (file|directory)\.", re.DOTALL)
KINDS = {"float": "a number", "integer": "a whole number"}
AT_A_SHARE = "capcurve cut-offs and capcurve compare take population shares as --share"
OF_OTHER_TOOLS = {
    **dict.fromkeys(("--capture", "--fraction", "--population-share"), AT_A_SHARE),
    "--event-level": "name the event as --pos-label",
    "--na-rm": "rows with a missing value are always left out, and counted on stderr",
    "--case-weights": "name the column as --weight",
    "--estimator": "with a score column for each class, averages are printed, too",
}
TOO_MANY = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)
PLACES = {"file": ("a folder", "a file"), "directory": ("a file", "a folder")}


class SuggestingGroup(click.Group):
    """A command that names similar subcommands where there is none of a name."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option that prints the help."""
        return print_help_with(super().get_help_option(ctx))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a subcommand; raise, with the close ones, if there is none."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            near = get_close_matches(name, known)
            advice = f"did you mean {' or '.join(near)}?" if near else see_help(ctx)
            ctx.fail(f"{ctx.command_path} has no command {name!r}; {advice}")
        return super().resolve_command(ctx, args)


def print_help_with(option: click.Option | None) -> click.Option | None:
    """Let an option print the help as a result, whose errors say what to do."""
    if option is not None:
        option.callback = print_help
    return option


def print_help(context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001 -- as click calls it
    """Print the help of a command, and end it."""
    if value and not context.resilient_parsing:
        print_result(f"{context.get_help()}\n")
        context.exit()


def explain_usage(error: click.ClickException) -> str:
    """Return what was expected, what was given, and what to do."""
    if isinstance(error, click.NoSuchOption):
        near = " or ".join(error.possibilities or ())
        advice = f"did you mean {near}?" if near else see_help(error.ctx)
        advice = OF_OTHER_TOOLS.get(error.option_name, advice)
        return f"{name_command(error.ctx)} has no option {error.option_name}; {advice}"
    if isinstance(error, click.BadOptionUsage):
        return f"{error.option_name} requires a value, got none; add it"
    if isinstance(error, click.MissingParameter):
        wanted = name_parameter(error.param)
        command = name_command(error.ctx)
        return f"{command} requires {wanted}, which was not given; add it"
    if isinstance(error, click.BadParameter) and error.param is not None:
        return explain_value(error.message, name_parameter(error.param))
    message = error.format_message()
    if isinstance(error, click.UsageError) and (found := TOO_MANY.fullmatch(message)):
        command = name_command(error.ctx)
        return f"{command} takes fewer words, also got {found[1]!r}; see {command} --help"
    return message


def explain_value(message: str, option: str) -> str:
    """Say which value an option takes."""
    if found := WRONG_KIND.fullmatch(message):
        kind = KINDS[found[2]]
        return f"{option} must be {kind}, got {found[1]}; pass {kind}"
    if found := WRONG_CHOICE.fullmatch(message):
        known = found[2].replace("'", "")
        return f"{option} must be one of {known}, got {found[1]}; choose one of them"
    if found := WRONG_PLACE.fullmatch(message):
        wanted, given = PLACES[found[2]]
        return f"{option} must be {wanted}, got {given}, {found[1]}; name {wanted}"
    return f"{option}: {message}"


def name_parameter(parameter: click.Parameter | None) -> str:
    """Return the long name of an option, or the word for an argument."""
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return "a file" if parameter is None else parameter.human_readable_name.rstrip(".")


def name_command(ctx: click.Context | None) -> str:
    """Return the name of the command that was called."""
    return "capcurve" if ctx is None else ctx.command_path


def see_help(ctx: click.Context | None) -> str:
    """Say how to see the help of a command."""
    return f"see {name_command(ctx)} --help"
