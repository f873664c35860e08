"""Say which methods made the numbers of a report: only those that it used."""

from collections.abc import Iterator, Sequence

from capcurve._inference.wording import format_level
from capcurve._report.method import list_degrees, make_method
from capcurve._report.model_facts import CHART_CELLS
from capcurve._report.options import Facts
from capcurve._report.sources import (
    BROWN,
    DELONG,
    ENGELMANN,
    GOKTAS,
    GU,
    HOEFFDING,
    OBUCHOWSKI,
    SCHECHTMAN,
    WILSON,
    format_reference,
)
from capcurve._report.tests_used import explain_tests

PSEUDO = (
    "after a quarter of an event and of a non-event were added at both ends of the ranking"
)


def list_methods(facts: Facts) -> list[Facts]:
    """List the methods that made the numbers of a report, in reading order."""
    return [
        *explain_sample(facts),
        *explain_ranking(facts),
        *explain_intervals(facts),
        *explain_capture(facts),
        *explain_gains(facts),
        *explain_tests(facts),
        explain_charts(),
    ]


def list_references(methods: Sequence[Facts]) -> list[str]:
    """List the sources of methods, each once, by author."""
    sources = [method["source"] for method in methods if method["source"] is not None]
    return sorted(set(map(format_reference, sources)), key=str.lower)


def explain_sample(facts: Facts) -> Iterator[Facts]:
    """Explain what rows, weights and clusters mean."""
    sample = facts["sample"]
    if sample["weights"] == "counts":
        yield make_method(
            "Counts",
            f"Each line stands for as many equal, independent rows as "
            f"{sample['weights_column']} says.",
        )
    elif sample["weights"] == "sampling":
        yield make_method(
            "Weights",
            f"{sample['weights_column']} holds sampling weights: a row represents more or "
            "less of the population, but remains one observation. Effective numbers of "
            "rows are those of equal weights whose sum varies as much.",
            formula="n_effective = (sum of w)^2 / (sum of w^2)",
        )
    if sample["clusters"] is not None:
        yield make_method(
            "Clusters",
            f"Rows of the same {sample['clusters']['column']} may depend on each other. "
            "Variances add up the influences of the rows of a cluster before they are "
            "squared.",
            source=OBUCHOWSKI,
        )


def explain_ranking(facts: Facts) -> Iterator[Facts]:
    """Explain the curve, AR, AUC or Somers' D, and KS."""
    first = "high" if facts["models"][0]["descending"] else "low"
    counted = facts["outcome"] == "events"
    what = "events" if counted else "the total amount"
    yield make_method(
        "CAP curve",
        f"Rows are ranked by their score, {first} scores first. The curve shows the share "
        f"of {what} (capture rate) among the best rows, up to each population share. Tied "
        "rows form one straight segment, which is the average over all their orders.",
    )
    yield make_method(
        "Accuracy ratio (AR)",
        "The area between the curve and the diagonal, divided by the same area of a "
        "perfect ranking.",
        formula="AR = 2 AUC - 1" if counted else "AR = Gini(score) / Gini(outcome)",
        source=ENGELMANN if counted else SCHECHTMAN,
    )
    if facts["models"][0]["limits"] is not None:
        yield make_method(
            "Binned scores",
            "Rows were put into bins of similar scores. The guaranteed bounds of AR are "
            "those of the worst and the best order within bins.",
        )
    if facts["models"][0]["somers_d"] is not None:
        yield make_method(
            "Somers' D and gAUC",
            "Concordant less discordant pairs of rows, divided by the pairs whose outcomes "
            "differ. A pair counts once, whatever the amounts.",
            formula="gAUC = (D + 1) / 2",
            df=list_degrees(facts, "somers_d"),
            source=GOKTAS,
        )
    yield explain_ks(facts)


def explain_ks(facts: Facts) -> Facts:
    """Explain KS, whose definition differs for amounts."""
    if facts["outcome"] == "amounts":
        return make_method(
            "KS",
            "The largest distance between the curve and the diagonal, divided by that of a "
            "perfect ranking. Of amounts, this is not the distance of two distributions.",
            formula="KS = max |capture rate - population share| / max of a perfect ranking",
        )
    return make_method(
        "KS",
        "The largest difference between the shares of events and of non-events above the "
        "same score. The column of the gains table shows it at the end of each band, so "
        "its maximum may be smaller.",
        formula="KS = max |F_events - F_non-events| "
        "= max |capture rate - population share| / (1 - event rate)",
    )


def explain_intervals(facts: Facts) -> Iterator[Facts]:
    """Explain the variance of AR, and the methods of its intervals."""
    found = [model["accuracy_ratio"] for model in facts["models"]]
    groups = [
        row["accuracy_ratio"]
        for split in (*facts["segments"], *facts["periods"])
        for row in split["groups"]
        if row["accuracy_ratio"] is not None
    ]
    used = {each["method"] for each in (*found, *groups) if each["low"] is not None}
    if not used:
        return
    if facts["outcome"] == "events":
        yield make_method(
            "Variance of AR",
            "From the placements: of each event among the non-events, and of each "
            "non-event among the events.",
            formula="Var(AR) = 4 (S_events / m + S_non-events / n)",
            source=DELONG,
        )
    else:
        yield make_method(
            "Variance of AR",
            "From the influence of each row on the ratio of two Gini indices.",
            formula="Var(AR) = sum of psi^2",
            source=SCHECHTMAN,
        )
    level = format_level(facts["confidence_level"])
    if "beta" in used:
        yield make_method(
            "Confidence interval of AR",
            f"Limits of the beta distribution with the mean and the variance of AUC, "
            f"{PSEUDO}, widened by Student's t. In simulations from 20 events on, "
            "intervals of 95 % covered in 94 % of samples or more.",
            formula=f"2 B - 1, B the {level} limits of Beta(t p, t (1 - p)), "
            "p = E(AUC), t = p (1 - p) / Var(AUC)",
            df=list_degrees(facts),
            source=GU,
        )
    if used & {"exact", "approximate bound"} or any(
        model["exact_limits"] for model in facts["models"]
    ):
        yield make_method(
            "Distribution-free limits",
            "Limits that hold for any distribution of scores, at any number of events.",
            source=HOEFFDING,
            section="section 5a",
        )


def explain_capture(facts: Facts) -> Iterator[Facts]:
    """Explain limits of capture rates and lift, and the band."""
    if facts["models"][0]["captured"][0]["low"] is not None:
        yield make_method(
            "Capture rate and lift",
            "Limits of a proportion with as many trials as match the variance of the "
            "capture rate, which includes that of the cut-off; near 0 and 1 extended to an "
            "exact one-sided limit. They are for a population with the event rate of the "
            "sample. Lift and its limits are those of the capture rate, divided by the "
            "population share.",
            formula="lift = capture rate / population share",
            source=WILSON,
        )
    if facts["band"] is not None:
        level = format_level(facts["confidence_level"])
        yield make_method(
            "Confidence band",
            f"Pointwise: it covers the true curve with a probability of {level} at a "
            "single population share chosen in advance, by the same limits.",
        )


def explain_gains(facts: Facts) -> Iterator[Facts]:
    """Explain the bands of the gains table, and their limits."""
    total = facts["models"][0]["gains_total"]
    yield make_method(
        "Gains table",
        "Bands hold equal weight, or end at the shares given. A block of tied rows that a "
        "band cuts is shared in proportion, so that numbers of rows and events may be "
        "fractions. An inversion is a band whose rate is above that of the band before.",
    )
    if total["has_limits"]:
        yield make_method(
            "Limits of the rate of a band",
            "Limits of a proportion, as for the capture rate."
            if facts["outcome"] == "events"
            else "Student's t on the scale of logarithms.",
            source=BROWN if facts["outcome"] == "events" else None,
        )


def explain_charts() -> Facts:
    """Explain how precise plotted curves are."""
    return make_method(
        "Charts",
        "Plotted curves keep the first and the last point in each of "
        f"{CHART_CELLS} cells per axis, so that a line is off by at most 1/{CHART_CELLS}. "
        "All numbers are computed from all rows.",
    )
