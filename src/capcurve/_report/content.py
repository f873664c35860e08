"""Ranked rows -> the facts of a report, plain and in the order in which it tells them."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from math import isfinite
from typing import Any

import numpy as np

from capcurve._contrasts import Question
from capcurve._precision import FEW_EVENTS, Options
from capcurve._ranked_bins import RankedBins
from capcurve._report.notes import CELLS, NOTES, REFERENCES
from capcurve._request import Ranked, RankedRows
from capcurve.comparisons import accuracy_ratio_test_initial, joint_comparison
from capcurve.curve import CapCurve
from capcurve.estimates import Comparison, Estimate
from capcurve.exceptions import CapcurveError
from capcurve.table import Bands, GainsTable

SCHEMA_VERSION = 1
SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
LIBRARIES = ("capcurve", "numpy", "narwhals", "scipy")

Facts = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Material:
    """What a report is made of: the same rows ranked as a whole, by segment and by period.

    ``challengers`` are estimates of ``whole`` after the first, the champion.
    """

    title: str
    whole: Sequence[Ranked]
    segments: Mapping[str, Sequence[RankedRows]]
    periods: Mapping[str, Sequence[RankedRows]]
    bands: Bands
    confidence_level: float
    rows_read: int
    missing: Mapping[str, int]
    initial_auc: float | None = None
    initial_variance: float | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


def facts_of(material: Material) -> Facts:
    """Compute everything that a report says."""
    if any(one.level is not None for one in material.whole):
        raise CapcurveError("a report takes one event; pass it as `pos_label`")
    options = Options(material.confidence_level)
    champion = material.whole[0]
    facts = {
        "schema_version": SCHEMA_VERSION,
        "title": material.title,
        "outcome": "events" if champion.has_events else "amounts",
        "rows": rows_of(material),
        "models": [model_facts(one, options, material.bands) for one in material.whole],
        "band": band_facts(champion, options),
        "perfect": path_of(curve_of(champion).perfect),
        "segments": grouped_facts(material.segments, options),
        "periods": grouped_facts(material.periods, options),
        "challengers": challenger_facts(material),
        "initial": initial_facts(material, options),
        "notes": list(NOTES),
        "references": list(REFERENCES),
        "options": dict(material.options),
        "provenance": {
            **material.provenance,
            "versions": {name: version(name) for name in LIBRARIES},
            "python": platform.python_version(),
            "time": timestamp(),
        },
    }
    return dict(finite(facts))


def curve_of(ranked: Ranked) -> CapCurve:
    """Take a curve that is known to be defined."""
    if ranked.curve is None:
        raise CapcurveError(
            f"the CAP curve of {ranked.estimate!r} is undefined: all outcomes are equal, "
            "or there are no rows"
        )
    return ranked.curve


def rows_of(material: Material) -> Facts:
    """Count the rows that came and those that count."""
    used = material.whole[0].n_rows
    return {
        "read": material.rows_read,
        "used": used,
        "left_out": material.rows_read - used,
        "missing": dict(material.missing),
    }


def model_facts(ranked: Ranked, options: Options, bands: Bands) -> Facts:
    """Describe one model on all rows."""
    curve = curve_of(ranked)
    estimate = ranked.ratio(options)
    return {
        "name": ranked.estimate,
        "accuracy_ratio": estimate_facts(estimate),
        "auc": estimate_facts(estimate.to_auc()) if ranked.has_events else None,
        "ks": curve.ks,
        "n": curve.total_weight,
        "n_events": curve.total_target,
        "response_rate": curve.response_rate,
        "few_events": ranked.rarest < FEW_EVENTS,
        "reversed": curve.accuracy_ratio < 0,
        "descending": curve.descending,
        "tie_share": ranked.tie_share,
        "limits": limits_of(ranked),
        "tie_bounds": curve.tie_bounds._asdict(),
        "captured": [
            {
                "population_share": share,
                "capture_rate": curve.capture_rate_at(share),
                "lift": curve.lift_at(share),
            }
            for share in SHARES
        ],
        "curve": drawn(curve),
        "gains": gains_facts(curve, bands),
    }


def limits_of(ranked: Ranked) -> Facts | None:
    """Find where AR lies for certain, of rows that are known by bins."""
    if not isinstance(ranked, RankedBins):
        return None
    _, low, high = ranked.binned.accuracy_ratio
    return {"low": low, "high": high}


def band_facts(champion: Ranked, options: Options) -> Facts | None:
    """Put a band around the champion; of amounts and weighted rows there is none."""
    if not champion.is_counted:
        return None
    band = curve_of(champion).band(confidence_level=options.confidence_level)
    return {
        "population_share": band.population_share,
        "low": band.low,
        "high": band.high,
    }


def estimate_facts(estimate: Estimate) -> Facts:
    """Take the numbers of an estimate."""
    facts = estimate.to_dict()
    del facts["by_label"]
    return facts | {"text": repr(estimate)}


def comparison_facts(found: Comparison) -> Facts:
    """Take the numbers of a test."""
    return found.to_dict() | {"text": repr(found)}


def drawn(curve: CapCurve) -> Facts:
    """Thin a curve, keeping the score at which each point is reached."""
    share, captured = curve.profile.thinned(CELLS)
    places = np.searchsorted(curve.population_share, share)
    return {
        "population_share": share,
        "capture_rate": captured,
        "threshold": curve.thresholds[places],
    }


def path_of(profile: Any) -> Facts:
    """Thin a path."""
    share, captured = profile.thinned(CELLS)
    return {"population_share": share, "capture_rate": captured}


def gains_facts(curve: CapCurve, bands: Bands) -> list[Facts]:
    """List the bands of the gains table."""
    columns = GainsTable.from_curve(curve, bands).to_dict()
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def grouped_facts(
    groups: Mapping[str, Sequence[RankedRows]], options: Options
) -> list[Facts]:
    """Describe each model in each group of each column."""
    return [
        {"by": by, "groups": [group_facts(one, options) for one in ranked]}
        for by, ranked in groups.items()
    ]


def group_facts(ranked: RankedRows, options: Options) -> Facts:
    """Describe one model in one group; of equal outcomes there are only the counts."""
    (group,) = ranked.group.values()
    columns, curve = ranked.columns, ranked.curve
    weight = columns.mass
    outcome = float((columns.target * weight).sum())
    return {
        "group": group,
        "model": ranked.estimate,
        "n": float(weight.sum()),
        "n_events": outcome,
        "response_rate": outcome / float(weight.sum()) if len(weight) else None,
        "few_events": curve is None or ranked.rarest < FEW_EVENTS,
        "accuracy_ratio": None if curve is None else estimate_facts(ranked.ratio(options)),
    }


def challenger_facts(material: Material) -> list[Facts]:
    """Compare each pair of models on the same rows."""
    names = [one.estimate for one in material.whole]
    if len(names) == 1:
        return []
    question = Question(confidence_level=material.confidence_level)
    rivals = [one.columns for one in material.whole if isinstance(one, RankedRows)]
    # A challenger less the champion, so that better is positive.
    found = joint_comparison(names[::-1], rivals[::-1], None, "auto", question)
    return [
        {
            "model": first,
            "against": second,
            **comparison_facts(pair),
            "p_holm": found.p_holm[first, second],
        }
        for (first, second), pair in reversed(list(found.pairs.items()))
    ]


def initial_facts(material: Material, options: Options) -> list[Facts]:
    """Compare the champion with the AUC at initial validation."""
    if material.initial_auc is None:
        return []
    found = accuracy_ratio_test_initial(
        material.whole[0].ratio(options),
        initial_auc=material.initial_auc,
        initial_variance=material.initial_variance,
        confidence_level=options.confidence_level,
    )
    tests = {"ECB": found.ecb, "two samples": found.two_sample}
    return [
        {"test": name, **comparison_facts(test)}
        for name, test in tests.items()
        if test is not None
    ]


def timestamp() -> str:
    """Tell the time, or the one that a reproducible build sets."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    return now.isoformat(timespec="seconds")


def finite(value: Any) -> Any:
    """Turn arrays into lists, and what JSON has no word for into null."""
    if isinstance(value, Mapping):
        return {name: finite(each) for name, each in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
