"""No test leaves this machine, and neither does capcurve at run time."""

import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from offline import sitecustomize as offline

CONFTEST = Path(__file__).parents[1] / "conftest.py"
ELSEWHERE = "192.0.2.1"  # reserved for documentation (RFC 5737): it is nobody's


@pytest.fixture
def refused(monkeypatch, tmp_path):
    """Note what is refused elsewhere, so that the test that plants it may pass."""
    notes = tmp_path / "refused.txt"
    notes.touch()
    monkeypatch.setenv(offline.NOTES, str(notes))
    return notes


def connect(address, family=socket.AF_INET, kind=socket.SOCK_STREAM):
    with closing(socket.socket(family, kind)) as made:
        made.settimeout(0.2)
        made.connect(address)


def send(address):
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as made:
        made.sendto(b"?", address)


@pytest.mark.parametrize(
    ("leave", "event"),
    [
        (lambda: connect((ELSEWHERE, 80)), "socket.connect"),
        (lambda: connect(("2001:db8::1", 80), socket.AF_INET6), "socket.connect"),
        (lambda: send((ELSEWHERE, 53)), "socket.sendto"),
        (lambda: socket.getaddrinfo("example.org", 443), "socket.getaddrinfo"),
        (lambda: socket.gethostbyname("example.org"), "socket.gethostbyname"),
    ],
    ids=["tcp", "ipv6", "udp", "name", "old-name"],
)
def test_a_planted_connection_is_refused(leave, event, refused):
    # A worker has imported the file at its start already, with an error of its own.
    with pytest.raises(RuntimeError, match="must not leave this machine"):
        leave()
    assert refused.read_text().startswith(event)


def test_a_planted_connection_of_another_process_is_refused_and_noted(refused):
    program = f"import socket; socket.create_connection(({ELSEWHERE!r}, 80), 0.2)"
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert run.returncode == 1
    assert "LeavesMachineError" in run.stderr
    assert refused.read_text() == f"socket.connect {ELSEWHERE}\n"


CARRIES_ON = f"""
import socket

def test_carries_on():
    try:
        socket.create_connection(({ELSEWHERE!r}, 80), 0.2)
    except Exception:
        pass
"""


@pytest.mark.slow
def test_a_library_that_carries_on_fails_its_test(tmp_path):
    """The fixture of the whole suite sees what is caught."""
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "test_it.py").write_text(CARRIES_ON)
    path = os.pathsep.join(filter(None, sys.path))
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(tmp_path)],
        check=False,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": path},
        text=True,
    )
    assert "1 passed" in run.stdout
    assert "1 error" in run.stdout
    assert f"a connection left this machine: socket.connect {ELSEWHERE}" in run.stdout


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_this_machine_is_reached(family):
    host = "127.0.0.1" if family == socket.AF_INET else "::1"
    with closing(socket.create_server((host, 0), family=family)) as server:
        connect(server.getsockname()[:2], family)
    assert socket.getaddrinfo("localhost", 80)


def test_a_unix_socket_is_reached():
    with closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind("s")
        server.listen()
        connect("s", socket.AF_UNIX)
