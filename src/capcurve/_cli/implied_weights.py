"""Weights of events beside their numbers, in rows of ``capcurve implied``."""

from collections.abc import Sequence

import numpy as np

from capcurve._cli.rows import Row
from capcurve._cli.segments import list_keys
from capcurve._engines.row_rankings import RowRankings
from capcurve._frames.compare_implied import read_group
from capcurve._frames.group_intervals import split_rankings
from capcurve._tally.sums import dot

WEIGHTS = ("expected_weight_of_events", "weight_of_events")
HEADINGS = {  # of rows beside weights, as in a report
    "expected_events": "expected_events_(rows)",
    "n_events": "events_(rows)",
}


def add_weights(
    rows: Sequence[Row], checked: RowRankings, models: Sequence[str]
) -> list[Row]:
    """Add the weights that the shift makes equal, unless each is the number of its rows."""
    if not has_sampling_weights(checked):
        return list(rows)
    keys = [{}] if checked.keys is None else list_keys(checked)
    found = {}
    for number, rankings in split_rankings(checked):
        group = tuple(keys[number].values())
        for ranking in rankings[: len(models)]:
            columns = ranking.columns
            expected = float(dot(columns.mass, read_group(ranking)))
            found[group, ranking.name] = expected, float(columns.target_mass)
    nothing = (None, None)
    return [
        row._replace(
            cells=row.cells
            | dict(
                zip(
                    WEIGHTS,
                    found.get((tuple(row.group.values()), row.cells["estimate"]), nothing),
                    strict=True,
                )
            )
        )
        for row in rows
    ]


def has_sampling_weights(checked: RowRankings) -> bool:
    """Whether rows have weights that are not numbers of rows."""
    columns = checked.rankings[0].columns
    return not np.array_equal(columns.mass, columns.row_counts)
