"""Somers' D by SciPy, by all pairs, and from contingency tables."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import somersd

from capcurve import (
    CapcurveError,
    Estimate,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test_initial,
    somers_d_from_table,
    somers_d_interval,
    somers_d_score,
)
from capcurve._engines.concordance import compute_row_concordance
from strategies import rankings, weighted_rankings

TABLE = [[8, 3, 1], [3, 6, 4], [1, 2, 7]]
few = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
VALUES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 40), st.sampled_from([0.5, 1.0, 3.0])),
    min_size=1,
    max_size=40,
)


@given(rows=VALUES)
def test_every_pair_is_counted_once(rows):
    a, b, w = np.array(rows).T
    agree = np.sign(np.subtract.outer(a, a)) * np.sign(np.subtract.outer(b, b))
    assert compute_row_concordance(a, b, w) == pytest.approx(agree @ w)


@given(ranking=rankings())
def test_the_score_is_that_of_scipy(ranking):
    y, s = ranking
    ranks = np.unique(s, return_inverse=True)[1]
    if len(set(ranks)) > 1:  # SciPy gives nan for a constant score
        assert somers_d_score(y, s) == pytest.approx(somersd(y, ranks).statistic)
    assert somers_d_score(y, s, descending=False) == -somers_d_score(y, s)


@given(ranking=weighted_rankings(kinds=["events"]))
def test_of_events_it_is_the_accuracy_ratio(ranking):
    y, s, w = ranking
    ratio = accuracy_ratio_score(y, s, sample_weight=w)
    assert somers_d_score(y, s, sample_weight=w) == pytest.approx(ratio, abs=1e-12)


@few
@given(ranking=rankings(), data=st.data())
def test_counted_rows_are_repeated_rows(ranking, data):
    y, s = ranking
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y)))
    counted = somers_d_interval(y, s, sample_weight=times, weights="frequency")
    repeated = somers_d_interval(y.repeat(times), s.repeat(times))
    for field in ("value", "standard_error", "low", "high", "n_events"):
        expected = pytest.approx(getattr(repeated, field), rel=1e-9, abs=1e-9, nan_ok=True)
        assert getattr(counted, field) == expected


@few
def test_a_table_is_its_rows():
    table = np.array([[5, 6, 4, 1], [0, 1, 2, 3]])
    realised, grade = (index.ravel().repeat(table.ravel()) for index in np.indices((2, 4)))
    of_table, of_rows = somers_d_from_table(table), somers_d_interval(realised, grade)
    assert of_table.value == pytest.approx(of_rows.value)
    assert of_table.low == pytest.approx(of_rows.low)
    assert repr(of_table) == repr(of_rows)
    assert repr(of_table.to_auc()).startswith("gAUC 0.839, 95 % interval ")
    assert repr(of_table).endswith("(beta, 22 rows)")


@few
def test_scipy_agrees_on_a_table():
    assert somers_d_from_table(TABLE).value == pytest.approx(somersd(TABLE).statistic)


def test_rare_events_among_rows_have_nearly_the_interval_of_the_accuracy_ratio():
    rng = np.random.default_rng(5)
    y = (np.arange(2000) < 200).astype(int)
    s = rng.normal(size=2000) + y
    plain, ratio = somers_d_interval(y, s), accuracy_ratio_interval(y, s)
    assert plain.value == pytest.approx(ratio.value)
    assert plain.standard_error == pytest.approx(ratio.standard_error, rel=0.01)
    clustered = somers_d_interval(y, s, clusters=np.arange(2000) // 2)
    assert clustered.standard_error == pytest.approx(plain.standard_error, rel=0.2)


def test_equal_outcomes_leave_it_undefined():
    with pytest.warns(UndefinedMetricWarning, match="all values of `y_true` are equal"):
        assert np.isnan(somers_d_score([2, 2], [1, 2]))
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(somers_d_interval([2, 2], [1, 2]).low)


def test_without_variance_the_interval_does_not_collapse():
    many = somers_d_interval(np.arange(400), np.arange(400))
    with pytest.warns(FewEventsWarning, match=r"1\.5 effective pairs of rows"):
        estimate = somers_d_interval([1, 2, 3], [1, 2, 3])
    with pytest.warns(FewEventsWarning):
        wald = somers_d_interval([1, 2, 3], [1, 2, 3], method="wald")
    assert estimate.value == many.value == estimate.high == 1
    assert estimate.low < 0
    assert 0.97 < many.low < 1
    assert np.isnan([wald.low, wald.high]).all()


def test_few_pairs_of_rows_warn_once_by_the_rule_of_amounts():
    y = np.arange(40.0)
    s = y + 15 * np.sin(y)
    somers_d_interval(y, s)  # 20 effective pairs: no warning, which would be an error
    with pytest.warns(FewEventsWarning, match=r"19\.5 effective pairs of rows") as caught:
        somers_d_interval(y[1:], s[1:])
    assert len(caught) == 1
    somers_d_from_table(2 * np.array(TABLE))
    with pytest.warns(FewEventsWarning, match=r"effective pairs of rows \(fewer than 20\)"):
        somers_d_from_table(TABLE)


def test_other_methods_warn_of_few_wrongly_ranked_rows():
    y = np.arange(100.0)
    s = y + 2 * np.sin(y)
    somers_d_interval(y, s)
    with pytest.warns(
        FewEventsWarning, match="ranked wrongly, .* 'beta' covers with fewer"
    ):
        somers_d_interval(y, s, method="logit-t")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1, 2], r"a row per realised class and a column per grade, got shape \(2,\)"),
        ([[0.5, 1], [1, 2]], "`table` must hold counts"),
        ([["a"]], "`table` must hold numbers"),
    ],
)
def test_other_tables_are_refused(table, message):
    with pytest.raises(CapcurveError, match=message):
        somers_d_from_table(table)


def test_the_accuracy_ratio_of_amounts_is_no_auc():
    amounts = [0.0, 0.2, 0.3, 0.9, 0.5, 0.1] * 30
    score = np.array(amounts) + np.sin(np.arange(180))
    gini = accuracy_ratio_interval(amounts, score)
    assert str(gini).startswith("AR of amounts 0.")
    for use in (Estimate.to_auc, partial(accuracy_ratio_test_initial, initial_auc=0.75)):
        with pytest.raises(CapcurveError, match="pass `somers_d_interval`"):
            use(gini)
    found = accuracy_ratio_test_initial(somers_d_interval(amounts, score), initial_auc=0.75)
    expected = (1 + somersd(amounts, score).statistic) / 2
    assert found.ecb.second == pytest.approx(expected)
