"""What commands print as JSON: its results, and an example that is kept of each schema.

``python -m answers`` writes the examples that are missing, as of a new version of a schema.
"""

import json
import os
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import polars as pl

from capcurve import CapSketch
from capcurve._cli.run import main
from capcurve.datasets import make_portfolio

KEPT = Path(__file__).parent / "unit" / "cli" / "answers"
MODEL = ["--truth", "default", "--estimate", "pd"]
FILE = ["loans.csv", *MODEL]
PAIR = [*FILE, "--estimate", "b"]
# Commands by the name of the example that is kept, which starts with that of its schema.
EXAMPLES = {
    "score-1": ["score", *FILE, "--by", "segment", "--fail-below", "0.1"],
    "score-1-amounts": ["score", "loans.csv", "--truth", "loss", "--estimate", "pd"],
    "score-1-labels": [
        *("score", "loans.csv", "--truth", "segment", "--estimate", "retail"),
        *("--estimate", "corporate", "--estimate", "small business"),
    ],
    "score-1-approx": ["score", *FILE, "--approx"],
    "table-1": ["table", *FILE, "--bands", "2", "--confidence", "0.9"],
    "table-1-approx": ["table", *FILE, "--bands", "2", "--approx"],
    "compare-1": ["compare", *PAIR, "--fail-if-challenger-better", "0.001"],
    "compare-1-three": ["compare", *PAIR, "--estimate", "a"],
    "compare-1-share": ["compare", *PAIR, "--share", "0.1"],
    "compare-1-initial": [
        *("compare", *FILE, "--initial-auc", "0.7", "--initial-variance", "0.001"),
        *("--fail-if-worse-than-initial", "0.001"),
    ],
    "compare-1-samples": ["compare", *FILE, "--sample", "half", "--against", "1"],
    "cut-offs-1": ["cut-offs", *FILE, "--threshold", "0.05"],
    "cut-offs-1-capture": ["cut-offs", *FILE, "--capture-rate", "0.8"],
    "cut-offs-1-share": ["cut-offs", *FILE, "--share", "0.1", "--confidence", "0.9"],
    "implied-1": ["implied", *FILE],
    "segments-1": ["segments", *FILE, "--by", "segment"],
    "segments-1-ordered": ["segments", *FILE, "--by", "year", "--ordered"],
    "change-1": ["change", *FILE, "--bands", "3", "--sample", "half"],
    "reference-1": [
        *("reference", "loans.csv", "--truth", "default", "--estimate", "grade"),
        *("--order", "A,B", "--shares", "A=0.7,B=0.3"),
    ],
    "plan-1": ["plan", "--ar", "0.6", "--event-rate", "0.02", "--half-width", "0.05"],
    "plan-1-test": [
        *("plan", "--ar", "0.6", "--second-ar", "0.5", "--event-rate", "0.02"),
        *("--power", "0.8", "--correlation", "0.5"),
    ],
    "plan-1-file": [
        *("plan", *PAIR, "--difference", "0.05", "--half-width", "0.05"),
    ],
    "run-1": ["run"],
    "run-1-check": ["run", "--check"],
    "sketch-show-1": ["sketch", "show", "week.sketch"],
    "sketch-table-1": ["sketch", "table", "week.sketch", "--bands", "2"],
}


CONFIG = """
summary = "reports/index.json"
[report]
truth = "default"
estimate = "pd"
output = "reports/{name}.json"
fail-below = 0.1
[[portfolio]]
file = "loans.csv"
"""


def read_results(output):
    """Return the results in the JSON of a command."""
    return json.loads(output)["results"]


def write_loans():
    """Write loans to a file, with the columns that examples name."""
    loans = make_portfolio(1_500)
    rng = np.random.default_rng(1)
    scores = {name: rng.random(1_500).round(3) for name in np.unique(loans["segment"])}
    columns = {
        "pd": loans["champion_pd"],
        "a": loans["champion_pd"],
        "b": loans["challenger_pd"],
        "points": np.round(loans["champion_pd"] * 1_000),
        "bad": loans["default"],
        "half": np.where(loans["year"] < 2023, 1, 2),
        "grade": np.where(loans["champion_pd"] > 0.05, "B", "A"),
    }
    pl.DataFrame({**loans, **columns, **scores}).write_csv("loans.csv")
    sketch = CapSketch()
    sketch.update(loans["default"], loans["champion_pd"])
    for name in ("week", "monday", "tuesday"):
        Path(f"{name}.sketch").write_bytes(sketch.to_bytes())
    Path("capcurve.toml").write_text(CONFIG, encoding="utf-8")


def run_example(name):
    """Run an example in the working folder, and return what it prints."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([*EXAMPLES[name], "--format", "json"])
    assert code == 0, err.getvalue()
    return json.loads(out.getvalue())


def keep_missing():
    """Write the examples that are missing."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_loans()
        for name in EXAMPLES:
            path = KEPT / f"{name}.json"
            if not path.exists():
                answer = run_example(name)
                answer["results"] = answer["results"][:4]
                answer["provenance"] |= {"os": "Linux", "time": "2026-01-01T00:00:00+00:00"}
                path.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")
                sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    keep_missing()
