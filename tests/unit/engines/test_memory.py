"""Queries of this process that fit into the free memory are fetched, and no others."""

import logging

import duckdb
import ibis
import numpy as np
import polars as pl
import pytest

from capcurve import gain_capture
from capcurve._engines import memory

RNG = np.random.default_rng(5)
FRAME = pl.DataFrame(
    {
        "g": RNG.integers(0, 30, 3_000),
        "y": RNG.random(3_000) < 0.2,
        "s": RNG.normal(size=3_000),
        "w": RNG.gamma(2, 1, 3_000),
    }
)
ENGINES = {
    "Polars": FRAME.lazy,
    "DuckDB": lambda: duckdb.from_arrow(FRAME.to_arrow()),
    "Ibis on DuckDB": lambda: ibis.memtable(FRAME.to_arrow()),
}


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
