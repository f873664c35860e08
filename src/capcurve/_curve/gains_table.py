"""Gains table: a CAP curve cut into bands of the population."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._curve.curve import CapCurve
from capcurve._input.column import as_array, as_list
from capcurve._input.options import is_whole, show
from capcurve._public import public
from capcurve._tally.contrast import Contrast
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.locked import Locked
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from great_tables import GT

MAX_BANDS = 1_000_000
BandSpec = int | Sequence[float] | Literal["scores"]
GTBackend = Literal["polars", "pandas"]


@public
@dataclass(frozen=True, eq=False)
class GainsTable(Locked):
    """A CAP curve cut into bands of the ranking, best band first.

    A block of tied rows across the edge of a band is split pro rata, the expected value
    over all orders of these rows, so that row order has no influence.

    Attributes
    ----------
    band : ndarray of int64, shape (n_bands,)
        Number of the band; 1 is the best.
    n : ndarray of float64, shape (n_bands,)
        Weight of the band: its number of rows if there are no weights. Fractional where a
        block of ties is split.
    n_events : ndarray of float64, shape (n_bands,)
        Outcome of the band: the number or weight of its events; where outcomes are amounts,
        the (weighted) amount. Fractional where a block of ties is split.
    response_rate : ndarray of float64, shape (n_bands,)
        ``n_events / n``: the event rate of the band, or its mean amount.
    population_share : ndarray of float64, shape (n_bands,)
        Share of the population's weight from the best row to the end of the band, above 0
        and up to 1.
    capture_rate : ndarray of float64, shape (n_bands,)
        Share of the outcome captured there, from 0 to 1.
    lift : ndarray of float64, shape (n_bands,)
        ``capture_rate / population_share``; 1 for a random ranking.
    band_lift : ndarray of float64, shape (n_bands,)
        ``response_rate`` of the band divided by that of the population.
    ks : ndarray of float64, shape (n_bands,)
        Distance of the curve from the diagonal at the end of the band, as a share of the
        largest distance of the perfect curve, from 0 to 1. For 0/1 events this is the
        difference between the score distributions of events and non-events.
    highest_score, lowest_score : ndarray of float64, shape (n_bands,)
        Score of the first and of the last row in the band, best first. If low scores rank
        first, ``highest_score`` is the smaller number.

    See Also
    --------
    gains_table : The same table as a data frame, by group and for several models.

    Examples
    --------
    >>> from capcurve import CapCurve, GainsTable
    >>> curve = CapCurve.from_predictions([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    >>> table = GainsTable.from_curve(curve, [0.4])
    >>> table.n, table.n_events, table.capture_rate
    (array([2., 3.]), array([1., 1.]), array([0.5, 1. ]))
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
    def from_curve(cls, curve: CapCurve, bands: BandSpec = 10) -> GainsTable:
        """Cut a curve into bands.

        Parameters
        ----------
        curve : CapCurve
        bands : int, sequence of float or 'scores', default=10
            Number of bands of equal weight; increasing population shares in [0, 1] at which
            bands end, such as ``[0.01, 0.05, 0.1]``, to which 1 is added; or one band for
            each distinct score.

        Returns
        -------
        GainsTable
            Ratios are nan where the population has no outcome.

        Raises
        ------
        CapcurveError
            ``bands`` is less than 1, or its shares are not increasing or not in [0, 1].
        """
        if not isinstance(curve, CapCurve):
            raise CapcurveError(
                f"`curve` must be a CapCurve, got {show(curve)}; make one with "
                "`CapCurve.from_predictions`, or call `gains_table` with a data frame"
            )
        contrast = Contrast.of(curve.tally, curve.perfect_tally)
        captured = accumulate_from_zero(contrast.ranking.target)
        cut = cut_by_score if isinstance(bands, str) else cut_by_share
        gap = contrast.perfect.max_distance / curve.total_weight or np.nan
        with np.errstate(invalid="ignore"):  # 0 / 0 where a group has no outcome
            found = cut(curve, captured, list_band_ends(curve, bands))
            return cls(
                band=np.arange(1, len(found.share) + 1),
                n=found.n,
                n_events=found.n_events,
                response_rate=found.n_events / found.n,
                population_share=found.share,
                capture_rate=found.capture_rate,
                lift=found.capture_rate / found.share,
                band_lift=found.n_events / found.n / np.float64(curve.response_rate),
                ks=np.abs(found.captured - found.share * captured[-1]) / np.float64(gap),
                highest_score=found.highest,
                lowest_score=found.lowest,
            )

    def _repr_html_(self) -> str:
        from capcurve._curve.notebook import view_gains_table

        return view_gains_table(self)

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name, for the constructor of a data frame.

        Returns
        -------
        dict of str to ndarray of shape (n_bands,)
            Every attribute, in the order above.
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_gt(self, *, title: str | None = None, backend: GTBackend = "polars") -> GT:
        """Return the table for publication; requires great_tables.

        Parameters
        ----------
        title : str, default=None
            Title of the table. None: no title.
        backend : {'polars', 'pandas'}, default='polars'
            Library of the data that the result holds, in the expressions of which its
            methods select rows and columns. ``capcurve[tables]`` installs Polars.

        Returns
        -------
        great_tables.GT
            With labels, formats, and a last row of all bands; a source note says so where
            counts can be fractional. Its own methods change it, such as ``cols_label``,
            ``cols_hide`` and ``tab_source_note``, or save it as HTML, LaTeX or a picture.

        Raises
        ------
        CapcurveError
            ``title`` is no text, or ``backend`` is another library.
        MissingDependencyError
            great_tables or the library of ``backend`` is not installed.

        Examples
        --------
        >>> from capcurve import CapCurve, GainsTable
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
        >>> table = GainsTable.from_curve(curve, [0.4]).to_gt(title="Gains of a scorecard")
        >>> "Gains of a scorecard" in table.as_raw_html()
        True
        """
        from capcurve._curve.publication import make_publication

        return make_publication(self, title, backend)


class Bands(NamedTuple):
    """Bands of a population.

    Attributes
    ----------
    share, capture_rate, captured : ndarray of float64, shape (n_bands,)
        Population share, capture rate and outcome, less the median outcome, reached at the
        end of each band.
    n, n_events : ndarray of float64, shape (n_bands,)
        Weight and outcome in each band.
    highest, lowest : ndarray of float64, shape (n_bands,)
        First and last score in each band.
    """

    share: FloatArray
    n: FloatArray
    n_events: FloatArray
    capture_rate: FloatArray
    captured: FloatArray
    highest: FloatArray
    lowest: FloatArray


def cut_by_score(curve: CapCurve, captured: FloatArray, share: FloatArray) -> Bands:
    """Make a band of each distinct score."""
    return Bands(
        share,
        curve.tally.weight.astype(np.float64),
        curve.tally.target.astype(np.float64),
        curve.capture_rate[1:],
        captured[1:],
        curve.thresholds[1:],
        curve.thresholds[1:],
    )


def cut_by_share(curve: CapCurve, captured: FloatArray, share: FloatArray) -> Bands:
    """Cut at population shares; within a block of tied rows the outcome is interpolated."""
    reached = curve.population_share
    outcome = accumulate_from_zero(curve.tally.target)
    starts = np.append(0.0, share[:-1])
    first = np.searchsorted(reached, starts, side="right")
    return Bands(
        share,
        np.diff(share * curve.total_weight, prepend=0.0),
        np.diff(np.interp(share, reached, outcome), prepend=0.0),
        np.interp(share, reached, curve.capture_rate),
        np.interp(share, reached, captured),
        curve.thresholds[np.minimum(first, len(reached) - 1)],
        curve.thresholds[np.searchsorted(reached, share)],
    )


def accumulate_from_zero(mass: NDArray[Any]) -> FloatArray:
    """Accumulate mass, 0 first."""
    return np.append(0.0, np.cumsum(mass))


def list_band_ends(curve: CapCurve, bands: BandSpec) -> FloatArray:
    """Turn the ``bands`` option into the population shares at which bands end."""
    ends = find_band_ends(bands)
    return curve.population_share[1:] if ends is None else ends


def find_band_ends(bands: BandSpec) -> FloatArray | None:
    """Return the shares that ``bands`` says; None if they are those of the scores."""
    if isinstance(bands, str) and bands == "scores":
        return None
    if is_whole(bands):
        if not 1 <= bands <= MAX_BANDS:
            raise CapcurveError(
                f"`bands` must be at least 1 and at most {MAX_BANDS:,}, got {show(bands)}; "
                "10 are usual, and 1 is the population"
            )
        return np.arange(1, bands + 1) / bands
    is_list = as_list(bands) is not None and not isinstance(bands, Mapping)
    edges = as_array(bands, "bands") if is_list else np.asarray(None)
    if (
        edges.ndim != 1
        or edges.dtype.kind not in "iuf"
        or np.any(np.diff(edges) <= 0)
        or not np.all((edges >= 0) & (edges <= 1))
    ):
        raise CapcurveError(
            "`bands` must be a number of bands, 'scores', or increasing population "
            f"shares in [0, 1], got {show(bands)}; ten bands of equal weight are 10"
        )
    return np.append(edges[(edges > 0) & (edges < 1)], 1.0)
