"""Names of files: patterns, and names that DuckDB would expand."""

import os
from pathlib import Path

import duckdb
import pytest

from capcurve import CapcurveError
from capcurve._files.paths import match_files

ODD = (
    "d[12].csv",
    "a*?.csv",
    "[.csv",
    "~.csv",
    "~user.csv",
    "s3:x.csv",
    "it's.csv",
    "a b.csv",
)


@pytest.mark.parametrize("name", ODD)
def test_a_name_means_the_file_of_that_name(read, name):
    for other in ("d1.csv", "aXY.csv", "x.csv"):
        Path(other).write_text("y,s\n9,9\n")
    assert read("y,s\n1,3\n0,2\n", name=name)[0] == {"y": [1, 0], "s": [3, 2]}


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/63", "/proc/self/fd/11"])
def test_a_stream_is_read_as_a_dash(refused, name):
    assert refused(name=name) == (
        f"cannot read {name}: it is a stream, which can be read only once; pass - and pipe "
        "it to standard input"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_read_as_a_dash(refused):
    os.mkfifo("rows")
    assert refused(name="rows") == (
        "cannot read rows: it is a stream, which can be read only once; pass - and pipe it "
        "to standard input"
    )


@pytest.mark.parametrize(
    "name",
    ["https://x.org/f.csv", "s3://x/f.parquet", "HTTP://x.org/f?id=1", "gs://x/*.csv"],
)
def test_an_address_is_no_file_of_this_machine(refused, name):
    assert refused(name=name) == (
        f"cannot read {name}: it is an address, and only files of this machine are read; "
        "download it first, or pass - and pipe it to standard input"
    )
    with pytest.raises(CapcurveError, match="it is an address"):
        match_files(name)


def test_errors_name_the_file_as_it_was_given(refused):
    Path("d1.csv").write_text("y,s\n1,2\n")
    message = refused("y,s\n1,x\n", name="d[12].csv")
    assert message.startswith("`s` must hold numbers, got 'x' in line 2 of d[12].csv; ")
    message = refused("y,s\n1\n", name="~.csv")
    assert message.startswith(
        "cannot read ~.csv: line 2 has 1 field, but the header has 2; mend the line"
    )


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "duckdb"])
def test_files_of_other_kinds_may_have_odd_names(read, ending):
    for stem in ("p[1]", "~p", "md:p"):
        name = f"{stem}.{ending}"
        if ending == "jsonl":
            Path(name).write_text('{"y": 1, "s": 7}\n')
        elif ending == "parquet":
            duckdb.sql("select 1 as y, 7 as s").write_parquet("p")
            Path("p").rename(name)
        else:
            with duckdb.connect("p") as connection:
                connection.execute("create table t as select 1 as y, 7 as s")
            Path("p").rename(name)
        assert read(None, name=name)[0] == {"y": [1], "s": [7]}


def test_matches_of_a_pattern_may_have_odd_names(read):
    for number, name in enumerate(("p[1].csv", "p1.csv")):
        Path(name).write_text(f"y,s\n{number},{number}\n")
    assert sorted(read(None, name="p*.csv")[0]["s"]) == [0, 1]


def test_names_that_are_no_text(refused):
    Path(os.fsdecode(b"\xe4.csv")).write_text("y,s\n1,2\n")
    assert refused(None, name=os.fsdecode(b"\xe4.csv")) == (
        r"the name of a file must be text in UTF-8, got \udce4.csv; rename the file, or "
        "pass - and redirect it to standard input"
    )


def test_links_are_followed(read):
    Path("there").mkdir()
    Path("there/f.csv").write_text("y,s\n1,2\n")
    Path("link.csv").symlink_to("there/f.csv")
    Path("here").symlink_to("there")
    for name in (
        "link.csv",
        "here/f.csv",
        "there/../link.csv",
        str(Path("f.csv").absolute()),
    ):
        if name.startswith("/"):
            Path(name).write_text("y,s\n1,2\n")
        assert read(None, name=name)[0] == {"y": [1], "s": [2]}
