"""The ``capcurve`` command, which imports a subcommand when it is called."""

from collections.abc import Mapping
from importlib import import_module

import click

from capcurve import __version__
from capcurve._cli.streams import print_result
from capcurve._cli.usage_errors import SuggestingGroup

# What each command does, as in its own help, so that the list imports none of them.
COMMANDS: Mapping[str, str] = {
    "change": "Split changes of AR between periods into mix and ranking.",
    "compare": "Test whether scores have the same AR, a row for each pair.",
    "cut-offs": "Print what cut-off scores select and capture, a row for each.",
    "demo": "Score a generated loan portfolio; write a picture and a report.",
    "implied": "Test whether AR is what probabilities imply, a row for each.",
    "plan": "Find the events that an interval or a test needs, or what a sample can show.",
    "plot": "Draw CAP curves, more than 20 side by side, or another kind of picture.",
    "reference": "Print the AR that rows would have with the grades of a portfolio.",
    "report": "Write a validation report as HTML, JSON, Excel or PDF.",
    "run": "Make the reports of many portfolios, as a config file says.",
    "score": "Print AR with its interval, KS and capture rates, a row for each score.",
    "segments": "Test whether AR is the same in all segments, a row for each --by group.",
    "sketch": "Make, merge and read sketches: files of bins instead of rows.",
    "table": "Print the gains table, a row for each band of the ranked rows.",
}
# Modules that are not named after their command.
MODULES = {"run": "run_config"}


class LazyGroup(SuggestingGroup):
    """A command whose subcommands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the subcommands."""
        _ = ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand from the module of its name."""
        _ = ctx
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module = import_module(f"capcurve._cli.{MODULES.get(name, name)}")
        found: click.Command = getattr(module, name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands, none of which is imported."""
        _ = ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def print_version(context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001 -- as click calls it
    """Print the version, and end the command."""
    if value and not context.resilient_parsing:
        print_result(f"capcurve, version {__version__}\n")
        context.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=print_version,
    help="Show the version and exit.",
)
@click.pass_context
def capcurve(context: click.Context) -> None:
    """Cumulative accuracy profiles (CAP curves) and the accuracy ratio (AR, Gini).

    Results go to stdout or --output, messages to stderr. Exit code 1: a gate failed, such
    as --fail-below; 2: wrong usage or input. `capcurve COMMAND --help` tells more.
    """
    if context.invoked_subcommand is None:
        print_result(f"{context.get_help()}\n")
