"""Rows of ``capcurve compare --against``: tests of samples without common rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import narwhals.stable.v2 as nw

from capcurve._cli.frame_rows import make_frame_rows
from capcurve._cli.request import (
    FileOptions,
    make_meaning,
    make_source,
    notify_missing_words,
)
from capcurve._cli.rows import Row
from capcurve._cli.streams import notify, notify_warnings
from capcurve._files.open import read_table
from capcurve._files.paths import STDIN
from capcurve._frames.compare_samples import compare_samples
from capcurve._inference.comparison import Hypothesis
from capcurve._input.column import format_labels
from capcurve._report.scored import format_key
from capcurve.exceptions import CapcurveError

SAMPLE_OPTIONS = (
    click.option(
        "--against",
        metavar="FILE|VALUE",
        help="Another file with the reference sample, such as that of development; with "
        "--sample its value. The samples must have no common rows.",
    ),
    click.option(
        "--sample",
        metavar="COLUMN",
        help="Column whose values are the samples; each is compared with --against.",
    ),
)
FILE_COLUMN = "file of capcurve"  # that names the sample of each row of two files
# Columns of the data frame, and what the command line calls them.
NAMES = {
    "model": "estimate",
    **{name: name for name in ("sample_a", "sample_b")},
    **{name: name for name in ("difference", "std_error", "low", "high")},
    **{name: name for name in ("p_value", "p_holm", "alternative", "margin")},
    **{name: name for name in ("n_events_a", "n_events_b")},
}
COLUMNS = (
    *("estimate", "sample_a", "sample_b", "ar_a", "ar_b", "capture_a", "capture_b"),
    *("difference", "std_error", "low", "high", "p_value", "p_holm"),
    *("alternative", "margin", "n_events_a", "n_events_b"),
)


def make_sample_rows(
    options: FileOptions,
    sample: str | None,
    against: str | None,
    share: float | None,
    hypothesis: Hypothesis,
) -> list[Row]:
    """List the tests of each sample against the reference, by group and score."""
    if sample is None:
        table, column, reference = read_two_files(options, str(against))
    else:
        table = read_rows(options._replace(by=(*options.by, sample)))
        column, reference = sample, find_value(table, sample, against)
    meaning = make_meaning(options, nw.from_native(table, eager_only=True))
    with notify_warnings():
        found = compare_samples(
            table,
            options.truth,
            options.estimate,
            column,
            reference,
            by=options.by,
            case_weights=options.weight,
            counts=options.counts,
            events=options.events,
            clusters=options.cluster,
            pos_label=meaning.pos_label,
            target_type=meaning.target_type,
            descending=meaning.descending,
            order=meaning.order,
            fraction=share,
            **hypothesis._asdict(),
        )
    unit = "ar" if share is None else "capture"
    ends = {f"estimate_{end}": f"{unit}_{end}" for end in "ab"}
    rows = make_frame_rows(found, options.by, NAMES | ends)
    return [Row(group, hide_open_limit(cells)) for group, cells in rows]


def hide_open_limit(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the end of the scale, which a one-sided test has for its other limit."""
    shown = {name: str(cells[name]) for name in ("sample_a", "sample_b")}
    hidden = {"less": "low", "greater": "high"}.get(cells["alternative"])
    return {**cells, **shown} | ({} if hidden is None else {hidden: None})


def read_rows(options: FileOptions) -> Any:
    """Read the columns of a file into memory."""
    table, words = read_table(make_source(options), progress=not options.quiet)
    notify_missing_words(words, notify)
    return table


def find_value(table: Any, sample: str, against: str | None) -> Any:
    """Find the value of a column that a text stands for; raise if there is none."""
    column = nw.from_native(table, eager_only=True).get_column(sample)
    values = [value for value in column.unique().to_list() if value is not None]
    for value in values:
        if format_key(value) == against:
            return value
    listed = format_labels(sorted(values))
    got = "none" if against is None else repr(against)
    raise CapcurveError(
        f"--sample requires --against with a value of {sample!r} ({listed}), got {got}; "
        "pass the sample that the others are compared with"
    )


def read_two_files(options: FileOptions, against: str) -> tuple[Any, str, str]:
    """Read two files into one table with a column of their names; return the second's."""
    if options.file == against:
        raise CapcurveError(
            f"--against must be another file, or a value of --sample, got {against} for "
            "both samples; pass the file of the reference, or add --sample"
        )
    paths = (options.file, against)
    names = ["stdin" if path == STDIN else Path(path).stem for path in paths]
    if names[0] == names[1]:
        names = list(paths)
    tables = [read_rows(options._replace(file=path)) for path in paths]
    return stack_tables(tables, names), FILE_COLUMN, names[1]


def stack_tables(tables: Sequence[Any], names: Sequence[str]) -> Any:
    """Put the rows of tables below each other, with a column of their names."""
    import pyarrow as pa

    named = [
        table.append_column(FILE_COLUMN, pa.array([name] * len(table), pa.string()))
        for name, table in zip(names, tables, strict=True)
    ]
    try:
        return pa.concat_tables(named, promote_options="permissive")
    except pa.ArrowException as error:
        reason = " ".join(str(error).split())
        raise CapcurveError(
            f"columns of {names[0]} and {names[1]} must hold the same kind of values, got "
            f"different ones ({reason}); convert them in a --query"
        ) from error
