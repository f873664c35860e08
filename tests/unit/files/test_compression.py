"""Compressed text that is cut or damaged: refused, wherever the damage is."""

import errno
import gzip
import io
import random
import struct
from pathlib import Path

import pyarrow as pa
import pytest

from capcurve import CapcurveError
from capcurve._files.compression import refuse_damaged_compression
from capcurve._files.delimited import Source
from capcurve._files.header import read_names
from capcurve._files.open import open_file, read_table
from capcurve._files.paths import InputFile

RNG = random.Random(5)  # noqa: S311 -- not cryptography
ROWS = [(RNG.randrange(2), RNG.random()) for _ in range(20_000)]
CSV = ("y,s\n" + "".join(f"{y},{s}\n" for y, s in ROWS)).encode()
JSON = "".join(f'{{"y": {y}, "s": {s}}}\n' for y, s in ROWS).encode()
SKIPPED = struct.pack("<II", 0x184D2A50, 4) + b"note"  # a frame that holds no text
AGAIN = "it may have been copied in part: copy it again"


def pack(content, codec):
    """Compress with checksums of gzip, or as a stream of zstd in many blocks."""
    if codec == "gz":
        return gzip.compress(content, mtime=0)
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


def count(name):
    """Read a file, and count its rows."""
    return len(read_table(Source(name, ["y"], ["s"])).table)


def refuse(name):
    """Read a file that must be refused, and give the message."""
    with pytest.raises(CapcurveError) as caught:
        count(name)
    return str(caught.value)


@pytest.mark.parametrize("codec", ["gz", "zst"])
@pytest.mark.parametrize(("ending", "content"), [("csv", CSV), ("jsonl", JSON)])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.9, 0.99])
def test_a_file_that_is_cut_is_refused(codec, ending, content, share):
    packed = pack(content, codec)
    name = f"f.{ending}.{codec}"
    Path(name).write_bytes(packed[: int(share * len(packed))])
    assert refuse(name) == f"cannot read {name}: its compression breaks off; {AGAIN}"


@pytest.mark.parametrize("codec", ["gz", "zst"])
def test_no_cut_is_missed(codec):
    whole = pack(CSV[:300], codec) + pack(CSV[300:600], codec)
    first = len(pack(CSV[:300], codec))
    file = InputFile("f", f"f.csv.{codec}")
    for size in (first, len(whole)):  # all that is there is whole
        Path(file.path).write_bytes(whole[:size])
        refuse_damaged_compression(file)
    for size in {*range(1, len(whole))} - {first}:
        Path(file.path).write_bytes(whole[:size])
        with pytest.raises(CapcurveError, match=r"cannot read f: .*copied in part"):
            refuse_damaged_compression(file)


@pytest.mark.parametrize("missing", [1, 4, 8])
@pytest.mark.parametrize("codec", ["gz", "zst"])
def test_the_last_bytes_count(codec, missing):
    Path(f"f.csv.{codec}").write_bytes(pack(CSV, codec)[:-missing])
    assert "its compression breaks off" in refuse(f"f.csv.{codec}")


def test_a_flipped_bit_in_gzip_is_refused():
    packed = pack(CSV, "gz")
    for _ in range(10):
        damaged = bytearray(packed)
        damaged[RNG.randrange(20, len(packed))] ^= 1 << RNG.randrange(8)
        Path("f.csv.gz").write_bytes(damaged)
        assert AGAIN in refuse("f.csv.gz")


@pytest.mark.parametrize(
    ("place", "check"), [(-8, "incorrect data check"), (-4, "incorrect length check")]
)
def test_a_wrong_trailer_of_gzip_is_refused(place, check):
    damaged = bytearray(pack(CSV, "gz"))
    damaged[place] ^= 1
    for content in (damaged, damaged + pack(b"1,2\n", "gz")):  # of any member
        Path("f.csv.gz").write_bytes(content)
        assert refuse("f.csv.gz") == (
            f"cannot read f.csv.gz: its compression is damaged ({check}); {AGAIN}"
        )


@pytest.mark.parametrize("codec", ["gz", "zst"])
def test_other_bytes_after_the_end_are_refused(codec):
    for other in (b"other bytes", bytes(512)):
        Path(f"f.csv.{codec}").write_bytes(pack(CSV, codec) + other)
        message = refuse(f"f.csv.{codec}")
        assert message.startswith(
            f"cannot read f.csv.{codec}: its compression is damaged ("
        )


@pytest.mark.parametrize("codec", ["gz", "zst"])
def test_several_members_or_frames_are_one_file(codec):
    half = CSV.index(b"\n", len(CSV) // 2) + 1
    parts = [pack(part, codec) for part in (CSV[:half], b"", CSV[half:])]
    Path(f"f.csv.{codec}").write_bytes(b"".join(parts))
    assert count(f"f.csv.{codec}") == len(ROWS)
    last = RNG.randrange(1, len(parts[-1]))
    Path(f"f.csv.{codec}").write_bytes(b"".join(parts)[:-last])
    assert "its compression breaks off" in refuse(f"f.csv.{codec}")


def test_frames_that_hold_no_text_are_skipped():
    Path("f.csv.zst").write_bytes(pack(CSV, "zst") + SKIPPED)
    assert count("f.csv.zst") == len(ROWS)
    Path("f.csv.zst").write_bytes((pack(CSV, "zst") + SKIPPED)[:-1])
    assert "its compression breaks off" in refuse("f.csv.zst")


@pytest.mark.parametrize("codec", ["gz", "zst"])
def test_no_text_is_no_damage(codec):
    for content in (pack(b"", codec), b""):
        Path(f"f.csv.{codec}").write_bytes(content)
        assert refuse(f"f.csv.{codec}").startswith(
            f"cannot read f.csv.{codec}: the file is empty; "
        )


def test_every_file_is_looked_at():
    for name in ("a", "b", "c"):
        Path(f"{name}.csv.zst").write_bytes(pack(CSV, "zst")[: -4 if name == "b" else None])
    assert refuse("?.csv.zst") == (
        f"cannot read b.csv.zst: its compression breaks off; {AGAIN}"
    )


def test_rows_out_of_memory_are_looked_at():
    Path("f.csv.zst").write_bytes(pack(CSV, "zst")[:-4])
    source = Source("f.csv.zst", ["y"], ["s"])
    with (
        pytest.raises(CapcurveError, match="its compression breaks off"),
        open_file(source, "500MB", read_again=True),
    ):
        pass


@pytest.mark.parametrize("codec", ["gz", "zst"])
def test_standard_input_is_looked_at(monkeypatch, codec):
    content = io.TextIOWrapper(io.BytesIO(pack(CSV, codec)[:-4]))
    monkeypatch.setattr("sys.stdin", content)
    assert refuse("-") == f"cannot read stdin: its compression breaks off; {AGAIN}"


def test_a_disk_that_fails_is_no_damage(monkeypatch):
    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    Path("f.csv.gz").write_bytes(pack(CSV, "gz"))
    monkeypatch.setattr(pa, "CompressedInputStream", fail)
    assert refuse("f.csv.gz") == "cannot read f.csv.gz: Input/output error"


@pytest.mark.parametrize("size", [5, 12])
def test_the_names_of_a_file_that_is_cut_are_not_those_of_an_empty_one(size):
    Path("f.csv.zst").write_bytes(pack(CSV, "zst")[:size])
    with pytest.raises(CapcurveError) as caught:
        read_names(Source("f.csv.zst", ["y"], ["s"]))
    expected = f"cannot read f.csv.zst: its compression breaks off; {AGAIN}"
    assert str(caught.value) == expected
