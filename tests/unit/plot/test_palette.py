"""Curves can be told apart: in every style, without colours, by colour-blind readers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from cycler import cycler
from matplotlib.colors import to_rgb

from capcurve import CapCurve, CAPCurveDisplay
from capcurve._plot.palette import DASHES, MARKERS, OKABE_ITO, read_palette
from gallery import contrast

STYLES = [
    "default",
    "dark_background",
    "ggplot",
    "grayscale",
    "bmh",
    "fivethirtyeight",
    "Solarize_Light2",
    "seaborn-v0_8",
    "seaborn-v0_8-colorblind",
    "seaborn-v0_8-pastel",
]
# Machado, Oliveira, Fernandes (2009), "A physiologically-based model for simulation of
# color vision deficiency", doi:10.1109/TVCG.2009.113: severity 1, on linear RGB.
VISIONS = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "usual": np.eye(3),
}
TO_XYZ = np.array(  # of linear sRGB, IEC 61966-2-1
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)
# A difference of 2.3 in CIELAB is just noticeable (Mahy, van Eycken, Oosterlinck, 1994,
# doi:10.1002/col.5080190207). Thin lines need far more: nine times as much is asked of
# colours next to each other.
LEAST_DIFFERENCE = 9 * 2.3
CURVE = CapCurve.from_predictions([1, 0, 1, 0], [4, 3, 2, 1])


def as_lab(color, vision):
    """Return CIELAB coordinates of a colour as a reader sees it, under D65."""
    rgb = np.asarray(color)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(VISIONS[vision]) @ linear, 0, 1)
    t = TO_XYZ @ seen / (TO_XYZ @ np.ones(3))
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def palette_of(style):
    with plt.style.context(style):
        return read_palette(plt.figure().subplots())


def test_cielab_is_that_of_published_colours():
    # Red of sRGB, in Lindbloom's calculator: L 53.24, a 80.09, b 67.20
    assert as_lab((1, 0, 0), "usual") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("distance", [1, 2])
def test_neighbours_of_the_default_cycle_differ_for_every_reader(vision, distance):
    cycle = palette_of("default").cycle
    assert len(cycle) == len(OKABE_ITO)
    seen = [as_lab(color, vision) for color in cycle]
    for i, color in enumerate(seen):
        other = seen[(i + distance) % len(seen)]
        assert np.linalg.norm(color - other) >= LEAST_DIFFERENCE


def test_twenty_curves_differ_by_dashes_and_markers_and_by_colour():
    styles = [palette_of("default").style(number) for number in range(20)]
    shapes = {(str(style["linestyle"]), style["marker"]) for style in styles}
    assert len(shapes) == len(DASHES) * len(MARKERS) == 20
    assert len({style["color"] for style in styles}) == 20
    assert {style["marker"] for style in styles[:5]} == {"None"}


@pytest.mark.parametrize("style", STYLES)
def test_every_line_stands_out_from_the_axes(style):
    palette = palette_of(style)
    lines = [palette.color(number) for number in range(20)]
    lines += [palette.faint(), *(palette.fold(color) for color in lines)]
    assert min(contrast(color, palette.background) for color in lines) >= 3
    shaded = np.array(palette.background) * 0.88 + np.array(palette.ink) * 0.12
    for color in lines:
        for behind in (palette.background, shaded):
            assert contrast(palette.text(color), behind) >= 4.5
    assert contrast(palette.ink, palette.background) >= 4.5


@pytest.mark.parametrize("style", STYLES[1:])
def test_colours_are_those_of_the_style(style):
    with plt.style.context(style):
        own = plt.rcParams["axes.prop_cycle"].by_key()["color"]
        display = CAPCurveDisplay([CURVE, CURVE], list("ab")).plot()
        background = display.ax_.get_facecolor()
    for line, color in zip(display.line_, own, strict=False):
        drawn = np.array(to_rgb(line.get_color()))
        if contrast(to_rgb(color), background) >= 3:
            assert drawn == pytest.approx(to_rgb(color))
        else:
            assert contrast(drawn, background) == pytest.approx(3, abs=0.1)


def test_a_cycle_of_the_caller_counts():
    with plt.rc_context({"axes.prop_cycle": cycler(color=["navy", "maroon"])}):
        display = CAPCurveDisplay([CURVE] * 3, list("abc")).plot()
    colors = [to_rgb(line.get_color()) for line in display.line_]
    assert colors[:2] == [pytest.approx(to_rgb(each)) for each in ("navy", "maroon")]
    assert len(set(colors)) == 3  # the second round is darker
    with plt.rc_context({"axes.prop_cycle": cycler(linestyle=["-", "--"])}):
        assert len(read_palette(plt.figure().subplots()).cycle) == len(OKABE_ITO)


def test_light_greys_that_have_become_the_same_are_one():
    assert len(palette_of("grayscale").cycle) == 3
