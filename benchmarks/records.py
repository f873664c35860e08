"""What the benchmarks measure, as JSON with one schema: `records.schema.json`."""

import argparse
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "numpy",
    "narwhals",
    "scipy",
    "scikit-learn",
    "pandas",
    "polars",
    "duckdb",
    "dask",
    "pyspark",
)


class Records:
    """Measured values of one script.

    Each value is of a job, such as a function of capcurve or of another package, in a case
    that several jobs share, so that ratios are taken within a case.
    """

    def __init__(self, script: str) -> None:
        self.script = script
        self.kept: list[dict[str, str | float | None]] = []

    def keep(
        self, case: str, rows: int | None, jobs: Mapping[str, float], unit: str = "s"
    ) -> None:
        """Keep a value for each job: seconds, bytes ("B"), or a plain number ("1")."""
        for job, value in jobs.items():
            self.kept.append(
                {"case": case, "job": job, "rows": rows, "value": value, "unit": unit}
            )

    def write(self, path: Path | None) -> None:
        """Write a file, with what the numbers depend on; nothing without a path."""
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        written = json.dumps(self.describe(), indent=1, allow_nan=False)
        path.write_text(written + "\n", encoding="utf-8")

    def describe(self) -> dict[str, object]:
        """Return everything that is written."""
        return {
            "version": 1,
            "script": self.script,
            "commit": commit_of(ROOT),
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}",
            "processors": os.cpu_count(),
            "packages": installed(),
            "records": self.kept,
        }


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the file to write."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers too")


def installed() -> dict[str, str]:
    """Return the versions of the packages that results depend on."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def commit_of(folder: Path) -> str:
    """Name the commit of a folder, `-dirty` if it was edited; empty without git."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 -- ours
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
