"""Tests of differences: by definition, by SciPy, on groups, and at the edges."""

import json
import re
import warnings
from dataclasses import fields, replace
from functools import partial

import numpy as np
import pytest
from scipy import stats

from capcurve import (
    CapcurveError,
    Estimate,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test,
    accuracy_ratio_test_independent,
    accuracy_ratio_test_initial,
    accuracy_ratio_test_joint,
    capture_rate_interval,
    somers_d_from_table,
    somers_d_interval,
)
from capcurve._inference.contrasts import adjust_holm
from capcurve.datasets import make_portfolio

RNG = np.random.default_rng(12)
Y = (np.arange(240) < 30).astype(int)
A, B, C = RNG.normal(size=(3, 240)) + np.array([[1.2], [0.8], [0.5]]) * Y
LOANS = make_portfolio()


def kernel(s):
    return np.sign(np.subtract.outer(s[Y == 1], s[Y == 0]))


def delong(first, second):
    """Difference, its variance, and degrees of freedom, by definition."""
    difference = kernel(first) - kernel(second)
    means = difference.mean(axis=1), difference.mean(axis=0)
    parts = np.array([mean.var(ddof=1) / len(mean) for mean in means])
    free = parts.sum() ** 2 / (parts**2 / [len(mean) - 1 for mean in means]).sum()
    return difference.mean(), parts.sum(), free


def test_the_paired_test_by_definition():
    value, variance, free = delong(A, B)
    plain = accuracy_ratio_test(Y, A, B, method="delong")
    t = accuracy_ratio_test(Y, A, B, method="delong-t")
    z = value / np.sqrt(variance)
    assert plain.value == pytest.approx(value)
    assert plain.statistic == pytest.approx(z)
    assert plain.p_value == pytest.approx(2 * stats.norm.sf(abs(z)))
    assert (plain.method, t.method) == ("delong", "delong-t")
    assert t.degrees_of_freedom == pytest.approx(free)
    assert t.p_value == pytest.approx(2 * stats.t.sf(abs(z), free))
    reach = stats.t.ppf(0.975, free) * np.sqrt(variance)
    assert (t.low, t.high) == pytest.approx((value - reach, value + reach))
    assert (t.n_events, t.n_nonevents) == (30, 210)


def test_the_unbiased_variance_by_definition():
    ranked = np.round(A, 1), np.round(B, 1)  # with ties
    difference = kernel(ranked[0]) - kernel(ranked[1])
    m, n = difference.shape
    rows, columns = difference.sum(axis=1), difference.sum(axis=0)
    squares, total = (difference**2).sum(), difference.sum()
    unbiased = (
        (rows @ rows) + (columns @ columns) - squares - (m + n - 1) * total**2 / (m * n)
    ) / (m * n * (m - 1) * (n - 1))
    found = accuracy_ratio_test(Y, *ranked, method="eht")
    assert found.standard_error**2 == pytest.approx(unbiased, rel=1e-10)
    assert found.standard_error < accuracy_ratio_test(Y, *ranked).standard_error
    assert found.method == "eht"


@pytest.mark.parametrize("margin", [0, 0.1])
def test_sides_and_margins(margin):
    value, variance, free = delong(A, B)
    error, t = np.sqrt(variance), stats.t(free)
    options = {"method": "delong-t", "margin": margin}
    better = accuracy_ratio_test(Y, A, B, alternative="greater", **options)
    assert better.p_value == pytest.approx(t.sf((value + margin) / error))
    assert better.low == pytest.approx(value - t.ppf(0.95) * error)
    assert better.high == 2
    worse = accuracy_ratio_test(Y, A, B, alternative="less", **options)
    assert worse.p_value == pytest.approx(t.cdf((value - margin) / error))
    assert worse.high == pytest.approx(value + t.ppf(0.95) * error)
    assert worse.low == -2


def test_groups_weights_and_amounts():
    rate = LOANS["loss"] / LOANS["exposure"]
    scores = LOANS["challenger_pd"], LOANS["champion_pd"]
    plain = accuracy_ratio_test(LOANS["default"], *scores)
    groups = np.arange(len(rate)) // 2
    clustered = accuracy_ratio_test(LOANS["default"], *scores, clusters=groups)
    assert clustered.standard_error == pytest.approx(plain.standard_error, rel=0.1)
    repeated = accuracy_ratio_test(
        *(np.repeat(each, 2) for each in (LOANS["default"], *scores)),
        clusters=np.repeat(np.arange(len(rate)), 2),
    )
    assert repeated.standard_error == pytest.approx(plain.standard_error, rel=1e-6)
    with pytest.warns(
        FewEventsWarning, match="few rows or clusters have most of the variance"
    ):
        weighted = accuracy_ratio_test(rate, *scores, sample_weight=LOANS["exposure"])
    draws = []
    rng = np.random.default_rng(3)
    for _ in range(200):
        rows = rng.integers(len(rate), size=len(rate))
        ratios = (
            accuracy_ratio_score(rate[rows], s[rows], sample_weight=LOANS["exposure"][rows])
            for s in scores
        )
        draws.append(np.subtract(*ratios))
    assert weighted.standard_error == pytest.approx(np.std(draws), rel=0.15)


def test_a_memo_line():
    assert repr(accuracy_ratio_test(Y, A, B)) == (
        "AR difference 0.161 (0.635 - 0.474), 95 % interval -0.130 to 0.460, p = 0.270 "
        "(two-sided, score, 30 events, 210 non-events)"
    )
    text = repr(accuracy_ratio_test(Y, A, B, alternative="greater", margin=0.05))
    assert "p = 0.075 (greater, margin 0.05, score" in text
    assert "upper limit" in repr(accuracy_ratio_test(Y, A, B, alternative="less"))
    assert "p < 0.001" in repr(accuracy_ratio_test(Y, A, -A))
    assert accuracy_ratio_test(Y, A, B).to_dict()["first"] > 0


def test_identical_rankings_do_not_differ():
    found = accuracy_ratio_test(Y, A, np.exp(A))
    assert (found.value, found.p_value, found.low, found.high) == (0, 1, 0, 0)
    for alternative in ("greater", "less", "equivalent"):
        within = accuracy_ratio_test(Y, A, A, alternative=alternative, margin=0.1)
        assert within.p_value == 0
        if alternative != "equivalent":
            assert accuracy_ratio_test(Y, A, A, alternative=alternative).p_value == 1


def test_two_perfect_scores_are_not_known_to_be_equal():
    first, second = Y + A.argsort().argsort() / 1000, Y + B.argsort().argsort() / 1000
    with pytest.warns(FewEventsWarning, match="0 wrongly ranked events"):
        found = accuracy_ratio_test(Y, first, second)
    assert (found.first, found.second, found.p_value) == (1, 1, 1)
    assert found.low < -0.05 < 0.05 < found.high
    with pytest.warns(FewEventsWarning):
        reversed_ = accuracy_ratio_test(Y, first, -second)
    assert reversed_.value == 2
    assert reversed_.p_value < 1e-3


def test_one_event_leaves_no_test():
    with pytest.warns(FewEventsWarning, match="is based on 1 event "):
        found = accuracy_ratio_test([1, 0, 0], [3, 1, 2], [1, 2, 3])
    assert np.isnan([found.p_value, found.standard_error, found.low]).all()
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_test([1, 0, 0], [3, 1, 2], [1, 2, 3], method="eht")
    assert np.isnan(found.p_value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "wald"}, "`method` must be 'score', 'delong', 'delong-t' or 'eht'"),
        (
            {"alternative": "better"},
            "`alternative` must be 'two-sided', 'greater', 'less' or",
        ),
        ({"margin": 0.1}, "`margin` requires a one-sided test or one of equivalence"),
        ({"alternative": "equivalent"}, "`alternative='equivalent'` requires a `margin`"),
        ({"margin": -1}, "`margin` must be a number from 0 to 2, got -1"),
        ({"confidence_level": 0}, "`confidence_level` must lie between 0 and 1, got 0"),
        ({"method": "eht", "clusters": A}, "`method='eht'` requires independent 0/1 eve"),
    ],
    ids=lambda value: None if isinstance(value, str) else "-".join(value),
)
def test_what_has_no_meaning_is_refused(options, message):
    with pytest.raises(CapcurveError, match=re.escape(message)):
        accuracy_ratio_test(Y, A, B, **options)


def test_the_argument_is_named():
    with pytest.raises(CapcurveError, match="`y_score_b` must not hold missing values"):
        accuracy_ratio_test(Y, A, np.where(Y, np.nan, B))
    with pytest.raises(CapcurveError, match=r"`y_score_b` \(239,\)"):
        accuracy_ratio_test(Y, A, B[1:])
    with pytest.raises(CapcurveError, match="the test is undefined: `y_true` holds only"):
        accuracy_ratio_test(np.ones(240), A, B)


def test_several_scores_by_definition():
    scores = {"a": A, "b": B, "c": C}
    found = accuracy_ratio_test_joint(Y, scores, method="delong")
    kernels = [kernel(s) for s in scores.values()]
    matrix = sum(
        np.cov([each.mean(axis=axis) for each in kernels]) / kernels[0].shape[1 - axis]
        for axis in (0, 1)
    )
    theta = np.array([each.mean() for each in kernels])
    contrasts = np.array([[1, 0, -1], [0, 1, -1]])
    difference = contrasts @ theta
    statistic = difference @ np.linalg.solve(contrasts @ matrix @ contrasts.T, difference)
    # Krishnamoorthy and Yu (2004), their formula for two samples of different covariance
    inverse = np.linalg.inv(contrasts @ matrix @ contrasts.T)
    shares = [
        contrasts
        @ np.cov([each.mean(axis=axis) for each in kernels])
        @ contrasts.T
        / kernels[0].shape[1 - axis]
        @ inverse
        for axis in (1, 0)
    ]
    spread = sum(
        (np.trace(share @ share) + np.trace(share) ** 2) / (n - 1)
        for share, n in zip(shares, (30, 210), strict=True)
    )
    free = (2 + 2**2) / spread
    assert found.statistic == pytest.approx(statistic * (free - 1) / (2 * free))
    assert (found.degrees_of_freedom, found.residual_degrees_of_freedom) == (
        2,
        pytest.approx(free - 1),
    )
    assert found.p_value == pytest.approx(stats.f.sf(found.statistic, 2, free - 1))
    assert list(found.ratios.values()) == pytest.approx(theta)
    alone = accuracy_ratio_test(Y, A, C, method="delong")
    assert found.pairs["a", "c"].p_value == pytest.approx(alone.p_value)
    own = accuracy_ratio_test_joint(Y, scores, contrasts=[1, -1, 0], method="delong")
    t = accuracy_ratio_test(Y, A, B, method="delong-t")
    assert own.statistic == pytest.approx(t.statistic**2)
    assert own.residual_degrees_of_freedom == pytest.approx(t.degrees_of_freedom)
    assert own.p_value == pytest.approx(t.p_value)
    assert repr(own).startswith("AR a 0.635, b 0.474, c 0.")
    assert re.search(r": F 1\.\d+ on 1 and \d+\.?\d* degrees of freedom", repr(own))


def test_scores_that_rank_alike_take_a_degree_of_freedom():
    pair = accuracy_ratio_test_joint(Y, {"a": A, "b": B})
    triple = accuracy_ratio_test_joint(Y, {"a": A, "b": B, "again": np.exp(A)})
    assert triple.degrees_of_freedom == pair.degrees_of_freedom == 1
    assert triple.statistic == pytest.approx(pair.statistic)
    same = accuracy_ratio_test_joint(Y, {"a": A, "again": np.exp(A)})
    assert (same.degrees_of_freedom, same.p_value) == (0, 1)


def test_scores_may_be_named_like_arguments():
    plain = accuracy_ratio_test_joint(Y, {"a": A, "b": B, "c": C})
    named = accuracy_ratio_test_joint(Y, {"y_true": A, "groups": B, "sample_weight": C})
    assert list(named.ratios.values()) == list(plain.ratios.values())
    assert named.p_value == plain.p_value


def test_rounding_is_no_degree_of_freedom():
    scores = {"a": A, "b": np.exp(A), "c": np.arctan(A)}
    weight = 0.1 + RNG.random(240)
    same = accuracy_ratio_test_joint(
        Y, scores, contrasts=[[0.1, 0.2, -0.3], [1, -3, 2]], sample_weight=weight
    )
    assert (same.degrees_of_freedom, same.p_value) == (0, 1)


def test_contrasts_without_variance_leave_no_test():
    scores = {"a": [6, 3, 2, 5], "b": [5, 0, 1, 6]}
    with pytest.warns(FewEventsWarning, match="based on 2 events"):
        found = accuracy_ratio_test_joint([1, 1, 0, 0], scores)
    assert np.isnan([found.statistic, found.p_value]).all()
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_test_joint([1, 0, 0], {"a": [3, 1, 2], "b": [1, 2, 3]})
    assert np.isnan([found.p_value, found.p_holm["a", "b"]]).all()


def test_holm_by_hand():
    assert adjust_holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert adjust_holm([0.5, 0.9]) == [1, 1]
    assert adjust_holm([0.02, np.nan, 0.01]) == pytest.approx(
        [0.04, np.nan, 0.03], nan_ok=True
    )


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ({"a": A}, {}, "`y_scores` must hold at least two scores, got ['a']"),
        ({"a": A, "b": B}, {"contrasts": [1, 0, -1]}, "a column for each of the 2 scores"),
        ({"a": A, "b": ["x"] * 240}, {}, "`y_scores['b']` must hold numbers"),
    ],
    ids=["one", "contrasts", "text"],
)
def test_what_can_not_be_compared_is_refused(scores, options, message):
    with pytest.raises(CapcurveError, match=re.escape(message)):
        accuracy_ratio_test_joint(Y, scores, **options)


def test_two_samples_by_definition():
    half = np.arange(len(LOANS["default"])) % 2 == 0
    first, second = (
        accuracy_ratio_interval(LOANS["default"][rows], LOANS["champion_pd"][rows])
        for rows in (half, ~half)
    )
    found = accuracy_ratio_test_independent(first, second)
    pooled = np.average(
        [(first.value + 1) / 2, (second.value + 1) / 2],
        weights=[first.n_trials, second.n_trials],
    )
    parts = pooled * (1 - pooled) / np.array([first.n_trials, second.n_trials])
    z = (first.value - second.value) / 2 / np.sqrt(parts.sum())
    assert found.statistic == pytest.approx(z)
    dfs = np.array([first.degrees_of_freedom, second.degrees_of_freedom])
    free = parts.sum() ** 2 / (parts**2 / dfs).sum()
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(z), free))
    error = np.hypot(first.standard_error, second.standard_error)
    assert found.standard_error == pytest.approx(error)
    assert found.n_events == min(first.n_events, second.n_events)
    for level in (found.low, found.high):
        at_limit = accuracy_ratio_test_independent(
            first, second, alternative="greater" if level < 0 else "less", margin=abs(level)
        )
        assert at_limit.p_value == pytest.approx(0.025)
    perfect = accuracy_ratio_interval(LOANS["default"], LOANS["default"])
    with pytest.warns(FewEventsWarning, match="0 wrongly ranked events"):
        equal = accuracy_ratio_test_independent(perfect, perfect)
    assert (equal.p_value, equal.standard_error) == (1, 0)
    assert equal.low < 0 < equal.high
    with pytest.raises(CapcurveError, match="same statistic, got AR and AUC"):
        accuracy_ratio_test_independent(first, second.to_auc())
    for use in (Estimate.to_auc, partial(accuracy_ratio_test_initial, initial_auc=0.8)):
        with pytest.raises(
            CapcurveError, match="follows from AR or Somers' D, got AUC, wh"
        ):
            use(second.to_auc())


def test_against_the_initial_auc():
    current = accuracy_ratio_interval(LOANS["default"], LOANS["champion_pd"])
    alone = accuracy_ratio_test_initial(current, initial_auc=0.81)
    assert alone.two_sample is None
    error = current.standard_error / 2
    assert alone.ecb.p_value == pytest.approx(
        stats.norm.sf((0.81 - (current.value + 1) / 2) / error)
    )
    both = accuracy_ratio_test_initial(current, initial_auc=0.81, initial_variance=error**2)
    assert both.ecb.p_value == alone.ecb.p_value
    assert both.two_sample.statistic == pytest.approx(
        alone.ecb.statistic / np.sqrt(2), rel=0.01
    )
    known = accuracy_ratio_test_initial(current, initial_auc=0.81, initial_variance=0)
    assert known.two_sample.p_value == pytest.approx(alone.ecb.p_value, rel=0.3)
    with pytest.warns(FewEventsWarning, match="that of about 1 event .* would be 0.1\\)"):
        certain = accuracy_ratio_test_initial(current, initial_auc=1, initial_variance=0.01)
    assert 0 < certain.two_sample.p_value < 0.5
    assert repr(both) == f"{both.ecb!r}\n{both.two_sample!r}"
    assert repr(alone) == repr(alone.ecb)
    few = "17.5 effective pairs of rows"
    with pytest.warns(FewEventsWarning, match=few):
        lgd = somers_d_from_table([[8, 3, 1], [3, 6, 4], [1, 2, 7]])
    with pytest.warns(FewEventsWarning, match=few):
        gauc = accuracy_ratio_test_initial(lgd, initial_auc=0.8).ecb
    assert (gauc.name, gauc.second) == ("gAUC", pytest.approx(309 / 406))


def test_results_of_several_tests_are_plain_dictionaries():
    joint = accuracy_ratio_test_joint(Y, {"a": A, "b": B, "c": C})
    plain = json.loads(json.dumps(joint.to_dict()))
    assert list(plain) == [each.name for each in fields(joint)]
    assert plain["ratios"] == joint.ratios
    assert {first: list(others) for first, others in plain["pairs"].items()} == {
        "a": ["b", "c"],
        "b": ["c"],
    }
    assert plain["pairs"]["b"]["c"] == joint.pairs["b", "c"].to_dict()
    assert plain["p_holm"]["a"]["c"] == joint.p_holm["a", "c"]
    current = accuracy_ratio_interval(LOANS["default"], LOANS["champion_pd"])
    alone = accuracy_ratio_test_initial(current, initial_auc=0.81)
    assert json.loads(json.dumps(alone.to_dict())) == {
        "ecb": alone.ecb.to_dict(),
        "two_sample": None,
        "degrees_of_freedom": alone.degrees_of_freedom,
    }
    both = accuracy_ratio_test_initial(current, initial_auc=0.81, initial_variance=1e-4)
    assert both.to_dict()["two_sample"] == both.two_sample.to_dict()


def test_few_events_now_are_told_whatever_is_known_of_the_initial_auc():
    event = LOANS["default"] == 1
    few = ~event | (np.cumsum(event) <= 6)
    with pytest.warns(FewEventsWarning):
        current = accuracy_ratio_interval(event[few], LOANS["champion_pd"][few])
    for variance, test in ((None, "the ECB's test"), (0.0001, "each test")):
        told = (
            rf"{test} against initial validation is based on 6 events \(fewer than 20\), "
            "so it may not keep its level"
        )
        with pytest.warns(FewEventsWarning, match=told) as caught:
            found = accuracy_ratio_test_initial(
                current, initial_auc=0.8, initial_variance=variance
            )
        assert len(caught) == 1
        assert found.ecb.n_effective == 6
    ranked = accuracy_ratio_interval([0] * 200 + [1] * 20, [*range(219), 0])
    with pytest.warns(FewEventsWarning, match="wrongly ranked events, by the AUC"):
        accuracy_ratio_test_initial(ranked, initial_auc=0.95)


def test_few_wrongly_ranked_rows_of_amounts_are_not_called_events():
    amounts = np.arange(90) ** 2
    ranked = somers_d_interval(amounts, amounts % 7 + np.arange(90))
    with pytest.warns(
        FewEventsWarning, match="[0-9] effective pairs ranked wrongly, by the gAUC"
    ):
        accuracy_ratio_test_initial(ranked, initial_auc=0.99)
    scores = np.arange(90), amounts % 7 + np.arange(90)
    with pytest.warns(
        FewEventsWarning, match="[0-9] effective pairs ranked wrongly, by the AR"
    ):
        accuracy_ratio_test(amounts + 9_000.5, *scores)


def test_few_errors_of_a_capture_rate_are_not_called_wrongly_ranked():
    y = np.repeat([1, 0], [30, 300])
    score = np.r_[np.linspace(0.4, 1, 30), np.linspace(0, 0.5, 300)]
    rate = capture_rate_interval(y, score, fraction=0.2)
    told = (
        r"on [0-9.]* rows, the smaller class times the smaller of the capture rate at 20 "
        r"% and 1 minus it \(fewer than 5\)"
    )
    with pytest.warns(FewEventsWarning, match=told):
        accuracy_ratio_test_independent(rate, rate)


def test_few_amounts_are_pairs_of_rows_in_every_test():
    """Nearly all pairs are of a loss and a zero: 8 losses make almost 16 equal rows."""
    loss = np.r_[np.linspace(1000.5, 1070.5, 8), np.zeros(392)]
    a, b = np.arange(400) * 37 % 400, np.arange(400) * 41 % 400
    few = r"based on 15\.7 effective pairs of rows \(fewer than 20\)"
    with pytest.warns(FewEventsWarning, match=few):
        either = [accuracy_ratio_interval(loss, score) for score in (a, b)]
    with pytest.warns(FewEventsWarning, match=few):
        found = accuracy_ratio_test(loss, a, b)
    with pytest.warns(FewEventsWarning, match=few):
        joint = accuracy_ratio_test_joint(loss, {"a": a, "b": b})
    with pytest.warns(FewEventsWarning, match=few):
        independent = accuracy_ratio_test_independent(*either)
    of_joint = joint.pairs["a", "b"]
    names = {each.name for each in (*either, found, of_joint, independent)}
    assert names == {"AR of amounts"}
    assert found.n_effective == of_joint.n_effective == either[0].n_effective


@pytest.mark.parametrize(
    ("initial_auc", "is_told"),
    [
        (0.58, True),  # AR of 0.57, as it is now
        (0.45, True),
        (0.7, False),  # an AUC of 0.85 is hardly nearer
        (0.74, False),
        (0.77, False),  # less than three standard errors below
        (0.79, False),
        (0.9, False),
    ],
)
def test_an_ar_that_is_passed_as_auc_is_told(initial_auc, is_told):
    current = accuracy_ratio_interval(LOANS["default"], LOANS["champion_pd"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        accuracy_ratio_test_initial(current, initial_auc=initial_auc)
    told = (
        "AUC is above the initial one by more than three standard errors: is "
        f"{initial_auc:g} an AR? As an AUC it is (AR + 1) / 2 = {(initial_auc + 1) / 2:g}"
    )
    assert [str(each.message) for each in caught] == [told] * is_told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"initial_auc": 80}, "`initial_auc` must be an AUC from 0 to 1, got 80"),
        ({"initial_auc": np.nan}, "`initial_auc` must be an AUC from 0 to 1, got nan"),
        ({"initial_auc": 0.8, "initial_variance": -1}, "`initial_variance` must not be"),
        (
            {"initial_auc": 0.8, "initial_variance": 0.17},
            "must be at most 0.16, which no variance of an AUC of 0.8 exceeds, got 0.17",
        ),
    ],
    ids=["percent", "nan", "variance", "impossible"],
)
def test_initial_values_that_can_not_be_are_refused(options, message):
    current = accuracy_ratio_interval(LOANS["default"], LOANS["champion_pd"])
    with pytest.raises(CapcurveError, match=message):
        accuracy_ratio_test_initial(current, **options)


def test_a_negative_variance_is_announced():
    with (
        pytest.warns(UndefinedMetricWarning, match="EHT variance of the difference is n"),
        pytest.warns(FewEventsWarning),
    ):
        accuracy_ratio_test([1, 1, 0, 0], [0, 1, 0, 2], [1, 3, 0, 2], method="eht")


def test_equivalence_is_two_one_sided_tests():
    options = {"alternative": "equivalent", "margin": 0.4}
    found = accuracy_ratio_test(Y, A, B, **options)
    sides = [
        accuracy_ratio_test(Y, A, B, alternative=side, margin=0.4)
        for side in ("greater", "less")
    ]
    assert found.p_value == max(side.p_value for side in sides)
    assert (found.low, found.high) == (sides[0].low, sides[1].high)
    assert "95 % limits" in repr(found)
    assert (found.p_value < 0.05) == (found.low > -0.4 and found.high < 0.4)
    loans = [LOANS[name] for name in ("challenger_pd", "champion_pd")]
    shown = accuracy_ratio_test(LOANS["default"], *loans, **options | {"margin": 0.05})
    assert shown.p_value < 0.05
    assert -0.05 < shown.low < shown.high < 0.05


def test_a_perfectly_ranked_sample_is_not_taken_as_known():
    """20 events of 400 against 45 of 900 with AR 0.78."""
    y, rng = (np.arange(400) < 20).astype(int), np.random.default_rng(1)
    other = (np.arange(900) < 45).astype(int)
    s = rng.normal(size=900) + 1.75 * other
    second = accuracy_ratio_interval(other, s)
    assert 0.7 < second.value < 0.85
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_test_independent(accuracy_ratio_interval(y, y), second)
    assert found.p_value > 0.02
    assert found.low < found.value < found.high


def test_a_one_sided_limit_at_half_the_confidence_is_the_difference():
    found = accuracy_ratio_test(Y, A, B, alternative="greater", confidence_level=0.5)
    assert found.low == pytest.approx(found.value)
    nearby = accuracy_ratio_test(Y, A, B, alternative="greater", confidence_level=0.51)
    assert nearby.low == pytest.approx(found.low, abs=0.01)


def test_two_amounts_leave_no_test():
    with pytest.warns(FewEventsWarning):
        found = accuracy_ratio_test([0.4, 0.8], [1, 2], [2, 1], target_type="continuous")
    assert np.isnan([found.p_value, found.low]).all()


def test_few_rows_of_large_weight_are_told():
    rng = np.random.default_rng(9)
    y = (np.arange(1500) < 500).astype(int)
    s = rng.normal(size=1500) + y
    estimates = [
        accuracy_ratio_interval(y, s, sample_weight=np.exp(-1.2 * s)),
        accuracy_ratio_interval(y, s),
    ]
    assert estimates[0].n_effective > 20
    with pytest.warns(FewEventsWarning, match=r"based on \d\.?\d? degrees of freedom"):
        accuracy_ratio_test_independent(*estimates)


@pytest.mark.parametrize("kind", ["events", "amounts"])
def test_few_degrees_of_freedom_are_told_where_the_initial_auc_is_known(kind):
    score, noise = np.random.default_rng(3).normal(size=(2, 1500))
    outcome = score + noise > 1.2 if kind == "events" else np.exp(score + noise / 2)
    place = np.argmin(np.where(outcome > 0, score, np.inf))
    outcome[place] = outcome.max()  # ranked last, and by far the heaviest
    weight = np.where(np.arange(1500) == place, 40.0, 1.0)
    interval = accuracy_ratio_interval if kind == "events" else somers_d_interval
    current = interval(outcome, score, sample_weight=weight)
    assert current.n_effective > 20
    assert current.degrees_of_freedom < 10
    told = r"degrees of freedom \(fewer than 10\), as few rows or clusters have most of "
    with pytest.warns(FewEventsWarning, match=told):
        found = accuracy_ratio_test_initial(current, initial_auc=0.95)
    assert found.ecb.degrees_of_freedom == np.inf
    assert found.degrees_of_freedom == current.degrees_of_freedom
    assert "degrees of freedom (fewer than 10)" in found._repr_html_()


def test_few_wrongly_ranked_events_of_the_initial_sample_are_called_its_own():
    current = accuracy_ratio_interval(LOANS["default"], LOANS["champion_pd"])
    text = r"`initial_variance` is that of about 1.6 wrongly ranked events \(fewer than 5\)"
    with pytest.warns(FewEventsWarning, match=text) as caught:
        accuracy_ratio_test_initial(
            current, initial_auc=0.92, initial_variance=0.92 * 0.001
        )
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # 80 trials of a proportion are just 20 events
        accuracy_ratio_test_initial(current, initial_auc=0.75, initial_variance=0.1875 / 80)


@pytest.mark.parametrize(
    ("auc", "variance", "text"),
    [
        (0.92, 0.92 * 0.001, r"1.6 wrongly ranked pairs of rows \(fewer than 10\)"),
        (0.7, 0.01, r"5 pairs of equal rows \(fewer than 20;"),
        (0.7, 0.05, r"1 pair of equal rows \(fewer than 20;"),
    ],
)
def test_few_of_an_initial_sample_of_amounts_are_pairs(auc, variance, text):
    current = somers_d_interval(LOANS["loss"], LOANS["champion_pd"])
    with pytest.warns(FewEventsWarning, match=f"is that of about {text}"):
        accuracy_ratio_test_initial(current, initial_auc=auc, initial_variance=variance)


def test_a_small_sample_is_told_beside_that_of_initial_validation():
    with pytest.warns(FewEventsWarning, match="12 events"):
        small = accuracy_ratio_interval([*np.ones(12), *np.zeros(90)], np.arange(102.0) % 7)
    with pytest.warns(FewEventsWarning) as caught:
        accuracy_ratio_test_initial(small, initial_auc=0.7, initial_variance=0.01)
    told = [str(each.message) for each in caught]
    assert any(
        text.startswith("`initial_variance` is that of about 5 events") for text in told
    )
    assert any(text.startswith("each test against initial val") for text in told)


@pytest.mark.parametrize("score", [np.arange(300) < 40, np.ones(300)])
@pytest.mark.filterwarnings("ignore:the interval is based:capcurve.FewEventsWarning")
def test_a_test_against_initial_validation_that_was_not_made_is_not_doubted(score):
    current = accuracy_ratio_interval(np.arange(300) < 40, score, method="logit-t")
    with warnings.catch_warnings():
        warnings.simplefilter("error", FewEventsWarning)
        found = accuracy_ratio_test_initial(current, initial_auc=0.8)
    assert np.isnan(found.ecb.p_value)


def test_each_test_against_initial_validation_is_doubted_for_its_own_reason():
    """The normal distribution of the ECB's test does not allow for few rows of weight."""
    current = accuracy_ratio_interval(LOANS["default"], LOANS["champion_pd"])
    few = replace(current, degrees_of_freedom=7.0)
    with pytest.warns(FewEventsWarning, match="^the ECB's test .* on 7 degrees") as caught:
        accuracy_ratio_test_initial(few, initial_auc=0.8, initial_variance=0.001)
    assert len(caught) == 1
    perfect = accuracy_ratio_interval([0] * 200 + [1] * 30, [*range(230)])
    with pytest.warns(FewEventsWarning, match="^the two-sample test") as caught:
        accuracy_ratio_test_initial(perfect, initial_auc=0.9, initial_variance=1e-4)
    assert len(caught) == 1
