"""`compare_models`: tests of differences between models as a data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np

from capcurve._engines.rank import rank_all_rows
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.group_intervals import split_rankings
from capcurve._frames.results import (
    NativeFrame,
    ResultPart,
    format_places,
    stack_parts,
    warn_undefined_groups,
)
from capcurve._inference.capture_difference import compare_scores
from capcurve._inference.capture_rate import is_any_few, warn_few_selected
from capcurve._inference.comparison import (
    Hypothesis,
    JointComparison,
    check_hypothesis,
)
from capcurve._inference.options import Alternative
from capcurve._inference.reliability import Shortage, list_shortages, warn_few_in_pairs
from capcurve._input.column import as_list
from capcurve._input.dtypes import EventLevel, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.options import check_fraction, show
from capcurve._input.source import FrameLike
from capcurve.exceptions import CapcurveError

COMPARISON_COLUMNS = (
    "estimate_a",
    "estimate_b",
    "difference",
    "std_error",
    "low",
    "high",
    "p_value",
    "p_holm",
    "p_all_equal",
)


@frame_verb
def compare_models(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimates: Sequence[str],
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
    fraction: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
) -> NativeFrame:
    """Test whether models have the same gain capture (accuracy ratio, AR, Gini).

    Every pair of models is compared on the same rows, by group. Requires SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    data, truth, by
        As in `gain_curve`. ``truth`` must hold a single event or amounts.
    estimates : sequence of str
        Score columns of at least two models, which stand side by side: pivot a frame whose
        models are stacked. A row with a missing score is left out for all models. Scores
        may be on different scales, as only their order counts.
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
        hold numbers stay numbers. An ordered categorical needs none; thresholds keep the
        names of grades.
    fraction : float, default=None
        Population share, above 0 and at most 1, at which the capture rates of the models
        are compared instead of their accuracy ratios, as in `capture_rate_test`.
    alternative, margin
        Hypothesis of each test, as in `accuracy_ratio_test`: by default that the models of
        a pair are equal.
    confidence_level : float, default=0.95
        Confidence level of the interval of each difference, between 0 and 1. A test of
        equivalence has both one-sided limits, of a 90 % interval at 0.95.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. A row for each group and pair of models, with groups ordered as in
        `gain_curve`. Columns:

        - the columns of ``by``;
        - ``model_a``, ``model_b`` (str), the score columns of the pair;
        - ``estimate_a``, ``estimate_b`` (float64), their accuracy ratios, from -1 to 1,
          or capture rates, from 0 to 1;
        - ``difference`` (float64), ``estimate_a - estimate_b``;
        - ``std_error`` (float64), standard error of the difference;
        - ``low``, ``high`` (float64), confidence limits of the difference;
        - ``p_value`` (float64) of the test, without adjustment for other pairs;
        - ``p_holm`` (float64), ``p_value`` adjusted by Holm's method for the number of
          pairs in the group;
        - ``p_all_equal`` (float64), of the hypothesis that all models of the group are
          equal; nan for capture rates;
        - ``alternative`` (str), ``margin`` (float64), the hypothesis that was tested;
        - ``n_events`` (int64), number of events (for amounts: of rows above 0).

        All numbers but ``margin`` and ``n_events`` are nan for a group whose outcomes are
        all equal or that has no complete row. A one-sided test has one limit, and the end
        of the scale as the other. P-values are nan where the variance cannot be
        estimated, as with a single event.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        A test is based on few events, few wrongly ranked ones or few degrees of freedom,
        and may not keep its level, as in `accuracy_ratio_test`; or at a ``fraction`` fewer
        than 15 rows are selected or left out. The message names its group.
    UndefinedMetricWarning
        The difference is undefined in a group. The message names it.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`, except that a group without a complete row,
        or with equal outcomes, gives nan. Also if ``estimates`` names fewer than two
        columns or ``confidence_level`` is not between 0 and 1.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test : The test of one pair, with other methods and its limitations.
    accuracy_ratio_test_joint : The same for arrays.

    Notes
    -----
    Variances and covariances are those of DeLong, DeLong and Clarke-Pearson (1988),
    doi:10.2307/2531595, by the method 'score' of `accuracy_ratio_test`. Adjusted p-values
    are those of Holm (1979), "A simple sequentially rejective multiple test procedure",
    Scandinavian Journal of Statistics 6(2), 65-70. ``p_all_equal`` is that of an F test of
    the differences between all models, as in `accuracy_ratio_test_joint`. With two models
    quote ``p_value``: the F test of the same hypothesis has other degrees of freedom.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import compare_models
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> models = ["challenger_pd", "champion_pd"]
    >>> pairs = compare_models(loans, "default", models, by="segment")
    >>> pairs[["segment", "difference", "low", "high", "p_value"]].round(3)
              segment  difference    low   high  p_value
    0  small business       0.043 -0.020  0.105    0.179
    1          retail       0.002 -0.044  0.047    0.943
    2       corporate       0.029 -0.045  0.107    0.447
    """
    hypothesis = Hypothesis(alternative, margin, confidence_level)
    check_hypothesis(hypothesis)
    if len(as_list(estimates) or ()) < 2:  # noqa: PLR2004 -- a pair
        raise CapcurveError(
            "`estimates` must name at least two score columns, got "
            f"{show(estimates)}; pass a list of names, after a pivot if the models are "
            "stacked in one column"
        )
    roles = make_roles(
        truth,
        estimates,
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
    if fraction is not None:
        check_fraction(fraction, "fraction", above_zero=True)
    checked = rank_all_rows(data, roles, meaning, memory_limit)
    names = [ranking.name for ranking in checked.rankings]
    pairs = list(combinations(names, 2))
    columns = {
        pair: make_empty_columns(pair, hypothesis, checked.n_groups) for pair in pairs
    }
    undefined, few_selected = set(range(checked.n_groups)), []
    few: dict[int, list[Shortage]] = {}
    for group, rankings in split_rankings(checked):
        for pair in pairs:
            columns[pair]["n_events"][group] = rankings[0].columns.class_counts[0]
        if not rankings[0].columns.is_constant:
            undefined.remove(group)
            paired = [ranking.columns for ranking in rankings]
            joint = compare_scores(names, paired, fraction, hypothesis)
            if short := list(
                chain.from_iterable(map(list_shortages, joint.pairs.values()))
            ):
                few[group] = short
            if fraction is not None and is_any_few(paired, fraction):
                few_selected.append(("", group))
            fill_in_tests(columns, group, joint)
    warn_few_in_pairs(
        format_places(checked.groups, [("", group) for group in few]),
        (ranking.columns for ranking in checked.rankings),
        fraction,
        few.values(),
    )
    warn_few_selected(format_places(checked.groups, few_selected))
    warn_undefined_groups(
        checked.groups, "the difference", [("", group) for group in undefined]
    )
    groups = np.arange(checked.n_groups)
    parts = [ResultPart("", groups, columns[pair]) for pair in pairs]
    return stack_parts(checked.groups, parts, None)


def make_empty_columns(
    pair: tuple[str, str], hypothesis: Hypothesis, n_groups: int
) -> dict[str, Any]:
    """Return the columns of a pair of models, with nan for what the test finds."""
    model_a, model_b = pair
    return {
        "model_a": np.full(n_groups, model_a, dtype=object),
        "model_b": np.full(n_groups, model_b, dtype=object),
        **{name: np.full(n_groups, np.nan) for name in COMPARISON_COLUMNS},
        "alternative": np.full(n_groups, hypothesis.alternative, dtype=object),
        "margin": np.full(n_groups, float(hypothesis.margin)),
        "n_events": np.zeros(n_groups, dtype=np.int64),
    }


def fill_in_tests(
    columns: Mapping[tuple[str, str], dict[str, Any]], group: int, joint: JointComparison
) -> None:
    """Fill in the row of a group for each pair of models."""
    for pair, found in joint.pairs.items():
        row = {
            "estimate_a": found.first,
            "estimate_b": found.second,
            "difference": found.value,
            "std_error": found.standard_error,
            "low": found.low,
            "high": found.high,
            "p_value": found.p_value,
            "p_holm": joint.p_holm[pair],
            "p_all_equal": joint.p_value,
        }
        for name, value in row.items():
            columns[pair][name][group] = value
