"""Packages that users install are in docs/licences.md, with licences that go with MIT."""

import re

import pytest

import licences

# Permissive: used and passed on with their notice, whatever the rest of a program is.
COMPATIBLE = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"),
    *("MIT-0", "MIT-CMU", "PSF-2.0", "Zlib"),
}


def find_incompatible(licence):
    """List the parts of a licence that may not be compatible; one of several is enough."""
    choices = [re.split(r" AND ", choice.strip("() ")) for choice in licence.split(" OR ")]
    return min(
        ([part for part in parts if part not in COMPATIBLE] for parts in choices), key=len
    )


def test_every_installed_package_is_on_the_page():
    rows = {name: set(extras.split(", ")) for name, extras, _ in licences.read_rows()}
    for name, extras in licences.list_packages().items():
        assert set(extras.split(", ")) <= rows.get(name, set()), name


def test_every_licence_is_compatible():
    shown = {name: licence for name, _, licence in licences.read_rows()}
    installed = {name: licences.find_licence(name) for name in licences.list_packages()}
    for packages in (shown, installed):
        assert len(packages) > 40
        found = {name: find_incompatible(licence) for name, licence in packages.items()}
        assert {name: bad for name, bad in found.items() if bad} == {}


@pytest.mark.parametrize(
    ("licence", "found"),
    [
        ("MIT AND GPL-3.0-only", ["GPL-3.0-only"]),
        ("GPL-2.0-only OR MIT", []),
        ("unknown", ["unknown"]),
    ],
)
def test_planted_licences_are_noticed(licence, found):
    assert find_incompatible(licence) == found
