"""`gain_capture_change`: changes of the accuracy ratio in parts, as a data frame."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import nan
from typing import Any, NamedTuple, cast

import numpy as np

from capcurve._engines.rank import rank_all_rows
from capcurve._engines.row_rankings import Groups, Ranking, RowRankings
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.group_intervals import split_rows_by_group
from capcurve._frames.results import (
    MAX_PLACES_NAMED,
    NativeFrame,
    ResultPart,
    format_places,
    name_label_column,
    stack_parts,
)
from capcurve._frames.sample_order import PAIR, check_samples, sort_labels
from capcurve._inference.change import (
    FACTORS,
    AccuracyRatioChange,
    ChangeOptions,
    EmptyGrades,
    Shares,
    check_change_options,
    explain_change,
)
from capcurve._inference.change_warnings import WARNINGS, find_weakness
from capcurve._input.column import format_labels
from capcurve._input.dtypes import EventLevel, Frame, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles, read_names
from capcurve._input.missing import is_missing
from capcurve._input.options import show
from capcurve._input.seen import find_levels
from capcurve._input.source import FrameLike, take_column
from capcurve._tally.dtypes import IntArray
from capcurve.exceptions import CapcurveError

NUMBERS = (
    *("estimate", "std_error", "low", "high", "p_value", "estimate_first"),
    "estimate_second",
)
EVENTS = ("n_events_first", "n_events_second")


@frame_verb
def gain_capture_change(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    sample: str,
    *,
    bands: int | None = None,
    shares: Shares = "estimated",
    empty_grades: EmptyGrades = "refuse",
    by: Names | None = None,
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
    """Split changes of gain capture (accuracy ratio, AR, Gini) into mix and ranking.

    AR falls when a model ranks worse, and also when a portfolio moves into other grades.
    Each period is compared with the one before. Requires ``capcurve[stats]`` (SciPy).

    Parameters
    ----------
    data, truth
        As in `gain_curve`. ``truth`` must hold a single event or amounts.
    estimate : str or sequence of str
        Column of grades, as numbers or with ``order``, or of any score with ``bands``. A
        sequence names several models.
    sample : str
        Column of the sample or period of each row, such as its year. Samples are taken in
        sorted order, texts that are all numbers in the order of these, and those of a
        categorical with declared levels in the order of these. Three or more that are
        text such as 'Q1 2024', which need not sort by time, warn; write '2024-Q1'.
    bands : int, default=None
        Number of bands of equal share that take the place of grades, as in
        `accuracy_ratio_change`. None: every distinct score is a grade, of which there may
        be 50.
    shares : {'estimated', 'known'}, default='estimated'
        Whether the shares of the grades vary from sample to sample, or are those of the
        portfolios in question, as in `accuracy_ratio_change`.
    empty_grades : {'refuse', 'other'}, default='refuse'
        What to do about a grade without rows in one sample of a pair: raise, or take its
        event rate from the other sample, so that it adds to the mix only.
    by : str or sequence of str, default=None
        Columns to group by. A null is a group of its own.
    case_weights : str, default=None
        Column of sampling weights, finite and not negative: only their proportions matter.
        A row of weight 0 is ignored. None: every row has weight 1.
    counts, events : str, default=None
        Columns of the number of rows and of events that each row stands for, as in
        `gain_curve`.
    clusters : str, default=None
        Column that names the rows that are not independent, such as the loans of one
        borrower, in one sample or both. Not with ``counts``. None: all are independent.
    event_level, pos_label, target_type, descending, order, na_rm, memory_limit
        As in `gain_curve`.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. Three rows for each group, model and pair of consecutive samples, with
        groups ordered as in `gain_curve`. Columns:

        - the columns of ``by``;
        - ``model`` (str), the score column, if ``estimate`` is a sequence;
        - ``sample_first``, ``sample_second`` (as ``sample``), the pair;
        - ``part`` (str), ``'total'``, ``'mix'`` or ``'ranking'``: the change of AR, second
          minus first, the part that the shares of the grades make, and the part that the
          outcomes within grades make;
        - ``estimate`` (float64), the change, which is the sum of its two parts;
        - ``std_error``, ``low``, ``high`` (float64), its standard error and limits;
        - ``p_value`` (float64), two-sided, of the hypothesis that it is 0;
        - ``estimate_first``, ``estimate_second`` (float64), AR of both samples;
        - ``n_events_first``, ``n_events_second`` (int64): events, or amounts above 0.

        All numbers but the last two are nan if a sample has no row or equal outcomes.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        In a sample the smaller of the numbers of events and non-events, times the smaller
        of AUC and 1 - AUC, is below 5; of amounts, fewer than 20 are above 0, or there are
        fewer than 20 effective pairs (``n_effective`` of `Estimate`). The message
        names it.
    UndefinedMetricWarning
        The change, or its interval, is undefined for a pair. The message names it.
    UserWarning
        Three or more samples are text that need not sort by time.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`, except that a group without a complete row,
        or with equal outcomes, gives nan. Also for the reasons listed in
        `accuracy_ratio_change`, if ``sample`` holds a single value, missing ones, or
        dates in text and others; or if it is also the outcome or in ``by``.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    accuracy_ratio_change : The same for arrays, with formulas, sources and simulations.
    gain_capture_at_reference : AR at given shares of the grades.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import gain_capture_change
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> loans = loans[loans["year"] >= 2023]
    >>> parts = gain_capture_change(
    ...     loans, "default", "grade", "year", order=list("ABCDEFGH")
    ... )
    >>> parts[["sample_first", "part", "estimate", "low", "high", "p_value"]].round(3)
       sample_first     part  estimate    low   high  p_value
    0          2023    total    -0.030 -0.151  0.091    0.624
    1          2023      mix    -0.011 -0.035  0.014    0.397
    2          2023  ranking    -0.019 -0.138  0.099    0.747
    """
    options = ChangeOptions(bands, shares, empty_grades, confidence_level)
    check_change_options(options)
    groups_by = read_names("by", by)
    refuse_other_parts(sample, truth, groups_by)
    roles = make_roles(
        truth,
        estimate,
        by=(*groups_by, sample),
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
    checked = rank_all_rows(data, roles, meaning, memory_limit)
    samples = list_samples(checked, sample)
    levels = find_levels(take_column(take_keys(checked), sample))
    check_samples(samples.labels, sample, levels)
    changes = {
        ranking.name: explain_all_changes(checked, ranking, samples, options)
        for ranking in checked.rankings
    }
    warn_about_changes(samples.groups, changes)
    parts = [make_change_part(name, found) for name, found in changes.items()]
    return stack_parts(samples.groups, parts, name_label_column(checked, estimate))


def refuse_other_parts(sample: object, truth: str | None, by: tuple[str, ...]) -> None:
    """Raise if the sample is no column name, or the column plays another part too."""
    others = [name for name in (truth, *by) if isinstance(name, str)]
    if not isinstance(sample, str) or sample in others:
        raise CapcurveError(
            "`sample` must be the name of a column that is neither the outcome nor in "
            f"`by`, got {show(sample)}; pass the column of the period or the portfolio"
        )


class Samples(NamedTuple):
    """Samples of each group of a result.

    Attributes
    ----------
    groups : Groups
        The groups that are shown apart.
    labels : list
        Names of the samples, in their order.
    keys : dict of (int, int) to int
        The number of the rows' group, by number of the shown group and of the sample.
    """

    groups: Groups
    labels: list[Any]
    keys: dict[tuple[int, int], int]


class Change(NamedTuple):
    """A change in a group between two samples; None where one of them has no rows."""

    group: int
    pair: tuple[Any, Any]
    found: AccuracyRatioChange | None


def take_keys(checked: RowRankings) -> Frame:
    """Return the keys of the groups, among which is the sample."""
    return cast("Frame", checked.groups.keys)


def list_samples(checked: RowRankings, name: str) -> Samples:
    """List the samples in their order, and where each group has its rows."""
    keys = take_keys(checked)
    column = take_column(keys, name)
    values = column.to_list()
    if any(map(is_missing, values)):
        raise CapcurveError(
            f"`{name}` must name the sample of each row, got rows without a value; leave "
            "them out first (in the shell by --query), or give them a sample"
        )
    labels = sort_labels(set(values), find_levels(column))
    if len(labels) < PAIR:
        raise CapcurveError(
            f"`{name}` must hold at least two samples, got "
            f"{format_labels(labels) or 'none'}; pass the rows of all periods"
        )
    others = [other for other in keys.columns if other != name]
    shown = [""] * len(values)
    if others:
        cells = [keys.get_column(other).to_list() for other in others]
        shown = list(map(repr, zip(*cells, strict=True)))
    first: dict[str, int] = {}
    for at, key in enumerate(shown):
        first.setdefault(key, at)
    number = {key: at for at, key in enumerate(first)}
    rank = {label: at for at, label in enumerate(labels)}
    found = zip(shown, values, strict=True)
    return Samples(
        Groups(
            keys[list(first.values()), others] if others else None,
            checked.groups.backend,
        ),
        labels,
        {(number[key], rank[label]): at for at, (key, label) in enumerate(found)},
    )


def explain_all_changes(
    checked: RowRankings, ranking: Ranking, samples: Samples, options: ChangeOptions
) -> list[Change]:
    """Split the change between consecutive samples in each group."""
    rows = dict(split_rows_by_group(checked))
    changes = []
    for group in range(samples.groups.number):
        for second in range(1, len(samples.labels)):
            places = [samples.keys.get((group, at)) for at in (second - 1, second)]
            each = [rows[at] for at in places if at in rows]
            pair = samples.labels[second - 1], samples.labels[second]
            found = None
            if len(each) == len(pair):
                found = explain_pair(ranking, each, pair, options, samples.groups, group)
            changes.append(Change(group, pair, found))
    return changes


def explain_pair(  # noqa: PLR0917 -- the group is for the message alone
    ranking: Ranking,
    rows: list[IntArray],
    pair: tuple[Any, Any],
    options: ChangeOptions,
    groups: Groups,
    group: int,
) -> AccuracyRatioChange:
    """Split the change between two samples; an error names the group."""
    is_second = np.repeat([False, True], list(map(len, rows)))
    columns = ranking.columns[np.concatenate(rows)]
    try:
        return explain_change(columns, is_second, pair, options, ranking.grades)
    except CapcurveError as error:
        if groups.keys is None:
            raise
        place = format_places(groups, [("", group)])
        raise CapcurveError(f"{error} (in {place})") from error


def warn_about_changes(groups: Groups, changes: dict[str, list[Change]]) -> None:
    """Warn once about all changes that are undefined, or based on few events."""
    weak: dict[str, list[Change]] = {weakness: [] for weakness in WARNINGS}
    for change in chain.from_iterable(changes.values()):
        if weakness := find_weakness(change.found):
            weak[weakness].append(change)
    for weakness, found in weak.items():
        if found:
            WARNINGS[weakness](name_changes(groups, found))


def name_changes(groups: Groups, changes: list[Change]) -> str:
    """Name the first changes by their samples and group."""
    places = list(dict.fromkeys((change.pair, change.group) for change in changes))
    named = []
    for (first, second), group in places[:MAX_PLACES_NAMED]:
        where = "" if groups.keys is None else f", {format_places(groups, [('', group)])}"
        named.append(f"{first!r} to {second!r}{where}")
    if len(places) > MAX_PLACES_NAMED:
        named.append(f"{len(places) - MAX_PLACES_NAMED} more")
    return "; ".join(named)


def make_change_part(name: str, changes: list[Change]) -> ResultPart:
    """Return the result rows of one model: three for each change."""
    rows = [
        {
            "sample_first": change.pair[0],
            "sample_second": change.pair[1],
            "part": part,
            **list_change_numbers(change.found, part),
        }
        for change in changes
        for part in FACTORS
    ]
    columns = {}
    for column, value in rows[0].items():
        is_number = isinstance(value, float | int) and not column.startswith("sample")
        columns[column] = np.empty(len(rows), None if is_number else object)
        columns[column][:] = [row[column] for row in rows]
    columns |= {count: columns[count].astype(np.int64) for count in EVENTS}
    group = np.repeat([change.group for change in changes], len(FACTORS))
    return ResultPart(name, group, columns)


def list_change_numbers(found: AccuracyRatioChange | None, part: str) -> dict[str, float]:
    """List the numbers of one part of a change; nan where it is undefined."""
    if found is None:
        return {**dict.fromkeys(NUMBERS, nan), **dict.fromkeys(EVENTS, 0)}
    numbers = getattr(found, part)
    return {
        "estimate": numbers.value,
        "std_error": numbers.standard_error,
        "low": numbers.low,
        "high": numbers.high,
        "p_value": numbers.p_value,
        "estimate_first": found.first.value,
        "estimate_second": found.second.value,
        "n_events_first": found.first.n_events,
        "n_events_second": found.second.n_events,
    }
