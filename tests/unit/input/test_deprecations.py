"""Former names work for two minor versions, say what to write, and are then gone."""

import inspect

import numpy as np
import pytest

import capcurve
from capcurve import (
    CapCurve,
    CapSketch,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_joint,
)
from capcurve._input.deprecations import DEPRECATIONS, OF_SKETCH, Deprecation

Y = np.tile([0, 0, 1, 0, 1, 0, 0, 1], 20)
A = np.arange(160) % 11
B = np.arange(160) % 7
CLUSTERS = np.arange(160) // 4


def read_version(text):
    return tuple(map(int, text.split(".")[:2]))


def sketch():
    made = CapSketch()
    made.update(Y, A)
    return made


def plain(value):
    """Call a method; anything else is compared as it is."""
    return value() if callable(value) else value


# By the former name: a use of it, and of what takes its place.
USES = {
    "groups": (
        lambda: accuracy_ratio_interval(Y, A, groups=CLUSTERS),
        lambda: accuracy_ratio_interval(Y, A, clusters=CLUSTERS),
    ),
    "method='auto'": (
        lambda: accuracy_ratio_test(Y, A, B, method="auto"),
        lambda: accuracy_ratio_test(Y, A, B, method="score"),
    ),
    "CapCurve.tie_gain": (
        lambda: CapCurve.from_predictions(Y, A).tie_gain,
        lambda: CapCurve.from_predictions(Y, A).tie_slack,
    ),
    **{
        f"CapSketch.{name}": (
            lambda name=name: plain(getattr(sketch(), name)),
            lambda name=name: plain(getattr(sketch().curve, name)),
        )
        for name in OF_SKETCH
    },
}


@pytest.mark.parametrize("name", DEPRECATIONS)
def test_a_former_name_works_with_a_warning(name):
    former, present = USES[name]
    expected = present()
    new = DEPRECATIONS[name].new
    with pytest.warns(DeprecationWarning, match="is now") as told:
        found = former()
    assert str(told[0].message) == (
        f"`{name}` is now `{new}`, and version 0.4 will remove it; write `{new}`"
    )
    assert told[0].filename == __file__  # where it is to be changed
    assert repr(found) == repr(expected)


def test_a_joint_test_knows_the_former_word_too():
    with pytest.warns(DeprecationWarning, match="is now `method='score'`"):
        found = accuracy_ratio_test_joint(Y, {"a": A, "b": B}, method="auto")
    assert found.pairs["a", "b"].method == "score"


@pytest.mark.parametrize("name", DEPRECATIONS)
def test_no_former_name_outlives_its_time(name):
    """A version that should be without a former name fails here until it is."""
    assert read_version(capcurve.__version__) < DEPRECATIONS[name].end


def test_former_names_live_for_two_minor_versions():
    assert Deprecation("new", since=(0, 2)).end == (0, 4)
    assert read_version("0.3.9") < (0, 4)
    assert not read_version("0.4.0") < (0, 4)


def test_docstrings_say_until_when():
    major, minor = DEPRECATIONS["groups"].end
    told = f"Former name of ``clusters``; version {major}.{minor} will remove it."
    functions = [getattr(capcurve, name) for name in capcurve.__all__ if name[0].islower()]
    having = [each for each in functions if "groups" in inspect.signature(each).parameters]
    assert len(having) == 7
    assert all(told in each.__doc__ for each in having)


def test_an_unknown_name_of_a_sketch_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'CapSketch' object has no attribute 'gini'"):
        _ = CapSketch().gini
