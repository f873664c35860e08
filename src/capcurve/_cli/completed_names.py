"""Names as values of options, which a shell completes."""

from abc import abstractmethod
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    TextType = click.ParamType[str]
else:  # generic only in newer versions of click
    TextType = click.ParamType


class CompletedName(TextType):
    """A name out of those that there are, which a kind of names lists."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """List the names that start as the word to complete does."""
        _ = param
        names = self.list_names(ctx)
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    @abstractmethod
    def list_names(self, context: click.Context) -> list[str]:
        """List the names that there are."""
