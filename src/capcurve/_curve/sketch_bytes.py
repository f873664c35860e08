"""Serialisation of a sketch to bytes, with a format version and a checksum."""

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from types import NoneType
from typing import Any, NoReturn, get_args

import numpy as np

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._engines.binned_rows import make_keys
from capcurve._input.column import name_type
from capcurve._input.weights import GREATEST_MASS, LEAST_MASS
from capcurve._tally.bins import Bins
from capcurve._tally.cells import FINEST, Grid, get_finest, mark_cells
from capcurve._tally.dtypes import Array
from capcurve._tally.order import floats_from_keys, read_keys
from capcurve.exceptions import CapcurveError

MAGIC, VERSION = b"capcurve", 2
FIRST_VERSION = 1  # of capcurve 0.1.0, whose bins are those of the grid 'prefixes'
HEADER = struct.Struct("<8sHII")  # magic, version, checksum, length of the description
ITEM_BYTES = 8

# The form of the description: at each name the types, or the words, that it may have.
KINDS = {
    "lowest": ("<u8",),
    "highest": ("<u8",),
    "weight": ("<i8", "<f8"),
    "target": ("<i8", "<f8"),
    "largest": ("<f8",),
}
FIRST_BINS: dict[str, Any] = {"level": (int,), "length": (int,), "kinds": KINDS}
BINS = {"grid": get_args(Grid), **FIRST_BINS}
DESCRIPTION = {
    "arguments": {
        "max_bins": (int,),
        "target_type": (str,),
        "pos_label": (NoneType, bool, int, float, str),
        "descending": (bool,),
    },
    "n_rows": (int,),
    "has_events": (bool,),
    "bins": [BINS, BINS],
}
FORMS = {FIRST_VERSION: {**DESCRIPTION, "bins": [FIRST_BINS] * 2}, VERSION: DESCRIPTION}

MAX_ROWS = 1 << 53  # totals of more rows are not exact
TOLERANCE = 1e-6  # relative error of sums that were taken in another order
UNDERFLOW = 1e-300  # absolute error of sums of products too small for all their digits
LEAST_KEY, ZERO_KEY, GREATEST_KEY = make_keys(np.array([-np.inf, 0.0, np.inf]))
MINUS_ZERO_KEY = ZERO_KEY - np.uint64(1)


def write_sketch(arguments: Mapping[str, Any], curve: BinnedCurve) -> bytes:
    """Serialise the arguments and the curve of a sketch."""
    both = (curve.by_score, curve.by_target)
    description = {
        "arguments": arguments,
        "n_rows": curve.n_rows,
        "has_events": curve.has_events,
        "bins": [describe_bins(bins) for bins in both],
    }
    text = json.dumps(description).encode()
    body = text + b"".join(map(pack_bins, both))
    return HEADER.pack(MAGIC, VERSION, zlib.crc32(body), len(text)) + body


def describe_bins(bins: Bins) -> dict[str, Any]:
    """Describe the layout of the arrays of bins, as `unpack_bins` requires it."""
    kinds = {name: little_endian(getattr(bins, name)).dtype.str for name in KINDS}
    return {"grid": bins.grid, "level": bins.level, "length": len(bins), "kinds": kinds}


def pack_bins(bins: Bins) -> bytes:
    """Serialise the arrays of bins."""
    return b"".join(little_endian(getattr(bins, name)).tobytes() for name in KINDS)


def little_endian(column: Array) -> Array:
    """Return numbers whose bytes are in the same order on every machine."""
    return column.astype(column.dtype.newbyteorder("<"), copy=False)


def read_sketch(data: Any) -> tuple[dict[str, Any], BinnedCurve]:
    """Restore the arguments and the curve that `write_sketch` serialised.

    The checksum does not cover the length of the description: if that is wrong, the text
    is cut where it is no JSON, or the arrays have another size.
    """
    data = copy_bytes(data)
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        raise CapcurveError(
            f"`data` must be a sketch from `to_bytes`, which starts with {MAGIC!r}, got "
            f"{len(data)} bytes without that header; check what was read"
        )
    _, version, checksum, length = HEADER.unpack_from(data)
    if version not in FORMS:
        raise CapcurveError(
            f"`data` must be a sketch of format version {FIRST_VERSION} or {VERSION}, got "
            f"version {version}; read it with the release of capcurve that wrote it"
        )
    body = data[HEADER.size :]
    if zlib.crc32(body) != checksum:
        raise_damaged("a checksum that does not match")
    description = read_description(body[:length], version)
    arguments, layouts = description["arguments"], description["bins"]
    lengths = [layout["length"] for layout in layouts]
    if min(lengths) < 0 or sum(lengths) * len(KINDS) * ITEM_BYTES != len(body) - length:
        raise_damaged("arrays of another size than described")
    stream = BytesIO(body[length:])
    by_score, by_target = (unpack_bins(layout, stream) for layout in layouts)
    curve = BinnedCurve(
        by_score,
        by_target,
        descending=arguments["descending"],
        has_events=description["has_events"],
        n_rows=description["n_rows"],
    )
    for flaw in find_flaws(curve, arguments["max_bins"]):
        raise_damaged(flaw)
    by_score, by_target = map(renew_grid, (by_score, by_target))
    return arguments, replace(curve, by_score=by_score, by_target=by_target)


def renew_grid(bins: Bins) -> Bins:
    """Give bins of single scores the present cells, of which those are cells too."""
    if bins.grid == "prefixes" and bins.level == get_finest(bins.grid):
        return replace(bins, grid="numbers", level=FINEST)
    return bins


def copy_bytes(data: Any) -> bytes:
    """Return the bytes of any object that holds bytes."""
    try:
        return bytes(memoryview(data))
    except TypeError as error:
        raise CapcurveError(
            f"`data` must be bytes from `to_bytes`, got {name_type(data)}; read the "
            "file or the field that holds them"
        ) from error


def read_description(text: bytes, version: int) -> Any:
    """Read the description of a sketch; raise unless it has the right form."""
    try:
        description = json.loads(text.decode())
    except (ValueError, RecursionError):
        description = None
    if not has_form(description, FORMS[version]):
        raise_damaged("text that describes no sketch")
    return description


def has_form(value: Any, form: Any) -> bool:
    """Whether plain values have the names, and the types or words, of a form."""
    if isinstance(form, dict):
        return (
            isinstance(value, dict)
            and value.keys() == form.keys()
            and all(has_form(value[name], form[name]) for name in form)
        )
    if isinstance(form, list):
        return (
            isinstance(value, list)
            and len(value) == len(form)
            and all(map(has_form, value, form))
        )
    return type(value) in form or value in form


def unpack_bins(layout: Mapping[str, Any], stream: BytesIO) -> Bins:
    """Restore the arrays of bins."""
    n_bytes, kinds = layout["length"] * ITEM_BYTES, layout["kinds"]
    columns = {name: np.frombuffer(stream.read(n_bytes), kinds[name]) for name in KINDS}
    native = {
        name: column.astype(column.dtype.newbyteorder("="))
        for name, column in columns.items()
    }
    return Bins(level=layout["level"], grid=layout.get("grid", "prefixes"), **native)


def raise_damaged(flaw: str) -> NoReturn:
    """Refuse bytes that `to_bytes` cannot have written."""
    raise CapcurveError(
        f"`data` must be a complete sketch, got {flaw}, so it is damaged or truncated; "
        "write or transfer it again"
    )


def find_flaws(curve: BinnedCurve, max_bins: int) -> Iterator[str]:
    """Name what no rows lead to; each check relies on those before it."""
    for bins in (curve.by_score, curve.by_target):
        yield from find_misplaced_bins(bins, max_bins)
        yield from find_impossible_masses(bins)
    yield from find_impossible_outcomes(curve)
    yield from find_unequal_totals(curve)


def find_misplaced_bins(bins: Bins, max_bins: int) -> Iterator[str]:
    """Name what is wrong with the numbers that bins are of."""
    if not 0 <= bins.level <= get_finest(bins.grid) or len(bins) > max_bins:
        yield "bins that are finer than they may be"
    keys = np.column_stack([bins.lowest, bins.highest]).ravel()
    if bins.grid != "integers" and (
        not is_between(keys, LEAST_KEY, GREATEST_KEY) or (keys == MINUS_ZERO_KEY).any()
    ):
        yield "bins of what is no number"
    in_order = (keys[1:] >= keys[:-1]).all()
    numbers = read_keys(keys, bins.grid)
    starts = mark_cells(numbers, bins.level, bins.grid)
    if not in_order or not starts[::2].all() or starts[1::2].any():
        yield "bins that overlap or are out of order"


def find_impossible_masses(bins: Bins) -> Iterator[str]:
    """Name what is wrong with the weights and the outcomes in bins."""
    if not is_between(bins.weight, LEAST_MASS, GREATEST_MASS * MAX_ROWS):
        yield "weights that are not positive or not finite"
    if not is_between(bins.largest, 0, GREATEST_MASS):
        yield "outcomes that are negative or not finite"
    most = bins.weight * bins.largest * (1 + TOLERANCE) + UNDERFLOW
    if not is_between(bins.target, 0, most):
        yield "outcomes that are larger than the largest"


def find_impossible_outcomes(curve: BinnedCurve) -> Iterator[str]:
    """Name what is wrong with the bins of outcomes."""
    bins = curve.by_target
    low, high = floats_from_keys(bins.lowest), floats_from_keys(bins.highest)
    if bins.grid == "integers":
        yield "outcomes of another kind"
    if (low < 0).any() or (bins.largest != high).any():
        yield "outcomes outside of their bins"
    if (bins.target < low * bins.weight * (1 - TOLERANCE) - UNDERFLOW).any():
        yield "outcomes that are smaller than the smallest"
    if curve.has_events and not (np.isin(low, (0, 1)) & (low == high)).all():
        yield "events that are neither 0 nor 1"


def find_unequal_totals(curve: BinnedCurve) -> Iterator[str]:
    """Name what differs between the bins of scores, those of outcomes, and the rows."""
    both = (curve.by_score, curve.by_target)
    kinds = {mass.dtype.kind for bins in both for mass in (bins.weight, bins.target)}
    is_counted = kinds == {"i"}
    if len(kinds) > 1 or (is_counted and not curve.has_events):
        yield "counts mixed with sums"
    totals = [
        (
            bins.weight.sum(dtype=float),
            bins.target.sum(dtype=float),
            bins.largest.max(initial=0),
        )
        for bins in both
    ]
    if not np.allclose(totals[0], totals[1], rtol=0 if is_counted else TOLERANCE, atol=0):
        yield "totals that differ"
    n_rows, n_bins = curve.n_rows, len(curve.by_score)
    if (
        not n_bins <= n_rows <= MAX_ROWS
        or (n_bins == 0) != (n_rows == 0)
        or (is_counted and n_rows != totals[0][0])
    ):
        yield "totals that are not of its rows"


def is_between(values: Array, least: Any, most: Any) -> bool:
    """Whether all values lie between limits; nan does not."""
    return bool(((values >= least) & (values <= most)).all())
