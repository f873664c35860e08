"""A report tells infinite scores among its limitations."""

import polars as pl

from capcurve import BinnedCurve, report

ROWS = pl.DataFrame({"y": [1, 0, 1, 0], "s": [float("inf"), 2.0, 3.0, -float("inf")]})


def tell(data, *columns, **options):
    told = report(data, *columns, **options).facts["limitations"]
    return [each for each in told if "infinite" in each]


def test_rows_in_memory_are_counted():
    told = ["The score 's' is infinite in 2 rows, which rank first or last."]
    assert tell(ROWS, "y", "s") == told
    assert not tell(ROWS.filter(pl.col("s").is_finite()), "y", "s")


def test_bins_know_whether_there_are_any():
    bins = BinnedCurve.from_frame(ROWS.lazy(), "y", "s")
    told = ["The score 's' is infinite in some rows, which rank first or last."]
    assert tell(bins, None, "s") == told
