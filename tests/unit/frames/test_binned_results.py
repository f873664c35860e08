"""Results of `approx=True`: the rows and warnings of exact results, or a refusal."""

import warnings

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from capcurve import (
    BinnedCurve,
    CapcurveError,
    UndefinedMetricWarning,
    gain_capture,
    gain_curve,
    gains_table,
)

SCORES = np.random.default_rng(1).normal(size=3_000)
ONE_KIND = pl.DataFrame(
    {"g": list("aabbcc"), "y": [1, 0, 1, 1, 0, 0], "s": [2.0, 1.0, 4.0, 3.0, 2.0, 1.0]}
)


def warnings_of(verb, data, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = verb(data, "y", "s", **options)
    return found, [str(each.message) for each in caught]


@pytest.mark.parametrize("verb", [gain_capture, gain_curve, gains_table])
def test_groups_of_one_kind_are_announced_as_by_exact_results(verb):
    exact, told = warnings_of(verb, ONE_KIND, by="g")
    binned, found = warnings_of(verb, ONE_KIND.lazy(), by="g", approx=True)
    assert found == told != []
    if verb is gain_curve:
        assert told[0].endswith("complete: g c")
    assert_frame_equal(binned.select(exact.columns), exact, check_dtypes=False)


def test_limits_that_hold_for_any_number_of_events_are_wide_here_too():
    """A single event has limits by 'exact', also of bins."""
    rows = pl.DataFrame({"y": [1, *[0] * 30], "s": SCORES[:31]})
    groups = {"one": rows, "ten": rows.with_columns(y=pl.Series([1, 0, 0] * 10 + [1]))}
    stacked = pl.concat(data.with_columns(g=pl.lit(name)) for name, data in groups.items())
    _, told = warnings_of(gain_capture, stacked, by="g", confidence_level=0.95)
    lazy = stacked.lazy()
    _, found = warnings_of(gain_capture, lazy, by="g", confidence_level=0.95, approx=True)
    assert [each.split(" (distribution-free")[0] for each in told] == found
    few, wide = found
    assert few.endswith(
        "so the coverage of the interval may fall below its confidence level: g ten"
    )
    assert wide.endswith("as limits by 'exact' hold for any number of them: g one")


def test_a_group_without_a_complete_row_has_no_curve():
    rows = pl.DataFrame({"g": ["a", "a", "b"], "y": [1, 0, 1], "s": [2.0, 1.0, None]})
    for verb in (gain_curve, gains_table):
        exact, told = warnings_of(verb, rows, by="g")
        binned, found = warnings_of(verb, rows.lazy(), by="g", approx=True)
        assert found == told
        assert binned["g"].to_list() == exact["g"].to_list()
        assert set(binned["g"]) == {"a"}


def test_a_table_by_score_requires_bins_of_one_score():
    """Otherwise it would have fewer rows than the exact table."""
    grades = pl.DataFrame({"y": [1, 0, 1, 0, 0], "s": [3.0, 3.0, 2.0, 1.0, 1.0]})
    found = gains_table(grades.lazy(), "y", "s", bands="scores", approx=True)
    exact = gains_table(grades, "y", "s", bands="scores")
    assert found.drop("lower", "upper").equals(exact)
    crowded = pl.LazyFrame({"y": np.sort(SCORES) > 1, "s": 1e6 + np.sort(SCORES)})
    with pytest.raises(
        CapcurveError,
        match=r"`bands='scores'` requires bins of a single score, got [\d,]+ bins of",
    ):
        gains_table(crowded, "y", "s", bands="scores", approx=True)
    assert len(gains_table(crowded, "y", "s", bands=7, approx=True)) == 7


def test_ks_of_equal_amounts_is_undefined():
    rows = pl.LazyFrame(
        {"g": list("aaaab"), "y": [0.1, 0.1, 0.1, 0.1, 7.0], "s": [5.0, 4.0, 3.0, 2.0, 1.0]}
    )
    with pytest.warns(UndefinedMetricWarning, match="g a; g b$"):
        found = gains_table(rows, "y", "s", by="g", bands=3, approx=True)
    assert found["ks"].is_nan().all()


def test_a_light_row_beside_a_heavy_one_is_kept():
    for weights in ([1.0, 1e17], [1e17, 1.0]):
        rows = pl.LazyFrame({"y": [0, 1], "s": [2.0, 1.0], "w": weights})
        found = BinnedCurve.from_frame(rows, "y", "s", case_weights="w")
        assert found.by_target.weight.tolist() == weights
