"""One number format for all numbers of a column."""

import pytest

from capcurve._report.book_numbers import choose_format


@pytest.mark.parametrize(
    ("kind", "values", "code"),
    [
        ("ratio", [0.5, None], "0.000"),
        ("share", [0.01, 0.5], "0.0%"),
        ("share", [0.001, 0.5], "0.00%"),
        ("share", [1e-9, 0.5], "0.0000%"),
        ("share", [0, None], "0.0%"),
        ("rate", [0.0128, 0.3], "0.00%"),
        ("rate", [0.00064], "0.000%"),
        ("count", [1, 2_000.0], "#,##0"),
        ("count", [1.5, 2], "#,##0.0"),
        ("count", [1.25, 2], "#,##0.00"),
        ("count", [1.25, 200], "#,##0.0"),
        ("count", [0.25, 200_000], "#,##0"),
        ("score", [0.062914, 0.5], "#,##0.000000"),
        ("score", [1.0, 7.0, "BB"], "#,##0"),
        ("score", [1.5e-7, 0.1], "0.000E+00"),
        ("amount", [3.14159, 2.5], "#,##0.00"),
        ("amount", [0.0314159, 0.025], "#,##0.0000"),
        ("amount", [31_415.9], "#,##0"),
        ("amount", [0.0], "#,##0"),
        ("amount", [1.5e-9], "0.000E+00"),
    ],
)
def test_the_format_shows_what_the_column_holds(kind, values, code):
    assert choose_format(kind, values).code == code


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [
        ("ratio", 0.5334, "0.533"),
        ("difference", 0.05, "+0.050"),
        ("share", 0.1234, "12.3%"),
        ("count", 12_345, "12,345"),
        ("p_value", 2e-7, "  0.0000"),
    ],
)
def test_a_number_is_as_long_as_it_is_shown(kind, value, shown):
    assert choose_format(kind, [value]).show(value) == shown
