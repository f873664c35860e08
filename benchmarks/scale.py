"""Compare the speed on large tables and files with scikit-learn and Spark's evaluator.

Every result is checked: exact plans against scikit-learn, guaranteed bounds by whether they
contain the exact AR. Compare times only within one run.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import dask.dataframe as dd
import datasketches
import duckdb
import ibis
import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table
from sklearn.metrics import roc_auc_score

from capcurve import BinnedCurve, CapSketch, gain_capture
from records import Records, add_json_option

console = Console()
records = Records("scale")


class Timed(NamedTuple):
    """Result of a job, its run time, and its peak memory."""

    result: Any
    seconds: float
    gigabytes: float = float("nan")


def timed(job: Callable[[], Any], *, warm: bool = False) -> Timed:
    """Time one run of a job, after two untimed runs if the engine should be warm."""
    for _ in range(2 * warm):
        job()
    start = perf_counter()
    result = job()
    return Timed(result, perf_counter() - start)


def fastest_of(job: Callable[[], Timed], times: int = 3) -> Timed:
    """Return the fastest of several runs, as other processes may slow a short job down."""
    return min((job() for _ in range(times)), key=lambda found: found.seconds)


def write_rows(path: Path, n_rows: int) -> None:
    """Write a file of skewed probabilities, a third of them rounded, with 7 % events."""
    duckdb.execute("select setseed(0.5)").fetchall()
    numbers = duckdb.sql("from range(?) as r(i)", params=[n_rows])
    skewed = numbers.project("i, random() * random() * random() * 0.4 as s")
    scores = skewed.project("if(i % 3 = 0, round(s, 3), s) as s")
    rows = scores.project("(random() < least(0.95, 0.02 + s))::tinyint as y, s")
    rows.write_parquet(str(path), compression="zstd")


def compare_engines(path: Path, n_rows: int) -> None:
    """Compare exact AR and its guaranteed bounds on every engine."""
    frame = pl.read_parquet(path)
    y, s = frame["y"].to_numpy(), frame["s"].to_numpy()
    theirs = timed(lambda: 2 * roc_auc_score(y, s) - 1)
    del frame
    table = Table(title=f"accuracy ratio of {n_rows:,} rows of Parquet, read included")
    for heading in ("engine", "exact", "faster than sklearn", "bounds", "faster", "width"):
        table.add_column(heading, justify="left" if heading == "engine" else "right")
    table.add_row("scikit-learn, in memory", f"{theirs.seconds:.1f} s", "1.0x", "", "", "")
    for name, query in engines(path):
        ours = timed(lambda query=query: ratio_of(gain_capture(query, "y", "s")))
        assert abs(ours.result - theirs.result) < 1e-12 * abs(theirs.result), name
        bounds = timed(
            lambda query=query: BinnedCurve.from_frame(query, "y", "s").accuracy_ratio
        )
        low, high = bounds.result.low, bounds.result.high
        assert low <= theirs.result <= high, name
        measured = {"exact": ours.seconds, "bounds": bounds.seconds}
        records.keep(name, n_rows, measured | {"scikit-learn": theirs.seconds})
        table.add_row(
            name,
            f"{ours.seconds:.1f} s",
            f"{theirs.seconds / ours.seconds:.1f}x",
            f"{bounds.seconds:.1f} s",
            f"{theirs.seconds / bounds.seconds:.1f}x",
            f"{high - low:.1e}",
        )
    console.print(table)


def ratio_of(frame: Any) -> float:
    """Return the single estimate in a data frame of any library."""
    column = frame["estimate"]
    return float(column[0].as_py() if hasattr(column[0], "as_py") else column[0])


def engines(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the file as a query of every engine."""
    yield "Polars", pl.scan_parquet(path)
    yield "DuckDB", duckdb.read_parquet(str(path))
    yield "Ibis on DuckDB", ibis.duckdb.connect().read_parquet(str(path))
    yield "Dask", dd.read_parquet(path)


def compare_spark(path: Path, n_rows: int) -> None:
    """Compare both plans with Spark's own evaluator in one warm session."""
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.ml.evaluation import BinaryClassificationEvaluator
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "8g")
        .config("spark.sql.shuffle.partitions", "8")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    frame = session.read.parquet(str(path))
    labelled = frame.selectExpr("cast(y as double) as y", "s")
    ours = {
        "capcurve, exact": timed(
            lambda: ratio_of(gain_capture(frame, "y", "s")), warm=True
        ),
        "capcurve, bounds": timed(
            lambda: BinnedCurve.from_frame(frame, "y", "s").accuracy_ratio, warm=True
        ),
    }
    theirs = {}
    for bins in (1000, 0):
        evaluator = BinaryClassificationEvaluator(
            rawPredictionCol="s", labelCol="y", numBins=bins
        )
        job = partial(evaluator.evaluate, labelled)
        theirs[f"evaluator, numBins={bins}"] = timed(lambda job=job: 2 * job() - 1)
    session.stop()
    exact = ours["capcurve, exact"].result
    assert abs(exact - theirs["evaluator, numBins=0"].result) < 1e-9
    bounds = ours["capcurve, bounds"].result
    assert bounds.low <= exact <= bounds.high
    reference = theirs["evaluator, numBins=1000"].seconds
    table = Table(title=f"Spark, local[2], {n_rows:,} rows, warm")
    for heading in ("job", "seconds", "faster than evaluator", "error of AR"):
        table.add_column(heading, justify="left" if heading == "job" else "right")
    for name, found in (theirs | ours).items():
        value = getattr(found.result, "value", found.result)
        records.keep("Spark, local[2]", n_rows, {name: found.seconds})
        table.add_row(
            name,
            f"{found.seconds:.1f}",
            f"{reference / found.seconds:.1f}",
            f"{value - exact:.1e}",
        )
    console.print(table)


def compare_sketches(n_rows: int) -> None:
    """Compare `CapSketch` with a t-digest and a KLL sketch per class."""
    rng = np.random.default_rng(3)
    s = rng.beta(0.4, 12, n_rows)
    y = rng.random(n_rows) < 0.01 + s / 2
    exact = 2 * roc_auc_score(y, s) - 1
    batches = [slice(start, start + 1_000_000) for start in range(0, n_rows, 1_000_000)]

    def ours() -> Any:
        sketch = CapSketch()
        for rows in batches:
            sketch.update(y[rows], s[rows])
        return sketch.accuracy_ratio

    digest, kll = datasketches.tdigest_double, datasketches.kll_doubles_sketch
    sort = fastest_of(
        partial(timed, lambda: [np.sort(s[rows]) for rows in batches])
    ).seconds
    jobs = {
        "CapSketch": ours,
        "t-digest (100) per class": partial(ratio_by_class, digest, 100, y, s),
        "KLL (200) per class": partial(ratio_by_class, kll, 200, y, s),
        "KLL (4096) per class": partial(ratio_by_class, kll, 4096, y, s),
    }
    table = Table(title=f"sketches of {n_rows:,} rows in batches of 1,000,000")
    for heading in ("sketch", "x np.sort", "error of AR", "width of bounds"):
        table.add_column(heading, justify="left" if heading == "sketch" else "right")
    for name, job in jobs.items():
        found = fastest_of(partial(timed, job))
        value, width = found.result, "none"
        if name == "CapSketch":
            assert value.low <= exact <= value.high
            value, width = value.value, f"{value.high - value.low:.1e}"
        measured = {name: found.seconds, "numpy.sort": sort}
        records.keep(f"{name} of a stream", n_rows, measured)
        cells = f"{found.seconds / sort:.1f}", f"{value - exact:.1e}", width
        table.add_row(name, *cells)
    console.print(table)


def ratio_by_class(make: Callable[[int], Any], k: int, y: Any, s: Any) -> float:
    """Sketch the scores of each class in batches, and compute AR from both sketches."""
    sketches = make(k), make(k)
    for start in range(0, len(s), 1_000_000):
        rows = slice(start, start + 1_000_000)
        for is_event, sketch in enumerate(sketches):
            sketch.update(s[rows][y[rows] == is_event])
    grid = np.unique(np.quantile(s[:1_000_000], np.linspace(0, 1, 20_001))).tolist()
    rest, events = (np.append(0.0, sketch.get_cdf(grid)) for sketch in sketches)
    return 2 * float((np.diff(events) * (rest[1:] + rest[:-1]) / 2).sum()) - 1


# The peak memory of a process includes that of its parent, so a small parent starts it.
WATCH = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=True)
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.stdout.buffer.write(done.stdout)
"""


def run(*command: str) -> Timed:
    """Run a program and measure its run time and peak memory."""
    watched = [sys.executable, "-c", WATCH, *command]
    start = perf_counter()
    done = subprocess.run(watched, capture_output=True, check=True, text=True)  # noqa: S603 -- ours
    return Timed(done.stdout, perf_counter() - start, int(done.stderr) / 2**20)


def compare_files(path: Path, n_rows: int) -> None:
    """Compare ``capcurve score`` with DuckDB reading and summing both columns."""
    read = (
        "import duckdb, sys; "
        "print(duckdb.read_parquet(sys.argv[1]).aggregate('sum(y), sum(s)').fetchall())"
    )
    program = str(Path(sys.executable).with_name("capcurve"))
    columns = ("--truth", "y", "--estimate", "s")
    command = (program, "score", str(path), *columns, "--format", "ndjson")
    reading = fastest_of(partial(run, sys.executable, "-c", read, str(path)))
    exact = run(*command, "--memory-limit", "2GB")
    approximate = fastest_of(partial(run, *command, "--approx"))
    exact_row = json.loads(exact.result)
    bounds = json.loads(approximate.result)
    assert bounds["lower"] <= exact_row["accuracy_ratio"] <= bounds["upper"]
    table = Table(title=f"capcurve score, {n_rows:,} rows of Parquet")
    for heading in ("job", "seconds", "x reading", "peak GB"):
        table.add_column(heading, justify="left" if heading == "job" else "right")
    for name, found in (
        ("DuckDB reads and sums the columns", reading),
        ("exact, --memory-limit 2GB", exact),
        ("--approx", approximate),
    ):
        records.keep("file", n_rows, {name: found.seconds})
        records.keep("memory, file", n_rows, {name: found.gigabytes * 2**30}, unit="B")
        cells = f"{found.seconds:.1f}", f"{found.seconds / reading.seconds:.1f}"
        table.add_row(name, *cells, f"{found.gigabytes:.2f}")
    console.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--file-rows", type=int, default=100_000_000)
    add_json_option(parser)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    console.print(
        f"Python {platform.python_version()}, {os.cpu_count()} processors, "
        + ", ".join(
            f"{name} {version(name)}"
            for name in ("numpy", "polars", "duckdb", "dask", "pyspark", "datasketches")
        )
    )
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.parquet"
        write_rows(rows, arguments.rows)
        compare_sketches(arguments.rows)
        compare_engines(rows, arguments.rows)
        compare_spark(rows, arguments.rows)
        many = Path(folder) / "many.parquet"
        write_rows(many, arguments.file_rows)
        compare_files(many, arguments.file_rows)
    records.write(arguments.json)
