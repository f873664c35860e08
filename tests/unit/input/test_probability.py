"""Columns of probabilities: what is one, and what no test is needed to refute."""

import numpy as np
import pytest

from capcurve import CapcurveError
from capcurve._input.probability import read_probabilities, refuse_impossible


def test_probabilities_are_numbers_from_0_to_1_that_are_no_labels():
    for dtype in ("f4", "f8", "f2"):
        found = read_probabilities(np.array([0, 0.25, 1], dtype=dtype), "pd")
        assert (found.dtype, found.tolist()) == (np.float64, [0, 0.25, 1])
    assert not len(read_probabilities(np.zeros(0, dtype=int), "pd"))
    for values, message in (
        (
            [0.5, 35.0],
            "`pd` must hold probabilities from 0 to 1, got numbers from 0.5",
        ),
        ([-0.1, 0.5], "`pd` must hold .* got numbers from -0.1 to 0.5; divide percentages"),
        ([-np.inf, 0.5], "got numbers from -inf to 0.5"),
        (
            [0, 1, 1],
            "`pd` must hold probabilities of the event, got only 0 and 1",
        ),
        ([True, False], "got only 0 and 1"),
    ):
        with pytest.raises(CapcurveError, match=message):
            read_probabilities(np.array(values), "pd")


def test_what_was_impossible_did_not_happen():
    p, event = np.array([0, 0, 0.5, 1]), np.array([False, False, True, True])
    refuse_impossible(p, event, "pd")
    with pytest.raises(CapcurveError, match=r"`pd` must allow .* got 2 events with 0,"):
        refuse_impossible(p, np.ones(4, dtype=bool), "pd")
    with pytest.raises(CapcurveError, match=r"got 1 non-event with 1, .*; set a floor"):
        refuse_impossible(p, np.zeros(4, dtype=bool), "pd")
