"""What is read off at each step of a slider is computed from all rows."""

import json
from importlib.resources import files

import jsonschema
import numpy as np
import polars as pl
import pytest
from sklearn.metrics import roc_curve

from capcurve import BinnedCurve, CapCurve, report
from capcurve._report.readings import PLACES
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))
SCHEMA = json.loads(files("capcurve").joinpath("_report/schema.json").read_text("utf-8"))


@pytest.mark.parametrize("weights", [None, "exposure"])
@pytest.mark.parametrize("truth", ["default", "loss"])
def test_readings_are_those_of_the_whole_curve(truth, weights):
    facts = report(LOANS, truth, "champion_pd", case_weights=weights).facts
    jsonschema.validate(facts, SCHEMA)
    (model,) = facts["models"]
    curve = CapCurve.from_frame(LOANS, truth, "champion_pd", case_weights=weights)
    found = model["readings"]
    assert len(PLACES) == len(found["capture_rate"]) == len(found["threshold"]) == 1_001
    assert found["capture_rate"] == curve.capture_rate_at(PLACES).tolist()
    assert found["threshold"][0] is None
    assert found["threshold"][1:] == curve.threshold_at(PLACES[1:]).tolist()
    for at in model["captured"]:
        step = round(1_000 * at["population_share"])
        for name in ("capture_rate", "threshold"):
            assert found[name][step] == at[name]
    assert (found["roc"] is None) == (truth == "loss")


@pytest.mark.parametrize("weights", [None, "exposure"])
def test_readings_of_roc_are_those_of_scikit_learn(weights):
    weight = None if weights is None else LOANS[weights]
    options = {"sample_weight": weight, "drop_intermediate": False}
    false, true, cuts = roc_curve(LOANS["default"], LOANS["champion_pd"], **options)
    (model,) = report(LOANS, "default", "champion_pd", case_weights=weights).facts["models"]
    found = model["readings"]["roc"]
    assert found["capture_rate"] == pytest.approx(np.interp(PLACES, false, true))
    rate = model["response_rate"]
    share = rate * np.array(found["capture_rate"]) + (1 - rate) * PLACES
    assert found["population_share"] == pytest.approx(share)
    curve = CapCurve.from_frame(LOANS, "default", "champion_pd", case_weights=weights)
    assert found["threshold"] == [
        curve.threshold_at(max(at - 1e-12, 0)) for at in found["population_share"]
    ]
    assert found["threshold"][-1] == cuts[-1]


def test_a_vertical_part_of_roc_is_read_off_at_its_upper_end():
    rows = pl.DataFrame({"y": [1, 1, 0, 1, 0], "s": [5, 4, 3, 2, 1]})
    found = report(rows, "y", "s").facts["models"][0]["readings"]["roc"]
    for step, captured, share, cut in (
        (0, 2 / 3, 0.4, 4),
        (250, 2 / 3, 0.5, 3),
        (500, 1, 0.8, 2),
        (501, 1, 0.8004, 1),
        (1_000, 1, 1, 1),
    ):
        assert found["capture_rate"][step] == pytest.approx(captured)
        assert found["population_share"][step] == pytest.approx(share)
        assert found["threshold"][step] == cut


def test_bins_are_read_off_too():
    binned = BinnedCurve.from_frame(LOANS, "default", "champion_pd")
    (model,) = report(binned, "default", "champion_pd").facts["models"]
    exact = binned.curve.capture_rate_at(PLACES)
    assert model["readings"]["capture_rate"] == exact.tolist()
