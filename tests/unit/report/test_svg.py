"""SVG of a page: places in percent, ticks at round numbers."""

import numpy as np
import pytest

from capcurve._report.svg import (
    list_ticks,
    rescale,
    tag,
    text,
    write_area,
    write_path,
    write_ticks,
)


def test_text_is_escaped_and_none_left_out():
    assert tag("a", "x", b=None, c_d='"<') == '<a c-d="&quot;&lt;">x</a>'
    assert (
        text("<b>", "0", "1", "tick") == '<text x="0" y="1" class="tick">&lt;b&gt;</text>'
    )


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0, 1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-0.35, 1, 6, [-0.25, 0, 0.25, 0.5, 0.75, 1]),
        (0.41, 0.59, 6, [0.45, 0.5, 0.55]),
        (0, 21, 6, [0, 5, 10, 15, 20]),
    ],
)
def test_ticks_are_round_numbers_within_the_axis(low, high, most, ticks):
    assert list_ticks(low, high, most) == pytest.approx(ticks)


def test_numbers_of_an_axis_share_their_decimals():
    assert write_ticks([-0.25, 0.0, 0.25]) == ["−0.25", "0.00", "0.25"]
    assert write_ticks([0.0, 5.0]) == ["0", "5"]


def test_a_path_goes_through_its_points():
    assert write_path(np.array([0, 0.5, 1]), np.array([0, 0.9, 1])) == (
        "M0,1000 500,100 1000,0"
    )
    area = write_area(np.array([0.0, 1.0]), np.zeros(2), np.ones(2))
    assert area == "M0,1000 1000,1000 L1000,0 0,0Z"
    assert rescale([2, 3], 1, 5).tolist() == [0.25, 0.5]
