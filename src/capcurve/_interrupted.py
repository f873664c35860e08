"""What Ctrl-C and other signals to end do to ``capcurve`` from its first moment.

It imports what Python itself has loaded at its start; `signal` would take too long.
"""

import os
from _signal import (  # type: ignore[import-not-found]
    SIG_DFL,
    SIGINT,
    SIGTERM,
    default_int_handler,
    getsignal,
    signal,
)

if os.name == "nt":  # pragma: no cover -- Windows has no hang-up
    HANGUP = {}
else:
    from _signal import SIGHUP

    HANGUP = {SIGHUP: SIG_DFL}
# Ctrl-C, what a scheduler sends, and a closed terminal: what each does in Python by itself.
DEFAULTS = {SIGINT: default_int_handler, SIGTERM: SIG_DFL, **HANGUP}
SIGNALLED = 128  # shells add the number of the signal to it


def listen() -> None:
    """End at a signal, unless the program that runs us handles it, or has us ignore it."""
    for number, default in DEFAULTS.items():
        if getsignal(number) is default:
            signal(number, end)


def end(number: int = SIGINT, *_: object) -> None:
    """End the process at once, with a line on stderr unless that is closed."""
    try:
        os.write(2, f"{describe_end(number)}\n".encode())
    finally:
        os._exit(SIGNALLED + number)


def describe_end(number: int) -> str:
    """Say which kind of signal ended the process."""
    return f"capcurve: {'interrupted' if number == SIGINT else 'terminated'}"
