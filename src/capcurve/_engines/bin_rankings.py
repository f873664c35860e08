"""Queries whose rows stay where they are -> rows in bins, for each score and group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.groups import number_groups
from capcurve._engines.plan import (
    MAX_ONE_SCAN_WIDTH,
    Ask,
    ColumnRange,
    has_wide_integers,
    is_too_large_to_fetch,
)
from capcurve._engines.query import EngineResult, weigh_equally, wrap_engine_errors
from capcurve._engines.query_batches import rank_in_batches
from capcurve._engines.query_bins import (
    EngineRows,
    GroupedResult,
    group_rows,
    make_binned_rows,
)
from capcurve._engines.query_outcome import find_ranges
from capcurve._engines.query_plans import bin_events_in_one_scan, count_events
from capcurve._engines.query_rows import (
    drop_incomplete_rows,
    may_be_rounded,
    number_all_groups,
)
from capcurve._engines.rankings import Rankings
from capcurve._engines.row_rankings import CheckedQuery, Groups
from capcurve._input.dtypes import Frame, LazyFrame
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.outcome import OutcomeRule
from capcurve._input.source import is_pattern
from capcurve._tally.bins import BinnedRows, bound_accuracy_ratio
from capcurve.exceptions import CapcurveError


def rank_bins(
    checked: CheckedQuery,
    roles: Roles,
    meaning: Meaning,
    ask: Ask,
    rules: Sequence[OutcomeRule] | None,
) -> Rankings:
    """Let the engine put rows into bins of each score, in every group."""
    query, short = checked.query, checked.query.names
    truth, rule = short[str(roles.truth)], (rules or [])[0]
    counted = roles.weights is None and rule.has_events
    by = [short[key] for key in roles.by]
    binned: dict[str, list[BinnedRows]] = {}
    grouped = EngineResult(None, {}, nw.Implementation.PYARROW)
    with wrap_engine_errors():
        rows = drop_incomplete_rows(query, roles, checked.checks)
        y = rule.of_query(nw.col(truth), rows.collect_schema()[truth])
        weight = {}
        if not counted:
            weight = {"w": weigh_equally(truth) if roles.weights is None else nw.col("w")}
        for name in roles.estimates:
            scores = nw.col(short[name]).cast(nw.Float64)
            engine_rows = EngineRows(
                rows.select(*by, y=y, s=scores, **weight),
                by,
                rule.has_events,
                counted,
                meaning.descending,
                find_ranges(checked.checks, roles, name, rule),
            )
            ranked = None
            if ask.at is not None:
                ranked = rank_in_batches(engine_rows, ask.at, checked.limit)
            if ranked is not None:
                binned[name] = [ranked]
                continue
            found = group_rows(engine_rows, "s", exact=ask.at is not None)
            grouped = found.groups
            binned[name] = make_binned_rows(engine_rows, found, ask.at)
        keys, number = number_all_groups(
            name_keys(grouped, short, roles.by), query, roles, checked.checks
        )
    if keys is not None:
        present = np.unique(number).tolist()
        binned = {
            name: add_empty_groups(dict(zip(present, groups, strict=True)), len(keys))
            for name, groups in binned.items()
        }
    return Rankings(Groups(keys, grouped.backend), bins=binned)


def name_keys(found: EngineResult, short: Mapping[str, str], by: Sequence[str]) -> Frame:
    """Return the group key of each fetched row, under the original column names."""
    if found.keys is None:
        return nw.from_dict({}, backend=found.backend)
    return found.keys.rename({short[name]: name for name in by})


def add_empty_groups(found: Mapping[int, BinnedRows], n_groups: int) -> list[BinnedRows]:
    """List the bins of all groups, without any where all rows were left out."""
    some = next(iter(found.values()))
    by_score, by_target = (
        bins.without(np.arange(len(bins))) for bins in (some.by_score, some.by_target)
    )
    empty = some._replace(by_score=by_score, by_target=by_target, n_rows=0, exact=None)
    return [found.get(group, empty) for group in range(n_groups)]


def rank_in_one_scan(
    frame: LazyFrame, roles: Roles, meaning: Meaning, ask: Ask
) -> Rankings | None:
    """Bin the rows of a large query in a single scan, if this is precise enough.

    Returns None unless rows are many, complete 0/1 events with narrow bounds of AR. Nothing
    is left out and no error is raised here; the regular checks follow. For few rows a
    second scan costs little and separates rounded scores.
    """
    if not fits_one_scan(frame, roles, meaning, ask):
        return None
    truth, (estimate,) = str(roles.truth), roles.estimates
    short = {key: f"c{i}" for i, key in enumerate(roles.by)}
    try:
        if not is_too_large_to_fetch(count_events(frame, truth)):
            return None
        found = bin_events_in_one_scan(frame, truth, estimate, short)
    except CapcurveError:  # for example if scores overflow in the engine
        return None
    if found is None or rounds_integers(frame, estimate, found):
        return None
    rows = EngineRows(
        frame,
        list(short.values()),
        has_events=True,
        is_counted=True,
        descending=meaning.descending,
        scales={},
    )
    binned = make_binned_rows(rows, GroupedResult(found, "bins"), None)
    if any(measure_width(group) > MAX_ONE_SCAN_WIDTH for group in binned):
        return None
    keys, _ = number_groups(name_keys(found, short, roles.by), list(roles.by))
    return Rankings(Groups(keys, found.backend), bins={estimate: binned})


def fits_one_scan(frame: LazyFrame, roles: Roles, meaning: Meaning, ask: Ask) -> bool:
    """Whether one score ranks 0/1 events as they are, without weights or exact points."""
    others = (roles.weights, roles.counts, roles.events, roles.clusters, ask.at)
    if len(roles.estimates) > 1 or any(each is not None for each in others):
        return False
    if not meaning.reads_flags:
        return False
    if any(map(is_pattern, (*roles.values, *roles.by))):
        return False
    schema = frame.collect_schema()
    truth, score = (schema[name] for name in roles.values)
    countable = truth == nw.Boolean or truth.is_integer()
    fits = countable and score.is_numeric()
    return fits and not may_be_rounded(truth) and not may_be_rounded(score)


def rounds_integers(frame: LazyFrame, estimate: str, found: EngineResult) -> bool:
    """Whether scores are integers that float64 rounds."""
    is_integer = frame.collect_schema()[estimate].is_integer()
    low, high = found.numbers["low"].min(), found.numbers["high"].max()
    return has_wide_integers(ColumnRange(float(low), float(high), is_integer=is_integer))


def measure_width(rows: BinnedRows) -> float:
    """Return the distance between the bounds of AR; 0 if AR is undefined."""
    if len(rows.by_target) == 1:
        return 0.0
    ratio = bound_accuracy_ratio(rows)
    return ratio.high - ratio.low
