"""Printed bounds still are bounds."""

from types import SimpleNamespace

import numpy as np
import pytest

from capcurve._cli.out_of_core import notify_limits
from capcurve._report.rounded_bounds import round_down, round_up, write_above


@pytest.mark.parametrize(
    ("value", "text"),
    [(4.04e-4, "4.1e-04"), (4e-4, "4.0e-04"), (9.91e-3, "1.0e-02"), (0.1, "1.0e-01")],
)
def test_a_small_number_is_rounded_up(value, text):
    assert write_above(value) == text


def test_limits_enclose_what_they_are_the_limits_of():
    values = np.random.default_rng(1).uniform(-1, 1, 100)
    for value in values:
        assert float(round_down(value)) <= value <= float(round_up(value))
        assert float(round_up(value)) - float(round_down(value)) < 1.01e-4
    assert (round_down(0.1), round_up(0.1)) == ("0.1000", "0.1000")


def test_the_note_on_binned_scores_is_no_less_than_they_are_off():
    told = []
    wide = SimpleNamespace(max_bound_width=4.04e-4, is_counted=True)
    notify_limits([wide], SimpleNamespace(approx=False), told.append)
    assert told[0].endswith("they may be off by at most 4.1e-04")
