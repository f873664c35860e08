"""Ctrl-C stops a query at once, not after the task that it is at."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread, current_thread, main_thread

DONE = b"\0"  # no signal has this number


@contextmanager
def stop_on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function from another thread as soon as Ctrl-C is pressed.

    Python looks at signals between its instructions only, and a query may run for minutes
    within one. Nothing changes where the program that runs us handles Ctrl-C itself.
    """
    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if current_thread() is not main_thread() or not is_ours:
        yield
        return
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    previous = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    if previous != -1:  # an event loop listens already
        signal.set_wakeup_fd(previous)
    watcher = Thread(target=await_interrupt, args=(read_end, stop), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        if previous == -1:
            signal.set_wakeup_fd(-1)
        os.write(write_end, DONE)
        watcher.join()
        os.close(write_end)
        os.close(read_end)


def await_interrupt(read_end: int, stop: Callable[[], None]) -> None:
    """Call the function for every Ctrl-C until the block is done."""
    while (received := os.read(read_end, 1)) != DONE:
        if received[0] == signal.SIGINT:
            stop()
