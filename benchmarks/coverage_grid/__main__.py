"""Simulate the coverage of every interval and the size of every test, and assert the goal.

By hand, from the folder of the project:

    PYTHONPATH=benchmarks .venv/bin/python -m coverage_grid --only capture --scale 0.2

Finished simulations are kept until the code changes that makes their numbers, so a run that
was stopped is taken up where it was. The exit code is 1 if a cell misses the goal.
"""

import argparse
import os
import re
import sys
from pathlib import Path
from time import perf_counter

from coverage_grid.page import (
    list_exceptions,
    split_tables,
    summary_lines,
    table_lines,
    write_page,
)
from coverage_grid.run import Plan, Run, simulations
from coverage_grid.store import KEPT, Store, digest_source
from coverage_grid.verdict import find_faults


def read_arguments() -> argparse.Namespace:
    """Read the options of the command."""
    parser = argparse.ArgumentParser(
        prog="python -m coverage_grid",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only", metavar="PATTERN", default="", help="regular expression of names"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="factor of samples")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--fresh", action="store_true", help="forget finished simulations")
    parser.add_argument("--page", type=Path, help="write the results as Markdown")
    parser.add_argument("--list", action="store_true", help="print the names only")
    asked = parser.parse_args()
    if not any(re.search(asked.only, key) for key in simulations()):
        parser.error(f"no cell is named like {asked.only!r}; --list shows the names")
    return asked


def name_command(asked: argparse.Namespace) -> str:
    """Return the command that makes the same page."""
    options = [f"--only {asked.only!r}"] if asked.only else []
    options += [f"--scale {asked.scale:g}"] if asked.scale != 1 else []
    options += [f"--seed {asked.seed}"] if asked.seed != 1 else []
    return " ".join(["python -m coverage_grid", *options]) if options else "make coverage"


def main() -> int:
    """Run the grid, print it, write the page, and assert the goal."""
    asked = read_arguments()
    chosen = [each for key, each in simulations().items() if re.search(asked.only, key)]
    if asked.list:
        print("\n".join(each.key for each in chosen))
        return 0
    start = perf_counter()

    def tell(done: int, total: int) -> None:
        if done % 10 == 0 or done == total:
            sys.stderr.write(f"\r{done} of {total}, {perf_counter() - start:.0f} s ")

    plan = Plan(asked.seed, asked.scale, asked.workers)
    store = Store(KEPT, digest_source(), fresh=asked.fresh)
    cells = Run(plan, store, tell).find_cells(chosen)
    for title, own in split_tables(cells):
        print(f"\n{title}, percent of samples\n", *table_lines(own), sep="\n")
    print("", *summary_lines(cells), "", sep="\n")
    for listed in list_exceptions(cells):
        print(*listed, sep="\n")
    if asked.page:
        page = write_page(cells, asked.seed, name_command(asked))
        asked.page.write_text(page, encoding="utf-8")
    faults = find_faults(cells)
    print(f"{len(cells):,} cells in {perf_counter() - start:.0f} s on {plan.workers} cores")
    print(*(faults or ["every cell keeps the goal, or its result says so"]), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
