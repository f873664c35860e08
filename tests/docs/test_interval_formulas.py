"""Limits are those that the formulas of the page on inference give, taken from the page.

Nothing inside the library is called: a reader can compute what these tests compute.
"""

import re

import numpy as np
import pytest
from scipy import optimize, special, stats

from capcurve import accuracy_ratio_interval, ks_interval, somers_d_interval
from docs.pages import read

LINE = re.compile(
    r"^(psi|variance of AUC|C|D|E|F|V|nu|K) = (.+?)(?:   +.*)?$", re.MULTILINE
)
TOPIC = re.compile(r"^\*\*([^*]+?)\.?\*\*(.*?)(?=^\*\*|^## |\Z)", re.MULTILINE | re.DOTALL)
FOUND = TOPIC.findall(read("inference.md"))
TOPICS = dict(
    reversed(FOUND)
)  # the first of each name: other statistics have a variance too
RANDOM = np.random.default_rng(20261127)
N = 700
SCORE = np.round(RANDOM.normal(size=N), 1)
EVENT = RANDOM.random(N) < 1 / (1 + np.exp(2 - SCORE))
BORROWER = RANDOM.integers(0, 150, N)
WEIGHT = np.exp(SCORE / 2 + RANDOM.normal(size=N) / 2)
DESIGNS = {
    "equal rows": {},
    "weights": {"sample_weight": WEIGHT},
    "clusters": {"clusters": BORROWER},
    "weights and clusters": {"sample_weight": WEIGHT, "clusters": BORROWER},
}
each_design = pytest.mark.parametrize("options", DESIGNS.values(), ids=DESIGNS)


def tail(x):
    return 2 * np.sum(x**2) ** 2 / np.sum(x**4)


def formulas_of(topic):
    """Return the formulas under a heading of the page, by the name left of the sign."""
    blocks = re.findall(r"^```text\n(.*?)^```", TOPICS[topic], re.MULTILINE | re.DOTALL)
    return dict(LINE.findall("".join(blocks)))


def compute(formulas, names, *wanted):
    """Compute formulas, one after the other."""
    for name in wanted:
        names[name] = eval(  # noqa: S307 -- the formulas of our own page
            formulas[name], {"sum": np.sum, "min": min, "tail": tail}, names
        )
    return names


def limits_of(formulas, names):
    """Return the limits of AR, and K."""
    names["z"], names["t"] = stats.norm.ppf(0.975), stats.t.ppf(0.975, names["nu"])
    compute(formulas, names, "K")
    k, c = names["K"], names["C"]
    return 2 * stats.beta.ppf([0.025, 0.975], k * c, k * (1 - c)) - 1


def add_up(value, unit, rows):
    """Add up values of some rows by unit, and keep the units that have such a row."""
    held = np.bincount(unit[rows]) > 0
    return np.bincount(unit[rows], value[rows])[held]


def find_influences(weight):
    """Find AUC and the influence of each row on it."""
    wins = np.sign(SCORE[EVENT][:, None] - SCORE[~EVENT]) / 2 + 1 / 2
    placement, total = (
        np.empty(N),
        np.where(EVENT, *(weight[r].sum() for r in (EVENT, ~EVENT))),
    )
    placement[EVENT] = wins @ weight[~EVENT] / weight[~EVENT].sum()
    placement[~EVENT] = weight[EVENT] @ wins / weight[EVENT].sum()
    auc = np.average(placement[EVENT], weights=weight[EVENT])
    names = {"w": weight, "v": placement, "A": auc, "W": total}
    return auc, compute(formulas_of("Variance"), names, "psi")["psi"]


@each_design
def test_the_limits_of_ar_follow_from_the_formulas_of_the_page(options):
    unit = options.get("clusters", np.arange(N))
    weight = options.get("sample_weight", np.ones(N))
    found = accuracy_ratio_interval(EVENT, SCORE, **options)
    auc, row_psi = find_influences(weight)
    psi = [add_up(row_psi, unit, rows) for rows in (EVENT, ~EVENT)]
    mass = [add_up(weight, unit, rows) for rows in (EVENT, ~EVENT)]
    of_clusters = [np.bincount(unit, row_psi * rows) for rows in (EVENT, ~EVENT)]
    names = {
        "A": auc,
        "a": 1 / 2,
        "L": len(np.unique(unit)),
        **dict(zip("ef", of_clusters, strict=True)),
        **dict(zip("mn", (w.sum() ** 2 / (w @ w) for w in mass), strict=True)),
        **dict(zip("MN", map(len, mass), strict=True)),
        **dict(zip("QR", (p @ p for p in psi), strict=True)),
        "psi": np.concatenate(psi),
        "share": np.concatenate([w / w.mean() for w in mass]),
    }
    compute(formulas_of("Variance"), names, "variance of AUC")
    assert found.standard_error == pytest.approx(
        2 * names["variance of AUC"] ** 0.5, rel=1e-9
    )
    plain = formulas_of("The beta method")
    unequal = plain | formulas_of("Unequal weights and clusters")
    compute(plain, names, "C", "D", "E", "F")
    compute(unequal if "clusters" in options else plain, names, "V")
    compute(unequal if options else plain, names, "nu")
    assert names["nu"] > 10  # else distribution-free limits may be the narrower ones
    assert found.degrees_of_freedom == pytest.approx(names["nu"], rel=1e-9)
    assert (found.low, found.high) == pytest.approx(limits_of(plain, names), abs=1e-9)


def pair_up(outcome, is_amount):
    """Find what each pair of rows adds to k and to b."""
    steps = outcome[:, None] - outcome
    steps = steps if is_amount else np.sign(steps)
    return np.sign(SCORE[:, None] - SCORE) * steps, np.abs(steps)


@pytest.mark.parametrize("is_amount", [False, True], ids=["Somers' D", "AR of amounts"])
@each_design
def test_the_limits_of_somers_d_and_amounts_follow_likewise(options, is_amount):
    grade = np.round(np.exp(SCORE + RANDOM.normal(size=N)))
    unit = options.get("clusters", np.arange(N))
    weight = options.get("sample_weight", np.ones(N))
    found = (accuracy_ratio_interval if is_amount else somers_d_interval)(
        grade, SCORE, **options
    )
    k, b = (each @ weight for each in pair_up(grade, is_amount))
    said = TOPICS["Variance of Somers' D and gAUC"]
    assert "D = sum(w k) / sum(w b),   psi = 2 w (k - D b) / sum(w b)" in said
    ratio = weight @ k / (weight @ b)
    everyone = np.ones(N, dtype=bool)
    psi = add_up(2 * weight * (k - ratio * b) / (weight @ b), unit, everyone)
    mass, size = add_up(weight * b, unit, everyone), len(np.unique(unit))
    assert "`sum(psi**2)`, without any factor, or `L / (L - 1) * sum(psi**2)`" in said
    factor = size / (size - 1) if "clusters" in options else 1
    assert found.value == pytest.approx(ratio, rel=1e-12)
    assert found.standard_error == pytest.approx((factor * psi @ psi) ** 0.5, rel=1e-9)
    names = {
        "A": (1 + ratio) / 2,
        "a": 1 / 2,
        "psi": psi,
        "Q": ((psi / 2) ** 2).sum(),
        "m": mass.sum() ** 2 / (mass @ mass) / 2,
    }
    compute(formulas_of("Amounts and Somers' D"), names, "C", "V", "nu")
    assert found.n_effective == pytest.approx(names["m"], rel=1e-9)
    assert found.degrees_of_freedom == pytest.approx(names["nu"], rel=1e-9)
    expected = limits_of(formulas_of("The beta method"), names)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        (slice(None), SCORE),
        (slice(0, 300), -np.exp(SCORE)),
        (slice(None), np.where(SCORE > 1, SCORE, -9)),
    ],
    ids=["rising", "falling", "one cut-off that competes"],
)
def test_the_lower_limit_of_ks_follows_from_the_section(rows, score):
    event, score = EVENT[rows], score[rows]
    found = ks_interval(event, score)
    said = " ".join(TOPICS["Lower limit"].split())
    for step in (
        "with `round(m n / (m + n))` rows, `scipy.stats.kstwo`",
        "at least KS less half the critical value",
        "a^2 = the smaller F1 (1 - F1) / m + F0 (1 - F0) / n of both ends",
        "b^2 = dF1 (1 - dF1) / m + dF0 (1 - dF0) / n",
        "`F(q) = Phi(q / c) - 2 T(q / c, b / a)` with `c^2 = a^2 + b^2`",
    ):
        assert step in said
    m, n = event.sum(), (~event).sum()
    cuts = [np.inf, *np.unique(score)[::-1]]
    above = np.array([score >= cut for cut in cuts])
    f1, f0 = above[:, event].mean(axis=1), above[:, ~event].mean(axis=1)
    gap = (f1 - f0) * np.sign((f1 - f0)[np.abs(f1 - f0).argmax()])
    critical = stats.kstwo.isf(0.05, round(m * n / (m + n)))
    competing = np.flatnonzero(gap >= gap.max() - critical / 2)
    first, last = competing[0], competing[-1]

    def variance(one, other):
        return one * (1 - one) / m + other * (1 - other) / n

    a = min(variance(f1[end], f0[end]) for end in (first, last)) ** 0.5
    b = variance(f1[last] - f1[first], f0[last] - f0[first]) ** 0.5
    c = np.hypot(a, b)
    q = optimize.brentq(
        lambda q: special.ndtr(q / c) - 2 * special.owens_t(q / c, b / a) - 0.95, -1, 1
    )
    assert 0 < critical < gap.max()
    assert (first == last) == (b == 0)
    assert found.low == pytest.approx(gap.max() - min(critical, q), abs=1e-9)
