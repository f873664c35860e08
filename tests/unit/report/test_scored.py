"""Scored rows and bins: groups whose curve is undefined, and tables by score."""

import numpy as np
import polars as pl
import pytest

from capcurve import BinnedCurve, CapcurveError
from capcurve._engines import plan as thresholds
from capcurve._input.columns import Columns
from capcurve._report.scored import ScoredBins, ScoredRows, name_key, say_key


def score_bins(rows, **options):
    frame = pl.LazyFrame({"y": rows[0], "s": rows[1]})
    return ScoredBins({}, "s", None, BinnedCurve.from_frame(frame, "y", "s", **options))


@pytest.mark.parametrize("outcome", [True, False])
def test_a_curve_of_one_outcome_has_no_statistics(outcome):
    target, score = np.full(3, outcome), np.array([3.0, 2.0, 1.0])
    scored = ScoredRows({}, "s", None, Columns(target, score))
    assert scored.curve is None
    assert scored.make_gains_table(10) == {}
    assert set(scored.list_statistics().values()) == {None}
    binned = score_bins((target, score))
    assert binned.curve is None
    assert binned.max_bound_width == 0
    assert set(binned.list_statistics().values()) == {None}


@pytest.mark.parametrize(
    ("key", "shown"),
    [("-", '"-"'), ("", '""'), (" ", '" "'), ("?", '"?"'), ("a-", "a-"), ("é", "é")],
)
def test_groups_that_would_not_be_seen_in_a_sentence_are_quoted(key, shown):
    assert say_key(key) == name_key("g", key) == shown


def test_no_rows_have_no_curve():
    empty = Columns(np.zeros(0, dtype=np.bool_), np.zeros(0))
    assert ScoredRows({}, "s", None, empty).curve is None


@pytest.mark.parametrize("options", [{}, {"exact_at": ()}])
def test_a_table_by_score_requires_bins_of_one_score(options, monkeypatch):
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)  # too little memory for all rows
    few = score_bins(([1, 0, 1, 0], [3.0, 3.0, 2.0, 1.0]), **options)
    assert few.make_gains_table("scores")["n"].tolist() == [2, 1, 1]
    # Bins of events or non-events alone have no slack, but several scores all the same.
    score = np.sort(np.random.default_rng(1).normal(size=3_000))
    many = score_bins((score > 1, 1e6 + score), **options)
    with pytest.raises(CapcurveError, match="--bands scores requires few distinct scores"):
        many.make_gains_table("scores")
    assert len(many.make_gains_table(5)["n"]) == 5
