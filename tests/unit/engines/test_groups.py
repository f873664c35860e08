"""Groups are numbered in the order of appearance, whatever the columns are called."""

import narwhals.stable.v2 as nw
import pytest

from capcurve._engines.groups import number_groups
from frame_constructors import CONSTRUCTORS, columns_of

NAMES = [
    "row of capcurve",
    "first row of capcurve",
    "row",
    "first",
    "*",
    "^.*$",
    "key 0",
    "",
]


@pytest.mark.parametrize("make", CONSTRUCTORS.values(), ids=list(CONSTRUCTORS))
@pytest.mark.parametrize("name", NAMES)
def test_keys_of_any_name(make, name):
    columns = {name: ["b", "a", None, "b", None], "other": [1, 1, 2, 1, 3], "y": [0] * 5}
    frame = nw.from_native(make(columns), eager_only=True)
    for by, first in (([name], [0, 1, 2]), ([name, "other"], [0, 1, 2, 4])):
        keys, number = number_groups(frame, by)
        assert keys.columns == by
        found = [text if isinstance(text, str) else None for text in columns_of(keys)[name]]
        assert found == [columns[name][row] for row in first]
        assert number.tolist() == [0, 1, 2, 0, len(first) - 1]
    keys, number = number_groups(frame.head(0), [name])
    assert (keys.columns, len(keys), len(number)) == ([name], 0, 0)


def test_no_keys():
    frame = nw.from_native(CONSTRUCTORS["polars"]({"y": [1, 0]}), eager_only=True)
    keys, number = number_groups(frame, [])
    assert keys is None
    assert number.tolist() == [0, 0]
