"""Score columns that are named after codes of classes."""

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import CapcurveError, accuracy_ratio_score, gain_capture, gain_curve
from capcurve.exceptions import DroppedRowsWarning

RNG = np.random.default_rng(5)
CODES = RNG.integers(1, 5, 200)
MATRIX = RNG.uniform(size=(200, 4)) + 0.3 * (CODES[:, None] == np.arange(1, 5))
COLUMNS = [".pred_4", ".pred_1", ".pred_2", ".pred_3"]
WHOLE = pl.DataFrame({"k": CODES, **{f".pred_{i + 1}": MATRIX[:, i] for i in range(4)}})
FLOATS = WHOLE.cast({"k": pl.Float64})
FRAMES = {
    "polars": FLOATS,
    "query": FLOATS.lazy(),
    "pandas": FLOATS.to_pandas(),
    "categories": FLOATS.to_pandas().astype({"k": "category"}),
    "float32": FLOATS.cast({"k": pl.Float32}),
}


@pytest.mark.parametrize("estimator", [None, "macro", "macro_weighted"])
@pytest.mark.parametrize("kind", FRAMES)
def test_codes_that_became_floats_match_columns_named_after_whole_numbers(kind, estimator):
    found = nw.from_native(
        gain_capture(FRAMES[kind], "k", COLUMNS, estimator=estimator)
    ).lazy()
    expected = gain_capture(WHOLE, "k", COLUMNS, estimator=estimator)
    assert found.collect()["estimate"].to_list() == expected["estimate"].to_list()


def test_codes_that_a_missing_value_made_floats_are_still_codes():
    gap = WHOLE.with_columns(k=pl.when(pl.int_range(200) > 0).then("k"))
    frame = gap.to_pandas()
    assert frame["k"].dtype == float
    with pytest.warns(DroppedRowsWarning, match="left out 1 of 200 rows"):
        found = gain_curve(frame, "k", COLUMNS)
    assert list(dict.fromkeys(found["level"])) == ["1", "2", "3", "4"]
    with pytest.warns(DroppedRowsWarning):
        expected = gain_curve(gap, "k", COLUMNS)
    assert found["capture_rate"].to_list() == expected["capture_rate"].to_list()


def test_columns_named_after_floats_keep_their_names():
    renamed = FLOATS.rename({f".pred_{i}": f"p{i}.0" for i in range(1, 5)})
    names = ["p4.0", "p1.0", "p2.0", "p3.0"]
    found = gain_curve(renamed, "k", names)
    assert found["level"].unique().sort().to_list() == ["1.0", "2.0", "3.0", "4.0"]


@pytest.mark.parametrize("frame", [WHOLE, FLOATS, FLOATS.lazy()])
def test_amounts_are_no_codes_whatever_the_columns_are_called(frame):
    found = gain_capture(frame, "k", COLUMNS, target_type="continuous")
    assert nw.from_native(found).lazy().collect()["model"].to_list() == COLUMNS
    (alone,) = gain_capture(FLOATS, "k", ".pred_1", target_type="continuous")["estimate"]
    ratios = dict(found.lazy().select("model", "estimate").collect().iter_rows())
    assert ratios[".pred_1"] == pytest.approx(alone)


@pytest.mark.parametrize("labels", [[0.0, 1.0], [-1.0, 1.0]])
def test_flags_that_became_floats_are_events_of_several_models(labels):
    names = [f"p{label:.0f}" for label in labels]
    frame = pl.DataFrame({"y": labels * 3, names[0]: range(6), names[1]: [2, 3] * 3})
    found = gain_capture(frame, "y", names)
    assert found["model"].to_list() == names


@pytest.mark.parametrize("frame", [WHOLE, FLOATS, FLOATS.lazy()])
def test_codes_are_told_to_name_their_columns(frame):
    other = frame.rename(dict(zip(COLUMNS, "abcd", strict=True)))
    told = (
        "`target_type='continuous'` for amounts, or, if each label has a score, name the "
        r"columns after the labels or declare the levels \(an enum, or categories of "
        r"pandas\)$"
    )
    with pytest.raises(CapcurveError, match=told):
        gain_capture(other, "k", [*"abcd"])
    with pytest.raises(CapcurveError, match=r"got none of '4'; add it, or pass"):
        gain_capture(frame, "k", COLUMNS[1:])
    with pytest.raises(CapcurveError, match=r"for amounts$"):
        gain_capture(frame, "k", ".pred_1")


def test_columns_of_a_frame_beside_an_array_of_floats_go_by_name():
    """They were taken by position, in silence."""
    scores = pd.DataFrame(MATRIX, columns=[*"1234"])
    expected = accuracy_ratio_score(CODES, scores)
    for order in ("1234", "4123"):
        found = accuracy_ratio_score(CODES.astype(float), scores[[*order]])
        assert found == expected
    named = scores.rename(columns="{}.0".format)[["4.0", "1.0", "2.0", "3.0"]]
    assert accuracy_ratio_score(CODES.astype(float), named) == expected
