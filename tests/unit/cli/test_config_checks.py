"""`capcurve run --check` finds what would stop a portfolio, without reading its rows."""

import os
from pathlib import Path

import polars as pl
import pytest

CONFIG = """
[report]
truth = "default"
estimate = "pd"
output = []
[[portfolio]]
name = "P"
"""
ROWS = "default,pd,year\n1,0.3,2020\n0,0.1,2021\n"


@pytest.fixture
def check(run):
    """Check a portfolio with some lines of config; give the exit code and stderr."""

    def run_check(lines):
        Path("night.toml").write_text(CONFIG + lines, encoding="utf-8")
        code, _, err = run("run", "--check", "night.toml")
        return code, err.removeprefix("capcurve: error: P: ")

    return run_check


@pytest.fixture(autouse=True)
def _files():
    Path("loans.csv").write_text(ROWS, encoding="utf-8")
    pl.read_csv("loans.csv").write_parquet("loans.parquet")
    Path("empty.csv").touch()
    Path("damaged.parquet").write_bytes(b"PAR1" + bytes(40))
    Path("cut.csv").write_bytes(b"default,pd,\xff\xfe\n1,2\n")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('file = "empty.csv"', "cannot read empty.csv: the file is empty"),
        ('file = ["loans.csv", "empty.csv"]', "cannot read empty.csv: the file is empty"),
        ('file = "damaged.parquet"', "cannot read damaged.parquet: "),
        ('file = "cut.csv"', "cannot read cut.csv: the file is not text in UTF-8"),
        ('file = "loans.csv"\ntruth = "deflt"', "loans.csv has no column 'deflt'; did you"),
        ('file = "loans.parquet"\nby = "yaer"', "loans.parquet has no column 'yaer'"),
        ('file = "loans.csv"\nperiod = "month"', "loans.csv has no column 'month'"),
        (
            'file = "loans.parquet"\nquery = "select pd from data"',
            "loans.parquet has no column 'default'",
        ),
    ],
)
def test_what_a_check_finds(check, lines, message):
    code, err = check(lines)
    assert code == 2
    assert err.startswith(message)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "lines",
    [
        'file = "loans.csv"\nperiod = "year"',
        'file = "loans.parquet"',
        'file = "loans.csv"\ntruth = "bad"\nquery = "select *, default as bad from data"',
    ],
)
def test_files_in_order(check, lines):
    assert check(lines) == (0, "")


def test_a_file_is_no_folder(check):
    code, err = check('file = "loans.csv"\noutput = "loans.csv/{name}/r.html"')
    assert code == 2
    assert err == (
        "`output` must be in a folder that can be made, got 'loans.csv/P/r.html', but "
        "'loans.csv' is a file; choose another folder\n"
    )
    _, err = check('file = "loans.csv"\noutput = "loans.csv/r.html"')
    assert "must be in a folder, got 'loans.csv/r.html', but 'loans.csv' is a file" in err


def test_a_folder_that_cannot_be_made(check, monkeypatch):
    monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)
    code, err = check('file = "loans.csv"\noutput = "new/{name}.html"')
    assert code == 2
    assert "but '.' cannot be written to; choose another folder" in err


def test_folders_are_made_later(check):
    assert check('file = "loans.csv"\noutput = "new/deep/{name}.html"') == (0, "")
    assert not Path("new").exists()
