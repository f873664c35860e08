"""Jobs that guard the speed of capcurve: each prepares its data and returns what is timed.

Names and calls are those of the public interface, so that older commits can run them.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl

import capcurve

Job = Callable[[], Any]
JOBS: dict[str, Callable[[], Job]] = {}
MILLION = 1_000_000
LARGE = 5 * MILLION  # a query that is too large to fetch


def job(name: str) -> Callable[[Callable[[], Job]], Callable[[], Job]]:
    """Enter a function that prepares a job into the list."""

    def enter(prepare: Callable[[], Job]) -> Callable[[], Job]:
        JOBS[name] = prepare
        return prepare

    return enter


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Make the folder of all files; the worker removes it."""
    return tempfile.TemporaryDirectory(prefix="capcurve-")


@cache
def rows(n_rows: int = MILLION) -> pl.DataFrame:
    """Make probabilities, points and groups, with 5 % and with 50 % events."""
    rng = np.random.default_rng(0)
    score = rng.random(n_rows)
    return pl.DataFrame(
        {
            "score": score,
            "points": (300 + 550 * score).astype(np.int64),
            "rounded": score.round(3),
            "group": rng.integers(0, 1_000, n_rows),
            "weight": rng.random(n_rows) + 0.1,
            "rare": (rng.random(n_rows) < 0.1 * score).astype(np.int64),
            "half": (rng.random(n_rows) < score).astype(np.int64),
        }
    )


@cache
def parquet(n_rows: int = LARGE) -> Path:
    """Write a file of skewed probabilities, a third of them rounded."""
    rng = np.random.default_rng(1)
    s = 0.4 * rng.random(n_rows) * rng.random(n_rows) * rng.random(n_rows)
    s[::3] = s[::3].round(3)
    y = (rng.random(n_rows) < 0.02 + s).astype(np.int8)
    path = Path(folder().name) / f"{n_rows}.parquet"
    pl.DataFrame({"y": y, "s": s}).write_parquet(path)
    return path


@cache
def csv() -> Path:
    """Write a small text file."""
    path = Path(folder().name) / "rows.csv"
    rows().head(1_000).select("rare", "score").write_csv(path)
    return path


def columns(*names: str, n_rows: int = MILLION) -> list[np.ndarray]:
    """Return columns as arrays."""
    return [rows()[name].head(n_rows).to_numpy() for name in names]


def run(*arguments: str) -> None:
    """Run Python with the capcurve of this process."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- ours
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])


for title, names in {
    "AR, 5 % events": ("rare", "score"),
    "AR, 50 % events": ("half", "score"),
    "AR, points": ("rare", "points"),
    "AR, rounded": ("rare", "rounded"),
}.items():
    job(title)(lambda names=names: partial(capcurve.accuracy_ratio_score, *columns(*names)))


@job("AR, weights")
def weighted_ratio() -> Job:
    """Weight every row."""
    y, s, w = columns("rare", "score", "weight")
    return partial(capcurve.accuracy_ratio_score, y, s, sample_weight=w)


@job("AR, 100 rows")
def small_ratio() -> Job:
    """Rank few rows, where checks cost more than the sort."""
    return partial(capcurve.accuracy_ratio_score, *columns("half", "score", n_rows=100))


@job("curve")
def curve() -> Job:
    """Compute the vertices of a curve."""
    return partial(capcurve.cap_curve, *columns("rare", "score"))


@job("AR interval")
def interval() -> Job:
    """Compute DeLong's variance."""
    return partial(capcurve.accuracy_ratio_interval, *columns("rare", "score"))


@job("AR test, 10^5 rows")
def paired_test() -> Job:
    """Compare two scores."""
    y, a, b = columns("rare", "score", "points", n_rows=100_000)
    return partial(capcurve.accuracy_ratio_test, y, a, b)


@job("simultaneous band, 10^4 rows")
def band() -> Job:
    """Draw bootstrap replicates of a curve."""
    y, s = columns("rare", "score", n_rows=10_000)
    return partial(capcurve.CapCurve.from_predictions(y, s).band, "simultaneous")


@job("1 000 groups")
def groups() -> Job:
    """Rank within the groups of a data frame."""
    return partial(capcurve.gain_capture, rows(), "rare", "score", by="group")


@job("lazy frame")
def lazy() -> Job:
    """Fetch the distinct rows of a Polars query."""
    return partial(capcurve.gain_capture, rows().lazy(), "rare", "score")


@job("Polars, Parquet, 5 x 10^6 rows")
def polars_file() -> Job:
    """Count a query that is too large to fetch, in Polars."""
    path = parquet()
    return lambda: capcurve.gain_capture(pl.scan_parquet(path), "y", "s")


@job("DuckDB, Parquet, 5 x 10^6 rows")
def duckdb_file() -> Job:
    """Count a query that is too large to fetch, in DuckDB."""
    path = str(parquet())
    return lambda: capcurve.gain_capture(duckdb.read_parquet(path), "y", "s")


@job("bounds, Parquet, 5 x 10^6 rows")
def bounds() -> Job:
    """Bin scores in Polars."""
    path = parquet()
    return lambda: capcurve.BinnedCurve.from_frame(pl.scan_parquet(path), "y", "s")


@job("sketch")
def sketch() -> Job:
    """Add a batch of rows to a sketch."""
    y, s = columns("rare", "score")
    return lambda: capcurve.CapSketch().update(y, s)


@job("sketch, batches")
def sketch_of_batches() -> Job:
    """Add batches of rows to a sketch that has seen others."""
    y, s = columns("rare", "score")
    so_far = capcurve.CapSketch()
    so_far.update(y, s)
    return lambda: so_far.merge(capcurve.CapSketch()).update(y, s)


@job("from capcurve import accuracy_ratio_score")
def start() -> Job:
    """Start Python and import the package."""
    return partial(run, "-c", "from capcurve import accuracy_ratio_score")


@job("capcurve score, 10^3 rows of text")
def command() -> Job:
    """Run a command on a small file."""
    arguments = (str(csv()), "--truth", "rare", "--estimate", "score")
    return partial(run, "-m", "capcurve", "score", *arguments, "--format", "ndjson")


@job("capcurve report, 10^3 rows of text")
def report() -> Job:
    """Write the page of a report."""
    columns = ("--truth", "rare", "--estimate", "score")
    page = str(Path(folder().name) / "report.html")
    return partial(run, "-m", "capcurve", "report", str(csv()), *columns, "-o", page)
