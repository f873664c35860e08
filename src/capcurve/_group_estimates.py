"""Checked rankings of grouped rows -> estimates and comparisons of each group."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from capcurve._input import Array, Columns
from capcurve._precision import FEW_EVENTS, Options, counts_of, smallest_class
from capcurve._ratio_estimates import average_estimate, ratio_estimate
from capcurve._results import places_text
from capcurve._roles import Ranking, Roles
from capcurve.estimates import Estimate
from capcurve.exceptions import FewEventsWarning, warn_caller


def interval_columns(
    roles: Roles, names: Sequence[str], options: Options, *, weighted: bool
) -> dict[str, dict[str, Array]]:
    """Make the columns of an interval, by model; of levels those of their average."""
    shape = len(names), roles.n_groups
    errors, lows, highs = (np.full(shape, np.nan) for _ in range(3))
    counts = np.zeros(shape, dtype=np.int64)
    few = []
    for group, rankings in rankings_by_group(roles):
        few += [(name, group) for name, columns in rankings if rests_on_few(columns)]
        estimates = estimates_of(rankings, roles, options, weighted=weighted)
        for place, (estimate, n_events) in enumerate(estimates):
            errors[place, group] = estimate.standard_error
            lows[place, group], highs[place, group] = estimate.low, estimate.high
            counts[place, group] = n_events
    warn_few(roles, few)
    return {
        name: {"std_error": error, "low": low, "high": high, "n_events": count}
        for name, error, low, high, count in zip(
            names, errors, lows, highs, counts, strict=True
        )
    }


def estimates_of(
    rankings: Sequence[Ranking], roles: Roles, options: Options, *, weighted: bool
) -> list[tuple[Estimate, int]]:
    """Estimate each model, or the average over levels, and count what it rests on."""
    if not roles.are_levels:
        return [
            (ratio_estimate(columns, options), counts_of(columns)[0])
            for _, columns in rankings
        ]
    average = average_estimate(rankings, options, weighted=weighted)
    return [(average, min(counts_of(columns)[0] for _, columns in rankings))]


def rankings_by_group(roles: Roles) -> Iterator[tuple[int, list[Ranking]]]:
    """Cut the rankings of all rows into those of each group that has rows."""
    for group, rows in rows_by_group(roles):
        yield (
            group,
            [Ranking(ranking.name, ranking.columns[rows]) for ranking in roles.rankings],
        )


def rows_by_group(roles: Roles) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """List the rows of each group that has some."""
    order = np.argsort(roles.group, kind="stable")
    ends = np.cumsum(np.bincount(roles.group, minlength=roles.n_groups))
    for group, rows in enumerate(np.split(order, ends[:-1])):
        if len(rows):
            yield group, rows


def rests_on_few(columns: Columns) -> bool:
    """Whether an interval rests on few events."""
    return not columns.is_constant and smallest_class(columns) < FEW_EVENTS


def warn_few(roles: Roles, few: Sequence[tuple[str, int]]) -> None:
    """Warn once of all intervals that rest on few events, naming levels and groups."""
    if few:
        warn_caller(
            f"the interval rests on fewer than {FEW_EVENTS} events or non-events, and may "
            f"hold the true number less often than it says: {places_text(roles, few)}",
            FewEventsWarning,
        )
