"""A curve in bounded memory: batch by batch, mergeable, with bounds that always hold."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from capcurve import _sketch_bytes
from capcurve._bins import Bins
from capcurve._engines import arrays
from capcurve._engines.binning import bins_of, bins_of_target
from capcurve._input import (
    Array,
    Columns,
    Label,
    TargetType,
    as_array,
    read_columns,
    refuse_missing,
)
from capcurve.binned_curve import BinnedCurve
from capcurve.exceptions import CapcurveError

__all__ = ["CapSketch"]

ROWS_PER_THREAD = 1 << 18  # below, a thread costs more than it saves


class CapSketch(BinnedCurve):
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
        if pos_label is not None and target_type == "continuous":
            raise CapcurveError(
                "`pos_label` names an event, but `target_type='continuous'` says that "
                "outcomes are amounts; drop one of the two"
            )
        super().__init__(Bins.empty(), Bins.empty(), descending=descending)
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
        y_true, y_score : array-like of shape (n_samples,)
            Outcome and score, as in `CapCurve.from_predictions`; a batch may hold one
            kind of outcome only, or no row. Scores are held as float64.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of 2 means the same as two equal rows, 0 as no row.

        Raises
        ------
        CapcurveError
            As `CapCurve.from_predictions`, and for integers beyond 2**53, which float64
            rounds. The sketch stays as it was.
        """
        labels, score = as_array(y_true, "y_true"), as_array(y_score, "y_score")
        weight = None
        if sample_weight is not None:
            weight = as_array(sample_weight, "sample_weight")
        if is_nothing(labels, score) or is_nothing(labels, score, weight):
            return
        # A batch without events does not hold their label.
        if self.pos_label is not None and len(labels):
            refuse_missing(labels, "y_true")
            labels = np.asarray(labels == self.pos_label, dtype=np.bool_)
        columns = read_columns(
            labels, score, sample_weight=weight, target_type=self.target_type
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
            return state.merge(*parts, most=self.max_bins)

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
        both.by_score = self.by_score.merge(other.by_score, most=self.max_bins)
        both.by_target = self.by_target.merge(other.by_target, most=self.max_bins)
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


def is_nothing(labels: Array, score: Array, weight: Array | None = None) -> bool:
    """Whether a batch has no rows, or none that weighs something."""
    if weight is None:
        return len(labels) == len(score) == 0
    alike = len(labels) == len(score) == len(weight)
    return bool(alike and weight.dtype.kind in "iuf" and not weight.any())


def parts_of(columns: Columns, n_parts: int) -> Sequence[Columns]:
    """Cut rows into parts of nearly equal size."""
    ends = np.linspace(0, len(columns.target), n_parts + 1).astype(np.int64).tolist()
    return [columns[start:stop] for start, stop in pairwise(ends)]
