"""Every picture of the gallery, measured: what a reader must be able to read."""

import io
import itertools
import os
import re

import numpy as np
import pytest
from matplotlib import image

import gallery

SCRIPT = gallery.load_gallery()
ROOT = SCRIPT.ROOT
PAGE = ROOT / "docs/pictures.md"
SHAPES = [(1, True), (3, False), (8, True), (20, False), (3, True), (20, True)]
KINDS = list(SCRIPT.PICTURES)
QUARTETS = SCRIPT.list_quartets()
if os.environ.get("HYPOTHESIS_PROFILE") == "thorough":
    CASES = list(itertools.product(KINDS, SCRIPT.STYLES, SCRIPT.NUMBERS, (False, True)))
    SMALL = list(itertools.product(QUARTETS, SCRIPT.STYLES, (1, 3)))
else:  # each kind twice, in all styles, with few and many curves, short and long names
    CASES = [
        (kind, SCRIPT.STYLES[(i + 2 * j) % 4], *SHAPES[(i + 3 * j) % len(SHAPES)])
        for i, kind in enumerate(KINDS)
        for j in range(2)
    ]
    SMALL = [
        (kinds, SCRIPT.STYLES[i % 4], (3, 1)[i % 2]) for i, kinds in enumerate(QUARTETS)
    ]


def check(figure):
    figure.canvas.draw()
    assert gallery.texts_outside(figure) == []
    assert gallery.texts_that_meet(figure) == []
    assert gallery.lines_under_texts(figure) == []
    for text, contrast in gallery.worst_contrasts(figure):
        assert contrast >= 4.5, text


@pytest.mark.parametrize(("kind", "style", "number", "long_names"), CASES)
def test_texts_are_within_the_figure_apart_and_readable(kind, style, number, long_names):
    number = min(number, SCRIPT.PICTURES[kind].most)
    check(SCRIPT.draw(kind, style, number, long_names=long_names))


@pytest.mark.parametrize(("kinds", "style", "number"), SMALL)
def test_small_multiples_are_readable(kinds, style, number):
    check(SCRIPT.draw_small(kinds, style, number))


def test_pictures_of_the_documents_are_those_of_the_page():
    drawn = set()
    for file, figure in SCRIPT.draw_page(PAGE):
        now, kept = io.BytesIO(), image.imread(file)
        figure.savefig(now, dpi=SCRIPT.DOTS_PER_INCH)
        now.seek(0)
        check(figure)
        fresh = image.imread(now)
        assert fresh.shape == kept.shape, f"make pictures: {file.name} is another picture"
        assert np.abs(fresh - kept).mean() < 0.01, f"make pictures: {file.name} has changed"
        drawn.add(file)
    assert drawn == set((ROOT / "docs/images").iterdir())
    shown = re.findall(r"docs/images/[\w-]+\.png", (ROOT / "README.md").read_text("utf-8"))
    assert shown
    assert {ROOT / name for name in shown} <= drawn
