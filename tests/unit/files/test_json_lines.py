"""Numbers in JSON lines are exact, or refused."""

import gzip
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


@pytest.mark.parametrize("place", [0, 1, 7, 19])
@pytest.mark.parametrize("broken", ['{"y": 1, "s": oops}', '{"y": 1, "s": 0.5'])
def test_a_broken_line_is_named(refused, place, broken):
    lines = write(range(20)).splitlines(keepends=True)
    lines[place] = f"{broken}\n"
    assert refused("".join(lines), name="f.jsonl").startswith(
        f"cannot read f.jsonl: line {place + 1} must hold one JSON object, got an error at "
    )


def test_the_line_of_a_compressed_file_is_not_told(refused):
    packed = gzip.compress(write([1]).encode() + b"{oops\n")
    found = refused(packed, name="f.jsonl.gz")
    assert found.startswith("cannot read f.jsonl.gz: a line must hold one JSON object, got")
    assert found.endswith("; correct the line")
