"""Pages that name files and tests as evidence name those that exist."""

import ast
import re

import pytest

from docs.pages import ROOT, read

PAGES = ["standards.md", "threat-model.md"]
# Those of the book, version 0.2.0: general ones, and those of exploratory analysis.
STANDARDS = re.findall(
    r"\S+",
    """
G1.0 G1.1 G1.2 G1.3 G1.4 G1.4a G1.5 G1.6
G2.0 G2.0a G2.1 G2.1a G2.2 G2.3 G2.3a G2.3b G2.4 G2.4a G2.4b G2.4c G2.4d G2.4e G2.5 G2.6
G2.7 G2.8 G2.9 G2.10 G2.11 G2.12 G2.13 G2.14 G2.14a G2.14b G2.14c G2.15 G2.16
G3.0 G3.1 G3.1a G4.0
G5.0 G5.1 G5.2 G5.2a G5.2b G5.3 G5.4 G5.4a G5.4b G5.4c G5.5 G5.6 G5.6a G5.6b G5.7
G5.8 G5.8a G5.8b G5.8c G5.8d G5.9 G5.9a G5.9b G5.10 G5.11 G5.11a G5.12
EA1.0 EA1.1 EA1.2 EA1.3 EA2.0 EA2.1 EA2.2 EA2.2a EA2.2b EA2.3 EA2.4 EA2.5 EA2.6
EA3.0 EA3.1 EA4.0 EA4.1 EA4.2 EA5.0 EA5.0a EA5.0b EA5.1 EA5.2 EA5.3 EA5.4 EA5.5 EA5.6
EA6.0 EA6.0a EA6.0b EA6.0c EA6.0d EA6.0e EA6.1
""",
)
ANSWERS = ("met", "partly", "not met", "not applicable", "see the next")
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


def test_every_standard_has_an_answer():
    rows = re.findall(
        r"^\| (E?[GA]\d\S*) \| .+? \| (.+) \|$", read("standards.md"), re.MULTILINE
    )
    assert [name for name, _ in rows] == STANDARDS
    assert all(answer.startswith(ANSWERS) for _, answer in rows)
