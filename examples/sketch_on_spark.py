"""Sketch each partition of a Spark table, and merge the sketches."""

import os
import sys
from collections.abc import Iterable, Iterator
from functools import reduce

import pandas as pd
import pyarrow as pa
from pyspark.sql import SparkSession

from capcurve import CapSketch, accuracy_ratio_score
from capcurve.datasets import make_portfolio

loans = pd.DataFrame(make_portfolio())


def sketch_partition(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the sketch of a partition as bytes."""
    sketch = CapSketch(max_bins=1_024)
    for batch in batches:
        if batch.num_rows:
            sketch.update(batch["default"], batch["champion_pd"])
    yield pa.RecordBatch.from_pydict({"sketch": [sketch.to_bytes()]})


os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # for the workers
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
table = spark.createDataFrame(loans[["default", "champion_pd"]]).repartition(6)
blobs = [
    row["sketch"] for row in table.mapInArrow(sketch_partition, "sketch binary").collect()
]
spark.stop()
sketch = reduce(CapSketch.merge, (CapSketch.from_bytes(bytes(blob)) for blob in blobs))

exact = accuracy_ratio_score(loans["default"], loans["champion_pd"])
ratio = sketch.accuracy_ratio
assert ratio.low <= exact <= ratio.high
assert sketch.n_rows == len(loans)
print(
    f"accuracy ratio {ratio.value:.4f}, guaranteed bounds {ratio.low:.4f}, {ratio.high:.4f}"
)
