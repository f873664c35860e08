"""Build tidy results: one block of rows per model or level, joined with group keys."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.stable.v2.typing import IntoDataFrame
from numpy.typing import NDArray

from capcurve._curve.curve import CapCurve
from capcurve._engines.row_rankings import Groups, Ranking, RowRankings
from capcurve._engines.rows import (
    compute_accuracy_ratio,
    compute_accuracy_ratios,
    split_rounded_groups,
    tally_groups,
    tally_perfect_groups,
)
from capcurve._input.columns import Columns, explain_constant
from capcurve._input.dtypes import Names
from capcurve._input.meaning import Roles
from capcurve._input.score import name_grades
from capcurve._tally.dtypes import Array
from capcurve._tally.grouped_tally import GroupedTally
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller

POINT_COLUMNS = ("n", "n_events", "population_share", "capture_rate", "threshold")
CURVE_COLUMNS = (*POINT_COLUMNS, "accuracy_ratio")
MAX_PLACES_NAMED = 5
ALL_EQUAL, ALL_ZERO = "all outcomes are equal", "all outcomes are 0"  # why undefined
TABLE_PARTS = "KS in the gains table (without any event, capture rate and lift too)"
NativeFrame = IntoDataFrame


def refuse_undefined_curve(checked: RowRankings, roles: Roles) -> None:
    """Raise if ungrouped data have no complete row or outcomes that are all equal."""
    if not len(checked.group):
        raise CapcurveError(f"the gain curve is undefined: {roles.explain_no_row()}")
    for ranking in checked.rankings:
        columns = ranking.columns
        if columns.is_constant and not checked.are_levels:
            reason = explain_constant(columns).replace(
                "`y_true`", f"`{roles.truth or roles.events}`"
            )
            raise CapcurveError(
                f"the gain curve is undefined: {reason}; it requires both events and "
                "non-events, or amounts that differ"
            )


def name_label_column(checked: RowRankings, estimate: Names) -> str | None:
    """Return the name of the column that identifies models or levels, if needed."""
    if checked.are_levels:
        return "level"
    return None if isinstance(estimate, str) else "model"


class ResultPart(NamedTuple):
    """Result rows of one model or level.

    Attributes
    ----------
    name : str
        Model or level.
    group : ndarray of int64, shape (n_rows,)
        Group number of each row.
    columns : mapping of str to ndarray, shape (n_rows,)
        Result columns.
    without_outcome : sequence of int
        Numbers of the groups without any event.
    """

    name: str
    group: NDArray[np.int64]
    columns: Mapping[str, Array]
    without_outcome: Sequence[int] = ()


def find_present_groups(checked: RowRankings) -> NDArray[np.int64]:
    """Return the numbers of the groups that have complete rows."""
    return np.flatnonzero(np.bincount(checked.group, minlength=checked.n_groups))


def compute_group_ratios(columns: Columns, checked: RowRankings) -> NDArray[np.float64]:
    """Return the accuracy ratio of each group; nan where it is undefined."""
    ratios = np.full(checked.n_groups, np.nan)
    present = find_present_groups(checked)
    if checked.keys is None and len(present) and not columns.is_constant:
        ratios[0] = compute_accuracy_ratio(columns)
    elif checked.keys is not None and len(present):
        ratios[present] = compute_accuracy_ratios(columns, checked.group)
    return ratios


def average_levels(
    checked: RowRankings, ratios: Mapping[str, Array], *, weighted: bool
) -> NDArray[np.float64]:
    """Return the mean over levels in each group, without undefined levels."""
    values = np.array(list(ratios.values()))
    shares = np.ones_like(values)
    if weighted:
        for share, ranking in zip(shares, checked.rankings, strict=True):
            columns = ranking.columns
            mass = columns.target
            if columns.weight is not None:
                mass = columns.target * columns.weight
            share[:] = np.bincount(checked.group, mass, minlength=checked.n_groups)
    shares[np.isnan(values)] = 0
    totals = (shares * np.nan_to_num(values)).sum(axis=0)
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = totals / shares.sum(axis=0)
    return means


def make_curve_part(ranking: Ranking, checked: RowRankings) -> ResultPart:
    """Return the curve points of one ranking in each group, starting at the origin."""
    present = find_present_groups(checked)
    if not len(present):
        return ResultPart(
            ranking.name,
            np.zeros(0, dtype=np.int64),
            dict.fromkeys(CURVE_COLUMNS, np.zeros(0)),
        )
    grouped = tally_groups(ranking.columns, checked.group)
    entries = grouped.entries
    starts = grouped.first[:-1]
    ends = grouped.first[1:] - 1
    n_points = grouped.sizes + 1
    n = grouped.accumulate(entries.weight)
    n_events = grouped.accumulate(entries.target)
    total_weight = np.repeat(n[ends], n_points)
    total_outcome = n_events[ends]
    origin = np.inf if ranking.columns.descending else -np.inf
    n = np.insert(n, starts, 0)
    n_events = np.insert(n_events, starts, 0)
    with np.errstate(invalid="ignore"):
        capture_rate = n_events / np.repeat(total_outcome, n_points)
    ratios = compare_with_perfect(ranking.columns, checked.group, grouped)
    columns = {
        "n": n,
        "n_events": n_events,
        "population_share": n / total_weight,
        "capture_rate": capture_rate,
        "threshold": name_grades(
            np.insert(entries.score.astype(np.float64), starts, origin), ranking.grades
        ),
        "accuracy_ratio": np.repeat(ratios, n_points),
    }
    return ResultPart(
        ranking.name,
        np.repeat(present, n_points),
        columns,
        present[total_outcome == 0].tolist(),
    )


def compare_with_perfect(
    columns: Columns, group: NDArray[np.int64], grouped: GroupedTally
) -> Array:
    """Return AR of each tallied group; nan if it is undefined or drowned by rounding."""
    perfect = tally_perfect_groups(columns, group, grouped)
    ratios, rounding = grouped.compare(perfect)
    for place, part in split_rounded_groups(columns, group, rounding):
        try:
            ratios[place] = compute_accuracy_ratio(part)
        except CapcurveError:  # the points are right all the same
            ratios[place] = np.nan
    return ratios


def make_group_curves(
    columns: Columns, checked: RowRankings
) -> Iterator[tuple[int, CapCurve]]:
    """Yield each group that has complete rows, with its curve."""
    present = find_present_groups(checked)
    if not len(present):
        return
    tallies = tally_groups(columns, checked.group)
    perfect = tally_perfect_groups(columns, checked.group, tallies)
    _, rounding = tallies.compare(perfect)
    for _, part in split_rounded_groups(columns, checked.group, rounding):
        compute_accuracy_ratio(part)  # which raises, unless the sums were exact
    for group, tally, best in zip(present.tolist(), tallies, perfect, strict=True):
        yield group, CapCurve(tally, best, descending=columns.descending)


def warn_undefined_groups(
    groups: Groups,
    what: str,
    where: Iterable[tuple[str, int]],
    effect: str = "set to nan",
    why: str = ALL_EQUAL,
) -> None:
    """Warn once about all groups and levels where a result is undefined."""
    if places := format_places(groups, where):
        warn_caller(
            f"{what} is undefined and {effect} where {why} or no row is complete: {places}",
            UndefinedMetricWarning,
        )


def format_places(
    groups: Groups,
    where: Iterable[tuple[str, int]],
    notes: Mapping[tuple[str, int], str] | None = None,
) -> str:
    """Return the keys of the first groups, with their levels and notes, as text."""
    places = sorted({(group, name if groups.are_levels else "") for name, group in where})
    named = []
    for group, level in places[:MAX_PLACES_NAMED]:
        parts = []
        if groups.keys is not None:
            keys = groups.keys[[group], :].to_dict(as_series=False)
            parts += [format_key(column, value) for column, (value,) in keys.items()]
        if level:
            parts.append(f"level {level!r}")
        note = (notes or {}).get((level, group))
        named.append((", ".join(parts) or "`data`") + (f" ({note})" if note else ""))
    if len(places) > MAX_PLACES_NAMED:
        named.append(f"{len(places) - MAX_PLACES_NAMED} more")
    return "; ".join(named)


def format_key(column: str, value: object) -> str:
    """Return the key of a group in words; text that would not read as a word in quotes."""
    if value is None:
        return f"missing {column}"
    text = str(value)
    is_plain = text.isprintable() and text == text.strip() != "" and not {*text} & {*",;'"}
    return f"{column} {text if is_plain else repr(text)}"


def stack_parts(
    groups: Groups, parts: Sequence[ResultPart], label: str | None
) -> NativeFrame:
    """Return the rows of all parts as a native data frame, sorted by group, with keys.

    ``label`` is the name of the column that identifies models or levels, if needed.
    """
    group = np.concatenate([part.group for part in parts] or [np.zeros(0, dtype=np.int64)])
    order = np.argsort(group, kind="stable")
    columns = {}
    if label is not None:
        names = [np.full(len(part.group), part.name, dtype=object) for part in parts]
        columns[label] = np.concatenate(names)[order].tolist()
    for name in parts[0].columns:
        stacked = np.concatenate([part.columns[name] for part in parts])[order]
        columns[name] = stacked.tolist() if stacked.dtype == object else stacked
    backend = groups.backend
    if groups.keys is None:
        schema = {name: text_type(column) for name, column in columns.items()}
        frame = nw.from_dict(columns, schema, backend=backend)
    else:
        refuse_result_names(groups.keys.columns, columns)
        keys = nw.maybe_reset_index(groups.keys[group[order], :])
        series = (
            nw.new_series(name, column, text_type(column), backend=backend)
            for name, column in columns.items()
        )
        frame = keys.with_columns(*series)
    native: NativeFrame = frame.to_native()
    return native


def text_type(column: Array | list[Any]) -> nw.dtypes.DType | type[nw.String] | None:
    """Return the type of a column without rows that would hold text; None of others."""
    return nw.String if isinstance(column, list) and not column else None


def refuse_result_names(by: Iterable[str], columns: Iterable[str]) -> None:
    """Raise if a grouping column is called like a column of the result."""
    if taken := set(by) & set(columns):
        raise CapcurveError(
            f"`by` must not name columns that the result has too, got {sorted(taken)}; "
            "rename them first"
        )
