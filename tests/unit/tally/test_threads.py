"""Threads where there are processors for them, and none where there is one part."""

import os
import sys
import threading

import numpy as np
import pytest

from capcurve import CapcurveError, accuracy_ratio_score
from capcurve._tally import threads
from capcurve._tally.threads import (
    ROWS_PER_CHUNK,
    ROWS_PER_THREAD,
    count_parts,
    count_threads,
    fetch_ahead,
    map_chunks,
    map_parts,
    sort_in_place,
    sum_chunks,
)


def set_processors(monkeypatch, **found):
    """Let ``os`` count processors by the given functions only."""
    for name in ("process_cpu_count", "sched_getaffinity", "cpu_count"):
        monkeypatch.delattr(os, name, raising=False)
        if name in found:
            monkeypatch.setattr(os, name, found[name], raising=False)


def test_processors_are_counted_on_every_platform(monkeypatch):
    newest = {"process_cpu_count": lambda: 3, "sched_getaffinity": lambda _: {0}}
    set_processors(monkeypatch, **newest, cpu_count=lambda: 8)
    assert count_threads() == 3  # Python 3.13
    set_processors(monkeypatch, sched_getaffinity=lambda _: {0, 5}, cpu_count=lambda: 8)
    assert count_threads() == 2  # Linux
    set_processors(monkeypatch, cpu_count=lambda: 8)
    assert count_threads() == 8  # macOS and Windows
    set_processors(monkeypatch, cpu_count=lambda: None)
    assert count_threads() == 1
    set_processors(monkeypatch, process_cpu_count=lambda: None)
    assert count_threads() == 1
    set_processors(monkeypatch, cpu_count=lambda: 8)
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert count_threads() == 1  # a browser, which starts no thread


@pytest.fixture
def without_threads(monkeypatch):
    """Let no thread be started, as on some platforms."""

    def refuse(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


@pytest.mark.usefixtures("without_threads")
def test_one_part_starts_no_thread(monkeypatch):
    monkeypatch.setattr(threads, "count_threads", lambda: 4)
    assert map_parts(abs, [-1]) == [1]
    assert map_parts(abs, []) == []
    with pytest.raises(RuntimeError, match="thread"):
        map_parts(abs, [-1, -2])
    y, s = np.arange(5_000) % 3 == 0, np.random.default_rng(1).random(5_000)
    assert -1 < accuracy_ratio_score(y, s) < 1
    monkeypatch.setattr(threads, "count_threads", lambda: 1)
    assert map_parts(abs, [-1, -2]) == [1, 2]


def make_batches(makers):
    """Yield three numbers and note which thread makes each."""
    for number in range(3):
        makers.append(threading.current_thread())
        yield number


def test_batches_are_fetched_by_a_thread():
    makers = []
    assert list(fetch_ahead(make_batches(makers))) == [0, 1, 2]
    assert threading.current_thread() not in makers


@pytest.mark.usefixtures("without_threads")
def test_batches_come_in_turn_where_no_thread_can_start(monkeypatch):
    makers = []
    with pytest.raises(RuntimeError, match="thread"):
        list(fetch_ahead(make_batches(makers)))
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert list(fetch_ahead(make_batches(makers))) == [0, 1, 2]
    assert set(makers) == {threading.current_thread()}


def test_an_error_of_a_batch_reaches_the_caller():
    found = fetch_ahead(1 / number for number in (1, 0))
    assert next(found) == 1
    with pytest.raises(ZeroDivisionError):
        next(found)


@pytest.mark.parametrize("processors", [1, 2, 3])
def test_values_sorted_in_parts_are_sorted(monkeypatch, processors):
    monkeypatch.setattr(threads, "count_threads", lambda: processors)
    n_rows = 3 * ROWS_PER_THREAD + 1
    assert count_parts(n_rows) == processors
    values = np.random.default_rng(2).integers(0, 1000, n_rows)
    expected = np.sort(values)
    sort_in_place(values)
    assert np.array_equal(values, expected)


@pytest.mark.parametrize("n_rows", [0, 1, 4, 5, 23])
@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_chunks_cover_all_rows_in_their_order(monkeypatch, n_rows, n_threads):
    monkeypatch.setattr(threads, "ROWS_PER_CHUNK", 4)
    monkeypatch.setattr(threads, "ROWS_PER_THREAD", 1)
    monkeypatch.setattr(threads, "count_threads", lambda: n_threads)
    rows = np.arange(n_rows)
    parts = map_chunks(lambda chunk: rows[chunk].tolist(), n_rows)
    assert all(len(part) <= 4 for part in parts)
    assert [row for part in parts for row in part] == rows.tolist()
    assert sum_chunks(lambda chunk: int(rows[chunk].sum()), n_rows) == rows.sum()
    parts = map_chunks(lambda chunk: rows[chunk].tolist(), n_rows, 3)
    assert [row for part in parts for row in part] == rows.tolist()
    assert all(len(part) <= 3 for part in parts)


@pytest.mark.parametrize("row", [0, -1])
def test_every_chunk_of_many_rows_is_checked(row):
    n = 3 * ROWS_PER_CHUNK
    y, s = np.arange(n) % 2, np.arange(n, dtype=float)
    assert accuracy_ratio_score(y, s) == pytest.approx(2 / n)
    s[row] = np.nan
    with pytest.raises(CapcurveError, match="`y_score` must not hold missing values"):
        accuracy_ratio_score(y, s)
    s[row] = 0
    y[row] = 2
    with pytest.raises(CapcurveError, match="`y_true`"):
        accuracy_ratio_score(y, s, target_type="binary")
