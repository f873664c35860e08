"""Text that is plainly in the order of time when it is sorted, and other text."""

import pytest

from capcurve._input.periods import sorts_by_time


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["Jan"],
        ["2022", "2023"],
        ["22", "23"],
        ["2022-12", "2023-01"],
        ["2023/01", "2023/12"],
        ["2022-12-31", "2023-01-01"],
        ["2023-01-31 10:00:00", "2023-02-01 10:00:00"],
        ["2022Q4", "2023Q1"],
        ["2022-Q4", "2023-Q1"],
        ["2022-H2", "2023-H1"],
        ["2023-W05", "2023-W10"],
        ["202301", "202312"],
        ["FY22", "FY23"],
        ["FY2022-Q4", "FY2023-Q1"],
        ["22Q4", "23Q1"],
        ["PD7 2022Q4", "PD7 2023Q1"],
        ["2022/23", "2023/24"],
        ["Q1 2023", "Q1 2024"],  # of one quarter alone
        ["01.2023", "02.2023"],  # of one year alone
        ["T-1"],
        ["wave-1", "wave-2"],
    ],
)
def test_text_in_the_order_of_time(texts):
    assert sorts_by_time(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["Q1 2023", "Q1 2024", "Q2 2023"],
        ["Apr", "Jan"],
        ["2023-Apr", "2023-Jan"],
        ["1/2023", "10/2022"],
        ["01/2024", "02/2023"],
        ["01.02.2023", "02.01.2023"],
        ["01-22", "02-21"],
        ["10", "9"],
        ["2023-W10", "2023-W5"],
        ["2023", "2023-01"],
        ["12022Q1", "12023Q2"],
        ["old", "new"],
        ["T-1", "T-2"],  # the second is the earlier one
        ["t \N{MINUS SIGN} 01", "t \N{MINUS SIGN} 12"],
    ],
)
def test_other_text(texts):
    assert not sorts_by_time(texts)
