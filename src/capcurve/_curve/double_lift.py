"""Double lift: two predictions against the outcome, where they disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve._curve.profile import accumulate_share
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.options import check_flags, is_whole, show
from capcurve._input.reading import read_paired_scores
from capcurve._public import public
from capcurve._tally.dtypes import Array, FloatArray
from capcurve._tally.locked import Locked
from capcurve.exceptions import CapcurveError

MAX_BANDS = 1_000_000
# Ratios of predictions that differ by less, as a part of their size, differ by rounding.
ROUNDING = 1e-12
FEWEST_BANDS = 2
ARGUMENTS = ("y_score_a", "y_score_b")


@public
@dataclass(frozen=True, eq=False)
class DoubleLift(Locked):
    """Outcome and two predictions by band of the ratio of the predictions.

    Rows are sorted by the ratio of prediction B to prediction A, the smallest first, and
    cut into bands of equal weight. Where the predictions disagree, the better one is closer
    to the outcome. Create one with `DoubleLift.from_predictions`.

    Attributes
    ----------
    band : ndarray of int64, shape (n_bands,)
        Number of the band; 1 has the smallest ratios.
    n : ndarray of float64, shape (n_bands,)
        Weight (exposure) of the band: its number of rows if there are no weights.
    lowest_ratio, highest_ratio : ndarray of float64, shape (n_bands,)
        Smallest and largest ratio of prediction B to prediction A in the band, before
        predictions are rescaled.
    outcome : ndarray of float64, shape (n_bands,)
        Mean outcome of the band: its outcome per unit of weight.
    prediction_a, prediction_b : ndarray of float64, shape (n_bands,)
        Mean prediction of the band.
    total_outcome, total_a, total_b : float
        Mean outcome and mean predictions of all rows.
    rescaled : bool
        Whether both predictions were rescaled to the total outcome.

    See Also
    --------
    DoubleLiftDisplay : The same as a picture.
    accuracy_ratio_test : Whether one of two scores ranks better.

    Notes
    -----
    The double lift chart is described by Goldburd, Khare, Tevet and Guller (2020),
    "Generalized linear models for insurance rating", CAS Monograph 5, chapter 7.

    Rows with the same ratio are a block. A block across the edge of a band is split pro
    rata, as in `GainsTable`, so that row order has no influence. Ratios that differ by less
    than 1e-12 of their size are the same: rounding makes such differences.

    Examples
    --------
    >>> from capcurve import DoubleLift
    >>> found = DoubleLift.from_predictions(
    ...     [0.5, 2.0, 2.0, 6.5], [2, 2, 4, 4], [1, 2, 4, 8], bands=2
    ... )
    >>> found.outcome, found.prediction_a, found.prediction_b
    (array([1.25, 4.25]), array([2.5, 3.5]), array([2. , 5.5]))
    """

    band: NDArray[np.int64]
    n: FloatArray
    lowest_ratio: FloatArray
    highest_ratio: FloatArray
    outcome: FloatArray
    prediction_a: FloatArray
    prediction_b: FloatArray
    total_outcome: float
    total_a: float
    total_b: float
    rescaled: bool = False

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score_a: ArrayLike,
        y_score_b: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Label | None = None,
        target_type: TargetType = "auto",
        bands: int = 10,
        rescale: bool = False,
    ) -> DoubleLift:
        """Compare two predictions of the same rows.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Outcomes: amounts per unit of weight, such as losses per exposure, or 0/1 events
            and labels, as in `CapCurve.from_predictions`.
        y_score_a, y_score_b : array-like of shape (n_samples,)
            Predictions per unit of weight, above 0; the current model first.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, such as exposures, finite and not negative. None: each row has 1.
        pos_label, target_type
            As in `CapCurve.from_predictions`.
        bands : int, default=10
            Number of bands of equal weight, at least 2.
        rescale : bool, default=False
            Whether to multiply each prediction by a constant, so that its mean equals the
            mean outcome. Compare levels without, and the ranking of risks with it.

        Returns
        -------
        DoubleLift

        Raises
        ------
        CapcurveError
            A prediction is 0, negative or infinite, all outcomes are 0 although predictions
            are to be rescaled, or outcomes, weights or options are invalid.
        """
        first, second = read_paired_scores(
            y_true,
            {"y_score_a": y_score_a, "y_score_b": y_score_b},
            sample_weight=sample_weight,
            pos_label=pos_label,
            target_type=target_type,
            descending=True,
            weights="sampling",
            clusters=None,
        )
        return compare_predictions(first, second, bands=bands, rescale=rescale)

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name, for the constructor of a data frame.

        Returns
        -------
        dict of str to ndarray of shape (n_bands,)
            The attributes that are arrays, in the order above.
        """
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: each for name, each in columns.items() if isinstance(each, np.ndarray)
        }

    def _repr_html_(self) -> str:
        from capcurve._curve.notebook import view_double_lift

        return view_double_lift(self)


def compare_predictions(
    first: Columns,
    second: Columns,
    names: Sequence[str] = ARGUMENTS,
    *,
    bands: int,
    rescale: bool,
) -> DoubleLift:
    """Compare the scores of two sets of columns of the same rows.

    ``names``: what errors call the predictions.
    """
    check_flags(rescale=rescale)
    if not is_whole(bands) or not FEWEST_BANDS <= bands <= MAX_BANDS:
        raise CapcurveError(
            f"`bands` must be a whole number from 2 to {MAX_BANDS:,}, got "
            f"{show(bands)}; 10 are usual"
        )
    columns = {
        "outcome": first.target.astype(np.float64),
        "prediction_a": read_positive(first.score, names[0]),
        "prediction_b": read_positive(second.score, names[1]),
    }
    return cut_by_ratio(columns, first.mass, int(bands), rescale=bool(rescale))


def read_positive(score: Array, name: str) -> FloatArray:
    """Return predictions as float64; raise for one that is not above 0, or infinite."""
    values = score.astype(np.float64, copy=False)
    wrong = {
        "that are 0 or less": np.count_nonzero(values <= 0),
        "that are infinite": np.count_nonzero(values == np.inf),
    }
    found = [f"{count:,} {kind}" for kind, count in wrong.items() if count]
    if found:
        raise CapcurveError(
            f"`{name}` must hold predictions above 0, whose ratio sorts the rows, got "
            f"{' and '.join(found)}; leave these rows out, or predict a mean"
        )
    return values


def cut_by_ratio(
    columns: dict[str, FloatArray], weight: FloatArray, n_bands: int, *, rescale: bool
) -> DoubleLift:
    """Cut rows into bands of their ratio; within a block of ties they are split."""
    ratio = columns["prediction_b"] / columns["prediction_a"]
    order = np.argsort(ratio, kind="stable")
    ratio = ratio[order]
    last = np.flatnonzero(np.append(ratio[1:] > ratio[:-1] * (1 + ROUNDING), True))
    first = np.append(0, last[:-1] + 1)
    blocks = np.add.reduceat(weight[order], first)
    share = accumulate_share(blocks)
    ends = np.arange(1, n_bands + 1) / n_bands
    total = float(blocks.sum())
    means: dict[str, FloatArray] = {}
    totals: dict[str, float] = {}
    for name, values in columns.items():
        mass = np.add.reduceat((weight * values)[order], first)
        reached = np.append(0.0, np.cumsum(mass))
        means[name] = np.diff(np.interp(ends, share, reached), prepend=0.0)
        means[name] *= n_bands / total
        totals[name] = float(mass.sum()) / total
    if rescale:
        rescale_predictions(means, totals)
    starts = np.searchsorted(share, np.append(0.0, ends[:-1]), side="right") - 1
    stops = np.searchsorted(share, ends) - 1
    return DoubleLift(
        band=np.arange(1, n_bands + 1),
        n=np.full(n_bands, total / n_bands),
        lowest_ratio=ratio[first[starts]],
        highest_ratio=ratio[last[np.maximum(stops, starts)]],
        **means,
        total_outcome=totals["outcome"],
        total_a=totals["prediction_a"],
        total_b=totals["prediction_b"],
        rescaled=rescale,
    )


def rescale_predictions(means: dict[str, FloatArray], totals: dict[str, float]) -> None:
    """Multiply each prediction so that its total is that of the outcome."""
    if not totals["outcome"] > 0:
        raise CapcurveError(
            "`rescale=True` requires a total outcome above 0, got 0; leave it out"
        )
    for name in ("prediction_a", "prediction_b"):
        means[name] *= totals["outcome"] / totals[name]
        totals[name] = totals["outcome"]
