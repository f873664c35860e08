"""The fuzzer with fixed seeds, its list of known bugs, and planted bugs that it finds."""

import ast
import json
import subprocess
import sys
from math import inf, nan
from pathlib import Path

import pytest

from capcurve import CapCurve, CapSketch, accuracy_ratio_score, gain_capture
from fuzz import arrays, frames, sketches
from fuzz.cases import PROFILES, Case
from fuzz.known import KNOWN, find_known
from fuzz.runner import DOORS, check, draw, fuzz, kind_of

# How many inputs take about four seconds on one processor.
INPUTS = {"arrays": 300, "frames": 60, "queries": 25, "sketch": 60, "shell": 16}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("door", DOORS)
def test_answers_are_exact_or_refused_by_a_rule(door, profile):
    counts = fuzz(door, profile, range(INPUTS[door]))
    assert not counts.findings, "\n".join(map(str, counts.findings))
    assert counts.inputs == INPUTS[door]
    assert counts.numbers > 10 * counts.inputs


def test_known_bugs_are_still_there():
    """If this fails, the bug is gone: remove the entry of `known.py`."""
    for name, bug in KNOWN.items():
        found = {
            find_known(bug.doors[0], bug.witness, difference)
            for difference in check(bug.doors[0], bug.witness).differences
        }
        assert name in found, f"it is mended; remove {name!r} from known.py"


def test_every_case_can_be_made_again():
    """From its number, and from the line that is printed."""
    for door in DOORS:
        for number in range(20):
            case = draw(door, "extreme", number)
            assert repr(case) == repr(draw(door, "extreme", number))
            names = {"Case": Case, "inf": inf, "nan": nan}
            if "Decimal" not in repr(case):
                assert repr(eval(repr(case), names)) == repr(case)  # noqa: S307 -- our own
            ast.parse(repr(case))


# -- Planted bugs --------------------------------------------------------------------------


def what_differs(door, numbers=range(10)):
    """List what the fuzzer finds, without the places."""
    return {kind_of(finding) for finding in fuzz(door, "ordinary", numbers).findings}


def test_a_number_that_is_off_by_little_is_found(monkeypatch):
    monkeypatch.setattr(
        arrays,
        "accuracy_ratio_score",
        lambda *data, **options: accuracy_ratio_score(*data, **options) * (1 + 1e-8),
    )
    assert what_differs("arrays") == {"accuracy_ratio_score"}


def test_ties_that_are_counted_in_row_order_are_found(monkeypatch):
    def order_ties(y_true, y_score, **options):
        curve = CapCurve.from_predictions(y_true, y_score, **options)
        return curve.tie_bounds.best if curve.tie_bounds else curve.accuracy_ratio

    monkeypatch.setattr(arrays, "accuracy_ratio_score", order_ties)
    assert "accuracy_ratio_score" in what_differs("arrays")


def test_a_guess_instead_of_a_refusal_is_found(monkeypatch):
    monkeypatch.setattr(arrays, "cap_curve", lambda *_, **__: None)
    rules = ("scores are text", "text needs pos_label")
    numbers = [n for n in range(400) if draw("arrays", "ordinary", n).refusal in rules]
    found = fuzz("arrays", "ordinary", numbers).findings
    assert len(found) == len(numbers) > 1
    assert {str(each.difference.expected) for each in found} == {
        f"a refusal: {rule}" for rule in rules
    }


def test_a_group_that_is_lost_is_found(monkeypatch):
    def lose_last(data, *names, **options):
        found = gain_capture(data, *names, **options)
        return found[: len(found) - 1] if len(found) > 1 else found

    monkeypatch.setattr(frames, "gain_capture", lose_last)
    assert any(what.endswith("rows") for what in what_differs("frames"))


def test_bounds_that_are_too_narrow_are_found(monkeypatch):
    class Narrow(CapSketch):
        @property
        def accuracy_ratio(self):
            middle = super().accuracy_ratio.value
            return super().accuracy_ratio._replace(low=middle, high=middle)

    monkeypatch.setattr(sketches, "CapSketch", Narrow)
    assert any("accuracy_ratio exact" in what for what in what_differs("sketch"))


def test_a_raw_error_is_found(monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(arrays, "perfect_cap_curve", fail)
    (found, *_) = fuzz("arrays", "ordinary", range(10)).findings
    assert found.difference.got == "ZeroDivisionError()"
    assert found.case.n <= 2  # it was made as small as it can be


# -- Entry ---------------------------------------------------------------------------------


def test_the_command_prints_counts_as_json():
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-m", "fuzz", "arrays", "--inputs", "5", "--seed", "3"],
        cwd=root,
        env={"PYTHONPATH": str(root / "tests"), "PATH": ""},
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    counts = json.loads(run.stdout)
    assert counts["seed"] == 3
    assert counts["doors"]["arrays"]["ordinary"]["inputs"] == 5
    assert counts["doors"]["arrays"]["extreme"]["inputs with a new difference"] == 0
