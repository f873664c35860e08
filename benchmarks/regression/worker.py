"""Time jobs with the capcurve of one commit, one repeat for each line that is read.

A line of the standard input names a job. The answer is a line of JSON: the seconds of one
run, or the error. The first answer of each job comes after an untimed run.
"""

import json
import sys
from collections.abc import Callable
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

LEAST = 0.1  # seconds of a repeat; shorter jobs run several times


class Turns:
    """Jobs that were prepared, and how many runs make a repeat."""

    def __init__(self, jobs: dict[str, Callable[[], Callable[[], Any]]]) -> None:
        self.jobs = jobs
        self.prepared: dict[str, tuple[Callable[[], Any], int]] = {}

    def time(self, name: str) -> float:
        """Run a job, and return the seconds of one run."""
        if name not in self.prepared:
            run = self.jobs[name]()
            repeat_for(run, 1)
            number = ceil(LEAST / max(repeat_for(run, 1), 1e-9))
            self.prepared[name] = run, number
        return repeat_for(*self.prepared[name])


def repeat_for(run: Callable[[], Any], number: int) -> float:
    """Return the mean time of so many runs."""
    start = perf_counter()
    for _ in range(number):
        run()
    return (perf_counter() - start) / number


def answer(turns: Turns, names: TextIO, answers: TextIO) -> None:
    """Time one repeat of each job that is named."""
    for line in names:
        try:
            found = {"seconds": turns.time(line.strip())}
        except Exception as error:  # noqa: BLE001 -- older commits lack what is new
            found = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), file=answers, flush=True)


def main() -> None:
    """Answer with the capcurve in the folder of the command line, and no other."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what a job prints is no answer
    import capcurve

    tree = Path(sys.argv[1]).resolve()
    if not Path(capcurve.__file__).resolve().is_relative_to(tree):
        sys.exit(f"expected capcurve in {tree}, got {capcurve.__file__}")
    from regression.jobs import JOBS, folder

    with folder():
        answer(Turns(JOBS), sys.stdin, answers)


if __name__ == "__main__":
    main()
