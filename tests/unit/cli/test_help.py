"""Help fits a screen, is in sections, and its examples run."""

import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import polars as pl
import pytest

from capcurve import CapSketch
from capcurve._cli.commands import COMMANDS, capcurve
from capcurve._cli.help import SECTIONS, break_command
from capcurve.datasets import make_portfolio

CONFIG = """
[report]
truth = "default"
estimate = "champion_pd"
output = "reports/{name}.json"
[[portfolio]]
file = "loans.csv"
"""
LONGEST, WIDEST = 49, 80


SKETCH = capcurve.get_command(None, "sketch").commands
NAMES = [*(name for name in COMMANDS if name != "sketch"), *(f"sketch {n}" for n in SKETCH)]


def get(name):
    first, _, second = name.partition(" ")
    return SKETCH[second] if second else capcurve.get_command(None, first)


def read_help(name):
    margin = 2  # that click leaves in a terminal of this width
    parent = click.Context(capcurve, info_name="capcurve", terminal_width=WIDEST - margin)
    context = click.Context(
        get(name), info_name=name, parent=parent, help_option_names=["-h", "--help"]
    )
    return get(name).get_help(context)


def read_examples(name):
    text = inspect.cleandoc(get(name).help or "")
    return [
        shlex.split(" ".join(found.split()))
        for found in re.findall(r"Example: (.*?)(?:\n\n|\Z)", text, re.DOTALL)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_help_fits_a_screen(name):
    lines = read_help(name).splitlines()
    assert len(lines) <= LONGEST
    assert max(map(len, lines)) <= WIDEST


@pytest.mark.parametrize("name", ["report", "compare"])
def test_a_long_help_names_the_options_that_score_explains(name):
    named = re.search(r"^  (--.*): see score --help\.$", read_help(name), re.MULTILINE)
    data = [each for each in get(name).params if getattr(each, "section", "") == "Data"]
    assert named[1].split() == [each.opts[0] for each in data]
    for option in named[1].split():
        assert re.search(rf"^  {option} .*\.$", read_help("score"), re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_help_is_in_sections_in_one_order(name):
    headings = re.findall(r"^(\w.*):$", read_help(name), re.MULTILINE)
    assert headings == [each for each in SECTIONS if each in headings]
    assert headings[-1] == "Output"
    for parameter in get(name).params:
        assert isinstance(parameter, click.Argument) or parameter.section in SECTIONS


@pytest.mark.parametrize("width", [30, 78, 500])
@pytest.mark.parametrize("name", NAMES)
def test_examples_continue_as_a_shell_takes_them(name, width):
    (example,) = read_examples(name)
    lines = list(break_command(shlex.join(example), width))
    shell = ["/bin/sh", "-c", "\n".join(["printf '%s\\n' \\", *lines])]
    words = subprocess.run(shell, check=True, capture_output=True, text=True)  # noqa: S603 -- our own text
    assert words.stdout.splitlines() == example
    assert all(line.startswith("  -") for line in lines[1:])
    assert len(lines) == 1 or width < 500


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name):
    assert COMMANDS[name] == inspect.cleandoc(get(name).help or "").partition("\n\n")[0]
    assert get(name).name == name


def write_examples():
    """Write the loans of the README, and what examples make of them."""
    loans = make_portfolio()
    pl.DataFrame(loans).write_csv("loans.csv")
    sketch = CapSketch()
    sketch.update(loans["default"], loans["champion_pd"])
    for name in ("week", "monday", "tuesday"):
        Path(f"{name}.sketch").write_bytes(sketch.to_bytes())
    Path("capcurve.toml").write_text(CONFIG, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_examples_of_help_run_on_the_data_of_the_readme(name, run):
    write_examples()
    (example,) = read_examples(name)
    assert f"{' '.join(example)} ".startswith(f"capcurve {name} ")
    code, out, err = run(*example[1:])
    assert code == 0, err
    assert out or "written to" in err


def test_no_command_takes_the_name_of_another(run):
    assert sorted(COMMANDS) == list(COMMANDS)
    code, _, err = run("scores")
    message = "capcurve has no command 'scores'; did you mean score or compare?"
    assert (code, err) == (2, f"capcurve: error: {message}\n")


def test_an_unknown_command_is_none():
    assert capcurve.get_command(None, "scores") is None


def test_help_imports_neither_numbers_nor_readers():
    program = (
        "import sys\n"
        "from capcurve._cli.run import main\n"
        "assert main(['--help']) == 0\n"
        "heavy = {'numpy', 'narwhals', 'scipy', 'duckdb', 'matplotlib', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert run.stdout.splitlines()[-1] == "[]"
    assert all(f"\n  {name} " in run.stdout for name in COMMANDS)


def test_the_readme_names_every_command():
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    for name in COMMANDS:
        assert f"capcurve {name}" in readme
