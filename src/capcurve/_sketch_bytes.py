"""The state of a sketch <-> bytes, with a version and a checksum."""

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from capcurve._bins import Bins
from capcurve.exceptions import CapcurveError

MAGIC, VERSION = b"capcurve", 1
HEADER = struct.Struct("<8sHII")  # magic, version, checksum and length of the description
ARRAYS = ("lowest", "highest", "weight", "target", "largest")


def write(state: Mapping[str, Any], all_bins: Sequence[Bins]) -> bytes:
    """Write plain values and bins."""
    described = {**state, "bins": [describe(bins) for bins in all_bins]}
    text = json.dumps(described).encode()
    body = text + b"".join(map(packed, all_bins))
    return HEADER.pack(MAGIC, VERSION, zlib.crc32(body), len(text)) + body


def read(data: bytes) -> tuple[dict[str, Any], list[Bins]]:
    """Read what `write` wrote, or say what is wrong with it."""
    if len(data) < HEADER.size or data[: len(MAGIC)] != MAGIC:
        raise CapcurveError(
            f"these {len(data)} bytes are no sketch: `to_bytes` starts with {MAGIC!r}"
        )
    _, version, checksum, length = HEADER.unpack_from(data)
    if version != VERSION:
        raise CapcurveError(
            f"the sketch is of version {version}, and this capcurve reads {VERSION}; "
            "install the one that wrote it"
        )
    body = data[HEADER.size :]
    if zlib.crc32(body) != checksum:
        raise CapcurveError(
            "the sketch is damaged or cut short: its checksum does not match"
        )
    described, rest, all_bins = json.loads(body[:length]), body[length:], []
    for each in described.pop("bins"):
        bins, rest = unpacked(each, rest)
        all_bins.append(bins)
    return described, all_bins


def describe(bins: Bins) -> dict[str, Any]:
    """List what it takes to read the arrays of bins."""
    kinds = {name: getattr(bins, name).dtype.str for name in ARRAYS}
    return {"level": bins.level, "length": len(bins), "kinds": kinds}


def packed(bins: Bins) -> bytes:
    """Write the arrays of bins."""
    return b"".join(getattr(bins, name).tobytes() for name in ARRAYS)


def unpacked(described: dict[str, Any], data: bytes) -> tuple[Bins, bytes]:
    """Read the arrays of bins, and return what follows them."""
    length, columns = described["length"], []
    for name in ARRAYS:
        column = np.frombuffer(data, described["kinds"][name], length)
        columns.append(column)
        data = data[column.nbytes :]
    return Bins(described["level"], *columns), data
