"""Colour continued lines for the shell (`!`) in a cell, which its lexer takes for one."""

from typing import ClassVar

from ipython_pygments_lexers import IPython3Lexer
from pygments.lexer import bygroups, using
from pygments.lexers.shell import BashLexer
from pygments.token import Operator, Text
from sphinx.application import Sphinx


class CellLexer(IPython3Lexer):
    """A line that starts with `!` goes on after a backslash at its end."""

    tokens: ClassVar = {
        **IPython3Lexer.tokens,
        "root": [
            (
                r"^(!)((?:.*\\\n)*.*)(\n)",
                bygroups(Operator, using(BashLexer), Text),
            ),
            *IPython3Lexer.tokens["root"],
        ],
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Take the place of the lexer of cells."""
    app.add_lexer("ipython3", CellLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
