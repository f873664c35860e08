"""Load what a page uses when it is used, and name what the theme leaves nameless."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from docutils import nodes
from sharp_pictures import find_size
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


NAMELESS = '<summary><span class="toctree-toggle"'
NAMED = '<summary aria-label="Pages of this part"><span class="toctree-toggle"'


LATE = re.compile(r'<img (?=[^>]*loading="lazy")[^>]*src="([^"]+[.]png)"')


def finish_pages(app: Sphinx, exception: Exception | None) -> None:
    """Name what opens a part of the navigation, and keep room for pictures to come."""
    if exception or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        found = path.read_text(encoding="utf-8")
        text = found.replace(NAMELESS, NAMED)
        text = LATE.sub(lambda picture, folder=path.parent: size(picture, folder), text)
        if text != found:
            path.write_text(text, encoding="utf-8")


def size(picture: re.Match[str], folder: Path) -> str:
    """Add the pixels of a picture, without which an anchor below it moves when it comes."""
    width, height = find_size(folder / unquote(picture[1]))
    return f'{picture[0]} width="{width}" height="{height}"'


def setup(app: Sphinx) -> dict[str, bool]:
    """Act after other extensions have added their files."""
    app.connect("doctree-read", load_when_seen)
    app.connect("html-page-context", leave_out, priority=900)
    app.connect("build-finished", finish_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
