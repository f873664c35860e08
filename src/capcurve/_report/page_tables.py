"""Make the tables of a page on whole models: key numbers, cut-offs and gains."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from capcurve._report.capture_notes import mark_few_rows
from capcurve._report.effective_size import list_effective
from capcurve._report.options import Facts
from capcurve._report.page_format import (
    Write,
    choose_count,
    choose_outcome,
    choose_scores,
    write_lift,
    write_number,
    write_percent,
    write_share,
)
from capcurve._report.page_table import Column, Table
from capcurve._report.phrases import describe_few

RATE_LIMITS = (("response_rate_low", "Lower"), ("response_rate_high", "Upper"))
INVERTED = "▲"


class Words(NamedTuple):
    """What rows and outcomes are called: events are counted, amounts are summed."""

    rows: str
    outcome: str
    others: str
    rate: str
    concordance: str
    are_events: bool
    are_weighted: bool = False


EVENTS = Words("Rows", "Events", "Non-events", "Event rate", "AUC", are_events=True)
AMOUNTS = Words("Rows", "Total outcome", "Zeros", "Mean outcome", "gAUC", are_events=False)


def choose_words(facts: Facts) -> Words:
    """Choose the words of a report; weighted rows are not counted."""
    words = EVENTS if facts["outcome"] == "events" else AMOUNTS
    is_weighted = facts["sample"]["weights"] == "sampling"
    if not is_weighted:
        return words
    words = words._replace(rows="Weight", are_weighted=True)
    if not words.are_events:
        return words
    return words._replace(outcome="Weight of events", others="Weight of non-events")


def pick(rows: Sequence[Facts], *path: str) -> list[Any]:
    """Return one value of each row, by the names that lead to it; None on the way stays."""
    found: list[Any] = list(rows)
    for name in path:
        found = [each and each.get(name) for each in found]
    return found


def name_level(facts: Facts) -> str:
    """Write the confidence level of a report."""
    return write_share(facts["models"][0]["accuracy_ratio"]["confidence_level"])


def tabulate_models(facts: Facts, words: Words) -> Table:
    """Tabulate the statistics of each model."""
    models = facts["models"]
    marks = list(map(describe_few, models))
    columns = [Column("Model", pick(models, "name"), is_text=True, marks=marks)]
    columns += add_estimate("AR", [model["accuracy_ratio"] for model in models])
    if words.are_events:
        columns += add_estimate("AUC", pick(models, "auc"))
    elif models[0]["gauc"] is not None:
        columns += add_estimate("Somers' D", pick(models, "somers_d"))
        columns += add_estimate("gAUC", pick(models, "gauc"))
    columns += add_estimate("KS", pick(models, "ks"))
    columns += add_rests(facts)
    return Table("Statistics of each model", columns)


def add_rests(facts: Facts) -> list[Column]:
    """Make the columns of what the first finding adds to AR, where it does."""
    free = [model["exact_limits"] for model in facts["models"]]
    columns = [
        Column(name, pick(free, key), write_number, over="AR, any distribution")
        for name, key in (("Lower", "low"), ("Upper", "high"))
        if any(free)
    ]
    name, sizes = list_effective(facts)
    if sizes:
        columns.append(Column(name, sizes, lambda size: write_number(size, 1)))
    return columns


def needs_statistics(facts: Facts) -> bool:
    """Whether the table of models tells more than the tiles above it."""
    models = facts["models"]
    tied = models[0]["limits"] or models[0]["tie_share"]
    return len(models) > 1 or bool(tied or add_rests(facts))


def add_estimate(
    name: str, estimates: Sequence[Facts | None], write: Callable[[Any], str] = write_number
) -> list[Column]:
    """Make the columns of an estimate; limits that no row has are left out."""
    rows = [each or {} for each in estimates]
    columns = [Column("Value", pick(rows, "value"), write, over=name)]
    if any(row.get("low") is not None for row in rows):
        columns += [
            Column("Lower", pick(rows, "low"), write, over=name),
            Column("Upper", pick(rows, "high"), write, over=name),
        ]
    return columns


def tabulate_captured(models: Sequence[Facts]) -> Table:
    """Tabulate capture rate and lift at fixed population shares, the models together."""
    shares = range(len(models[0]["captured"]))
    rows = [
        {"model": model["name"], **model["captured"][place]}
        for place in shares
        for model in models
    ]
    marks = list(map(mark_few_rows, rows))
    columns = [Column("Top", pick(rows, "population_share"), write_share, marks=marks)]
    if len(models) > 1:
        columns.append(Column("Model", pick(rows, "model"), is_text=True))
    columns += add_estimate(
        "Capture rate",
        [{"value": row["capture_rate"], **row} for row in rows],
        write_percent,
    )
    lift = {"value": "lift", "low": "lift_low", "high": "lift_high"}
    lifts = [{name: row[key] for name, key in lift.items()} for row in rows]
    columns += add_estimate("Lift", lifts, write_lift)
    scores = choose_cutoffs(models) * len(shares)
    columns.append(Column("Score cut-off", pick(rows, "threshold"), writes=scores))
    return Table("Capture rate and lift at fixed population shares", columns)


def choose_cutoffs(models: Sequence[Facts]) -> list[Write]:
    """Choose the format of the cut-offs of each model, whose scores have their own unit."""
    return [
        choose_scores([model["ks"]["threshold"], *pick(model["captured"], "threshold")])
        for model in models
    ]


def tabulate_gains(model: Facts, words: Words) -> Table:
    """Tabulate the gains of a model, with its totals."""
    rows, total = model["gains"], model["gains_total"]
    columns = [Column("Band", pick(rows, "band"), total="Total")]
    columns += [
        count_column(name, rows, key, total)
        for name, key in (
            (words.rows, "n"),
            (words.outcome, "n_events"),
            (words.others, "n_non_events"),
        )
        if total[key] is not None
    ]
    columns += rate_columns(rows, total, words)
    ranks = [-row["band"] if model["descending"] else row["band"] for row in rows]
    ends = [pick(rows, "highest_score"), pick(rows, "lowest_score")]
    score = choose_scores(ends[0] + ends[1])
    columns += [
        Column("Lift", pick(rows, "band_lift"), write_lift, total=write_lift(1)),
        Column("First score", ends[0], score, ranks=ranks),
        Column("Last score", ends[1], score, ranks=ranks),
    ]
    columns += [
        Column(name, pick(rows, f"cumulative_{key}"), write, over="Cumulative")
        for name, key, write in (
            ("Population", "population_share", write_percent),
            ("Capture rate", "capture_rate", write_percent),
            ("Lift", "lift", write_lift),
            ("KS", "ks", write_number),
        )
    ]
    return Table(f"Gains table of {model['name']}", columns)


def count_column(name: str, rows: Sequence[Facts], key: str, total: Facts) -> Column:
    """Make a column of counts with its total."""
    values = pick(rows, key)
    write = choose_count([*values, total[key]])
    return Column(name, values, write, total=write(total[key]))


def rate_columns(rows: Sequence[Facts], total: Facts, words: Words) -> list[Column]:
    """Make the columns of the rate in each band; one above the band before is marked."""
    rates = pick(rows, "response_rate")
    write = choose_outcome(rates, are_events=words.are_events)
    over, name = (words.rate, "Value") if total["has_limits"] else ("", words.rate)
    marks = [INVERTED if row["is_inversion"] else "" for row in rows]
    columns = [
        Column(name, rates, write, over, marks=marks, total=write(total["response_rate"]))
    ]
    if total["has_limits"]:
        columns += [Column(name, pick(rows, key), write, over) for key, name in RATE_LIMITS]
    return columns
