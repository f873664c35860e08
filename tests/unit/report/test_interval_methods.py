"""Intervals of AR can be derived from the words of a report, and from nothing else."""

import numpy as np
import polars as pl
import pytest
from scipy import optimize, stats

from capcurve import report
from derived import beta_limits, concordance, covary, rank, read, shrink
from designs import each_design

RANDOM = np.random.default_rng(20)
N = 260
SCORE = np.round(RANDOM.normal(size=N), 1)
ROWS = {
    "event": RANDOM.binomial(1, 1 / (1 + np.exp(1.2 - 0.6 * SCORE))),
    "loss": np.round(np.exp(SCORE + RANDOM.normal(size=N)) * RANDOM.binomial(1, 0.6, N), 1),
    "score": SCORE,
    "n": RANDOM.integers(1, 4, N),
    "w": RANDOM.uniform(0.5, 2, N),
    "b": RANDOM.integers(0, 120, N),
}
pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")


def find_p_value(share):
    """Find 1 less the level of the interval that has 0 as a limit."""
    end = 0 if share.c > 1 / 2 else 1
    return 2 * np.exp(
        optimize.brentq(lambda log: beta_limits(share, np.exp(log))[end], -80, -0.8)
    )


@each_design
@pytest.mark.parametrize("outcome", ["event", "loss"])
def test_the_interval_can_be_derived_from_the_words(outcome, options):
    facts = report(pl.DataFrame(ROWS), outcome, "score", **options).facts
    found = facts["models"][0]["accuracy_ratio"]
    sample = read(ROWS, outcome, ["score"], **options)
    ratio, psi, weight = rank(sample, sample.scores["score"])
    share = shrink(sample, ratio, psi, weight, 1 / 2)
    assert found["value"] == pytest.approx(ratio, rel=1e-12)
    assert found["variance"] == pytest.approx(covary(sample, psi, psi), rel=1e-9)
    assert found["degrees_of_freedom"] == pytest.approx(share.df, rel=1e-9)
    assert [found["low"], found["high"]] == pytest.approx(beta_limits(share), rel=1e-9)
    assert found["p_value"] == pytest.approx(find_p_value(share), rel=1e-6)
    told = next(m for m in facts["methods"] if "pseudo-observations" in m["topic"])
    is_event, is_clustered = outcome == "event", "clusters" in options
    assert ("sum of A B" in told["formula"]) is (is_event and is_clustered)
    is_equal = not {"case_weights", "clusters"} & set(options)
    assert ("T(psi) / T(psi / r)" in told["text"]) is (is_event and not is_equal)
    assert ("(2 sum of (w b)^2)" in told["formula"]) is not is_event


@each_design
def test_somers_d_can_be_derived_from_the_words(options):
    facts = report(pl.DataFrame(ROWS), "loss", "score", **options).facts
    found = facts["models"][0]["somers_d"]
    sample = read(ROWS, "loss", ["score"], **options)
    value, psi, pairs = concordance(sample, sample.scores["score"])
    share = shrink(sample, value, psi, pairs, 1 / 2)
    assert found["value"] == pytest.approx(value, rel=1e-12)
    assert found["variance"] == pytest.approx(covary(sample, psi, psi), rel=1e-9)
    assert found["degrees_of_freedom"] == pytest.approx(share.df, rel=1e-9)
    assert [found["low"], found["high"]] == pytest.approx(beta_limits(share), rel=1e-9)


GROUPS = {**ROWS, "g": np.arange(N) % 3}


def explain(outcome, **options):
    """Return the facts of a report, and its methods by topic."""
    facts = report(pl.DataFrame(GROUPS), outcome, "score", **options).facts
    return facts, {each["topic"]: each for each in facts["methods"]}


BY_BETA = "Confidence interval by the beta distribution"
OF_AR = "Confidence interval of AR"


@pytest.mark.parametrize("method", ["newcombe", "bootstrap", "bca"])
def test_the_beta_method_says_whose_limits_it_makes(method):
    facts, told = explain("event", by="g", method=method)
    text, formula = told[BY_BETA]["text"], told[BY_BETA]["formula"]
    assert text.startswith("Only the pooled AR has limits by this method; those of AR are ")
    assert formula.startswith("limits of the pooled AR = 2 B - 1")
    assert "The p-value of the pooled AR, which the JSON file has" in text
    pooled = facts["segments"][0]["total"][0]["pooled"]
    df = f"g, score: {pooled['degrees_of_freedom']:,.1f}"
    assert told[BY_BETA]["df"] == told["Pooled AR"]["df"] == df


def test_the_beta_method_of_amounts_says_whose_limits_it_makes():
    facts, told = explain("loss", by="g", method="bca")
    text = told[BY_BETA]["text"]
    assert text.startswith("Only Somers' D and the pooled AR have limits by this method;")
    df = facts["models"][0]["somers_d"]["degrees_of_freedom"]
    assert told[BY_BETA]["df"].startswith(f"score: {df:,.1f}; g, score: ")
    facts, told = explain("loss", method="bca")
    assert told[BY_BETA]["text"].startswith("Only Somers' D has limits by this method;")
    assert told[BY_BETA]["formula"].startswith("limits of Somers' D = 2 B - 1")
    assert told[BY_BETA]["df"] == told["Somers' D and gAUC"]["df"]


def test_the_beta_method_is_that_of_all_numbers_by_default():
    facts, told = explain("event", by="g")
    assert BY_BETA not in told
    assert told[OF_AR]["text"].startswith("The limits are quantiles")
    df = facts["models"][0]["accuracy_ratio"]["degrees_of_freedom"]
    assert told[OF_AR]["df"] == f"score: {df:,.1f}"
    facts, told = explain("event", by="g", method="logit-t")
    pooled = facts["segments"][0]["total"][0]["pooled"]
    assert told["Pooled AR"]["df"] == f"g, score: {pooled['degrees_of_freedom']:,.1f}"
    _, told = explain("event", by="g", method="wald")
    assert told["Pooled AR"]["df"] is None


def test_p_values_of_other_methods_are_those_of_their_formulas():
    sample = read(ROWS, "event", ["score"])
    ratio, _, _ = rank(sample, sample.scores["score"])
    auc, m, n = (1 + ratio) / 2, sample.y.sum(), (~sample.y).sum()
    half = 1 / 4 * (1 + ((m + n) / 2 - 1) * (1 / 3 + 1 / 3)) / (m * n)
    for method in ("wald", "logit", "logit-t", "newcombe", "bootstrap"):
        facts = report(pl.DataFrame(ROWS), "event", "score", method=method).facts
        found = facts["models"][0]["accuracy_ratio"]
        scaled = np.arctanh(ratio) * (1 - ratio**2) / found["standard_error"]
        expected = {
            "wald": 2 * stats.norm.sf(ratio / found["standard_error"]),
            "logit": 2 * stats.norm.sf(scaled),
            "logit-t": 2 * stats.t.sf(scaled, found["degrees_of_freedom"]),
            "newcombe": 2 * stats.norm.sf((auc - 1 / 2) / half**0.5),
            "bootstrap": 2 / 2001,  # no replicate ranks as badly
        }
        assert found["p_value"] == pytest.approx(expected[method], rel=1e-9)
        topics = {each["topic"]: each for each in facts["methods"]}
        assert "The p-value of an AR" in topics["Confidence interval of AR"]["text"]
        assert "a = 1/2" not in topics["AUC with pseudo-observations"]["text"]


def test_the_p_value_of_distribution_free_limits_is_that_of_their_formula():
    rows = pl.DataFrame({"y": [1, 0, 0, 0], "s": [4, 3, 2, 1]})
    facts = report(rows, "y", "s").facts
    found = facts["models"][0]["accuracy_ratio"]
    assert found["method"] == "exact"
    assert found["p_value"] == pytest.approx(2 * np.exp(-np.log(2)))
    told = next(m for m in facts["methods"] if m["topic"] == "Confidence interval of AR")
    assert "p = 2 exp(-m d(1/2))" in told["formula"]


def test_coverage_is_claimed_as_far_as_it_was_simulated():
    def tell(outcome, **options):
        methods = report(pl.DataFrame(ROWS), outcome, "score", **options).facts["methods"]
        return next(m["text"] for m in methods if m["topic"] == "Confidence interval of AR")

    assert "of equal weight, with 20 or more events and non-events" in tell("event")
    assert "of equal weight, with 20 or more" in tell("event", case_weights="w")
    assert "lognormal losses" in tell("loss")
    assert "events" not in tell("loss")
