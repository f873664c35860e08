"""Sketch the curve of Parquet files, read in batches: memory does not grow with rows."""

from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from capcurve import CapSketch, accuracy_ratio_score
from capcurve.datasets import make_portfolio

loans = pl.DataFrame(make_portfolio())
for (year,), part in loans.group_by("year"):
    part.write_parquet(f"loans-{year}.parquet")

sketch = CapSketch(max_bins=1_024)
for path in sorted(Path().glob("loans-*.parquet")):
    for batch in pq.ParquetFile(path).iter_batches(
        batch_size=500, columns=["default", "champion_pd"]
    ):
        sketch.update(batch["default"], batch["champion_pd"])

exact = accuracy_ratio_score(loans["default"], loans["champion_pd"])
ratio = sketch.accuracy_ratio
assert ratio.low <= exact <= ratio.high
print(
    f"accuracy ratio {ratio.value:.4f}, guaranteed bounds {ratio.low:.4f}, {ratio.high:.4f}"
)
