"""Every picture of the gallery, measured: what a reader must be able to read."""

import itertools
import os

import matplotlib.pyplot as plt
import pytest

import gallery

SCRIPT = gallery.load_gallery()
SHAPES = [(1, True), (3, False), (8, True), (20, False), (3, True), (20, True)]
SMALL = [("default", 1), ("dark_background", 3)]
if os.environ.get("HYPOTHESIS_PROFILE") == "thorough":
    CASES = [
        (kind, style, number, is_long)
        for kind, style, number, is_long in itertools.product(
            SCRIPT.PICTURES, SCRIPT.STYLES, SCRIPT.NUMBERS, (False, True)
        )
    ]
    SMALL = list(itertools.product(SCRIPT.STYLES, (1, 3)))
else:  # each kind in each style, with few and many curves, short and long names
    CASES = [
        (kind, SCRIPT.STYLES[(i + j) % 4], *SHAPES[(i + j) % len(SHAPES)])
        for i, kind in enumerate(SCRIPT.PICTURES)
        for j in range(4)
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


@pytest.mark.parametrize(("style", "number"), SMALL)
def test_small_multiples_are_readable(style, number):
    check(SCRIPT.draw_small(style, number))
