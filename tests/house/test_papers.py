"""The recipe for conda-forge and CITATION.cff agree with pyproject.toml."""

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# What conda-forge calls otherwise.
NAMES = {"duckdb": "python-duckdb", "matplotlib": "matplotlib-base"}


def read_yaml(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


RECIPE = read_yaml("recipe/recipe.yaml")
CORE, WHOLE = RECIPE["outputs"]


def write_requirement(text):
    requirement = Requirement(text)
    return f"{NAMES.get(requirement.name, requirement.name)} {requirement.specifier}"


def list_all(extra="all"):
    """List what an extra requires, with the extras that it names."""
    for text in PROJECT["optional-dependencies"][extra]:
        requirement = Requirement(text)
        if requirement.name != "capcurve":
            yield write_requirement(text)
        for each in sorted(requirement.extras):
            yield from list_all(each)


def test_the_core_requires_what_pip_installs():
    python, *others = CORE["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert f">={RECIPE['context']['python_min']}" == PROJECT["requires-python"]
    assert others == [write_requirement(text) for text in PROJECT["dependencies"]]


def test_the_whole_requires_all_extras_and_the_same_core():
    core, *others = WHOLE["requirements"]["run"]
    assert core == '${{ pin_subpackage("capcurve-core", exact=True) }}'
    assert others == sorted(set(list_all()))


def test_the_command_is_the_same():
    (command,) = CORE["build"]["python"]["entry_points"]
    assert [command] == [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]


def test_versions_and_licences_agree():
    citation = read_yaml("CITATION.cff")
    assert RECIPE["context"]["version"] == citation["version"] == PROJECT["version"]
    assert RECIPE["about"]["license"] == citation["license"] == PROJECT["license"]
    assert (ROOT / RECIPE["about"]["license_file"]).is_file()
    assert citation["keywords"] == PROJECT["keywords"]


def test_the_citation_has_the_date_of_the_release():
    citation = read_yaml("CITATION.cff")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (date,) = re.findall(rf"^## \[{citation['version']}\] - (\S+)$", changes, re.MULTILINE)
    assert str(citation["date-released"]) == date
