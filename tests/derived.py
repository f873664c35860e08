"""The words of a report's methods, followed in plain NumPy, pair of rows by pair of rows.

Nothing here calls the library: what these functions find, a reader of a report can find.
"""

from typing import NamedTuple

import numpy as np
from scipy import stats


class Sample(NamedTuple):
    """Rows: outcome, scores by name, weight, independent unit, and columns of groups.

    ``is_plain``: rows are independent and of equal weight.
    """

    y: np.ndarray
    scores: dict
    w: np.ndarray
    unit: np.ndarray
    is_clustered: bool
    is_plain: bool
    groups: dict

    @property
    def is_event(self):
        return self.y.dtype == bool

    @property
    def classes(self):
        """Rows of each class; amounts have one."""
        return [self.y, ~self.y] if self.is_event else [np.ones(len(self.y), bool)]

    def take(self, rows):
        """Return some rows."""
        return self._replace(
            y=self.y[rows],
            scores={name: score[rows] for name, score in self.scores.items()},
            w=self.w[rows],
            unit=self.unit[rows],
            groups={name: group[rows] for name, group in self.groups.items()},
        )

    def add_up(self, value, rows):
        """Add up values by unit, of the units that have some of the rows."""
        units = np.unique(self.unit[rows])
        return np.bincount(np.searchsorted(units, self.unit[rows]), value[rows], len(units))

    def add_up_all(self, value, rows):
        """Add up values of some rows by unit, for all units."""
        units = np.unique(self.unit)
        return np.bincount(np.searchsorted(units, self.unit), value * rows, len(units))

    def take_square(self, value, rows=None):
        """Square values, added up by unit first."""
        rows = np.ones(len(self.y), bool) if rows is None else rows
        return self.add_up(value, rows) ** 2


def read(columns, outcome, scores, *, groups=(), **design):
    """Read rows as a report does; counted lines become as many rows."""
    columns = {name: np.asarray(values) for name, values in columns.items()}
    if "counts" in design:
        counts = columns[design["counts"]]
        columns = {name: np.repeat(each, counts) for name, each in columns.items()}
    y, weight, cluster = (
        columns[outcome],
        design.get("case_weights"),
        design.get("clusters"),
    )
    is_event = set(np.unique(y)) <= {0, 1}
    return Sample(
        y=y == 1 if is_event else y * 1.0,
        scores={name: columns[name] for name in scores},
        w=columns[weight] * 1.0 if weight else np.ones(len(y)),
        unit=columns[cluster] if cluster else np.arange(len(y)),
        is_clustered=bool(cluster),
        is_plain=is_event and not weight and not cluster,
        groups={name: columns[name] for name in groups},
    )


def rank(sample, score):
    """Find AR, the influence psi of each row, and the weight that sizes are made of."""
    y, w = sample.y, sample.w
    signs = np.sign(score[:, None] - score)
    if not sample.is_event:
        k = (signs * (y[:, None] - y)) @ w
        b = np.abs(y[:, None] - y) @ w
        return quotient(w, k, b)
    v, total = np.empty(len(y)), np.empty(len(y))
    for rows, others, side in ((y, ~y, 1), (~y, y, -1)):
        v[rows] = side * signs[np.ix_(rows, others)] @ w[others] / w[others].sum()
        total[rows] = w[rows].sum()
    ratio = v[y] @ w[y] / w[y].sum()
    return ratio, w * (v - ratio) / total, w


def quotient(w, k, b):
    """Find a ratio of sums over pairs, the influence of each row, and its pairs."""
    ratio = (w @ k) / (w @ b)
    return ratio, 2 * w * (k - ratio * b) / (w @ b), w * b


def concordance(sample, score):
    """Find Somers' D likewise."""
    differs = sample.y[:, None] != sample.y
    signs = np.sign(score[:, None] - score) * np.sign(sample.y[:, None] * 1.0 - sample.y)
    return quotient(sample.w, signs @ sample.w, differs @ sample.w)


def tails(x):
    return 2 * (x**2).sum() ** 2 / (x**4).sum()


def between(sample, first, second=None):
    """Sum A B over clusters, times C / (C - 1); 0 for independent rows."""
    if not (sample.is_event and sample.is_clustered):
        return 0.0
    second = first if second is None else second
    y, n = sample.y, len(np.unique(sample.unit))
    a, b = sample.add_up_all(first, y), sample.add_up_all(second, ~y)
    c, d = sample.add_up_all(second, y), sample.add_up_all(first, ~y)
    return n / (n - 1) * (a @ b + c @ d) / 2


def covary(sample, first, second):
    """Find the covariance of two AR from their influences."""
    total = 2 * between(sample, first, second)
    for rows in sample.classes:
        one, two = sample.add_up(first, rows), sample.add_up(second, rows)
        n = len(one)
        has_factor = sample.is_event or sample.is_clustered
        total += one @ two * (n / (n - 1) if has_factor else 1)
    return total


def size_up(sample, share):
    """Find the size of each class, that of equal weights."""
    parts = [sample.add_up(share, rows) for rows in sample.classes]
    return [part.sum() ** 2 / (part @ part) for part in parts]


def count_degrees(sample, psi, share, parts):
    """Find the degrees of freedom of a variance with a part for each class."""
    sizes = size_up(sample, share)
    sums = [sample.add_up(psi, rows) for rows in sample.classes]
    if not sample.is_event:
        return min(sizes[0] - 1, tails(sums[0]))
    df = sum(parts) ** 2 / sum(
        p**2 / (size - 1) for p, size in zip(parts, sizes, strict=True)
    )
    if sample.is_plain:
        return df
    weights = [sample.add_up(sample.w, rows) for rows in sample.classes]
    over = [p / (w / w.mean()) for p, w in zip(sums, weights, strict=True)]
    return df * min(1.0, tails(np.concatenate(sums)) / tails(np.concatenate(over)))


class Share(NamedTuple):
    """Mean C, variance V, degrees of freedom, and sizes."""

    c: float
    v: float
    df: float
    sizes: list

    @property
    def trials(self):
        return self.c * (1 - self.c) / self.v


def shrink(sample, ratio, psi, share, a):
    """Add pseudo-observations to an AR."""
    sizes = size_up(sample, share)
    if not sample.is_event:
        sizes = [sizes[0] / 2]
    c = 1 / 2 + ratio / 2 * np.prod([size / (size + a) for size in sizes])
    d = 1 / 4 + (c - 1 / 2) ** 2
    parts = []
    for rows, size in zip(sample.classes, sizes, strict=True):
        q = sample.take_square(psi, rows).sum()
        parts.append((size**2 * q / 4 + a * d) / ((size - 1 + a) * (size + a)))
    df = count_degrees(sample, psi, share, parts)
    return Share(c, sum(parts) + between(sample, psi) / 2, df, sizes)


def beta_limits(share, tail=0.025):
    """Find the limits of an AR by the beta distribution, each with so much beyond it."""
    widening = stats.t.ppf(tail, share.df) / stats.norm.ppf(tail)
    k = share.trials / widening**2
    return 2 * stats.beta.ppf([tail, 1 - tail], k * share.c, k * (1 - share.c)) - 1
