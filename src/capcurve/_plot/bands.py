"""Confidence bands, random bands and guaranteed bounds around the curves of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from capcurve._arrays.bands import random_band as find_random_band
from capcurve._curve.binned_curve import BinnedCurve
from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import Profile
from capcurve._inference.band import Band, check_band_kind
from capcurve._inference.options import BandKind
from capcurve._plot.picture import Role
from capcurve.exceptions import CapcurveError


class Area(NamedTuple):
    """An area between two profiles, with its entry in the legend."""

    role: Role
    entry: str
    low: Profile
    high: Profile


def list_bands(
    curve: CapCurve,
    binned: BinnedCurve | None,
    band: Band | BandKind | None,
    random_band: Band | BandKind | None,
) -> Iterator[Area]:
    """List the areas around a curve that were asked for, and the bounds of bins."""
    if binned is not None:
        share, _, low, high = binned.cap_curve()
        if np.any(high > low):
            edges = Profile(share, low), Profile(share, high)
            yield Area("bounds", "Guaranteed bounds", *edges)
    if band is not None:
        yield name_band(make_curve_band(curve, band))
    if random_band is not None:
        yield name_band(make_random_band(curve, random_band))


def name_band(band: Band) -> Area:
    """Return the area of a band."""
    is_random = band.around == "random"
    around = "band of a random score" if is_random else "confidence band"
    return Area(
        "random band" if is_random else "band",
        f"{100 * band.confidence_level:.4g}% {around} ({band.kind})",
        Profile(band.population_share, band.low),
        Profile(band.population_share, band.high),
    )


def make_curve_band(curve: CapCurve, band: Band | BandKind) -> Band:
    """Return the confidence band of a curve, computed if only its kind is given."""
    if isinstance(band, Band):
        return band
    check_band_kind(band, "band")
    return curve.band(band)


def make_random_band(curve: CapCurve, band: Band | BandKind) -> Band:
    """Return the band of an uninformative score, computed if only its kind is given."""
    if isinstance(band, Band):
        return band
    check_band_kind(band, "random_band")
    if curve.tally.weight.dtype.kind == "f":
        raise CapcurveError(
            f"`random_band={band!r}` requires a curve of unweighted 0/1 events, got "
            "amounts or weights; pass a Band from "
            "`capcurve.random_band(n_events, n_nonevents)`"
        )
    events = int(curve.total_target)
    return find_random_band(events, int(curve.total_weight) - events, kind=band)
