"""Whole numbers of any length in text files: compared as integers, or refused."""

import itertools
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capcurve import CapcurveError, accuracy_ratio_score
from capcurve._files.delimited import Source
from capcurve._files.open import read_table

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
        table = read_table(Source(str(path), [], ["s"])).table
    except CapcurveError as error:
        assert str(error).startswith("`s` must hold numbers that ")  # noqa: PT017
        assert any(int(float(number)) != number for number in numbers)
        return
    assert rank(table["s"].to_pylist()) == rank(numbers + [0.5] * fraction)


@pytest.mark.parametrize(
    ("texts", "dtype"),
    [
        (["9223372036854775807", "9223372036854775806"], "int64"),
        (["+9223372036854775807", " 09223372036854775806 "], "int64"),
        (["18446744073709551615", "18446744073709551614"], "uint64"),
        (["9007199254740993", "9007199254740992"], "int64"),
        (["1e20", "2"], "double"),
    ],
)
def test_neighbours_of_nineteen_digits_are_not_tied(read, texts, dtype):
    read(f"y,s\n1,{texts[0]}\n0,{texts[1]}\n")
    table = read_table(Source("f.csv", ["y"], ["s"])).table
    assert str(table["s"].type) == dtype
    assert accuracy_ratio_score(table["y"], table["s"]) == 1


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
    table = read_table(Source("f.csv", list("abcd"), [])).table
    assert list(map(str, table.schema.types)) == ["int64", "double", "string", "int64"]


# -- Decimals that a float does not tell apart -------------------------------------------

LONG = st.decimals(0, 1, allow_nan=False, places=20).map(str)
NEIGHBOURS = st.tuples(LONG, st.integers(0, 40)).map(
    lambda drawn: (drawn[0], str(Decimal(drawn[0]) + drawn[1] * Decimal("1e-19")))
)


@settings(max_examples=40)
@given(pairs=st.lists(NEIGHBOURS, min_size=1, max_size=4))
def test_order_and_ties_of_decimals_survive_or_are_refused(tmp_path_factory, pairs):
    texts = list(itertools.chain.from_iterable(pairs))
    path = tmp_path_factory.mktemp("decimals") / "f.csv"
    path.write_text("s\n" + "\n".join(texts) + "\n")
    exact = list(map(Decimal, texts))
    if rank(exact) != rank(list(map(float, texts))):
        with pytest.raises(CapcurveError, match="must hold numbers that a float tells ap"):
            read_table(Source(str(path), [], ["s"]))
        return
    table = read_table(Source(str(path), [], ["s"])).table
    assert rank(table["s"].to_pylist()) == rank(exact)


def test_the_error_shows_decimals_that_would_be_tied(refused, read):
    first, second = "0.10000000000000000555", "0.10000000000000000556"
    message = refused(f"y,s\n1,{first}\n0,{second}\n0,0.5\n")
    assert message == (
        f"`s` must hold numbers that a float tells apart, got {first!r} and {second!r}; "
        "round them, or pass their rank"
    )
    text = f"y;s\n1;{first}\n0;{second}\n".replace(".", ",")
    assert "0,10000000000000000555' and '" in refused(text, decimal=",")
    text = "y,s\n1,9007199254740992.25\n0,9007199254740992.5\n"
    assert "'9007199254740992.25' and '9007199254740992.5'" in refused(text)
    text = f"y,s\n{first},1\n{second},0\n"  # amounts are added up, not ranked
    assert read(text)[0]["y"] == [0.1, 0.1]


@pytest.mark.parametrize("form", ["%.17g", "%.18e", "%.25f", "%r"])
def test_floats_may_be_written_with_more_digits_than_they_need(read, form):
    values = [0.1, 0.1 + 0.2, 0.3, 0.3, 1 / 3, 1e-5, 1.0, 0.0, -2.5]
    lines = "".join(f"1,{form % value}\n" for value in values)
    assert read(f"y,s\n{lines}")[0]["s"] == values


def test_equal_numbers_may_be_written_in_several_ways(read):
    texts = [
        "0.12345678901234500000",
        "1.2345678901234500000e-1",
        "12.345678901234500000 %",
    ]
    lines = "".join(f"1,{text}\n" for text in texts)
    assert set(read(f"y,s\n{lines}")[0]["s"]) == {0.123456789012345}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["True", "False", "TRUE", " false "], [True, False, True, False]),
        (["true", "", "false"], [True, None, False]),
        (["true", "maybe", "false"], ["true", "maybe", "false"]),
        (["true", "1", "false"], ["true", "1", "false"]),
    ],
)
def test_true_and_false_are_booleans_where_nothing_else_occurs(tmp_path, texts, expected):
    path = tmp_path / "f.csv"
    path.write_text("y,s\n" + "".join(f"{text},1\n" for text in texts))
    table = read_table(Source(str(path), ["y"], ["s"])).table
    assert table["y"].to_pylist() == expected
