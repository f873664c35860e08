"""Lead from each public name, from `docs/page.md` and from a page's title to its page."""

import re

from docutils import nodes
from sphinx.application import Sphinx

import capcurve

PAGE = re.compile(r"docs/([a-z_/]+)\.md")
TITLE = re.compile(r'page\s+[“"]([^”"]+)[”"]')  # as docstrings name it


def link_names(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link inline code that is a public name, on every page but its own."""
    files = app.config.autosummary_filename_map
    for code in list(doctree.findall(nodes.literal)):
        name = code.astext().removesuffix("()").removeprefix("capcurve.")
        whole = f"capcurve.{name}"
        target = f"reference/generated/{files.get(whole, whole)}"
        if name in capcurve.__all__ and target != page and stands_alone(code):
            uri = app.builder.get_relative_uri(page, target)
            link = nodes.reference("", "", internal=True, refuri=uri)
            code.replace_self(link)
            link += code


def link_pages(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link the pages that docstrings name by their file."""
    for text in list(doctree.findall(nodes.Text)):
        found = PAGE.fullmatch(text.parent.astext()) or PAGE.search(text)
        if found and found[1] in app.env.all_docs and stands_alone(text):
            before, after = text[: found.start()], text[found.end() :]
            uri = app.builder.get_relative_uri(page, found[1])
            title = app.env.titles[found[1]].astext()
            link = nodes.reference("", title, internal=True, refuri=uri)
            new = [nodes.Text(before), link, nodes.Text(after)]
            text.parent.replace(text, new)


def link_titles(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link the pages that docstrings name by their title."""
    pages = {title.astext(): name for name, title in app.env.titles.items()}
    for text in list(doctree.findall(nodes.Text)):
        found = TITLE.search(text)
        target = pages.get(" ".join(found[1].split())) if found else None
        if found and target not in {None, page} and stands_alone(text):
            before, after = text[: found.start(1)], text[found.end(1) :]
            uri = app.builder.get_relative_uri(page, str(target))
            link = nodes.reference("", found[1], internal=True, refuri=uri)
            text.parent.replace(text, [nodes.Text(before), link, nodes.Text(after)])


def stands_alone(node: nodes.Node) -> bool:
    """Tell whether a node may become a link: it is in no link, title, or code."""
    barred = (nodes.reference, nodes.title, nodes.literal_block, nodes.literal)
    above = node.parent
    while above is not None:
        if isinstance(above, barred):
            return False
        above = above.parent
    return True


def link(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link names, then pages."""
    link_names(app, doctree, page)
    link_pages(app, doctree, page)
    link_titles(app, doctree, page)


def setup(app: Sphinx) -> dict[str, bool]:
    """Link after Sphinx has resolved its own references."""
    app.connect("doctree-resolved", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
