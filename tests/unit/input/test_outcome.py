"""What outcome columns mean: categories of flags, objects, and levels with a score each."""

import contextlib

import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import (
    BinnedCurve,
    CapcurveError,
    DroppedRowsWarning,
    accuracy_ratio_score,
    gain_capture,
)

EVENTS, SCORE = [0, 1, 1, 0, 1], [0.1, 0.9, 0.8, 0.2, 0.3]


@pytest.mark.parametrize(
    "categories",
    [
        pd.Categorical(EVENTS),
        pd.Categorical(EVENTS, categories=[0, 1, 2]),
        pd.Categorical(EVENTS, categories=[2, 1, 0]),
        pd.Categorical([2 * y - 1 for y in EVENTS]),
        pd.Categorical([bool(y) for y in EVENTS]),
    ],
    ids=["0/1", "a level without rows", "in reverse", "-1/1", "booleans"],
)
@pytest.mark.parametrize("approx", [False, True])
def test_categories_of_flags_mean_what_flags_mean(categories, approx):
    frame = pd.DataFrame({"y": categories, "s": SCORE})
    assert gain_capture(frame, "y", "s", approx=approx)["estimate"].item() == 1
    assert accuracy_ratio_score(frame["y"].astype(object).tolist(), SCORE) == 1


@pytest.mark.parametrize("values", [EVENTS, [bool(y) for y in EVENTS], [0, 1, None, 0, 1]])
def test_objects_that_are_numbers_are_read_as_numbers(values):
    frame = pd.DataFrame({"y": pd.Series(values, dtype=object), "s": SCORE})
    n_missing = sum(value is None for value in values)
    warns = pytest.warns(DroppedRowsWarning) if n_missing else contextlib.nullcontext()
    with warns:
        assert BinnedCurve.from_frame(frame, "y", "s").accuracy_ratio.value == 1
    mixed = frame.assign(y=pd.Series(["a", 1, "a", 1, "b"], dtype=object))
    with pytest.raises(CapcurveError):
        BinnedCurve.from_frame(mixed, "y", "s")


def test_two_scores_named_after_two_levels_rank_one_level_each():
    labels = ["a", "b", "a", "b", "a"]
    data = {"t": labels, "a": SCORE, "b": [1 - s for s in SCORE], "m": SCORE}
    text = gain_capture(pl.DataFrame(data), "t", ["a", "b"])
    for levels in (["a", "b"], ["b", "a"]):
        enum = pl.DataFrame(data).with_columns(pl.col("t").cast(pl.Enum(levels)))
        category = pd.DataFrame(data).assign(t=pd.Categorical(labels, categories=levels))
        for frame in (enum, category):
            found = gain_capture(frame, "t", ["a", "b"])
            assert list(found["estimator"]) == ["macro"]
            assert found["estimate"][0] == text["estimate"][0]
            models = gain_capture(frame, "t", ["a", "m"])
            assert list(models["model"]) == ["a", "m"]
            chosen = gain_capture(frame, "t", ["a", "b"], event_level="first")
            assert list(chosen["model"]) == ["a", "b"]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_amounts_of_few_bits_are_amounts(kind):
    """XGBoost, LightGBM and CatBoost pass outcomes to metrics as float32."""
    amounts = np.array([0, 2.5, 0.5, 0], dtype=kind)
    # areas under the curves: 0.8125 and, ranked by the amounts, 0.8333...
    ratio = accuracy_ratio_score(amounts, [0.1, 0.3, 0.2, 0.2])
    assert ratio == pytest.approx(0.3125 / (1 / 3), abs=1e-12)


@pytest.mark.parametrize("lazy", [False, True])
def test_levels_that_rank_fractions_look_swapped(lazy):
    levels = pl.Series(["yes", "no"] * 4, dtype=pl.Enum(["no", "yes"]))
    frame = pl.DataFrame({"y": levels, "p": np.linspace(0, 1, 8)})
    told = "`p` holds fractions and `y` only 'no', 'yes', so outcome and score look swapped"
    with pytest.raises(CapcurveError, match=told):
        gain_capture(frame.lazy() if lazy else frame, "p", "y")
    flags = frame.with_columns(y=pl.Series([True, False] * 4))
    with pytest.raises(CapcurveError, match="`y` only 0 and 1, so"):
        gain_capture(flags, "p", "y")
    three = frame.with_columns(y=levels.cast(pl.Enum(["no", "yes", "late"])))
    assert gain_capture(three, "p", "y")["estimate"].is_finite().all()
