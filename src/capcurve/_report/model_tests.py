"""Explain the tests of a report between models, and against initial validation."""

from collections.abc import Iterator, Sequence

from capcurve._inference.wording import format_level
from capcurve._report.method import make_method
from capcurve._report.options import Facts
from capcurve._report.phrases import say_degrees
from capcurve._report.pseudo_observations import is_unweighted
from capcurve._report.sources import (
    DELONG,
    ECB,
    HOLM,
    MIETTINEN,
    OBUCHOWSKI,
    SCHECHTMAN,
    Source,
)

WITHOUT_VARIANCE = (
    " A score that ranks without an error has Var(AR) = 0, so rho is 0 / 0: it is 0 then. "
    "A pair whose difference shows no variance has one degree of freedom less than the "
    "smaller class has {}. Where s_0 is 0 too, as both rank without an error or alike, T "
    "is 0 / 0: it is 0 and p = 1 then, as the rows tell no difference."
)
LIKELIHOOD = "the sum over both of K (q log p + (1 - q) log(1 - p))"
EACH_INFLUENCE = "From the influences psi_a and psi_b of the same rows on both AR{}."
OF_CLUSTERS = (
    "A and B are sums over a cluster, and E, N and C numbers of clusters, as in the "
    "variance of AR."
)
BY_PLACEMENTS = (
    "From the sample covariances of the placements of both scores, S_ab of the events and "
    "U_ab of the non-events. The degrees of freedom of the difference are those of Welch "
    "and Satterthwaite: (E + F)^2 / (E^2 / (m - 1) + F^2 / (n - 1)), with E = S / m and F "
    "= U / n of the differences of both placements."
)
DEGREES_OF_AMOUNTS = (
    "The degrees of freedom of the difference are 2 m - 1, or T(psi_a - psi_b) if that is "
    "smaller, with m and T as above."
)
DEGREES_OF_CLASSES = (
    "The degrees of freedom of the difference are those of Welch and Satterthwaite, (G + "
    "H)^2 / (G^2 / (m - 1) + H^2 / (n - 1)) times T(psi) / T(psi / r), at most 1: G and H "
    "are the first two terms, of the events and of the non-events, with psi = psi_a - "
    "psi_b for both, and m, n, T and r are as above."
)
COVARIANCE_OF_ROWS = (
    "Cov(AR_a, AR_b) = M / (M - 1) sum of psi_a psi_b of the M events + N / (N - 1) sum of "
    "psi_a psi_b of the N non-events"
)
COVARIANCE_OF_CLUSTERS = (
    "Cov(AR_a, AR_b) = E / (E - 1) sum of A_a A_b + N / (N - 1) sum of B_a B_b + "
    "C / (C - 1) sum of (A_a B_b + B_a A_b)"
)
ALL_RANK = (
    " It is made on the rows that all scores of the report rank, which another score can "
    "change by the rows that it lacks."
)


def explain_challengers(facts: Facts) -> Iterator[Facts]:
    """Explain the paired tests of models."""
    if not facts["challengers"]:
        return
    share = "AUC" if facts["outcome"] == "events" else "(1 + AR) / 2"
    of_constant = ""
    if any(model["is_constant"] for model in facts["models"]):
        of_constant = (
            " Limits of the difference from a score that all rows share, whose AR is 0, "
            "lie from -1 to 1."
        )
    yield make_method(
        "Challengers",
        "Paired score test on the same rows, whose variance is that under the hypothesis. "
        f"Each q = {share} is treated as a proportion observed in K trials, which give it "
        "its variance (C and V with a = 1/4). Under the hypothesis that the AR differ by "
        "d, both proportions p are those of largest likelihood that differ by d / 2: they "
        f"maximise {LIKELIHOOD}, and are both the mean weighted by K if "
        "d is 0. rho is the correlation of both AR, from their covariance. The limits of "
        "the difference are the d at which T is the quantile of Student's t, and its "
        f"opposite.{of_constant} s_0, the standard error of the difference if both AR are "
        f"equal, is a column of the table.{explain_no_variance_of_pairs(facts)}",
        formula="T = (AR_a - AR_b - d) / s_d, compared with Student's t, d = 0 in the "
        "test; s_d = 2 sqrt(v_a + v_b - 2 rho sqrt(v_a v_b)), v = p (1 - p) / K, "
        "K = C (1 - C) / V",
        df=list_pair_degrees(facts),
        source=MIETTINEN,
    )
    yield explain_covariance(facts)
    if len(facts["challengers"]) > 1:
        yield make_method(
            "Adjusted p-values of models",
            f"Holm's method, for {len(facts['challengers'])} pairs of models.",
            source=HOLM,
        )


def explain_no_variance_of_pairs(facts: Facts) -> str:
    """Say what a test takes for 0 / 0, if a score or a pair shows no variance."""
    perfect = [abs(model["accuracy_ratio"]["value"]) == 1 for model in facts["models"]]
    alike = [row["standard_error"] == 0 for row in facts["challengers"]]
    if not any([*perfect, *alike]):
        return ""
    unit = "rows" if facts["sample"]["clusters"] is None else "clusters"
    return WITHOUT_VARIANCE.format(unit)


def explain_covariance(facts: Facts) -> Facts:
    """Explain the covariance of two AR, and the degrees of freedom of their difference."""
    text, formula, source = choose_covariance(facts)
    return make_method(
        "Covariance of two AR",
        f"{text} The standard error of the difference is sqrt(Var(AR_a) + Var(AR_b) - 2 "
        "Cov(AR_a, AR_b)).",
        formula=formula,
        df=list_pair_degrees(facts),
        source=source,
    )


def choose_covariance(facts: Facts) -> tuple[str, str, Source]:
    """Choose text, formula and source of the covariance of two AR of such rows."""
    has_clusters = facts["sample"]["clusters"] is not None
    if facts["outcome"] == "amounts":
        factor = "C / (C - 1) " * has_clusters
        text = EACH_INFLUENCE.format(", added up by cluster" * has_clusters)
        formula = f"Cov(AR_a, AR_b) = {factor}sum of psi_a psi_b"
        return f"{text} {DEGREES_OF_AMOUNTS}", formula, SCHECHTMAN
    if is_unweighted(facts):
        return BY_PLACEMENTS, "Cov(AR_a, AR_b) = 4 (S_ab / m + U_ab / n)", DELONG
    text, formula = EACH_INFLUENCE.format(""), COVARIANCE_OF_ROWS
    if has_clusters:
        text, formula = f"{text} {OF_CLUSTERS}", COVARIANCE_OF_CLUSTERS
    return f"{text} {DEGREES_OF_CLASSES}", formula, OBUCHOWSKI


def list_pair_degrees(facts: Facts) -> str | None:
    """Write the degrees of freedom of the test of each pair of models."""
    degrees = [
        f"{row['model']} minus {row['against']}: {say_degrees(row['degrees_of_freedom'])}"
        for row in facts["challengers"]
        if row["degrees_of_freedom"] is not None
    ]
    return "; ".join(degrees) or None


def explain_initial(facts: Facts) -> Iterator[Facts]:
    """Explain the tests against initial validation."""
    own = [row for row in facts["initial"] if row["test"] == "two samples"]
    if facts["initial"]:
        yield explain_ecb(facts)
    if own:
        yield explain_two_samples(facts, own)


def explain_ecb(facts: Facts) -> Facts:
    """Explain the test of the ECB."""
    is_event = facts["outcome"] == "events"
    name, ratio = ("AUC", "AR") if is_event else ("gAUC", "D")
    return make_method(
        "Initial validation, test of the ECB",
        f"One-sided test of a decrease in {name}. It takes the initial {name} as known "
        "exactly; if that was estimated from a sample, it finds a decrease too often. s is "
        f"the standard error of the current {name}, z the "
        f"{format_level(facts['confidence_level'])} quantile of the normal distribution."
        f"{say_rows(facts)}",
        formula=f"S = ({name}_initial - {name}_current) / s, s = sqrt(Var({ratio})) / 2, "
        f"p = 1 - Phi(S); lower limit = {name}_initial - {name}_current - z s",
        df="infinite: the normal distribution",
        source=ECB,
        section="section 2.5.4.1, annex 3.1"
        if is_event
        else "sections 2.6.3.1 and 2.9.4.1, annex 3.2",
    )


def say_rows(facts: Facts) -> str:
    """Say on which rows a test of a single model is made, if there are several models."""
    return ALL_RANK if len(facts["models"]) > 1 else ""


def explain_two_samples(facts: Facts, own: Sequence[Facts]) -> Facts:
    """Explain the test that allows for the variance of the initial AUC."""
    name = "AUC" if facts["outcome"] == "events" else "gAUC"
    return make_method(
        "Initial validation, two samples",
        f"The same test with the variance of the initial {name} too, under the hypothesis "
        f"that it has not changed. Each q = {name} is treated as a proportion observed in "
        "K trials, which give it its variance; that of now is V with a = 1/4. Under the "
        f"hypothesis of a decrease by d, both proportions p are those of largest "
        f"likelihood that differ by d: they maximise {LIKELIHOOD}, and are both "
        "the mean weighted by K if d is 0. The lower limit is the d at which T is the "
        f"{format_level(facts['confidence_level'])} quantile of Student's t. nu are the "
        f"degrees of freedom of V with a = 1/2.{say_rows(facts)}",
        formula=f"T = ({name}_initial - {name}_current - d) / s_d, d = 0 in the test; s_d "
        "= sqrt(p_initial (1 - p_initial) / K_initial + p_current (1 - p_current) / "
        f"K_current); K_initial = {name}_initial (1 - {name}_initial) / variance, at least "
        "1, K_current = C (1 - C) / V; degrees of freedom nu (1 + K_current / "
        "K_initial)^2; n_effective_initial = K_initial / 4; " + say_errors(own),
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
        row["model"]: say_degrees(row["degrees_of_freedom"])
        for row in rows
        if row["degrees_of_freedom"] is not None
    }
    if len(rows) == 1:
        return next(iter(told.values()), None)
    return "; ".join(f"{name}: {degrees}" for name, degrees in told.items()) or None
