"""What Spark does at size."""

import itertools
from pathlib import Path

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from capcurve import (
    accuracy_ratio_interval,
    gain_capture,
)
from capcurve._engines import plan as thresholds
from frame_constructors import columns_of
from query_constructors import LOANS, MARKS, same

pytestmark = MARKS


def rows_at_size():
    """Make skewed scores of which most are tied, and two regions with few events."""
    rng = np.random.default_rng(12)
    n = 1_000_000
    s = np.where(rng.random(n) < 0.6, 0.02, rng.beta(0.4, 12, n))
    s[: n // 10] = s[: n // 10].round(3)
    return {"y": (rng.random(n) < 0.02 + s).astype(np.int64), "s": s}


def plans_of(monkeypatch):
    """Keep the physical plan of every query."""
    plans, collect = [], nw.LazyFrame.collect

    def spy(frame):
        plan = frame.to_native()._jdf.queryExecution().executedPlan()  # noqa: SLF001 -- shown nowhere else
        plans.append(plan.toString())
        return collect(frame)

    monkeypatch.setattr(nw.LazyFrame, "collect", spy)
    return plans


def test_spark_at_size_gathers_nothing_in_one_place(spark, monkeypatch):
    columns = rows_at_size()
    pl.DataFrame(columns).write_parquet("size.parquet")
    frame = spark.read.parquet(str(Path("size.parquet").absolute()))
    # By the score: most partitions are empty, and one holds more than half of the rows.
    frame = frame.repartition(40, "s").unionByName(frame.limit(0))
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100_000)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    plans = plans_of(monkeypatch)
    found = columns_of(gain_capture(frame, "y", "s", confidence_level=0.95))
    expected = accuracy_ratio_interval(columns["y"], columns["s"])
    assert found["estimate"] == pytest.approx([expected.value], rel=1e-12)
    assert found["std_error"] == pytest.approx([expected.standard_error], rel=1e-12)
    windows = [plan for plan in plans if "Window" in plan]
    assert len(windows) == 1
    assert "hashpartitioning(bin" in windows[0]
    assert "SinglePartition" not in windows[0]
    for plan in plans:  # elsewhere one row of each partition is gathered
        lines = plan.splitlines()
        for line, below in itertools.pairwise(lines):
            if "SinglePartition" in line:
                assert "HashAggregate(keys=[]" in below or "LocalLimit" in below


def test_tasks_of_spark_that_fail_are_run_again(spark, monkeypatch):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    pl.DataFrame(LOANS).write_parquet("loans.parquet")
    frame = spark.read.parquet(str(Path("loans.parquet").absolute())).repartition(4)
    mark = Path("failed").absolute()

    def fail_once(batches):
        from pyspark import TaskContext

        task = TaskContext.get()
        if task.partitionId() == 1 and task.attemptNumber() == 0:
            mark.touch()
            raise RuntimeError("this task fails once")
        yield from batches

    unsteady = frame.mapInArrow(fail_once, frame.schema)
    found = gain_capture(unsteady, "default", "champion_pd", confidence_level=0.95)
    expected = gain_capture(
        pl.DataFrame(LOANS), "default", "champion_pd", confidence_level=0.95
    )
    assert mark.exists()
    same(found, expected, ["metric"])
