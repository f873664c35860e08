"""Doors x meanings: the same number, the same refusal, or a difference with its reason."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ks_2samp, somersd
from sklearn.metrics import roc_auc_score

import capcurve
from capcurve import accuracy_ratio_score, gain_capture
from capcurve._cli.commands import COMMANDS
from doors import doors
from doors.capabilities import CAPABILITIES
from doors.doors import DOORS
from doors.exceptions import DIFFERENCES, EXCEPTIONS
from doors.expected import expect
from doors.meanings import AMOUNTS, EVENTS, MEANINGS, SCORE, WEIGHTS
from doors.table import RENEW, Fault, find_fault, render

PAGE = Path(__file__).parents[2] / "docs" / "doors.md"


@pytest.mark.slow
@pytest.mark.parametrize("name", MEANINGS)
@pytest.mark.parametrize("door", DOORS)
def test_doors_agree_or_differ_for_a_reason(door, name):
    fault = find_fault(door, name)
    difference = EXCEPTIONS.get((door, name))
    if difference is None:
        assert fault is None
    else:
        assert fault is not None, f"take it from DIFFERENCES: {difference.reason}"
        assert re.search(difference.found, fault.found)


def test_differences_name_doors_and_meanings_once():
    named = [
        (door, meaning)
        for difference in DIFFERENCES
        for door in difference.doors
        for meaning in difference.meanings
    ]
    assert len(named) == len(EXCEPTIONS)
    assert {door for door, _ in named} <= set(DOORS)
    assert {meaning for _, meaning in named} <= set(MEANINGS)


def test_the_page_shows_the_table():
    assert PAGE.read_text(encoding="utf-8") == render(), f"renew the page: {RENEW}"


def test_every_function_and_command_is_a_capability_of_a_door():
    named = {
        column: set(
            re.findall(
                r"`([\w-]+)`", " ".join(getattr(each, column) for each in CAPABILITIES)
            )
        )
        for column in ("arrays", "frames", "shell", "report")
    }
    functions = {name for name in capcurve.__all__ if name[0].islower()}
    assert functions <= named["arrays"] | named["frames"]
    assert named["arrays"] | named["frames"] <= set(capcurve.__all__)
    assert named["shell"] == set(COMMANDS) - {"demo"}
    for each in CAPABILITIES:
        for cell in each[1:]:
            assert "`" in cell or not cell.startswith("no") or ": " in cell


# -- Planted bugs --------------------------------------------------------------------------


def test_an_option_that_a_door_ignores_is_found(monkeypatch):
    def ignore_level(*data, **options):
        return gain_capture(*data, **options | {"event_level": None})

    monkeypatch.setattr(doors, "gain_capture", ignore_level)
    assert find_fault("pandas", "categories in order, `event_level` first") is None
    fault = find_fault("pandas", "categories in order, `event_level` second")
    assert fault.found == "gives another accuracy_ratio, high, low"


def test_a_number_that_is_off_by_little_is_found(monkeypatch):
    def be_wrong(*data, **options):
        return accuracy_ratio_score(*data, **options) * (1 + 1e-11)

    monkeypatch.setattr(doors, "accuracy_ratio_score", be_wrong)
    assert find_fault("arrays", "booleans").found == "gives another accuracy_ratio"


def test_a_guess_instead_of_a_refusal_is_found(monkeypatch):
    guess = doors.DOORS["Polars"]._replace(ask=lambda _: {(): {"accuracy_ratio": 0.5}})
    monkeypatch.setitem(DOORS, "Polars", guess)
    assert find_fault("Polars", "text") == Fault("gives a number")
    assert find_fault("Polars", "booleans").found == "gives another accuracy_ratio"


# -- The oracle ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "weights"), [("0/1 as integers", None), ("sampling weights", WEIGHTS)]
)
def test_the_oracle_agrees_with_scikit_learn(name, weights):
    auc = roc_auc_score(EVENTS, SCORE, sample_weight=weights)
    assert expect(name)[()]["accuracy_ratio"] == pytest.approx(2 * auc - 1, rel=1e-12)


def test_the_oracle_agrees_with_scipy():
    event, score = np.array(EVENTS), np.array(SCORE)
    distance = ks_2samp(score[event == 1], score[event == 0]).statistic
    assert expect("0/1 as integers")[()]["ks"] == pytest.approx(distance, rel=1e-12)
    concordance = somersd(AMOUNTS, SCORE).statistic
    assert expect("amounts")[()]["somers_d"] == pytest.approx(concordance, rel=1e-12)
