"""Clusters are the same if their names are equal, whatever holds them."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from capcurve import accuracy_ratio_interval, gain_capture
from capcurve._input.weights import read_clusters

pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
N_ROWS = 40
OUTCOME = np.arange(N_ROWS) % 3 == 0
SCORE = (np.arange(N_ROWS) * 7) % 11
NUMBERS = np.arange(N_ROWS) // 2


def find_limits(clusters):
    found = accuracy_ratio_interval(OUTCOME, SCORE, clusters=clusters)
    frame = pd.DataFrame({"y": OUTCOME, "s": SCORE, "c": clusters})
    row = gain_capture(frame, "y", "s", clusters="c", confidence_level=0.95)
    assert (found.low, found.high) == pytest.approx((row["low"].item(), row["high"].item()))
    return found.low, found.high


def as_objects(names):
    return np.array(names, dtype=object)


@pytest.mark.parametrize("write", [float, Decimal, np.int64], ids=["f", "d", "i"])
def test_equal_objects_are_one_cluster(write):
    """The two rows of a cluster hold its number in two forms."""
    names = as_objects(NUMBERS.tolist())
    names[1::2] = [write(number) for number in NUMBERS[1::2].tolist()]
    assert find_limits(names) == pytest.approx(find_limits(NUMBERS))


def test_text_that_ends_differently_is_not_one_cluster():
    """NumPy would cut what stands at the end."""
    names = as_objects([f"{n // 2}{chr(0) * (n % 2)}" for n in NUMBERS])
    assert find_limits(names) == pytest.approx(find_limits(NUMBERS))


def test_text_is_no_number():
    names = as_objects([str(n) if i % 2 else int(n) for i, n in enumerate(NUMBERS)])
    apart = as_objects([f"{n} {i % 2}" for i, n in enumerate(NUMBERS)])
    assert find_limits(names) == pytest.approx(find_limits(apart))
    assert find_limits(names) != pytest.approx(find_limits(NUMBERS))


def test_clusters_that_are_objects_are_numbered_in_their_order_if_they_have_one():
    names = np.array(["b", "a", "b", "c"], dtype=object)
    assert read_clusters(names).tolist() == [1, 0, 1, 2]
    mixed = np.array(["b", 1, "b", 1.0, (2,)], dtype=object)
    assert read_clusters(mixed).tolist() == [0, 1, 0, 1, 2]
