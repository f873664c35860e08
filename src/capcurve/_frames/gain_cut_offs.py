"""`gain_cut_offs`: what cut-off scores select, as a data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.cut_off import read_thresholds
from capcurve._curve.gains_table import accumulate_from_zero
from capcurve._engines.rank import rank_all_rows
from capcurve._engines.row_rankings import RowRankings
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.group_intervals import split_rows_by_group, warn_few_events
from capcurve._frames.results import (
    ALL_EQUAL,
    ALL_ZERO,
    NativeFrame,
    ResultPart,
    format_places,
    make_group_curves,
    name_label_column,
    refuse_undefined_curve,
    stack_parts,
    warn_undefined_groups,
)
from capcurve._inference.capture_rate import has_few_selected, warn_few_selected
from capcurve._inference.options import FEW_EVENTS, check_confidence_level
from capcurve._inference.response_rate import (
    LIMIT_COLUMNS,
    find_gains_limits,
    make_undefined_limits,
)
from capcurve._inference.share_influence import count_smaller_class
from capcurve._input.column import as_list
from capcurve._input.columns import Columns
from capcurve._input.dtypes import EventLevel, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.options import read_fractions, show
from capcurve._input.score import name_grades
from capcurve._input.source import FrameLike
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError

CutKind = Literal["threshold", "capture_rate", "population_share"]
ASKED = "capture_rate_asked"
NUMBERS = (
    *("threshold", "n", "n_events", "response_rate"),
    *("population_share", "capture_rate", "lift"),
)


class CutOffs(NamedTuple):
    """Where to cut rankings.

    Attributes
    ----------
    kind : {'threshold', 'capture_rate', 'population_share'}
        What the cut-offs are given by.
    values : list
        Scores, or shares.
    confidence_level : float or None
        Level of the confidence limits; None for no limits.
    """

    kind: CutKind
    values: list[Any]
    confidence_level: float | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the result columns."""
        asked = (ASKED,) if self.kind == "capture_rate" else ()
        limits = () if self.confidence_level is None else LIMIT_COLUMNS
        return (*asked, *NUMBERS, *limits)


@frame_verb
def gain_cut_offs(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    *,
    threshold: Any = None,
    capture_rate: float | Sequence[float] | None = None,
    population_share: float | Sequence[float] | None = None,
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
    confidence_level: float | None = None,
) -> NativeFrame:
    """Read gain (CAP) curves at cut-off scores, capture rates or population shares.

    Say one of the three for each cut-off, and get the others: what a given cut-off score
    selects and captures, which score captures enough, or the response rate (precision) of
    a share of the population.

    Parameters
    ----------
    data, truth, estimate
        As in `gain_curve`.
    threshold : float or str, or sequence of these, default=None
        Cut-off scores. All rows of such a score and of better ones are selected; it need
        not be the score of a row. The name of a grade if the score is a grade.
    capture_rate : float or sequence of float, default=None
        Shares of the outcome to capture, from 0 to 1. The cut-off is the last score of the
        smallest selection that does not split tied rows and captures as much, or more.
    population_share : float or sequence of float, default=None
        Shares of the population's weight to select, above 0 and up to 1. Here tied rows
        are split: the result is the expected value over all orders of these rows.
    by : str or sequence of str, default=None
        Columns to group by, as in `gain_curve`.
    case_weights : str, default=None
        Column of weights, as in `gain_curve`. Not with ``counts``.
    counts, events : str, default=None
        Columns of the number of rows and of events that each row stands for, as in
        `gain_curve`.
    clusters : str, default=None
        Column that names the rows that are not independent, such as the loans of one
        borrower; confidence limits allow for it. Not with ``counts``. None: all rows are
        independent.
    event_level, pos_label, target_type, descending, order, na_rm, memory_limit
        As in `gain_curve`.
    confidence_level : float, default=None
        Between 0 and 1: adds confidence limits, with ``population_share`` only, as in
        `response_rate_interval`, `capture_rate_interval` and `lift_interval`. Requires
        SciPy. None: no limits.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. A row for each group, model or level, and cut-off, with groups ordered
        as in `gain_curve`. A group without a complete row has no rows. Columns:

        - the columns of ``by``;
        - ``model`` (str), the score column, if ``estimate`` is a sequence of models;
        - ``level`` (str), the level that is the event, if each level has a score;
        - ``capture_rate_asked`` (float64), with ``capture_rate``: the rate to reach;
        - ``threshold`` (float64, or str if the score is a grade), the last score selected,
          with ``population_share`` at least in part; where no row is selected, inf (-inf if
          not ``descending``, null for grades);
        - ``n`` (float64), number or weight of the rows selected;
        - ``n_events`` (float64), number or weight of the events among them, or their
          weighted amount;
        - ``response_rate`` (float64), ``n_events / n``: their event rate (precision) or
          mean amount; nan where no row is selected;
        - ``population_share`` (float64), ``n`` as a share of its total, from 0 to 1;
        - ``capture_rate`` (float64), ``n_events`` as a share of its total, from 0 to 1;
        - ``lift`` (float64), ``capture_rate / population_share``; nan where no row is
          selected;
        - ``response_rate_low``, ``response_rate_high``, ``capture_rate_low``,
          ``capture_rate_high``, ``lift_low``, ``lift_high`` (float64), with
          ``confidence_level``: confidence limits.

        Without any event ``capture_rate`` and ``lift`` are nan, and no capture rate can be
        reached. Limits are nan for a group whose outcomes are all equal. Its other numbers
        are those of its rows, such as a response rate of 0, where `response_rate_score`,
        `capture_rate_score` and `lift_score` are nan.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        With ``confidence_level``: a group has fewer than 20 events or non-events, or fewer
        than 15 rows are selected or left out, so the coverage of its limits may be too low.
        The message names the groups.
    UndefinedMetricWarning
        A group has no event, so that its capture rate and lift are nan; with
        ``confidence_level``, or only events, so that limits are. The message names it.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`; not exactly one of ``threshold``,
        ``capture_rate`` and ``population_share`` is given, or it is no score or share;
        ``confidence_level`` is invalid or given without ``population_share``.
    MissingDependencyError
        With ``confidence_level``: SciPy is not installed.

    See Also
    --------
    CapCurve.at_threshold, CapCurve.threshold_for : The same for a single curve.
    response_rate_interval : The response rate at a share with an interval, for arrays.
    gains_table : The curves cut into bands.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import gain_cut_offs
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> found = gain_cut_offs(loans, "default", "champion_pd", threshold=[0.1, 0.05])
    >>> found[["threshold", "n", "response_rate", "capture_rate"]].round(3)
       threshold       n  response_rate  capture_rate
    0       0.10  1512.0          0.149         0.499
    1       0.05  2901.0          0.108         0.693
    >>> found = gain_cut_offs(
    ...     loans, "default", "grade", capture_rate=0.8, order=list("ABCDEFGH")
    ... )
    >>> found[["threshold", "population_share", "capture_rate"]].round(3)
      threshold  population_share  capture_rate
    0         E             0.519         0.868
    """
    cut_offs = read_cut_offs(
        {
            "threshold": threshold,
            "capture_rate": capture_rate,
            "population_share": population_share,
        },
        confidence_level,
    )
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
        descending=descending,
        order=as_order(order),
        na_rm=na_rm,
    )
    checked = rank_all_rows(data, roles, meaning, memory_limit)
    if checked.keys is None:
        refuse_undefined_curve(checked, roles)
    parts, undefined = make_cut_off_parts(checked, cut_offs)
    what, why = name_undefined(cut_offs)
    warn_undefined_groups(checked.groups, what, undefined, why=why)
    return stack_parts(checked.groups, parts, name_label_column(checked, estimate))


def read_cut_offs(given: Mapping[str, Any], confidence_level: float | None) -> CutOffs:
    """Read which cut-offs are asked for; exactly one kind may be given."""
    asked = [name for name, value in given.items() if value is not None]
    if len(asked) != 1:
        raise CapcurveError(
            f"cut-offs require one of {', '.join(f'`{name}`' for name in given)}, got "
            f"{' and '.join(f'`{name}`' for name in asked) or 'none'}; pass one of them"
        )
    kind = cast("CutKind", asked[0])
    value = given[kind]
    values = as_list(value)
    values = [value] if values is None else values
    if not values or any(as_list(each) is not None for each in values):
        raise CapcurveError(
            f"`{kind}` must be a number or a list of numbers, got {show(value)}; pass the "
            "cut-offs in one list"
        )
    if kind != "threshold":
        above_zero = kind == "population_share"
        values = read_fractions(values, kind, above_zero=above_zero).tolist()
    if confidence_level is not None:
        check_confidence_level(confidence_level)
        if kind != "population_share":
            raise CapcurveError(
                "`confidence_level` requires `population_share`, as limits are those of a "
                f"share that is set beforehand, got `{kind}`; leave it out, or pass the "
                "share"
            )
    return CutOffs(kind, values, confidence_level)


def make_cut_off_parts(
    checked: RowRankings, cut_offs: CutOffs
) -> tuple[list[ResultPart], list[tuple[str, int]]]:
    """Return the cut-offs of each ranking and group, and the places without a curve."""
    parts, undefined, few, few_selected = [], [], [], []
    rows_of = dict(split_rows_by_group(checked)) if cut_offs.confidence_level else {}
    for ranking in checked.rankings:
        for group, curve in make_group_curves(ranking.columns, checked):
            place = ranking.name, group
            is_constant = np.count_nonzero(curve.perfect_tally.weight) == 1
            if is_constant and (rows_of or not curve.perfect_tally.target.any()):
                undefined.append(place)
            with np.errstate(invalid="ignore"):  # 0 / 0 without any event
                columns = cut_curve(curve, cut_offs, ranking.grades)
            if group in rows_of:
                own = ranking.columns[rows_of[group]]
                columns |= limit_cut_offs(own, cut_offs)
                if has_few_events(own):
                    few.append(place)
                if select_few(own, cut_offs):
                    few_selected.append(place)
            size = len(columns["n"])
            parts.append(ResultPart(ranking.name, np.full(size, group), columns))
    warn_few_events(checked.groups, few, checked.rankings)
    warn_few_selected(format_places(checked.groups, few_selected))
    if not parts:
        nothing = np.zeros(0)
        empty: dict[str, Array] = dict.fromkeys(cut_offs.columns, nothing)
        parts = [ResultPart("", np.zeros(0, dtype=np.int64), empty)]
    return parts, undefined


def name_undefined(cut_offs: CutOffs) -> tuple[str, str]:
    """Name what is nan of cut-offs in groups of a single outcome, and which groups."""
    if cut_offs.confidence_level is not None:
        return (
            "the confidence interval (without any event, capture rate and lift too)",
            ALL_EQUAL,
        )
    if cut_offs.kind == "capture_rate":
        return "the cut-off for a capture rate", ALL_ZERO
    return "the capture rate and lift", ALL_ZERO


def cut_curve(
    curve: CapCurve, cut_offs: CutOffs, grades: tuple[str, ...] | None
) -> dict[str, Array]:
    """Return the numbers of the cut-offs of a curve; nan where there is none."""
    score, share = find_cuts(curve, cut_offs, grades)
    reached = curve.population_share
    n = np.interp(share, reached, accumulate_from_zero(curve.tally.weight))
    n_events = np.interp(share, reached, accumulate_from_zero(curve.tally.target))
    captured = np.interp(share, reached, curve.capture_rate)
    asked: dict[str, Array] = {}
    if cut_offs.kind == "capture_rate":
        asked[ASKED] = np.array(cut_offs.values, dtype=np.float64)
    with np.errstate(invalid="ignore"):  # 0 / 0 where no row is selected
        numbers = (score, n, n_events, n_events / n, share, captured, captured / share)
    named = dict(zip(NUMBERS, numbers, strict=True))
    return asked | named | {"threshold": name_grades(score, grades)}


def find_cuts(
    curve: CapCurve, cut_offs: CutOffs, grades: tuple[str, ...] | None
) -> tuple[FloatArray, FloatArray]:
    """Return the scores of cut-offs, of grades their places, and the shares selected."""
    values: Any = cut_offs.values
    if cut_offs.kind == "population_share":
        return curve.threshold_at(np.array(values)), np.array(values)
    if cut_offs.kind == "threshold":
        score = read_thresholds(values, grades)
    elif curve.total_target > 0:
        score = curve.threshold_for(np.array(values))
    else:
        score = np.full(len(values), np.nan)
        return score, score
    return score, np.asarray(curve.at_threshold(score).population_share)


def limit_cut_offs(own: Columns, cut_offs: CutOffs) -> dict[str, FloatArray]:
    """Return the limits at population shares: those of the first band of a gains table."""
    level = cut_offs.confidence_level
    if level is None or own.is_constant:
        return make_undefined_limits(len(cut_offs.values))
    bands = [find_gains_limits(own, [share], level) for share in cut_offs.values]
    return {name: np.array([limits[name][0] for limits in bands]) for name in LIMIT_COLUMNS}


def has_few_events(own: Columns) -> bool:
    """Whether the limits of a group are based on few events or non-events."""
    return not own.is_constant and count_smaller_class(own) < FEW_EVENTS


def select_few(own: Columns, cut_offs: CutOffs) -> bool:
    """Whether few rows are selected, or left out, at one of the shares."""
    return any(has_few_selected(own, share) for share in cut_offs.values)
