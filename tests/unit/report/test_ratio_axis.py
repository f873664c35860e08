"""The axis of AR: round ends, arrows for what goes on beyond them."""

import re

import pytest

from capcurve._report.ratio_axis import RatioAxis, choose_shape


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([0.45, 0.55], (0.425, 0.575)),
        ([0.2, 0.9], (0.0, 1.0)),
        ([-0.99, 1.0], (-1.0, 1.0)),
        ([], (-0.2, 1.0)),
    ],
)
def test_an_axis_ends_at_round_numbers_around_its_values(values, ends):
    axis = RatioAxis.around(values, is_across=True)
    assert (axis.low, axis.high) == pytest.approx(ends)


@pytest.mark.parametrize("is_across", [True, False])
def test_only_an_end_beyond_the_axis_has_an_arrow(is_across):
    axis = RatioAxis(0.0, 1.0, is_across)
    counts = {
        limits: axis.draw_interval(*limits, "0", "m0").count("arrow")
        for limits in ((0.1, 0.9), (-0.1, 0.9), (0.1, 1.2), (-0.1, 1.2))
    }
    assert list(counts.values()) == [0, 1, 1, 2]


def test_places_grow_to_the_right_and_upwards():
    assert RatioAxis(0.0, 0.5, is_across=True).place(0.1) == "20%"
    assert RatioAxis(0.0, 0.5, is_across=False).place(0.1) == "80%"
    assert RatioAxis(0.0, 0.5, is_across=False).place(0.9) == "0%"
    point = RatioAxis(0.0, 0.5, is_across=False).draw_point(0.1, "7", 0, "p")
    assert re.search('x="7" y="80%"', point)
    point = RatioAxis(0.0, 0.5, is_across=True).draw_point(0.1, "7", 0, "p")
    assert re.search('x="20%" y="7"', point)


def test_points_of_models_beside_each_other_differ_in_shape():
    assert len({choose_shape(number) for number in range(5)}) == 5
    assert choose_shape(5) == choose_shape(0)


@pytest.mark.parametrize("is_across", [True, False])
def test_zero_is_marked_where_the_axis_goes_below_it(is_across):
    drawn = "".join(RatioAxis(-0.5, 1.0, is_across).draw())
    assert drawn.count("grid zero") == 1
    assert "Accuracy ratio" in drawn
    assert "grid zero" not in "".join(RatioAxis(0.0, 1.0, is_across).draw())
