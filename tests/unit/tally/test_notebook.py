"""Views of tallies, bins and bounds."""

import numpy as np

from capcurve import Bins, Bounded, CapCurve, CapSketch, TieBounds
from views import rows_of


def test_a_tally_shows_each_score():
    tally = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, -np.inf]).tally
    html = tally._repr_html_()
    assert "<strong>Tally of 3 scores</strong>, best first" in html
    assert rows_of(html) == [
        ["Score", "Weight", "Outcome"],
        ["0.9", "1", "1"],
        ["0.5", "2", "1"],
        ["-∞", "1", "0"],
    ]


def test_bins_show_the_numbers_that_their_keys_stand_for():
    sketch = CapSketch(max_bins=2)
    sketch.update([1.5, 0.0, 1.0, 0.0], [4.0, 3.0, -2.0, -2.0])
    html = sketch.curve.by_score._repr_html_()
    assert "<strong>2 bins</strong> at level 11, 1 of them of several numbers" in html
    assert rows_of(html) == [
        ["Lowest", "Highest", "Weight", "Outcome", "Largest outcome"],
        ["-2", "-2", "2", "1", "1"],
        ["3", "4", "2", "1.5", "1.5"],
    ]


def test_no_bins_are_an_empty_table():
    assert len(rows_of(Bins.empty()._repr_html_())) == 1


def test_bounds_are_a_sentence():
    assert (
        "<p><strong>0.500000</strong>, guaranteed to be at least 0.250000 and at most "
        "0.750000</p>"
    ) in Bounded(0.5, 0.25, 0.75)._repr_html_()
    assert (
        "<p><strong>AR 0.500000 to 1.000000</strong> with tied rows in the worst and in "
        "the best order</p>"
    ) in TieBounds(0.5, 1.0)._repr_html_()
