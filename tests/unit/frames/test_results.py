"""What all results have in common: a column never hides another."""

import datetime as dt

import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    UndefinedMetricWarning,
    compare_models,
    gain_capture,
    gain_curve,
    gains_table,
)

pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
ROWS = pl.DataFrame(
    {
        "g": list("aabb"),
        "y": [1, 0, 1, 0],
        "s": [2.0, 1.0, 4.0, 3.0],
        "t": [1.0, 2.0, 3.0, 4.0],
    }
)
VERBS = {
    "gain_capture": (gain_capture, {}),
    "gain_capture, several": (gain_capture, {"estimate": ["s", "t"]}),
    "gain_capture, approx": (gain_capture, {"approx": True}),
    "gain_curve": (gain_curve, {}),
    "gain_curve, approx": (gain_curve, {"approx": True}),
    "gains_table": (gains_table, {}),
    "gains_table, several": (gains_table, {"estimate": ["s", "t"]}),
    "gains_table, limits": (gains_table, {"confidence_level": 0.9}),
    "gains_table, approx": (gains_table, {"approx": True}),
    "compare_models": (compare_models, {"estimates": ["s", "t"]}),
}


def test_groups_are_named_as_they_read():
    day = dt.date(2024, 1, 31)
    keys = {"day": [day, None], "half": [1.5, 2.0], "land": ["AT", "New York"]}
    rows = pl.DataFrame({**keys, "y": [1, 1], "s": [1, 2]})
    found = r": day 2024-01-31, half 1.5, land AT; missing day, half 2.0, land New York$"
    with pytest.warns(UndefinedMetricWarning, match=found):
        gain_capture(rows, "y", "s", by=["day", "half", "land"])


@pytest.mark.parametrize("name", ["", " ", "a ", "a, b", "a; b", "it's", "a\nb"])
def test_what_would_not_read_as_a_word_is_in_quotes(name):
    rows = pl.DataFrame({"land": [name], "y": [1], "s": [1]})
    with pytest.warns(UndefinedMetricWarning) as caught:
        gain_capture(rows, "y", "s", by="land")
    assert str(caught[0].message).endswith(f": land {name!r}")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the interval is based on fewer than 20 events")
@pytest.mark.parametrize("verb", list(VERBS))
@pytest.mark.parametrize("lazy", [False, True])
def test_no_group_column_may_be_called_like_a_result(verb, lazy):
    function, options = VERBS[verb]
    options = {
        "truth": "y",
        **({} if "estimates" in options else {"estimate": "s"}),
        **options,
    }
    for name in [each for each in function(ROWS, **options).columns if each not in ROWS]:
        rows = ROWS.rename({"g": name})
        with pytest.raises(
            CapcurveError, match=rf"`by` must not name .* got \['{name}'\]; ren"
        ):
            function(rows.lazy() if lazy else rows, by=name, **options)
    found = function(ROWS.rename({"g": "other"}), by="other", **options)
    assert found.columns[0] == "other"
