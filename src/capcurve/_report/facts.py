"""Compute the facts of a report from scored groups, in reading order."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from math import isfinite
from typing import Any

import numpy as np

from capcurve._arrays.sample_comparisons import accuracy_ratio_test_initial
from capcurve._curve.curve import CapCurve
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._inference.band import compute_band
from capcurve._inference.comparison import Hypothesis, compare_jointly
from capcurve._inference.estimate import Comparison, Estimate
from capcurve._inference.options import IntervalOptions
from capcurve._inference.reliability import explain_few_events
from capcurve._report.notes import CHART_CELLS, NOTES, REFERENCES, WHOLE_WEIGHTS
from capcurve._report.options import Facts, ReportOptions
from capcurve._report.scored import ScoredBins, ScoredGroup, ScoredRows
from capcurve.exceptions import CapcurveError

SCHEMA_VERSION = 1
CAPTURE_SHARES_SHOWN = (0.01, 0.05, 0.1, 0.2, 0.5)
LIBRARIES = ("capcurve", "numpy", "narwhals", "scipy")


@dataclass(frozen=True, kw_only=True)
class ReportInput:
    """Scored rows of a report: all of them, by segment and by period.

    Attributes
    ----------
    options : ReportOptions
    whole : sequence of ScoredGroup
        All rows, ranked by the champion's score and then by that of each challenger.
    segments, periods : dict of str to sequence of ScoredRows
        The same rows split by each column of segments or periods, by column name.
    rows_read : int
        Number of rows of weight above 0 before rows with a missing value were dropped;
        counted rows count.
    missing : dict of str to int
        Number of missing values, by column name.
    provenance : dict
        Description of the source files.
    arguments : dict
        Options to show in the report.
    """

    options: ReportOptions
    whole: Sequence[ScoredGroup]
    segments: Mapping[str, Sequence[ScoredRows]] = field(default_factory=dict)
    periods: Mapping[str, Sequence[ScoredRows]] = field(default_factory=dict)
    rows_read: int
    missing: Mapping[str, int] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)


def make_facts(report_input: ReportInput) -> Facts:
    """Compute all facts of a report."""
    if any(scored.level is not None for scored in report_input.whole):
        raise CapcurveError(
            "a report requires an outcome with two class labels, got a score for each of "
            "several; pass one label as `pos_label`"
        )
    options = IntervalOptions(report_input.options.confidence_level)
    champion = report_input.whole[0]
    facts = {
        "schema_version": SCHEMA_VERSION,
        "title": report_input.options.title,
        "outcome": "events" if champion.has_events else "amounts",
        "rows": describe_rows(report_input),
        "models": [
            describe_model(scored, options, report_input.options.bands)
            for scored in report_input.whole
        ],
        "band": describe_band(champion, options),
        "perfect": thin_path(require_curve(champion).perfect),
        "segments": describe_groups(report_input.segments, options),
        "periods": describe_groups(report_input.periods, options),
        "challengers": describe_challengers(report_input),
        "initial": describe_initial(report_input, options),
        "notes": list_notes(champion),
        "references": list(REFERENCES),
        "options": dict(report_input.arguments),
        "provenance": {
            **report_input.provenance,
            "versions": {name: version(name) for name in LIBRARIES},
            "python": platform.python_version(),
            "time": make_timestamp(),
        },
    }
    return dict(replace_non_finite(facts))


def list_notes(champion: ScoredGroup) -> list[str]:
    """List the notes on methods, with one on weights that may be counts."""
    return [*NOTES, WHOLE_WEIGHTS] if champion.may_be_counted else [*NOTES]


def require_curve(scored: ScoredGroup) -> CapCurve:
    """Return the curve; raise if it is undefined."""
    if scored.curve is None:
        raise CapcurveError(
            f"the CAP curve of {scored.estimate!r} requires outcomes that differ, but all "
            "outcomes are equal or there are no rows; check the outcome column and the rows"
        )
    return scored.curve


def describe_rows(report_input: ReportInput) -> Facts:
    """Count the rows that were read, used and left out."""
    used = report_input.whole[0].n_rows
    return {
        "read": report_input.rows_read,
        "used": used,
        "left_out": report_input.rows_read - used,
        "missing": dict(report_input.missing),
    }


def describe_model(scored: ScoredGroup, options: IntervalOptions, bands: BandSpec) -> Facts:
    """Describe the ranking of all rows by one model."""
    curve = require_curve(scored)
    estimate = scored.estimate_ratio(options)
    return {
        "name": scored.estimate,
        "accuracy_ratio": describe_estimate(estimate),
        "auc": describe_estimate(estimate.to_auc()) if scored.has_events else None,
        **describe_concordance(scored, options),
        "ks": curve.ks,
        "n": curve.total_weight,
        "n_events": curve.total_target,
        "response_rate": curve.response_rate,
        "few_events": bool(explain_few_events(estimate)),
        "reversed": curve.accuracy_ratio < 0,
        "descending": curve.descending,
        "tie_share": scored.tie_share,
        "limits": describe_bounds(scored),
        "tie_bounds": None if curve.tie_bounds is None else curve.tie_bounds._asdict(),
        "captured": [
            {
                "population_share": share,
                "capture_rate": curve.capture_rate_at(share),
                "lift": curve.lift_at(share),
            }
            for share in CAPTURE_SHARES_SHOWN
        ],
        "curve": thin_curve(scored, curve),
        "gains": describe_gains(scored, curve, bands),
    }


def describe_concordance(scored: ScoredGroup, options: IntervalOptions) -> Facts:
    """Describe Somers' D and gAUC of amounts; None for events."""
    found = scored.estimate_somers_d(options)
    if found is None:
        return {"somers_d": None, "gauc": None}
    return {
        "somers_d": describe_estimate(found),
        "gauc": describe_estimate(found.to_auc()),
    }


def describe_bounds(scored: ScoredGroup) -> Facts | None:
    """Return the guaranteed bounds of AR if rows are binned, else None."""
    if not isinstance(scored, ScoredBins):
        return None
    _, low, high = scored.binned.accuracy_ratio
    return {"low": low, "high": high}


def describe_band(champion: ScoredGroup, options: IntervalOptions) -> Facts | None:
    """Return the champion's confidence band; None for amounts and weighted rows."""
    if not champion.is_counted:
        return None
    # The page marks results of few events, so the band does not warn of them.
    curve, level = require_curve(champion), options.confidence_level
    band = compute_band(curve, "pointwise", level, options.n_resamples, None)
    return {
        "population_share": band.population_share,
        "low": band.low,
        "high": band.high,
    }


def describe_estimate(estimate: Estimate) -> Facts:
    """Return the fields of an estimate and its text."""
    facts = estimate.to_dict()
    del facts["by_label"]
    return facts | {"text": repr(estimate)}


def describe_comparison(comparison: Comparison) -> Facts:
    """Return the fields of a test and its text."""
    return comparison.to_dict() | {"text": repr(comparison)}


def thin_curve(scored: ScoredGroup, curve: CapCurve) -> Facts:
    """Thin a curve for plotting, with the score threshold of each point."""
    share, captured = curve.profile.thinned(CHART_CELLS)
    places = np.searchsorted(curve.population_share, share)
    return {
        "population_share": share,
        "capture_rate": captured,
        "threshold": scored.name_scores(curve.thresholds[places]),
    }


def thin_path(profile: Any) -> Facts:
    """Thin a path for plotting."""
    share, captured = profile.thinned(CHART_CELLS)
    return {"population_share": share, "capture_rate": captured}


def describe_gains(scored: ScoredGroup, curve: CapCurve, bands: BandSpec) -> list[Facts]:
    """Return the rows of the gains table."""
    columns = GainsTable.from_curve(curve, bands).to_dict()
    for end in ("highest_score", "lowest_score"):
        columns[end] = scored.name_scores(columns[end])
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def describe_groups(
    groups: Mapping[str, Sequence[ScoredRows]], options: IntervalOptions
) -> list[Facts]:
    """Describe each model in each group, by grouping column."""
    return [
        {"by": by, "groups": [describe_group(scored, options) for scored in scored_groups]}
        for by, scored_groups in groups.items()
    ]


def describe_group(scored: ScoredRows, options: IntervalOptions) -> Facts:
    """Describe one model in one group; AR is None if all outcomes are equal."""
    (group,) = scored.group.values()
    columns = scored.columns
    weight = columns.mass
    outcome = float((columns.target * weight).sum())
    ratio, has_few = None, True
    if scored.curve is not None:
        estimate = scored.estimate_ratio(options)
        ratio = describe_estimate(estimate)
        has_few = bool(explain_few_events(estimate))
    return {
        "group": group,
        "model": scored.estimate,
        "n": float(weight.sum()),
        "n_events": outcome,
        "response_rate": outcome / float(weight.sum()) if len(weight) else None,
        "few_events": has_few,
        "accuracy_ratio": ratio,
    }


def describe_challengers(report_input: ReportInput) -> list[Facts]:
    """Test each pair of models on the same rows."""
    models = [scored for scored in report_input.whole if isinstance(scored, ScoredRows)]
    if len(models) <= 1:
        return []
    hypothesis = Hypothesis(confidence_level=report_input.options.confidence_level)
    # Reversed, so that the difference is challenger minus champion.
    names = [scored.estimate for scored in reversed(models)]
    columns = [scored.columns for scored in reversed(models)]
    joint = compare_jointly(names, columns, None, "score", hypothesis)
    return [
        {
            "model": first,
            "against": second,
            **describe_comparison(comparison),
            "p_holm": joint.p_holm[first, second],
        }
        for (first, second), comparison in reversed(list(joint.pairs.items()))
    ]


def describe_initial(report_input: ReportInput, options: IntervalOptions) -> list[Facts]:
    """Test the champion's current AUC against the AUC at initial validation."""
    if report_input.options.initial_auc is None:
        return []
    comparisons = accuracy_ratio_test_initial(
        report_input.whole[0].estimate_concordance(options),
        initial_auc=report_input.options.initial_auc,
        initial_variance=report_input.options.initial_variance,
        confidence_level=options.confidence_level,
    )
    tests = {"ECB": comparisons.ecb, "two samples": comparisons.two_sample}
    return [
        {"test": name, **describe_comparison(comparison)}
        for name, comparison in tests.items()
        if comparison is not None
    ]


def make_timestamp() -> str:
    """Return the current UTC time, or that of ``SOURCE_DATE_EPOCH``."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    return now.isoformat(timespec="seconds")


def replace_non_finite(value: Any) -> Any:
    """Convert arrays to lists, and nan and infinity to None, which JSON can represent."""
    if isinstance(value, Mapping):
        return {name: replace_non_finite(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [replace_non_finite(entry) for entry in value]
    return None if isinstance(value, float) and not isfinite(value) else value
