"""Simulate the size and the power of the test of the implied accuracy ratio.

Portfolios are drawn once per design; outcomes are drawn from their probabilities, or from
log-odds whose slope is another. The share of p-values below 5 % is asserted where fewer
wrongly ranked rows than the test warns of are not the case. The last two tables have right
through-the-cycle PDs, first in single years whose economy is given, then in several years
that are tested as one sample, and year by year: nothing is asserted there.

    python benchmarks/implied.py [replications]
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri

from capcurve._inference.expected_ratio import (
    expect_as_given,
    expect_shifted,
    find_shift,
    rank_among_all,
)
from capcurve._inference.implied import FEW_ERRORS, compute_p_value, fit_beta
from capcurve._input.columns import Columns

LEVEL = 0.05
EVENTS = (18, 20, 30, 50, 100, 300)
GRADES = [0.0005, 0.001, 0.003, 0.008, 0.02, 0.06, 0.2]
SHARES = [0.1, 0.2, 0.25, 0.2, 0.15, 0.07, 0.03]
SIDES = ("two-sided", "less", "greater")
PER_CHUNK = 500  # replications drawn at once
CORRELATION = 0.12  # of Basel's one-factor model, for the PDs of large companies
ECONOMIES = (1.645, 1, 0, -1, -1.645, -2.33, None)  # None: drawn anew for each sample
ALLOWED = {"two-sided": (0.03, 0.065), "less": (0.03, 0.065), "greater": (0.025, 0.075)}


class Design(NamedTuple):
    """A portfolio: its name, its PDs, and the scores that rank it."""

    name: str
    probability: np.ndarray
    score: np.ndarray


def scale_to(log_odds: np.ndarray, events: float) -> np.ndarray:
    """Shift log-odds until probabilities add up to the events."""
    return expit(log_odds + find_shift(log_odds, np.ones(len(log_odds)), events))


def draw_designs(rng: np.random.Generator, events: int) -> Iterator[Design]:
    """Draw a portfolio of each kind with so many expected events."""
    n = 2_000 if events < 100 else 6_000
    for spread in (1.0, 2.0, 3.5):
        p = scale_to(rng.normal(0, spread, n), events)
        yield Design(f"log-odds normal, sd {spread:g}", p, p)
    p = scale_to(rng.normal(0, 2, n), events)
    yield Design("the same, sd 2, another score", p, logit(p) + rng.normal(0, 1, n))
    for a, b in ((0.5, 1.5), (1.0, 4.0), (0.3, 0.3)):
        p = np.clip(rng.beta(a, b, round(events * (a + b) / a)), 1e-6, 1 - 1e-6)
        yield Design(f"PD beta({a:g}, {b:g})", p, p)
    p = rng.choice(GRADES, round(events / np.dot(GRADES, SHARES)), p=SHARES)
    yield Design("7 grades", p, p)
    few = round(events / 0.75)
    low = events * 0.2 / n * np.exp(rng.normal(0, 0.3, n - few))
    p = np.append(rng.uniform(0.4, 0.8, few), low)
    yield Design("80 % of events in few rows of PD 0.4 to 0.8", p, p)


def simulate(
    rng: np.random.Generator, design: Design, slope: float, replications: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums of ranks of events, and the numbers of events, of all samples."""
    truth = design.probability
    if slope != 1:
        truth = scale_to(slope * logit(truth), truth.sum())
    ranks = rank_among_all(Columns(truth > 1, design.score))
    sums, counts = [], []
    for _ in range(replications // PER_CHUNK):
        event = rng.random((PER_CHUNK, len(truth)), dtype=np.float32) < truth
        sums.append(event @ ranks)
        counts.append(event.sum(axis=1))
    return np.concatenate(sums), np.concatenate(counts)


def reject(
    design: Design, sums: np.ndarray, counts: np.ndarray, *, shift: bool
) -> tuple[np.ndarray, float]:
    """Return the share of rejections of each alternative, and the mean implied AR."""
    p_values, implied = find_p_values(design, sums, counts, shift=shift)
    defined = p_values[~np.isnan(p_values[:, 0])]
    return np.mean(defined < LEVEL, axis=0), implied


def find_p_values(
    design: Design, sums: np.ndarray, counts: np.ndarray, *, shift: bool
) -> tuple[np.ndarray, float]:
    """Return a row of p-values for each sample, nan without events, and the implied AR."""
    n = len(design.probability)
    found, implied = [], []
    laws = {}
    for total, m in zip(sums.tolist(), counts.tolist(), strict=True):
        if not 0 < m < n:
            found.append([np.nan] * len(SIDES))
            continue
        if m not in laws:
            rows = Columns(np.arange(n) < m, design.score)
            expect = expect_shifted if shift else expect_as_given
            expected = expect(design.probability, rows)
            laws[m] = expected.ratio, fit_beta(expected.ratio, expected.error)
        step = 1 / (m * (n - m))
        ratio, law = laws[m]
        implied.append(ratio)
        found.append([compute_p_value(total * step, law, step, side) for side in SIDES])
    return np.array(found), float(np.mean(implied))


def condition(probability: np.ndarray, economy: float) -> np.ndarray:
    """Return the PDs of a year, given PDs through the cycle; economy < 0 is a bad one."""
    pulled = ndtri(probability) - CORRELATION**0.5 * economy
    return ndtr(pulled / (1 - CORRELATION) ** 0.5)


def simulate_years(
    rng: np.random.Generator, design: Design, economy: float | None, replications: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums of ranks of events, and the numbers of events, of years."""
    ranks = rank_among_all(Columns(design.probability > 1, design.score))
    sums, counts = [], []
    for _ in range(replications):
        drawn = rng.standard_normal() if economy is None else economy
        truth = condition(design.probability, drawn)
        event = rng.random(len(truth), dtype=np.float32) < truth
        sums.append(ranks[event].sum())
        counts.append(event.sum())
    return np.array(sums), np.array(counts)


def draw_portfolios(rng: np.random.Generator) -> list[Design]:
    """Draw portfolios of PDs through the cycle."""
    designs = []
    for n, spread in ((1_000, 1.2), (3_000, 1.2), (10_000, 1.2), (3_000, 2.0)):
        p = scale_to(rng.normal(0, spread, n), 0.02 * n)
        designs.append(Design(f"{n:,} rows, sd {spread:g}", p, p))
    return designs


def show_years(replications: int) -> None:
    """Print how often right through-the-cycle PDs are rejected, by the economy."""
    rng = np.random.default_rng(12)
    designs = draw_portfolios(rng)
    print(f"\n| Z | {' | '.join(design.name for design in designs)} |")
    print(f"| --- |{' --: |' * len(designs)}")
    for economy in ECONOMIES:
        cells = []
        for design in designs:
            sums, counts = simulate_years(rng, design, economy, replications)
            rates, _ = reject(design, sums, counts, shift=True)
            cells.append(f"{show(rates)} ({counts.mean():.0f})")
        name = "drawn" if economy is None else f"{economy:g}"
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def move_by_economy(probability: np.ndarray, drawn: float) -> np.ndarray:
    """Return the PDs of a year of the one-factor model."""
    return condition(probability, drawn)


def move_to_worst(probability: np.ndarray, _drawn: float) -> np.ndarray:
    """Return the PDs of the worst year of 20."""
    return condition(probability, -1.645)


def move_alike(probability: np.ndarray, drawn: float, *, sd: float) -> np.ndarray:
    """Return PDs whose log-odds all moved by one number."""
    return expit(logit(probability) + sd * drawn)


POOLED: dict[str, list[Callable[[np.ndarray, float], np.ndarray]]] = {
    "Z drawn for each year": [move_by_economy] * 5,
    "Z drawn for 4, and the worst year of 20": [*[move_by_economy] * 4, move_to_worst],
    "all log-odds of a year alike, sd 0.6": [partial(move_alike, sd=0.6)] * 5,
    "all log-odds of a year alike, sd 1": [partial(move_alike, sd=1.0)] * 5,
}


def simulate_several_years(
    rng: np.random.Generator,
    design: Design,
    moves: list[Callable[[np.ndarray, float], np.ndarray]],
    replications: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums of ranks and the numbers of events: a row for each, of its years."""
    ranks = rank_among_all(Columns(design.probability > 1, design.score))
    sums, counts = np.zeros((2, replications, len(moves)))
    for sample in range(replications):
        for year, move in enumerate(moves):
            truth = move(design.probability, rng.standard_normal())
            event = rng.random(len(truth), dtype=np.float32) < truth
            sums[sample, year] = ranks[event].sum()
            counts[sample, year] = event.sum()
    return sums, counts.astype(int)


def reject_pooled(
    design: Design, sums: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of samples rejected as one, and of those with any year by Holm."""
    n_years = counts.shape[1]
    pooled = Design("", *(np.tile(each, n_years) for each in design[1:]))
    # The same loans each year: among all rows a loan is above n_years times as many.
    pooled_sums = n_years * sums.sum(axis=1)
    as_one, _ = reject(pooled, pooled_sums, counts.sum(axis=1), shift=True)
    p_values, _ = find_p_values(design, sums.ravel(), counts.ravel(), shift=True)
    # Holm's method rejects any hypothesis if the smallest p-value times their number does.
    least = np.nanmin(p_values.reshape(*counts.shape, len(SIDES)), axis=1)
    return as_one, np.mean(n_years * least < LEVEL, axis=0)


def show_pooled(replications: int) -> None:
    """Print how often right PDs of five years are rejected as one sample, and by year."""
    rng = np.random.default_rng(13)
    designs = draw_portfolios(rng)
    print(f"\n| 5 years | test | {' | '.join(design.name for design in designs)} |")
    print(f"| --- | --- |{' --: |' * len(designs)}")
    for name, moves in POOLED.items():
        cells = []
        for design in designs:
            sums, counts = simulate_several_years(rng, design, moves, replications)
            cells.append([show(rates) for rates in reject_pooled(design, sums, counts)])
        for test, row in zip(("as one", "by year"), zip(*cells, strict=True), strict=True):
            print(f"| {name} | {test} | {' | '.join(row)} |", flush=True)


def main(replications: int = 4_000) -> None:
    """Print sizes and powers, and assert the sizes."""
    rng = np.random.default_rng(11)
    wrong = []
    print("| PDs | events / rows | implied AR | shift | as given |")
    print("| --- | --: | --: | --: | --: |")
    for events in EVENTS:
        for design in draw_designs(rng, events):
            sums, counts = simulate(rng, design, 1, replications)
            rates, implied = reject(design, sums, counts, shift=True)
            given, _ = reject(design, sums, counts, shift=False)
            n = len(design.probability)
            few = min(events, n - events) * (1 - abs(implied)) / 2 < FEW_ERRORS
            mark = " (warned)" if few else ""
            print(
                f"| {design.name} | {events} / {n} | {implied:.3f}{mark} "
                f"| {show(rates)} | {show(given)} |",
                flush=True,
            )
            for side, rate in zip(SIDES, rates, strict=True):
                low, high = ALLOWED[side]
                slack = 3 * (rate * (1 - rate) / replications) ** 0.5
                if not few and not low - slack <= rate <= high + slack:
                    wrong.append((design.name, events, side, rate))
    print("\n| slope of the log-odds | events | two-sided / less / greater |")
    print("| --: | --: | --: |")
    for slope in (0.7, 0.85, 1.3):
        for events in (20, 50, 85, 200):
            p = scale_to(rng.normal(0, 1.2, 3_000), events)
            design = Design("", p, p)
            sums, counts = simulate(rng, design, slope, replications)
            rates, _ = reject(design, sums, counts, shift=True)
            print(f"| {slope:g} | {events} | {show(rates)} |")
    show_years(replications)
    show_pooled(replications)
    assert not wrong, wrong


def show(rates: np.ndarray) -> str:
    """Format shares of rejections in percent."""
    return " / ".join(f"{100 * rate:.1f}" for rate in rates)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
