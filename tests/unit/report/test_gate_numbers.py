"""Numbers beside their limit."""

import pytest

from capcurve._report.gate_numbers import write_beside, write_p_beside


@pytest.mark.parametrize(
    ("value", "limit", "shown"),
    [
        (0.45, 0.5, "0.4500"),
        (-0.1588, 0.5, "-0.1588"),
        (-1e-9, -0.5, "0.0000"),
        (0.5, 0.5, "0.5000"),
        (0.499996, 0.5, "0.499996"),  # which would look like the limit
        (0.00004, 0.00003, "0.00004"),
        (0.5 - 2**-54, 0.5, "0.49999999999999994"),
    ],
)
def test_a_number_shows_on_which_side_of_its_limit_it_is(value, limit, shown):
    assert write_beside(value, limit) == shown


@pytest.mark.parametrize(
    ("p_value", "limit", "shown"),
    [
        (0.0123, 0.05, "0.0123"),
        (0.04999, 0.05, "0.04999"),
        (4.5e-7, 0.05, "<0.0001"),
        (0.0, 0.05, "<0.0001"),
        (4.5e-7, 1e-5, "4.5e-07"),
        (5e-5, 1e-5, "5e-05"),
    ],
)
def test_a_p_value_is_written_as_in_tables(p_value, limit, shown):
    assert write_p_beside(p_value, limit) == shown
