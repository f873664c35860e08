"""What docs/threat-model.md says of the source: it runs no data, and reaches no network."""

import ast
import re
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "capcurve"
# What could run data, or send them away.
RUN_DATA = {"dill", "joblib", "marshal", "pickle", "shelve", "yaml"}
REACH_OUT = {
    "ftplib",
    "http",
    "requests",
    "smtplib",
    "socket",
    "ssl",
    "urllib.request",
    "urllib3",
}
RUN_TEXT = {"__import__", "compile", "eval", "exec"}
# A browser prints the PDF.
STARTS_A_PROGRAM = {"_report/pdf.py"}
# What a template may write without escaping, as it is our own or was made safe.
SAFE = {"page.html.j2": ["style", "embedded", "script"], "run_page.html.j2": ["style"]}


def read_tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def find_risks(tree):
    """List the modules and functions of a module that run data or reach out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield from {node.func.id} & RUN_TEXT
            if isinstance(node, ast.keyword) and node.arg == "shell":
                yield "shell"
            continue
        parts = {name.partition(".")[0] for name in names} | set(names)
        yield from parts & (RUN_DATA | REACH_OUT)


def starts_a_program(tree):
    return any(
        isinstance(node, ast.Import)
        and any(each.name == "subprocess" for each in node.names)
        for node in ast.walk(tree)
    )


def test_no_module_runs_data_or_reaches_out():
    found = {
        path.relative_to(SRC).as_posix(): risks
        for path in SRC.rglob("*.py")
        if (risks := sorted(find_risks(read_tree(path))))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        ("import pickle", "pickle"),
        ("from urllib.request import urlopen", "urllib.request"),
        ("eval(text)", "eval"),
        ("subprocess.run(line, shell=True)", "shell"),
    ],
)
def test_planted_risks_are_noticed(text, risk):
    assert list(find_risks(ast.parse(text))) == [risk]


def test_one_module_starts_a_program():
    found = {
        path.relative_to(SRC).as_posix()
        for path in SRC.rglob("*.py")
        if starts_a_program(read_tree(path))
    }
    assert found == STARTS_A_PROGRAM


def test_templates_escape_all_but_what_was_made_safe():
    found = {
        path.name: re.findall(r"\{\{ *(\w+) *\| *safe *\}\}", text)
        for path in SRC.rglob("*.j2")
        if (text := path.read_text(encoding="utf-8")).count("safe")
    }
    assert found == SAFE
    for path in SRC.rglob("*.py"):
        for node in ast.walk(read_tree(path)):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) == "jinja2.Environment"
            ):
                said = {each.arg: ast.unparse(each.value) for each in node.keywords}
                assert said["autoescape"] == "True", path
