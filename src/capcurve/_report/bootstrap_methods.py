"""Explain the intervals of AR that are made of bootstrap replicates."""

from capcurve._inference.options import IntervalOptions
from capcurve._report.method import OF_RATIO, P_VALUE, make_method
from capcurve._report.options import Facts
from capcurve._report.phrases import say_quantile
from capcurve._report.pseudo_observations import is_unweighted
from capcurve._report.sources import EFRON, EFRON_TIBSHIRANI

N_DRAWN = IntervalOptions().n_resamples
REPEATED = (
    "Rows are sorted by score, outcome, weight and cluster before, so that their order in "
    "the data does not matter. Each AR has a generator of its own, default_rng of NumPy "
    "with the seed that is given under provenance. These words do not fix the order of its "
    "draws, so only the command that is recorded there gives the same digits again, with "
    "the same versions; other draws give limits that differ by chance."
)
BY_REPLICATES = (
    f"{P_VALUE}: 2 (k + 1) / {N_DRAWN + 1:,}, at most 1, with k the number of replicates "
    "at most 0, or at least 0 if they are fewer."
)
CORRECTED = (
    " The percentiles are corrected for bias, by z_0, and for acceleration (BCa). z is the "
    "{} quantile of the normal distribution, and Z has this distribution."
)
QUANTILE = (
    f"the quantile q of the sorted replicates is at place 1 + {N_DRAWN - 1:,} q, linear "
    "between neighbours"
)
OF_CORRECTED = (
    "q = P(Z <= z_0 + (z_0 -+ z) / (1 - acceleration (z_0 -+ z))), the denominator at "
    "least 10^-9; P(Z <= z_0) = the share of replicates below AR, those equal to AR "
    f"counted half, at least 1/{2 * N_DRAWN:,} and at most 1 - 1/{2 * N_DRAWN:,}; "
    "acceleration = sum of {psi}^3 / (6 (sum of {psi}^2)^1.5)"
)


def explain_bootstrap(facts: Facts, method: str) -> Facts:
    """Explain percentile limits, or those corrected for bias and acceleration."""
    level = facts["confidence_level"]
    low, high = say_quantile((1 - level) / 2), say_quantile((1 + level) / 2)
    text = (
        f"Percentiles of AR in {N_DRAWN:,} bootstrap replicates. Each draws, with "
        f"replacement, {say_drawn(facts)}. {REPEATED}"
    )
    if method == "bootstrap":
        return make_method(
            OF_RATIO,
            f"{text}{BY_REPLICATES}",
            formula=f"limits of AR = quantiles q of the replicates, q = {low} and {high}; "
            f"{QUANTILE}",
            source=EFRON_TIBSHIRANI,
        )
    psi = "psi" if facts["sample"]["clusters"] is None else "Psi"
    return make_method(
        OF_RATIO,
        f"{text}{CORRECTED.format(high)}{say_influence(facts)}{BY_REPLICATES}",
        formula=f"limits of AR = quantiles q of the replicates, "
        f"{OF_CORRECTED.format(psi=psi)}; {QUANTILE}",
        source=EFRON,
    )


def say_drawn(facts: Facts) -> str:
    """Say what a replicate is drawn from."""
    sample = facts["sample"]
    has_weights = sample["weights"] == "sampling"
    weighted = ", each with its weight" * has_weights
    if sample["clusters"] is not None:
        weights = " and their weights" * has_weights
        drawn = f"as many clusters as there are, each with all its rows{weights}"
    elif facts["outcome"] == "amounts":
        drawn = f"as many rows as there are{weighted}"
    else:
        return f"as many events and as many non-events as there are{weighted}"
    return f"{drawn}, and again if all outcomes in it are equal"


def say_influence(facts: Facts) -> str:
    """Say what the influence of a row is, where the variance is made of placements."""
    if not is_unweighted(facts):
        return ""
    return (
        " The influence psi of a row is (2 placement - 1 - AR) / m for an event, and the "
        "same / n for a non-event."
    )
