"""Whatever is passed, every public function answers or says what was wrong with it."""

import inspect
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import capcurve
from capcurve import BinnedCurve, CapCurve, CapcurveError, CapSketch, GainsTable

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]

N = 40
Y = np.arange(N) % 2
S, S2 = np.random.default_rng(1).random((2, N)) + 0.3 * Y
X = np.column_stack([S, S2])
MODEL = LogisticRegression().fit(X, Y)
FOLDS = cross_validate(
    MODEL, X, Y, cv=2, return_estimator=True, return_indices=True, error_score="raise"
)
SAMPLE = np.arange(N) // 2 % 2
SEGMENTS = list("aabb") * (N // 4)
FRAME = pd.DataFrame({"y": Y, "s": S, "s2": S2, "g": list("ab") * (N // 2)})
FRAME["sample"], FRAME["segment"] = SAMPLE, SEGMENTS
CURVE = CapCurve.from_predictions(Y, S)
SKETCH = CapSketch()
SKETCH.update(Y, S)
with pytest.warns(capcurve.FewEventsWarning):
    ESTIMATE = capcurve.accuracy_ratio_interval(Y[:30], S[:30])
FEW = {"n_resamples": 5, "random_state": 1, "method": "bootstrap"}
SCORED = {"y_true": Y, "y_score": S}
TIDY = {"data": FRAME, "truth": "y", "estimate": "s"}
POINTS = capcurve.gain_curve(FRAME, "y", "s")


# What is passed where nothing else is wrong, for each public function, by its name in
# `capcurve`; several ways to use a class are told apart by what follows the name.
USES = {
    "CAPCurveDisplay": (capcurve.CAPCurveDisplay, {"curve": CURVE}),
    "CAPCurveDisplay.plot": (capcurve.CAPCurveDisplay(CURVE).plot, {"ax": None}),
    "CAPCurveDisplay.from_predictions": (
        capcurve.CAPCurveDisplay.from_predictions,
        {**SCORED, "ax": None},
    ),
    "CAPCurveDisplay.from_estimator": (
        capcurve.CAPCurveDisplay.from_estimator,
        {"estimator": MODEL, "X": X, "y": Y, "ax": None},
    ),
    "CAPCurveDisplay.from_cv_results": (
        capcurve.CAPCurveDisplay.from_cv_results,
        {"cv_results": FOLDS, "X": X, "y": Y, "ax": None},
    ),
    "GainCurveDisplay": (capcurve.GainCurveDisplay, {"gain_curve_frame": POINTS}),
    "GainCurveDisplay.plot": (capcurve.GainCurveDisplay(POINTS).plot, {"ax": None}),
    "LiftCurveDisplay": (capcurve.LiftCurveDisplay, {"curve": CURVE}),
    "PanelsDisplay": (capcurve.PanelsDisplay, {"curves": {"a": CURVE}}),
    "PanelsDisplay.plot": (capcurve.PanelsDisplay([CURVE]).plot, {}),
    "LiftCurveDisplay.plot": (capcurve.LiftCurveDisplay(CURVE).plot, {"ax": None}),
    "KSDisplay": (capcurve.KSDisplay, {"curve": CURVE}),
    "KSDisplay.plot": (capcurve.KSDisplay(CURVE).plot, {"ax": None}),
    "LorenzCurveDisplay": (capcurve.LorenzCurveDisplay, {"curve": CURVE}),
    "LorenzCurveDisplay.plot": (capcurve.LorenzCurveDisplay(CURVE).plot, {"ax": None}),
    "GainsTableDisplay": (capcurve.GainsTableDisplay, {"curve": CURVE}),
    "GainsTableDisplay.plot": (capcurve.GainsTableDisplay(CURVE).plot, {"ax": None}),
    "DoubleLift.from_predictions": (
        capcurve.DoubleLift.from_predictions,
        {"y_true": Y, "y_score_a": S + 2, "y_score_b": S2 + 2},
    ),
    "CapCurve.from_predictions": (CapCurve.from_predictions, SCORED),
    "CapCurve.from_frame": (CapCurve.from_frame, TIDY),
    "CapCurve.band": (CURVE.band, {"kind": "simultaneous", "n_resamples": 5}),
    "CapCurve.capture_rate_at": (CURVE.capture_rate_at, {"population_share": 0.1}),
    "CapCurve.lift_at": (CURVE.lift_at, {"population_share": 0.1}),
    "CapCurve.threshold_at": (CURVE.threshold_at, {"population_share": 0.1}),
    "CapCurve.response_rate_at": (CURVE.response_rate_at, {"population_share": 0.1}),
    "CapCurve.threshold_for": (CURVE.threshold_for, {"capture_rate": 0.1}),
    "CapCurve.at_threshold": (CURVE.at_threshold, {"threshold": 0.1}),
    "CapCurve.population_share_for": (CURVE.population_share_for, {"capture_rate": 0.1}),
    "BinnedCurve.from_frame": (BinnedCurve.from_frame, TIDY),
    "CapSketch": (CapSketch, {}),
    "CapSketch.update": (SKETCH.update, SCORED),
    "CapSketch.merge": (SKETCH.merge, {"other": SKETCH}),
    "CapSketch.from_bytes": (CapSketch.from_bytes, {"data": SKETCH.to_bytes()}),
    "GainsTable.from_curve": (GainsTable.from_curve, {"curve": CURVE}),
    "Scorer": (capcurve.Scorer, {"measure": "lift", "fraction": 0.1}),
    "accuracy_ratio_at_reference": (
        capcurve.accuracy_ratio_at_reference,
        {**SCORED, "reference": S, "bands": 3},
    ),
    "accuracy_ratio_change": (
        capcurve.accuracy_ratio_change,
        {**SCORED, "sample": SAMPLE, "bands": 3},
    ),
    "accuracy_ratio_interval": (capcurve.accuracy_ratio_interval, SCORED),
    "accuracy_ratio_interval, resampled": (
        capcurve.accuracy_ratio_interval,
        {**SCORED, **FEW},
    ),
    "accuracy_ratio_score": (capcurve.accuracy_ratio_score, SCORED),
    "accuracy_ratio_score of classes": (
        capcurve.accuracy_ratio_score,
        {"y_true": Y, "y_score": np.column_stack([1 - S, S])},
    ),
    "accuracy_ratio_scorer": (
        capcurve.accuracy_ratio_scorer,
        {"estimator": MODEL, "X": X, "y": Y},
    ),
    "accuracy_ratio_test": (
        capcurve.accuracy_ratio_test,
        {"y_true": Y, "y_score_a": S, "y_score_b": S2},
    ),
    "accuracy_ratio_test_implied": (
        capcurve.accuracy_ratio_test_implied,
        {"y_true": Y, "y_prob": S / 2, "y_score": S2},
    ),
    "accuracy_ratio_test_independent": (
        capcurve.accuracy_ratio_test_independent,
        {"first": ESTIMATE, "second": ESTIMATE},
    ),
    "accuracy_ratio_test_initial": (
        capcurve.accuracy_ratio_test_initial,
        {"current": ESTIMATE, "initial_auc": 0.8},
    ),
    "accuracy_ratio_test_joint": (
        capcurve.accuracy_ratio_test_joint,
        {"y_true": Y, "y_scores": {"a": S, "b": S2}},
    ),
    "accuracy_ratio_test_segments": (
        capcurve.accuracy_ratio_test_segments,
        {**SCORED, "segments": SEGMENTS},
    ),
    "cap_curve": (capcurve.cap_curve, SCORED),
    "capture_rate_interval": (
        capcurve.capture_rate_interval,
        {**SCORED, **FEW, "fraction": 0.1},
    ),
    "capture_rate_score": (capcurve.capture_rate_score, {**SCORED, "fraction": 0.1}),
    "compare_implied": (
        capcurve.compare_implied,
        {"data": FRAME.assign(s=S / 2), "truth": "y", "estimate": "s", "score": "s2"},
    ),
    "capture_rate_test": (
        capcurve.capture_rate_test,
        {"y_true": Y, "y_score_a": S, "y_score_b": S2, "fraction": 0.1},
    ),
    "compare_models": (
        capcurve.compare_models,
        {"data": FRAME, "truth": "y", "estimates": ["s", "s2"]},
    ),
    "compare_samples": (
        capcurve.compare_samples,
        {**TIDY, "sample": "sample", "against": 0},
    ),
    "compare_segments": (capcurve.compare_segments, {**TIDY, "by": "segment"}),
    "gain_capture": (capcurve.gain_capture, TIDY),
    "gain_capture_at_reference": (
        capcurve.gain_capture_at_reference,
        {**TIDY, "reference": S, "bands": 3},
    ),
    "gain_capture_change": (
        capcurve.gain_capture_change,
        {**TIDY, "sample": "sample", "bands": 3},
    ),
    "gain_capture_vec": (
        capcurve.gain_capture_vec,
        {"truth": FRAME["y"], "estimate": FRAME["s"]},
    ),
    "gain_curve": (capcurve.gain_curve, TIDY),
    "gain_cut_offs": (capcurve.gain_cut_offs, {**TIDY, "threshold": 0.5}),
    "gain_cut_offs, at capture rates": (
        lambda capture_rate: capcurve.gain_cut_offs(**TIDY, capture_rate=capture_rate),
        {"capture_rate": 0.5},
    ),
    "gain_cut_offs, at shares": (
        lambda population_share, confidence_level: capcurve.gain_cut_offs(
            **TIDY, population_share=population_share, confidence_level=confidence_level
        ),
        {"population_share": 0.5, "confidence_level": 0.9},
    ),
    "implied_accuracy_ratio_score": (
        capcurve.implied_accuracy_ratio_score,
        {"y_prob": S / 2, "y_score": S2},
    ),
    "gains_table": (capcurve.gains_table, {**TIDY, "confidence_level": 0.9}),
    "ks_interval": (capcurve.ks_interval, {**SCORED, **FEW}),
    "lift_curve": (capcurve.lift_curve, SCORED),
    "lift_interval": (capcurve.lift_interval, {**SCORED, **FEW, "fraction": 0.1}),
    "lift_score": (capcurve.lift_score, {**SCORED, "fraction": 0.1}),
    "perfect_cap_curve": (capcurve.perfect_cap_curve, {"y_true": Y}),
    "plan_from_sample": (capcurve.plan_from_sample, SCORED),
    "plan_interval": (
        capcurve.plan_interval,
        {"accuracy_ratio": 0.5, "event_rate": 0.1, "half_width": 0.1},
    ),
    "plan_models": (capcurve.plan_models, TIDY),
    "plan_test": (
        capcurve.plan_test,
        {"first": 0.5, "second": 0.4, "event_rate": 0.1, "power": 0.8},
    ),
    "plot_gain_curve": (
        capcurve.plot_gain_curve,
        {"gain_curve_frame": POINTS},
    ),
    "plot_panels": (capcurve.plot_panels, {"curves": [CURVE]}),
    "pooled_accuracy_ratio_interval": (
        capcurve.pooled_accuracy_ratio_interval,
        {**SCORED, "segments": SEGMENTS},
    ),
    "pooled_accuracy_ratio_score": (
        capcurve.pooled_accuracy_ratio_score,
        {**SCORED, "segments": SEGMENTS},
    ),
    "random_band": (capcurve.random_band, {"n_events": 10, "n_nonevents": 20}),
    "response_rate_interval": (
        capcurve.response_rate_interval,
        {**SCORED, **FEW, "fraction": 0.1},
    ),
    "response_rate_score": (capcurve.response_rate_score, {**SCORED, "fraction": 0.1}),
    "scorers": (capcurve.scorers, {}),
    "somers_d_from_table": (capcurve.somers_d_from_table, {"table": [[8, 3], [2, 9]]}),
    "somers_d_interval": (capcurve.somers_d_interval, SCORED),
    "somers_d_score": (capcurve.somers_d_score, SCORED),
    "summarize_segments": (capcurve.summarize_segments, {**TIDY, "by": "segment"}),
}
RESULTS = {  # which functions return, or raise; nobody makes them of data
    "AccuracyRatioChange",
    "Band",
    "Bins",
    "Bounded",
    "BoundedCurve",
    "BoundedTable",
    "CutOff",
    "CapcurveError",
    "ChangePart",
    "Comparison",
    "DroppedRowsWarning",
    "Estimate",
    "FewEventsWarning",
    "Gate",
    "HardLabelsWarning",
    "ImpliedComparison",
    "InitialComparison",
    "IntervalPlan",
    "JointComparison",
    "MissingDependencyError",
    "PowerPlan",
    "Profile",
    "Report",
    "SamplePlan",
    "SegmentComparison",
    "Tally",
    "TieBounds",
    "Trend",
    "UndefinedMetricWarning",
    "WideBoundsWarning",
}
# A page for each odd input takes too long; see tests/unit/report and tests/unit/plot.
ELSEWHERE = {"report", "plot_summary", "SummaryPage", "DoubleLiftDisplay"}
LONGEST = 1_000  # letters of a message
OF_THE_ESTIMATOR = {"X"}  # rows that an estimator itself refuses, in its own words

ODD = {
    "None": lambda: None,
    "True": lambda: True,
    "a number": lambda: 0.5,
    "a negative number": lambda: -1,
    "a large number": lambda: 10**400,
    "nan": lambda: np.nan,
    "infinity": lambda: np.inf,
    "a decimal": lambda: Decimal("0.1"),
    "text": lambda: "10%",
    "half a character": lambda: "\ud800",
    "bytes": lambda: b"ab",
    "a tuple": lambda: (50,),
    "an empty list": list,
    "a generator": lambda: (i for i in range(N)),
    "a set": lambda: set(range(N)),
    "a dict": lambda: dict.fromkeys(range(N), 1),
    "a dict of scores": lambda: {"a": S, "b": "x"},
    "a range": lambda: range(N),
    "a list of two scores": lambda: [S, S2],
    "ragged rows": lambda: [[1], [1, 2]],
    "two columns": lambda: np.column_stack([1 - S, S]),
    "three dimensions": lambda: np.zeros((N, 2, 2)),
    "no dimension": lambda: np.array(3.0),
    "no columns": lambda: np.zeros((N, 0)),
    "a matrix": lambda: np.matrix(S),
    "a sparse matrix": lambda: scipy.sparse.csr_matrix(S),
    "records": lambda: np.zeros(N, dtype=[("a", "i4")]),
    "objects": lambda: np.array([object()] * N),
    "arrays in a series": lambda: pd.Series([np.zeros(2)] * N),
    "labels": lambda: ["a", "b"] * (N // 2),
    "labels and numbers": lambda: ["a", 1] * (N // 2),
    "complex numbers": lambda: [1j] * N,
    "large integers": lambda: [10**400] * N,
    "integers beyond 64 bits": lambda: [2**70 + i for i in range(N)],
    "signalling nans": lambda: [Decimal("sNaN")] * N,
    "nothing": lambda: [None] * N,
    "dates": lambda: pd.date_range("2020", periods=N),
    "booleans and nothing": lambda: pd.Series([True, None] * (N // 2), dtype=object),
    "categories": lambda: pd.Series(["a", "b"] * (N // 2), dtype="category"),
    "a masked array": lambda: np.ma.masked_less(S, 0.5),
    "a data frame": lambda: FRAME,
    "groups": lambda: FRAME.groupby("g"),
    "a query": lambda: pl.LazyFrame({"y": Y, "s": S}),
    "a fitted model": lambda: MODEL,
    "a class": lambda: LogisticRegression,
    "a function": lambda: len,
    "an object with a shape": lambda: SimpleNamespace(shape=(N,)),
    "a figure": Figure,
    "an array of axes": lambda: Figure().subplots(2),
    "a curve": lambda: CURVE,
    "an estimate": lambda: ESTIMATE,
}


def parameters():
    """List every parameter of every use."""
    for name, (function, _) in USES.items():
        for parameter in inspect.signature(function).parameters.values():
            if (
                parameter.kind is not parameter.VAR_KEYWORD
                and parameter.name not in OF_THE_ESTIMATOR
            ):
                yield pytest.param(
                    *USES[name], parameter.name, id=f"{name}({parameter.name})"
                )


def test_every_public_name_is_used_here():
    used = {name.partition(".")[0].partition(",")[0].split()[0] for name in USES}
    assert used | RESULTS | ELSEWHERE == set(capcurve.__all__)
    assert not used & RESULTS


def take_empty_axes(before=None):
    """Return axes on which nothing is drawn: those of before, if a call left them alone.

    Making them takes longer than most refusals.
    """
    if before is not None and not before.figure.stale:
        return before
    axes = Figure().subplots()
    axes.figure.stale = False  # until anything on it changes
    return axes


@pytest.mark.parametrize(("function", "usual"), USES.values(), ids=list(USES))
def test_what_is_usual_is_answered(function, usual):
    fresh = {"ax": take_empty_axes()} if "ax" in usual else {}
    function(**{**usual, **fresh})


def test_axes_are_taken_again_until_something_is_drawn_on_them():
    axes = take_empty_axes()
    assert take_empty_axes(axes) is axes
    axes.set_title("drawn")
    assert take_empty_axes(axes) is not axes


@pytest.mark.parametrize(("function", "usual", "parameter"), list(parameters()))
def test_what_is_odd_is_answered_or_refused(function, usual, parameter):
    raw, fresh = {}, {}
    for name, make in ODD.items():
        if "ax" in usual:
            fresh = {"ax": take_empty_axes(fresh.get("ax"))}
        try:
            function(**{**usual, **fresh, parameter: make()})
        except CapcurveError as error:
            if len(str(error)) > LONGEST:
                raw[name] = f"{len(str(error))} letters"
        except Exception as error:  # noqa: BLE001 -- which is what is looked for
            raw[name] = repr(error)[:200]
    assert not raw
