"""Options and facts of a report."""

from dataclasses import dataclass
from typing import Any

from capcurve._curve.gains_table import BandSpec

Facts = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """Options of a report that do not concern which rows are ranked, and how.

    Attributes
    ----------
    title : str
        Title of the report.
    period : str or None
        Column of dates or periods, for the trend.
    bands : int, sequence of float or 'scores'
        Bands of the gains table: their number, cumulative population shares, or one band
        per distinct score.
    confidence_level : float
        Confidence level of all intervals and of the band, between 0 and 1.
    initial_auc : float or None
        AUC at initial validation, from 0 to 1.
    initial_variance : float or None
        Variance of the initial AUC.
    """

    title: str
    period: str | None = None
    bands: BandSpec = 10
    confidence_level: float = 0.95
    initial_auc: float | None = None
    initial_variance: float | None = None
