"""The curves of a gain curve frame, told apart by the columns that hold their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time
from itertools import compress
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._curve.profile import Profile
from capcurve._engines.rank import as_eager_frame
from capcurve._frames.results import CURVE_COLUMNS, POINT_COLUMNS
from capcurve._input.column import refuse_unknown_columns
from capcurve._plot.panel_grid import MOST_PANELS
from capcurve._plot.picture import MOST_CURVES
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

MOST_LINES = MOST_PANELS * MOST_CURVES
LEAST_RATIO = 1e-4  # AR below which the area of a curve does not tell the perfect one
TOLERANCE = 1e-6  # of an area that is compared with AR
MISSING = "missing"


class GainLine(NamedTuple):
    """One curve of a frame.

    ``keys`` holds the value of each column of names as text. ``perfect`` is the perfect
    curve where the frame tells it: that of 0/1 events.
    """

    keys: Mapping[str, str]
    profile: Profile
    thresholds: Array | None  # at the points, if they are numbers
    accuracy_ratio: float | None
    perfect: Profile | None


def read_lines(gain_curve_frame: Any) -> list[GainLine]:
    """Split a frame into its curves, each of which starts with a row of zeros."""
    frame = as_eager_frame(gain_curve_frame)
    refuse_unknown_columns(POINT_COLUMNS, frame.columns, "`gain_curve_frame`")
    parts = cut_frame(frame)
    names = [name for name in frame.columns if name not in CURVE_COLUMNS]
    constant = [
        name
        for name in names
        if all(part.get_column(name).n_unique() == 1 for part in parts)
    ]
    keys = {name: write_keys(parts, name) for name in constant}
    lines = [
        read_line(part, {name: texts[place] for name, texts in keys.items()})
        for place, part in enumerate(parts)
        if has_outcome(part)
    ]
    if not lines:
        raise CapcurveError(
            "`gain_curve_frame` must hold at least one curve with an outcome, got none; "
            "check the data passed to `gain_curve`"
        )
    return lines


def cut_frame(frame: nw.DataFrame[Any]) -> list[nw.DataFrame[Any]]:
    """Cut a frame at the first row of each curve."""
    n = frame.get_column("n").to_numpy()
    starts = np.flatnonzero(n == 0)
    falls = np.flatnonzero(np.diff(n) < 0) + 1
    if len(n) and (n[0] != 0 or not np.isin(falls, starts).all()):
        raise CapcurveError(
            "`gain_curve_frame` must hold its curves one below the other, each with its "
            "first row, where `n` is 0, got rows in another order; filter and sort whole "
            "curves only"
        )
    if len(starts) > MOST_LINES:
        raise CapcurveError(
            f"`gain_curve_frame` must have at most {MOST_LINES:,} curves, got "
            f"{len(starts):,}; draw a part of them at a time"
        )
    stops = np.append(starts[1:], len(n))
    return [
        frame[start:stop]
        for start, stop in zip(starts.tolist(), stops[: len(starts)].tolist(), strict=True)
    ]


def has_outcome(part: nw.DataFrame[Any]) -> bool:
    """Whether a curve has any event or amount."""
    return bool(part.get_column("n_events").to_numpy()[-1] > 0)


def read_line(part: nw.DataFrame[Any], keys: Mapping[str, str]) -> GainLine:
    """Read one curve of a frame."""
    n, n_events, share, captured = (
        part.get_column(name).to_numpy() for name in POINT_COLUMNS[:-1]
    )
    profile = Profile(share.astype(np.float64), captured.astype(np.float64))
    for name, values in zip(POINT_COLUMNS[2:], profile, strict=False):
        refuse_other_than_shares(name, values)
    ratio = read_ratio(part)
    are_counts = all(part.schema[name].is_integer() for name in ("n", "n_events"))
    # So that a curve whose last rows are left out has its own rate too.
    rate = float(n_events[-1] / captured[-1] / (n[-1] / share[-1]))
    is_perfect = rate < 1 and (are_counts or tells_events(profile, ratio, rate))
    threshold = part.get_column("threshold")
    return GainLine(
        keys,
        profile,
        threshold.to_numpy() if threshold.dtype.is_numeric() else None,
        ratio,
        Profile(np.array([0, rate, 1]), np.array([0.0, 1, 1])) if is_perfect else None,
    )


def refuse_other_than_shares(name: str, values: Array) -> None:
    """Raise for shares that were made percentages, say, which have other curves."""
    strange = values[~((values >= 0) & (values <= 1 + TOLERANCE))]
    if strange.size:
        raise CapcurveError(
            f"{name!r} of `gain_curve_frame` must be shares from 0 to 1, got "
            f"{strange[0]:.6g}; plot the frame of `gain_curve` as it is, and make "
            "percentages of a copy"
        )


def read_ratio(part: nw.DataFrame[Any]) -> float | None:
    """Return the accuracy ratio in the rows of a curve, if they hold one."""
    if "accuracy_ratio" not in part.columns:
        return None
    ratio = part.get_column("accuracy_ratio")[0]
    return None if ratio is None or np.isnan(ratio) else float(ratio)


def tells_events(profile: Profile, ratio: float | None, rate: float) -> bool:
    """Whether AR is that of 0/1 events, of which the perfect ranking captures all first.

    Outcomes that are amounts have another perfect ranking, and so another AR for the
    same area under the curve.
    """
    share, captured = profile
    if ratio is None or abs(ratio) < LEAST_RATIO:
        return False
    area = 2 * float(np.trapezoid(captured, share)) - 1
    return abs(area / ratio - (1 - rate)) <= TOLERANCE * (1 - rate)


def write_keys(parts: Sequence[nw.DataFrame[Any]], name: str) -> list[str]:
    """Write the value that each curve has in a column of names as text.

    Dates of pandas are times too, all of them midnights, which say nothing.
    """
    values = [part.get_column(name)[0] for part in parts]
    present = [not is_missing(value) for value in values]
    are_dates = all(map(is_midnight, compress(values, present)))
    shown = [
        value.date() if are_dates and known else value
        for value, known in zip(values, present, strict=True)
    ]
    return [
        str(value) if known else MISSING
        for value, known in zip(shown, present, strict=True)
    ]


def is_missing(value: Any) -> bool:
    """Whether a value of a column of names is null, or nan of any type."""
    return value is None or bool(value != value)  # noqa: PLR0124


def is_midnight(value: Any) -> bool:
    """Whether a value is a time at which a day begins."""
    is_whole = isinstance(value, datetime) and value.time() == time.min
    return is_whole and not getattr(value, "nanosecond", 0)  # which only pandas has
