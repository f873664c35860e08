"""A report names the methods that it used, and no others."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from capcurve import BinnedCurve, report
from capcurve._report.sources import GU
from capcurve.datasets import make_portfolio
from designs import each_design

LOANS = pl.DataFrame(make_portfolio(2_000)).with_columns(
    borrower=pl.col("loan") // 2, whole=pl.col("loan") % 3 + 1
)
pytestmark = pytest.mark.filterwarnings(
    "ignore::capcurve.FewEventsWarning", "ignore::capcurve.DroppedRowsWarning"
)
ALWAYS = ["CAP curve", "Accuracy ratio (AR)", "KS"]
OF_ROWS = [
    *("Variance of AR", "AUC with pseudo-observations", "Confidence interval of AR"),
    *("Cut-offs", "Capture rate and lift"),
]
OF_RATIO = "Confidence interval of AR"
END = ["Gains table", "Limits of the rate of a band", "Power", "Significance", "Charts"]


def explain(*arguments, **options):
    """Return the methods by topic, and the references."""
    facts = report(*arguments, **options).facts
    return {each["topic"]: each for each in facts["methods"]}, facts["references"]


def test_a_plain_report_names_no_test():
    methods, references = explain(LOANS, "default", "champion_pd")
    assert list(methods) == [*ALWAYS, *OF_ROWS, "Confidence band", *END]
    authors = [reference.split(",")[0] for reference in references]
    assert authors == ["Brown", "Clopper", "DeLong", "Engelmann", "Fay", "Gu", "Wilson"]
    assert "high scores first" in methods["CAP curve"]["text"]
    low, _ = explain(LOANS, "default", "champion_pd", descending=False)
    assert "low scores first" in low["CAP curve"]["text"]


def test_amounts_do_not_cite_methods_of_events():
    methods, references = explain(LOANS, "loss", "champion_pd", initial_auc=0.8)
    initial = "Initial validation, test of the ECB"
    of_rows = [name.replace("AUC with", "AR with") for name in OF_ROWS]
    expected = [*ALWAYS[:2], "Somers' D and gAUC", ALWAYS[2], *of_rows, *END[:2], initial]
    assert list(methods) == [*expected, *END[2:]]
    assert not [line for line in references if line.startswith("DeLong")]
    assert methods["Variance of AR"]["source"]["authors"].startswith("Schechtman")
    assert methods["Limits of the rate of a band"]["source"] is None
    assert "not the distance of two distributions" in methods["KS"]["text"]
    assert methods[initial]["source"]["section"].startswith("sections 2.6.3.1")
    assert "gAUC_initial" in methods[initial]["formula"]
    assert methods["Somers' D and gAUC"]["df"].startswith("champion_pd: ")


def test_degrees_of_freedom_are_those_of_the_estimates():
    found = report(LOANS, "default", "champion_pd", compare="challenger_pd").facts
    by_topic = {each["topic"]: each for each in found["methods"]}
    first, second = (
        model["accuracy_ratio"]["degrees_of_freedom"] for model in found["models"]
    )
    expected = f"champion_pd: {first:,.1f}; challenger_pd: {second:,.1f}"
    assert by_topic["Confidence interval of AR"]["df"] == expected
    (row,) = found["challengers"]
    pair = f"challenger_pd minus champion_pd: {row['degrees_of_freedom']:,.1f}"
    assert by_topic["Challengers"]["df"] == pair
    assert "Adjusted p-values of models" not in by_topic


def test_the_interval_can_be_computed_from_its_method():
    found = report(LOANS, "default", "champion_pd").facts
    event = LOANS["default"].to_numpy() == 1
    score = LOANS["champion_pd"].to_numpy()
    wins = score[event][:, None] - score[~event]
    wins = (wins > 0) + (wins == 0) / 2
    m, n, a = *wins.shape, 1 / 2
    auc, s, u = wins.mean(), wins.mean(1).var(ddof=1), wins.mean(0).var(ddof=1)
    c = 1 / 2 + (auc - 1 / 2) * m / (m + a) * n / (n + a)
    d = 1 / 4 + (c - 1 / 2) ** 2
    parts = [
        ((size - 1) * each + a * d) / ((size - 1 + a) * (size + a))
        for size, each in ((m, s), (n, u))
    ]
    v, df = (
        sum(parts),
        sum(parts) ** 2 / (parts[0] ** 2 / (m - 1) + parts[1] ** 2 / (n - 1)),
    )
    k = c * (1 - c) / (v * (stats.t.ppf(0.975, df) / stats.norm.ppf(0.975)) ** 2)
    limits = 2 * stats.beta.ppf([0.025, 0.975], k * c, k * (1 - c)) - 1
    ratio = found["models"][0]["accuracy_ratio"]
    assert (ratio["low"], ratio["high"]) == pytest.approx(tuple(limits))
    assert ratio["variance"] == pytest.approx(4 * (s / m + u / n))
    of_ratio = "Confidence interval of AR"
    method = next(each for each in found["methods"] if each["topic"] == of_ratio)
    assert method["source"] == GU.describe()
    assert "Beta(K C, K (1 - C))" in method["formula"]
    assert "the 2.5 % and 97.5 % quantiles" in method["formula"]


@pytest.mark.parametrize("design", ["case_weights", "clusters"])
def test_the_variance_of_weights_and_clusters_is_that_of_their_formula(design):
    options = {design: "exposure" if design == "case_weights" else "borrower"}
    found = report(LOANS, "default", "champion_pd", **options).facts
    event = LOANS["default"].to_numpy() == 1
    score = LOANS["champion_pd"].to_numpy()
    weight = np.ones(len(event))
    if design == "case_weights":
        weight = LOANS["exposure"].to_numpy()
    signs = np.sign(score[event][:, None] - score[~event])
    big, small = weight[event].sum(), weight[~event].sum()
    ratio = weight[event] @ signs @ weight[~event] / (big * small)
    psi = np.empty(len(event))
    psi[event] = weight[event] * (signs @ weight[~event] / small - ratio) / big
    psi[~event] = weight[~event] * (weight[event] @ signs / big - ratio) / small
    units = np.arange(len(event))
    if design == "clusters":
        units = LOANS["borrower"].to_numpy()
    a, b = (np.bincount(units, psi * kind) for kind in (event, ~event))
    e, n = (len(np.unique(units[kind])) for kind in (event, ~event))
    c = len(np.unique(units))
    expected = e / (e - 1) * a @ a + n / (n - 1) * b @ b + 2 * c / (c - 1) * a @ b
    assert found["models"][0]["accuracy_ratio"]["variance"] == pytest.approx(expected)
    methods = {each["topic"]: each for each in found["methods"]}
    variance = methods["Variance of AR"]
    assert variance["source"]["authors"].startswith("Obuchowski")
    assert "psi = w (v - AR) / W" in variance["formula"]


def test_every_test_that_was_made_is_named():
    rows = LOANS.with_columns(
        exposure=pl.when(pl.col("loan") % 50 == 0).then(None).otherwise("exposure")
    )
    methods, references = explain(
        rows,
        "default",
        "champion_pd",
        compare=["challenger_pd", "exposure"],
        by="segment",
        period="year",
        initial_auc=0.8,
        initial_variance=1e-4,
        implied="champion_pd",
    )
    added = [
        *("Challengers", "Covariance of two AR", "Adjusted p-values of models"),
        "Initial validation, test of the ECB",
        "Initial validation, two samples",
        *("Pooled AR", "Differences between groups", "A group against the others"),
        *("Trend", "Implied AR", "Rows left out"),
    ]
    assert list(methods) == [
        *ALWAYS,
        *OF_ROWS,
        "Confidence band",
        *END[:2],
        *added,
        *END[2:],
    ]
    assert "for 3 pairs" in methods["Adjusted p-values of models"]["text"]
    ecb = methods["Initial validation, test of the ECB"]["source"]
    assert ecb["section"] == "section 2.5.4.1, annex 3.1"
    assert methods["Differences between groups"]["df"].startswith(
        "segment, champion_pd: 1 "
    )
    assert [line for line in references if line.startswith("van Klaveren")]
    assert references == sorted(references, key=str.lower)
    complete = [
        *("Initial validation, two samples", "A group against the others", "Power"),
        *("Implied AR", "Limits of the rate of a band", "Capture rate and lift"),
        "Covariance of two AR",
    ]
    assert all(methods[topic]["formula"] and methods[topic]["df"] for topic in complete)
    assert (
        "quantile of Student's t at the level of a single test" in methods["Power"]["text"]
    )
    assert "segment, champion_pd: " in methods["A group against the others"]["df"]


@pytest.mark.parametrize(
    ("options", "topic", "told"),
    [
        ({"counts": "whole"}, "Counts", "as whole says"),
        (
            {"case_weights": "exposure"},
            "Weights",
            "exposure holds weights, such as sampling weights or exposures",
        ),
        ({"clusters": "borrower"}, "Clusters", "Rows of the same borrower may depend"),
    ],
)
def test_the_design_is_explained(options, topic, told):
    methods, _ = explain(LOANS, "default", "champion_pd", **options)
    first = next(iter(methods.values()))
    assert first["topic"] == topic
    assert told in first["text"]
    assert ("Confidence band" in methods) == (topic == "Counts")


def test_clusters_in_several_groups_have_a_method_of_their_own():
    methods, references = explain(
        LOANS,
        *("default", "champion_pd"),
        by=["segment", "year"],
        period="year",
        clusters="borrower",
    )
    told = methods["Differences between groups that share clusters"]
    assert "c = tr(P Z)" in told["formula"]
    assert told["df"].startswith("segment, champion_pd: 1 and ")
    assert any("Box" in reference for reference in references)
    assert "v_o - 2 cov)" in methods["A group against the others"]["formula"]
    assert "s includes their covariance Z" in methods["Trend"]["text"]
    assert "Differences between groups" not in methods


def test_distribution_free_limits_are_named_where_they_are_shown():
    few = pl.concat([LOANS.filter(pl.col("default") == 1)[:5], LOANS[:200]])
    few = few.with_columns(default=pl.Series([1] * 5 + [0] * 200))
    methods, references = explain(few, "default", "champion_pd")
    assert methods["Distribution-free limits"]["source"]["section"] == "section 5a"
    assert [line for line in references if line.startswith("Hoeffding")]
    single = few.with_columns(default=pl.Series([1] + [0] * 204))
    methods, _ = explain(single, "default", "champion_pd")
    assert "They are all intervals of AR in this report" in methods[OF_RATIO]["text"]
    assert "Distribution-free limits" not in methods


def test_distribution_free_limits_that_were_asked_for_are_the_interval_of_the_ratio():
    methods, _ = explain(
        LOANS, "default", "champion_pd", method="exact", by="segment", period="year"
    )
    told = methods[OF_RATIO]
    assert told["source"]["authors"] == "Hoeffding, W."
    assert "They are all intervals of AR in this report" in told["text"]
    assert "those of AR are by the method below" in str(
        methods["Confidence interval by the beta distribution"]["text"]
    )
    assert "where a single event" not in str(methods)
    first = pl.col("default").cum_sum() == 1  # rows from the first event to the second
    of_one = pl.when(first).then(pl.lit("first")).otherwise("segment")
    single = LOANS.with_columns(segment=of_one)
    methods, _ = explain(single, "default", "champion_pd", by="segment")
    assert "multiplied by their number" in methods["Significance"]["text"]
    alone, _ = explain(LOANS, "default", "champion_pd")
    assert "multiplied by their number" not in alone["Significance"]["text"]
    assert methods[OF_RATIO]["source"]["authors"].startswith("Gu")
    assert "where a single event" in methods["Distribution-free limits"]["text"]


@pytest.mark.parametrize(
    ("outcome", "is_told"), [("default", True), ("loss", False), ("one_class", False)]
)
def test_a_test_of_the_last_period_is_told_only_if_it_was_made(outcome, is_told):
    last = pl.col("year") == pl.col("year").max()
    rows = LOANS.with_columns(one_class=pl.when(last).then(0).otherwise(pl.col("default")))
    methods, _ = explain(rows, outcome, "champion_pd", period="year")
    assert ("the last period against" in methods["Significance"]["text"]) == is_told
    names = dict(zip(LOANS["year"].unique(), ("Oct", "Jan", "May", "Jun"), strict=True))
    rows = rows.with_columns(name=pl.col("year").replace_strict(names))
    with pytest.warns(UserWarning, match="need not be the order of time"):
        methods, _ = explain(rows, outcome, "champion_pd", period="name")
    assert "the last period against" not in methods["Significance"]["text"]


def test_bins_name_no_power_and_the_limits_of_the_band_alone():
    binned = BinnedCurve.from_frame(LOANS, "default", "champion_pd")
    methods, _ = explain(binned, "default", "champion_pd")
    assert "Binned scores" in methods
    assert not {"Power", END[1]} & set(methods)
    assert {"Cut-offs", "Capture rate and lift", "Confidence band"} <= set(methods)
    amounts = BinnedCurve.from_frame(LOANS, "loss", "champion_pd")
    methods, _ = explain(amounts, "loss", "champion_pd")
    assert "Variance of AR" not in methods


def test_many_bands_name_no_limits():
    methods, _ = explain(LOANS, "default", "champion_pd", bands=60)
    assert END[1] not in methods


def test_groups_of_one_class_are_not_said_to_be_tested():
    rows = pl.DataFrame({"y": [1, 1, 0, 0], "s": [4, 2, 3, 1], "g": list("aabb")})
    methods, _ = explain(rows, "y", "s", by="g")
    assert not {"Pooled AR", "Differences between groups", "Trend"} & set(methods)


IMPLIED = np.random.default_rng(7)
PD = np.round(IMPLIED.beta(1, 6, 300), 2).clip(0.01, 0.99)
PD_ROWS = {
    "y": IMPLIED.binomial(1, PD),
    "p": PD,
    "b": np.arange(300) // 3,
    "w": IMPLIED.uniform(0.5, 2, 300),
    "n": IMPLIED.integers(1, 4, 300),
}


def derive_implied(shift, options, rows=PD_ROWS):
    """Follow the formula of the implied AR; return it, its variance, and m and n."""
    y, b, p = rows["y"], rows["b"], rows["p"]
    name = options.get("case_weights") or options.get("counts")
    w = rows[name] * 1.0 if name else np.ones(len(y))
    squares = w if name == "n" else w**2
    all_rows, events = w.sum(), w @ y
    rank = np.array([w[p < own].sum() - w[p > own].sum() for own in p])
    p = 1 / (1 + (1 - p) / p * np.exp(-shift))
    assert w @ p == pytest.approx(events, rel=1e-12)
    v = p * (1 - p)
    centred = rank - (w * v @ rank) / (w @ v)
    extra = (squares @ v) * (w * v * p @ centred) / (w @ v) ** 2
    pairs = events * (all_rows - events)
    variance = (squares * v @ centred**2) / pairs**2
    parts = [w[y == kind] for kind in (1, 0)]
    if "clusters" in options:
        residual = w * (y - p) * centred
        of_clusters = np.bincount(b, residual)
        variance *= max(1, (of_clusters @ of_clusters) / (residual @ residual))
        parts = [np.bincount(b[y == kind], w[y == kind]) for kind in (1, 0)]
    sizes = [part.sum() ** 2 / (part @ part) for part in parts]
    if name == "n":
        sizes = [part.sum() for part in parts]
    return (w * p @ rank + extra) / pairs, variance, sizes


@each_design
def test_the_implied_ratio_can_be_derived_from_the_words(options):
    facts = report(pl.DataFrame(PD_ROWS), "y", "p", implied="p", **options).facts
    (row,) = facts["implied"]
    implied, variance, (m, n) = derive_implied(row["shift"], options)
    assert implied == pytest.approx(row["implied"], rel=1e-12)
    mean, step, auc = (1 + implied) / 2, 1 / (2 * m * n), (1 + row["observed"]) / 2
    size = 4 * mean * (1 - mean) / variance - 1
    law = stats.beta(size * mean, size * (1 - mean))
    p_value = 2 * min(law.cdf(auc + step), law.sf(auc - step))
    assert row["p_value"] == pytest.approx(p_value)
    (method,) = (each for each in facts["methods"] if each["topic"] == "Implied AR")
    assert ("(of equal rows" in method["text"]) == ("counts" in options)
    assert ("d sum" in method["formula"]) == ("clusters" in options)
    is_unequal = bool({"case_weights", "clusters"} & set(options))
    assert ("effective numbers" in method["text"]) == is_unequal
    assert row["statistic"] == pytest.approx((row["observed"] - implied) / variance**0.5)
    assert "statistic = (AR - AR_implied) / sqrt(V)" in method["formula"]
    assert "the p-value does not come from it" in method["text"]


SIDES_OF_LIMITS = {
    "two-sided": (0.05, 0.95, ["the 5 % quantile of A", "the 95 % quantile of A"]),
    "less": (0.1, 1, ["the 10 % quantile of A", "there is no upper limit"]),
    "greater": (0, 0.9, ["the 90 % quantile of A", "there is no lower limit"]),
}


@pytest.mark.slow
@each_design
@pytest.mark.parametrize("side", SIDES_OF_LIMITS)
@pytest.mark.parametrize("n_rows", [300, 8])  # of 8 rows, the upper limit is cut to 1
def test_limits_of_the_implied_ratio_can_be_derived_from_the_words(n_rows, side, options):
    rows = {name: column[:n_rows] for name, column in PD_ROWS.items()}
    facts = report(
        pl.DataFrame(rows),
        *("y", "p"),
        **options,
        implied="p",
        implied_side=side,
        confidence_level=0.9,
    ).facts
    (row,) = facts["implied"]
    implied, variance, (m, n) = derive_implied(row["shift"], options, rows)
    mean, h = (1 + implied) / 2, 1 / (2 * m * n)
    size = max(0.001, 4 * mean * (1 - mean) / variance - 1)
    *shares, told = SIDES_OF_LIMITS[side]
    low, high = stats.beta(size * mean, size * (1 - mean)).ppf(shares)
    limits = [max(-1, 2 * (low - h) - 1), min(1, 2 * (high + h) - 1)]
    missing = {0: "low", 1: "high"}  # a share that is no chance: there is no such limit
    lacked = [missing[share] for share in shares if share in missing]
    for end, limit in zip(("low", "high"), limits, strict=True):
        assert row[end] == (None if end in lacked else pytest.approx(limit, rel=1e-9))
    (method,) = (each for each in facts["methods"] if each["topic"] == "Implied AR")
    assert all(words in method["formula"] for words in told)


def test_a_constant_score_below_its_initial_value_is_tested_and_explained():
    data = LOANS.with_columns(same=pl.lit(0.1))
    page = report(
        data,
        "default",
        "champion_pd",
        compare=["same"],
        initial_auc={"same": 0.7},
        initial_variance={"same": 0.001},
    )
    findings = {each["topic"]: each["text"] for each in page.facts["findings"]}
    assert (
        "is significant at the 5 % level (one-sided p < 0.001, two-sample"
        in (findings["initial"])
    )
    assert "The ECB's test could not be made, because all rows" in findings["initial"]
    methods = {each["topic"]: each["text"] for each in page.facts["methods"]}
    assert "whose AR is 0, lie from -1 to 1." in methods["Challengers"]
    without, _ = explain(LOANS, "default", "champion_pd", compare="challenger_pd")
    assert "lie from -1 to 1" not in without["Challengers"]["text"]


def test_pseudo_observations_of_tests_alone_say_of_which():
    facts = report(LOANS, "default", "champion_pd", compare="challenger_pd", method="logit")
    texts = {each["topic"]: each["text"] for each in facts.facts["methods"]}
    text = texts["AUC with pseudo-observations"]
    assert "(a = 1/4 in tests of challengers and of two samples, and in their p" in text
