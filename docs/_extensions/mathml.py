"""Write formulas as MathML, which browsers show without scripts and without a network."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def visit_math(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def visit_display_math(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that has lines of its own, and scrolls where it is too wide."""
    written = tex2mathml(node.astext(), as_block=True)
    translator.body.append(f'<div class="math" tabindex="0">{written}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer MathML as the way to write formulas."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_display_math, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
