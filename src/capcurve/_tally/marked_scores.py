"""Scores with the class in their lowest bit, so that one sort of integers ranks both."""

from math import frexp, isinf, ldexp

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import Array, IntArray
from capcurve._tally.order import find_run_ends
from capcurve._tally.threads import map_chunks

SMALL = 1 << 30  # whole numbers below fit 32 bits together with the class
LARGE = 1 << 62
ROWS_PER_GRADE = 8  # from which counting grades is faster than sorting
FIRST = 100  # rows that tell for most scores that they are in no order
FEW = 8  # rows that tell, at the most, how many decimal places the others have
MOST_PLACES = 6  # of scores that are counted


def mark_grades(score: Array, event: NDArray[np.bool_]) -> tuple[IntArray, int] | None:
    """Return twice the number of each grade, plus 1 for an event, and how many there are.

    Grades are whole numbers between which there are few others, such as points, or numbers
    of a few decimal places, such as rounded PDs, numbered from 0 on. None of other scores.
    """
    if score.dtype.kind == "f":
        return mark_decimals(score, event)
    low = score.min()
    n_grades = int(score.max()) - int(low) + 1
    if n_grades * ROWS_PER_GRADE > len(score):
        return None
    cell = np.empty(len(score), dtype=np.int64)
    width = np.uint64 if score.dtype.kind == "u" else np.int64

    def mark(rows: slice) -> None:
        part = cell[rows]
        np.subtract(score[rows], low, out=part, dtype=width, casting="unsafe")
        part *= 2
        part += event[rows]

    map_chunks(mark, len(score))
    return cell, n_grades


def mark_decimals(score: Array, event: NDArray[np.bool_]) -> tuple[IntArray, int] | None:
    """Return the same of decimals of a few places; None of other floats.

    A score is the quotient of its number and a power of ten, to the last bit, so that the
    numbers are in the order of the scores and tie where they do.
    """
    places = count_places(score[:: len(score) // FEW + 1].tolist())
    if places is None:
        return None
    scale = 10.0**places
    low, high = (each * scale for each in find_extremes(score))
    if not (high - low) * ROWS_PER_GRADE < len(score):  # also if one is infinite
        return None
    cell = np.empty(len(score), dtype=np.int64)
    first, last = np.rint([low, high])

    def mark(rows: slice) -> bool:
        number = np.multiply(score[rows], scale, dtype=np.float64)
        np.rint(number, out=number)
        if not np.array_equal(number / scale, score[rows]):
            return False
        number -= first
        number *= 2
        number += event[rows]
        cell[rows] = number
        return True

    are_decimals = all(map_chunks(mark, len(score)))
    return (cell, int(last - first) + 1) if are_decimals else None


def count_places(scores: list[float]) -> int | None:
    """Count the decimal places that some scores have at most; None if they have many."""
    places = 0
    for score in scores:
        while round(score, places) != score:
            places += 1
            if places > MOST_PLACES:
                return None
    return places


def sum_signs_of_grades(score: Array, event: NDArray[np.bool_]) -> int | None:
    """Count concordant less discordant pairs without sorting; None of other scores."""
    grades = mark_grades(score, event)
    if grades is None:
        return None
    cell, n_grades = grades
    counts = np.bincount(cell, minlength=2 * n_grades).astype(np.int64, copy=False)
    others, events = counts.reshape(-1, 2).T
    up_to = np.cumsum(others)
    return int(events @ (2 * up_to - others)) - int(events.sum()) * int(up_to[-1])


def mark_events(score: Array, event: NDArray[np.bool_]) -> Array | None:
    """Return integers in the order of the scores; of equal scores the events come last.

    The lowest bit is 1 for an event. None if the scores leave no bit for it.
    """
    if score.dtype.kind == "f":
        return mark_floats(score, event)
    largest = max(int(score.max()), -int(score.min()))
    if largest >= LARGE:
        return None
    key: Array = score.astype(np.int32 if largest < SMALL else np.int64)
    key <<= key.dtype.type(1)
    key |= event
    return key


def mark_floats(score: Array, event: NDArray[np.bool_]) -> Array | None:
    """Return integers in the order of floats, marked; None if there is no bit to spare.

    The bits of floats from 0 on ascend as the floats do, and the highest is 0. Below 2 the
    second highest is 0 too, which is where scores of both signs are brought by a power of
    two, unless tiny ones would become equal.
    """
    if score.dtype.itemsize < np.dtype(np.float32).itemsize:
        score = score.astype(np.float32)
    lowest, highest = find_extremes(score)
    is_signed = lowest < 0
    if is_signed and isinf(max(-lowest, highest)):
        return None
    exponent = frexp(max(-lowest, highest))[1] - 1 if is_signed else 0
    scale = score.dtype.type(ldexp(1.0, -max(exponent, 0)))
    bits = 8 * score.dtype.itemsize
    key = np.empty(len(score), dtype=f"{'i' if is_signed else 'u'}{score.dtype.itemsize}")
    one, last = key.dtype.type(1), key.dtype.type(bits - 1)

    def mark(rows: slice) -> bool:
        part, marked = score[rows], key[rows]
        if scale != 1:
            with np.errstate(under="ignore"):
                part = part * scale
            if not np.array_equal(part / scale, score[rows]):
                return False
        np.add(part, 0, out=marked.view(score.dtype))  # -0.0 becomes 0.0
        if is_signed:
            marked ^= (marked >> last) & np.iinfo(key.dtype).max
        marked <<= one
        marked |= event[rows]
        return True

    return key if all(map_chunks(mark, len(score))) else None


def find_extremes(values: Array) -> tuple[float, float]:
    """Return the lowest and the highest of floats."""
    found = map_chunks(lambda rows: (values[rows].min(), values[rows].max()), len(values))
    return float(min(low for low, _ in found)), float(max(high for _, high in found))


def unmark_events(key: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Split keys of `mark_events` into those of the scores, made in place, and events."""
    one = key.dtype.type(1)
    event = np.empty(len(key), dtype=np.bool_)

    def unmark(rows: slice) -> None:
        part = key[rows]
        event[rows] = part & one
        part >>= one

    map_chunks(unmark, len(key))
    return key, event


def sum_marked_signs(key: Array) -> int:
    """Count concordant less discordant pairs of sorted keys, as `sum_signs` does.

    Events come last in a run of ties, so that its pairs are counted as concordant: they are
    taken off. The last other row of such a run and its first event differ in one bit.
    """
    one = key.dtype.type(1)

    def count(rows: slice) -> tuple[int, int, int]:
        part = key[rows.start : rows.stop + 1]
        place = (key[rows] & one).astype(np.bool_).nonzero()[0]
        ranks = int(place.sum(dtype=np.int64)) + rows.start * len(place)
        last = ((part[1:] ^ part[:-1]) == one).nonzero()[0] + rows.start
        return len(place), ranks, count_tied_pairs(key, last) if len(last) else 0

    m = ranks = tied = 0
    for found in map_chunks(count, len(key)):
        m, ranks, tied = m + found[0], ranks + found[1], tied + found[2]
    return 2 * ranks - m * (m - 1) - m * (len(key) - m) - tied


def count_tied_pairs(key: Array, last: Array) -> int:
    """Count the pairs of both classes in runs of ties, by the last other row of each."""
    score = key[last]
    others = last + 1 - key.searchsorted(score, side="left")
    events = key.searchsorted(score | key.dtype.type(1), side="right") - last - 1
    return int((others.astype(np.int64) * events).sum())


def sum_signs_in_order(score: Array, event: NDArray[np.bool_]) -> int | None:
    """Count concordant less discordant pairs of ordered rows; None if there is no order."""
    for direction, ahead, back in ((1, np.greater, np.less), (-1, np.less, np.greater)):
        if count_steps(back, score[:FIRST]):  # which tell for most scores
            continue
        are_equal = score[0] == score[-1]
        if not are_equal and count_steps(ahead, score) == len(score) - 1:
            return direction * sum_signs_without_ties(event)
        if not count_steps(back, score):
            return 0 if are_equal else direction * sum_signs(score, event)[0]
    return None


def count_steps(compare: np.ufunc, score: Array) -> int:
    """Count the scores that are less, or greater, than the one before."""

    def count(rows: slice) -> int:
        after = score[rows.start + 1 : rows.stop + 1]
        return int(np.count_nonzero(compare(after, score[rows][: len(after)])))

    return sum(map_chunks(count, len(score)))


def sum_signs_without_ties(event: NDArray[np.bool_]) -> int:
    """Count concordant less discordant pairs of rows whose scores ascend."""
    place = event.nonzero()[0]
    m = len(place)
    return 2 * int(place.sum(dtype=np.int64)) - m * (m - 1) - m * (len(event) - m)


def sum_signs(
    ordered: Array, event: NDArray[np.bool_], first: IntArray | None = None
) -> list[int]:
    """Count concordant less discordant pairs of ordered rows, by group.

    It is twice the rank sum of Mann and Whitney (1947), doi:10.1214/aoms/1177730491. Sums
    are of 64 bits on every platform: 2^31 pairs are less than a hundred thousand rows.

    Parameters
    ----------
    ordered : ndarray, shape (n_rows,)
        Scores, ascending within each group; where they descend, the sign changes.
    event : ndarray of bool, shape (n_rows,)
        Whether each row is an event.
    first : ndarray of int64, shape (n_groups + 1,)
        Where each group starts, and the number of rows. None: all rows are one group.
    """
    if first is None:
        first = np.array([0, len(event)], dtype=np.int64)
    place = event.nonzero()[0]
    bounds = place.searchsorted(first).astype(np.int64)
    m, sizes = bounds[1:] - bounds[:-1], first[1:] - first[:-1]
    ranks = sum_between(place, bounds) - m * first[:-1]
    surplus = 2 * ranks - m * (m - 1) - m * (sizes - m)
    tied = ordered[1:] == ordered[:-1]
    tied[first[1:-1] - 1] = False
    if np.count_nonzero(tied):
        surplus += correct_ties(tied, event, place, first)
    signs: list[int] = surplus.tolist()
    return signs


def correct_ties(
    tied: NDArray[np.bool_], event: NDArray[np.bool_], place: Array, first: IntArray
) -> IntArray:
    """Return twice what mean ranks of tied rows add to the events' places, by group."""
    starts = np.flatnonzero(np.concatenate([[True], ~tied, [True]]))
    tied &= event[1:] != event[:-1]  # in other runs all rows are of one class
    run = starts.searchsorted(np.flatnonzero(tied), side="right") - 1
    run = run[find_run_ends(run)]
    start, stop = (starts[at].astype(np.int64) for at in (run, run + 1))
    before, up_to = place.searchsorted(start), place.searchsorted(stop)
    reached = np.cumsum(np.append(0, place), dtype=np.int64)
    found = reached[up_to] - reached[before]
    added = (up_to - before) * (start + (stop - 1)) - 2 * found
    return sum_between(added, start.searchsorted(first))


def sum_between(values: Array, bounds: Array) -> IntArray:
    """Sum integers between neighbouring bounds, which ascend from 0 to their number."""
    if len(bounds) == 2:  # noqa: PLR2004 -- a single sum
        return np.array([values.sum(dtype=np.int64)])
    reached = np.cumsum(np.append(0, values), dtype=np.int64)
    return np.diff(reached[bounds])
