"""How far a long job is, on a terminal and nowhere else."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

PATIENCE, PERIOD = 1.0, 0.1  # seconds


@contextmanager
def shown(share_done: Callable[[], float], what: str, *, enabled: bool) -> Iterator[None]:
    """Show a bar on stderr, if it is a terminal, for a job of more than a second.

    ``share_done`` gives per cent, or -1 where it does not know.
    """
    if not enabled or not sys.stderr.isatty():
        yield
        return
    done = Event()
    watcher = Thread(target=watch, args=(share_done, what, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def watch(share_done: Callable[[], float], what: str, done: Event) -> None:
    """Ask again and again how far the job is."""
    if done.wait(PATIENCE):
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=100.0)
        while not done.wait(PERIOD):
            bar.update(task, completed=max(0.0, share_done()))
