"""Progress bar on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

DELAY_SECONDS = 1.0
PERIOD_SECONDS = 0.1


@contextmanager
def show_progress(
    percent_done: Callable[[], float], what: str | Callable[[], str], *, enabled: bool
) -> Iterator[None]:
    """Show a progress bar on stderr, if it is a terminal, for a job of over a second.

    ``percent_done`` returns the progress in per cent, or -1 if it is unknown. ``what`` is
    the job, or returns the part of it that is being done.
    """
    if not enabled or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = Event()
    watcher = Thread(target=poll_progress, args=(percent_done, what, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def poll_progress(
    percent_done: Callable[[], float], what: str | Callable[[], str], done: Event
) -> None:
    """Update the progress bar until the job is done."""
    if done.wait(DELAY_SECONDS):
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    def describe() -> str:
        return what if isinstance(what, str) else what()

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(describe(), total=100.0)
        while not done.wait(PERIOD_SECONDS):
            completed = max(0.0, percent_done())
            bar.update(task, completed=completed, description=describe())
