"""Reproduce the two-class example of R's yardstick; pass the path of its CSV file."""

import csv
import sys
from pathlib import Path

from capcurve import CapCurve

with Path(sys.argv[1]).open(encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
curve = CapCurve.from_predictions(
    [row["truth"] for row in rows],
    [float(row["Class1"]) for row in rows],
    pos_label="Class1",
)
print(f"gain capture        {curve.accuracy_ratio:.16g}")
print(f"found at 50 % tested {100 * curve.capture_rate_at(0.5):.16g} %")
assert abs(curve.accuracy_ratio - 0.8786277147799346) < 1e-12
assert abs(100 * curve.capture_rate_at(0.5) - 84.49612403100775) < 1e-12
