"""Cumulative accuracy profiles (CAP, gain curves) and the accuracy ratio (AR, Gini)."""

TYPE_CHECKING = False  # `typing` takes long to import, before the command hears Ctrl-C

if TYPE_CHECKING:
    from capcurve import datasets as datasets
    from capcurve import exceptions as exceptions
    from capcurve._arrays.bands import random_band
    from capcurve._arrays.capture_intervals import capture_rate_interval, lift_interval
    from capcurve._arrays.capture_test import capture_rate_test
    from capcurve._arrays.change import (
        accuracy_ratio_at_reference,
        accuracy_ratio_change,
    )
    from capcurve._arrays.comparisons import accuracy_ratio_test, accuracy_ratio_test_joint
    from capcurve._arrays.curves import cap_curve, lift_curve, perfect_cap_curve
    from capcurve._arrays.implied import (
        accuracy_ratio_test_implied,
        implied_accuracy_ratio_score,
    )
    from capcurve._arrays.intervals import accuracy_ratio_interval, ks_interval
    from capcurve._arrays.metrics import (
        accuracy_ratio_score,
        capture_rate_score,
        lift_score,
    )
    from capcurve._arrays.planning import plan_interval, plan_test
    from capcurve._arrays.response_rate import (
        response_rate_interval,
        response_rate_score,
    )
    from capcurve._arrays.sample_comparisons import (
        accuracy_ratio_test_independent,
        accuracy_ratio_test_initial,
    )
    from capcurve._arrays.sample_planning import plan_from_sample
    from capcurve._arrays.scorers import Scorer, accuracy_ratio_scorer, scorers
    from capcurve._arrays.segments import (
        accuracy_ratio_test_segments,
        pooled_accuracy_ratio_interval,
        pooled_accuracy_ratio_score,
    )
    from capcurve._arrays.somers_d import (
        somers_d_from_table,
        somers_d_interval,
        somers_d_score,
    )
    from capcurve._curve.binned_curve import BinnedCurve, BoundedCurve, BoundedTable
    from capcurve._curve.curve import CapCurve
    from capcurve._curve.cut_off import CutOff
    from capcurve._curve.double_lift import DoubleLift
    from capcurve._curve.gains_table import GainsTable
    from capcurve._curve.profile import Profile
    from capcurve._curve.sketch import CapSketch
    from capcurve._frames.compare_implied import compare_implied
    from capcurve._frames.compare_models import compare_models
    from capcurve._frames.compare_samples import compare_samples
    from capcurve._frames.compare_segments import compare_segments
    from capcurve._frames.gain_capture import gain_capture, gain_capture_vec
    from capcurve._frames.gain_capture_at_reference import gain_capture_at_reference
    from capcurve._frames.gain_capture_change import gain_capture_change
    from capcurve._frames.gain_curve import gain_curve
    from capcurve._frames.gain_cut_offs import gain_cut_offs
    from capcurve._frames.gains_table import gains_table
    from capcurve._frames.plan_models import plan_models
    from capcurve._frames.summarize_segments import summarize_segments
    from capcurve._inference.band import Band
    from capcurve._inference.change import AccuracyRatioChange, ChangePart
    from capcurve._inference.comparison import InitialComparison, JointComparison
    from capcurve._inference.estimate import Comparison, Estimate
    from capcurve._inference.implied import ImpliedComparison
    from capcurve._inference.plans import IntervalPlan, PowerPlan, SamplePlan
    from capcurve._inference.segments import SegmentComparison
    from capcurve._inference.trend import Trend
    from capcurve._plot.displays import (
        CAPCurveDisplay,
        GainsTableDisplay,
        KSDisplay,
        LiftCurveDisplay,
        LorenzCurveDisplay,
    )
    from capcurve._plot.double_lift_display import DoubleLiftDisplay
    from capcurve._plot.gain_curve import GainCurveDisplay, plot_gain_curve
    from capcurve._plot.panels import PanelsDisplay, plot_panels
    from capcurve._plot.summary import SummaryPage, plot_summary
    from capcurve._report.gates import Gate
    from capcurve._report.report import Report, report
    from capcurve._tally.bins import Bins
    from capcurve._tally.bounded import Bounded
    from capcurve._tally.tally import Tally, TieBounds
    from capcurve.exceptions import (
        CapcurveError,
        DroppedRowsWarning,
        FewEventsWarning,
        HardLabelsWarning,
        MissingDependencyError,
        UndefinedMetricWarning,
        WideBoundsWarning,
    )

__version__ = "0.2.0"

MODULES = ("datasets", "exceptions")

# Every public name, door by door. A module is imported when one of its names is first used.
HOMES = {
    # -- Arrays: scores and curves
    "_arrays.metrics": (
        "accuracy_ratio_score",
        "capture_rate_score",
        "lift_score",
    ),
    "_arrays.curves": (
        "cap_curve",
        "lift_curve",
        "perfect_cap_curve",
    ),
    "_arrays.scorers": ("Scorer", "accuracy_ratio_scorer", "scorers"),
    "_arrays.somers_d": (
        "somers_d_from_table",
        "somers_d_interval",
        "somers_d_score",
    ),
    # -- Arrays: intervals, tests and bands
    "_arrays.intervals": (
        "accuracy_ratio_interval",
        "ks_interval",
    ),
    "_arrays.capture_intervals": (
        "capture_rate_interval",
        "lift_interval",
    ),
    "_arrays.change": (
        "accuracy_ratio_at_reference",
        "accuracy_ratio_change",
    ),
    "_arrays.capture_test": ("capture_rate_test",),
    "_arrays.response_rate": (
        "response_rate_interval",
        "response_rate_score",
    ),
    "_arrays.comparisons": (
        "accuracy_ratio_test",
        "accuracy_ratio_test_joint",
    ),
    "_arrays.sample_comparisons": (
        "accuracy_ratio_test_independent",
        "accuracy_ratio_test_initial",
    ),
    "_arrays.implied": ("accuracy_ratio_test_implied", "implied_accuracy_ratio_score"),
    "_arrays.segments": (
        "accuracy_ratio_test_segments",
        "pooled_accuracy_ratio_interval",
        "pooled_accuracy_ratio_score",
    ),
    "_arrays.bands": ("random_band",),
    "_arrays.planning": ("plan_interval", "plan_test"),
    "_arrays.sample_planning": ("plan_from_sample",),
    # -- Data frames, queries
    "_frames.gain_capture": (
        "gain_capture",
        "gain_capture_vec",
    ),
    "_frames.gain_capture_at_reference": ("gain_capture_at_reference",),
    "_frames.gain_capture_change": ("gain_capture_change",),
    "_frames.gain_curve": ("gain_curve",),
    "_frames.gain_cut_offs": ("gain_cut_offs",),
    "_frames.gains_table": ("gains_table",),
    "_frames.compare_models": ("compare_models",),
    "_frames.compare_samples": ("compare_samples",),
    "_frames.plan_models": ("plan_models",),
    "_frames.compare_implied": ("compare_implied",),
    "_frames.compare_segments": ("compare_segments",),
    "_frames.summarize_segments": ("summarize_segments",),
    # -- Curves, of rows, bins and streams
    "_curve.curve": ("CapCurve",),
    "_curve.binned_curve": (
        "BinnedCurve",
        "BoundedCurve",
        "BoundedTable",
    ),
    "_curve.sketch": ("CapSketch",),
    # -- Pictures
    "_plot.displays": (
        "CAPCurveDisplay",
        "GainsTableDisplay",
        "KSDisplay",
        "LiftCurveDisplay",
        "LorenzCurveDisplay",
    ),
    "_plot.double_lift_display": ("DoubleLiftDisplay",),
    "_plot.gain_curve": ("GainCurveDisplay", "plot_gain_curve"),
    "_plot.panels": ("PanelsDisplay", "plot_panels"),
    "_plot.summary": ("SummaryPage", "plot_summary"),
    # -- Reports
    "_report.gates": ("Gate",),
    "_report.report": (
        "Report",
        "report",
    ),
    # -- What these return
    "_inference.estimate": (
        "Comparison",
        "Estimate",
    ),
    "_inference.change": (
        "AccuracyRatioChange",
        "ChangePart",
    ),
    "_inference.comparison": (
        "InitialComparison",
        "JointComparison",
    ),
    "_inference.implied": ("ImpliedComparison",),
    "_inference.segments": ("SegmentComparison",),
    "_inference.trend": ("Trend",),
    "_inference.band": ("Band",),
    "_inference.plans": ("IntervalPlan", "PowerPlan", "SamplePlan"),
    "_curve.cut_off": ("CutOff",),
    "_curve.double_lift": ("DoubleLift",),
    "_curve.gains_table": ("GainsTable",),
    "_curve.profile": ("Profile",),
    "_tally.bins": ("Bins",),
    "_tally.bounded": ("Bounded",),
    "_tally.tally": (
        "Tally",
        "TieBounds",
    ),
    # -- Errors and warnings
    "exceptions": (
        "CapcurveError",
        "DroppedRowsWarning",
        "FewEventsWarning",
        "HardLabelsWarning",
        "MissingDependencyError",
        "UndefinedMetricWarning",
        "WideBoundsWarning",
    ),
}

__all__ = [
    "AccuracyRatioChange",
    "Band",
    "BinnedCurve",
    "Bins",
    "Bounded",
    "BoundedCurve",
    "BoundedTable",
    "CAPCurveDisplay",
    "CapCurve",
    "CapSketch",
    "CapcurveError",
    "ChangePart",
    "Comparison",
    "CutOff",
    "DoubleLift",
    "DoubleLiftDisplay",
    "DroppedRowsWarning",
    "Estimate",
    "FewEventsWarning",
    "GainCurveDisplay",
    "GainsTable",
    "GainsTableDisplay",
    "Gate",
    "HardLabelsWarning",
    "ImpliedComparison",
    "InitialComparison",
    "IntervalPlan",
    "JointComparison",
    "KSDisplay",
    "LiftCurveDisplay",
    "LorenzCurveDisplay",
    "MissingDependencyError",
    "PanelsDisplay",
    "PowerPlan",
    "Profile",
    "Report",
    "SamplePlan",
    "Scorer",
    "SegmentComparison",
    "SummaryPage",
    "Tally",
    "TieBounds",
    "Trend",
    "UndefinedMetricWarning",
    "WideBoundsWarning",
    "accuracy_ratio_at_reference",
    "accuracy_ratio_change",
    "accuracy_ratio_interval",
    "accuracy_ratio_score",
    "accuracy_ratio_scorer",
    "accuracy_ratio_test",
    "accuracy_ratio_test_implied",
    "accuracy_ratio_test_independent",
    "accuracy_ratio_test_initial",
    "accuracy_ratio_test_joint",
    "accuracy_ratio_test_segments",
    "cap_curve",
    "capture_rate_interval",
    "capture_rate_score",
    "capture_rate_test",
    "compare_implied",
    "compare_models",
    "compare_samples",
    "compare_segments",
    "gain_capture",
    "gain_capture_at_reference",
    "gain_capture_change",
    "gain_capture_vec",
    "gain_curve",
    "gain_cut_offs",
    "gains_table",
    "implied_accuracy_ratio_score",
    "ks_interval",
    "lift_curve",
    "lift_interval",
    "lift_score",
    "perfect_cap_curve",
    "plan_from_sample",
    "plan_interval",
    "plan_models",
    "plan_test",
    "plot_gain_curve",
    "plot_panels",
    "plot_summary",
    "pooled_accuracy_ratio_interval",
    "pooled_accuracy_ratio_score",
    "random_band",
    "report",
    "response_rate_interval",
    "response_rate_score",
    "scorers",
    "somers_d_from_table",
    "somers_d_interval",
    "somers_d_score",
    "summarize_segments",
]


# To a type checker, any other name is a mistake.
if not TYPE_CHECKING:  # pragma: no branch

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for home, names in HOMES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(f"capcurve.{home}"), name)
                return value
        if name in MODULES:
            return import_module(f"capcurve.{name}")
        raise AttributeError(f"module 'capcurve' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__", *MODULES]
