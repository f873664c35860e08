"""Sizes of memory mean what they mean to DuckDB; anything else is refused."""

import duckdb
import pytest

from capcurve import CapcurveError
from capcurve._input.memory_limit import read_memory_limit, read_size

SIZES = {
    "2GB": 2_000_000_000,
    "1.5 gb": 1_500_000_000,
    "512MiB": 512 * 1024**2,
    " .5 TB ": 500_000_000_000,
    "3.KiB": 3 * 1024,
    "123456789B": 123_456_789,
}


@pytest.mark.parametrize("text", SIZES)
def test_a_size_in_words(text):
    assert read_size(text) == read_memory_limit(text) == SIZES[text]


@pytest.mark.parametrize("text", ["2GB", "512MiB", "1.5 gb", ".25TB"])
def test_sizes_are_those_of_duckdb(text):
    with duckdb.connect(config={"memory_limit": text.replace(" ", "")}) as connection:
        query = "select value from duckdb_settings() where name = 'memory_limit'"
        ((shown,),) = connection.execute(query).fetchall()
    value, unit = shown.split()
    power = ["bytes", "KiB", "MiB", "GiB", "TiB"].index(unit)
    assert 0 <= read_size(text) / 1024**power - float(value) < 0.1  # which it cuts off


@pytest.mark.parametrize("limit", [1, 2_000_000_000, 2e9])
def test_bytes(limit):
    assert read_memory_limit(limit) == limit
    assert read_memory_limit(None) is None


@pytest.mark.parametrize(
    "limit",
    ["2", "0GB", "-2GB", "lots", "", "50%", "2 GB 3", 0, -1, 10**400, True, [2], 1j],
)
def test_what_is_no_size_is_refused(limit):
    with pytest.raises(CapcurveError) as caught:
        read_memory_limit(limit)
    assert str(caught.value).startswith(
        "`memory_limit` must be a number of bytes above 0 or a size in words, got "
    )
    assert str(caught.value).endswith("; pass one such as 500_000_000 or '2GB'")


@pytest.mark.parametrize("limit", [float("nan"), float("inf")])
def test_bytes_are_finite(limit):
    with pytest.raises(CapcurveError, match=rf"got {limit};"):
        read_memory_limit(limit)
