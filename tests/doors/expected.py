"""Exact answers by brute force over pairs of rows; nothing of capcurve is used.

AR, KS, capture rates and counts come from `fuzz.oracle`. The intervals are made here: every
statistic is a quotient of two sums over pairs of rows, so that the influence of a row is a
derivative by its weight, in fractions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import inf, nan, prod
from types import MappingProxyType
from typing import Any, NamedTuple

from scipy.stats import beta, norm, t

from doors.meanings import MEANINGS, Levels, Meaning
from fuzz import oracle
from fuzz.oracle import sign

Key = tuple[str, ...]  # the values of a group, or a class label
Answer = dict[Key, dict[str, float]]
BOUNDS = ("lower", "upper")  # guaranteed bounds of AR, between which it must lie


class Row(NamedTuple):
    """A row as it is to be read."""

    key: Key
    outcome: Any
    rank: Any
    weight: Fraction
    cluster: Hashable


class Statistic(NamedTuple):
    """A value, and by how much each row moves it per relative change of its weight."""

    value: Fraction
    psi: list[Fraction]
    pairs: list[Fraction]


@cache
def expect(name: str) -> Answer:
    """Compute the numbers of each group, or of each class label and their mean."""
    meaning = MEANINGS[name]
    level = meaning.options.get("confidence_level", 0.95)
    if meaning.has_labels:
        return expect_labels(meaning, level)
    groups = defaultdict(list)
    for row in list_rows(meaning):
        groups[row.key].append(row)
    return {key: describe(rows, level) for key, rows in groups.items()}


def expect_labels(meaning: Meaning, level: float) -> Answer:
    """Compute the numbers of each label against the rest, and of their mean."""
    answer, statistics, labelled = {}, [], []
    for name, ranks in meaning.scores.items():
        label = name.removeprefix("prob_")
        rows = [
            Row((), int(outcome == label), rank, Fraction(1), None)
            for outcome, rank in zip(meaning.outcome, ranks, strict=True)
        ]
        answer[label,] = describe(rows, level)
        statistics.append(compare_pairs(rows, lambda one, other: one - other))
        labelled = [
            row._replace(outcome=o) for row, o in zip(rows, meaning.outcome, strict=True)
        ]
    n = len(statistics)
    mean = Statistic(
        sum(found.value for found in statistics) / n,
        [sum(psi) / n for psi in zip(*(found.psi for found in statistics), strict=True)],
        [],
    )
    low, high = find_limits(
        labelled, mean, meaning.outcome, level, measure_reach(meaning.outcome)
    )
    answer["macro",] = {"accuracy_ratio": float(mean.value), "low": low, "high": high}
    return answer


def measure_reach(labels: Sequence[Any]) -> dict[Any, float]:
    """Compute how far a row of each label moves the mean of its ratios.

    It is an event for its own label, and one of the non-events of every other label.
    """
    sizes = Counter(labels)
    share = Fraction(1, len(sizes))
    return {
        label: float(
            share
            + sum(
                share * size / (len(labels) - sizes[other])
                for other in sizes
                if other != label
            )
        )
        for label, size in sizes.items()
    }


def list_rows(meaning: Meaning) -> Iterator[Row]:
    """List the complete rows of positive weight; rows that were counted one by one."""
    n_rows = len(meaning.rank)
    given = [meaning.truth, *meaning.scores.values(), *meaning.parts.values()]
    lists = [column.cells if isinstance(column, Levels) else column for column in given]
    gaps = {
        row
        for column in lists
        if column
        for row in range(len(column))
        if column[row] is None
    }
    counts = meaning.parts.get("counts", [1] * n_rows)
    if events := meaning.parts.get("events"):
        counts = [*events, *(n - d for n, d in zip(counts, events, strict=True))]
    weights = meaning.parts.get("case_weights", [1] * n_rows)
    clusters = meaning.parts.get("clusters", [None] * n_rows)
    for row in range(n_rows):
        if row not in gaps and weights[row]:
            key = tuple(str(column[row] or "(missing)") for column in meaning.by.values())
            yield from counts[row] * [
                Row(
                    key,
                    meaning.outcome[row],
                    meaning.rank[row],
                    Fraction(weights[row]),
                    clusters[row],
                )
            ]


def describe(rows: list[Row], level: float) -> dict[str, float]:
    """Compute AR and Somers' D with their intervals, and what is read off the curve."""
    outcomes = [row.outcome for row in rows]
    if len(set(outcomes)) == 1:
        return dict.fromkeys(("accuracy_ratio", "low", "high"), nan)
    read = oracle.read_rows(
        outcomes, [row.rank for row in rows], [row.weight for row in rows]
    )
    has_events = set(outcomes) <= {0, 1}
    ratio = compare_pairs(rows, lambda one, other: one - other)
    low, high = find_limits(rows, ratio, outcomes if has_events else None, level)
    numbers = {
        "accuracy_ratio": float(ratio.value),
        **dict.fromkeys(BOUNDS, float(ratio.value)),
        "low": low,
        "high": high,
        "ks": float(oracle.ks(read)),
        "capture_10": float(read.curve.rate_at(Fraction(1, 10))),
        "n": float(read.total_weight),
        "n_events": float(read.total_outcome),
    }
    if has_events:
        return numbers
    found = compare_pairs(rows, lambda one, other: sign(one - other))
    low, high = find_limits(rows, found, None, level)
    return numbers | {
        "somers_d": float(found.value),
        "somers_d_low": low,
        "somers_d_high": high,
    }


def compare_pairs(rows: Sequence[Row], weigh: Callable[[Any, Any], Any]) -> Statistic:
    """Divide what pairs add by the score by what they add by the outcome itself.

    ``weigh`` says how much the outcomes of a pair differ.
    """
    surplus, perfect = [], []
    for one in rows:
        pairs = [
            (
                other.weight * Fraction(weigh(one.outcome, other.outcome)),
                sign_of(one.rank, other.rank),
                sign_of(one.outcome, other.outcome),
            )
            for other in rows
        ]
        surplus.append(one.weight * sum(amount * ranked for amount, ranked, _ in pairs))
        perfect.append(one.weight * sum(amount * better for amount, _, better in pairs))
    total = sum(perfect)
    value = sum(surplus) / total
    psi = [
        2 * (own - value * best) / total for own, best in zip(surplus, perfect, strict=True)
    ]
    return Statistic(value, psi, perfect)


def sign_of(one: Any, other: Any) -> int:
    """Compare two scores, which may be infinite."""
    return (one > other) - (one < other)


def keep_of_centre(sizes: Sequence[float], moves: Sequence[float]) -> float:
    """Compute the factor by which pseudo-observations pull a ratio towards 0."""
    kept = prod(
        1 - move * 0.5 / (size + 0.5) for size, move in zip(sizes, moves, strict=True)
    )
    n_strata = sum(moves) ** 2 / sum(move**2 for move in moves)
    return float(kept ** min(1, (2 / n_strata) ** 0.5))


def find_limits(
    rows: Sequence[Row],
    found: Statistic,
    strata: Sequence[Any] | None,
    level: float,
    reach: Mapping[Any, float] = MappingProxyType({}),
) -> tuple[float, float]:
    """Compute beta limits; the rows of each stratum are a sample of their own.

    With clusters, sums over the rows of a cluster take the place of rows. A stratum
    without a ``reach`` has that of a single ratio, 1.
    """
    clustered = rows[0].cluster is not None
    units: dict[Any, dict[Any, list[Fraction]]] = defaultdict(
        lambda: defaultdict(lambda: [Fraction(0), Fraction(0)])
    )
    overall: dict[Any, Fraction] = defaultdict(Fraction)
    for number, (row, psi) in enumerate(zip(rows, found.psi, strict=True)):
        unit = row.cluster if clustered else number
        entry = units[None if strata is None else strata[number]][unit]
        entry[0] += psi
        entry[1] += row.weight if strata is not None else found.pairs[number]
        overall[unit] += psi
    samples = [list(sample.values()) for sample in units.values()]
    within = sum(psi**2 for sample in samples for psi, _ in sample)
    across = sum(total**2 for total in overall.values()) - within
    cross = float(across * len(overall) / (len(overall) - 1)) / 4
    sizes = [effective_size([share for _, share in sample]) for sample in samples]
    dfs = [size - 1 for size in sizes]
    tails = count_tails([psi for sample in samples for psi, _ in sample])
    factor, moves = 1.0, [reach.get(stratum, 1.0) for stratum in units]
    if strata is None:
        dfs, sizes = [min(sizes[0] - 1, tails)], [sizes[0] / 2]
    else:
        equal = [
            psi * sum(each for _, each in sample) / (share * len(sample))
            for sample in samples
            for psi, share in sample
        ]
        factor = min(1.0, tails / count_tails(equal)) if within else 1.0
    centre = float(found.value) / 2 * keep_of_centre(sizes, moves)
    added = 0.5 * (0.25 + centre**2)
    variances = [
        (size**2 * float(sum(psi**2 for psi, _ in sample)) / 4 + move**2 * added)
        / ((size - 0.5) * (size + 0.5))
        for size, sample, move in zip(sizes, samples, moves, strict=True)
    ]
    df = factor * sum(variances) ** 2
    df /= sum(variance**2 / each for variance, each in zip(variances, dfs, strict=True))
    low, high = find_quantiles(0.5 + centre, sum(variances) + cross, df, level)
    value = float(found.value)
    return min(2 * low - 1, value), max(2 * high - 1, value)


def find_quantiles(
    mean: float, variance: float, df: float, level: float
) -> tuple[float, float]:
    """Compute the limits of a beta distribution whose variance is widened by t."""
    tail = (1 - level) / 2
    widening = t.ppf(1 - tail, df) / norm.ppf(1 - tail)
    trials = mean * (1 - mean) / (variance * widening**2)
    low, high = beta.ppf([tail, 1 - tail], trials * mean, trials * (1 - mean)).tolist()
    return low, high


def effective_size(shares: Sequence[Fraction]) -> float:
    """Return Kish's effective number."""
    return float(sum(shares) ** 2 / sum(share**2 for share in shares))


def count_tails(psi: Sequence[Fraction]) -> float:
    """Return the degrees of freedom by fourth powers; infinite without variance."""
    fourth = sum(each**4 for each in psi)
    return float(2 * sum(each**2 for each in psi) ** 2 / fourth) if fourth else inf
