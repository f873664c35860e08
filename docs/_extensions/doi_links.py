"""Lead from each DOI in a text to the paper."""

import re
from urllib.parse import quote

from docutils import nodes
from name_links import stands_alone
from sphinx.application import Sphinx

# A full stop, comma or bracket behind it belongs to the sentence.
DOI = re.compile(r"doi:(10\.\d{4,}/[\w./():;<>-]*\w)")


def link(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link every DOI that is no link yet."""
    _ = app, page
    for text in list(doctree.findall(nodes.Text)):
        if DOI.search(text) and stands_alone(text):
            text.parent.replace(text, split_dois(text))


def split_dois(text: str) -> list[nodes.Node]:
    """Split a text into plain parts and links."""
    parts: list[nodes.Node] = []
    end = 0
    for found in DOI.finditer(text):
        parts += [nodes.Text(text[end : found.start()])]
        uri = f"https://doi.org/{quote(found[1], safe='/():;')}"
        parts += [nodes.reference("", found[0], internal=False, refuri=uri)]
        end = found.end()
    return [*parts, nodes.Text(text[end:])]


def setup(app: Sphinx) -> dict[str, bool]:
    """Link after Sphinx has resolved its own references."""
    app.connect("doctree-resolved", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
