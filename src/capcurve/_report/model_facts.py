"""Describe how one model ranks all rows of a report."""

from math import isfinite
from typing import Any

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._inference.band import compute_band
from capcurve._inference.capture_rate import find_capture_limits, has_few_selected
from capcurve._inference.estimate import Estimate
from capcurve._inference.limits import hoeffding_limits
from capcurve._inference.options import IntervalOptions
from capcurve._inference.reliability import explain_few_events
from capcurve._inference.share_influence import RankedRows
from capcurve._report.gains_facts import describe_gains
from capcurve._report.options import Facts, ReportOptions, make_interval_options
from capcurve._report.readings import describe_readings
from capcurve._report.scored import ScoredBins, ScoredGroup, ScoredRows
from capcurve._report.uncounted_bins import describe_uncounted
from capcurve.exceptions import CapcurveError

CAPTURE_SHARES_SHOWN = (0.01, 0.05, 0.1, 0.2, 0.5)
CHART_CELLS = 250  # per axis; a plotted curve keeps at most two points in each
ROUNDING = 12  # decimals, beyond which distances from the diagonal differ by rounding
EXACT = 1e-12  # width of guaranteed bounds that differ by rounding alone


def describe_model(scored: ScoredGroup, report_options: ReportOptions) -> Facts:
    """Describe the ranking of all rows by one model."""
    options = make_interval_options(report_options)
    curve, estimate = require_curve(scored), scored.estimate_ratio(options)
    ranked, is_constant = None, False
    if isinstance(scored, ScoredRows):
        ranked, is_constant = RankedRows.of_columns(scored.columns), scored.is_constant
    return {
        "name": scored.estimate,
        "accuracy_ratio": describe_ratio(scored, estimate),
        "auc": describe_ratio(scored, estimate.to_auc()) if scored.has_events else None,
        **describe_concordance(scored, options),
        "exact_limits": describe_exact_limits(scored, estimate),
        "ks": describe_ks(scored, curve),
        "n": curve.total_weight,
        "n_events": curve.total_target,
        "n_non_events": count_non_events(scored, curve),
        "response_rate": curve.response_rate,
        "n_effective": estimate.n_effective if isfinite(estimate.n_effective) else None,
        "few_events": bool(explain_few_events(estimate)),
        "reversed": curve.accuracy_ratio < 0,
        "descending": curve.descending,
        "tie_share": scored.tie_share,
        "is_constant": is_constant,
        "equals_outcome": isinstance(scored, ScoredRows) and scored.equals_outcome,
        "limits": describe_bounds(scored),
        "tie_bounds": None if curve.tie_bounds is None else curve.tie_bounds._asdict(),
        "captured": [
            describe_captured(scored, curve, ranked, share, options)
            for share in CAPTURE_SHARES_SHOWN
        ],
        "curve": thin_curve(scored, curve),
        "readings": describe_readings(scored, curve),
        **describe_gains(scored, curve, ranked, report_options),
    }


def require_curve(scored: ScoredGroup) -> CapCurve:
    """Return the curve; raise if it is undefined."""
    if scored.curve is None:
        raise CapcurveError(
            f"the CAP curve of {scored.estimate!r} requires outcomes that differ, but all "
            "outcomes are equal, or no row is complete and of a weight above 0; check the "
            "outcomes, missing values and weights"
        )
    return scored.curve


def count_non_events(scored: ScoredGroup, curve: CapCurve) -> float | None:
    """Return the weight of the non-events; None for amounts."""
    return curve.total_weight - curve.total_target if scored.has_events else None


def describe_concordance(scored: ScoredGroup, options: IntervalOptions) -> Facts:
    """Describe Somers' D and gAUC of amounts; None for events."""
    # Not every method of an interval of AR is one of Somers' D.
    found = scored.estimate_somers_d(IntervalOptions(options.confidence_level))
    if found is None:
        return {"somers_d": None, "gauc": None}
    return {
        "somers_d": describe_estimate(found),
        "gauc": describe_estimate(found.to_auc()),
    }


def describe_exact_limits(scored: ScoredGroup, estimate: Estimate) -> Facts | None:
    """Return distribution-free limits of AR where events are few; None elsewhere.

    Of binned rows they are those of the worst and of the best order within bins.
    """
    if not (scored.is_counted and explain_few_events(estimate)):
        return None
    n_pairs = min(estimate.n_events, estimate.n_nonevents)
    bounds = describe_bounds(scored) or dict.fromkeys(("low", "high"), estimate.value)
    low, high = (
        hoeffding_limits(bounds[end], n_pairs, estimate.confidence_level)
        for end in ("low", "high")
    )
    return {"low": low.low, "high": high.high}


def describe_bounds(scored: ScoredGroup) -> Facts | None:
    """Return the guaranteed bounds of AR if rows are binned, else None."""
    if not isinstance(scored, ScoredBins):
        return None
    _, low, high = scored.binned.accuracy_ratio
    return {"low": low, "high": high}


def describe_ks(scored: ScoredGroup, curve: CapCurve) -> Facts:
    """Describe KS and where it is reached."""
    gaps = curve.capture_rate - curve.population_share
    place = int(np.abs(gaps).round(ROUNDING).argmax())
    return {
        "value": curve.ks,
        "population_share": curve.population_share[place],
        "capture_rate": curve.capture_rate[place],
        "threshold": name_score(scored, curve, place),
        "limits": describe_ks_bounds(scored),
    }


def describe_ks_bounds(scored: ScoredGroup) -> Facts | None:
    """Return the guaranteed bounds of KS if rows are binned, else None."""
    if not isinstance(scored, ScoredBins):
        return None
    _, low, high = scored.binned.ks
    return {"low": low, "high": high}


def name_score(scored: ScoredGroup, curve: CapCurve, place: int) -> Any:
    """Return the score cut-off of a point of the curve, or the name of its grade."""
    return scored.name_scores(curve.thresholds[[place]]).tolist()[0]


def describe_captured(
    scored: ScoredGroup,
    curve: CapCurve,
    ranked: RankedRows | None,
    share: float,
    options: IntervalOptions,
) -> Facts:
    """Describe capture rate and lift at a population share, with their limits."""
    low = high = None
    few = False
    if ranked is not None:
        cut = ranked.find_cut(share)
        low, high, _ = find_capture_limits(ranked, cut, options.confidence_level)
        few = has_few_selected(ranked, share)
    place = int(np.searchsorted(curve.population_share, share))
    return {
        "population_share": share,
        "capture_rate": curve.capture_rate_at(share),
        "low": low,
        "high": high,
        "lift": curve.lift_at(share),
        "lift_low": None if low is None else low / share,
        "lift_high": None if high is None else high / share,
        "threshold": name_score(scored, curve, place),
        "few_rows": few,
    }


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


def describe_ratio(scored: ScoredGroup, estimate: Estimate) -> Facts:
    """Return the fields of an estimate of all rows, whose events need not be counted."""
    facts = describe_estimate(estimate)
    if isinstance(scored, ScoredBins) and not scored.is_counted:
        facts |= describe_uncounted(estimate, scored.binned)
    return facts


def describe_estimate(estimate: Estimate) -> Facts:
    """Return the fields of an estimate, its variance and its text."""
    facts = estimate.to_dict()
    del facts["by_label"]
    return facts | {"variance": estimate.standard_error**2, "text": repr(estimate)}


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
