"""`gain_capture_at_reference`: accuracy ratios at given shares of the grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capcurve._engines.rank import rank_all_rows
from capcurve._engines.row_rankings import Groups, Ranking
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.group_intervals import split_rankings
from capcurve._frames.results import (
    NativeFrame,
    ResultPart,
    format_places,
    name_label_column,
    stack_parts,
    warn_undefined_groups,
)
from capcurve._inference.estimate import Estimate
from capcurve._inference.few_events import warn_few_events
from capcurve._inference.grades import check_bands
from capcurve._inference.options import check_confidence_level
from capcurve._inference.reference_portfolio import (
    estimate_at_reference,
    grade_like_reference,
)
from capcurve._input.column import as_array
from capcurve._input.dtypes import EventLevel, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.missing import refuse_missing
from capcurve._input.source import FrameLike
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError


@frame_verb
def gain_capture_at_reference(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    reference: Mapping[Any, float] | ArrayLike,
    *,
    bands: int | None = None,
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
    """Estimate the AR that groups would have with the grades of a reference portfolio.

    AR depends on the portfolio as well as on the model; at the same reference, groups can
    be compared. Requires SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    data, truth, by
        As in `gain_curve`. ``truth`` must hold a single event or amounts.
    estimate : str or sequence of str
        Column of grades, as numbers or with ``order``, or of any score with ``bands``. A
        sequence names several models, which have the same reference.
    reference : mapping of grade to float, or array-like of shape (n_reference,)
        Share of each grade, which are divided by their sum; or the grades or scores of the
        rows of the reference portfolio, such as a column of another data frame. The shares
        are taken as known.
    bands : int, default=None
        Number of bands of equal share that take the place of grades, as in
        `accuracy_ratio_at_reference`. None: every distinct score is a grade.
    case_weights : str, default=None
        Column of sampling weights, finite and not negative: only their proportions matter.
        A row of weight 0 is ignored. None: every row has weight 1.
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
        results in. A row for each group and model, with groups ordered as in `gain_curve`.
        Columns:

        - the columns of ``by``;
        - ``model`` (str), the score column, if ``estimate`` is a sequence;
        - ``metric`` (str), always ``'gain_capture_at_reference'``;
        - ``estimate`` (float64), AR at the reference;
        - ``std_error``, ``low``, ``high`` (float64), its standard error and limits;
        - ``n_events`` (int64), number of events (for amounts: of rows above 0).

        All numbers but ``n_events`` are nan for a group whose outcomes are all equal or
        that has no complete row.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        In a group the smaller of the numbers of events and non-events, times the smaller
        of AUC and 1 - AUC, is below 5; of amounts, fewer than 20 are above 0, or there are
        fewer than 20 effective pairs (``n_effective`` of `Estimate`). The message names it.
    UndefinedMetricWarning
        AR is undefined in a group. The message names it.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`, except that a group without a complete row,
        or with equal outcomes, gives nan. Also for the reasons listed in
        `accuracy_ratio_at_reference`; the message names the group.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    accuracy_ratio_at_reference : The same for arrays, with formulas and simulations.
    gain_capture_change : Mix and ranking in the change between periods.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import gain_capture_at_reference
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> table = gain_capture_at_reference(
    ...     loans, "default", "grade", loans["grade"], by="segment", order=list("ABCDEFGH")
    ... )
    >>> table[["segment", "estimate", "low", "high"]].round(3)
              segment  estimate    low   high
    0  small business     0.508  0.418  0.588
    1          retail     0.565  0.507  0.618
    2       corporate     0.586  0.389  0.731
    """
    check_bands(bands)
    check_confidence_level(confidence_level)
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
    checked = rank_all_rows(data, roles, meaning, memory_limit)
    names = [ranking.name for ranking in checked.rankings]
    columns = {name: make_empty_columns(checked.n_groups) for name in names}
    few = []
    for group, rankings in split_rankings(checked):
        for ranking in rankings:
            found, has_few = estimate_group(
                ranking, reference, bands, confidence_level, (checked.groups, group)
            )
            fill_columns(columns[ranking.name], group, found)
            few += [(ranking.name, group)] if has_few else []
    undefined = [
        (name, group)
        for name in names
        for group in np.flatnonzero(np.isnan(columns[name]["estimate"])).tolist()
    ]
    warn_undefined_groups(checked.groups, "AR at the reference portfolio", undefined)
    if few:
        warn_few_events(format_places(checked.groups, few))
    groups = np.arange(checked.n_groups)
    parts = [ResultPart(name, groups, columns[name]) for name in names]
    return stack_parts(checked.groups, parts, name_label_column(checked, estimate))


def make_empty_columns(n_groups: int) -> dict[str, Array]:
    """Return the columns of a model, filled with nan."""
    numbers = ("estimate", "std_error", "low", "high")
    return {
        "metric": np.full(n_groups, "gain_capture_at_reference", dtype=object),
        **{name: np.full(n_groups, np.nan) for name in numbers},
        "n_events": np.zeros(n_groups, dtype=np.int64),
    }


def fill_columns(columns: dict[str, Array], group: int, found: Estimate) -> None:
    """Write an estimate into the row of its group."""
    columns["estimate"][group] = found.value
    columns["std_error"][group] = found.standard_error
    columns["low"][group] = found.low
    columns["high"][group] = found.high
    columns["n_events"][group] = found.n_events


def estimate_group(
    ranking: Ranking,
    reference: Any,
    bands: int | None,
    confidence_level: float,
    where: tuple[Groups, int],
) -> tuple[Estimate, bool]:
    """Estimate AR of a group at the reference; an error names the group."""
    columns, grades = ranking.columns, ranking.grades
    try:
        if grades is not None:
            reference = count_grades(reference, grades)
        graded, share = grade_like_reference(columns, reference, bands=bands, names=grades)
        return estimate_at_reference(columns, graded, share, confidence_level)
    except CapcurveError as error:
        if where[0].keys is None:
            raise
        place = format_places(where[0], [("", where[1])])
        raise CapcurveError(f"{error} (in {place})") from error


def count_grades(reference: Any, grades: tuple[str, ...]) -> Any:
    """Count the grades of a reference portfolio that are text; shares stay as they are."""
    if isinstance(reference, Mapping):
        return reference
    rows = as_array(reference, "reference")
    refuse_missing(rows, "reference")
    found, count = np.unique(rows.astype(str), return_counts=True)
    return dict.fromkeys(grades, 0) | dict(zip(found.tolist(), count.tolist(), strict=True))
