"""Compare the speed of AR in groups with a sort, Polars expressions and scikit-learn.

Every result is checked against a reference. Compare times only within one run.
"""

import argparse
import platform
import warnings
from functools import partial
from timeit import repeat

import numpy as np
import polars as pl
import sklearn
from rich.console import Console
from rich.table import Table
from sklearn.metrics import roc_auc_score

from capcurve import gain_capture
from capcurve.exceptions import UndefinedMetricWarning
from records import Records, add_json_option

TOLERANCE = 1e-9
GROUPS = (10, 1_000, 10_000, 100_000)
MOST_LOOPED = 10_000  # groups of which scikit-learn is called for each


def expression(frame: pl.DataFrame) -> pl.DataFrame:
    """Compute 2 AUC - 1 by group from mean ranks, as Polars expressions."""
    rank = pl.col("score").rank("average")
    events, rows = pl.col("event").sum().cast(pl.Float64), pl.len()
    auc = ((rank * pl.col("event")).sum() - events * (events + 1) / 2) / (
        events * (rows - events)
    )
    return frame.group_by("group", maintain_order=True).agg(estimate=2 * auc - 1)


def loop(frame: pl.DataFrame) -> pl.DataFrame:
    """Compute 2 AUC - 1 by group with scikit-learn."""
    parts = frame.partition_by("group", maintain_order=True)
    return pl.DataFrame(
        {
            "group": [part["group"][0] for part in parts],
            "estimate": [
                2 * roc_auc_score(part["event"].to_numpy(), part["score"].to_numpy()) - 1
                for part in parts
            ],
        }
    )


def main() -> None:
    """Run the comparison with integer and with text group keys."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--groups", type=int, nargs="*", default=GROUPS)
    add_json_option(parser)
    options = parser.parse_args()
    warnings.simplefilter("ignore", UndefinedMetricWarning)  # of groups of one class
    console = Console()
    console.print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, Polars "
        f"{pl.__version__}, scikit-learn {sklearn.__version__}"
    )
    records = Records("grouped")
    for n_groups in options.groups:
        console.print(compare(options.rows, n_groups, records))
    records.write(options.json)


def compare(n_rows: int, n_groups: int, records: Records) -> Table:
    """Compare the packages on one number of groups."""
    rng = np.random.default_rng(0)
    score = rng.random(n_rows)
    frame = pl.DataFrame(
        {
            "group": rng.integers(0, n_groups, n_rows),
            "score": score,
            "event": (rng.random(n_rows) < 0.1 * score).astype(np.int64),
        }
    )
    text = frame.with_columns(group="segment " + pl.col("group").cast(pl.String))
    table = Table(title=f"{n_rows:,} rows in {n_groups:,} groups, seconds")
    for heading in (
        "groups",
        "ours",
        "Polars sort",
        "Polars expression",
        "scikit-learn",
        "x sort",
        "x expression",
    ):
        table.add_column(heading, justify="left" if heading == "groups" else "right")
    for name, data in (("whole numbers", frame), ("text", text)):
        ours = partial(gain_capture, data, "event", "score", by="group")
        jobs = [ours, partial(data.sort, ["group", "score"]), partial(expression, data)]
        if n_groups <= MOST_LOOPED:
            jobs.append(partial(loop, data))
        found = ours()
        for job in jobs[2:]:
            other = job()
            assert found["group"].to_list() == other["group"].to_list()
            difference = (found["estimate"] - other["estimate"]).fill_nan(None)
            assert difference.abs().max() < TOLERANCE
        seconds = [min(repeat(job, repeat=3, number=1)) for job in jobs]
        others = ("Polars sort", "Polars expression", "scikit-learn")[: len(jobs) - 1]
        measured = dict(zip(("capcurve", *others), seconds, strict=True))
        records.keep(f"{n_groups} groups, {name}", n_rows, measured)
        cells = [f"{second:.2f}" for second in seconds] + [""] * (4 - len(jobs))
        ratios = [f"{seconds[0] / seconds[place]:.2f}x" for place in (1, 2)]
        table.add_row(name, *cells, *ratios)
    return table


if __name__ == "__main__":
    main()
