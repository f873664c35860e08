"""Bin the rows of a file that is larger than memory."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from capcurve._cli.no_rows import count_missing, has_complete_row, score_no_rows
from capcurve._cli.request import (
    FileOptions,
    Reading,
    make_empty_query_error,
    make_file_roles,
    make_meaning,
    make_no_rows_error,
    make_source,
    notes_of_warnings,
    notify_odd_files,
    notify_other_labels,
    notify_unrepeatable,
    notify_words,
    read_scored_rows,
)
from capcurve._cli.row_counts import (
    RowCounts,
    count_by_warnings,
    count_zero_weights,
    notify_zero_weights,
)
from capcurve._cli.score_notes import Notify, notify_undefined
from capcurve._cli.streams import alert, log_to_stderr, notify
from capcurve._cli.undefined import NoQueryRowsError, NoRowsError, explain_no_rows
from capcurve._cli.whole_weights import notify_whole_query
from capcurve._curve.binned_curve import BinnedCurve
from capcurve._curve.gains_table import BandSpec
from capcurve._engines.plan import Ask, is_too_large_to_read
from capcurve._engines.rank import rank, rank_all_rows
from capcurve._engines.rankings import Rankings
from capcurve._files.open import describe_origin, measure_size, open_file
from capcurve._inference.wording import format_count
from capcurve._input.dtypes import LazyFrame
from capcurve._input.memory_limit import read_size
from capcurve._report.rounded_bounds import write_above
from capcurve._report.scored import CAPTURE_SHARES, ScoredBins, format_key, sort_by_group


def is_out_of_core(options: FileOptions) -> bool:
    """Whether DuckDB bins the rows instead of reading them into memory."""
    requested = options.approx or options.memory_limit is not None
    return requested or is_too_large_to_read(measure_size(options.file))


def grant_half(limit: str | None) -> float | None:
    """Return half of a memory limit in bytes, as DuckDB may take the rest.

    None without a limit, and for a share of the memory, which DuckDB alone knows.
    """
    size = read_size(limit or "")
    return None if size is None else size / 2


def list_shares(bands: BandSpec | None) -> Sequence[float]:
    """List the population shares at which the curves must be exact."""
    if bands is None:
        return list(CAPTURE_SHARES.values())
    if isinstance(bands, int):
        return [band / bands for band in range(1, bands)]
    return [] if isinstance(bands, str) else list(bands)


class BinnedReading(NamedTuple):
    """Binned rows of files, by group and score column, and how many."""

    groups: list[ScoredBins]
    counts: RowCounts
    no_rows: str = NoRowsError.reason

    @property
    def has_rows(self) -> bool:
        """Whether the rows are in memory."""
        return False


def read_scored_groups(
    options: FileOptions, shares: Sequence[float], *, verbose: bool
) -> Reading | BinnedReading:
    """Rank the rows of files in memory, or let DuckDB bin them if they are too many.

    The curves of binned rows are exact at the given population shares.
    """
    with log_to_stderr() if verbose else nullcontext():
        if is_out_of_core(options):
            return read_scored_bins(options, notify, shares)
        reading = read_scored_rows(options, notify)
    if verbose:
        rows = format_count(reading.counts.used, "row")
        alert(f"capcurve: plan memory: {rows} ranked in memory")
    return reading


def read_scored_bins(
    options: FileOptions, notify: Notify, shares: Sequence[float]
) -> Reading | BinnedReading:
    """Let DuckDB read a file and bin its rows; exact unless ``approx`` is set.

    Parameters
    ----------
    options : FileOptions
    notify : callable
        Prints notes about missing values and undefined curves.
    shares : sequence of float
        Population shares at which the curves must be exact.

    Returns
    -------
    BinnedReading
        Or the rows, if there are none.
    """
    source, roles = make_source(options), make_file_roles(options)
    with (
        open_file(
            source,
            options.memory_limit,
            progress=not options.quiet,
            read_again=True,
        ) as opened,
        notes_of_warnings(notify) as caught,
    ):
        notify_odd_files(options, notify)
        notify_words(opened, options, notify)
        notify_unrepeatable(opened, notify)
        frame = nw.from_native(opened.relation)
        origin = describe_origin(opened, source) if options.is_described else None
        if not has_complete_row(frame, roles):
            counts = count_missing(frame, roles, origin)
            return read_no_rows(frame, options, counts)
        notify_other_labels(frame, options, notify)
        binned = rank(
            opened.relation,
            roles,
            make_meaning(options, frame),
            Ask(
                bins="always",
                at=None if options.approx else shares,
                memory_limit=grant_half(options.memory_limit),
            ),
        )
        zeros = count_zero_weights(frame, roles)
        notify_whole_query(frame, options.weight, notify)
    scored_groups = score_bins(binned)
    notify_undefined(
        scored_groups,
        notify,
        may_be_all=options.may_be_undefined,
        has_query=options.query is not None,
    )
    notify_limits(scored_groups, options, notify)
    first = scored_groups[0].estimate
    n_used = sum(each.n_rows for each in scored_groups if each.estimate == first)
    dropped = [each.message for each in caught if isinstance(each.message, Warning)]
    return BinnedReading(
        scored_groups, count_by_warnings(n_used, dropped, zeros, roles, origin)
    )


def score_bins(binned: Rankings) -> list[ScoredBins]:
    """Score the bins of each group, groups in sorted order."""
    keys: list[dict[str, Any]] = [{}]
    if binned.groups.keys is not None:
        keys = list(binned.groups.keys.iter_rows(named=True))
    scored_groups = [
        ScoredBins(
            {name: format_key(key) for name, key in group.items()},
            estimate,
            None,
            BinnedCurve(*rows[number]),
        )
        for number, group in enumerate(keys)
        for estimate, rows in binned.bins.items()
    ]
    return sorted(scored_groups, key=sort_by_group)


def notify_limits(
    scored_groups: Sequence[ScoredBins], options: FileOptions, notify: Notify
) -> None:
    """Print what bins leave open: how exact statistics are, and a missing interval."""
    if not options.approx:
        error = max(scored.max_bound_width for scored in scored_groups)
        if error > 0:
            notify(
                "capcurve: note: KS and capture rates by group are read from binned "
                f"scores; they may be off by at most {write_above(error)}"
            )
    if not scored_groups[0].is_counted:
        notify(
            "capcurve: note: no interval: for amounts or weighted rows it requires the "
            "individual rows; rerun without --memory-limit and --approx"
        )


def read_no_rows(frame: LazyFrame, options: FileOptions, counts: RowCounts) -> Reading:
    """Return the undefined results of a query without a complete row, or raise."""
    why = explain_no_rows(options.query, counts.read)
    if not options.may_be_undefined:
        is_empty = why == NoQueryRowsError.reason
        raise (
            make_empty_query_error(options)
            if is_empty
            else make_no_rows_error(options, counts.read)
        )
    notify_zero_weights(counts.to_dict())
    roles, meaning = make_file_roles(options), make_meaning(options, frame)
    nothing = frame.head(0).collect("pyarrow")
    rankings = rank_all_rows(nothing, roles, meaning)
    return Reading(score_no_rows(rankings, options.by, why), counts, why)
