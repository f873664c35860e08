"""Sketch each partition of a Dask data frame, and merge the sketches."""

from functools import reduce

import dask.dataframe as dd
import pandas as pd

from capcurve import CapSketch, accuracy_ratio_score
from capcurve.datasets import make_portfolio

loans = pd.DataFrame(make_portfolio())


def sketch_partition(part: pd.DataFrame) -> pd.Series:
    """Return the sketch of a partition as bytes."""
    sketch = CapSketch(max_bins=1_024)
    sketch.update(part["default"], part["champion_pd"])
    return pd.Series([sketch.to_bytes()])


partitions = dd.from_pandas(loans, npartitions=8)
blobs = partitions.map_partitions(sketch_partition, meta=(None, "object")).compute()
sketch = reduce(CapSketch.merge, map(CapSketch.from_bytes, blobs))

exact = accuracy_ratio_score(loans["default"], loans["champion_pd"])
ratio = sketch.accuracy_ratio
assert ratio.low <= exact <= ratio.high
assert sketch.n_rows == len(loans)
print(
    f"accuracy ratio {ratio.value:.4f}, guaranteed bounds {ratio.low:.4f}, {ratio.high:.4f}"
)
