"""Threads over parts of rows: NumPy sorts and searches several parts at the same time."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, pairwise
from typing import Any, TypeVar

import numpy as np

from capcurve._tally.dtypes import Array

ROWS_PER_THREAD = 1 << 19  # with fewer rows, starting a thread costs more than it saves
ROWS_PER_CHUNK = 1 << 16  # which fit into a processor's cache while several steps use them
ROWS_OF_FEW = 1 << 14  # of a chunk in one thread; several would wait for Python's lock
WITHOUT_THREADS = {"emscripten", "wasi"}

Part = TypeVar("Part")
Found = TypeVar("Found")


def can_start_threads() -> bool:
    """Whether this platform can start threads; Python in a browser cannot."""
    return sys.platform not in WITHOUT_THREADS


def count_threads() -> int:
    """Return the number of processors that this process may use."""
    if not can_start_threads():
        return 1
    if hasattr(os, "process_cpu_count"):  # from Python 3.13
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def count_parts(n_rows: int) -> int:
    """Return into how many parts rows are best divided, one for each thread."""
    most = n_rows // ROWS_PER_THREAD
    return max(1, min(most, count_threads())) if most > 1 else 1


def map_parts(job: Callable[[Part], Found], parts: Sequence[Part]) -> list[Found]:
    """Do a job for each part, several at a time; without a thread if there is one only."""
    n_threads = min(count_threads(), len(parts)) if len(parts) > 1 else 1
    if n_threads == 1:
        return [job(part) for part in parts]
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(job, parts))


def map_chunks(
    job: Callable[[slice], Found], n_rows: int, step: int | None = None
) -> list[Found]:
    """Do a job for chunks of ``step`` rows, which several threads share where that pays."""
    if step is None:
        step = ROWS_OF_FEW if n_rows < 2 * ROWS_PER_THREAD else ROWS_PER_CHUNK
    if n_rows <= step:
        return [job(slice(0, n_rows))]
    chunks = [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]
    n_parts = count_parts(n_rows)
    cuts = [len(chunks) * part // n_parts for part in range(n_parts + 1)]
    parts = [chunks[start:stop] for start, stop in pairwise(cuts)]
    return list(chain.from_iterable(map_parts(lambda part: list(map(job, part)), parts)))


def sum_chunks(add_up: Callable[[slice], Any], n_rows: int) -> Any:
    """Add up chunks of rows; the same chunks, and so the same sum, with any threads."""
    return np.sum(map_chunks(add_up, n_rows))


def fetch_ahead(batches: Iterator[Found]) -> Iterator[Found]:
    """Yield batches, each while a thread fetches the next, or in turn without threads."""
    if not can_start_threads():
        yield from batches
        return
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = pool.submit(next, batches, None)
            yield batch


def sort_in_place(values: Array) -> None:
    """Sort values, many of them in parts, each of which holds a range of them."""
    n_parts = count_parts(len(values))
    if n_parts == 1:
        values.sort()
        return
    cuts = [len(values) * part // n_parts for part in range(1, n_parts)]
    values.partition(cuts)
    map_parts(np.ndarray.sort, np.split(values, cuts))
