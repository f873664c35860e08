"""`summarize_segments`: the pooled AR and the tests of all segments as a data frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan
from typing import Any, get_args

import narwhals.stable.v2 as nw

from capcurve._engines.row_rankings import RowRankings
from capcurve._frames.compare_segments import (
    compare_models_by_segment,
    rank_segments,
    warn_of_models,
)
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.results import NativeFrame
from capcurve._inference.options import IntervalOptions
from capcurve._inference.pooled_ratio import SegmentWeights, estimate_pooled_ratio
from capcurve._inference.segments import SegmentComparison
from capcurve._input.dtypes import EventLevel, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.options import check_word
from capcurve._input.segments import Segmented
from capcurve._input.source import FrameLike

SUMMARY_COLUMNS = (
    *("estimate", "low", "high", "statistic", "df_1", "df_2", "p_value"),
    *("n_segments", "n_events"),
)


@frame_verb
def summarize_segments(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    *,
    by: Names,
    ordered: bool = False,
    segment_weights: SegmentWeights = "pairs",
    case_weights: str | None = None,
    counts: str | None = None,
    events: str | None = None,
    clusters: str | None = None,
    event_level: EventLevel | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    order: Sequence[str] | None = None,
    na_rm: bool = True,
    memory_limit: float | str | None = None,
    confidence_level: float = 0.95,
) -> NativeFrame:
    """Test whether gain capture (AR, Gini) is the same in all segments; pool it.

    Requires SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    data, truth, estimate, by, case_weights, counts, events, clusters
        As in `compare_segments`.
    ordered : bool, default=False
        Whether the segments are periods: adds a row with their linear trend. Periods are
        sorted as in `compare_segments`, each one step after the one before; a missing one
        has no place among them.
    segment_weights : {'pairs', 'events'}, default='pairs'
        What a segment counts for in the pooled AR: its pairs of an event and a non-event,
        or its events, as in `pooled_accuracy_ratio_interval`.
    event_level, pos_label, target_type, descending, order, na_rm, memory_limit
        As in `gain_curve`.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. Two or three rows for each model. Columns:

        - ``model`` (str), the score column, if ``estimate`` is a sequence of models;
        - ``metric`` (str), ``'pooled'``: AR of the pairs of rows of the same segment;
          ``'all_equal'``: the test that AR is the same in all segments; ``'trend'``, if
          ``ordered``: the mean change of AR per period;
        - ``estimate`` (float64), the pooled AR or the change; nan for the test;
        - ``low``, ``high`` (float64), confidence limits of the estimate;
        - ``statistic`` (float64), F of the test, t of the trend; nan for the pooled AR;
        - ``df_1``, ``df_2`` (float64), degrees of freedom of F; those of t are ``df_2``;
        - ``p_value`` (float64), two-sided, of the hypothesis that all are equal, that the
          change is 0, or that the pooled AR is 0;
        - ``n_segments`` (int64), number of segments that were tested, or that hold pairs;
        - ``n_events`` (int64), number of events in these segments.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        A test may miss its level, for the reasons in `accuracy_ratio_test_segments`.
    UndefinedMetricWarning
        A segment takes no part in the tests, or rows have no period. The message names it.
    UserWarning
        Ordered segments are text that may not sort by time, such as 'Q1 2024'.

    Raises
    ------
    CapcurveError
        For the reasons listed in `compare_segments`, or ``segment_weights`` is another
        word.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    compare_segments : Each segment against the rest.
    accuracy_ratio_test_segments : The same for arrays, with its formulas and limitations.
    pooled_accuracy_ratio_interval : The pooled AR alone, for arrays.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import summarize_segments
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> found = summarize_segments(loans, "default", "champion_pd", by="year", ordered=True)
    >>> found[["metric", "estimate", "low", "high", "p_value"]].round(3)
          metric  estimate    low   high  p_value
    0     pooled     0.572  0.528  0.614    0.000
    1  all_equal       NaN    NaN    NaN    0.756
    2      trend     0.004 -0.037  0.044    0.856
    """
    roles = make_roles(
        truth,
        estimate,
        by=by,
        case_weights=case_weights,
        counts=counts,
        events=events,
        clusters=clusters,
    )
    meaning = Meaning(
        pos_label=pos_label,
        event_level=event_level,
        target_type=target_type,
        estimator="binary",
        descending=descending,
        order=as_order(order),
        na_rm=na_rm,
    )
    check_word(segment_weights, "segment_weights", get_args(SegmentWeights))
    checked = rank_segments(data, roles, meaning, memory_limit, ordered=ordered)
    found = compare_models_by_segment(checked, confidence_level, ordered=ordered)
    warn_of_models(checked, found, ordered=ordered, rest=False, joint=True)
    found = pool_segments(found, checked, confidence_level, segment_weights)
    rows = [
        {"model": name, **row}
        for name, comparison in found.items()
        for row in list_summary(comparison, ordered=ordered)
    ]
    names = [name for name in rows[0] if name != "model" or not isinstance(estimate, str)]
    columns = {name: [row[name] for row in rows] for name in names}
    summary: NativeFrame = nw.from_dict(columns, backend=checked.groups.backend).to_native()
    return summary


def pool_segments(
    found: dict[str, SegmentComparison],
    checked: RowRankings,
    confidence_level: float,
    segment_weights: SegmentWeights,
) -> dict[str, SegmentComparison]:
    """Weight the segments of each pooled AR by their events, if that is asked for."""
    if segment_weights == "pairs":
        return found
    options = IntervalOptions(confidence_level)
    return {
        ranking.name: replace(
            found[ranking.name],
            pooled=estimate_pooled_ratio(
                Segmented(ranking.columns, checked.group), options, segment_weights
            ),
        )
        for ranking in checked.rankings
    }


def list_summary(found: SegmentComparison, *, ordered: bool) -> list[dict[str, Any]]:
    """List the pooled AR, the test of all segments, and the trend of ordered ones."""
    pooled, trend = found.pooled, found.trend
    tested = [
        each
        for segment, each in found.estimates.items()
        if segment not in found.left_out and not isnan(found.p_value)
    ]
    of_test = {"n_segments": len(tested), "n_events": sum(each.n_events for each in tested)}
    n_pooled = sum(not isnan(each.value) for each in found.estimates.values())
    numerator, denominator = found.degrees_of_freedom
    given: list[dict[str, Any]] = [
        {
            "metric": "pooled",
            "estimate": pooled.value,
            "low": pooled.low,
            "high": pooled.high,
            "p_value": pooled.p_value,
            "n_segments": n_pooled,
        },
        {
            "metric": "all_equal",
            "statistic": found.statistic,
            "df_1": numerator,
            "df_2": denominator,
            "p_value": found.p_value,
            **of_test,
        },
    ]
    if ordered:
        numbers: dict[str, Any] = {"n_segments": 0, "n_events": 0}
        if trend is not None:
            numbers = {
                "estimate": trend.change,
                "low": trend.low,
                "high": trend.high,
                "statistic": trend.statistic,
                "df_2": trend.degrees_of_freedom,
                "p_value": trend.p_value,
                **of_test,
            }
        given.append({"metric": "trend", **numbers})
    empty = dict.fromkeys(SUMMARY_COLUMNS, nan) | {"n_events": pooled.n_events}
    return [{"metric": row["metric"], **(empty | row)} for row in given]
