"""Exit codes: 0 done, 1 a limit failed, 2 usage or input, 70 a bug, 130 Ctrl-C."""

import gzip
import importlib
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from capcurve._cli.run import main
from capcurve._files.interrupts import end_signals
from full_disk import limit_file_size

pytestmark = pytest.mark.slow

ROWS = "y,s\n" + "".join(f"{row % 3 // 2},{row / 7}\n" for row in range(60))
N_MUTATIONS = 150
# Runs the command and presses Ctrl-C as soon as a module is imported or a file opened.
PRESS = """
import os, sys

moment, number = sys.argv.pop(1), int(sys.argv.pop(1))

def press(event, arguments):
    global moment
    if event in {"import", "open"} and moment and moment in str(arguments[0]):
        moment = ""
        os.kill(os.getpid(), number)

sys.addaudithook(press)
from capcurve.__main__ import run
run()
"""
# Drops the rights of root to read every file, which even an administrator's job may lack.
PLAIN_USER = """
import ctypes, os, sys

for capability in (1, 2):  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
os.execv(sys.executable, [sys.executable, "-m", "capcurve", *sys.argv[1:]])
"""
GUARD = """
import socket, sys

def refuse(event, _):
    if event.startswith("socket."):
        raise RuntimeError("a socket was used")

sys.addaudithook(refuse)
from capcurve.__main__ import run
run()
"""


def start(*arguments, **options):
    """Start a Python process in the working folder."""
    return subprocess.Popen(  # noqa: S603 -- our own text
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def is_one_line(err):
    return err.startswith("capcurve: error: ") and err.count("\n") == 1


def count_errors(err):
    """Count lines, all of which must be notes or errors."""
    lines = err.splitlines()
    assert all(line.startswith(("capcurve: note: ", "capcurve: error: ")) for line in lines)
    return sum(line.startswith("capcurve: error: ") for line in lines)


# -- Ctrl-C --------------------------------------------------------------------------------


def test_nothing_is_imported_before_ctrl_c_is_heard():
    counted = "import sys; before = set(sys.modules); from capcurve.__main__ import run"
    shown = "print(*sorted(set(sys.modules) - before))"
    with start("-c", f"{counted}; {shown}") as process:
        out, err = process.communicate()
    assert (out.split(), err) == (
        ["capcurve", "capcurve.__main__", "capcurve._interrupted"],
        "",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "moment"),
    [
        *(("png", name) for name in ("capcurve._files", "click", "duckdb")),
        *(("png", name) for name in ("capcurve.lock", "/draft.")),
        *(("html", name) for name in ("jinja2", "/draft.")),
        *(("xlsx", name) for name in ("xlsxwriter.format", "/draft.")),
    ],
)
@pytest.mark.parametrize(
    ("number", "code", "text"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_a_signal_at_any_moment_ends_the_command_with_one_line(
    ending, moment, number, code, text
):
    Path("f.csv").write_text(ROWS)
    Path(f"old.{ending}").write_text("old")
    Path("press.py").write_text(PRESS)
    command = ("plot" if ending == "png" else "report", "f.csv", "--truth", "y")
    arguments = (*command, "--estimate", "s", "-o", f"old.{ending}")
    with start("press.py", moment, str(int(number)), *arguments) as process:
        out, err = process.communicate()
    assert (process.returncode, out, err) == (code, "", f"capcurve: {text}\n")
    names = {path.name for path in Path().iterdir()}
    assert names == {"f.csv", f"old.{ending}", "press.py"}
    assert Path(f"old.{ending}").read_text() == "old"


def test_an_interrupt_is_no_error(score, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("capcurve._cli.request.read_frame", interrupt)
    assert score(ROWS) == (130, "", "capcurve: interrupted\n")


@pytest.mark.parametrize("lost", [None, RuntimeError("interrupted"), ImportError("numpy")])
def test_an_interrupt_that_a_library_loses_is_one(score, monkeypatch, lost):
    def lose(*_, **__):
        monkeypatch.setattr(end_signals, "received", signal.SIGINT)
        if lost is not None:
            raise lost

    monkeypatch.setattr("capcurve._cli.request.notify_undefined", lose)
    code, _, err = score(ROWS)
    assert (code, err.splitlines()[-1]) == (130, "capcurve: interrupted")


# -- Errors --------------------------------------------------------------------------------


def test_a_bug_has_a_code_of_its_own(score, monkeypatch):
    def fail(*_, **__):
        raise KeyError("x")

    monkeypatch.setattr("capcurve._cli.request.read_frame", fail)
    code, out, err = score(ROWS)
    assert (code, out) == (70, "")
    assert "capcurve: error: this is a bug: KeyError('x'); please report" in err
    assert "Traceback" not in err
    monkeypatch.setenv("CAPCURVE_TRACEBACK", "1")
    code, _, err = score(ROWS)
    assert code == 70
    assert err.startswith("Traceback")


@pytest.mark.parametrize("ending", ["json", "xlsx", "png"])
def test_a_full_disk_is_an_error(run, ending):
    Path("f.csv").write_text(ROWS)
    Path(f"old.{ending}").write_text("old")
    command = "plot" if ending == "png" else "report"
    options = ("--truth", "y", "--estimate", "s", "-o", f"old.{ending}")
    run(command, "f.csv", *options[:-1], f"new.{ending}")  # libraries write caches
    with limit_file_size(2_000):
        code, out, err = run(command, "f.csv", *options)
    assert (code, out, count_errors(err)) == (2, "", 1)
    assert Path(f"old.{ending}").read_text() == "old"
    assert list(Path().glob("**/*draft*")) == []


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("old.csv", ("score", "f.csv")),
        ("old.json", ("score", "f.csv")),
        ("old.ndjson", ("table", "f.csv")),
        ("old.html", ("report", "f.csv")),
        ("old.svg", ("plot", "f.csv")),
        ("old.sketch", ("sketch", "make", "f.csv")),
    ],
)
def test_a_full_disk_leaves_every_kind_of_file_whole(run, name, command):
    Path("f.csv").write_text(ROWS)
    Path(name).write_text("old")
    said = (*command, "--truth", "y", "--estimate", "s", "-o")
    assert run(*said, f"new-{name}")[0] == 0
    with limit_file_size(0):
        code, out, err = run(*said, name)
    assert (code, out, count_errors(err)) == (2, "", 1)
    told = f"cannot write '{name}': File too large; the old file was kept; make space or"
    assert told in err
    assert Path(name).read_text() == "old"
    assert sorted(Path().iterdir()) == sorted(map(Path, ("f.csv", name, f"new-{name}")))


def test_a_full_disk_leaves_the_summary_of_a_run_whole(run):
    Path("f.csv").write_text(ROWS)
    outputs = ("old.json", "old.html", "all.html")
    for name in outputs:
        Path(name).write_text("old")
    Path("capcurve.toml").write_text(
        'summary = ["old.json", "old.html"]\n[report]\ntruth = "y"\nestimate = "s"\n'
        'output = "{name}.html"\n[[portfolio]]\nname = "all"\nfile = "f.csv"\n'
    )
    with limit_file_size(0):
        code, _, err = run("run")
    assert (code, count_errors(err)) == (2, 3)
    assert err.count("File too large; the old file was kept") == 3
    assert {Path(name).read_text() for name in outputs} == {"old"}


def test_a_full_disk_leaves_no_part_of_a_module_behind(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.syspath_prepend(Path.cwd())
    Path("imported_on_a_full_disk.py").write_text("n = 1\n")
    with limit_file_size(8):
        importlib.import_module("imported_on_a_full_disk")
    assert not list(Path().rglob("*.pyc*"))
    assert not sys.dont_write_bytecode


@pytest.mark.parametrize("size", [0, 200])
def test_a_full_disk_while_a_file_is_copied(run, size):
    Path("f.csv").write_bytes(ROWS.encode("utf-16"))
    with limit_file_size(size):
        code, out, err = run(
            *("score", "f.csv", "--truth", "y", "--estimate", "s", "--encoding", "utf-16")
        )
    assert (code, out, is_one_line(err)) == (2, "", True)
    expected = "cannot read f.csv: File too large; set TMPDIR to a folder with more space"
    assert err == f"capcurve: error: {expected}\n"


def write_every_kind():
    """Write rows to a file of every kind, and return their contents."""
    Path("f.csv").write_text(ROWS)
    Path("f.csv.gz").write_bytes(gzip.compress(ROWS.encode(), mtime=0))
    rows = duckdb.sql("from 'f.csv'")
    rows.write_parquet("f.parquet")
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create table t as from 'f.csv'")
    with closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table t (y, s)")
        connection.executemany("insert into t values (?, ?)", rows.fetchall())
        connection.commit()
    return {path.name: path.read_bytes() for path in Path().iterdir()}


def test_damaged_files_are_read_or_refused(run):
    rng = random.Random(7)  # noqa: S311 -- not cryptography
    contents = write_every_kind()
    codes = []
    for number in range(N_MUTATIONS):
        name = sorted(contents)[number % len(contents)]
        damaged = bytearray(contents[name])
        for _ in range(rng.choice([1, 2, 5, 50])):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        Path(name).write_bytes(damaged[: rng.choice([len(damaged), rng.randrange(1_000)])])
        plan = rng.choice([(), ("--approx",), ("--by", "y")])
        code, out, err = run("score", name, "--truth", "y", "--estimate", "s", *plan)
        assert code == 0 or (code, out, count_errors(err)) == (2, "", 1), err
        codes.append(code)
    assert set(codes) == {0, 2}


QUERIES = (
    *("", " ", ";", "select 1; select 2", "create table u (y)", "drop table t", "selec"),
    *("attach 'u.db' as u", "copy t to 'u.csv'", "install httpfs", "\0", "begin"),
    *("select y, s from 'http://localhost/f.csv'", "select y from t", "pragma version"),
)


@pytest.mark.parametrize("name", ["f.csv", "f.csv.gz", "f.parquet", "f.duckdb", "f.sqlite"])
def test_odd_queries_are_refused(run, name):
    before = write_every_kind()
    for query in QUERIES:
        options = ("--truth", "y", "--estimate", "s", "--query", query)
        code, out, err = run("score", name, *options)
        assert (code, out, is_one_line(err)) == (2, "", True), query
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize("limit", ["-1", "0", "much"])
def test_a_memory_limit_is_a_size(refused, limit):
    message = refused(ROWS, "--memory-limit", limit)
    assert message == (
        f"--memory-limit must be a size such as 2GB or 500MB, got {limit!r}; "
        "pass a number with its unit"
    )


# -- Processes -----------------------------------------------------------------------------


def test_the_command_uses_no_socket():
    Path("f.csv").write_text(ROWS)
    Path("guard.py").write_text(GUARD)
    options = ("--truth", "y", "--estimate", "s", "--query")
    for query, expected in (
        ("select * from data", 0),
        ("select * from 'http://localhost:1/f.csv'", 2),
    ):
        with start("guard.py", "score", "f.csv", *options, query) as process:
            _, err = process.communicate()
        assert (process.returncode, "socket" in err) == (expected, False)


def test_an_unknown_shell_is_not_completed(monkeypatch, capsys):
    monkeypatch.setenv("_CAPCURVE_COMPLETE", "bash_source")
    assert main([]) == 0
    assert "complete" in capsys.readouterr().out
    monkeypatch.setenv("_CAPCURVE_COMPLETE", "nosh_source")
    assert main([]) == 2


def test_help_and_version_end_with_0(run):
    for option in ("--help", "--version"):
        code, out, err = run(option)
        assert (code, out[:1], err) == (0, out[:1] or "?", "")


# -- files without permission --------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are those of Linux")
@pytest.mark.parametrize("name", ["closed/f.csv", "closed/*.csv", "closed.csv"])
def test_what_may_not_be_read_is_named_with_advice(name):
    Path("closed").mkdir()
    for path in (Path("closed/f.csv"), Path("closed.csv")):
        path.write_text(ROWS)
    Path("closed").chmod(0)
    Path("closed.csv").chmod(0)
    score = ("score", name, "--truth", "y", "--estimate", "s")
    with start("-c", PLAIN_USER, *score) as process:
        out, err = process.communicate()
    Path("closed").chmod(0o700)
    assert (process.returncode, out) == (2, "")
    assert err == (
        f"capcurve: error: cannot read {name}: Permission denied; check the permissions of "
        "the file and its folder\n"
    )


def test_a_library_that_cannot_be_loaded_is_named_with_advice(score, monkeypatch):
    def fail(*_, **__):
        raise ImportError("libarrow.so: failed to map segment")

    monkeypatch.setattr("capcurve._cli.request.read_frame", fail)
    code, _, err = score(ROWS)
    assert code == 2
    assert "failed to map segment; allow this program more memory, or install" in err


def test_memory_that_runs_out_is_told_with_advice(score, monkeypatch):
    def run_out(*_, **__):
        raise MemoryError("Unable to allocate 92 MiB")

    monkeypatch.setattr("capcurve._cli.request.read_frame", run_out)
    code, _, err = score(ROWS)
    assert code == 2
    advice = "score, table and plot have --memory-limit and --approx"
    assert err.endswith(f"allow this program more memory, or read less: {advice}\n")
