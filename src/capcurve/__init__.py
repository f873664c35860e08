"""Cumulative accuracy profiles (CAP, gain curves) and the accuracy ratio (AR, Gini)."""

from capcurve.curve import CapCurve
from capcurve.display import CAPCurveDisplay, LiftCurveDisplay
from capcurve.exceptions import (
    CapcurveError,
    DroppedRowsWarning,
    MissingDependencyError,
    UndefinedMetricWarning,
)
from capcurve.frames import gain_capture, gain_capture_vec, gain_curve, gains_table
from capcurve.metrics import (
    accuracy_ratio_score,
    cap_curve,
    capture_rate_score,
    lift_curve,
    lift_score,
    perfect_cap_curve,
)
from capcurve.panels import plot_gain_curve

__version__ = "0.1.0"

__all__ = [
    "CAPCurveDisplay",
    "CapCurve",
    "CapcurveError",
    "DroppedRowsWarning",
    "LiftCurveDisplay",
    "MissingDependencyError",
    "UndefinedMetricWarning",
    "accuracy_ratio_score",
    "cap_curve",
    "capture_rate_score",
    "gain_capture",
    "gain_capture_vec",
    "gain_curve",
    "gains_table",
    "lift_curve",
    "lift_score",
    "perfect_cap_curve",
    "plot_gain_curve",
]
