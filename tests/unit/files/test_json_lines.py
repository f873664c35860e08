"""Numbers in JSON lines are exact, or refused."""

import json

import pytest


def write(values):
    return "".join(json.dumps({"y": 1, "s": value}) + "\n" for value in values)


@pytest.mark.parametrize(
    "values",
    [
        [2**63 - 1, 2**63 - 2],
        [2**64 - 1, 2**64 - 2],
        [0.5, 2**53],
        [2.0**70, 1.0],
        [1, None],
    ],
)
def test_numbers_are_exact(read, values):
    assert read(write(values), name="f.jsonl")[0]["s"] == values


@pytest.mark.parametrize(
    ("values", "shown"),
    [([2**65, 2**65 + 1], 2**65 + 1), ([0.5, 2**53, 2**53 + 1], 2**53 + 1)],
)
def test_rounded_numbers_are_refused(refused, values, shown):
    assert refused(write(values), name="f.ndjson") == (
        "`s` must hold numbers that a float or an integer type holds exactly, got "
        f"{shown}; round the whole numbers beyond 2**53, or write no fractions and at most "
        "38 digits"
    )
