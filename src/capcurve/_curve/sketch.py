"""CAP curve of a stream in bounded memory: mergeable, with guaranteed bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from capcurve._curve.binned_curve import BinnedCurve, BoundedCurve, BoundedTable
from capcurve._curve.gains_table import BandSpec
from capcurve._curve.sketch_bytes import read_sketch, write_sketch
from capcurve._engines.binned_rows import bin_scores, bin_targets
from capcurve._engines.rows import count_threads
from capcurve._input.column import as_array
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.missing import refuse_missing
from capcurve._input.reading import read_columns
from capcurve._public import public
from capcurve._tally.bins import Bins, Bounded
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

ROWS_PER_THREAD = 1 << 18  # below, starting a thread costs more than it saves


@public
class CapSketch:
    """Accumulate a CAP curve over batches of rows in bounded memory.

    Scores are binned, as finely as ``max_bins`` allows. Up to that number of distinct
    scores, as with rating grades and score points, everything is exact. Beyond, every
    statistic has guaranteed bounds, which contain the exact value whatever the order of
    the rows within bins.

    The state depends only on the rows, not on the order of batches and merges: bit for bit
    with counts and with whole-number weights and amounts, otherwise up to the rounding of
    sums.

    Parameters
    ----------
    max_bins : int, default=65536
        Largest number of bins, of 40 bytes each; at least 2.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether outcomes are events or amounts. 'auto' reads 0/1, -1/1 and booleans as
        events and other floats as amounts, and refuses other integers as ambiguous.
    pos_label : int, float, bool or str, default=None
        Label of the event. None: 1 of 0/1 and -1/1, True of booleans.
    descending : bool, default=True
        Whether high scores rank first; False for a scorecard where low scores do.

    Attributes
    ----------
    curve : BinnedCurve
        Curve of all rows so far, with guaranteed bounds on every statistic.
    n_rows : int
        Number of rows so far; rows of weight 0 do not count.
    max_bins, target_type, pos_label
        As passed.

    Raises
    ------
    CapcurveError
        ``max_bins`` is less than 2, or ``pos_label`` comes with amounts.

    See Also
    --------
    BinnedCurve.from_frame : The same from a data frame or a query.

    Notes
    -----
    A float64 score maps to an unsigned integer key of the same order, and a bin holds the
    scores whose keys share their high bits. When there are too many bins, all keys lose one
    bit. The bounds assume the best and the worst order within each bin that holds more than
    one distinct score.

    Examples
    --------
    >>> import numpy as np
    >>> from capcurve import CapSketch
    >>> rng = np.random.default_rng(1)
    >>> sketch = CapSketch(max_bins=1024)
    >>> for _ in range(10):
    ...     score = rng.normal(size=10_000)
    ...     sketch.update(rng.random(10_000) < 1 / (1 + np.exp(3 - score)), score)
    >>> sketch
    CapSketch(100,000 rows, 825 bins, AR 0.502867 in [0.499548, 0.506187])
    """

    def __init__(
        self,
        max_bins: int = 65_536,
        *,
        target_type: TargetType = "auto",
        pos_label: Label | None = None,
        descending: bool = True,
    ) -> None:
        if max_bins < 2:  # noqa: PLR2004 -- a single bin has no ranking
            raise CapcurveError(f"`max_bins` must be at least 2, got {max_bins!r}")
        if pos_label is not None and target_type == "continuous":
            raise CapcurveError(
                "`pos_label` is the label of an event, but `target_type='continuous'` "
                "means that outcomes are amounts; drop one of the two"
            )
        self.curve = BinnedCurve(Bins.empty(), Bins.empty(), descending)
        self.max_bins = max_bins
        self.target_type = target_type
        self.pos_label = pos_label

    def update(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        """Add a batch of rows.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Outcomes: 0/1, -1/1 or boolean events, labels with ``pos_label``, or amounts per
            unit of weight that are not negative. A batch may hold a single class, or no
            rows at all.
        y_score : array-like of shape (n_samples,)
            Scores, held as float64. May be infinite.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, finite and not negative. A weight of 2 means the same as two equal
            rows, 0 as no row. None: every row has weight 1.

        Raises
        ------
        CapcurveError
            Values are missing, lengths differ, a weight or an amount is negative or
            infinite, labels require ``pos_label``, or integer scores exceed 2**53, beyond
            which float64 rounds. The sketch is unchanged.
        """
        labels, score = as_array(y_true, "y_true"), as_array(y_score, "y_score")
        weight = None
        if sample_weight is not None:
            weight = as_array(sample_weight, "sample_weight")
        if is_empty_batch(labels, score) or is_empty_batch(labels, score, weight):
            return
        # `read_columns` would refuse `pos_label` in a batch without events.
        if self.pos_label is not None and len(labels):
            refuse_missing(labels, "y_true")
            labels = np.asarray(labels == self.pos_label, dtype=np.bool_)
        columns = read_columns(
            labels, score, sample_weight=weight, target_type=self.target_type
        )
        self.curve = replace(
            self.curve,
            by_score=self._add(columns, bin_scores, self.curve.by_score),
            by_target=self._add(columns, bin_targets, self.curve.by_target),
            n_rows=self.n_rows + len(columns.target),
            has_events=self.curve.has_events and columns.has_events,
        )

    def __repr__(self) -> str:
        return repr(self.curve).replace("BinnedCurve", "CapSketch", 1)

    @property
    def n_rows(self) -> int:
        """Number of rows so far; rows of weight 0 do not count."""
        return self.curve.n_rows

    @property
    def accuracy_ratio(self) -> Bounded:
        """Accuracy ratio, from -1 to 1, with guaranteed bounds.

        Raises
        ------
        CapcurveError
            All outcomes so far are equal.
        """
        return self.curve.accuracy_ratio

    @property
    def ks(self) -> Bounded:
        """KS, as `CapCurve.ks`, from 0 to 1, with guaranteed bounds.

        Raises
        ------
        CapcurveError
            All outcomes so far are equal.
        """
        return self.curve.ks

    def capture_rate_at(self, population_share: float) -> Bounded:
        """Share of the outcome captured in the best ``population_share``.

        Parameters
        ----------
        population_share : float
            Share of the population's weight selected, from 0 to 1.

        Returns
        -------
        Bounded
            From 0 to 1, with guaranteed bounds.

        Raises
        ------
        CapcurveError
            ``population_share`` is not a fraction in [0, 1], or all outcomes are equal.
        """
        return self.curve.capture_rate_at(population_share)

    def lift_at(self, population_share: float) -> Bounded:
        """Cumulative lift: the capture rate at a population share, divided by that share.

        Parameters
        ----------
        population_share : float
            Share of the population's weight selected, above 0 and up to 1.

        Returns
        -------
        Bounded
            Not negative, with guaranteed bounds; 1 for a random ranking.

        Raises
        ------
        CapcurveError
            ``population_share`` is not a fraction in (0, 1], or all outcomes are equal.
        """
        return self.curve.lift_at(population_share)

    def cap_curve(self) -> BoundedCurve:
        """Compute the points of the curve with guaranteed bounds.

        Returns
        -------
        BoundedCurve
            Its ``capture_rate``, ``low`` and ``high`` are equal at the edges of bins.

        Raises
        ------
        CapcurveError
            All outcomes so far are equal.
        """
        return self.curve.cap_curve()

    def gains_table(self, bands: BandSpec = 10) -> BoundedTable:
        """Cut the curve into bands of the population, with guaranteed bounds.

        Parameters
        ----------
        bands : int, sequence of float or 'scores', default=10
            As in `BinnedCurve.gains_table`.

        Returns
        -------
        BoundedTable

        Raises
        ------
        CapcurveError
            ``bands`` is invalid, or all outcomes so far are equal.
        """
        return self.curve.gains_table(bands)

    def _add(
        self,
        columns: Columns,
        bins: Callable[..., Bins],
        held: Bins,
    ) -> Bins:
        """Add the bins of a batch, with one thread per processor."""
        n_parts = max(1, min(count_threads(), len(columns.target) // ROWS_PER_THREAD))
        make = partial(bins, n_bits=held.n_bits, max_bins=self.max_bins)
        with ThreadPoolExecutor(n_parts) as pool:
            parts = pool.map(make, split_rows(columns, n_parts))
            return held.merge(*parts, max_bins=self.max_bins)

    def merge(self, other: Self) -> Self:
        """Return a sketch of the rows of both sketches, which do not change.

        Parameters
        ----------
        other : CapSketch
            Created with the same arguments.

        Returns
        -------
        CapSketch

        Raises
        ------
        CapcurveError
            ``other`` is not a `CapSketch` created with the same arguments.
        """
        if not isinstance(other, CapSketch) or self._arguments != other._arguments:
            raise CapcurveError(
                f"`other` must be a CapSketch with the same arguments {self._arguments}, "
                f"got {getattr(other, '_arguments', type(other).__name__)}; create both "
                "alike"
            )
        both = type(self)(**self._arguments)
        mine, theirs = self.curve, other.curve
        both.curve = replace(
            mine,
            by_score=mine.by_score.merge(theirs.by_score, max_bins=self.max_bins),
            by_target=mine.by_target.merge(theirs.by_target, max_bins=self.max_bins),
            n_rows=mine.n_rows + theirs.n_rows,
            has_events=mine.has_events and theirs.has_events,
        )
        return both

    @property
    def _arguments(self) -> dict[str, Any]:
        """Arguments with which the sketch was created."""
        return {
            "max_bins": self.max_bins,
            "target_type": self.target_type,
            "pos_label": self.pos_label,
            "descending": self.curve.descending,
        }

    def to_bytes(self) -> bytes:
        """Serialise the sketch, for example to merge sketches of several processes.

        Returns
        -------
        bytes
            With a format version and a checksum; the same state gives the same bytes.
        """
        state = {
            "arguments": self._arguments,
            "n_rows": self.n_rows,
            "has_events": self.curve.has_events,
        }
        return write_sketch(state, [self.curve.by_score, self.curve.by_target])

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Restore a sketch that ``to_bytes`` serialised.

        Parameters
        ----------
        data : bytes

        Returns
        -------
        CapSketch

        Raises
        ------
        CapcurveError
            ``data`` is not a sketch, has another format version, or is damaged.

        Examples
        --------
        >>> from capcurve import CapSketch
        >>> sketch = CapSketch()
        >>> sketch.update([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> CapSketch.from_bytes(sketch.to_bytes())
        CapSketch(4 rows, 3 bins, AR 0.750000 in [0.750000, 0.750000])
        """
        state, all_bins = read_sketch(data)
        sketch = cls(**state["arguments"])
        by_score, by_target = all_bins
        sketch.curve = replace(
            sketch.curve,
            by_score=by_score,
            by_target=by_target,
            n_rows=state["n_rows"],
            has_events=state["has_events"],
        )
        return sketch


def is_empty_batch(labels: Array, score: Array, weight: Array | None = None) -> bool:
    """Whether a batch has no rows, or only rows of weight 0."""
    if weight is None:
        return len(labels) == len(score) == 0
    same_length = len(labels) == len(score) == len(weight)
    return bool(same_length and weight.dtype.kind in "iuf" and not weight.any())


def split_rows(columns: Columns, n_parts: int) -> Sequence[Columns]:
    """Split rows into consecutive parts of nearly equal size."""
    ends = np.linspace(0, len(columns.target), n_parts + 1).astype(np.int64).tolist()
    return [columns[start:stop] for start, stop in pairwise(ends)]
