"""Numbers as text: what is one, with points and commas, per cent and thousands."""

import itertools
import math
from fractions import Fraction

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve._files.numbers import NumberFormat, has_digit


@pytest.fixture(scope="module")
def cast():
    """Cast texts by the SQL of the module, all in one query."""
    with duckdb.connect() as connection:

        def run(texts, decimal="."):
            form = NumberFormat(decimal)
            casts = (form.cast_any("t"), form.is_plain("t"), form.cast_plain("t"))
            query = f"select {', '.join(casts)} from (select unnest(?) as t)"  # noqa: S608
            rows = connection.execute(query, [texts]).fetchall()
            for value, is_plain, plain in rows:
                assert not is_plain or plain == value  # the fast path says the same
            return [value for value, _, _ in rows]

        yield run


@given(numbers=st.lists(st.floats(allow_nan=False), min_size=1, max_size=50))
def test_floats_are_read_as_python_reads_them(cast, numbers):
    texts = [repr(number) for number in numbers]
    assert cast(texts) == numbers
    assert cast([text.replace(".", ",") for text in texts], ",") == numbers


@given(hundredths=st.lists(st.integers(-(10**8), 10**8), min_size=1, max_size=50))
def test_percent_is_the_nearest_float_of_the_hundredth(cast, hundredths):
    texts = [f"{number / 100:.2f}" for number in hundredths]
    expected = [float(Fraction(number, 10_000)) for number in hundredths]
    signs = ("%", " %", "\u00a0%", "\u202f%")  # with a no-break space, as spreadsheets do
    written = [text + sign for text, sign in zip(texts, itertools.cycle(signs))]
    assert cast(written) == expected
    assert cast([text.replace(".", ",") for text in written], ",") == expected


@given(hundredths=st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=50))
def test_thousands_are_separated_by_points_where_decimals_have_a_comma(cast, hundredths):
    swap = str.maketrans(",.", ".,")
    texts = [f"{number / 100:,.2f}".translate(swap) for number in hundredths]
    expected = [float(Fraction(number, 100)) for number in hundredths]
    assert cast(texts, ",") == expected


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("8.2 %", ".", 0.082),
        ("8,2 %", ",", 0.082),
        ("3.081,00", ",", 3081.0),
        ("1.234.567", ",", 1234567.0),
        ("-1.234,5%", ",", -12.345),
        ("+1.", ".", 1.0),
        (".5", ".", 0.5),
        ("-Inf", ".", -math.inf),
        ("infinity", ",", math.inf),
        ("0e-400", ".", 0.0),
        ("-0,0000", ",", 0.0),
        ("5e-324", ".", 5e-324),
    ],
)
def test_forms_of_numbers(cast, text, decimal, value):
    assert cast([text], decimal) == [value]


def test_what_is_no_number(cast):
    texts = [
        "1_000",
        "+-1",
        "1e400",
        "1e-400",
        "2e-324",
        "-0.1E-330",
        "0x1F",
        "1 000",
        "5 % %",
        "1,5",
        "3,081.00",
        "1.234,5",
    ]
    texts += ["%", "e5", "nan", "TRUE", "", " ", "1e5 %", "inf %", "--1", "1.2.3"]
    assert cast(texts) == [None] * len(texts)
    texts = [
        "0.500",
        "1.23",
        "1.2345",
        "1,5,0",
        "0.123,4",
        "1.5",
        "1.234.56",
        ".123",
        "1_0",
    ]
    texts += ["1,5e400", "0,5e-400", "12345.678", "1.234_567,0", "1.234,5,6", "1.000.0 %"]
    assert cast(texts, ",") == [None] * len(texts)


def test_words_that_look_like_numbers():
    assert all(map(has_digit, ["-999", "-9,99", "8 %", "1e3", "-9.999,00"]))
    assert not any(map(has_digit, ["-", "inf", "n/a", ""]))
