"""Write defaults of signatures as they are typed, not as `<class 'capcurve.Name'>`."""

from __future__ import annotations

import re
from inspect import signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # its test runs without Sphinx
    from sphinx.application import Sphinx

PLAIN = (
    (re.compile(r"<(?:class|function) '?(?:\w+\.)*(\w+)[^>]*>"), r"\1"),
    (re.compile(r"<(?:\w+\.)?(\w+\.\w+): [^>]*>"), r"\1"),  # a member of an enum
    (re.compile(r"<factory>|<[\w.]+ object at [^>]*>|<object [^>]*>"), "..."),
)


def write(value: object) -> str:
    """Write the signature of a function or class."""
    return make_plain(str(signature(value)))


def make_plain(text: str) -> str:
    """Replace what Python shows in angle brackets."""
    for raw, plain in PLAIN:
        text = raw.sub(plain, text)
    return text


def process(app: Sphinx, *event: Any) -> tuple[str, str] | None:
    """Replace a signature that would show such things; None leaves it as it is."""
    _ = app
    *_, text, gives = event
    plain = make_plain(text or "")
    return (plain, gives) if plain != (text or "") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Look at each signature."""
    app.connect("autodoc-process-signature", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
