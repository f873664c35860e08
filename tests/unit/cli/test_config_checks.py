"""`capcurve run --check` finds what would stop a portfolio, without reading its rows."""

import errno
import gzip
import os
import sys
from pathlib import Path

import polars as pl
import pytest

from answers import read_results
from capcurve._report import pdf

needs_unix = pytest.mark.skipif(sys.platform != "linux", reason="requires /proc")
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
    Path("gzipped.csv").write_bytes(gzip.compress(ROWS.encode()))
    Path("text.parquet").write_text(ROWS, encoding="utf-8")
    Path("twice.csv").write_text(ROWS.replace("year", "pd"), encoding="utf-8")
    Path("cut.csv").write_bytes(b"default,pd,\xff\xfe\n1,2\n")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('file = "empty.csv"', "cannot read empty.csv: the file is empty"),
        ('file = ["loans.csv", "empty.csv"]', "cannot read empty.csv: the file is empty"),
        ('file = "damaged.parquet"', "cannot read damaged.parquet: "),
        ('file = "cut.csv"', "cannot read cut.csv: the file is not text in UTF-8"),
        (
            'file = "gzipped.csv"',
            "cannot read gzipped.csv: it must be text, got ",
        ),
        (
            'file = "text.parquet"',
            "cannot read text.parquet: it must be a Parquet file",
        ),
        ('file = "loans.csv"\ntruth = "deflt"', "loans.csv has no column 'deflt'; did you"),
        (
            'file = ["loans.csv", "twice.csv"]',
            "cannot read twice.csv: its header names 'pd' more than once; rename the dup",
        ),
        ('file = "loans.parquet"\nby = "yaer"', "loans.parquet has no column 'yaer'"),
        (
            'file = "loans.csv"\ntable = "loans"',
            "`table` requires a database file, got loans.csv; remove it",
        ),
        ('file = "loans.csv"\nperiod = "month"', "loans.csv has no column 'month'"),
        (
            'file = "loans.parquet"\nquery = "select pd from data"',
            "the result of `query` has no column 'default'; its columns are 'pd'",
        ),
        (
            'file = "loans.csv"\nencoding = "utf-16"',
            (
                "cannot read loans.csv: it must be text in utf-16, but holds other bytes; "
                "pass its encoding as `encoding`, such as cp1252"
            ),
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


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("initial-auc = 1.8", "`initial-auc` must be an AUC from 0 to 1, got 1.8"),
        (
            "initial-auc = 0.8\ninitial-variance = -1",
            "`initial-variance` must not be negative or above 1, got -1",
        ),
    ],
)
def test_an_initial_auc_that_cannot_be(check, lines, message):
    code, err = check(f'file = "loans.csv"\n{lines}')
    assert code == 2
    assert message in err


def test_a_pattern_that_matches_no_file_has_no_report(run):
    """Neither does a check name one, nor look for a place of it."""
    entry = (
        '[report]\ntruth = "default"\nestimate = "pd"\n[[portfolio]]\nfiles = "n*.csv"\n'
    )
    Path("night.toml").write_text(entry, encoding="utf-8")
    code, out, err = run("run", "--check", "night.toml", "--format", "csv")
    problem = "cannot read n*.csv: no file matches this pattern; correct it"
    assert (code, err) == (2, f"capcurve: error: n*.csv: {problem}\n")
    assert out.splitlines()[1] == f"n*.csv,,,error,{problem}"


def test_a_pattern_is_no_folder(run):
    Path("night.toml").write_text(
        f"{CONFIG}file = 'loans.csv'\n[[portfolio]]\nfiles = '../{Path.cwd().name}'"
    )
    code, _, err = run("run", "--check", "night.toml")
    assert code == 2
    assert "it is a folder; pass its files, such as '" in err


def test_a_file_is_no_folder(check):
    code, err = check('file = "loans.csv"\noutput = "loans.csv/{name}/r.html"')
    assert code == 2
    assert err == (
        "`output` must be in a folder that can be made, got 'loans.csv/P/r.html', but "
        "'loans.csv' is a file; choose another folder\n"
    )
    _, err = check('file = "loans.csv"\noutput = "loans.csv/r.html"')
    assert "must be in a folder, got 'loans.csv/r.html', but 'loans.csv' is a file" in err


def test_a_name_that_is_too_long(check):
    code, err = check(f'file = "loans.csv"\noutput = "new/{"x" * 300}.html"')
    assert code == 2
    assert "File name too long; choose another place" in err


@needs_unix
@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("/proc", "cannot write '/proc/r.html': "),
        ("/proc/new", "cannot make the folder '/proc/new': "),
    ],
)
def test_a_folder_that_takes_no_files(check, place, told):
    """Not even from root, whom the permissions do not keep out."""
    code, err = check(f'file = "loans.csv"\noutput = "{place}/r.html"')
    assert code == 2
    assert err.startswith(told)
    assert err.endswith("; choose another place\n")


@pytest.fixture
def unread(monkeypatch):
    """Let nobody look into a folder, not even root."""
    Path("unread").mkdir()

    def refuse(ask):
        def answer(path, *arguments, **options):
            if "unread" in Path(path).parts[:-1]:
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return ask(path, *arguments, **options)

        return answer

    for name in ("stat", "lstat", "mkdir"):
        monkeypatch.setattr(os, name, refuse(getattr(os, name)))


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("unread/r.html", "cannot write 'unread/r.html'"),
        ("unread/x/r.html", "cannot make the folder 'unread/x'"),
        ("unread/x/y/r.html", "cannot make the folder 'unread/x/y'"),
    ],
)
@pytest.mark.usefixtures("unread")
def test_a_folder_that_may_not_be_read(check, run, place, told):
    code, err = check(f'file = "loans.csv"\noutput = "{place}"')
    assert (code, err) == (2, f"{told}: Permission denied; choose another place\n")
    told = run("run", "night.toml")[2].splitlines(keepends=True)
    assert told[0] == f"capcurve: error: P: {err}"


@needs_unix
def test_summaries_are_checked_as_reports_are(run):
    lines = 'summary = ["index.html", "/proc/s.html", "loans.csv/s.json"]\n'
    Path("night.toml").write_text(f'{lines}{CONFIG}file = "loans.csv"', encoding="utf-8")
    code, out, err = run("run", "--check", "night.toml", "--format", "json")
    assert code == 2
    first, second = err.splitlines()
    assert first.startswith("capcurve: error: summary: cannot write '/proc/s.html': ")
    assert second.startswith("capcurve: error: summary: `summary` must be in a folder, got")
    rows = [(row["portfolio"], row["reports"]) for row in read_results(out)]
    assert rows == [("P", ""), ("summary", "/proc/s.html"), ("summary", "loans.csv/s.json")]
    assert run("run", "--check", "night.toml", "--only", "P")[0] == 0


def test_a_check_leaves_nothing_behind(check):
    before = set(Path().iterdir())
    assert check('file = "loans.csv"\noutput = ["{name}.html", "new/r.json"]') == (0, "")
    assert set(Path().iterdir()) - before == {Path("night.toml")}


def test_folders_are_made_later(check):
    assert check('file = "loans.csv"\noutput = "new/deep/{name}.html"') == (0, "")
    assert not Path("new").exists()


def test_a_pdf_requires_a_browser(check, monkeypatch):
    lines = 'file = "loans.csv"\noutput = ["r.html", "r.PDF"]\n'
    monkeypatch.setattr(pdf, "BROWSERS", ("no-such-browser",))
    code, err = check(lines)
    assert code == 2
    assert err.startswith("a PDF report requires Chromium or Chrome, but neither is on the")
    monkeypatch.setattr(pdf, "BROWSERS", ("true",))
    assert check(lines)[0] == 0


def test_a_table_beside_a_query(check, run):
    lines = 'file = "loans.csv"\ntable = "x"\nquery = "select * from data"'
    code, err = check(lines)
    told = "`table` and `query` cannot be combined, as a query names its tables; "
    wanted = f"capcurve: error: `portfolio[P]` of night.toml: {told}remove one of them\n"
    assert (code, err) == (2, wanted)
    assert run("run", "night.toml")[2] == wanted


def test_what_cannot_be_read_is_told_before_where_it_would_be_written(check):
    code, err = check('files = "gone/*.csv"\noutput = "loans.csv/{name}.html"')
    assert code == 2
    assert "gone/*.csv" in err
    assert "`output`" not in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('encoding = "latin99"', "`encoding` must be the name of a text encoding, "),
        ('table = "t"\nquery = "select 1"', "`table` and `query` cannot be combined"),
        ('order = "A,A"', "`order` must list each grade once"),
        (
            'truth = []\nevents = "year"\ncounts = "default"\npos-label = "1"',
            "`pos-label` and `target-type` require `truth`, got `events`, which counts",
        ),
    ],
)
def test_values_are_checked_before_anything_runs(run, line, message):
    good = '\nfile = "loans.csv"\n[[portfolio]]\nname = "Q"\nfile = "loans.csv"\n'
    config = f"{CONFIG}{good}{line}\n".replace("output = []\n", "")
    Path("night.toml").write_text(config, encoding="utf-8")
    code, out, err = run("run", "night.toml")
    assert (code, out) == (2, "")
    assert err.startswith(f"capcurve: error: `portfolio[Q]` of night.toml: {message}")
    assert not Path("reports").exists()


def test_an_order_of_grades_is_checked(check):
    Path("grades.csv").write_text("default,pd\n1,B\n0,A\n", encoding="utf-8")
    assert check('file = "grades.csv"\norder = "A,B"') == (0, "")
