"""The results as text: for the terminal, and as a page of the documentation."""

import platform
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from math import isnan

import numpy as np
import scipy

import capcurve
from coverage_grid.described import DESIGNS
from coverage_grid.ledger import GOALS
from coverage_grid.verdict import (
    AGAIN,
    ERRORS,
    MEAN_COVERAGE,
    Cell,
    error_at,
    summarise,
)

INTRODUCTION = """\
# Coverage of intervals and size of tests

Simulated on {day} with capcurve {version}, seed {seed}, by `{command}` (Python
{python}, NumPy {numpy}, SciPy {scipy}).

**The goal.** From 20 events up, a 95 % interval covers the true value in at least
93.5 % of samples, and in at most {mean:g} % on average over all such intervals of the
tables below that are not in italics, because width is not free. A 5 % test of a true
hypothesis rejects in 3 to 6.5 % of samples. Or the result itself says that it cannot
promise this, by a `FewEventsWarning`. Intervals of 90 % and 99 % have the same slack:
they may miss 1.3 times as often as they say.

**How to read the tables.** Each row is a [design](#designs), from which samples are
drawn whose true values are known by formula or quadrature. Each column is a result of
the library with default arguments. `94.8 ± 0.5` is the share of samples, in percent, in
which the interval covers or the test rejects, with its Monte-Carlo standard error,
√(p (1 - p) / n) of n samples; p is that share, but at least 0.5 and at most 99.5 %, so
that no error is 0. `w 37` says that 37 % of the results came with a warning; a cell is
*flagged* if most did. **Bold** cells miss the goal by more than {errors:g} Monte-Carlo
errors *at the goal*: not the error shown, but that of a cell exactly at the limit (p is
the limit of the goal). Of such cells one in 160 is bold.
{bold}
Columns in *italics* are shown beside and not asserted. Columns headed *5 % exact test*
have an upper limit only, as they may reject less often by their nature: p-values of KS
and of a capture rate belong to counts, which have few possible values; equivalence
takes two one-sided tests that both have to reject; and p-values by Holm guard against
the least favourable case.

**How it is simulated.** Most tables have {first} samples for each row. A row whose
cells all keep the goal by more than one error at the goal, or miss it by more than six,
is simulated once. Every other row is simulated again with {again} times as many fresh
samples, mostly {second}, and only these count. The summary has the numbers of each
table. The random numbers of a row depend on the seed and its name alone. Rows that are
kept were kept because they looked good, so what they show is slightly too favourable on
average; those that were simulated again have no such bias. *Margin at its edge* of two
scores of the same rows takes *less* on the samples of *greater* with the scores
swapped, which is the same test: its 48 cells are 24 independent results. Events and
non-events are drawn in fixed numbers; in random ones where a row says *about*, and of
amounts and of facilities that default one by one.

**Events that the score misses.** In rows such as *AR 0.87: 10 % of events undetectable,
AR 0.97 of the others* each event has a chance of one in ten to be missed. The first AR
is that of all events, which an interval has to cover. *Undetectable* events have scores
like those of non-events. Events *hidden among the best* rank below 99 % of non-events on
average: defaults that were rated among the very best.

**A limit that no table can remove.** Where about two events are expected that rank below
nearly all non-events (hidden among the best), be it two of 20 or two of 200, one sample
in eight shows none of these, and looks like a sample of a better score, so that no
warning is possible. If the score ranks the other events with an AR of 0.97 or more (0.9
with 20 events), its interval covers in 86 to 92 %
([simulated](inference.md#the-interval-of-ar)). The table of AR *beyond what few events
can show* has the coverage with one event in ten hidden, which of more events are more
than two; it is not asserted. With undetectable events the intervals of AR cover.

**Large losses that rank low.** A score may find the rows with a loss, and yet rank large
losses below small ones. A sample that lacks one of the few large losses then shows too
high an AR in too narrow an interval. In the table of *large losses ranked low* the
intervals of AR cover in 77 to 97 %. All cells that miss the goal are flagged, as samples
show that order ([the rule](inference.md#large-amounts-ranked-low)). Samples that show it
least come without a warning, and among these still fewer intervals cover.
"""


# Random numbers are made from the name of a row, so names stay; the page explains them.
MISSED = {
    "AR 0.92, 15% of events undetectable": "AR 0.78: 15 % of events undetectable, AR 0.92",
    "AR 0.97, 10% of events undetectable": "AR 0.87: 10 % of events undetectable, AR 0.97",
    "AR 0.97, 10% of events hidden among the best": (
        "AR 0.78: 10 % of events hidden among the best, AR 0.97"
    ),
}

# What the title of a table leaves out, for those who search the summary for it.
CONTENTS = {"amounts: lognormal losses": "AR and Somers' D, of which gAUC is (D + 1) / 2"}

MOST_NUMBERS = 2  # of samples that a row of the summary lists


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
            **describe_samples(cells),
        ),
        "## Summary\n",
        "\n".join(summary_lines(cells)) + "\n",
        *map("\n".join, list_exceptions(cells)),
    ]
    for title, own in split_tables(cells):
        parts += [f"## {title[0].upper()}{title[1:]}\n", "\n".join(table_lines(own)) + "\n"]
    return "\n".join([*parts, DESIGNS])


def describe_samples(cells: list[Cell]) -> dict[str, str]:
    """Return the usual numbers of samples, and from where on their cells are bold."""
    fewest = Counter(
        min(cell.counts.replications for cell in own) for _, own in split_tables(cells)
    )
    first = fewest.most_common(1)[0][0]
    second = AGAIN * first
    bold = [
        f"With {samples:,} samples a 95 % interval is bold "
        f"{find_bold('95 % interval', samples)},\n"
        f"a 5 % test {find_bold('5 % test', samples)}."
        for samples in (first, second)
    ]
    return {"first": f"{first:,}", "second": f"{second:,}", "bold": "\n".join(bold)}


def find_bold(goal: str, samples: int) -> str:
    """Say from where on a cell is bold."""
    low, high = GOALS[goal].low, GOALS[goal].high
    text = f"below {low - ERRORS * error_at(low, samples):.1f} %"
    if high < 100:
        text += f" or above {high + ERRORS * error_at(high, samples):.1f} %"
    return text


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
        "samples of a row",
        "lowest coverage",
        "mean coverage",
        "miss the goal",
        "of these not flagged",
        "flagged",
    )
    yield format_row(heads)
    yield format_row(["---", *["---:"] * (len(heads) - 1)])
    for title, own in split_tables(cells):
        label = f"{title} ({CONTENTS[title]})" if title in CONTENTS else title
        yield format_row([label, *summary_row(own)])
    yield format_row(["**all**", *summary_row(cells)])


def summary_row(cells: list[Cell]) -> list[str]:
    """Format a summary; in italics if nothing of it is asserted."""
    found = summarise(cells)
    numbers = sorted({cell.counts.replications for cell in cells})
    samples = " or ".join(f"{number:,}" for number in numbers)
    if len(numbers) > MOST_NUMBERS:
        samples = f"{numbers[0]:,} to {numbers[-1]:,}"
    if not found.cells:
        seen = [cell.observed for cell in cells if cell.counts.goal == "other interval"]
        shown = [f"{len(cells)}", samples]
        shown += [f"{min(seen):.1f}", f"{sum(seen) / len(seen):.1f}"] if seen else ["", ""]
        return [*(each and f"*{each}*" for each in shown), "", "", ""]
    covered = ["" if isnan(each) else f"{each:.1f}" for each in (found.lowest, found.mean)]
    counts = [found.beyond, found.fail, found.flagged]
    return [f"{found.cells:,}", samples, *covered, *map(str, counts)]


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
                    f"- {cell.table}: {label_of(cell.name)}, {cell.line}: "
                    f"{format_cell(cell)}, "
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
        yield format_row([label_of(name), *shown])


def label_of(name: str) -> str:
    """Say what a row is called on the page: with the AR of all of its events."""
    for own, explained in MISSED.items():
        name = name.replace(own, f"{explained} of the others")
    return name


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
