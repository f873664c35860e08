"""Compare how long commands take to start with the import of NumPy and narwhals.

Each job runs in a process of its own, in turn with the others. The figure is the processor
time of the best of several runs, as user and system time; ratios hold on any machine.
"""

import argparse
import csv
import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from capcurve.datasets import make_portfolio

COMMAND = ("-m", "capcurve")
COLUMNS = ("--truth", "default", "--estimate", "champion_pd")

JOBS = {
    # what is measured: arguments of Python
    "numpy and narwhals": ("-c", "import numpy, narwhals"),
    "import capcurve": ("-c", "import capcurve"),
    "import capcurve, first names": (
        "-c",
        "from capcurve import CapCurve, accuracy_ratio_score, gain_capture",
    ),
    "what score needs of others": (
        "-c",
        "import narwhals, click, duckdb, pyarrow.compute, scipy.special",
    ),
    "capcurve --help": (*COMMAND, "--help"),
    "capcurve score": (*COMMAND, "score", "rows.csv", *COLUMNS),
    "capcurve report": (*COMMAND, "report", "rows.csv", *COLUMNS, "--output", "r.html"),
}


def measure(arguments: tuple[str, ...], folder: Path) -> float:
    """Return the processor time of Python in a process of its own."""
    # A user's Python keeps compiled modules, and so does this one.
    kept = {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment = {**os.environ, **kept}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(  # noqa: S603 -- our own arguments
        [sys.executable, *arguments],
        check=True,
        capture_output=True,
        cwd=folder,
        env=environment,
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure all jobs in turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=10)
    repeats = parser.parse_args().repeats
    best = dict.fromkeys(JOBS, float("inf"))
    with TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "rows.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            columns = make_portfolio(1000)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        for arguments in JOBS.values():
            measure(arguments, folder)  # compiles the modules
        for _ in range(repeats):
            for job, arguments in JOBS.items():
                best[job] = min(best[job], measure(arguments, folder))
    table = Table(title=f"Processor time, best of {repeats} runs in turn")
    for heading in ("job", "seconds", "x numpy and narwhals"):
        table.add_column(heading, justify="left" if heading == "job" else "right")
    reference = best["numpy and narwhals"]
    for job, seconds in best.items():
        table.add_row(job, f"{seconds:.3f}", f"{seconds / reference:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
