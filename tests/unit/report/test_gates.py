"""Gates: limits of a report, and what passes."""

import math

import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    CapSketch,
    DroppedRowsWarning,
    Gate,
    Report,
    accuracy_ratio_score,
    report,
)
from capcurve._report.gate_limits import GateLimits
from capcurve._report.gates import (
    NO_INTERVAL,
    NO_VARIANCE,
    Challenge,
    Judged,
    count_verdicts,
    explain_failures,
    judge_changes,
    judge_initial,
    judge_left_out,
    judge_ratios,
    list_undecided,
)
from capcurve._report.provenance import OF_QUERY
from capcurve.datasets import make_portfolio

RETAIL = Judged("retail, pd", 0.45, 30)
FEW = Judged("sovereign, pd", 0.9, 4)
NONE = Judged("banks, pd", None, 0)


def verdicts(gates):
    return [gate.passed for gate in gates]


def test_an_ar_passes_from_its_limit_on():
    for limit, passed in ((0.44, True), (0.45, True), (0.4501, False)):
        (gate,) = judge_ratios([RETAIL], GateLimits(fail_below=limit))
        assert gate == Gate(
            gate="fail_below",
            subject="retail, pd",
            value=0.45,
            limit=limit,
            passed=passed,
            text=f"accuracy ratio of retail, pd is 0.4500, required is at least {limit:g}",
        )


def test_what_is_undefined_fails_or_is_skipped():
    found = [RETAIL, FEW, NONE, NONE._replace(value=math.nan)]
    assert verdicts(judge_ratios(found, GateLimits(fail_below=0.3))) == [
        *(True, True, False, False)
    ]
    limits = GateLimits(fail_below=0.3, min_events=20)
    gates = judge_ratios(found, limits)
    assert verdicts(gates) == [True, False, False, False]
    assert [gate.value for gate in gates] == [0.45, None, None, None]
    assert explain_failures(gates[:3]) == (
        "accuracy ratio of sovereign, pd is 0.9000, but rests on 4 events, required are at "
        "least 20; "
        "accuracy ratio of banks, pd is undefined, required is at least 0.3"
    )
    for n_events, told in ((4, "4 rows above 0"), (1, "1 row above 0")):
        amount = FEW._replace(n_events=n_events, unit="row above 0")
        (gate,) = judge_ratios([amount], limits)
        assert gate.text.endswith(f"rests on {told}, required are at least 20")
    skipped = judge_ratios(found, GateLimits(fail_below=0.3, on_undefined="skip"))
    assert verdicts(skipped) == [True, True, None, None]
    limits = GateLimits(fail_below=0.3, min_events=20, on_undefined="skip")
    unjudged = judge_ratios(found, limits)
    assert verdicts(unjudged) == [True, None, None, None]
    assert unjudged[1].value is None
    assert unjudged[1].text.endswith(
        "is 0.9000, but rests on 4 events, required are at least 20, skipped"
    )
    assert explain_failures(skipped) == ""
    assert skipped[2].text == "accuracy ratio of banks, pd is undefined, skipped"


@pytest.mark.parametrize(
    ("limit", "passed", "skipped"),
    [
        (0.4, True, True),
        (0.41, False, None),
        (0.45, False, None),  # the value itself, which is a tie within bins
        (0.5, False, None),
        (0.51, False, False),
    ],
)
def test_a_limit_within_the_guaranteed_bounds_is_not_kept(limit, passed, skipped):
    binned = [RETAIL._replace(bounds=(0.4, 0.5))]
    (failed,) = judge_ratios(binned, GateLimits(fail_below=limit))
    (unjudged,) = judge_ratios(binned, GateLimits(fail_below=limit, on_undefined="skip"))
    assert (failed.passed, unjudged.passed) == (passed, skipped)
    assert failed.value == unjudged.value == 0.45
    if skipped is None:
        text = (
            "accuracy ratio of retail, pd is only known to be from 0.4 to 0.5, as scores "
            f"share bins, required is at least {limit:g}"
        )
        assert (failed.text, unjudged.text) == (text, f"{text}, skipped")
        assert list_undecided([failed, unjudged]) == [unjudged.text]


def test_bounds_that_differ_by_rounding_are_no_bounds():
    exact = [RETAIL._replace(bounds=(0.45 - 1e-14, 0.45))]
    assert verdicts(judge_ratios(exact, GateLimits(fail_below=0.45))) == [True]


def test_few_events_are_told_before_bounds():
    few = [FEW._replace(bounds=(0.8, 1.0))]
    (gate,) = judge_ratios(few, GateLimits(fail_below=0.9, min_events=5))
    assert gate.text.endswith("is 0.9000, but rests on 4 events, required are at least 5")
    assert gate.value is None


def test_a_report_of_shared_bins_is_judged_by_their_bounds():
    loans = make_portfolio(3_000)
    sketch = CapSketch(max_bins=40)
    sketch.update(loans["default"], loans["champion_pd"])
    made = report(sketch, None, "champion_pd")
    value, low, high = sketch.accuracy_ratio
    exact = accuracy_ratio_score(loans["default"], loans["champion_pd"])
    assert low < value < exact < high
    for limit, passed in ((low, True), (value, False), (high, False)):
        (gate,) = made.with_gates(fail_below=limit).gates
        assert (gate.value, gate.passed) == (value, passed)
    (gate,) = made.with_gates(fail_below=value, on_undefined="skip").gates
    assert gate.passed is None
    # The lower limit is that of the worst order within bins.
    low = made.facts["models"][0]["accuracy_ratio"]["low"]
    (gate,) = made.with_gates(fail_below=low, fail_on_lower_bound=True).gates
    assert gate.passed


def test_a_limit_of_exactly_as_many_events_judges():
    limits = GateLimits(fail_below=0.3, min_events=4)
    assert verdicts(judge_ratios([FEW], limits)) == [True]


def test_p_values_fail_below_their_level():
    limits = GateLimits(fail_if_worse_than_initial=0.05, fail_if_challenger_better=0.01)
    tests = [
        Judged("a", 0.049, 30, test="two samples"),
        Judged("b", 0.05, 30, test="ECB"),
        Judged("c", None, 30, test="ECB"),
    ]
    (first, *_) = judge_initial(tests, limits, is_adjusted=True)
    assert first.text.startswith("one-sided p-value (Holm) of the decrease since initial")
    gates = judge_initial(tests, limits)
    assert verdicts(gates) == [False, True, False]
    assert gates[0].text == (
        "one-sided p-value of the decrease since initial validation of a by the two-sample "
        "test is 0.0490, required is at least 0.05"
    )
    assert "of b by the ECB's test is 0.0500," in gates[1].text
    assert gates[2].text.endswith(
        "of c by the ECB's test is undefined, required is at least 0.05"
    )
    found = [
        Challenge(Judged("new against old", 2e-7, 30), 0.056),
        Challenge(Judged("new against old", 0.02, 30), 0.056),
        Challenge(Judged("new against old", 2e-7, 30), -0.056),
        Challenge(Judged("new against old", None, 30), -0.056),
    ]
    gates = judge_changes(found, limits, "better")
    assert verdicts(gates) == [False, True, True, False]
    assert gates[0].text == (
        "new against old: difference in AR +0.0560, whose two-sided p-value (Holm) is "
        "<0.0001, required is at least 0.01"
    )
    assert gates[2].text == (
        "new against old: difference in AR -0.0560, which is not better"
    )
    limits = GateLimits(fail_if_challenger_better=0.01, min_events=31)
    for gate in judge_changes(found[:3], limits, "better"):  # whatever the direction
        assert (gate.value, gate.passed) == (None, False)
        assert gate.text.startswith("p-value of new against old is ")
        assert gate.text.endswith(", but rests on 30 events, required are at least 31")


def test_a_sample_fails_if_it_is_worse_than_the_reference():
    limits = GateLimits(fail_if_worse_than_initial=0.05)
    found = [
        Challenge(Judged("pd, 2024 against 2021", 0.01, 30), -0.1, is_one_sided=True),
        Challenge(Judged("pd, 2024 against 2021", 0.06, 30), -0.1),
        Challenge(Judged("pd, 2024 against 2021", 0.01, 30), 0.1),
    ]
    gates = judge_changes(found, limits, "worse")
    assert verdicts(gates) == [False, True, True]
    assert gates[0].text == (
        "pd, 2024 against 2021: difference in AR -0.1000, whose one-sided p-value (Holm) "
        "is 0.0100, required is at least 0.05"
    )
    assert gates[2].text == (
        "pd, 2024 against 2021: difference in AR +0.1000, which is not worse"
    )


def test_no_limit_gives_no_gate():
    limits = GateLimits()
    assert not limits.is_set
    assert judge_ratios([RETAIL], limits) == []
    assert judge_initial([RETAIL], limits) == []
    assert judge_changes([Challenge(RETAIL, 0.1)], limits, "better") == []
    assert judge_changes([Challenge(RETAIL, 0.1)], limits, "worse") == []


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"fail_below": 45}, "`fail_below` must be an AR from -1 to 1, got 45; 45 % is"),
        ({"fail_below": "0.4"}, "`fail_below` must be an AR from -1 to 1, got '0.4'"),
        (
            {"fail_if_worse_than_initial": 5},
            (
                "`fail_if_worse_than_initial` must be a significance level between 0 and "
                "1, got 5; 5 % is 0.05"
            ),
        ),
        ({"fail_if_challenger_better": 0}, "`fail_if_challenger_better` must be a sig"),
        ({"fail_if_left_out": 5}, "`fail_if_left_out` must be a share from 0 to 1, got 5;"),
        ({"fail_if_left_out": -0.1}, "`fail_if_left_out` must be a share from 0 to 1, go"),
        ({"fail_if_left_out": math.nan}, "`fail_if_left_out` must be a share from 0 to 1"),
        ({"fail_if_left_out": 1, "min_events": 9}, "`min_events` requires a gate, got no"),
        ({"fail_below": 0, "min_events": 0}, "`min_events` must be a positive whole num"),
        ({"fail_below": 0, "on_undefined": "stop"}, "`on_undefined` must be 'fail' or 'sk"),
        ({"fail_on_lower_bound": True}, "`fail_on_lower_bound` requires `fail_below`, wh"),
        ({"min_events": 20}, "`min_events` requires a gate, got none that rests on ev"),
        (
            {"on_undefined": "skip"},
            "`on_undefined` requires a gate, got none; add one, suc",
        ),
    ],
)
def test_limits_say_what_they_take(limits, message):
    with pytest.raises(CapcurveError) as refused:
        GateLimits(**limits)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("limit", "passed"), [(0, False), (0.2499, False), (0.25, True), (1, True)]
)
def test_the_share_of_rows_left_out_may_reach_its_limit(limit, passed):
    rows = {"read": 4_000, "left_out": 1_000}
    assert judge_left_out(rows, GateLimits(fail_if_left_out=limit)) == [
        Gate(
            gate="fail_if_left_out",
            subject="rows",
            value=0.25,
            limit=limit,
            passed=passed,
            text="share of rows left out is 0.25 (1,000 of 4,000), allowed is at most "
            f"{limit:g}",
        )
    ]
    assert judge_left_out(rows, GateLimits(fail_below=0)) == []


@pytest.mark.parametrize(
    ("score", "why"),
    [
        ([1.0] * 60, "all rows share one score, which shows no variance of AR"),
        ([1.0] * 30 + [0.0] * 30, "rows that are ranked without an error show no var"),
    ],
)
@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_a_decrease_that_could_not_be_tested_says_why(score, why):
    rows = pl.DataFrame({"y": [1] * 30 + [0] * 30, "s": score})
    made = report(rows, "y", "s", initial_auc=0.9)
    (gate,) = made.with_gates(fail_if_worse_than_initial=0.05).gates
    assert gate.passed is False
    assert f"by the ECB's test is undefined ({why}" in gate.text


def test_the_share_of_no_rows_is_undefined():
    rows = {"read": 0, "left_out": 0}
    limits = GateLimits(fail_if_left_out=1, on_undefined="skip")
    text = "share of rows left out is undefined, as no row was read"
    (skipped,) = judge_left_out(rows, limits)
    assert (skipped.value, skipped.passed) == (None, None)
    assert skipped.text == f"{text}, skipped"
    (failed,) = judge_left_out(rows, GateLimits(fail_if_left_out=1))
    assert (failed.passed, failed.text) == (False, text)


def test_a_report_judges_the_rows_left_out():
    frame = pl.DataFrame(
        {"y": [1, 0, 1, 0, None], "s": [3, None, 2, 1, 1], "w": [1, 1, 0, 1, 1]}
    )
    with pytest.warns(DroppedRowsWarning):
        made = report(frame, "y", "s", case_weights="w")
    judged = made.with_gates(fail_if_left_out=0.5)
    (gate,) = judged.gates  # two with a missing value, one of weight 0
    assert (gate.value, gate.passed) == (0.6, False)
    page = judged.to_html()
    assert "Few rows left out" in page
    assert "share of rows left out is 0.6 (3 of 5), allowed is at most 0.5" in page


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_an_interval_or_a_difference_that_is_unknown_says_why():
    rows = pl.DataFrame({"y": [1, 0, 0, 0], "s": [2.0, 3, 1, 0], "t": [3.0, 1, 2, 0]})
    made = report(rows, "y", "s", compare="t")
    (pair,) = made.with_gates(fail_if_challenger_better=0.05).gates
    sketch = CapSketch()
    sketch.update([1, 0, 0, 0], [2.0, 3, 1, 0], sample_weight=[1.5, 1, 1, 1])
    made = report(sketch, None, "s")
    (low,) = made.with_gates(fail_below=-1, fail_on_lower_bound=True).gates
    for gate, why in ((low, NO_INTERVAL), (pair, NO_VARIANCE)):
        assert gate.value is None
        assert f"is undefined ({why}), required" in gate.text


def test_a_page_writes_verdicts_like_its_other_texts():
    rows = pl.DataFrame({"y": [1, 0] * 60, "s": [0.0, 1.0] * 50 + [1.0, 0.0] * 10})
    made = report(rows, "y", "s", initial_auc=0.9)
    judged = made.with_gates(fail_below=0.5, fail_if_worse_than_initial=0.05)
    page = judged.to_html()
    assert judged.gates[0].text.startswith("accuracy ratio of s is -0.6667, required")
    assert "accuracy ratio of s is \N{MINUS SIGN}0.6667, required is at least 0.5<" in page
    assert "ECB&#x27;s test is &lt;0.0001, required is at least 0.05<" in page


@pytest.fixture(scope="module")
def found():
    loans = pl.DataFrame(make_portfolio(3_000))
    return report(
        loans,
        "default",
        "champion_pd",
        compare="challenger_pd",
        by="segment",
        period="year",
        initial_auc=0.9,
        initial_variance=1e-4,
    )


def test_a_report_judges_its_champion_overall_and_in_segments(found):
    judged = found.with_gates(
        fail_below=0.55, fail_if_worse_than_initial=0.05, fail_if_challenger_better=0.05
    )
    assert type(judged) is Report
    assert found.gates == ()
    assert [gate.subject for gate in judged.gates] == [
        "champion_pd",
        "segment corporate, champion_pd",
        "segment retail, champion_pd",
        "segment small business, champion_pd",
        "champion_pd",
        "challenger_pd against champion_pd",
    ]
    ratio = found.facts["models"][0]["accuracy_ratio"]
    assert judged.gates[0].value == ratio["value"]
    assert judged.gates[0].passed == (ratio["value"] >= 0.55)
    two_samples = found.facts["initial"][1]
    assert (two_samples["model"], two_samples["test"]) == ("champion_pd", "two samples")
    assert judged.gates[4].value == two_samples["p_value"] < 0.05
    assert judged.gates[4].passed is False
    (pair,) = found.facts["challengers"]
    assert judged.gates[5].value == pair["p_holm"]
    assert judged.facts["gates"][0]["text"] == judged.gates[0].text
    low = found.with_gates(fail_below=0.55, fail_on_lower_bound=True).gates[0]
    assert low.value == ratio["low"]
    assert low.text.startswith("lower confidence limit of champion_pd is ")


def test_every_challenger_is_judged_against_the_champion_alone(found):
    pair = found.facts["challengers"][0]
    other = {"model": "a", "against": "challenger_pd", "value": 1.0, "p_holm": 0.0}
    third = pair | {"model": "a", "value": 0.1, "p_holm": 0.001}
    facts = {**found.facts, "challengers": [pair, third, pair | other]}
    gates = Report(facts).with_gates(fail_if_challenger_better=0.01).gates
    assert [(gate.subject, gate.passed) for gate in gates] == [
        ("challenger_pd against champion_pd", True),
        ("a against champion_pd", False),
    ]


def test_the_call_makes_the_gates_again(found):
    limits = {"fail_below": 0.3, "on_undefined": "skip"}
    told = found.with_gates(**limits).facts["provenance"]["call"]
    assert told == (
        f"{found.facts['provenance']['call']}"
        ".with_gates(fail_below=0.3, on_undefined='skip')"
    )
    of_query = {"call": f"report(data, 'y', 's'){OF_QUERY}"}
    told = Report(found.facts | {"provenance": of_query}).with_gates(fail_below=0.3)
    assert told.facts["provenance"]["call"] == (
        "report(data, 'y', 's').with_gates(fail_below=0.3)"
        "  # data: the rows that the query returned"
    )
    unknown = Report(found.facts | {"provenance": {"call": None}})
    assert unknown.with_gates(**limits).facts["provenance"] == {"call": None}


def test_verdicts_are_counted_the_urgent_ones_first():
    verdicts = [{"passed": passed} for passed in (True, None, True, False)]
    assert count_verdicts(verdicts) == "1 failed, 1 not judged, 2 passed"
    assert count_verdicts(verdicts[:1]) == "1 passed"


def test_a_report_names_undefined_and_missing_segments():
    frame = pl.DataFrame(
        {"y": [1, 0, 1, 0, 1], "s": [3, 1, 2, 1, 1], "g": ["a", "a", None, None, "b"]}
    )
    judged = report(frame, "y", "s", by="g").with_gates(fail_below=-1)
    assert [(gate.subject, gate.passed) for gate in judged.gates] == [
        ("s", True),
        ("g a, s", True),
        ("g b, s", False),
        ("g (missing), s", True),
    ]
    assert judged.gates[2].text == (
        "accuracy ratio of g b, s is undefined (no non-events), required is at least -1"
    )


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_gates_on_events_say_what_they_come_down_to_in_clusters():
    loans = pl.DataFrame(make_portfolio(1_000))
    half = pl.int_range(pl.len()) < 500
    loans = loans.with_columns(half=half, borrower=pl.int_range(pl.len()) // 40)
    asked = {"by": "half", "clusters": "borrower"}
    few = report(loans, "default", "champion_pd", **asked)
    (text, *_) = [
        gate.text for gate in few.with_gates(fail_below=-1, min_events=5).gates[1:]
    ]
    ratio = few.facts["segments"][0]["groups"][0]["accuracy_ratio"]
    assert ratio["n_effective"] < 20
    told = f"{ratio['n_effective']:.3g} of {ratio['n_events']} events"
    assert text.endswith(f", required is at least -1; effectively it rests on {told}")
    for gates in (
        few.with_gates(fail_below=-1).gates,
        few.with_gates(fail_below=-1, min_events=5).gates[:1],
        report(loans, "default", "champion_pd", by="half")
        .with_gates(fail_below=-1, min_events=5)
        .gates,
        report(loans, "loss", "champion_pd", **asked)
        .with_gates(fail_below=-1, min_events=5)
        .gates,
    ):
        assert all("effectively" not in gate.text for gate in gates)


def test_gates_need_the_test_that_they_are_about():
    frame = pl.DataFrame({"y": [1, 0, 1, 0], "s": [3, 1, 2, 4]})
    plain = report(frame, "y", "s")
    with pytest.raises(CapcurveError, match="requires the AUC at initial validation"):
        plain.with_gates(fail_if_worse_than_initial=0.05)
    with pytest.raises(CapcurveError, match="requires a challenger, got one score; add"):
        plain.with_gates(fail_if_challenger_better=0.05)
