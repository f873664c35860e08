"""A query -> its rows in bins that the engine makes."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines import lazy
from capcurve._grouped_bins import Grouped, Rows, curves_of_bins, grouped_rows
from capcurve._input import Array
from capcurve._roles import (
    CheckedQuery,
    Frame,
    Names,
    are_many,
    as_names,
    checked_query,
    number_groups,
    read_query,
    with_roles,
)
from capcurve._truth import Outcome, TruthOptions, read_outcomes
from capcurve.binned_curve import BinnedCurve
from capcurve.exceptions import CapcurveError

LABELS = 1_000  # of more distinct ones, the first say enough for an error
WIDE = 0.005  # limits further apart than this are worth another scan


class NeedsRowsError(CapcurveError):
    """What was asked for takes the rows themselves."""


class Binned(NamedTuple):
    """The curve of each estimate in each group, and the keys of the groups."""

    keys: Frame | None
    curves: dict[str, list[BinnedCurve]]
    backend: Any


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
        lazily = with_roles(read_query(data).lazy(), values, keys, case_weights)
        if exact_at is None and case_weights is None and len(estimates) == 1:
            plain = read_plain(lazily, values, keys, options, descending=descending)
            if plain is not None:
                return plain
        data = checked_query(lazily, truth, estimates, by, case_weights, na_rm=na_rm)
    query, short = data.query, data.query.names
    with lazy.failures_named():
        rows = lazy.complete(query, values, data.checks)
        labels = labels_of(rows, short[truth], data.checks, options)
        if not len(labels):
            raise CapcurveError("the CAP curve is undefined: `data` has no complete row")
        outcome, *_ = read_outcomes(labels.alias(truth), list(estimates), options)
        refuse_levels(outcome)
        has_events = outcome.target.dtype == np.bool_
        counted = case_weights is None and has_events
        if takes_rows:
            refuse_without_counts(counted=counted)
        y = outcome_of(short[truth], labels, outcome.target, data.checks, options)
        weight = {} if counted else {"w": weight_of(query, short[truth])}
        by = [short[key] for key in keys]
        curves = {}
        for name in estimates:
            selected = rows.select(
                *by,
                y=y,
                s=nw.col(short[name]).cast(nw.Float64),
                **weight,
            )
            scales = scales_of(data.checks, truth, name, options)
            own = Rows(selected, by, has_events, counted, descending, scales)
            found = grouped_rows(own, "s", exact=exact_at is not None)
            curves[name] = curves_of_bins(own, found, exact_at)
    return Binned(keys_of_groups(found.groups, short, keys), curves, found.groups.backend)


def refuse_levels(outcome: Outcome) -> None:
    """Refuse levels that are ranked by a score each."""
    if outcome.level is not None:
        raise NeedsRowsError(
            "bins take one event, not a level for each score; pass it as `pos_label`"
        )


def refuse_without_counts(*, counted: bool) -> None:
    """Refuse rows whose variance does not follow from counts of pairs."""
    if not counted:
        raise NeedsRowsError(
            "the interval of binned rows takes 0/1 events without weights; of amounts "
            "and weighted rows the bins do not hold what their variance rests on"
        )


def keys_of_groups(
    found: lazy.Groups, short: Mapping[str, str], keys: list[str]
) -> Frame | None:
    """List the groups under the names that they have in the data."""
    if found.keys is None:
        return None
    groups = number_groups(found.keys, [short[key] for key in keys])[0]
    return None if groups is None else groups.rename({short[key]: key for key in keys})


def read_plain(
    frame: nw.LazyFrame[Any],
    values: list[str],
    keys: list[str],
    options: TruthOptions,
    *,
    descending: bool,
) -> Binned | None:
    """Bin many rows in a single scan if they are complete 0/1 events, and limits are close.

    Nothing is left out or refused here: of other rows there is None, and the checks say
    what they are. Of few rows two scans cost little, and tell rounded scores apart.
    """
    schema, (truth, estimate) = frame.collect_schema(), values
    countable = schema[truth] == nw.Boolean or schema[truth].is_integer()
    if not countable or not schema[estimate].is_numeric() or not asks_nothing(options):
        return None
    short = {key: f"c{i}" for i, key in enumerate(keys)}
    try:
        if not are_many(lazy.count_events(frame, truth)):
            return None
        found = lazy.plainly_binned(frame, truth, estimate, short)
    except CapcurveError:  # such as of numbers so large that the engine gives up
        return None
    if found is None:
        return None
    rows = Rows(
        frame,
        list(short.values()),
        has_events=True,
        is_counted=True,
        descending=descending,
        scales={},
    )
    curves = curves_of_bins(rows, Grouped(found, "bins"), None)
    if any(width_of(curve) > WIDE for curve in curves):
        return None
    return Binned(keys_of_groups(found, short, keys), {estimate: curves}, found.backend)


def asks_nothing(options: TruthOptions) -> bool:
    """Whether outcomes of 0 and 1 are read as they are."""
    return options in {
        TruthOptions(target_type=target_type, estimator=estimator)
        for target_type in ("auto", "binary")
        for estimator in (None, "binary")
    }


def width_of(curve: BinnedCurve) -> float:
    """Find how far apart the limits of the accuracy ratio are, where it is defined."""
    if len(curve.by_target) == 1:
        return 0.0
    ratio = curve.accuracy_ratio
    return ratio.high - ratio.low


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
