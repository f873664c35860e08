"""Lists and structs of Parquet and of JSON lines are refused by the name of the column."""

import polars as pl
import pytest

ROWS = pl.DataFrame(
    {
        "y": [0, 1, 0, 1],
        "s": [1.0, 2.0, 3.0, 4.0],
        "tags": [["a", "b"], ["a", "b"], ["a"], ["b"]],
        "st": [{"x": 1}, {"x": 1}, {"x": 2}, {"x": 2}],
    }
)
SAY = "must hold one value for each row, got"


@pytest.mark.parametrize("name", ["rows.parquet", "rows.ndjson"])
@pytest.mark.parametrize(
    "line",
    [
        "score --by tags",
        "score --by st",
        "score --cluster tags",
        "score --weight tags",
        "score --estimate tags",
        "score --by tags --memory-limit 200MB",
        "score --by tags --approx",
        "segments --by st",
        "compare --sample tags --against a",
        "change --sample tags",
        "report --by st --output report.html",
        "report --period tags --output report.html",
    ],
)
def test_they_are_refused(run, line, name):
    write = ROWS.write_parquet if name.endswith("parquet") else ROWS.write_ndjson
    write(name)
    command, *options = line.split()
    code, _, err = run(command, name, "--truth", "y", "--estimate", "s", *options)
    column, kind = ("st", "structs") if "--by st" in line else ("tags", "lists")
    assert code == 2, err
    assert f"capcurve: error: `{column}` {SAY} {kind}; make text" in err


def test_a_sketch_of_them(run):
    ROWS.write_parquet("rows.parquet")
    command = "sketch make rows.parquet --truth y --estimate tags --output rows.sketch"
    _, _, err = run(*command.split())
    assert err.startswith(f"capcurve: error: `tags` {SAY} lists; make text")


def test_text_of_them_may_be_grouped(run):
    ROWS.write_parquet("rows.parquet")
    query = "select y, s, tags::varchar as tags from data"
    code, out, err = run(
        *("score", "rows.parquet", "--truth", "y", "--estimate", "s", "--by", "tags"),
        *("--query", query),
    )
    assert code == 0, err
    assert "[a, b]" in out
