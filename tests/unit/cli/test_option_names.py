"""What the library says of its arguments is said of options in the shell."""

import re
import shlex
from pathlib import Path

import polars as pl
import pytest

from capcurve._cli.option_names import use_option_names


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("`margin` must be", "--margin must be"),
        ("got `alternative='two-sided'`; pass", "got --alternative two-sided; pass"),
        ("pass `bands=10` to", "pass --bands 10 to"),
        (
            "`empty_grades='other'` and `shares`",
            "--empty-grades other and `shares`",
        ),
        ("`score` must be passed as `score='w'`", "`score` must be passed as --score w"),
        ("`na_rm=True`, `grade`", "`na_rm=True`, `grade`"),
        ("`events` must hold 0/1, or pass `by`", "`events` must hold 0/1, or pass --by"),
        ("`power` holds text", "`power` holds text"),
    ],
)
def test_arguments_with_and_without_a_value(message, said):
    assert use_option_names(message) == said


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            "compare --estimate t --margin 0.1",
            "--margin requires .* got --alternative two-sided; pass --alternative greater",
        ),
        (
            "compare --estimate t --alternative equivalent",
            "--alternative equivalent requires a --margin above 0, got 0; pass the largest",
        ),
        ("change --sample k", "or pass --empty-grades other to take its event rate from"),
        ("cut-offs --capture-rate 8 --quiet", "--capture-rate must be a fraction in"),
    ],
)
def test_errors_speak_of_options(run, command, message):
    Path("f.csv").write_text("y,s,t,k\n" + "1,4,4,a\n0,3,1,a\n1,3,3,b\n0,2,2,b\n" * 9)
    name, *options = command.split()
    code, out, err = run(name, "f.csv", "--truth", "y", "--estimate", "s", *options)
    assert (code, out) == (2, "")
    assert err.startswith("capcurve: error: ")
    assert err.count("\n") == 1
    assert re.search(message, err)
    assert "`" not in err


def test_notes_speak_of_rows_not_of_data(run):
    Path("f.csv").write_text("y,s\n" + "1,0.4\n0,0.3\n1,0.2\n0,0.1\n0,0.15\n" * 3)
    code, _, err = run("implied", "f.csv", "--truth", "y", "--estimate", "s")
    assert code == 0
    assert err.endswith("may miss its level: all rows\n")


def test_words_for_missing_values_in_stored_text(run):
    """Of Parquet and JSON lines, of which `--na` reads nothing."""
    rows = pl.DataFrame({"y": ["1", "NA", "0", "0"], "pd's": ["0.9", "0.4", "NA", "0.1"]})
    rows.write_parquet("f.parquet")
    command = ["score", "f.parquet", "--truth", "y", "--estimate", "pd's"]
    _, _, err = run(*command, "--pos-label", "1")
    assert "polars" not in err
    query = shlex.split(err[err.index("--query ") : err.rindex(")")])
    assert query[1] == (
        "select * replace (nullif(trim(\"pd's\"), 'NA')::double as \"pd's\") from data"
    )
    assert run(*command, "--pos-label", "1", *query)[0] == 0
    _, _, err = run(*command, *query)
    query = shlex.split(err[err.index("--query ") : err.rindex(")")])
    assert query[1] == 'select * replace (nullif(trim("y"), \'NA\') as "y") from data'


@pytest.mark.parametrize(
    ("scores", "note"),
    [(["0.9", "-Inf", "Inf"], "infinite in 2 rows"), (["0.9", "0.1", "0.2"], "")],
)
def test_infinity_and_numbers_alone_in_stored_text(run, scores, note):
    """Of Parquet, whose text is not read as numbers."""
    rows = pl.DataFrame({"y": [1, 0, 0], "pd's": scores})
    rows.write_parquet("f.parquet")
    command = ["score", "f.parquet", "--truth", "y", "--estimate", "pd's"]
    _, _, err = run(*command)
    assert "polars" not in err
    query = shlex.split(err[err.index("--query ") : err.rindex(")")])
    assert query[1] == 'select * replace ("pd\'s"::double as "pd\'s") from data'
    code, _, err = run(*command, *query)
    assert code == 0
    assert note in err
