"""One sort of scores that hold their class counts the pairs that a double loop counts."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from capcurve._tally import threads
from capcurve._tally.marked_scores import (
    mark_events,
    sum_marked_signs,
    sum_signs,
    sum_signs_in_order,
    sum_signs_of_grades,
    unmark_events,
)

FLOATS = [0.0, -0.0, 1.0, -1.0, 1.5, 2.0, -2.0, 7.25, 1e-9, -1e-9, 1e300, -1e300]
EXTREMES = [5e-324, -5e-324, 1e-310, np.inf, -np.inf]
WHOLE = [0, 1, -1, 300, 2**29, 2**30, 2**61, 2**62, -(2**62), 2**63 - 1, -(2**63)]
SCORES = st.one_of(
    arrays(np.float64, st.integers(2, 25), elements=st.sampled_from(FLOATS + EXTREMES)),
    arrays(np.float64, st.integers(2, 25), elements=st.sampled_from(FLOATS)),
    arrays(np.float64, st.integers(2, 25), elements=st.floats(allow_nan=False)),
    arrays(np.float32, 20, elements=st.floats(allow_nan=False, width=32)),
    arrays(np.float16, 20, elements=st.floats(allow_nan=False, width=16)),
    arrays(np.int64, st.integers(2, 25), elements=st.sampled_from(WHOLE)),
    arrays(np.uint64, 20, elements=st.integers(0, 2**64 - 1)),
    arrays(np.int8, 20),
)


def count_signs(score, event):
    """Compare every event with every non-event."""
    high, low = score[event].tolist(), score[~event].tolist()
    return sum((a > b) - (a < b) for a in high for b in low)


@given(score=SCORES, data=st.data())
def test_marked_scores_keep_order_ties_and_classes(score, data):
    event = data.draw(arrays(np.bool_, len(score)))
    key = mark_events(score, event)
    if key is None:  # told apart from the rest by a range that leaves no bit
        extreme = np.abs(score.astype(float)).max() >= 2**62
        smallest = np.finfo(score.dtype).tiny if score.dtype.kind == "f" else 0
        lost = np.abs(score.astype(float)).max() * smallest  # once the largest is below 2
        tiny = np.any((score != 0) & (np.abs(score.astype(float)) < lost))
        assert extreme or tiny
        return
    order = key.argsort(kind="stable")
    ordered, found = unmark_events(key[order])
    assert np.array_equal(found, event[order])
    assert np.array_equal(score[order], np.sort(score))
    ties = ordered[1:] == ordered[:-1]
    assert np.array_equal(
        ties, np.diff(np.unique(score[order], return_inverse=True)[1]) == 0
    )
    assert not np.any(ties & found[:-1] & ~found[1:])  # events come last
    assert sum_signs(ordered, found) == [count_signs(score, event)]


@pytest.fixture
def _small_chunks(monkeypatch):
    """Let chunks hold four rows, and two threads share them."""
    monkeypatch.setattr(threads, "ROWS_PER_CHUNK", 4)
    monkeypatch.setattr(threads, "ROWS_PER_THREAD", 1)
    monkeypatch.setattr(threads, "count_threads", lambda: 2)


@pytest.mark.usefixtures("_small_chunks")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(score=SCORES, data=st.data())
def test_chunks_of_rows_give_what_all_rows_give(score, data):
    event = data.draw(arrays(np.bool_, len(score)))
    key = mark_events(score, event)
    if key is None:
        return
    key.sort()
    assert sum_marked_signs(key) == count_signs(score, event)
    ordered, found = unmark_events(key)
    assert sum_signs(ordered, found) == [count_signs(score, event)]


@given(
    groups=st.lists(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1)),
    falling=st.booleans(),
)
def test_groups_are_counted_one_by_one(groups, falling):
    if not groups:
        return
    rows = [sorted(group, key=lambda row: row[0], reverse=falling) for group in groups]
    score, event = np.array([row for group in rows for row in group]).T
    event = event.astype(bool)
    first = np.append(0, np.cumsum([len(group) for group in groups]))
    sign = -1 if falling else 1
    expected = [
        sign * count_signs(score[start:stop], event[start:stop])
        for start, stop in pairwise(first)
    ]
    assert sum_signs(score, event, first) == expected


@pytest.mark.parametrize(
    "score",
    [
        [1, 2, 2, 3],
        [3, 2, 2, 1],
        [1, 2, 3, 4],
        [4, 3, 2, 1],
        [5, 5, 5, 5],
        [*range(500), 499, *range(500, 510)],
        [0] * 500 + [1],
    ],
)
def test_scores_in_order_need_no_sort(score):
    scores, event = np.array(score, dtype=float), np.arange(len(score)) % 3 == 1
    assert sum_signs_in_order(scores, event) == count_signs(scores, event)


@pytest.mark.parametrize(
    "score", [[1, 3, 2], [0] * 500 + [1, 0], [*range(500), 0], [1, 3, 1]]
)
def test_scores_in_no_order_are_noticed(score):
    scores = np.array(score, dtype=float)
    assert sum_signs_in_order(scores, np.arange(len(score)) % 2 == 0) is None


def test_pairs_beyond_32_bits_are_counted_on_indices_of_32_bits():
    n = 70_000  # n * n is more than 2**32
    event = np.repeat([False, True], n)
    score = np.arange(2 * n)
    assert sum_signs(score, event, np.array([0, 2 * n], dtype=np.int32)) == [n * n]
    tied = np.zeros(2 * n, dtype=int)
    assert sum_signs(tied, event, np.array([0, 2 * n], dtype=np.int32)) == [0]
    halves = np.array([0, n, 2 * n], dtype=np.int32)
    turns = np.tile(
        [False, True], n
    )  # of n / 2 pairs of rows, each event beats its own too
    assert sum_signs(score, turns, halves) == [n // 2] * 2


@given(
    score=st.one_of(
        arrays(np.int64, st.integers(16, 60), elements=st.integers(300, 303)),
        arrays(np.int8, 60, elements=st.integers(-128, -125)),
        arrays(np.int8, 2048, elements=st.sampled_from([-128, -1, 0, 127])),
        arrays(np.uint64, 40, elements=st.integers(2**64 - 4, 2**64 - 1)),
    ),
    data=st.data(),
)
def test_grades_are_counted_without_sorting(score, data):
    event = data.draw(arrays(np.bool_, len(score)))
    surplus = sum_signs_of_grades(score, event)
    is_few = 8 * (int(score.max()) - int(score.min()) + 1) <= len(score)
    assert surplus == (count_signs(score, event) if is_few else None)


def make_decimals(places, dtype, low):
    """Draw decimals that have few values, for their number; the first has all places."""
    numbers = arrays(np.int64, st.integers(24, 60), elements=st.integers(low, low + 2))
    return numbers.map(lambda found: (np.append(low + 2, found) / 10**places).astype(dtype))


@pytest.mark.usefixtures("_small_chunks")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    score=st.one_of(
        *(make_decimals(places, float, -1) for places in (0, 1, 3, 6)),
        *(make_decimals(places, float, 10**places - 1) for places in (2, 5)),
        make_decimals(0, np.float32, 300),
        make_decimals(0, np.float16, -1),
        make_decimals(0, float, 2**60),
    ),
    data=st.data(),
)
def test_decimals_are_counted_without_sorting(score, data):
    event = data.draw(arrays(np.bool_, len(score)))
    assert sum_signs_of_grades(score, event) == count_signs(score, event)


@pytest.mark.parametrize(
    "score",
    [
        np.arange(100) / 100,  # too many for their number
        np.array([0.5] * 99 + [np.inf]),
        np.array([0.1234567] * 99 + [0.5]),  # more places than are counted
        np.array([0.5] * 99 + [0.1234567]),  # which a look at a few rows misses
        np.array([0.1, 0.2, 0.3] * 30, np.float32),  # whose decimals float64 sees
    ],
)
def test_other_floats_are_sorted(score):
    assert sum_signs_of_grades(score, np.arange(len(score)) % 2 == 0) is None


@pytest.mark.parametrize(
    ("score", "has_key"),
    [
        ([-np.inf, 0.0, 1.0], False),
        ([0.0, 1.0, np.inf], True),
        ([-1e300, 1e-300, 2e-300], False),  # dividing by 2**996 makes them equal
        ([-1e300, 1e-6, 2e-6], True),
        ([-0.5, 0.0, 0.25], True),
        ([-8.0, 2.0, 7.5], True),
    ],
)
def test_floats_of_both_signs_are_divided_by_a_power_of_two(score, has_key):
    key = mark_events(np.array(score), np.array([True, False, True]))
    assert (key is not None) == has_key
    if key is not None:
        assert np.all(key[1:] > key[:-1])
