"""The gallery of pictures, and what can be measured on a picture."""

import importlib.util
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.transforms import Bbox

SCRIPT = Path(__file__).parents[1] / "examples" / "gallery.py"


def load_gallery():
    """Import the script that renders the pictures."""
    if "gallery_script" not in sys.modules:
        spec = importlib.util.spec_from_file_location("gallery_script", SCRIPT)
        sys.modules["gallery_script"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["gallery_script"]


def luminance(color):
    """Return relative luminance, by the definition in WCAG 2.2."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(first, second):
    """Return the contrast ratio, by the definition in WCAG 2.2."""
    dark, light = sorted([luminance(first), luminance(second)])
    return (light + 0.05) / (dark + 0.05)


def shown_tick_labels(axis):
    """Give the labels of the ticks in view."""
    low, high = sorted(axis.get_view_interval())
    for tick in axis.get_major_ticks():
        if low <= tick.get_loc() <= high:
            yield tick.label1


def shown_texts(figure):
    """Give every text that a reader sees."""
    legends = [ax.get_legend() for ax in figure.axes] + figure.legends
    texts = [text for legend in legends if legend for text in legend.get_texts()]
    for ax in figure.axes:
        texts += [ax.title, *ax.texts]
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            texts += [axis.label, *shown_tick_labels(axis)]
    texts += figure.texts
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


def grown(box, pixels):
    """Return a box with a margin, which may be negative."""
    return Bbox(np.reshape(box.extents, (2, 2)) + np.array([[-pixels], [pixels]]))


def texts_outside(figure):
    """List the texts that leave the figure."""
    page = grown(figure.bbox, 0.5)
    return [
        text.get_text()
        for text in shown_texts(figure)
        if page.count_contains(text.get_window_extent().corners()) < 4
    ]


def texts_that_meet(figure):
    """List the pairs of texts that overlap."""
    boxes = [
        (text.get_text(), grown(text.get_window_extent(), -0.5))
        for text in shown_texts(figure)
    ]
    return [(a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.overlaps(two)]


def lines_under_texts(figure):
    """List the texts and legends on axes with a line, marker or bar under them."""
    found = []
    for ax in figure.axes:
        within = [text for text in ax.texts if text.get_visible()]
        within += [ax.get_legend()] if ax.get_legend() else []
        room = ax.get_window_extent()
        for artist in within:
            box = artist.get_window_extent()
            if not box.overlaps(room):
                continue
            for line in [*ax.lines, *ax.patches]:
                path = line.get_transform().transform_path(line.get_path())
                points = path.interpolated(20).vertices
                inside = grown(box, 2).count_contains(points)
                if inside or path.intersects_bbox(box, filled=line in ax.patches):
                    found.append((str(artist), line.get_label()))
    return found


def worst_contrasts(figure):
    """Give the least contrast of each text with any pixel behind it."""
    texts = shown_texts(figure)
    boxes = [text.get_window_extent() for text in texts]
    before = [text.get_alpha() for text in texts]
    for text in texts:
        text.set_alpha(0)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[::-1] / 255
    for text, alpha in zip(texts, before, strict=True):
        text.set_alpha(alpha)
    for text, box in zip(texts, boxes, strict=True):
        x0, y0, x1, y1 = (round(value) for value in grown(box, -1.5).extents)
        behind = pixels[y0:y1, x0:x1, :3].reshape(-1, 3)
        color = to_rgb(text.get_color())
        yield (
            text.get_text(),
            min(contrast(color, each) for each in np.unique(behind, axis=0)),
        )
