"""Every picture of the gallery, measured: what a reader must be able to read."""

import itertools
import os

import matplotlib.pyplot as plt
import pytest

import gallery

SCRIPT = gallery.load_gallery()
SHAPES = [(1, True), (3, False), (8, True), (20, False), (3, True), (20, True)]
KINDS = list(SCRIPT.PICTURES)
QUARTETS = [KINDS[i : i + 4] for i in range(0, len(KINDS), 4)]
if os.environ.get("HYPOTHESIS_PROFILE") == "thorough":
    CASES = list(itertools.product(KINDS, SCRIPT.STYLES, SCRIPT.NUMBERS, (False, True)))
    SMALL = list(itertools.product(QUARTETS, SCRIPT.STYLES, (1, 3)))
else:  # each kind in each style, with few and many curves, short and long names
    CASES = [
        (kind, SCRIPT.STYLES[(i + j) % 4], *SHAPES[(i + j) % len(SHAPES)])
        for i, kind in enumerate(KINDS)
        for j in range(4)
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


@pytest.mark.parametrize(("kind", "style", "number", "is_long"), CASES)
def test_texts_are_within_the_figure_apart_and_readable(kind, style, number, is_long):
    with plt.style.context(style):
        check(SCRIPT.PICTURES[kind](SCRIPT.make_models(number, long_names=is_long), None))


@pytest.mark.parametrize(("kinds", "style", "number"), SMALL)
def test_small_multiples_are_readable(kinds, style, number):
    check(SCRIPT.draw_small(kinds, style, number))
