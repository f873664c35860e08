"""Outcome and score on a device are read, or refused, as NumPy arrays are."""

import array_api_strict
import numpy as np
import pytest

from capcurve import (
    CAPCurveDisplay,
    CapcurveError,
    CapSketch,
    FewEventsWarning,
    HardLabelsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test,
    capture_rate_interval,
    capture_rate_score,
    ks_interval,
    response_rate_score,
    somers_d_interval,
)
from capcurve._input.device_columns import DeviceColumns
from capcurve._input.reading import read_columns

SCORE = np.array([0.9, 0.8, 0.3, 0.3, 0.2, 0.1])
EVENT = np.array([1, 0, 1, 0, 0, 1])
OUTCOMES = {
    "integers": (EVENT, None),
    "floats": (EVENT.astype(np.float64), None),
    "booleans": (EVENT == 1, None),
    "minus one": (2 * EVENT - 1, None),
    "one": (EVENT, 1),
    "true": (EVENT == 1, True),
    "false": (EVENT == 0, False),
    "seven": (4 + 3 * EVENT, 7),
}


def far(values, device="device1"):
    return array_api_strict.asarray(
        np.asarray(values), device=array_api_strict.Device(device)
    )


def as_list(values):
    return np.asarray(values).tolist()


PLACES = {"beside": far, "elsewhere": lambda y: far(y, "device2"), "list": as_list}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(("truth", "pos_label"), OUTCOMES.values(), ids=OUTCOMES)
def test_the_outcome_follows_the_score(truth, pos_label, place):
    columns = read_columns(place(truth), far(SCORE), pos_label=pos_label)
    assert type(columns) is DeviceColumns
    assert columns.target.tolist() == (EVENT == 1).tolist()
    assert columns.score.tolist() == SCORE.tolist()
    assert (columns.class_counts, columns.target_mass) == ((3, 3), 3)
    assert columns.has_counted_events
    assert not columns.is_constant


def test_rows_are_taken_and_ranked_by_the_target_in_memory():
    columns = read_columns(far(EVENT), far(SCORE), descending=False)
    part = columns[np.array([0, 5])]
    assert (part.score.tolist(), part.descending) == ([0.9, 0.1], False)
    assert columns.ranked_by_target().score.tolist() == (EVENT == 1).tolist()


def test_booleans_rank_as_0_and_1():
    columns = read_columns(far(EVENT), far(SCORE > 0.5))
    assert (columns.score.dtype, columns.score.sum()) == (np.uint8, 2)


WEIGHT = np.array([1.0, 2.0, 0.5, 1.0, 3.0, 0.0])
OTHERS = {
    "amounts": (EVENT * 1.5, SCORE, {}),
    "amounts of a list": ((EVENT * 1.5).tolist(), SCORE, {}),
    "weights": (EVENT, SCORE, {"sample_weight": far(WEIGHT)}),
    "one class": (EVENT, SCORE, {"pos_label": 1, "sample_weight": far(WEIGHT)}),
    "two columns": (EVENT, np.stack([SCORE, -SCORE], axis=1), {"labels": [0, 1]}),
}


@pytest.mark.parametrize(("truth", "score", "options"), OTHERS.values(), ids=OTHERS)
def test_other_arrays_are_fetched(truth, score, options):
    there = [value if isinstance(value, list) else far(value) for value in (truth, score)]
    here = {
        name: WEIGHT if name == "sample_weight" else value
        for name, value in options.items()
    }
    found = accuracy_ratio_score(*there, **options)
    assert found == accuracy_ratio_score(truth, score, **here)


def test_clusters_and_counts_are_fetched():
    clusters = [0, 1, 2, 3, 4, 4]
    columns = read_columns(far(EVENT), far(SCORE), clusters=far(clusters))
    assert columns.weights.cluster.tolist() == clusters
    with pytest.raises(CapcurveError, match="requires `sample_weight`"):
        read_columns(far(EVENT), far(SCORE), weights="frequency")


NAN = np.where(EVENT == 1, np.nan, SCORE)
REFUSED = {
    "nan in scores": (EVENT, NAN, {}),
    "nan in outcomes": (NAN, SCORE, {}),
    "lengths": (EVENT[:4], SCORE, {}),
    "lengths of a list": (EVENT[:4].tolist(), SCORE, {}),
    "empty": (EVENT[:0], SCORE[:0], {}),
    "labels": (4 + 3 * EVENT, SCORE, {}),
    "absent label": (EVENT, SCORE, {"pos_label": 3}),
    "text label": (EVENT, SCORE, {"pos_label": "x"}),
    "swapped": (SCORE, EVENT, {}),
    "flag": (EVENT, SCORE, {"descending": 1}),
    "complex": (EVENT, SCORE * 1j, {}),
    "three dimensions": (EVENT, SCORE.reshape(6, 1, 1), {}),
}


@pytest.mark.parametrize(("truth", "score", "options"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_refused_in_the_same_words(truth, score, options):
    with pytest.raises(CapcurveError) as here:
        accuracy_ratio_score(truth, score, **options)
    there = [value if isinstance(value, list) else far(value) for value in (truth, score)]
    with pytest.raises(CapcurveError) as found:
        accuracy_ratio_score(*there, **options)
    assert str(found.value) == str(here.value)


def test_an_interval_takes_a_single_column_as_one_score_wherever_it_lies():
    with pytest.warns(FewEventsWarning):
        expected = accuracy_ratio_interval(EVENT, SCORE)
    for place in (np.asarray, far):
        with pytest.warns(FewEventsWarning):
            found = accuracy_ratio_interval(place(EVENT), place(SCORE[:, None]))
        assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize("call", [accuracy_ratio_score, capture_rate_score])
def test_predicted_labels_are_noticed(call):
    options = {} if call is accuracy_ratio_score else {"fraction": 0.5}
    predicted = np.array([1, 1, 0, 0, 0, 1])
    with pytest.warns(HardLabelsWarning):
        expected = call(EVENT, predicted, **options)
    with pytest.warns(HardLabelsWarning):
        assert call(far(EVENT), far(predicted), **options) == expected


def test_one_class_has_no_accuracy_ratio():
    with pytest.warns(UndefinedMetricWarning, match="holds only non-events"):
        assert np.isnan(accuracy_ratio_score(far(0 * EVENT), far(SCORE)))


def stream(truth, score):
    sketch = CapSketch()
    sketch.update(truth, score)
    return sketch.to_bytes()


def test_every_question_to_arrays_has_the_same_answer():
    rng = np.random.default_rng(20)
    event = rng.random(400) < 0.3
    score = np.round(rng.normal(size=400) + event, 1)
    for answer in (
        lambda y, s: response_rate_score(y, s, fraction=0.1),
        lambda y, s: vars(accuracy_ratio_interval(y, s)),
        lambda y, s: accuracy_ratio_score(y, s[:, None]),
        lambda y, s: vars(accuracy_ratio_interval(y, s, method="bca", random_state=1)),
        lambda y, s: vars(ks_interval(y, s)),
        lambda y, s: vars(capture_rate_interval(y, s, fraction=0.2)),
        lambda y, s: vars(accuracy_ratio_test(y, s, s * s)),
        lambda y, s: vars(somers_d_interval(y, s)),
        CAPCurveDisplay.from_predictions,
        stream,
    ):
        assert repr(answer(far(event), far(score))) == repr(answer(event, score))
