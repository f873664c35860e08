"""Whether models in the columns of a data frame differ: a row for each pair."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from capcurve._contrasts import Question, check_question
from capcurve._group_estimates import rankings_by_group
from capcurve._input import Label, TargetType
from capcurve._results import Part, stack, warn_undefined
from capcurve._roles import Names, Ranking, read_roles
from capcurve._truth import EventLevel, TruthOptions
from capcurve.comparisons import joint_comparison
from capcurve.exceptions import CapcurveError

__all__ = ["compare_models"]

NUMBERS = (
    "difference",
    "std_error",
    "low",
    "high",
    "p_value",
    "p_holm",
    "p_all_equal",
)


def compare_models(  # noqa: PLR0913 -- the names of the other frame functions
    data: Any,
    truth: str,
    estimates: Sequence[str],
    *,
    by: Names | None = None,
    case_weights: str | None = None,
    event_level: EventLevel = "first",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    na_rm: bool = True,
    confidence_level: float = 0.95,
) -> Any:
    """Test whether models have the same gain capture, a row for each pair and group.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    data, truth, by, case_weights, event_level, pos_label, target_type, descending, na_rm
        As in `gain_capture`; ``case_weights`` are sampling weights.
    estimates : sequence of str
        Columns of the scores of at least two models. A row with one missing is left out
        for all.
    confidence_level : float, default=0.95
        Of the interval of each difference, from 0 to 1.

    Returns
    -------
    data frame
        Of the library of ``data``: the columns of ``by``; ``model_a`` and ``model_b``;
        ``estimate_a`` and ``estimate_b``, their gain capture; ``difference``, the first
        less the second, with ``std_error``, ``low`` and ``high``; ``p_value``, two-sided,
        as if the pair were the only one; ``p_holm``, adjusted for the number of pairs in
        the group; ``p_all_equal``, that all models of the group are equal; ``n_events``.
        nan, with an `UndefinedMetricWarning`, where a group's outcomes are all equal.

    Raises
    ------
    CapcurveError
        As `gain_capture`, and for fewer than two models.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test : The test of one pair, with its caveats.
    accuracy_ratio_test_joint : The same on arrays.

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
    0  small business       0.043 -0.019  0.105    0.177
    1          retail       0.002 -0.044  0.047    0.943
    2       corporate       0.029 -0.045  0.103    0.446
    """
    question = Question(confidence_level=confidence_level)
    check_question(question)
    if isinstance(estimates, str) or len(estimates) < 2:  # noqa: PLR2004 -- a comparison takes two
        raise CapcurveError(
            f"`estimates` must name at least two score columns, got {estimates!r}"
        )
    roles = read_roles(
        data,
        truth,
        estimates,
        by=by,
        case_weights=case_weights,
        na_rm=na_rm,
        descending=descending,
        options=TruthOptions(event_level, pos_label, target_type, "binary"),
    )
    names = [ranking.name for ranking in roles.rankings]
    pairs = list(combinations(names, 2))
    columns = {pair: empty_columns(pair, roles.n_groups) for pair in pairs}
    undefined = set(range(roles.n_groups))
    for group, rankings in rankings_by_group(roles):
        if not rankings[0].columns.is_constant:
            undefined.remove(group)
            for pair, row in compared(rankings, question).items():
                for name, value in row.items():
                    columns[pair][name][group] = value
    warn_undefined(roles, "the difference", [("", group) for group in undefined])
    groups = np.arange(roles.n_groups)
    return stack(roles, [Part("", groups, columns[pair]) for pair in pairs], None)


def empty_columns(pair: tuple[str, str], n_groups: int) -> dict[str, Any]:
    """Name the models of a pair, and leave its numbers open."""
    names = zip(("model_a", "model_b"), pair, strict=True)
    return {
        **{column: np.full(n_groups, name, dtype=object) for column, name in names},
        **{
            name: np.full(n_groups, np.nan)
            for name in ("estimate_a", "estimate_b", *NUMBERS)
        },
        "n_events": np.zeros(n_groups, dtype=np.int64),
    }


def compared(
    rankings: Sequence[Ranking], question: Question
) -> dict[tuple[str, str], dict[str, float]]:
    """Compare the models of one group."""
    names = [ranking.name for ranking in rankings]
    rivals = [ranking.columns for ranking in rankings]
    joint = joint_comparison(names, rivals, None, "auto", question)
    return {
        pair: {
            "estimate_a": found.first,
            "estimate_b": found.second,
            "difference": found.value,
            "std_error": found.standard_error,
            "low": found.low,
            "high": found.high,
            "p_value": found.p_value,
            "p_holm": joint.p_holm[pair],
            "p_all_equal": joint.p_value,
            "n_events": found.n_events,
        }
        for pair, found in joint.pairs.items()
    }
