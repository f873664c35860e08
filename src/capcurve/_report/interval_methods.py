"""Explain the methods of the interval of AR, and of the p-value that goes with each."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from capcurve._report.bootstrap_methods import explain_bootstrap
from capcurve._report.method import (
    OF_RATIO,
    P_VALUE,
    P_VALUE_OF,
    list_degrees,
    list_pooled_degrees,
    make_method,
)
from capcurve._report.options import RESAMPLING, Facts
from capcurve._report.pseudo_observations import is_unweighted, list_estimated
from capcurve._report.sources import GU, HOEFFDING, NEWCOMBE, Source

LOGIT = "limits of AR = tanh(artanh(AR) -+ {} s / (1 - AR^2))"
P_LOGIT = "; p = P(|{}| >= |artanh(AR)| (1 - AR^2) / s)"
BY_NORMAL = f"{P_VALUE}; Z has the normal distribution."
SCALE = "Symmetric on the scale of logit(AUC), s^2 = Var(AR);"


class Method(NamedTuple):
    """How a method makes limits, with formula and source."""

    text: str
    formula: str | None = None
    source: Source | None = None


OTHER_METHODS = {
    "logit-t": Method(
        f"{SCALE} q_t is the quantile of Student's t at the degrees of freedom of Var(AR), "
        f"by Welch and Satterthwaite.{P_VALUE}; T has Student's t distribution.",
        LOGIT.format("q_t") + P_LOGIT.format("T"),
    ),
    "logit": Method(
        f"{SCALE} z is the quantile of the normal distribution.{BY_NORMAL}",
        LOGIT.format("z") + P_LOGIT.format("Z"),
    ),
    "wald": Method(
        "Symmetric, and cut at -1 and 1; s^2 = Var(AR), z is the quantile of the normal "
        f"distribution.{BY_NORMAL}",
        "limits of AR = AR -+ z s; p = P(|Z| >= |AR| / s)",
    ),
    "newcombe": Method(
        "Method 5 of Newcombe, whose variance belongs to a model of the scores, not to the "
        "rows. The limits are the A from which the AUC found is z standard errors away."
        f"{BY_NORMAL}",
        "(AUC - A)^2 = z^2 V(A), V(A) = A (1 - A) (1 + ((m + n) / 2 - 1) ((1 - A) / (2 - "
        "A) + A / (1 + A))) / (m n); p = P(|Z| >= |AUC - 1/2| / sqrt(V(1/2)))",
        NEWCOMBE,
    ),
}
FREE = {"exact", "approximate bound"}  # methods of distribution-free limits
OF_ALL = "They are all intervals of AR in this report."
OF_SOME = (
    "They are the interval of AR where a single event or non-event (with clusters, a "
    "single cluster of them) leaves the variance unknown, and, unless the method is beta, "
    "where rows that are ranked without an error show none."
)
SIMULATED = (
    "In simulations of rows of equal weight, with 20 or more events and non-events, "
    "intervals of 95 % covered in 93 % of samples or more. The exception is 86 to 92 %, "
    "where a score that is nearly perfect otherwise ranks about two events below nearly "
    "all non-events, be it two of 20 or two of 200: one sample in eight shows none of "
    "them, so no warning is possible."
)
SIMULATED_AMOUNTS = (
    "In simulations of lognormal losses and of loss rates of equal, independent rows, "
    "intervals of 95 % covered in 94 % of samples or more."
)


def explain_used_intervals(facts: Facts, used: Collection[str]) -> Iterator[Facts]:
    """Explain each method of an interval of AR that was used."""
    if "beta" in used:
        yield explain_beta(facts)
    for method, explained in OTHER_METHODS.items():
        if method in used:
            df = list_degrees(facts) if method == "logit-t" else None
            yield make_method(
                OF_RATIO,
                explained.text,
                formula=explained.formula,
                df=df,
                source=explained.source,
            )
    for method in RESAMPLING:
        if method in used:
            yield explain_bootstrap(facts, method)
    few = any(model["exact_limits"] for model in facts["models"])
    if few or FREE & set(used):
        yield explain_exact(facts)


def explain_beta(facts: Facts) -> Facts:
    """Explain the interval by the beta distribution, and which numbers have it."""
    tail = (1 - facts["confidence_level"]) / 2
    ratios = [row["accuracy_ratio"] for row in list_estimated(facts)]
    of_ratio = any(ratio is not None and ratio["method"] == "beta" for ratio in ratios)
    others = list_beta_only(facts)
    what, only, p_value = "AR", "", P_VALUE
    df = list_degrees(facts)
    if not of_ratio:
        what, verb = " and ".join(others), "has" if len(others) == 1 else "have"
        only = (
            f"Only {what} {verb} limits by this method; those of AR are by the method "
            "below. "
        )
        p_value = P_VALUE_OF.format(what, "it" if len(others) == 1 else "each")
        df = "; ".join(filter(None, others.values()))
    ends = f"{100 * tail:.4g} % and {100 - 100 * tail:.6g} %"
    return make_method(
        OF_RATIO if of_ratio else "Confidence interval by the beta distribution",
        f"{only}The limits are quantiles of the beta distribution of a proportion with K "
        "trials that has the mean C and the variance V, with a = 1/2. q_t and q_z are the "
        "quantiles of Student's t and of the normal distribution at the same tail, so that "
        f"a small sample widens the interval. It always includes {what}. "
        f"{say_bound(facts)}{say_simulated(facts)}{p_value}: 1 less the level of the "
        "interval that has 0 as a limit.",
        formula=f"limits of {what} = 2 B - 1, B the {ends} quantiles of Beta(K C, "
        "K (1 - C)); K = C (1 - C) / (V (q_t / q_z)^2)",
        df=df,
        source=GU,
    )


def list_beta_only(facts: Facts) -> dict[str, str | None]:
    """List what has limits by the beta distribution besides AR, with its degrees."""
    found = {
        "Somers' D": list_degrees(facts, "somers_d"),
        "the pooled AR": list_pooled_degrees(facts),
    }
    return {name: degrees for name, degrees in found.items() if degrees is not None}


def say_bound(facts: Facts) -> str:
    """Say how far few rows of large weight, or few large clusters, widen an interval."""
    if facts["outcome"] == "amounts" or is_unweighted(facts):
        return ""
    return (
        "With fewer than 10 degrees of freedom, and fewer than 0.999 (min(m, n) - 1), it "
        "is no wider than the distribution-free limits of Hoeffding (1963): the AUCs A "
        f"with AUC log(AUC / A) + (1 - AUC) log((1 - AUC) / (1 - A)) = log(2 / "
        f"{1 - facts['confidence_level']:.4g}) / min(m, n), nor its p-value larger. "
    )


def say_simulated(facts: Facts) -> str:
    """Say in how many simulated samples intervals covered, of such rows."""
    if facts["outcome"] == "amounts":
        return SIMULATED_AMOUNTS
    return SIMULATED


def explain_exact(facts: Facts) -> Facts:
    """Explain limits that hold for any distribution of scores."""
    ratios = [row["accuracy_ratio"] for row in list_estimated(facts)]
    are_all = {ratio["method"] for ratio in ratios if ratio is not None} <= FREE
    return make_method(
        OF_RATIO if are_all else "Distribution-free limits",
        "Distribution-free limits: they hold for any distribution of scores, at any number "
        f"of events. {OF_ALL if are_all else OF_SOME} Of "
        "weighted or clustered rows, m is an effective number, and they hold approximately."
        " Where they are the interval, the p-value of AR = 0 in the JSON file is two-sided "
        "and at most 1.",
        formula="d(A) = AUC log(AUC / A) + (1 - AUC) log((1 - AUC) / (1 - A)) <= "
        "log(2 / alpha) / m, for the limits A of AUC = (1 + AR) / 2; m the size of the "
        "smaller class; p = 2 exp(-m d(1/2))",
        source=HOEFFDING,
        section="section 5a",
    )
