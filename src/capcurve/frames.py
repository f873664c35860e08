"""Functions on data frames, tidy style: a frame in, a frame of the same library out."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._binned_frames import NeedsRowsError, read_binned
from capcurve._binned_results import binned_capture, binned_curves, binned_tables
from capcurve._group_estimates import interval_columns
from capcurve._input import (
    Array,
    Label,
    TargetType,
    as_array,
    check_shapes,
    refuse_unknown,
)
from capcurve._precision import Options
from capcurve._results import (
    Part,
    average_levels,
    curve_part,
    curves_of,
    ratios_of,
    stack,
    warn_undefined,
)
from capcurve._roles import (
    Names,
    Roles,
    as_names,
    checked_query,
    is_large,
    read_frame,
    read_roles,
)
from capcurve._truth import Estimator, EventLevel, TruthOptions, known_levels
from capcurve.curve import constant_reason
from capcurve.exceptions import CapcurveError
from capcurve.table import Bands, GainsTable

__all__ = ["gain_capture", "gain_capture_vec", "gain_curve", "gains_table"]


def gain_curve(  # noqa: PLR0913 -- yardstick's names, all but three by keyword
    data: Any,
    truth: str,
    estimate: Names,
    *,
    by: Names | None = None,
    case_weights: str | None = None,
    event_level: EventLevel = "first",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    na_rm: bool = True,
    approx: bool = False,
) -> Any:
    """Compute gain (CAP) curves of the columns of a data frame, a row per distinct score.

    Parameters
    ----------
    data : data frame
        Of pandas, Polars, PyArrow, Modin or another library that narwhals reads.
    truth : str
        Column of the outcome. Categorical: its levels in their order. Booleans and 0/1: 1
        is the event. Text: needs ``pos_label``. Other floats: amounts.
    estimate : str or sequence of str
        Column of the score, higher ranked earlier; several columns are several models, or
        a column for each of more than two levels, matched by name if the names say so
        (``VF`` or ``prob_VF`` for a level ``VF``), by position otherwise.
    by : str or sequence of str, default=None
        Columns to group by. Groups come as they appear in ``data``; a null is a group.
    case_weights : str, default=None
        Column of weights: 2 means the same as two equal rows, 0 as no row.
    event_level : {'first', 'second'}, default='first'
        Which level of a categorical of two is the event. The score is not turned.
    pos_label : int, float, bool or str, default=None
        The event, for text and other labels; one level against the rest.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        What a numeric ``truth`` holds: events or amounts.
    descending : bool, default=True
        False for a scorecard on which a low score is ranked first.
    na_rm : bool, default=True
        Leave rows with a missing value out, for every model and level alike, with a
        `DroppedRowsWarning` that counts them; False refuses them.
    approx : bool, default=False
        Let the engine of a query put rows into bins of their scores, some tens of thousands
        of them: a row for each, whose point is exact, instead of one for each score.

    Returns
    -------
    data frame
        Of the library of ``data``: the columns of ``by``; ``model`` where ``estimate`` is
        a sequence, or ``level``; ``n`` and ``n_events``, weight and outcome so far;
        ``population_share`` and ``capture_rate``, their shares in [0, 1]; ``threshold``,
        the last score selected. Each curve starts with a row of zeros. ``capture_rate``
        is nan, with an `UndefinedMetricWarning`, where a group has no outcome at all.

    Raises
    ------
    CapcurveError
        A `ValueError`: an unknown column, contradicting options, labels that need an
        event, score columns that do not match the levels; without ``by``, no rows or no
        outcome.

    See Also
    --------
    gain_capture : One number for each curve.
    cap_curve : The same on arrays.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import gain_curve
    >>> loans = pd.DataFrame({"bad": [1, 0, 1, 0], "pd": [0.4, 0.1, 0.2, 0.2]})
    >>> gain_curve(loans, "bad", "pd")
       n  n_events  population_share  capture_rate  threshold
    0  0         0              0.00           0.0        inf
    1  1         1              0.25           0.5        0.4
    2  3         2              0.75           1.0        0.2
    3  4         2              1.00           1.0        0.1
    """
    request: dict[str, Any] = {
        "by": by,
        "case_weights": case_weights,
        "na_rm": na_rm,
        "descending": descending,
        "options": TruthOptions(event_level, pos_label, target_type),
    }
    if approx:
        binned = read_binned(data, truth, as_names(estimate), **request)
        return binned_curves(binned, None if isinstance(estimate, str) else "model")
    roles = read_roles(data, truth, estimate, **request)
    if roles.keys is None:
        refuse_no_curve(roles, truth)
    parts = [curve_part(ranking, roles) for ranking in roles.rankings]
    undefined = [(part.name, group) for part in parts for group in part.without_outcome]
    warn_undefined(roles, "the capture rate", undefined)
    return stack(roles, parts, label_of(roles, estimate))


def gain_capture(  # noqa: PLR0913 -- yardstick's names, all but three by keyword
    data: Any,
    truth: str,
    estimate: Names,
    *,
    by: Names | None = None,
    case_weights: str | None = None,
    estimator: Estimator | None = None,
    event_level: EventLevel = "first",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    na_rm: bool = True,
    confidence_level: float | None = None,
    approx: bool = False,
) -> Any:
    """Compute gain capture (the accuracy ratio, AR, Gini) of columns of a data frame.

    Parameters
    ----------
    data, truth, estimate, by, case_weights, event_level, pos_label
        As in `gain_curve`.
    estimator : {'binary', 'macro', 'macro_weighted'}, default=None
        How several levels become one number: the plain mean, or the mean by share of the
        levels' weight, of each level against the rest. None: 'macro' for more than two
        levels, 'binary' otherwise.
    target_type, descending, na_rm
        As in `gain_curve`.
    confidence_level : float, default=None
        Between 0 and 1: adds an interval, made as by `accuracy_ratio_interval`, where
        ``case_weights`` are sampling weights. Needs SciPy.
    approx : bool, default=False
        Let the engine of a query put rows into bins of their scores, as
        `BinnedCurve.from_frame`, in a scan or two, however many distinct scores there are.
        Without it, a query of more than four million rows is counted bin by bin in the
        engine, and a smaller one by its distinct rows here; both are exact.

    Returns
    -------
    data frame
        Of the library of ``data``: the columns of ``by``; ``model`` where ``estimate`` is
        a sequence of models; ``metric``, always ``gain_capture``; ``estimator``;
        ``estimate``, in [-1, 1]. A row for each group, in the order of appearance, and
        model. nan, with one `UndefinedMetricWarning` that names the groups, where all
        outcomes are equal; a level without rows, or with all, is left out of the mean.
        With ``confidence_level`` also ``std_error``, ``low``, ``high`` and ``n_events``, of
        several levels that of the rarest. With ``approx`` also ``lower`` and ``upper``,
        between which the exact number lies for certain.

    Warns
    -----
    FewEventsWarning
        With ``confidence_level``: groups with fewer than 20 events or non-events, by name.

    Raises
    ------
    CapcurveError
        As `gain_curve`.
    MissingDependencyError
        With ``confidence_level``: SciPy is not installed.

    See Also
    --------
    accuracy_ratio_score : The same on arrays.
    compare_models : Whether models differ.
    gain_capture_vec : The same on columns that are not in a frame.

    References
    ----------
    Engelmann, Hayden and Tasche (2003), "Testing rating accuracy", Risk 16(1), 82-86.

    Examples
    --------
    >>> import polars as pl
    >>> from capcurve import gain_capture
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pl.DataFrame(make_portfolio())
    >>> gain_capture(loans, "default", "champion_pd", by="segment")["estimate"].round(3)
    shape: (3,)
    Series: 'estimate' [f64]
    [
        0.516
        0.578
        0.621
    ]
    """
    request: dict[str, Any] = {
        "by": by,
        "case_weights": case_weights,
        "na_rm": na_rm,
        "descending": descending,
        "options": TruthOptions(event_level, pos_label, target_type, estimator),
    }
    if not approx:
        data = checked_query(data, truth, estimate, by, case_weights, na_rm=na_rm)
    if approx or is_large(data):
        try:
            binned = read_binned(
                data,
                truth,
                as_names(estimate),
                **request,
                exact_at=None if approx else (),
                takes_rows=confidence_level is not None,
            )
        except NeedsRowsError:
            if approx:
                raise
        else:
            label = None if isinstance(estimate, str) else "model"
            return binned_capture(binned, label, confidence_level, limits=approx)
    roles = read_roles(data, truth, estimate, **request)
    kind = estimator or ("macro" if roles.are_levels else "binary")
    ratios = {ranking.name: ratios_of(ranking.columns, roles) for ranking in roles.rankings}
    undefined = [
        (name, group)
        for name, values in ratios.items()
        for group in np.flatnonzero(np.isnan(values)).tolist()
    ]
    warn_undefined(roles, "the accuracy ratio", undefined)
    weighted = kind == "macro_weighted"
    if roles.are_levels:
        ratios = {kind: average_levels(roles, ratios, weighted=weighted)}
    extra: dict[str, dict[str, Array]] = {name: {} for name in ratios}
    if confidence_level is not None:
        options = Options(confidence_level)
        extra = interval_columns(roles, list(ratios), options, weighted=weighted)
    groups = np.arange(roles.n_groups)
    parts = [
        Part(
            name,
            groups,
            {
                "metric": np.full(roles.n_groups, "gain_capture", dtype=object),
                "estimator": np.full(roles.n_groups, kind, dtype=object),
                "estimate": values,
                **extra[name],
            },
        )
        for name, values in ratios.items()
    ]
    return stack(roles, parts, None if roles.are_levels else label_of(roles, estimate))


def gain_capture_vec(
    truth: Any,
    estimate: Any,
    *,
    case_weights: Any = None,
    estimator: Estimator | None = None,
    event_level: EventLevel = "first",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    na_rm: bool = True,
) -> float:
    """Compute gain capture of columns that are not in one frame.

    Parameters
    ----------
    truth : series
        Of pandas, Polars or PyArrow: the outcome, as in `gain_curve`. Arrays and lists
        have no levels; for them there is `accuracy_ratio_score`.
    estimate : series, array-like, or data frame
        The score, or a data frame (or matrix) with a score for each level.
    case_weights : series or array-like, default=None
        Weights of the rows.
    estimator, event_level, pos_label, target_type, descending, na_rm
        As in `gain_capture`.

    Returns
    -------
    float
        In [-1, 1]; nan, with an `UndefinedMetricWarning`, where it is undefined.

    Raises
    ------
    CapcurveError
        As `gain_capture`, and if ``truth`` is no series.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import gain_capture_vec
    >>> truth = pd.Series(["yes", "no", "yes", "no"], dtype="category")
    >>> gain_capture_vec(truth, [0.1, 0.7, 0.2, 0.3], event_level="first")
    1.0
    """
    column = nw.from_native(truth, series_only=True, pass_through=True)
    if not isinstance(column, nw.Series):
        raise CapcurveError(
            "`truth` must be a series of a data-frame library, got "
            f"{type(truth).__name__}; for arrays there is `accuracy_ratio_score`"
        )
    scores = as_columns(estimate, known_levels(column) or ())
    parts = {
        "truth": column,
        **{f"estimate {name}": score for name, score in scores.items()},
    }
    if case_weights is not None:
        parts["case_weights"] = as_array(case_weights, "case_weights")
    check_shapes({name: np.empty(len(part)) for name, part in parts.items()}, None)
    frame = nw.maybe_reset_index(column.alias("truth").to_frame()).with_columns(
        *(
            nw.new_series(name, np.asarray(part), backend=column.implementation)
            for name, part in parts.items()
            if name != "truth"
        )
    )
    result = gain_capture(
        frame.to_native(),
        "truth",
        [name for name in parts if name.startswith("estimate ")],
        case_weights=None if case_weights is None else "case_weights",
        estimator=estimator,
        event_level=event_level,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        na_rm=na_rm,
    )
    return float(nw.from_native(result).get_column("estimate")[0])


def gains_table(  # noqa: PLR0913 -- yardstick's names, all but three by keyword
    data: Any,
    truth: str,
    estimate: Names,
    *,
    bands: Bands = 10,
    by: Names | None = None,
    case_weights: str | None = None,
    counts: str | None = None,
    event_level: EventLevel = "first",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    na_rm: bool = True,
    approx: bool = False,
) -> Any:
    """Cut a ranking into bands and compute outcome, capture, lift and KS of each.

    A block of tied rows that lies across the edge of a band is split pro rata, the
    expected value over all orders of its rows, so that no row order matters.

    Parameters
    ----------
    data, truth, estimate, by, case_weights, event_level, pos_label
        As in `gain_curve`.
    bands : int, sequence of float or 'scores', default=10
        Number of bands of equal weight; the population shares at which bands end, such as
        ``[0.01, 0.05, 0.1]``; or one band for each distinct score, as for rating grades.
    counts : str, default=None
        For data that are aggregated already, such as a row per grade: the column that
        counts the rows, while ``truth`` counts the events among them.
    target_type, descending, na_rm
        As in `gain_curve`.
    approx : bool, default=False
        Let the engine of a query put rows into bins of their scores: adds ``lower`` and
        ``upper``, between which the exact ``capture_rate`` lies for certain.

    Returns
    -------
    data frame
        Of the library of ``data``: the columns of ``by``, ``model`` or ``level``, then

        - ``band``, 1 for the best;
        - ``n``, ``n_events`` and ``response_rate`` of the band;
        - ``population_share``, ``capture_rate``, ``lift`` and ``ks`` from the best row to
          the end of the band;
        - ``band_lift``, the response rate of the band by that of all;
        - ``highest_score`` and ``lowest_score`` in the band.

        nan, with an `UndefinedMetricWarning`, where a group's outcomes are all equal.

    Raises
    ------
    CapcurveError
        As `gain_curve`, and if ``bands`` or ``counts`` make no sense.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import gains_table
    >>> grades = pd.DataFrame({"grade": [3, 2, 1], "loans": [10, 30, 60], "bad": [5, 4, 1]})
    >>> table = gains_table(grades, "bad", "grade", counts="loans", bands="scores")
    >>> table[["n", "n_events", "response_rate", "capture_rate", "lift"]].round(3)
          n  n_events  response_rate  capture_rate  lift
    0  10.0       5.0          0.500           0.5  5.00
    1  30.0       4.0          0.133           0.9  2.25
    2  60.0       1.0          0.017           1.0  1.00
    """
    if counts is not None:
        if case_weights is not None:
            raise CapcurveError(
                "`counts` and `case_weights` contradict each other; drop one"
            )
        data, case_weights = expand_counts(
            data, truth, counts, [*as_names(estimate), *as_names(by)]
        )
    request: dict[str, Any] = {
        "by": by,
        "case_weights": case_weights,
        "na_rm": na_rm,
        "descending": descending,
        "options": TruthOptions(event_level, pos_label, target_type),
    }
    if approx:
        binned = read_binned(data, truth, as_names(estimate), **request)
        return binned_tables(binned, None if isinstance(estimate, str) else "model", bands)
    roles = read_roles(data, truth, estimate, **request)
    if roles.keys is None:
        refuse_no_curve(roles, truth)
    parts, undefined = table_parts(roles, bands)
    warn_undefined(roles, "the gains table", undefined)
    return stack(roles, parts, label_of(roles, estimate))


def table_parts(roles: Roles, bands: Bands) -> tuple[list[Part], list[tuple[str, int]]]:
    """Cut the curve of every ranking and group; list those that are undefined."""
    parts, undefined = [], []
    for ranking in roles.rankings:
        for group, curve in curves_of(ranking.columns, roles):
            if not curve.perfect_tally.gain:
                undefined.append((ranking.name, group))
            columns = GainsTable.from_curve(curve, bands).to_dict()
            rows = np.full(len(columns["band"]), group)
            parts.append(Part(ranking.name, rows, columns))
    no_rows = np.zeros(0, dtype=np.int64)
    nothing = Part("", no_rows, {field.name: np.zeros(0) for field in fields(GainsTable)})
    return parts or [nothing], undefined


def refuse_no_curve(roles: Roles, truth: str) -> None:
    """Raise where the one curve asked for has no rows, or outcomes that are all equal."""
    if not len(roles.group):
        raise CapcurveError("the gain curve is undefined: `data` has no complete row")
    for _, columns in roles.rankings:
        if columns.is_constant and not roles.are_levels:
            reason = constant_reason(columns).replace("`y_true`", f"`{truth}`")
            raise CapcurveError(f"the gain curve is undefined: {reason}")


def label_of(roles: Roles, estimate: Names) -> str | None:
    """Name the column that tells rankings apart, if there is one."""
    if roles.are_levels:
        return "level"
    return None if isinstance(estimate, str) else "model"


def expand_counts(
    data: Any, truth: str, counts: str, others: Sequence[str]
) -> tuple[Any, str]:
    """Split each row that counts events among rows into events and the rest."""
    frame = read_frame(data)
    refuse_unknown([truth, counts, *others], frame.columns, "`data`")
    events, rows = nw.col(truth).cast(nw.Float64), nw.col(counts).cast(nw.Float64)
    if frame.select(((events < 0) | (events > rows)).any()).item():
        raise CapcurveError(
            f"`{truth}` must count events among `{counts}`, got more events than rows, or "
            "fewer than none"
        )
    halves = [
        frame.select(
            *dict.fromkeys(others),
            (rows - events if rest else events).alias(counts),
            (events * 0 + 1 - rest).alias(truth),
        )
        for rest in (0, 1)
    ]
    return nw.concat(halves).to_native(), counts


def as_columns(estimate: Any, levels: Sequence[Any]) -> dict[str, Any]:
    """Split scores into columns by name; a matrix has one per level, in order."""
    frame = nw.from_native(estimate, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return {name: frame.get_column(name).to_numpy() for name in frame.columns}
    scores = as_array(estimate, "estimate")
    columns = scores.T if scores.ndim == 2 else [scores]  # noqa: PLR2004 -- a matrix
    names = levels if len(levels) == len(columns) else range(1, len(columns) + 1)
    return {str(name): column for name, column in zip(names, columns, strict=True)}
