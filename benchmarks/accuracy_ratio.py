"""Compare the speed and memory of the accuracy ratio with scikit-learn and with sorting.

Every result is checked against a reference. Compare times only within one run.
"""

import argparse
import os
import platform
import tracemalloc
from collections.abc import Callable
from functools import partial
from timeit import repeat
from typing import Any

import numpy as np
import sklearn
from rich.console import Console
from rich.table import Table
from sklearn.metrics import roc_auc_score, roc_curve

from capcurve import CapCurve, CAPCurveDisplay, accuracy_ratio_score, cap_curve
from records import Records, add_json_option

TOLERANCE = 1e-9

console = Console()
records = Records("accuracy_ratio")


def seconds(job: Callable[[], Any], *, repeats: int = 3, number: int = 1) -> float:
    """Return the shortest time of several runs."""
    return min(repeat(job, repeat=repeats, number=number)) / number


def peak(job: Callable[[], Any]) -> int:
    """Return the peak memory in bytes that a job allocates."""
    tracemalloc.start()
    job()
    allocated = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return allocated


def draw(curve: CapCurve | list[CapCurve]) -> None:
    """Render curves to pixels."""
    CAPCurveDisplay(curve).plot().figure_.canvas.draw()


def cases(n_rows: int) -> dict[str, tuple[Any, Any]]:
    """Return the outcomes and scores of each case."""
    rng = np.random.default_rng(0)
    score = rng.random(n_rows)
    rare = (rng.random(n_rows) < 0.1 * score).astype(np.int64)
    half = (rng.random(n_rows) < score).astype(np.int64)
    return {
        "float64, 5 % events": (rare, score),
        "float64, 50 % events": (half, score),
        "float32, 5 % events": (rare, score.astype(np.float32)),
        "points 300-850, 5 % events": (rare, (300 + 550 * score).astype(np.int64)),
        "sorted, 5 % events": (rare, np.sort(score)),
        "all tied, 5 % events": (rare, np.zeros(n_rows)),
    }


def compare_ratio(n_rows: int) -> None:
    """Compare the accuracy ratio with `roc_auc_score` and `numpy.sort`."""
    table = Table(title=f"accuracy_ratio_score, {n_rows:,} rows")
    for heading in ("scores", "seconds", "x np.sort", "faster than roc_auc_score"):
        table.add_column(heading, justify="left" if heading == "scores" else "right")
    for name, (y, s) in cases(n_rows).items():
        ratio = accuracy_ratio_score(y, s)
        assert abs(ratio - (2 * roc_auc_score(y, s) - 1)) < TOLERANCE
        ours = seconds(partial(accuracy_ratio_score, y, s), repeats=5)
        sort = seconds(partial(np.sort, s), repeats=5)
        theirs = seconds(partial(roc_auc_score, y, s), repeats=2)
        measured = {"capcurve": ours, "numpy.sort": sort, "scikit-learn": theirs}
        records.keep(f"AR, {name}", n_rows, measured)
        table.add_row(name, f"{ours:.3f}", f"{ours / sort:.2f}", f"{theirs / ours:.1f}x")
    console.print(table)


def compare_others(n_rows: int) -> None:
    """Compare weighted AR, the curve, memory, drawing and small input."""
    y, s = cases(n_rows)["float64, 5 % events"]
    w = np.random.default_rng(1).random(n_rows) + 0.1
    table = Table(title=f"float64, 5 % events, {n_rows:,} rows")
    for heading in ("job", "ours", "theirs", "ratio"):
        table.add_column(heading, justify="left" if heading == "job" else "right")

    weighted = accuracy_ratio_score(y, s, sample_weight=w)
    assert abs(weighted - (2 * roc_auc_score(y, s, sample_weight=w) - 1)) < TOLERANCE
    ours = seconds(lambda: accuracy_ratio_score(y, s, sample_weight=w))
    theirs = seconds(lambda: roc_auc_score(y, s, sample_weight=w), repeats=2)
    records.keep("weighted AR", n_rows, {"capcurve": ours, "scikit-learn": theirs})
    table.add_row(
        "weighted AR", f"{ours:.3f} s", f"{theirs:.3f} s", f"{theirs / ours:.1f}x"
    )

    assert np.allclose(cap_curve(y, s)[1], roc_curve(y, s, drop_intermediate=False)[1])
    ours = seconds(lambda: cap_curve(y, s))
    theirs = seconds(lambda: roc_curve(y, s, drop_intermediate=False))
    records.keep("curve", n_rows, {"capcurve": ours, "scikit-learn": theirs})
    table.add_row("curve", f"{ours:.3f} s", f"{theirs:.3f} s", f"{theirs / ours:.1f}x")

    allocated = peak(lambda: accuracy_ratio_score(y, s))
    records.keep("AR, extra memory", n_rows, {"capcurve": allocated}, unit="B")
    table.add_row(
        "AR, peak extra memory (of scores)",
        f"{allocated / 2**20:.0f} MiB",
        f"{peak(lambda: roc_auc_score(y, s)) / 2**20:.0f} MiB",
        f"{allocated / s.nbytes:.2f}x",
    )

    time_drawing(table, y, s)

    few_y, few_s = y[:100], s[:100]
    ours = seconds(lambda: accuracy_ratio_score(few_y, few_s), number=2000)
    theirs = seconds(lambda: roc_auc_score(few_y, few_s), number=100)
    records.keep("AR", 100, {"capcurve": ours, "scikit-learn": theirs})
    table.add_row(
        "AR of 100 rows",
        f"{ours * 1e6:.0f} µs",
        f"{theirs * 1e6:.0f} µs",
        f"{theirs / ours:.0f}x",
    )
    console.print(table)


def time_drawing(table: Table, y: Any, s: Any) -> None:
    """Time the drawing of one curve and of many."""
    curve = CapCurve.from_predictions(y, s)
    draw(CapCurve.from_predictions([1, 0], [2, 1]))  # load the libraries and fonts first
    drawn = seconds(partial(draw, curve), repeats=1)
    records.keep("first drawing of a curve", len(y), {"capcurve": drawn})
    table.add_row("first drawing of a curve", f"{drawn:.3f} s", "", "")
    curves = [CapCurve.from_predictions(y[i : i + 900], s[i : i + 900]) for i in range(100)]
    drawn = seconds(partial(draw, curves), repeats=1)
    records.keep("100 curves, 100 event rates", 900, {"capcurve": drawn})
    table.add_row("100 curves, 100 event rates", f"{drawn:.3f} s", "", "")


def main() -> None:
    """Run both comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    add_json_option(parser)
    options = parser.parse_args()
    n_rows = options.rows
    os.environ.setdefault("MPLBACKEND", "Agg")
    console.print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, "
        f"scikit-learn {sklearn.__version__}, {os.cpu_count()} processors"
    )
    compare_ratio(n_rows)
    compare_others(n_rows)
    records.write(options.json)


if __name__ == "__main__":
    main()
