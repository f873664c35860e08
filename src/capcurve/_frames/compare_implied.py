"""`compare_implied`: observed and implied accuracy ratios as a data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

import numpy as np

from capcurve._engines.rank import rank_all_rows
from capcurve._engines.row_rankings import Ranking, RowRankings
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.group_intervals import split_rankings
from capcurve._frames.results import (
    NativeFrame,
    ResultPart,
    format_places,
    name_label_column,
    stack_parts,
)
from capcurve._inference.contrasts import adjust_holm
from capcurve._inference.implied import (
    FEW_ERRORS,
    ImpliedOptions,
    check_implied_options,
    compare_with_implied,
    has_few_errors,
)
from capcurve._inference.options import Side
from capcurve._input.dtypes import EventLevel, Label, Names
from capcurve._input.meaning import (
    Meaning,
    as_order,
    make_roles,
    read_names,
    refuse_other_than_names,
)
from capcurve._input.options import check_flags
from capcurve._input.probability import read_probabilities, refuse_impossible
from capcurve._input.source import FrameLike
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import (
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    warn_caller,
)

# Columns of the result, and the attributes of a comparison that they hold.
NUMBERS = {
    "estimate": "observed",
    "implied": "implied",
    "difference": "difference",
    "std_error": "standard_error",
    "implied_low": "low",
    "implied_high": "high",
    "statistic": "statistic",
    "p_value": "p_value",
    "p_holm": "p_value",  # adjusted for the other groups once all are tested
    "shift": "shift",
    "expected_events": "expected_events",
}


@frame_verb
def compare_implied(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    *,
    score: str | None = None,
    by: Names | None = None,
    case_weights: str | None = None,
    counts: str | None = None,
    events: str | None = None,
    clusters: str | None = None,
    shift: bool = True,
    alternative: Side = "two-sided",
    event_level: EventLevel | None = None,
    pos_label: Label | None = None,
    descending: bool = True,
    order: Sequence[str] | None = None,
    na_rm: bool = True,
    memory_limit: float | str | None = None,
    confidence_level: float = 0.95,
) -> NativeFrame:
    """Test whether accuracy ratios are those that probabilities, such as PDs, imply.

    Each model is compared with itself: its observed accuracy ratio (AR, Gini, gain capture)
    with the one to expect if its probabilities are right. Requires SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    data, truth, by
        As in `gain_curve`. ``truth`` must hold a single event.
    estimate : str or sequence of str
        Columns of the probabilities of the event, from 0 to 1: one for each model. A row
        with a missing value is left out for all models.
    score : str, default=None
        Column of the score that ranks the rows, such as points or an ordered categorical.
        None: the probabilities rank.
    case_weights : str, default=None
        Column of sampling weights of independent rows, finite and not negative: only their
        proportions matter. A row of weight 0 is ignored. None: every row has weight 1.
    counts, events : str, default=None
        Columns of the number of rows and of events that each row stands for, as in
        `gain_curve`: a row for each rating grade with its PD.
    clusters : str, default=None
        Column that names the rows that are not independent, such as the loans of one
        borrower. Not with ``counts``. None: all rows are independent.
    shift : bool, default=True
        Whether one number is first added to the log-odds of all probabilities of a model
        and group, so that they add up to the events: the test is then about discrimination
        only, not about the level. Name the years in ``by``, as each has a level of its own:
        several years in one group are rejected too often, or by 'greater' too rarely. See
        `accuracy_ratio_test_implied`.
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        Alternative hypothesis. 'less': the accuracy ratio falls short of the implied one;
        'greater': it exceeds it.
    event_level, pos_label, na_rm, memory_limit
        As in `gain_curve`.
    descending : bool, default=True
        Whether high values of ``score`` rank first; False for a scorecard on which low ones
        do. Only with ``score``, as high probabilities rank first.
    order : sequence of str, default=None
        Grades of a text ``score``, from the lowest score to the highest, as in
        `gain_curve`. Only with ``score``. None: it holds numbers or declares its order.
    confidence_level : float, default=0.95
        Probability of an accuracy ratio within ``implied_low`` and ``implied_high`` if
        the probabilities are right, strictly between 0 and 1.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. A row for each group and model. Groups are in the order of appearance,
        or sorted with null last for queries. Columns:

        - the columns of ``by``;
        - ``model`` (str), the column of probabilities, if ``estimate`` is a sequence;
        - ``estimate`` (float64), the observed accuracy ratio;
        - ``implied`` (float64), the accuracy ratio that the probabilities imply;
        - ``difference`` (float64), observed less implied;
        - ``std_error`` (float64), the standard deviation of the accuracy ratio if the
          probabilities are right;
        - ``implied_low``, ``implied_high`` (float64), the range in which AR then lies;
        - ``statistic`` (float64), the difference in standard errors;
        - ``p_value`` (float64), of the hypothesis that the probabilities are right;
        - ``p_holm`` (float64), ``p_value`` adjusted by Holm's method for the number of
          groups in which the model is tested;
        - ``shift`` (float64), what was added to log-odds;
        - ``expected_events`` (float64), the sum of the probabilities as given, over rows;
        - ``n_events`` (int64), the number of events.

        All numbers but the last two are nan for a group whose outcomes are all equal; the
        last two are nan and 0 for a group that has no complete row. The p-values are nan
        where no other accuracy ratio was possible, as with equal scores. A group whose
        p-value is nan is not counted as a test.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        A group has so few events that the test may miss its level, by the rule of
        `accuracy_ratio_test_implied`. The message names the groups.
    UndefinedMetricWarning
        The p-value of a group is nan. The message names it.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`, except that a group without a complete row,
        or with equal outcomes, gives nan. Also if probabilities are below 0 or above 1,
        nothing but 0 and 1, 0 for an event or 1 for a non-event, or if an option is invalid
        or does not apply.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test_implied : The same for arrays, with formulas and limitations.
    compare_models : Test whether models differ.

    Notes
    -----
    The implied accuracy ratio is the model-based concordance of van Klaveren, Gonen,
    Steyerberg and Vergouwe (2016), doi:10.1002/sim.6997, on the scale of AR; see
    `accuracy_ratio_test_implied`. Adjusted p-values are those of Holm (1979), "A simple
    sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
    6(2), 65-70.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import compare_implied
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> found = compare_implied(loans, "default", "champion_pd", by="year")
    >>> found = found.set_index("year").sort_index()
    >>> found[["estimate", "implied", "implied_low", "implied_high", "p_value"]].round(3)
          estimate  implied  implied_low  implied_high  p_value
    year
    2021     0.579    0.699        0.625         0.765    0.002
    2022     0.542    0.685        0.616         0.748    0.000
    2023     0.607    0.698        0.624         0.766    0.017
    2024     0.569    0.694        0.622         0.760    0.001
    """
    options = ImpliedOptions(shift, alternative, confidence_level)
    check_implied_options(options)
    models = read_names("estimate", estimate)
    refuse_score(score, models, descending=descending, order=order)
    roles = make_roles(
        truth,
        models if score is None else (*models, score),
        by=by,
        case_weights=case_weights,
        counts=counts,
        events=events,
        clusters=clusters,
    )
    meaning = Meaning(
        pos_label=pos_label,
        event_level=event_level,
        target_type="binary",
        estimator="binary",
        descending=descending,
        order=as_order(order),
        ordered=() if score is None else (score,),
        na_rm=na_rm,
    )
    checked = rank_all_rows(data, roles, meaning, memory_limit)
    return compare_groups(
        checked, models, options, label=name_label_column(checked, estimate)
    )


def compare_groups(
    checked: RowRankings,
    models: Sequence[str],
    options: ImpliedOptions,
    *,
    label: str | None = "model",
) -> NativeFrame:
    """Compare each model in each group, in the order of the groups."""
    return stack_parts(checked.groups, make_parts(checked, models, options), label)


def refuse_score(
    score: str | None,
    models: Sequence[str],
    *,
    descending: bool,
    order: Sequence[str] | None,
) -> None:
    """Raise if the score is one of the probabilities, or its direction is that of none."""
    check_flags(descending=descending)
    if score is not None:
        refuse_other_than_names("score", [score])
    if score is None and not descending:
        raise CapcurveError(
            "`descending=False` requires `score`, got None, so that high probabilities "
            "rank first; name the column that runs the other way"
        )
    if score is None and order is not None:
        raise CapcurveError(
            "`order` requires `score`, got None, as probabilities are numbers; name the "
            "column of grades, or leave `order` out"
        )
    if score in models:
        raise CapcurveError(
            f"`score` must be a column other than `estimate`, got {score!r} as both; leave "
            "it out, as probabilities rank themselves"
        )


def make_parts(
    checked: RowRankings, models: Sequence[str], options: ImpliedOptions
) -> list[ResultPart]:
    """Compare each model in each group, and warn of what is undefined or based on few."""
    read_models(checked, models)
    columns = {name: make_empty_columns(checked.n_groups) for name in models}
    undefined = {(name, group) for name in models for group in range(checked.n_groups)}
    few = []
    for group, rankings in split_rankings(checked):
        for ranking in rankings[: len(models)]:
            probability = read_group(ranking)
            ranked = (ranking if len(rankings) == len(models) else rankings[-1]).columns
            found = compare_with_implied(probability, ranked, options)
            for column, attribute in NUMBERS.items():
                columns[ranking.name][column][group] = getattr(found, attribute)
            columns[ranking.name]["n_events"][group] = found.n_events
            if not isnan(found.p_value):
                undefined.remove((ranking.name, group))
            if has_few_errors(found, ranked):
                few.append((ranking.name, group))
    for numbers in columns.values():
        numbers["p_holm"] = adjust_defined(numbers["p_value"])
    warn_of_groups(checked, undefined, few)
    groups = np.arange(checked.n_groups)
    return [ResultPart(name, groups, columns[name]) for name in models]


def read_models(checked: RowRankings, models: Sequence[str]) -> None:
    """Raise if the columns of all groups together are no probabilities."""
    for ranking in checked.rankings[: len(models)]:
        name = ranking.name
        probability = read_probabilities(ranking.columns.score, name, f"`score={name!r}`")
        refuse_impossible(probability, ranking.columns.target, name)


def read_group(ranking: Ranking) -> FloatArray:
    """Return the probabilities of the rows of a group."""
    return ranking.columns.score.astype(np.float64, copy=False)


def make_empty_columns(n_groups: int) -> dict[str, Array]:
    """Return the columns of a model, filled with nan."""
    numbers: Mapping[str, Array] = {name: np.full(n_groups, np.nan) for name in NUMBERS}
    return {**numbers, "n_events": np.zeros(n_groups, dtype=np.int64)}


def adjust_defined(p_values: Array) -> Array:
    """Adjust the p-values of the groups of a model; an undefined one is no test."""
    adjusted, is_defined = p_values.copy(), ~np.isnan(p_values)
    adjusted[is_defined] = adjust_holm(p_values[is_defined].tolist())
    return adjusted


def warn_of_groups(
    checked: RowRankings, undefined: set[tuple[str, int]], few: list[tuple[str, int]]
) -> None:
    """Warn once about all groups without a p-value, and about all with few events."""
    if places := format_places(checked.groups, undefined):
        warn_caller(
            "the test of the implied accuracy ratio is undefined and set to nan where all "
            f"outcomes or all scores are equal or no row is complete: {places}",
            UndefinedMetricWarning,
        )
    if places := format_places(checked.groups, few):
        warn_caller(
            f"the test expects fewer than {FEW_ERRORS} rows of the minority class on the "
            f"wrong side, and may miss its level: {places}",
            FewEventsWarning,
        )
