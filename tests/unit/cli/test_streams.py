"""A result is printed whole, or the command fails in one line; messages may get lost."""

import io
import json
import logging
import os
import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path

import click
import pytest

from capcurve import CapcurveError
from capcurve._cli.output import count_places, render_text
from capcurve._cli.run import main
from capcurve._cli.streams import (
    log_to_stderr,
    notify,
    notify_warnings,
    print_result,
)
from full_disk import limit_file_size

RESULT = "a line of the result\n" * 1_000


def open_broken_pipe():
    """Open a pipe that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def open_buffered(file):
    """Open a text stream as Python does without -u."""
    return io.TextIOWrapper(io.BufferedWriter(io.FileIO(file, "w")), encoding="utf-8")


def open_unbuffered(file):
    """Open a text stream as Python does with -u."""
    raw = io.FileIO(file, "w")
    return io.TextIOWrapper(raw, encoding="utf-8", write_through=True)


@pytest.mark.parametrize("make", [open_buffered, open_unbuffered])
def test_a_reader_that_is_gone_is_no_error(monkeypatch, capsys, make):
    stream = make(open_broken_pipe())
    monkeypatch.setattr(sys, "stdout", stream)
    with pytest.raises(click.exceptions.Exit) as ended:
        print_result(RESULT)
    assert ended.value.exit_code == 141  # 128 and SIGPIPE, as of `yes | head`
    assert sys.stdout is None  # so that Python does not try again at exit
    assert capsys.readouterr().err == ""
    with suppress(OSError):
        stream.close()


@pytest.mark.parametrize("make", [open_buffered, open_unbuffered])
def test_a_result_without_a_place_is_an_error(monkeypatch, make):
    reason = "No space left on device"
    stream = make("/dev/full")
    monkeypatch.setattr(sys, "stdout", stream)
    with pytest.raises(CapcurveError, match=f"printed to stdout, but {reason}; send it"):
        print_result(RESULT)
    assert sys.stdout is None  # so that Python does not try again at exit
    with pytest.raises(
        CapcurveError, match="to stdout, but it is closed; send it to anoth"
    ):
        print_result(RESULT)
    with suppress(OSError):
        stream.close()


@pytest.mark.parametrize("make", [open_buffered, open_unbuffered])
def test_a_disk_that_fills_while_a_result_is_printed(monkeypatch, make):
    stream = make("out")
    monkeypatch.setattr(sys, "stdout", stream)
    with (
        limit_file_size(4_096),
        pytest.raises(CapcurveError, match="File too large"),
    ):
        print_result(RESULT)
    stream.close()


def test_streams_of_any_kind_take_the_whole_result(monkeypatch):
    for name, make in (("a", open_unbuffered), ("b", open_buffered)):
        stream = make(name)
        monkeypatch.setattr(sys, "stdout", stream)
        print_result(RESULT)
        stream.close()
    assert Path("a").read_text() == Path("b").read_text() == RESULT
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    print_result("日本")
    assert sys.stdout.getvalue() == "日本"
    bound = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(bound, encoding="ascii"))
    print_result("日本 é\n")
    assert bound.getvalue() == b"\\u65e5\\u672c \\xe9\n"


def test_messages_are_one_line_each_without_control_characters(capsys):
    notify("of \x1b[2J and\nmore")
    assert capsys.readouterr() == ("", "of \\x1b[2J and\\nmore\n")


def test_names_of_files_are_read_as_utf_8_whatever_the_locale(monkeypatch, capsys):
    name = "Gr\udcc3\udcb6\udcff.csv"  # as Python has it in an ASCII locale
    notify(f"written to {name}")
    assert capsys.readouterr() == ("", "written to Grö\\udcff.csv\n")
    told = io.BytesIO()
    stream = io.TextIOWrapper(told, encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr(sys, "stderr", stream)
    notify(f"written to {name}")
    assert told.getvalue() == b"written to Gr\\xf6\\udcff.csv\n"


def test_rules_are_drawn_by_hyphens_where_the_encoding_lacks_lines(monkeypatch):
    table = render_text([{"name": "Zür─ich", "n": 1}])
    for encoding in ("ascii", "latin-1", "utf-8"):
        printed = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, encoding=encoding))
        print_result(table)
        rule = table.splitlines()[1]
        if encoding != "utf-8":
            rule = rule.replace("─", "-")
            assert b"r\\u2500ich" in printed.getvalue()
        assert printed.getvalue().decode(encoding).splitlines()[1] == rule


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", None])
def test_columns_stand_below_their_headings_in_every_encoding(monkeypatch, encoding):
    """What the encoding lacks is as wide as its escape."""
    Path("f.csv").write_text(
        "y,s,gőg\n1,2,Ödön\n0,1,日\n0,1,Zürich\n1,1,日\n1,1,Ödön\n0,1,Ödön\n0,2,Zürich\n1,1,Zürich\n",
        encoding="utf-8",
    )
    printed = io.BytesIO()
    stream = io.TextIOWrapper(printed, encoding=encoding) if encoding else io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    command = ["score", "f.csv", "--truth=y", "--estimate=s", "--by=gőg", "--quiet"]
    assert main(command) == 0
    text = printed.getvalue().decode(encoding) if encoding else stream.getvalue()
    *_, heading, rule, first, second, third = text.splitlines()
    assert len(set(rule.strip())) == 1
    starts = [line[: line.index("exact")] for line in (first, second, third)]
    assert {*map(count_places, starts)} == {heading.index("method")}


def test_messages_may_get_lost(monkeypatch):
    stream = open_buffered("/dev/full")
    monkeypatch.setattr(sys, "stderr", stream)
    notify("lost")
    assert sys.stderr is None
    notify("lost too")
    with suppress(OSError):
        stream.close()


def test_warnings_for_users_are_notes(capsys):
    with notify_warnings():
        for _ in range(2):
            warnings.warn("of \x1b a user", UserWarning, stacklevel=1)
    assert capsys.readouterr() == ("", "capcurve: note: of \\x1b a user\n")


def test_logs_are_messages(capsys):
    log = logging.getLogger("capcurve")
    for _ in range(2):
        with log_to_stderr():
            log.info("plan %s", "\x1b")
        log.info("nobody reads this")
        assert capsys.readouterr() == ("", "capcurve: plan \\x1b\n")


@pytest.mark.slow
def test_processes_end_with_2_and_one_line(monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # so that streams end with data
    Path("f.csv").write_text("y,s\n1,2\n0,1\n")

    def run(streams, *more):
        command = f'exec "$0" -m capcurve score f.csv --truth y "$@" {streams}'
        return subprocess.run(  # noqa: S603 -- our own command
            ["/bin/sh", "-c", command, sys.executable, "--estimate", "s", *more],
            check=False,
            capture_output=True,
            text=True,
        )

    for streams in (">&-", ">/dev/full"):
        done = run(streams)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.startswith("capcurve: error: the result must be printed to std")
    assert run("2>&-").returncode == 0
    done = run("2>/dev/full", "--by", "nothing")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("form", ["csv", "ndjson", "json", "markdown", "text"])
def test_what_programs_read_is_utf_8_whatever_the_terminal(monkeypatch, encoding, form):
    """As in a file; text is for the terminal."""
    Path("f.csv").write_text("y,s,g\n1,2,Zürich\n0,1,Zürich\n", encoding="utf-8")
    command = ["score", "f.csv", "--truth=y", "--estimate=s", "--by=g", "--format", form]
    assert main([*command, "-o", "file"]) == 0
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, encoding=encoding))
    assert main(command) == 0
    if form == "text":
        shown = "Zürich".encode(encoding, "backslashreplace")
        assert shown in printed.getvalue()
    elif form == "json":
        assert json.loads(printed.getvalue())["results"][0]["g"] == "Zürich"
    else:
        assert printed.getvalue() == Path("file").read_bytes()


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["--version"], ["score", "--help"], ["sketch", "-h"]]
)
def test_help_without_a_place_is_an_error_as_a_result_is(monkeypatch, capsys, arguments):
    stream = open_buffered("/dev/full")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(arguments) == 2
    told = "capcurve: error: the result must be printed to stdout, but No space left on dev"
    assert capsys.readouterr().err.startswith(told)
    with suppress(OSError):
        stream.close()
