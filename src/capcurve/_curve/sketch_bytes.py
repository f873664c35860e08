"""Serialisation of a sketch to bytes, with a format version and a checksum."""

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from capcurve._tally.bins import Bins
from capcurve.exceptions import CapcurveError

MAGIC, VERSION = b"capcurve", 1
HEADER = struct.Struct("<8sHII")  # magic, version, checksum, length of the description
ARRAYS = ("lowest", "highest", "weight", "target", "largest")


def write_sketch(state: Mapping[str, Any], all_bins: Sequence[Bins]) -> bytes:
    """Serialise plain values and bins."""
    description = {**state, "bins": [describe_bins(bins) for bins in all_bins]}
    text = json.dumps(description).encode()
    body = text + b"".join(map(pack_bins, all_bins))
    return HEADER.pack(MAGIC, VERSION, zlib.crc32(body), len(text)) + body


def read_sketch(data: bytes) -> tuple[dict[str, Any], list[Bins]]:
    """Restore the values and bins that `write_sketch` serialised."""
    if len(data) < HEADER.size or data[: len(MAGIC)] != MAGIC:
        raise CapcurveError(
            f"`data` must be a sketch from `to_bytes`, which starts with {MAGIC!r}, got "
            f"{len(data)} bytes without that header; check what was read"
        )
    _, version, checksum, length = HEADER.unpack_from(data)
    if version != VERSION:
        raise CapcurveError(
            f"`data` must be a sketch of format version {VERSION}, got version {version}; "
            "read it with the release of capcurve that wrote it"
        )
    body = data[HEADER.size :]
    if zlib.crc32(body) != checksum:
        raise CapcurveError(
            "`data` must be a complete sketch, but its checksum does not match, so it is "
            "damaged or truncated; write or transfer it again"
        )
    description, rest, all_bins = json.loads(body[:length]), body[length:], []
    for layout in description.pop("bins"):
        bins, rest = unpack_bins(layout, rest)
        all_bins.append(bins)
    return description, all_bins


def describe_bins(bins: Bins) -> dict[str, Any]:
    """Describe the layout of the arrays of bins, as `unpack_bins` requires it."""
    kinds = {name: getattr(bins, name).dtype.str for name in ARRAYS}
    return {"level": bins.n_bits, "length": len(bins), "kinds": kinds}


def pack_bins(bins: Bins) -> bytes:
    """Serialise the arrays of bins."""
    return b"".join(getattr(bins, name).tobytes() for name in ARRAYS)


def unpack_bins(layout: dict[str, Any], data: bytes) -> tuple[Bins, bytes]:
    """Restore the arrays of bins, and return the bytes that follow them."""
    length, columns = layout["length"], []
    for name in ARRAYS:
        column = np.frombuffer(data, layout["kinds"][name], length)
        columns.append(column)
        data = data[column.nbytes :]
    return Bins(layout["level"], *columns), data
