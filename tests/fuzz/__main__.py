"""Fuzz for some time and print the counts as JSON.

`make fuzz` runs every door for `CAPCURVE_FUZZ_SECONDS` (60 by default), from the seed
`CAPCURVE_FUZZ_SEED` on. A difference is printed in one line, which is also Python, and the
exit code is then 1. By hand, from the folder of the project:

    PYTHONPATH=tests .venv/bin/python -m fuzz arrays shell --seconds 300 --seed 7
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context

from fuzz.cases import PROFILES
from fuzz.runner import DOORS, run

LIBRARIES = ("capcurve", "numpy", "pandas", "polars", "pyarrow", "duckdb")


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("doors", nargs="*", default=list(DOORS), metavar="door")
    seconds = os.environ.get("CAPCURVE_FUZZ_SECONDS", "60")
    parser.add_argument("--seconds", type=float, default=float(seconds), help="per door")
    seed = os.environ.get("CAPCURVE_FUZZ_SEED", "1")
    parser.add_argument("--seed", type=int, default=int(seed))
    parser.add_argument("--profile", choices=PROFILES, action="append")
    parser.add_argument("--inputs", type=int, help="how many, instead of how long")
    found = parser.parse_args()
    if unknown := set(found.doors) - set(DOORS):
        parser.error(
            f"unknown door {', '.join(sorted(unknown))}; doors: {', '.join(DOORS)}"
        )
    return found


def main() -> int:
    asked = read_arguments()
    jobs = [(door, each) for door in asked.doors for each in asked.profile or PROFILES]
    # Started afresh, because threads of the engines do not survive a fork.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        futures = {
            job: pool.submit(
                run,
                *job,
                seed=asked.seed,
                inputs=asked.inputs,
                seconds=asked.seconds / len(PROFILES),
            )
            for job in jobs
        }
        counts = {job: future.result() for job, future in futures.items()}
    findings = [finding for each in counts.values() for finding in each.findings]
    for finding in findings:
        sys.stderr.write(f"{finding}\n")
    told = {
        "seed": asked.seed,
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "doors": {
            door: {
                profile: counts[door, profile].to_dict()
                for profile in PROFILES
                if (door, profile) in counts
            }
            for door in asked.doors
        },
    }
    sys.stdout.write(f"{json.dumps(told, indent=2, ensure_ascii=False)}\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
