"""Queries of this process that fit into the free memory are fetched, and no others."""

import inspect
import logging
from decimal import Decimal
from functools import partial

import duckdb
import ibis
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import capcurve
from capcurve import (
    BinnedCurve,
    CapCurve,
    CapcurveError,
    compare_implied,
    compare_models,
    compare_samples,
    compare_segments,
    gain_capture,
    gain_capture_at_reference,
    gain_capture_change,
    gain_curve,
    gain_cut_offs,
    gains_table,
    plan_models,
    summarize_segments,
)
from capcurve._engines import memory, query_batches
from capcurve._engines import plan as thresholds

RNG = np.random.default_rng(5)
FRAME = pl.DataFrame(
    {
        "g": RNG.integers(0, 30, 3_000),
        "y": RNG.random(3_000) < 0.2,
        "s": RNG.normal(size=3_000),
        "w": RNG.gamma(2, 1, 3_000),
    }
)
MAKERS = {
    "Polars": lambda frame: frame.lazy(),
    "DuckDB": lambda frame: duckdb.from_arrow(frame.to_arrow()),
    "Ibis on DuckDB": lambda frame: ibis.memtable(frame.to_arrow()),
}
ENGINES = {name: partial(make, FRAME) for name, make in MAKERS.items()}


@pytest.mark.parametrize("options", [{}, {"by": "g"}, {"by": "g", "case_weights": "w"}])
@pytest.mark.parametrize("engine", ENGINES)
def test_fetched_rows_give_the_last_bit_of_memory(engine, options, caplog):
    with caplog.at_level(logging.INFO, logger="capcurve"):
        found = gain_capture(ENGINES[engine](), "y", "s", **options)
    assert [record.args[0] for record in caplog.records] == ["fetch"]
    # Weights are summed over groups in their order, which is sorted for a query.
    frame = FRAME.sort("g", maintain_order=True) if options else FRAME
    expected = gain_capture(frame, "y", "s", **options)
    estimates = pl.DataFrame(found)["estimate"].to_list()
    assert estimates == expected["estimate"].to_list()


def test_free_memory_where_the_system_says_it_and_where_not(tmp_path, monkeypatch):
    told = tmp_path / "meminfo"
    told.write_text("MemTotal:  9000 kB\nMemAvailable:  3000 kB\n", encoding="ascii")
    monkeypatch.setattr(memory, "MEMORY_FILE", told)
    assert memory.measure_free_memory() == 3_000 * 1024
    monkeypatch.setattr(memory, "MEMORY_FILE", tmp_path / "none")
    assert memory.measure_free_memory() == 4 << 30


def plans_of(caplog):
    return [record.args[0] for record in caplog.records]


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"by": "g"}, {"confidence_level": 0.9}])
@pytest.mark.parametrize("limit", [100, "100B"])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_memory_limit_changes_the_plan_and_no_bit(engine, limit, options, caplog):
    query = ENGINES[engine]()
    with caplog.at_level(logging.INFO, logger="capcurve"):
        found = gain_capture(query, "y", "s", memory_limit=limit, **options)
    assert plans_of(caplog) == ["bucketed"]
    frame = FRAME.sort("g", maintain_order=True) if "by" in options else FRAME
    expected = gain_capture(frame, "y", "s", **options)
    assert pl.DataFrame(found).to_dicts() == expected.to_dicts()


def test_a_limit_that_fits_a_batch_and_one_that_fits_all_rows(caplog, monkeypatch):
    monkeypatch.setattr(thresholds, "BATCH_ROWS", 500)
    monkeypatch.setattr(query_batches, "BATCH_ROWS", 500)
    plans, found = {}, set()
    for limit in ("100kB", "400kB", "0.001GB"):
        caplog.clear()
        with caplog.at_level(logging.INFO, logger="capcurve"):
            frame = gain_capture(ENGINES["DuckDB"](), "y", "s", memory_limit=limit)
        plans[limit] = plans_of(caplog)[0]
        found.add(frame["estimate"][0].as_py())
    assert plans == {"100kB": "batches", "400kB": "fetch", "0.001GB": "fetch"}
    assert found == {gain_capture(FRAME, "y", "s")["estimate"][0]}


@pytest.mark.parametrize("engine", ENGINES)
def test_more_than_a_quarter_of_the_memory_can_be_granted(engine, monkeypatch, caplog):
    monkeypatch.setattr(thresholds, "measure_free_memory", lambda: 1_000)
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
    with caplog.at_level(logging.INFO, logger="capcurve"):
        counted = gain_capture(ENGINES[engine](), "y", "s")
        fetched = gain_capture(ENGINES[engine](), "y", "s", memory_limit="1MB")
    assert plans_of(caplog) == ["bucketed", "fetch"]
    assert pl.DataFrame(counted).to_dicts() == pl.DataFrame(fetched).to_dicts()


STEPS = RNG.integers(0, 60, len(FRAME))
WIDE = {
    "int64 at 2^53": pl.Series(2**53 - 20 + STEPS),
    "int64 at -2^53": pl.Series(-(2**53) - 20 + STEPS),
    "largest int64": pl.Series(2**63 - 1 - STEPS),
    "largest uint64": pl.Series(2**64 - 1 - STEPS.astype(np.uint64)),
    "few beyond 2^53": pl.Series(np.where(STEPS < 50, STEPS, 2**53 + STEPS)),
    "decimal": pl.Series([Decimal(2**53 - 20 + int(step)) for step in STEPS]),
}


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["1GB", "100kB", 1])
@pytest.mark.parametrize("scores", WIDE)
@pytest.mark.parametrize("engine", ENGINES)
def test_wide_integers_are_exact_or_refused(engine, scores, limit, monkeypatch):
    monkeypatch.setattr(thresholds, "BATCH_ROWS", 500)
    frame = FRAME.with_columns(s=WIDE[scores])
    query = MAKERS[engine](frame)
    if scores == "decimal":
        for data in (frame, query):
            with pytest.raises(CapcurveError, match="numbers that float64 tells apart"):
                gain_capture(data, "y", "s", memory_limit=limit)
    else:
        for options in ({}, {"by": "g"}):
            found = gain_capture(query, "y", "s", memory_limit=limit, **options)
            sorted_frame = frame.sort("g", maintain_order=True)
            expected = gain_capture(sorted_frame, "y", "s", **options)
            assert pl.DataFrame(found).to_dicts() == expected.to_dicts()
    with pytest.raises(CapcurveError, match=r"rounds integers beyond|tells apart"):
        BinnedCurve.from_frame(query, "y", "s", exact_at=(), memory_limit=limit)


CALLS = {
    CapCurve.from_frame: {},
    gain_curve: {},
    gains_table: {"case_weights": "w"},
    gain_cut_offs: {"population_share": 0.1},
    gain_capture_at_reference: {"reference": {0: 0.5, 1: 0.5}, "estimate": "k"},
    gain_capture_change: {"sample": "h", "estimate": "k"},
    compare_models: {"estimates": ["s", "w"]},
    compare_samples: {"sample": "h", "against": 0},
    compare_segments: {"by": "h"},
    summarize_segments: {"by": "h"},
    compare_implied: {"estimate": "p"},
    plan_models: {"half_width": 0.05},
}


@pytest.mark.parametrize("ask", CALLS, ids=lambda ask: ask.__qualname__)
def test_every_result_that_needs_rows_takes_the_distinct_ones(ask, caplog):
    frame = FRAME.with_columns(
        h=pl.col("g") % 2, k=pl.col("s") > 0, p=pl.col("w") / 100
    ).with_columns(pl.col("k").cast(pl.Int8))
    options = {"truth": "y", **CALLS[ask]}
    if "estimates" not in options:
        options.setdefault("estimate", "s")
    found = []
    for limit in (10, "1GB", None):
        with caplog.at_level(logging.INFO, logger="capcurve"):
            found.append(ask(frame.lazy(), **options, memory_limit=limit))
    assert plans_of(caplog) == ["direct", "fetch", "fetch"]
    if ask is CapCurve.from_frame:
        found = [curve.to_frame("polars") for curve in found]
    direct, *others = found
    for other in others:  # sums of weights may be rounded in another order
        assert_frame_equal(direct, other, rel_tol=1e-9)


def list_functions_of_frames():
    """List the public functions of a data frame or query by name."""
    public = {name: getattr(capcurve, name) for name in capcurve.__all__}
    makers = {
        f"{name}.from_frame": found.from_frame
        for name, found in public.items()
        if hasattr(found, "from_frame")
    }
    functions = {name: each for name, each in public.items() if not isinstance(each, type)}
    return {
        name: each
        for name, each in (functions | makers).items()
        if callable(each)
        and {"data", "truth", "na_rm"} <= set(inspect.signature(each).parameters)
    }


OF_FRAMES = list_functions_of_frames()
del OF_FRAMES["report"]  # its sections read all rows, several times


@pytest.mark.parametrize("name", OF_FRAMES)
def test_every_function_of_a_frame_checks_its_memory_limit(name):
    assert {"BinnedCurve.from_frame", *(ask.__qualname__ for ask in CALLS)} <= {
        *OF_FRAMES,
        "gain_capture",
    }
    options = {"truth": "y", "estimate": "s"} | CALLS.get(OF_FRAMES[name], {})
    options.pop("estimate" if "estimates" in options else "", None)
    with pytest.raises(CapcurveError, match="`memory_limit` must be"):
        OF_FRAMES[name](FRAME, **options, memory_limit="lots")
