"""Grouped rankings -> result rows, stacked beside the keys of their groups."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from capcurve._engines import arrays
from capcurve._input import Array, Columns
from capcurve._roles import Ranking, Roles
from capcurve._tally import Tally
from capcurve.curve import CapCurve
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller

CURVE = ("n", "n_events", "population_share", "capture_rate", "threshold")
PLACES_NAMED = 5


class Part(NamedTuple):
    """Result rows of one model or level, with the number of the group of each."""

    name: str
    group: NDArray[np.int64]
    columns: Mapping[str, Array]
    without_outcome: Sequence[int] = ()


def present_groups(roles: Roles) -> NDArray[np.int64]:
    """List the groups that have complete rows."""
    return np.flatnonzero(np.bincount(roles.group, minlength=roles.n_groups))


def ratios_of(columns: Columns, roles: Roles) -> NDArray[np.float64]:
    """Compute the accuracy ratio of every group, nan where there is none."""
    ratios = np.full(roles.n_groups, np.nan)
    present = present_groups(roles)
    if roles.keys is None and len(present) and not columns.is_constant:
        ratios[0] = arrays.accuracy_ratio(columns)
    elif roles.keys is not None and len(present):
        ratios[present] = arrays.accuracy_ratios(columns, roles.group)
    return ratios


def average_levels(
    roles: Roles, ratios: Mapping[str, Array], *, weighted: bool
) -> NDArray[np.float64]:
    """Average over levels in every group, leaving out what is undefined."""
    values = np.array(list(ratios.values()))
    shares = np.ones_like(values)
    if weighted:
        for share, (_, columns) in zip(shares, roles.rankings, strict=True):
            mass = (
                columns.target
                if columns.weight is None
                else columns.target * columns.weight
            )
            share[:] = np.bincount(roles.group, mass, minlength=roles.n_groups)
    shares[np.isnan(values)] = 0
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = (shares * np.nan_to_num(values)).sum(
            axis=0
        ) / shares.sum(axis=0)
    return means


def curve_part(ranking: Ranking, roles: Roles) -> Part:
    """Accumulate the rows of one ranking in every group, each behind a row of zeros."""
    present = present_groups(roles)
    if not len(present):
        return Part(
            ranking.name, np.zeros(0, dtype=np.int64), dict.fromkeys(CURVE, np.zeros(0))
        )
    grouped = arrays.tally_groups(ranking.columns, roles.group)
    entries, ends, points = grouped.entries, grouped.first[1:] - 1, grouped.sizes + 1
    n = grouped.accumulated(entries.weight, grouped.total_weight)
    n_events = grouped.accumulated(entries.target, grouped.total_target)
    weight, outcome = n[ends], n_events[ends]
    nothing = np.inf if ranking.columns.descending else -np.inf
    n, n_events, threshold = (
        np.insert(column, grouped.first[:-1], first)
        for column, first in (
            (n, 0),
            (n_events, 0),
            (entries.score.astype(np.float64), nothing),
        )
    )
    with np.errstate(invalid="ignore"):
        captured = n_events / np.repeat(outcome, points)
    columns = (n, n_events, n / np.repeat(weight, points), captured, threshold)
    return Part(
        ranking.name,
        np.repeat(present, points),
        dict(zip(CURVE, columns, strict=True)),
        present[outcome == 0].tolist(),
    )


def curves_of(columns: Columns, roles: Roles) -> Iterator[tuple[int, CapCurve]]:
    """Make the curve of each group that has complete rows."""
    present = present_groups(roles)
    if not len(present):
        return
    tallies = arrays.tally_groups(columns, roles.group)
    perfect: Iterable[Tally] = (tally.events_first() for tally in tallies)
    if not columns.has_events:
        perfect = arrays.tally_groups(columns.ranked_by_target(), roles.group)
    for number, tally, best in zip(present.tolist(), tallies, perfect, strict=True):
        yield number, CapCurve(tally, best, 0.0, columns.descending)


def warn_undefined(roles: Roles, what: str, where: Iterable[tuple[str, int]]) -> None:
    """Warn once of all that is undefined, naming levels and groups."""
    if places := places_text(roles, where):
        warn_caller(
            f"{what} is undefined and set to nan where all outcomes are equal or no row is "
            f"complete: {places}",
            UndefinedMetricWarning,
        )


def places_text(roles: Roles, where: Iterable[tuple[str, int]]) -> str:
    """Name some groups, and levels of them."""
    places = sorted({(group, name if roles.are_levels else "") for name, group in where})
    named = []
    for group, level in places[:PLACES_NAMED]:
        parts = []
        if roles.keys is not None:
            keys = roles.keys[[group], :].to_dict(as_series=False)
            parts += [f"{column}={value!r}" for column, (value,) in keys.items()]
        parts += [f"level {level!r}"] if level else []
        named.append(", ".join(parts) or "`data`")
    if len(places) > PLACES_NAMED:
        named.append(f"{len(places) - PLACES_NAMED} more")
    return "; ".join(named)


def stack(roles: Roles, parts: Sequence[Part], label: str | None) -> Any:
    """Put the rows of all rankings beside the keys of their group, group by group."""
    group = np.concatenate([part.group for part in parts] or [np.zeros(0, dtype=np.int64)])
    order = np.argsort(group, kind="stable")
    columns = {}
    if label is not None:
        names = [np.full(len(part.group), part.name, dtype=object) for part in parts]
        columns[label] = np.concatenate(names)[order].tolist()
    for name in parts[0].columns:
        stacked = np.concatenate([part.columns[name] for part in parts])[order]
        columns[name] = stacked.tolist() if stacked.dtype == object else stacked
    backend = roles.frame.implementation
    if roles.keys is None:
        return nw.from_dict(columns, backend=backend).to_native()
    taken = set(columns) & set(roles.keys.columns)
    if taken:
        raise CapcurveError(
            f"`by` names {sorted(taken)}, which the result has too; rename them first"
        )
    keys = nw.maybe_reset_index(roles.keys[group[order], :])
    series = [
        nw.new_series(name, column, backend=backend) for name, column in columns.items()
    ]
    return keys.with_columns(*series).to_native()
