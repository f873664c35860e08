"""Every picture of the gallery, measured: what a reader must be able to read."""

import itertools
import os

import pytest

import gallery

SCRIPT = gallery.load_gallery()
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
