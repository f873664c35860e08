"""Facts on a model are the numbers of the other doors."""

import itertools
import warnings

import numpy as np
import polars as pl
import pytest
from scipy.special import rel_entr

from capcurve import (
    BinnedCurve,
    CapCurve,
    CapSketch,
    FewEventsWarning,
    accuracy_ratio_interval,
    capture_rate_interval,
    gains_table,
    lift_interval,
    report,
    response_rate_interval,
    somers_d_interval,
)
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(2_000)).with_columns(
    borrower=pl.col("loan") // 2, whole=pl.col("loan") % 3 + 1
)
DESIGNS = {
    "plain": ({}, {}),
    "weights": ({"case_weights": "exposure"}, {"sample_weight": "exposure"}),
    "counts": ({"counts": "whole"}, {"sample_weight": "whole", "weights": "frequency"}),
    "clusters": ({"clusters": "borrower"}, {"clusters": "borrower"}),
}
CUMULATIVE = ("population_share", "capture_rate", "lift", "ks")


@pytest.fixture(scope="module", params=DESIGNS)
def both(request):
    """Give the facts of a report and the options of the functions on arrays."""
    of_frame, of_arrays = DESIGNS[request.param]
    (model,) = report(LOANS, "default", "champion_pd", **of_frame).facts["models"]
    options = {
        name: LOANS[value].to_numpy() if value in LOANS.columns else value
        for name, value in of_arrays.items()
    }
    return model, options, of_frame


def scores():
    return LOANS["default"].to_numpy(), LOANS["champion_pd"].to_numpy()


def test_auc_has_its_interval_and_its_variance(both):
    model, options, _ = both
    auc = accuracy_ratio_interval(*scores(), **options).to_auc()
    for name in ("value", "low", "high", "standard_error", "degrees_of_freedom"):
        assert model["auc"][name] == getattr(auc, name)
    assert model["auc"]["variance"] == auc.standard_error**2
    assert model["somers_d"] is None


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_capture_rates_and_lift_have_the_limits_of_the_arrays(both):
    model, options, _ = both
    for at in model["captured"]:
        share = {"fraction": at["population_share"]}
        captured = capture_rate_interval(*scores(), **share, **options)
        lift = lift_interval(*scores(), **share, **options)
        for prefix, found in (("", captured), ("lift_", lift)):
            limits = at[f"{prefix}low"], at[f"{prefix}high"]
            assert limits == pytest.approx((found.low, found.high), rel=1e-12)
        assert at["capture_rate"] == captured.value
        assert at["lift"] == pytest.approx(lift.value)


def test_marks_on_few_rows_are_flagged_where_the_arrays_warn():
    (model,) = report(LOANS[:700], "default", "champion_pd").facts["models"]
    data = (each[:700] for each in scores())
    y, s = data
    for at in model["captured"]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", FewEventsWarning)
            capture_rate_interval(y, s, fraction=at["population_share"])
        told = any("rows that are selected" in str(each.message) for each in caught)
        assert at["few_rows"] == told
    assert [at["few_rows"] for at in model["captured"]] == [True] + [False] * 4


def test_marks_on_rows_of_few_clusters_are_flagged():
    y, s = np.arange(2_000) % 7 == 0, -np.arange(2_000)
    rows = pl.DataFrame({"y": y * 1, "s": s, "borrower": np.arange(2_000) // 10})
    (alone,) = report(rows, "y", "s").facts["models"]
    (model,) = report(rows, "y", "s", clusters="borrower").facts["models"]
    assert [at["few_rows"] for at in alone["captured"]] == [False] * 5
    assert [at["few_rows"] for at in model["captured"]] == [True, True, *[False] * 3]


def test_ks_has_its_place(both):
    model, options, _ = both
    ks = model["ks"]
    y, s = scores()
    weight = options.get("sample_weight", np.ones(len(y)))
    above = s >= ks["threshold"]
    share = weight[above].sum() / weight.sum()
    captured = weight[above & (y == 1)].sum() / weight[y == 1].sum()
    others = weight[above & (y == 0)].sum() / weight[y == 0].sum()
    assert ks["population_share"] == pytest.approx(share)
    assert ks["capture_rate"] == pytest.approx(captured)
    assert ks["value"] == pytest.approx(captured - others)


def test_gains_are_those_of_the_table_with_limits(both):
    model, _, of_frame = both
    table = gains_table(
        LOANS, "default", "champion_pd", confidence_level=0.95, **of_frame
    ).drop(".", strict=False)
    names = {name: f"cumulative_{name}" for name in CUMULATIVE}
    names |= {
        f"{name}_{end}": f"cumulative_{name}_{end}"
        for name in ("capture_rate", "lift")
        for end in ("low", "high")
    }
    rows = model["gains"]
    for column in table.columns:
        found = [row[names.get(column, column)] for row in rows]
        assert found == pytest.approx(table[column].to_list(), rel=1e-9), column
    assert [row["n_non_events"] + row["n_events"] for row in rows] == pytest.approx(
        table["n"].to_list()
    )
    total = model["gains_total"]
    for name in ("n", "n_events", "n_non_events"):
        assert sum(row[name] for row in rows) == pytest.approx(total[name])
    assert total["response_rate"] == pytest.approx(total["n_events"] / total["n"])
    rates = [row["response_rate"] for row in rows]
    inverted = [False, *(low < high for low, high in itertools.pairwise(rates))]
    assert [row["is_inversion"] for row in rows] == inverted
    assert total["n_inversions"] == sum(inverted)


def test_the_rate_of_the_first_band_is_the_response_rate_at_its_share():
    (model,) = report(LOANS, "default", "champion_pd").facts["models"]
    first = model["gains"][0]
    found = response_rate_interval(*scores(), fraction=0.1)
    limits = first["response_rate_low"], first["response_rate_high"]
    assert limits == pytest.approx((found.low, found.high))


def test_bands_of_one_grade_are_no_inversion_by_rounding():
    """All bands but the first hold parts of one block of ties, whose rate they share."""
    weight = np.linspace(0.1, 1.7, 1_000) ** 3
    score = np.r_[np.ones(7), np.zeros(993)]
    rows = pl.DataFrame({"y": np.arange(1_000) % 3 == 0, "s": score, "w": weight})
    found = report(rows, "y", "s", case_weights="w", bands=37).facts["models"][0]
    rates = [row["response_rate"] for row in found["gains"]]
    assert any(after > before for before, after in itertools.pairwise(rates[2:]))
    assert found["gains_total"]["n_inversions"] <= 1


def test_an_inversion_is_a_band_above_the_one_before():
    rows = pl.DataFrame({"y": [1, 0, 0, 0, 1, 0, 1, 1], "s": [8, 7, 6, 5, 4, 3, 2, 1]})
    (model,) = report(rows, "y", "s", bands=4).facts["models"]
    assert [row["response_rate"] for row in model["gains"]] == [0.5, 0.0, 0.5, 1.0]
    assert [row["is_inversion"] for row in model["gains"]] == [False, False, True, True]
    assert model["gains_total"]["n_inversions"] == 2


def test_many_bands_have_no_limits():
    found = report(LOANS, "default", "champion_pd", bands=50).facts["models"][0]
    assert found["gains_total"]["has_limits"]
    assert found["gains"][0]["response_rate_low"] is not None
    found = report(LOANS, "default", "champion_pd", bands=51).facts["models"][0]
    assert not found["gains_total"]["has_limits"]
    assert {row["response_rate_low"] for row in found["gains"]} == {None}


def test_amounts_have_somers_d_and_no_counts_of_events():
    (model,) = report(LOANS, "loss", "champion_pd").facts["models"]
    y, s = LOANS["loss"].to_numpy(), LOANS["champion_pd"].to_numpy()
    expected = somers_d_interval(y, s)
    assert model["somers_d"]["value"] == expected.value
    gauc = expected.to_auc()
    for name in ("value", "low", "high", "standard_error"):
        assert model["gauc"][name] == getattr(gauc, name)
    assert model["auc"] is None
    assert model["n_non_events"] is None
    assert model["gains"][0]["n_non_events"] is None
    assert model["gains_total"]["n_non_events"] is None
    assert model["captured"][2]["low"] < model["captured"][2]["capture_rate"]


def test_few_events_have_limits_for_any_distribution():
    y, s = [1] * 4 + [0] * 60, list(range(64, 0, -1))
    (model,) = report(pl.DataFrame({"y": y, "s": s}), "y", "s").facts["models"]
    with pytest.warns(FewEventsWarning, match="distribution-free limits"):
        accuracy_ratio_interval(y, s)
    with pytest.warns(FewEventsWarning):
        exact = accuracy_ratio_interval(y, s, method="exact")
    assert model["exact_limits"] == pytest.approx({"low": exact.low, "high": exact.high})
    assert model["few_events"]
    enough = report(LOANS, "default", "champion_pd").facts["models"][0]
    assert enough["exact_limits"] is None


def sketch_few(n_events, shift=0.0):
    """Sketch few events, whose scores share some of eight bins with non-events."""
    y = np.array([1] * n_events + [0] * 400)
    s = np.random.default_rng(5).normal(size=len(y)) + shift * y
    sketch = CapSketch(max_bins=8)
    sketch.update(y, s)
    return sketch.curve, y, s


@pytest.mark.parametrize("shift", [-1.0, 0.0, 0.5, 1.0])
def test_limits_for_any_distribution_of_bins_allow_for_every_order_within_them(shift):
    curve, y, s = sketch_few(9, shift)
    (model,) = report(curve, "y", "s").facts["models"]
    bounds, level = curve.accuracy_ratio, np.log(2 / 0.05) / 9
    for bound, limit in ((bounds.low, "low"), (bounds.high, "high")):
        shares = (1 + np.array([bound, model["exact_limits"][limit]])) / 2
        assert rel_entr(shares[0], shares[1]) + rel_entr(
            1 - shares[0], 1 - shares[1]
        ) == pytest.approx(level)  # section "exact" of docs/inference.md
    with pytest.warns(FewEventsWarning):
        exact = accuracy_ratio_interval(y, s, method="exact")
    assert model["exact_limits"]["low"] <= exact.low
    assert model["exact_limits"]["high"] >= exact.high
    assert "and so are the distribution-free limits" in str(report(curve, "y", "s").facts)


def test_bins_have_no_limits_but_a_place_of_ks():
    binned = BinnedCurve.from_frame(LOANS, "default", "champion_pd")
    (model,) = report(binned, "default", "champion_pd").facts["models"]
    curve = CapCurve.from_predictions(*scores())
    assert model["ks"]["value"] == pytest.approx(curve.ks, abs=0.01)
    assert model["captured"][0]["low"] is None
    assert not model["captured"][0]["few_rows"]
    assert not model["gains_total"]["has_limits"]
