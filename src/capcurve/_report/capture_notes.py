"""Say what limits of capture rates at fixed population shares do not show."""

import numpy as np

from capcurve._inference.capture_rate import FEW_SELECTED
from capcurve._inference.options import FEW_EVENTS
from capcurve._report.options import Facts

FEW_ROWS = "few rows"
WHY_FEW_ROWS = (
    f"{FEW_ROWS}: effectively fewer than {FEW_SELECTED} rows are selected or left out, so "
    "the coverage of the interval may fall below its confidence level."
)
WHY_FEW_EVENTS = (
    f"Fewer than {FEW_EVENTS} independent events or non-events: the coverage of limits of "
    "capture rates and of bands may fall below their confidence level."
)
BEYOND_PERFECT = (
    "Limits of amounts may lie above the perfect curve of this sample, as that varies too."
)


def list_capture_notes(facts: Facts) -> list[str]:
    """List the sentences on capture rates of few rows, and on limits of amounts."""
    rows = [row for model in facts["models"] for row in model["captured"]]
    told = list_few_notes(facts)
    if any(row["few_rows"] for row in rows):
        told.append(WHY_FEW_ROWS)
    if facts["outcome"] == "amounts" and is_any_beyond(rows, facts["perfect"]):
        told.append(BEYOND_PERFECT)
    return told


def list_few_notes(facts: Facts) -> list[str]:
    """Say that limits of capture rates and bands rest on few events, if they do."""
    has_events = facts["outcome"] == "events"
    limited = [m for m in facts["models"] if m["captured"][0]["high"] is not None]
    few = [m for m in limited if m["accuracy_ratio"]["n_effective"] < FEW_EVENTS]
    return [WHY_FEW_EVENTS] if has_events and few else []


def is_any_beyond(rows: list[Facts], perfect: Facts) -> bool:
    """Whether an upper limit is more than any ranking of these rows captures."""
    best = np.interp(
        [row["population_share"] for row in rows],
        perfect["population_share"],
        perfect["capture_rate"],
    )
    return any(
        row["high"] is not None and row["high"] > most
        for row, most in zip(rows, best, strict=True)
    )


def mark_few_rows(row: Facts) -> str:
    """Mark a capture rate of few rows that are selected or left out."""
    return FEW_ROWS if row["few_rows"] else ""
