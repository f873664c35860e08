"""Reports of bins that do not count events say so, and invent no number of them."""

import json
from importlib.resources import files

import jsonschema
import numpy as np
import openpyxl
import polars as pl
import pytest

from capcurve import CapcurveError, CapSketch, accuracy_ratio_score, report
from capcurve._report.uncounted_bins import are_weighted

RNG = np.random.default_rng(8)
SCORE = np.arange(300.0)
EVENT = (RNG.random(300) < SCORE / 900).astype(int)
WEIGHT = RNG.uniform(0.5, 2, 300)
LOSS = EVENT * RNG.gamma(2, 100, 300).round(2)
GIVEN = {
    "weighted": (EVENT, WEIGHT, "how many of them are events is not known, as bins of w"),
    "amounts": (LOSS, None, "how many of them are above 0 is not known, as bins hold the"),
}
SCHEMA = json.loads(files("capcurve").joinpath("_report/schema.json").read_text("utf-8"))


def sketch(truth, weight=None, **options):
    made = CapSketch(**options)
    made.update(truth, SCORE, sample_weight=weight)
    return made


@pytest.mark.parametrize(("truth", "weight", "why"), GIVEN.values(), ids=GIVEN)
def test_the_number_of_events_is_unknown_and_says_why(truth, weight, why):
    facts = report(sketch(truth, weight), None, "s").facts
    jsonschema.validate(facts, SCHEMA)
    ratio, sample = facts["models"][0]["accuracy_ratio"], facts["sample"]
    expected = accuracy_ratio_score(truth, SCORE, sample_weight=weight)
    assert ratio["value"] == pytest.approx(expected)
    assert (ratio["n_events"], ratio["n_nonevents"], ratio["low"]) == (None, None, None)
    assert (sample["n_events"], sample["n_non_events"]) == (None, None)
    of_amounts = " of amounts" * (weight is None)
    assert ratio["text"].startswith(
        f"AR{of_amounts} {expected:.3f}, 95 % interval undefined, as it requires the "
        f"individual rows (300 rows; {why}"
    )
    auc = facts["models"][0]["auc"]
    assert auc is None or (auc["n_events"] is None and f"(300 rows; {why}" in auc["text"])
    assert f"It rests on 300 rows; {why}" in facts["findings"][0]["text"]
    assert "bins do not count events: there are no limits, no" in facts["limitations"][4]


@pytest.mark.parametrize(("truth", "weight"), [each[:2] for each in GIVEN.values()])
def test_a_least_number_of_events_is_refused(truth, weight):
    made = report(sketch(truth, weight), None, "s")
    assert made.with_gates(fail_below=0.1).gates[0].passed
    kind = "amounts" if weight is None else "weighted rows"
    message = f"`min_events` requires the number of events, .* got bins of {kind}, which do"
    with pytest.raises(CapcurveError, match=message):
        made.with_gates(fail_below=0.1, min_events=5)
    plain = report(sketch(EVENT), None, "s")
    n_events = int(EVENT.sum())
    for least, passed in ((n_events, True), (n_events + 1, False)):
        (gate,) = plain.with_gates(fail_below=0.1, min_events=least).gates
        assert gate.passed is passed


@pytest.mark.parametrize(("truth", "weight"), [each[:2] for each in GIVEN.values()])
def test_a_test_against_initial_validation_is_refused(truth, weight):
    kind = "gAUC, got bins of amounts" if weight is None else "AUC, got bins of weighted ro"
    message = f"`initial_auc` requires the variance of {kind}"
    with pytest.raises(CapcurveError, match=message):
        report(sketch(truth, weight), None, "s", initial_auc=0.7)


def test_weights_in_bins_are_called_weights(tmp_path):
    made = report(sketch(EVENT, WEIGHT), None, "s")
    facts, finding = made.facts, made.facts["findings"][0]["text"]
    assert facts["sample"]["weights"] == "sampling"
    assert facts["sample"]["weights_column"] is None
    assert finding.startswith("The accuracy ratio (AR) of s, weighted,")
    assert facts["methods"][0]["topic"] == "Weights"
    page = made.to_html()
    assert "Bins hold the weights of rows, such as sampling" in page
    assert "weighted event rate" in page
    assert "Weight of events" in page
    assert "None holds" not in page
    made.write(tmp_path / "r.xlsx")
    cells = list(openpyxl.load_workbook(tmp_path / "r.xlsx")["Summary"].values)
    (weights,) = [row for row in cells if "Weights" in row]
    assert "of rows in bins" in weights


def test_bins_of_amounts_are_weighted_if_their_weights_show_it():
    assert not are_weighted(sketch(LOSS).curve)
    assert are_weighted(sketch(LOSS, WEIGHT).curve)
    assert are_weighted(sketch(LOSS, WEIGHT * 300 / WEIGHT.sum()).curve)
    assert are_weighted(sketch(LOSS, np.full(300, 2.0)).curve)
    assert not are_weighted(sketch(EVENT).curve)
    found = report(sketch(LOSS, WEIGHT), None, "s").facts["findings"][0]["text"]
    assert found.startswith("The accuracy ratio (AR) of amounts, ranked by s and weighted,")


def test_bounds_of_weighted_bins_tell_of_no_test():
    for weight, of_tests in ((WEIGHT, False), (None, True)):
        facts = report(sketch(EVENT, weight, max_bins=20), None, "s").facts
        (told,) = [each for each in facts["limitations"] if " AR lies between " in each]
        assert told.endswith("tests against initial validation.") is of_tests


def test_rows_still_name_the_column_of_weights():
    rows = pl.DataFrame({"y": EVENT, "s": SCORE, "w": WEIGHT})
    made = report(rows, "y", "s", case_weights="w")
    assert "of s, weighted by w, is" in made.facts["findings"][0]["text"]
    assert made.facts["models"][0]["accuracy_ratio"]["n_events"] == EVENT.sum()
    assert "The column w holds weights" in made.to_html()
