"""Bounds follow SPEC 0: releases of the last two years are supported, Python of three."""

import re
import tomllib
from datetime import date
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# From the package index; a release is supported for two years, a Python for three.
RELEASED = {
    "matplotlib": {"3.9": date(2024, 5, 15), "3.10": date(2024, 12, 14)},
    "numpy": {"2.1": date(2024, 8, 18), "2.2": date(2024, 12, 8), "2.3": date(2025, 6, 7)},
    "scikit-learn": {"1.6": date(2024, 12, 9), "1.7": date(2025, 6, 5)},
    "scipy": {"1.14": date(2024, 6, 24), "1.15": date(2025, 1, 3)},
    "python": {"3.11": date(2022, 10, 24), "3.12": date(2023, 10, 2)},
}
YEARS = {"python": 3}
# `from_cv_results` of scikit-learn's displays is of 1.7; support of 1.6 ends in weeks.
LATER = {"scikit-learn": date(2024, 12, 9)}


def find_release_date():
    """Return the day of the newest release, or of the changes that await one."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return date.fromisoformat(re.search(r"\d{4}-\d\d-\d\d", changelog)[0])


def find_bounds():
    """Return the oldest version that is allowed of each package."""
    extras = PROJECT["optional-dependencies"].values()
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]
    named = [Requirement(line) for line in lines]
    bounds = {
        each.name: min(s.version for s in each.specifier)
        for each in named
        if each.specifier
    }
    return bounds | {"python": PROJECT["requires-python"].removeprefix(">=")}


def find_newer_bounds(bounds, day):
    """Name the bounds that leave out a release which is still to be supported."""
    for name, released in RELEASED.items():
        for version, released_on in released.items():
            ends = released_on.replace(year=released_on.year + YEARS.get(name, 2))
            is_left_out = Version(bounds[name]) > Version(version)
            if day < ends and is_left_out and LATER.get(name) != released_on:
                yield f"{name} {version} is to be supported until {ends}"


def test_bounds_are_no_newer_than_spec_0_asks():
    assert list(find_newer_bounds(find_bounds(), find_release_date())) == []


def test_a_bound_that_is_too_new_is_named():
    bounds = dict.fromkeys(RELEASED, "1.0") | {"numpy": "2.3", "python": "3.13"}
    assert list(find_newer_bounds(bounds, date(2025, 6, 1))) == [
        "numpy 2.1 is to be supported until 2026-08-18",
        "numpy 2.2 is to be supported until 2026-12-08",
        "python 3.11 is to be supported until 2025-10-24",
        "python 3.12 is to be supported until 2026-10-02",
    ]


@pytest.mark.parametrize("name", sorted(RELEASED))
def test_every_bound_is_in_the_table(name):
    assert name in find_bounds()
