"""Calls of the library on one sample; what they promise is entered in a ledger.

Each measure draws one sample of its design and calls public functions with their defaults,
unless the cell is about an option. Methods that are shown beside are not asserted.
"""

from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.random import Generator

from capcurve import (
    Band,
    CapCurve,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_independent,
    accuracy_ratio_test_initial,
    accuracy_ratio_test_joint,
    capture_rate_interval,
    ks_interval,
    lift_interval,
    random_band,
    somers_d_interval,
)
from coverage_grid.designs import (
    Clustered,
    Facilities,
    Losses,
    LossRates,
    Models,
    Scores,
)
from coverage_grid.ledger import Ledger

Average = Literal["macro", "weighted"]
BandKind = Literal["pointwise", "simultaneous"]
IntervalMethod = Literal["logit-t", "wald"]
BESIDE: tuple[IntervalMethod, ...] = ("logit-t", "wald")
AVERAGES: tuple[Average, ...] = ("macro", "weighted")
SHARES = (0.01, 0.05, 0.1, 0.2, 0.4)
LARGE_SHARE = 0.7
ALMOST_ALL = 0.97  # of a grade
NOISE = 0.5  # standard deviation of the logarithm of weights around the score's part


def percent(share: float) -> str:
    """Format a population share."""
    return f"{100 * share:.0f} %"


def enter_ratio(ledger: Ledger, truth: float, *data: Any, **options: Any) -> None:
    """Enter the interval of AR by the default method, and by those shown beside."""
    ledger.cover("default", accuracy_ratio_interval(*data, **options), truth)
    for method in BESIDE:
        found = accuracy_ratio_interval(*data, method=method, **options)
        ledger.cover(method, found, truth, "other interval")


# -- AR


def ratio(ledger: Ledger, random: Generator, design: Scores, m: int, n: int) -> None:
    """Measure the interval of AR, independent rows."""
    enter_ratio(ledger, design.ratio, *design.draw(random, m, n))


def ratio_unseen(ledger: Ledger, random: Generator, design: Scores, m: int, n: int) -> None:
    """Measure the interval of AR where a sample of few events shows none of the worst."""
    y, s = design.draw(random, m, n)
    found = accuracy_ratio_interval(y, s)
    ledger.cover("default", found, design.ratio, "other interval")


def ratio_levels(ledger: Ledger, random: Generator, design: Scores, m: int, n: int) -> None:
    """Measure intervals of AR at other confidence levels."""
    y, s = design.draw(random, m, n)
    for level in (0.9, 0.99):
        found = accuracy_ratio_interval(y, s, confidence_level=level)
        ledger.cover(percent(level), found, design.ratio, f"{100 * level:.0f} % interval")


def ratio_weighted(
    ledger: Ledger, random: Generator, design: Scores, m: int, n: int, *, b: float
) -> None:
    """Measure the interval of AR, weights correlated with the score."""
    y, s = design.draw(random, m, n)
    enter_ratio(ledger, design.weighted(b).ratio, y, s, sample_weight=weigh(random, s, b))


def weigh(random: Generator, s: np.ndarray, b: float) -> np.ndarray:
    """Draw weights that are correlated with the score."""
    return np.exp(b * s + NOISE * random.standard_normal(len(s)))


def ratio_clustered(
    ledger: Ledger, random: Generator, design: Clustered | Facilities, m: int, n: int
) -> None:
    """Measure the interval of AR, clusters."""
    y, s, obligor = design.draw(random, m, n)
    enter_ratio(ledger, design.ratio, y, s, clusters=obligor)
    found = accuracy_ratio_interval(y, s)
    ledger.cover("as independent", found, design.ratio, "other interval")


def ratio_weighted_clusters(
    ledger: Ledger, random: Generator, design: Clustered, m: int, n: int, *, b: float
) -> None:
    """Measure the interval of AR, clusters and weights correlated with the score."""
    y, s, obligor = design.draw(random, m, n)
    w = np.exp(b * s + NOISE * random.standard_normal(n)[obligor])
    truth = design.scores.weighted(b).ratio
    enter_ratio(ledger, truth, y, s, clusters=obligor, sample_weight=w)


def ratio_averaged(
    ledger: Ledger, random: Generator, design: Scores, sizes: tuple[int, ...]
) -> None:
    """Measure intervals of the mean AR of class labels, each against the rest."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    s = random.standard_normal((len(y), len(sizes)))
    for label in range(len(sizes)):
        s[y == label, label] = design.event.draw(random, sizes[label])
    for average in AVERAGES:
        found = accuracy_ratio_interval(
            y, s, labels=list(range(len(sizes))), average=average
        )
        ledger.cover(average, found, design.ratio)


def ratio_useless(ledger: Ledger, random: Generator, m: int, n: int) -> None:
    """Measure tests of a score without any relation to the outcome."""
    y, s = np.arange(n) < m, random.standard_normal(n)
    ledger.reject("AR", accuracy_ratio_interval(y, s).p_value)
    ledger.reject("KS", ks_interval(y, s).p_value, "5 % exact test")
    for share in SHARES:
        p_value = capture_rate_interval(y, s, fraction=share).p_value
        ledger.reject(f"capture {percent(share)}", p_value, "5 % exact test")


# -- Amounts


def losses(ledger: Ledger, random: Generator, design: Losses, n: int) -> None:
    """Measure intervals of AR (the normalised Gini index) and of Somers' D of losses."""
    y, s = design.draw(random, n)
    if np.count_nonzero(y) < 2:
        return
    ledger.cover("AR", accuracy_ratio_interval(y, s), design.ratio)
    ledger.cover("Somers' D", somers_d_interval(y, s), design.somers_d)
    for method in BESIDE:
        found = accuracy_ratio_interval(y, s, method=method)
        ledger.cover(f"AR {method}", found, design.ratio, "other interval")


def loss_rates(ledger: Ledger, random: Generator, design: LossRates, n: int) -> None:
    """Measure intervals of AR of loss rates, unweighted and by exposure."""
    y, s, exposure = design.draw(random, n)
    ledger.cover("unweighted", accuracy_ratio_interval(y, s), design.ratio)
    weighted = accuracy_ratio_interval(y, s, sample_weight=exposure)
    ledger.cover("by exposure", weighted, design.ratio)


def losses_paired(ledger: Ledger, random: Generator, design: Losses, n: int) -> None:
    """Measure the test of two scores of amounts that are equally good."""
    y, first = design.draw(random, n)
    if np.count_nonzero(y) >= 2:
        enter_paired(ledger, 0.0, y, first, design.score(random, y))


# -- Capture rate, lift, KS


def draw_events(random: Generator, m: int, n: int) -> int:
    """Draw the number of events of n rows, of which m are expected."""
    return max(2, random.binomial(n, m / n))


def capture(ledger: Ledger, random: Generator, design: Scores, m: int, n: int) -> None:
    """Measure intervals of the capture rate at shares of the population."""
    y, s = design.draw(random, draw_events(random, m, n), n)
    shares = {percent(share): share for share in (*SHARES, LARGE_SHARE)}
    if design.cuts:
        *_, before, start, _ = design.heights(m / n)[0]
        shares["last grade but one"] = before + ALMOST_ALL * (start - before)
    for name, share in shares.items():
        truth = design.capture(share, m / n)
        ledger.cover(name, capture_rate_interval(y, s, fraction=share), truth)


def capture_given(
    ledger: Ledger, random: Generator, design: Scores, m: int, n: int
) -> None:
    """Measure intervals of the capture rate where the numbers of both classes are given."""
    y, s = design.draw(random, m, n)
    for share in SHARES:
        truth = design.capture(share, m / n)
        found = capture_rate_interval(y, s, fraction=share)
        ledger.cover(percent(share), found, truth, "other interval")


def capture_weighted(
    ledger: Ledger, random: Generator, design: Scores, m: int, n: int, *, b: float
) -> None:
    """Measure intervals of the capture rate, weights correlated with the score."""
    y, s = design.draw(random, draw_events(random, m, n), n)
    w = weigh(random, s, b)
    rate = design.weighted_rate(m / n, b)
    for share in SHARES:
        found = capture_rate_interval(y, s, fraction=share, sample_weight=w)
        ledger.cover(percent(share), found, design.weighted(b).capture(share, rate))


def capture_clustered(
    ledger: Ledger, random: Generator, design: Clustered, m: int, n: int
) -> None:
    """Measure intervals of the capture rate, clusters with one score and outcome."""
    y, s, obligor = design.draw(random, m, n)
    for share in SHARES:
        try:
            found = capture_rate_interval(y, s, fraction=share, clusters=obligor)
        except ValueError:  # only by bootstrap
            found = capture_rate_interval(
                y,
                s,
                fraction=share,
                clusters=obligor,
                method="bootstrap",
                n_resamples=199,
                random_state=random,
            )
        ledger.cover(percent(share), found, design.scores.capture(share, m / n))


def lift(ledger: Ledger, random: Generator, design: Scores, m: int, n: int) -> None:
    """Measure intervals of lift at shares of the population."""
    y, s = design.draw(random, draw_events(random, m, n), n)
    for share in SHARES:
        truth = design.capture(share, m / n) / share
        ledger.cover(percent(share), lift_interval(y, s, fraction=share), truth)


def ks(ledger: Ledger, random: Generator, design: Scores, m: int, n: int) -> None:
    """Measure the interval of KS."""
    y, s = design.draw(random, m, n)
    ledger.cover("default", ks_interval(y, s), design.ks)


def ks_weighted(
    ledger: Ledger, random: Generator, design: Scores, m: int, n: int, *, b: float
) -> None:
    """Measure the interval of KS, weights correlated with the score."""
    y, s = design.draw(random, m, n)
    found = ks_interval(y, s, sample_weight=weigh(random, s, b))
    ledger.cover("default", found, design.weighted(b).ks)


# -- Bands


def band(ledger: Ledger, random: Generator, design: Scores, m: int, n: int) -> None:
    """Measure the simultaneous band of a curve."""
    drawn = design.draw(random, draw_events(random, m, n), n)
    curve = CapCurve.from_predictions(*drawn)
    ledger.forget()
    found = curve.band("simultaneous", n_resamples=300, random_state=random)
    height = np.interp(found.population_share, *design.heights(m / n))
    slack = 1e-3  # of interpolation between the points of the band
    inside = (found.low <= height + slack) & (height - slack <= found.high)
    ledger.enter("simultaneous", "95 % interval", hit=bool(inside.all()))


def band_pointwise(
    ledger: Ledger, random: Generator, design: Scores, m: int, n: int
) -> None:
    """Measure the pointwise band, at shares of the population."""
    drawn = design.draw(random, draw_events(random, m, n), n)
    curve = CapCurve.from_predictions(*drawn)
    ledger.forget()
    found = curve.band("pointwise")
    warned = ledger.is_warned
    for share in (0.1, 0.2, 0.5):
        at = int(np.argmin(np.abs(found.population_share - share)))
        truth = design.capture(float(found.population_share[at]), m / n)
        hit = found.low[at] - 1e-9 <= truth <= found.high[at] + 1e-9
        ledger.enter(percent(share), "95 % interval", hit=bool(hit), warned=warned)


def band_random(ledger: Ledger, random: Generator, m: int, n: int) -> None:
    """Measure the bands of a score without any relation to the outcome."""
    y, s = np.arange(n) < m, random.standard_normal(n)
    curve = CapCurve.from_predictions(y, s)
    kinds: tuple[BandKind, ...] = ("simultaneous", "pointwise")
    for kind in kinds:
        found = make_random_band(m, n - m, kind)
        ledger.forget()
        height = np.interp(found.population_share, *curve.profile)
        inside = (found.low - 1e-9 <= height) & (height <= found.high + 1e-9)
        if kind == "pointwise":
            inside = inside[[50, 100, 250]]
            for share, hit in zip((0.1, 0.2, 0.5), inside, strict=True):
                ledger.enter(percent(share), "95 % interval", hit=bool(hit))
        else:
            ledger.enter(kind, "95 % interval", hit=bool(inside.all()))


@cache
def make_random_band(m: int, others: int, kind: BandKind) -> Band:
    """Make the band of a score without any relation to the outcome, once for a size."""
    return random_band(m, others, kind=kind)


# -- Two samples


def enter_samples(ledger: Ledger, truth: float, first: Any, second: Any) -> None:
    """Enter tests of two samples; those of equality only if it is true."""
    ledger.forget()
    found = accuracy_ratio_test_independent(first, second)
    ledger.cover("interval", found, truth)
    if truth == 0:
        for alternative in ("greater", "less"):
            found = accuracy_ratio_test_independent(first, second, alternative=alternative)
            ledger.reject(alternative, found.p_value)


def samples(
    ledger: Ledger,
    random: Generator,
    designs: tuple[Scores, Scores],
    first: tuple[int, int],
    second: tuple[int, int],
) -> None:
    """Measure tests of two samples, and interval of the difference."""
    estimates = [
        accuracy_ratio_interval(*design.draw(random, *size))
        for design, size in zip(designs, (first, second), strict=True)
    ]
    enter_samples(ledger, designs[0].ratio - designs[1].ratio, *estimates)


def samples_weighted(
    ledger: Ledger,
    random: Generator,
    design: Scores,
    first: tuple[int, int],
    second: tuple[int, int],
    *,
    b: float,
) -> None:
    """Measure tests of two samples, weights correlated with the score."""
    estimates = []
    for size in (first, second):
        y, s = design.draw(random, *size)
        w = weigh(random, s, b)
        estimates.append(accuracy_ratio_interval(y, s, sample_weight=w))
    enter_samples(ledger, 0.0, *estimates)


def samples_clustered(
    ledger: Ledger,
    random: Generator,
    design: Clustered,
    first: tuple[int, int],
    second: tuple[int, int],
) -> None:
    """Measure tests of two samples of clusters."""
    estimates = []
    for size in (first, second):
        y, s, obligor = design.draw(random, *size)
        estimates.append(accuracy_ratio_interval(y, s, clusters=obligor))
    enter_samples(ledger, 0.0, *estimates)


def samples_margin(
    ledger: Ledger,
    random: Generator,
    designs: tuple[Scores, Scores],
    first: tuple[int, int],
    second: tuple[int, int],
) -> None:
    """Measure the non-inferiority test of two samples at the edge of its margin."""
    estimates = [
        accuracy_ratio_interval(*design.draw(random, *size))
        for design, size in zip(designs, (first, second), strict=True)
    ]
    margin = designs[1].ratio - designs[0].ratio
    ledger.forget()
    found = accuracy_ratio_test_independent(
        *estimates, alternative="greater", margin=margin
    )
    ledger.reject("greater", found.p_value)


def initial(
    ledger: Ledger,
    random: Generator,
    design: Scores,
    then: tuple[int, int] | None,
    now: tuple[int, int],
) -> None:
    """Measure the test against the AUC at initial validation, nothing changed."""
    current = accuracy_ratio_interval(*design.draw(random, *now))
    auc, variance = (design.ratio + 1) / 2, 0.0
    if then:
        found = accuracy_ratio_interval(*design.draw(random, *then)).to_auc()
        auc, variance = found.value, found.standard_error**2
    ledger.forget()
    tests = accuracy_ratio_test_initial(current, initial_auc=auc, initial_variance=variance)
    warned = ledger.is_warned
    two_sample = tests.two_sample or tests.ecb
    ledger.reject("two samples", two_sample.p_value, warned=warned)
    ledger.reject("ECB", tests.ecb.p_value, "other test", warned=warned)


# -- Pairs of scores of the same rows


def enter_paired(ledger: Ledger, truth: float, *data: Any, **options: Any) -> None:
    """Enter tests of two scores; those of equality only if it is true."""
    ledger.cover("interval", accuracy_ratio_test(*data, **options), truth)
    if truth == 0:
        for alternative in ("greater", "less"):
            found = accuracy_ratio_test(*data, alternative=alternative, **options)
            ledger.reject(alternative, found.p_value)


def paired(ledger: Ledger, random: Generator, design: Models, m: int, n: int) -> None:
    """Measure tests of two scores, and interval of the difference."""
    y, scores = design.draw(random, m, n)
    enter_paired(ledger, design.difference, y, *scores)


def paired_grades(
    ledger: Ledger,
    random: Generator,
    design: Models,
    m: int,
    n: int,
    *,
    cuts: tuple[float, ...],
) -> None:
    """Measure tests of two scores in grades."""
    y, scores = design.draw(random, m, n)
    graded = [np.searchsorted(cuts, s).astype(np.float64) for s in scores]
    enter_paired(ledger, 0.0, y, *graded)


def paired_weighted(
    ledger: Ledger, random: Generator, design: Models, m: int, n: int, *, b: float
) -> None:
    """Measure tests of two scores, weights correlated with both."""
    y, scores = design.draw(random, m, n)
    w = weigh(random, (scores[0] + scores[1]) / 2, b)
    enter_paired(ledger, 0.0, y, *scores, sample_weight=w)


def paired_clustered(
    ledger: Ledger, random: Generator, design: Models, m: int, n: int
) -> None:
    """Measure tests of two scores, clusters with one score and outcome."""
    y, scores = design.draw(random, m, n)
    row = np.repeat(np.arange(n), random.geometric(1 / 3, n))
    enter_paired(ledger, 0.0, y[row], *(s[row] for s in scores), clusters=row)


def margins(ledger: Ledger, random: Generator, design: Models, m: int, n: int) -> None:
    """Measure the non-inferiority test: the first is worse by just the margin."""
    y, (first, second) = design.draw(random, m, n)
    margin = -design.difference
    found = accuracy_ratio_test(y, first, second, alternative="greater", margin=margin)
    ledger.reject("greater", found.p_value)
    found = accuracy_ratio_test(y, second, first, alternative="less", margin=margin)
    ledger.reject("less", found.p_value)


def joint(ledger: Ledger, random: Generator, design: Models, m: int, n: int) -> None:
    """Measure the joint test of equal models."""
    y, scores = design.draw(random, m, n)
    named = {str(i): s for i, s in enumerate(scores)}
    ledger.reject("all equal", accuracy_ratio_test_joint(y, named).p_value)
