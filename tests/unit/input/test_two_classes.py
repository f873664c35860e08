"""Two columns of scores: of both classes, or of two models."""

import warnings

import numpy as np
import pandas as pd
import pytest

from capcurve import (
    CAPCurveDisplay,
    CapcurveError,
    accuracy_ratio_interval,
    accuracy_ratio_score,
)
from capcurve._input.two_classes import are_opposite

RNG = np.random.default_rng(5)
LOGIT = RNG.normal(-3, 2, 400)
EVENTS = (RNG.random(400) < 1 / (1 + np.exp(-LOGIT))).astype(int)
PROBABILITY = 1 / (1 + np.exp(-LOGIT))
RIVAL = 1 / (1 + np.exp(-LOGIT - RNG.normal(0, 1, 400)))
ASK = [accuracy_ratio_score, accuracy_ratio_interval, CAPCurveDisplay.from_predictions]
of_both = np.column_stack([1 - PROBABILITY, PROBABILITY])
TWO_MODELS = np.column_stack([PROBABILITY, RIVAL])


@pytest.mark.parametrize("ask", ASK)
def test_two_models_are_no_two_classes(ask):
    with pytest.raises(
        CapcurveError,
        match=r"two columns of `y_score` for two labels \(0, 1\) must be probabilities of "
        r"both classes, which add up to 1, got sums from 0\.\d+ to 1\.\d+; pass the scores "
        r"of several models one by one \(a picture takes a dict of them\), or `labels` in "
        r"the order of the columns if these are scores of both classes",
    ):
        ask(EVENTS, TWO_MODELS)


def test_a_frame_without_names_is_an_array():
    with pytest.raises(CapcurveError, match="probabilities of both classes"):
        accuracy_ratio_score(EVENTS, pd.DataFrame(TWO_MODELS))


@pytest.mark.parametrize(
    "score",
    [
        of_both,
        of_both.astype(np.float32),
        of_both.round(2),
        100 * of_both,
        np.log(of_both),
        np.column_stack([-LOGIT, LOGIT]),
        (1000 * of_both).astype(np.uint16),
        np.column_stack([-(LOGIT**3), np.exp(LOGIT)]),
        np.full((400, 2), 0.5),
    ],
)
def test_scores_of_both_classes_stay(score):
    plain = accuracy_ratio_score(EVENTS, score[:, 1].astype(float))
    assert accuracy_ratio_score(EVENTS, score) == pytest.approx(plain, abs=1e-3)


def test_logarithms_of_certain_classes_stay():
    with np.errstate(divide="ignore"):
        score = np.log(np.column_stack([[1, 1, 0.2, 0], [1e-20, 1e-19, 0.8, 1]]))
    score[0, 0] = -1e-16  # as rounding leaves it
    assert accuracy_ratio_score([0, 0, 1, 1], score) == 1


def test_names_and_labels_say_what_the_columns_are():
    votes = np.column_stack([PROBABILITY, RIVAL])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        listed = accuracy_ratio_score(EVENTS, votes, labels=[0, 1])
        named = np.where(EVENTS, "yes", "no")
        frame = pd.DataFrame(votes, columns=["no", "yes"])
        assert accuracy_ratio_score(named, frame) == listed


def test_three_classes_need_no_sums():
    truth = np.arange(400) % 3
    assert np.isfinite(accuracy_ratio_score(truth, RNG.random((400, 3))))


def test_a_constant_column_is_no_reverse():
    assert not are_opposite(PROBABILITY, np.zeros(400))
    assert not are_opposite(np.zeros(400), LOGIT)


def test_scores_of_two_models_of_which_one_is_infinite_or_all_are_low():
    infinite = np.where(np.arange(400) == 0, -np.inf, LOGIT)
    assert not are_opposite(infinite, RIVAL)
    assert not are_opposite(LOGIT - 20, np.log(RIVAL) - 20)
    assert are_opposite(infinite, -infinite)
