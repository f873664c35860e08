"""Types that NumPy does not have: whole numbers beyond 64 bits, and decimals; nan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from capcurve._files.numbers import EXACT_DIGITS
from capcurve._files.quoting import quote_name
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

FLOATS = ("FLOAT", "DOUBLE")
WHOLE_TYPES = {
    "BIGINT": (-(2**63), 2**63 - 1),
    "UBIGINT": (0, 2**64 - 1),
}


def fit_columns(
    relation: DuckDBPyRelation, names: Sequence[str], numbers: Sequence[str]
) -> DuckDBPyRelation:
    """Cast wide integers and decimals to types of NumPy that keep their order and ties.

    DuckDB ranks nan above all numbers; it becomes null, which is missing.

    Parameters
    ----------
    relation : DuckDBPyRelation
    names : sequence of str
        Columns to return.
    numbers : sequence of str
        Those that are calculated with; others become text where no number fits.

    Raises
    ------
    CapcurveError
        If no type of NumPy holds the values apart.
    """
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    is_wide = re.compile(r"U?HUGEINT|DECIMAL\(.*").fullmatch
    columns = []
    for name in names:
        column = fitted = quote_name(name)
        if is_wide(types[name]):
            fitted = fit_column(relation, name, types[name], name in numbers)
        elif types[name] in FLOATS:
            # Statistics of Parquet files leave nan out, and DuckDB believes them of isnan.
            is_number = f"isfinite({column}) or abs({column}) = 'inf'"
            fitted = f"case when {is_number} then {column} end"
        columns.append(f"{fitted} as {column}")
    return relation.project(", ".join(columns))


def fit_column(relation: DuckDBPyRelation, name: str, kind: str, is_number: bool) -> str:  # noqa: FBT001
    """Return SQL that casts one column; raise if it must not be rounded."""
    column = quote_name(name)
    least, most = scan(relation, f"min({column}), max({column})")
    scale = int(kind.partition(",")[2].removesuffix(")") or 0)
    if scale == 0:
        for whole_type, (lower, upper) in WHOLE_TYPES.items():
            if most is None or lower <= least <= most <= upper:
                return f"cast({column} as {whole_type})"
    if not is_number:
        return f"cast({column} as varchar)"
    number = f"cast({column} as double)"
    largest = max(abs(least), abs(most)) if most is not None else 0
    if largest * 10**scale >= 10**EXACT_DIGITS:
        n_values, n_floats = scan(
            relation, f"count(distinct {column}), count(distinct {number})"
        )
        if n_floats < n_values:
            raise CapcurveError(
                f"`{name}` must hold numbers that 64 bits tell apart, got {kind} values of "
                f"up to {largest}, some of which are equal as floats; round them, or pass "
                "their rank"
            )
    return number


def scan(relation: DuckDBPyRelation, selected: str) -> Any:
    """Return the only row of an aggregation."""
    return relation.aggregate(selected).fetchall()[0]
