"""The results as text: for the terminal, and as a page of the documentation."""

import platform
from collections.abc import Iterable, Iterator
from datetime import date
from math import isnan

import numpy as np
import scipy

import capcurve
from coverage_grid.ledger import GOALS
from coverage_grid.verdict import (
    AGAIN,
    ERRORS,
    MEAN_COVERAGE,
    Cell,
    Summary,
    summarise,
)

INTRODUCTION = """\
# Coverage of intervals and size of tests

Simulated on {day} with capcurve {version}, seed {seed}, by `{command}` (Python
{python}, NumPy {numpy}, SciPy {scipy}).

**The goal.** From 20 events up, a 95 % interval covers the true value in at least
93.5 % of samples, and in at most {mean:g} % on average over the grid, because width is not
free. A 5 % test of a true hypothesis rejects in 3 to 6.5 % of samples. Or the result
itself says that it cannot promise this, by a `FewEventsWarning`. Intervals of 90 % and
99 % have the same slack: they may miss 1.3 times as often as they say.

**How to read the tables.** Each row is a design, from which samples are drawn whose
true values are known by formula or quadrature. Each column is a result of the library
with default arguments. `94.8 ± 0.5` is the share of samples, in percent, in which the
interval covers or the test rejects, with its Monte-Carlo standard error. `w 37` says
that 37 % of the results came with a warning; a cell is *flagged* if most did. **Bold**
cells miss the goal by more than {errors:g} Monte-Carlo errors; of cells exactly at a
limit that is one in 160. Columns in *italics* are shown beside and not asserted. A
p-value of a count, such as the number of events in a selection, has few possible
values, so only its upper limit is asserted.

**How it is simulated.** A row whose cells all keep the goal by more than one error, or
miss it by more than six, is simulated once. Every other row is simulated again with
{again} times as many fresh samples, and only these count. The random numbers of a row
depend on the seed and its name alone. Events and non-events are drawn in fixed numbers;
amounts, and facilities that default one by one, in random ones.

**A limit that no table can remove.** Where one event in ten ranks below nearly all
non-events, 12 % of samples of 20 events show none of these, and look like samples of a
better score. The table of AR *beyond what few events can show* has the coverage there;
it is not asserted.
"""


def write_page(cells: list[Cell], seed: int, command: str = "make coverage") -> str:
    """Return the page in Markdown."""
    parts = [
        INTRODUCTION.format(
            day=date.today().isoformat(),  # noqa: DTZ011 -- the day where it ran
            version=capcurve.__version__,
            numpy=np.__version__,
            scipy=scipy.__version__,
            python=platform.python_version(),
            seed=seed,
            command=command,
            mean=MEAN_COVERAGE,
            errors=ERRORS,
            again=AGAIN,
        ),
        "## Summary\n",
        "\n".join(summary_lines(cells)) + "\n",
        *map("\n".join, list_exceptions(cells)),
    ]
    for title, own in split_tables(cells):
        parts += [f"## {title[0].upper()}{title[1:]}\n", "\n".join(table_lines(own)) + "\n"]
    return "\n".join(parts)


def split_tables(cells: Iterable[Cell]) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the cells of each table."""
    tables: dict[str, list[Cell]] = {}
    for cell in cells:
        tables.setdefault(cell.table, []).append(cell)
    yield from tables.items()


def summary_lines(cells: list[Cell]) -> Iterator[str]:
    """Yield a row for each table, and one for all."""
    heads = (
        "",
        "cells",
        "lowest coverage",
        "mean coverage",
        "miss the goal",
        "of these not flagged",
        "flagged",
    )
    yield format_row(heads)
    yield format_row(["---", *["---:"] * (len(heads) - 1)])
    for title, own in split_tables(cells):
        yield format_row([title, *summary_row(summarise(own))])
    yield format_row(["**all**", *summary_row(summarise(cells))])


def summary_row(found: Summary) -> list[str]:
    """Format a summary."""
    covered = ["" if isnan(each) else f"{each:.1f}" for each in (found.lowest, found.mean)]
    counts = [found.beyond, found.fail, found.flagged]
    return [f"{found.cells:,}", *covered, *map(str, counts)]


def list_exceptions(cells: list[Cell]) -> Iterator[list[str]]:
    """Yield the list of cells that miss the goal, those without a warning first."""
    for heading, is_failure in (
        ("Cells that miss the goal without a flag", True),
        ("Cells that miss the goal and say so", False),
    ):
        listed = [cell for cell in cells if cell.is_beyond and cell.fails == is_failure]
        if listed:
            yield [
                f"### {heading}\n",
                *(
                    f"- {cell.table}: {cell.name}, {cell.line}: {format_cell(cell)}, "
                    f"goal {format_limits(cell)}"
                    for cell in listed
                ),
                "",
            ]


def table_lines(cells: list[Cell]) -> Iterator[str]:
    """Yield a row for each simulation, with a column for each of its results."""
    lines = dict.fromkeys(cell.line for cell in cells)
    asserted = {cell.line for cell in cells if cell.is_asserted}
    heads = [
        f"{line}: {nominal_of(cells, line)}" if line in asserted else f"*{line}*"
        for line in lines
    ]
    yield format_row(["", *heads])
    yield format_row(["---", *["---:"] * len(heads)])
    rows: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.name, {})[cell.line] = cell
    for name, own in rows.items():
        shown = (format_cell(own[line]) if line in own else "" for line in lines)
        yield format_row([name, *shown])


def nominal_of(cells: list[Cell], line: str) -> str:
    """Name what a column promises."""
    goals = dict.fromkeys(cell.counts.goal for cell in cells if cell.line == line)
    return " or ".join(goal for goal in goals if GOALS[goal].is_asserted)


def format_cell(cell: Cell) -> str:
    """Format what was observed, its error, and how often the warning came."""
    text = f"{cell.observed:.1f} ± {cell.error:.1f}"
    if cell.counts.goal == "power":
        text += f" ({cell.nominal:.1f} predicted)"
    if cell.is_beyond:
        text = f"**{text}**"
    if cell.counts.flagged:
        text += f" w {max(1, cell.flagged):.0f}"
    return text


def format_limits(cell: Cell) -> str:
    """Format the goal of a cell."""
    low, high = (f"{limit:.3g}" for limit in cell.limits)
    if high == "100":
        return f"at least {low}"
    return f"at most {high}" if low == "0" else f"{low} to {high}"


def format_row(entries: Iterable[str]) -> str:
    """Format a row of a table in Markdown."""
    return f"| {' | '.join(entries)} |"
