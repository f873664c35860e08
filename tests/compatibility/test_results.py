"""Numbers stay the same to 1e-12, or the CHANGELOG says which ones do not."""

import warnings
from itertools import pairwise

import pytest

import capcurve
from compatibility import results
from compatibility.records import NUMBERS, RENEW, Record

DRAWN = {"plot_gain_curve", "plot_panels", "plot_summary"}  # as pictures, not as numbers
ASSEMBLED = {"report", "scorers", "accuracy_ratio_scorer"}  # of the functions that are here


@pytest.fixture(scope="module")
def differences():
    return results.compare(Record.read(NUMBERS).lines, list(results.list_lines()))


def test_numbers_stay_the_same(differences):
    breaks, _ = differences
    assert not breaks, (
        "these numbers changed: if the new ones are right, say why under *Numbers* in the "
        f"CHANGELOG and run `{RENEW} --with-breaks`"
    )


@pytest.mark.filterwarnings("default:numbers are not recorded")
def test_new_numbers_are_recorded(differences):
    _, additions = differences
    if additions:
        warnings.warn(f"numbers are not recorded: run `{RENEW}`", stacklevel=1)


def test_the_record_is_of_this_version():
    assert Record.read(NUMBERS).version == capcurve.__version__, f"run `{RENEW}`"


def test_the_record_has_all_functions_that_return_numbers():
    calls = [results.find_key(line) for line in Record.read(NUMBERS).lines]
    assert len(calls) == len(set(calls)) >= 290
    functions = {name for name in capcurve.__all__ if name[0].islower()}
    missing = {name for name in functions if not any(f"{name}(" in call for call in calls)}
    assert missing == DRAWN | ASSEMBLED


def test_the_record_has_each_method_that_draws_nothing():
    calls = " ".join(results.find_key(line) for line in Record.read(NUMBERS).lines)
    for method in ("beta", "logit-t", "wald", "logit", "newcombe", "exact", "score", "eht"):
        assert f"method='{method}'" in calls


def test_the_rows_are_as_in_every_version_of_numpy():
    """The first numbers of the generator, by Python's whole numbers alone."""
    state = [1]
    for _ in range(4):
        state.append((1_103_515_245 * state[-1] + 12_345) % 2**31)
    expected = [(each >> 12) % 1024 for each in state[1:]]
    assert (results.COLUMNS["score"][:4] * 1024).tolist() == expected
    events = results.COLUMNS["event"]
    assert len(events) == 240
    assert sum(events) > 20  # fewer come with warnings


# -- What counts as another number ---------------------------------------------------------

LINE = "f(x)  low 0.25  high nan"


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("f(x)  low 0.2500001  high nan", "f(x): low was 0.25, is 0.2500001"),
        ("f(x)  low 0.25  high 1.0", "f(x): high was nan, is 1.0"),
        ("f(x)  low nan  high nan", "f(x): low was 0.25, is nan"),
        ("f(x)  high nan", "f(x): low was 0.25, is gone"),
        ("f(y)  low 0.25  high nan", "f(x): low was 0.25, is gone"),
    ],
)
def test_another_number_is_noticed(now, told):
    breaks, _ = results.compare([LINE], [now])
    assert breaks[0] == told


def test_rounding_is_no_other_number():
    now = ["f(x)  low 0.2500000000000001  high nan"]
    assert results.compare([LINE], now) == ([], [])
    assert results.compare(["f(x)  = 1e+16"], ["f(x)  = 1.0000000000000002e+16"]) == (
        [],
        [],
    )


def test_new_numbers_are_new_but_no_others():
    now = [f"{LINE}  width 1.0", "g(x)  = 1.0"]
    assert results.compare([LINE], now) == ([], now)


def test_long_arrays_are_recorded_in_part():
    found = dict(results.read_numbers({"a": list(range(100))}))
    assert found.pop("a.length") == 100
    assert len(found) == results.SEVERAL
    assert min(found.values()) == 0
    assert max(found.values()) == 99
    assert all(one < other for one, other in pairwise(found.values()))
