"""A curve in bounded memory: batch by batch, mergeable, with bounds that always hold."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial, reduce
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve import _sketch_bytes
from capcurve._bins import Bins, ranked, slack_of, split, spread
from capcurve._engines import arrays
from capcurve._engines.binning import bins_of, bins_of_target
from capcurve._input import Columns, Label, TargetType, read_columns
from capcurve._precision import Options
from capcurve._ratio_estimates import ratio_estimate
from capcurve._tally import Tally
from capcurve.curve import CapCurve
from capcurve.estimates import Estimate
from capcurve.exceptions import CapcurveError
from capcurve.table import Bands, GainsTable

__all__ = ["CapSketch"]

ROWS_PER_THREAD = 1 << 18  # below, a thread costs more than it saves

FloatArray = NDArray[np.float64]


class Bounded(NamedTuple):
    """A number, and limits that hold whatever the order inside of bins."""

    value: float
    low: float
    high: float


class BoundedTable(NamedTuple):
    """A gains table, with those of the worst and the best order inside of bins."""

    value: GainsTable
    low: GainsTable
    high: GainsTable


class BoundedCurve(NamedTuple):
    """Points of a curve, exact at the edges of bins, with limits between them."""

    population_share: FloatArray
    capture_rate: FloatArray
    low: FloatArray
    high: FloatArray


class CapSketch:
    """Accumulate a CAP curve over batches of rows in memory that does not grow.

    Scores share bins, as fine as ``max_bins`` allows: as long as there are no more
    distinct scores than that, as with rating grades and points, everything is exact.
    Beyond, every number comes with limits that contain the exact one, whatever the order
    of the rows inside of a bin.

    The state depends on the rows alone: any order of batches and any tree of merges give
    the same, bit for bit, with counts; with weights and amounts that are no whole
    numbers, up to the rounding of their sums.

    Parameters
    ----------
    max_bins : int, default=65536
        At most so many bins, of 40 bytes each.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        What outcomes are, as in `CapCurve.from_predictions`.
    pos_label : int, float, bool or str, default=None
        The label of the event.
    descending : bool, default=True
        False for a scorecard on which a low score is ranked first.

    Attributes
    ----------
    n_rows : int
        Rows seen, those of weight 0 left out.
    by_score, by_target : Bins
        Mass by bin of the score, and of the outcome.

    Notes
    -----
    A bin holds the scores that share the high bits of their order-preserving integer
    image; when there are too many, all bins lose a bit. The limits take the best and the
    worst order inside of each bin that holds more than one score.

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
        if max_bins < 2:  # noqa: PLR2004 -- one bin ranks nothing
            raise CapcurveError(f"`max_bins` must be at least 2, got {max_bins!r}")
        self.max_bins = max_bins
        self.target_type = target_type
        self.pos_label = pos_label
        self.descending = descending
        self.n_rows = 0
        self.has_events = True
        self.by_score = self.by_target = Bins.empty()

    def __repr__(self) -> str:
        if len(self.by_target) < 2:  # noqa: PLR2004 -- the curve is undefined
            return f"CapSketch({self.n_rows:,} rows, undefined so far)"
        ratio = self.accuracy_ratio
        return (
            f"CapSketch({self.n_rows:,} rows, {len(self.by_score):,} bins, AR "
            f"{ratio.value:.6f} in [{ratio.low:.6f}, {ratio.high:.6f}])"
        )

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
        y_true, y_score : array-like of shape (n_samples,)
            Outcome and score, as in `CapCurve.from_predictions`; a batch may hold one
            kind of outcome only. Scores are held as float64.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of 2 means the same as two equal rows, 0 as no row.

        Raises
        ------
        CapcurveError
            As `CapCurve.from_predictions`, and for integers beyond 2**53, which float64
            rounds. The sketch stays as it was.
        """
        columns = read_columns(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=self.pos_label,
            target_type=self.target_type,
        )
        by_score = self._binned(columns, bins_of, self.by_score)
        by_target = self._binned(columns, bins_of_target, self.by_target)
        self.by_score, self.by_target = by_score, by_target
        self.n_rows += len(columns.target)
        self.has_events &= columns.has_events
        self.__dict__.pop("curve", None)

    def _binned(
        self,
        columns: Columns,
        bins: Callable[..., Bins],
        state: Bins,
    ) -> Bins:
        """Add the bins of a batch, in as many threads as there are processors."""
        n_parts = max(1, min(arrays.threads(), len(columns.target) // ROWS_PER_THREAD))
        make = partial(bins, level=state.level, most=self.max_bins)
        with ThreadPoolExecutor(n_parts) as pool:
            parts = pool.map(make, parts_of(columns, n_parts))
            return reduce(lambda held, part: held.merge(part, self.max_bins), parts, state)

    def merge(self, other: Self) -> Self:
        """Return the sketch of the rows of both; neither changes.

        Parameters
        ----------
        other : CapSketch
            Made with the same arguments.

        Returns
        -------
        CapSketch

        Raises
        ------
        CapcurveError
            The two were made with different arguments.
        """
        if not isinstance(other, CapSketch) or self._arguments != other._arguments:
            raise CapcurveError(
                f"a sketch merges with one of the same arguments: {self._arguments}, got "
                f"{getattr(other, '_arguments', type(other).__name__)}"
            )
        both = type(self)(**self._arguments)
        both.n_rows = self.n_rows + other.n_rows
        both.has_events = self.has_events and other.has_events
        both.by_score = self.by_score.merge(other.by_score, self.max_bins)
        both.by_target = self.by_target.merge(other.by_target, self.max_bins)
        return both

    @property
    def _arguments(self) -> dict[str, Any]:
        """What the sketch was made with."""
        return {
            "max_bins": self.max_bins,
            "target_type": self.target_type,
            "pos_label": self.pos_label,
            "descending": self.descending,
        }

    @cached_property
    def curve(self) -> CapCurve:
        """The curve through the edges of bins, for displays and reports.

        Its ``tie_bounds`` are those of the rows that share a bin.
        """
        return self._curve(ranked(self.by_score, descending=self.descending))

    @property
    def worst(self) -> CapCurve:
        """The curve if inside of each bin the outcome came last."""
        return self._curve(self._split(outcome_first=False))

    @property
    def best(self) -> CapCurve:
        """The curve if inside of each bin the outcome came first."""
        return self._curve(self._split(outcome_first=True))

    def _split(self, *, outcome_first: bool) -> Tally:
        """Put what is unknown inside of bins into an extreme order."""
        return split(self.by_score, descending=self.descending, outcome_first=outcome_first)

    def _curve(self, tally: Tally) -> CapCurve:
        """Put a tally next to the perfect one."""
        if len(self.by_target) < 2:  # noqa: PLR2004 -- nothing to tell apart
            raise CapcurveError(
                f"the CAP curve is undefined: all outcomes of {self.n_rows:,} rows so far "
                "are equal"
            )
        perfect = ranked(self.by_target, descending=True)
        return CapCurve(tally, perfect, slack_of(self.by_score), self.descending)

    @property
    def _perfect(self) -> tuple[Tally, Tally]:
        """The perfect ranking if outcomes that share a bin are equal, and if extreme."""
        return ranked(self.by_target, descending=True), spread(self.by_target)

    @property
    def accuracy_ratio(self) -> Bounded:
        """The accuracy ratio with limits that hold for certain."""
        ratios = [
            max(-1.0, min(1.0, curve.tally.gain / perfect.gain))
            for curve in (self.worst, self.best)
            for perfect in self._perfect
        ]
        return Bounded(self.curve.accuracy_ratio, min(ratios), max(ratios))

    @property
    def ks(self) -> Bounded:
        """KS with limits that hold for certain."""
        least, most = (perfect.largest_gap for perfect in self._perfect)
        reached = max(curve.tally.largest_gap for curve in (self.worst, self.best))
        low = self.curve.tally.largest_gap / most
        return Bounded(self.curve.ks, min(1.0, low), min(1.0, reached / least))

    def capture_rate_at(self, population_share: float) -> Bounded:
        """Share of the outcome captured in the best ``population_share``.

        Parameters
        ----------
        population_share : float
            From 0 to 1.

        Returns
        -------
        Bounded
            The value, and limits that hold for certain.
        """
        curves = (self.curve, self.worst, self.best)
        return Bounded(*(curve.capture_rate_at(population_share) for curve in curves))

    def lift_at(self, population_share: float) -> Bounded:
        """Divide the captured share of the outcome by the share selected.

        Parameters
        ----------
        population_share : float
            Above 0, up to 1.

        Returns
        -------
        Bounded
            The value, and limits that hold for certain.
        """
        curves = (self.curve, self.worst, self.best)
        return Bounded(*(curve.lift_at(population_share) for curve in curves))

    def cap_curve(self) -> BoundedCurve:
        """Compute the points of the curve with the limits between them.

        Returns
        -------
        BoundedCurve
            ``population_share``, ``capture_rate``, ``low`` and ``high``; at the edges of
            bins all three rates are equal and exact.
        """
        worst, best = self.worst.profile, self.best.profile
        share = np.union1d(worst.population_share, best.population_share)
        rates = (np.interp(share, *path) for path in (self.curve.profile, worst, best))
        return BoundedCurve(share, *rates)

    def gains_table(self, bands: Bands = 10) -> BoundedTable:
        """Cut the curve into bands, with the worst and the best order inside of bins.

        Parameters
        ----------
        bands : int or sequence of float, default=10
            As in `capcurve.gains_table`.

        Returns
        -------
        BoundedTable
            Three `GainsTable`; the columns that accumulate lie between those of ``low``
            and ``high``.
        """
        curves = (self.curve, self.worst, self.best)
        return BoundedTable(*(GainsTable.from_curve(curve, bands) for curve in curves))

    def interval(self, *, confidence_level: float = 0.95) -> Estimate:
        """Estimate the accuracy ratio as `accuracy_ratio_interval` does; needs SciPy.

        Parameters
        ----------
        confidence_level : float, default=0.95
            From 0 to 1.

        Returns
        -------
        Estimate
            Its ends are the lowest and the highest over both extreme orders inside of
            bins, so that it contains the interval of the exact accuracy ratio or nearly so
            where bins are few.

        Raises
        ------
        CapcurveError
            Outcomes are amounts or weighted: their variance takes the rows.
        """
        if not self.has_events or self.by_score.weight.dtype.kind == "f":
            raise CapcurveError(
                "the interval of a sketch takes 0/1 events without weights; of amounts and "
                "weighted rows it does not hold what their variance rests on"
            )
        options = Options(confidence_level)
        middle, worst, best = (
            ratio_estimate(arrays.counted_rows(curve.tally), options)
            for curve in (self.curve, self.worst, self.best)
        )
        return replace(middle, low=worst.low, high=best.high)

    def to_bytes(self) -> bytes:
        """Write the state, with a version and a checksum.

        Returns
        -------
        bytes
        """
        state = {
            "arguments": self._arguments,
            "n_rows": self.n_rows,
            "has_events": self.has_events,
        }
        return _sketch_bytes.write(state, [self.by_score, self.by_target])

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what ``to_bytes`` wrote.

        Parameters
        ----------
        data : bytes

        Returns
        -------
        CapSketch

        Raises
        ------
        CapcurveError
            The bytes are of something else, of another version, or damaged.
        """
        state, all_bins = _sketch_bytes.read(data)
        sketch = cls(**state["arguments"])
        sketch.n_rows, sketch.has_events = state["n_rows"], state["has_events"]
        sketch.by_score, sketch.by_target = all_bins
        return sketch


def parts_of(columns: Columns, n_parts: int) -> Sequence[Columns]:
    """Cut rows into parts of nearly equal size."""
    ends = np.linspace(0, len(columns.target), n_parts + 1).astype(np.int64).tolist()
    return [columns[start:stop] for start, stop in pairwise(ends)]
