"""A query -> its rows in bins that the engine makes."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._bins import ALL_BITS, Bins
from capcurve._engines import lazy
from capcurve._engines.binning import keys_of
from capcurve._input import Array, refuse_unknown
from capcurve._roles import Frame, Names, as_names, judge, number_groups, read_query
from capcurve._truth import TruthOptions, read_outcomes
from capcurve.binned_curve import BinnedCurve
from capcurve.exceptions import CapcurveError

BINNED = (lazy.ROWS, "w", "wy", "y", "low", "high")
LABELS = 1_000  # of more distinct ones, the first say enough for an error


class Binned(NamedTuple):
    """The curve of each estimate in each group, and the keys of the groups."""

    frame: Frame
    keys: Frame | None
    curves: dict[str, list[BinnedCurve]]


def read_binned(
    data: Any,
    truth: str,
    estimates: Sequence[str],
    *,
    by: Names | None = None,
    case_weights: str | None,
    na_rm: bool,
    descending: bool,
    options: TruthOptions,
) -> Binned:
    """Check a query and bin its rows by their scores and by their outcomes."""
    keys, values = as_names(by), [truth, *estimates]
    query = checked_query(data, keys, values, case_weights, na_rm=na_rm)
    short = query.names
    with lazy.failures_named():
        rows = lazy.complete(query, values)
        labels = labels_of(rows, short[truth], all_of_them=options.pos_label is not None)
        if not len(labels):
            raise CapcurveError("the CAP curve is undefined: `data` has no complete row")
        outcomes = read_outcomes(labels.alias(truth), list(estimates), options)
        if outcomes[0].level is not None:
            raise CapcurveError(
                "bins take one event, not a level for each score; pass it as `pos_label`"
            )
        has_events = outcomes[0].target.dtype == np.bool_
        amount = amount_of(short[truth], labels, outcomes[0].target)
        weight = nw.lit(1.0) if case_weights is None else nw.col("w")
        grouped = [short[key] for key in keys]
        found = {}
        for name in estimates:
            score = nw.col(short[name]).cast(nw.Float64)
            part = rows.select(*grouped, y=amount, s=score, w=weight)
            found[name] = [lazy.binned(part, column, grouped) for column in ("s", "y")]
    curves = {}
    for name, (scores, targets) in found.items():
        both = nw.concat([each.select(grouped or ["y"]) for each in (scores, targets)])
        groups, number = number_groups(both, grouped)
        counted = case_weights is None and has_events
        by_score = bins_of_groups(scores, number[: len(scores)], counted=counted)
        by_target = bins_of_groups(targets, number[len(scores) :], counted=counted)
        curves[name] = [
            BinnedCurve(
                scored, target, descending=descending, has_events=has_events, n_rows=n_rows
            )
            for (scored, n_rows), (target, _) in zip(by_score, by_target, strict=True)
        ]
    original = {short[key]: key for key in keys}
    return Binned(both, None if groups is None else groups.rename(original), curves)


def checked_query(
    data: Any, keys: list[str], values: list[str], weight: str | None, *, na_rm: bool
) -> lazy.Query:
    """Find the columns and check the rows."""
    frame = read_query(data)
    used = [*values, *as_names(weight), *keys]
    refuse_unknown(used, frame.collect_schema().names(), "`data`")
    with lazy.failures_named():
        query = lazy.query_of(frame.lazy(), keys, values, weight)
        checks = lazy.check(query, values)
    judge(checks, weight, na_rm=na_rm)
    return query


def amount_of(column: str, labels: nw.Series[Any], target: Array) -> nw.Expr:
    """Say in the engine's terms what the outcome of a row is."""
    outcome = nw.col(column)
    if target.dtype != np.bool_:
        return outcome.cast(nw.Float64)
    if isinstance(labels.dtype, nw.Categorical | nw.Enum):
        outcome = outcome.cast(nw.String)
    names = np.array(labels.to_list(), dtype=object)
    return outcome.is_in(names[target].tolist()).cast(nw.Float64)


def bins_of_groups(
    grouped: Frame, number: Array, *, counted: bool
) -> list[tuple[Bins, int]]:
    """Split the bins of all groups."""
    columns = {name: grouped.get_column(name).to_numpy() for name in BINNED}
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number))[:-1]
    return [
        bins_of({name: column[rows] for name, column in columns.items()}, counted=counted)
        for rows in np.split(order, ends)
    ]


def labels_of(rows: nw.LazyFrame[Any], column: str, *, all_of_them: bool) -> nw.Series[Any]:
    """List the labels of an outcome; of amounts, enough of them to tell what they are."""
    dtype = rows.collect_schema()[column]
    if all_of_them or not dtype.is_numeric():
        return lazy.collect(rows.select(column).unique().head(LABELS)).get_column(column)
    low, high = lazy.extremes(rows, column)
    inner = rows.filter((nw.col(column) > low) & (nw.col(column) < high))
    between = lazy.collect(inner.select(column).head(1))
    values = sorted({low, *between.get_column(column).to_list(), high})
    backend = between.implementation
    if dtype.is_integer():
        values = [int(value) for value in values]
    return nw.new_series(column, values, dtype, backend=backend)


def bins_of(columns: Mapping[str, Array], *, counted: bool) -> tuple[Bins, int]:
    """Order bins by what they hold; those that overlap, as none should, are joined."""
    order = np.argsort(columns["low"], kind="stable")
    columns = {name: column[order] for name, column in columns.items()}
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
