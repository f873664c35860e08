"""CAP curve of a stream in bounded memory: mergeable, with guaranteed bounds."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from capcurve._curve.binned_curve import BinnedCurve, BoundedCurve, BoundedTable
from capcurve._curve.gains_table import BandSpec
from capcurve._curve.pictured import Pictured
from capcurve._curve.sketch_arguments import read_label, read_max_bins
from capcurve._curve.sketch_bytes import read_sketch, write_sketch
from capcurve._curve.sketch_rows import (
    add_rows,
    bin_batch,
    may_wait,
    read_batch,
)
from capcurve._input.column import name_type
from capcurve._input.deprecations import OF_SKETCH, warn_deprecated
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.meaning import Meaning
from capcurve._input.options import check_flags
from capcurve._public import public
from capcurve._tally.bins import BinnedRows, Bins
from capcurve._tally.bounded import Bounded
from capcurve.exceptions import CapcurveError


@public
class CapSketch(Pictured):
    """Accumulate a CAP curve over batches of rows in bounded memory.

    Scores are binned, as finely as ``max_bins`` allows. Up to that number of distinct
    scores, as with rating grades and score points, everything is exact. Beyond, every
    statistic has guaranteed bounds of its exact value, for any order within bins.

    The state depends only on the rows, not on the order of batches and merges: bit for bit
    with counts and with whole-number weights and amounts, otherwise up to the rounding of
    sums. Several threads may update, read and merge the same sketch.

    Parameters
    ----------
    max_bins : int, default=65536
        Largest number of bins, of 40 bytes each; at least 2. Between two looks at the
        sketch, the bins of some batches wait to be merged, four times as many at most.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether outcomes are events or amounts. 'auto' reads 0/1, -1/1 and booleans as
        events and other numbers as amounts; it refuses whole numbers of an integer type, or
        of at most ten values, which may be labels or counts.
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
        As passed, as plain Python values.

    Raises
    ------
    CapcurveError
        ``max_bins`` is no whole number of at least 2, ``target_type`` is unknown, or
        ``pos_label`` is no single value or comes with amounts.

    See Also
    --------
    BinnedCurve.from_frame : The same from a data frame or a query.

    Notes
    -----
    A bin holds the scores that share their first binary digits and lie between the same two
    short decimals, and a score that is a short decimal has a bin of its own: whole numbers
    up to 10,000, and numbers of three significant digits or four decimal places. Between
    0.5 and 1 digits are counted from 1, so that probabilities near 1 are as well separated
    as those near 0. When there are too many bins, scores share fewer digits. The bounds
    assume the best and the worst order within each bin of more than one distinct score.

    Which scores share a bin depends on which scores there are, not on how many rows they
    have: what once shared a bin cannot be taken apart. So a score of many digits that a
    large part of the rows has, among more than ``max_bins`` others, may leave wide bounds.
    Round it, or rank the rows themselves (`accuracy_ratio_score`) for the exact number.

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
    CapSketch(100,000 rows, 1,000 bins, AR 0.502820 in [0.500222, 0.505418])
    """

    def __init__(
        self,
        max_bins: int = 65_536,
        *,
        target_type: TargetType = "auto",
        pos_label: Label | None = None,
        descending: bool = True,
    ) -> None:
        check_flags(descending=descending)
        if pos_label is not None:
            pos_label = read_label(pos_label)
        meaning = Meaning(
            pos_label=pos_label, target_type=target_type, descending=bool(descending)
        )
        self.max_bins: int = read_max_bins(max_bins)
        self.target_type: TargetType = meaning.target_type
        self.pos_label: Label | None = meaning.pos_label
        self._held: BinnedCurve = BinnedCurve(
            Bins.empty(), Bins.empty(), meaning.descending
        )
        self._waiting: tuple[BinnedRows, ...] = ()
        self._lock = Lock()

    # A lock cannot be pickled or copied, so each sketch has its own.
    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=Lock())

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
            Scores, held as float64. May be infinite. Integers beyond 2**53 are compared as
            integers, up to 2**63; all scores must then be whole numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, finite and not negative. A weight of 2 adds the same as two equal
            rows, 0 the same as no row. None: every row has weight 1.

        Raises
        ------
        CapcurveError
            Values are missing, lengths differ, a weight or an amount is negative or
            infinite, labels require ``pos_label``, integer scores exceed 2**63, or come
            with fractions and exceed 2**53. The sketch is unchanged.
        """
        columns = read_batch(
            y_true, y_score, sample_weight, self.pos_label, self.target_type
        )
        if columns is None:
            return
        with self._lock:
            so_far: list[BinnedCurve | BinnedRows] = [self._held, *self._waiting]
        part = bin_batch(columns, so_far, self.max_bins)
        with self._lock:
            waiting = (*self._waiting, part)
            if may_wait(self._held, waiting, self.max_bins):
                self._waiting = waiting
            else:
                self._held = add_rows(self._held, waiting, self.max_bins)
                self._waiting = ()

    def __repr__(self) -> str:
        return repr(self.curve).replace("BinnedCurve", "CapSketch", 1)

    def _repr_html_(self) -> str:
        from capcurve._curve.notebook import view_binned_curve

        return view_binned_curve(self.curve)

    @property
    def curve(self) -> BinnedCurve:
        """Curve of all rows so far, with guaranteed bounds on every statistic."""
        with self._lock:
            if self._waiting:
                self._held = add_rows(self._held, self._waiting, self.max_bins)
                self._waiting = ()
            return self._held

    @curve.setter
    def curve(self, curve: BinnedCurve) -> None:
        with self._lock:
            self._held, self._waiting = curve, ()

    # To a type checker, a former name is a mistake.
    if not TYPE_CHECKING:  # pragma: no branch

        def __getattr__(self, name: str) -> object:
            if name not in OF_SKETCH:
                raise AttributeError(f"'CapSketch' object has no attribute {name!r}")
            warn_deprecated(f"CapSketch.{name}")
            return getattr(self.curve, name)

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
        given: Any = other
        if not isinstance(given, CapSketch) or self._arguments != other._arguments:
            raise CapcurveError(
                f"`other` must be a CapSketch with the same arguments {self._arguments}, "
                f"got {getattr(other, '_arguments', name_type(other))}; create both "
                "alike"
            )
        both = type(self)(**self._arguments)
        both.curve = add_rows(self.curve, [other.curve], self.max_bins)
        return both

    @property
    def _arguments(self) -> dict[str, Any]:
        """Arguments with which the sketch was created."""
        return {
            "max_bins": self.max_bins,
            "target_type": self.target_type,
            "pos_label": self.pos_label,
            "descending": self._held.descending,
        }

    def to_bytes(self) -> bytes:
        """Serialise the sketch, for example to merge sketches of several processes.

        Returns
        -------
        bytes
            With a format version and a checksum; the same state gives the same bytes.
        """
        return write_sketch(self._arguments, self.curve)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Self:
        """Restore a sketch that ``to_bytes`` serialised.

        Parameters
        ----------
        data : bytes, bytearray or memoryview
            Of this release or an earlier one.

        Returns
        -------
        CapSketch

        Raises
        ------
        CapcurveError
            ``data`` is not a sketch, has another format version, is damaged, or cannot
            come from any rows.

        Examples
        --------
        >>> from capcurve import CapSketch
        >>> sketch = CapSketch()
        >>> sketch.update([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> CapSketch.from_bytes(sketch.to_bytes())
        CapSketch(4 rows, 3 bins, AR 0.750000 in [0.750000, 0.750000])
        """
        arguments, curve = read_sketch(data)
        sketch = cls(**arguments)
        sketch.curve = curve
        return sketch
