"""Say which tests a report made, each with its formula and its source."""

from collections.abc import Iterator

from capcurve._report.method import make_method
from capcurve._report.options import Facts
from capcurve._report.phrases import say_level, say_percent
from capcurve._report.sources import (
    DELONG,
    ECB,
    HOLM,
    JANES,
    LANCASTER,
    MIETTINEN,
    VAN_KLAVEREN,
    WELCH,
)


def explain_tests(facts: Facts) -> Iterator[Facts]:
    """Explain the tests of a report, in reading order."""
    yield from explain_challengers(facts)
    yield from explain_initial(facts)
    yield from explain_groups(facts)
    yield from explain_implied(facts)
    yield from explain_left_out(facts)
    yield from explain_power(facts)
    yield make_method(
        "Significance",
        "A difference is called significant if its p-value, adjusted where there are "
        f"several, is below {say_level(facts['confidence_level'])}.",
    )


def explain_challengers(facts: Facts) -> Iterator[Facts]:
    """Explain the paired tests of models."""
    if not facts["challengers"]:
        return
    degrees = [
        f"{row['model']} minus {row['against']}: {row['degrees_of_freedom']:,.1f}"
        for row in facts["challengers"]
        if row["degrees_of_freedom"] is not None
    ]
    yield make_method(
        "Challengers",
        "Paired score test on the same rows, whose variance is that under the hypothesis; "
        "it allows for the correlation of the scores.",
        formula="T = (AR_a - AR_b) / s_0, compared with Student's t",
        df="; ".join(degrees) or None,
        source=MIETTINEN,
    )
    yield make_method(
        "Covariance of two AR",
        "From the placements of the same rows by both scores.",
        source=DELONG,
    )
    if len(facts["challengers"]) > 1:
        yield make_method(
            "Adjusted p-values of models",
            f"Holm's method, for {len(facts['challengers'])} pairs of models.",
            source=HOLM,
        )


def explain_initial(facts: Facts) -> Iterator[Facts]:
    """Explain the tests against initial validation."""
    tests = {row["test"] for row in facts["initial"]}
    is_event = facts["outcome"] == "events"
    name = "AUC" if is_event else "gAUC"
    if "ECB" in tests:
        yield make_method(
            "Initial validation, test of the ECB",
            f"One-sided test of a decrease in {name}. It takes the initial {name} as known "
            "exactly; if that was estimated from a sample, it finds a decrease too often.",
            formula=f"S = ({name}_initial - {name}_current) / s, p = 1 - Phi(S)",
            df="infinite: the normal distribution",
            source=ECB,
            section="section 2.5.4.1, annex 3.1"
            if is_event
            else "sections 2.6.3.1 and 2.9.4.1, annex 3.2",
        )
    if "two samples" in tests:
        yield make_method(
            "Initial validation, two samples",
            f"The same test with the variance of the initial {name} too, under the "
            "hypothesis that it has not changed.",
            formula=f"T = ({name}_initial - {name}_current) / s_0",
            source=MIETTINEN,
        )


def explain_groups(facts: Facts) -> Iterator[Facts]:
    """Explain pooled AR and the tests of segments and periods."""
    splits = [*facts["segments"], *facts["periods"]]
    if any(total["pooled"] for split in splits for total in split["total"]):
        yield make_method(
            "Pooled AR",
            "AR of pairs of rows of the same group only, so that it does not depend on how "
            "groups differ.",
            source=JANES,
        )
    tests = [
        (split["by"], test)
        for split in splits
        for test in split["homogeneity"]
        if test["p_value"] is not None
    ]
    if not tests:
        return
    degrees = [
        f"{by}, {test['model']}: {test['df_1']:.0f} and {test['df_2']:,.1f}"
        for by, test in tests
    ]
    yield make_method(
        "Differences between groups",
        "F-test for unequal variances that AR is the same in all groups. Each enters as "
        "an angle, on which its variance hardly depends on AUC. Groups are taken as "
        "independent, and those with fewer than two events or non-events left out.",
        formula="angle = arcsin(sqrt(AUC))",
        df="; ".join(degrees),
        source=WELCH,
    )
    yield make_method(
        "A group against the others",
        "Welch's t-test of its angle against that of the pooled AR of the others; p-values "
        "are adjusted for the number of groups by Holm's method.",
        source=HOLM,
    )
    trends = [
        f"{trend['model']}: {trend['degrees_of_freedom']:,.1f}"
        for split in facts["periods"]
        for trend in split["trend"]
        if trend is not None and trend["degrees_of_freedom"] is not None
    ]
    if trends:
        yield make_method(
            "Trend",
            "A line through the angles of the periods, each one step after the one before, "
            "weighted by their effective sizes; the change is what it means for AR.",
            formula="T = slope / s, compared with Student's t",
            df="; ".join(trends),
        )


def explain_implied(facts: Facts) -> Iterator[Facts]:
    """Explain the AR that probabilities imply."""
    if facts["implied"]:
        yield make_method(
            "Implied AR",
            "AR to expect if the probabilities are right, after a shift of their log-odds "
            "by which they add up to the events. The test is two-sided, with the beta "
            "distribution of this mean and its variance; it is about the ranking, not "
            "about the level.",
            formula="AR_implied = sum of w p R / (M (W - M)), R the weight ranked below "
            "less above",
            source=VAN_KLAVEREN,
        )


def explain_left_out(facts: Facts) -> Iterator[Facts]:
    """Explain the test of the event rate of rows that were left out."""
    if facts["rows"]["left_out_total"]["p_value"] is not None:
        yield make_method(
            "Rows left out",
            "The two-sided p-value of their event rate is that of the hypergeometric "
            "distribution, doubled, which counts the observed number half (mid-P).",
            source=LANCASTER,
        )


def explain_power(facts: Facts) -> Iterator[Facts]:
    """Explain which differences a test would find."""
    power = facts["power"]
    if power is not None:
        yield make_method(
            "Power",
            "The smallest difference that a test on rows like these finds with a "
            f"probability of {say_percent(power['power'], 0)}, by the noncentral "
            "t-distribution and the variance found.",
            formula="P(T > t_critical | difference / s) = power",
        )
