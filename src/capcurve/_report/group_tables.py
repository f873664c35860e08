"""Make the tables of a page on segments and periods, the models side by side."""

from collections.abc import Sequence

from capcurve._report.group_svg import Groups
from capcurve._report.options import Facts
from capcurve._report.page_format import (
    choose_count,
    choose_outcome,
    show_positive,
    write_interval,
    write_number,
    write_p_value,
)
from capcurve._report.page_table import Column, Table
from capcurve._report.page_tables import Words, pick
from capcurve._report.phrases import say_status
from capcurve._report.scored import show_key


def read_groups(section: Facts) -> Groups:
    """Arrange the facts of a section by group and model."""
    return Groups(
        by=section["by"],
        names=[show_key(row["group"]) for row in section["wide"]],
        rows=[row["models"] for row in section["wide"]],
        overall=pick(section["total"], "accuracy_ratio", "value"),
    )


def tabulate_groups(section: Facts, words: Words) -> Table:
    """Tabulate AR by group, with all rows as the total."""
    rows, totals = section["wide"], section["total"]
    names = [show_key(row["group"]) for row in rows]
    columns = [
        Column(
            section["by"],
            names,
            is_text=True,
            total="All rows",
            ranks=range(len(names)),
            marks=[say_any_status(row["models"]) for row in rows],
        )
    ]
    for total in totals:
        columns += ratio_columns(pick_own(section, total), total, name_over(totals, total))
    columns += size_columns(rows, totals[0], words)
    return Table(f"Accuracy ratio by {section['by']}", columns)


def tabulate_rest(section: Facts) -> Table | None:
    """Tabulate the test of each group against the others; None if there is none."""
    totals, rows = section["total"], section["wide"]
    names = [show_key(row["group"]) for row in rows]
    columns = [Column(section["by"], names, is_text=True, ranks=range(len(names)))]
    for total in totals:
        columns += test_columns(pick_own(section, total), name_over(totals, total))
    if len(columns) == 1:
        return None
    return Table(f"Accuracy ratio by {section['by']} against the others", columns)


def pick_own(section: Facts, total: Facts) -> list[Facts]:
    """Pick the groups of a model."""
    return [row for row in section["groups"] if row["model"] == total["model"]]


def name_over(totals: Sequence[Facts], total: Facts) -> str:
    """Name a model over its columns, if there are several."""
    return total["model"] if len(totals) > 1 else ""


def say_any_status(models: Sequence[Facts]) -> str:
    """Say why AR of a group is undefined or uncertain: of any model, as rows are common."""
    return next(filter(None, map(say_status, models)), "")


def ratio_columns(rows: Sequence[Facts], total: Facts, over: str) -> list[Column]:
    """Make the columns of the AR of a model."""
    return [
        Column(
            name,
            pick(rows, "accuracy_ratio", key),
            write_number,
            over,
            total=write_number(total["accuracy_ratio"][key]),
        )
        for name, key in (("AR", "value"), ("Lower", "low"), ("Upper", "high"))
    ]


def test_columns(rows: Sequence[Facts], over: str) -> list[Column]:
    """Make the columns of the tests of a model in a group against the others.

    Of two groups, each is the other's rest, and no p-value is adjusted.
    """
    p_values, adjusted = pick(rows, "p_value"), pick(rows, "p_adjusted")
    if all(p_value is None for p_value in p_values):
        return []
    columns = [
        Column("AR", pick(rows, "accuracy_ratio", "value"), write_number, over),
        Column("AR within the others", pick(rows, "rest"), write_number, over),
        Column("p-value", p_values, write_p_value, over),
    ]
    if adjusted != p_values:
        columns.append(Column("p-value (Holm)", adjusted, write_p_value, over))
    return columns


def size_columns(rows: Sequence[Facts], total: Facts, words: Words) -> list[Column]:
    """Make the columns of what is in a group.

    Sums and their ratios are above 0 where they seem 0 beside larger ones; non-events are a
    difference, of which rounding may leave something.
    """
    columns = []
    shown = [
        (words.rows, "n"),
        (words.outcome, "n_events"),
        (words.others, "n_non_events"),
    ]
    if words.are_weighted:
        shown.insert(0, ("Rows", "n_rows"))
    for name, key in shown:
        if total[key] is not None:
            values = pick(rows, key)
            write = choose_count([*values, total[key]])
            if key != "n_non_events":
                write = show_positive(write)
            columns.append(Column(name, values, write, total=write(total[key])))
    rates = pick(rows, "response_rate")
    write = show_positive(choose_outcome(rates, are_events=words.are_events))
    columns.append(Column(words.rate, rates, write, total=write(total["response_rate"])))
    return columns


def list_tips(section: Facts, words: Words) -> list[Facts]:
    """List what a pointer at a group of the chart shows."""
    return [
        {
            "name": show_key(row["group"]),
            "sizes": list_sizes(row, words),
            "values": [describe_value(model) for model in row["models"]],
        }
        for row in section["wide"]
    ]


def list_sizes(row: Facts, words: Words) -> str:
    """Say how many rows and events a group has."""
    counts = [(row["n"], words.rows), (row["n_events"], words.outcome)]
    return ", ".join(f"{choose_count([n])(n)} {name.lower()}" for n, name in counts)


def describe_value(model: Facts) -> str:
    """Write the AR of a model in a group with its interval."""
    estimate = model["accuracy_ratio"]
    if estimate is None:
        return f"undefined: {model['status']}"
    shown = write_number(estimate["value"])
    if estimate["low"] is not None:
        shown += f" ({write_interval(estimate)})"
    return ", ".join(filter(None, [shown, say_status(model)]))
