"""A shell completes columns from the files that are already on the command line."""

import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
from click.shell_completion import ShellComplete

from capcurve._cli.commands import capcurve

COLUMNS = {"default": [1, 0], "pd": [0.2, 0.1], "past due": [1, 2], "segment": ["a", "b"]}


@pytest.fixture
def complete():
    """Complete a word as a shell does, and list what it offers."""
    pl.DataFrame(COLUMNS).write_csv("loans.csv")
    shell = ShellComplete(capcurve, {}, "capcurve", "_CAPCURVE_COMPLETE")

    def list_words(*words):
        return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]

    return list_words


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("score", "loans.csv", "--truth"),
        ("score", "loans.csv", "--truth", "default", "--estimate"),
        ("compare", "loans.csv", "--by"),
        ("table", "loans.csv", "--weight"),
        ("plot", "loans.csv", "--cluster"),
        ("report", "loans.csv", "--period"),
        ("report", "loans.csv", "--compare"),
        ("implied", "loans.csv", "--score"),
        ("change", "loans.csv", "--sample"),
        ("plan", "loans.csv", "--counts"),
        ("score", "--truth", "default", "loans.csv", "--events"),
    ],
)
def test_columns_are_completed(complete, words):
    assert complete(*words, "") == list(COLUMNS)
    assert complete(*words, "p") == ["pd", "past due"]
    assert complete(*words, "x") == []


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda frame: frame.write_parquet("f.parquet"), id="f.parquet"),
        pytest.param(lambda frame: frame.write_ndjson("f.jsonl"), id="f.jsonl"),
        pytest.param(
            lambda frame: Path("f.csv").write_bytes(
                frame.write_csv(separator=";").encode("utf-16")
            ),
            id="f.csv",
        ),
    ],
)
def test_columns_of_every_kind_of_file(complete, write, request):
    name = request.node.callspec.id
    write(pl.DataFrame(COLUMNS))
    more = ("--encoding", "utf-16") if name == "f.csv" else ()
    assert complete("score", name, *more, "--truth", "") == list(COLUMNS)


def test_columns_of_a_table(complete):
    with closing(sqlite3.connect("f.sqlite")) as connection:
        pl.DataFrame(COLUMNS).to_pandas().to_sql("t", connection, index=False)
        connection.execute("create table u (y, s)")
        connection.commit()
    assert complete("score", "f.sqlite", "--table", "u", "--truth", "") == ["y", "s"]
    assert complete("score", "f.sqlite", "--truth", "") == []  # which of the two?
    query = ("--query", "select y as outcome from u")
    assert complete("score", "f.sqlite", *query, "--truth", "") == ["outcome"]
    assert complete("score", "f.sqlite", "--query", "select x from u", "--by", "") == []


@pytest.mark.parametrize("name", ["none.csv", "-", "loans.xls", "empty.csv", "bad.parquet"])
def test_a_file_that_cannot_be_read_offers_nothing(complete, name):
    Path("empty.csv").write_text("")
    Path("bad.parquet").write_bytes(b"PAR1 and nothing else")
    assert complete("score", name, "--truth", "") == []
    assert complete("score", "--truth", "") == []


def test_options_and_words_are_completed_too(complete):
    assert "--fail-if-challenger-better" in complete("compare", "loans.csv", "--fail")
    assert complete("score", "loans.csv", "--format", "m") == ["markdown"]
    assert "segments" in complete("se")
    twice = ("--format", "csv", "--format", "csv")
    assert "--weight" in complete("score", "loans.csv", *twice, "--wei")


@pytest.mark.parametrize("words", [("run",), ("run", "c.toml"), ("run", "--only", "east")])
def test_portfolios_are_completed(complete, words):
    assert complete(*words, "--only", "") == []
    entry = '[[portfolio]]\nfile = "loans.csv"\nname = "{}"\n'
    text = '[report]\ntruth = "default"\nestimate = "pd"\n' + "".join(
        map(entry.format, ("east", "west", "west 2"))
    )
    Path("capcurve.toml").write_text(text, encoding="utf-8")
    Path("c.toml").write_text(text, encoding="utf-8")
    assert complete(*words, "--only", "") == ["east", "west", "west 2"]
    assert complete(*words, "--only", "w") == ["west", "west 2"]
