"""Counts and weights have digits whatever their unit, the same ones everywhere."""

import pytest

from capcurve._report.book_numbers import choose_format
from capcurve._report.page_format import choose_count


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([1_000.0, 2.0, None], ["1,000", "2", "–"]),
        ([0.0], ["0"]),
        ([], []),
        ([0.04809, 0.05709123], ["0.04809", "0.05709"]),
        ([0.1, 1.0], ["0.1", "1.0"]),
        ([5.1e-5, 0.001], ["0.000051", "0.001000"]),
        ([12.34567, 0.5], ["12.35", "0.50"]),
        ([115.43, 2.0], ["115.4", "2.0"]),
        ([12_345.67, 2.0], ["12,345.7", "2.0"]),
        ([328_380.4, 10_524.4], ["328,380", "10,524"]),
        ([1e3 + 1e-10, 2.0], ["1,000", "2"]),  # what sums leave
        ([1.234567e-9, 2.5e-10], ["1.235e-09", "2.500e-10"]),
        ([1.234567e-9, None], ["1.235e-09", "–"]),
    ],
)
def test_a_column_has_four_digits_of_its_largest_number(values, shown):
    write, number_format = choose_count(values), choose_format("count", values)
    assert list(map(write, values)) == shown
    numbers = [
        (value, text)
        for value, text in zip(values, shown, strict=True)
        if value is not None
    ]
    for value, text in numbers:
        assert number_format.show(value) == text
    decimals = {len(text.partition("e")[0].partition(".")[2]) for _, text in numbers}
    assert decimals <= {number_format.code.partition("E")[0].partition(".")[2].count("0")}
