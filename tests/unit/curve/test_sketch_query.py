"""Sketches of queries: the same as those of batches in Python."""

import duckdb
import numpy as np
import polars as pl
import pytest

from capcurve import CapcurveError, CapSketch, DroppedRowsWarning
from capcurve._curve import sketch_query as module
from capcurve._curve.sketch_query import sketch_query
from capcurve._input.meaning import Meaning, make_roles

RNG = np.random.default_rng(5)
N = 3_000
SCORE = RNG.normal(size=N).round(3)
EVENT = RNG.random(N) < 0.1
LOSS = np.where(EVENT, RNG.integers(0, 4, N) / 1.0, 0.0)
WEIGHT = RNG.integers(0, 4, N)


@pytest.fixture
def connection():
    with duckdb.connect() as opened:
        yield opened


@pytest.fixture
def make(connection, monkeypatch):
    """Make a sketch of columns, a few rows at a time."""
    monkeypatch.setattr(module, "BATCH_ROWS", 2_048)  # DuckDB's smallest batch

    def sketch(columns, *, max_bins=65_536, weights=None, **options):
        table = pl.DataFrame(columns).to_arrow()
        relation = connection.from_arrow(table)
        roles = make_roles("y", ["s"], case_weights=weights)
        return sketch_query(relation, roles, Meaning(**options), max_bins)

    return sketch


def of_rows(y, s, *, max_bins=65_536, sample_weight=None, **options):
    sketch = CapSketch(max_bins, **options)
    sketch.update(y, s, sample_weight=sample_weight)
    return sketch


@pytest.mark.parametrize("max_bins", [65_536, 100])
def test_events(make, max_bins):
    found = make({"y": EVENT.astype(int), "s": SCORE}, max_bins=max_bins)
    assert found.n_rows == N
    assert found.to_bytes() == of_rows(EVENT, SCORE, max_bins=max_bins).to_bytes()


def test_labels_and_low_scores_first(make):
    label = np.where(EVENT, "bad", "good")
    options = {"pos_label": "bad", "descending": False}
    found = make({"y": label, "s": SCORE}, **options)
    assert found.to_bytes() == of_rows(label, SCORE, **options).to_bytes()
    assert (found.pos_label, found.curve.descending) == ("bad", False)


def test_minus_one_and_one(make):
    found = make({"y": np.where(EVENT, 1, -1), "s": SCORE})
    assert found.to_bytes() == of_rows(EVENT, SCORE).to_bytes()


def test_weights_of_zero_are_no_rows(make):
    found = make({"y": EVENT, "s": SCORE, "w": WEIGHT}, weights="w")
    expected = of_rows(EVENT, SCORE, sample_weight=WEIGHT)
    assert found.n_rows == np.count_nonzero(WEIGHT)
    assert found.to_bytes() == expected.to_bytes()


def test_rows_of_weight_zero_do_not_count_whatever_they_lack(make):
    event = np.where(WEIGHT == 0, np.nan, EVENT)
    score = np.where(WEIGHT == 0, np.nan, SCORE)
    found = make({"y": event, "s": score, "w": WEIGHT}, weights="w")
    expected = of_rows(EVENT, SCORE, sample_weight=WEIGHT)
    assert found.to_bytes() == expected.to_bytes()


def test_what_amounts_are_is_decided_by_all_rows(make):
    """The last rows alone would be whole numbers, which may be labels."""
    loss = LOSS.copy()
    loss[0] = 0.5
    found = make({"y": loss, "s": SCORE})
    assert not found.curve.has_events
    assert found.target_type == "auto"
    assert found.to_bytes() == of_rows(loss, SCORE).to_bytes()
    with pytest.raises(CapcurveError, match="whole numbers other than 0 and 1"):
        make({"y": LOSS, "s": SCORE})


def test_incomplete_rows_are_left_out_and_counted(make):
    score = SCORE.copy()
    score[:5] = np.nan
    with pytest.warns(DroppedRowsWarning, match=r"5 of 3,000 rows .* \(s 5\)"):
        found = make({"y": EVENT, "s": score})
    assert found.to_bytes() == of_rows(EVENT[5:], SCORE[5:]).to_bytes()


def test_no_complete_row(make):
    with pytest.warns(DroppedRowsWarning):
        found = make({"y": EVENT[:2], "s": [None, None]}, max_bins=7)
    assert found.to_bytes() == CapSketch(7).to_bytes()


def test_whole_numbers_beyond_float64_are_compared_as_integers(make):
    wide = 2**62 + np.arange(N)
    assert make({"y": EVENT, "s": wide}).to_bytes() == of_rows(EVENT, wide).to_bytes()


def test_scores_that_bins_cannot_hold(make, connection):
    with pytest.raises(CapcurveError, match=r"below 2\*\*63, got 9223372036854775810; sca"):
        make({"y": EVENT, "s": np.uint64(2**63) + np.minimum(np.arange(N, dtype="u8"), 2)})
    connection.execute("create type grade as enum ('A', 'B')")
    relation = connection.sql("select 1 as y, 'A'::grade as s")
    with pytest.raises(CapcurveError, match="got grades in `s`"):
        sketch_query(relation, make_roles("y", ["s"]), Meaning(), 10)


def test_the_engine_names_what_failed(make):
    with pytest.raises(CapcurveError, match="must hold numbers"):
        make({"y": EVENT, "s": SCORE.astype(str)})
