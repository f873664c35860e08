"""A report tells odd scores among its limitations: infinite ones, and lone numbers."""

import polars as pl
import pytest

from capcurve import BinnedCurve, report

ROWS = pl.DataFrame({"y": [1, 0, 1, 0], "s": [float("inf"), 2.0, 3.0, -float("inf")]})


def tell(data, *columns, **options):
    told = report(data, *columns, **options).facts["limitations"]
    return [each for each in told if "infinite" in each]


def test_rows_in_memory_are_counted():
    told = ["The score 's' is infinite in 2 rows, which rank first or last."]
    assert tell(ROWS, "y", "s") == told
    assert not tell(ROWS.filter(pl.col("s").is_finite()), "y", "s")


def test_bins_know_whether_there_are_any():
    bins = BinnedCurve.from_frame(ROWS.lazy(), "y", "s")
    told = ["The score 's' is infinite in some rows, which rank first or last."]
    assert tell(bins, None, "s") == told


PROBABILITIES = [0.1, 0.2, 0.3, 0.0, 1.0, 0.2]


def tell_lone(scores):
    rows = pl.DataFrame({"y": [1, 0] * (len(scores) // 2), "s": list(map(float, scores))})
    told = report(rows, "y", "s").facts["limitations"]
    return [each for each in told if "in all others" in each]


@pytest.mark.parametrize("value", [-9999, -1, 9, 999])
def test_a_number_far_from_probabilities_is_told(value):
    (told,) = tell_lone([*PROBABILITIES, value, value])
    place = "first" if value > 0 else "last"
    assert told == (
        f"The score 's' is {value} in 2 rows and from 0 to 1 in all others, so these rank "
        f"{place}."
    )


@pytest.mark.parametrize("value", [-9999, -1, 99, 999])
def test_a_single_one_is_told(value):
    (told,) = tell_lone([*PROBABILITIES, value, 0.5])
    place = "first" if value > 0 else "last"
    assert told == (
        f"The score 's' is {value} in 1 row and from 0 to 1 in all others, so it ranks "
        f"{place}."
    )


def test_several_such_numbers_are_told_together():
    (told,) = tell_lone([*PROBABILITIES, -9999, -8888, -8888, -9999])
    rows = "in 4 rows and from 0 to 1 in all others, so these rank"
    assert told == f"The score 's' is -9999 or -8888 {rows} last."
    (told,) = tell_lone([*PROBABILITIES, -1, 999, 999, -1])
    assert told == f"The score 's' is -1 or 999 {rows} first or last."
    (told,) = tell_lone([*PROBABILITIES, -9999, -8888])
    assert "is -9999 or -8888 in 2 rows and" in told


@pytest.mark.parametrize(
    "scores",
    [
        PROBABILITIES,
        [*PROBABILITIES, 9, 0.5],  # one exposure of which nine times is lost, say
        [*PROBABILITIES, 98, 0.5],
        [*PROBABILITIES, -0.5, 0.5],  # shares of which one is below zero
        [*PROBABILITIES, -9999.5, 0.5],
        [*PROBABILITIES, -2, 1.5],
        [*PROBABILITIES, *range(-12, 0), *range(-12, 0)],  # many numbers
        [*PROBABILITIES, -9999, -9999, 1.5, 1.5],  # one that may be a loss
        [0, 1, 0.2, 0.4, 9, 9],  # too few probabilities
        [0, 1, 1, 0, -1, -1],
        [0.2, 0.5, 0.75, 1, 1.5, 1.5],  # weights, and losses above the exposure
        [0.25, 0.5, 0.75, 1, 2, 2],
        [-1.5, -0.2, 0.4, 0.9, 0.1, -1.5],  # log-odds
        [-2.25, -1, 0.5, 0.25, 0.75, 1.75],
        [-1, 0, 1, 2],  # grades, and z-scores that are rounded
        [600, 620, 620, 700],
        [600, 620, 640, -9999],  # points have no end that a number could be outside of
        [0.2, 3.7, 45, 99.5, 0.5, -1],  # percentages
    ],
)
def test_other_scores_are_not_odd(scores):
    assert not tell_lone(scores)
