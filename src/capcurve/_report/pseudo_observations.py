"""Explain the mean and variance of AUC that intervals and tests of a report use."""

from collections.abc import Iterator

from capcurve._report.method import make_method
from capcurve._report.options import Facts
from capcurve._report.sources import GU

MEAN_AND_VARIANCE = (
    "C = 1/2 + (AUC - 1/2) m / (m + a) n / (n + a); "
    "V = ((m - 1) S + a D) / ((m - 1 + a) (m + a)) + ((n - 1) U + a D) / "
    "((n - 1 + a) (n + a))"
)
BY_INFLUENCE = (
    "C = 1/2 + (AUC - 1/2) m / (m + a) n / (n + a); "
    "V = sum over classes of (size^2 Q / 4 + a D) / ((size - 1 + a) (size + a))"
)
BETWEEN_CLASSES = (
    " + L / (2 (L - 1)) sum of A B over the L clusters, A and B the sums of psi of the "
    "events and of the non-events of a cluster (V is at least what a D alone gives)"
)
OF_ONE_CLASS = (
    "C = 1/2 + AR / 2 m / (m + a); "
    "V = (m^2 Q / 4 + a D) / ((m - 1 + a) (m + a)); "
    "m = (sum of w b)^2 / (2 sum of (w b)^2), Q = sum of psi^2"
)
DISTANCE = "; D = 1/4 + (C - 1/2)^2"
TAILS = "T(x) = 2 (sum of x^2)^2 / (sum of x^4)"
SIZES = (
    " The sizes m and n are those of equal weights, (sum of w)^2 / (sum of w^2) in a "
    "class; Q is the sum of the squared influences psi on AR in a class."
)
OF_CLUSTERS = " w and psi are summed over the rows of a cluster in a class."
OF_V = (
    " The degrees of freedom are those of V, by Welch and Satterthwaite: V^2 / (E^2 / (m - "
    "1) + F^2 / (n - 1)), E and F the terms of V for the events and for the non-events."
)
OF_CLASSES = (
    " The degrees of freedom are those of the sum over classes, by Welch and "
    "Satterthwaite: (E + F)^2 / (E^2 / (m - 1) + F^2 / (n - 1)), E and F the terms of the "
    "events and of the non-events, times T(psi) / T(psi / r), at most 1; "
    f"{TAILS} over both classes, and r is the weight of a {{unit}} divided by the mean in "
    "its class."
)
OTHER_TESTS = "tests of challengers and of two samples, and in their power"
PURPOSES = {1 / 2: "intervals, and tests of groups", 1 / 4: OTHER_TESTS}


def explain_pseudo_observations(facts: Facts) -> Iterator[Facts]:
    """Explain mean and variance of AUC, if an interval or a test is made of them."""
    used = list_masses(facts)
    if not used:
        return
    if facts["outcome"] == "amounts":
        yield explain_pseudo_amounts(facts, used)
        return
    is_plain = is_unweighted(facts)
    between = BETWEEN_CLASSES if facts["sample"]["clusters"] is not None else ""
    yield make_method(
        "AUC with pseudo-observations",
        "Few well-ranked events would seem certain. So a events and a non-events are "
        f"added, half of them at either end of the ranking ({say_masses(used)}). AUC then "
        f"has the mean C and the variance V.{explain_sizes(facts)}",
        formula=f"{MEAN_AND_VARIANCE if is_plain else BY_INFLUENCE}{between}{DISTANCE}",
        source=GU,
    )


def explain_pseudo_amounts(facts: Facts, used: list[float]) -> Facts:
    """Explain mean and variance of AR of amounts, on the scale of an AUC."""
    is_clustered = facts["sample"]["clusters"] is not None
    return make_method(
        "AR with pseudo-observations",
        "Few well-ranked amounts would seem certain. So pseudo-observations of size a "
        f"({say_masses(used)}) are added at both ends of the ranking. (1 + AR) / 2 then "
        "has the mean C and the variance V. All rows are one class: w b is the weight of "
        "the pairs of a row, and m (n_effective in the JSON file) the number of pairs of "
        "rows of equal weight that would tell as much."
        f"{' w b and psi are summed by cluster.' * is_clustered} The degrees of freedom "
        f"are 2 m - 1, or T(psi) if that is smaller; {TAILS}. For Somers' D the same "
        "holds with its own k, b and psi.",
        formula=f"{OF_ONE_CLASS}{DISTANCE}",
        source=GU,
    )


def list_masses(facts: Facts) -> list[float]:
    """List the sizes of pseudo-observations, the largest first, that a report uses."""
    estimates = [
        estimate
        for row in list_estimated(facts)
        for name in ("accuracy_ratio", "pooled", "somers_d")
        if (estimate := row.get(name)) is not None and estimate["low"] is not None
    ]
    splits = [*facts["segments"], *facts["periods"]]
    tests = [test for split in splits for test in split["homogeneity"]]
    of_groups = any(test["p_value"] is not None for test in tests)
    used = [1 / 2] if of_groups or any(e["method"] == "beta" for e in estimates) else []
    of_samples = any(row["test"] == "two samples" for row in facts["initial"])
    is_planned = facts["power"] is not None
    return [*used, *([1 / 4] if facts["challengers"] or of_samples or is_planned else [])]


def list_estimated(facts: Facts) -> list[Facts]:
    """List models and groups, whose AR may have limits."""
    splits = [*facts["segments"], *facts["periods"]]
    return [
        *facts["models"],
        *(row for split in splits for row in (*split["groups"], *split["total"])),
    ]


def say_masses(used: list[float]) -> str:
    """Say how large pseudo-observations are, and where."""
    words = {1 / 2: "a = 1/2", 1 / 4: "a = 1/4"}
    return ", ".join(f"{words[mass]} in {PURPOSES[mass]}" for mass in used)


def explain_sizes(facts: Facts) -> str:
    """Explain sizes of unequal or dependent rows, and the degrees of freedom."""
    if is_unweighted(facts):
        return OF_V
    has_clusters = facts["sample"]["clusters"] is not None
    unit = "cluster" if has_clusters else "row"
    return SIZES + (OF_CLUSTERS if has_clusters else "") + OF_CLASSES.format(unit=unit)


def is_unweighted(facts: Facts) -> bool:
    """Whether rows are independent events of equal weight."""
    sample = facts["sample"]
    counted = sample["weights"] != "sampling" and sample["clusters"] is None
    return counted and facts["outcome"] == "events"
