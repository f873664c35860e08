"""Band of an uninformative score, from the numbers of events and non-events."""

from __future__ import annotations

import numpy as np

from capcurve._inference.band import (
    BAND_POINTS,
    Band,
    check_band_kind,
    clip_band,
    null_capture_limits,
)
from capcurve._inference.ks import ks_critical_value
from capcurve._inference.options import BandKind, check_confidence_level
from capcurve._input.options import is_whole, show
from capcurve._input.weights import MAX_ROWS
from capcurve._public import public
from capcurve.exceptions import CapcurveError


@public
def random_band(
    n_events: int,
    n_nonevents: int,
    *,
    kind: BandKind = "pointwise",
    confidence_level: float = 0.95,
) -> Band:
    """Compute the band in which the CAP curve of an uninformative score stays by chance.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    n_events, n_nonevents : int
        Number of events and of non-events in the sample, each at least 1.
    kind : {'pointwise', 'simultaneous'}, default='pointwise'
        'pointwise': the level holds at any one population share chosen in advance, with
        hypergeometric limits of the number of events captured. 'simultaneous': the level
        holds for the whole curve at once, from the critical value of the two-sample
        Kolmogorov-Smirnov test (exact for small samples, asymptotic for large ones).
    confidence_level : float, default=0.95
        Least probability that an uninformative score is inside, strictly between 0 and 1:
        at the one share of 'pointwise', everywhere for 'simultaneous'. The number of events
        captured is a whole number, so the actual one is higher.

    Returns
    -------
    Band
        Limits of the capture rate at 501 population shares; with ties they are wider than
        necessary. A curve that leaves the simultaneous band is evidence that its score
        ranks; one that leaves a pointwise band somewhere is none, as many uninformative
        ones do. A curve inside may still have an AR that is significantly above 0, as
        ``p_value`` of `accuracy_ratio_interval` is the stronger test.

    Raises
    ------
    CapcurveError
        If a count is below 1, or an option is invalid.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    CapCurve.band : The confidence band of a curve.

    Notes
    -----
    The distance of a CAP curve from the diagonal is the distance between the score
    distributions of events and non-events, times the share of non-events. Exact critical
    values of the latter are computed as in Hodges (1958), doi:10.1007/BF02589501.

    Examples
    --------
    >>> from capcurve import random_band
    >>> band = random_band(10, 90, kind="simultaneous")
    >>> round(float(band.high[250] - 0.5), 3)  # half-width at half of the population
    0.4
    """
    check_band_kind(kind)
    check_confidence_level(confidence_level)
    for name, count in (("n_events", n_events), ("n_nonevents", n_nonevents)):
        if not is_whole(count) or not 1 <= count <= MAX_ROWS:
            raise CapcurveError(
                f"`{name}` must be a positive whole number, got {show(count)}; pass the "
                "counts of a sample with both events and non-events"
            )
    share = np.linspace(0, 1, BAND_POINTS)
    n_rows = n_events + n_nonevents
    if kind == "pointwise":
        low, high = null_capture_limits(share, n_events, n_nonevents, confidence_level)
    else:
        distance = ks_critical_value(confidence_level, n_events, n_nonevents)
        half_width = distance * n_nonevents / n_rows
        low, high = clip_band(share, share, half_width, n_events / n_rows)
    return Band(share, low, high, confidence_level, kind, "random")
