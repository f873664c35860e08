"""The gains table: one row per band of the ranking."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from capcurve.curve import CapCurve
from capcurve.exceptions import CapcurveError

__all__ = ["Bands", "GainsTable"]

Bands = int | Sequence[float] | Literal["scores"]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GainsTable:
    """A curve cut into bands of the ranking, best first.

    A block of tied rows that lies across an edge is split pro rata, the expected value
    over all orders of its rows, so that no row order matters.

    Attributes
    ----------
    band : ndarray of int
        1 for the best.
    n, n_events : ndarray
        Weight and outcome of the band; fractional where a block of ties is split.
    response_rate : ndarray
        Outcome per unit of weight in the band.
    population_share, capture_rate, lift, ks : ndarray
        From the best row to the end of the band. ``ks`` is the distance from the
        diagonal as a share of the largest that a perfect ranking reaches.
    band_lift : ndarray
        Response rate of the band by that of the population.
    highest_score, lowest_score : ndarray
        First and last score in the band, in part or in full.
    """

    band: NDArray[np.int64]
    n: FloatArray
    n_events: FloatArray
    response_rate: FloatArray
    population_share: FloatArray
    capture_rate: FloatArray
    lift: FloatArray
    band_lift: FloatArray
    ks: FloatArray
    highest_score: FloatArray
    lowest_score: FloatArray

    @classmethod
    def from_curve(cls, curve: CapCurve, bands: Bands = 10) -> "GainsTable":
        """Cut a curve at even shares, at the shares given, or at every score."""
        edges = band_edges(curve, bands)
        outcome = np.append(0, np.cumsum(curve.tally.target))
        reached = np.interp(edges, curve.population_share, outcome)
        share, n, n_events = (
            edges[1:],
            np.diff(edges * curve.total_weight),
            np.diff(reached),
        )
        first = np.searchsorted(curve.population_share, edges[:-1], side="right")
        last = np.searchsorted(curve.population_share, share)
        gap = curve.perfect_tally.largest_gap / curve.total_weight
        with np.errstate(invalid="ignore"):  # without any outcome all ratios are nan
            capture_rate = reached[1:] / np.float64(curve.total_target)
            distance = np.abs(reached[1:] - share * curve.total_target)
            return cls(
                band=np.arange(1, len(share) + 1),
                n=n,
                n_events=n_events,
                response_rate=n_events / n,
                population_share=share,
                capture_rate=capture_rate,
                lift=capture_rate / share,
                band_lift=n_events / n / np.float64(curve.response_rate),
                ks=distance / np.float64(gap),
                highest_score=curve.thresholds[first],
                lowest_score=curve.thresholds[last],
            )

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name, ready for the constructor of a data frame."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def band_edges(curve: CapCurve, bands: Bands) -> FloatArray:
    """Turn what the caller asks for into population shares from 0 to 1."""
    if bands == "scores":
        return curve.population_share
    if isinstance(bands, int):
        if bands < 1:
            raise CapcurveError(f"`bands` must be at least 1, got {bands}")
        return np.arange(bands + 1) / bands
    edges = np.asarray(bands, dtype=np.float64)
    inner = edges[(edges > 0) & (edges < 1)]
    if (
        edges.ndim != 1
        or np.any(np.diff(edges) <= 0)
        or not np.all((edges >= 0) & (edges <= 1))
    ):
        raise CapcurveError(
            "`bands` must be a number of bands, 'scores', or increasing population "
            f"shares in [0, 1], got {bands!r}"
        )
    return np.concatenate([[0.0], inner, [1.0]])
