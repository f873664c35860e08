"""What outcome columns mean: categories of flags, objects, and levels with a score each."""

import contextlib
import re
from decimal import Decimal

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    BinnedCurve,
    CAPCurveDisplay,
    CapcurveError,
    DroppedRowsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_score,
    compare_models,
    compare_segments,
    gain_capture,
    gain_curve,
    gains_table,
    pooled_accuracy_ratio_score,
    summarize_segments,
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


@pytest.mark.parametrize("labels", [["TRUE", "FALSE", "NA"], ["a", "b", "NA"]])
def test_a_label_that_may_be_a_missing_value_is_pointed_out(labels):
    told = (
        "pass the label of the event as `pos_label`; if 'NA' is a missing value, make it "
        r"null first \(null_values='NA' in polars.read_csv, nullstr='NA' in DuckDB\)$"
    )
    frame = pl.DataFrame({"y": labels, "s": [0.1, 0.2, 0.3]})
    for each in (frame, frame.lazy(), frame.to_pandas()):
        with pytest.raises(CapcurveError, match=told):
            gain_capture(each, "y", "s")
    with pytest.raises(CapcurveError, match=told):
        accuracy_ratio_score(labels, [0.1, 0.2, 0.3])


@pytest.mark.parametrize("labels", [["0", "1", "N", "Y"], ["0", "1", "2", "3"]])
def test_an_outcome_that_is_written_in_two_ways_is_to_be_recoded(labels):
    told = r"as `pos_label`(, or recode it if some rows or files write 0 and 1, and.*)?$"
    with pytest.raises(CapcurveError, match=told) as caught:
        accuracy_ratio_score(labels, [0.1, 0.2, 0.3, 0.4])
    assert ("recode" in str(caught.value)) == ("N" in labels)


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
            models = gain_capture(frame, "t", ["a", "m"], pos_label="a")
            assert list(models["model"]) == ["a", "m"]
            chosen = gain_capture(frame, "t", ["a", "b"], event_level="first")
            assert list(chosen["model"]) == ["a", "b"]


def test_categories_that_nobody_put_in_an_order_do_not_say_which_is_the_event():
    data = pd.DataFrame({"t": ["no", "yes", "no", "yes", "no"], "s": SCORE})
    plain = data.assign(t=data["t"].astype("category"))
    with pytest.raises(CapcurveError) as caught:
        gain_capture(plain, "t", "s")
    assert str(caught.value) == (
        "`t` must say which of its levels is the event, got categories in alphabetical "
        "order ('no', 'yes'), as nobody may have chosen it; pass the label of the event as "
        "`pos_label`, or `event_level='second'` for 'yes', `'first'` for 'no', or declare "
        "an order with `ordered=True`, the event first"
    )
    expected = gain_capture(data, "t", "s", pos_label="no")["estimate"][0]
    assert gain_capture(plain, "t", "s", event_level="first")["estimate"][0] == expected
    for levels, ordered, sign in ((["no", "yes"], True, 1), (["yes", "no"], False, -1)):
        kind = pd.CategoricalDtype(levels, ordered=ordered)
        chosen = gain_capture(data.assign(t=data["t"].astype(kind)), "t", "s")
        assert chosen["estimate"][0] == pytest.approx(sign * expected)


PER_LABEL = {"a": SCORE, "b": SCORE[::-1], "c": SCORE[1:] + SCORE[:1]}


@pytest.mark.parametrize("prefix", ["", "prob_"])
def test_a_score_column_of_a_label_without_rows_needs_declared_levels(prefix):
    scores = {prefix + label: score for label, score in PER_LABEL.items()}
    told = re.escape(
        f"each score column must be named after a label that occurs, got '{prefix}c' "
        "without such a row; leave it out, or declare the levels (an enum, or categories "
        "of pandas)"
    )
    data = pl.DataFrame({"t": list("abaab"), **scores})
    kinds = (data, data.lazy(), data.to_pandas(), data.to_arrow())
    for frame in (*kinds, data.with_columns(pl.col("t").cast(pl.Categorical))):
        for verb in (gain_capture, gain_curve, gains_table):
            with pytest.raises(CapcurveError, match=told):
                verb(frame, "t", [*scores])
    with pytest.raises(CapcurveError, match=told):
        gain_capture(data, "t", [*scores], estimator="macro")
    two = gain_capture(data, "t", [*scores][:2])
    declared = data.with_columns(pl.col("t").cast(pl.Enum(["a", "b", "c"])))
    with pytest.warns(UndefinedMetricWarning, match="level 'c'"):
        three = gain_capture(declared, "t", [*scores])
    assert three["estimate"][0] == pytest.approx(two["estimate"][0])


def test_several_models_are_not_taken_for_scores_of_labels():
    models = {"1": SCORE, "2": SCORE[::-1], "3": SCORE}
    amounts = pl.DataFrame({"t": [1, 2, 1, 1, 2], **models})
    found = gain_capture(amounts, "t", [*models], target_type="continuous")
    assert list(found["model"]) == [*models]
    flags = {"0": SCORE, "1": SCORE[::-1], "m": SCORE}
    data = pl.DataFrame({"t": list("01001"), **flags})
    found = gain_capture(data.cast({"t": pl.Categorical}), "t", [*flags])
    assert list(found["model"]) == [*flags]


def test_a_single_event_of_several_levels_is_asked_for():
    """No score column for each level helps where there is one event only."""
    data = pl.DataFrame({"t": list("abcab"), **PER_LABEL})
    declared = data.with_columns(pl.col("t").cast(pl.Enum(["a", "b", "c"])))
    told = re.escape(
        "`t` must have two levels, got 3 ('a', 'b', 'c'); pass the event as `pos_label`"
    )
    with pytest.raises(CapcurveError, match=f"{told}$"):
        compare_models(declared, "t", [*PER_LABEL])
    with pytest.raises(CapcurveError, match=f"{told}$"):
        gain_capture(declared, "t", [*PER_LABEL], estimator="binary")


@pytest.mark.parametrize("prefix", ["", "pred_"])
def test_an_event_level_of_several_scored_levels_is_to_be_named_with_its_column(prefix):
    data = pl.DataFrame({"t": list("abcab"), **PER_LABEL})
    data = data.rename({label: prefix + label for label in PER_LABEL})
    declared = data.with_columns(pl.col("t").cast(pl.Enum(["a", "b", "c"])))
    scores = [prefix + label for label in PER_LABEL]
    single = "pass the event as `pos_label`"
    several = (
        f"leave it out to average over all labels, or {single}, with that class's column "
        "alone"
    )
    for frame in (data, declared, declared.lazy(), declared.to_pandas()):
        found = "without any" if frame is data else "with 3 ('a', 'b', 'c')"
        for estimate, remedy in ((scores, several), (scores[0], single)):
            told = re.escape(f", got `t` {found}; {remedy}")
            with pytest.raises(CapcurveError, match=f"{told}$"):
                gain_capture(frame, "t", estimate, event_level="second")


UNUSED = ("b", "a", "c")  # as `droplevels` of R would leave the first two


def mark_unused(kind):
    data = pd.DataFrame({"t": list("abaab"), "s": SCORE})
    if kind == "pandas":
        return data.assign(t=pd.Categorical(data["t"], UNUSED, ordered=True))
    frame = pl.from_pandas(data).with_columns(pl.col("t").cast(pl.Enum(UNUSED)))
    return frame.lazy() if kind == "lazy" else frame


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy"])
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "must name one score column per level"),
        ({"event_level": "first"}, "requires a column that declares two levels"),
        ({"estimator": "binary"}, "`t` must have two levels, got 3 ('b', 'a', 'c')"),
    ],
)
def test_a_level_without_rows_is_to_be_dropped(kind, options, told):
    frame = mark_unused(kind)
    with pytest.raises(CapcurveError, match=re.escape(told)) as caught:
        gain_capture(frame, "t", "s", **options)
    assert (
        "; drop 'c', which no row has (`cat.remove_unused_categories()` in pandas, "
        "`cast(pl.Enum(['b', 'a']))` in Polars), or "
    ) in str(caught.value)
    expected = gain_capture(frame, "t", "s", pos_label="b")["estimate"][0]
    if kind == "pandas":
        frame["t"] = frame["t"].cat.remove_unused_categories()
    else:
        frame = frame.with_columns(pl.col("t").cast(pl.Enum(["b", "a"])))
    assert gain_capture(frame, "t", "s", **options)["estimate"][0] == expected


@pytest.mark.parametrize("rows", ["abcab", "aaaaa", "aaddc"])
def test_levels_are_not_to_be_dropped_unless_two_are_left(rows):
    data = pl.DataFrame({"t": list(rows), "s": SCORE})
    levels = pl.Enum(sorted({*"abc", *rows}))
    with pytest.raises(CapcurveError, match=r"score columns \['s'\]; for a single"):
        gain_capture(data.with_columns(pl.col("t").cast(levels)), "t", "s")


def test_a_matrix_beside_levels_in_another_order_needs_labels():
    levels = ["c", "a", "b"]
    y = pd.Series(pd.Categorical(["a", "b", "c", "a"], categories=levels))
    scores = np.eye(3)[[1, 2, 0, 1]]
    with pytest.raises(CapcurveError, match="levels of `y_true` must be sorted where col"):
        accuracy_ratio_score(y, scores)
    assert accuracy_ratio_score(y, scores, labels=levels) == 1
    assert accuracy_ratio_score(y, pd.DataFrame(scores, columns=levels)) == 1
    assert accuracy_ratio_score(y.cat.reorder_categories(["a", "b", "c"]), scores) < 1


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


@pytest.mark.parametrize("lazy", [False, True])
def test_scores_of_several_labels_are_to_be_named_after_them(lazy):
    frame = pl.DataFrame({"y": [*"012012"], "a": [*EVENTS, 1], "b": [*EVENTS, 0]})
    frame = frame.with_columns(c=pl.col("a") + pl.col("b"))
    told = (
        "`pos_label`, or, if each label has a score, name the columns after the labels or "
        r"declare the levels \(an enum"
    )
    data = frame.lazy() if lazy else frame
    with pytest.raises(CapcurveError, match=told):
        gain_capture(data, "y", ["a", "b", "c"])
    with pytest.raises(CapcurveError, match=r"as `pos_label`$"):
        gain_capture(data, "y", "c")
    named = frame.rename({"a": "p0", "b": "p1", "c": "p2"})
    assert len(gain_capture(named, "y", ["p0", "p1", "p2"])) == 1


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("labels", ["ABC", (1, 2, 3)])
def test_functions_of_one_event_offer_no_score_for_each_label(lazy, labels):
    """They told the caller to do what was done: a frame with a column for each label."""
    scores = {f"p_{label}": [*range(6)] for label in labels}
    frame = pl.DataFrame({"k": [*labels] * 2, **scores, "g": [*"xxxyyy"]})
    data = frame.lazy() if lazy else frame
    remedy = "`pos_label`" if labels == "ABC" else "`target_type='continuous'` for amounts"
    for names in ([*scores], [*scores][:2]):
        calls = (
            lambda names=names: compare_models(data, "k", names),
            lambda names=names: compare_segments(data, "k", names, by="g"),
            lambda names=names: summarize_segments(data, "k", names, by="g"),
            lambda names=names: gain_capture(data, "k", names, estimator="binary"),
        )
        for call in calls:
            with pytest.raises(CapcurveError, match=rf"`k` .*{remedy}$"):
                call()


POINTS = pl.Series(np.linspace(350, 620, 12).round(1))
FLAGS = pl.Series([0, 1] * 6)


def evaluate_arrays(points, flags, **options):
    return accuracy_ratio_score(points, flags, **options)


def evaluate_segments(points, flags, **options):
    segments = ["x", "y"] * 6
    return pooled_accuracy_ratio_score(points, flags, segments=segments, **options)


def evaluate_frame(points, flags, **options):
    frame = pl.DataFrame({"y_true": points, "y_score": flags})
    return gain_capture(frame, "y_true", "y_score", **options)["estimate"].item()


def evaluate_query(points, flags, **options):
    frame = pl.LazyFrame({"y_true": points, "y_score": flags})
    return gain_capture(frame, "y_true", "y_score", **options)["estimate"].item()


SWAPPED_DOORS = [evaluate_arrays, evaluate_segments, evaluate_frame, evaluate_query]


@pytest.mark.parametrize("evaluate", SWAPPED_DOORS)
@pytest.mark.parametrize("low", [0, -1])
def test_points_that_events_rank_look_swapped(evaluate, low):
    flags = FLAGS.replace(0, low)
    told = (
        f"^`y_true` holds amounts up to 620 and `y_score` only {low} and 1, so outcome and "
        "score look swapped; pass the outcome first or, if outcomes are amounts, pass "
        "`target_type='continuous'`$"
    )
    with pytest.warns(UserWarning, match=told):
        evaluate(POINTS, flags)
    evaluate(POINTS, flags, target_type="continuous")
    evaluate(POINTS, flags.cast(float) + POINTS / 1000)


@pytest.mark.parametrize("evaluate", SWAPPED_DOORS)
@pytest.mark.parametrize("kind", [int, float])
def test_the_refusal_of_whole_points_names_the_likely_swap(evaluate, kind):
    points = (POINTS // 50).cast(kind)
    told = (
        r"^`y_true` holds whole numbers other than 0 and 1 \(.*\) and `y_score` only 0 and "
        "1, so outcome and score look swapped; pass the outcome first, or `pos_label` for"
    )
    with pytest.raises(CapcurveError, match=told):
        evaluate(points, FLAGS)
    with pytest.raises(
        CapcurveError, match="which may be class labels or amounts; pass `p"
    ):
        evaluate(points, FLAGS + 1)


LARGE = 2**64 - 1
TENTHS = [0.1, 0.2, 0.1, 0.1, 0.2, 0.2]
LABELLED = {
    "polars flags": pl.DataFrame({"y": [True, False, True, True, False, False]}),
    "polars decimals": pl.DataFrame({"y": pl.Series(TENTHS).cast(pl.Decimal(10, 1))}),
    "pandas decimals": pd.DataFrame({"y": [Decimal(str(each)) for each in TENTHS]}),
    "pyarrow decimals": pa.table({"y": pa.array(TENTHS).cast(pa.decimal128(10, 1))}),
    "pandas singles": pd.DataFrame({"y": pd.array(TENTHS, dtype="float[pyarrow]")}),
    "pandas large": pd.DataFrame(
        {"y": pd.array([LARGE, 0, LARGE, LARGE, 0, 0], dtype="uint64[pyarrow]")}
    ),
}


@pytest.mark.parametrize("kind", LABELLED)
def test_a_label_marks_the_rows_that_hold_it_whatever_their_type(kind):
    """Of six rows, the first, the third and the fourth are events: -5 of 9 pairs."""
    label = {"polars flags": 1, "pandas large": LARGE}.get(kind, 0.1)
    frame = nw.from_native(LABELLED[kind])
    score = nw.new_series("s", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], backend=frame.implementation)
    found = gain_capture(frame.with_columns(score).to_native(), "y", "s", pos_label=label)
    (estimate,) = nw.from_native(found)["estimate"].to_list()
    assert estimate == pytest.approx(-5 / 9)


@pytest.mark.parametrize("names", [["a", "b"], ["prob_a", "prob_b"]])
def test_a_label_without_a_score_is_named(names):
    frame = pl.DataFrame({"y": [*"abcabc"], names[0]: range(6), names[1]: range(6, 0, -1)})
    told = (
        "^each label of `y` must have a score, got none of 'c'; add it, or pass the label "
        "of the event as `pos_label`$"
    )
    with pytest.raises(CapcurveError, match=told):
        gain_capture(frame, "y", names)
    for data in (frame, frame.cast({"y": pl.Enum([*"abc"])})):
        with pytest.raises(CapcurveError, match="; add that of 'c', or for a single event"):
            gain_capture(data, "y", names, estimator="macro")


def test_a_label_without_a_column_is_named():
    y, scores = [*"abcabc"], pd.DataFrame({"a": range(6), "b": range(6)})
    told = r"for each label of `y_true` \('a', 'b', 'c'\), got 2, none of 'c'; add the"
    with pytest.raises(CapcurveError, match=told):
        accuracy_ratio_score(y, scores)
    with pytest.raises(CapcurveError, match=r"\('a', 'b', 'c'\), got 2; add the scores"):
        accuracy_ratio_score(y, scores.to_numpy())


def test_a_dict_with_a_score_for_each_label_is_to_be_a_frame():
    scores = {label: range(6) for label in "abc"}
    told = "if each label has a score, pass a data frame with a column for each of them$"
    with pytest.raises(CapcurveError, match=told):
        CAPCurveDisplay.from_predictions([*"abcabc"], scores)
