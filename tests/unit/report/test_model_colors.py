"""Colours of models: told apart, and seen on white and on black."""

import re

import pytest

from capcurve._plot.contrast import contrast
from capcurve._report.model_colors import (
    DARK,
    LIGHT,
    list_colors,
    read_hex,
    write_model_colors,
)


@pytest.mark.parametrize("background", [LIGHT, DARK])
def test_every_colour_stands_out_and_none_repeats(background):
    colors = list_colors(20, background)
    assert len(set(colors)) == 20
    least = min(contrast(read_hex(each), read_hex(background)) for each in colors)
    assert least > 2.95  # 3, before colours were rounded to bytes


def test_backgrounds_are_those_of_the_page():
    from capcurve._report.html import read_resource

    papers = re.findall("--paper: (#[0-9a-f]{6})", read_resource("page.css"))
    assert papers == [LIGHT, DARK]


def test_each_model_has_a_rule_in_light_and_in_dark():
    rules = write_model_colors(3)
    assert re.findall(r"\.m(\d) {", rules) == ["0", "1", "2"] * 2
    assert re.findall("--dash: (.*?);", rules) == ["none", "11 3.3", "13.2 2.86 2.86 2.86"]
