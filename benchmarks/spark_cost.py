"""Measure what a query costs on Spark, from the event log that Spark writes.

    python benchmarks/spark_cost.py [--rows 1000000 10000000] [--partitions 8]

For each number of rows: rows read, bytes shuffled and sent to the driver, scans of the
rows, processor time, and peak memory of the largest task and of Java, whose driver and
executor are one process here. The data are those of `scale.py`, and bounds contain the
exact AR.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from capcurve import BinnedCurve, gain_capture
from capcurve._engines import plan
from records import Records, add_json_option

UNITS = ("s", "s", "1", "B", "B", "B", "1", "B")
NAMES = (
    "wall time",
    "processor time",
    "rows read",
    "shuffled",
    "sent to the driver",
    "largest task",
    "scans",
    "Java in all",
)


class Cost(NamedTuple):
    """What a job cost, in the order of `NAMES`."""

    seconds: float
    processor: float
    rows: int
    shuffled: int
    fetched: int
    task: int
    scans: int
    java: int


def start_spark(folder: Path, partitions: int) -> Any:
    """Start Spark on two threads, with an event log."""
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    options = {
        "spark.driver.memory": "8g",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": folder.as_uri(),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.rolling.enabled": "false",
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.ui.enabled": "false",
    }
    session = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def events(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the events that were written up to now."""
    for path in folder.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def peak_of_java(session: Any) -> int:
    """Return the peak of used memory since the last call, after collecting garbage."""
    java = session.sparkContext._jvm.java.lang  # noqa: SLF001 -- has no other name
    java.System.gc()
    pools = java.management.ManagementFactory.getMemoryPoolMXBeans()
    heap = [pool for pool in pools if pool.getType().toString() == "Heap memory"]
    peak = sum(pool.getPeakUsage().getUsed() for pool in heap)
    for pool in heap:
        pool.resetPeakUsage()
    return int(peak)


def measure(session: Any, folder: Path, job: Callable[[], Any]) -> tuple[Any, Cost]:
    """Run a job, and add up the tasks that it started."""
    job()  # warm
    before = sum(1 for _ in events(folder))
    peak_of_java(session)
    start = perf_counter()
    found = job()
    seconds = perf_counter() - start
    java = peak_of_java(session)
    new = list(events(folder))[before:]
    tasks = [one["Task Metrics"] for one in new if one["Event"] == "SparkListenerTaskEnd"]
    reading = {
        one["Stage ID"]
        for one in new
        if one["Event"] == "SparkListenerTaskEnd"
        and one["Task Metrics"]["Input Metrics"]["Records Read"] > 0
    }
    return found, Cost(
        seconds,
        sum(task["Executor CPU Time"] for task in tasks) / 1e9,
        sum(task["Input Metrics"]["Records Read"] for task in tasks),
        sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in tasks),
        sum(task["Result Size"] for task in tasks),
        max(task["Peak Execution Memory"] for task in tasks),
        len(reading),
        java,
    )


def show(name: str, value: float) -> str:
    """Write a cost in its unit."""
    unit = dict(zip(NAMES, UNITS, strict=True))[name]
    if unit == "B":
        return f"{value / 1e6:,.1f} MB"
    return f"{value:,.1f} s" if unit == "s" else f"{value:,.0f}"


def compare_plans(
    frame: Any, *, exact: bool, measured: Callable[[Callable[[], Any]], tuple[Any, Cost]]
) -> dict[str, Cost]:
    """Measure the bounds, and the exact plan where it is asked for."""
    curve, cost = measured(lambda: BinnedCurve.from_frame(frame, "y", "s"))
    if not exact:
        return {"bounds": cost}
    found, exact_cost = measured(lambda: gain_capture(frame, "y", "s"))
    bounds = curve.accuracy_ratio
    assert bounds.low <= found["estimate"][0].as_py() <= bounds.high
    return {"bounds": cost, "exact": exact_cost}


def main() -> None:
    """Measure each number of rows."""
    from scale import write_rows

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--exact-up-to", type=int, default=10_000_000, metavar="ROWS")
    parser.add_argument("--partitions", type=int, default=8)
    add_json_option(parser)
    options = parser.parse_args()
    plan.MAX_DIRECT_ROWS = 500_000
    records, console = Records("spark_cost"), Console()
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log"
        log.mkdir()
        session = start_spark(log, options.partitions)
        for n_rows in options.rows:
            path = Path(name) / f"{n_rows}.parquet"
            write_rows(path, n_rows)
            frame = session.read.parquet(str(path))
            with_exact = n_rows <= options.exact_up_to
            costs = compare_plans(
                frame, exact=with_exact, measured=partial(measure, session, log)
            )
            table = Table("cost", *costs, title=f"{n_rows:,} rows on Spark, local[2], warm")
            for place, cost in enumerate(NAMES):
                values = {job: each[place] for job, each in costs.items()}
                records.keep(cost, n_rows, values, unit=UNITS[place])
                table.add_row(cost, *(show(cost, value) for value in values.values()))
            console.print(table)
        session.stop()
    records.write(options.json)


if __name__ == "__main__":
    main()
