"""pyright reads what users write, what comes back, mistakes and the README."""

import json
import subprocess
import sys

import pytest

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


def test_pyright_finds_each_mistake_in_its_line(errors):
    assert {line for line, _ in errors["mistakes.py"]} == mistakes()
