"""Say which methods made the numbers of a report: only those that it used."""

from collections.abc import Iterator, Sequence

from capcurve._inference.band import BAND_POINTS
from capcurve._report.capture_methods import explain_bands, explain_capture, explain_cuts
from capcurve._report.interval_methods import explain_used_intervals
from capcurve._report.method import list_degrees, make_method
from capcurve._report.model_facts import CHART_CELLS, EXACT
from capcurve._report.options import Facts
from capcurve._report.pseudo_observations import (
    explain_pseudo_observations,
    list_estimated,
)
from capcurve._report.readings import STEPS
from capcurve._report.sources import (
    DELONG,
    ENGELMANN,
    GOKTAS,
    OBUCHOWSKI,
    SCHECHTMAN,
    format_reference,
    list_sources,
)
from capcurve._report.tests_used import explain_tests

PSI = ("psi", "Psi")
INFLUENCE = (
    "From the influence psi of each row. W is the weight of all events for an event, and "
    "of all non-events for a non-event; v is the share of the weight of the other class "
    "that is ranked on the right side of the row, less that on the wrong side."
)
FORMULA_OF_PSI = "psi = w (v - AR) / W"
WEIGHTED_BINS = (
    "Rows had weights, such as sampling weights or exposures, when they were binned: a row "
    "counts for more or less. Bins hold the sum of the weights, so that neither the number "
    "of events nor an effective number of rows is known."
)


def list_methods(facts: Facts) -> list[Facts]:
    """List the methods that made the numbers of a report, in reading order."""
    return [
        *explain_sample(facts),
        *explain_ranking(facts),
        *explain_intervals(facts),
        *explain_cuts(facts),
        *explain_capture(facts),
        *explain_gains(facts),
        *explain_tests(facts),
        explain_charts(facts),
    ]


def list_references(methods: Sequence[Facts]) -> list[str]:
    """List the sources of methods, each once, by author."""
    sources = [source for method in methods for source in list_sources(method)]
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
        formula = "n_effective = (sum of w)^2 / (sum of w^2)"
        if facts["outcome"] == "amounts":
            formula = f"{formula}, of AR with the weight w b of its pairs and divided by 2"
        if sample["weights_column"] is None:  # nor do bins have effective numbers
            yield make_method("Weights", WEIGHTED_BINS)
            return
        yield make_method(
            "Weights",
            f"{sample['weights_column']} holds weights, such as sampling weights or "
            "exposures: a row counts for more or less, but remains one observation. "
            "Effective numbers of rows are those of equal weights whose sum varies as "
            "much.",
            formula=formula,
        )
    if sample["clusters"] is not None:
        yield make_method(
            "Clusters",
            f"Rows of the same {sample['clusters']['column']} may depend on each other. "
            "Variances add up the influences psi of the rows of a cluster before they are "
            "squared.",
            formula="Psi of a cluster = sum of psi of its rows",
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
        f"of {what} (capture rate) among the rows ranked first, up to each population "
        "share. Tied rows form one straight segment, which is the average over all their "
        "orders.",
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
            f"those of the worst and the best order within bins.{say_bins(facts)}",
        )
    if facts["models"][0]["somers_d"] is not None:
        yield make_method(
            "Somers' D and gAUC",
            "Concordant less discordant pairs of rows, divided by the pairs whose outcomes "
            "differ. A pair counts once, whatever the amounts. k adds up the weights of "
            "the other rows of a row, positive where the two are in the same order by "
            "score and by outcome and negative where they are in opposite orders, and b "
            "those of the rows with another outcome. Limits are those of AR by the beta "
            "distribution.",
            formula="D = (sum of w k) / (sum of w b), gAUC = (D + 1) / 2; Var(D) is that "
            "of AR with psi = 2 w (k - D b) / (sum of w b)",
            df=list_degrees(facts, "somers_d"),
            source=GOKTAS,
        )
    yield explain_ks(facts)


def say_bins(facts: Facts) -> str:
    """Say what bins of several scores do to the interval of AR, and to other numbers."""
    model = facts["models"][0]
    told = ""
    if is_wide(model["limits"]) and model["accuracy_ratio"]["low"] is not None:
        told = (
            " The interval of AR is widened by them: its lower limit is that of the worst "
            "order, its upper limit that of the best, each by the formula below with C and "
            "V of that order, and so are the distribution-free limits of few events. The "
            "p-value is that of the order whose AR is nearer to 0, and 1 if the bounds "
            "include 0."
        )
    if told or is_wide(model["ks"]["limits"]):
        told += (
            " All other numbers take the rows of a bin as tied; capture rates are exact at "
            "the edges of bins."
        )
    return told


def is_wide(limits: Facts) -> bool:
    """Whether guaranteed bounds differ by more than rounding."""
    return limits["high"] - limits["low"] > EXACT  # type: ignore[no-any-return]


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
    used = {
        estimate["method"]
        for row in list_estimated(facts)
        for name in ("accuracy_ratio", "pooled", "somers_d")
        if (estimate := row.get(name)) is not None and estimate["low"] is not None
    }
    if used:
        yield explain_variance(facts)
    yield from explain_pseudo_observations(facts)
    yield from explain_used_intervals(facts, used)


def explain_variance(facts: Facts) -> Facts:
    """Explain the variance of AR, which differs for amounts, weights and clusters."""
    clustered = facts["sample"]["clusters"] is not None
    if facts["outcome"] == "amounts":
        return make_method(
            "Variance of AR",
            "From the influence psi of each row on the ratio of two Gini indices. k adds "
            "up the differences of its outcome from those of all other rows, each times "
            "the weight of the other row, positive where the two rows are ranked in order "
            "and negative where they are not; b is the k of a perfect ranking.",
            formula=f"Var(AR) = {'C / (C - 1) ' * clustered}sum of {PSI[clustered]}^2, "
            "psi = 2 w (k - AR b) / (sum of w b)",
            source=SCHECHTMAN,
        )
    if clustered:
        return make_method(
            "Variance of AR",
            f"{INFLUENCE} A and B are the sums of psi of the events and of the non-events "
            "of a cluster; E clusters hold events, N hold non-events, and there are C "
            "clusters in all.",
            formula="Var(AR) = E / (E - 1) sum of A^2 + N / (N - 1) sum of B^2 + "
            f"2 C / (C - 1) sum of A B, {FORMULA_OF_PSI}",
            source=OBUCHOWSKI,
        )
    if facts["sample"]["weights"] == "sampling":
        return make_method(
            "Variance of AR",
            f"{INFLUENCE} There are m rows that are events and n that are not.",
            formula="Var(AR) = m / (m - 1) sum of psi^2 of events + n / (n - 1) sum of "
            f"psi^2 of non-events, {FORMULA_OF_PSI}",
            source=OBUCHOWSKI,
        )
    return make_method(
        "Variance of AR",
        "The placement of an event is the share of non-events that it is ranked above, "
        "that of a non-event the share of events that it is ranked below; ties count one "
        "half. S and U are the sample variances of the placements of the m events and of "
        "the n non-events.",
        formula="Var(AR) = 4 Var(AUC) = 4 (S / m + U / n)",
        source=DELONG,
    )


def explain_gains(facts: Facts) -> Iterator[Facts]:
    """Explain the bands of the gains table, and their limits."""
    counted = "rows and events" if facts["outcome"] == "events" else "rows"
    yield make_method(
        "Gains table",
        "Bands hold equal weight, or end at the shares given. A block of tied rows that a "
        f"band cuts is shared in proportion, so that numbers of {counted} may be "
        "fractions. An inversion is a band whose rate is above that of the band before.",
    )
    yield from explain_bands(facts)


def explain_charts(facts: Facts) -> Facts:
    """Explain how precise plotted curves are."""
    source = "rows" if facts["models"][0]["limits"] is None else "bins"
    band = ""
    if facts["band"] is not None:
        band = (
            f" The band is computed at {BAND_POINTS} population shares and is straight "
            "between them."
        )
    return make_method(
        "Charts",
        "Plotted curves keep the first and the last point in each of "
        f"{CHART_CELLS} cells per axis, so that a line is off by at most 1/{CHART_CELLS}. "
        f"All numbers are computed from all {source}, also those at the slider and at the "
        f"pointer of a page, which move in steps of {100 / STEPS:g} %.{band}",
    )
