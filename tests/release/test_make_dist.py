"""The sdist holds what is tracked, the wheel the package, and every extra is tried."""

import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRACKED = {".ci/run", "README.md", "src/capcurve/py.typed", "tests/test_a.py"}
SDIST = TRACKED - {".ci/run"}
WHEEL = {"capcurve/py.typed"}


def load(name):
    spec = spec_from_file_location(name, ROOT / "release" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_dist, try_extras = load("make_dist"), load("try_extras")


@pytest.mark.parametrize(
    ("in_sdist", "in_wheel", "problems"),
    [
        (SDIST, WHEEL, []),
        (SDIST - {"tests/test_a.py"}, WHEEL, ["the sdist lacks tests/test_a.py"]),
        (SDIST | {"notes"}, WHEEL, ["the sdist holds notes"]),
        (SDIST, set(), ["the wheel lacks capcurve/py.typed"]),
        (SDIST, WHEEL | {"tests/test_a.py"}, ["the wheel holds tests/test_a.py"]),
    ],
)
def test_files_that_lack_or_are_too_many_are_named(in_sdist, in_wheel, problems):
    assert list(make_dist.check_contents(TRACKED, in_sdist, in_wheel)) == problems


def test_builds_that_differ_are_named(tmp_path):
    paths = []
    for folder, text in (("a", "1"), ("b", "1"), ("c", "2")):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "x.whl")
        paths[-1].write_text(text)
    first, same, other = ([path] for path in paths)
    assert list(make_dist.compare_builds(first, same)) == []
    found = list(make_dist.compare_builds(first, other))
    assert found == ["x.whl differs between two builds"]


def test_every_extra_is_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    assert sorted(try_extras.PROGRAMS) == sorted(["", *extras])
