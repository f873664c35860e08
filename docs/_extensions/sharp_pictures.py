"""Show pictures of cells at half the size of their pixels, and lead to the whole."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

DENSITY = 2  # pixels of a cell's picture for one of the page: figure.dpi of `matplotlibrc`
WIDE = 850  # pixels of the page from which a picture has panels, and scrolls on a phone
START = b"\x89PNG\r\n\x1a\n"


def find_size(path: Path) -> tuple[int, int]:
    """Read the width and the height of a PNG in pixels; 0 for anything else."""
    head = path.read_bytes()[:24] if path.is_file() else b""
    if not head.startswith(START):
        return 0, 0
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def set_widths(app: Sphinx, doctree: nodes.document) -> None:
    """Give pictures of cells, and wide ones, a width; Sphinx links such to their file."""
    for picture in doctree.findall(nodes.image):
        density = DENSITY if is_drawn(picture) else 1
        width = find_size(Path(app.srcdir) / picture["uri"])[0] // density
        if width > WIDE:
            picture["classes"].append("wide")
        if width > WIDE or density > 1:
            picture["width"] = f"{width}px"


def is_drawn(picture: nodes.image) -> bool:
    """Tell whether a cell has drawn a picture."""
    above = picture.parent
    while above is not None and "cell_output" not in above.get("classes", []):
        above = above.parent
    return above is not None


def setup(app: Sphinx) -> dict[str, bool]:
    """Set widths when a page was read."""
    app.connect("doctree-read", set_widths)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
