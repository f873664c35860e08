"""Names of files and columns: each means the one of that name, in every reader."""

import hashlib
import json
import math
from pathlib import Path

import duckdb
import pytest

from answers import read_results

PLANS = [(), ("--memory-limit", "1GB"), ("--approx",)]
UP, DOWN = "y,s\n1,3\n0,2\n1,1\n0,0\n", "y,s\n0,3\n1,2\n0,1\n1,0\n"


def ratio(output):
    (row,) = read_results(output)
    return row["accuracy_ratio"]


# -- Files ---------------------------------------------------------------------------------


def write(text, name):
    """Write rows to a file of the kind that its name says."""
    Path("rows.csv").write_text(text)
    rows = duckdb.sql("from 'rows.csv'").fetchall()
    if name.endswith(".parquet"):
        duckdb.sql("from 'rows.csv'").write_parquet("rows")
        Path("rows").rename(name)
    elif name.endswith(".jsonl"):
        lines = (json.dumps({"y": y, "s": s}) for y, s in rows)
        Path(name).write_text("\n".join(lines))
    elif name.endswith(".duckdb"):
        with duckdb.connect("rows") as connection:
            connection.execute("create table t as from 'rows.csv'")
        Path("rows").rename(name)
    else:
        Path(name).write_text(text)


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "duckdb"])
def test_a_name_with_glob_characters_is_that_file(run, score, ending):
    name = f"d[12].{ending}"
    write(UP, name)
    write(DOWN, f"d1.{ending}")
    for plan in PLANS:
        code, out, _ = score(None, *plan, name=name)
        assert code == 0
        assert ratio(out) == pytest.approx(0.5)
    options = ("--truth", "y", "--estimate", "s", "--format", "json")
    facts = json.loads(run("report", name, *options)[1])
    assert facts["models"][0]["accuracy_ratio"]["value"] == 0.5
    (file,) = facts["provenance"]["files"]
    content = Path(name).read_bytes()
    assert file == {
        "name": name,
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


@pytest.mark.parametrize("plan", PLANS)
def test_other_names_that_an_engine_would_expand(score, plan):
    for name in ("~.csv", "s3:x.csv", "a*?.csv", "it's.csv"):
        assert ratio(score(UP, *plan, name=name)[1]) == pytest.approx(0.5)


def test_a_name_that_is_no_text(refused):
    message = refused(UP.encode(), name="d\udcff.csv")
    assert message == (
        "the name of a file must be text in UTF-8, got d\\udcff.csv; rename the file, or "
        "pass - and redirect it to standard input"
    )


def test_a_pattern_is_still_one(run, score):
    score(UP, name="d1.csv")
    score(UP, name="d2.csv")
    assert read_results(score(None, name="d[12].csv")[1])[0]["n"] == 8
    options = ("--truth", "y", "--estimate", "s", "--format", "json")
    facts = json.loads(run("report", "d[12].csv", *options)[1])
    assert [file["name"] for file in facts["provenance"]["files"]] == ["d1.csv", "d2.csv"]


# -- Columns -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    "name", ["file of capcurve", "rows of capcurve", "data", "*", "^g.*$", 'a "b"', "a\nb"]
)
def test_columns_of_any_name(score, name, plan):
    quoted = name.replace('"', '""')
    rows = [line.replace("g", quoted) for line in ('y,s,"g"', "1,2,x", "0,1,x", "1,0,x")]
    for end in ("\n", "\r\n"):
        code, out, _ = score(end.join(rows), "--by", name, *plan)
        (row,) = read_results(out)
        assert (code, row[name], row["n"]) == (0, "x", 3)


def test_a_column_without_a_name_can_be_left_out(score, refused):
    assert ratio(score(",y,s\n7,1,2\n7,0,1\n")[1]) == 1
    message = refused(",y,s\n7,1,2\n7,0,1\n", "--by", "")
    assert message == "a column that is used must have a name, got ''; name it in the file"


@pytest.mark.parametrize("plan", PLANS)
def test_lines_may_end_in_several_ways(score, plan):
    assert ratio(score(b"y,s\r\n1,3\n0,2\r\n1,1\n0,0\r\n", *plan)[1]) == pytest.approx(0.5)


# -- Values --------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", PLANS)
def test_nan_in_a_parquet_file_is_missing(score, plan):
    values = [(0, math.nan), (1, 0.4), (0, 0.3), (1, 0.2), (0, 0.1)]
    duckdb.sql("select unnest($v) as v", params={"v": values}).project(
        "v[1]::int as y, v[2]::double as s"
    ).write_parquet("f.parquet")
    code, out, err = score(None, *plan, name="f.parquet")
    assert (code, ratio(out)) == (0, pytest.approx(0.5))
    assert "capcurve: note: left out 1 of 5 rows with a missing value (s 1)\n" in err
