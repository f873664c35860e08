"""Say which tests a report made, each with its formula and its source."""

from collections.abc import Iterator

from capcurve._report.group_tests import explain_groups
from capcurve._report.method import make_method
from capcurve._report.model_tests import (
    explain_challengers,
    explain_initial,
    say_rows,
)
from capcurve._report.options import Facts
from capcurve._report.phrases import say_degrees, say_level, say_percent, say_quantile
from capcurve._report.sources import LANCASTER, VAN_KLAVEREN


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
    if any(map(is_last_tested, facts["periods"])):
        alone.append("the last period against the others, beside its adjusted p-value")
    told = ""
    if any(split["homogeneity"][0]["left_out"] for split in facts["segments"]):
        told = (
            " Of the groups that the test of all leaves out, the finding is about the "
            "lowest one, its p-value multiplied by their number."
        )
    if alone:
        told += f" Tested alone, without adjustment: {'; '.join(alone)}."
    return make_method(
        "Significance",
        "A difference is called significant if its p-value is below "
        f"{say_level(facts['confidence_level'])}. p-values of challengers and of groups "
        f"are adjusted by Holm's method where there are several.{told}",
    )


def is_last_tested(split: Facts) -> bool:
    """Whether the last period of the champion is tested against the others."""
    champion = split["total"][0]["model"]
    known = [row for row in split["groups"] if row["group"] is not None]
    own = [row for row in known if row["model"] == champion]
    return split["in_time_order"] and bool(own) and own[-1]["p_value"] is not None


IMPLIED_P = {
    "two-sided": "2 min(P(A <= AUC + h), P(A >= AUC - h)), at most 1",
    "less": "P(A <= AUC + h)",
    "greater": "P(A >= AUC - h)",
}
LOWER_IMPLIED = "lower limit = 2 (B - h) - 1, at least -1, B the {} quantile of A"
UPPER_IMPLIED = "upper limit = 2 (B + h) - 1, at most 1, B the {} quantile of A"
IMPLIED_STATISTIC = (
    " The limits are those of AR if the probabilities are right. The statistic only "
    "says how many standard deviations AR is from "
    "AR_implied; the p-value does not come from it, but from the beta distribution."
)
THROUGH_THE_CYCLE = (
    " Where defaults depend on the economy, AR tends to lie above AR_implied in good and "
    "average years and below it in a recession, even if through-the-cycle PDs are right. "
    "{}, nor from several years of different levels that are tested together."
)
OF_SIDES = {  # simulated: "Common shocks" in docs/inference.md
    "two-sided": "They are rejected more often than the level says in both, so this test "
    "allows no conclusion from a single year of recession",
    "less": "Side 'less' rejects them more often than the level says only in a recession, "
    "so this test allows no conclusion from a single year of recession",
    "greater": "Side 'greater' rejects them more often than the level says in good and "
    "average years, and less often in a recession, so this test allows no conclusion from "
    "a rejection in a good or average year",
}


def explain_implied(facts: Facts) -> Iterator[Facts]:
    """Explain the AR that probabilities imply."""
    if not facts["implied"]:
        return
    sample, side = facts["sample"], facts["implied"][0]["alternative"]
    is_counted = sample["weights"] == "counts"
    has_clusters = sample["clusters"] is not None
    is_unequal = has_clusters or sample["weights"] == "sampling"
    weights = " (of equal rows: w^2 is then w)" * is_counted
    effective = (
        " m and n are effective numbers: (sum of w)^2 / sum of w^2 in the class"
        f"{', w added up by cluster' * has_clusters}."
    )
    if sample["weights"] == "sampling":
        effective += (
            " The shift makes the expected weight of events, sum of w times the "
            "probability, that of the events; the numbers of rows in the table count each "
            "row once, whatever its weight."
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
        f"{design * has_clusters}{IMPLIED_STATISTIC} The test ({side}) is about "
        "the ranking, not about the level."
        f"{THROUGH_THE_CYCLE.format(OF_SIDES[side])}{say_rows(facts)}",
        formula="AR_implied = (sum of w p R + b) / (M (W - M)), v = p (1 - p), "
        "c = sum of w v R / sum of w v, "
        "b = (sum of w^2 v) (sum of w v p (R - c)) / (sum of w v)^2, "
        f"V = {'d ' * has_clusters}sum of w^2 v (R - c)^2 / (M (W - M))^2; "
        f"p-value = {IMPLIED_P[side]}, A from Beta(K C, K (1 - C)), "
        "C = (1 + AR_implied) / 2, K = 4 C (1 - C) / V - 1 (at least 0.001), h = 1 / "
        f"(2 m n); {say_implied_limits(side, facts['confidence_level'])}; statistic = "
        "(AR - AR_implied) / sqrt(V)",
        df="none: the distribution has no estimated variance",
        source=VAN_KLAVEREN,
    )


def say_implied_limits(side: str, confidence_level: float) -> str:
    """Write the formula of the limits of AR under the probabilities."""
    miss = 1 - confidence_level
    if side == "less":
        return f"{LOWER_IMPLIED.format(say_quantile(miss))}; there is no upper limit"
    if side == "greater":
        return f"{UPPER_IMPLIED.format(say_quantile(1 - miss))}; there is no lower limit"
    low = LOWER_IMPLIED.format(say_quantile(miss / 2))
    return f"{low}; {UPPER_IMPLIED.format(say_quantile(1 - miss / 2))}"


def explain_left_out(facts: Facts) -> Iterator[Facts]:
    """Explain the test of the event rate of rows that were left out."""
    if facts["rows"]["left_out_total"]["p_value"] is not None:
        yield make_method(
            "Rows left out",
            "The two-sided p-value of their event rate is that of the hypergeometric "
            "distribution, doubled, which counts the observed number half (mid-P).",
            source=LANCASTER,
        )


def list_power_degrees(power: Facts) -> str | None:
    """Write the degrees of freedom by which each smallest difference was found."""
    named = [(row["model"], row) for row in power["models"]]
    named += [(f"{row['model']} minus {row['against']}", row) for row in power["pairs"]]
    told = [
        f"{name}: {say_degrees(degrees)}"
        for name, row in named
        if (degrees := row["degrees_of_freedom"]) is not None
    ]
    return "; ".join(told) or None


OF_ONE = (
    "The test of one {share} against a known one divides by the standard error of the "
    "sample, which begins to reject at p_edge, Wilson's limit of p_known: the lower one of "
    "a decrease, of a two-sided test the one that is harder to pass. p_known is {known}, "
    "p that plus or minus half of the difference in AR; s = 2 sqrt(p (1 - p) / K), and "
    "s_0 the same of p_edge. The degrees of freedom are those of Var(AR), without "
    "pseudo-observations{more}. Student's t allows for a small sample; the ECB's test, by "
    "the normal distribution, rejects a little more often there."
)
OF_TWO = (
    " Of two models, both p lie about the mean of both {share} (moved, if it must be, so "
    "that both are from 0 to 1), half of the difference apart, in the direction that is "
    "harder to find; s is the standard error of the difference of their AR as in the "
    "paired test, and s_0 the same with the mean of both p weighted by K in the place of "
    "each."
)
OF_INITIAL = (
    " Since initial validation, with K and the degrees of freedom of the test of two "
    "samples, s = 2 sqrt(p_initial (1 - p_initial) / K_initial + p_current (1 - p_current) "
    "/ K_current), p_initial the initial AUC and p_current that less half of the decrease, "
    "and s_0 the same with the mean of both p weighted by K in the place of each."
)
EDGE = (
    "p_edge = (p_known + t^2 / (2 K) +- t sqrt(p_known (1 - p_known) / K + t^2 / "
    "(4 K^2))) / (1 + t^2 / K), t = t_critical"
)


def explain_power(facts: Facts) -> Iterator[Facts]:
    """Explain which differences a test would find."""
    power = facts["power"]
    if power is not None:
        yield make_method(
            "Power",
            "The smallest difference that a test on rows like these finds with a "
            f"probability of {say_percent(power['power'], 0)}, by the noncentral "
            "t-distribution; t_critical is the quantile of Student's t at the level of a "
            "single test, whatever the number of comparisons. "
            f"{say_assumed(facts)} The half-width is that of the interval by the beta "
            "distribution, whatever the method of the report.",
            formula="P(T > t_critical s_0 / s) = power, T noncentral t with noncentrality "
            f"difference / s; {EDGE}",
            df=list_power_degrees(power),
        )


def say_assumed(facts: Facts) -> str:
    """Say which errors a test has at the difference that it is to find."""
    power, is_events = facts["power"], facts["outcome"] == "events"
    share = "AUC" if is_events else "(1 + AR) / 2"
    known = f"that of the rows{', or the initial AUC if it is given' * is_events}"
    more = ", by Welch and Satterthwaite" * is_events
    told = (
        f"Each p = {share} counts as a share of K trials, of variance p (1 - p) / K, "
        "whatever p is; K = C (1 - C) / V with a = 1/4. "
        f"{OF_ONE.format(share=share, known=known, more=more)}"
    )
    if power["pairs"]:
        told += OF_TWO.format(share=share)
    if any(row["detectable_fall_initial"] is not None for row in power["models"]):
        told += OF_INITIAL
    return told
