"""Refuse connections that leave this machine, here and in every Python that is started.

Python imports this file at its start if its folder is in ``PYTHONPATH``, as the tests
arrange. An audit hook sees whatever uses Python's sockets, in any library, but none that
compiled code opens on its own. What is refused is noted in a file too, so that a test
fails even if the library carries on.
"""

import os
import sys

NOTES = "CAPCURVE_REFUSED"  # the variable that names the file
LOCAL = ("127.", "::1", "::ffff:127.", "localhost")
ANY = ("", "0.0.0.0", "::")  # noqa: S104 -- of a listener, and so of this machine
CONNECTS = {"socket.connect", "socket.sendto", "socket.sendmsg"}
RESOLVES = {"socket.getaddrinfo", "socket.gethostbyname"}


class LeavesMachineError(RuntimeError):
    """A connection to another machine, which no library takes for one that failed."""


def is_local(host):
    """Whether a host is this machine; unix sockets have a path instead."""
    host = host.decode() if isinstance(host, bytes) else str(host or "")
    return host in ANY or host.startswith(LOCAL) or host == os.uname().nodename


def is_number(host):
    """Whether a host is an address already, so that no name server is asked."""
    return ":" in str(host) or str(host).replace(".", "").isdigit()


def refuse(event, arguments):
    """Raise for a connection, or a question to a name server, that leaves here."""
    if not event.startswith("socket."):
        return  # also where Python is about to end and has emptied this module
    if event in CONNECTS:
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event in RESOLVES and not is_number(arguments[0]):
        host = arguments[0]
    else:
        return
    if not is_local(host):
        note(f"{event} {host}")
        raise LeavesMachineError(
            f"tests must not leave this machine, got a connection to {host!r} ({event}); "
            "read a file, or start a server here"
        )


def note(line):
    """Note what was refused."""
    if NOTES in os.environ:
        with open(os.environ[NOTES], "a", encoding="utf-8") as file:  # noqa: PTH123 -- light
            file.write(f"{line}\n")


sys.addaudithook(refuse)
