"""Whole numbers of any length in text files: compared as integers, or refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capcurve import CapcurveError, accuracy_ratio_score
from capcurve._files.delimited import Source
from capcurve._files.open import read_columns

EDGES = (0, 2**53, 2**63, -(2**63), 2**64, 10**25, 10**38, 10**40)
NEAR_EDGES = st.builds(int.__add__, st.sampled_from(EDGES), st.integers(-3, 3))


def rank(values):
    """Number the distinct values of exact Python numbers in their order."""
    order = {value: number for number, value in enumerate(sorted(set(values)))}
    return [order[value] for value in values]


@settings(max_examples=25)
@given(
    numbers=st.lists(NEAR_EDGES, min_size=1, max_size=6),
    fraction=st.booleans(),
)
def test_order_and_ties_of_integers_survive_or_are_refused(
    tmp_path_factory, numbers, fraction
):
    path = tmp_path_factory.mktemp("integers") / "f.csv"
    texts = [str(number) for number in numbers] + ["0.5"] * fraction
    path.write_text("s\n" + "\n".join(texts) + "\n")
    try:
        columns, _ = read_columns(Source(str(path), [], ["s"]))
    except CapcurveError as error:
        assert str(error).startswith("`s` must hold numbers that ")  # noqa: PT017
        assert any(int(float(number)) != number for number in numbers)
        return
    assert rank(columns["s"].tolist()) == rank(numbers + [0.5] * fraction)


@pytest.mark.parametrize(
    ("texts", "dtype"),
    [
        (["9223372036854775807", "9223372036854775806"], np.int64),
        (["+9223372036854775807", " 09223372036854775806 "], np.int64),
        (["18446744073709551615", "18446744073709551614"], np.uint64),
        (["9007199254740993", "9007199254740992"], np.int64),
        (["1e20", "2"], np.float64),
    ],
)
def test_neighbours_of_nineteen_digits_are_not_tied(read, texts, dtype):
    read(f"y,s\n1,{texts[0]}\n0,{texts[1]}\n")
    columns, _ = read_columns(Source("f.csv", ["y"], ["s"]))
    assert columns["s"].dtype == dtype
    assert accuracy_ratio_score(columns["y"], columns["s"]) == 1


def test_numbers_that_would_be_rounded_are_refused_with_their_line(refused):
    start = "`s` must hold numbers that a float or an integer type holds exactly, got "
    text = "y,s\n1,0.5\n0,9007199254740992\n1,9007199254740993\n"
    assert refused(text).startswith(f"{start}'9007199254740993' in line 4 of f.csv; round")
    text = f"y,s\n1,1{'0' * 40}\n0,1{'0' * 39}1\n"
    assert refused(text).startswith(start)
    text = "y,s\n1,36893488147419103232\n0,36893488147419103233\n"
    assert refused(text) == (
        "`s` must hold numbers that 64 bits tell apart, got HUGEINT values of up to "
        "36893488147419103233, some of which are equal as floats; round them, or pass "
        "their rank"
    )


def test_labels_and_keys_may_have_any_length(read):
    text = f"y,s,k\n{'1' * 50},1,{'9' * 50}\n{'1' * 49}2,0,{'9' * 49}8\n"
    columns, _ = read(text, keys=["k"])
    assert columns["y"] == ["1" * 50, "1" * 49 + "2"]
    assert columns["k"] == ["9" * 50, "9" * 49 + "8"]


def test_a_query_may_leave_long_numbers_out(read):
    text = f"id,y,s\n{'1' * 50},1,2\n{'1' * 30},0,1\n"
    assert read(text, query="select y, s from data")[0] == {"y": [1, 0], "s": [2, 1]}


def test_types_are_the_narrowest_that_fit():
    with open("f.csv", "w") as file:  # noqa: PTH123 -- the folder is the working one
        file.write("a,b,c,d\n1,1.0,yes,\n0,2,no,\n")
    columns, _ = read_columns(Source("f.csv", list("abcd"), []))
    kinds = {name: column.dtype.kind for name, column in columns.items()}
    assert kinds == {"a": "i", "b": "f", "c": "O", "d": "i"}
