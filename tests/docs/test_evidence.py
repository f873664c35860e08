"""Pages that name files and tests as evidence name those that exist."""

import ast
import re

import pytest

from docs.pages import ROOT, read

PAGES = ["standards.md", "threat-model.md"]
FOLDERS = ("src", "tests", "docs", "benchmarks", "examples")
PATH = re.compile(rf"(?<![\w/])((?:{'|'.join(FOLDERS)})/[\w./-]+\w)(?:::(\w+))?")


def find_missing(text):
    """List the files, and the tests and functions in them, that a text wrongly names."""
    return [
        path if name is None else f"{path}::{name}"
        for path, name in (found.groups() for found in PATH.finditer(text))
        if not (ROOT / path).exists() or (name and name not in names_in(ROOT / path))
    ]


def names_in(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


@pytest.mark.parametrize("name", PAGES)
def test_evidence_exists(name):
    assert find_missing(read(name)) == []


@pytest.mark.parametrize("name", PAGES)
def test_each_page_names_evidence(name):
    assert len(PATH.findall(read(name))) > 10


def test_planted_evidence_is_noticed():
    text = "`src/none.py`, `tests/docs/pages.py::read` and `tests/docs/pages.py::lost`"
    assert find_missing(text) == ["src/none.py", "tests/docs/pages.py::lost"]
