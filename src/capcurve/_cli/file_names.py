"""Names of files as values, which a shell completes."""

import click
from click.shell_completion import CompletionItem

from capcurve._cli.completed_names import TextType


class FileName(TextType):
    """The name of a file, a pattern, or - for a stream."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Let the shell complete the name as it does for other commands."""
        _ = ctx, param
        return [CompletionItem(incomplete, type="file")]
