"""Say which tests a report made, each with its formula and its source."""

from collections.abc import Iterator, Sequence

from capcurve._report.method import list_degrees, make_method
from capcurve._report.options import Facts
from capcurve._report.phrases import say_level, say_percent
from capcurve._report.sources import (
    BOX,
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
    yield explain_significance(facts)


def explain_significance(facts: Facts) -> Facts:
    """Explain from which p-value on a difference is called significant."""
    alone = [
        text
        for topic, text in (
            ("initial", "each score against its own initial validation"),
            ("implied", "each column of probabilities against the AR that it implies"),
        )
        if facts[topic]
    ]
    told = f" Tested alone, without adjustment: {'; '.join(alone)}." if alone else ""
    return make_method(
        "Significance",
        "A difference is called significant if its p-value is below "
        f"{say_level(facts['confidence_level'])}. p-values of challengers and of groups "
        f"are adjusted by Holm's method where there are several.{told}",
    )


def explain_challengers(facts: Facts) -> Iterator[Facts]:
    """Explain the paired tests of models."""
    if not facts["challengers"]:
        return
    degrees = list_pair_degrees(facts)
    yield make_method(
        "Challengers",
        "Paired score test on the same rows, whose variance is that under the hypothesis; "
        "it allows for the correlation of the scores. s_0, the standard error of the "
        "difference if both AR are equal, is a column of the table.",
        formula="T = (AR_a - AR_b) / s_0, compared with Student's t",
        df=degrees,
        source=MIETTINEN,
    )
    yield make_method(
        "Covariance of two AR",
        "From the influences of the same rows on the AR of both scores; with clusters, "
        "those of their rows are added up first. For independent events of equal weight "
        "this is the sample covariance of the placements of both scores.",
        formula="Cov(AR_a, AR_b) = sum of psi_a psi_b, in each class of n rows or clusters "
        "times n / (n - 1)",
        df=degrees,
        source=DELONG,
    )
    if len(facts["challengers"]) > 1:
        yield make_method(
            "Adjusted p-values of models",
            f"Holm's method, for {len(facts['challengers'])} pairs of models.",
            source=HOLM,
        )


def list_pair_degrees(facts: Facts) -> str | None:
    """Write the degrees of freedom of the test of each pair of models."""
    degrees = [
        f"{row['model']} minus {row['against']}: {row['degrees_of_freedom']:,.1f}"
        for row in facts["challengers"]
        if row["degrees_of_freedom"] is not None
    ]
    return "; ".join(degrees) or None


def explain_initial(facts: Facts) -> Iterator[Facts]:
    """Explain the tests against initial validation."""
    rows = facts["initial"]
    tests = {row["test"] for row in rows}
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
        own = [row for row in rows if row["test"] == "two samples"]
        yield make_method(
            "Initial validation, two samples",
            f"The same test with the variance of the initial {name} too, under the "
            "hypothesis that it has not changed. Each is treated as a proportion with the "
            "number of trials K that gives it its variance, and s_0 is the standard error "
            "of their difference if both are equal.",
            formula=f"T = ({name}_initial - {name}_current) / s_0, compared with Student's "
            f"t; s_0 = sqrt(A (1 - A) (1 / K_initial + 1 / K_current)), A the mean {name} "
            "weighted by K, " + say_errors(own),
            df=list_initial_degrees(own),
            source=MIETTINEN,
        )


def say_errors(rows: Sequence[Facts]) -> str:
    """Write the denominator of the statistic of each test of two samples."""
    errors = [
        "s_0 undefined" if row["s_0"] is None else f"s_0 = {row['s_0']:.6f}" for row in rows
    ]
    if len(rows) > 1:
        named = zip(errors, rows, strict=True)
        errors = [f"{error} ({row['model']})" for error, row in named]
    return f"here {', '.join(errors)}"


def list_initial_degrees(rows: Sequence[Facts]) -> str | None:
    """Write the degrees of freedom of each test of two samples."""
    told = {
        row["model"]: f"{row['degrees_of_freedom']:,.1f}"
        for row in rows
        if row["degrees_of_freedom"] is not None
    }
    if len(rows) == 1:
        return next(iter(told.values()), None)
    return "; ".join(f"{name}: {degrees}" for name, degrees in told.items()) or None


DEPENDENT = (
    "cov is the covariance of the two angles, 0 unless clusters have rows in several "
    "groups. "
)


def explain_equality(tests: Sequence[tuple[str, Facts]]) -> Iterator[Facts]:
    """Explain the test that AR is the same in all groups."""
    angles = (
        "The AUC of each group is first converted to an angle z, because the variance v of "
        "an AUC depends much on its value, and that of the angle hardly."
    )
    small = (
        "Groups with fewer than 20 events or non-events are left out, unless fewer than "
        "two others remain."
    )
    alone = [(by, test) for by, test in tests if not test["shares_clusters"]]
    if alone:
        yield make_method(
            "Differences between groups",
            "Welch's F-test, which allows for unequal variances, of the hypothesis that AR "
            f"is the same in all k groups. {angles} W is the sum of all weights w, and nu "
            f"are the degrees of freedom of v. Groups are taken as independent. {small}",
            formula="F = sum of w (z - mean of z)^2 / (k - 1) / (1 + 2 (k - 2) L / (k^2 - "
            "1)), z = arcsin(sqrt(AUC)), w = 1 / v, L = sum of (1 - w / W)^2 / nu",
            df=list_equality_degrees(alone),
            source=WELCH,
        )
    shared = [(by, test) for by, test in tests if test["shares_clusters"]]
    if shared:
        yield make_method(
            "Differences between groups that share clusters",
            "The F-test of the hypothesis that AR is the same in all k groups, which "
            "allows for unequal variances and for clusters with rows in several groups. "
            f"{angles} V is the covariance of the angles, from what each cluster moves in "
            "each group. W is the diagonal matrix of the weights w, c the mean of the sum "
            "under the hypothesis, and c^2 / tr(P V P V) the degrees of freedom of the "
            f"numerator; nu are those of v. {small}",
            formula="F = sum of w (z - mean of z)^2 / c / (1 + 2 (k - 2) L / (k^2 - 1)), "
            "z = arcsin(sqrt(AUC)), w = 1 / v, c = tr(P V), P = W - w w' / sum of w, "
            "L = sum of (1 - w / sum of w)^2 / nu",
            df=list_equality_degrees(shared),
            source=BOX,
        )


def list_equality_degrees(tests: Sequence[tuple[str, Facts]]) -> str:
    """List the degrees of freedom of tests that all groups are equal."""
    return "; ".join(
        f"{by}, {test['model']}: {test['df_1']:.4g} and {test['df_2']:,.1f}"
        for by, test in tests
    )


def explain_groups(facts: Facts) -> Iterator[Facts]:
    """Explain pooled AR and the tests of segments and periods."""
    splits = [*facts["segments"], *facts["periods"]]
    if any(total["pooled"] for split in splits for total in split["total"]):
        yield make_method(
            "Pooled AR",
            "AR of pairs of rows of the same group only, so that it does not depend on how "
            "groups differ.",
            formula="sum of w AR over the groups / sum of w, w the pairs of an event and a "
            "non-event (of rows) in a group",
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
    yield from explain_equality(tests)
    is_shared = any(test["shares_clusters"] for _, test in tests)
    yield make_method(
        "A group against the others",
        "Welch's t-test of the angle of the group against that of the pooled AR of the "
        "others, without groups of a single event or non-event; p-values are adjusted for "
        "the number of groups by Holm's method. "
        f"{DEPENDENT if is_shared else ''}The "
        "workbook and the JSON file have T and the degrees of freedom of each group.",
        formula="T = (z_group - z_others) / sqrt(v_group + v_others"
        f"{' - 2 cov' * is_shared}), compared with Student's t",
        df="; ".join(list_ranges(splits)),
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
            "weighted by their effective sizes; the change is what it means for AR."
            f"{explain_slope(facts['periods'])}",
            formula="T = slope / s, compared with Student's t",
            df="; ".join(trends),
        )


def explain_slope(periods: Sequence[Facts]) -> str:
    """Say how the standard error of a slope allows for clusters in several periods."""
    tests = [test for split in periods for test in split["homogeneity"]]
    if not any(test["shares_clusters"] for test in tests):
        return ""
    return " Clusters have rows in several periods: s includes the covariance of periods."


def list_ranges(splits: Sequence[Facts]) -> Iterator[str]:
    """Write the range of the degrees of freedom of groups against the others."""
    for split in splits:
        for total in split["total"]:
            degrees = [
                row["degrees_of_freedom"]
                for row in split["groups"]
                if row["model"] == total["model"] and row["degrees_of_freedom"] is not None
            ]
            if degrees:
                yield (
                    f"{split['by']}, {total['model']}: {min(degrees):,.1f} to "
                    f"{max(degrees):,.1f}"
                )


def explain_implied(facts: Facts) -> Iterator[Facts]:
    """Explain the AR that probabilities imply."""
    if not facts["implied"]:
        return
    sample = facts["sample"]
    is_counted = sample["weights"] == "counts"
    has_clusters = sample["clusters"] is not None
    is_unequal = has_clusters or sample["weights"] == "sampling"
    weights = " (of equal rows: w^2 is then w)" * is_counted
    effective = (
        " m and n are effective numbers: (sum of w)^2 / sum of w^2 in the class"
        f"{', w added up by cluster' * has_clusters}."
    )
    design = (
        " d is the sum of the squares of w (y - p) (R - c), y the outcome, added up by "
        "cluster, over that of the rows, and at least 1."
    )
    yield make_method(
        "Implied AR",
        "AR to expect if the probabilities are right, after a shift of their log-odds by "
        f"which they add up to the events. For each row, w is its weight{weights}, p its "
        "shifted probability, and R the weight of the rows ranked below it, less the "
        "weight of those ranked above it. W is the weight of all rows and M that of the "
        "events; b allows for M being given. If the probabilities are right, AUC has the "
        "beta distribution whose mean C and variance belong to this AR; half a step of the "
        f"AUC of m events and n non-events is allowed for.{effective * is_unequal}"
        f"{design * has_clusters} The test is two-sided. It is about the ranking, not "
        "about the level. Where defaults depend on the economy, right through-the-cycle "
        "PDs are rejected more often than the level says, and a one-sided test is "
        "preferable (capcurve implied --alternative less).",
        formula="AR_implied = (sum of w p R + b) / (M (W - M)), v = p (1 - p), "
        "c = sum of w v R / sum of w v, "
        "b = (sum of w^2 v) (sum of w v p (R - c)) / (sum of w v)^2, "
        f"V = {'d ' * has_clusters}sum of w^2 v (R - c)^2 / (M (W - M))^2; "
        "p-value = 2 min(P(A <= AUC + h), P(A >= AUC - h)), A from Beta(K C, K (1 - C)), "
        "C = (1 + AR_implied) / 2, K = 4 C (1 - C) / V - 1, h = 1 / (2 m n)",
        df="none: the distribution has no estimated variance",
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
            "t-distribution and the variance found; s is the standard error of AR, or of "
            "the difference of two. Since initial validation, s is that of the two-sample "
            "test, of AR.",
            formula="P(T > t_critical) = power, T noncentral t with noncentrality "
            "difference / s",
            df="; ".join(filter(None, [list_degrees(facts), list_pair_degrees(facts)]))
            or None,
        )
