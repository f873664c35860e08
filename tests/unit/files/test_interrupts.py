"""Ctrl-C stops a query at once."""

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest

from capcurve._files.interrupts import EndSignals, stop_on_interrupt
from capcurve._interrupted import DEFAULTS, end, listen

BUSY = """
import sys
from capcurve._files.delimited import Source
from capcurve._files.open import read_table
try:
    print("ready", flush=True)
    read_table(Source(sys.argv[1], ["y"], ["s"], query=sys.argv[2]))
except KeyboardInterrupt:
    sys.exit(130)
"""
# It would run for hours within a single call.
QUERY = "select max(a.y) as y, sum(a.s * b.s) as s from {t} a, {t} b where a.s < b.s - 1"


@pytest.fixture(autouse=True)
def handled_by_python():
    """Spark, in tests before, may have left a handler of its own."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)  # interrupted


def test_another_thread_is_told_of_ctrl_c():
    stopped = threading.Event()
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt(stopped.set):
        press_ctrl_c()
    assert stopped.is_set()
    assert signal.set_wakeup_fd(-1) == -1


def test_what_is_stopped_may_be_closed():
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt(lambda: 1 / 0):
        press_ctrl_c()


def test_other_signals_are_no_interrupt():
    stopped = threading.Event()
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    with stop_on_interrupt(stopped.set):
        os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(0.05)
    signal.signal(signal.SIGUSR1, before)
    assert not stopped.is_set()


def test_nothing_changes_where_others_listen():
    stopped = threading.Event()

    def run():
        with stop_on_interrupt(stopped.set):
            pass

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(0)
        signal.set_wakeup_fd(ours.fileno())
        with pytest.raises(KeyboardInterrupt), stop_on_interrupt(stopped.set):
            press_ctrl_c()
        assert signal.set_wakeup_fd(-1) == ours.fileno()
        assert theirs.recv(1) == bytes([signal.SIGINT])
    before = signal.signal(signal.SIGINT, lambda *_: None)
    with stop_on_interrupt(stopped.set):
        os.kill(os.getpid(), signal.SIGINT)
        assert signal.set_wakeup_fd(-1) == -1
    signal.signal(signal.SIGINT, before)
    assert not stopped.is_set()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["f.parquet", "f.sqlite"])
def test_ctrl_c_stops_a_query_that_would_run_for_hours(name):
    rows = duckdb.sql("select i % 2 as y, i / 7 as s from range(300_000) t(i)")
    rows.write_parquet("f.parquet")
    with contextlib.closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table t (y, s)")
        connection.executemany("insert into t values (?, ?)", rows.fetchall())
        connection.commit()
    Path("busy.py").write_text(BUSY)
    query = QUERY.format(t="data" if name == "f.parquet" else "t")
    process = subprocess.Popen(  # noqa: S603 -- our own command
        [sys.executable, "busy.py", name, query],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            process.stdout.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(2)
            process.send_signal(signal.SIGINT)
            assert (process.wait(30), process.stderr.read()) == (130, "")
        finally:
            process.kill()


# -- Of the command ----------------------------------------------------------------------


@pytest.fixture
def command():
    """Handle signals as the command does, and put the handlers back."""
    before = {number: signal.signal(number, by) for number, by in DEFAULTS.items()}
    hook = sys.unraisablehook
    yield EndSignals()
    sys.unraisablehook = hook
    for number, handler in before.items():
        signal.signal(number, handler)


def test_ctrl_c_raises_while_something_is_held(command):
    command.listen()
    with pytest.raises(KeyboardInterrupt), command.hold():
        press_ctrl_c()
    assert command.received == signal.SIGINT


def test_what_is_put_away_at_an_end_says_nothing(command, capfd):
    """A workbook that is half written fails to close its file, which is closed."""

    class Half:
        def __del__(self):
            raise ValueError("I/O operation on closed file")

    half = Half()
    command.listen()
    with pytest.raises(KeyboardInterrupt), command.hold():
        press_ctrl_c()
    del half
    assert capfd.readouterr().err == ""


def test_an_interrupt_that_is_lost_is_raised_again(command):
    def lose():
        with contextlib.suppress(KeyboardInterrupt):
            press_ctrl_c()

    command.listen()
    with pytest.raises(KeyboardInterrupt), command.hold():
        lose()


@pytest.mark.parametrize("received", [0, signal.SIGINT])
@pytest.mark.parametrize(
    ("number", "code", "text"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_signals_end_the_process_where_nothing_is_held_or_if_repeated(
    command, received, monkeypatch, capfd, *, number, code, text
):
    command.received = received
    command.n_held = int(received > 0)
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit) as caught:
        command.handle(number, None)
    assert (caught.value.code, capfd.readouterr().err) == (code, f"capcurve: {text}\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_command_handles_signals_from_its_first_moment(command, number):
    listen()
    assert signal.getsignal(number) is end
    command.listen()
    assert signal.getsignal(number) == command.handle


def test_the_process_ends_although_stderr_is_closed():
    ended = "import os; os.close(2); from capcurve._interrupted import end; end()"
    assert subprocess.run([sys.executable, "-c", ended], check=False).returncode == 130  # noqa: S603 -- our own text


def test_handlers_of_others_are_left_alone(command):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    listen()
    command.listen()
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, signal.default_int_handler)
    command.ignore()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_is_ignored_when_all_is_done(command):
    command.listen()
    command.ignore()
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
