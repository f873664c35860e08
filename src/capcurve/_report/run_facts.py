"""Facts of a run: what became of each portfolio, as its summary shows it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, get_args

from capcurve._report.gates import is_unjudged
from capcurve._report.interval_methods import FREE
from capcurve._report.options import Facts
from capcurve._report.provenance import make_timestamp

SCHEMA_VERSION = 1
KEPT = ("title", "outcome", "gates", "sample", "rows")
Status = Literal["ok", "unjudged", "skipped", "failed", "error"]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one portfolio, or of a summary.

    Attributes
    ----------
    name : str
    files : sequence of str
        Files or patterns that were read.
    reports : sequence of Path
        Reports that were written.
    facts : dict or None
        Facts of the report; None if there is none.
    error : str or None
        Why there is none, or why it was not written.
    notes : sequence of str
        What the shell would have printed about the rows and the results.
    seconds : float
        Time that it took.
    skipped : str or None
        Why there is no report to be made, which is no error.
    rows_read : mapping or None
        Numbers of rows, if they are known without a report.
    files_read : sequence of dict
        Name, size and SHA-256 of each file, if they are known without a report.
    verdicts : sequence of dict
        Gates that are skipped, as there is no report.
    """

    name: str
    files: Sequence[str] = ()
    reports: Sequence[Path] = ()
    facts: Facts | None = None
    error: str | None = None
    notes: Sequence[str] = ()
    seconds: float = 0.0
    skipped: str | None = None
    rows_read: Mapping[str, Any] | None = None
    files_read: Sequence[Mapping[str, Any]] = ()
    verdicts: Sequence[Mapping[str, Any]] = ()

    @property
    def gates(self) -> Sequence[Mapping[str, Any]]:
        """Verdicts of the gates."""
        return self.verdicts if self.facts is None else self.facts["gates"]

    @property
    def sources(self) -> Sequence[Mapping[str, Any]]:
        """Name, size and SHA-256 of each file; none if none was read whole."""
        return self.files_read if self.facts is None else self.facts["provenance"]["files"]

    @property
    def rows(self) -> Mapping[str, int] | None:
        """How many rows were read, used and left out; None if they were not counted."""
        rows = self.rows_read if self.facts is None else self.facts["rows"]
        if rows is None:
            return None
        return {name: rows[name] for name in ("read", "used", "left_out")}

    @property
    def failures(self) -> list[str]:
        """What the gates say that failed."""
        return [gate["text"] for gate in self.gates if gate["passed"] is False]

    @property
    def status(self) -> Status:
        """Whether there was an error, a failed gate, no report, no verdict, or nothing."""
        if self.error is not None:
            return "error"
        if self.failures:
            return "failed"
        if self.skipped is not None:
            return "skipped"
        return "unjudged" if is_unjudged(self.gates) else "ok"

    def without_curves(self) -> Outcome:
        """Return the same with no more facts than a summary shows."""
        if self.facts is None:
            return self
        kept = {name: self.facts[name] for name in KEPT}
        kept["models"] = [
            {name: model[name] for name in ("name", "accuracy_ratio", "few_events")}
            for model in self.facts["models"]
        ]
        kept["provenance"] = {"files": self.facts["provenance"]["files"]}
        return Outcome(**{**vars(self), "facts": kept})


def make_run_facts(
    title: str, config: Facts, outcomes: Sequence[Outcome], summary: Path, seconds: float
) -> Facts:
    """Make the facts of a run; paths are relative to the folder of the summary.

    ``config`` is name and SHA-256 of the config file.
    """
    count = Counter(outcome.status for outcome in outcomes)
    return {
        "schema": f"capcurve.run-summary/{SCHEMA_VERSION}",
        "title": title,
        "config": config["name"],
        "config_sha256": config["sha256"],
        "time": make_timestamp(),
        "seconds": round(seconds, 3),
        "version": version("capcurve"),
        "totals": {
            "portfolios": len(outcomes),
            **{status: count[status] for status in get_args(Status)},
        },
        "portfolios": [describe_outcome(outcome, summary) for outcome in outcomes],
    }


def describe_outcome(outcome: Outcome, summary: Path) -> Facts:
    """Describe what became of a portfolio."""
    facts = outcome.facts
    folder = summary.absolute().parent
    return {
        "name": outcome.name,
        "status": outcome.status,
        "error": outcome.error,
        "skipped": outcome.skipped,
        "patterns": list(outcome.files),
        "files": list(outcome.sources),
        "title": None if facts is None else facts["title"],
        "outcome": None if facts is None else facts["outcome"],
        "n_rows": None if facts is None else facts["sample"]["n_rows"],
        "n_events": None if facts is None else facts["sample"]["n_events"],
        "rows": outcome.rows,
        "models": [] if facts is None else [describe_model(m) for m in facts["models"]],
        "gates": list(outcome.gates),
        "notes": list(outcome.notes),
        "reports": [
            Path(os.path.relpath(path.absolute(), folder)).as_posix()
            for path in outcome.reports
        ],
        "seconds": round(outcome.seconds, 3),
    }


def describe_model(model: Mapping[str, Any]) -> Facts:
    """Describe the AR of a model."""
    ratio = model["accuracy_ratio"]
    return {
        "name": model["name"],
        "accuracy_ratio": ratio["value"],
        "low": ratio["low"],
        "high": ratio["high"],
        "confidence_level": ratio["confidence_level"],
        # Distribution-free limits hold for any number of events.
        "few_events": model["few_events"] and ratio["method"] not in FREE,
    }
