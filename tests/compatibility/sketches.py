"""Sketches of every format, of rows that can be made again.

A file says of which sketch it is by its name, and of which format by its folder.

    PYTHONPATH=tests .venv/bin/python -m compatibility.sketches

writes those of a new format next to the earlier ones, with the numbers that it reads.
"""

import sys
from pathlib import Path

import numpy as np

from capcurve import CapSketch
from compatibility.results import COLUMNS, GAP, N_ROWS, read_numbers

FOLDER = Path(__file__).parent / "sketches"
NUMBERS = "numbers.txt"
KEPT = slice(0, 160)  # the rows of the files; the others are added by tests
REST = slice(160, N_ROWS)
SIGNED = np.where(COLUMNS["grade"] == 0, -np.inf, COLUMNS["score"] * 8 - 3)

# By name: outcome, score, weight and arguments. Few bins hold several scores each.
SKETCHES = {
    "grades": (COLUMNS["event"], COLUMNS["grade"], None, {}),
    "scores": (COLUMNS["event"], COLUMNS["score"], None, {}),
    "signed": (COLUMNS["event"] == 1, SIGNED, None, {}),
    "few-bins": (COLUMNS["event"], COLUMNS["score"], None, {"max_bins": 32}),
    "weights": (COLUMNS["event"], COLUMNS["third"], COLUMNS["weight"], {"max_bins": 32}),
    "labels": (
        np.where(COLUMNS["event"] == 1, "bad", "good"),
        1 - COLUMNS["score"],
        None,
        {"pos_label": "bad", "descending": False},
    ),
    "amounts": (
        COLUMNS["amount"],
        COLUMNS["rival"],
        COLUMNS["weight"],
        {"target_type": "continuous", "max_bins": 64},
    ),
    "empty": (COLUMNS["event"][:0], COLUMNS["score"][:0], None, {}),
}


def make_sketch(name, rows):
    """Make a sketch of some of its rows."""
    outcome, score, weight, arguments = SKETCHES[name]
    sketch = CapSketch(**arguments)
    sketch.update(
        outcome[rows], score[rows], sample_weight=None if weight is None else weight[rows]
    )
    return sketch


def describe(name, sketch):
    """Return a line with the numbers of a sketch."""
    found = {"n_rows": sketch.n_rows}
    if sketch.n_rows:
        found |= {"AR": sketch.accuracy_ratio, "KS": sketch.ks}
        found |= {f"capture {x}": sketch.capture_rate_at(x) for x in (0.1, 0.3)}
        found["table"] = sketch.gains_table(4).value.capture_rate
    return GAP.join([name, *(f"{key} {value!r}" for key, value in read_numbers(found))])


def read_file(version, name):
    """Return the kept bytes of a sketch."""
    return (FOLDER / f"format-{version}" / f"{name}.sketch").read_bytes()


def write_new_format():
    """Write a file for each sketch, unless its format has files."""
    made = {name: make_sketch(name, KEPT).to_bytes() for name in SKETCHES}
    version = int.from_bytes(made["empty"][8:10], "little")
    folder = FOLDER / f"format-{version}"
    if folder.exists():
        sys.exit(f"{folder} has what earlier versions wrote, and stays as it is")
    folder.mkdir(parents=True)
    for name, data in made.items():
        (folder / f"{name}.sketch").write_bytes(data)
    lines = (describe(name, CapSketch.from_bytes(data)) for name, data in made.items())
    (folder / NUMBERS).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_new_format()
