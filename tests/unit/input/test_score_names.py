"""Score columns that are named after codes of classes."""

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import (
    CAPCurveDisplay,
    CapcurveError,
    accuracy_ratio_score,
    gain_capture,
    gain_capture_vec,
    gain_curve,
)
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


GRADES = ["low", "mid", "high"]
GRADED = pl.DataFrame(
    {
        "obs": pl.Series(GRADES * 2, dtype=pl.Enum(GRADES)),
        "prob_high": [0.1, 0.2, 0.7, 0.3, 0.1, 0.4],
        "prob_low": [0.8, 0.3, 0.2, 0.4, 0.2, 0.5],
        "prob_mid": [0.1, 0.5, 0.1, 0.3, 0.7, 0.1],
    }
)
EACH = GRADED.columns[1:]
(GRADED_RATIO,) = gain_capture(GRADED, "obs", EACH)["estimate"]


def call(*names):
    return GRADED.rename(dict(zip(EACH, names, strict=True))), list(names)


@pytest.mark.parametrize("kind", ["enum", "text"])
@pytest.mark.parametrize(
    "names",
    [
        ("High", "prob_low", "prob_mid"),
        ("p_high", "prob_low", "prob_mid"),
        ("high_prob", "prob_low", "prob_mid"),
        ("Prob.HIGH", "low model", "MID"),
        ("high2", "p1low", "mid-2"),
    ],
)
def test_columns_that_are_each_named_after_a_level_in_its_own_way_go_by_name(names, kind):
    """Those of levels were taken by position, with a warning that none had a name."""
    frame, names = call(*names)
    if kind == "text":
        frame = frame.cast({"obs": pl.String})
    assert list(gain_capture(frame, "obs", names)["estimate"]) == [GRADED_RATIO]
    assert gain_capture_vec(GRADED["obs"], frame[names]) == GRADED_RATIO
    text = GRADED["obs"].to_list()
    for labels in (None, GRADES):
        found = accuracy_ratio_score(text, frame[names].to_pandas(), labels=labels)
        assert found == pytest.approx(GRADED_RATIO)


def test_prefixed_columns_go_by_name_whatever_the_order_of_labels():
    """They were taken by position, in silence."""
    text, scores = GRADED["obs"].to_list(), GRADED[EACH]
    for labels in (None, GRADES, GRADES[::-1]):
        found = accuracy_ratio_score(text, scores, labels=labels)
        assert found == pytest.approx(GRADED_RATIO)
    named = scores.rename(lambda name: name.removeprefix("prob_"))
    pictures = [
        CAPCurveDisplay.from_predictions(text, each, labels=GRADES)
        for each in (scores, named)
    ]
    shown, expected = ([line.get_label() for line in each.line_] for each in pictures)
    assert shown == expected


LOW_AND_MID = "'prob_low' for 'low', 'prob_mid' for 'mid', and no column for 'high'"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("x", "prob_low", "prob_mid"), f"'x' for none, {LOW_AND_MID}"),
        (("2high", "xlow", "xmid"), "'xlow' for none, 'xmid' for none, '2high' for 'high'"),
        (("low_high", "prob_low", "prob_mid"), f"'low_high' for none, {LOW_AND_MID}"),
        (("x", "plow", "y"), "'x' for none, 'plow' for none, 'y' for none, and no column"),
        (("low", "prob_low", "prob_mid"), f"'low' for 'low', {LOW_AND_MID}"),
    ],
)
def test_columns_of_which_some_are_named_after_levels_are_refused(names, told):
    frame, names = call(*names)
    for verb in (gain_capture, gain_curve):
        with pytest.raises(CapcurveError, match=f"match the levels by name, got {told}"):
            verb(frame, "obs", names)
    with pytest.raises(CapcurveError, match=f"or after none, got {told}.*; rename them"):
        accuracy_ratio_score(GRADED["obs"].to_list(), frame[names], labels=GRADES)


@pytest.mark.parametrize(
    "names", [("x", "y", "z"), ("H", "l", "m"), ("a_high_b", "c", "d")]
)
def test_columns_without_any_level_in_their_names_go_by_position(names):
    frame, names = call(*names)
    with pytest.warns(UserWarning, match="no score column is named after a level"):
        (found,) = gain_capture(frame, "obs", names)["estimate"]
    assert found != GRADED_RATIO
    named = frame[names].rename(dict(zip(names, GRADES, strict=True)))
    (expected,) = gain_capture(GRADED[["obs"]].hstack(named), "obs", GRADES)["estimate"]
    assert found == expected


def test_a_range_of_columns_is_to_be_a_list():
    """As `low:high` of dplyr."""
    told = "no column 'prob_high:prob_mid'; a range of columns is not read: pass a list"
    with pytest.raises(CapcurveError, match=told):
        gain_capture(GRADED, "obs", "prob_high:prob_mid")
    for name in ("prob_high:x", "x:prob_high"):
        with pytest.raises(CapcurveError, match=f"no column '{name}'; did you mean"):
            gain_capture(GRADED, "obs", name)


def test_of_levels_that_are_part_of_each_other_the_longest_is_meant():
    levels = ["risk", "low risk", "very low risk"]
    frame = GRADED.with_columns(obs=pl.Series(levels * 2, dtype=pl.Enum(levels)))
    names = ["p_very low risk", "Risk", "q_low risk"]
    frame = frame.rename(dict(zip(EACH, names, strict=True)))
    (found,) = gain_capture(frame, "obs", names)["estimate"]
    assert found == GRADED_RATIO


def test_the_columns_of_many_levels_that_do_not_match_are_not_all_shown():
    levels = [f"grade {letter}" for letter in "abcdefghijkl"]
    truth = pl.Series(levels, dtype=pl.Enum(levels))
    names = [*levels[1:], "other"]
    frame = pl.DataFrame({"obs": truth, **dict.fromkeys(names, range(12))})
    told = r"'other' for none, 'grade b' for .*, \.\.\. \(12 in total\), and no column for"
    with pytest.raises(CapcurveError, match=f"{told} 'grade a'; rename"):
        gain_capture(frame, "obs", names)


def test_numbers_of_models_are_no_classes():
    y, score = [0, 1, 0, 1, 1], np.array([0.1, 0.9, 0.3, 0.2, 0.8])
    models = pd.DataFrame({"lr_0": score, "rf_1": np.log(score)})
    with pytest.raises(CapcurveError, match="two columns of `y_score` for two labels"):
        accuracy_ratio_score(y, models)
    codes = pl.DataFrame({"k": [1, 2, 3, 1], "a_1": 1.0, "b_2": 2.0, "c_3": 3.0})
    with pytest.raises(CapcurveError, match="may be class labels or amounts"):
        gain_capture(codes, "k", ["a_1", "b_2", "c_3"])


@pytest.mark.parametrize("names", [["column_0", "column_1", "column_2"], ["0", "1", "2"]])
def test_columns_that_a_frame_numbered_are_in_the_order_of_labels(names):
    scores = pl.DataFrame(GRADED[EACH].to_numpy(), schema=names)
    codes = [{"high": 2, "low": 0, "mid": 1}[grade] for grade in GRADED["obs"]]
    found = accuracy_ratio_score(codes, scores, labels=[2, 0, 1])
    assert found == pytest.approx(GRADED_RATIO)
