"""The answer of a command: its rows, what they rest on, and how they are written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from pathlib import Path
from typing import Any

from capcurve._cli.output import find_width, keep_finite, render
from capcurve._cli.output_options import Output
from capcurve._cli.row_counts import RowCounts
from capcurve._cli.rows import Row, align_rows
from capcurve._cli.streams import escape_unprintable, notify, print_result
from capcurve._report.gates import Gate, describe_gates
from capcurve._report.scored import show_key
from capcurve._report.writing import write_whole

VERSIONS = {
    "score": 1,
    "table": 1,
    "compare": 1,
    "cut-offs": 1,
    "implied": 1,
    "segments": 1,
    "change": 1,
    "reference": 1,
    "plan": 1,
    "run": 1,
    "sketch-show": 1,
    "sketch-table": 1,
}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer of a command.

    Attributes
    ----------
    command : str
        Name of the command, which is that of the schema.
    rows : sequence of Row
        The results.
    order : sequence of str
        Columns that there may be, in order.
    rare : sequence of str
        Columns that a terminal shows only if asked for all; elsewhere all are written.
    counts : RowCounts or None
        Rows of the files; None if none were read.
    confidence_level : float or None
        Of all limits; None if there are none.
    method : str or None
        Method of the intervals or tests, unless rows name theirs.
    gates : sequence of Gate
        Verdicts on limits.
    headings : mapping of str
        What readers see instead of the names of some columns, which programs read.
    """

    command: str
    rows: Sequence[Row]
    order: Sequence[str]
    rare: Sequence[str] = ()
    counts: RowCounts | None = None
    confidence_level: float | None = None
    method: str | None = None
    gates: Sequence[Gate] = ()
    headings: Mapping[str, str] = field(default_factory=dict)


def write_answer(answer: Answer, output: Output) -> None:
    """Print an answer, or write it to a file that is replaced only when complete."""
    text = render_answer(answer, output)
    if output.path is None:
        print_result(text, None if output.form == "text" else "utf-8")
        return
    write_whole(output.path, lambda draft: write_text(draft, text))
    notify(f"result written to {output.path}")


def write_text(path: Path, text: str) -> None:
    """Write a text as it is, on every system."""
    path.write_bytes(text.encode("utf-8", "backslashreplace"))


def render_answer(answer: Answer, output: Output) -> str:
    """Render an answer in one of the formats."""
    rows = answer.rows
    is_shown = output.form in {"text", "markdown"}
    if is_shown:
        rows = [
            Row({name: show_key(key) for name, key in group.items()}, cells)
            for group, cells in rows
        ]
    aligned = align_rows(rows, answer.order)
    if output.form == "json":
        return json.dumps(make_envelope(answer, aligned), indent=2, allow_nan=False) + "\n"
    width = find_width() if output.path is None else inf
    if output.form == "text" and isfinite(width) and not output.verbose:
        rare = set(answer.rare)
        aligned = [
            {name: cell for name, cell in row.items() if name not in rare}
            for row in aligned
        ]
    if is_shown:
        aligned = [show_headings(row, answer.headings) for row in aligned]
    if output.form == "text" and output.path is None:
        aligned = [escape_row(row) for row in aligned]
    return render(aligned, output.form, width)


def escape_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Escape what stdout cannot print, which then is as wide as it is measured."""
    return {
        escape_unprintable(name): escape_unprintable(cell)
        if isinstance(cell, str)
        else cell
        for name, cell in row.items()
    }


def show_headings(row: dict[str, Any], headings: Mapping[str, str]) -> dict[str, Any]:
    """Give columns their headings, but for those that a grouping column has already."""
    free = {name: heading for name, heading in headings.items() if heading not in row}
    return {free.get(name, name): cell for name, cell in row.items()}


def make_envelope(answer: Answer, results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Put the results of an answer with what they rest on, for programs to read."""
    from capcurve._cli.provenance import describe_run  # slow to import: all of the report

    return {
        "schema": f"capcurve.{answer.command}/{VERSIONS[answer.command]}",
        "command": answer.command,
        "confidence_level": answer.confidence_level,
        "method": answer.method,
        "rows": None if answer.counts is None else answer.counts.to_dict(),
        "provenance": describe_run(answer.counts and answer.counts.origin),
        "gates": describe_gates(answer.gates),
        "results": keep_finite(results),
    }
