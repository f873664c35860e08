"""Limits of capture rates and of bands can be derived from the words of a report."""

import re

import numpy as np
import polars as pl
import pytest
from scipy import stats

from capcurve import report
from derived import read
from designs import each_design

RANDOM = np.random.default_rng(21)
N = 400
SCORE = RANDOM.normal(size=N)
LEVEL, ALPHA = 0.95, 0.05
ROWS = {
    "event": RANDOM.binomial(1, 1 / (1 + np.exp(2 - 2 * SCORE))),
    "loss": np.round(np.exp(SCORE + RANDOM.normal(size=N)) * RANDOM.binomial(1, 0.6, N), 1),
    "fine": np.round(SCORE, 1),
    "grade": np.round(SCORE * 1.3),
    "n": RANDOM.integers(1, 4, N),
    "w": RANDOM.uniform(0.5, 2, N),
    "b": RANDOM.integers(0, 150, N),
}
pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
each_outcome = pytest.mark.parametrize("outcome", ["event", "loss"])
each_score = pytest.mark.parametrize("score", ["fine", "grade"])


class Cuts:
    """A sample whose curve can be read at any share."""

    def __init__(self, outcome, score, options):
        self.sample = read(ROWS, outcome, [score], **options)
        self.score = self.sample.scores[score]
        self.y, self.w = self.sample.y * 1.0, self.sample.w
        self.sums = self.w.sum(), self.w @ self.y
        self.grades = np.unique(self.score)[::-1]
        above = self.score[:, None] >= self.grades
        self.x = np.append(0, self.w @ above / self.sums[0])
        self.reached = np.append(0, (self.w * self.y) @ above / self.sums[1])
        self.n = self.sums[0] ** 2 / (self.w @ self.w)
        self.rate = self.sums[1] / self.sums[0]
        mass = self.w * self.y
        of_units = self.sample.add_up(mass, self.y > 0)
        self.n_units = len(of_units)
        self.effective = of_units.sum() ** 2 / (of_units @ of_units)

    def capture(self, x):
        return np.interp(x, self.x, self.reached)

    def select(self, x):
        """Find g, and the slope s."""
        block = min(np.searchsorted(self.x[1:], x), len(self.grades) - 1)
        width = self.x[block + 1] - self.x[block]
        part = (x - self.x[block]) / width
        grade = self.grades[block]
        g = np.where(self.score > grade, 1, np.where(self.score == grade, part, 0.0))
        e = max(np.sqrt(x * (1 - x) / self.n), 1 / self.n)
        h = e if width > 2 * e else 0.5 * self.n ** (-1 / 5)
        ends = np.clip([x - h, x + h], 0, 1)
        return g, np.diff(self.capture(ends))[0] / np.diff(ends)[0]

    def weigh_unseen(self, x):
        """Find b for either limit."""
        block = min(np.searchsorted(self.x[1:], x), len(self.grades) - 1)
        part = (x - self.x[block]) / (self.x[block + 1] - self.x[block])
        is_last = block == len(self.grades) - 1
        return (1 - part if is_last else 1), (1 if block else part)

    def list_parts(self, first, last):
        """List the parts that a band has of blocks of tied rows."""
        overlap = np.minimum(self.x[1:], last) - np.maximum(self.x[:-1], first)
        return overlap / np.diff(self.x)

    def count_effective(self):
        """Find E, and of events the effective number of non-events."""
        yield self.effective
        if self.sample.is_event:
            others = self.sample.add_up(self.w * (1 - self.y), self.y == 0)
            yield others.sum() ** 2 / (others @ others)

    def vary(self, psi):
        """Find a variance from influences, and its degrees of freedom."""
        if not psi.round(12).any():
            return 0.0, np.inf
        squares = psi**2
        if self.sample.is_clustered:
            every = np.ones(len(psi), bool)
            squares = self.sample.take_square(psi, every)
        fourth = (squares**2).sum()
        n = self.n_units
        factor = 1 if self.sample.is_plain else n / (n - 1)
        return factor * squares.sum(), max(1.0, 2 * squares.sum() ** 2 / fourth)


def wilson(u, k, z, t):
    """Find Wilson's limits, extended by those of Clopper and Pearson."""
    ks = [allow(share, k, each) for share, each in zip((1 - u, u), t, strict=True)]
    low, high = (
        (u + z**2 / (2 * k) + side * z * np.sqrt(u * (1 - u) / k + z**2 / (4 * k**2)))
        / (1 + z**2 / k)
        for side, k in zip((-1, 1), ks, strict=True)
    )
    low, high = min(max(low, 0), u), max(min(high, 1), u)
    if u > 0:
        misses = ks[0] * (1 - u) + max(1, t[0] * ks[0])
        low = min(low, stats.beta.ppf(ALPHA, ks[0] * u, misses))
    if u < 1:
        hits = ks[1] * u + max(1, t[1] * ks[1])
        high = max(high, stats.beta.ppf(1 - ALPHA, hits, ks[1] * (1 - u)))
    return low, high


def allow(v, k, t):
    """Allow for an unseen event."""
    return (v + t) / (v / k + t**2) if t * k > 1 else k


def count_trials(u, variance, otherwise):
    """Find K."""
    return otherwise if u in {0, 1} or variance == 0 else u * (1 - u) / variance


def limit_in_range(cuts, x, variance, events):
    """Find limits of how far up in its range a capture rate lies, as capture rates."""
    pi, captured = cuts.rate, cuts.capture(x)
    least, most = max(0, (x - 1 + pi) / pi), min(1, x / pi)
    u = min(max((captured - least) / (most - least), 0), 1)
    u = round(u, 12)
    k = count_trials(u, variance / (most - least) ** 2, events * (most - least))
    t = [b / (events * (most - least)) for b in cuts.weigh_unseen(x)]
    limits = wilson(u, k, stats.norm.ppf((1 + LEVEL) / 2), t)
    low, high = (least + (most - least) * limit for limit in limits)
    return min(low, captured), max(high, captured)


def limit_capture(cuts, x):
    """Find the limits of the capture rate."""
    g, s = cuts.select(x)
    pi, captured, (total, outcome) = cuts.rate, cuts.capture(x), cuts.sums
    sample, y = cuts.sample, cuts.y

    def move(x):
        return cuts.w * (y * (g - captured) / outcome - s * (g - x) / total)

    if sample.is_plain and sample.is_event:
        p = min(max(s * pi, 0), 1)
        of_events, of_others = g[sample.y].var(), g[~sample.y].var()
        given = (1 - p) ** 2 * of_events / y.sum()
        given += (p * (1 - pi) / pi) ** 2 * of_others / (1 - y).sum()
        variance = given + (p * (captured - x)) ** 2 / (cuts.n * pi * (1 - pi))
        df = min(y.sum(), (1 - y).sum()) - 1
    else:
        variance, _ = cuts.vary(move(x))
        df = max(1, min(cuts.count_effective()) - 1)
    u = round(captured, 12)
    k = count_trials(u, variance, cuts.effective)
    t = [b / cuts.effective for b in cuts.weigh_unseen(x)]
    low, high = wilson(u, k, stats.t.ppf((1 + LEVEL) / 2, df), t)
    if sample.is_event:
        if not sample.is_plain:
            x_of_class = np.where(sample.y, captured, (x - pi * captured) / (1 - pi))
            given, _ = cuts.vary(move(x_of_class))
        others = limit_in_range(cuts, x, given, cuts.effective)
        low, high = min(low, others[0]), max(high, others[1])
    return min(low, captured), max(high, captured)


@each_design
@each_outcome
@each_score
def test_limits_of_capture_rates_can_be_derived_from_the_words(outcome, score, options):
    facts = report(pl.DataFrame(ROWS), outcome, score, **options).facts
    cuts = Cuts(outcome, score, options)
    (model,) = facts["models"]
    for row in model["captured"]:
        x = row["population_share"]
        assert row["capture_rate"] == pytest.approx(cuts.capture(x), rel=1e-12)
        limits = limit_capture(cuts, x)
        assert [row["low"], row["high"]] == pytest.approx(limits, rel=1e-9)
        assert row["lift_high"] == pytest.approx(limits[1] / x, rel=1e-9)
    for row in model["gains"][:-1]:
        limits = limit_capture(cuts, row["cumulative_population_share"])
        found = [row["cumulative_capture_rate_low"], row["cumulative_capture_rate_high"]]
        assert found == pytest.approx(limits, rel=1e-9)


def limit_band(cuts, first, last):
    """Find the limits of the rate of a band between two shares."""
    pi, total = cuts.rate, cuts.sums[0]

    def move(x):
        if x == 0:
            return np.zeros(len(cuts.y))
        g, s = cuts.select(x)
        return cuts.y * g - pi * (cuts.capture(x) + s * (g - x))

    psi = cuts.w * (move(last) - move(first)) / (total * (last - first))
    rate = (cuts.capture(last) - cuts.capture(first)) * pi / (last - first)
    part = cuts.list_parts(first, last).max()
    inside = cuts.select(last)[0] - (cuts.select(first)[0] if first else 0)
    return limit_rate(cuts, rate, psi, last - first, inside=inside, part=part)


def limit_rate(cuts, rate, psi, width, *, inside, part=1.0):
    """Find the limits of a rate from the influence of each row, and what is in a band."""
    variance, df = cuts.vary(psi)
    q = stats.norm.ppf(0.975) if cuts.sample.is_plain else stats.t.ppf(0.975, df)
    v = cuts.sample.add_up(cuts.w * inside, np.ones(len(inside), bool))
    k = v.sum() ** 2 / (v @ v)
    if cuts.sample.is_event:
        rate = round(min(max(rate, 0), 1), 12)
        n_rows = part * k if cuts.sample.is_clustered else cuts.n * width
        return wilson(rate, count_trials(rate, variance, n_rows), q, [part / n_rows] * 2)
    if k - 1 < 1e-9 or variance == 0:
        return 0, np.inf
    q = stats.t.ppf(0.975, min(df, k - 1))
    reach = q * np.sqrt(variance * k / (k - 1)) / rate
    return (
        (0, np.inf)
        if reach > np.log(1_000)
        else (rate / np.exp(reach), rate * np.exp(reach))
    )


@each_design
@each_outcome
@each_score
def test_limits_of_bands_can_be_derived_from_the_words(outcome, score, options):
    facts = report(pl.DataFrame(ROWS), outcome, score, bands=5, **options).facts
    cuts, start = Cuts(outcome, score, options), 0.0
    for row in facts["models"][0]["gains"]:
        end = row["cumulative_population_share"]
        limits = limit_band(cuts, start, end)
        found = [row["response_rate_low"], row["response_rate_high"]]
        assert found == pytest.approx(limits, rel=1e-9, abs=1e-12)
        start = end


@each_design
@each_outcome
def test_limits_of_grades_can_be_derived_from_the_words(outcome, options):
    facts = report(pl.DataFrame(ROWS), outcome, "grade", bands="scores", **options).facts
    cuts = Cuts(outcome, "grade", options)
    for row, grade in zip(facts["models"][0]["gains"], cuts.grades, strict=True):
        rows = cuts.score == grade
        weight = cuts.w[rows].sum()
        rate = cuts.w[rows] @ cuts.y[rows] / weight
        if not rate:
            continue
        psi = np.where(rows, cuts.w * (cuts.y - rate) / weight, 0)
        limits = limit_rate(cuts, rate, psi, weight / cuts.sums[0], inside=rows)
        found = [row["response_rate_low"], row["response_rate_high"]]
        if not (outcome == "loss" and limits[1] > 1_000 * rate):
            assert found == pytest.approx(limits, rel=1e-9)


def test_the_band_is_made_of_limits_of_capture_rates():
    facts = report(pl.DataFrame(ROWS), "event", "fine").facts
    band, cuts = facts["band"], Cuts("event", "fine", {})
    for place in (50, 123, 400):
        x = place / 500
        assert band["population_share"][place] == pytest.approx(x)
        found = [band["low"][place], band["high"][place]]
        assert found == pytest.approx(limit_capture(cuts, x), rel=1e-9)


def evaluate(formula, **known):
    """Evaluate the terms of a formula of a report, the last one first."""
    formula = re.sub(r"(?<=[\w)]) (?=[\w(])", " * ", formula.replace("^", "**"))
    for term in reversed(re.split(r"[,;] (?=\w+ = )", formula)):
        name, _, value = term.partition(" = ")
        known[name] = eval(value, {"max": max, "min": min, "sqrt": np.sqrt}, known)  # noqa: S307 -- words of our own
    return known


@pytest.mark.slow
@each_design
@each_outcome
@pytest.mark.parametrize("x", [0.004, 0.05, 0.5, 0.93, 1.0])
def test_the_slope_is_that_of_the_formula(x, outcome, options):
    facts = report(pl.DataFrame(ROWS), outcome, "fine", **options).facts
    told = next(each for each in facts["methods"] if each["topic"] == "Cut-offs")
    formula, _, wide = told["formula"].partition(", or h = e = ")
    cuts = Cuts(outcome, "fine", options)
    n_effective = cuts.sums[0] ** 2 / (cuts.w @ cuts.w)
    words = {False: "N the number of rows", True: "N the effective number of rows, "}
    assert words["case_weights" in options] in told["text"]
    assert ("(sum of w)^2 / (sum of w^2)" in told["text"]) == ("case_weights" in options)
    n_rows = n_effective if "case_weights" in options else len(cuts.y)
    e = evaluate(f"e = {wide.partition(' where')[0]}", x=x, N=n_rows)["e"]
    block = min(np.searchsorted(cuts.x[1:], x), len(cuts.grades) - 1)
    if cuts.x[block + 1] - cuts.x[block] > 2 * e:
        formula = formula.replace("h = 0.5 N^(-1/5)", f"h = {e}")
    s = evaluate(formula, x=x, N=n_rows, Y=cuts.capture)["s"]
    assert s == pytest.approx(cuts.select(x)[1], rel=1e-9)


def test_each_kind_of_rows_has_words_of_its_own():
    def tell(outcome, **options):
        facts = report(pl.DataFrame(ROWS), outcome, "fine", **options).facts
        methods, named = facts["methods"], ("Clopper", "Fay")
        assert all(any(name in line for line in facts["references"]) for name in named)
        of_bands = next(each["df"] for each in methods if "of a band" in each["topic"])
        assert of_bands.startswith(("of each band, 2 (sum", "infinite"))
        return {each["topic"]: f"{each['text']} {each['formula']}" for each in methods}

    plain, weighted = tell("event"), tell("event", case_weights="w")
    amounts, clustered = tell("loss"), tell("event", clusters="b")
    of_bands = [told["Limits of the rate of a band"] for told in (plain, weighted)]
    assert "and z the quantile of the normal distribution" in of_bands[0]
    assert "and z the quantile of Student's t" in of_bands[1]
    assert "Var(g of events)" in plain["Capture rate and lift"]
    assert "n rows are events" in weighted["Capture rate and lift"]
    assert "each cluster adds the square" in clustered["Capture rate and lift"]
    assert "event rate" not in amounts["Capture rate and lift"]
    assert "n rows have an amount above 0" in amounts["Limits of the rate of a band"]
    assert "n clusters hold events" in clustered["Limits of the rate of a band"]
