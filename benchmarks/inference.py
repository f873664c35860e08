"""Compare the speed of intervals and tests with AR alone and with other DeLong packages.

Every result is checked against a reference. Compare times only within one run.
"""

import argparse
import platform
import tracemalloc
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from timeit import repeat
from typing import Any

import numpy as np
from confidenceinterval.delong import fastDeLong_no_weights
from MLstatkit import Delong_test
from rich.console import Console
from rich.table import Table

from capcurve import (
    CapCurve,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test,
    somers_d_score,
)
from records import Records, add_json_option

console = Console()
records = Records("inference")


def seconds(job: Callable[[], Any], *, repeats: int = 5) -> float:
    """Return the shortest time of several runs."""
    return min(repeat(job, repeat=repeats, number=1))


def compare_interval(n_rows: int) -> None:
    """Compare the interval with AR alone."""
    rng = np.random.default_rng(0)
    score = rng.random(n_rows)
    table = Table(title=f"accuracy_ratio_interval, {n_rows:,} rows")
    for heading in ("scores", "AR alone", "interval", "ratio", "peak memory, x scores"):
        table.add_column(heading, justify="left" if heading == "scores" else "right")
    for name, y, s in (
        ("float64, 5 % events", rng.random(n_rows) < 0.1 * score, score),
        ("float64, 50 % events", rng.random(n_rows) < score, score),
        ("points 300-850, 5 % events", score < 0.05, rng.integers(300, 851, n_rows)),
    ):
        estimate = accuracy_ratio_interval(y, s)
        assert estimate.value == accuracy_ratio_score(y, s)
        alone = seconds(partial(accuracy_ratio_score, y, s))
        whole = seconds(partial(accuracy_ratio_interval, y, s))
        tracemalloc.start()
        accuracy_ratio_interval(y, s)
        peak = tracemalloc.get_traced_memory()[1] / s.nbytes
        tracemalloc.stop()
        records.keep(f"AR, {name}", n_rows, {"AR alone": alone, "interval": whole})
        records.keep(f"memory, {name}", n_rows, {"x scores": peak}, unit="1")
        cells = (
            f"{alone:.3f} s",
            f"{whole:.3f} s",
            f"{whole / alone:.2f}x",
            f"{peak:.2f}x",
        )
        table.add_row(name, *cells)
    console.print(table)


def compare_test(n_rows: int) -> None:
    """Compare the paired test with other packages for DeLong's test."""
    rng = np.random.default_rng(1)
    y = (rng.random(n_rows) < 0.05).astype(np.int64)
    a, b = (1 / (1 + np.exp(-rng.normal(size=n_rows) - shift * y)) for shift in (1, 0.9))
    found = accuracy_ratio_test(y, a, b)
    events_first = np.argsort(-y, kind="stable")
    matrix = np.vstack([a, b])[:, events_first]
    jobs = {
        "MLstatkit": partial(Delong_test, y, a, b),
        "confidenceinterval": partial(fastDeLong_no_weights, matrix, int(y.sum())),
    }
    theirs = Delong_test(y, a, b)
    # Ours tests by the score method; both have the difference and DeLong's standard error.
    ratio = (found.first - found.second) / found.standard_error
    assert np.isclose(abs(theirs[0]), abs(ratio), rtol=1e-9)
    # The ranks of confidenceinterval are float32, so only a few digits agree.
    aucs, covariance = fastDeLong_no_weights(matrix, int(y.sum()))
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert np.isclose(4 * variance, found.standard_error**2, rtol=0.01)
    assert np.allclose(2 * aucs - 1, [found.first, found.second], atol=1e-4)
    ours = seconds(partial(accuracy_ratio_test, y, a, b))
    records.keep("paired test", n_rows, {"capcurve": ours})
    table = Table(title=f"accuracy_ratio_test, {n_rows:,} rows, 5 % events: {ours:.3f} s")
    for heading in ("package", "seconds", "we are faster by"):
        table.add_column(heading, justify="left" if heading == "package" else "right")
    for name, job in jobs.items():
        needed = seconds(job, repeats=2)
        records.keep("paired test", n_rows, {name: needed})
        table.add_row(f"{name} {version(name)}", f"{needed:.3f}", f"{needed / ours:.1f}x")
    console.print(table)


def time_the_rest(n_rows: int) -> None:
    """Time what other packages do not offer."""
    rng = np.random.default_rng(2)
    y = rng.random(n_rows) < 0.05
    s = rng.normal(size=n_rows) + y
    table = Table(title=f"others, {n_rows:,} rows, 5 % events")
    table.add_column("job")
    table.add_column("seconds", justify="right")
    curve = CapCurve.from_predictions(y, s)
    bootstrap = partial(accuracy_ratio_interval, y, s, method="bootstrap", random_state=1)
    assert abs(bootstrap().low - accuracy_ratio_interval(y, s).low) < 0.01
    for name, job in {
        "2 000 bootstrap replicates": bootstrap,
        "2 000 bca replicates": partial(
            accuracy_ratio_interval, y, s, method="bca", random_state=1
        ),
        "simultaneous band, 1 000 replicates": partial(curve.band, "simultaneous"),
        "pointwise band": curve.band,
        "interval with 25 000 clusters": partial(
            accuracy_ratio_interval, y, s, clusters=np.arange(n_rows) // 4
        ),
        "Somers' D of a continuous outcome": partial(somers_d_score, s + y, s),
    }.items():
        needed = seconds(job, repeats=1)
        records.keep(name, n_rows, {"capcurve": needed})
        table.add_row(name, f"{needed:.2f}")
    console.print(table)


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    add_json_option(parser)
    options = parser.parse_args()
    n_rows = options.rows
    console.print(f"NumPy {np.__version__}, {platform.machine()}")
    compare_interval(n_rows)
    compare_test(n_rows // 10)
    time_the_rest(n_rows // 100)
    records.write(options.json)


if __name__ == "__main__":
    main()
