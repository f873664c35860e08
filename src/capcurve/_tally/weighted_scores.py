"""Weighted pairs of events and non-events, from one sort and without a tally."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import Array
from capcurve._tally.marked_scores import mark_grades
from capcurve._tally.order import PACKING_PAYS, PackedRows, pack_rows
from capcurve._tally.sums import dot
from capcurve._tally.threads import map_chunks

FEW = 1e-6  # share of a class below which rounding is left to tallies, which bound it


class WeightedSigns(NamedTuple):
    """Sums over pairs of an event and a non-event, and the weight of each class.

    Attributes
    ----------
    surplus : float
        Weight of concordant less that of discordant pairs, if high scores rank first.
    events, others : float
        Weight of the events, and that of the non-events.
    """

    surplus: float
    events: float
    others: float


class Runs(NamedTuple):
    """Rows whose keys equal that of a neighbour, in the order of the keys.

    Attributes
    ----------
    rows : ndarray of int64
        Row numbers.
    event : ndarray of bool
        Whether each is an event; of equal scores they come last.
    starts : ndarray of bool
        Whether a run of equal keys begins.
    """

    rows: NDArray[np.int64]
    event: NDArray[np.bool_]
    starts: NDArray[np.bool_]


def sum_weighted_signs(
    score: Array, weight: Array, event: NDArray[np.bool_]
) -> WeightedSigns | None:
    """Add up the weights of pairs; None of few rows, or where rounding may matter."""
    if len(score) < PACKING_PAYS:
        return None
    found = sum_signs_by_grade(score, weight, event)
    if found is None:
        found = sum_signs_by_order(score, weight, event)
    few, many = sorted(found[1:])
    return found if few > FEW * many else None


def sum_signs_by_grade(
    score: Array, weight: Array, event: NDArray[np.bool_]
) -> WeightedSigns | None:
    """Add up the weights of pairs of grades, which need no sort; None of other scores."""
    grades = mark_grades(score, event)
    if grades is None:
        return None
    cell, n_grades = grades
    others, events = np.bincount(cell, weight, 2 * n_grades).reshape(-1, 2).T
    up_to = np.cumsum(others)
    n_events = float(events.sum())
    surplus = dot(events, 2 * up_to - others) - n_events * float(up_to[-1])
    return WeightedSigns(surplus, n_events, float(up_to[-1]))


def sum_signs_by_order(
    score: Array, weight: Array, event: NDArray[np.bool_]
) -> WeightedSigns:
    """Add up the weights of pairs: an event beats the non-events below it."""
    packed = pack_rows(score, event)
    tied = np.empty(len(score) - 1, dtype=np.bool_)

    def add_up(rows: slice) -> tuple[float, float, float, bool]:
        weights = weight.take(packed.find_rows(rows))
        of_events = weights * packed.find_marks(rows)
        weights -= of_events
        below = np.cumsum(weights)
        ties = packed.find_ties(rows, out=tied[rows])
        ranks = dot(of_events, below)
        has_ties = bool(np.count_nonzero(ties))
        return ranks, float(of_events.sum()), float(below[-1]), has_ties

    ranks = events = others = 0.0
    has_ties = False
    for found in map_chunks(add_up, len(score)):
        ranks += found[0] + others * found[1]
        events, others = events + found[1], others + found[2]
        has_ties |= found[3]
    excess = measure_excess(find_runs(packed, tied), score, weight) if has_ties else 0.0
    return WeightedSigns(2 * ranks - events * others - excess, events, others)


def find_runs(packed: PackedRows, tied: NDArray[np.bool_]) -> Runs:
    """Find the runs of equal keys."""
    in_run = np.append(tied, False)
    in_run[1:] |= tied
    place = np.flatnonzero(in_run)
    starts = np.append(True, ~tied)[place]
    return Runs(packed.find_rows(place), packed.find_marks(place), starts)


def measure_excess(runs: Runs, score: Array, weight: Array) -> float:
    """Return by how much the pairs within runs were counted too high.

    All of them were counted as concordant, as events come last in a run. Tied ones count 0,
    and scores that differ, though their keys lost the bits that tell, decide about others.
    """
    runs, changes = sort_runs(runs, score[runs.rows])
    weights = weight[runs.rows]
    events = weights * runs.event
    first = np.flatnonzero(changes)
    others = np.add.reduceat(weights - events, first)
    events = np.add.reduceat(events, first)
    if len(first) == np.count_nonzero(runs.starts):
        return float(dot(events, others))
    of_run = np.flatnonzero(runs.starts[first])
    sizes = np.diff(of_run, append=len(first))
    below = np.cumsum(others) - others
    below -= np.repeat(below[of_run], sizes)
    all_others = np.repeat(np.add.reduceat(others, of_run), sizes)
    return float(dot(events, 2 * (all_others - below) - others))


def sort_runs(runs: Runs, score: Array) -> tuple[Runs, NDArray[np.bool_]]:
    """Sort the rows of runs in which scores differ; also tell where a score begins."""
    changes = runs.starts.copy()
    changes[1:] |= score[1:] != score[:-1]
    broken = np.flatnonzero(changes & ~runs.starts)
    if not len(broken):
        return runs, changes
    run = np.cumsum(runs.starts) - 1
    is_broken = np.zeros(run[-1] + 1, dtype=np.bool_)
    is_broken[run[broken]] = True
    place = np.flatnonzero(is_broken[run])
    at = place[np.lexsort((runs.event[place], score[place], run[place]))]
    rows, event, score = runs.rows.copy(), runs.event.copy(), score.copy()
    rows[place], event[place], score[place] = runs.rows[at], runs.event[at], score[at]
    changes[1:] = runs.starts[1:] | (score[1:] != score[:-1])
    return Runs(rows, event, runs.starts), changes
