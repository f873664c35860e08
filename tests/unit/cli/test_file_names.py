"""A shell completes names of files and folders itself, as it is told to."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from capcurve._cli.commands import capcurve

BASH = shutil.which("bash")
FILES = [
    ("score", ""),
    ("score", "lo"),
    ("compare", "a.csv", "lo"),
    ("plan", "lo"),
    ("run", "ni"),
    ("score", "a.csv", "-o", ""),
    ("table", "a.csv", "--output", "re"),
    ("plot", "a.csv", "-o", "re"),
    ("report", "a.csv", "-o", "re"),
    ("compare", "a.csv", "--against", "re"),
    ("sketch", "make", "lo"),
    ("sketch", "make", "a.csv", "-o", "lo"),
    ("sketch", "merge", "lo"),
    ("sketch", "show", "lo"),
    ("sketch", "report", "lo"),
    ("sketch", "report", "a.sketch", "-o", "lo"),
    ("run", "-o", "lo"),
]


@pytest.fixture
def complete(run, monkeypatch):
    """Ask for completions as the script of a shell does."""

    def ask(shell, *words):
        monkeypatch.setenv("_CAPCURVE_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["capcurve", *words]))
        last = words[-1] if shell == "fish" else str(len(words))
        monkeypatch.setenv("COMP_CWORD", last)
        code, out, err = run()
        assert (code, err) == (0, "")
        return out

    return ask


@pytest.mark.parametrize("words", FILES, ids=" ".join)
def test_the_shell_completes_files(complete, words):
    assert complete("bash", *words) == f"file,{words[-1]}\n"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_shell_is_told_so(complete, shell):
    out = complete(shell, "score", "lo")
    assert out.replace("\n", ",").startswith("file,lo")


def test_the_demo_is_written_to_a_folder(complete):
    assert complete("bash", "demo", "--output-dir", "re") == "dir,re\n"


def test_every_file_is_of_a_type_that_a_shell_completes():
    def list_commands(group):
        for name in group.list_commands(None):
            found = group.get_command(None, name)
            yield from list_commands(found) if hasattr(found, "commands") else [found]

    for command in list_commands(capcurve):
        for each in command.params:
            is_output = each.name == "output"
            if is_output or each.param_type_name == "argument":
                (item,) = each.type.shell_complete(None, each, "x")
                assert item.type in {"file", "dir"}, (command.name, each.name)


@pytest.mark.skipif(BASH is None, reason="requires bash")
def test_bash_completes_files():
    Path("loans.csv").write_text("default,pd\n1,2\n")
    program = Path("capcurve").absolute()
    program.write_text(f"#!{BASH}\nexec '{sys.executable}' -m capcurve \"$@\"\n")
    program.chmod(0o755)
    script = """
        PATH="$PWD:$PATH"
        eval "$(_CAPCURVE_COMPLETE=bash_source capcurve)"
        compopt() { echo "compopt $1 $2"; }  # which bash has while it completes alone
        COMP_WORDS=(capcurve score loa) COMP_CWORD=2
        _capcurve_completion capcurve
        COMP_WORDS=(capcurve score loans.csv --truth def) COMP_CWORD=4
        _capcurve_completion capcurve
        echo "words ${COMPREPLY[*]}"
    """
    done = subprocess.run(  # noqa: S603 -- a script of this test
        [str(BASH), "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "compopt -o default\nwords default\n"
