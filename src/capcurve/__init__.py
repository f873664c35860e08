"""Cumulative accuracy profiles (CAP, gain curves) and the accuracy ratio (AR, Gini)."""

from capcurve.bands import Band, random_band
from capcurve.binned_curve import BinnedCurve
from capcurve.comparisons import (
    InitialComparison,
    JointComparison,
    accuracy_ratio_test,
    accuracy_ratio_test_independent,
    accuracy_ratio_test_initial,
    accuracy_ratio_test_joint,
)
from capcurve.concordance import somers_d_from_table, somers_d_interval, somers_d_score
from capcurve.curve import CapCurve
from capcurve.display import CAPCurveDisplay, LiftCurveDisplay
from capcurve.estimates import Comparison, Estimate
from capcurve.exceptions import (
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    MissingDependencyError,
    UndefinedMetricWarning,
)
from capcurve.frames import gain_capture, gain_capture_vec, gain_curve, gains_table
from capcurve.intervals import (
    accuracy_ratio_interval,
    capture_rate_interval,
    ks_interval,
    lift_interval,
)
from capcurve.metrics import (
    accuracy_ratio_score,
    cap_curve,
    capture_rate_score,
    lift_curve,
    lift_score,
    perfect_cap_curve,
)
from capcurve.model_comparison import compare_models
from capcurve.panels import plot_gain_curve
from capcurve.reports import Report, report
from capcurve.sketch import CapSketch

__version__ = "0.1.0"

__all__ = [
    "Band",
    "BinnedCurve",
    "CAPCurveDisplay",
    "CapCurve",
    "CapSketch",
    "CapcurveError",
    "Comparison",
    "DroppedRowsWarning",
    "Estimate",
    "FewEventsWarning",
    "InitialComparison",
    "JointComparison",
    "LiftCurveDisplay",
    "MissingDependencyError",
    "Report",
    "UndefinedMetricWarning",
    "accuracy_ratio_interval",
    "accuracy_ratio_score",
    "accuracy_ratio_test",
    "accuracy_ratio_test_independent",
    "accuracy_ratio_test_initial",
    "accuracy_ratio_test_joint",
    "cap_curve",
    "capture_rate_interval",
    "capture_rate_score",
    "compare_models",
    "gain_capture",
    "gain_capture_vec",
    "gain_curve",
    "gains_table",
    "ks_interval",
    "lift_curve",
    "lift_interval",
    "lift_score",
    "perfect_cap_curve",
    "plot_gain_curve",
    "random_band",
    "report",
    "somers_d_from_table",
    "somers_d_interval",
    "somers_d_score",
]
