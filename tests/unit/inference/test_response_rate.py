"""Response rates and limits of gains tables: proportions, means, and one number for all."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    capture_rate_interval,
    gains_table,
    lift_interval,
    response_rate_interval,
    response_rate_score,
)
from capcurve._inference.options import IntervalOptions
from capcurve._inference.response_rate import (
    LIMIT_COLUMNS,
    estimate_response_rate,
    find_gains_limits,
)
from capcurve._inference.share_influence import RankedRows
from capcurve._input.reading import read_columns
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
Y, S = LOANS["default"], LOANS["champion_pd"]
RATE = LOANS["loss"] / LOANS["exposure"]
FRAME = pl.DataFrame(LOANS).with_columns(
    rate=pl.Series(RATE),
    grade=pl.Series(np.digitize(S, [0.01, 0.05, 0.15])),
    client=pl.Series(np.arange(len(Y)) // 2),
)


def test_the_rate_is_lift_times_that_of_all_rows():
    top = np.sort(S)[::-1][999]
    assert response_rate_score(Y, S, fraction=0.1) == pytest.approx(
        Y[top <= S].mean(), abs=1e-3
    )
    found = response_rate_interval(Y, S, fraction=0.1)
    assert found.value == pytest.approx(response_rate_score(Y, S, fraction=0.1))
    same = capture_rate_interval(Y, S, fraction=0.1)
    assert found.p_value == pytest.approx(same.p_value)


def test_a_fixed_grade_is_a_proportion():
    table = gains_table(FRAME, "default", "grade", bands="scores", confidence_level=0.9)
    for row in table.to_dicts():
        wilson = stats.binomtest(int(row["n_events"]), int(row["n"])).proportion_ci(
            0.9, "wilson"
        )
        assert (row["response_rate_low"], row["response_rate_high"]) == pytest.approx(
            (wilson.low, wilson.high), rel=1e-9
        )


def test_all_rows_have_the_limits_of_their_rate():
    found = response_rate_interval(Y, S, fraction=1)
    wilson = stats.binomtest(int(Y.sum()), len(Y)).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))
    assert np.isnan(found.p_value)


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_equal_rows_of_a_cluster_count_once():
    score = np.repeat([5.0, 4, 3, 2, 1], [4, 26, 40, 8, 19])
    event = (score == 5) | (np.arange(len(score)) % 7 == 0) & (score > 2)
    once = pl.DataFrame({"y": event, "s": score, "client": np.arange(len(score))})
    often = pl.concat([once] * 10)
    for bands, close in (("scores", 1e-9), (10, 0.01)):
        options = {"bands": bands, "confidence_level": 0.95}
        right = gains_table(once, "y", "s", **options)
        found = gains_table(often, "y", "s", clusters="client", **options)
        unseen = right["response_rate"].is_in([0.0, 1.0])
        for name in ("response_rate_low", "response_rate_high"):
            assert found[name].filter(unseen).to_list() == pytest.approx(
                right[name].filter(unseen).to_list(), abs=close
            )
            assert found[name].to_list() == pytest.approx(right[name].to_list(), abs=0.1)
    last = gains_table(once, "y", "s", bands="scores", confidence_level=0.95).tail(1)
    exact = 1 - 0.05 ** (1 / 19)  # no event in 19, all error on one side
    wilson = stats.binomtest(0, 19).proportion_ci(0.95, "wilson").high
    assert last["response_rate_high"].item() == pytest.approx(max(exact, wilson))


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_no_event_of_a_band_is_that_of_its_clusters():
    score = np.repeat([3.0, 2, 1], [10, 60, 30])
    event = (score > 2) | (np.arange(100) % 5 == 0) & (score > 1)
    once = response_rate_interval(event[30:], -score[30:], fraction=30 / 70)
    rows = np.repeat(np.arange(30, 100), 10)
    found = response_rate_interval(
        event[rows], -score[rows], fraction=30 / 70, clusters=rows
    )
    assert (found.low, found.high) == pytest.approx((once.low, once.high), abs=0.005)


def test_rows_that_all_respond_are_not_certain():
    y = np.arange(200) < 50
    for method in ("wilson", "bootstrap"):
        found = response_rate_interval(
            y, -np.arange(200), fraction=0.1, method=method, random_state=1
        )
        assert (found.value, found.high, found.method) == (1, 1, "wilson")
        assert 0.8 < found.low < 0.9


@pytest.mark.parametrize(
    "options",
    [{}, {"sample_weight": LOANS["exposure"]}, {"clusters": np.arange(len(Y)) // 2}],
    ids=["rows", "weights", "clusters"],
)
@pytest.mark.parametrize("y", [Y, RATE], ids=["events", "amounts"])
def test_replicates_agree(y, options):
    data = {"y_true": y, "y_score": S, "fraction": 0.2, **options}
    found = response_rate_interval(**data)
    rows = {} if options else {"clusters": np.arange(len(Y))}  # events are random too
    drawn = response_rate_interval(
        **data, **rows, method="bootstrap", n_resamples=300, random_state=3
    )
    assert drawn.method == "bootstrap"
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.3)
    assert found.low < found.value < found.high
    assert found.low == pytest.approx(drawn.low, rel=0.15)
    assert found.high == pytest.approx(drawn.high, rel=0.15)


def test_equal_outcomes_leave_it_undefined():
    with pytest.warns(UndefinedMetricWarning, match="response rate at 10 % is undefined"):
        found = response_rate_interval(np.zeros(5, dtype=int), np.arange(5), fraction=0.1)
    assert np.isnan([found.value, found.low, found.high, found.p_value]).all()


def test_a_mean_has_the_limits_of_its_logarithm():
    found = response_rate_interval(RATE, S, fraction=1)
    error = RATE.std() / np.sqrt(len(RATE)) * np.sqrt(453 / 452)
    assert found.standard_error == pytest.approx(error)
    psi = RATE - RATE.mean()
    free = 2 * (psi**2).sum() ** 2 / (psi**4).sum()
    n = len(RATE)
    reach = (
        stats.t(min(free, n - 1)).ppf(0.975) * error * np.sqrt(n / (n - 1)) / RATE.mean()
    )
    assert np.log([found.low, found.high]) == pytest.approx(
        np.log(RATE.mean()) + np.array([-reach, reach])
    )


def test_a_band_without_amounts_has_no_upper_limit():
    frame = pl.DataFrame({"loss": [0.0, 0.0, 2.5, 1.5], "s": [4, 3, 2, 1]})
    with pytest.warns(FewEventsWarning):
        found = gains_table(frame, "loss", "s", bands=2, confidence_level=0.95)
    assert found["response_rate_low"][0] == 0
    assert found["response_rate_high"][0] == np.inf
    assert found["capture_rate_high"][0] < 1


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_a_band_of_few_amounts_has_the_limits_of_so_few():
    """One row, two of equal amounts, and three, whose mean has Student's t of 2 degrees."""
    few = np.array([30, 40, 55])
    loss = np.concatenate([[85.2, 40, 40], few, RATE])
    grade = [9, 8, 8, 7, 7, 7, *[1] * len(RATE)]
    frame = pl.DataFrame({"loss": loss, "grade": grade})
    found = gains_table(frame, "loss", "grade", bands="scores", confidence_level=0.95)
    limits = found.select("response_rate_low", "response_rate_high").rows()
    assert limits[:2] == [(0, np.inf)] * 2
    n, mean = (loss > 0).sum(), few.mean()
    error = few.std(ddof=1) / np.sqrt(3) * np.sqrt(n / (n - 1))
    factor = np.exp(stats.t(2).ppf(0.975) * error / mean)
    assert limits[2] == pytest.approx((mean / factor, mean * factor))


def test_a_mean_that_one_weight_carries_has_no_upper_limit():
    """One row of a hundred weighs a thousand times each of the others."""
    weight = np.where(np.arange(100) == 3, 1e3, 1.0)
    amounts = np.linspace(0, 1, 100) ** 4
    frame = pl.DataFrame({"loss": amounts, "s": range(100), "w": weight})
    found = gains_table(
        frame, "loss", "s", bands=5, case_weights="w", confidence_level=0.95
    )
    high = found["response_rate_high"].to_numpy()
    low = found["response_rate_low"].to_numpy()
    rate = found["response_rate"].to_numpy()
    assert np.all((high <= 1000 * rate) | ((high == np.inf) & (low == 0)))
    assert np.inf in high


@pytest.mark.parametrize("bands", [5, [0.05, 0.3], "scores"])
@pytest.mark.parametrize(
    ("roles", "arrays"),
    [
        ({}, {}),
        ({"case_weights": "exposure"}, {"sample_weight": LOANS["exposure"]}),
        ({"clusters": "client"}, {"clusters": np.arange(len(Y)) // 2}),
    ],
    ids=["rows", "weights", "clusters"],
)
def test_a_table_has_the_limits_of_each_share(bands, roles, arrays):
    score = "grade" if bands == "scores" else "champion_pd"
    table = gains_table(FRAME, "default", score, bands=bands, confidence_level=0.9, **roles)
    for row in table.to_dicts():
        data = {"y_true": Y, "y_score": FRAME[score].to_numpy(), **arrays}
        share = {"fraction": row["population_share"], "confidence_level": 0.9}
        captured = capture_rate_interval(**data, **share)
        lift = lift_interval(**data, **share)
        limits = [row[name] for name in LIMIT_COLUMNS[2:]]
        assert limits == pytest.approx([captured.low, captured.high, lift.low, lift.high])
    first = table.to_dicts()[0]
    if bands != "scores":
        found = response_rate_interval(
            **data, fraction=first["population_share"], confidence_level=0.9
        )
        limits = [first[name] for name in LIMIT_COLUMNS[:2]]
        assert limits == pytest.approx([found.low, found.high])


@pytest.mark.parametrize("score", ["grade", "champion_pd"])
@pytest.mark.parametrize("roles", [{}, {"case_weights": "exposure"}])
@pytest.mark.parametrize("truth", ["default", "rate"])
def test_every_library_and_every_query_has_the_same_limits(score, roles, truth):
    options = {"bands": 4, "by": "segment", "confidence_level": 0.95, **roles}
    expected = gains_table(FRAME, truth, score, **options).sort("segment", "band")
    for frame in (FRAME.to_pandas(), FRAME.to_arrow(), FRAME.lazy()):
        found = pl.DataFrame(gains_table(frame, truth, score, **options))
        found = found.sort("segment", "band")
        for name in LIMIT_COLUMNS:
            assert found[name].to_list() == pytest.approx(
                expected[name].to_list(), rel=1e-9, nan_ok=True
            )


def test_counts_have_the_limits_of_the_rows():
    counts = FRAME.group_by("grade").agg(n=pl.len(), bad=pl.col("default").sum())
    options = {"bands": "scores", "confidence_level": 0.95}
    found = gains_table(counts, None, "grade", counts="n", events="bad", **options)
    expected = gains_table(FRAME, "default", "grade", **options)
    for name in LIMIT_COLUMNS:
        assert found[name].to_list() == pytest.approx(expected[name].to_list())


def test_groups_that_are_undefined_or_small_are_named():
    frame = pd.DataFrame({"g": list("aaabbb"), "y": [1, 0, 1, 0, 0, 0], "s": range(6)})
    with (
        pytest.warns(UndefinedMetricWarning, match="g b"),
        pytest.warns(FewEventsWarning, match="g a"),
    ):
        found = gains_table(frame, "y", "s", by="g", bands=2, confidence_level=0.95)
    of_b = found[found["g"] == "b"]
    assert of_b[list(LIMIT_COLUMNS)].isna().all(axis=None)
    none = gains_table(frame[:0], "y", "s", by="g", bands=2, confidence_level=0.95)
    assert list(none.columns) == list(found.columns)


def test_limits_are_not_made_of_bins():
    with pytest.raises(CapcurveError, match="`confidence_level` requires the distinct"):
        gains_table(FRAME, "default", "champion_pd", confidence_level=0.9, approx=True)
    with pytest.raises(CapcurveError, match="`confidence_level` must lie between 0 and 1"):
        gains_table(FRAME, "default", "champion_pd", confidence_level=90)


def test_limits_of_events_do_not_build_what_only_amounts_need(monkeypatch):
    def refuse(*_):
        raise AssertionError

    columns = read_columns(Y, S)
    for name in ("select_between", "select_block"):
        monkeypatch.setattr(RankedRows, name, refuse)
    for bands in (10, "scores"):
        assert len(find_gains_limits(columns, bands, 0.95)["lift_low"]) > 1
    options = IntervalOptions(0.95, "wilson")
    assert estimate_response_rate(columns, 0.1, options).low > 0
