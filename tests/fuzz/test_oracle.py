"""The oracle: two ways that share no code, and numbers that a reader can follow."""

import random
from fractions import Fraction

import pytest

from fuzz import oracle
from fuzz.cases import PROFILES, draw_case


def test_two_pairs_of_four_by_hand():
    """Of 2 x 2 pairs, 2.5 are concordant, 1.5 discordant, as a tie is half of each."""
    rows = oracle.read_rows([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.3])
    assert oracle.accuracy_ratio(rows) == Fraction(1, 4)
    assert oracle.tie_bounds(rows) == (Fraction(0), Fraction(1, 2))
    assert rows.curve.shares == [0, Fraction(1, 4), Fraction(1, 2), 1]
    assert rows.curve.rates == [0, Fraction(1, 2), Fraction(1, 2), 1]
    assert oracle.ks(rows) == Fraction(1, 2)


def test_amounts_by_hand():
    """The areas above the diagonal are 1/12 and 1/3 of the unit square's half."""
    rows = oracle.read_rows([0, 250, 1000], [0.1, 0.4, 0.3])
    assert oracle.accuracy_ratio(rows) == Fraction(1, 4)
    assert oracle.area_ratio(rows) == Fraction(1, 4)


def test_weights_are_repeated_rows():
    weighted = oracle.read_rows([1, 0, 1], [3, 2, 1], [2, 3, 0])
    repeated = oracle.read_rows([1, 1, 0, 0, 0], [3, 3, 2, 2, 2])
    assert oracle.accuracy_ratio(weighted) == oracle.accuracy_ratio(repeated) == 1
    assert weighted.curve.shares == repeated.curve.shares
    assert weighted.total_weight == 5


def test_low_scores_first():
    rows = oracle.read_rows([1, 0], [1, 2], descending=False)
    assert oracle.accuracy_ratio(rows) == 1
    assert rows.curve.scores == [1, 2]


def test_somers_d_of_ordered_classes():
    """Of the 13 pairs of different classes, 11.5 are in order and 0.5 is not."""
    rows = oracle.read_rows([0.9, 0.5, 0.5, 0.2, 0, 0], [6, 6, 4, 3, 3, 1])
    assert oracle.somers_d(rows) == Fraction(11, 13)


def test_scores_are_compared_as_they_are():
    """Integers beyond 2**53, both zeros, and a float beside its neighbour."""
    rows = oracle.read_rows([1, 0], [2**53 + 1, 2**53])
    assert oracle.accuracy_ratio(rows) == 1
    assert oracle.accuracy_ratio(oracle.read_rows([1, 0], [0.0, -0.0])) == 0
    assert oracle.accuracy_ratio(oracle.read_rows([1, 0], [0.1 + 0.2, 0.3])) == 1


def test_reading_a_curve():
    curve = oracle.read_rows([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]).curve
    assert curve.rate_at(Fraction(1, 2)) == Fraction(3, 4)
    assert curve.share_for(Fraction(1)) == Fraction(3, 4)
    assert curve.share_for(Fraction(0)) == 0
    assert [
        curve.score_at(Fraction(at)) for at in (0, Fraction(1, 4), Fraction(3, 10), 1)
    ] == [
        None,
        0.9,
        0.5,
        0.1,
    ]
    assert [curve.score_after(Fraction(at)) for at in (0, Fraction(1, 4), 1)] == [
        0.9,
        0.5,
        0.1,
    ]


def test_bands_by_hand():
    rows = oracle.read_rows([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    first, second = oracle.gains_table(rows, [Fraction(2, 5), Fraction(1)])
    assert (first.n, first.n_events, first.capture_rate, first.ks) == (
        2,
        1,
        Fraction(1, 2),
        Fraction(1, 6),
    )
    assert (second.n, second.n_events, second.capture_rate, second.ks) == (3, 1, 1, 0)


def test_one_against_the_rest_leaves_out_empty_labels():
    scores = {"a": [3, 2, 1], "b": [1, 2, 3], "c": [0, 0, 0]}
    mean = oracle.one_against_the_rest(["a", "b", "b"], scores, None, weighted=False)
    assert mean == 1
    weighted = oracle.one_against_the_rest(
        ["a", "b", "b"], scores, [3, 1, 1], weighted=True
    )
    assert weighted == 1


@pytest.mark.parametrize("profile", PROFILES)
def test_pairs_and_areas_agree(profile):
    """Counting pairs and integrating the curve share no code."""
    for number in range(150):
        rng = random.Random(f"areas {profile} {number}")  # noqa: S311 -- no secret
        case = draw_case(rng, profile)
        rows = oracle.read_rows(
            case.meant, case.columns["s"], case.weights, descending=case.descending
        )
        if not rows.is_constant:
            assert oracle.accuracy_ratio(rows) == oracle.area_ratio(rows)
            worst, best = oracle.tie_bounds(rows)
            assert worst + best == 2 * oracle.accuracy_ratio(rows)
