"""Names of portfolios as values, completed from the config."""

from pathlib import Path

import click

from capcurve._cli.completed_names import CompletedName
from capcurve._cli.config import read_config
from capcurve._cli.report import report
from capcurve.exceptions import CapcurveError


class PortfolioName(CompletedName):
    """The name of a portfolio of the config on the command line, or in this folder."""

    name = "portfolio"

    def list_names(self, context: click.Context) -> list[str]:
        """List the portfolios; none if the config cannot be read.

        click leaves the config unread where an option still lacks its value.
        """
        named = context.params.get("config") or next(iter(context.args), None)
        try:
            config = read_config(None if named is None else Path(named), report)
        except CapcurveError:
            return []
        return [each.name for each in config.portfolios]
