"""Run two commits in turn, and fail if the second is slower.

    python benchmarks/compare.py BASE HEAD [--jobs TEXT ...] [--repeats 7] [--limit 1.25]

Each commit is checked out into a folder of its own and has a process of its own. The jobs
are those of `benchmarks/regression/jobs.py` in the present checkout, for both commits.
Every job runs by turns, base and head, and the best repeats are compared. A job that seems
slower has two more rounds of repeats, and is slower if it seems so in all three. The exit
code is 1 if a job is slower or broken.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import isnan
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from records import ROOT, Records, add_json_option
from regression.judging import LIMIT, SLOWER, Times, Verdict, judge

ROUNDS = 3  # of repeats, in all of which a job that is slower seems so
Ask = Callable[[str], dict[str, Any]]


def git(*arguments: str) -> str:
    """Run git in the checkout that this script is in."""
    command = ["git", "-C", str(ROOT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- ours
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout.strip()


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check a commit out into a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="capcurve-") as folder:
        tree = Path(folder) / "tree"
        git("worktree", "add", "--detach", str(tree), commit)
        try:
            yield tree
        finally:
            git("worktree", "remove", "--force", str(tree))


@contextmanager
def worker(tree: Path) -> Iterator[Ask]:
    """Start a process that times jobs with the capcurve of a folder."""
    path = os.pathsep.join([str(tree / "src"), str(ROOT / "benchmarks")])
    command = [sys.executable, "-m", "regression.worker", str(tree)]
    with subprocess.Popen(  # noqa: S603 -- ours
        command,
        env=os.environ | {"PYTHONPATH": path},
        cwd=tree.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def ask(job: str) -> dict[str, Any]:
            print(job, file=process.stdin, flush=True)
            line = process.stdout.readline()
            return json.loads(line) if line else {"error": "the process ended"}

        yield ask
        process.stdin.close()


def take_turns(job: str, asks: tuple[Ask, Ask], repeats: int) -> tuple[Times, Times]:
    """Time a job at both commits by turns; who begins alternates."""
    seconds: tuple[list[float], list[float]] = ([], [])
    errors: list[str | None] = [None, None]
    for turn in range(repeats):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            if errors[side]:
                continue
            found = asks[side](job)
            errors[side] = found.get("error")
            if not errors[side]:
                seconds[side].append(found["seconds"])
    base, head = map(Times, seconds, errors)
    return base, head


def compare_job(
    job: str, asks: tuple[Ask, Ask], repeats: int, limit: float
) -> tuple[Times, Times, Verdict]:
    """Time and judge a job; it is slower only if it is so in every round of repeats."""
    for _ in range(ROUNDS):
        base, head = take_turns(job, asks, repeats)
        verdict = judge(base, head, limit)
        if verdict.name != SLOWER:
            break
    return base, head, verdict


def choose_jobs(names: Sequence[str], parts: Sequence[str]) -> list[str]:
    """Return the jobs whose name has one of the parts; all without any."""
    chosen = [name for name in names if not parts or any(part in name for part in parts)]
    if not chosen:
        sys.exit(f"expected parts of the names of jobs, got {parts}; jobs: {list(names)}")
    return chosen


def show_best(times: Times) -> str:
    """Write the best time, or that there is none."""
    return "error" if times.error else f"{1e3 * min(times.seconds):,.3f}"


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base", help="commit that sets the speed")
    parser.add_argument("head", help="commit that is judged")
    parser.add_argument("--jobs", nargs="*", default=[], metavar="TEXT")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--limit", type=float, default=LIMIT)
    add_json_option(parser)
    return parser.parse_args()


def main() -> int:
    """Compare both commits, and return the exit code."""
    options = read_options()
    from regression.jobs import JOBS

    commits = [git("rev-parse", "--short", name) for name in (options.base, options.head)]
    jobs = choose_jobs(list(JOBS), options.jobs)
    sides = [f"base {commits[0]}", f"head {commits[1]}"]
    records, faults, errors = Records("compare"), 0, []
    table = Table(title=f"best of {options.repeats} repeats, milliseconds")
    for heading in ("job", *sides, "ratio", ""):
        table.add_column(heading, justify="right" if "a" in heading else "left")
    with ExitStack() as stack:
        trees = [stack.enter_context(checked_out(commit)) for commit in commits]
        base_ask, head_ask = (stack.enter_context(worker(tree)) for tree in trees)
        for name in jobs:
            base, head, verdict = compare_job(
                name, (base_ask, head_ask), options.repeats, options.limit
            )
            faults += verdict.is_fault
            shown = "" if isnan(verdict.ratio) else f"{verdict.ratio:.2f}"
            table.add_row(name, show_best(base), show_best(head), shown, verdict.name)
            for side, times in zip(sides, (base, head), strict=True):
                if times.error:
                    errors.append(f"{name}, {side}: {times.error}")
                else:
                    records.keep(name, None, {side: min(times.seconds)})
    Console().print(table, *errors, sep="\n")
    records.write(options.json)
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
