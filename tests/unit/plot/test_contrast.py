"""Contrast against ratios that are known, and colours that reach one."""

import colorsys

import pytest

from capcurve._plot.contrast import contrast, is_dark, mix, read_color, stand_out

WHITE, BLACK = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("color", "ratio"),
    [  # on white, as the contrast checker of WebAIM gives them
        ("#000000", 21.0),
        ("#FFFFFF", 1.0),
        ("#777777", 4.47),
        ("#767676", 4.54),
        ("#0000FF", 8.59),
        ("#FF0000", 3.99),
        ("#008000", 5.13),
    ],
)
def test_contrast_is_that_of_wcag(color, ratio):
    assert contrast(read_color(color), WHITE) == pytest.approx(ratio, abs=0.01)
    assert contrast(WHITE, read_color(color)) == contrast(read_color(color), WHITE)


@pytest.mark.parametrize("color", ["#56B4E9", "#E69F00", "#F0E442", "0.7", "#8B0000"])
@pytest.mark.parametrize("background", ["white", "black", "#E5E5E5", "#002B36", "0.5"])
def test_a_colour_stands_out_with_its_own_hue(color, background):
    behind = read_color(background)
    moved = stand_out(read_color(color), [behind], 4.5)
    assert contrast(moved, behind) >= 4.5
    hue, light, saturation = colorsys.rgb_to_hls(*moved)
    before = colorsys.rgb_to_hls(*read_color(color))
    if 0 < light < 1 and before[2] > 0:
        assert hue == pytest.approx(before[0], abs=1e-6)
        assert saturation == pytest.approx(before[2], abs=1e-6)


def test_a_colour_that_stands_out_stays_as_it_is():
    assert stand_out(read_color("#0072B2"), [WHITE], 4.5) == read_color("#0072B2")


def test_black_or_white_where_nothing_reaches_the_contrast():
    assert stand_out((0.5, 0.5, 0.5), [(0.6, 0.6, 0.6)], 15) == BLACK
    assert stand_out((0.5, 0.5, 0.5), [(0.3, 0.3, 0.3)], 15) == WHITE
    assert is_dark((0.3, 0.3, 0.3))
    assert not is_dark((0.6, 0.6, 0.6))


def test_transparent_colours_show_what_is_behind():
    assert read_color((1, 0, 0, 0.5), WHITE) == pytest.approx((1, 0.5, 0.5))
    assert read_color("none") == WHITE
    assert mix(WHITE, BLACK, 0.25) == pytest.approx((0.75, 0.75, 0.75))
