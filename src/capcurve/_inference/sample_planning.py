"""Planning from a sample: its own variance components, scaled to other sizes."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from capcurve._inference.accuracy_ratio import compute_ratio_covariance
from capcurve._inference.assumed_difference import KnownRatio, PairedRatios
from capcurve._inference.comparison import LARGEST, Hypothesis
from capcurve._inference.contrasts import RatioPair
from capcurve._inference.influence import Covariance, compute_ratio_influence
from capcurve._inference.limits import NEGLIGIBLE_ERROR, has_variance, t_quantile
from capcurve._inference.options import FEW_DEGREES
from capcurve._inference.planning import (
    FEWEST_MISRANKED,
    check_between,
    check_n_events,
    check_planned,
    check_power,
    count_misranked,
    explain_few,
)
from capcurve._inference.plans import SamplePlan
from capcurve._inference.power import (
    Precision,
    find_fewest,
    find_nearest,
    scale_precision,
)
from capcurve._inference.shrinkage import TEST_MASS, beta_limits, shrink
from capcurve._inference.wording import is_of_amounts, name_measure
from capcurve._input.columns import Columns
from capcurve.exceptions import FewEventsWarning, UndefinedMetricWarning, warn_caller


class SampleQuestion(NamedTuple):
    """What is asked of a sample: see `plan_from_sample`.

    ``known`` is the AR that one AR is tested against; None for that of the sample.
    """

    hypothesis: Hypothesis
    power: float = 0.8
    difference: float | None = None
    half_width: float | None = None
    n_events: int | None = None
    known: float | None = None


def check_sample_question(question: SampleQuestion) -> None:
    """Raise if an option is invalid."""
    check_planned(question.hypothesis)
    check_power(question.power, question.hypothesis.confidence_level)
    if question.difference is not None:
        check_between(question.difference, "difference", -LARGEST, LARGEST, "5 % is 0.05")
    if question.half_width is not None:
        check_between(question.half_width, "half_width", 0, 1, "5 % is 0.05")
    if question.n_events is not None:
        check_n_events(question.n_events)


class Evidence(NamedTuple):
    """A statistic of a sample, and how it scales with the sample.

    Attributes
    ----------
    ratios : list of float
        The accuracy ratios.
    covariance : Covariance
        That of AR, or of the difference, from the placements of the rows.
    pair : RatioPair or None
        Both AR of two scores.
    counts : tuple of int
        Numbers of events and non-events.
    n_minority : float
        Size of the minority class in independent units.
    """

    ratios: list[float]
    covariance: Covariance
    pair: RatioPair | None
    counts: tuple[int, int]
    n_minority: float

    @property
    def value(self) -> float:
        """AR, or the difference of two."""
        first, *others = self.ratios
        return first - sum(others)

    @property
    def has_variance(self) -> bool:
        """Whether the sample shows any variance; a perfect ranking shows none."""
        error = sqrt(self.covariance.variance())
        if self.pair is not None:
            return error > NEGLIGIBLE_ERROR
        return has_variance(self.value, error)

    def scale(self, n_events: int) -> Precision:
        """Return the precision with so many events, at the same event rate."""
        return scale_precision(self.covariance, n_events / self.counts[0])

    def assume(
        self, n_events: int, known: float | None = None
    ) -> KnownRatio | PairedRatios:
        """Return what gives the power of the test with so many events.

        One AR is tested against a known one, by default that of the sample.
        """
        factor = n_events / self.counts[0]
        df = self.scale(n_events).degrees_of_freedom
        if self.pair is not None:
            return PairedRatios(self.pair.find_distances(factor), df)
        share = shrink(self.value, self.covariance.scaled(factor), TEST_MASS)
        return KnownRatio(self.value if known is None else known, share.n_trials, df)

    def expect_half_width(self, n_events: int, level: float) -> float:
        """Return the expected half-width of the interval; nan with too few rows."""
        precision = self.scale(n_events)
        if not precision.is_known:
            return nan
        factor = n_events / self.counts[0]
        if self.pair is not None:
            distances = self.pair.find_distances(factor)
            quantile = t_quantile((1 + level) / 2, precision.degrees_of_freedom)
            low, high = distances.limits(self.value, quantile)
        else:
            low, high, _ = beta_limits(self.value, self.covariance.scaled(factor), level)
        return (high - low) / 2


def find_evidence(paired: Sequence[Columns]) -> Evidence:
    """Compute AR, or the difference of two scores of the same rows, and its covariance."""
    columns, pair = paired[0], None
    if len(paired) == 1:
        value, covariance = compute_ratio_covariance(columns)
        ratios = [value]
    else:
        both = compute_ratio_influence(paired)
        covariance = both.apply_contrasts(np.array([[1.0, -1.0]])).covariance
        pair = RatioPair.from_influence(both)
        ratios = pair.ratios
    n_minority = min(columns.n_minority, covariance.smallest)
    return Evidence(ratios, covariance, pair, columns.class_counts, n_minority)


def make_sample_plan(
    paired: Sequence[Columns], question: SampleQuestion
) -> tuple[SamplePlan, float]:
    """Plan from the rows of one or two scores.

    Also returns the size of the minority class times the smaller of AUC and 1 - AUC, by
    which few events are told; nan if the sample shows no variance.
    """
    (found,) = make_sample_plans(paired, [question])
    return found


def make_sample_plans(
    paired: Sequence[Columns], questions: Sequence[SampleQuestion]
) -> list[tuple[SamplePlan, float]]:
    """Answer several questions from the same rows, as `make_sample_plan` does each."""
    evidence = None if paired[0].is_constant else find_evidence(paired)
    return [plan_from_evidence(paired, evidence, question) for question in questions]


def plan_from_evidence(
    paired: Sequence[Columns], evidence: Evidence | None, question: SampleQuestion
) -> tuple[SamplePlan, float]:
    """Plan from what the rows show; None if all outcomes are equal."""
    name = name_measure("AR", has_events=paired[0].has_events)
    if len(paired) > 1:
        name += " difference"
    counts = paired[0].class_counts
    if evidence is None or not evidence.has_variance:
        value = nan if evidence is None else evidence.value
        return make_empty_plan(name, value, counts, question), nan
    n_events = counts[0] if question.n_events is None else question.n_events
    factor = n_events / counts[0]
    precision = evidence.scale(n_events)
    hypothesis, level = question.hypothesis, question.hypothesis.confidence_level
    assumed = evidence.assume(n_events, question.known)
    side, reach = hypothesis.side, assumed.find_reach(hypothesis)

    def power_at(difference: float) -> float:
        return assumed.find_power(difference, hypothesis)

    plan = make_empty_plan(name, evidence.value, counts, question)
    found = replace(
        plan,
        standard_error=precision.standard_error,
        degrees_of_freedom=precision.degrees_of_freedom,
        half_width=evidence.expect_half_width(n_events, level),
        detectable_difference=find_nearest(
            power_at, question.power, -side * hypothesis.margin, side * reach
        ),
        n_events=n_events,
        n_nonevents=round(factor * counts[1]),
        power_for_difference=power_at(plan.difference),
        events_for_difference=find_events_for_difference(evidence, question),
        events_for_half_width=find_events_for_half_width(evidence, question),
    )
    # A larger sample is planned from the variance of this one.
    smallest = min(factor, 1) * evidence.n_minority
    return found, count_misranked(evidence.ratios, smallest)


def make_empty_plan(
    name: str, value: float, counts: tuple[int, int], question: SampleQuestion
) -> SamplePlan:
    """List what was asked, without an answer."""
    hypothesis = question.hypothesis
    return SamplePlan(
        value=value,
        standard_error=nan,
        half_width=nan,
        detectable_difference=nan,
        power=question.power,
        n_events=counts[0],
        n_nonevents=counts[1],
        difference=nan if question.difference is None else float(question.difference),
        power_for_difference=nan,
        events_for_difference=None,
        wanted_half_width=nan if question.half_width is None else question.half_width,
        events_for_half_width=None,
        alternative=hypothesis.alternative,
        margin=hypothesis.margin,
        confidence_level=hypothesis.confidence_level,
        name=name,
    )


def find_events_for_difference(evidence: Evidence, question: SampleQuestion) -> int | None:
    """Find the fewest events with which the test has the power; None if none are enough."""
    difference = question.difference
    if difference is None:
        return None

    def is_enough(n_events: int) -> bool:
        assumed = evidence.assume(n_events, question.known)
        return assumed.find_power(difference, question.hypothesis) >= question.power

    return find_fewest(is_enough)


def find_events_for_half_width(evidence: Evidence, question: SampleQuestion) -> int | None:
    """Find the fewest events with so narrow an interval; None if none is asked for."""
    half_width = question.half_width
    if half_width is None:
        return None

    def is_enough(n_events: int) -> bool:
        level = question.hypothesis.confidence_level
        return evidence.expect_half_width(n_events, level) <= half_width

    return find_fewest(is_enough)


def warn_if_unreliable_plan(plan: SamplePlan, misranked: float) -> None:
    """Warn if the sample shows no variance, ranks few pairs wrongly, or few rows decide."""
    if isnan(misranked):
        warn_caller(
            "nothing can be planned from a sample without variance, as under a perfect "
            "ranking, with a single event or with equal outcomes; the plan is nan",
            UndefinedMetricWarning,
        )
    elif misranked < FEWEST_MISRANKED:
        reason = explain_few(misranked, is_amount=is_of_amounts(plan))
        warn_caller(f"the plan rests on few rows: {reason}", FewEventsWarning)
    elif is_dominated(plan):
        found = f"{plan.degrees_of_freedom:.2g}"
        warn_caller(
            f"the plan rests on few rows: {explain_dominated(found)}", FewEventsWarning
        )


def is_dominated(plan: SamplePlan) -> bool:
    """Whether few rows or clusters have most of the variance that the plan rests on."""
    return plan.degrees_of_freedom < FEW_DEGREES


def explain_dominated(found: str | None = None) -> str:
    """Explain what few degrees of freedom mean for a plan."""
    degrees = f"fewer than {FEW_DEGREES} degrees of freedom"
    if found is not None:
        degrees = f"{found} degrees of freedom (fewer than {FEW_DEGREES})"
    return (
        f"{degrees}, as few rows or clusters have most of the variance, so the power "
        "is approximate, and unknown below 1"
    )
