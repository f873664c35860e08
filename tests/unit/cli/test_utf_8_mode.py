"""Names with umlauts in a locale of ASCII: a process of the shell starts anew in UTF-8."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from capcurve._cli.run import main
from capcurve._cli.utf_8_mode import use_utf_8_mode

ROWS = "Ausfall,Bonität,Größe\n" + "1,1,süd\n0,2,süd\n1,3,–∞\n0,4,–∞\n" * 9
COLUMNS = ["--truth", "Ausfall", "--estimate", "Bonität", "--ascending"]
CONFIG = """
summary = ["reports/index.html", "sum.json"]
[report]
truth = "Ausfall"
estimate = ["Bonität"]
ascending = true
[[portfolio]]
name = "Häuser – 1"
file = "über.csv"
[[portfolio]]
files = "ü*.csv"
"""
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def run(*arguments, **more):
    return subprocess.run(  # noqa: S603 -- our own arguments
        [sys.executable, "-m", "capcurve", *arguments],
        env={**os.environ, **ASCII, **more},
        capture_output=True,
        check=False,
    )


@pytest.fixture(autouse=True)
def file():
    Path("über.csv").write_text(ROWS, encoding="utf-8")
    Path("capcurve.toml").write_text(CONFIG, encoding="utf-8")


@pytest.mark.slow
def test_a_run_makes_reports_called_after_portfolios():
    for more in ([], ["--only", "Häuser – 1"], ["--check"]):
        done = run("run", *more)
        assert (done.returncode, b"error:" in done.stderr) == (0, False)
        assert b"H\\xe4user \\u2013 1" in done.stdout
        assert done.stdout.isascii()
    assert {each.name for each in Path("reports").iterdir()} == {
        *("Häuser – 1.html", "über.html", "index.html")
    }
    told = json.loads(Path("sum.json").read_text(encoding="utf-8"))
    names = [each["name"] for each in told["portfolios"]]
    assert names == ["Häuser – 1", "über"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["score"],
        ["table", "--bands", "2"],
        ["segments", "--by", "Größe"],
        ["report", "-o", "ö.html"],
        ["plot", "-o", "ö.png"],
        ["sketch", "make", "-o", "ö.sketch"],
        ["cut-offs", "--share", "0.5"],
    ],
)
def test_commands_take_names_and_print_what_the_terminal_shows(command):
    done = run(*command, "über.csv", *COLUMNS)
    assert (done.returncode, b"error:" in done.stderr) == (0, False), done.stderr
    assert (done.stdout + done.stderr).isascii()
    if "-o" in command:
        assert Path(command[-1]).stat().st_size
    else:
        assert b"Bonit\\xe4t" in done.stdout or b"Gr\\xf6\\xdfe" in done.stdout.lower()


@pytest.mark.slow
def test_errors_show_names_and_the_encoding_asked_for_stays():
    done = run("score", "über.csv", "--truth", "Größer", "--estimate", "Bonität")
    assert done.stderr.startswith(
        b"capcurve: error: \\xfcber.csv has no column 'Gr\\xf6\\x"
    )
    done = run("score", "über.csv", *COLUMNS, PYTHONIOENCODING="latin-1")
    assert "Bonität".encode("latin-1") in done.stdout


@pytest.mark.parametrize("executable", ["/usr/bin/other", ""])
def test_only_a_locale_of_ascii_starts_anew(monkeypatch, executable):
    def replace(path, arguments):
        started.append((path, arguments, os.environ["PYTHONIOENCODING"]))
        raise FileNotFoundError

    started = []
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setattr(os, "execv", replace)
    monkeypatch.setattr(sys, "executable", executable)
    monkeypatch.setattr(sys, "orig_argv", ["python", "-I", "-m", "capcurve"])
    for encoding in ("utf-8", "iso8859-1", "ascii"):
        monkeypatch.setattr(sys, "getfilesystemencoding", lambda found=encoding: found)
        use_utf_8_mode()
    anew = ["python", "-X", "utf8", "-I", "-m", "capcurve"]
    assert started == [(executable or "python", anew, "ascii:backslashreplace")]
    monkeypatch.delenv("PYTHONIOENCODING")


def test_a_name_that_the_locale_lacks_is_told(monkeypatch, capsys):
    def lack(*_):
        "日本".encode("iso8859-1")

    monkeypatch.setattr("capcurve._cli.run.invoke", lack)
    locale = (
        "the name of a file must be text in iso8859-1, as the locale says, got '日本'; "
    )
    for encoding, told in (
        ("ISO-8859-1", f"{locale}set PYTHONUTF8=1, or choose another name"),
        ("utf-8", "'latin-1' codec can't encode"),
    ):
        monkeypatch.setattr(sys, "getfilesystemencoding", lambda found=encoding: found)
        assert main([]) == 2
        assert f"capcurve: error: {told}" in capsys.readouterr().err
