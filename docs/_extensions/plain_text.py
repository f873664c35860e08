"""Write `llms.txt`, a list of all pages, and `llms-full.txt`, their text."""

import inspect
import re
from pathlib import Path

from docutils import nodes
from plain_signatures import write as write_signature
from sphinx.application import Sphinx

import capcurve

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
MADE = re.compile(r"^```\{(?:include|command-pages|benchmark-tables)\}", re.MULTILINE)
GENERATED = "reference/generated/capcurve."
SUMMARY = """# capcurve

> CAP curves (cumulative gains, lift) and the accuracy ratio (AR, Gini) for scores and
> models in Python, with confidence intervals and tests. Ties and weights are exact;
> outcomes are 0/1 events or amounts. Install: pip install "capcurve[all]"
"""


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write both files beside the front page."""
    if exception or app.builder.format != "html":
        return
    pages = list_pages(app)
    base = app.config.html_baseurl.rstrip("/")
    prefix = f"{base}/" if base else ""
    lines = [
        f"- [{title_of(app, page)}]({prefix}{page}.html){summary_of(page)}"
        for page in pages
    ]
    listed = SUMMARY + "\n## Pages\n\n" + "\n".join(lines) + "\n"
    whole = SUMMARY + "".join(f"\n\n---\n\n{text_of(app, page)}" for page in pages)
    for name, text in (("llms.txt", listed), ("llms-full.txt", whole)):
        (Path(app.outdir) / name).write_text(text, encoding="utf-8")


def list_pages(app: Sphinx) -> list[str]:
    """List the pages in the order of the navigation."""
    children = app.env.toctree_includes
    ordered: dict[str, None] = {}

    def walk(page: str) -> None:
        if page not in ordered:
            ordered[page] = None
            for each in children.get(page, []):
                walk(each)

    walk(app.config.root_doc)
    return [page for page in ordered if page in app.env.all_docs]


def title_of(app: Sphinx, page: str) -> str:
    """Return the title of a page as text."""
    return app.env.titles.get(page, nodes.title()).astext()


def summary_of(page: str) -> str:
    """Return the first line of a docstring, for a page of the reference."""
    if not page.startswith(GENERATED):
        return ""
    value = getattr(capcurve, page.removeprefix(GENERATED).removesuffix("-function"))
    return f": {inspect.getdoc(value).splitlines()[0]}"


def text_of(app: Sphinx, page: str) -> str:
    """Return the Markdown of a page, or the signature and docstrings of a name."""
    if page.startswith(GENERATED):
        return documented(page.removeprefix(GENERATED).removesuffix("-function"))
    text = Path(app.env.doc2path(page)).read_text(encoding="utf-8")
    if MADE.search(text):
        return app.env.get_doctree(page).astext()
    return FRONT_MATTER.sub("", text).strip()


def documented(name: str) -> str:
    """Return a name with its signature and docstring, and those of its methods."""
    value = getattr(capcurve, name)
    parts = [f"# capcurve.{name}{signature_of(value)}\n\n{inspect.getdoc(value)}"]
    if inspect.isclass(value):
        parts += [
            f"## {name}.{each}{signature_of(member)}\n\n{inspect.getdoc(member)}"
            for each, member in vars(value).items()
            if not each.startswith("_") and inspect.getdoc(member) and callable(member)
        ]
    return "\n\n".join(parts)


def signature_of(value: object) -> str:
    """Return a signature, or nothing where there is none."""
    try:
        return write_signature(value)
    except (TypeError, ValueError):
        return ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Write when all pages are written."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
