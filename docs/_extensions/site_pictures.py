"""Draw the curve of the front page, light and dark, and the card that other sites show."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from docutils import nodes
from sphinx.application import Sphinx

from capcurve import CAPCurveDisplay
from capcurve.datasets import make_portfolio

FOLDER = "_static/generated"
SAYS = "CAP curves and the accuracy ratio, exact and with intervals"
CARD = ("CAP curves and the", "accuracy ratio, exact", "and with intervals")


def draw(app: Sphinx) -> None:
    """Write the pictures before pages are read."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    mpl.use("Agg")
    loans = make_portfolio()
    for name, style in (("light", "default"), ("dark", "dark_background")):
        with plt.style.context(style):
            figure, axes = plt.subplots(figsize=(5.6, 4.8), layout="constrained")
            draw_curve(loans, axes)
            figure.savefig(folder / f"cap-{name}.png", dpi=150, transparent=True)
            plt.close(figure)
    draw_card(loans, folder / "card.png")


def draw_curve(loans: Any, axes: Any) -> None:
    """Draw the champion of the portfolio that comes with the package."""
    CAPCurveDisplay.from_predictions(
        loans["default"], loans["champion_pd"], name="Champion", mark=0.1, ax=axes
    )


def draw_card(loans: Any, path: Path) -> None:
    """Draw 1200 by 630 pixels: a name, what it is, and a curve."""
    with plt.style.context("default"):
        figure = plt.figure(figsize=(12, 6.3))
        axes = figure.add_axes((0.52, 0.14, 0.44, 0.78))
        draw_curve(loans, axes)
        figure.text(0.05, 0.62, "capcurve", size=54, weight="bold")
        for line, text in enumerate(CARD):
            figure.text(0.05, 0.5 - 0.075 * line, text, size=24)
        figure.savefig(path, dpi=100)
        plt.close(figure)


def add_card(
    app: Sphinx, page: str, _: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Write the Open Graph tags of a page."""
    if doctree is None:
        return
    title = context["title"] if page != "index" else "capcurve"
    base = app.config.html_baseurl.rstrip("/")
    picture = (
        f"{base}/{FOLDER}/card.png" if base else context["pathto"](f"{FOLDER}/card.png", 1)
    )
    tags = {
        "og:title": nodes.Text(context.get("title_plain", "") or title),
        "og:type": "website",
        "og:site_name": "capcurve",
        "og:description": first_paragraph(doctree) or SAYS,
        "og:image": picture,
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "CAP curve of a loan portfolio",
    }
    if base:
        tags["og:url"] = f"{base}/{page}.html"
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<meta property="{name}" content="{escape(str(text))}" />\n'
        for name, text in tags.items()
    )
    context["metatags"] += (
        f'<meta name="description" content="{escape(tags["og:description"])}" />\n'
        '<meta name="twitter:card" content="summary_large_image" />\n'
    )


def first_paragraph(doctree: nodes.document) -> str:
    """Return the first sentences of a page, up to 200 characters."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) > 40:  # noqa: PLR2004 -- shorter ones are labels
            return text if len(text) <= 200 else text[:197].rsplit(" ", 1)[0] + " ..."  # noqa: PLR2004
    return ""


def escape(text: str) -> str:
    """Escape the value of an attribute."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def setup(app: Sphinx) -> dict[str, bool]:
    """Draw first; add the tags when pages are written."""
    app.connect("builder-inited", draw)
    app.connect("html-page-context", add_card)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
