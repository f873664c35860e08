"""Views of estimates, tests and bands."""

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from capcurve import (
    Band,
    Comparison,
    Estimate,
    FewEventsWarning,
    ImpliedComparison,
    InitialComparison,
    JointComparison,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_implied,
    capture_rate_interval,
    ks_interval,
    somers_d_from_table,
    somers_d_interval,
)
from views import rows_of, sentences_of

ESTIMATE = Estimate(
    value=0.57,
    standard_error=0.021,
    low=0.52,
    high=0.61,
    confidence_level=0.9,
    method="beta",
    n_events=453,
    n_nonevents=9547,
    test=lambda: pytest.fail("the p-value is computed when it is asked for"),
    degrees_of_freedom=120.25,
    n_effective=453,
)
COMPARISON = Comparison(
    value=0.02,
    standard_error=0.0165,
    low=-0.012,
    high=0.052,
    confidence_level=0.95,
    method="score",
    n_events=453,
    n_nonevents=9547,
    p_value=0.2241,
    statistic=1.2177,
    degrees_of_freedom=491.53,
    alternative="two-sided",
    margin=0.0,
    first=0.59,
    second=0.57,
    n_effective=453,
    n_errors=90,
)


def test_an_estimate_is_a_sentence_and_its_numbers():
    html = ESTIMATE._repr_html_()
    assert sentences_of(html) == ["AR 0.5700, 90 % interval 0.5200 to 0.6100"]
    assert rows_of(html) == [
        ["Standard error", "0.0210"],
        ["Method", "beta"],
        ["Degrees of freedom", "120.2"],
        ["Events", "453"],
        ["Non-events", "9,547"],
    ]


def test_an_estimate_shows_effective_sizes_and_warns_of_few_events():
    html = replace(ESTIMATE, n_effective=12.34, degrees_of_freedom=inf)._repr_html_()
    assert rows_of(html)[-1] == ["Effective size of the smaller class", "12.3"]
    assert "Degrees of freedom" not in html
    assert sentences_of(html)[1] == (
        "Few events, so the interval may not cover at its confidence level: based on 12.3 "
        "effective events (fewer than 20)."
    )
    assert 'class="warning"' in html
    well_ranked = replace(ESTIMATE, value=0.99, method="wald")
    assert sentences_of(well_ranked._repr_html_())[1].endswith(
        "based on 2.3 wrongly ranked events, by the AUC (fewer than 5); 'beta' covers with "
        "fewer."
    )


def test_estimates_name_what_they_count():
    amounts = replace(ESTIMATE, name="pooled AR of amounts")._repr_html_()
    assert sentences_of(amounts)[0].startswith("Pooled AR of amounts 0.5700, ")
    assert rows_of(amounts)[-2:] == [["Rows above 0", "453"], ["Rows of 0", "9,547"]]
    table = somers_d_from_table([[80, 30, 10], [30, 60, 40], [10, 20, 70]])
    assert ["Rows", "350"] in rows_of(table._repr_html_())
    assert rows_of(table._repr_html_())[-1][0] == "Effective pairs of rows"
    few = replace(ESTIMATE, name="AR of amounts", n_effective=15.2)._repr_html_()
    assert rows_of(few)[-1] == ["Effective pairs of rows", "15.2"]
    assert sentences_of(few)[1].startswith("Few rows, so the interval may not cover ")


def test_tests_of_amounts_name_what_they_count():
    loss = np.r_[np.linspace(1000.5, 1070.5, 8), np.zeros(392)]
    scores = np.arange(400) * 37 % 400, np.arange(400) * 41 % 400
    with pytest.warns(FewEventsWarning):
        html = accuracy_ratio_test(loss, *scores)._repr_html_()
    assert rows_of(html)[-3:] == [
        ["Rows above 0", "8"],
        ["Rows of 0", "392"],
        ["Effective pairs of rows", "15.7"],
    ]
    sentence, warning = sentences_of(html)
    assert sentence.startswith("AR of amounts difference ")
    assert warning == (
        "Few rows: the test is based on 15.7 effective pairs of rows (fewer than 20), so "
        "it may not keep its level."
    )


def test_the_generalised_auc_is_written_as_the_field_does():
    found = somers_d_interval([0.5, 2, 1, 3] * 10, [1, 3, 2, 2] * 10).to_auc()
    (sentence, *_) = sentences_of(found._repr_html_())
    assert sentence.startswith("gAUC 0.")


def test_an_undefined_estimate_says_so():
    with pytest.warns(UndefinedMetricWarning):
        html = accuracy_ratio_interval([0, 0, 0], [1, 2, 3])._repr_html_()
    assert sentences_of(html) == ["AR undefined"]
    assert rows_of(html)[0] == ["Standard error", "undefined"]
    html = replace(ESTIMATE, low=nan, high=nan)._repr_html_()
    assert sentences_of(html) == ["AR 0.5700, 90 % interval undefined"]


def test_an_average_shows_each_label_and_which_have_few_events():
    few = replace(ESTIMATE, n_events=7, n_effective=7)
    by_label = {"a": ESTIMATE, 2: replace(ESTIMATE, low=nan, value=nan), "c": few}
    html = replace(ESTIMATE, n_effective=3, by_label=by_label)._repr_html_()
    assert rows_of(html)[-4:] == [
        ["Label", "AR", "90 % interval", "Events", "Non-events"],
        ["a", "0.5700", "0.5200 to 0.6100", "453", "9,547"],
        ["2", "undefined", "undefined", "453", "9,547"],
        ["c", "0.5700", "0.5200 to 0.6100", "7", "9,547"],
    ]
    told = "Few events, so the interval may not cover at its confidence level: "
    assert sentences_of(html)[1] == f"{told}label 'c': 7 events (fewer than 20)."
    many = replace(ESTIMATE, by_label=dict.fromkeys(range(9), few))._repr_html_()
    named = "; ".join(f"label {label}: 7 events (fewer than 20)" for label in range(5))
    assert sentences_of(many)[1] == f"{told}{named}; 4 more."
    assert len(sentences_of(replace(ESTIMATE, by_label={"a": ESTIMATE})._repr_html_())) == 1


def test_a_comparison_is_a_sentence_and_its_numbers():
    html = COMPARISON._repr_html_()
    assert sentences_of(html) == [
        "AR difference 0.0200 (0.5900 - 0.5700), 95 % interval -0.0120 to 0.0520, p = 0.224"
    ]
    assert rows_of(html) == [
        ["Hypothesis tested", "the difference is 0"],
        ["Test statistic", "1.2177"],
        ["Degrees of freedom", "491.5"],
        ["Standard error", "0.0165"],
        ["Method", "score"],
        ["Events", "453"],
        ["Non-events", "9,547"],
    ]


@pytest.mark.parametrize(
    ("alternative", "margin", "hypothesis", "limits"),
    [
        ("greater", 0.0, "0 or less", "lower limit -0.0120"),
        ("greater", 0.02, "-0.02 or less", "lower limit -0.0120"),
        ("less", 0.0, "0 or more", "upper limit 0.0520"),
        ("less", 0.02, "0.02 or more", "upper limit 0.0520"),
        ("equivalent", 0.02, "0.02 or more, either way", "limits -0.0120 and 0.0520"),
    ],
)
def test_a_comparison_says_what_it_tests(alternative, margin, hypothesis, limits):
    html = replace(COMPARISON, alternative=alternative, margin=margin)._repr_html_()
    assert rows_of(html)[0] == ["Hypothesis tested", f"the difference is {hypothesis}"]
    assert f"95 % {limits}, p = 0.224" in sentences_of(html)[0]


def test_a_comparison_warns_where_it_may_miss_its_level():
    html = replace(COMPARISON, n_errors=2.5)._repr_html_()
    assert sentences_of(html)[1] == (
        "Few events: the test is based on 2.5 wrongly ranked events, by the AUC (fewer "
        "than 5), so it may not keep its level."
    )


def test_an_undefined_test_says_so():
    html = replace(COMPARISON, low=nan, high=nan, p_value=nan, statistic=nan)._repr_html_()
    assert sentences_of(html)[0].endswith("95 % interval undefined, p-value undefined")
    assert rows_of(html)[1] == ["Test statistic", "undefined"]


def test_initial_validation_shows_one_test_or_both():
    two_sample = replace(COMPARISON, method="two samples", p_value=0.0001, n_errors=1)
    html = InitialComparison(ecb=COMPARISON, two_sample=two_sample)._repr_html_()
    first, second, warning = sentences_of(html)
    assert (first[-9:], second[-9:]) == ("p = 0.224", "p < 0.001")
    assert warning.startswith("Few events: ")
    methods = [row[1] for row in rows_of(html) if row[0] == "Method"]
    assert methods == ["score", "two samples"]
    html = InitialComparison(ecb=COMPARISON, two_sample=None)._repr_html_()
    assert len(sentences_of(html)) == 1


def test_a_joint_test_shows_ratios_and_pairs():
    pairs = {
        ("a", "b"): COMPARISON,
        ("a", "c"): replace(COMPARISON, alternative="greater", p_value=1e-5),
        ("b", "c"): replace(COMPARISON, alternative="less", p_value=nan, n_errors=3),
    }
    joint = JointComparison(
        statistic=23.5881,
        degrees_of_freedom=2,
        residual_degrees_of_freedom=12_345.67,
        p_value=0.0004,
        ratios={"a": 0.5, "b": 0.25, "c": 0.125},
        pairs=pairs,
        p_holm=dict(zip(pairs, (0.448, 3e-5, nan), strict=True)),
    )
    html = joint._repr_html_()
    assert sentences_of(html)[0] == (
        "Joint test of 3 AR, p < 0.001 (F = 23.588 with 2 and 12,345.7 degrees of freedom)"
    )
    assert sentences_of(html)[1].startswith("Few events: the test is based on 3 wrongly")
    assert rows_of(html) == [
        ["AR a", "0.5000"],
        ["AR b", "0.2500"],
        ["AR c", "0.1250"],
        ["First", "Second", "Difference", "95 % limits", "p-value", "Holm"],
        ["a", "b", "0.0200", "-0.0120 to 0.0520", "0.224", "0.448"],
        ["a", "c", "0.0200", "at least -0.0120", "< 0.001", "< 0.001"],
        ["b", "c", "0.0200", "at most 0.0520", "undefined", "undefined"],
    ]


@pytest.mark.parametrize(
    ("alternative", "limits"),
    [
        ("two-sided", "range 0.6500 to 0.7300"),
        ("less", "lower limit 0.6500"),
        ("greater", "upper limit 0.7300"),
    ],
)
def test_an_implied_ratio_is_compared_in_a_sentence(alternative, limits):
    implied = ImpliedComparison(
        observed=0.57,
        implied=0.69,
        difference=-0.12,
        standard_error=0.0175,
        low=0.65,
        high=0.73,
        confidence_level=0.95,
        statistic=-6.91,
        p_value=0.0215,
        alternative=alternative,
        shift=-0.22,
        n_events=453,
        n_nonevents=9547,
        expected_events=1542.12,
    )
    html = implied._repr_html_()
    (sentence,) = sentences_of(html)
    assert sentence == (
        f"AR 0.5700, implied 0.6900, 95 % {limits} if the probabilities are right, "
        "p = 0.021"
    )
    assert rows_of(html) == [
        ["Difference", "-0.1200"],
        ["Standard error", "0.0175"],
        ["Test statistic", "-6.9100"],
        ["Alternative", alternative],
        ["Shift of the log-odds", "-0.2200"],
        ["Events", "453"],
        ["Events expected", "1,542.1"],
        ["Non-events", "9,547"],
    ]


@pytest.mark.parametrize(
    ("around", "name"), [("curve", "the curve"), ("random", "an uninformative score")]
)
def test_a_band_is_drawn_and_read_off(around, name):
    share = np.array([0.0, 0.2, 1.0])
    band = Band(
        share, np.array([0, 0.3, 1]), np.array([0, 0.6, 1]), 0.9, "pointwise", around
    )
    html = band._repr_html_()
    assert sentences_of(html) == [f"90 % pointwise band around {name}"]
    # Between shares of 20 % and 100 %, the lower limit rises by 0.7 and the upper by 0.4.
    assert rows_of(html)[1:] == [
        ["10.00%", "15.00%", "30.00%"],
        ["20.00%", "30.00%", "60.00%"],
        ["50.00%", "56.25%", "75.00%"],
    ]
    assert "M0.0 240.0L48.0 96.0L240.0 0.0L240.0 0.0L48.0 168.0L0.0 240.0Z" in html


def test_the_view_warns_where_the_function_did():
    with pytest.warns(FewEventsWarning, match="based on 5 events"):
        found = accuracy_ratio_interval([1] * 5 + [0] * 95, np.arange(100) % 7)
    assert "based on 5 events (fewer than 20)" in found._repr_html_()


def test_events_alone_are_counted_as_events():
    """An average and an AR of amounts without zeros count rows."""
    events, score = np.ones(300), np.arange(300)
    with pytest.warns(UndefinedMetricWarning):
        found = [
            accuracy_ratio_interval(events, score),
            ks_interval(events, score),
            capture_rate_interval(events, score, fraction=0.1),
        ]
    for estimate in found:
        assert "300 events, 0 non-events)" in repr(estimate)
        shown = rows_of(estimate._repr_html_())
        assert ["Events", "300"] in shown
        assert ["Non-events", "0"] in shown
    amounts = accuracy_ratio_interval(score + 1.5, score)
    assert "(beta, 300 rows)" in repr(amounts)
    assert ["Rows", "300"] in rows_of(amounts._repr_html_())


def test_an_undefined_test_of_implied_ar_says_so_once():
    with pytest.warns(UndefinedMetricWarning, match="all scores are equal"):
        found = accuracy_ratio_test_implied([0, 1, 0, 1], [0.2] * 4)
    assert "95 % range undefined if the probabilities are right" in repr(found)
    with pytest.warns(UndefinedMetricWarning, match="holds only events"):
        found = accuracy_ratio_test_implied([1, 1, 1], [0.2, 0.3, 0.4])
    assert repr(found).startswith("AR undefined, implied undefined, 95 % range undefined")
    assert "shift undefined" in repr(found)
