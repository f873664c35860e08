"""A query -> its rows in bins that the engine makes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._bins import ALL_BITS, Bins, numbers_of, ranked
from capcurve._engines import lazy
from capcurve._engines.binning import bins_of_events, keys_of
from capcurve._input import Array
from capcurve._pairs import PairCounts
from capcurve._roles import (
    CheckedQuery,
    Frame,
    Names,
    as_names,
    checked_query,
    number_groups,
    read_query,
)
from capcurve._truth import TruthOptions, read_outcomes
from capcurve.binned_curve import BinnedCurve, Exact
from capcurve.exceptions import CapcurveError

BINNED = (lazy.ROWS, "w", "wy", "y", "low", "high")
LABELS = 1_000  # of more distinct ones, the first say enough for an error

Numbers = Mapping[str, Array]


class NeedsRowsError(CapcurveError):
    """What was asked for takes the rows themselves."""


class Binned(NamedTuple):
    """The curve of each estimate in each group, and the keys of the groups."""

    frame: Frame
    keys: Frame | None
    curves: dict[str, list[BinnedCurve]]


@dataclass(frozen=True)
class Rows:
    """The rows of a query: outcome ``y``, score ``s``, keys of groups, and weight ``w``.

    Events without weights have no ``w``; ``scales`` holds the ranges of ``y`` and ``s``.
    """

    query: nw.LazyFrame[Any]
    by: Sequence[str]
    has_events: bool
    is_counted: bool
    descending: bool
    scales: Mapping[str, lazy.Scale]


def read_binned(  # noqa: PLR0913 -- the arguments of the functions on frames
    data: Any,
    truth: str,
    estimates: Sequence[str],
    *,
    by: Names | None = None,
    case_weights: str | None,
    na_rm: bool,
    descending: bool,
    options: TruthOptions,
    exact_at: Sequence[float] | None = None,
    takes_rows: bool = False,
) -> Binned:
    """Check a query and bin its rows by their scores and by their outcomes.

    With ``exact_at`` the pairs inside of bins are counted too; without groups the bins at
    these population shares are split into their scores. ``takes_rows`` refuses outcomes
    whose variance takes the rows.
    """
    keys, values = as_names(by), [truth, *estimates]
    if not isinstance(data, CheckedQuery):
        lazily = read_query(data).lazy()
        data = checked_query(lazily, truth, estimates, by, case_weights, na_rm=na_rm)
    query = data.query
    short = query.names
    with lazy.failures_named():
        rows = lazy.complete(query, values, data.checks)
        labels = labels_of(rows, short[truth], data.checks, options)
        if not len(labels):
            raise CapcurveError("the CAP curve is undefined: `data` has no complete row")
        outcomes = read_outcomes(labels.alias(truth), list(estimates), options)
        if outcomes[0].level is not None:
            raise NeedsRowsError(
                "bins take one event, not a level for each score; pass it as `pos_label`"
            )
        has_events = outcomes[0].target.dtype == np.bool_
        counted = case_weights is None and has_events
        if takes_rows and not counted:
            raise NeedsRowsError(
                "the interval of binned rows takes 0/1 events without weights; of amounts "
                "and weighted rows the bins do not hold what their variance rests on"
            )
        outcome = outcome_of(short[truth], labels, outcomes[0].target, data.checks, options)
        weight = {} if counted else {"w": weight_of(query, short[truth])}
        by = [short[key] for key in keys]
        curves = {}
        for name in estimates:
            own = rows.select(
                *by,
                y=outcome,
                s=nw.col(short[name]).cast(nw.Float64),
                **weight,
            )
            scales = scales_of(data.checks, truth, name, options)
            frame, curves[name] = curves_of_bins(
                Rows(own, by, has_events, counted, descending, scales), exact_at
            )
    groups = number_groups(frame, by)[0]
    if groups is not None:
        groups = groups.rename(dict(zip(by, keys, strict=True)))
    return Binned(frame, groups, curves)


def weight_of(query: lazy.Query, truth: str) -> nw.Expr:
    """Weigh rows by their column, or alike."""
    return lazy.one(truth) if query.weight is None else nw.col("w")


def scales_of(
    checks: lazy.Checks, truth: str, estimate: str, options: TruthOptions
) -> dict[str, lazy.Scale]:
    """Find the ranges, and the totals of 0/1 events if they are known already."""
    scales = {
        short: checks.ranges.get(name, lazy.Scale(0.0, 0.0))
        for short, name in (("y", truth), ("s", estimate))
    }
    if checks.labels and options.pos_label is None:
        totals = {"weight": float(checks.n_rows), "target": float(checks.labels.get(1, 0))}
        scales["s"] = scales["s"]._replace(**totals)
    return scales


def curves_of_bins(
    rows: Rows, exact_at: Sequence[float] | None
) -> tuple[Frame, list[BinnedCurve]]:
    """Make the curve of each group, exact or with limits."""
    exact = exact_at is not None
    found = groups_of_bins(rows, "s", exact=exact)
    best = [of_events(scored) for scored in found.groups]
    if not rows.has_events:
        best = groups_of_bins(rows, "y", exact=exact).groups
    curves = []
    for scored, perfect in zip(found.groups, best, strict=True):
        bins = scored.bins
        if exact_at and not rows.by:
            bins = split_at(rows, bins, exact_at)
        curves.append(
            BinnedCurve(
                bins,
                perfect.bins,
                descending=rows.descending,
                has_events=rows.has_events,
                n_rows=scored.n_rows,
                exact=exactly(rows, scored.inside, perfect.inside),
                plan=found.plan,
            )
        )
    return found.frame, curves


class Inside(NamedTuple):
    """What the pairs of all rows add up to, those inside of bins included."""

    gain: float
    tied: float
    largest_gap: float | None
    pairs: PairCounts | None


class GroupOfBins(NamedTuple):
    """The bins of one group, and what was counted inside of them."""

    bins: Bins
    n_rows: int
    inside: Inside | None


class Groups(NamedTuple):
    """The bins of all groups, as they came, and how they were made."""

    frame: Frame
    groups: list[GroupOfBins]
    plan: str


def groups_of_bins(rows: Rows, column: str, *, exact: bool) -> Groups:
    """Bin rows by a column in every group."""
    if exact and not lazy.runs_within_groups(rows.query):
        plan, frame = "direct", lazy.tallied(rows.query, column, rows.by)
    else:
        scale = rows.scales[column]
        if exact and not rows.by and not (rows.is_counted and scale.weight):
            scale = lazy.with_totals(rows.query, scale)
        plan, collected = ("bucketed", lazy.counted) if exact else ("bins", lazy.binned)
        frame = collected(rows.query, column, rows.by, scale)
    lazy.log_plan(plan, len(frame), "bins")
    number = number_groups(frame, list(rows.by))[1]
    columns = {
        name: frame.get_column(name).to_numpy()
        for name in frame.columns
        if name not in {*rows.by, *lazy.BIN}
    }
    order = np.argsort(number, kind="stable")
    groups = []
    for group in np.split(order, np.cumsum(np.bincount(number))[:-1]):
        own = {name: column[group] for name, column in columns.items()}
        bins, n_rows = bins_of(own, counted=rows.is_counted)
        inside = None
        if exact:
            inside = counted_inside(own, bins, rows)
        groups.append(GroupOfBins(bins, n_rows, inside))
    return Groups(frame, groups, plan)


def bins_of(columns: Numbers, *, counted: bool) -> tuple[Bins, int]:
    """Order bins by what they hold; those that overlap, as none should, are joined."""
    order = np.argsort(columns["low"], kind="stable")
    columns = {name: columns[name][order] for name in BINNED}
    reached = np.maximum.accumulate(columns["high"])
    first = np.flatnonzero(np.append(True, columns["low"][1:] > reached[:-1]))
    kind = np.int64 if counted else np.float64
    bins = Bins(
        ALL_BITS,
        keys_of(columns["low"][first]),
        keys_of(np.maximum.reduceat(columns["high"], first)),
        np.add.reduceat(columns["w"], first).astype(kind),
        np.add.reduceat(columns["wy"], first).astype(kind),
        np.maximum.reduceat(columns["y"], first),
    )
    return bins, int(columns[lazy.ROWS].sum())


def of_events(scored: GroupOfBins) -> GroupOfBins:
    """Bin the outcomes of 0/1 events: their totals say it all."""
    weight, events = scored.bins.weight.sum(), scored.bins.target.sum()
    bins = bins_of_events(weight - events, events)
    best = ranked(bins, descending=True)
    return GroupOfBins(bins, scored.n_rows, Inside(best.gain, 0.0, best.largest_gap, None))


def counted_inside(columns: Numbers, bins: Bins, rows: Rows) -> Inside:
    """Add what was counted inside of bins to what lies between them."""
    tally = ranked(bins, descending=True)
    if "pairs" not in columns:
        pairs = PairCounts.from_tally(tally) if rows.is_counted else None
        return Inside(tally.gain, tally.tied_pairs, tally.largest_gap, pairs)
    if len(bins) < len(columns["low"]):
        raise CapcurveError(
            "the engine of `data` does not keep the order of numbers when it rounds, so "
            "pairs can not be counted bin by bin; `approx=True` gives limits instead"
        )
    order = np.argsort(columns["low"], kind="stable")
    ordered = {name: column[order] for name, column in columns.items()}
    mixed = ordered["low"] < ordered["high"]
    w, wy = ordered["w"], ordered["wy"]
    surplus = np.where(mixed, ordered["pairs"] - wy * w, 0.0)
    tied = float(np.where(mixed, ordered["tied"], wy * (w - wy)).sum())
    return Inside(
        tally.gain + float(surplus.sum()),
        tied,
        None if rows.by else widest_gap(ordered),
        joined_pairs(ordered, surplus, mixed) if rows.is_counted else None,
    )


def widest_gap(ordered: Numbers) -> float:
    """Find the largest distance from the diagonal, inside of bins too."""
    w, wy = ordered["w"], ordered["wy"]
    gap = wy * w.sum() - w * wy.sum()
    before = np.cumsum(gap) - gap
    return float(
        max((before + ordered["highest"]).max(), -(before + ordered["deepest"]).min(), 0.0)
    )


def joined_pairs(ordered: Numbers, surplus: Array, mixed: Array) -> PairCounts:
    """Join the pair counts of all bins.

    Row sums add up to the same surplus as column sums do, which gives the mixed terms.
    """
    d, n = ordered["wy"], ordered["w"] - ordered["wy"]
    row_sums, column_sums = surplus + d * n, d * n - surplus
    rows = ordered["row_squares"] - 2 * n * row_sums + n * n * d
    columns = ordered["column_squares"] - 2 * d * column_sums + d * d * n
    untied = d * n - ordered["tied"]
    counts = [
        d,
        n,
        surplus,
        *(np.where(mixed, each, 0.0) for each in (rows, columns, untied)),
    ]
    each_bin = np.rint(np.array(counts)).T.tolist()
    parts = (PairCounts(*map(int, numbers)) for numbers in each_bin)
    return reduce(PairCounts.join, parts)


def exactly(rows: Rows, own: Inside | None, best: Inside | None) -> Exact | None:
    """Put what was counted of the ranking next to the best."""
    if own is None or best is None:
        return None
    sign = 1 if rows.descending else -1
    pairs = own.pairs
    if pairs is not None and not rows.descending:
        pairs = pairs.reversed()
    return Exact(
        sign * own.gain,
        best.gain,
        own.largest_gap,
        best.largest_gap,
        own.tied if rows.has_events else None,
        pairs,
    )


def split_at(rows: Rows, bins: Bins, shares: Sequence[float]) -> Bins:
    """Replace the bins at some population shares, and both ends, by their scores."""
    tally = ranked(bins, descending=rows.descending)
    ends = np.cumsum(tally.weight)
    at = np.array([0.0, *shares, 1.0]) * ends[-1]
    # At the very end of a bin the next band starts with the best score of the next one.
    sides = [np.searchsorted(ends, at, side) for side in ("left", "right")]
    place = np.unique(np.minimum(np.concatenate(sides), len(bins) - 1))
    if rows.descending:
        place = len(bins) - 1 - place
    place = place[bins.lowest[place] < bins.highest[place]]
    if not len(place):
        return bins
    low, high = numbers_of(bins.lowest[place]), numbers_of(bins.highest[place])
    ranges = list(zip(low.tolist(), high.tolist(), strict=True))
    frame = lazy.tallied(lazy.between(rows.query, "s", ranges), "s", ())
    columns = {name: frame.get_column(name).to_numpy() for name in BINNED}
    inner, _ = bins_of(columns, counted=rows.is_counted)
    return bins.without(place).merge(inner, len(bins) + len(inner))


def outcome_of(
    column: str,
    labels: nw.Series[Any],
    target: Array,
    checks: lazy.Checks,
    options: TruthOptions,
) -> nw.Expr:
    """Say in the engine's terms what the outcome of a row is."""
    outcome, is_event = nw.col(column), target.dtype == np.bool_
    if labels.dtype == nw.Boolean and options.pos_label is None:
        return lazy.flag(outcome).cast(nw.Float64)
    if not is_event or (checks.labels and options.pos_label is None):
        return outcome.cast(nw.Float64)
    if isinstance(labels.dtype, nw.Categorical | nw.Enum):
        outcome = outcome.cast(nw.String)
    names = np.array(labels.to_list(), dtype=object)
    return lazy.flag(outcome.is_in(names[target].tolist())).cast(nw.Float64)


def labels_of(
    rows: nw.LazyFrame[Any], column: str, checks: lazy.Checks, options: TruthOptions
) -> nw.Series[Any]:
    """List the labels of an outcome; of amounts, enough of them to tell what they are."""
    dtype = rows.collect_schema()[column]
    if checks.labels:
        kind = bool if dtype == nw.Boolean else int
        labels = [kind(label) for label in checks.labels]
        return nw.new_series(column, labels, dtype, backend=checks.backend)
    if options.pos_label is not None or not dtype.is_numeric():
        return lazy.collect(rows.select(column).unique().head(LABELS)).get_column(column)
    low, high = lazy.extremes(rows, column)
    inner = rows.filter((nw.col(column) > low) & (nw.col(column) < high))
    between = lazy.collect(inner.select(column).head(1))
    values = sorted({low, *between.get_column(column).to_list(), high})
    backend = between.implementation
    if dtype.is_integer():
        values = [int(value) for value in values]
    return nw.new_series(column, values, dtype, backend=backend)
