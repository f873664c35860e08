"""What type checkers are told; that it is true is tested in `tests/typing`."""

import ast
import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    cap_curve,
    gain_curve,
    gains_table,
    lift_curve,
    plan_models,
)
from capcurve._frames import frame_verb


def test_a_library_that_is_not_installed_takes_the_data_of_no_other():
    """Its classes would be any type, so data are told apart by methods alone."""
    tree = ast.parse(inspect.getsource(frame_verb))
    arguments = [node for node in ast.walk(tree) if isinstance(node, ast.arg)]
    told = [ast.unparse(each.annotation) for each in arguments if each.arg == "data"]
    kinds = [kind for kind in told if kind != "Any"]  # of the function that is called
    assert len(kinds) == 6
    assert not [kind for kind in kinds if kind.startswith(("pd.", "pl.", "pa."))]


@pytest.mark.parametrize("verb", [gain_curve, gains_table, plan_models])
@pytest.mark.parametrize(
    "kind",
    [np.array, list, pd.Series, pl.Series],
    ids=["array", "list", "pandas", "polars"],
)
def test_arrays_are_sent_to_the_functions_of_arrays(verb, kind):
    """Before Python says that `estimate` is missing, which helps nobody."""
    values = kind([0, 1, 0])
    with pytest.raises(CapcurveError, match="pass arrays to `accuracy_ratio_score`, `cap_"):
        verb(values, values)


@pytest.mark.parametrize("make", [cap_curve, lift_curve])
@pytest.mark.parametrize("wrong", ["y", pd.DataFrame({"y": [0, 1], "p": [1, 2]})])
def test_a_frame_and_names_are_sent_to_the_functions_of_frames(make, wrong):
    told = "`gain_capture` and `gain_curve` take a frame with the names of its columns$"
    with pytest.raises(CapcurveError, match=told):
        make(wrong, "p")


def test_scores_of_several_classes_are_taken_one_by_one():
    told = "of several classes pass the column of one, and its label as `pos_label`$"
    with pytest.raises(CapcurveError, match=told):
        cap_curve([0, 1, 2], np.eye(3), pos_label=1)
