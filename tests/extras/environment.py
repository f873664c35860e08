"""Environments that hold what an extra of capcurve installs, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

import capcurve

NO_PACKAGES = {"..", "__pycache__"}  # scripts, and modules of a single file


def list_distributions(name: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """List a distribution and all that it requires, as pip would install them."""
    seen: set[tuple[str, frozenset[str]]] = set()
    left = [(name, extras)]
    while left:
        asked = left.pop()
        if asked not in seen:
            seen.add(asked)
            left += list_requirements(*asked)
    return {found for found, _ in seen}


def list_requirements(
    name: str, extras: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield what a distribution requires here, with the extras of each."""
    for line in distribution(name).requires or ():
        needed = Requirement(line)
        marker = needed.marker
        if marker is None or any(
            marker.evaluate({"extra": extra}) for extra in extras or {""}
        ):
            try:
                distribution(needed.name)
            except PackageNotFoundError:  # pragma: no cover -- for another platform
                continue
            yield needed.name.lower(), frozenset(needed.extras)


def make_environment(folder: Path, extra: str | None) -> Path:
    """Link what pip would install for an extra into a folder."""
    extras = frozenset() if extra is None else frozenset({extra})
    for name in list_distributions("capcurve", extras):
        found = distribution(name)
        for entry in {file.parts[0] for file in found.files or ()} - NO_PACKAGES:
            link = folder / entry
            if not link.exists():
                link.symlink_to(Path(str(found.locate_file(entry))).resolve())
    if not (folder / "capcurve").exists():  # it is installed to be edited
        (folder / "capcurve").symlink_to(Path(capcurve.__file__).parent)
    return folder


def run_python(
    folder: Path, *arguments: str, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Python in an environment, without the packages that are installed here."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return subprocess.run(  # noqa: S603 -- our own arguments
        [sys.executable, "-S", *arguments],
        env=kept | {"PYTHONPATH": str(folder), "HOME": str(folder)} | dict(variables or {}),
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )
