"""What Ctrl-C does to the ``capcurve`` command from its first moment.

It imports what Python itself has loaded at its start; `signal` would take too long.
"""

import os
from _signal import (  # type: ignore[import-not-found]
    SIGINT,
    default_int_handler,
    getsignal,
    signal,
)

INTERRUPTED = 130  # the exit code that shells have for Ctrl-C


def listen() -> None:
    """End at Ctrl-C, unless the program that runs us handles it, or has us ignore it."""
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, end)


def end(*_: object) -> None:
    """End the process at once, with a line on stderr unless that is closed."""
    try:
        os.write(2, b"capcurve: interrupted\n")
    finally:
        os._exit(INTERRUPTED)
