"""Describe the gains table of a model: its bands, their limits, and the total."""

from typing import Any

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.gains_table import GainsTable
from capcurve._inference.response_rate import LIMIT_COLUMNS, limit_bands
from capcurve._inference.share_influence import RankedRows
from capcurve._report.options import Facts, ReportOptions
from capcurve._report.scored import ScoredGroup
from capcurve._tally.dtypes import Array, FloatArray

MAX_LIMITED_BANDS = 50  # each band takes a pass over all rows
NEGLIGIBLE = 1e-9  # relative difference of two rates that rounding may make
CUMULATIVE = {  # columns of a gains table that add up the bands above
    "population_share": "cumulative_population_share",
    "capture_rate": "cumulative_capture_rate",
    "capture_rate_low": "cumulative_capture_rate_low",
    "capture_rate_high": "cumulative_capture_rate_high",
    "lift": "cumulative_lift",
    "lift_low": "cumulative_lift_low",
    "lift_high": "cumulative_lift_high",
    "ks": "cumulative_ks",
}


def describe_gains(
    scored: ScoredGroup,
    curve: CapCurve,
    ranked: RankedRows | None,
    options: ReportOptions,
) -> Facts:
    """Describe the bands of a gains table, best first, and their total."""
    table: dict[str, Any] = GainsTable.from_curve(curve, options.bands).to_dict()
    n_bands = len(table["band"])
    limits: dict[str, Any] = dict.fromkeys(LIMIT_COLUMNS, np.full(n_bands, np.nan))
    if ranked is not None and n_bands <= MAX_LIMITED_BANDS:
        limits = limit_bands(ranked, options.bands, options.confidence_level)
    for end in ("highest_score", "lowest_score"):
        table[end] = scored.name_scores(table[end])
    non_events = table["n"] - table["n_events"]
    table["n_non_events"] = non_events if scored.has_events else [None] * n_bands
    # Below a band with fewer events than its own, a ranking is out of order.
    table["is_inversion"] = find_inversions(table["response_rate"])
    columns = {CUMULATIVE.get(name, name): each for name, each in (table | limits).items()}
    cells = zip(*(list_cells(column) for column in columns.values()), strict=True)
    return {
        "gains": [dict(zip(columns, row, strict=True)) for row in cells],
        "gains_total": {
            "n": curve.total_weight,
            "n_events": curve.total_target,
            "n_non_events": float(non_events.sum()) if scored.has_events else None,
            "response_rate": curve.response_rate,
            "n_bands": n_bands,
            "n_inversions": int(table["is_inversion"].sum()),
            "has_limits": ranked is not None and n_bands <= MAX_LIMITED_BANDS,
        },
    }


def find_inversions(rates: FloatArray) -> Array:
    """Say which bands have a higher rate than the one before, by more than rounding."""
    before = np.concatenate([[np.inf], rates[:-1]])
    higher: Array = rates > before * (1 + NEGLIGIBLE)
    return higher


def list_cells(column: Any) -> list[Any]:
    """Return the cells of a column as plain values."""
    return column if isinstance(column, list) else list(column.tolist())
