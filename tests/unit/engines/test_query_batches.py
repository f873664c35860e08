"""Rows in batches give the numbers of rows in memory, to the last bit."""

import logging
import threading

import duckdb
import ibis
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from capcurve import BinnedCurve, CapCurve, accuracy_ratio_interval
from capcurve._engines import near_rows, query_batches, query_bins
from capcurve._engines import plan as thresholds

SHARES = (0.05, 0.1, 0.37, 0.5)
SHAPES = {
    "continuous": lambda rng, n: rng.normal(size=n),
    "grades": lambda rng, n: rng.integers(0, 7, n),
    "a heavy score": lambda rng, n: np.where(rng.random(n) < 0.6, 0.25, rng.random(n)),
    "rounded": lambda rng, n: np.round(rng.beta(0.4, 12, n), 3),
    "infinite": lambda rng, n: 1 / np.maximum(rng.integers(-3, 40, n), 0.0),
    "sorted": lambda rng, n: np.sort(rng.random(n)),
}


ENGINES = {"DuckDB": duckdb.from_arrow, "Polars": lambda table: pl.from_arrow(table).lazy()}


@pytest.fixture(params=ENGINES)
def make_query(request):
    """Make a query of columns, in each engine that hands batches over."""
    return lambda **columns: ENGINES[request.param](pa.table(columns))


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    monkeypatch.setattr(thresholds, "BATCH_ROWS", 1_000)
    monkeypatch.setattr(query_batches, "BATCH_ROWS", 1_000)
    monkeypatch.setattr(query_batches, "MAX_EDGES", 60)
    monkeypatch.setattr(query_batches, "MAX_BIN_SHARE", 1 / 16)


def draw(shape, share, n=9_000):
    rng = np.random.default_rng(7)
    with np.errstate(divide="ignore"):
        score = SHAPES[shape](rng, n)
    rank = score.argsort().argsort() / n
    return rng.random(n) < share * (0.5 + rank), score


@pytest.fixture(
    params=[{"MAX_KEPT": 0}, {"MAX_KEPT": 1}, {"MAX_KEPT": 1, "DEVIATIONS": 0.5}]
)
def near(request, monkeypatch):
    """Keep no rows near the shares wanted, or enough, or a few."""
    for name, value in request.param.items():
        monkeypatch.setattr(near_rows, name, value)


@pytest.mark.slow
@pytest.mark.usefixtures("near")
@pytest.mark.parametrize("down", [True, False])
@pytest.mark.parametrize("share", [0.1, 0.9])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_numbers_of_memory(make_query, shape, share, down, caplog):
    y, s = draw(shape, share)
    query = make_query(y=y.astype(np.int8), s=s)
    with caplog.at_level(logging.INFO, logger="capcurve"):
        found = BinnedCurve.from_frame(query, "y", "s", exact_at=SHARES, descending=down)
    assert found.plan == "batches"
    assert caplog.records[0].args[0] == "batches"
    expected = CapCurve.from_predictions(y, s, descending=down)
    exact = (expected.accuracy_ratio, expected.ks, expected.tie_bounds)
    assert (found.accuracy_ratio.value, found.ks.value, found.tie_bounds) == exact
    for at in SHARES:
        assert set(found.capture_rate_at(at)) == {expected.capture_rate_at(at)}
    interval = found.interval()
    counted = accuracy_ratio_interval(y, s if down else -s)
    assert (interval.low, interval.high) == (counted.low, counted.high)
    assert found.by_score.weight.sum() == len(y)
    assert found.by_score.target.sum() == y.sum()


@pytest.mark.parametrize("down", [True, False])
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "sorted"])
def test_shares_need_no_further_scan(make_query, shape, down, monkeypatch):
    monkeypatch.setattr(near_rows, "MAX_KEPT", 1)
    monkeypatch.delattr(query_bins, "tally_in_engine")
    y, s = draw(shape, 0.1)
    BinnedCurve.from_frame(make_query(y=y, s=s), "y", "s", exact_at=SHARES, descending=down)


def test_rows_that_are_not_near_the_shares_are_counted_by_the_engine(monkeypatch):
    monkeypatch.setattr(near_rows, "DEVIATIONS", 0.01)
    monkeypatch.setattr(query_batches, "MAX_BIN_SHARE", 1)
    y, s = draw("sorted", 0.1)
    asked = []
    count = query_bins.tally_in_engine
    monkeypatch.setattr(
        query_bins, "tally_in_engine", lambda *a: asked.append(a) or count(*a)
    )
    query = duckdb.from_arrow(pa.table({"y": y, "s": s}))
    found = BinnedCurve.from_frame(query, "y", "s", exact_at=SHARES)
    expected = CapCurve.from_predictions(y, s)
    assert len(asked) == 1
    assert [found.capture_rate_at(at).value for at in SHARES] == [
        expected.capture_rate_at(at) for at in SHARES
    ]


def test_a_platform_without_threads(make_query, monkeypatch):
    y, s = draw("continuous", 0.1)
    query = make_query(y=y, s=s)

    def refuse(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr("capcurve._tally.threads.can_start_threads", lambda: False)
    found = BinnedCurve.from_frame(query, "y", "s", exact_at=SHARES)
    assert found.plan == "batches"
    expected = CapCurve.from_predictions(y, s)
    assert found.accuracy_ratio.value == expected.accuracy_ratio


def test_a_sorted_table_gets_its_bins_from_the_engine(make_query, caplog, monkeypatch):
    monkeypatch.setattr(query_batches, "MAX_BIN_SHARE", 1 / 256)
    y, s = draw("sorted", 0.1)
    query = make_query(y=y, s=s)
    with caplog.at_level(logging.INFO, logger="capcurve"):
        BinnedCurve.from_frame(query, "y", "s", exact_at=())
    assert [record.args[0] for record in caplog.records] == ["batches", "bins"]


def test_labels_and_missing_values(make_query, recwarn):
    y, s = draw("rounded", 0.1)
    label = np.where(y, "bad", "good").astype(object)
    label[:5] = None
    query = make_query(y=label.tolist(), s=s)
    found = BinnedCurve.from_frame(query, "y", "s", pos_label="bad", exact_at=())
    assert found.plan == "batches"
    assert "5 of 9,000 rows" in str(recwarn.pop().message)
    expected = CapCurve.from_predictions(y[5:], s[5:])
    assert found.accuracy_ratio.value == expected.accuracy_ratio


@pytest.mark.parametrize(
    ("name", "value"), [("FREE_SHARE", 0), ("MAX_PAIRS", 1), ("BYTES_PER_RANK", 1e15)]
)
def test_what_does_not_fit_is_counted_by_the_engine(make_query, name, value, monkeypatch):
    monkeypatch.setattr(thresholds, name, value)
    y, s = draw("rounded", 0.1)
    query = make_query(y=y, s=s)
    found = BinnedCurve.from_frame(query, "y", "s", exact_at=())
    assert found.plan == "bucketed"
    expected = CapCurve.from_predictions(y, s)
    assert found.accuracy_ratio.value == pytest.approx(expected.accuracy_ratio)


def test_other_engines_and_older_polars_count_pairs_themselves(monkeypatch):
    y, s = draw("rounded", 0.1)
    frame = pl.DataFrame({"y": y, "s": s})
    monkeypatch.delattr(pl.LazyFrame, "collect_batches")
    plans = {
        BinnedCurve.from_frame(query, "y", "s", exact_at=()).plan
        for query in (frame.lazy(), ibis.memtable(frame))
    }
    assert plans == {"bucketed"}
