"""Each rule of the findings, on both sides of its border."""

from copy import deepcopy

import pytest

from capcurve._report.findings import list_findings
from capcurve._report.implied_findings import find_implied
from capcurve._report.initial_findings import find_initial
from capcurve._report.phrases import say_p_value

RATIO = {"value": 0.5}  # of a period in which AR is defined
FACTS = {
    "outcome": "events",
    "confidence_level": 0.95,
    "thresholds": {"green": None, "amber": None},
    "sample": {
        "n_rows": 1_000,
        "n_events": 100,
        "n_non_events": 900,
        "weights": "none",
        "weights_column": None,
        "clusters": None,
    },
    "models": [
        {
            "name": "pd",
            "accuracy_ratio": {
                "value": 0.5,
                "low": 0.4,
                "degrees_of_freedom": 99.0,
                "large_ranked_low": False,
                "high": 0.6,
                "confidence_level": 0.95,
                "name": "AR",
                "method": "beta",
                "n_effective": 9.0,
                "n_events": 9,
                "n_nonevents": 900,
            },
            "auc": {"name": "AUC", "value": 0.75},
            "gauc": None,
            "limits": None,
            "n_effective": 50.0,
            "few_events": False,
            "is_constant": False,
            "descending": True,
            "equals_outcome": False,
            "exact_limits": None,
        }
    ],
    "challengers": [],
    "initial": [],
    "segments": [],
    "periods": [],
    "implied": [],
    "power": None,
    "rows": {
        "read": 1_000,
        "left_out": 0,
        "reasons": [],
        "own_rows": [],
        "other_labels": [],
    },
    "provenance": {"query": None, "options": {}},
}
CHALLENGER = {
    "model": "new",
    "against": "pd",
    "value": 0.05,
    "low": 0.01,
    "high": 0.09,
    "confidence_level": 0.95,
    "standard_error": 0.02,
    "p_value": 0.01,
    "p_holm": 0.02,
    "is_reliable": True,
}
INITIAL = {
    "model": "pd",
    "test": "ECB",
    "name": "AUC",
    "first": 0.8,
    "second": 0.75,
    "value": 0.05,
    "p_value": 0.01,
    "confidence_level": 0.95,
    "is_significant": True,
    "is_reliable": True,
    "n_effective_initial": None,
    "n_effective": 100.0,
    "n_errors": 25.0,
    "degrees_of_freedom": None,
    "s": 0.02,
}
IMPLIED = {
    "model": "pd",
    "score": "pd",
    "n_left_out": 0,
    "observed": 0.5,
    "implied": 0.6,
    "difference": -0.1,
    "alternative": "two-sided",
    "p_value": 0.01,
    "confidence_level": 0.95,
    "is_reliable": True,
}


def say(topic, **changed):
    """Return the text of one finding, and its colour."""
    facts = deepcopy(FACTS)
    facts.update(changed)
    found = {each["topic"]: each for each in list_findings(facts)}
    return found[topic]["text"] if topic in found else None


def with_ratio(**changed):
    """Return the models with other numbers of the champion's AR, or other facts."""
    (model,) = deepcopy(FACTS["models"])
    for name, value in changed.items():
        for place in (model["accuracy_ratio"], model):
            if name in place:
                place[name] = value
    return [model]


def test_the_first_finding_is_the_answer():
    assert say("accuracy_ratio") == (
        "The accuracy ratio (AR) of pd is 0.500, 95 % confidence interval 0.400 to 0.600 "
        "(AUC 0.750). It rests on 100 events among 1,000 rows."
    )
    clusters = {"column": "borrower", "n": 600, "n_event_clusters": 80}
    sample = FACTS["sample"] | {"clusters": clusters}
    assert "100 events among 1,000 rows in 600 clusters." in say(
        "accuracy_ratio", sample=sample
    )
    one = FACTS["sample"] | {"n_events": 1, "n_rows": 1}
    assert "It rests on 1 event among 1 row." in say("accuracy_ratio", sample=one)


@pytest.mark.parametrize(
    ("sample", "n", "told"),
    [
        ({}, 50.0, ""),
        ({"weights": "counts"}, 50.0, ""),
        ({"weights": "sampling"}, 95.1, ""),
        ({"weights": "sampling"}, None, ""),
        (
            {"weights": "sampling"},
            94.6,
            "By unequal weights alone they are as few as 95 events of equal weight.",
        ),
        (
            {"clusters": {"n": 600}},
            46.2,
            "By clusters alone they are as few as 46 independent events.",
        ),
        (
            {"clusters": {"n": 600}},
            1.4,
            "By clusters alone they are as few as 1 independent event.",
        ),
        (
            {"weights": "sampling", "clusters": {"n": 600}, "n_non_events": 90},
            12.0,
            "they are as few as 12 independent non-events of equal weight.",
        ),
    ],
)
def test_what_unequal_weights_cost_is_told(sample, n, told):
    models = with_ratio(n_effective=n)
    text = say("accuracy_ratio", models=models, sample=FACTS["sample"] | sample)
    assert told in text
    assert ("as few as" in text) == bool(told)


def test_a_weighted_ratio_is_called_that_and_by_which_column():
    sample = FACTS["sample"] | {"weights": "sampling", "weights_column": "exposure"}
    text = say("accuracy_ratio", sample=sample)
    assert text.startswith("The accuracy ratio (AR) of pd, weighted by exposure, is 0.500")
    text = say("accuracy_ratio", outcome="amounts", sample=sample)
    of_amounts = "of amounts, ranked by pd and weighted by exposure, is 0.500"
    assert of_amounts in text
    counted = sample | {"weights": "counts"}
    assert "(AR) of pd is 0.500" in say("accuracy_ratio", sample=counted)


def test_labels_that_count_as_non_events_are_told_if_there_are_several():
    labels = [{"label": name, "n": 1_000 - n} for n, name in enumerate("abcd")]
    rows = FACTS["rows"] | {"other_labels": labels[:2]}
    told = say("accuracy_ratio", rows=rows)
    assert told.endswith("among 1,000 rows. Non-events are 1,000 a and 999 b.")
    told = say("accuracy_ratio", rows=rows | {"other_labels": labels})
    assert told.endswith("Non-events are 1,000 a, 999 b, 998 c and others.")


def test_amounts_with_few_rows_tell_how_many_stand_behind_the_interval():
    few = {"few_events": True, "name": "AR of amounts", "auc": None}
    models = with_ratio(**few, n_effective=16.94)
    text = say("accuracy_ratio", outcome="amounts", models=models)
    assert text.endswith(
        "By unequal amounts the rows come down to 16.9 independent pairs of equal rows, "
        "fewer than 20, so the interval may cover the true AR less often than its level "
        "says."
    )
    sample = FACTS["sample"] | {"weights": "sampling", "weights_column": "exposure"}
    sample |= {"clusters": {"column": "b", "n": 9}}
    text = say("accuracy_ratio", outcome="amounts", models=models, sample=sample)
    assert "By unequal amounts, weights and clusters the rows come down to 16.9" in text
    models = with_ratio(**few, n_effective=20.0, method="wald")
    text = say("accuracy_ratio", outcome="amounts", models=models)
    assert "The method wald relies on wrongly ranked pairs, of which fewer than 10" in text


def test_amounts_rest_on_rows_above_zero():
    models = with_ratio(auc=None, gauc={"name": "gAUC", "value": 0.7, "low": None})
    text = say("accuracy_ratio", outcome="amounts", models=models)
    assert "(gAUC 0.700)" in text
    assert "It rests on 1,000 rows; 100 of the rows have an amount above 0." in text
    unknown = FACTS["sample"] | {"n_events": None}
    text = say("accuracy_ratio", models=with_ratio(auc=None), sample=unknown)
    assert "It rests on 1,000 rows; how many of them are events is not known, as" in text


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0.001, 0.6, None),
        (0.0, 0.6, "do not show that the score ranks better than chance."),
        (-0.6, 0.0, "do not show that the score ranks better than chance."),
        (-0.6, -0.001, "The score ranks worse than chance; it may be reversed."),
    ],
)
def test_an_interval_that_includes_zero_shows_nothing(low, high, told):
    text = say("accuracy_ratio", models=with_ratio(low=low, high=high))
    assert text.endswith(told or "among 1,000 rows.")


@pytest.mark.parametrize(
    ("gauc", "told"),
    [
        (None, ""),
        ({"low": None, "high": None}, ""),
        (
            {"low": 0.50001, "high": 0.625},
            (
                " gAUC, which does not weigh pairs by amount, is above 0.5: its interval "
                "is 0.50001 to 0.625."
            ),
        ),
    ],
)
def test_amounts_that_are_captured_late_may_be_ranked_all_the_same(gauc, told):
    also = {"name": "gAUC", "value": 0.57, "confidence_level": 0.95}
    changed = {"auc": None, "gauc": gauc and also | gauc}
    models = with_ratio(low=-0.1, high=0.6, **changed)
    assert say("accuracy_ratio", outcome="amounts", models=models).endswith(
        "The interval includes 0, so the rows do not show that the largest amounts are "
        f"captured first.{told}"
    )
    models = with_ratio(low=-0.6, high=-0.1, **changed)
    assert say("accuracy_ratio", outcome="amounts", models=models).endswith(
        "By the amounts captured, the score ranks worse than chance; it may be reversed."
        f"{told}"
    )


GAUC = " gAUC, which does not weigh pairs by amount, "


@pytest.mark.parametrize(
    ("ratio", "gauc", "told"),
    [
        ((0.1, 0.8), (0.6, 0.7), None),
        ((0.1, 0.8), (0.5, 0.7), "is not shown to be above 0.5: its interval is 0.5"),
        ((0.1, 0.8), (0.392, 0.464), "is below 0.5: its interval is 0.392 to 0.464."),
        ((-0.1, 0.8), (0.5, 0.7), None),
        ((-0.1, 0.8), (0.3, 0.4999), "is below 0.5: its interval is 0.3"),
        ((-0.8, -0.1), (0.3, 0.5), "is not shown to be below 0.5: its interval is 0.3"),
        ((-0.8, -0.1), (0.3, 0.4), None),
    ],
)
def test_a_gauc_that_says_something_else_than_ar_is_told(ratio, gauc, told):
    also = {"name": "gAUC", "value": 0.57, "confidence_level": 0.95}
    also |= dict(zip(("low", "high"), gauc, strict=True))
    low, high = ratio
    models = with_ratio(low=low, high=high, auc=None, gauc=also)
    text = say("accuracy_ratio", outcome="amounts", models=models)
    assert (GAUC in text) is (told is not None)
    assert told is None or GAUC + told in text


def test_few_events_and_lacking_intervals_are_told():
    few = with_ratio(few_events=True)
    text = say("accuracy_ratio", models=few)
    assert text.endswith(
        "Fewer than 20 independent events or non-events stand behind the interval, so it "
        "may cover the true AR less often than its level says."
    )
    models = with_ratio(few_events=True, n_effective=20.0, method="logit-t")
    assert say("accuracy_ratio", models=models).endswith(
        "The method logit-t relies on wrongly ranked events, of which fewer than 5 are to "
        "be expected, so the interval may cover the true AR less often than its level says."
    )
    exact = with_ratio(few_events=True, exact_limits={"low": -0.2, "high": 0.9})
    text = say("accuracy_ratio", models=exact)
    assert text.endswith("; limits that hold for any distribution are -0.200 to 0.900.")
    bins = with_ratio(low=None, high=None, limits={"low": 0.4, "high": 0.6})
    assert say("accuracy_ratio", models=bins).endswith("requires the individual rows.")
    still = with_ratio(low=None, high=None)
    assert say("accuracy_ratio", models=still).endswith(
        "because the rows show no variance."
    )


@pytest.mark.parametrize(
    ("value", "colour", "told"),
    [
        (0.5, "green", "AR reaches the limit of 0.500 for green."),
        (0.4999, "amber", "below the limit of 0.500 for green, and reaches that of 0.450"),
        (0.45, "amber", "below the limit of 0.500 for green, and reaches that of 0.450"),
        (0.4499, "red", "AR is below the limit of 0.450 for amber."),
    ],
)
def test_the_colour_is_that_of_the_ratio(value, colour, told):
    facts = deepcopy(FACTS) | {
        "thresholds": {"green": 0.5, "amber": 0.45},
        "models": with_ratio(value=value),
    }
    finding, *others = list_findings(facts)
    assert finding["status"] == colour
    assert told in finding["text"]
    assert all(each["status"] is None for each in others)


@pytest.mark.parametrize(
    ("low", "value", "high", "inside"),
    [
        (0.5, 0.5, 0.6, ""),
        (0.4999, 0.5, 0.6, "The interval includes 0.500, so amber is possible, too."),
        (0.45, 0.46, 0.5, "The interval includes 0.500, so green is possible, too."),
        (0.4499, 0.5, 0.5, "includes 0.500 and 0.450, so any colour is possible."),
        (0.3, 0.4, 0.4499, ""),
        (0.3, 0.4, 0.45, "The interval includes 0.450, so amber is possible, too."),
        (0.4, 0.46, 0.48, "The interval includes 0.450, so red is possible, too."),
        (None, 0.5, None, ""),
    ],
)
def test_other_colours_are_possible_if_the_interval_includes_a_limit(
    low, value, high, inside
):
    limits = {"green": 0.5, "amber": 0.45}
    models = with_ratio(low=low, value=value, high=high)
    text = say("accuracy_ratio", thresholds=limits, models=models)
    assert ("possible" in text) == bool(inside)
    assert inside in text


@pytest.mark.parametrize(
    ("method", "asked", "is_told"),
    [
        ("exact", "bootstrap", True),
        ("approximate bound", None, True),
        ("exact", "exact", False),
        ("bootstrap", "bootstrap", False),
    ],
)
def test_limits_that_another_method_had_to_make_are_told(method, asked, is_told):
    options = {"options": {"method": asked}}
    text = say(
        "accuracy_ratio",
        models=with_ratio(method=method),
        provenance=FACTS["provenance"] | options,
    )
    assert ("Its interval has distribution-free limits." in text) is is_told


def test_a_score_that_is_the_outcome_is_a_finding():
    (own,), (other,) = with_ratio(equals_outcome=True), with_ratio(name="new")
    assert say("leakage", models=[own, other]) == (
        "pd equals the outcome in every row, so AR is 1; check that the score was known "
        "before the outcome."
    )
    both = [own, other | {"equals_outcome": True}]
    assert say("leakage", models=both).startswith("pd and new equal the outcome in")
    (mirror,) = with_ratio(name="new", equals_outcome=True, descending=False, value=1.0)
    (last,) = with_ratio(equals_outcome=True, descending=False, value=-1.0)
    assert say("leakage", models=[last, mirror]).endswith(
        "outcome. new equals 1 minus the outcome in every row, so AR is 1, as low scores "
        "rank first; check that the score was known before the outcome."
    )
    told = "in every row, so AR is -1, as low scores rank first; check that the score"
    assert told in say("leakage", models=[last])
    assert say("leakage") is None


def test_a_score_that_all_rows_share_does_not_rank():
    text = say("accuracy_ratio", models=with_ratio(is_constant=True, low=None))
    assert text.endswith(
        "The score is uninformative: all rows share one score, so AR is 0."
    )


@pytest.mark.parametrize(
    ("value", "p_value", "told"),
    [
        (0.05, 0.0499, "new ranks better than pd: its AR is higher by 0.050 (95 % "),
        (-0.05, 0.0499, "new ranks worse than pd: its AR is lower by 0.050 (95 % "),
        (0.05, 0.05, "The AR of new is higher than that of pd by 0.050 (95 % "),
        (-0.05, 0.05, "The AR of new is lower than that of pd by 0.050 (95 % "),
        (0.00051, 0.01, "new ranks better than pd: its AR is higher by 0.001 (95 % "),
        (0.0004, 0.01, "new ranks better than pd: its AR is higher by less than 0.0005 ("),
        (-2e-9, 0.05, "The AR of new is lower than that of pd by less than 0.0005 (95 % "),
        (0.05, None, "new could not be tested against pd, because the rows, or clusters"),
    ],
)
def test_a_challenger_is_better_if_the_adjusted_p_value_is_low(value, p_value, told):
    row = CHALLENGER | {"value": value, "p_holm": p_value}
    text = say("challenger", challengers=[row])
    assert text.startswith(told)
    assert ("not statistically significant" in text) == (p_value == 0.05)


def test_a_challenger_with_the_same_ranking_is_no_better():
    same = CHALLENGER | {"value": 0.0, "standard_error": 0.0, "p_holm": 1.0}
    assert (
        say("challenger", challengers=[same])
        == "new ranks all pairs of rows with different outcomes as pd does."
    )


@pytest.mark.parametrize("value", [0.0, -0.0, 2e-16, -2e-16])
def test_two_equal_ratios_are_called_equal(value):
    row = {"value": value, "low": -0.02, "high": 0.02, "p_value": 1.0, "p_holm": 1.0}
    assert say("challenger", challengers=[CHALLENGER | row]) == (
        "new and pd have the same AR: the difference is 0 (95 % confidence interval -0.020 "
        "to 0.020, p = 1.000)."
    )
    several = say("challenger", challengers=[CHALLENGER, CHALLENGER | {"model": "x"} | row])
    assert "No significant difference from pd: x. p-values" in several


def test_the_interval_of_a_decrease_is_turned_around():
    row = CHALLENGER | {"value": -0.05, "low": -0.09, "high": -0.01, "p_holm": 0.0002}
    text = say("challenger", challengers=[row])
    assert text.endswith("(95 % confidence interval 0.010 to 0.090, p < 0.001).")
    text = say("challenger", challengers=[row | {"is_reliable": False}])
    assert text.endswith("small for this test, which may not keep its level.")


def test_several_challengers_share_a_finding():
    rows = [
        CHALLENGER,
        CHALLENGER | {"model": "old", "value": -0.1, "p_holm": 0.03},
        CHALLENGER | {"model": "raw", "p_holm": 0.4},
        CHALLENGER | {"model": "new", "against": "raw"},
    ]
    assert say("challenger", challengers=rows) == (
        "Challengers that rank better than pd: new (AR higher by 0.050, p = 0.020); worse "
        "than pd: old (AR lower by 0.100, p = 0.030). No significant difference from pd: "
        "raw (AR higher by 0.050, p = 0.400; p = 0.010 if it were the only test). p-values "
        "are adjusted for 4 comparisons."
    )
    lower = {"p_holm": 0.4, "value": -0.05}
    alike = [rows[2] | lower | {"is_reliable": False}, rows[2] | {"model": "x"} | lower]
    assert say("challenger", challengers=alike) == (
        "No significant difference from pd: raw and x; the clearest is that of raw (AR "
        "lower by 0.050, p = 0.400; p = 0.010 if it were the only test). p-values are "
        "adjusted for 2 comparisons. Of raw against pd: the sample is small for this test, "
        "which may not keep its level."
    )
    both = [row | {"is_reliable": False} for row in alike]
    assert say("challenger", challengers=both).endswith(
        "comparisons. The sample is small for this test, which may not keep its level."
    )
    heavy = {"n_minority": 90, "degrees_of_freedom": 3.0}
    text = say("challenger", challengers=[both[0], both[1] | heavy])
    assert "Of raw against pd: the sample is small for this test" in text
    assert "Of x against pd: few rows have most of the variance of the difference" in text
    near = rows[2] | {"value": 0.0004}
    text = say("challenger", challengers=[near | {"p_holm": 0.02}, near | {"model": "x"}])
    assert "raw (AR higher by less than 0.0005, p = 0.020)" in text
    assert "from pd: x (AR higher by less than 0.0005, p = 0.400; p" in text
    text = say("challenger", challengers=[rows[2], rows[2] | {"model": "x"}])
    assert "raw and x; the clearest is that of raw (AR higher by 0.050, p = 0.4" in text
    lower = {"model": "x", "value": -0.02, "p_holm": 0.158, "p_value": 0.053}
    text = say("challenger", challengers=[rows[2] | {"p_value": 0.97}, rows[2] | lower])
    assert "the clearest is that of x (AR lower by 0.020, p = 0.158; p = 0.053" in text
    untested = {"model": "x", "p_holm": None, "p_value": None}
    text = say("challenger", challengers=[rows[0], CHALLENGER | untested])
    assert "0.020). x could not be tested against pd, because the rows, or clusters" in text
    untested |= {"is_reliable": None}
    assert "level" not in say("challenger", challengers=[rows[0], CHALLENGER | untested])
    better = [rows[0], rows[0] | {"model": "x"}]
    assert "No significant" not in say("challenger", challengers=better)
    assert say("challenger") is None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, "AUC has decreased since initial validation, from 0.800 to 0.750: the "),
        (
            {"is_significant": False},
            "AUC is 0.750, compared with 0.800 at initial validation; ",
        ),
        ({"value": 0.0, "first": 0.75}, "AUC is 0.750, which is not below 0.750 at "),
        (
            {"p_value": None},
            "AUC is 0.750, compared with 0.800 at initial validation; wheth",
        ),
    ],
)
def test_a_decrease_since_initial_validation(changed, told):
    text = say("initial", initial=[INITIAL | changed])
    assert text.startswith(told)
    assert text.endswith("known exactly.") == (not changed)
    few = say("initial", initial=[INITIAL | changed | {"is_reliable": False}])
    assert ("The current sample is small, so the ECB" in few) == (
        changed != {"p_value": None}
    )


def test_an_initial_auc_that_may_be_an_ar_is_asked_about():
    row = INITIAL | {"first": 0.6, "second": 0.75, "value": -0.15}
    above = "AUC is 0.750, which is not below 0.600 at initial validation"
    asked = "is 0.6 an AR? As an AUC it is (AR + 1) / 2 = 0.8."
    assert say("initial", initial=[row]) == f"{above}; {asked}"
    assert say("initial", initial=[row | {"s": 0.06}]) == f"{above}."
    gauc = row | {"name": "gAUC"}
    asked = "is 0.6 a Somers' D? As a gAUC it is (D + 1) / 2 = 0.8."
    of_amounts = "Unless the outcome and the score hold the classes of the ECB's"
    assert say("initial", initial=[gauc]).startswith(f"g{above}; {asked} {of_amounts}")


def test_a_decrease_that_rounds_to_nothing_is_told_as_less():
    row = INITIAL | {"first": 0.8, "second": 0.7997, "value": 0.0003}
    text = say("initial", initial=[row])
    assert "from 0.800 to 0.800: the decrease of less than 0.0005 is significant" in text
    text = say("initial", initial=[row | {"is_significant": False}])
    assert "the decrease of less than 0.0005 is not significant" in text


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"n_effective_initial": 25.0}, []),
        ({"n_effective_initial": 24.9}, ["fewer than 5 wrongly ranked events"]),
        ({"n_effective_initial": 19.9}, ["a sample of about 20 events"]),
        ({"n_effective_initial": 19.9, "n_effective": 19.0}, ["about 20", "is small"]),
        ({"n_effective_initial": 99.0, "n_effective": 19.0}, ["is small"]),
        (
            {"n_effective_initial": 49.9, "name": "gAUC"},
            ["10 wrongly ranked pairs of rows"],
        ),
        ({"n_effective_initial": 50.0, "name": "gAUC"}, []),
        (
            {"n_effective_initial": 19.4, "name": "gAUC"},
            ["a sample of about 19 pairs of equal rows"],
        ),
        # Too few wrongly ranked ones of the initial sample are not those of the report.
        (
            {"n_effective_initial": 24.9, "n_errors": 4.98},
            ["In the initial sample, by the variance of its AUC, fewer than 5 wrongly"],
        ),
    ],
)
def test_each_sample_that_is_small_is_told_against_initial_validation(changed, told):
    own = {key: changed[key] for key in ("n_effective", "name") if key in changed}
    two = INITIAL | {"test": "two samples", "is_reliable": False} | changed
    text = say("initial", initial=[INITIAL | own, two])
    assert all(each in text for each in told)
    assert text.count("keep its level") == bool(told)
    assert ("so the two-sample test finds large decreases only and" in text) == (
        changed["n_effective_initial"] < 20
    )
    assert ("he current sample is small" in text) == ("is small" in told)


@pytest.mark.parametrize(
    ("of_both", "of_ecb", "told"),
    [
        (
            {"n_effective": 9.0, "n_effective_initial": 11.2},
            {},
            (
                "of about 11 events, and the current sample is small, so the two-sample "
                "test finds large decreases only, and it and the ECB's test may not keep "
                "their level."
            ),
        ),
        (
            {"n_effective": 9.0, "n_effective_initial": 99.0},
            {},
            (
                " The current sample is small, so the two-sample test and the ECB's test "
                "may not keep their level."
            ),
        ),
        (
            {"n_effective_initial": 19.0, "method": "ECB"},
            {"degrees_of_freedom_s": 7.9},
            (
                "about 19 events, so the two-sample test finds large decreases only and "
                "may not keep its level. Few rows of the current sample have most of the "
                "variance of its AUC (7.9 degrees of freedom), so the ECB's test may not "
                "keep its level."
            ),
        ),
    ],
)
def test_both_tests_against_initial_validation_are_doubted(of_both, of_ecb, told):
    ecb = INITIAL | {"is_reliable": False} | of_both | of_ecb
    two = INITIAL | {"is_reliable": False} | of_both | {"test": "two samples"}
    two["method"] = "two samples"
    assert say("initial", initial=[ecb, two]).endswith(told)


def test_few_rows_that_decide_are_told_once_of_both_tests():
    ecb = INITIAL | {"is_reliable": False, "method": "ECB", "degrees_of_freedom_s": 7.9}
    two = INITIAL | {"test": "two samples", "is_reliable": False, "degrees_of_freedom": 9.9}
    assert say("initial", initial=[ecb, two | {"n_effective_initial": 99.0}]).endswith(
        " Few rows of the current sample have most of the variance of its AUC (7.9 degrees "
        "of freedom), so the two-sample test and the ECB's test may not keep their level."
    )


def test_a_perfect_score_has_a_two_sample_test_that_is_named():
    two = INITIAL | {"test": "two samples", "second": 1.0, "value": -0.2, "p_value": 0.98}
    two |= {"is_significant": False, "is_reliable": False, "n_effective_initial": 24.0}
    ecb = INITIAL | {"second": 1.0, "value": -0.2, "p_value": None, "n_errors": 0.0}
    ecb |= {"is_significant": None, "is_reliable": None}
    text = say("initial", initial=[ecb, two])
    assert text.endswith(
        "initial validation. The ECB's test could not be made, because rows that are "
        "ranked without an error show no variance of AR; the two-sample test finds no "
        "decrease (one-sided p = 0.980). In the initial sample, by the variance of its "
        "AUC, and in the current sample, fewer than 5 wrongly ranked events (counted as "
        "independent ones of equal weight) are to be expected, so the two-sample test "
        "may not keep its level."
    )


def test_an_initial_auc_within_the_bounds_of_bins_leaves_the_decrease_open():
    models = with_ratio(limits={"low": 0.4, "high": 0.7})
    text = say("initial", initial=[INITIAL], models=models)
    assert "only known to be 0.700 to 0.850, so whether it has decreased is open." in text
    for bounds in ({"low": 0.4, "high": 0.59}, {"low": 0.6, "high": 0.6}):
        models = with_ratio(limits=bounds)
        assert "is open" not in say("initial", initial=[INITIAL], models=models)


def test_bounds_of_bins_are_told_with_the_ratio():
    wide = say("accuracy_ratio", models=with_ratio(limits={"low": 0.1, "high": 0.8}))
    assert "Scores share bins, so AR of the rows is only known to be 0.100 to 0.800." in (
        wide
    )
    narrow = say("accuracy_ratio", models=with_ratio(limits={"low": 0.5, "high": 0.5}))
    assert "share bins" not in narrow


def test_distribution_free_limits_are_not_doubted():
    few = {"few_events": True, "exact_limits": {"low": 0.3, "high": 0.99}}
    assert "less often than" in say("accuracy_ratio", models=with_ratio(**few))
    models = with_ratio(**few, method="exact")
    assert "less often than" not in say("accuracy_ratio", models=models)


def test_the_two_sample_test_comes_first_and_challengers_do_not_count():
    second = INITIAL | {"test": "two samples", "p_value": 0.03}
    other = INITIAL | {"model": "new", "second": 0.1}
    text = say("initial", initial=[INITIAL, second, other])
    assert text.endswith("at the 5 % level (one-sided p = 0.030, two-sample test).")
    not_significant = second | {"p_value": 0.3, "is_significant": False}
    text = say("initial", initial=[INITIAL, not_significant])
    assert "the decrease of 0.050 is not significant at the 5 % level" in text
    assert say("initial", initial=[other]) is None


@pytest.mark.parametrize(
    ("difference", "p_value", "told"),
    [
        (-0.1, 0.0499, "its observed AR of 0.500 is significantly below it (p = 0.0499)."),
        (0.1, 0.0499, "its observed AR of 0.500 is significantly above it (p = 0.0499)."),
        (
            -0.1,
            0.05,
            "its observed AR of 0.500 does not differ significantly from it (p = 0.050).",
        ),
        (
            -0.1,
            None,
            (
                "its observed AR of 0.500 could not be tested against it, because all rows "
                "with a probability between 0 and 1 share one score, so no other AR was "
                "possible."
            ),
        ),
    ],
)
def test_probabilities_imply_a_ratio(difference, p_value, told):
    row = IMPLIED | {"difference": difference, "p_value": p_value}
    text = say("implied", implied=[row])
    assert text == f"The probabilities of pd imply an AR of 0.600; {told}"
    few = row | {"is_reliable": False}
    rests = "Fewer than 2 wrongly ranked events" in say("implied", implied=[few])
    assert rests == (p_value is not None)
    assert say("implied") is None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"observed": None, "implied": None, "n_events": 0},
            "no AR: all rows with a probability are non-events.",
        ),
        (
            {"observed": None, "implied": None, "n_events": 3},
            "no AR: all rows with a probability are events.",
        ),
        (
            {"implied": None},
            "no AR: all rows with a probability between 0 and 1 have the same outcome.",
        ),
    ],
)
def test_probabilities_that_imply_no_ratio_say_why(changed, told):
    row = IMPLIED | {"p_value": None, "is_reliable": None} | changed
    assert say("implied", implied=[row]) == f"The probabilities of pd imply {told}"


def test_an_ar_that_rounds_to_the_implied_one_says_by_how_little():
    row = IMPLIED | {"observed": 0.5999, "implied": 0.6, "difference": -0.0001}
    text = say("implied", implied=[row])
    assert text.endswith(
        "0.600 is significantly below it, by less than 0.0005 (p = 0.010)."
    )
    text = say("implied", implied=[row | {"alternative": "less"}])
    assert text.endswith("below it, by less than 0.0005 (one-sided p = 0.010).")
    text = say("implied", implied=[row | {"p_value": 0.3}])
    assert text.endswith("0.600 does not differ significantly from it (p = 0.300).")


def test_a_one_sided_test_says_that_ar_is_far_on_the_other_side():
    row = IMPLIED | {"alternative": "greater", "p_value": 0.99}
    text = say("implied", implied=[row])
    assert text.endswith(
        "0.500 is not significantly above it (one-sided p = 0.990), but 0.100 below it, "
        "further than most samples would be if the probabilities were right, which a test "
        "of 'greater' does not look for."
    )
    row |= {"alternative": "less", "difference": 0.1}
    assert "but 0.100 above it, further" in say("implied", implied=[row])
    text = say("implied", implied=[row | {"p_value": 0.9}])
    assert text.endswith("is not significantly below it (one-sided p = 0.900).")


@pytest.mark.parametrize(
    ("n_left_out", "told"), [(1, "1 row without a probability was"), (2, "2 rows without")]
)
def test_probabilities_that_rank_nothing_are_told_with_the_score(n_left_out, told):
    row = IMPLIED | {"score": "grade", "n_left_out": n_left_out}
    text = say("implied", implied=[row])
    assert text.startswith("The probabilities of pd imply an AR of 0.600 for grade; its")
    assert told in text
    assert text.endswith(" left out of this test.")


def test_a_test_on_the_rows_of_all_scores_says_what_a_model_alone_can_rank():
    own = {
        "model": "pd",
        "n_rows": 396,
        "n_rows_common": 393,
        "accuracy_ratio": 0.558,
        "accuracy_ratio_common": 0.594,
        "gauc": 0.78,
        "gauc_common": 0.79,
    }

    def tell(**changed):
        rows = FACTS["rows"] | {"own_rows": [own | changed]}
        return say("initial", initial=[INITIAL], rows=rows)

    assert tell().endswith(
        "This test is made on the 393 rows that all scores rank, where the AR of pd is "
        "0.594; on the 396 with its score, its AR is 0.558, and a report without "
        "the other scores tests it there, perhaps with another verdict."
    )
    rows = FACTS["rows"] | {"own_rows": [own]}
    text = say("initial", initial=[INITIAL], rows=rows, outcome="amounts")
    assert "all scores rank, where the gAUC of pd is 0.790; on the 396 with" in text
    assert "its score, its gAUC is 0.780, and a report without the other" in text
    assert tell(accuracy_ratio=0.5942).endswith(
        "on the 396 with its score, it is the same at three digits."
    )
    assert tell(accuracy_ratio=None).endswith("rank; 396 have a score of pd.")
    assert "all scores" not in tell(n_rows=393)
    assert "all scores" not in tell(model="new")


@pytest.mark.parametrize(
    ("groups", "in_time_order", "told"),
    [
        (["2022", "2023"], True, "both periods were tested together, 2022 to 2023;"),
        (["May", "June"], False, "together; a report of the rows of one of them tests"),
        (
            ["2021", "2022", "2023", "unused"],
            True,
            "3 of 4 periods were tested together, 2021 to 2023 (unused has no used row);",
        ),
        (
            ["2021", "2022", None],
            True,
            "both periods, and 40 rows without a period, were tested together, 2021 to",
        ),
        (["2022", None], True, None),
        (["2022", "unused"], True, None),
    ],
)
def test_tests_of_initial_values_say_that_they_are_of_all_periods(
    groups, in_time_order, told
):
    rows = [
        {"group": group, "n_rows": 40 * (group != "unused"), "accuracy_ratio": RATIO}
        for group in groups
        for _model in range(2)
    ]
    split = {"by": "year", "groups": rows, "in_time_order": in_time_order, "absent": []}
    text = find_initial(FACTS | {"periods": [split], "initial": [INITIAL]})
    assert ("tested together" in text) is (told is not None)
    assert told is None or told in text


def test_tests_of_initial_values_name_the_periods_without_rows():
    rows = [
        {"group": group, "n_rows": 40, "accuracy_ratio": RATIO}
        for group in ("2019", "2020", "2022")
    ]
    split = {"by": "year", "groups": rows, "in_time_order": True, "absent": ["2021"]}
    text = find_initial(FACTS | {"periods": [split], "initial": [INITIAL]})
    assert "tested together, 2019 to 2022 (2021 has no rows); a report of" in text


def test_a_period_of_one_class_is_not_said_to_be_testable_alone():
    rows = [
        {"group": group, "n_rows": 40, "accuracy_ratio": ratio}
        for group, ratio in (("2021", RATIO), ("2022", None))
    ]
    split = {"by": "year", "groups": rows, "in_time_order": True, "absent": []}
    for facts in ({"initial": [INITIAL]}, {"implied": [IMPLIED]}):
        kind = find_initial if "initial" in facts else find_implied
        text = kind(FACTS | {"periods": [split]} | facts)
        assert "the last one" not in text
        assert text.endswith("alone, if its outcomes differ.")


def test_each_model_is_told_against_its_own_initial_validation():
    new = FACTS["models"][0] | {"name": "new"}
    other = INITIAL | {"model": "new", "first": 0.9, "is_reliable": False}
    models = [*FACTS["models"], new]
    text = say("initial", models=models, initial=[INITIAL, other])
    first, second = text.split(" AUC of new has decreased since initial validation, ")
    assert first.startswith(
        "AUC of pd has decreased since initial validation, from 0.800 to"
    )
    assert second.startswith("from 0.900 to 0.750")
    assert "The sample is small" not in first
    assert second.endswith("may not keep its level.")


def make_rows(**total):
    nothing = {
        "n_rows_with_outcome": 50,
        "n_rows_without_weight": 0,
        "response_rate": 0.04,
        "is_weighted": False,
        "p_value": 0.01,
    }
    return {
        "read": 1_000,
        "left_out": 50,
        "reasons": [
            {"reason": "missing score", "column": "pd", "n_rows": 30},
            {"reason": "missing score", "column": "new", "n_rows": 20},
        ],
        "left_out_total": nothing | total,
        "used_response_rate": 0.1,
        "own_rows": [],
        "other_labels": [],
    }


def test_rows_left_out_are_counted_and_compared():
    assert say("left_out") == "All 1,000 rows were used."
    assert say("left_out", rows=make_rows()) == (
        "50 of 1,000 rows (5.00 %) were left out, because a value is missing in pd (30) "
        "and new (20). The event rate of the rows left out is 4.00 %, compared with 10.00 "
        "% of those used: a significant difference (p = 0.010)."
    )
    border = say("left_out", rows=make_rows(p_value=0.05))
    assert border.endswith("those used, which is not a significant difference (p = 0.050).")
    untested = say("left_out", rows=make_rows(p_value=None), outcome="amounts")
    assert untested.endswith(
        "The mean outcome of the rows left out is 0.04, compared with 0.10 of those used. "
        "This difference was not tested, because the test compares event rates, not "
        "amounts."
    )
    for rates, told in (
        ((0.3878, 0.373), "is 0.3878, compared with 0.3730 of"),
        ((1_234.5, 3.21), "is 1,234, compared with 3.21 of"),
        ((1e-6, 0.1), "is 1e-06, compared with 0.1 of"),
    ):
        rows = make_rows(p_value=None, response_rate=rates[0])
        rows["used_response_rate"] = rates[1]
        assert told in say("left_out", rows=rows, outcome="amounts")
    clusters = FACTS["sample"] | {"clusters": {"n": 9}}
    weighted = FACTS["sample"] | {"weights": "sampling"}
    for sample, why in (
        (clusters, "rows as independent, which rows of one cluster are not."),
        (weighted, "counts each row once, whatever its weight."),
        (clusters | {"weights": "sampling"}, "counts each row once, whatever its weight."),
    ):
        text = say("left_out", rows=make_rows(p_value=None), sample=sample)
        assert text.endswith(why)
    several = make_rows()
    several["reasons"][0]["n_rows"] = 31
    told = "A row that is left out for several reasons counts under each"
    assert f"{told}. " in say("left_out", rows=several)
    assert told not in say("left_out", rows=make_rows())
    several["reasons"].append({"reason": "weight of 0", "column": "w", "n_rows": 3})
    told += ", a row of weight 0 under its weight alone. "
    assert told in say("left_out", rows=several)
    zero = make_rows()
    zero["reasons"].append({"reason": "weight of 0", "column": "w", "n_rows": 3})
    told = "because a value is missing in pd (30) and new (20) or the weight is 0 in w (3)."
    assert told in say("left_out", rows=zero)
    unknown = say("left_out", rows=make_rows(response_rate=None, n_rows_with_outcome=0))
    assert unknown.endswith("The outcomes of the rows left out are unknown.")
    one = make_rows() | {"left_out": 1}
    assert say("left_out", rows=one).startswith("1 of 1,000 rows (0.10 %) was left out")


def test_leaving_out_for_a_challenger_moves_the_champion():
    own = {
        "model": "pd",
        "n_rows": 980,
        "n_rows_common": 950,
        "accuracy_ratio": 0.51,
        "accuracy_ratio_common": 0.5,
        "difference": -0.01,
    }
    text = say("left_out", rows=make_rows() | {"own_rows": [own, own | {"model": "new"}]})
    assert text.endswith(
        "On the 980 rows with a score of pd, its AR is 0.510, compared with 0.500 on "
        "the rows of all models."
    )
    more = own | {"model": "new", "accuracy_ratio": 0.52, "difference": -0.02}
    text = say("left_out", rows=make_rows() | {"own_rows": [own, more]})
    assert text.endswith(
        "the rows of all models. On the 980 rows with a score of new, its AR is 0.520, "
        "compared with 0.500 on the rows of all models."
    )
    close = own | {"accuracy_ratio": 0.5004}
    text = say("left_out", rows=make_rows() | {"own_rows": [close]})
    assert text.endswith(
        "its AR is 0.500, which the rows of all models do not change at three digits."
    )
    for same in ({"n_rows": 950}, {"accuracy_ratio": None}):
        rows = make_rows() | {"own_rows": [own | same]}
        assert "with a score of" not in say("left_out", rows=rows)


def test_a_query_says_how_many_rows_and_events_it_kept():
    query = {
        "rows_before": 5_000,
        "rows_after": 1_000,
        "events_before": 500,
        "events_after": 20,
        "response_rate_before": 0.1,
        "response_rate_after": 0.02,
    }
    text = say("left_out", provenance={"query": query})
    assert text == (
        "The query returned 1,000 rows of 5,000. Before it, the event rate is 10.00 % (500 "
        "events); after it, the event rate is 2.00 % (20 events). All 1,000 rows were used."
    )
    text = say("left_out", provenance={"query": query}, outcome="amounts")
    assert (
        "Before it, the mean outcome is 0.10; after it, the mean outcome is 0.02." in text
    )
    unknown = query | {"response_rate_before": None, "rows_before": 999}
    assert say("left_out", provenance={"query": unknown}) == (
        "The query returned 1,000 rows of 999. These are more than the files hold; does it "
        "repeat rows? Its effect on the outcome is not assessed. All 1,000 rows were used."
    )
    same = query | {"rows_before": 1_000}
    assert "repeat" not in say("left_out", provenance={"query": same})
    of_database = {"rows_before": None, "rows_after": 1_000}
    assert say("left_out", provenance={"query": of_database}) == "All 1,000 rows were used."


def make_power(**changed):
    model = {
        "model": "pd",
        "known": 0.62,
        "detectable_fall": 0.06,
        "detectable_fall_initial": None,
        "is_reliable": True,
        "n_errors": 9.9,
        "degrees_of_freedom": 99.0,
    }
    return {"power": 0.8, "level": 0.05, "models": [model | changed], "pairs": []}


def test_power_tells_what_a_test_finds():
    power = make_power()
    assert say("power", power=power) == (
        "With a probability of 80 %, a one-sided test at the 5 % level on these rows finds "
        "a decrease in AR of 0.060 from the present 0.620, taken as known exactly; it "
        "finds a smaller one less often."
    )
    power["models"][0]["detectable_fall_initial"] = 0.09
    assert (
        "finds a decrease in AR of 0.090 since initial validation, allowing for the "
        "variance of the initial AUC; it"
    ) in say("power", power=power)
    pairs = [
        {"model": "new", "against": "pd", "detectable_difference": 0.04},
        {"model": "x", "against": "pd", "detectable_difference": None},
        {"model": "x", "against": "new", "detectable_difference": 0.9},
    ]
    pairs = [pair | {"is_reliable": True, "degrees_of_freedom": 99.0} for pair in pairs]
    text = say("power", power=power | {"pairs": pairs})
    assert text.endswith(
        "With the same probability, a two-sided test at the 5 % level finds a difference "
        "between pd and a challenger of 0.040 (from new). Which difference from x a test "
        "finds is not known, because even the largest possible one is found less often."
    )
    pairs = [pairs[0], pairs[2]]
    both = [*with_ratio(), with_ratio()[0] | {"name": "new"}]
    text = say("power", power=power, models=both)
    assert "finds a decrease in AR of pd of 0.090 since" in text
    text = say("power", power=power | {"pairs": pairs}, challengers=[CHALLENGER] * 3)
    assert "at the 5 % level, before adjustment for 3 comparisons, finds a diff" in text
    few = [pair | {"is_reliable": False, "n_errors": 9.9} for pair in pairs]
    assert say("power", power=power | {"pairs": few}).endswith(
        " Of the difference from new: fewer than 10 wrongly ranked events (counted as "
        "independent ones of equal weight) are to be expected, so these probabilities are "
        "approximate."
    )
    power["models"][0]["is_reliable"] = False
    text = say("power", power=power)
    assert text.endswith(
        " Fewer than 10 wrongly ranked events (counted as independent ones of equal "
        "weight) are to be expected, so these probabilities are approximate."
    )
    power["models"][0] |= {"detectable_fall": None, "degrees_of_freedom": 0.24}
    assert say("power", power=power).startswith(
        "With a probability of 80 %, a one-sided test at the 5 % level on these rows finds "
        "a decrease in AR of 0.090 since initial validation, allowing for the variance of "
        "the initial AUC; it finds"
    )
    power["models"][0]["detectable_fall_initial"] = None
    assert say("power", power=power | {"pairs": pairs}).endswith(
        " (0.24). With a probability of 80 %, a two-sided test at the 5 % level finds a "
        "difference between pd and a challenger of 0.040 (from new)."
    )
    assert say("power", power=power) == (
        "Which decrease in AR a test on these rows finds is not known, because the "
        "variance of AR has fewer than 1 degree of freedom (0.24)."
    )
    assert say("power", power=power, models=with_ratio(is_constant=True)) == (
        "Which decrease in AR a test on these rows finds is not known, because all rows "
        "share one score, which shows no variance of AR."
    )


@pytest.mark.parametrize(
    ("df", "changed", "told"),
    [
        (10.0, {}, " Fewer than 10 wrongly ranked events (counted as independent "),
        (
            10.0,
            {"outcome": "amounts"},
            " Fewer than 20 wrongly ranked pairs of rows (counted",
        ),
        (
            9.9,
            {},
            " (9.9 degrees of freedom), and fewer than 10 wrongly ranked events (count",
        ),
        (
            4.0,
            {"sample": FACTS["sample"] | {"clusters": {"n": 600}}},
            " Few clusters have most of the variance (4 degrees of freedom), so these ",
        ),
    ],
)
def test_why_a_power_is_approximate_is_said(df, changed, told):
    n_errors = 10.0 if "sample" in changed else 9.9
    power = make_power(is_reliable=False, degrees_of_freedom=df, n_errors=n_errors)
    assert told in say("power", power=power, **changed)


@pytest.mark.parametrize(
    ("n_initial", "changed", "told"),
    [
        (
            24.9,
            {},
            (
                " In the initial sample, by the variance of its AUC, fewer than 5 wrongly "
                "ranked events (counted as independent ones of equal weight) are to be "
                "expected, so these probabilities are approximate."
            ),
        ),
        (
            19.0,
            {"is_reliable": False},
            (
                "are to be expected, and the variance of the initial AUC is that of a "
                "sample of about 19 events, so these probabilities are approximate."
            ),
        ),
        (24.9, {"detectable_fall_initial": None}, "it finds a smaller one less often."),
        (25.0, {}, "it finds a smaller one less often."),
    ],
)
def test_a_power_since_an_initial_sample_of_few_is_approximate(n_initial, changed, told):
    power = make_power(**({"detectable_fall_initial": 0.09} | changed))
    ecb = INITIAL | {"n_effective_initial": n_initial}
    two = ecb | {"test": "two samples"}
    text = say("power", power=power, initial=[ecb, two])
    assert text.endswith(told)
    assert text.count("nitial sample") + text.count("initial AUC is") <= 1


def test_challengers_whose_difference_no_test_finds_are_named_with_the_reason():
    pair = {"against": "pd", "detectable_difference": None, "is_reliable": False}
    pairs = [
        pair | {"model": name, "degrees_of_freedom": df}
        for name, df in (("a", None), ("b", None), ("c", 0.24))
    ]
    power = make_power() | {"pairs": pairs}
    assert say("power", power=power).endswith(
        "finds a smaller one less often. Which difference from a and b a test finds is not "
        "known, because the rows do not show the variance of this difference. Which "
        "difference from c a test finds is not known, because its variance has fewer than "
        "1 degree of freedom (0.24)."
    )


def test_no_difference_from_a_score_that_all_rows_share_is_known():
    models = [*with_ratio(), with_ratio()[0] | {"name": "new", "is_constant": True}]
    pair = {"against": "pd", "detectable_difference": None, "degrees_of_freedom": 99.0}
    power = make_power() | {"pairs": [pair | {"model": "new", "is_reliable": True}]}
    assert say("power", power=power, models=models).endswith(
        " Which difference from new a test finds is not known, because all rows share one "
        "score of new."
    )


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, "the variance of AR rests on too few independent rows to tell how"),
        ({"standard_error": 0.0, "value": 1.0}, "rows that are ranked without an error"),
        ({"standard_error": None}, "the rows, or clusters of rows, are too few to show"),
        ({"standard_error": 0.0, "is_constant": True}, "all rows share one score"),
    ],
)
def test_a_known_variance_that_is_too_uncertain_for_a_power_is_not_called_unknown(
    changed, why
):
    unknown = {"detectable_fall": None, "degrees_of_freedom": None}
    model = make_power(**unknown)
    models = with_ratio()
    models[0]["accuracy_ratio"]["standard_error"] = 0.05
    models[0]["is_constant"] = changed.get("is_constant", False)
    models[0]["accuracy_ratio"] |= {k: v for k, v in changed.items() if k != "is_constant"}
    assert f"finds is not known, because {why}" in say("power", power=model, models=models)


def test_a_known_variance_of_a_difference_is_not_called_unknown():
    pair = {"against": "pd", "detectable_difference": None, "is_reliable": False}
    power = make_power() | {"pairs": [pair | {"model": "new", "degrees_of_freedom": None}]}
    row = CHALLENGER | {"model": "new", "against": "pd"}
    why = (
        "of this difference rests on too few independent rows to tell how uncertain it is."
    )
    assert say("power", power=power, challengers=[row]).endswith(why)
    for other in ({"model": "x"}, {"standard_error": 0.0}):
        text = say("power", power=power, challengers=[row | other])
        assert text.endswith("the rows do not show the variance of this difference.")


def test_effective_rows_of_amounts_are_told_where_they_are_fewer():
    amounts = {"outcome": "amounts", "sample": FACTS["sample"] | {"n_rows": 100}}
    few = "they are as few as 47 independent pairs of equal rows."
    told = say("accuracy_ratio", models=with_ratio(n_effective=47.4), **amounts)
    assert f"By unequal amounts alone {few}" in told
    assert "By unequal" not in say(
        "accuracy_ratio", models=with_ratio(n_effective=47.6), **amounts
    )
    clusters = {"column": "b", "n": 60, "n_event_clusters": 8}
    amounts["sample"] |= {"weights": "sampling", "clusters": clusters}
    told = say("accuracy_ratio", models=with_ratio(n_effective=47.4), **amounts)
    assert f"By unequal amounts, weights and clusters alone {few}" in told
    misranked = with_ratio(n_effective=22.4)  # a shortage of another kind
    misranked[0]["few_events"] = True
    assert "they are as few as 22 independent pairs" in say(
        "accuracy_ratio", models=misranked, **amounts
    )


def test_challengers_that_all_rows_share_are_named():
    def tell(*names):
        (model,) = with_ratio(low=None, high=None, is_constant=True)
        models = [*with_ratio(), *[model | {"name": name} for name in names]]
        rows = [CHALLENGER | {"model": name} for name in names]
        return say("challenger", models=models, challengers=rows)

    assert tell("new").endswith(
        " new is uninformative: all rows share one score, so its AR is 0."
    )
    assert tell("a", "b").endswith(
        " a and b are uninformative: all rows share one score of each, so their AR is 0."
    )


def test_challengers_that_may_be_reversed_are_named():
    def tell(low, high, names=("new",)):
        models = with_ratio()
        for name in names:
            (model,) = with_ratio(low=low, high=high)
            models.append(model | {"name": name})
        rows = [CHALLENGER | {"model": name} for name in names]
        return say("challenger", models=models, challengers=rows)

    assert tell(-0.6, -0.01).endswith(" new ranks worse than chance; it may be reversed.")
    assert "reversed" not in tell(-0.6, 0.0)
    assert "reversed" not in tell(None, None)
    assert tell(-0.6, -0.01, ("a", "b")).endswith(
        " a and b rank worse than chance; they may be reversed."
    )


@pytest.mark.parametrize(
    ("alternative", "p_value", "told"),
    [
        ("less", 0.01, "0.500 is significantly below it (one-sided p = 0.010)."),
        ("less", 0.5, "0.500 is not significantly below it (one-sided p = 0.500)."),
        ("greater", 0.9, "0.500 is not significantly above it (one-sided p = 0.900)."),
    ],
)
def test_one_side_of_the_implied_ratio_is_told(alternative, p_value, told):
    row = IMPLIED | {"alternative": alternative, "p_value": p_value}
    assert say("implied", implied=[row]).endswith(told)


def test_the_ratio_of_amounts_is_called_that():
    told = say("accuracy_ratio", outcome="amounts")
    assert told.startswith("The accuracy ratio (AR) of amounts, ranked by pd, is 0.500, ")


def test_few_rows_or_few_clusters_are_told_where_they_decide():
    model = FACTS["models"][0]
    ratio = model["accuracy_ratio"] | {"degrees_of_freedom": 2.5}
    models = [model | {"accuracy_ratio": ratio}]
    assert (
        "Few rows have most of its variance, so the interval is wide (2.5 degrees"
        in say("accuracy_ratio", models=models)
    )
    sample = FACTS["sample"] | {"clusters": {"column": "b", "n": 9, "n_event_clusters": 5}}
    text = say("accuracy_ratio", models=models, sample=sample)
    assert "Few clusters have most of its variance" in text
    few = models[0] | {"few_events": True}
    text = say("accuracy_ratio", models=[few])
    assert "Few rows have most of its variance" in text
    assert "Fewer than 20 independent events" in text
    exact = few | {"accuracy_ratio": ratio | {"method": "exact"}}
    assert "its variance" not in say("accuracy_ratio", models=[exact])


@pytest.mark.parametrize("method", ["wald", "logit", "newcombe", "bootstrap", "bca"])
def test_methods_without_degrees_of_freedom_are_not_called_wide(method):
    text = say("accuracy_ratio", models=with_ratio(degrees_of_freedom=3.3, method=method))
    assert text.endswith(
        "Few rows have most of its variance (3.3 degrees of freedom), which the method "
        f"'{method}' does not allow for, so the interval may be too narrow."
    )


@pytest.mark.parametrize(("df", "is_told"), [(7.9, True), (8.0, False)])
def test_few_events_of_equal_weight_do_not_have_most_of_the_variance(df, is_told):
    # Nine events have eight degrees of freedom, whatever they rank.
    models = with_ratio(degrees_of_freedom=df)
    models[0]["n_effective"] = 9.0
    few = {"degrees_of_freedom": df, "n_effective": 9.0, "is_reliable": False}
    power = make_power(is_reliable=False, degrees_of_freedom=df)
    found = {
        "accuracy_ratio": say("accuracy_ratio", models=models),
        "challenger": say("challenger", challengers=[CHALLENGER | few]),
        "initial": say("initial", initial=[INITIAL | few]),
        "power": say("power", power=power, models=models),
    }
    few_rows = {topic for topic, text in found.items() if "ew rows " in text}
    assert few_rows == (set(found) if is_told else set())
    assert is_told or "The sample is small for this test" in found["challenger"]
    assert is_told or "The current sample is small, so the ECB's test" in found["initial"]
    assert "Fewer than 10 wrongly ranked" in found["power"].replace("few", "Few")


def test_logit_t_allows_for_its_degrees_of_freedom():
    models = with_ratio(degrees_of_freedom=3.3, method="logit-t")
    assert "so the interval is wide (3.3 degrees" in say("accuracy_ratio", models=models)


def test_the_ecbs_test_is_told_where_it_finds_something_else():
    known = INITIAL | {"p_value": 0.006}
    of_two = INITIAL | {"test": "two samples", "p_value": 0.2, "is_significant": False}
    told = (
        "(one-sided p = 0.200, two-sample test). The ECB's test, which takes the initial "
        "AUC as known, finds a decrease (p = 0.006)."
    )
    assert told in say("initial", initial=[known, of_two])
    undefined = INITIAL | {"p_value": None, "is_significant": None}
    told = "The ECB's test could not be made, because all rows share one score, which"
    models = with_ratio(is_constant=True)
    assert told in say("initial", initial=[undefined, of_two], models=models)
    for alike in ([known, of_two | {"is_significant": True}], [known]):
        assert "finds a decrease" not in say("initial", initial=alike)


@pytest.mark.parametrize(
    ("n_minority", "df", "told"),
    [
        (9, 8.2, "The sample is small for this test, which may not keep its level."),
        (20, 8.2, "variance of the difference (8.2 degrees of freedom), so the test"),
        (200, 1.0, "variance of the difference (1 degree of freedom), so the test"),
        (200, 10.0, "The sample is small for this test"),
    ],
)
def test_few_events_are_not_called_few_rows_of_large_weight(n_minority, df, told):
    few = {"is_reliable": False, "n_minority": n_minority, "degrees_of_freedom": df}
    assert told in say("challenger", challengers=[CHALLENGER | few])
    text = say("initial", initial=[INITIAL | few])
    assert text.endswith("so the ECB's test may not keep its level.")
    of_current = told[:-12].replace("the difference", "its AUC")
    assert "The current sample is small" in text or of_current in text


def test_clusters_that_decide_are_told_beside_few_wrong_ranks():
    few = {"n_errors": 4.3, "n_effective": 32.0, "n_minority": 90, "is_reliable": False}
    row = CHALLENGER | few | {"degrees_of_freedom": 9.3}
    clusters = {"column": "borrower", "n": 600, "n_event_clusters": 80}
    sample = FACTS["sample"] | {"clusters": clusters}
    text = say("challenger", challengers=[row], sample=sample, outcome="amounts")
    assert text.endswith(
        " Few clusters have most of the variance of the difference (9.3 degrees of "
        "freedom), and in the sample, which comes down to 32.0 independent pairs of equal "
        "rows, fewer than 10 wrongly ranked ones are to be expected, so the test may not "
        "keep its level."
    )


def test_of_several_challengers_one_that_ranks_alike_is_called_that():
    same = CHALLENGER | {
        "model": "copy",
        "value": 0.0,
        "standard_error": 0.0,
        "p_holm": 1.0,
    }
    other = CHALLENGER | {"p_holm": 0.5}
    text = say("challenger", challengers=[same, other])
    assert "No significant difference from pd: new (" in text
    assert "copy ranks all pairs of rows with different outcomes as pd does." in text


def test_an_implied_ratio_of_several_periods_is_told_to_be_of_all():
    split = {"by": "year", "in_time_order": True, "absent": []}
    split["groups"] = [
        {"group": year, "n_rows": 9, "accuracy_ratio": RATIO} for year in ("2023", "2024")
    ]
    text = find_implied(FACTS | {"implied": [IMPLIED], "periods": [split]})
    assert "Rows of both periods were tested together, 2023 to 2024; where event" in text
    assert "Rows of all" not in say("implied", implied=[IMPLIED])
    untested = IMPLIED | {"p_value": None}
    text = find_implied(FACTS | {"implied": [untested], "periods": [split]})
    assert text.endswith("so no other AR was possible.")
    some = [IMPLIED, IMPLIED | {"n_left_out": 2}]
    text = find_implied(FACTS | {"implied": some, "periods": [split]})
    assert "Rows with a probability were tested together, whatever their period;" in text
    told = "right probabilities that do not follow the rate of each period"
    assert f", {told} (through the cycle) are rejected more often than the" in text
    one_sided = [IMPLIED | {"alternative": "greater"}]
    text = find_implied(FACTS | {"implied": one_sided, "periods": [split]})
    assert "are rejected more or less often than the level says, by how they" in text


def test_the_rate_of_rows_left_out_has_its_base():
    rows = make_rows(n_rows_with_outcome=49, n_events=2)
    told = "left out is 4.00 % (2 of 49 with an outcome), compared"
    assert told in say("left_out", rows=rows)
    rows = make_rows(n_rows_with_outcome=49, n_events=2.0, is_weighted=True)
    assert "is 4.00 % (of 49 with an outcome), compared" in say("left_out", rows=rows)


@pytest.mark.parametrize(
    ("few", "told"),
    [
        (
            {"n_errors": 4.9, "n_effective": 20.0},
            "In the sample, fewer than 5 wrongly ranked events (counted as independent",
        ),
        ({"n_errors": 4.9, "n_effective": None}, "The sample is small for this test"),
        ({"n_errors": 4.9, "n_effective": 19.0}, "The sample is small for this test"),
        ({"n_errors": 5.0, "n_effective": 20.0}, "The sample is small for this test"),
    ],
)
def test_a_test_of_few_wrongly_ranked_events_is_not_of_a_small_sample(few, told):
    few |= {"is_reliable": False, "n_minority": 400, "degrees_of_freedom": 410.0}
    assert f" {told}" in say("challenger", challengers=[CHALLENGER | few])
    shown = told.replace(" sample", " current sample").removesuffix(" for this test")
    assert f" {shown}" in say("initial", initial=[INITIAL | few])


def test_of_amounts_wrongly_ranked_rows_are_expected_of_pairs():
    few = {"n_errors": 4.9, "n_effective": 34.6, "n_minority": 45, "is_reliable": False}
    text = say("initial", initial=[INITIAL | few | {"name": "gAUC"}])
    assert (
        " In the current sample, which comes down to 34.6 independent pairs of equal rows, "
        "fewer than 10 wrongly ranked ones are to be expected, so the ECB's test may not "
        "keep its level."
    ) in text


def test_challengers_of_amounts_are_said_to_rank_rows():
    few = {"n_errors": 4.9, "n_effective": 34.6, "n_minority": 45, "is_reliable": False}
    rows = [CHALLENGER | few | {"name": "AR"}]
    text = say("challenger", challengers=rows, outcome="amounts")
    assert "fewer than 10 wrongly ranked ones are to be expected" in text
    text = say("challenger", challengers=rows)
    assert "fewer than 5 wrongly ranked events (counted as independent" in text


def test_few_wrong_ranks_that_probabilities_imply_are_told():
    text = say("implied", implied=[IMPLIED | {"is_reliable": False}])
    assert text.endswith(
        "Fewer than 2 wrongly ranked events (counted as independent ones of equal weight) "
        "are to be expected, so this test may not keep its level."
    )


@pytest.mark.parametrize(
    ("is_constant", "auc", "why"),
    [
        (True, 0.5, "all rows share one score, which shows no variance of AR"),
        (False, 1.0, "rows that are ranked without an error show no variance of AR"),
        (
            False,
            0.7,
            "the rows, or clusters of rows, are too few to show the variance of AR",
        ),
    ],
)
def test_a_decrease_that_could_not_be_tested_says_why(is_constant, auc, why):
    models = with_ratio(is_constant=is_constant, value=2 * auc - 1)
    untested = INITIAL | {"p_value": None, "second": auc}
    text = say("initial", initial=[untested], models=models)
    assert text.endswith(f"; whether it has decreased could not be tested, because {why}.")
    assert "compared with 0.800 at initial validation; whether" in text
    text = say("initial", initial=[untested | {"value": 0.8 - auc}], models=models)
    assert text.endswith(f"; whether it has decreased could not be tested, because {why}.")
    assert ("which is not below 0.800 at initial validation; whether" in text) == (auc == 1)
    text = say(
        "initial",
        initial=[untested],
        models=models,
    )
    assert "were tested together" not in text


@pytest.mark.parametrize(
    ("p_value", "told"),
    [
        (0.04963, "p = 0.0496"),
        (0.05037, "p = 0.0504"),
        (0.0499996, "p = 0.0499996"),
        (0.05, "p = 0.050"),
        (0.051, "p = 0.051"),
        (0.0004, "p < 0.001"),
    ],
)
def test_a_p_value_is_not_rounded_to_the_level(p_value, told):
    text = say("challenger", challengers=[CHALLENGER | {"p_holm": p_value}])
    assert f", {told})" in text
    assert ("not statistically significant" in text) == (p_value >= 0.05)


def test_small_p_values_stand_on_their_side_of_a_small_level():
    assert say_p_value(0.0007, 0.9995) == "p = 0.0007"
    assert say_p_value(0.0003, 0.9995) == "p < 0.0005"
    assert say_p_value(0.00104, 0.999) == "p = 0.00104"
    assert say_p_value(0.00096, 0.999) == "p = 0.00096"


def test_a_limit_is_not_rounded_to_0():
    text = say("challenger", challengers=[CHALLENGER | {"low": 0.000105}])
    assert "confidence interval 0.0001 to 0.090" in text
    text = say("challenger", challengers=[CHALLENGER | {"low": -0.00004}])
    assert "confidence interval -0.00004 to 0.090" in text
    text = say("challenger", challengers=[CHALLENGER | {"low": 0.0}])
    assert "confidence interval 0.000 to 0.090" in text


def test_a_weighted_auc_asks_for_an_initial_one_with_the_same_weights():
    sample = FACTS["sample"] | {"weights": "sampling", "weights_column": "exposure"}
    told = (
        " of this sample is weighted by exposure; an initial one without weights is "
        "another number, and the test may find another verdict."
    )
    assert say("initial", initial=[INITIAL], sample=sample).endswith(f"The AUC{told}")
    assert told not in say("initial", initial=[INITIAL])
    binned = sample | {"weights_column": None}
    assert " weighted by weights of its rows;" in say(
        "initial", initial=[INITIAL], sample=binned
    )
