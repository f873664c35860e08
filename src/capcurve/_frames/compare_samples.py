"""`compare_samples`: tests of models on samples without common rows, as a data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from capcurve._engines.rank import rank_all_rows
from capcurve._engines.row_rankings import Groups
from capcurve._frames.frame_verb import frame_verb
from capcurve._frames.gain_capture_change import (
    list_samples,
    refuse_other_parts,
)
from capcurve._frames.group_intervals import split_rows_by_group
from capcurve._frames.results import (
    MAX_PLACES_NAMED,
    NativeFrame,
    ResultPart,
    format_places,
    name_label_column,
    stack_parts,
)
from capcurve._frames.sample_contrasts import (
    Contrast,
    TestedContrast,
    list_pairs,
    make_contrast,
    run_test,
)
from capcurve._inference.comparison import Hypothesis, check_hypothesis
from capcurve._inference.contrasts import adjust_holm
from capcurve._inference.options import Alternative
from capcurve._inference.reliability import list_shortages, warn_few_in_samples
from capcurve._inference.sample_comparison import count_shared_clusters
from capcurve._input.dtypes import EventLevel, Label, Names, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles, read_names
from capcurve._input.options import check_fraction
from capcurve._input.source import FrameLike
from capcurve.exceptions import UndefinedMetricWarning, warn_caller

NUMBERS = (
    *("estimate_a", "estimate_b", "difference", "std_error", "low", "high"),
    *("p_value", "p_holm"),
)
COUNTS = ("n_events_a", "n_events_b")


@frame_verb
def compare_samples(  # noqa: PLR0913 -- the names of the other frame functions
    data: FrameLike,
    truth: str | None,
    estimate: Names,
    sample: str,
    against: Any,
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
    """Test whether gain capture (accuracy ratio, AR, Gini) differs between samples.

    Such as between the development sample and those of later years. The samples have no
    common rows; `compare_models` is for several scores of the same rows. Requires SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    data, truth
        As in `gain_curve`. ``truth`` must hold a single event or amounts.
    estimate : str or sequence of str
        Column of the score. A sequence names several models, which are not compared with
        each other.
    sample : str
        Column of the sample of each row, such as its year.
    against : value of ``sample``
        The reference, such as the development sample. Each other sample is compared with
        it.
    by : str or sequence of str, default=None
        Columns to group by. A null is a group of its own.
    case_weights : str, default=None
        Column of sampling weights, finite and not negative: only their proportions matter.
        A row of weight 0 is ignored. None: every row has weight 1.
    counts, events : str, default=None
        Columns of the number of rows and of events that each row stands for, as in
        `gain_curve`.
    clusters : str, default=None
        Column that names the rows of a sample that are not independent, such as the loans
        of one borrower. Not with ``counts``. None: all rows are independent.
    event_level, pos_label, target_type, descending, order, na_rm, memory_limit
        As in `gain_curve`.
    fraction : float, default=None
        Population share, above 0 and at most 1, at which the capture rates of the samples
        are compared instead of their accuracy ratios.
    alternative, margin
        Hypothesis of each test, as in `accuracy_ratio_test_independent`. 'less': AR has
        fallen since the reference; 'greater' with a margin: by less than the margin.
    confidence_level : float, default=0.95
        Confidence level of the interval of each difference, between 0 and 1. A test of
        equivalence has both one-sided limits, of a 90 % interval at 0.95.

    Returns
    -------
    data frame
        Of the library of ``data``; for a query, of the library that its engine returns
        results in. A row for each group, model and sample other than ``against``, with
        groups ordered as in `gain_curve`, samples as in `gain_capture_change`. Columns:

        - the columns of ``by``;
        - ``model`` (str), the score column, if ``estimate`` is a sequence;
        - ``sample_a``, ``sample_b`` (as ``sample``), the sample and the reference;
        - ``estimate_a``, ``estimate_b`` (float64), their accuracy ratios, from -1 to 1, or
          capture rates, from 0 to 1;
        - ``difference`` (float64), ``estimate_a - estimate_b``;
        - ``std_error`` (float64), standard error of the difference;
        - ``low``, ``high`` (float64), confidence limits of the difference;
        - ``p_value`` (float64) of the test, without adjustment for other samples;
        - ``p_holm`` (float64), ``p_value`` adjusted by Holm's method for the number of
          samples that are compared in the group;
        - ``alternative`` (str), ``margin`` (float64), the hypothesis that was tested;
        - ``n_events_a``, ``n_events_b`` (int64), number of events (for amounts: of rows
          above 0).

        All numbers but ``margin``, the counts and what the other sample has alone are nan
        where a sample has no complete row in the group, or its outcomes are all equal. A
        one-sided test has one limit, and the end of the scale as the other.

    Warns
    -----
    DroppedRowsWarning
        Rows with a missing value were left out. The message counts them.
    FewEventsWarning
        A test may not keep its level, as in `accuracy_ratio_test_independent`. The message
        names it.
    UndefinedMetricWarning
        A difference is undefined. The message names it, and says of which sample.
    UserWarning
        Clusters have rows in both samples, which are then not independent.

    Raises
    ------
    CapcurveError
        For the reasons listed in `gain_curve`, except that a group without a complete row,
        or with equal outcomes, gives nan. Also if ``against`` is no sample, or the only
        one; if ``sample`` holds missing values, is also the outcome or in ``by``; or if an
        option is invalid.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test_independent : The test of two estimates, with its limitations.
    gain_capture_change : The change of AR split into mix and ranking.
    compare_models : Tests of several scores of the same rows.

    Notes
    -----
    AR is compared by the score method of `accuracy_ratio_test_independent`, capture rates
    by the limits of Zou and Donner (2008), doi:10.1002/sim.3095. Adjusted p-values are
    those of Holm (1979), "A simple sequentially rejective multiple test procedure",
    Scandinavian Journal of Statistics 6(2), 65-70.

    Samples that share borrowers, such as two years of one portfolio, are not independent:
    their correlation is ignored, so the p-value is mostly too large. For AR of events
    `compare_segments` with the two samples as segments allows for clusters that reach over
    both; `gain_capture_change` does so for bands or grades.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import compare_samples
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> found = compare_samples(loans, "default", "champion_pd", "year", 2021)
    >>> found[["sample_a", "sample_b", "difference", "low", "high", "p_value"]].round(3)
       sample_a  sample_b  difference    low   high  p_value
    0      2022      2021      -0.037 -0.159  0.089    0.561
    1      2023      2021       0.028 -0.096  0.154    0.657
    2      2024      2021      -0.010 -0.138  0.119    0.879
    """
    hypothesis = Hypothesis(alternative, margin, confidence_level)
    check_hypothesis(hypothesis)
    if fraction is not None:
        check_fraction(fraction, "fraction", above_zero=True)
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
    pairs = list_pairs(samples, sample, against)
    rows = dict(split_rows_by_group(checked))
    found = {
        ranking.name: [make_contrast(ranking, rows, samples, place) for place in pairs]
        for ranking in checked.rankings
    }
    tests = {
        name: [run_test(contrast, fraction, hypothesis) for contrast in contrasts]
        for name, contrasts in found.items()
    }
    warn_about_samples(samples.groups, tests, fraction)
    parts = [make_part(name, tested, hypothesis) for name, tested in tests.items()]
    return stack_parts(samples.groups, parts, name_label_column(checked, estimate))


def warn_about_samples(
    groups: Groups,
    tests: Mapping[str, Sequence[TestedContrast]],
    fraction: float | None,
) -> None:
    """Warn once of all tests that are undefined, on few events, or not independent."""
    listed = [each for tested in tests.values() for each in tested]
    undefined = [each.contrast for each in listed if each.test is None]
    shortages = [(each.contrast, list_shortages(each.test)) for each in listed if each.test]
    few = [contrast for contrast, found in shortages if found]
    shared = [
        each.contrast for each in listed if count_shared_clusters(*each.contrast.rows)
    ]
    if undefined:
        warn_caller(
            "the difference is undefined and set to nan: "
            f"{name_contrasts(groups, undefined)}",
            UndefinedMetricWarning,
        )
    warn_few_in_samples(
        name_contrasts(groups, few),
        [rows for each in few for rows in each.rows],
        fraction,
        [found for _, found in shortages],
    )
    if shared:
        warn_caller(
            "samples share clusters, so they are not independent and p-values may be too "
            f"large or too small{suggest_shared(shared, fraction)}: "
            f"{name_contrasts(groups, shared)}",
            UserWarning,
        )


def suggest_shared(shared: Sequence[Contrast], fraction: float | None) -> str:
    """Name what compares the AR of samples that share clusters; of shares nothing does."""
    if fraction is not None:
        return ""
    if all(rows is None or rows.has_events for each in shared for rows in each.rows):
        return (
            "; `compare_segments` (capcurve segments) with the two samples as segments "
            "allows for them"
        )
    return (
        "; `gain_capture_change` (capcurve change) allows for them: its `total` is the "
        "change of AR"
    )


def name_contrasts(groups: Groups, contrasts: Sequence[Contrast]) -> str:
    """Name the first contrasts by their samples and group, and what they lack."""
    places = list(
        dict.fromkeys((each.pair, each.group, each.explain()) for each in contrasts)
    )
    named = []
    for (first, second), group, lack in places[:MAX_PLACES_NAMED]:
        where = "" if groups.keys is None else f", {format_places(groups, [('', group)])}"
        why = f" ({lack})" if lack else ""
        named.append(f"{first!r} against {second!r}{where}{why}")
    if len(places) > MAX_PLACES_NAMED:
        named.append(f"{len(places) - MAX_PLACES_NAMED} more")
    return "; ".join(named)


def make_part(
    name: str, tested: Sequence[TestedContrast], hypothesis: Hypothesis
) -> ResultPart:
    """Return the result rows of one model."""
    columns: dict[str, Any] = {}
    for at, end in enumerate("ab"):
        labels = np.empty(len(tested), dtype=object)
        labels[:] = [each.contrast.pair[at] for each in tested]
        columns[f"sample_{end}"] = labels
    numbers = [list_numbers(each) for each in tested]
    columns |= {column: np.array([row[column] for row in numbers]) for column in numbers[0]}
    group = np.array([each.contrast.group for each in tested])
    columns["p_holm"] = adjust_by_group(columns["p_value"], group)
    columns["alternative"] = np.full(len(tested), hypothesis.alternative, dtype=object)
    columns["margin"] = np.full(len(tested), float(hypothesis.margin))
    for at, column in enumerate(COUNTS):
        counts = [each.contrast.counts[at] for each in tested]
        columns[column] = np.array(counts, dtype=np.int64)
    return ResultPart(name, group, columns)


def list_numbers(tested: TestedContrast) -> dict[str, float]:
    """List the numbers of a test; nan where it is undefined."""
    _, test, values = tested
    known = dict(zip(("estimate_a", "estimate_b"), values, strict=True))
    if test is None:
        return {**dict.fromkeys(NUMBERS, nan), **known}
    return {
        **known,
        "difference": test.value,
        "std_error": test.standard_error,
        "low": test.low,
        "high": test.high,
        "p_value": test.p_value,
        "p_holm": nan,
    }


def adjust_by_group(p_values: Any, group: Any) -> Any:
    """Adjust the p-values of each group for their number by Holm's method."""
    adjusted = np.full(len(p_values), nan)
    for number in np.unique(group):
        rows = np.flatnonzero(group == number)
        adjusted[rows] = adjust_holm(p_values[rows].tolist())
    return adjusted
