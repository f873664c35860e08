"""Join what a cell printed in pieces, as notebooks get what a shell prints.

A piece has 100 bytes. The merging of MyST-NB ends each with a line break, within numbers.
"""

from collections import defaultdict

from docutils import nodes
from sphinx.application import Sphinx


def join_streams(app: Sphinx, doctree: nodes.document) -> None:
    """Join the blocks of each stream of a cell, as they are, where the first one stands."""
    _ = app
    for cell in list(doctree.findall(nodes.container)):
        if "cell_output" not in cell["classes"]:
            continue
        pieces = defaultdict(list)
        for node in cell.children:
            pieces[find_stream(node)].append(node)
        pieces.pop("", None)
        for first, *others in pieces.values():
            text = "".join(each.astext() for each in (first, *others)).rstrip() + "\n"
            first[:] = [nodes.Text(text)]
            first.rawsource = text  # another one would not be highlighted
            for each in others:
                cell.remove(each)


def find_stream(node: nodes.Node) -> str:
    """Name the stream that a node shows; empty for anything else."""
    if not isinstance(node, nodes.literal_block) or "output" not in node["classes"]:
        return ""
    return next((name for name in ("stream", "stderr") if name in node["classes"]), "")


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the streams of each page when it was read."""
    app.connect("doctree-read", join_streams)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
