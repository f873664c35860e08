"""`gain_curve`: points of CAP curves as a data frame."""

from __future__ import annotations

from collections.abc import Sequence

from capcurve._engines.plan import Ask
from capcurve._engines.rank import rank
from capcurve._frames.binned_results import make_binned_curves
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.results import (
    ALL_ZERO,
    NativeFrame,
    make_curve_part,
    name_label_column,
    refuse_undefined_curve,
    stack_parts,
    warn_undefined_groups,
)
from capcurve._input.dtypes import EventLevel, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.options import check_flags
from capcurve._input.source import FrameLike


@frame_verb
def gain_curve(  # noqa: PLR0913 -- yardstick's names, all but three by keyword
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    *,
    by: Names | None = None,
    case_weights: str | None = None,
    counts: str | None = None,
    events: str | None = None,
    event_level: EventLevel | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    order: Sequence[str] | None = None,
    na_rm: bool = True,
    memory_limit: float | str | None = None,
    approx: bool = False,
) -> NativeFrame:
    """Compute gain (CAP) curves of score columns in a data frame or query.

    Parameters
    ----------
    data : data frame or query
        Data frame of pandas, Polars, PyArrow, Modin or another library that narwhals reads;
        or a query: a Polars lazy frame, DuckDB relation or Ibis table, or a data frame of
        Dask, Spark or SQLFrame. The engine of a query checks and aggregates its rows, and
        only the aggregates are fetched. Arrays go to `CapCurve.from_predictions`.
    truth : str or None
        Column of the outcome; None with ``events``.

        - Booleans, 0/1 or -1/1: events; True or 1 is the event.
        - Other numbers: amounts, finite and not negative, such as losses.
        - Categories 0/1, -1/1 or False/True in any order: 1 or True is the event.
        - Other categories: levels in their order; see ``event_level`` and ``estimate``.
        - Text, categories without a chosen order (`polars.Categorical`, or alphabetical in
          pandas without ``ordered=True``), other whole numbers of an integer type, or of
          at most ten values: ambiguous; pass ``pos_label`` or ``target_type``.
    estimate : str or sequence of str
        Column of a numeric score, which may be infinite. Equal scores are one point of the
        curve, so that the order of tied rows has no influence. A sequence names

        - several models, ranked on the same rows; or
        - one score per level, if ``truth`` is a categorical with more than two levels, or
          holds labels that the columns are named after. Each level is ranked against the
          rest. Columns belong to levels by name if each is named after one (``VF`` for
          the level ``VF``, any text that all share around it, as in ``prob_VF``, or the
          level as the first or last word, in any case), and by position, with a warning,
          if none bears the name of a level. With ``pos_label``,
          ``event_level`` or ``estimator='binary'`` there is one event, so that several
          columns are several models: pass the column of that level alone.
    by : str or sequence of str, default=None
        Columns to group by. A null is a group of its own.
    case_weights : str, default=None
        Column of weights, finite and not negative. A row of weight 2 counts like two equal
        rows; a row of weight 0 is ignored. None: every row has weight 1.
    counts : str, default=None
        Column of the number of equal rows that each row stands for, such as the obligors of
        a rating grade. Not with ``case_weights``. None: each row is one row.
    events : str, default=None
        Column of the number of events among ``counts``, such as the defaults of a rating
        grade; ``truth`` is then None.
    event_level : {'first', 'second'}, default=None
        Which of two declared levels of ``truth`` is the event. None: 1 of 0/1 and True of
        booleans, and the first level otherwise, unless it is the first by the alphabet of
        categories without an order. The score is not reversed for 'second'.
    pos_label : int, float, bool or str, default=None
        Label of ``truth`` that is the event; all other labels are non-events.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether a numeric ``truth`` holds events ('binary') or amounts ('continuous').
        'auto' decides by the values, as listed under ``truth``, with a warning if few
        amounts are neither 0 nor 1 (at most 5 % of the rarer of the two).
    descending : bool, default=True
        Whether high scores are ranked first. False for a scorecard on which low scores are
        ranked first.
    order : sequence of str, default=None
        Grades of text scores from the lowest score to the highest; beside one, scores that
        hold numbers stay numbers. An ordered categorical needs none; thresholds keep the
        names of grades.
    na_rm : bool, default=True
        Whether to leave out the rows with a missing value (null or nan) in ``truth``,
        ``estimate`` or ``case_weights``, for every model and level alike. False raises an
        error instead.
    memory_limit : float or str, default=None
        Memory for the rows of a query: bytes, or a size such as ``'2GB'`` (1000 MB) or
        ``'2GiB'``. If a query of Polars or DuckDB fits, its rows are fetched and ranked
        here. Otherwise its engine counts them, in bins where the result can be computed
        from these; of distinct rows, which other results need, there may be more than fit.
        The memory of the engine itself is its own setting. None: a quarter of the free
        memory. Without influence on a data frame, and on ``approx``.
    approx : bool, default=False
        Whether the engine of ``data`` bins the scores, into some tens of thousands of bins
        at most. The curve then has one point per bin instead of one per score; each of
        these points is exact. Not for one score per level.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. A row for each distinct score, best first, of each group and model or
        level, after a row for the origin of the curve. Groups are in the order of
        appearance, or sorted with null last for queries and with ``approx``. A group
        without a complete row has no rows. Columns:

        - the columns of ``by``;
        - ``model`` (str), the score column, if ``estimate`` is a sequence of models;
        - ``level`` (str), the level that is the event, if each level has a score;
        - ``n`` (int64; float64 for weights and amounts), cumulative number or weight of
          rows;
        - ``n_events`` (as ``n``), cumulative number or weight of events, or the cumulative
          weighted amount;
        - ``population_share`` (float64), ``n`` as a share of its total, from 0 to 1;
        - ``capture_rate`` (float64), ``n_events`` as a share of its total, from 0 to 1; nan
          for a group or level without any event;
        - ``threshold`` (float64, or str if the score is a grade), the score at the point;
          at the origin inf, -inf if not ``descending``, or null for grades. With
          ``approx`` the last score of the bin;
        - ``accuracy_ratio`` (float64), AR of the whole curve, the same in each of its rows,
          as `gain_capture` returns it; nan where it is undefined, or where sums of amounts
          or weights are so large that rounding hides it.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    UndefinedMetricWarning
        A group or level has no event, or only amounts of 0. The message names it.
    UserWarning
        Score columns belong to levels by position, or few amounts are neither 0 nor 1.

    Raises
    ------
    CapcurveError
        A column is unknown or named twice; scores or weights are not numeric, or weights
        are negative or infinite; ``truth`` does not tell which rows are events, or holds
        negative or infinite amounts; options are invalid or exclude each other; score
        columns do not match the levels; values are missing and ``na_rm`` is False; ``data``
        is not a data frame, or the engine of a query fails. Without ``by``, also if no row
        is complete or, without ``approx``, all outcomes are equal.

    See Also
    --------
    gain_capture : The accuracy ratio of each curve.
    gains_table : The curves cut into bands.
    plot_gain_curve : Draw the result.
    cap_curve : The same for arrays.

    Notes
    -----
    For scores ``s``, weights ``w`` and outcomes ``y``, the point at the threshold ``t`` has
    the population share ``sum(w[s >= t]) / sum(w)`` and the capture rate
    ``sum(w[s >= t] * y[s >= t]) / sum(w * y)``; points are joined by straight lines. This
    is the cumulative accuracy profile (CAP) of Engelmann, Hayden and Tasche (2003),
    "Testing rating accuracy", Risk 16(1), 82-86.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import gain_curve
    >>> loans = pd.DataFrame({"bad": [1, 0, 1, 0], "pd": [0.4, 0.1, 0.2, 0.2]})
    >>> gain_curve(loans, "bad", "pd")
       n  n_events  population_share  capture_rate  threshold  accuracy_ratio
    0  0         0              0.00           0.0        inf            0.75
    1  1         1              0.25           0.5        0.4            0.75
    2  3         2              0.75           1.0        0.2            0.75
    3  4         2              1.00           1.0        0.1            0.75
    """
    roles = make_roles(
        truth, estimate, by=by, case_weights=case_weights, counts=counts, events=events
    )
    meaning = Meaning(
        pos_label=pos_label,
        event_level=event_level,
        target_type=target_type,
        descending=descending,
        order=as_order(order),
        na_rm=na_rm,
    )
    check_flags(approx=approx)
    ask = Ask(bins="always" if approx else "never", memory_limit=memory_limit)
    found = rank(data, roles, meaning, ask)
    if found.rows is None:
        label = None if isinstance(estimate, str) else "model"
        return make_binned_curves(found, label)
    checked = found.rows
    if checked.keys is None:
        refuse_undefined_curve(checked, roles)
    parts = [make_curve_part(ranking, checked) for ranking in checked.rankings]
    undefined = [(part.name, group) for part in parts for group in part.without_outcome]
    warn_undefined_groups(checked.groups, "the capture rate", undefined, why=ALL_ZERO)
    return stack_parts(checked.groups, parts, name_label_column(checked, estimate))
