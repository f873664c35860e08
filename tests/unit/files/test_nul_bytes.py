"""NUL bytes in text: a hole of a copy that broke off, refused with its line."""

import gzip
from pathlib import Path

import pyarrow as pa
import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.header import read_names

LINES = [f"{i % 2},{i},word {i}\n" for i in range(60_000)]
TEXT = ("y,s,k\n" + "".join(LINES)).encode()
HOLE = (
    "cannot read {name}: line {line} must be text, but holds NUL bytes; it may have been "
    "copied in part: copy it again"
)
OTHER = (
    "cannot read f.csv: it must be text in {read}, but is text in {found}; "
    "pass --encoding {found}"
)


def make_hole(text, first, last):
    """Put NUL bytes from the last field of a line to that of a later one."""
    lines = text.split(b"\n")
    start = sum(len(line) + 1 for line in lines[: first - 1]) + len(lines[first - 1]) - 3
    end = sum(len(line) + 1 for line in lines[: last - 1]) + len(lines[last - 1]) - 3
    return text[:start] + bytes(end - start) + text[end:]


def pack(text, name):
    if name.endswith(".gz"):
        return gzip.compress(text)
    if name.endswith(".zst"):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(text)
        return sink.getvalue().to_pybytes()
    return text


@pytest.mark.parametrize("name", ["f.csv", "f.csv.gz", "f.csv.zst"])
@pytest.mark.parametrize(("first", "last"), [(3, 9), (30_000, 45_000), (60_001, 60_001)])
def test_a_hole_within_one_field_is_refused(read, refused, name, first, last):
    assert len(read(pack(TEXT, name), name=name)[0]["y"]) == 60_000
    holed = make_hole(TEXT, first, last)
    if first == last:
        holed = TEXT[:-2] + b"\0\n"
    assert refused(pack(holed, name), name=name) == HOLE.format(name=name, line=first)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252"])
def test_so_is_one_in_another_encoding(read, refused, encoding):
    text = TEXT[:2_000].rsplit(b"\n", 1)[0].decode() + "\n"
    assert len(read(text.encode(encoding), encoding=encoding)[0]["y"]) > 100
    holed = make_hole(text.encode(), 4, 7).decode()
    assert refused(holed.encode(encoding), encoding=encoding) == HOLE.format(
        name="f.csv", line=4
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("header", ["y,s,k", "ਅ,s,k"])
def test_utf_16_is_called_that(refused, encoding, header):
    text = f"{header}\n1,0.5,a\n"
    content = b"" if encoding == "utf-16" else "\ufeff".encode(encoding)
    told = OTHER.format(read="utf-8", found="utf-16")
    assert refused(content + text.encode(encoding)) == told


@pytest.mark.parametrize("found", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("given", ["utf-8", "cp1252", "utf-16"])
@pytest.mark.parametrize("name", ["f.csv", "f.csv.gz"])
def test_so_is_a_wide_encoding_without_a_mark(refused, found, given, name):
    content = pack(TEXT[:100].decode().encode(found), name)
    told = OTHER.format(read=given, found=found).replace("f.csv", name)
    assert refused(content, name=name, encoding=given) == told


def test_so_is_utf_32_with_a_mark(refused):
    told = OTHER.format(read="utf-16", found="utf-32")
    assert refused("y,s\n1,2\n".encode("utf-32"), encoding="utf-16") == told


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize("header", [b"y,s\0,k\n", b"\0\0\0\0,k\n", b"\0\1,\n"])
def test_a_hole_in_the_header_is_one_like_others(refused, encoding, header):
    told = HOLE.format(name="f.csv", line=1)
    assert refused(header + TEXT[6:60], encoding=encoding) == told
    with pytest.raises(CapcurveError) as caught:
        read_names(Source("f.csv", ["y"], ["s"], encoding=encoding))
    assert str(caught.value) == told


def test_the_header_alone_shows_it():
    Path("f.csv").write_bytes(TEXT[:20].decode().encode("utf-16-le"))
    with pytest.raises(CapcurveError) as caught:
        read_names(Source("f.csv", ["y"], ["s"]))
    assert str(caught.value) == OTHER.format(read="utf-8", found="utf-16-le")
    Path("f.csv").write_bytes(TEXT[:20].decode().encode("utf-16"))
    with pytest.raises(CapcurveError, match=r"pass --encoding utf-16$"):
        read_names(Source("f.csv", ["y"], ["s"]))


@pytest.mark.parametrize("line", [1, 2])
def test_a_hole_in_json_lines_is_refused(refused, line):
    lines = [b'{"y": 1, "s": 1, "k": "ab"}\n', b'{"y": 0, "s": 2, "k": "ab"}\n']
    lines[line - 1] = lines[line - 1].replace(b"ab", bytes(2))
    assert refused(b"".join(lines), name="f.jsonl") == HOLE.format(
        name="f.jsonl", line=line
    )
