"""Compare AR with the packages that compute AUC fastest, from 100 to 10 million rows.

Every result is checked against that of scikit-learn. Times are of the processor and of one
thread, the least of several repeats: compare them only within one run.
"""

import argparse
import os
import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from time import process_time
from typing import Any

os.environ.setdefault("POLARS_MAX_THREADS", "1")

import numpy as np
import polars as pl
import polars_ds
import rapidstats.metrics
import scors
from rich.console import Console
from rich.table import Table
from sklearn.metrics import roc_auc_score

from capcurve import accuracy_ratio_score
from capcurve._tally import threads

TOLERANCE = 1e-9
SIZES = (100, 10_000, 100_000, 1_000_000, 10_000_000)
PEERS = ("capcurve", "scors", "rapidstats", "polars-ds")
SECONDS = 0.2  # least time of a repeat

console = Console(width=120)


def seconds(job: Callable[[], Any], repeats: int) -> float:
    """Return the shortest processor time of several runs."""
    start = process_time()
    job()
    number = max(1, int(SECONDS / max(process_time() - start, 1e-7)))
    times = []
    for _ in range(repeats):
        start = process_time()
        for _ in range(number):
            job()
        times.append((process_time() - start) / number)
    return min(times)


def cases(n_rows: int) -> dict[str, tuple[Any, Any, Any]]:
    """Return the outcomes, scores and weights of each case."""
    rng = np.random.default_rng(0)
    score = rng.random(n_rows)
    rare = (rng.random(n_rows) < 0.1 * score).astype(np.int64)
    half = (rng.random(n_rows) < score).astype(np.int64)
    weight = rng.random(n_rows) + 0.1
    points = (300 + 550 * score).astype(np.int64)
    rare[0], rare[1] = 0, 1
    return {
        "5 % events": (rare, score, None),
        "50 % events": (half, score, None),
        "both signs": (rare, np.log(score + 1e-9) + 1, None),
        "float32": (rare, score.astype(np.float32), None),
        "points 300-850": (rare, points, None),
        "sorted": (rare, np.sort(score), None),
        "all tied": (rare, np.zeros(n_rows), None),
        "weighted, 5 % events": (rare, score, weight),
        "weighted, 50 % events": (half, score, weight),
        "weighted points": (half, points, weight),
    }


def list_jobs(y: Any, s: Any, w: Any) -> dict[str, Callable[[], float]]:
    """Return AR by each package that takes such rows."""
    event = y.astype(bool)
    floats = s if s.dtype.kind == "f" else s.astype(np.float64)
    jobs: dict[str, Callable[[], float]] = {
        "capcurve": lambda: accuracy_ratio_score(y, s, sample_weight=w),
        "scors": lambda: 2 * scors.roc_auc(event, floats, weights=w) - 1,
        "rapidstats": lambda: 2 * rapidstats.metrics.roc_auc(event, floats, w) - 1,
    }
    if w is None:
        frame = pl.DataFrame({"event": y, "score": floats})
        frame = frame.cast({"event": pl.UInt32, "score": pl.Float64})
        query = polars_ds.query_roc_auc("event", "score")
        jobs["polars-ds"] = lambda: 2 * frame.select(query).item() - 1
    return jobs


def compare(n_rows: int, repeats: int) -> None:
    """Compare the packages on one number of rows."""
    table = Table(title=f"AR of {n_rows:,} rows, in microseconds")
    table.add_column("scores")
    for heading in (*PEERS, "np.sort", "x np.sort", "over scors", "over the next"):
        table.add_column(heading, justify="right")
    for name, (y, s, w) in cases(n_rows).items():
        expected = 2 * roc_auc_score(y, s, sample_weight=w) - 1
        jobs = list_jobs(y, s, w)
        for peer, job in jobs.items():
            assert abs(job() - expected) < TOLERANCE, (peer, name, n_rows)
        times = {peer: seconds(job, repeats) for peer, job in jobs.items()}
        ours = times["capcurve"]
        sort = seconds(partial(np.sort, s), repeats)
        cells = [f"{1e6 * times[peer]:,.1f}" if peer in times else "" for peer in PEERS]
        nearest = min(time for peer, time in times.items() if peer != "capcurve")
        table.add_row(
            name,
            *cells,
            f"{1e6 * sort:,.1f}",
            f"{ours / sort:.2f}",
            f"{times['scors'] / ours:.2f}x",
            f"{nearest / ours:.2f}x",
        )
    console.print(table)


def main() -> None:
    """Compare the packages on all numbers of rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=SIZES)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    threads.count_threads = lambda: 1
    versions = ", ".join(f"{peer} {version(peer)}" for peer in (*PEERS, "numpy"))
    console.print(f"Python {platform.python_version()}, {versions}")
    for n_rows in options.rows:
        compare(n_rows, options.repeats)


if __name__ == "__main__":
    main()
