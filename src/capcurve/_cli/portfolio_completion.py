"""Names of portfolios as values, completed from the config."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from capcurve._cli.column_names import TextType
from capcurve._cli.config import read_config
from capcurve._cli.report import report
from capcurve.exceptions import CapcurveError


class PortfolioName(TextType):
    """The name of a portfolio of the config on the command line, or in this folder."""

    name = "portfolio"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """List the portfolios that start as the word to complete does."""
        _ = param
        names = list_portfolio_names(ctx)
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def list_portfolio_names(context: click.Context) -> list[str]:
    """List the portfolios; none if the config cannot be read.

    click leaves the config unread where an option still lacks its value.
    """
    named = context.params.get("config") or next(iter(context.args), None)
    try:
        config = read_config(None if named is None else Path(named), report)
    except CapcurveError:
        return []
    return [each.name for each in config.portfolios]
