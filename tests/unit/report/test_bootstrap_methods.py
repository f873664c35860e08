"""Bootstrap intervals of AR can be derived from the words of a report, but for chance."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from capcurve import report
from derived import rank, read
from designs import each_design

RANDOM = np.random.default_rng(22)
N, LEVEL = 150, 0.9
SCORE = np.round(RANDOM.normal(size=N), 1)
ROWS = {
    "event": RANDOM.binomial(1, 1 / (1 + np.exp(1.2 - 1.6 * SCORE))),
    "loss": np.round(np.exp(SCORE + RANDOM.normal(size=N)) * RANDOM.binomial(1, 0.6, N), 1),
    "score": SCORE,
    "n": RANDOM.integers(1, 4, N),
    "w": RANDOM.uniform(0.5, 2, N),
    "b": RANDOM.integers(0, 70, N),
}
pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")


def draw(sample, rng):
    """Draw units with replacement and return how often each row is drawn."""
    if sample.is_clustered:
        names, place = np.unique(sample.unit, return_inverse=True)
        size = len(names)
        return np.bincount(rng.integers(size, size=size), None, size)[place]
    times = np.zeros(len(sample.y))
    for rows in sample.classes:
        size = int(rows.sum())
        times[rows] = np.bincount(rng.integers(size, size=size), None, size)
    return times


def replicate(sample, score, seed, n):
    """Find AR in replicates."""
    rng, signs, y = np.random.default_rng(seed), np.sign(score[:, None] - score), sample.y
    if sample.is_event:
        gain = np.where(y[:, None] & ~y, signs, 0)
        best = np.where(y[:, None] & ~y, 1.0, 0)
    else:
        gain, best = signs * (y[:, None] - y), np.abs(y[:, None] - y)
    drawn = [sample.w * draw(sample, rng) for _ in range(n)]
    return np.array([(w @ gain @ w) / (w @ best @ w) for w in drawn])


def correct(sample, ratio, psi, drawn):
    """Find the shares of the replicates that limits corrected for bias lie at."""
    below = (drawn < ratio).mean() + (drawn == ratio).mean() / 2
    z_0, z = stats.norm.ppf(below), stats.norm.ppf([(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    psi = sample.add_up_all(psi, np.ones(len(psi)))
    acceleration = (psi**3).sum() / (6 * (psi**2).sum() ** 1.5)
    return stats.norm.cdf(z_0 + (z_0 + z) / (1 - acceleration * (z_0 + z)))


@pytest.mark.slow
@each_design
@pytest.mark.parametrize("outcome", ["event", "loss"])
@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_the_interval_can_be_derived_from_the_words(outcome, method, options):
    facts = report(
        *(pl.DataFrame(ROWS), outcome, "score"),
        **options,
        method=method,
        seed=3,
        confidence_level=LEVEL,
    ).facts
    found = facts["models"][0]["accuracy_ratio"]
    sample = read(ROWS, outcome, ["score"], **options)
    score = sample.scores["score"]
    if not sample.is_clustered:  # rows are sorted before they are drawn
        order = np.lexsort([sample.w, sample.y, -score])
        sample, score = sample.take(order), score[order]
    ratio, psi, _ = rank(sample, score)
    # Equal rows are drawn by their number, so that other replicates must do for them.
    is_alike = sample.is_plain or "counts" in options
    drawn = replicate(sample, score, *((4, 4_000) if is_alike else (3, 2_000)))
    shares = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    if method == "bca":
        shares = correct(sample, ratio, psi, drawn)
    limits = np.quantile(drawn, shares, method="linear")
    tolerance = {"abs": 0.02} if is_alike else {"rel": 1e-9}
    assert [found["low"], found["high"]] == pytest.approx(list(limits), **tolerance)
    told = next(m for m in facts["methods"] if m["topic"] == "Confidence interval of AR")
    assert "only the command that is recorded there" in told["text"]
    assert "default_rng of NumPy with the seed" in told["text"]
    assert "linear between neighbours" in told["formula"]
    assert ("2 placement - 1 - AR" in told["text"]) == (method == "bca" and sample.is_plain)
    assert ("q = 5 % and 95 %" in told["formula"]) == (method == "bootstrap")
    assert ("acceleration = sum of" in told["formula"]) == (method == "bca")


@pytest.mark.parametrize(
    ("outcome", "options", "drawn"),
    [
        ("event", {}, "as many events and as many non-events as there are."),
        ("event", {"case_weights": "w"}, "non-events as there are, each with its weight."),
        ("loss", {}, "as many rows as there are, and again if all outcomes in it are"),
        ("event", {"clusters": "b"}, "as there are, each with all its rows, and again if"),
        ("loss", {"clusters": "b", "case_weights": "w"}, "its rows and their weights, and"),
    ],
)
def test_what_is_drawn_is_told_of_these_rows(outcome, options, drawn):
    facts = report(pl.DataFrame(ROWS), outcome, "score", method="bca", **options).facts
    told = next(m for m in facts["methods"] if m["topic"] == "Confidence interval of AR")
    assert drawn in told["text"]


@pytest.mark.parametrize(
    ("method", "doi"),
    [("bootstrap", "10.1201/9780429246593"), ("bca", "10.1080/01621459.1987.10478410")],
)
def test_the_bootstrap_has_a_source(method, doi):
    facts = report(pl.DataFrame(ROWS), "event", "score", method=method).facts
    assert any(doi in reference for reference in facts["references"])
