"""Rows of ``capcurve compare --against``: tests of samples without common rows."""

import os
from collections.abc import Mapping, Sequence
from glob import has_magic
from pathlib import Path
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from capcurve._cli.count_headings import head_above_zero
from capcurve._cli.file_names import FileName
from capcurve._cli.frame_arguments import read_arguments
from capcurve._cli.frame_rows import make_frame_rows
from capcurve._cli.help import STATISTICS, column_option, option
from capcurve._cli.odd_columns import has_events, notify_odd_columns
from capcurve._cli.request import FileOptions
from capcurve._cli.row_counts import RowCounts
from capcurve._cli.rows import Row
from capcurve._cli.sorted_groups import sort_rows_by_group
from capcurve._cli.streams import notify, notify_warnings
from capcurve._files.paths import STDIN, has_known_ending
from capcurve._frames.compare_samples import compare_samples
from capcurve._inference.comparison import Hypothesis
from capcurve._inference.contrasts import adjust_holm
from capcurve._inference.open_limit import hide_open_limit
from capcurve._input.nested import refuse_nested_columns
from capcurve._report.scored import format_key
from capcurve.exceptions import CapcurveError

SAMPLE_OPTIONS = (
    option(
        STATISTICS,
        "--against",
        metavar="FILE|VALUE",
        type=FileName(),
        help="File, or value of --sample, of the reference sample.",
    ),
    column_option(STATISTICS, "--sample", help="Samples; each is compared with --against."),
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
SAMPLE_COLUMNS = (
    *("estimate", "sample_a", "sample_b", "ar_a", "ar_b", "capture_a", "capture_b"),
    *("difference", "std_error", "low", "high", "p_value", "p_holm"),
    *("alternative", "margin", "n_events_a", "n_events_b"),
)


class SampleRequest(NamedTuple):
    """Which samples to compare, and how.

    Attributes
    ----------
    sample : str or None
        Column whose values are the samples; None if each has a file.
    against : str or None
        The file of the reference, or its value.
    share : float or None
        Population share of the capture rates to compare; None for AR.
    hypothesis : Hypothesis
    """

    sample: str | None
    against: str | None
    share: float | None
    hypothesis: Hypothesis


class SampleRows(NamedTuple):
    """The tests of samples, the rows of the files, and headings of what counts rows."""

    rows: list[Row]
    counts: RowCounts
    headings: dict[str, str]


def make_sample_rows(options: FileOptions, request: SampleRequest) -> SampleRows:
    """List the tests of each sample against the reference, by group and score."""
    sample, against, share, hypothesis = request
    if sample is None:
        arguments, counts, reference = read_two_files(options, str(against))
    else:
        arguments, counts = read_arguments(options, sample)
        reference = find_value(arguments["data"], sample, against)
    notify_odd_columns(arguments["data"], options, notify)
    arguments["data"] = sort_rows_by_group(arguments["data"], options.by)
    with notify_warnings():
        found = compare_samples(
            **arguments,
            sample=sample or FILE_COLUMN,
            against=reference,
            fraction=share,
            **hypothesis._asdict(),
        )
    unit = "ar" if share is None else "capture"
    ends = {f"estimate_{end}": f"{unit}_{end}" for end in "ab"}
    rows = make_frame_rows(found, options.by, NAMES | ends)
    adjusted = adjust_holm([cells["p_value"] for _, cells in rows])
    shown = [
        Row(group, {**show_cells(cells), "p_holm": p_holm})
        for (group, cells), p_holm in zip(rows, adjusted, strict=True)
    ]
    is_event = has_events(arguments["data"], options)
    return SampleRows(shown, counts, head_above_zero(SAMPLE_COLUMNS, has_events=is_event))


def show_cells(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Write the names of samples as text, and leave out the limit that a test lacks."""
    shown = {name: str(cells[name]) for name in ("sample_a", "sample_b")}
    return hide_open_limit({**cells, **shown}, cells["alternative"])


def find_value(table: Any, sample: str, against: str | None) -> Any:
    """Find the value of a column that a text stands for; raise if there is none."""
    frame = nw.from_native(table, eager_only=True)
    refuse_nested_columns(frame, [sample])
    column = frame.get_column(sample)
    values = [value for value in column.unique().to_list() if value is not None]
    for value in values:
        if format_key(value) == against:
            return value
    listed = ", ".join(sorted(map(str, values)))
    got = "none" if against is None else repr(against)
    raise CapcurveError(
        f"--sample requires --against with a value of {sample!r} ({listed}), got {got}; "
        "pass the sample that the others are compared with"
    )


def read_two_files(
    options: FileOptions, against: str
) -> tuple[dict[str, Any], RowCounts, str]:
    """Read two files into one table with a column of their names; return the second's."""
    if any(is_same_file(against, path) for path in options.file):
        raise CapcurveError(
            f"--against must be another file, or a value of --sample, got {against} for "
            "both samples; pass the file of the reference, or add --sample"
        )
    if not may_be_file(against):
        raise CapcurveError(
            f"--against must be a file, or a value of --sample, got {against!r}, which is "
            "no file; to compare with a value, name its column as --sample"
        )
    paths = (options.file[0], against)
    names = [name_sample(path) for path in paths]
    if names[0] == names[1]:
        names = list(paths)
    (arguments, first), (other, second) = (
        read_arguments(options._replace(file=files)) for files in (options.file, (against,))
    )
    stacked = stack_tables([arguments["data"], other["data"]], names)
    return {**arguments, "data": stacked}, first.join(second), names[1]


def name_sample(path: str) -> str:
    """Name the rows of a file; of a pattern without a word, with its folder."""
    if path == STDIN:
        return "stdin"
    found = Path(path)
    if any(map(str.isalnum, found.stem)) or not has_magic(found.stem):
        return found.stem
    if any(map(str.isalnum, found.parent.name)):
        return f"{found.parent.name}/{found.name}"
    return path


def is_same_file(first: str, second: str) -> bool:
    """Whether two names are of one file, perhaps by another path."""
    return first == second or (
        os.path.exists(first)  # noqa: PTH110 -- raises nothing
        and os.path.exists(second)  # noqa: PTH110
        and os.path.samefile(first, second)  # noqa: PTH121
    )


def may_be_file(name: str) -> bool:
    """Whether a name is that of a file, or looks like one or like a pattern."""
    is_named = has_known_ending(name) or has_magic(name) or name == STDIN
    return is_named or os.path.exists(name)  # noqa: PTH110 -- raises nothing


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
