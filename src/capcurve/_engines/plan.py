"""What is asked of a query, and every threshold that decides how it is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from capcurve._engines.memory import measure_free_memory
from capcurve._input.meaning import Roles
from capcurve._input.outcome import OutcomeRule

MAX_ONE_SCAN_WIDTH = 0.005  # bounds of AR further apart justify another scan
MIN_HEAVY_WIDTH = 5e-5  # share of all pairs within a few bins that justifies another scan
MAX_HEAVY_BINS = 16  # bins that are split then
MAX_DIRECT_ROWS = 4_000_000  # rows of a query; beyond, pairs are counted in bins
MAX_FILE_BYTES_IN_MEMORY = 1 << 30
FREE_SHARE = 0.25  # of the free memory, for the rows of a query in this process
BYTES_PER_VALUE = 64  # of a fetched row: its number, and the copies that sorting makes
BATCH_ROWS = 1 << 23  # rows of the more frequent class that are ranked at a time
BYTES_PER_RANK = 64  # of a row of the rarer class: its score, its ranks, and their squares
MAX_PAIRS = 1 << 62  # whose number an int64 holds
BYTES_PER_KEY = 128  # of a fetched row: its group key, which may be text
EXACT_INTEGERS = 1 << 53  # from there on, a float64 cannot tell neighbours apart


class Ask(NamedTuple):
    """What is to be computed.

    Attributes
    ----------
    bins : {'never', 'if large', 'always'}
        Whether rows may be put into bins: for results that need rows, for exact results of
        large queries, or for results with guaranteed bounds.
    variance : bool
        Whether a variance is computed.
    at : sequence of float or None
        Population shares at which the curve is to be exact; pairs within bins are then
        counted too. None: bins have bounds only.
    memory_limit : int, float, str or None
        Bytes for rows, or a size in words, as the caller grants it; None: a share of what
        is free.
    """

    bins: Literal["never", "if large", "always"] = "never"
    variance: bool = False
    at: Sequence[float] | None = None
    memory_limit: float | str | None = None


ROWS_ONLY = Ask()


class ColumnRange(NamedTuple):
    """Minimum and maximum of a column, and weight and target totals where needed."""

    low: float
    high: float
    weight: float = 0.0
    target: float = 0.0
    is_integer: bool = False


def is_too_large_to_fetch(n_rows: int) -> bool:
    """Whether a query has too many rows to fetch its distinct ones."""
    return n_rows > MAX_DIRECT_ROWS


def grant_memory(limit: float | None) -> float:
    """Return the bytes that rows may take: those of the caller, or a share of the free."""
    return FREE_SHARE * measure_free_memory() if limit is None else limit


def fits_into_memory(n_rows: int, roles: Roles, limit: float | None) -> bool:
    """Whether the rows of a query fit into the memory that is granted."""
    names = len(roles.by) + (roles.clusters is not None)
    row = BYTES_PER_VALUE * len(roles.values) + BYTES_PER_KEY * names
    return n_rows * row <= grant_memory(limit)


def fits_in_batches(n_events: int, n_nonevents: int, limit: float | None) -> bool:
    """Whether the rarer class and two batches of the other fit into memory."""
    few, many = sorted((n_events, n_nonevents))
    if not few or few * many > MAX_PAIRS:
        return False
    batches = 2 * BYTES_PER_VALUE // 8 * min(many, BATCH_ROWS)
    return few * BYTES_PER_RANK + batches <= grant_memory(limit)


def is_too_large_to_read(n_bytes: int) -> bool:
    """Whether files are too large to read their rows into memory."""
    return n_bytes > MAX_FILE_BYTES_IN_MEMORY


def explain_need_for_rows(
    roles: Roles,
    rules: Sequence[OutcomeRule] | None,
    ask: Ask,
    ranges: Mapping[str, ColumnRange],
) -> str | None:
    """Say why a result requires row-level data; None if bins will do."""
    if rules is None:
        return "bins require numeric scores, got text grades; leave `approx` out"
    for name in ("counts", "events", "clusters"):
        if getattr(roles, name) is not None:
            return (
                f"bins do not hold `{name}`; leave `approx` out, so that the engine counts "
                "equal rows instead"
            )
    if rules[0].level is not None:
        return (
            "binned scores require a single event, got an outcome with one score column "
            "per level; pass the event as `pos_label`, with that class's column alone"
        )
    if ask.variance and (roles.weights is not None or not rules[0].has_events):
        return (
            "an interval with `approx=True` requires 0/1 events without weights, got "
            "amounts or weights, whose variance cannot be computed from bins; pass "
            "`approx=False`"
        )
    for name in roles.estimates:
        if has_wide_integers(ranges.get(name)):
            return (
                f"bins hold scores as float64, which rounds integers beyond 2**53, got "
                f"`{name}` from {ranges[name].low:.0f} to {ranges[name].high:.0f}; scale "
                "it down, rank it first, or leave `approx` out"
            )
    return None


def has_wide_integers(column: ColumnRange | None) -> bool:
    """Whether a column holds integers that float64 would round."""
    if column is None or not column.is_integer:
        return False
    return max(abs(column.low), abs(column.high)) >= EXACT_INTEGERS
