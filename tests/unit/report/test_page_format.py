"""Numbers of a page: one format for a column, no noise, no e-16."""

import pytest

from capcurve._report.page_format import (
    choose_count,
    choose_outcome,
    choose_scores,
    show_positive,
    write_count,
    write_interval,
    write_lift,
    write_number,
    write_p_value,
    write_percent,
    write_ratio_interval,
    write_share,
    write_text,
)


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (-0.00049, 0.12345, "−0.0005 to 0.123"),
        (0.00002, 0.5, "0.00002 to 0.500"),
        (-0.3, -1e-15, "−0.300 to 0.000"),
    ],
)
def test_a_limit_of_an_ar_is_on_its_side_of_0(low, high, shown):
    assert write_ratio_interval({"low": low, "high": high}) == shown


@pytest.mark.parametrize(
    ("write", "value", "shown"),
    [
        (write_number, None, "–"),
        (write_number, 0.123456, "0.1235"),
        (write_number, -0.05, "−0.0500"),
        (write_number, 3.2e-16, "0.0000"),
        (write_number, -3.2e-16, "0.0000"),
        (write_number, 12345.678, "12,345.6780"),
        (write_number, 1.5e18, "1.5e+18"),
        (write_number, 3.58184e304, "3.58e+304"),
        (write_lift, 5.4321, "5.43"),
        (write_percent, 0.59501, "59.50%"),
        (write_percent, None, "–"),
        (write_share, 0.1, "10%"),
        (write_share, 0.005, "0.5%"),
        (write_share, 0.95, "95%"),
        (write_share, 0.999, "99.9%"),
        (write_p_value, None, "–"),
        (write_p_value, 2e-7, "<0.0001"),
        (write_p_value, 0.04, "0.0400"),
        (write_count, 48238, "48,238"),
        (write_count, 115.43, "115.4"),
        (write_count, 877354123456.7, "877,354,123,457"),
        (write_count, 0.25, "0.25"),
        (write_count, None, "–"),
        (write_text, None, ""),
        (write_text, "a", "a"),
    ],
)
def test_a_number_is_written_for_a_person(write, value, shown):
    assert write(value) == shown


def test_both_limits_have_the_same_decimals():
    assert write_interval({"low": -0.1, "high": 0.54321}) == "−0.1000 to 0.5432"
    assert write_interval({"low": 0.1, "high": 0.2}, 2) == "0.10 to 0.20"


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([10.0, 9.0, None], ["10", "9", "–"]),
        ([720.0, 1024.0], ["720", "1024"]),
        ([0.0629142, 0.0024, 1.5e-05], ["0.0629142", "0.0024000", "0.0000150"]),
        ([0.5, 0.25], ["0.50", "0.25"]),
        ([-12.5, 3.25], ["−12.50", "3.25"]),
        ([1e-12, 0.5], ["0.0", "0.5"]),
        (["AAA", "B", None], ["AAA", "B", "–"]),
        ([0.0, 0.125], ["0.000", "0.125"]),
    ],
)
def test_scores_of_a_column_share_a_format(values, shown):
    assert list(map(choose_scores(values), values)) == shown


@pytest.mark.parametrize(
    ("write", "value", "shown"),
    [
        (choose_count([12.34567, 0.5]), 1.4e-10, "<0.01"),
        (choose_count([123_456.7, 0.0014]), 0.0014, "<1"),
        (choose_count([12.34567, 0.5]), 0.0, "0.00"),
        (choose_count([12.34567, 0.5]), None, "–"),
        (choose_count([12.34567, 0.5]), 0.01, "0.01"),
        (choose_count([1.2e-9]), 1e-30, "1.000e-30"),
        (choose_outcome([2e6], are_events=False), 0.3, "<1"),
        (write_percent, 2e-5, "<0.01%"),
    ],
)
def test_a_number_above_0_is_not_written_as_0(write, value, shown):
    assert show_positive(write)(value) == shown


def test_rates_are_percentages_and_means_are_amounts():
    assert choose_outcome([0.1, 0.0012], are_events=True)(0.0012) == "0.12%"
    for largest, shown in ((1234.5, "1,234.50"), (2e6, "2,000,000"), (0.0123, "0.01230")):
        write = choose_outcome([largest, None, 0.0], are_events=False)
        assert write(largest) == shown
    assert choose_outcome([0.0], are_events=False)(0.0) == "0"
