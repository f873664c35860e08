"""Intervals: formulas by SciPy, edges, replicates, and what is refused."""

import re
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from capcurve import (
    CapcurveError,
    Estimate,
    FewEventsWarning,
    MissingDependencyError,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    capture_rate_interval,
    capture_rate_test,
    ks_interval,
    lift_interval,
    response_rate_interval,
)
from capcurve._inference.bootstrap import draw_replicates
from capcurve._inference.influence import compute_ratio_influence
from capcurve._inference.share_limits import wilson_limits_t
from capcurve._input.reading import read_columns
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
Y, S = LOANS["default"], LOANS["champion_pd"]
RATE = LOANS["loss"] / LOANS["exposure"]
FEW = np.random.default_rng(4)
FEW_Y = (np.arange(300) < 12).astype(int)
FEW_S = FEW.normal(size=300) + FEW_Y
METHODS = ["logit-t", "wald", "logit", "newcombe", "bootstrap", "bca", "exact"]


def delong(y, s):
    """AR, its standard error, and degrees of freedom, by definition."""
    sign = np.sign(np.subtract.outer(s[y == 1], s[y == 0]))
    means = sign.mean(axis=1), sign.mean(axis=0)
    parts = np.array([mean.var(ddof=1) / len(mean) for mean in means])
    free = parts.sum() ** 2 / (parts**2 / (np.array(sign.shape) - 1)).sum()
    return sign.mean(), np.sqrt(parts.sum()), free


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_limits_by_their_formulas(level):
    ratio, error, free = delong(FEW_Y, FEW_S)
    auc = (1 + ratio) / 2
    scale = (error / 2) / (auc * (1 - auc))
    for method, quantile in (
        ("wald", stats.norm),
        ("logit", stats.norm),
        ("logit-t", stats.t(free)),
    ):
        with pytest.warns(FewEventsWarning):
            found = accuracy_ratio_interval(
                FEW_Y, FEW_S, confidence_level=level, method=method
            )
        reach = quantile.ppf((1 + level) / 2)
        if method == "wald":
            expected = [ratio - reach * error, ratio + reach * error]
            p_value = 2 * quantile.sf(abs(ratio / error))
        else:
            centre = np.log(auc / (1 - auc))
            aucs = 1 / (1 + np.exp(-(centre + np.array([-1, 1]) * reach * scale)))
            expected = 2 * aucs - 1
            p_value = 2 * quantile.sf(abs(centre / scale))
        assert [found.low, found.high] == pytest.approx(expected)
        assert found.p_value == pytest.approx(p_value)
        assert found.standard_error == pytest.approx(error)
        assert (found.n_events, found.n_nonevents) == (12, 288)
        assert found.degrees_of_freedom == pytest.approx(free)


def test_amounts_have_no_model_of_scores():
    with pytest.raises(CapcurveError, match="equal weight, got amounts; use 'beta'"):
        accuracy_ratio_interval(RATE, S, method="newcombe")


def test_newcombe_solves_its_equation():
    found = accuracy_ratio_interval(Y, S, method="newcombe").to_auc()
    m, n = found.n_events, found.n_nonevents
    star, z = (m + n) / 2 - 1, stats.norm.ppf(0.975)
    for t in (found.low, found.high):
        spread = 1 + star * (1 - t) / (2 - t) + star * t / (1 + t)
        variance = t * (1 - t) * spread / (m * n)
        assert abs(found.value - t) == pytest.approx(z * np.sqrt(variance))


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_exact_is_the_binomial_moment_bound(level):
    found = accuracy_ratio_interval(Y, S, method="exact", confidence_level=level).to_auc()
    for limit in (found.low, found.high):
        entropy = stats.entropy([found.value, 1 - found.value], [limit, 1 - limit])
        assert found.n_events * entropy == pytest.approx(np.log(2 / (1 - level)))


@pytest.mark.parametrize(("events", "low"), [(5, 0.05 ** (1 / 5)), (7, 0.05 ** (1 / 7))])
@pytest.mark.parametrize("method", METHODS)
def test_a_perfect_ranking_has_the_bound_that_is_always_true(events, low, method):
    y = (np.arange(50) < events).astype(int)
    with pytest.warns(FewEventsWarning, match=f"is based on {events} events"):
        found = accuracy_ratio_interval(y, y, method=method, confidence_level=0.9)
    assert found.to_auc().low == pytest.approx(low)
    assert (found.value, found.high, found.method) == (1, 1, "exact")
    with pytest.warns(FewEventsWarning):
        worst = accuracy_ratio_interval(y, -y, method=method, confidence_level=0.9)
    assert (worst.low, worst.high) == (-1, pytest.approx(-found.low))


def test_no_variance_in_the_sample_is_not_certainty():
    y = np.arange(100) % 2
    constant = accuracy_ratio_interval(y, np.zeros(100))
    assert (constant.value, constant.standard_error, constant.method) == (0, 0, "beta")
    assert -0.1 < constant.low < -0.02 < 0.02 < constant.high < 0.1
    bound = accuracy_ratio_interval(y, np.zeros(100), method="wald")
    assert bound.method == "exact"
    assert -0.5 < bound.low < -0.2 < 0.2 < bound.high < 0.5
    weights = 1 + y * np.arange(100)
    for method in ("beta", "wald"):
        weighted = accuracy_ratio_interval(y, y, sample_weight=weights, method=method)
        assert weighted.low < 0.95
        assert weighted.high == 1
    assert weighted.method == "approximate bound"
    amounts = accuracy_ratio_interval(RATE, RATE)
    assert amounts.value == amounts.high == 1
    assert 0.9 < amounts.low < 1
    unknown = accuracy_ratio_interval(RATE, RATE, method="wald")
    assert np.isnan([unknown.low, unknown.high]).all()


def test_one_event_has_no_standard_error():
    with pytest.warns(FewEventsWarning, match="is based on 1 event "):
        found = accuracy_ratio_interval([1, 0, 0, 0], [3, 4, 2, 1])
    assert np.isnan(found.standard_error)
    assert (found.low, found.high) == pytest.approx((-1, 1), abs=0.1)
    assert found.method == "exact"


def test_few_events_are_announced_with_the_exact_bound():
    with pytest.warns(FewEventsWarning):
        bound = accuracy_ratio_interval(FEW_Y, FEW_S, method="exact")
    text = rf"is based on 12 events .*: {bound.low:.3f} to {bound.high:.3f}"
    with pytest.warns(FewEventsWarning, match=text):
        accuracy_ratio_interval(FEW_Y, FEW_S)
    with pytest.warns(FewEventsWarning, match="is based on 12 non-events"):
        accuracy_ratio_interval(1 - FEW_Y, FEW_S)
    with pytest.warns(FewEventsWarning) as caught:
        accuracy_ratio_interval(FEW_Y, FEW_S, sample_weight=np.arange(1, 301))
    assert "exact" not in str(caught[0].message)
    groups = np.arange(10_000) % 30 + 30 * (np.arange(10_000) % 7)
    sparse = np.where(groups < 18, Y, 0)
    with pytest.warns(FewEventsWarning, match=r"is based on \d+\.\d effective events"):
        accuracy_ratio_interval(sparse, S, clusters=groups)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_replicates_give_nearly_the_analytic_interval(method):
    analytic = accuracy_ratio_interval(Y, S)
    found = accuracy_ratio_interval(Y, S, method=method, random_state=1)
    assert found.method == method
    ends = [analytic.low, analytic.high]
    assert [found.low, found.high] == pytest.approx(ends, abs=0.006)
    again = accuracy_ratio_interval(
        Y, S, method=method, random_state=np.random.default_rng(1)
    )
    assert (again.low, again.high) == (found.low, found.high)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_replicates_of_weights_amounts_groups_and_counted_rows(method):
    options = {"method": method, "n_resamples": 600, "random_state": 1}
    for data in (
        {"y_true": Y, "sample_weight": LOANS["exposure"]},
        {"y_true": RATE, "sample_weight": LOANS["exposure"]},
        {"y_true": RATE},
        {"y_true": Y, "clusters": np.arange(len(Y)) // 4},
        {"y_true": RATE, "clusters": np.arange(len(Y)) // 4},
        {"y_true": Y, "sample_weight": 1 + np.arange(len(Y)) % 2, "weights": "frequency"},
        {
            "y_true": RATE,
            "sample_weight": 1 + np.arange(len(Y)) % 2,
            "weights": "frequency",
        },
    ):
        analytic = accuracy_ratio_interval(**data, y_score=S)
        found = accuracy_ratio_interval(**data, y_score=S, **options)
        width = analytic.high - analytic.low
        ends = [analytic.low, analytic.high]
        assert [found.low, found.high] == pytest.approx(ends, abs=0.15 * width), data


def test_replicates_that_lose_a_class_are_drawn_again():
    y, groups = [1, 0, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2]
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_interval(
            y, [3, 4, 1, 2, 5, 0], clusters=groups, method="bootstrap", n_resamples=50
        )
    assert -1 <= found.low <= found.high <= 1
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_interval(
            [0.0, 0.0, 2.5], [1, 2, 2], method="bootstrap", n_resamples=50
        )
    assert -1 <= found.low <= found.high <= 1


def test_an_average_over_labels_holds_each_of_them():
    rng = np.random.default_rng(8)
    y = rng.choice(list("abc"), 600, p=[0.2, 0.3, 0.5])
    scores = rng.normal(size=(600, 3)) + (y[:, None] == list("abc"))
    for average in ("macro", "weighted"):
        found = accuracy_ratio_interval(y, scores, average=average)
        assert found.value == pytest.approx(
            accuracy_ratio_score(y, scores, average=average)
        )
        start = "weighted mean AR " if average == "weighted" else "mean AR "
        assert repr(found).startswith(start)
        shown = "(beta, 600 rows, 3 labels, each against the rest)"
        assert repr(found).endswith(shown)
        draws = []
        for _ in range(400):
            rows = rng.integers(600, size=600)
            draws.append(accuracy_ratio_score(y[rows], scores[rows], average=average))
        assert found.standard_error == pytest.approx(np.std(draws), rel=0.15)
    single = accuracy_ratio_interval(y, scores[:, 1], pos_label="b")
    assert found.by_label["b"].low == single.low
    assert found.to_auc().by_label["b"].value == (single.value + 1) / 2
    weight = rng.random(600) + 0.5
    weighted = accuracy_ratio_interval(y, scores, average="weighted", sample_weight=weight)
    expected = accuracy_ratio_score(y, scores, average="weighted", sample_weight=weight)
    assert weighted.value == pytest.approx(expected)
    assert weighted.standard_error == pytest.approx(found.standard_error, rel=0.3)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_the_error_of_an_average_is_that_of_its_derivatives(average):
    rng = np.random.default_rng(9)
    y = np.array(list("aabbbcccc" * 6))
    scores = rng.normal(size=(54, 3)) + 0.8 * (y[:, None] == list("abc"))
    w = rng.integers(1, 4, 54).astype(float)
    step, psi = 1e-5, np.empty(54)
    for row in range(54):
        ratios = []
        for sign in (1, -1):
            moved = w * (1 + sign * step * (np.arange(54) == row))
            ratios.append(
                accuracy_ratio_score(y, scores, average=average, sample_weight=moved)
            )
        psi[row] = (ratios[0] - ratios[1]) / (2 * step)
    variance = sum(
        (y == level).sum() / ((y == level).sum() - 1) * (psi[y == level] ** 2).sum()
        for level in "abc"
    )
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_interval(y, scores, average=average, sample_weight=w)
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)


def test_bca_by_its_formula():
    columns = read_columns(FEW_Y, FEW_S)
    drawn = np.array([c.accuracy_ratio for c in draw_replicates(columns, 500, 3)])
    ratio, _, _ = delong(FEW_Y, FEW_S)
    psi = compute_ratio_influence([columns]).psi[0]
    acceleration = (psi**3).sum() / (6 * (psi**2).sum() ** 1.5)
    bias = stats.norm.ppf((drawn < ratio).mean() + (drawn == ratio).mean() / 2)
    assert abs(bias) > 0.01
    shifted = bias + stats.norm.ppf([0.05, 0.95])
    ends = stats.norm.cdf(bias + shifted / (1 - acceleration * shifted))
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_interval(
            *(FEW_Y, FEW_S),
            method="bca",
            confidence_level=0.9,
            n_resamples=500,
            random_state=3,
        )
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, ends)))


def test_labels_without_rows_are_left_out_of_the_average():
    scores = np.eye(3)[[0, 1, 0, 1]] + np.arange(12).reshape(4, 3) % 5
    with pytest.warns() as caught:
        found = accuracy_ratio_interval(list("abab"), scores, labels=list("abc"))
    kinds = {warning.category for warning in caught}
    assert kinds == {FewEventsWarning, UndefinedMetricWarning}
    told = [str(warning.message) for warning in caught]
    assert (
        "the accuracy ratio of label 'c' is undefined, as no row has it, and left out of "
        "the average, which is that of 2 of 3 labels"
    ) in told
    assert repr(found).endswith("(beta, 4 rows, 2 of 3 labels)")
    assert "2 of 3 labels" in found._repr_html_()
    assert np.isnan(found.by_label["c"].value)
    with pytest.warns(UndefinedMetricWarning):
        alone = accuracy_ratio_interval(list("aa"), scores[:2, :2], labels=list("ab"))
    assert np.isnan([alone.value, alone.low]).all()


def test_a_perfect_average_is_not_certain():
    scores = np.eye(2)[[0, 1] * 20]
    found = accuracy_ratio_interval(list("ab") * 20, scores)
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(found.by_label["a"].low)
    wald = accuracy_ratio_interval(list("ab") * 20, scores, method="wald")
    assert np.isnan(wald.low)


def test_an_average_over_two_labels_says_why_it_counts_no_events():
    scores = np.column_stack([-S, S])
    found = accuracy_ratio_interval(Y, scores)
    shown = f"(beta, {len(Y):,} rows, 2 labels, each against the other)"
    assert repr(found).endswith(shown)
    assert "2 labels, each against the other" in found._repr_html_()


@pytest.mark.parametrize("fraction", [0.02, 0.1, 0.5, 0.9])
def test_capture_and_lift_have_nearly_the_limits_of_replicates(fraction):
    found = capture_rate_interval(Y, S, fraction=fraction)
    drawn = capture_rate_interval(
        Y, S, fraction=fraction, method="bootstrap", random_state=1
    )
    ends = [drawn.low, drawn.high]
    assert [found.low, found.high] == pytest.approx(ends, abs=0.015)
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.2)
    assert found.name == f"capture rate at {100 * fraction:g} %"
    lift = lift_interval(Y, S, fraction=fraction)
    numbers = (lift.value, lift.standard_error, lift.low, lift.high)
    captured = (found.value, found.standard_error, found.low, found.high)
    assert numbers == pytest.approx(np.array(captured) / fraction)
    assert lift.name == f"lift at {100 * fraction:g} %"
    assert np.isnan(drawn.p_value)


def test_shares_of_amounts_count_rows():
    """A row has an amount or none; an event is another outcome."""
    few = np.where(np.cumsum(RATE > 0) <= 15, RATE, 0.0)
    for make, name in {
        capture_rate_interval: "capture rate of amounts at 10 %",
        lift_interval: "lift of amounts at 10 %",
        response_rate_interval: "mean amount at 10 %",
    }.items():
        with pytest.warns(FewEventsWarning, match=r"effective rows above 0 \(fewer than"):
            found = make(few, S, fraction=0.1)
        assert found.name == name
        assert repr(found).endswith("(wilson, 15 rows above 0, 9,985 of 0)")
        shown = found._repr_html_()
        assert "Effective rows above 0" in shown
        assert "Few rows, so" in shown
        positive = make(RATE + 0.1, S, fraction=0.1)
        assert repr(positive).endswith("(wilson, 10,000 rows)")
        assert "Effective rows<" in positive._repr_html_()
    with pytest.warns(FewEventsWarning, match="rows above 0"):
        test = capture_rate_test(few, S, -S, fraction=0.1)
    with pytest.warns(FewEventsWarning, match="rows above 0"):
        ks = ks_interval(few, S, method="bootstrap", n_resamples=50)
    assert repr(ks).startswith("KS of amounts ")
    assert repr(test).startswith("capture rate of amounts at 10 % difference")


@pytest.mark.parametrize(("successes", "trials"), [(0, 9), (3, 7), (40, 41), (12, 400)])
def test_wilson_is_that_of_scipy(successes, trials):
    for level in (0.8, 0.95):
        expected = stats.binomtest(successes, trials).proportion_ci(level, "wilson")
        found = wilson_limits_t(successes / trials, trials, level)
        assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_capture_under_a_random_score_has_the_hypergeometric_error():
    rng = np.random.default_rng(6)
    y = np.arange(40_000) < 2_000
    found = capture_rate_interval(y, rng.random(40_000), fraction=0.3)
    error = stats.hypergeom(40_000, 2_000, 12_000).std() / 2_000
    assert found.standard_error == pytest.approx(error, rel=0.02)
    assert 0.01 < found.p_value <= 1


def test_capture_of_nothing_and_of_everything_is_certain():
    for fraction in (0, 1):
        found = capture_rate_interval(Y, S, fraction=fraction)
        assert (found.value, found.low, found.high) == (fraction,) * 3
        assert found.standard_error == 0


def test_capture_covers_whether_or_not_the_numbers_of_both_classes_are_given():
    y, n = np.arange(1000) < 400, 1000
    found = capture_rate_interval(y, -np.arange(1000), fraction=0.2)
    assert found.value == 0.5  # of a perfect ranking: the share divided by the event rate
    rate = stats.binomtest(400, n).proportion_ci(0.95, "wilson")
    assert found.low == pytest.approx(0.2 / rate.high, abs=0.005)
    assert found.high == pytest.approx(0.2 / rate.low, abs=0.005)
    error = 0.2 / 0.4**2 * np.sqrt(0.4 * 0.6 / n)
    assert found.standard_error == pytest.approx(error)
    drawn = capture_rate_interval(
        y, -np.arange(1000), fraction=0.2, method="bootstrap", random_state=1
    )
    assert drawn.standard_error == pytest.approx(error, rel=0.05)


def test_ks_is_tested_as_scipy_does():
    with pytest.warns(FewEventsWarning):
        found = ks_interval(FEW_Y, FEW_S)
    expected = stats.ks_2samp(FEW_S[FEW_Y == 1], FEW_S[FEW_Y == 0])
    assert found.value == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-6)
    large = ks_interval(Y, LOANS["exposure"])
    expected = stats.ks_2samp(
        LOANS["exposure"][Y == 1], LOANS["exposure"][Y == 0], method="asymp"
    )
    assert large.p_value == pytest.approx(expected.pvalue, rel=1e-3)


def test_ks_has_the_limits_of_a_difference_of_shares():
    found, drawn = ks_interval(Y, S), ks_interval(Y, S, method="bootstrap", random_state=1)
    assert found.low < drawn.low < drawn.high == pytest.approx(found.high, abs=0.01)
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.15)
    turned = ks_interval(Y, -S)
    assert (turned.value, turned.low) == pytest.approx((found.value, found.low))
    weighted = ks_interval(Y, S, sample_weight=LOANS["exposure"])
    assert weighted.standard_error > found.standard_error


@pytest.mark.parametrize(
    ("interval", "name"),
    [
        (accuracy_ratio_interval, "AR"),
        (ks_interval, "KS"),
        (lambda *data: capture_rate_interval(*data, fraction=0.1), "capture rate"),
    ],
    ids=["ratio", "ks", "capture"],
)
def test_equal_outcomes_leave_it_undefined(interval, name):
    with pytest.warns(UndefinedMetricWarning, match=f"{name}.*holds only events"):
        found = interval([1, 1], [1, 2])
    assert np.isnan([found.value, found.low, found.high, found.p_value]).all()
    assert (found.n_events, found.n_nonevents) == (2, 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_level": 95}, "`confidence_level` must lie between 0 and 1, got 95"),
        ({"method": "delong"}, "`method` must be 'beta', 'logit-t', "),
        ({"n_resamples": 0}, "`n_resamples` must be a positive whole number, got 0"),
        (
            {"weights": "counts"},
            "`weights` must be 'sampling' or 'frequency', got 'counts'",
        ),
        (
            {"weights": "frequency"},
            "`weights='frequency'` requires `sample_weight`, got None",
        ),
        (
            {"weights": "frequency", "sample_weight": S},
            "`sample_weight` must hold whole numbers if `weights='frequency'`",
        ),
        (
            {"weights": "frequency", "sample_weight": Y + 1, "clusters": Y},
            "`clusters` and `weights='frequency'` cannot be combined",
        ),
        (
            {"clusters": np.zeros(len(Y))},
            "`clusters` must name at least two clusters, got one",
        ),
        ({"clusters": np.full(len(Y), np.nan)}, "`clusters` must not hold missing values"),
        ({"clusters": [1, 2]}, "arrays must have equal lengths, got"),
        ({"method": "exact", "sample_weight": S}, "requires independent 0/1 events of e"),
        (
            {"method": "newcombe", "clusters": np.arange(len(Y))},
            "got clusters; use 'beta'",
        ),
        ({"labels": [0, 1]}, "`labels` does not apply to a one-dimensional `y_score`"),
    ],
    ids=lambda value: None if isinstance(value, str) else "-".join(value),
)
def test_what_has_no_meaning_is_refused(options, message):
    with pytest.raises(CapcurveError, match=re.escape(message)):
        accuracy_ratio_interval(Y, S, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"clusters": np.array([1, 2])},
            "`clusters` does not apply to a two-dimensional `y_score`",
        ),
        ({"method": "bca"}, "`method` must be 'beta', 'logit-t', 'logit' or 'wald'"),
        ({"average": "micro"}, "`average` must be 'macro' or 'weighted', got 'micro'"),
    ],
    ids=["groups", "method", "average"],
)
def test_what_has_no_meaning_for_labels_is_refused(options, message):
    with pytest.raises(CapcurveError, match=re.escape(message)):
        accuracy_ratio_interval(["a", "b"], [[1, 2], [2, 1]], **options)


def test_an_estimate_is_frozen_and_fits_a_line():
    found = accuracy_ratio_interval(Y, S)
    assert repr(found) == (
        "AR 0.573, 95 % interval 0.528 to 0.614 (beta, 453 events, 9,547 non-events)"
    )
    with pytest.raises(AttributeError):
        found.value = 1
    assert found.to_dict()["low"] == found.low
    assert isinstance(found, Estimate)


def test_without_scipy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "capcurve\[stats\]"'):
        accuracy_ratio_interval(Y, S)


def test_clusters_had_another_name():
    new = accuracy_ratio_interval(Y, S, clusters=np.arange(len(Y)) // 4)
    with pytest.warns(DeprecationWarning, match="`groups` is now `clusters`"):
        old = accuracy_ratio_interval(Y, S, groups=np.arange(len(Y)) // 4)
    assert (old.low, old.high) == (new.low, new.high)
    with pytest.raises(CapcurveError, match="`groups` is the old name"):
        accuracy_ratio_interval(Y, S, groups=Y, clusters=Y)


@pytest.mark.parametrize(
    "make",
    [
        lambda score: np.reshape(score, (-1, 1)),
        lambda score: [[each] for each in score],
        lambda score: pl.DataFrame({"p": score}),
        lambda score: pd.DataFrame({"p": score}),
    ],
    ids=["array", "list", "polars", "pandas"],
)
def test_a_single_column_of_scores_is_one_score(make):
    event, score = np.arange(24) % 2, FEW_S[:24]
    with pytest.warns(FewEventsWarning):
        expected = accuracy_ratio_interval(event, score)
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_interval(event, make(score))
    assert found.to_dict() == expected.to_dict()
    with pytest.raises(CapcurveError, match="`labels` does not apply to a one-dimensional"):
        accuracy_ratio_interval(event, make(score), labels=[0, 1])


@pytest.mark.parametrize("method", ["delong", "DeLong"])
def test_the_interval_called_delongs_is_named(method):
    with pytest.raises(
        CapcurveError,
        match=rf"^`method` must be 'beta', .* or 'exact', got '{method}'; pass 'wald' for "
        "the interval that is called DeLong's$",
    ):
        accuracy_ratio_interval([1, 0, 1, 0], [1, 2, 3, 4], method=method)
    with pytest.raises(CapcurveError, match=r"or 'bootstrap', got 'delong'; pass one of"):
        ks_interval([1, 0, 1, 0], [1, 2, 3, 4], method="delong")
