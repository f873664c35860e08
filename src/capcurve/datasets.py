"""Generated loan portfolios for demos, documentation and tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SEGMENTS = np.array(["retail", "small business", "corporate"])
SEGMENT_SHARES = (0.6, 0.3, 0.1)
YEARS = np.array([2021, 2022, 2023, 2024])
GRADE_CUTS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
GRADES = np.array(["A", "B", "C", "D", "E", "F", "G", "H"])


def make_portfolio(
    n_loans: int = 10_000, *, random_state: int = 0
) -> dict[str, NDArray[Any]]:
    """Generate a loan portfolio with the default probabilities of two models.

    No model is fitted: each PD is the loan's true log-odds of default plus normal noise,
    with a standard deviation of 0.8 for the champion and 0.6 for the challenger. The same
    arguments give the same loans.

    Parameters
    ----------
    n_loans : int, default=10_000
        Number of loans.
    random_state : int, default=0
        Seed of `numpy.random.default_rng`.

    Returns
    -------
    dict of str to ndarray of shape (n_loans,)
        Columns for the constructor of any data frame library, without missing values:

        - ``loan`` (int64): number of the loan, from 1;
        - ``segment`` (text): ``'retail'``, ``'small business'`` or ``'corporate'``;
        - ``year`` (int64): 2021 to 2024;
        - ``grade`` (text): rating grade from the champion's PD, ``'A'`` (best) to ``'H'``;
        - ``exposure`` (float64): amount lent;
        - ``champion_pd``, ``challenger_pd`` (float64): probabilities of default, rounded
          to four digits;
        - ``default`` (int64): 1 for the loans that defaulted, about 4.5 %;
        - ``loss`` (float64): amount lost, 0 for loans that did not default.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_score
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio(2_000)
    >>> round(accuracy_ratio_score(loans["default"], loans["champion_pd"]), 3)
    0.579
    """
    rng = np.random.default_rng(random_state)
    segment = rng.choice(len(SEGMENTS), size=n_loans, p=SEGMENT_SHARES)
    log_odds = -4.0 + 0.4 * segment + 1.3 * rng.standard_normal(n_loans)
    default = rng.random(n_loans) < probability(log_odds)
    noise = rng.standard_normal((2, n_loans))
    champion, challenger = (
        np.round(probability(log_odds + scale * own), 4)
        for scale, own in zip((0.8, 0.6), noise, strict=True)
    )
    exposure = np.round(np.exp(9.0 + 1.5 * segment + 0.7 * rng.standard_normal(n_loans)), 2)
    severity = rng.beta(2.0, 3.0, size=n_loans)
    return {
        "loan": np.arange(1, n_loans + 1),
        "segment": SEGMENTS[segment],
        "year": rng.choice(YEARS, size=n_loans),
        "grade": GRADES[np.searchsorted(GRADE_CUTS, champion)],
        "exposure": exposure,
        "champion_pd": champion,
        "challenger_pd": challenger,
        "default": default.astype(np.int64),
        "loss": np.round(default * severity * exposure, 2),
    }


def probability(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert log-odds to probabilities."""
    return 1.0 / (1.0 + np.exp(-log_odds))
