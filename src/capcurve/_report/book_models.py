"""Sheets of a workbook on the models: their figures, gains tables and curves."""

from collections.abc import Sequence
from typing import Any

from capcurve._report.book_table import (
    NOTE,
    Column,
    Mark,
    Sheet,
    list_estimate,
    make_table,
    pick,
)
from capcurve._report.capture_notes import list_capture_notes, list_few_notes, mark_few_rows
from capcurve._report.effective_size import list_effective
from capcurve._report.options import Facts
from capcurve._report.phrases import SPLIT_ROWS, describe_few, say_negative
from capcurve._report.power_findings import list_power_notes

IN_BAND, TO_END, SCORE = "In the band", "Cumulative, up to the end of the band", "Score"
INVERSION = "inversion"
MARK_OF_INVERSIONS, MARK_OF_FEW_EVENTS = "▲", "◊"
FEW_MODEL = "so the coverage of intervals may fall below their level"


def name_roles(models: Sequence[Facts]) -> list[str | None]:
    """Name the champion and its challengers; a single model has no role."""
    if len(models) == 1:
        return [None]
    return ["champion", *["challenger"] * (len(models) - 1)]


def make_models_sheet(facts: Facts) -> Sheet:
    """Describe the figures of each model."""
    return Sheet(
        name="Models",
        title="Models",
        notes=[
            describe_level(facts),
            *list_capture_notes(facts),
            *list_power_notes(facts["power"]),
        ],
        tables=[
            make_table(list_measures(facts), title="Discriminatory power"),
            make_table(list_sample(facts), title="Rows, events and ties"),
            make_table(list_captured(facts), title="Top of the ranking"),
        ],
    )


def describe_level(facts: Facts) -> str:
    """Say at what level the limits are."""
    return f"Limits are those of {write_level(facts)} confidence intervals."


def write_level(facts: Facts) -> str:
    """Write the confidence level as a percentage."""
    return f"{100 * facts['confidence_level']:.4g} %"


def list_measures(facts: Facts) -> list[Column]:
    """List AR, AUC, the measures of amounts, and KS."""
    models = facts["models"]
    return [
        Column("Model", "text", pick(models, "name")),
        Column("Role", "text", name_roles(models)),
        *list_estimate(models, "AR", "Accuracy ratio", "accuracy_ratio"),
        *list_estimate(models, "AUC", "Area under the ROC curve", "auc"),
        *list_estimate(models, "Somers' D", "Somers' D", "somers_d"),
        *list_estimate(models, "gAUC", "Generalised AUC", "gauc"),
        *list_ks(models),
        Column(NOTE, "text", [note_model(model) for model in models]),
    ]


def list_ks(models: Sequence[Facts]) -> list[Column]:
    """List KS and where it is reached."""
    span = "Kolmogorov-Smirnov (KS)"
    return [
        Column("KS", "ratio", pick(models, "ks", "value"), span),
        Column("Lower limit", "ratio", pick(models, "ks", "low"), span),
        Column("Upper limit", "ratio", pick(models, "ks", "high"), span),
        Column(
            "At population share", "share", pick(models, "ks", "population_share"), span
        ),
        Column("At score", "score", pick(models, "ks", "threshold"), span),
    ]


def note_model(model: Facts) -> str | None:
    """Say what the reader has to know about a model."""
    few = describe_few(model)
    notes = [
        f"{few}, {FEW_MODEL}" if few else "",
        say_negative(model),
    ]
    return "; ".join(filter(None, notes)) or None


def list_sample(facts: Facts) -> list[Column]:
    """List the size of the sample, the share of ties and what they can change."""
    models = facts["models"]
    bounds, bins = "AR under other orders of ties", "AR, guaranteed by its bins"
    free = "AR, for any distribution"
    return [
        Column("Model", "text", pick(models, "name")),
        *list_counts(facts, models),
        *[Column(name, "statistic", sizes) for name, sizes in [list_effective(facts)]],
        Column("Tied rows", "share", pick(models, "tie_share")),
        Column("Worst order", "ratio", pick(models, "tie_bounds", "worst"), bounds),
        Column("Best order", "ratio", pick(models, "tie_bounds", "best"), bounds),
        Column("Lower bound", "ratio", pick(models, "limits", "low"), bins),
        Column("Upper bound", "ratio", pick(models, "limits", "high"), bins),
        Column("Lower limit", "ratio", pick(models, "exact_limits", "low"), free),
        Column("Upper limit", "ratio", pick(models, "exact_limits", "high"), free),
        *list_detectable(facts["power"]),
        Column("Method of the interval", "text", pick(models, "accuracy_ratio", "method")),
    ]


def name_rate(facts: Facts) -> str:
    """Name the response rate of events and of amounts."""
    return "Event rate" if facts["outcome"] == "events" else "Mean outcome"


def list_detectable(power: Facts | None) -> list[Column]:
    """List what tests on these rows could find; nothing for rows that were binned."""
    if power is None:
        return []
    rows = power["models"]
    span = f"What tests find with a probability of {100 * power['power']:.3g} %"
    return [
        Column("Known AR", "ratio", pick(rows, "known"), span),
        Column("Decrease in AR from it", "ratio", pick(rows, "detectable_fall"), span),
        Column("Decrease in AUC", "ratio", pick(rows, "detectable_fall_auc"), span),
        *[
            Column("Decrease in AR since initial validation", "ratio", falls, span)
            for falls in [pick(rows, "detectable_fall_initial")]
            if any(fall is not None for fall in falls)
        ],
        Column(
            "Difference in AR from it", "ratio", pick(rows, "detectable_difference"), span
        ),
        Column("Degrees of freedom", "statistic", pick(rows, "degrees_of_freedom"), span),
        Column("Half-width of the interval (beta)", "ratio", pick(rows, "half_width")),
    ]


def list_counts(facts: Facts, rows: Sequence[Facts], span: str = "") -> list[Column]:
    """List the size of groups: their rows or weight, and their events or amounts."""
    weighted = facts["sample"]["weights"] == "sampling"
    size = [Column("Weight" if weighted else "Rows", "count", pick(rows, "n"), span)]
    if weighted and all("n_rows" in row for row in rows):
        size.insert(0, Column("Rows", "count", pick(rows, "n_rows"), span))
    if facts["outcome"] == "amounts":
        return [
            *size,
            Column("Total outcome", "amount", pick(rows, "n_events"), span),
            Column(
                name_rate(facts), "amount", pick(rows, "response_rate"), span, ("rate",)
            ),
        ]
    events, others = "Events", "Non-events"
    if weighted:
        events, others = "Weight of events", "Weight of non-events"
    return [
        *size,
        Column(events, "count", pick(rows, "n_events"), span),
        Column(others, "count", pick(rows, "n_non_events"), span),
        Column(name_rate(facts), "rate", pick(rows, "response_rate"), span, ("rate",)),
    ]


def list_captured(facts: Facts) -> list[Column]:
    """List capture rate and lift at fixed population shares."""
    models = facts["models"]
    rows = [{"model": model["name"], **at} for model in models for at in model["captured"]]
    rate = Column("Capture rate", "share", pick(rows, "capture_rate"), "Capture rate")
    return [
        Column("Model", "text", pick(rows, "model")),
        Column("Population share", "share", pick(rows, "population_share")),
        rate,
        limit_like(rate, "Lower limit", pick(rows, "low")),
        limit_like(rate, "Upper limit", pick(rows, "high")),
        Column("Lift", "lift", pick(rows, "lift"), "Lift"),
        Column("Lower limit", "lift", pick(rows, "lift_low"), "Lift"),
        Column("Upper limit", "lift", pick(rows, "lift_high"), "Lift"),
        Column("Score cut-off", "score", pick(rows, "threshold")),
        Column(NOTE, "text", [mark_few_rows(row) or None for row in rows]),
    ]


def make_gains_sheet(facts: Facts) -> Sheet:
    """Describe the gains tables of all models as one table, with a total of each."""
    models = facts["models"]
    rows = [{"model": model["name"], **row} for model in models for row in model["gains"]]
    totals = [
        {"model": model["name"], "band": "All", "is_total": True, **model["gains_total"]}
        for model in models
    ]
    rate = name_rate(facts)
    legend = f"{MARK_OF_INVERSIONS} {INVERSION}: {rate.lower()} above the band before"
    is_marked = any(row["is_inversion"] for row in rows)
    return Sheet(
        name="Gains",
        title="Gains table",
        notes=[SPLIT_ROWS, *list_few_notes(facts), *[legend] * is_marked],
        tables=[
            make_table(
                list_gains(facts, [*rows, *totals]),
                n_names=2,
                n_totals=len(totals),
                is_main=True,
                marks=[Mark(rate, MARK_OF_INVERSIONS, INVERSION)],
            )
        ],
    )


def list_gains(facts: Facts, rows: Sequence[Facts]) -> list[Column]:
    """List the columns of a gains table."""
    counts = list_counts(facts, rows, IN_BAND)
    return [
        Column("Model", "text", pick(rows, "model")),
        Column("Band", "rank", pick(rows, "band"), key=("band",)),
        *counts,
        limit_like(counts[-1], "Lower limit", pick(rows, "response_rate_low")),
        limit_like(counts[-1], "Upper limit", pick(rows, "response_rate_high")),
        Column("Lift", "lift", pick(rows, "band_lift"), IN_BAND),
        Column(
            "Population share", "share", pick(rows, "cumulative_population_share"), TO_END
        ),
        Column("Capture rate", "share", pick(rows, "cumulative_capture_rate"), TO_END),
        Column("Lift", "lift", pick(rows, "cumulative_lift"), TO_END),
        Column("KS", "ratio", pick(rows, "cumulative_ks"), TO_END),
        *list_scores(rows),
        Column(NOTE, "text", [note_band(row) for row in rows]),
    ]


def limit_like(column: Column, name: str, limits: list[Any]) -> Column:
    """Describe the limits of a column, in the same number format."""
    return Column(name, column.kind, limits, column.span, like=column.values)


def list_scores(rows: Sequence[Facts]) -> list[Column]:
    """List the first and the last score of each band; one where they are the same."""
    first, last = pick(rows, "highest_score"), pick(rows, "lowest_score")
    if first == last:
        return [Column("Score", "score", first, key=("score",))]
    return [Column("First", "score", first, SCORE), Column("Last", "score", last, SCORE)]


def note_band(row: Facts) -> str | None:
    """Say whether a band is out of order; in the total, how many are."""
    if row.get("is_total"):
        return count_words(row["n_inversions"], INVERSION)
    return INVERSION if row["is_inversion"] else None


def count_words(number: int, word: str) -> str:
    """Write a number with its noun."""
    return f"{number:,} {word}" if number == 1 else f"{number or 'no'} {word}s"
