"""Predicted labels, passed where a score belongs."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

from capcurve import (
    CapcurveError,
    accuracy_ratio_score,
    capture_rate_score,
    gain_capture,
    gain_curve,
    gain_cut_offs,
    gains_table,
    lift_score,
    response_rate_score,
    somers_d_score,
)

ROWS, LABELS = (part[::3] for part in load_breast_cancer(return_X_y=True))
SAYS_SO = r"`y_score` should rank rows, .* the labels of `y_true`.*; pass `predict_proba"

every_score = pytest.mark.parametrize(
    "score",
    [
        accuracy_ratio_score,
        partial(capture_rate_score, fraction=0.1),
        partial(lift_score, fraction=0.1),
        partial(response_rate_score, fraction=0.1),
    ],
    ids=["accuracy ratio", "capture rate", "lift", "response rate"],
)


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        LABELS.astype(np.uint8),
        LABELS.astype(bool),
        LABELS.astype(float),
        LABELS * 2 - 1,
        pd.Series(LABELS),
        LABELS[:, np.newaxis],
    ],
    ids=["0/1", "bytes", "booleans", "floats", "-1/1", "pandas", "column"],
)
@every_score
def test_predicted_labels_are_noticed(score, labels):
    predicted = GaussianNB().fit(ROWS, np.ravel(labels)).predict(ROWS)
    assert 0 < np.mean(predicted == np.ravel(labels)) < 1
    with pytest.warns(UserWarning, match=SAYS_SO) as caught:
        score(labels, predicted)
    assert caught[0].filename == __file__  # it points at the caller
    assert caught[0].category.__name__ == "HardLabelsWarning"


TYPES = [bool, np.int8, np.uint64, np.float32, np.float64, object, "boolean", "Int64"]


@pytest.mark.parametrize("predicted_as", TYPES, ids=str)
@pytest.mark.parametrize("held_as", TYPES, ids=str)
def test_predicted_labels_are_noticed_whatever_the_types(held_as, predicted_as):
    """Of 0/1, as XGBoost returns them for booleans, or CatBoost as floats."""
    predicted = GaussianNB().fit(ROWS, LABELS).predict(ROWS)
    truth, scores = (
        pd.Series(LABELS, dtype=held_as),
        pd.Series(predicted).astype(predicted_as),
    )
    with pytest.warns(UserWarning, match=SAYS_SO):
        accuracy_ratio_score(truth, scores)


@every_score
def test_predicted_signs_are_noticed_as_floats(score):
    predicted = GaussianNB().fit(ROWS, LABELS).predict(ROWS)
    with pytest.warns(UserWarning, match=r"\(-1(\.0)? and 1(\.0)?\)"):
        score(2 * LABELS - 1, 2.0 * predicted - 1)


def test_predicted_codes_are_noticed():
    with pytest.warns(UserWarning, match=r"\(1 and 2\)"):
        assert accuracy_ratio_score([1, 2, 1, 2], [1, 2, 2, 2], pos_label=2) == 0.5


@pytest.mark.parametrize("kind", [str, object, "category"])
@every_score
def test_predicted_names_are_named(score, kind):
    names = pd.Series(np.where(LABELS == 1, "yes", "no")).astype(kind)
    predicted = GaussianNB().fit(ROWS, names).predict(ROWS)
    expected = r"`y_score` must hold scores, got labels of `y_true` \('no', 'yes'\), .*pass"
    for scores in (predicted, pd.Series(predicted), predicted.tolist()):
        with pytest.raises(CapcurveError, match=expected):
            score(names, scores, pos_label="yes")


@pytest.mark.parametrize(
    ("truth", "scores"),
    [
        (LABELS, LABELS),  # the perfect model
        (LABELS, LABELS.astype(float)),  # of another type
        (2 * LABELS - 1, LABELS[::-1]),  # other values
        (LABELS, np.where(LABELS == 1, 0.2, 0.7)),
        (LABELS, LABELS * 3),
        (LABELS, np.zeros_like(LABELS)),
        (LABELS, np.roll(LABELS, 1) + np.arange(len(LABELS))),
        (np.where(LABELS, 2.5, 1.5), np.where(np.roll(LABELS, 1), 2.5, 1.5)),  # amounts
        (LABELS, np.r_[np.tile([0, 1], 89), np.arange(len(LABELS) - 178)]),
    ],
    ids=[
        "perfect",
        "perfect, as floats",
        "0/1 of -1/1",
        "two scores",
        "0 and 3",
        "constant",
        "many",
        "amounts",
        "late",
    ],
)
@every_score
def test_legitimate_scores_pass_in_silence(score, truth, scores):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(truth, scores)


def test_scores_that_differ_late_are_read_to_the_end():
    truth = np.tile([0, 1, 1, 0], 1000)
    scores = np.tile([0, 1, 0, 1], 1000)
    with pytest.warns(UserWarning, match=SAYS_SO):
        assert accuracy_ratio_score(truth, scores) == 0
    scores[-1] = 2
    assert accuracy_ratio_score(truth, scores) < 0


def test_other_text_is_no_label():
    with pytest.raises(CapcurveError, match=r"`y_score` must hold numbers, got text"):
        accuracy_ratio_score(["a", "b"], ["low", "high"], pos_label="a")
    with pytest.raises(CapcurveError, match=r"got text; .* their codes \(`\.cat\.codes`"):
        somers_d_score(["low", "high"], [1, 2])


@pytest.mark.parametrize("score", [[0.2, 0.1], [[0.8, 0.2], [0.1, 0.9]]])
def test_an_unknown_average_is_refused_even_where_it_does_not_matter(score):
    with pytest.raises(CapcurveError, match="`average` must be 'macro' or 'weighted', got"):
        accuracy_ratio_score([0, 1], score, average="micro")


LEVELS = ["bad", "good"]
PREDICTED = {
    "truth": ["bad", "good", "bad", "good"],
    "said": ["bad", "good", "good", "good"],
}


@pytest.mark.parametrize("rank", [gain_capture, gain_curve, gains_table, gain_cut_offs])
def test_predicted_levels_are_no_score_of_a_frame(rank):
    frame = pl.DataFrame(PREDICTED, schema=dict.fromkeys(PREDICTED, pl.Enum(LEVELS)))
    ordered = pd.CategoricalDtype(LEVELS, ordered=True)
    options = {"threshold": "good"} if rank is gain_cut_offs else {}
    for data in (frame, frame.lazy(), frame.to_pandas().astype(ordered)):
        with pytest.raises(CapcurveError) as caught:
            rank(data, "truth", "said", **options)
        assert str(caught.value) == (
            "`said` must hold scores, got labels of `truth` ('bad', 'good'), as `predict` "
            "of a classifier returns them; pass the predicted probability of the event, or "
            "numbers if a label is meant as a score"
        )
    as_number = frame.with_columns(said=pl.col("said") == "bad")
    assert gain_capture(as_number, "truth", "said")["estimate"].item() == 0.5


def test_other_levels_and_an_order_that_is_passed_are_scores():
    grades = pl.Enum(["low", "high"])
    frame = pl.DataFrame(PREDICTED).with_columns(
        pl.col("truth", "said").cast(pl.Enum(LEVELS)),
        grade=pl.Series(["high", "low", "low", "low"], dtype=grades),
    )
    assert gain_capture(frame, "truth", "grade")["estimate"].item() == 0.5
    found = gain_capture(frame, "truth", "said", order=["good", "bad"])
    assert found["estimate"].item() == 0.5
