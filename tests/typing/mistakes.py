"""Mistakes, each of which type checkers report in its line, and nothing else."""

from typing import assert_type

import numpy as np
import pandas as pd
import polars as pl

import capcurve
from capcurve import CapCurve, CAPCurveDisplay, Estimate
from capcurve.datasets import make_portfolio

loans = make_portfolio()
y, score = loans["default"], loans["champion_pd"]
frame = pl.DataFrame(loans)
curve = CapCurve.from_predictions(y, score)
interval = capcurve.accuracy_ratio_interval(y, score)

# Options of displays
CAPCurveDisplay.from_predictions(y, score, mark=0.5, shade=True, band="pointwise")
CAPCurveDisplay.from_predictions(y, score, marks=0.5)  # error
CAPCurveDisplay.from_predictions(y, score, shades=True)  # error
CAPCurveDisplay.from_predictions(y, score, mark="half")  # error
CAPCurveDisplay.from_predictions(y, score, band="wide")  # error
CAPCurveDisplay.from_predictions(y, score, band=0.95)  # error
CAPCurveDisplay(curve).plot(plot_random=False)  # error
curve.plot(despined=True)  # error

# Options of arrays
capcurve.accuracy_ratio_score(y, score, weights=y)  # error
capcurve.accuracy_ratio_score(y, score, target_type="events")  # error
value = capcurve.accuracy_ratio_score(y, score).value  # error
capcurve.accuracy_ratio_interval(y, score, method="walds")  # error
capcurve.accuracy_ratio_test(y, score, score, alternative="smaller")  # error
capcurve.plan_test("0.6", event_rate=0.02)  # error
metric = capcurve.gini  # error

# Data frames
capcurve.gain_capture(frame, "default", "champion_pd", group="segment")  # error
capcurve.gain_capture(frame, "default", "champion_pd", event_level="third")  # error
capcurve.gain_capture(frame, "default")  # error
capcurve.gain_capture(loans, "default", "champion_pd")  # error
rows = capcurve.gain_capture(frame, "default", "champion_pd").iloc  # error
capcurve.gain_capture(frame.lazy(), "default", "champion_pd").collect()  # error
capcurve.gains_table(frame, "default", "champion_pd", bands="deciles")  # error
CapCurve.from_frame(loans, "default", "champion_pd")  # error
capcurve.report(frame, "default", "champion_pd", contrast="segment")  # error

# Results
lower = interval.lower  # error
interval.value = 0.5  # error
assert_type(interval, float)  # error
estimate: Estimate = capcurve.accuracy_ratio_test(y, score, score)  # error
curve.to_frame("dask")  # error
table: pd.DataFrame = curve.to_frame("polars")  # error
curve.capture_rate_at("0.1")  # error
curve.lift_at(np.array([0.1])).is_integer()  # error
curve.at_threshold(0.5).lift.mean()  # error
curve.band("around")  # error
