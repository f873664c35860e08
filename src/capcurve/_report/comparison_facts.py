"""Compare models: with each other, with initial validation, and with their own PDs."""

from collections.abc import Sequence
from itertools import combinations
from math import inf, isnan

import numpy as np

from capcurve._arrays.sample_comparisons import (
    accuracy_ratio_test_initial,
    count_initial_events,
    make_initial_estimate,
)
from capcurve._inference.comparison import Hypothesis, compare_jointly
from capcurve._inference.differences import ScoreDistances, compare_estimates
from capcurve._inference.estimate import Comparison
from capcurve._inference.implied import (
    ImpliedComparison,
    ImpliedOptions,
    compare_with_implied,
    has_few_errors,
)
from capcurve._inference.open_limit import OF_RANGE, hide_open_limit
from capcurve._inference.options import IntervalOptions, Side, find_level
from capcurve._inference.planning import FEWEST_MISRANKED
from capcurve._inference.plans import SamplePlan
from capcurve._inference.power import Precision, compute_power, find_nearest
from capcurve._inference.reliability import explain_few_in_test
from capcurve._inference.sample_planning import (
    SampleQuestion,
    is_dominated,
    make_sample_plans,
)
from capcurve._input.columns import Columns
from capcurve._input.probability import read_probabilities, refuse_impossible
from capcurve._report.options import (
    Facts,
    InitialValues,
    ReportOptions,
    find_initial_values,
)
from capcurve._report.phrases import is_significant
from capcurve._report.report_input import ReportInput
from capcurve._report.scored import ScoredGroup, ScoredRows
from capcurve._tally.dtypes import Array, FloatArray
from capcurve._tally.sums import dot
from capcurve.exceptions import CapcurveError

POWER = 0.8


def list_models(report_input: ReportInput) -> list[ScoredRows]:
    """List the models whose rows are in memory, the champion first."""
    return [each for each in report_input.whole if isinstance(each, ScoredRows)]


def describe_comparison(comparison: Comparison) -> Facts:
    """Return the fields of a test, the denominator of its statistic, and its text."""
    statistic = comparison.statistic
    error = comparison.value / statistic if statistic else None
    numbers = hide_open_limit(comparison.to_dict(), comparison.alternative)
    return numbers | {"s_0": error, "text": repr(comparison)}


def describe_challengers(report_input: ReportInput) -> list[Facts]:
    """Test each pair of models on the same rows."""
    models = list_models(report_input)
    if len(models) <= 1:
        return []
    hypothesis = Hypothesis(confidence_level=report_input.options.confidence_level)
    # Reversed, so that the difference is challenger minus champion.
    names = [scored.estimate for scored in reversed(models)]
    columns = [scored.columns for scored in reversed(models)]
    joint = compare_jointly(names, columns, None, "score", hypothesis)
    return [
        {
            "model": first,
            "against": second,
            **describe_comparison(comparison),
            "p_holm": joint.p_holm[first, second],
            "n_minority": models[0].columns.n_minority,
            "is_reliable": is_reliable(comparison),
        }
        for (first, second), comparison in reversed(list(joint.pairs.items()))
    ]


def is_reliable(comparison: Comparison, df: float = inf) -> bool | None:
    """Whether a test keeps its level; None if it could not be made."""
    return answer_if_made(comparison, answer=not explain_few_in_test(comparison, df))


def answer_if_made(test: Comparison | ImpliedComparison, *, answer: bool) -> bool | None:
    """Return the answer of a test, or None if the test could not be made."""
    return None if isnan(test.p_value) else answer


def describe_initial(report_input: ReportInput) -> list[Facts]:
    """Test the current AUC of each model against its own AUC at initial validation."""
    options = report_input.options
    estimates = [each.estimate for each in report_input.whole]
    initial = find_initial_values(options.initial_auc, options.initial_variance, estimates)
    return [
        row
        for scored in report_input.whole
        if scored.estimate in initial
        for row in compare_with_initial(scored, initial[scored.estimate], options)
    ]


def compare_with_initial(
    scored: ScoredGroup, initial: InitialValues, options: ReportOptions
) -> list[Facts]:
    """Test the current AUC of one model against that at its initial validation."""
    current = scored.estimate_concordance(IntervalOptions(options.confidence_level))
    comparisons = accuracy_ratio_test_initial(
        current,
        initial_auc=initial.auc,
        initial_variance=initial.variance,
        confidence_level=options.confidence_level,
    )
    auc = current.to_auc()
    tests = {"ECB": comparisons.ecb, "two samples": comparisons.two_sample}
    return [
        {
            "model": scored.estimate,
            "test": name,
            **describe_comparison(comparison),
            "s": auc.standard_error,
            "variance": auc.standard_error**2,
            "initial_variance": initial.variance,
            "n_effective_initial": None
            if initial.variance is None
            else count_initial_events(initial.auc, initial.variance),
            "degrees_of_freedom_s": comparisons.degrees_of_freedom,
            "is_reliable": is_reliable(
                comparison, comparisons.degrees_of_freedom if name == "ECB" else inf
            ),
            "n_rows": scored.n_rows,
            "n_minority": count_minority(scored, comparison),
            "level": find_level(options.confidence_level),
            "is_significant": answer_if_made(
                comparison,
                answer=is_significant(comparison.p_value, options.confidence_level),
            ),
        }
        for name, comparison in tests.items()
        if comparison is not None
    ]


def count_minority(scored: ScoredGroup, comparison: Comparison) -> int:
    """Count the rows or clusters of the rarer class; binned rows are in no clusters."""
    if isinstance(scored, ScoredRows):
        return scored.columns.n_minority
    return min(comparison.n_events, comparison.n_nonevents)


def describe_implied(report_input: ReportInput) -> list[Facts]:
    """Compare AR with the one that probabilities imply: of scores, or of other columns.

    Probabilities that are no score of the report are those of the champion's ranking.
    """
    options, models = report_input.options, list_models(report_input)
    found = []
    for scored in models:
        if scored.estimate in options.implied:
            refuse_no_probability(scored)
            known = np.ones(len(scored.columns.target), dtype=np.bool_)
            probability = read_probabilities(scored.columns.score, scored.estimate)
            found.append(imply(scored.estimate, scored, probability, known, options))
    for name, values in report_input.probabilities.items():
        refuse_amounts(models[0])
        known = ~np.isnan(values)
        probability = read_probabilities(values[known], name)
        found.append(imply(name, models[0], probability, known, options))
    return found


def imply(
    name: str,
    scored: ScoredRows,
    probability: FloatArray,
    known: Array,
    options: ReportOptions,
) -> Facts:
    """Compare the AR of the rows whose probability is known with the one it implies."""
    columns = scored.columns if known.all() else scored.columns[known]
    if not len(columns.target):
        raise CapcurveError(
            f"`{name}` must hold a probability for some rows of the report, got none; "
            "check the column, or leave it out of `implied`"
        )
    refuse_impossible(probability, columns.target, name)
    asked = ImpliedOptions(
        alternative=options.implied_side, confidence_level=options.confidence_level
    )
    comparison = compare_with_implied(probability, columns, asked)
    return {
        "model": name,
        "score": scored.estimate,
        **hide_open_limit(comparison.to_dict(), comparison.alternative, OF_RANGE),
        **weigh_events(probability, columns),
        "n_left_out": int(scored.columns.row_counts[~known].sum()),
        "is_reliable": answer_if_made(
            comparison, answer=not has_few_errors(comparison, columns)
        ),
        "text": repr(comparison),
    }


def weigh_events(probability: FloatArray, columns: Columns) -> Facts:
    """Add up the weight of events, and of those expected, which the shift makes equal.

    None where the weight of each row is the number of rows that it stands for.
    """
    found = expected = None
    if not np.array_equal(columns.mass, columns.row_counts):
        found, expected = columns.target_mass, float(dot(columns.mass, probability))
    return {"weight_of_events": found, "expected_weight_of_events": expected}


def refuse_no_probability(scored: ScoredRows) -> None:
    """Raise if a score cannot be the probability of an event."""
    refuse_amounts(scored)
    if not scored.columns.descending:
        raise CapcurveError(
            "`implied` requires scores of which high ones rank first, got low scores "
            "first; turn scores (s to -s, or the probability p of no event to 1 - p), or "
            "leave `implied` out"
        )


def refuse_amounts(scored: ScoredRows) -> None:
    """Raise unless outcomes are events, of which there are probabilities."""
    if not scored.has_events:
        raise CapcurveError(
            "`implied` requires 0/1 events, which probabilities are about, got amounts; "
            "leave `implied` out"
        )


def describe_power(report_input: ReportInput) -> Facts | None:
    """Describe what tests on these rows find with a probability of 80 %."""
    models = list_models(report_input)
    if not models:
        return None
    options = report_input.options
    estimates = [each.estimate for each in report_input.whole]
    initial = find_initial_values(options.initial_auc, options.initial_variance, estimates)
    return {
        "power": POWER,
        "level": find_level(options.confidence_level),
        "models": [
            describe_model_power(scored, initial.get(scored.estimate), options)
            for scored in models
        ],
        "pairs": [
            describe_pair_power(first, second, options)
            for first, second in combinations(models, 2)
        ],
    }


def describe_model_power(
    scored: ScoredRows, initial: InitialValues | None, options: ReportOptions
) -> Facts:
    """Describe what a test of one model against a known AR finds.

    That is the initial one if it is given, otherwise that of the rows.
    """
    known = None
    if initial is not None and scored.has_events:  # an initial gAUC is about pairs of rows
        known = 2 * initial.auc - 1
    (either, less), found = plan([scored], options, ["two-sided", "less"], known)
    fall = -less.detectable_difference
    return {
        "model": scored.estimate,
        **found,
        "known": either.value if known is None else known,
        "detectable_fall": fall,
        "detectable_fall_initial": find_detectable_fall(scored, initial, options),
        "detectable_fall_auc": fall / 2 if scored.has_events else None,
        "detectable_difference": either.detectable_difference,
        "half_width": either.half_width,
        "degrees_of_freedom": either.degrees_of_freedom,
    }


def find_detectable_fall(
    scored: ScoredRows, initial: InitialValues | None, options: ReportOptions
) -> float | None:
    """Find the decrease in AR that the two-sample test of the initial AUC would find."""
    if not scored.has_events or initial is None or initial.variance is None:
        return None
    level = options.confidence_level
    current = scored.estimate_concordance(IntervalOptions(level)).to_auc()
    known = make_initial_estimate(current, initial.auc, initial.variance)
    trials = current.n_trials, known.n_trials
    df = compare_estimates(current, known, "two samples").degrees_of_freedom

    def power_at(auc: float) -> float:
        distances = ScoreDistances(auc, known.value, trials, correlation=0.0, width=1.0)
        error = distances.error_of(auc, known.value)
        precision = Precision(error, distances.find_error(0.0), df)
        return compute_power(auc - known.value, precision, Hypothesis("less", 0.0, level))

    return 2 * (known.value - find_nearest(power_at, POWER, known.value, 0.0))


def describe_pair_power(
    first: ScoredRows, second: ScoredRows, options: ReportOptions
) -> Facts:
    """Describe what a test of two models on the same rows finds.

    A score that all rows share has no variance, which one with another AR would have.
    """
    (found,), reliability = plan([second, first], options, ["two-sided"])
    is_known = not (first.is_constant or second.is_constant)
    return {
        "model": second.estimate,
        "against": first.estimate,
        **reliability,
        "detectable_difference": found.detectable_difference if is_known else None,
        "degrees_of_freedom": found.degrees_of_freedom,
    }


def plan(
    scored: Sequence[ScoredRows],
    options: ReportOptions,
    sides: Sequence[Side],
    known: float | None = None,
) -> tuple[list[SamplePlan], Facts]:
    """Plan tests of one or two sides from the same rows; say whether they are reliable."""
    level = options.confidence_level
    questions = [
        SampleQuestion(Hypothesis(side, confidence_level=level), POWER, known=known)
        for side in sides
    ]
    found = make_sample_plans([each.columns for each in scored], questions)
    plans, misranked = zip(*found, strict=True)
    n_errors = min(misranked)
    is_reliable = n_errors >= FEWEST_MISRANKED and not any(map(is_dominated, plans))
    return list(plans), {"is_reliable": is_reliable, "n_errors": n_errors}
