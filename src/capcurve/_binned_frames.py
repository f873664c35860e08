"""A query -> its rows in bins that the engine makes."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._bins import ALL_BITS, Bins
from capcurve._engines import lazy
from capcurve._engines.binning import keys_of
from capcurve._input import refuse_unknown
from capcurve._roles import Frame, as_names, judge, read_query
from capcurve._truth import TruthOptions, read_outcomes
from capcurve.binned_curve import BinnedCurve
from capcurve.exceptions import CapcurveError

LABELS = 1_000  # of more distinct ones, the first say enough for an error


def read_binned(
    data: Any,
    truth: str,
    estimate: str,
    *,
    case_weights: str | None,
    na_rm: bool,
    descending: bool,
    options: TruthOptions,
) -> BinnedCurve:
    """Check a query and bin its rows by their scores and by their outcomes."""
    frame, values = read_query(data), [truth, estimate]
    used = [*values, *as_names(case_weights)]
    refuse_unknown(used, frame.collect_schema().names(), "`data`")
    with lazy.failures_named():
        query = lazy.query_of(frame.lazy(), [], values, case_weights)
        checks = lazy.check(query, values)
    judge(checks, case_weights, na_rm=na_rm)
    with lazy.failures_named():
        rows = lazy.complete(query, values)
        y, s = (nw.col(query.names[name]) for name in values)
        labels = labels_of(rows, query.names[truth])
        if not len(labels):
            raise CapcurveError("the CAP curve is undefined: `data` has no complete row")
        (outcome,) = read_outcomes(labels.alias(truth), [estimate], options)
        has_events = outcome.target.dtype == np.bool_
        amount = y.cast(nw.Float64)
        if has_events:
            if not labels.dtype.is_numeric() and labels.dtype != nw.Boolean:
                y = y.cast(nw.String)
            names = np.array(labels.to_list(), dtype=object)
            amount = y.is_in(names[outcome.target].tolist()).cast(nw.Float64)
        weight = nw.lit(1.0) if case_weights is None else nw.col("w")
        rows = rows.select(y=amount, s=s.cast(nw.Float64), w=weight)
        counted = case_weights is None and has_events
        by_score, n_rows = bins_of(lazy.binned(rows, "s"), counted=counted)
        by_target, _ = bins_of(lazy.binned(rows, "y"), counted=counted)
    return BinnedCurve(
        by_score, by_target, descending=descending, has_events=has_events, n_rows=n_rows
    )


def labels_of(rows: nw.LazyFrame[Any], column: str) -> nw.Series[Any]:
    """List the labels of an outcome; of amounts, enough of them to tell what they are."""
    if not rows.collect_schema()[column].is_float():
        return lazy.collect(rows.select(column).unique().head(LABELS)).get_column(column)
    low, high = lazy.extremes(rows, column)
    inner = rows.filter((nw.col(column) > low) & (nw.col(column) < high))
    between = lazy.collect(inner.select(column).head(1))
    values = sorted({low, *between.get_column(column).to_list(), high})
    backend = between.implementation
    return nw.new_series(column, values, nw.Float64, backend=backend)


def bins_of(grouped: Frame, *, counted: bool) -> tuple[Bins, int]:
    """Order bins by what they hold; those that overlap, as none should, are joined."""
    columns = {name: grouped.get_column(name).to_numpy() for name in grouped.columns}
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
