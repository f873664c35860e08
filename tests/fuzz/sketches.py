"""The door for streams: batches, merges in any order, bytes and damaged bytes."""

from __future__ import annotations

import random
import struct
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from capcurve import CapcurveError, CapSketch
from fuzz import oracle
from fuzz.arrays import as_numpy
from fuzz.cases import (
    SPOILS,
    SWAPPED,
    WHOLE_FLOATS,
    Case,
    draw_case,
    spoil,
    spoil_pos_label,
)
from fuzz.checks import Checker
from fuzz.oracle import Rows
from fuzz.queries import check_bins

SIZES = (2, 3, 5, 8, 64, 65_536)
UPDATE_SPOILS = tuple(each for each in SPOILS if each is not spoil_pos_label)
MUTATIONS = 12  # of the bytes of each sketch, with and without a repaired checksum


def draw_sketches(rng: random.Random, profile: str) -> Case:
    case = draw_case(rng, profile)
    if rng.random() < 0.06:
        return spoil(case, rng, UPDATE_SPOILS)
    if case.has_amounts and "target_type" not in case.options:
        # A batch may hold too little to tell amounts from labels, or outcome from score.
        may = tuple(sorted({*case.may, WHOLE_FLOATS, SWAPPED}))
        return replace(case, may=may)
    return case


def check_sketches(case: Case) -> Checker:
    checker = Checker(case)
    rng = random.Random(case.choice)  # noqa: S311 -- no secret
    max_bins = rng.choice(SIZES)
    sketch = make_sketch(case, max_bins)
    parts = split_rows(case.n, rng)
    if case.refusal is not None:
        check_refusal(checker, sketch, parts)
        return checker
    if not all(update(checker, sketch, part) for part in parts):
        return checker
    rows = oracle.read_rows(
        case.meant, case.columns["s"], case.weights, descending=case.descending
    )
    check_statistics(checker, sketch, rows)
    check_merges(checker, sketch, rows, parts, rng)
    check_bytes(checker, sketch, rng)
    return checker


def make_sketch(case: Case, max_bins: int) -> CapSketch:
    """Create a sketch; labels come as NumPy's integers here and there."""
    options = dict(case.options)
    label = options.get("pos_label")
    if isinstance(label, int) and case.choice % 5 == 0:
        options["pos_label"] = np.int64(label)
    return CapSketch(max_bins, **options)


def split_rows(n: int, rng: random.Random) -> list[slice]:
    """Cut rows into up to five batches, some of them empty."""
    cuts = sorted(rng.randint(0, n) for _ in range(rng.randint(0, 4)))
    return [slice(start, stop) for start, stop in pairwise([0, *cuts, n])]


def update(checker: Checker, sketch: CapSketch, part: slice) -> bool:
    """Add a batch; False if it was refused, rightly or not."""
    case = checker.case
    columns = {
        name: as_numpy(case.columns[name][part], case.storage[name])
        for name in ("y", "s", *([case.weight] if case.weight else []))
    }
    weight = columns.get(case.weight or "")
    answer = checker.ask(
        "update", sketch.update, columns["y"], columns["s"], sample_weight=weight
    )
    return answer is not None


def check_refusal(checker: Checker, sketch: CapSketch, parts: list[slice]) -> None:
    """A refused batch leaves no trace."""
    before = sketch.n_rows
    everything = slice(0, checker.case.n)
    update(checker, sketch, everything)
    if not checker.differences:
        checker.same("n_rows after a refusal", sketch.n_rows, before)
        checker.same("parts", parts[-1].stop, checker.case.n)


def check_statistics(checker: Checker, sketch: CapSketch, rows: Rows) -> None:
    """Check that bounds hold the exact numbers, and are exact where bins are enough."""
    checker.same("n_rows", sketch.n_rows, len(rows.weight))
    checker.ask("repr", repr, sketch)
    if rows.is_constant:
        checker.expect_refusal("accuracy_ratio", getattr, sketch, "accuracy_ratio")
        return
    check_bins(checker, "sketch", sketch, rows)
    enough = max(len(set(rows.rank)), len(set(rows.outcome))) <= sketch.max_bins
    ratio = checker.ask("accuracy_ratio", getattr, sketch, "accuracy_ratio")
    if ratio is not None and enough:
        for part in ("value", "low", "high"):
            got = getattr(ratio.value, part)
            checker.near(f"exact sketch AR {part}", got, oracle.accuracy_ratio(rows))


# -- Merging -------------------------------------------------------------------------------


def adds_exactly(case: Case) -> bool:
    """Whether all sums are of whole numbers, which no order of adding changes."""
    weights = case.weights or [1]
    sums = [*weights, *(case.meant if case.has_amounts else [1])]
    return all(value == int(value) and value < 2**20 for value in sums)


def check_merges(
    checker: Checker, sketch: CapSketch, rows: Rows, parts: list[slice], rng: random.Random
) -> None:
    """Merge a sketch of each batch in a random order, and compare with the whole."""
    case = checker.case
    trees = []
    for part in parts:
        leaf = make_sketch(case, sketch.max_bins)
        if not update(checker, leaf, part):
            return
        trees.append(leaf)
    while len(trees) > 1:
        first = trees.pop(rng.randrange(len(trees)))
        second = trees.pop(rng.randrange(len(trees)))
        merged = checker.ask("merge", first.merge, second)
        if merged is None:
            return
        trees.append(merged.value)
    merged = trees[0]
    checker.same("n_rows merged", merged.n_rows, sketch.n_rows)
    if adds_exactly(case):
        kept = [checker.ask("to_bytes", each.to_bytes) for each in (sketch, merged)]
        if None not in kept:
            same = kept[0].value == kept[1].value  # type: ignore[union-attr]
            checker.same("merged bytes are equal", same, expected=True)
    elif not rows.is_constant:
        check_bins(checker, "merged", merged, rows)


# -- Bytes ---------------------------------------------------------------------------------


def check_bytes(checker: Checker, sketch: CapSketch, rng: random.Random) -> None:
    """Write and read, and read what was damaged on the way."""
    written = checker.ask("to_bytes", sketch.to_bytes)
    if written is None:
        return
    data = written.value
    for kind in (bytes, bytearray, memoryview):
        name = f"from_bytes of {kind.__name__}"
        restored = checker.ask(name, CapSketch.from_bytes, kind(data))
        if restored is not None:
            checker.same(name, restored.value.to_bytes(), data)
    for damaged in (mutate(data, rng) for _ in range(MUTATIONS)):
        check_damaged(checker, data, damaged)
        check_repaired(checker, repair(damaged, data))


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Damage bytes: flip, replace, cut, repeat, or change a character of a word."""
    at = rng.randrange(len(data))
    stop = min(len(data), at + rng.randint(1, 9))
    word = rng.randrange(data.rfind(b"}") + 1 or len(data))  # in the description
    letter = rng.choice((b"9", b"-", b"0", b"]", b'"', b"f", b" ", b"e"))
    ways = (
        replace_bytes(data, at, bytes([data[at] ^ (1 << rng.randrange(8))])),
        replace_bytes(data, at, rng.randbytes(stop - at)),
        data[:at],
        data[:at] + data[stop:],
        data + rng.randbytes(stop - at),
        data[:stop] + data[at:],
        replace_bytes(data, word, letter),
    )
    return rng.choices(ways, (5, 3, 2, 2, 2, 1, 5))[0]


def replace_bytes(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


def find_checksum(data: bytes) -> tuple[int, int]:
    """Find where bytes hold their CRC-32, and where the part begins that it is of."""
    for place in range(8, 40):
        for start in (*range(place + 4, place + 40), 0, 8):
            stored = struct.unpack_from("<I", data, place)[0]
            covered = (
                data[start:place] + data[place + 4 :] if start < place else data[start:]
            )
            if zlib.crc32(covered) == stored:
                return place, start
    raise LookupError("the bytes of a sketch hold no CRC-32 in their first 40 bytes")


def repair(damaged: bytes, data: bytes) -> bytes | None:
    """Write the right checksum into damaged bytes, as a hostile sender would."""
    place, start = find_checksum(data)
    if len(damaged) < place + 4:
        return None
    covered = (
        damaged[start:place] + damaged[place + 4 :] if start < place else damaged[start:]
    )
    return replace_bytes(damaged, place, struct.pack("<I", zlib.crc32(covered)))


def check_damaged(checker: Checker, data: bytes, damaged: bytes) -> None:
    """Damaged bytes are refused, or give the same sketch."""
    checker.compared += 1
    try:
        restored = CapSketch.from_bytes(damaged)
    except CapcurveError:
        checker.refused["damaged bytes"] += 1
    except Exception as error:  # noqa: BLE001 -- a raw error is what is looked for
        checker.differ("damaged bytes", f"{error!r} of {damaged!r}", "a CapcurveError")
    else:
        if restored.to_bytes() != data:
            checker.differ("damaged bytes", f"accepted {damaged!r}", "a CapcurveError")


def check_repaired(checker: Checker, damaged: bytes | None) -> None:
    """Bytes of a hostile sender are refused, or give a sketch that answers."""
    if damaged is None:
        return
    checker.compared += 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers may be of any size here
        try:
            for _ in read_everything(CapSketch.from_bytes(damaged)):
                pass
        except CapcurveError:
            checker.refused["damaged bytes, checksum repaired"] += 1
        except Exception as error:  # noqa: BLE001 -- as above
            checker.differ("repaired bytes", f"{error!r} of {damaged!r}", "a CapcurveError")


def read_everything(sketch: CapSketch) -> Iterator[Any]:
    """Use a sketch in every way."""
    yield repr(sketch)
    if CapSketch.from_bytes(sketch.to_bytes()).to_bytes() != sketch.to_bytes():
        raise AssertionError("written and read again, the sketch is another one")
    yield sketch.merge(sketch)
    yield sketch.accuracy_ratio
    yield sketch.ks
    yield sketch.capture_rate_at(0.5)
    yield sketch.cap_curve()
    yield sketch.gains_table(3)
