"""Tests of groups can be derived from the words of a report, and from nothing else."""

from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
from scipy import stats

from capcurve import report
from derived import beta_limits, rank, read, shrink
from designs import each_design

RANDOM = np.random.default_rng(23)
N = 900
SCORE = RANDOM.normal(size=N)
UNIT = RANDOM.integers(0, 500, N)
ROWS = {
    "event": RANDOM.binomial(1, 1 / (1 + np.exp(1 - 0.8 * SCORE))),
    "loss": np.round(np.exp(SCORE + RANDOM.normal(size=N)) * RANDOM.binomial(1, 0.6, N), 1),
    "score": np.round(SCORE, 1),
    "n": RANDOM.integers(1, 3, N),
    "w": RANDOM.uniform(0.5, 2, N),
    "b": UNIT,
    "region": np.where(np.arange(N) < 15, 9, UNIT % 4),  # 9 has few events, 4 shares none
    "year": RANDOM.integers(2020, 2025, N),
}
ROWS["b"] = np.where(np.arange(N) < 15, 1_000 + np.arange(N), UNIT)
pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")


class Group(NamedTuple):
    """A group: AUC, C, V and nu, the pairs of its classes, and the smaller size."""

    auc: float
    c: float
    v_auc: float
    nu: float
    pairs: float
    size: float

    @property
    def z(self):
        return np.arcsin(np.sqrt(self.auc))

    @property
    def v(self):
        return self.v_auc / (4 * self.c * (1 - self.c))


def measure(sample, by):
    """Measure each group, and correlate groups that share clusters."""
    names, units = np.unique(sample.groups[by]), np.unique(sample.unit)
    groups, moved = [], np.zeros((len(names), len(units)))
    for place, name in enumerate(names):
        rows = sample.groups[by] == name
        own = sample.take(rows)
        ratio, psi, weight = rank(own, own.scores["score"])
        share = shrink(own, ratio, psi, weight, 1 / 2)
        pairs = own.w[own.y].sum() * own.w[~own.y].sum()
        groups.append(
            Group((1 + ratio) / 2, share.c, share.v, share.df, pairs, min(share.sizes))
        )
        np.add.at(moved[place], np.searchsorted(units, own.unit), psi)
    squares = moved @ moved.T
    is_shared = sample.is_clustered and (squares - np.diag(np.diag(squares))).any()
    r = (1 - 1e-6) * squares / np.sqrt(np.outer(np.diag(squares), np.diag(squares)))
    np.fill_diagonal(r, 1)
    return list(names), groups, r if is_shared else np.eye(len(names))


def column(groups, name):
    return np.array([getattr(group, name) for group in groups])


def test_all(groups, r, *, is_shared):
    """Find F, its degrees of freedom and the p-value."""
    k, w, z = len(groups), 1 / column(groups, "v"), column(groups, "z")
    covariance = r / np.sqrt(np.outer(w, w))
    p = np.diag(w) - np.outer(w, w) / w.sum()
    form = p @ covariance
    c = np.trace(form) if is_shared else k - 1
    df_1 = c**2 / np.trace(form @ form) if is_shared else k - 1
    unsure = ((1 - w / w.sum()) ** 2 / column(groups, "nu")).sum()
    f = w @ (z - w @ z / w.sum()) ** 2 / c / (1 + 2 * (k - 2) * unsure / (k**2 - 1))
    df_2 = (k**2 - 1) / (3 * unsure)
    return f, df_1, df_2, stats.f.sf(f, df_1, df_2)


test_all.__test__ = False


def compare_rest(groups, r, g):
    """Find T, its degrees of freedom and the p-value of a group against the others."""
    others = [place for place in range(len(groups)) if place != g]
    rest, own = [groups[place] for place in others], groups[g]
    q = column(rest, "pairs") / column(rest, "pairs").sum()
    v_auc = column(rest, "v_auc")
    errors = q * np.sqrt(v_auc)
    mean = Group(
        q @ column(rest, "auc"),
        q @ column(rest, "c"),
        errors @ r[np.ix_(others, others)] @ errors,
        (q**2 @ v_auc) ** 2 / (q**4 * v_auc**2 / column(rest, "nu")).sum(),
        0,
        0,
    )
    spread = own.c * (1 - own.c) * mean.c * (1 - mean.c)
    cov = np.sqrt(own.v_auc) * r[g, others] @ errors / (4 * np.sqrt(spread))
    t = (own.z - mean.z) / np.sqrt(own.v + mean.v - 2 * cov)
    df = (own.v + mean.v) ** 2 / (own.v**2 / own.nu + mean.v**2 / mean.nu)
    return t, df, 2 * stats.t.sf(abs(t), df), 2 * mean.auc - 1


def adjust(p_values):
    """Adjust by Holm's method."""
    order = np.argsort(p_values)
    factors = len(p_values) - np.arange(len(p_values))
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(factors * p_values[order]))
    return adjusted


@each_design
@pytest.mark.parametrize("by", ["region", "year"])
def test_tests_of_groups_can_be_derived_from_the_words(by, options):
    facts = report(pl.DataFrame(ROWS), "event", "score", by=by, **options).facts
    (split,) = facts["segments"]
    sample = read(ROWS, "event", ["score"], groups=[by], **options)
    names, groups, r = measure(sample, by)
    large = [place for place, group in enumerate(groups) if group.size >= 20]
    assert (len(large) < len(groups)) is (by == "region")
    (found,) = split["homogeneity"]
    is_shared = "clusters" in options and by == "year"
    assert found["shares_clusters"] is is_shared
    tested = [groups[place] for place in large]
    values = test_all(tested, r[np.ix_(large, large)], is_shared=is_shared)
    keys = ("statistic", "df_1", "df_2", "p_value")
    assert [found[key] for key in keys] == pytest.approx(values, rel=1e-9)
    rows = {int(row["group"]): row for row in split["groups"]}
    rest = [compare_rest(groups, r, g) for g in range(len(groups))]
    keys = ("statistic", "degrees_of_freedom", "p_value", "rest")
    for name, values in zip(names, rest, strict=True):
        assert [rows[name][key] for key in keys] == pytest.approx(values, rel=1e-9)
    adjusted = adjust(np.array([rest[place][2] for place in large]))
    found = [rows[names[place]]["p_adjusted"] for place in large]
    assert found == pytest.approx(adjusted, rel=1e-9)
    unadjusted = {name for name in names if rows[name]["p_adjusted"] is None}
    assert unadjusted == {9} & set(names)


@each_design
def test_a_trend_can_be_derived_from_the_words(options):
    facts = report(pl.DataFrame(ROWS), "event", "score", period="year", **options).facts
    (found,) = facts["periods"][0]["trend"]
    sample = read(ROWS, "event", ["score"], groups=["year"], **options)
    _, groups, r = measure(sample, "year")
    x, e = np.arange(len(groups)), column(groups, "size")
    z, v, nu = (column(groups, name) for name in ("z", "v", "nu"))
    x_0, z_0 = e @ x / e.sum(), e @ z / e.sum()
    a = e * (x - x_0) / (e @ (x - x_0) ** 2)
    slope, s = a @ z, np.sqrt((a * np.sqrt(v)) @ r @ (a * np.sqrt(v)))
    df = (a**2 @ v) ** 2 / (a**4 * v**2 / nu).sum()

    def fit(place, slope):
        return -np.cos(2 * np.clip(z_0 + slope * (place - x_0), 0, np.pi / 2))

    def change(slope):
        return (fit(x[-1], slope) - fit(0, slope)) / x[-1]

    q = stats.t.ppf(0.975, df)
    assert found["degrees_of_freedom"] == pytest.approx(df, rel=1e-9)
    assert found["statistic"] == pytest.approx(slope / s, rel=1e-9)
    assert found["p_value"] == pytest.approx(2 * stats.t.sf(abs(slope / s), df), rel=1e-9)
    assert found["first"] == pytest.approx(fit(0, slope), rel=1e-9)
    expected = [change(slope), change(slope - q * s), change(slope + q * s)]
    assert [found["change"], found["low"], found["high"]] == pytest.approx(expected)


def pool(sample, by):
    """Find the pooled AR, the influence of each row, and what sizes are made of."""
    group = sample.groups[by]
    same = group[:, None] == group
    signs = np.sign(sample.scores["score"][:, None] - sample.scores["score"]) * same
    y, w = sample.y, sample.w
    if not sample.is_event:
        k = (signs * (y[:, None] - y)) @ w
        b = (np.abs(y[:, None] - y) * same) @ w
        ratio = w @ k / (w @ b)
        return ratio, 2 * w * (k - ratio * b) / (w @ b), w * b
    other = same & (y[:, None] != y)
    o = other @ w
    v = np.where(y, 1, -1) * ((signs * other) @ w) / o
    total = (w * o)[y].sum()
    ratio = (w * o * v)[y].sum() / total
    return ratio, w * o * (v - ratio) / total, w * o


@each_design
@pytest.mark.parametrize("outcome", ["event", "loss"])
def test_the_pooled_ratio_can_be_derived_from_the_words(outcome, options):
    facts = report(pl.DataFrame(ROWS), outcome, "score", by="year", **options).facts
    found = facts["segments"][0]["total"][0]["pooled"]
    (words,) = (each for each in facts["methods"] if each["topic"] == "Pooled AR")
    has_cross_term = outcome == "event" and "clusters" in options
    assert ("L / (2 (L - 1)) sum of A B" in words["formula"]) == has_cross_term
    sample = read(ROWS, outcome, ["score"], groups=["year"], **options)
    ratio, psi, weight = pool(sample, "year")
    share = shrink(sample, ratio, psi, weight, 1 / 2)
    assert found["value"] == pytest.approx(ratio, rel=1e-9)
    assert found["degrees_of_freedom"] == pytest.approx(share.df, rel=1e-9)
    assert [found["low"], found["high"]] == pytest.approx(beta_limits(share), rel=1e-9)


def test_pooled_amounts_have_words_of_their_own():
    facts = report(pl.DataFrame(ROWS), "loss", "score", by="year", method="wald").facts
    methods = {each["topic"]: each for each in facts["methods"]}
    assert "sum of w b" in methods["Pooled AR"]["formula"]
    assert "event" not in methods["Pooled AR"]["text"]
    # Somers' D has limits by the beta distribution whatever the method of AR is.
    assert "Confidence interval by the beta distribution" in methods
    assert methods["Confidence interval of AR"]["formula"].startswith(
        "limits of AR = AR -+"
    )


def test_dependent_groups_have_formulas_with_their_covariance():
    options = {"by": "region", "period": "year", "clusters": "b"}
    facts = report(pl.DataFrame(ROWS), "event", "score", **options).facts
    methods = {each["topic"]: each for each in facts["methods"]}
    assert "sum of a_g a_h Z_gh" in methods["Trend"]["formula"]
    assert (
        "R_gg = 1" in methods["Differences between groups that share clusters"]["formula"]
    )
    assert "cov = sum of q_h R_gh" in methods["A group against the others"]["formula"]
    alone = report(pl.DataFrame(ROWS), "event", "score", by="year", period="year").facts
    methods = {each["topic"]: each for each in alone["methods"]}
    assert "s^2 = sum of a^2 v;" in methods["Trend"]["formula"]
    assert "cov" not in methods["A group against the others"]["formula"]
    assert "(k^2 - 1) / (3 L)" in methods["Differences between groups"]["formula"]
