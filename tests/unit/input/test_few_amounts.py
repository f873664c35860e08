"""A few outcomes that are neither 0 nor 1 turn events into amounts, and that is told."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    BinnedCurve,
    CapCurve,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    compare_implied,
    compare_models,
    compare_segments,
    gain_capture,
    report,
)
from capcurve.exceptions import CapcurveError

MANY = [0.0, 0.0, 0.0, 1.0] * 250
SCORE = np.sin(np.arange(1_000)).tolist()
ONE, TWELVE, THIRTEEN = (
    [value] * n + MANY[n:] for value, n in ((0.5, 1), (2.5, 12), (0.5, 13))
)
TOLD = (
    "is taken as amounts: 1 of 1,000 outcomes is neither 0 nor 1 (0.5); correct it, or "
    "pass `target_type='continuous'` if outcomes are amounts"
)
IN_REPORT = TOLD.replace(
    "pass `target_type='continuous'`", "choose the target type 'continuous'"
)
FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "polars lazy": pl.LazyFrame,
    "DuckDB": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


def list_told(recorded):
    return sorted(
        {str(each.message) for each in recorded if "taken as amounts" in str(each.message)}
    )


@pytest.mark.parametrize("door", [accuracy_ratio_score, accuracy_ratio_interval])
def test_arrays(door, recwarn):
    door(ONE, SCORE)
    assert list_told(recwarn) == [f"`y_true` {TOLD}"]


@pytest.mark.parametrize(
    "outcomes",
    [
        THIRTEEN,  # more than 5 % of the 1
        MANY,
        [0.5, *[0.0] * 999],  # no 1
        [0.5, *[1.0] * 999],  # no 0
    ],
)
def test_other_outcomes_need_no_warning(outcomes):
    accuracy_ratio_score(outcomes, SCORE)


def test_several_are_counted():
    with pytest.warns(
        UserWarning, match=r"12 of 1,000 outcomes are .* \(such as 2\.5\); cor"
    ):
        accuracy_ratio_score(TWELVE, SCORE)


def test_an_explicit_type_is_silent():
    accuracy_ratio_score(ONE, SCORE, target_type="continuous")
    frame = pl.DataFrame({"y": ONE, "s": SCORE})
    for data in (frame, frame.lazy()):
        gain_capture(data, "y", "s", target_type="continuous")
    found = report(frame, "y", "s", target_type="continuous").facts["limitations"]
    assert not [each for each in found if "taken as amounts" in each]


@pytest.mark.parametrize("make", list(FRAMES.values()), ids=list(FRAMES))
@pytest.mark.parametrize(
    "door",
    [
        gain_capture,
        lambda *asked: compare_models(*asked[:2], ["s", "t"]),
        CapCurve.from_frame,
        BinnedCurve.from_frame,
    ],
    ids=["gain_capture", "compare_models", "CapCurve", "BinnedCurve"],
)
def test_frames_and_queries(make, door, recwarn):
    door(make({"y": ONE, "s": SCORE, "t": SCORE[::-1]}), "y", "s")
    assert list_told(recwarn) == [f"`y` {TOLD}"]


def test_a_report_has_it_among_its_limitations():
    rows = pl.DataFrame({"y": ONE, "s": SCORE})
    with pytest.warns(UserWarning, match="taken as amounts"):
        found = report(rows, "y", "s").facts["limitations"]
    assert f"The outcome `y` {IN_REPORT}." in found
    for outcomes in (THIRTEEN, MANY):
        found = report(pl.DataFrame({"y": outcomes, "s": SCORE}), "y", "s").facts
        assert not [each for each in found["limitations"] if "taken as amounts" in each]


PART = r"1 of 1,000 outcomes is neither 0 nor 1 \(0.5\); correct it, or "


@pytest.mark.filterwarnings("ignore:.*taken as amounts")
def test_where_amounts_are_refused_they_are_told_too():
    groups = ["a", "b"] * 500
    rows = {"y": ONE, "s": np.linspace(0.1, 0.9, 1_000).tolist(), "g": groups}
    twice = pl.concat([pl.DataFrame(rows)] * 2)
    refused = [
        (lambda: compare_segments(pl.DataFrame(rows), "y", "s", by="g"), f"{PART}compare"),
        (lambda: compare_implied(pl.DataFrame(rows), "y", "s"), f"{PART}mark events"),
        (
            lambda: compare_segments(twice, "y", "s", by="g"),
            r"2 of 2,000 outcomes are neither 0 nor 1 \(such as 0.5\); correct them, or",
        ),
    ]
    for ask, told in refused:
        with pytest.raises(CapcurveError, match=told):
            ask()
    many = {**rows, "y": THIRTEEN}
    with pytest.raises(CapcurveError, match="got amounts; compare two"):
        compare_segments(pl.DataFrame(many), "y", "s", by="g")
    with pytest.raises(CapcurveError, match=r"1\.0; mark events"):
        compare_implied(pl.DataFrame(many), "y", "s")
