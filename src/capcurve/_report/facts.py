"""Compute the facts of a report from scored groups, in reading order."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from capcurve._report.comparison_facts import (
    describe_challengers,
    describe_implied,
    describe_initial,
    describe_power,
    list_models,
)
from capcurve._report.findings import list_findings
from capcurve._report.group_facts import describe_split
from capcurve._report.methods import list_methods, list_references
from capcurve._report.model_facts import (
    describe_band,
    describe_model,
    require_curve,
    thin_path,
)
from capcurve._report.options import Facts, find_seed, make_interval_options
from capcurve._report.period_labels import label_periods
from capcurve._report.provenance import describe_provenance
from capcurve._report.report_input import ReportInput
from capcurve._report.sample_facts import describe_sample, list_limitations
from capcurve.exceptions import CapcurveError

SCHEMA_VERSION = 2


def make_facts(report_input: ReportInput) -> Facts:
    """Compute all facts of a report."""
    if any(scored.level is not None for scored in report_input.whole):
        raise CapcurveError(
            "a report requires an outcome with two class labels, got a score for each of "
            "several; pass one label as `pos_label`"
        )
    options, champion = report_input.options, report_input.whole[0]
    interval = make_interval_options(options)
    rows = list_models(report_input)
    models = [describe_model(scored, options) for scored in report_input.whole]
    ratios = [model["accuracy_ratio"] for model in models]
    facts: Facts = {
        "schema_version": SCHEMA_VERSION,
        "title": options.title,
        "outcome": "events" if champion.has_events else "amounts",
        "confidence_level": options.confidence_level,
        "thresholds": {"green": options.green, "amber": options.amber},
        "gates": [],
        "meta": dict(options.meta),
        "limitations": list_limitations(report_input),
        "sample": describe_sample(report_input),
        "rows": report_input.rows,
        "models": models,
        "band": describe_band(champion, interval),
        "perfect": thin_path(require_curve(champion).perfect),
        "segments": [
            describe_split(split, rows, ratios, interval, are_periods=False)
            for split in report_input.segments
        ],
        "periods": [
            describe_split(split, rows, ratios, interval, are_periods=True)
            for split in report_input.periods
        ],
        "challengers": describe_challengers(report_input),
        "initial": describe_initial(report_input),
        "implied": describe_implied(report_input),
        "power": describe_power(report_input),
        "provenance": describe_provenance(
            {**report_input.provenance, "seed": find_seed(options)}
        ),
    }
    plain = dict(replace_non_finite(facts))
    methods = list_methods(label_periods(plain))
    return {
        "schema_version": plain.pop("schema_version"),
        "title": plain.pop("title"),
        "findings": list_findings(plain),
        **plain,
        "methods": methods,
        "references": list_references(methods),
    }


def replace_non_finite(value: Any) -> Any:
    """Convert arrays to lists, and nan and infinity to None, which JSON can represent."""
    if isinstance(value, Mapping):
        return {name: replace_non_finite(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [replace_non_finite(entry) for entry in value]
    return None if isinstance(value, float) and not isfinite(value) else value
