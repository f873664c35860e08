"""What a user writes; it runs, and type checkers find nothing to report."""

from pathlib import Path
from typing import assert_type

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from matplotlib.figure import Figure
from numpy.typing import NDArray

import capcurve
from capcurve import CapCurve, CAPCurveDisplay, CapSketch, CutOff, Estimate
from capcurve.datasets import make_portfolio

loans = make_portfolio()
y, score = loans["default"], loans["champion_pd"]
challenger, grades = loans["challenger_pd"], [ord(grade) for grade in loans["grade"]]

# Arrays, lists and series
assert_type(capcurve.accuracy_ratio_score(y, score), float)
assert_type(capcurve.accuracy_ratio_score(y.tolist(), score.tolist()), float)
assert_type(capcurve.accuracy_ratio_score(pd.Series(y), pl.Series(score)), float)
share, captured, _ = capcurve.cap_curve(y, score, drop_intermediate=True)
area = float(np.trapezoid(captured, share))

# Curves
curve = CapCurve.from_predictions(y, score)
assert_type(curve.capture_rate_at(0.1), float)
assert_type(curve.lift_at([0.1, 0.2]), NDArray[np.float64])
assert_type(curve.at_threshold(0.05), CutOff[float])
line = f"{curve.accuracy_ratio:.3f} {curve.at_threshold(0.05).lift + 1:.2f} {area:.2f}"
assert_type(curve.to_frame("pandas"), pd.DataFrame)
assert_type(curve.to_frame("polars"), pl.DataFrame)
assert_type(curve.to_frame("pyarrow"), pa.Table)
sketch = CapSketch()
sketch.update(y, score)
bounds = sketch.curve.accuracy_ratio.low, sketch.curve.accuracy_ratio.high

# Intervals and tests
interval = capcurve.accuracy_ratio_interval(y, score, confidence_level=0.9)
assert_type(interval, Estimate)
test = capcurve.accuracy_ratio_test(y, challenger, score, alternative="greater")
line += f" {interval.low:.2f} {test.p_value:.3f} {max(bounds) - min(bounds):.1e}"
plan = capcurve.plan_test(0.6, 0.55, event_rate=0.02, correlation=0.8, power=0.8)
change = capcurve.accuracy_ratio_change(y, grades, loans["year"], samples=(2021, 2024))

# Data frames: the library of the data comes back
frame = pl.DataFrame(loans)
ratios = capcurve.gain_capture(pd.DataFrame(loans), "default", ["champion_pd"], by="year")
assert_type(ratios, pd.DataFrame)
best = ratios.sort_values("estimate").iloc[-1]
assert_type(capcurve.gains_table(frame, "default", "champion_pd", bands=5), pl.DataFrame)
assert_type(capcurve.gain_curve(frame.to_arrow(), "default", "champion_pd"), pa.Table)
names = capcurve.compare_models(
    data=frame, truth="default", estimates=["champion_pd", "challenger_pd"]
).columns

# Pictures and reports
display = CAPCurveDisplay.from_predictions(y, score, name="A", mark=0.5, band=curve.band())
assert_type(display.figure_, Figure)
report = capcurve.report(frame, "default", "champion_pd", by=["segment", "year"])
report.write(Path("report.json"))
