"""Threads that all run before their work starts."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Event


@contextmanager
def running_threads(n_threads: int) -> Iterator[ThreadPoolExecutor]:
    """Start threads in turn, as Python 3.11 fails to trace two that start at once."""
    together = Barrier(n_threads)  # no thread is idle before the last one runs

    def wait(running: Event) -> None:
        running.set()
        together.wait()

    with ThreadPoolExecutor(n_threads) as pool:
        for _ in range(n_threads):
            running = Event()
            pool.submit(wait, running)
            running.wait()
        yield pool


@contextmanager
def eager_threads() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
