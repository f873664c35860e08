"""Long texts in little room."""

import pytest
from matplotlib.figure import Figure

from capcurve._plot.wording import fit_text, shorten, wrap


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("short", 10, ["short"]),
        ("Random forest (AR = 0.573)", 20, ["Random forest", "(AR = 0.573)"]),
        ("challenger model 2 (AR = 0.403)", 30, ["challenger model 2", "(AR = 0.403)"]),
        ("one two three four", 14, ["one two", "three four"]),
        ("a_long_snake_case_name", 12, ["a_long_", "snake_", "case_name"]),
        ("monthly/weekly", 10, ["monthly/", "weekly"]),
        ("unbreakable", 4, ["unbr", "eaka", "ble"]),
        (r"$\frac{1}{2}$ of all, a formula", 5, [r"$\frac{1}{2}$ of all, a formula"]),
    ],
)
def test_names_are_broken_behind_signs(text, width, lines):
    assert wrap(text, width).split("\n") == lines


def test_names_are_shortened_in_the_middle():
    assert shorten("Gradient boosting (AR = 0.5)", 20) == "Gradient…(AR = 0.5)"
    assert shorten("Challenger model 2 (AR = 0.573)", 24) == "Chall…del 2 (AR = 0.573)"
    assert shorten("Gradient", 8) == "Gradient"
    assert shorten("$formula$ stays", 4) == "$formula$ stays"


def text_of(words):
    return Figure(figsize=(4, 4)).text(0.5, 0.5, words)


def test_a_text_that_fits_stays():
    text = text_of("two\nlines")
    fit_text(text, 10, 200)
    assert text.get_text() == "two\nlines"
    assert text.get_fontsize() == 10


@pytest.mark.parametrize("room", [150, 90, 20])
def test_a_long_text_is_wrapped_made_smaller_and_shortened(room):
    text = text_of("A rather long title of a picture, with the AR of a model = 0.573")
    fit_text(text, 12, room)
    assert text.get_fontsize() < 12 or "\n" in text.get_text()
    if room > 20:
        assert text.get_window_extent().width <= room
    assert ("…" in text.get_text()) == (room <= 90)


def test_an_upright_text_fits_a_height():
    text = text_of("A label of an axis of a picture, which is long")
    text.set_rotation(90)
    fit_text(text, 12, 120, upright=True)
    assert text.get_window_extent().height <= 120
