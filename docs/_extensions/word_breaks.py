"""Say where a long name may break: after an underscore or a dot, and before a capital."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # its test runs without Sphinx
    from sphinx.application import Sphinx

SHORT = 20  # characters of a word that fits a line, or a cell, on a phone
CODE = re.compile(r'<span class="pre">([^<]+)</span>')
HEADING = re.compile(r"(?<=<h1>)[^<]+")
# After a joining mark within a word, or between a small letter and a capital.
BREAKS = re.compile(r"(?<=[a-z0-9][_./=,])(?=[A-Za-z0-9_\[])|(?<=[a-z])(?=[A-Z])")
OPPORTUNITY = "<wbr/>"  # nothing to a search, or to who copies the name


def break_words(html: str) -> str:
    """Put places to break into long words of code and of a page's heading."""
    html = HEADING.sub(lambda found: break_word(found[0]), html)
    return CODE.sub(lambda found: write_code(found[1]), html)


def write_code(word: str) -> str:
    """Write a word of code, which is whole if it is short."""
    if len(word) > SHORT:
        return f'<span class="pre">{break_word(word)}</span>'
    return f'<span class="pre whole">{word}</span>'


def break_word(text: str) -> str:
    """Allow a break at each joint."""
    return BREAKS.sub(OPPORTUNITY, text)


def break_body(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Break the long words of a page's body."""
    _ = app, page, template, doctree
    if "body" in context:
        context["body"] = break_words(context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Break words when pages are written."""
    app.connect("html-page-context", break_body)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
