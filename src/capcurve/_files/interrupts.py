"""Ctrl-C stops a query at once, not after the task that it is at."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread, current_thread, main_thread

from capcurve._interrupted import end

DONE = b"\0"  # no signal has this number


class CtrlC:
    """What Ctrl-C does to the ``capcurve`` command: it ends at once.

    Only while there is something to put away, Ctrl-C is an exception. It is remembered, as
    libraries lose exceptions or turn them into others, most of all while they are imported.

    Attributes
    ----------
    was_pressed : bool
        Whether Ctrl-C was pressed and is an exception.
    """

    was_pressed = False
    n_held = 0

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Make Ctrl-C an exception within a block, which has something to put away."""
        self.n_held += 1
        try:
            yield
        finally:
            self.n_held -= 1
        if self.was_pressed:
            raise KeyboardInterrupt

    def listen(self) -> None:
        """Handle Ctrl-C, unless the program that runs us does, or has us ignore it."""
        if handles_interrupts(signal.default_int_handler, end):
            signal.signal(signal.SIGINT, self.handle)

    def ignore(self) -> None:
        """Ignore Ctrl-C while the process ends, as all is done."""
        if handles_interrupts(self.handle):
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def handle(self, *_: object) -> None:
        """Raise KeyboardInterrupt within `hold`; else, or if pressed again, end at once."""
        if self.was_pressed or not self.n_held:
            end()
        self.was_pressed = True
        raise KeyboardInterrupt


ctrl_c = CtrlC()


def handles_interrupts(*handlers: Callable[..., object]) -> bool:
    """Whether Ctrl-C is handled in this thread, by one of these."""
    in_main = current_thread() is main_thread()
    return in_main and signal.getsignal(signal.SIGINT) in handlers


@contextmanager
def stop_on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function from another thread as soon as Ctrl-C is pressed.

    Python looks at signals between its instructions only, and a query may run for minutes
    within one. Nothing changes where the program that runs us handles Ctrl-C itself.
    """
    if not handles_interrupts(signal.default_int_handler, ctrl_c.handle):
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
    """Call the function for every Ctrl-C until the block is done."""
    while (received := os.read(read_end, 1)) != DONE:
        if received[0] == signal.SIGINT:
            with suppress(Exception):  # what was to be stopped is closed
                stop()
