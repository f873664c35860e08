"""What is lost on a cluster, whose executors are processes, is computed again."""

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import polars as pl
import pytest

import dask_cluster
import spark_cluster
from capcurve import accuracy_ratio_interval

pytestmark = [pytest.mark.engines, pytest.mark.slow]

CLUSTERS = {"spark": spark_cluster, "dask": dask_cluster}
ONE_SCORE = 0.02  # of most rows


def make_rows():
    """Make skewed scores of which most are tied."""
    rng = np.random.default_rng(12)
    s = np.where(rng.random(60_000) < 0.6, ONE_SCORE, rng.beta(0.4, 12, 60_000))
    return {"y": (rng.random(60_000) < 0.02 + s).astype(np.int64), "s": s}


def make_many():
    """Make scores that are all different."""
    rng = np.random.default_rng(13)
    s = rng.random(500_000)
    return {"y": (rng.random(500_000) < 0.1 * s).astype(np.int64), "s": s}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Run all scenarios of a cluster once, in a process of its own."""
    folder = tmp_path_factory.mktemp("cluster")
    pl.DataFrame(make_rows()).write_parquet(folder / "rows.parquet")
    pl.DataFrame(make_many()).write_parquet(folder / "many.parquet")

    @cache
    def run(name):
        files = ("rows.parquet", "many.parquet", f"{name}.json")
        command = [sys.executable, "-W", "ignore", CLUSTERS[name].__file__, *files]
        return subprocess.run(  # noqa: S603 -- our own script
            command,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def results_of(name):
        done = run(name)
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads((folder / f"{name}.json").read_text())

    return results_of


def agree(found, columns):
    expected = accuracy_ratio_interval(columns["y"], columns["s"])
    assert found["estimate"] == pytest.approx(expected.value, rel=1e-12)
    assert found["std_error"] == pytest.approx(expected.standard_error, rel=1e-12)
    assert found["n_events"] == columns["y"].sum()


WHOLE = ["fail_twice", "skew", "lose_a_process"]


@pytest.mark.parametrize("scenario", WHOLE)
@pytest.mark.parametrize("name", CLUSTERS)
def test_numbers_are_right_whatever_is_lost(ran, name, scenario):
    found = ran(name)[scenario]
    agree(found, make_rows())


@pytest.mark.parametrize("name", CLUSTERS)
def test_the_process_was_ended_in_the_middle_of_a_query(ran, name):
    found = ran(name)["lose_a_process"]
    assert found["ended"] == 1
    assert found["left"] == 0
    # The last partition was read for the checks, until the end, and again, more than once
    # if the process had kept what it had already given.
    assert found["read"] >= 3


@pytest.mark.parametrize("name", CLUSTERS)
def test_the_task_failed_twice(ran, name):
    assert ran(name)["fail_twice"]["failed"] == 2


@pytest.mark.parametrize("name", CLUSTERS)
def test_nearly_all_rows_were_in_one_partition(ran, name):
    found, tied = ran(name)["skew"], (make_rows()["s"] == ONE_SCORE).sum()
    assert found["largest"] >= tied
    assert found["smallest"] == 0


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_task_that_always_fails_is_told_by_its_own_error(ran, name):
    error = ran(name)["fail_always"]["error"]
    assert error.startswith("the engine of `data` failed: ")
    assert "this disk is gone" in error
    assert len(error) < 100


@pytest.mark.parametrize("name", CLUSTERS)
def test_many_rows_are_counted_by_small_processes(ran, name):
    agree(ran(name)["count_many"], make_many())


def test_a_result_too_large_for_the_driver_is_refused(ran):
    """The counts of the same rows by bin were small enough."""
    error = ran("spark")["fetch_many"]["error"]
    assert "is bigger than spark.driver.maxResultSize (8.0 MiB)" in error


@pytest.mark.parametrize("name", CLUSTERS)
def test_there_were_two_processes(ran, name):
    assert {one["processes"] for one in ran(name).values()} == {2}
