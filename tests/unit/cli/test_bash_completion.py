"""bash inserts what it is told to, so names are quoted, and takes words apart at =."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASH = shutil.which("bash")
HEADER = """default,past due,$amt,"a""q",it's\n1,2,3,4,5\n"""


@pytest.fixture(autouse=True)
def _file():
    Path("loans.csv").write_text(HEADER)


@pytest.fixture
def complete(run, monkeypatch):
    """Ask for completions of the last word as the script of bash does."""

    def ask(*words, program="bash"):
        monkeypatch.setenv("_CAPCURVE_COMPLETE", f"{program}_complete")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["capcurve", "score", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words) + 1))
        code, out, err = run()
        assert (code, err) == (0, "")
        return out.splitlines()

    return ask


@pytest.mark.parametrize(
    ("typed", "inserted"),
    [
        ("de", "default"),
        ("pa", r"past\\ due"),
        ("'pa", "past due"),
        ('"pa', "past due"),
        (r"\$", r"\\$amt"),
        ('"$', r"\\$amt"),
        ("it", r"it\\'s"),
        ("a", r"a\\" + '"q'),
    ],
)
def test_names_are_quoted(complete, typed, inserted):
    assert complete("loans.csv", "--truth", typed) == [f"plain,{inserted}"]


def test_other_shells_quote_themselves(complete):
    assert complete("loans.csv", "--truth", "pa", program="zsh")[:2] == [
        "plain",
        "past due",
    ]


def test_values_after_an_equals_sign(complete):
    assert len(complete("loans.csv", "--truth", "=")) == 5
    assert complete("loans.csv", "--truth", "=", "de") == ["plain,default"]
    more = ("--truth", "=", "default", "--estimate")
    assert complete("loans.csv", *more, "de") == ["plain,default"]
    assert complete("loans.csv", *more, "=", "") == complete("loans.csv", *more, "=")


@pytest.mark.skipif(BASH is None, reason="requires bash")
def test_bash_inserts_names_with_blanks():
    program = Path("capcurve").absolute()
    program.write_text(f"#!{BASH}\nexec '{sys.executable}' -m capcurve \"$@\"\n")
    program.chmod(0o755)
    script = """
        PATH="$PWD:$PATH"
        eval "$(_CAPCURVE_COMPLETE=bash_source capcurve)"
        COMP_WORDS=(capcurve score loans.csv --truth = pa) COMP_CWORD=5
        _capcurve_completion capcurve
        echo "${COMPREPLY[0]}"
    """
    done = subprocess.run(  # noqa: S603 -- a script of this test
        [str(BASH), "-c", script], capture_output=True, text=True, check=True
    )
    assert (done.stderr, done.stdout) == ("", "past\\ due\n")
