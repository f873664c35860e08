"""Cells: nested, as fine near 1 as near 0, with short decimals by themselves."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve._tally import cells
from capcurve._tally.cells import (
    FINEST,
    find_cells,
    find_finest_cells,
    get_finest,
    mark_cells,
)

FLOATS = st.floats(allow_nan=False).map(lambda x: x + 0.0)
PROBABILITIES = st.floats(0, 1).map(lambda x: x + 0.0)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
LEVELS = st.integers(0, FINEST)


def share_cell(first, second, level, grid="numbers", dtype=float):
    ordered = np.sort(np.array([first, second], dtype))
    return not mark_cells(ordered, level, grid)[1]


def ordered_lists(numbers, dtype=np.float64):
    lists = st.lists(numbers, min_size=1, max_size=40)
    return lists.map(lambda found: np.sort(np.array(found, dtype)))


def is_short(number):
    """Three significant digits, or four decimals if positive; up to six, or whole."""
    _, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    if number == 0 or (number == int(number) and abs(number) <= 10_000):
        return True
    if exponent < -6 or abs(number) > 10_000:
        return False
    return len(digits) <= 3 or (exponent >= -4 and 0 < number < 1)


@given(ordered_lists(FLOATS | PROBABILITIES), LEVELS, LEVELS)
def test_each_level_refines_those_below(numbers, one, other):
    low, high = sorted([one, other])
    coarse, fine = (mark_cells(numbers, level, "numbers") for level in (low, high))
    assert not (coarse & ~fine).any()


@given(ordered_lists(INTEGERS, np.int64), LEVELS, LEVELS)
def test_each_level_of_integers_refines_those_below(numbers, one, other):
    low, high = sorted([one, other])
    coarse, fine = (mark_cells(numbers, level, "integers") for level in (low, high))
    assert not (coarse & ~fine).any()


@given(ordered_lists(st.integers(-(2**53), 2**53), np.int64), LEVELS)
def test_integers_share_cells_as_they_do_as_floats(numbers, level):
    cells = mark_cells(numbers, level, "integers")
    assert np.array_equal(cells, mark_cells(numbers.astype(float), level, "numbers"))


@given(FLOATS, FLOATS)
def test_every_number_is_alone_at_last_and_none_at_first(one, other):
    assert share_cell(one, other, FINEST) == (one == other)
    assert share_cell(one, other, 0)


@given(ordered_lists(FLOATS), st.integers(0, 64))
def test_prefixes_are_the_first_bits_of_keys(numbers, level):
    bits = numbers.view(np.uint64).tolist()
    keys = [~key & (2**64 - 1) if key >> 63 else key | 1 << 63 for key in bits]
    high = [key >> (64 - level) for key in keys]
    if level == get_finest("prefixes"):
        assert (np.diff(numbers) > 0).tolist() == mark_cells(
            numbers, level, "prefixes"
        ).tolist()[1:]
    changes = [True, *(high[i] != high[i - 1] for i in range(1, len(high)))]
    assert mark_cells(numbers, level, "prefixes").tolist() == changes


SHORT = [0.02, 0.0003, 0.2371, 0.9987, 0.99987, 0.000512, 4.6, -4.59, 23.4, 612.0, 9_999.0]
LONG = [0.23714, 0.00123456, 4.5671, -0.2371, 10_001.5, 1e-7, 0.98765]


@pytest.mark.parametrize("number", SHORT)
def test_a_short_decimal_has_a_cell_of_its_own(number):
    near = np.nextafter(number, [-np.inf, np.inf])
    for level in (190, 250, 400):
        assert mark_cells(np.array([near[0], number, near[1]]), level, "numbers").all()
    assert share_cell(near[0], near[1], 100)


@pytest.mark.parametrize("number", LONG)
def test_other_decimals_share_cells(number):
    assert any(
        share_cell(number, np.nextafter(number, side), 190) for side in (-np.inf, np.inf)
    )


@given(st.integers(-99_999, 99_999), st.integers(0, 7))
def test_decimals_are_alone_as_their_digits_say(numerator, places):
    number = numerator / 10**places + 0.0
    near = np.nextafter(number, [-np.inf, np.inf])
    alone = mark_cells(np.array([near[0], number, near[1]]), 190, "numbers").all()
    distance = Fraction(10**places - numerator, 10**places)
    if is_short(number) or (0 < distance < Fraction(1, 100) and is_short(float(distance))):
        assert alone
    elif not 0.99 < number < 1:
        bits = int(np.array(abs(number)).view(np.uint64))
        assert not alone or bits % 2**40 == 0  # where a binary cell begins


@given(st.floats(2**-30, 0.5), st.floats(2**-30, 0.5), st.integers(100, 300))
def test_cells_near_one_are_as_fine_as_near_zero(one, other, level):
    """Numbers that share a cell near 1 lie as close as in the binade of 1 - x."""
    low, high = sorted(1 - np.array([one, other]))
    if share_cell(low, high, level):
        distance = 1 - high
        binade = np.floor(np.log2(1 - low))
        digits = max((level - 12 - 88 - 3 * abs(binade + 2)) // 8, 0)
        assert high - low < 2.0 ** (binade - digits)
        assert distance >= 0


def test_the_finest_level_that_fits_is_found():
    numbers = np.sort(np.random.default_rng(1).normal(size=20_000))
    for most in (2, 100, 5_000):
        level, first = find_finest_cells(numbers, FINEST, "numbers", most)
        assert len(first) == mark_cells(numbers, level, "numbers").sum() <= most
        assert mark_cells(numbers, level + 1, "numbers").sum() > most
        assert np.array_equal(first, np.flatnonzero(mark_cells(numbers, level, "numbers")))
    assert find_finest_cells(numbers[:1], FINEST, "numbers", 1)[0] == FINEST


@given(ordered_lists(FLOATS | PROBABILITIES), LEVELS, st.integers(1, 5))
def test_cells_are_the_same_in_chunks(numbers, level, size):
    expected = np.flatnonzero(mark_cells(numbers, level, "numbers"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "ROWS_PER_CHUNK", size)
        assert np.array_equal(find_cells(numbers, level, "numbers"), expected)
    assert not len(find_cells(numbers[:0], level, "numbers"))


@given(
    ordered_lists(PROBABILITIES | st.integers(0, 30).map(lambda x: x / 10)),
    LEVELS | st.just(FINEST),
    st.integers(1, 4),
)
def test_the_level_is_the_finest_from_any_on(numbers, start, most):
    """Also where a sample tells how fine it may be, and that all numbers need less."""
    level, first = find_finest_cells(numbers, start, "numbers", most)
    counts = [mark_cells(numbers, each, "numbers").sum() for each in range(start + 1)]
    assert level == max(each for each, count in enumerate(counts) if count <= most)
    assert np.array_equal(first, np.flatnonzero(mark_cells(numbers, level, "numbers")))
