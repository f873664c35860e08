"""`compare_segments`: tests of segments against the rest as a data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any, cast

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.rank import rank_all_rows
from capcurve._engines.row_rankings import RowRankings
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.results import (
    NativeFrame,
    ResultPart,
    format_places,
    name_label_column,
    stack_parts,
)
from capcurve._inference.options import IntervalOptions, check_confidence_level
from capcurve._inference.segment_warnings import warn_of_segments
from capcurve._inference.segments import (
    SegmentComparison,
)
from capcurve._inference.segments import compare_segments as compare_rows
from capcurve._input.dtypes import EventLevel, Frame, Label, Names, TargetType
from capcurve._input.meaning import Meaning, Roles, as_order, make_roles
from capcurve._input.missing import find_missing_rows, is_missing
from capcurve._input.options import check_flags
from capcurve._input.periods import check_text_order
from capcurve._input.seen import find_levels
from capcurve._input.segments import Segmented
from capcurve._input.source import FrameLike
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller


@frame_verb
def compare_segments(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    *,
    by: Names,
    ordered: bool = False,
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
    """Test the gain capture (accuracy ratio, AR, Gini) of each segment against the rest.

    `summarize_segments` gives the test of all segments, the pooled AR, and the trend.
    Requires SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    data, truth, estimate
        As in `gain_curve`. ``truth`` must hold a single event.
    by : str or sequence of str
        Columns of the segment, or of the period. A missing value is a segment of its own,
        but no period: with ``ordered`` it has an estimate, and no test includes it.
    ordered : bool, default=False
        Whether to sort the segments, as periods; otherwise they are in the order of
        `gain_curve`. Numbers and dates are sorted by size, an ordered categorical of pandas
        or an enum of Polars by its levels, and text letter by letter: '10' before '9', and
        'Apr 2024' before 'Jan 2024', which warns. Write such periods as '2024-04'.
    case_weights : str, default=None
        Column of sampling weights of independent rows, finite and not negative: only their
        proportions matter. A row of weight 0 is ignored. None: every row has weight 1.
    counts, events : str, default=None
        Columns of the number of rows and of events that each row stands for, as in
        `gain_curve`.
    clusters : str, default=None
        Column that names the rows that are not independent, such as the loans of one
        borrower. Not with ``counts``. None: all rows are independent.
    event_level, pos_label, target_type, descending, order, na_rm, memory_limit
        As in `gain_curve`.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. A row for each segment and model. Columns:

        - the columns of ``by``;
        - ``model`` (str), the score column, if ``estimate`` is a sequence of models;
        - ``estimate`` (float64), the accuracy ratio of the segment, from -1 to 1;
        - ``std_error``, ``low``, ``high`` (float64), its standard error and confidence
          limits, as in `gain_capture`;
        - ``rest`` (float64), the pooled accuracy ratio of the other segments;
        - ``p_value`` (float64), two-sided, of the hypothesis that ``estimate`` equals
          ``rest``, without adjustment for the other segments;
        - ``p_holm``, ``p_bh`` (float64), ``p_value`` adjusted by the methods of Holm and of
          Benjamini and Hochberg for the number of segments of the model; segments with
          fewer than 20 events or non-events have none and do not count;
        - ``n_events`` (int64), number of events.

        P-values and ``rest`` are nan for a segment with fewer than two events or
        non-events, and for rows without a period; the estimate with its limits is nan
        without either.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        A test may miss its level, for the reasons in `accuracy_ratio_test_segments`.
    UndefinedMetricWarning
        A test is undefined, or rows have no period. The message names the segment.
    UserWarning
        Ordered segments are text that may not sort by time, such as 'Q1 2024'.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`, except that a segment without a complete
        row, or with equal outcomes, gives nan. Also if outcomes are amounts, ``by`` names
        no column, ordered segments are dates in text and one is no date, or
        ``confidence_level`` is not between 0 and 1.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    summarize_segments : The test of all segments, the pooled AR, and the trend.
    accuracy_ratio_test_segments : The same for arrays, with its formulas and limitations.
    gain_capture : AR of each segment alone.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import compare_segments
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> found = compare_segments(loans, "default", "champion_pd", by="segment")
    >>> found[["segment", "estimate", "rest", "p_value", "p_holm", "p_bh"]].round(3)
              segment  estimate   rest  p_value  p_holm   p_bh
    0  small business     0.516  0.580    0.196   0.587  0.339
    1          retail     0.578  0.529    0.299   0.598  0.339
    2       corporate     0.621  0.563    0.339   0.598  0.339
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
    checked = rank_segments(data, roles, meaning, memory_limit, ordered=ordered)
    found = compare_models_by_segment(checked, confidence_level, ordered=ordered)
    warn_of_models(checked, found, ordered=ordered, rest=True, joint=False)
    label = name_label_column(checked, estimate)
    groups = np.arange(checked.n_groups)
    parts = [
        ResultPart(name, groups, list_segment_columns(comparison))
        for name, comparison in found.items()
    ]
    return stack_parts(checked.groups, parts, label)


def rank_segments(
    data: Any,
    roles: Roles,
    meaning: Meaning,
    memory_limit: float | str | None = None,
    *,
    ordered: bool,
) -> RowRankings:
    """Rank the rows of each segment, sorted if they are periods."""
    check_flags(ordered=ordered)
    if not roles.by:
        raise CapcurveError(
            "`by` must name the columns of the segment, got none; pass a column such as a "
            "region or a year"
        )
    checked = rank_all_rows(data, roles, meaning, memory_limit)
    if not ordered:
        return checked
    checked = sort_groups(checked)
    check_periods(take_keys(checked))
    return checked


def check_periods(keys: Frame) -> None:
    """Check the order of sorted keys that are text, but for that of declared levels."""
    for name in keys.columns:
        column = keys.get_column(name)
        if not find_levels(column).are_arranged:
            labels = [value for value in column.to_list() if not is_missing(value)]
            check_text_order(list(dict.fromkeys(labels)), name)


def compare_models_by_segment(
    checked: RowRankings, confidence_level: float, *, ordered: bool
) -> dict[str, SegmentComparison]:
    """Compare the segments of each model; segments are named by their numbers.

    Ordered segments must have been sorted.
    """
    check_confidence_level(confidence_level)
    options = IntervalOptions(confidence_level)
    numbers = range(checked.n_groups)
    untested = find_untested(checked, ordered=ordered)
    return {
        ranking.name: compare_rows(
            numbers,
            Segmented(ranking.columns, checked.group),
            options,
            ordered=ordered,
            untested=untested,
        )
        for ranking in checked.rankings
    }


def find_untested(checked: RowRankings, *, ordered: bool) -> set[int]:
    """Find the numbers of the groups without a period, which are no period."""
    if not ordered:
        return set()
    return set(np.flatnonzero(find_missing_keys(take_keys(checked))).tolist())


def sort_groups(checked: RowRankings) -> RowRankings:
    """Sort the groups by their keys, those with a missing one last."""
    keys = take_keys(checked)
    names = [f"key {i}" for i in range(len(keys.columns))]
    plain = keys.rename(dict(zip(keys.columns, names, strict=True)))
    if keys.implementation.is_pyarrow():  # which does not sort dictionaries
        plain = plain.with_columns(nw.selectors.categorical().cast(nw.String))
    marked = plain.with_columns(
        nw.new_series("missing", find_missing_keys(keys), backend=keys.implementation)
    ).with_row_index("row")
    ordered = marked.sort("missing", *names, nulls_last=True)
    return reorder_groups(checked, ordered.get_column("row").to_list())


def reorder_groups(checked: RowRankings, order: Sequence[int]) -> RowRankings:
    """Put groups into an order, given as their numbers."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    keys = nw.maybe_reset_index(take_keys(checked)[list(order), :])
    return replace(checked, keys=keys, group=place[checked.group])


def take_keys(checked: RowRankings) -> Frame:
    """Return the keys of the groups, which segments always have."""
    return cast("Frame", checked.keys)


def find_missing_keys(keys: Frame) -> Array:
    """Return a mask of the groups with a missing key."""
    missing = [find_missing_rows(keys.get_column(name)) for name in keys.columns]
    mask: Array = np.logical_or.reduce(missing)
    return mask


def warn_of_models(
    checked: RowRankings,
    found: Mapping[str, SegmentComparison],
    *,
    ordered: bool,
    rest: bool,
    joint: bool,
) -> None:
    """Warn once of all models and segments whose tests are undefined or miss levels.

    ``rest`` and ``joint`` say which tests are shown: against the rest, of all segments.
    """
    groups = checked.groups
    untested = find_untested(checked, ordered=ordered)
    if untested:
        places = format_places(groups, [("", number) for number in sorted(untested)])
        warn_caller(
            f"rows without a period are in no test of periods: {places}",
            UndefinedMetricWarning,
        )
    undefined = {
        number
        for comparison in found.values()
        for number, p_value in comparison.p_values.items()
        if isnan(p_value)
    } - untested
    few = {number for comparison in found.values() for number in comparison.few_events}
    left_out = {number for comparison in found.values() for number in comparison.left_out}
    left_out -= untested
    warn_of_segments(
        format_places(groups, [("", int(number)) for number in undefined]),
        format_places(groups, [("", int(number)) for number in few]) if rest else "",
        format_places(groups, [("", int(number)) for number in left_out - undefined])
        if joint
        else "",
        [ranking.columns for ranking in checked.rankings],
        is_reliable=not joint
        or all(each.is_reliable is not False for each in found.values()),
    )


def list_segment_columns(found: SegmentComparison) -> dict[str, Array]:
    """Return the result columns of the segments of one model."""
    estimates = list(found.estimates.values())
    return {
        "estimate": np.array([each.value for each in estimates]),
        "std_error": np.array([each.standard_error for each in estimates]),
        "low": np.array([each.low for each in estimates]),
        "high": np.array([each.high for each in estimates]),
        "rest": np.array(list(found.rest.values())),
        "p_value": np.array(list(found.p_values.values())),
        "p_holm": np.array(list(found.p_holm.values())),
        "p_bh": np.array(list(found.p_bh.values())),
        "n_events": np.array([each.n_events for each in estimates], dtype=np.int64),
    }
