"""The licences of all packages that users install with capcurve: `python -m licences`.

It writes the table of docs/licences.md, from what is installed.
"""

import re
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

PAGE = Path(__file__).parents[1] / "docs" / "licences.md"
TABLE = re.compile(r"(?<=\| --- \| --- \| --- \|\n)(?:\|.*\n)+")
ROW = re.compile(r"^\| ([\w.-]+) \| (.+) \| (.+) \|$", re.MULTILINE)
EXTRAS = ("", "plot", "chart", "stats", "cli", "sklearn", "report", "device", "tables")
ELSEWHERE = {"colorama": "| colorama | cli, tables | BSD-3-Clause |\n"}  # on Windows
# What packages say in words, as SPDX says it.
SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "Dual License": "Apache-2.0 OR BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Python Software Foundation License": "PSF-2.0",
    "PSF": "PSF-2.0",
}


def find_needed(name, extra=""):
    """Find all packages that a package, or an extra of it, installs here."""
    found = set()
    waiting = [(name, extra)]
    while waiting:
        package = waiting.pop()
        if package not in found:
            found.add(package)
            waiting += required_by(*package)
    return {normalize(each) for each, _ in found} - {normalize(name)}


def required_by(name, extra):
    """List the packages, with their extras, that a package requires here."""
    for text in distribution(name).requires or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement.name, ""
            yield from ((requirement.name, each) for each in requirement.extras)


def normalize(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def find_licence(name):
    """Find the licence of an installed package, as SPDX writes it."""
    facts = distribution(name).metadata
    if expression := facts.get("License-Expression"):
        return expression
    words = [
        line.rpartition(" :: ")[2]
        for line in facts.get_all("Classifier") or []
        if line.startswith("License :: OSI Approved :: ")
    ]
    for word in (*words, (facts.get("License") or "").strip()):
        if word in SPDX or (word and len(word) < 20):  # not the whole text
            return SPDX.get(word, word)
    return "unknown"


def list_packages():
    """List each package with the extras that install it; none is the core."""
    extras = {}
    for extra in EXTRAS:
        for name in find_needed("capcurve", extra):
            extras.setdefault(name, []).append(extra)
    return {
        name: "core" if "" in found else ", ".join(found)
        for name, found in sorted(extras.items())
    }


def write_rows():
    rows = {
        name: f"| {name} | {extras} | {find_licence(name)} |\n"
        for name, extras in list_packages().items()
    }
    return "".join(row for _, row in sorted({**ELSEWHERE, **rows}.items()))


def read_rows():
    """Read the rows of the page: name, extras, licence."""
    return ROW.findall(TABLE.search(PAGE.read_text(encoding="utf-8"))[0])


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda _: write_rows(), text, count=1), encoding="utf-8")
