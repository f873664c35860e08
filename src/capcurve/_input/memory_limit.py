"""How much memory a caller grants: bytes, or a size in words such as 2GB."""

import re
import sys

from capcurve._input.options import is_real, show
from capcurve.exceptions import CapcurveError

SIZE = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*([kmgt]?)(i?)b\s*", re.IGNORECASE)
PREFIXES = " kmgt"
MOST = sys.float_info.max


def read_size(text: str) -> float | None:
    """Return a size such as 2GB or 512 MiB in bytes; None if the text is none above 0.

    Prefixes count by 1000, and with an i by 1024, as in the settings of DuckDB.
    """
    found = SIZE.fullmatch(text)
    if found is None:
        return None
    number, prefix, is_binary = found.groups()
    power = PREFIXES.index(prefix.lower() or " ")
    return float(number) * (1024.0 if is_binary else 1000.0) ** power or None


def read_memory_limit(limit: float | str | None) -> float | None:
    """Return `memory_limit` in bytes; None if the caller sets none."""
    if limit is None:
        return None
    if isinstance(limit, str):
        size = read_size(limit)
    else:
        size = float(limit) if is_real(limit) and 0 < limit <= MOST else None
    if size is None:
        raise CapcurveError(
            "`memory_limit` must be a number of bytes above 0 or a size in words, got "
            f"{show(limit)}; pass one such as 500_000_000 or '2GB'"
        )
    return size
