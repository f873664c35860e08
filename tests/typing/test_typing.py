"""mypy reads what users write, what comes back, mistakes and the README.

So does pyright, in tests/integrations, as it brings a runtime of its own.
"""

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
from typed_scripts import HERE, ROOT, SCRIPTS, by_name, mistakes, write_readme


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


@pytest.mark.slow
def test_mypy_finds_each_mistake_in_its_line_and_nothing_else(tmp_path):
    errors = by_name(run_mypy(tmp_path))
    assert {line for line, _ in errors.pop("mistakes.py")} == mistakes()
    assert not errors


@pytest.fixture
def asserted(monkeypatch):
    """Check at run time too what a script asserts for type checkers; list it."""
    checked = []

    def assert_type(value, expected):
        kind = typing.get_origin(expected) or expected
        alias = getattr(kind, "__value__", None)  # of NDArray, from Python 3.12 on
        kind = typing.get_origin(alias) or kind
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
