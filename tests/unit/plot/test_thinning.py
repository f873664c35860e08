"""Lines are thinned to what can be seen."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from capcurve._plot.thinning import COLUMNS, choose_points


def distance(point, x, y):
    """Find the distance from a point to a path, segment by segment."""
    best = np.inf
    for i in range(len(x) - 1):
        along = np.array([x[i + 1] - x[i], y[i + 1] - y[i]])
        start = point - [x[i], y[i]]
        share = np.clip(start @ along / max(along @ along, 1e-300), 0, 1)
        best = min(best, np.hypot(*(start - share * along)))
    return best


@given(
    steps=st.lists(st.floats(0, 9), min_size=1, max_size=60),
    climbs=st.lists(st.floats(0, 30), min_size=60, max_size=60),
)
def test_no_point_that_is_left_out_lies_a_pixel_off(steps, climbs):
    x = np.concatenate([[0], np.cumsum(steps)])
    y = np.concatenate([[0], np.cumsum(climbs[: len(steps)])])
    kept = choose_points(x, y, 400)
    assert kept[0] == 0
    assert kept[-1] == len(x) - 1
    for i in range(len(x)):
        assert distance(np.array([x[i], y[i]]), x[kept], y[kept]) <= 0.5 + 1e-9


def test_long_lines_keep_a_few_hundred_points_with_one_in_each_column():
    rng = np.random.default_rng(1)
    x = np.linspace(0, 420, 100_000)
    y = 420 * np.sqrt(x / 420) + np.cumsum(rng.normal(size=len(x))) / 200
    kept = choose_points(x, y, 420)
    assert len(kept) < 500
    assert set(np.floor(x[kept] * COLUMNS / 420)) >= set(range(COLUMNS))


def test_straight_lines_keep_points_to_point_at_and_points_above_each_other_their_ends():
    x = np.linspace(0, 400, 4001)
    assert len(choose_points(x, x, 400)) == COLUMNS + 1
    y = np.array([0.0, 50, 0.2, 80])
    assert choose_points(np.zeros(4), y, 400).tolist() == [0, 3]
    assert choose_points(np.zeros(1), np.zeros(1), 400).tolist() == [0]
