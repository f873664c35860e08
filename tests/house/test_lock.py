"""The files in lock/ hold what pyproject.toml asks for, with hashes, without hosts."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from licences import normalize

ROOT = Path(__file__).parents[2]
GROUPS = ("dev", "docs", "integrations", "release", "supply")
PINNED = re.compile(
    r"^([\w.-]+)==([\w.]+)(?: ; .+)? \\\n((?:    --hash=sha256:\w{64}(?: \\)?\n)+)"
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = PROJECT["build-system"]["requires"]


def read_lock(name):
    return (ROOT / "lock" / f"{name}.txt").read_text(encoding="utf-8")


def split_entries(text):
    """Split a lock into its entries, each with its hashes."""
    return re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]


def read_versions(text):
    versions = {}
    for entry in split_entries(text):
        name, version, _ = PINNED.match(entry).groups()
        versions.setdefault(normalize(name), []).append(version)
    return versions


def list_requirements(entries):
    """List the requirements of a group, of the groups that it includes, and of extras."""
    for entry in entries:
        if isinstance(entry, dict):
            group = PROJECT["dependency-groups"][entry["include-group"]]
            yield from list_requirements(group)
            continue
        requirement = Requirement(entry)
        if requirement.name != "capcurve":
            yield requirement
        for extra in requirement.extras if requirement.name == "capcurve" else ():
            yield from list_requirements(PROJECT["project"]["optional-dependencies"][extra])


def find_missing(group, versions):
    """List the requirements that a lock does not meet."""
    own = [
        *PROJECT["dependency-groups"][group],
        *PROJECT["project"]["dependencies"],
        *BUILD,
    ]
    return [
        str(each)
        for each in list_requirements(own)
        if not any(map(each.specifier.contains, versions.get(normalize(each.name), [])))
    ]


@pytest.mark.parametrize("group", GROUPS)
def test_a_lock_holds_what_its_group_asks_for(group):
    assert find_missing(group, read_versions(read_lock(group))) == []


@pytest.mark.parametrize("group", GROUPS)
def test_every_entry_has_hashes_and_no_address(group):
    text = read_lock(group)
    assert all(PINNED.fullmatch(entry) for entry in split_entries(text))
    assert not re.search(r"://|^-|file:|@ ", text, re.MULTILINE)


def test_a_missing_and_an_old_version_are_noticed():
    versions = read_versions(read_lock("dev"))
    del versions["pytest"]
    versions["numpy"] = ["1.26.4"]
    assert find_missing("dev", versions) == ["pytest>=9", "numpy>=2.0"]


def test_every_group_that_is_installed_by_ci_is_locked():
    locks = {path.stem for path in (ROOT / "lock").glob("*.txt")}
    assert locks == set(GROUPS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\(call install,\S+?,(\w+)\)", makefile)) == set(GROUPS)
