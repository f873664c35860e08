"""Explain the methods of the interval of AR besides that of the beta distribution."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from capcurve._report.method import list_degrees, make_method
from capcurve._report.options import Facts
from capcurve._report.sources import EFRON, NEWCOMBE, Source

LOGIT = "limits of AR = tanh(artanh(AR) -+ {} s / (1 - AR^2))"
DRAWN = (
    "Percentiles of AR in 2,000 replicates of the rows, drawn with replacement: events and "
    "non-events separately, amounts together, clusters as a whole. The seed is given under "
    "provenance."
)
SCALE = "Symmetric on the scale of logit(AUC), s^2 = Var(AR);"


class Method(NamedTuple):
    """How a method makes limits, with formula and source."""

    text: str
    formula: str | None = None
    source: Source | None = None


OTHER_METHODS = {
    "logit-t": Method(
        f"{SCALE} q_t is the quantile of Student's t at the degrees of freedom of Var(AR), "
        "by Welch and Satterthwaite.",
        LOGIT.format("q_t"),
    ),
    "logit": Method(
        f"{SCALE} z is the quantile of the normal distribution.", LOGIT.format("z")
    ),
    "wald": Method(
        "Symmetric, and cut at -1 and 1; s^2 = Var(AR), z is the quantile of the normal "
        "distribution.",
        "limits of AR = AR -+ z s",
    ),
    "newcombe": Method(
        "Method 5 of Newcombe, whose variance belongs to a model of the scores, not to the "
        "rows. The limits are the A from which the AUC found is z standard errors away.",
        "(AUC - A)^2 = z^2 A (1 - A) (1 + ((m + n) / 2 - 1) ((1 - A) / (2 - A) + "
        "A / (1 + A))) / (m n)",
        NEWCOMBE,
    ),
    "bootstrap": Method(DRAWN),
    "bca": Method(f"{DRAWN} They are corrected for bias and acceleration.", source=EFRON),
}


def explain_other_intervals(facts: Facts, used: Collection[str]) -> Iterator[Facts]:
    """Explain the methods that were used besides that of the beta distribution."""
    for method, explained in OTHER_METHODS.items():
        if method in used:
            df = list_degrees(facts) if method == "logit-t" else None
            yield make_method(
                "Confidence interval of AR",
                explained.text,
                formula=explained.formula,
                df=df,
                source=explained.source,
            )
