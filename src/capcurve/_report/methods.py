"""Say which methods made the numbers of a report: only those that it used."""

from collections.abc import Iterator, Sequence

from capcurve._inference.wording import format_level
from capcurve._report.interval_methods import explain_other_intervals
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

PSI = ("psi", "Psi")
INFLUENCE = (
    "From the influence psi of each row. W is the weight of all events for an event, and "
    "of all non-events for a non-event; v is the share of the weight of the other class "
    "that is ranked on the right side of the row, less that on the wrong side."
)
FORMULA_OF_PSI = "psi = w (v - AR) / W"
SIZES = (
    " The sizes are those of equal weights, (sum of w)^2 / (sum of w^2); Q is the sum of "
    "the squared influences psi on AR in a class."
)
OF_CLUSTERS = " w and psi are summed over the rows of a cluster in a class."
OF_AMOUNTS = (
    " Amounts have one class, with the mass of the pairs of a row as its weight, and half "
    "of that size; clusters count as rows. The degrees of freedom are that size, not "
    "halved, less 1, or T(psi) if that is smaller; T(x) = 2 (sum of x^2)^2 / (sum of x^4)."
)
OF_V = " The degrees of freedom are those of V, by Welch and Satterthwaite."
OF_CLASSES = (
    " The degrees of freedom are those of the sum over classes, by Welch and Satterthwaite "
    "with the sizes less 1, times T(psi) / T(psi / r), at most 1; T(x) = 2 (sum of x^2)^2 "
    "/ (sum of x^4) over both classes, and r is the weight of a {unit} divided by the mean "
    "in its class."
)
SHRUNK = (
    "C = 1/2 + (AUC - 1/2) m / (m + a) n / (n + a); "
    "V = ((m - 1) S + a D) / ((m - 1 + a) (m + a)) + ((n - 1) U + a D) / "
    "((n - 1 + a) (n + a))"
)
SHRUNK_INFLUENCE = (
    "C = 1/2 + (AUC - 1/2) m / (m + a) n / (n + a); "
    "V = sum over classes of (size^2 Q / 4 + a D) / ((size - 1 + a) (size + a))"
)
BETWEEN_CLASSES = (
    " + L / (2 (L - 1)) sum of A B over the L clusters, A and B the sums of psi of the "
    "events and of the non-events of a cluster"
)
WILSON_LIMITS = (
    "(u + z^2 / (2 K) -+ z sqrt(u (1 - u) / K + z^2 / (4 K^2))) / (1 + z^2 / K), "
    "K = u (1 - u) / Var(u)"
)
DEGREES_OF_CUTS = "at each cut-off, 2 (sum of psi^2)^2 / (sum of psi^4)"
NORMAL = "infinite: the normal distribution"


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
            "Variances add up the influences psi of the rows of a cluster before they are "
            "squared.",
            formula="Psi of a cluster = sum of psi of its rows; variance = sum of Psi^2, "
            "each class of the outcome with its factor C / (C - 1), C clusters",
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
    yield explain_variance(facts)
    if "beta" in used:
        yield explain_beta(facts)
    yield from explain_other_intervals(facts, used)
    if used & {"exact", "approximate bound"} or any(
        model["exact_limits"] for model in facts["models"]
    ):
        yield make_method(
            "Distribution-free limits",
            "Limits that hold for any distribution of scores, at any number of events. Of "
            "weighted or clustered rows, m is an effective number, and they hold "
            "approximately.",
            formula="AUC log(AUC / A) + (1 - AUC) log((1 - AUC) / (1 - A)) <= "
            "log(2 / alpha) / m, for the limits A of AUC = (1 + AR) / 2; m the size of the "
            "smaller class",
            source=HOEFFDING,
            section="section 5a",
        )


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


def explain_beta(facts: Facts) -> Facts:
    """Explain the interval of AR by the beta distribution."""
    tail = (1 - facts["confidence_level"]) / 2
    ends = f"{100 * tail:.4g} % and {100 - 100 * tail:.6g} %"
    is_plain = is_unweighted(facts)
    sizes = "m events and n non-events" if is_plain else "effective sizes m and n"
    has_both = facts["outcome"] == "events" and facts["sample"]["clusters"] is not None
    between = BETWEEN_CLASSES if has_both else ""
    return make_method(
        "Confidence interval of AR",
        f"A quarter of an event and of a non-event are added at both ends of the ranking "
        f"(a = 1/2 in each class), which gives {sizes} the mean C and the variance V of "
        f"AUC. The limits are quantiles of the beta distribution of a proportion with K "
        f"trials; q_t and q_z are the quantiles of Student's t and of the normal "
        f"distribution at the same tail, so that few events widen the interval."
        f"{explain_sizes(facts)} "
        "In simulations from 20 events on, intervals of 95 % covered in 93 % of samples or "
        "more, and in 87 % where two of only 20 events were ranked no better than "
        "non-events.",
        formula=f"limits of AR = 2 B - 1, B the {ends} quantiles of Beta(K C, K (1 - C)); "
        "K = C (1 - C) / (V (q_t / q_z)^2); "
        f"{SHRUNK if is_plain else SHRUNK_INFLUENCE}{between}; "
        "D = 1/4 + (C - 1/2)^2",
        df=list_degrees(facts),
        source=GU,
    )


def explain_sizes(facts: Facts) -> str:
    """Explain sizes of unequal or dependent rows, and the degrees of freedom."""
    if is_unweighted(facts):
        return OF_V
    if facts["outcome"] == "amounts":
        return SIZES + OF_AMOUNTS
    has_clusters = facts["sample"]["clusters"] is not None
    unit = "cluster" if has_clusters else "row"
    return SIZES + (OF_CLUSTERS if has_clusters else "") + OF_CLASSES.format(unit=unit)


def is_unweighted(facts: Facts) -> bool:
    """Whether rows are independent events of equal weight."""
    sample = facts["sample"]
    counted = sample["weights"] != "sampling" and sample["clusters"] is None
    return counted and facts["outcome"] == "events"


def explain_capture(facts: Facts) -> Iterator[Facts]:
    """Explain limits of capture rates and lift, and the band."""
    if facts["models"][0]["captured"][0]["low"] is not None:
        yield make_method(
            "Capture rate and lift",
            "The limits are those of Wilson for a proportion u observed in K trials. K is "
            "chosen so that u has the variance that was found for it; that variance "
            "includes that the score at the cut-off differs from sample to sample. "
            f"{explain_reach(facts)} Near 0 and 1 the limits are extended to the exact "
            "one-sided limit of Clopper and Pearson, if that is farther out. They are for "
            "a population with the event rate of the sample. Lift and its limits are those "
            "of the capture rate, divided by the population share.",
            formula=f"limits of u = {WILSON_LIMITS}; lift = capture rate / population "
            "share",
            df=NORMAL if is_unweighted(facts) else DEGREES_OF_CUTS,
            source=WILSON,
        )
    if facts["band"] is not None:
        level = format_level(facts["confidence_level"])
        yield make_method(
            "Confidence band",
            f"Pointwise: it covers the true curve with a probability of {level} at a "
            "single population share chosen in advance, by the same limits.",
        )


def explain_reach(facts: Facts) -> str:
    """Say which share the limits of a capture rate are those of."""
    reach = (
        "The worst and the best ranking of so many events set the range that the capture "
        "rate can have; u is how far up in this range it lies."
    )
    if is_unweighted(facts):
        return f"{reach} z is the quantile of the normal distribution."
    text = "u is the capture rate and z the quantile of Student's t."
    if facts["outcome"] == "amounts":
        return text
    return (
        f"{text} The interval also covers the limits found for how far up the capture "
        "rate lies between those of the worst and the best ranking."
    )


def explain_gains(facts: Facts) -> Iterator[Facts]:
    """Explain the bands of the gains table, and their limits."""
    total, is_event = facts["models"][0]["gains_total"], facts["outcome"] == "events"
    yield make_method(
        "Gains table",
        "Bands hold equal weight, or end at the shares given. A block of tied rows that a "
        "band cuts is shared in proportion, so that numbers of rows and events may be "
        "fractions. An inversion is a band whose rate is above that of the band before.",
    )
    if total["has_limits"]:
        yield make_method(
            "Limits of the rate of a band",
            "Those of Wilson for a proportion, as for the capture rate: u is the event "
            "rate of the band, and K the number of trials that gives it the variance found."
            if is_event
            else "Student's t on the scale of logarithms; r is the mean outcome, q_t the "
            "quantile of Student's t. A band without any amount, or in which so few rows "
            "carry the weight that a limit would lie beyond 1,000 times r, has none but 0.",
            formula=f"limits of u = {WILSON_LIMITS}"
            if is_event
            else "limits of r = r exp(-+ q_t sqrt(Var(r)) / r)",
            df=NORMAL if is_unweighted(facts) else DEGREES_OF_CUTS,
            source=BROWN if is_event else None,
        )


def explain_charts() -> Facts:
    """Explain how precise plotted curves are."""
    return make_method(
        "Charts",
        "Plotted curves keep the first and the last point in each of "
        f"{CHART_CELLS} cells per axis, so that a line is off by at most 1/{CHART_CELLS}. "
        "All numbers are computed from all rows.",
    )
