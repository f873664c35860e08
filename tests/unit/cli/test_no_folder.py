"""A current folder that was removed is told as such, and absolute names still work."""

import sys
from pathlib import Path

import pytest

from capcurve._cli.run import name_plainly

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="keeps a folder in use")
GONE = "the current folder no longer exists; change into an existing one"
COLUMNS = "--truth y --estimate s"


@pytest.fixture
def home(monkeypatch):
    """Write a file, and enter a folder that is removed."""
    found = Path.cwd()
    Path("f.csv").write_text("y,s\n1,0.3\n0,0.1\n", encoding="utf-8")
    Path("gone").mkdir()
    monkeypatch.chdir("gone")
    Path("../gone").resolve().rmdir()
    return found


@pytest.mark.parametrize(
    "line",
    [
        f"score f.csv {COLUMNS}",
        f"score {{}}/f.csv {COLUMNS} -o x.json",
        f"plot {{}}/f.csv {COLUMNS} -o x.svg",
        f"report {{}}/f.csv {COLUMNS} -o x.html",
        f"sketch make {{}}/f.csv {COLUMNS} -o x.sketch",
        "sketch show x.sketch",
        "sketch merge x.sketch -o {}/y.sketch",
        "run night.toml",
    ],
)
def test_it_is_told(run, home, line):
    assert run(*line.format(home).split()) == (2, "", f"capcurve: error: {GONE}\n")


def test_absolute_names_work(run, home):
    command = f"score {home}/f.csv {COLUMNS} -o {home}/x.json"
    assert run(*command.split())[0] == 0
    missing = run("score", f"{home}/g.csv", *COLUMNS.split())[2]
    assert "no such file; check the name" in missing


def test_a_file_that_vanished_is_told_in_the_words_of_the_system():
    assert name_plainly(FileNotFoundError(2, "No such file", "a.csv")).endswith("'a.csv'")
