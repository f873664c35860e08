"""Text in other encodings: read with the option, named where it is missing."""

import gzip

import duckdb
import pyarrow as pa
import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.header import read_names
from versions import needs

TEXT = "y;s;größe €\n1;0,5;ä\n0;8,2 %;ß\n"
READ = {"decimal": ",", "keys": ["größe €"]}
EXPECTED = {"y": [1, 0], "s": [0.5, 0.082], "größe €": ["ä", "ß"]}


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("cp1252", "f.csv"),
        ("Windows-1252", "f.csv.gz"),
        ("utf-16", "f.txt"),
        ("utf-16-le", "f.csv"),
        ("iso8859-15", "f.csv"),
        ("utf-8-sig", "f.csv"),
        ("UTF8", "f.csv"),
    ],
)
def test_files_are_read_in_their_encoding(read, encoding, name):
    content = TEXT.encode(encoding)
    if name.endswith(".gz"):
        content = gzip.compress(content)
    assert read(content, name=name, encoding=encoding, **READ)[0] == EXPECTED


def test_other_encodings_name_the_option(refused):
    assert refused(TEXT.encode("cp1252"), **READ) == (
        "cannot read f.csv: the file is not text in UTF-8; pass its encoding as "
        "--encoding, such as cp1252 or utf-16"
    )


@needs("duckdb", "2", "older ones call such a line an internal error")
def test_a_late_line_in_another_encoding_names_the_option(refused):
    content = b"y,s,k\n" + b"1,2,a\n" * 60_000 + b"0,1,\xe4\n"
    assert refused(content, keys=["k"]) == (
        "cannot read f.csv: line 60002 is not text in UTF-8; pass its encoding as "
        "--encoding, such as cp1252 or utf-16"
    )


def test_the_wrong_encoding_is_refused(refused):
    message = refused(b"y,s\n1,1\n0,\x81\n", encoding="cp1252")
    assert message.startswith("cannot read f.csv: it must be text in cp1252, but holds oth")
    for name in ("xyzzy", "base64", ""):
        assert refused(TEXT, encoding=name).startswith(
            "--encoding must be the name of a text encoding, such as cp1252, latin-1 or "
            f"utf-16, got {name!r}; "
        )


def test_the_option_is_for_text_files(refused):
    message = refused(b"PAR1", name="f.parquet", encoding="cp1252")
    assert message == "--encoding requires a text file, got f.parquet; remove it"
    message = refused(b"PAR1", name="f.parquet", decimal=",")
    assert message == "--decimal-comma requires a text file, got f.parquet; remove it"


def test_errors_name_the_file_and_not_its_copy(refused):
    message = refused("y;s\n1;ä\n".encode("cp1252"), encoding="cp1252")
    assert message.startswith("`s` must hold numbers, got 'ä' in line 2 of f.csv; if it")
    message = refused("y;s\n1;2\n3\n".encode("utf-16"), encoding="utf-16")
    assert message.startswith(
        "cannot read f.csv: line 3 has 1 field, but the header has 2; mend the line"
    )


def test_damaged_compression_is_refused(refused):
    content = gzip.compress(TEXT.encode("cp1252"), mtime=0)
    message = refused(content[:-8], name="f.csv.gz", encoding="cp1252")
    assert message.startswith("cannot read f.csv.gz: its compression breaks off; it may ha")
    with pytest.raises(CapcurveError, match="its compression breaks off"):
        read_names(Source("f.csv.gz", [], [], encoding="cp1252"))


def test_what_zst_cannot_do(read, refused):
    rows = duckdb.sql("select * from (values (1, 'x'), (0, 'y')) as t(y, s)")
    rows.write_csv("f.csv.zst", compression="zstd")
    message = refused(None, name="f.csv.zst")
    assert message.startswith("`s` must hold numbers, got 'x' in data row 1 of f.csv.zst; ")
    message = refused(None, name="f.csv.zst", encoding="cp1252")
    assert message.startswith("cannot read f.csv.zst: compressed with zst it must be text ")
    duckdb.sql("select 'a\"b' as y, 1 as s").write_csv("g.csv.zst", compression="zstd")
    assert read(None, name="g.csv.zst")[0] == {"y": ['a"b'], "s": [1]}
    with pa.output_stream("h.csv.zst", compression="zstd") as file:
        file.write(b'y,s\n1,"2\n')
    message = refused(None, name="h.csv.zst")
    assert message == (
        "cannot read h.csv.zst: line 2 opens a quoted value that is never closed, "
        "or closed after more than the 2,000,000 bytes that a line may have; close it, or "
        "shorten it"
    )
