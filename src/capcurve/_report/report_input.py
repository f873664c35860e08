"""What a report is made of: ranked rows, their groups, and where they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from capcurve._report.options import Facts, ReportOptions
from capcurve._report.scored import ScoredGroup
from capcurve._tally.dtypes import FloatArray, IntArray


class Split(NamedTuple):
    """The rows of a report, split by the values of one column.

    Attributes
    ----------
    by : str
        The column.
    labels : list of str or None
        Its values as text, sorted; None is missing, and last.
    segment : ndarray of int64, shape (n_rows,)
        Number of the label of each ranked row.
    is_timed : bool
        Whether the order of the labels is plainly that of time, which it need not be where
        periods are text.
    """

    by: str
    labels: list[str | None]
    segment: IntArray
    is_timed: bool = True


@dataclass(frozen=True, kw_only=True)
class ReportInput:
    """Scored rows of a report, and how to split them into segments and periods.

    Attributes
    ----------
    options : ReportOptions
    whole : sequence of ScoredGroup
        All rows, ranked by the champion's score and then by that of each challenger.
    segments, periods : sequence of Split
        How to split these rows by each column of segments or periods.
    rows : dict
        Facts on the rows that were read, used and left out.
    design : dict of str to str
        Columns of the outcome, the weights and the clusters, by part.
    probabilities : dict of str to ndarray of float64
        Probabilities of these rows from columns that are no scores; nan where missing.
    few_amounts : str or None
        What is odd about outcomes that are taken as amounts.
    mixed_percents : sequence of str
        Which values of text files have a percent sign, where others of a column have none.
    span : dict or None
        Column of the period, with its first and its last value, if they are in the order of
        time.
    provenance : dict
        Command, call, options, files and libraries.
    """

    options: ReportOptions
    whole: Sequence[ScoredGroup]
    segments: Sequence[Split] = ()
    periods: Sequence[Split] = ()
    rows: Facts
    design: Mapping[str, str] = field(default_factory=dict)
    probabilities: Mapping[str, FloatArray] = field(default_factory=dict)
    few_amounts: str | None = None
    mixed_percents: Sequence[str] = ()
    span: Facts | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
