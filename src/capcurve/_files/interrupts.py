"""Ctrl-C and SIGTERM stop a query at once, not after the task that it is at."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread, current_thread, main_thread

from capcurve._interrupted import DEFAULTS, end

DONE = b"\0"  # no signal has this number


class EndSignals:
    """What Ctrl-C, SIGTERM and SIGHUP do to the ``capcurve`` command: it ends at once.

    Only while there is something to put away, they are an exception. It is remembered, as
    libraries lose exceptions or turn them into others, most of all while they are imported.

    Attributes
    ----------
    received : int
        Number of the signal that became an exception; 0 before.
    """

    received = 0
    n_held = 0

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Make a signal an exception within a block, which has something to put away."""
        self.n_held += 1
        try:
            yield
        finally:
            self.n_held -= 1
        if self.received:
            raise KeyboardInterrupt

    def listen(self) -> None:
        """Handle signals, unless the program that runs us does, or has us ignore them."""
        for number, default in DEFAULTS.items():
            if is_handled_by(number, default, end):
                signal.signal(number, self.handle)

    def ignore(self) -> None:
        """Ignore signals while the process ends, as all is done."""
        for number in DEFAULTS:
            if is_handled_by(number, self.handle):
                signal.signal(number, signal.SIG_IGN)

    def handle(self, number: int, *_: object) -> None:
        """Raise KeyboardInterrupt within `hold`; else, or if sent again, end at once."""
        if self.received or not self.n_held:
            end(number)
        self.received = number
        # A workbook that is half written closes its file, which is closed by then.
        sys.unraisablehook = pass_over
        raise KeyboardInterrupt


end_signals = EndSignals()


def pass_over(_: object) -> None:
    """Say nothing of what objects raise that are put away at an end."""


def is_handled_by(number: int, *handlers: object) -> bool:
    """Whether a signal is handled in this thread, by one of these."""
    in_main = current_thread() is main_thread()
    return in_main and signal.getsignal(number) in handlers


@contextmanager
def stop_on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function from another thread as soon as a signal to end comes.

    Python looks at signals between its instructions only, and a query may run for minutes
    within one. Nothing changes where the program that runs us handles Ctrl-C.
    """
    if not is_handled_by(signal.SIGINT, signal.default_int_handler, end_signals.handle):
        yield
        return
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    previous = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    if previous != -1:  # an event loop listens already
        signal.set_wakeup_fd(previous)
    watcher = Thread(target=await_interrupt, args=(read_end, stop), daemon=True)
    try:
        watcher.start()
        yield
    finally:
        if previous == -1:
            signal.set_wakeup_fd(-1)
        os.write(write_end, DONE)
        with suppress(RuntimeError):  # it has not started yet
            watcher.join()
        os.close(write_end)
        os.close(read_end)


def await_interrupt(read_end: int, stop: Callable[[], None]) -> None:
    """Call the function for every signal to end until the block is done."""
    while (received := os.read(read_end, 1)) != DONE:
        if received[0] in DEFAULTS:
            with suppress(Exception):  # what was to be stopped is closed
                stop()
