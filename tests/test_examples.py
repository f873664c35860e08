"""The examples run as they stand, and check themselves."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from java import SHORT_LIVED, java_home

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def run(tmp_path):
    def example(name, *arguments, **environment):
        return subprocess.run(  # noqa: S603 -- our own script
            [sys.executable, EXAMPLES / name, *arguments],
            cwd=tmp_path,
            env={"MPLBACKEND": "Agg", "PYTHONWARNINGS": "error", **environment},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    return example


def test_random_forest(run, tmp_path):
    printed = run("random_forest.py")
    ratio = re.search(r"accuracy ratio +(0\.\d+)", printed)
    assert float(ratio[1]) > 0.95
    assert (tmp_path / "random_forest.png").stat().st_size > 10_000


def test_two_class_example(run, published):
    printed = run("two_class_example.py", published / "two_class_example.csv")
    assert "0.878627714779934" in printed
    assert "84.49612403100775 %" in printed


def test_five_observations(run):
    printed = run("five_observations.py")
    assert "inf     0.0      0.000      0        0" in printed
    assert "0.8     0.2      0.333      1        1" in printed
    assert printed.count("rows: on average, the largest") == 4


def test_a_sketch_of_files(run):
    assert "accuracy ratio 0.57" in run("sketch_of_files.py")


def test_gallery(run, tmp_path):
    run("gallery.py", "pictures", "lift-ggplot-03", PYTHONWARNINGS="default")
    (short, long) = sorted((tmp_path / "pictures").glob("*.png"))
    assert min(short.stat().st_size, long.stat().st_size) > 10_000


@pytest.mark.engines
def test_a_sketch_on_dask(run):
    printed = run("sketch_on_dask.py", PYTHONWARNINGS="default")
    assert "accuracy ratio 0.57" in printed


@pytest.mark.engines
def test_a_sketch_on_spark(run):
    java = java_home()
    places = {"JAVA_HOME": java} if java else {"PATH": os.environ["PATH"]}
    environment = {"PYTHONWARNINGS": "default", "SPARK_SUBMIT_OPTS": SHORT_LIVED}
    printed = run("sketch_on_spark.py", **environment, **places)
    assert "accuracy ratio 0.57" in printed


def test_every_example_is_tested():
    tests = Path(__file__).read_text(encoding="utf-8")
    for script in EXAMPLES.glob("*.py"):
        assert f'run("{script.name}"' in tests
