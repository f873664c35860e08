"""Pairs, ranks and curves are counted on a device as one counts them by hand."""

from fractions import Fraction

import array_api_strict
import numpy as np
import pytest

from capcurve import CapCurve, accuracy_ratio_score, cap_curve
from capcurve._engines.device import Ordering, rank_on_device, restore_floats
from capcurve._engines.rows import count_pairs, tally_rows
from capcurve._input.device_array import DeviceArray
from capcurve._input.device_libraries import order_bits
from capcurve._input.reading import read_columns

DTYPES = [np.float32, np.float64, np.int8, np.uint8, np.int16, np.int32, np.int64, np.bool_]


def far(values):
    device = array_api_strict.Device("device1")
    return array_api_strict.asarray(np.asarray(values), device=device)


def make_rows(dtype, rate, n=60):
    rng = np.random.default_rng(17)
    event = rng.random(n) < rate
    event[:2] = True, False
    return event, (8 * np.abs(rng.normal(size=n)) + 2 * event).astype(dtype)


def compare_by_hand(event, score):
    """Count pairs of an event and a non-event: concordant less discordant, and tied."""
    pairs = [(a, b) for a in score[event].tolist() for b in score[~event].tolist()]
    return sum((a > b) - (a < b) for a, b in pairs), sum(a == b for a, b in pairs)


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("dtype", DTYPES)
def test_pairs_are_counted_as_by_hand(dtype, rate, descending):
    event, score = make_rows(dtype, rate)
    surplus, tied = compare_by_hand(event, score)
    surplus = surplus if descending else -surplus
    n_pairs = int(event.sum()) * int((~event).sum())
    found = accuracy_ratio_score(far(event), far(score), descending=descending)
    assert found == float(Fraction(surplus, n_pairs))
    counts = count_pairs(read_columns(far(event), far(score), descending=descending))
    assert (counts.surplus, counts.untied) == (surplus, n_pairs - tied)
    assert counts == count_pairs(read_columns(event, score, descending=descending))


@pytest.mark.parametrize("rate", [0.1, 0.9])
def test_only_the_rarer_class_leaves_the_device(rate):
    event, score = make_rows(np.float64, rate)
    rarer = event if rate < 0.5 else ~event
    few, below, up_to, n_many, of_events = rank_on_device(
        read_columns(far(event), far(score))
    )
    assert few.tolist() == sorted(score[rarer].tolist())
    assert below is up_to
    assert below.tolist() == [int((score[~rarer] < value).sum()) for value in few]
    assert (n_many, of_events) == (int((~rarer).sum()), rate < 0.5)


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_and_events_are_counted_by_score(dtype, descending):
    event, score = make_rows(dtype, 0.3)
    found = tally_rows(read_columns(far(event), far(score), descending=descending))
    values = sorted(set(score.tolist()), reverse=descending)
    assert found.score.tolist() == values
    assert found.weight.tolist() == [int((score == value).sum()) for value in values]
    assert found.target.tolist() == [int(event[score == value].sum()) for value in values]


def test_scores_without_ties_and_with_infinity():
    event = np.array([True, False, True, False])
    score = np.array([np.inf, 0.5, 0.7, -np.inf])
    assert accuracy_ratio_score(far(event), far(score)) == 1
    for found, expected in zip(
        cap_curve(far(event), far(score)), cap_curve(event, score), strict=True
    ):
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()
    assert CapCurve.from_predictions(far(event), far(score)) == (
        CapCurve.from_predictions(event, score)
    )


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_scores_come_back_from_bits(dtype):
    tiny = np.finfo(dtype).smallest_subnormal
    score = np.array([0.5, -np.inf, -tiny, tiny, 0.0, -3.0, np.inf], dtype)
    ordering = Ordering(DeviceArray(score, "y_score"))
    assert ordering.fetch_scores(ordering.keys).tolist() == score.tolist()
    assert ordering.fetch_scores(ordering.keys).dtype == dtype
    ordering.by_bits = True
    assert np.argsort(ordering.keys).tolist() == np.argsort(score).tolist()
    assert ordering.fetch_scores(ordering.keys).tolist() == score.tolist()


def test_bfloat16_comes_back_as_float32():
    score = np.array([1.5, -2.0, 0.0], np.float32)
    upper = (score.view(np.int32) >> 16).astype(np.int16)
    keys = order_bits(upper.view(np.float16), np)  # any type of 16 bits
    assert restore_floats(keys, "bfloat16").tolist() == score.tolist()
