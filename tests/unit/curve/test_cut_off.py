"""Cut-off scores: the smallest that captures enough, and what a given one selects."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve import CapCurve, CapcurveError, CutOff
from strategies import weighted_rankings

Y = np.array([1, 0, 1, 1, 0, 0, 1, 0])
S = np.array([9, 8, 8, 5, 5, 5, 2, 1])
CURVE = CapCurve.from_predictions(Y, S)
TURNED = CapCurve.from_predictions(Y, -S, descending=False)


@pytest.mark.parametrize("threshold", [9, 8, 5.5, 5, 2, 1, -3, 8.7])
def test_a_cut_off_selects_the_rows_from_its_score_up(threshold):
    chosen = threshold <= S
    found = CURVE.at_threshold(threshold)
    rate = Y[chosen].mean()
    assert found == pytest.approx(
        (chosen.mean(), Y[chosen].sum() / Y.sum(), rate, rate / Y.mean())
    )
    assert TURNED.at_threshold(-threshold) == pytest.approx(found)


def test_a_cut_off_above_all_scores_selects_no_row():
    found = CURVE.at_threshold(10)
    assert found[:2] == (0, 0)
    assert np.isnan(found[2:]).all()
    assert CURVE.at_threshold(float("inf"))[:2] == (0, 0)
    assert CURVE.at_threshold(float("-inf")) == (1, 1, 0.5, 1)


def test_several_cut_offs_keep_their_shape():
    found = CURVE.at_threshold([[9, 5], [float("inf"), 1]])
    assert isinstance(found, CutOff)
    assert found.capture_rate.tolist() == [[0.25, 0.75], [0, 1]]
    assert CURVE.at_threshold(np.array([9, 5])).population_share.tolist() == [0.125, 0.75]


@given(data=st.data(), rate=st.floats(0, 1))
def test_the_smallest_selection_captures_as_much(data, rate):
    y, s, w = data.draw(weighted_rankings(kinds=["events", "amounts"]))
    curve = CapCurve.from_predictions(y, s, sample_weight=w)
    threshold = curve.threshold_for(rate)
    assert curve.at_threshold(threshold).capture_rate >= rate - 1e-9
    fewer = curve.thresholds[curve.thresholds > threshold]
    if len(fewer):
        assert curve.at_threshold(fewer[-1]).capture_rate < rate


def test_every_point_is_found_again():
    found = CURVE.at_threshold(CURVE.thresholds)
    assert found.population_share.tolist() == CURVE.population_share.tolist()
    assert found.capture_rate.tolist() == CURVE.capture_rate.tolist()
    assert CURVE.threshold_for([0, 0.25, 0.26, 0.75, 1]).tolist() == [np.inf, 9, 8, 5, 2]
    assert TURNED.threshold_for(0.5) == -8


def test_rounding_does_not_cost_a_grade():
    curve = CapCurve.from_predictions([0.1] * 3 + [0.7, 0.0], [5, 4, 3, 2, 1])
    assert curve.threshold_for(0.3) == 3


def test_grades_have_names():
    frame = pl.DataFrame({"y": Y, "g": ["C", "B", "B", "A", "A", "A", "A", "A"]})
    curve = CapCurve.from_frame(frame, "y", "g", order=["A", "B", "C"])
    assert curve.threshold_for(0.4) == "B"
    assert curve.threshold_for(0) is None
    assert curve.at_threshold("B") == CURVE.at_threshold(8)
    assert curve.at_threshold(["C", "A"]).capture_rate.tolist() == [0.25, 1]
    with pytest.raises(
        CapcurveError, match=r"must be a grade of the score \(A, B, C\), got"
    ):
        curve.at_threshold("D")
    with pytest.raises(CapcurveError, match="must be a grade of the score"):
        curve.at_threshold(2)


@pytest.mark.parametrize(
    "threshold", [None, "9", float("nan"), True, [1, None], ["a"], 10**400]
)
def test_what_is_no_score_is_refused(threshold):
    with pytest.raises(CapcurveError, match="`threshold` must be a score that is a number"):
        CURVE.at_threshold(threshold)


def test_the_response_rate_at_a_share_is_that_of_the_rows():
    assert CURVE.response_rate_at(3 / 8) == pytest.approx(2 / 3)
    assert CURVE.response_rate_at([1 / 8, 1]).tolist() == [1, 0.5]
    with pytest.raises(CapcurveError, match=r"must be a fraction in \(0, 1\]"):
        CURVE.response_rate_at(0)


def test_a_cut_off_is_a_dictionary_of_plain_values():
    found = CURVE.at_threshold(8).to_dict()
    assert found == CURVE.at_threshold(8)._asdict()
    assert {type(number) for number in found.values()} == {float}
    several = CURVE.at_threshold([[8, 0]]).to_dict()
    assert several["lift"] == [CURVE.at_threshold([8, 0]).lift.tolist()]
    assert json.loads(json.dumps(several)) == several
