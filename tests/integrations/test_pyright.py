"""pyright reads what users write, what comes back, mistakes and the README."""

import json
import os
import subprocess
import sys

import pytest

import capcurve
from typed_scripts import RIGHT, ROOT, SCRIPTS, by_name, mistakes, write_readme

# The environment of the other tests has the libraries that the scripts use.
INTERPRETER = ROOT / ".venv/bin/python"


def run_pyright(folder):
    """Yield file and line of each error; basedpyright is pyright from PyPI alone."""
    settings = {
        "typeCheckingMode": "strict",
        "include": [*map(str, SCRIPTS), str(write_readme(folder))],
        "extraPaths": [str(ROOT / "src")],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--outputjson"]
    done = subprocess.run(  # noqa: S603 -- our own files
        [*command, "--pythonpath", str(INTERPRETER)],
        check=False,
        capture_output=True,
        cwd=folder,
        text=True,
    )
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == len(SCRIPTS) + 1
    for each in found["generalDiagnostics"]:
        line = each["range"]["start"]["line"] + 1
        yield each["file"], line, each["message"]


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    """Give the errors that pyright reports, by the name of the file."""
    return by_name(run_pyright(tmp_path_factory.mktemp("checked")))


@pytest.mark.parametrize("name", RIGHT)
def test_pyright_finds_nothing_in_what_is_right(errors, name):
    assert errors.get(name, []) == []


def test_all_public_types_are_known():
    """Type completeness, as pyright counts it, is 100 %."""
    environment = {
        **os.environ,
        "PATH": f"{INTERPRETER.parent}:{os.environ['PATH']}",  # the Python that it asks
        "PYTHONPATH": str(ROOT / "src"),
    }
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--ignoreexternal"]
    done = subprocess.run(  # noqa: S603 -- our own package
        [*command, "--verifytypes", "capcurve"],
        check=False,
        capture_output=True,
        env=environment,
        text=True,
    )
    found = json.loads(done.stdout)["typeCompleteness"]
    unknown = [each["name"] for each in found["symbols"] if not each["isTypeKnown"]]
    assert found["packageName"] == "capcurve"
    assert found["exportedSymbolCounts"]["withKnownType"] > len(capcurve.__all__)
    assert unknown == []
    assert found["completenessScore"] == 1


def test_pyright_finds_each_mistake_in_its_line(errors):
    assert {line for line, _ in errors["mistakes.py"]} == mistakes()
