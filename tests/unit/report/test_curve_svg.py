"""Pictures of curves as SVG: one class per model, places in percent."""

import re
from xml.etree import ElementTree as ET

import numpy as np

from capcurve._plot.picture import Axis, Layer, Mark, Picture
from capcurve._report.curve_svg import draw_picture

RISING = np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.8, 1.0])
PICTURE = Picture(
    "t",
    Axis("across <", "share", 0, 1),
    Axis("up", "number", 0, 2),
    (
        Layer("band", *RISING, top=RISING[1] + 0.5),
        Layer("chance", *RISING),
        Layer("perfect", *RISING),
        Layer("gap", *RISING, number=2),
        Layer("curve", *RISING, number=0),
        Layer("curve", *RISING, number=3),
    ),
    (Mark(0, 0.5, 1.5, ""),),
)


def classes_of(drawn, tag):
    tree = ET.fromstring(drawn)  # noqa: S314 -- what we wrote ourselves
    return [each.get("class") for each in tree.iter(tag)]


def test_lines_of_a_model_have_its_class():
    drawn = draw_picture(PICTURE, "a < b", lines_each=2)
    assert classes_of(drawn, "path") == [
        "line m1 other",
        "gap m1",
        "band m0",
        "chance",
        "perfect",
        "line m0",
    ]
    assert 'aria-label="a &lt; b"' in drawn
    assert 'data-x="0 1" data-y="0 2"' in drawn


def test_a_mark_is_where_it_belongs():
    drawn = draw_picture(PICTURE, "label")
    assert '<circle cx="50%" cy="25%" r="3.5" class="dot m0">' in drawn


def test_shares_are_percentages_and_other_numbers_are_not():
    drawn = draw_picture(PICTURE, "label")
    texts = re.findall("<text[^>]*>([^<]*)</text>", drawn)
    assert texts[:6] == ["0%", "20%", "40%", "60%", "80%", "100%"]
    assert texts[6:] == ["0.0", "0.5", "1.0", "1.5", "2.0", "across &lt;", "up"]
