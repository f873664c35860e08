"""Bands around a curve, and around the diagonal for a score that says nothing."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from capcurve import _limits
from capcurve._chance import captured_by_chance, ks_reach
from capcurve._precision import check_level
from capcurve._resampling import RandomState, replicates_of_tally
from capcurve._share_estimates import capture_errors
from capcurve.curve import CapCurve, locked
from capcurve.exceptions import CapcurveError

__all__ = ["Band", "random_band"]

Kind = Literal["pointwise", "simultaneous"]
FloatArray = NDArray[np.float64]

POINTS = 501  # population shares at which a band is computed


@dataclass(frozen=True, eq=False)
class Band:
    """Limits of the capture rate over the population. It never changes.

    Make one with `CapCurve.band` or `random_band`.

    Attributes
    ----------
    population_share : ndarray of shape (n_points,)
        From 0 to 1.
    low, high : ndarray of shape (n_points,)
        Limits of the capture rate there.
    confidence_level : float
        From 0 to 1.
    kind : {'pointwise', 'simultaneous'}
        Whether that holds at one share chosen in advance, or at all at once.
    around : {'curve', 'random'}
        What lies inside: the true curve of a model, or what a useless score reaches.

    Examples
    --------
    >>> from capcurve import CapCurve
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> curve = CapCurve.from_predictions(loans["default"], loans["champion_pd"])
    >>> band = curve.band("simultaneous", random_state=1)
    >>> round(float((band.high - band.low).max()), 3)
    0.12...
    """

    population_share: FloatArray
    low: FloatArray
    high: FloatArray
    confidence_level: float
    kind: Kind
    around: Literal["curve", "random"]

    def __post_init__(self) -> None:
        for array in (self.population_share, self.low, self.high):
            locked(array)

    def __repr__(self) -> str:
        return (
            f"Band({100 * self.confidence_level:.4g} % {self.kind} around the "
            f"{self.around}, points={len(self.low)})"
        )


def random_band(
    n_events: int,
    n_nonevents: int,
    *,
    kind: Kind = "pointwise",
    confidence_level: float = 0.95,
) -> Band:
    """Compute how far a score that says nothing may stray from the diagonal.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    n_events, n_nonevents : int
        Rows of each kind.
    kind : {'pointwise', 'simultaneous'}, default='pointwise'
        'pointwise': at a share chosen in advance, the hypergeometric limits of captured
        events. 'simultaneous': at all shares at once, from the critical value of the
        two-sample Kolmogorov-Smirnov test, exact for small samples.
    confidence_level : float, default=0.95
        From 0 to 1.

    Returns
    -------
    Band
        A curve that stays inside is no evidence that the score ranks at all. Without ties
        the level is exact, with ties the band is too wide.

    Raises
    ------
    CapcurveError
        A count is not positive, or an option is not known.
    MissingDependencyError
        SciPy is not installed.

    Notes
    -----
    The distance of a CAP curve from the diagonal is that of the two score distributions
    times the share of non-events. Exact critical values after Hodges (1958),
    doi:10.1007/BF02589501.

    Examples
    --------
    >>> from capcurve import random_band
    >>> band = random_band(10, 90, kind="simultaneous")
    >>> round(float(band.high[250] - 0.5), 3)  # in the middle
    0.4
    """
    check_kind(kind)
    check_level(confidence_level)
    if min(n_events, n_nonevents) < 1:
        raise CapcurveError(
            "`n_events` and `n_nonevents` must be positive, got "
            f"{n_events!r} and {n_nonevents!r}"
        )
    share = np.linspace(0, 1, POINTS)
    n_rows = n_events + n_nonevents
    if kind == "pointwise":
        low, high = captured_by_chance(share, n_events, n_nonevents, confidence_level)
    else:
        reach = ks_reach(confidence_level, n_events, n_nonevents) * n_nonevents / n_rows
        low, high = within_reach(share, share, reach, n_events / n_rows)
    return Band(share, low, high, confidence_level, kind, "random")


def band_of(
    curve: CapCurve,
    kind: Kind,
    confidence_level: float,
    n_resamples: int,
    random_state: RandomState,
) -> Band:
    """Compute the band of a curve of 0/1 events that are not weighted."""
    check_kind(kind)
    check_level(confidence_level)
    if curve.tally.weight.dtype.kind == "f":
        raise CapcurveError(
            "a band takes a curve of 0/1 events without weights: of amounts and weighted "
            "rows the curve does not hold what their variance rests on; "
            "`capture_rate_interval` takes the rows"
        )
    share = np.linspace(0, 1, POINTS)
    if kind == "pointwise":
        limits = [limits_at(curve, x, confidence_level) for x in share.tolist()]
        low, high = np.array(limits).T
    else:
        height, random = (
            np.interp(share, *curve.profile),
            np.random.default_rng(random_state),
        )
        gaps = [
            np.abs(np.interp(share, *drawn.profile) - height).max()
            for drawn in replicates_of_tally(curve.tally, n_resamples, random)
        ]
        reach = float(np.quantile(gaps, confidence_level))
        low, high = within_reach(share, height, reach, curve.response_rate)
    return Band(share, low, high, confidence_level, kind, "curve")


def limits_at(curve: CapCurve, share: float, level: float) -> tuple[float, float]:
    """Find the limits of the capture rate at one share."""
    captured = curve.capture_rate_at(share)
    if share in {0, 1}:
        return captured, captured
    events = curve.total_target
    sizes = events, curve.total_weight - events
    _, size, _ = capture_errors(curve, share, *sizes)
    low, high = _limits.wilson(captured, size, level)
    return low, max(captured, min(high, share / curve.response_rate))


def within_reach(
    share: FloatArray, height: FloatArray, reach: float, rate: float
) -> tuple[FloatArray, FloatArray]:
    """Go up and down from a path, as far as any ranking can go."""
    low = np.clip((share - (1 - rate)) / rate, 0, 1)
    high = np.clip(share / rate, 0, 1)
    return np.clip(height - reach, low, high), np.clip(height + reach, low, high)


def check_kind(kind: str) -> None:
    """Refuse kinds of band that there are not."""
    if kind not in get_args(Kind):
        raise CapcurveError(f"`kind` must be 'pointwise' or 'simultaneous', got {kind!r}")
