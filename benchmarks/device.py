"""Compare AR of tensors with torchmetrics and torcheval, on a GPU where there is one.

Scores and outcomes lie on the device before the clock starts, and each call ends with a
number in Python. The AR of capcurve must be that of the same rows in NumPy, to the last
bit; the others must agree as far as their floats reach. Compare times only within one run.
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from torcheval.metrics.functional import binary_auroc as torcheval_auroc
from torchmetrics.functional.classification import binary_auroc as torchmetrics_auroc

from capcurve import accuracy_ratio_interval, accuracy_ratio_score, cap_curve

console = Console(width=100)
CLOSE = 1e-4  # both sum in float32


def seconds(job: Callable[[], object], repeats: int) -> float:
    """Return the shortest time of several runs, the first of which is not counted."""
    times = []
    for _ in range(repeats + 1):
        start = perf_counter()
        job()
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        times.append(perf_counter() - start)
    return min(times[1:])


def make_rows(n_rows: int, shape: str) -> tuple[np.ndarray, np.ndarray]:
    """Make events and scores, which are all different or whole points."""
    rng = np.random.default_rng(5)
    score = rng.random(n_rows, dtype=np.float32)
    event = rng.random(n_rows) < (0.1 if "5 %" in shape else 1) * score
    points = np.round(300 + 550 * score)
    return event.astype(np.int64), points if "points" in shape else score


def compare(n_rows: int, shape: str, device: str, repeats: int) -> None:
    """Check and time all packages on the same tensors."""
    event, score = make_rows(n_rows, shape)
    y, s = torch.from_numpy(event).to(device), torch.from_numpy(score).to(device)
    expected = accuracy_ratio_score(event, score)
    assert accuracy_ratio_score(y, s) == expected
    assert accuracy_ratio_interval(y, s).value == expected
    for found, wanted in zip(cap_curve(y, s), cap_curve(event, score), strict=True):
        assert np.array_equal(found, wanted)
    in_unit = (s - s.min()) / (s.max() - s.min())  # others expect probabilities
    jobs: dict[str, Callable[[], float]] = {
        "capcurve: AR": lambda: accuracy_ratio_score(y, s),
        "capcurve: AR and interval": lambda: accuracy_ratio_interval(y, s).value,
        "capcurve: after .cpu()": lambda: accuracy_ratio_score(
            y.cpu().numpy(), s.cpu().numpy()
        ),
        "torchmetrics": lambda: 2 * float(torchmetrics_auroc(in_unit, y)) - 1,
        "torcheval": lambda: 2 * float(torcheval_auroc(in_unit, y)) - 1,
    }
    table = Table(title=f"{n_rows:,} rows on {device}, {shape}")
    for heading in ("package", "time", "x capcurve: AR", "error of AR"):
        table.add_column(heading, justify="left" if heading == "package" else "right")
    base = 0.0
    for name, job in jobs.items():
        error = abs(job() - expected)
        assert error <= (0 if name.startswith("capcurve") else CLOSE), name
        took = seconds(job, repeats)
        base = base or took
        table.add_row(name, f"{took:.4f} s", f"{took / base:.2f}", f"{error:.0e}")
    console.print(table)


def main() -> None:
    """Run on a GPU, or on the processor and say so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        console.print(f"GPU: {torch.cuda.get_device_name()}, torch {torch.__version__}")
    else:
        console.print(
            "No GPU found: tensors lie in the memory of the processor, where NumPy reads "
            "them. These times say nothing about a GPU."
        )
    for shape in ("5 % events", "50 % events", "5 % events, whole points"):
        compare(options.rows, shape, device, options.repeats)


if __name__ == "__main__":
    main()
