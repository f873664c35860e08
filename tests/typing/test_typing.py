"""Type checkers read what users write, what comes back, mistakes and the README."""

import doctest
import json
import os
import runpy
import subprocess
import sys
import typing
from pathlib import Path

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve.datasets import make_portfolio

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCRIPTS = [HERE / name for name in ("user.py", "frames.py", "mistakes.py")]
README = "readme.py"
# scikit-learn has no types of its own, and doctest shows what an expression gives.
IN_README = (
    "# mypy: disable-error-code=import-untyped\n"
    "# pyright: standard, reportUnusedExpression=false\n"
)


def write_readme(folder):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_examples(text)
    assert len(examples) > 40
    source = "".join(each.source for each in examples)
    path = folder / README
    path.write_text(IN_README + source, encoding="utf-8")
    return path


def run_mypy(folder):
    """Yield file and line of each error; the settings are those of a user, not ours."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file="]
    command += ["--follow-imports=silent", "--output=json", "--cache-dir=cache"]
    done = subprocess.run(  # noqa: S603 -- our own files
        [*command, *map(str, SCRIPTS), str(write_readme(folder))],
        check=False,
        capture_output=True,
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        text=True,
    )
    assert done.returncode < 2, done.stderr
    for line in done.stdout.splitlines():
        found = json.loads(line)
        if found["severity"] == "error":
            yield found["file"], found["line"], found["message"]


def run_pyright(folder):
    """Yield file and line of each error; basedpyright is pyright from PyPI alone."""
    pytest.importorskip("basedpyright")
    settings = {
        "typeCheckingMode": "strict",
        "include": [*map(str, SCRIPTS), str(write_readme(folder))],
        "extraPaths": [str(ROOT / "src")],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--outputjson"]
    done = subprocess.run(  # noqa: S603 -- our own files
        [*command, "--pythonpath", sys.executable],
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


@pytest.fixture(scope="module", params=[run_mypy, run_pyright])
def errors(request, tmp_path_factory):
    """Give the errors that a type checker reports, by the name of the file."""
    errors = {}
    for file, line, message in request.param(tmp_path_factory.mktemp("checked")):
        errors.setdefault(Path(file).name, []).append((line, message))
    return errors


@pytest.mark.slow
@pytest.mark.parametrize("name", ["user.py", "frames.py", README])
def test_type_checkers_find_nothing_in_what_is_right(errors, name):
    assert errors.get(name, []) == []


@pytest.mark.slow
def test_type_checkers_find_each_mistake_in_its_line(errors):
    lines = (HERE / "mistakes.py").read_text(encoding="utf-8").splitlines()
    marked = {i for i, line in enumerate(lines, 1) if line.endswith("# error")}
    assert len(marked) > 30
    assert {line for line, _ in errors["mistakes.py"]} == marked


@pytest.fixture
def asserted(monkeypatch):
    """Check at run time too what a script asserts for type checkers; list it."""
    checked = []

    def assert_type(value, expected):
        kind = typing.get_origin(expected) or expected
        assert isinstance(value, kind)
        if kind is np.ndarray:
            assert value.dtype == np.float64
        checked.append(expected)
        return value

    monkeypatch.setattr(typing, "assert_type", assert_type)
    return checked


def test_the_script_of_a_user_runs_and_gives_the_types_that_it_asserts(asserted):
    runpy.run_path(str(HERE / "user.py"))
    assert len(asserted) > 10
    assert Path("report.json").exists()


LOANS = make_portfolio()
EAGER = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "narwhals": lambda columns: nw.from_native(pl.DataFrame(columns)),
}


@pytest.mark.parametrize("library", EAGER)
def test_the_library_of_a_data_frame_comes_back(asserted, library):
    functions = runpy.run_path(str(HERE / "frames.py"))
    functions[f"of_{library}"](EAGER[library](LOANS))
    assert asserted
