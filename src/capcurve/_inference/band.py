"""Confidence bands of CAP curves, and bands of an uninformative score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from capcurve._curve.curve import CapCurve
from capcurve._inference.bootstrap import draw_tally_replicates, join_pure_runs
from capcurve._inference.capture_rate import count_capture_limits
from capcurve._inference.limits import import_scipy
from capcurve._inference.options import (
    FEW_EVENTS,
    BandKind,
    RandomState,
    check_confidence_level,
    check_resampling,
)
from capcurve._inference.share_influence import find_cut
from capcurve._inference.share_limits import share_limits
from capcurve._input.options import show
from capcurve._public import public
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.locked import Locked
from capcurve._tally.tally import Tally
from capcurve.exceptions import CapcurveError, FewEventsWarning, warn_caller

BAND_POINTS = 501  # population shares at which a band is computed
RATE_LEVEL = 0.999  # of the event rate, on which the range of all curves depends
MAX_STEPS = 1 << 12  # steps of a curve, each with a share of events and non-events alike


def null_capture_limits(
    population_share: NDArray[np.float64],
    n_events: int,
    n_nonevents: int,
    confidence_level: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute hypergeometric limits of the capture rate of an uninformative score.

    Between whole numbers of rows the limits are interpolated linearly, as the curve is.
    """
    n_rows = n_events + n_nonevents
    tail = (1 - confidence_level) / 2
    hypergeom = import_scipy("stats").hypergeom
    rows = population_share * n_rows
    whole = np.floor(rows + 1e-9)  # rounding may leave a product just below its integer
    ends = [np.clip(whole + more, 0, n_rows).astype(np.int64) for more in (0, 1)]
    limits = []
    for probability in (tail, 1 - tail):
        before, after = (
            hypergeom.ppf(probability, n_rows, n_events, end) / n_events for end in ends
        )
        limits.append(before + (rows - whole).clip(0, 1) * (after - before))
    return limits[0].clip(0, 1), limits[1].clip(0, 1)


@public
@dataclass(frozen=True, eq=False)
class Band(Locked):
    """Lower and upper limits of the capture rate over the population, read-only.

    `CapCurve.band` and `random_band` make it.

    Attributes
    ----------
    population_share : ndarray of float64, shape (n_points,)
        Share of the population's weight that is selected: increasing, from 0 to 1.
    low, high : ndarray of float64, shape (n_points,)
        Limits of the capture rate at each population share, from 0 to 1.
    confidence_level : float
        Probability with which the band covers, strictly between 0 and 1.
    kind : {'pointwise', 'simultaneous'}
        Whether the confidence level holds at any one population share chosen in advance,
        or for all shares at once.
    around : {'curve', 'random'}
        What the band covers: the true curve of a score ('curve'), or the curve of a sample
        that an uninformative score ranks ('random').

    See Also
    --------
    CapCurve.band : The confidence band of a curve.
    random_band : The band of an uninformative score.

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
    kind: BandKind
    around: Literal["curve", "random"]

    def __repr__(self) -> str:
        return (
            f"Band({100 * self.confidence_level:.4g} % {self.kind} around the "
            f"{self.around}, points={len(self.low)})"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook import view_band

        return view_band(self)


def make_band(
    curve: CapCurve,
    kind: BandKind,
    confidence_level: float,
    n_resamples: int,
    random_state: RandomState,
) -> Band:
    """Compute the confidence band of a curve of unweighted 0/1 events; warn of few."""
    band = compute_band(curve, kind, confidence_level, n_resamples, random_state)
    warn_if_few_in_band(curve)
    return band


def compute_band(
    curve: CapCurve,
    kind: BandKind,
    confidence_level: float,
    n_resamples: int,
    random_state: RandomState,
) -> Band:
    """Compute the confidence band of a curve of unweighted 0/1 events."""
    check_band_kind(kind)
    check_confidence_level(confidence_level)
    check_resampling(n_resamples, random_state)
    if curve.tally.weight.dtype.kind == "f":
        raise CapcurveError(
            "a band requires a curve of unweighted 0/1 events, got amounts or weights, the "
            "variance of which cannot be computed from the curve; pass the rows to "
            "`capture_rate_interval` instead"
        )
    share = np.linspace(0, 1, BAND_POINTS)
    if kind == "pointwise":
        limits = [find_pointwise_limits(curve, x, confidence_level) for x in share.tolist()]
        low, high = np.array(limits).T
    else:
        random = np.random.default_rng(random_state)
        distances = draw_distances(curve.tally, share, n_resamples, random)
        half_width = float(np.quantile(distances, confidence_level))
        height = np.interp(share, *curve.profile)
        rate, _ = share_limits(curve.response_rate, curve.total_weight, RATE_LEVEL)
        low, high = clip_band(share, height, half_width, rate)
    return Band(share, low, high, confidence_level, kind, "curve")


def draw_distances(
    tally: Tally, share: FloatArray, n_resamples: int, random: np.random.Generator
) -> list[float]:
    """Draw replicates, and return the largest distance of each from the curve."""
    tally = join_short_steps(join_pure_runs(tally))
    height = np.interp(share, *CapCurve(tally, tally.events_first()).profile)
    return [
        float(np.abs(np.interp(share, *replicate.profile) - height).max())
        for replicate in draw_tally_replicates(
            tally, n_resamples, random, given_classes=False
        )
    ]


def join_short_steps(tally: Tally) -> Tally:
    """Join neighbouring scores where a curve has many more steps than a band has points.

    What replicates do within a step that short adds less than a thousandth to the width of
    the band, a fraction of what another seed does.
    """
    if len(tally) <= MAX_STEPS:
        return tally
    masses = tally.weight - tally.target, tally.target
    reached = sum(np.cumsum(mass) / mass.sum() for mass in masses)
    step = np.ceil(reached * (MAX_STEPS / 2))
    first = np.flatnonzero(np.append(True, step[1:] != step[:-1]))
    return Tally(
        tally.score[first],
        np.add.reduceat(tally.weight, first),
        np.add.reduceat(tally.target, first),
    )


def warn_if_few_in_band(curve: CapCurve) -> None:
    """Warn if a band is based on few events or non-events."""
    events = curve.total_target
    fewer = min(events, curve.total_weight - events)
    if fewer < FEW_EVENTS:
        kind = "events" if fewer == events else "non-events"
        warn_caller(
            f"the band is based on {fewer:,.0f} {kind} (fewer than {FEW_EVENTS}), so its "
            "coverage may fall below the confidence level",
            FewEventsWarning,
        )


def find_pointwise_limits(
    curve: CapCurve, share: float, level: float
) -> tuple[float, float]:
    """Compute the confidence limits of the capture rate at one population share."""
    if share in {0, 1}:
        return share, share
    cut = find_cut(curve, share, curve.total_weight)
    low, high, _ = count_capture_limits(curve, cut, level)
    return low, high


def clip_band(
    share: FloatArray, height: FloatArray, half_width: float, rate: float
) -> tuple[FloatArray, FloatArray]:
    """Make a band of fixed width, clipped to what rankings reach at the lowest event rate.

    At a higher one the best ranking is below, and the worst one above.
    """
    worst = np.clip((share - (1 - rate)) / rate, 0, 1)
    best = np.clip(share / rate, 0, 1)
    low, high = height - half_width, height + half_width
    return np.clip(low, worst, best), np.clip(high, worst, best)


def check_band_kind(kind: object, name: str = "kind") -> None:
    """Raise if the kind of band is invalid."""
    if not isinstance(kind, str) or kind not in get_args(BandKind):
        raise CapcurveError(
            f"`{name}` must be 'pointwise' or 'simultaneous', got {show(kind)}; the first "
            "covers at one population share chosen in advance, the second at all"
        )
