"""Tests of models can be derived from the words of a report, and from nothing else."""

from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
from scipy import optimize, stats

from capcurve import report
from capcurve.datasets import make_portfolio
from derived import concordance, count_degrees, covary, rank, read, shrink
from designs import each_design

RANDOM = np.random.default_rng(22)
N = 240
SCORE = RANDOM.normal(size=N)
ROWS = {
    "event": RANDOM.binomial(1, 1 / (1 + np.exp(1.2 - 1.2 * SCORE))),
    "loss": np.round(np.exp(SCORE + RANDOM.normal(size=N)) * RANDOM.binomial(1, 0.6, N), 1),
    "old": np.round(SCORE + RANDOM.normal(size=N), 1),
    "new": np.round(SCORE + RANDOM.normal(size=N) / 2, 1),
    "n": RANDOM.integers(1, 4, N),
    "w": RANDOM.uniform(0.5, 2, N),
    "b": RANDOM.integers(0, 110, N),
}
LOANS = pl.DataFrame(make_portfolio(3_000))
pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
each_outcome = pytest.mark.parametrize("outcome", ["event", "loss"])


class Test(NamedTuple):
    """Two proportions q in K trials, their correlation, and the length of their scale."""

    __test__ = False
    q: tuple
    k: tuple
    rho: float
    width: float

    def err(self, d):
        """Find the standard error of the difference if it is d."""
        (first, second), (m, n) = self.q, self.k
        p = (m * first + n * second) / (m + n)
        if d:

            def slope(p):  # of the likelihood; p is the second proportion
                return sum(
                    k * (q / x - (1 - q) / (1 - x))
                    for q, k, x in ((first, m, p + d / self.width), (second, n, p))
                )

            ends = max(0, -d / self.width) + 1e-13, min(1, 1 - d / self.width) - 1e-13
            p = optimize.brentq(slope, *ends, xtol=1e-15, rtol=1e-14)
        v = [x * (1 - x) / k for x, k in ((p + d / self.width, m), (p, n))]
        return self.width * np.sqrt(sum(v) - 2 * self.rho * np.sqrt(v[0] * v[1]))

    def statistic(self, d=0.0):
        return (self.width * (self.q[0] - self.q[1]) - d) / self.err(d)

    def limit(self, quantile):
        """Find the d at which the statistic is the quantile."""
        value = self.width * (self.q[0] - self.q[1])
        far = value - 3 * quantile * self.err(0)
        return optimize.brentq(
            lambda d: self.statistic(d) - quantile, far, value, xtol=1e-15, rtol=1e-14
        )


def compare(outcome, options):
    """Derive the paired test of both scores."""
    sample = read(ROWS, outcome, ["new", "old"], **options)
    ratios, psi, weight = zip(
        *(rank(sample, sample.scores[name]) for name in ("new", "old")), strict=True
    )
    trials = tuple(
        shrink(sample, ratio, each, weight[0], 1 / 4).trials
        for ratio, each in zip(ratios, psi, strict=True)
    )
    variances = [covary(sample, each, each) for each in psi]
    rho = covary(sample, *psi) / np.sqrt(np.prod(variances))
    test = Test(tuple((1 + ratio) / 2 for ratio in ratios), trials, rho, 2)
    d = psi[0] - psi[1]
    parts = []
    for rows in sample.classes:
        sums = sample.add_up(d, rows)
        parts.append(len(sums) / (len(sums) - 1) * sums @ sums)
    error = np.sqrt(sum(variances) - 2 * covary(sample, *psi))
    return test, count_degrees(sample, d, weight[0], parts), error


@each_design
@each_outcome
def test_challengers_can_be_derived_from_the_words(outcome, options):
    facts = report(pl.DataFrame(ROWS), outcome, "old", compare="new", **options).facts
    (row,) = facts["challengers"]
    test, df, error = compare(outcome, options)
    assert row["standard_error"] == pytest.approx(error, rel=1e-9)
    assert row["s_0"] == pytest.approx(test.err(0), rel=1e-9)
    assert row["degrees_of_freedom"] == pytest.approx(df, rel=1e-9)
    statistic = test.statistic()
    assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(statistic), df), rel=1e-9)
    q = stats.t.ppf(0.975, df)
    limits = [test.limit(q), test.limit(-q)]
    assert [row["low"], row["high"]] == pytest.approx(limits, rel=1e-9)


@each_design
@each_outcome
def test_initial_validation_can_be_derived_from_the_words(outcome, options):
    data, initial, variance = pl.DataFrame(ROWS), 0.85, 0.002
    facts = report(
        data, outcome, "old", initial_auc=initial, initial_variance=variance, **options
    ).facts
    ecb, two = facts["initial"]
    sample = read(ROWS, outcome, ["old"], **options)
    find = rank if outcome == "event" else concordance
    value, psi, weight = find(sample, sample.scores["old"])
    s, auc = np.sqrt(covary(sample, psi, psi)) / 2, (1 + value) / 2
    assert ecb["statistic"] == pytest.approx((initial - auc) / s, rel=1e-9)
    assert ecb["p_value"] == pytest.approx(stats.norm.sf((initial - auc) / s), rel=1e-9)
    assert ecb["low"] == pytest.approx(initial - auc - stats.norm.ppf(0.95) * s, rel=1e-9)
    k = initial * (1 - initial) / variance, shrink(sample, value, psi, weight, 1 / 4).trials
    test = Test((initial, auc), k, 0, 1)
    df = shrink(sample, value, psi, weight, 1 / 2).df * (1 + k[1] / k[0]) ** 2
    assert two["s_0"] == pytest.approx(test.err(0), rel=1e-9)
    assert two["degrees_of_freedom"] == pytest.approx(df, rel=1e-9)
    assert two["p_value"] == pytest.approx(stats.t.sf(test.statistic(), df), rel=1e-9)
    assert two["low"] == pytest.approx(test.limit(stats.t.ppf(0.95, df)), rel=1e-9)


def tell(outcome, **options):
    """Return the words of each method by topic."""
    options = {"compare": "new", "initial_auc": 0.8} | options
    methods = report(pl.DataFrame(ROWS), outcome, "old", **options).facts["methods"]
    return {each["topic"]: each for each in methods}


def test_each_kind_of_rows_has_a_covariance_of_its_own():
    plain, amounts = tell("event"), tell("loss")
    assert "placements" in plain["Covariance of two AR"]["text"]
    words = amounts["Covariance of two AR"]
    assert words["source"]["authors"].startswith("Schechtman")
    assert words["formula"] == "Cov(AR_a, AR_b) = sum of psi_a psi_b"
    clustered = tell("event", clusters="b")["Covariance of two AR"]["formula"]
    assert "sum of (A_a B_b + B_a A_b)" in clustered
    weighted = tell("event", case_weights="w")["Covariance of two AR"]["formula"]
    assert "of the N non-events" in weighted
    assert "q = (1 + AR) / 2" in amounts["Challengers"]["text"]


def test_amounts_have_no_words_of_events():
    for topic, each in tell("loss", period="n", by="b").items():
        words = f"{each['text']} {each['formula']}"
        assert not [word for word in ("event", "placement") if word in words], topic


def test_tests_of_one_of_several_scores_say_on_which_rows_they_are_made():
    topic = "Initial validation, test of the ECB"
    assert "rows that all scores of the report rank" in tell("event")[topic]["text"]
    assert "all scores" not in tell("event", compare=())[topic]["text"]


def test_power_speaks_of_two_samples_where_they_are_tested_alone():
    told = "Since initial validation, with K and the degrees of freedom of the test of two"
    for options, is_told in (({}, False), ({"initial_variance": 1e-4}, True)):
        made = report(LOANS, "default", "champion_pd", initial_auc=0.8, **options)
        (power,) = [m["text"] for m in made.facts["methods"] if m["topic"] == "Power"]
        assert (told in power) == is_told
        row = made.facts["initial"][-1]
        error = (row["variance"] + options.get("initial_variance", 0)) ** 0.5
        assert row["standard_error"] == pytest.approx(error)


def test_degrees_of_freedom_of_a_column_of_segments_and_periods_are_told_once():
    made = report(LOANS, "default", "champion_pd", by="year", period="year")
    listed = [m["df"].split("; ") for m in made.facts["methods"] if m["df"]]
    assert any("year, champion_pd" in df for each in listed for df in each)
    assert all(len(each) == len(set(each)) for each in listed)


def test_expected_events_of_weighted_rows_are_said_to_count_rows_once():
    rows = LOANS.with_columns(w=1.0 + pl.col("loan") % 3 / 2)
    told = "the numbers of rows in the table count each row once, whatever its weight."
    for weights, is_told in ((None, False), ("w", True)):
        made = report(
            rows, "default", "champion_pd", implied="champion_pd", case_weights=weights
        )
        (text,) = [m["text"] for m in made.facts["methods"] if m["topic"] == "Implied AR"]
        assert (told in text) == is_told
