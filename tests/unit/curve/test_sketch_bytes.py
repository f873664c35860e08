"""Bytes of a sketch: read by every later release, and refused where they are damaged."""

import json
import random
import struct
import warnings
import zlib
from base64 import b64decode
from contextlib import suppress

import numpy as np
import pytest

from capcurve import CapCurve, CapcurveError, CapSketch
from capcurve._tally.cells import FINEST
from fuzz.sketches import mutate, read_everything, repair

# Written by capcurve 0.1.0.
GRADES_0_1_0 = b64decode(
    "Y2FwY3VydmUBAMLOJ7mFAQAAeyJhcmd1bWVudHMiOiB7Im1heF9iaW5zIjogOCwgInRhcmdldF90eXBlIjog"
    "ImF1dG8iLCAicG9zX2xhYmVsIjogImJhZCIsICJkZXNjZW5kaW5nIjogZmFsc2V9LCAibl9yb3dzIjogNSwg"
    "Imhhc19ldmVudHMiOiB0cnVlLCAiYmlucyI6IFt7ImxldmVsIjogNjQsICJsZW5ndGgiOiA0LCAia2luZHMi"
    "OiB7Imxvd2VzdCI6ICI8dTgiLCAiaGlnaGVzdCI6ICI8dTgiLCAid2VpZ2h0IjogIjxpOCIsICJ0YXJnZXQi"
    "OiAiPGk4IiwgImxhcmdlc3QiOiAiPGY4In19LCB7ImxldmVsIjogNjQsICJsZW5ndGgiOiAyLCAia2luZHMi"
    "OiB7Imxvd2VzdCI6ICI8dTgiLCAiaGlnaGVzdCI6ICI8dTgiLCAid2VpZ2h0IjogIjxpOCIsICJ0YXJnZXQi"
    "OiAiPGk4IiwgImxhcmdlc3QiOiAiPGY4In19XX3///////8PAAAAAAAAAPC/AAAAAAAAAMAAAAAAAAAIwP//"
    "/////w8AAAAAAAAA8L8AAAAAAAAAwAAAAAAAAAjAAQAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAQAAAAAAAAAA"
    "AAAAAAAAAAEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8D8AAAAAAADwPwAAAAAAAAAA"
    "AAAAAAAAAIAAAAAAAADwvwAAAAAAAACAAAAAAAAA8L8DAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAACAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAA8D8="
)
AMOUNTS_0_1_0 = b64decode(
    "Y2FwY3VydmUBAM9e1xiJAQAAeyJhcmd1bWVudHMiOiB7Im1heF9iaW5zIjogMiwgInRhcmdldF90eXBlIjog"
    "ImNvbnRpbnVvdXMiLCAicG9zX2xhYmVsIjogbnVsbCwgImRlc2NlbmRpbmciOiB0cnVlfSwgIm5fcm93cyI6"
    "IDUsICJoYXNfZXZlbnRzIjogZmFsc2UsICJiaW5zIjogW3sibGV2ZWwiOiAxMCwgImxlbmd0aCI6IDIsICJr"
    "aW5kcyI6IHsibG93ZXN0IjogIjx1OCIsICJoaWdoZXN0IjogIjx1OCIsICJ3ZWlnaHQiOiAiPGY4IiwgInRh"
    "cmdldCI6ICI8ZjgiLCAibGFyZ2VzdCI6ICI8ZjgifX0sIHsibGV2ZWwiOiAyLCAibGVuZ3RoIjogMiwgImtp"
    "bmRzIjogeyJsb3dlc3QiOiAiPHU4IiwgImhpZ2hlc3QiOiAiPHU4IiwgIndlaWdodCI6ICI8ZjgiLCAidGFy"
    "Z2V0IjogIjxmOCIsICJsYXJnZXN0IjogIjxmOCJ9fV19mpmZmZmZub+amZmZmZnJv5qZmZmZmbm/zczMzMzM"
    "7L8AAAAAAADwPwAAAAAAABJAAAAAAAAAAAAAAAAAAAAmQAAAAAAAAAAAAAAAAAAAJEAAAAAAAAAAgAAAAAAA"
    "AATAAAAAAAAA8L8AAAAAAAAkwAAAAAAAAAhAAAAAAAAABEAAAAAAAADwPwAAAAAAACRAAAAAAAAA8D8AAAAA"
    "AAAkQA=="
)
EMPTY_0_1_0 = b64decode(
    "Y2FwY3VydmUBADdbBAqHAQAAeyJhcmd1bWVudHMiOiB7Im1heF9iaW5zIjogNjU1MzYsICJ0YXJnZXRfdHlw"
    "ZSI6ICJhdXRvIiwgInBvc19sYWJlbCI6IG51bGwsICJkZXNjZW5kaW5nIjogdHJ1ZX0sICJuX3Jvd3MiOiAw"
    "LCAiaGFzX2V2ZW50cyI6IHRydWUsICJiaW5zIjogW3sibGV2ZWwiOiA2NCwgImxlbmd0aCI6IDAsICJraW5k"
    "cyI6IHsibG93ZXN0IjogIjx1OCIsICJoaWdoZXN0IjogIjx1OCIsICJ3ZWlnaHQiOiAiPGk4IiwgInRhcmdl"
    "dCI6ICI8aTgiLCAibGFyZ2VzdCI6ICI8ZjgifX0sIHsibGV2ZWwiOiA2NCwgImxlbmd0aCI6IDAsICJraW5k"
    "cyI6IHsibG93ZXN0IjogIjx1OCIsICJoaWdoZXN0IjogIjx1OCIsICJ3ZWlnaHQiOiAiPGk4IiwgInRhcmdl"
    "dCI6ICI8aTgiLCAibGFyZ2VzdCI6ICI8ZjgifX1dfQ=="
)
EVERY_0_1_0 = [GRADES_0_1_0, AMOUNTS_0_1_0, EMPTY_0_1_0]
HEADER = 18  # bytes before the description
GRADES, AMOUNTS, EMPTY = EVERY = [
    CapSketch.from_bytes(data).to_bytes() for data in EVERY_0_1_0
]
every = pytest.mark.parametrize("data", EVERY, ids=["grades", "amounts", "empty"])


# -- What was written is read --------------------------------------------------------------


def test_bytes_of_an_earlier_release_are_read():
    grades = CapSketch.from_bytes(GRADES_0_1_0)
    # best first: not, event, event and not, not; of 6 pairs 3 are right and 2 wrong
    assert grades.accuracy_ratio == pytest.approx((1 / 6, 1 / 6, 1 / 6))
    assert grades.capture_rate_at(0.4).value == 0.5
    assert (grades.max_bins, grades.pos_label, grades.curve.descending) == (8, "bad", False)
    grades.update(["bad"], [0.5])
    assert grades.n_rows == 6
    amounts = CapSketch.from_bytes(AMOUNTS_0_1_0)
    # of the total 11, the best 4.5 / 5.5 of the population hold all
    assert amounts.capture_rate_at(4.5 / 5.5).value == 1
    assert CapSketch.from_bytes(EMPTY_0_1_0).n_rows == 0


def sketch_of(batches, *args, **options):
    sketch = CapSketch(*args, **options)
    for y, s, w in batches:
        sketch.update(y, s, sample_weight=w)
    return sketch


def test_a_sketch_of_an_earlier_release_of_single_scores_becomes_one_of_today():
    options = {"pos_label": "bad", "descending": False}
    rows = (["bad", "good", "bad", "good", "good"], [1, 2, 2, 3, -np.inf], None)
    assert CapSketch.from_bytes(GRADES_0_1_0).to_bytes() == GRADES
    assert CapSketch.from_bytes(EMPTY_0_1_0).to_bytes() == EMPTY
    assert sketch_of([rows], 8, **options).to_bytes() == GRADES
    more = (["bad", "good"], [0.02, 3.5], None)
    added = CapSketch.from_bytes(GRADES_0_1_0).merge(sketch_of([more], 8, **options))
    assert added.to_bytes() == sketch_of([rows, more], 8, **options).to_bytes()


def test_a_sketch_of_an_earlier_release_of_wide_bins_keeps_them():
    old = CapSketch.from_bytes(AMOUNTS_0_1_0)
    assert old.curve.by_score.grid == old.curve.by_target.grid == "prefixes"
    assert old.to_bytes() == AMOUNTS
    rows = (
        [0.0, 2.5, 10.0, 1.0, 0.0],
        [0.1, 0.2, 0.3, 0.9, 0.9],
        [1.0, 2.0, 0.5, 1.0, 1.0],
    )
    more = ([5.0, 1.0], [0.15, 0.99], [2.0, 2.0])
    exact = CapCurve.from_predictions(
        *(np.concatenate([rows[i], more[i]]) for i in (0, 1)),
        sample_weight=np.concatenate([rows[2], more[2]]),
        target_type="continuous",
    )
    new = sketch_of([more], 2, target_type="continuous")
    updated = CapSketch.from_bytes(AMOUNTS_0_1_0)
    updated.update(more[0], more[1], sample_weight=more[2])
    for found in (old.merge(new), new.merge(old), updated):
        assert found.curve.by_score.grid == "prefixes"
        assert len(found.curve.by_score) <= 2
        low, high = found.accuracy_ratio[1:]
        assert low - 1e-12 <= exact.accuracy_ratio <= high + 1e-12
        assert CapSketch.from_bytes(found.to_bytes()).to_bytes() == found.to_bytes()


def test_scores_beyond_float64_do_not_enter_wide_bins_of_an_earlier_release():
    old = CapSketch.from_bytes(AMOUNTS_0_1_0)
    with pytest.raises(CapcurveError, match=r"0\.1\.0 whose bins hold several .*; make"):
        old.update([1.0, 2.0], [2**60, 2**60 + 1])
    assert old.n_rows == 5


@every
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, np.frombuffer])
def test_any_object_that_holds_bytes_is_read(data, kind):
    held = kind(data) if kind is not np.frombuffer else np.frombuffer(data, np.uint8)
    assert CapSketch.from_bytes(held).to_bytes() == data


@pytest.mark.parametrize("n_bins", [2, 64])
@pytest.mark.parametrize("least", [1e-50, 1e-200, 1e-319])
def test_amounts_near_the_smallest_float_come_back(least, n_bins):
    rng = np.random.default_rng(3)
    y = np.r_[1.0, np.full(200, least) * rng.choice([1, 9.7], 200)]
    w = np.r_[1.0, 10 ** rng.uniform(-49, 0, 200)]
    sketch = CapSketch(n_bins, target_type="continuous")
    sketch.update(y, rng.integers(0, 5, 201), sample_weight=w)
    assert CapSketch.from_bytes(sketch.to_bytes()).curve == sketch.curve


def test_a_buffer_that_changes_later_changes_no_sketch():
    held = bytearray(GRADES_0_1_0)
    sketch = CapSketch.from_bytes(held)
    held[:] = bytes(len(held))
    assert sketch.to_bytes() == GRADES


@pytest.mark.parametrize("data", [None, 7, "text", [1, 2], CapSketch()])
def test_what_holds_no_bytes_is_refused(data):
    with pytest.raises(
        CapcurveError, match=r"`data` must be bytes from `to_bytes`, got \w+; read the file"
    ):
        CapSketch.from_bytes(data)


# -- What is damaged is refused ------------------------------------------------------------


@every
def test_every_cut_is_refused(data):
    for length in range(len(data)):
        with pytest.raises(CapcurveError, match=r"without that header|damaged or trunc"):
            CapSketch.from_bytes(data[:length])


@every
def test_every_flipped_bit_is_refused(data):
    """The header too, of which the checksum covers nothing."""
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            with pytest.raises(CapcurveError, match=r"`data` must be .*, got"):
                CapSketch.from_bytes(flipped)


def test_foreign_and_newer_bytes_are_refused():
    with pytest.raises(CapcurveError, match="got 20 bytes without that header"):
        CapSketch.from_bytes(b"PK" + bytes(18))
    newer = EMPTY_0_1_0[:8] + struct.pack("<H", 3) + EMPTY_0_1_0[10:]
    with pytest.raises(
        CapcurveError, match="format version 1 or 2, got version 3; read it with"
    ):
        CapSketch.from_bytes(newer)


# -- What no rows lead to is refused, though its checksum is right -------------------------


def unpack(data):
    """Split bytes into the description and the arrays of the bins, by name."""
    (length,) = struct.unpack_from("<I", data, HEADER - 4)
    description = json.loads(data[HEADER : HEADER + length])
    at, bins = HEADER + length, []
    for layout in description["bins"]:
        bins.append({})
        for name, kind in layout["kinds"].items():
            stop = at + 8 * layout["length"]
            bins[-1][name] = np.frombuffer(data[at:stop], kind).copy()
            at = stop
    return description, bins


def pack(text, arrays=b"", version=2):
    """Write the header with the right checksum and length."""
    checksum = zlib.crc32(text + arrays)
    header = struct.pack("<8sHII", b"capcurve", version, checksum, len(text))
    return header + text + arrays


def forge(data, change):
    """Change the description or the arrays, and write them with the right checksum."""
    description, bins = unpack(data)
    change(description, *bins)
    arrays = b"".join(array.tobytes() for each in bins for array in each.values())
    return pack(json.dumps(description).encode(), arrays, data[8])


def put(value, *path):
    """Return a change of a value in the description."""

    def change(description, *_):
        for name in path[:-1]:
            description = description[name]
        description[path[-1]] = value

    return change


def place(of, name, at, value):
    """Return a change of a value in an array, of the bins of scores (0) or outcomes (1)."""

    def change(_, *bins):
        bins[of][name][at] = value

    return change


def together(*changes):
    def change(*state):
        for each in changes:
            each(*state)

    return change


def sum_instead_of_count(of):
    """Return a change of counts to floats."""

    def change(description, *bins):
        for name in ("weight", "target"):
            bins[of][name] = bins[of][name].astype(float)
            description["bins"][of]["kinds"][name] = "<f8"

    return change


def key_of(number):
    sketch = CapSketch()
    sketch.update([1], [number])
    return sketch.curve.by_score.lowest[0]


KEYS = {number: key_of(number) for number in (-1.0, 0.0, 0.15, 1.0, 2.0, np.inf)}
KINDS = ("bins", 0, "kinds")
FORM = "text that describes no sketch"
SIZE = "arrays of another size than described"
FORGED = [
    (FORM, GRADES_0_1_0, put("8", "arguments", "max_bins")),
    (FORM, GRADES_0_1_0, put(8.0, "arguments", "max_bins")),
    (FORM, GRADES_0_1_0, put(["bad"], "arguments", "pos_label")),
    (FORM, GRADES_0_1_0, put(1, "arguments", "descending")),
    (FORM, GRADES_0_1_0, put({}, "arguments")),
    (FORM, GRADES_0_1_0, put(5.0, "n_rows")),
    (FORM, GRADES_0_1_0, put(None, "has_events")),
    (FORM, GRADES_0_1_0, put([], "bins")),
    (FORM, GRADES_0_1_0, put({}, "bins")),
    (FORM, GRADES_0_1_0, put(0, "more")),
    (FORM, GRADES_0_1_0, put("64", "bins", 0, "level")),
    (FORM, EMPTY_0_1_0, put("<f4", *KINDS, "weight")),
    (FORM, EMPTY_0_1_0, put("O", *KINDS, "target")),
    (FORM, EMPTY_0_1_0, put("<i8,<i8", *KINDS, "largest")),
    (FORM, EMPTY, put("bits", "bins", 0, "grid")),
    (FORM, EMPTY_0_1_0, put("numbers", "bins", 0, "grid")),
    (SIZE, GRADES_0_1_0, put(3, "bins", 0, "length")),
    (SIZE, GRADES_0_1_0, put(10**30, "bins", 0, "length")),
    (
        SIZE,
        EMPTY_0_1_0,
        together(*(put(4 * k - 2, "bins", k // 2, "length") for k in (0, 1))),
    ),
    ("bins that are finer than", GRADES_0_1_0, put(-1, "bins", 0, "level")),
    ("bins that are finer than", GRADES_0_1_0, put(65, "bins", 1, "level")),
    ("bins that are finer than", GRADES_0_1_0, put(3, "arguments", "max_bins")),
    ("bins that are finer than", GRADES, put(FINEST + 1, "bins", 0, "level")),
    ("bins that are finer than", AMOUNTS, put(65, "bins", 0, "level")),
    ("bins that overlap", GRADES, place(0, "highest", 1, KEYS[2.0])),
    ("bins that overlap", GRADES, put(12, "bins", 0, "level")),
    ("outcomes of another kind", GRADES, put("integers", "bins", 1, "grid")),
    ("bins of what is no number", GRADES_0_1_0, place(0, "highest", -1, 2**64 - 1)),
    ("bins of what is no number", GRADES_0_1_0, place(0, "lowest", 0, 0)),
    ("bins of what is no number", GRADES_0_1_0, place(0, "lowest", 1, 2**63 - 1)),
    ("bins that overlap", GRADES_0_1_0, place(0, "lowest", 2, KEYS[1.0])),
    ("bins that overlap", GRADES_0_1_0, place(0, "highest", 1, KEYS[2.0])),
    ("bins that overlap", GRADES_0_1_0, put(1, "bins", 0, "level")),
    ("bins that overlap", AMOUNTS_0_1_0, place(0, "highest", 1, KEYS[0.15])),
    ("bins that overlap", AMOUNTS_0_1_0, put(64, "bins", 0, "level")),
    ("weights that are not", GRADES_0_1_0, place(0, "weight", 0, 0)),
    ("weights that are not", GRADES_0_1_0, place(1, "weight", 0, -(2**62))),
    ("weights that are not", AMOUNTS_0_1_0, place(0, "weight", 0, np.nan)),
    ("weights that are not", AMOUNTS_0_1_0, place(0, "weight", 0, 1e300)),
    ("outcomes that are negative", AMOUNTS_0_1_0, place(0, "largest", 0, np.nan)),
    ("outcomes that are negative", AMOUNTS_0_1_0, place(0, "largest", 0, -1.0)),
    ("outcomes that are negative", AMOUNTS_0_1_0, place(1, "largest", 0, 1e300)),
    ("outcomes that are larger", GRADES_0_1_0, place(0, "target", 1, 2)),
    ("outcomes that are larger", GRADES_0_1_0, place(0, "target", 1, -1)),
    ("outcomes that are larger", AMOUNTS_0_1_0, place(1, "target", 1, np.nan)),
    ("outcomes outside", AMOUNTS_0_1_0, place(1, "largest", 1, 11.0)),
    ("outcomes that are smaller", AMOUNTS_0_1_0, place(1, "target", 1, 0.25)),
    (
        "events that are neither",
        GRADES_0_1_0,
        together(
            place(1, "lowest", 1, KEYS[2.0]),
            place(1, "highest", 1, KEYS[2.0]),
            place(1, "largest", 1, 2.0),
            place(1, "target", 1, 4),
        ),
    ),
    ("counts mixed", GRADES_0_1_0, put(False, "has_events")),  # noqa: FBT003
    ("counts mixed", GRADES_0_1_0, sum_instead_of_count(1)),
    ("totals that differ", GRADES_0_1_0, place(1, "weight", 0, 4)),
    ("totals that differ", GRADES_0_1_0, place(0, "target", 2, 2)),
    ("totals that differ", AMOUNTS_0_1_0, place(0, "weight", 0, 1.001)),
    ("totals that are not", GRADES_0_1_0, put(6, "n_rows")),
    ("totals that are not", EMPTY_0_1_0, put(-5, "n_rows")),
    ("totals that are not", AMOUNTS_0_1_0, put(1, "n_rows")),
    ("totals that are not", AMOUNTS_0_1_0, put(2**60, "n_rows")),
    (
        "totals that are not",
        EMPTY_0_1_0,
        together(sum_instead_of_count(0), sum_instead_of_count(1), put(5, "n_rows")),
    ),
]


def test_nothing_changed_is_nothing_forged():
    for data in EVERY_0_1_0 + EVERY:
        assert forge(data, lambda *_: None) == data


@pytest.mark.parametrize(
    ("flaw", "data", "change"),
    [pytest.param(*case, id=f"{number} {case[0]}") for number, case in enumerate(FORGED)],
)
def test_what_no_rows_lead_to_is_refused(flaw, data, change):
    with pytest.raises(CapcurveError, match=f"a complete sketch, got {flaw}.*; write or"):
        CapSketch.from_bytes(forge(data, change))


def test_a_negative_outcome_in_the_only_bin_is_refused():
    sketch = CapSketch(target_type="continuous")
    sketch.update([2.5], [1.0])
    change = together(put(0, "bins", 1, "level"), place(1, "lowest", 0, KEYS[-1.0]))
    with pytest.raises(CapcurveError, match="got outcomes outside of their bins"):
        CapSketch.from_bytes(forge(sketch.to_bytes(), change))


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("`max_bins` must be a whole number", put(1, "arguments", "max_bins")),
        ("`target_type` must be", put("both", "arguments", "target_type")),
        ("`pos_label` must be a number", put(np.nan, "arguments", "pos_label")),
        (
            "drop one of the two",
            together(
                put("continuous", "arguments", "target_type"),
                put(1, "arguments", "pos_label"),
            ),
        ),
    ],
)
def test_arguments_that_no_sketch_has_are_refused(message, change):
    with pytest.raises(CapcurveError, match=message):
        CapSketch.from_bytes(forge(EMPTY_0_1_0, change))


@pytest.mark.parametrize(
    "text",
    [b"", b"\xff", b"{", b"{}", b"[]", b"null", b"1" * 5_000, b"[" * 100_000],
    ids=["empty", "no text", "cut", "object", "list", "null", "number", "deep"],
)
def test_text_that_is_no_description_is_refused(text):
    with pytest.raises(CapcurveError, match=FORM):
        CapSketch.from_bytes(pack(text))


def make_sketches():
    """Make sketches of every kind: counted, weighted, of amounts, coarse, and empty."""
    rng = np.random.default_rng(5)
    s = rng.normal(size=60)
    y = (rng.random(60) < 0.3) * 1
    w = rng.integers(1, 4, 60) / 2
    for n_bins in (2, 16, 65_536):
        yield CapSketch(n_bins), y, s, None
        yield CapSketch(n_bins, pos_label=0, descending=False), y, s.round(), None
        yield CapSketch(n_bins), y, s, w
        yield CapSketch(n_bins, target_type="continuous"), y * w, s, w
    yield CapSketch(), [], [], None


def test_random_damage_is_refused_or_leaves_a_sketch_that_answers():
    """Also where the checksum is repaired, as a hostile sender would."""
    rng = random.Random(11)  # noqa: S311 -- no secret
    refused = 0
    for sketch, y, s, w in make_sketches():
        sketch.update(y, s, sample_weight=w)
        data = sketch.to_bytes()
        for _ in range(150):
            damaged = mutate(data, rng)
            try:
                assert CapSketch.from_bytes(damaged).to_bytes() == data
            except CapcurveError:
                refused += 1
            repaired = repair(damaged, data) or b""
            try:
                again = CapSketch.from_bytes(repaired)
            except CapcurveError:
                refused += 1
            else:
                read_all(again)
    assert refused > 3_000


def read_all(sketch):
    """Use a sketch in every way; a curve that is undefined, or rounded off, says so."""
    with warnings.catch_warnings(), suppress(CapcurveError):
        warnings.simplefilter("ignore")
        list(read_everything(sketch))
