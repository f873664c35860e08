"""`gain_capture`: accuracy ratios of groups and models as a data frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.stable.v2.typing import IntoDataFrame, IntoSeries
from numpy.typing import ArrayLike

from capcurve._engines.plan import Ask
from capcurve._engines.rank import rank
from capcurve._engines.row_rankings import RowRankings, rank_rows
from capcurve._frames.binned_results import make_binned_capture
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.group_intervals import make_interval_columns
from capcurve._frames.results import (
    NativeFrame,
    ResultPart,
    average_levels,
    compute_group_ratios,
    name_label_column,
    stack_parts,
    warn_undefined_groups,
)
from capcurve._inference.options import IntervalOptions, check_confidence_level
from capcurve._input.column import as_array, as_numbers, name_type
from capcurve._input.dtypes import (
    Estimator,
    EventLevel,
    Label,
    Names,
    Series,
    TargetType,
)
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.missing import is_missing
from capcurve._input.nested import refuse_nested_columns
from capcurve._input.options import check_flags
from capcurve._input.row_order import check_row_order
from capcurve._input.seen import find_levels
from capcurve._input.source import FrameLike
from capcurve._input.weights import check_shapes
from capcurve._public import public
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError


@frame_verb
def gain_capture(  # noqa: PLR0913 -- yardstick's names, all but three by keyword
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    *,
    by: Names | None = None,
    case_weights: str | None = None,
    counts: str | None = None,
    events: str | None = None,
    clusters: str | None = None,
    estimator: Estimator | None = None,
    event_level: EventLevel | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    order: Sequence[str] | None = None,
    na_rm: bool = True,
    memory_limit: float | str | None = None,
    confidence_level: float | None = None,
    approx: bool = False,
) -> NativeFrame:
    """Compute gain capture (accuracy ratio, AR, Gini) of score columns in a data frame.

    Parameters
    ----------
    data, truth, estimate, by
        As in `gain_curve`. Pairs of rows with equal scores count 0.
    case_weights : str, default=None
        Column of weights, as in `gain_curve`. With ``confidence_level`` they are sampling
        weights of independent rows: only their proportions matter.
    counts, events : str, default=None
        Columns of the number of rows and of events that each row stands for, as in
        `gain_curve`.
    clusters : str, default=None
        Column that names the rows that are not independent, such as the loans of one
        borrower; intervals and tests allow for it. Not with ``counts``. None: all rows are
        independent.
    estimator : {'binary', 'macro', 'macro_weighted'}, default=None
        How the levels of ``truth`` become one number. 'binary': a single event, or an
        amount. 'macro': the mean over levels, each against the rest, with one score per
        level. 'macro_weighted': this mean weighted by the levels' shares of the weight.
        None: 'macro' if each level has a score, 'binary' otherwise.
    event_level, pos_label, target_type, descending, order, na_rm, memory_limit
        As in `gain_curve`.
    confidence_level : float, default=None
        Between 0 and 1: adds a confidence interval, by the method 'beta' of
        `accuracy_ratio_interval`. Requires SciPy. None: no interval.
    approx : bool, default=False
        Whether the engine of ``data`` bins the scores, as in `BinnedCurve.from_frame`, so
        that one or two scans suffice; adds guaranteed bounds. If False the result is exact:
        a query of Polars or DuckDB whose rows fit into ``memory_limit`` is fetched; of
        others, one of up to four million rows is computed here from its
        distinct rows, and a larger one by its engine. Not for one score per level.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. A row for each group and model. Groups are in the order of appearance,
        or sorted with null last for queries and with ``approx``. Columns:

        - the columns of ``by``;
        - ``model`` (str), the score column, if ``estimate`` is a sequence of models;
        - ``metric`` (str), always ``'gain_capture'``;
        - ``estimator`` (str), ``'binary'`` (of one outcome, also of amounts), ``'macro'``
          or ``'macro_weighted'``;
        - ``estimate`` (float64), the accuracy ratio: 1 for a perfect, 0 for a random or
          constant and -1 for a reversed ranking. nan for a group whose outcomes are all
          equal or that has no complete row; a level that no row or every row has is left
          out of the mean;
        - ``lower``, ``upper`` (float64), with ``approx``: guaranteed bounds of the exact
          accuracy ratio;
        - ``std_error`` (float64), with ``confidence_level``: the standard error;
        - ``low``, ``high`` (float64), with ``confidence_level``: the confidence limits;
        - ``n_events`` (int64), with ``confidence_level``: the number of events (for
          amounts: of rows above 0), or of rows of the rarest level in the mean.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        With ``confidence_level``: a group has fewer than 20 events or non-events, so the
        coverage of its interval may be too low; with a single one, limits of the method
        'exact' are wide instead. The message names the groups and, for 0/1 events without
        weights, clusters and ``approx``, limits of AR by the method 'exact'. Of amounts
        also where large ones rank low among those above 0, as in `accuracy_ratio_interval`.
    UndefinedMetricWarning
        The accuracy ratio of a group or level is undefined. The message names it.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`, except that a group without a complete row,
        or with equal outcomes, gives nan. Also if ``estimator`` or ``confidence_level`` is
        invalid, or if ``approx`` is combined with ``confidence_level`` for amounts or
        weights, whose variance cannot be computed from bins.
    MissingDependencyError
        With ``confidence_level``: SciPy is not installed.

    See Also
    --------
    accuracy_ratio_score : The same for arrays.
    compare_models : Test whether models differ.
    gain_capture_vec : The same for columns that are not in a data frame.

    Notes
    -----
    The accuracy ratio is ``(A - 1/2) / (A_perfect - 1/2)``, where ``A`` is the area under
    the curve of `gain_curve` and ``A_perfect`` that under the curve of a perfect ranking
    (Engelmann, Hayden and Tasche, 2003, "Testing rating accuracy", Risk 16(1), 82-86). For
    events it equals ``2 * AUC - 1`` and Somers' D of the score given the outcome (Somers,
    1962, doi:10.2307/2090408); for amounts it is the normalised Gini index (Schechtman and
    Yitzhaki, 1987, doi:10.1080/03610928708829359).

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
        estimator=estimator,
        descending=descending,
        order=as_order(order),
        na_rm=na_rm,
    )
    check_flags(approx=approx)
    if confidence_level is not None:
        check_confidence_level(confidence_level)
    ask = Ask(
        bins="always" if approx else "if large",
        variance=confidence_level is not None,
        at=None if approx else (),
        memory_limit=memory_limit,
    )
    found = rank(data, roles, meaning, ask)
    if found.rows is None:
        label = None if isinstance(estimate, str) else "model"
        return make_binned_capture(found, label, confidence_level, limits=approx)
    checked = found.rows
    kind, ratios = compute_gain_capture(checked, estimator)
    extra: dict[str, dict[str, Array]] = {name: {} for name in ratios}
    if confidence_level is not None:
        options = IntervalOptions(confidence_level)
        weighted = kind == "macro_weighted"
        extra = make_interval_columns(checked, list(ratios), options, weighted=weighted)
    groups = np.arange(checked.n_groups)
    parts = [
        ResultPart(
            name,
            groups,
            {
                "metric": np.full(checked.n_groups, "gain_capture", dtype=object),
                "estimator": np.full(checked.n_groups, kind, dtype=object),
                "estimate": values,
                **extra[name],
            },
        )
        for name, values in ratios.items()
    ]
    label = None if checked.are_levels else name_label_column(checked, estimate)
    return stack_parts(checked.groups, parts, label)


def compute_gain_capture(
    checked: RowRankings, estimator: Estimator | None
) -> tuple[Estimator, dict[str, FloatArray]]:
    """Return the estimator, and the accuracy ratios by group of each model or of levels."""
    kind = estimator or ("macro" if checked.are_levels else "binary")
    ratios = {
        ranking.name: compute_group_ratios(ranking.columns, checked)
        for ranking in checked.rankings
    }
    undefined = [
        (name, group)
        for name, values in ratios.items()
        for group in np.flatnonzero(np.isnan(values)).tolist()
    ]
    effect = "left out of the mean" if checked.are_levels else "set to nan"
    warn_undefined_groups(checked.groups, "the accuracy ratio", undefined, effect)
    if checked.are_levels:
        weighted = kind == "macro_weighted"
        ratios = {kind: average_levels(checked, ratios, weighted=weighted)}
    return kind, ratios


@public
def gain_capture_vec(
    truth: IntoSeries,
    estimate: IntoSeries | IntoDataFrame | ArrayLike,
    *,
    case_weights: IntoSeries | ArrayLike | None = None,
    estimator: Estimator | None = None,
    event_level: EventLevel | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    na_rm: bool = True,
) -> float:
    """Compute gain capture (accuracy ratio, AR, Gini) of columns outside a data frame.

    Parameters
    ----------
    truth : series of shape (n_rows,)
        Outcome, a series of pandas, Polars or PyArrow, read as in `gain_curve`. Arrays and
        lists have no levels; use `accuracy_ratio_score` for them.
    estimate : series, array-like or data frame of shape (n_rows,) or (n_rows, n_levels)
        Score, or one score per level. The columns of a data frame are matched to the levels
        as in `gain_curve`; those of a matrix are in the order of the levels.
    case_weights : series or array-like of shape (n_rows,), default=None
        Weights, finite and not negative. A row of weight 2 counts like two equal rows; a
        row of weight 0 is ignored. None: every row has weight 1.
    estimator : {'binary', 'macro', 'macro_weighted'}, default=None
        As in `gain_capture`.
    event_level, pos_label, target_type, descending
        As in `gain_curve`.
    na_rm : bool, default=True
        Whether to leave out rows where any of the three is null, None, nan or masked, with
        a warning; False refuses them.

    Returns
    -------
    float
        Accuracy ratio, from -1 to 1. nan if all outcomes are equal or no row is complete.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    UndefinedMetricWarning
        The result is nan, or a level is left out of the mean.

    Raises
    ------
    CapcurveError
        ``truth`` is not a series, lengths differ or are 0, indexes of pandas hold the same
        labels in another order, ``estimate`` has several columns for a single event, or for
        the reasons listed in `gain_capture`.

    See Also
    --------
    gain_capture : The same for a data frame, by group and for several models.
    accuracy_ratio_score : The same for arrays.

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
            f"{name_type(truth)}; use `accuracy_ratio_score` for arrays"
        )
    check_row_order({"truth": truth, "estimate": estimate, "case_weights": case_weights})
    levels = find_levels(column)[0] or ()
    parts = split_score_columns(estimate, levels)
    if len(parts) == 1:
        parts = dict(zip(["estimate"], parts.values(), strict=True))
    names = list(parts)
    if case_weights is not None:
        parts["case_weights"] = case_weights
    columns = {name: make_column(part, name, column) for name, part in parts.items()}
    lengths = {name: np.empty(len(part)) for name, part in columns.items()}
    check_shapes({"truth": np.empty(len(column)), **lengths}, None)
    frame = nw.maybe_reset_index(column.alias("truth").to_frame())
    frame = frame.with_columns(*columns.values())
    refuse_nested_columns(frame, frame.columns)
    roles = make_roles(
        "truth", names, case_weights=None if case_weights is None else "case_weights"
    )
    meaning = Meaning(
        pos_label=pos_label,
        event_level=event_level,
        target_type=target_type,
        estimator=estimator,
        descending=descending,
        na_rm=na_rm,
    )
    checked = rank_rows(frame, roles, meaning)
    if len(names) > 1 and not checked.are_levels:
        raise CapcurveError(
            f"`estimate` must be one score of a single event, got {len(names)} columns; "
            "pass the scores of the event"
        )
    _, ratios = compute_gain_capture(checked, estimator)
    (ratio,) = next(iter(ratios.values()))
    return float(ratio)


def split_score_columns(estimate: Any, levels: Sequence[Any]) -> dict[str, Any]:
    """Return the score columns by name; those of a matrix are named after the levels."""
    frame = nw.from_native(estimate, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        # Prefixed if one of them is called like the outcome or the weights.
        prefix = "estimate " * bool({"truth", "case_weights"} & {*frame.columns})
        return {f"{prefix}{name}": frame.get_column(name) for name in frame.columns}
    column = nw.from_native(estimate, series_only=True, pass_through=True)
    is_ready = isinstance(column, nw.Series | np.ma.MaskedArray)
    scores = column if is_ready else as_array(estimate, "estimate")
    columns = list(scores.T) if len(scores.shape) > 1 else [scores]
    names = levels if len(levels) == len(columns) else range(1, len(columns) + 1)
    return {f"estimate {name}": each for name, each in zip(names, columns, strict=True)}


def make_column(values: Any, name: str, like: Series) -> Series:
    """Return values as a column of the library of another one; missing values stay."""
    column = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(column, nw.Series):
        is_alike: bool = column.implementation is like.implementation
        if is_alike:
            return nw.maybe_reset_index(column.alias(name))
        values = column.to_list()
    if np.ma.isMaskedArray(values):
        values = values.tolist()
    array = as_array(values, name)
    check_shapes({name: array}, None)
    if array.dtype.kind != "O":
        return nw.new_series(name, as_numbers(array, name), backend=like.implementation)
    present = np.array([not is_missing(value) for value in array])
    numbers: Array = np.full(len(array), None, dtype=object)
    numbers[present] = as_numbers(array[present], name).tolist()
    return nw.new_series(name, numbers.tolist(), backend=like.implementation)
