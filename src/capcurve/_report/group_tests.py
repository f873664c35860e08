"""Explain the tests of a report between groups of rows: segments and periods."""

from collections.abc import Iterator, Sequence

from capcurve._report.group_findings import are_periods
from capcurve._report.method import list_pooled_degrees, make_method
from capcurve._report.options import Facts
from capcurve._report.pseudo_observations import BETWEEN_CLASSES, is_unweighted
from capcurve._report.sources import BOX, HOLM, JANES, WELCH

ANGLES = (
    "The AUC of each group is first converted to an angle z, because the variance of an "
    "AUC depends much on its value, and that of the angle, v, hardly. C and V are those of "
    "the group with a = 1/2, and nu the degrees of freedom of V."
)
OF_ANGLES = "z = arcsin(sqrt(AUC)), v = V / (4 C (1 - C)), w = 1 / v"
SMALL = (
    "Groups with fewer than 20 events or non-events (effective ones, of unequal weights or "
    "clusters) are left out. If fewer than two others remain, only those are that have "
    "fewer than two events or non-events, or clusters of them."
)
SHARED = (
    "Z is the covariance of the angles: psi_g adds up the influences of the rows of a "
    "cluster on the AR of the group g, and R is the correlation of groups from the sums "
    "over all clusters."
)
SHARED_PERIODS = " Clusters have rows in several periods: s includes their covariance Z."
OF_SHARED = (
    "Z_gh = R_gh sqrt(v_g v_h), R_gh = (1 - 10^-6) sum of psi_g psi_h / sqrt(sum of "
    "psi_g^2 sum of psi_h^2), R_gg = 1"
)


def explain_equality(tests: Sequence[tuple[str, Facts]]) -> Iterator[Facts]:
    """Explain the test that AR is the same in all groups."""
    alone = [(by, test) for by, test in tests if not test["shares_clusters"]]
    if alone:
        yield make_method(
            "Differences between groups",
            "Welch's F-test, which allows for unequal variances, of the hypothesis that AR "
            f"is the same in all k groups. {ANGLES} z_0 is the mean of z, weighted by w, "
            f"and W the sum of all w. Groups are taken as independent. {SMALL}",
            formula="F = sum of w (z - z_0)^2 / (k - 1) / (1 + 2 (k - 2) L / (k^2 - 1)), "
            f"{OF_ANGLES}, L = sum of (1 - w / W)^2 / nu; degrees of freedom k - 1 and "
            "(k^2 - 1) / (3 L)",
            df=list_equality_degrees(alone),
            source=WELCH,
        )
    shared = [(by, test) for by, test in tests if test["shares_clusters"]]
    if shared:
        yield make_method(
            "Differences between groups that share clusters",
            "The F-test of the hypothesis that AR is the same in all k groups, which "
            "allows for unequal variances and for clusters with rows in several groups. "
            f"{ANGLES} {SHARED} z_0 is the mean of z, weighted by w, W the diagonal matrix "
            f"of the weights w, and c the mean of the sum under the hypothesis. {SMALL}",
            formula="F = sum of w (z - z_0)^2 / c / (1 + 2 (k - 2) L / (k^2 - 1)), "
            f"{OF_ANGLES}, c = tr(P Z), P = W - w w' / sum of w, {OF_SHARED}, L = sum of "
            "(1 - w / sum of w)^2 / nu; degrees of freedom c^2 / tr(P Z P Z) and "
            "(k^2 - 1) / (3 L)",
            df=list_equality_degrees(shared),
            source=BOX,
        )


def list_equality_degrees(tests: Sequence[tuple[str, Facts]]) -> str:
    """List the degrees of freedom of tests that all groups are equal."""
    told = [
        f"{by}, {test['model']}: {test['df_1']:.4g} and {test['df_2']:,.1f}"
        for by, test in tests
    ]
    return "; ".join(dict.fromkeys(told))


def explain_groups(facts: Facts) -> Iterator[Facts]:
    """Explain pooled AR and the tests of segments and periods."""
    splits = [*facts["segments"], *facts["periods"]]
    if any(total["pooled"] for split in splits for total in split["total"]):
        yield explain_pooled(facts)
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
    yield explain_rest(splits, is_shared=is_shared)
    yield from explain_trend(facts["periods"])


def explain_pooled(facts: Facts) -> Facts:
    """Explain AR of pairs of the same group, which differs for amounts."""
    text = (
        "AR of pairs of rows of the same group only, so that it does not depend on how "
        "groups differ."
    )
    limits = (
        "Limits are those of AR by the method beta (or logit-t, logit or wald, if that is "
        "the method), with this psi"
    )
    if facts["outcome"] == "amounts":
        return make_method(
            "Pooled AR",
            f"{text} k and b are sums over the other rows of the group of a row. {limits} "
            "and these b.",
            formula="AR_pooled = sum of w k / sum of w b, psi = 2 w (k - AR_pooled b) / "
            "(sum of w b)",
            df=list_pooled_degrees(facts),
        )
    of_weight = "" if is_unweighted(facts) else " (not in r)"
    between = BETWEEN_CLASSES if facts["sample"]["clusters"] is not None else ""
    return make_method(
        "Pooled AR",
        f"{text} l is the weight of the events of a group times that of its non-events. "
        "Of each row, w is the weight, o that of the other class in its group, and v the "
        "share of o that is ranked on the right side of the row, less that on the wrong "
        f"side. {limits}, w o in place of w in sizes{of_weight} and Q the sum of psi^2 in "
        "a class.",
        formula="AR_pooled = sum of l AR / sum of l, psi = w o (v - AR_pooled) / (sum of "
        f"l), V = sum over classes of (size^2 Q / 4 + a D) / ((size - 1 + a) (size + a))"
        f"{between}",
        df=list_pooled_degrees(facts),
        source=JANES,
    )


def explain_rest(splits: Sequence[Facts], *, is_shared: bool) -> Facts:
    """Explain the test of a group against the others."""
    more = " + sum of q_g q_h R_gh sqrt(V_g V_h) over pairs g, h" * is_shared
    cov = (
        "; cov = sum of q_h R_gh sqrt(V_g V_h) / (4 sqrt(C_g (1 - C_g) C_o (1 - C_o)))"
    ) * is_shared
    without = " No test of periods includes rows without a period." * any(
        are_periods(split) and row["group"] is None
        for split in splits
        for row in split["groups"]
    )
    dependent = (
        "cov is the covariance of the two angles, 0 unless clusters have rows in several "
        "groups; pairs g, h count in both orders. "
    ) * is_shared
    return make_method(
        "A group against the others",
        "Welch's t-test of the angle of the group g against that of the pooled AR of the "
        "others, o, without groups that have fewer than two events or non-events, or "
        "clusters of them. q is the share of a group h in the pairs of an event and a "
        "non-event of all others, by weight. C and V are as above. p-values are adjusted "
        "by Holm's method for the groups that the test of all groups compares, if more "
        f"than two can be tested; other groups have no adjusted one.{without} "
        f"{dependent}The workbook and the JSON file have T and the degrees of freedom of "
        "each group.",
        formula=f"T = (z_g - z_o) / sqrt(v_g + v_o{' - 2 cov' * is_shared}), compared with "
        "Student's t; z_o and v_o from AUC_o = sum of q AUC, C_o = sum of q C, V_o = sum "
        f"of q^2 V{more}{cov}; degrees of freedom (v_g + v_o)^2 / (v_g^2 / nu_g + v_o^2 / "
        "nu_o), nu_o = (sum of q^2 V)^2 / (sum of q^4 V^2 / nu)",
        df="; ".join(dict.fromkeys(list_ranges(splits))),
        source=HOLM,
    )


def explain_trend(periods: Sequence[Facts]) -> Iterator[Facts]:
    """Explain the test of a linear trend."""
    trends = [
        f"{trend['model']}: {trend['degrees_of_freedom']:,.1f}"
        for split in periods
        for trend in split["trend"]
        if trend is not None and trend["degrees_of_freedom"] is not None
    ]
    if not trends:
        return
    tests = [test for split in periods for test in split["homogeneity"]]
    is_shared = any(test["shares_clusters"] for test in tests)
    variance = "sum of a_g a_h Z_gh over all g, h" if is_shared else "sum of a^2 v"
    yield make_method(
        "Trend",
        "A line through the angles of the periods of the test of all, each at its number x "
        "among all periods that have rows (0, 1, 2 and so on; a year without rows has no "
        "number), weighted by e, the effective size of the smaller class. x_0 and z_0 are "
        "the means of x and z by these weights. The change is what the line means for AR, "
        "per period from the first to the last one; its limits are those of a "
        "line through the same means with slope - q_t s and slope + q_t s, q_t the "
        "quantile of Student's t."
        f"{SHARED_PERIODS * is_shared}",
        formula="T = slope / s, compared with Student's t; slope = sum of a z, a = e (x - "
        f"x_0) / (sum of e (x - x_0)^2), s^2 = {variance}; degrees of freedom (sum of a^2 "
        "v)^2 / (sum of a^4 v^2 / nu); change = (AR(last) - AR(first)) / (last - first), "
        "AR(x) = -cos(2 (z_0 + slope (x - x_0))), the angle from 0 to pi / 2",
        df="; ".join(trends),
    )


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
