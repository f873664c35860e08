"""Load styles and scripts on the pages that use them, and pictures when they are seen."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

# A part of a file's name, and what a page holds that uses it.
USES = {
    "mystnb.": 'class="cell ',
    "sphinx-design.": "sd-",
    "design-tabs.": "sd-tab",
    "copybutton": 'class="highlight',
    "clipboard.": 'class="highlight',
}


def leave_out(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Take out what the body of a page does not use."""
    _ = app, page, template, doctree
    body = context.get("body", "")
    unused = [part for part, sign in USES.items() if sign not in body]
    for kind in ("css_files", "script_files"):
        context[kind] = [
            file
            for file in context.get(kind, [])
            if not any(part in str(getattr(file, "filename", file)) for part in unused)
        ]


def load_when_seen(app: Sphinx, doctree: nodes.document) -> None:
    """Let browsers fetch pictures when they come into sight, all but the first."""
    _ = app
    for picture in list(doctree.findall(nodes.image))[1:]:
        picture["loading"] = "lazy"


def setup(app: Sphinx) -> dict[str, bool]:
    """Act after other extensions have added their files."""
    app.connect("doctree-read", load_when_seen)
    app.connect("html-page-context", leave_out, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
