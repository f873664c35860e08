"""Simulate the coverage of all methods of the interval of AR, the bootstrap among them.

Events and non-events are drawn in fixed numbers from two normal distributions of equal
variance. Nothing is asserted: docs/inference.md shows the table.

    python benchmarks/bootstrap.py [samples]
"""

import sys
import warnings
from statistics import mean

import numpy as np
from scipy.special import ndtri

from capcurve import FewEventsWarning, accuracy_ratio_interval

METHODS = ("beta", "logit-t", "wald", "bootstrap", "bca", "exact")
DESIGNS = ((0.8, 20, 380), (0.6, 20, 380))


def cover(
    rng: np.random.Generator, ratio: float, events: int, others: int, samples: int
) -> dict[str, list[tuple[bool, float]]]:
    """Return of each sample whether each interval covers, and its width."""
    distance = 2**0.5 * ndtri((ratio + 1) / 2)
    event = np.repeat([1, 0], [events, others])
    found = {method: [] for method in METHODS}
    for seed in range(samples):
        score = distance * event + rng.standard_normal(events + others)
        for method in METHODS:
            each = accuracy_ratio_interval(event, score, method=method, random_state=seed)
            found[method].append((each.low <= ratio <= each.high, each.high - each.low))
    return found


def main(samples: int = 500) -> None:
    """Print the coverage and, in parentheses, the mean width of the intervals."""
    warnings.simplefilter("ignore", FewEventsWarning)
    print(f"| AR, events of rows | {' | '.join(METHODS)} |")
    print(f"| --- |{' --: |' * len(METHODS)}")
    for number, (ratio, events, others) in enumerate(DESIGNS):
        rng = np.random.default_rng([21, number])
        cells = (
            f"{100 * mean(hit for hit, _ in each):.1f} ({mean(w for _, w in each):.3f})"
            for each in cover(rng, ratio, events, others, samples).values()
        )
        name = f"{ratio}, {events} of {events + others}"
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
