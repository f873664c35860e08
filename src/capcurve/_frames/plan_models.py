"""`plan_models`: what a sample can show of each model and pair, as a data frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import isnan, nan

import numpy as np

from capcurve._engines.rank import rank_all_rows
from capcurve._engines.row_rankings import Groups, Ranking
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.group_intervals import split_rankings
from capcurve._frames.results import NativeFrame, ResultPart, format_places, stack_parts
from capcurve._inference.comparison import Hypothesis
from capcurve._inference.options import Side
from capcurve._inference.planning import FEWEST_MISRANKED, explain_few
from capcurve._inference.plans import SamplePlan
from capcurve._inference.sample_planning import (
    SampleQuestion,
    check_sample_question,
    explain_dominated,
    is_dominated,
    make_sample_plan,
)
from capcurve._input.dtypes import EventLevel, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.source import FrameLike
from capcurve._tally.dtypes import Array
from capcurve.exceptions import FewEventsWarning, UndefinedMetricWarning, warn_caller

# Columns of the result, and the fields of a plan.
PLAN_COLUMNS = {
    "estimate": "value",
    "std_error": "standard_error",
    "half_width": "half_width",
    "detectable_difference": "detectable_difference",
    "power_for_difference": "power_for_difference",
    "events_for_difference": "events_for_difference",
    "events_for_half_width": "events_for_half_width",
}
Pair = tuple[str, str]


@frame_verb
def plan_models(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    *,
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
    difference: float | None = None,
    half_width: float | None = None,
    n_events: int | None = None,
    power: float = 0.8,
    alternative: Side = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
) -> NativeFrame:
    """Find what a sample can show of models, and how many events would show more.

    A row for each model, and for each pair of models, by group. Requires SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    data, truth, by
        As in `gain_curve`. ``truth`` must hold a single event or amounts.
    estimate : str or sequence of str
        Score columns of the models. A row with a missing score is left out for all models.
    case_weights : str, default=None
        Column of sampling weights of independent rows, finite and not negative: only their
        proportions matter. A row of weight 0 is ignored. None: every row has weight 1.
    counts, events : str, default=None
        Columns of the number of rows and of events that each row stands for, as in
        `gain_curve`.
    clusters : str, default=None
        Column that names the rows that are not independent, such as the loans of one
        borrower; intervals and tests allow for it. Not with ``counts``. None: all rows are
        independent.
    event_level, pos_label, target_type, na_rm, memory_limit
        As in `gain_curve`.
    descending : bool, default=True
        Whether high scores are ranked first, for all models.
    order : sequence of str, default=None
        Grades of text scores from the lowest score to the highest; beside one, scores that
        hold numbers stay numbers. An ordered categorical needs none.
    difference, half_width, n_events, power, alternative, margin, confidence_level
        As in `plan_from_sample`: what is wanted, and of which size.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. A row for each group and model, then for each pair of models, with
        groups ordered as in `gain_curve`. Columns:

        - the columns of ``by``;
        - ``model_a``, ``model_b`` (str), the score columns of a pair; ``model_b`` is empty
          for a model on its own;
        - ``estimate`` (float64), accuracy ratio of the model, or the difference of the two;
        - ``std_error`` (float64), its standard error at the planned size;
        - ``half_width`` (float64), half of the expected width of its interval;
        - ``detectable_difference`` (float64), the smallest true difference that the test
          finds with the power; of a model on its own, the difference from a known value;
        - ``power_for_difference`` (float64), power if ``difference`` is true;
        - ``events_for_difference`` (float64), events (of amounts, rows above 0) needed for
          ``power`` if ``difference`` is true;
        - ``events_for_half_width`` (float64), events (of amounts, rows above 0) needed for
          ``half_width``;
        - ``n_events`` (int64), number of events that is planned: that of the group unless
          ``n_events`` is passed;
        - ``n`` (int64), number of rows that is planned.

        What was not asked for is nan, as is every number but the counts of a group whose
        outcomes are all equal, that has no complete row, or that shows no variance.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        In a group the minority class times the smaller of AUC and 1 - AUC is below 10: see
        `plan_from_sample`. The message names it.
    UndefinedMetricWarning
        The plan of a group is undefined. The message names it.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`, except that a group without a complete row,
        or with equal outcomes, gives nan. Also if an option of the plan is invalid.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    plan_from_sample : The same for arrays, with the formula.
    plan_interval, plan_test : Plans from assumed numbers, without data.
    compare_models : Test whether models differ.

    Examples
    --------
    >>> import polars as pl
    >>> from capcurve import plan_models
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pl.DataFrame(make_portfolio())
    >>> plans = plan_models(loans, "default", "champion_pd", by="segment", half_width=0.05)
    >>> plans.select("segment", "half_width", "events_for_half_width", "n_events")
    shape: (3, 4)
    ┌────────────────┬────────────┬───────────────────────┬──────────┐
    │ segment        ┆ half_width ┆ events_for_half_width ┆ n_events │
    │ ---            ┆ ---        ┆ ---                   ┆ ---      │
    │ str            ┆ f64        ┆ f64                   ┆ i64      │
    ╞════════════════╪════════════╪═══════════════════════╪══════════╡
    │ small business ┆ 0.081186   ┆ 403.0                 ┆ 155      │
    │ retail         ┆ 0.059048   ┆ 314.0                 ┆ 226      │
    │ corporate      ┆ 0.107391   ┆ 316.0                 ┆ 72       │
    └────────────────┴────────────┴───────────────────────┴──────────┘
    """
    question = SampleQuestion(
        Hypothesis(alternative, margin, confidence_level),
        power,
        difference=difference,
        half_width=half_width,
        n_events=n_events,
    )
    check_sample_question(question)
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
    pairs = [*((name, "") for name in names), *combinations(names, 2)]
    columns = {pair: make_empty_columns(pair, checked.n_groups) for pair in pairs}
    undefined = set(range(checked.n_groups)) - set(checked.group.tolist())
    few, dominated = set[int](), set[int]()
    for group, rankings in split_rankings(checked):
        for pair, (plan, misranked) in plan_group(rankings, question):
            fill_row(columns[pair], group, plan)
            if isnan(misranked):
                undefined.add(group)
            elif misranked < FEWEST_MISRANKED:
                few.add(group)
            elif is_dominated(plan):
                dominated.add(group)
    warn_of_groups(
        checked.groups,
        undefined,
        "the plan is undefined and set to nan where the sample shows no variance, all "
        "outcomes are equal or no row is complete",
        UndefinedMetricWarning,
    )
    is_amount = not all(each.columns.has_events for each in checked.rankings)
    reason = explain_few(is_amount=is_amount)
    warn_of_groups(checked.groups, few, reason, FewEventsWarning)
    warn_of_groups(checked.groups, dominated, explain_dominated(), FewEventsWarning)
    groups = np.arange(checked.n_groups)
    parts = [ResultPart("", groups, columns[pair]) for pair in pairs]
    return stack_parts(checked.groups, parts, None)


def make_empty_columns(pair: Pair, n_groups: int) -> dict[str, Array]:
    """Return the columns of a model or pair, filled with nan."""
    model_a, model_b = pair
    return {
        "model_a": np.full(n_groups, model_a, dtype=object),
        "model_b": np.full(n_groups, model_b, dtype=object),
        **{name: np.full(n_groups, np.nan) for name in PLAN_COLUMNS},
        "n_events": np.zeros(n_groups, dtype=np.int64),
        "n": np.zeros(n_groups, dtype=np.int64),
    }


def plan_group(
    rankings: Sequence[Ranking], question: SampleQuestion
) -> Iterator[tuple[Pair, tuple[SamplePlan, float]]]:
    """Yield the plan of each model and of each pair of one group."""
    for ranking in rankings:
        yield (ranking.name, ""), make_sample_plan([ranking.columns], question)
    for first, second in combinations(rankings, 2):
        pair = first.name, second.name
        yield pair, make_sample_plan([first.columns, second.columns], question)


def list_plan(plan: SamplePlan) -> dict[str, float]:
    """List the numbers of a plan by the names of columns; nan where none is found."""
    values = {column: getattr(plan, field) for column, field in PLAN_COLUMNS.items()}
    return {name: nan if value is None else value for name, value in values.items()}


def fill_row(columns: Mapping[str, Array], group: int, plan: SamplePlan) -> None:
    """Write a plan into the row of a group."""
    for name, value in list_plan(plan).items():
        columns[name][group] = value
    columns["n_events"][group] = plan.n_events
    columns["n"][group] = plan.n_events + plan.n_nonevents


def warn_of_groups(
    groups: Groups, where: Iterable[int], what: str, category: type[Warning]
) -> None:
    """Warn once about all groups of a kind, by name."""
    if places := format_places(groups, [("", group) for group in where]):
        warn_caller(f"{what}: {places}", category)
