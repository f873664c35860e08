"""A report has the same bytes on any number of processors, whose threads add up parts."""

import os
import subprocess
import sys

import polars as pl
import pytest

from capcurve.datasets import make_portfolio

COMMAND = (
    *("report", "loans.csv", "--truth", "default", "--estimate", "champion_pd"),
    *("--compare", "challenger_pd", "--implied", "champion_pd", "--initial-auc", "0.85"),
    *("--by", "segment", "--period", "year", "--format", "json"),
)


def run(threads, *options):
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = os.environ | dict.fromkeys(names, str(threads))
    ended = subprocess.run(  # noqa: S603 -- our own command
        [sys.executable, "-m", "capcurve", *COMMAND, *options],
        capture_output=True,
        check=True,
        env=environment | {"SOURCE_DATE_EPOCH": "1700000000"},
    )
    return ended.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [(), ("--weight", "exposure"), ("--weight", "exposure", "--cluster", "pool")]
)
def test_one_processor_and_two_give_the_same_bytes(options):
    loans = pl.DataFrame(make_portfolio(40_000)).with_columns(pool=pl.col("loan") // 2)
    loans.write_csv("loans.csv")
    assert run(1, *options) == run(2, *options)
