"""Numbers that are read off a curve, on the tutorial's five observations and by hand."""

import dataclasses
import json
import pickle
import re
import subprocess
import sys

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import CapCurve, CapcurveError, DroppedRowsWarning

# b1 of the worked examples: event, not, event, not, not
CURVE = CapCurve.from_predictions([1, 0, 1, 0, 0], [5.0, 4.0, 3.0, 2.0, 1.0])
GRADES = CapCurve.from_predictions([1, 1, 0, 1, 0, 0, 0, 0], [9, 9, 9, 7, 7, 5, 5, 5])


def test_its_repr_fits_a_line():
    assert repr(CURVE) == "CapCurve(accuracy_ratio=0.667, points=6)"


def test_totals():
    assert (CURVE.total_weight, CURVE.total_target, CURVE.response_rate) == (5, 2, 0.4)


def test_capture_is_linear_between_points():
    shares = [0, 0.1, 0.2, 0.3, 0.5, 0.6, 0.9, 1]
    captured = [CURVE.capture_rate_at(share) for share in shares]
    assert captured == pytest.approx([0, 0.25, 0.5, 0.5, 0.75, 1, 1, 1])


def test_the_smallest_share_is_found_at_the_left_of_flats():
    shares = [CURVE.population_share_for(rate) for rate in (0, 0.25, 0.5, 0.75, 1)]
    assert shares == pytest.approx([0, 0.1, 0.2, 0.5, 0.6])


def test_lift_and_threshold():
    assert CURVE.lift_at(0.5) == pytest.approx(1.5)
    assert [CURVE.threshold_at(x) for x in (0, 0.2, 0.21, 1)] == [np.inf, 5, 4, 1]
    ascending = CapCurve.from_predictions([0, 0, 1], [3, 2, 1], descending=False)
    assert ascending.thresholds.tolist() == [-np.inf, 1, 2, 3]
    assert ascending.accuracy_ratio == 1


RATED = {"bad": [1, 0, 1, 0, 0], "grade": ["A", "AA", "A", "AAA", "AA"]}
ORDER = ["AAA", "AA", "A"]  # the riskiest grade has the highest score


@pytest.mark.parametrize(
    "hold",
    [
        lambda: pl.DataFrame(RATED),
        lambda: pl.LazyFrame(RATED),
        lambda: pd.DataFrame(RATED),
    ],
    ids=["polars", "lazy", "pandas"],
)
def test_grades_keep_their_names(hold):
    curve = CapCurve.from_frame(hold(), "bad", "grade", order=ORDER)
    assert [curve.threshold_at(x) for x in (0, 0.3, 0.5, 1)] == [None, "A", "AA", "AAA"]
    assert curve.threshold_at([0.3, 0.9]).tolist() == ["A", "AAA"]
    assert curve.thresholds.tolist() == [np.inf, 2, 1, 0]
    assert curve.grades == tuple(ORDER)
    assert json.loads(json.dumps(curve.to_dict()))["thresholds"] == [None, "A", "AA", "AAA"]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_a_curve_name_grades(library):
    curve = CapCurve.from_frame(pl.DataFrame(RATED), "bad", "grade", order=ORDER)
    named = nw.from_native(curve.to_frame(library))["threshold"]
    assert named.is_null().to_list() == [True, False, False, False]
    assert named.to_list()[1:] == ["A", "AA", "AAA"]
    assert named.dtype == nw.String


def test_ordered_categories_are_grades_and_low_ones_may_rank_first():
    categories = pl.Series(RATED["grade"], dtype=pl.Enum(ORDER[::-1]))
    frame = pl.DataFrame(RATED | {"grade": categories})
    curve = CapCurve.from_frame(frame, "bad", "grade", descending=False)
    assert curve.to_dict()["thresholds"] == [None, "A", "AA", "AAA"]


def test_curves_of_differing_grades_differ_and_copies_keep_them():
    one = CapCurve.from_frame(pl.DataFrame(RATED), "bad", "grade", order=ORDER)
    other = dataclasses.replace(one, grades=("1", "2", "3"))
    assert one != other
    copied = pickle.loads(pickle.dumps(one))  # noqa: S301 -- our own bytes
    assert (copied, copied.threshold_at(0.3)) == (one, "A")


def test_tie_bounds():
    # 15 pairs: 8 right, 2 wrong... ties 2 * 1 + 1 * 1 = 3
    assert GRADES.tie_bounds == pytest.approx(
        (GRADES.accuracy_ratio - 3 / 15, GRADES.accuracy_ratio + 3 / 15)
    )
    assert GRADES.tie_bounds.best == pytest.approx(14 / 15 - 1 / 15)
    assert CURVE.tie_bounds == (CURVE.accuracy_ratio,) * 2


def test_tie_bounds_of_amounts_ranked_from_below():
    curve = CapCurve.from_predictions(
        [5.0, 1.0, 0.0], [1, 1, 2], descending=False, target_type="continuous"
    )
    assert curve.tie_bounds.best == 1
    assert curve.accuracy_ratio == pytest.approx((5 + 1) / (4 + 5 + 1))


@pytest.mark.parametrize(
    "read", ["capture_rate_at", "population_share_for", "lift_at", "threshold_at"]
)
@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pl.Series], ids=str)
def test_many_shares_are_read_one_by_one(read, kind):
    shares = [0.1, 0.2, 0.25, 0.6, 1]
    for curve in (CURVE, GRADES):
        one_by_one = [getattr(curve, read)(share) for share in shares]
        found = getattr(curve, read)(kind(shares))
        assert found.tolist() == one_by_one
        found = getattr(curve, read)(np.array(shares)[:, None])
        assert found.tolist() == [[each] for each in one_by_one]
        assert getattr(curve, read)(kind([])).shape == (0,)
        assert isinstance(getattr(curve, read)(np.array(0.3)), float)


@pytest.mark.parametrize("share", [-0.1, 1.1, 50, np.nan, "half", None, True, [0.5, 50]])
def test_percentages_are_refused(share):
    for read in (
        CURVE.capture_rate_at,
        CURVE.population_share_for,
        CURVE.lift_at,
        CURVE.threshold_at,
    ):
        with pytest.raises(CapcurveError, match=r"fraction in .*, got .*; 10 % is 0\.1"):
            read(share)


def test_lift_at_zero_is_refused():
    with pytest.raises(CapcurveError, match=r"fraction in \(0, 1\], got 0"):
        CURVE.lift_at(0)


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        ([1, 0], [2, 1], "list and list"),
        (np.array([1, 0]), np.array([2, 1]), "ndarray and ndarray"),
        (CURVE.tally, None, "Tally and None"),
    ],
    ids=["lists", "arrays", "one tally"],
)
def test_who_calls_the_class_is_told_what_makes_a_curve(first, second, kinds):
    with pytest.raises(
        CapcurveError, match=f"made of two tallies, got {kinds}; pass .*from_predictions"
    ):
        CapCurve(first, second)


def test_it_never_changes():
    with pytest.raises(dataclasses.FrozenInstanceError):
        CURVE.tie_slack = 3
    for array in (
        CURVE.population_share,
        CURVE.capture_rate,
        CURVE.thresholds,
        *CURVE.perfect,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_to_frame_in_each_library(backend):
    frame = CURVE.to_frame(backend)
    assert type(frame).__module__.split(".")[0] == backend
    columns = (
        frame.to_dict("list")
        if backend == "pandas"
        else frame.to_pydict()
        if (backend == "pyarrow")
        else frame.to_dict(as_series=False)
    )
    assert list(columns) == ["population_share", "capture_rate", "lift", "threshold"]
    assert columns["population_share"] == CURVE.population_share.tolist()
    assert columns["capture_rate"] == CURVE.capture_rate.tolist()
    assert columns["lift"][1:] == pytest.approx([2.5, 1.25, 5 / 3, 1.25, 1])
    assert columns["threshold"] == [np.inf, 5, 4, 3, 2, 1]


def run_alone(program):
    """Run a program in a Python that has imported nothing yet."""
    return subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )


@pytest.mark.parametrize("backend", ["spark", "modin", None, ["pandas"]])
def test_to_frame_refuses_other_libraries(backend):
    with pytest.raises(
        CapcurveError, match=r"`backend` must be one of 'pandas', .*, got .*; other"
    ):
        CURVE.to_frame(backend)


def test_to_frame_names_a_library_that_is_not_installed():
    ended = run_alone(
        "import sys; sys.modules['polars'] = None\n"
        "from capcurve import CapCurve\n"
        "CapCurve.from_predictions([1, 0], [2, 1]).to_frame('polars')"
    )
    message = (
        "MissingDependencyError: polars is required for `to_frame` but not installed; "
        "run: pip install polars"
    )
    assert ended.stderr.strip().endswith(message)


def test_to_dict_is_json():
    parsed = json.loads(json.dumps(CURVE.to_dict(), allow_nan=False))
    assert parsed["accuracy_ratio"] == CURVE.accuracy_ratio
    assert parsed["thresholds"] == [None, 5, 4, 3, 2, 1]
    assert parsed["perfect"] == {"population_share": [0, 0.4, 1], "capture_rate": [0, 1, 1]}
    assert parsed["tie_bounds"] == list(CURVE.tie_bounds)


def test_its_notebook_view_is_one_drawing_and_its_numbers():
    html = CURVE._repr_html_()
    assert html.count("<svg") == html.count("<title>") == 1
    names = (
        ["Accuracy ratio (AR)", "AR over all tie orders", "KS"]
        + [f"Capture rate at {share}%" for share in (10, 20, 50)]
        + ["Total weight", "Total outcome"]
    )
    assert re.findall("<th[^>]*>(.*?)</th>", html) == names
    assert f"{CURVE.accuracy_ratio:.4f}" in html
    assert "M0.0 240.0L48.0 120.0L96.0 120.0L144.0 0.0L192.0 0.0L240.0 0.0" in html


def test_its_notebook_view_leaves_out_tie_bounds_that_are_unknown():
    html = dataclasses.replace(CURVE, tie_slack=None)._repr_html_()
    assert "AR over all tie orders" not in html
    assert "<th>KS" in html or "KS</th>" in html


def test_a_frame_without_a_positive_weight_has_no_curve():
    frame = pl.DataFrame({"y": [1, 0], "s": [0.1, 0.3], "w": [0.0, 0.0]})
    with pytest.raises(CapcurveError, match="no complete row with `w` above 0; check `w`"):
        CapCurve.from_frame(frame, "y", "s", case_weights="w")


def test_a_frame_without_a_complete_row_has_no_curve():
    frame = pl.DataFrame({"y": [1, 0, None], "s": [None, None, 0.3]})
    with (
        pytest.warns(DroppedRowsWarning),
        pytest.raises(CapcurveError, match="undefined: `data` has no complete row; check"),
    ):
        CapCurve.from_frame(frame, "y", "s")


def test_its_notebook_view_writes_totals_in_full():
    curve = CapCurve.from_predictions([2.5, 0.0], [2, 1], sample_weight=[1e6, 2e6])
    html = curve._repr_html_()
    assert "<td>3,000,000</td>" in html
    assert "<td>2,500,000</td>" in html


def test_its_notebook_view_needs_no_drawing_library():
    program = (
        "import sys; from capcurve import CapCurve\n"
        "assert CapCurve.from_predictions([1, 0], [2, 1])._repr_html_()\n"
        "assert not {'matplotlib', 'pandas'} & set(sys.modules)"
    )
    assert run_alone(program).stderr == ""
