"""Facts on comparisons are the numbers of the other doors."""

import re
from math import inf

import numpy as np
import openpyxl
import polars as pl
import pytest
from scipy import stats

from capcurve import (
    CapcurveError,
    CapSketch,
    FewEventsWarning,
    accuracy_ratio_interval,
    accuracy_ratio_test_implied,
    accuracy_ratio_test_initial,
    compare_implied,
    plan_from_sample,
    report,
    somers_d_interval,
)
from capcurve._arrays.sample_comparisons import count_initial_events
from capcurve._report.comparison_tables import tabulate_initial
from capcurve._report.page_tables import choose_words
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))
MODELS = ("champion_pd", "challenger_pd")
EMPTY = pl.lit(None, dtype=pl.Float64)
Y, *SCORES = (LOANS[name].to_numpy() for name in ("default", *MODELS))


@pytest.fixture(scope="module")
def facts():
    return report(
        LOANS,
        "default",
        MODELS[0],
        compare=MODELS[1],
        initial_auc=0.82,
        initial_variance=1e-4,
        implied=MODELS,
        confidence_level=0.9,
    ).facts


def test_the_champion_alone_is_tested_against_its_initial_validation(facts):
    current = accuracy_ratio_interval(Y, SCORES[0], confidence_level=0.9)
    tests = accuracy_ratio_test_initial(
        current, initial_auc=0.82, initial_variance=1e-4, confidence_level=0.9
    )
    assert [row["model"] for row in facts["initial"]] == [MODELS[0]] * 2
    for row, test in zip(facts["initial"], (tests.ecb, tests.two_sample), strict=True):
        for name in ("value", "low", "statistic", "p_value", "first", "second"):
            assert row[name] == getattr(test, name)
        assert row["high"] is None  # the test for a decrease has a lower limit only
        assert row["is_significant"] == (test.p_value < 0.1)
    assert [row["test"] for row in facts["initial"]] == ["ECB", "two samples"]


def test_the_test_of_two_samples_can_be_traced(facts):
    row = facts["initial"][1]
    auc = accuracy_ratio_interval(Y, SCORES[0], confidence_level=0.9).to_auc()
    trials = np.array([0.82 * 0.18 / 1e-4, auc.n_trials])
    both = (0.82, auc.value) @ trials / trials.sum()
    expected = np.sqrt(both * (1 - both) * (1 / trials).sum())
    assert row["s_0"] == pytest.approx(expected)
    assert row["statistic"] == pytest.approx((0.82 - auc.value) / expected)
    tail = stats.t.sf(row["statistic"], row["degrees_of_freedom"])
    assert row["p_value"] == pytest.approx(tail)
    method = next(each for each in facts["methods"] if "two samples" in each["topic"])
    assert f"here s_0 = {expected:.6f}" in method["formula"]
    assert method["df"] == f"{row['degrees_of_freedom']:,.1f}"


def test_equal_values_have_no_denominator():
    auc = accuracy_ratio_interval(Y, SCORES[0]).to_auc().value
    options = {"initial_auc": auc, "initial_variance": 1e-4}
    found = report(LOANS, "default", MODELS[0], **options).facts
    assert [row["s_0"] for row in found["initial"]] == [None, None]
    method = next(each for each in found["methods"] if "two samples" in each["topic"])
    assert "here s_0 undefined" in method["formula"]


def test_the_test_of_a_challenger_can_be_traced(facts):
    (row,) = facts["challengers"]
    assert row["statistic"] == pytest.approx(row["value"] / row["s_0"])
    tail = stats.t.sf(abs(row["statistic"]), row["degrees_of_freedom"])
    assert row["p_value"] == pytest.approx(2 * tail)


def test_the_template_of_the_ecb_can_be_filled_in(facts):
    row = facts["initial"][0]
    assert row["s"] ** 2 == row["variance"]
    assert row["statistic"] == pytest.approx((row["first"] - row["second"]) / row["s"])
    assert (row["n_events"], row["n_rows"]) == (int(Y.sum()), 3_000)
    assert (row["level"], row["initial_variance"]) == (0.1, 1e-4)
    (only,) = report(LOANS, "default", MODELS[0], initial_auc=0.7).facts["initial"]
    assert (only["test"], only["initial_variance"]) == ("ECB", None)
    assert not only["is_significant"]


def test_amounts_are_tested_on_gauc():
    (row,) = report(LOANS, "loss", MODELS[0], initial_auc=0.8).facts["initial"]
    gauc = somers_d_interval(LOANS["loss"], LOANS[MODELS[0]]).to_auc()
    assert (row["name"], row["second"], row["s"]) == (
        "gAUC",
        gauc.value,
        gauc.standard_error,
    )


def test_implied_ratios_may_be_tested_on_one_side():
    options = {"implied": MODELS[0], "implied_side": "less"}
    found = report(LOANS, "default", MODELS[0], **options).facts
    (row,) = found["implied"]
    expected = accuracy_ratio_test_implied(Y, SCORES[0], alternative="less")
    assert (row["p_value"], row["alternative"]) == (expected.p_value, "less")
    assert (row["low"], row["high"]) == (expected.low, None)
    (method,) = (each for each in found["methods"] if each["topic"] == "Implied AR")
    assert "p-value = P(A <= AUC + h), A" in method["formula"]
    assert "no conclusion from a single year of recession" in method["text"]
    with pytest.raises(CapcurveError, match="`implied_side` must be"):
        report(LOANS, "default", MODELS[0], implied_side="below")


@pytest.mark.parametrize(
    ("side", "limited", "told"),
    [
        (
            "two-sided",
            (
                "it rejects right through-the-cycle PDs more often than its level says, in "
                "good and average years as in a recession."
            ),
            (
                "They are rejected more often than the level says in both, so this test "
                "allows no conclusion from a single year of recession, nor from"
            ),
        ),
        (
            "less",
            (
                "in a recession it rejects right through-the-cycle PDs more often than its "
                "level says, in good and average years less often."
            ),
            (
                "Side 'less' rejects them more often than the level says only in a "
                "recession, so this test allows no conclusion from a single year"
            ),
        ),
        (
            "greater",
            (
                "in good and average years it rejects right through-the-cycle PDs more "
                "often than its level says, in a recession less often."
            ),
            (
                "Side 'greater' rejects them more often than the level says in good and "
                "average years, and less often in a recession, so this test allows no "
                "conclusion from a rejection in a good or average year, nor from"
            ),
        ),
    ],
)
def test_what_the_economy_does_to_the_implied_ratio_depends_on_the_side(
    side, limited, told
):
    options = {"implied": MODELS[0], "implied_side": side}
    found = report(LOANS, "default", MODELS[0], **options).facts
    assert limited in found["limitations"][-1]
    (method,) = (each for each in found["methods"] if each["topic"] == "Implied AR")
    assert told in method["text"]


def test_implied_ratios_are_those_of_the_arrays(facts):
    assert [row["model"] for row in facts["implied"]] == list(MODELS)
    for row, score in zip(facts["implied"], SCORES, strict=True):
        expected = accuracy_ratio_test_implied(Y, score, confidence_level=0.9)
        assert row["text"] == repr(expected)
        for name, value in expected.to_dict().items():
            assert row[name] == value
        assert row["is_reliable"]
    one = report(LOANS, "default", *MODELS[:1], compare=MODELS[1], implied=MODELS[1])
    assert [row["model"] for row in one.facts["implied"]] == [MODELS[1]]
    assert report(LOANS, "default", MODELS[0]).facts["implied"] == []


@pytest.mark.parametrize(
    ("truth", "options", "told"),
    [
        (
            "default",
            {"implied": "grade"},
            "`grade` must hold probabilities from 0 to 1, got",
        ),
        ("default", {"implied": "pdd"}, "pdd"),
        ("default", {"implied": "none"}, "`none` must hold a probability for some rows"),
        ("loss", {"implied": MODELS[1]}, "got amounts; leave `implied` out"),
        ("loss", {"implied": MODELS[0]}, "got amounts; leave `implied` out"),
        (
            "default",
            {"descending": False},
            r"first; turn scores \(s to -s, or .* to 1 - p\)",
        ),
        ("default", {"estimate": "exposure"}, "must hold probabilities from 0 to 1"),
        ("default", {"estimate": "grade", "order": "HGFEDCBA"}, "must hold numbers or an"),
    ],
)
def test_scores_that_are_no_probabilities_imply_nothing(truth, options, told):
    estimate = options.pop("estimate", MODELS[0])
    if "order" in options:
        options["order"] = list(options["order"])
    options = {"implied": estimate} | options
    with pytest.raises(CapcurveError, match=told):
        report(LOANS.with_columns(none=EMPTY), truth, estimate, **options)


ORDER = list("ABCDEFGH")


@pytest.mark.parametrize("challenger", [None, MODELS[0]])
def test_probabilities_may_belong_to_the_grades_that_rank(challenger):
    rows = LOANS.with_columns(
        pl.when(pl.col("loan") % 7 != 0).then(pl.col(MODELS[0])).alias("pd")
    )
    options = {"order": ORDER, "implied": "pd", "compare": challenger}
    if challenger:
        options["implied"] = challenger
    (row,) = report(rows, "default", "grade", **options).facts["implied"]
    expected = compare_implied(
        rows.drop_nulls() if challenger is None else rows,
        "default",
        options["implied"],
        score=None if challenger else "grade",
        order=None if challenger else ORDER,
    ).to_dicts()[0]
    assert (row["model"], row["score"]) == (options["implied"], challenger or "grade")
    for name, column in (("observed", "estimate"), ("implied", "implied")):
        assert row[name] == pytest.approx(expected[column])
    assert row["p_value"] == pytest.approx(expected["p_value"])
    assert row["n_left_out"] == (0 if challenger else rows["pd"].null_count())


def test_events_among_counted_rows_have_probabilities_too():
    grades = LOANS.group_by("grade", maintain_order=True).agg(
        n=pl.len(), bad=pl.col("default").sum(), pd=pl.col(MODELS[0]).mean()
    )
    counted = report(
        grades, None, "grade", counts="n", events="bad", order=ORDER, implied="pd"
    ).facts["implied"]
    single = LOANS.with_columns(pd=pl.col(MODELS[0]).mean().over("grade"))
    (row,) = report(single, "default", "grade", order=ORDER, implied="pd").facts["implied"]
    assert counted[0]["p_value"] == pytest.approx(row["p_value"])
    assert counted[0]["expected_events"] == pytest.approx(row["expected_events"])


def test_the_shift_follows_from_the_weights_of_events_that_are_shown():
    rows = LOANS.with_columns(w=1.0 + pl.col("grade").eq(pl.col("grade").first()) / 2)
    given = {"implied": MODELS[0]}
    (row,) = report(rows, "default", MODELS[0], case_weights="w", **given).facts["implied"]
    event, pd, w = (rows[name].to_numpy() for name in ("default", MODELS[0], "w"))
    assert row["weight_of_events"] == pytest.approx(w[event == 1].sum())
    assert row["expected_weight_of_events"] == pytest.approx(w @ pd)
    shifted = 1 / (1 + (1 / pd - 1) * np.exp(-row["shift"]))
    assert w @ shifted == pytest.approx(row["weight_of_events"])
    assert row["n_events"] == event.sum()
    for equal in (LOANS, rows.with_columns(w=1.0)):
        options = given | ({} if equal is LOANS else {"case_weights": "w"})
        (row,) = report(equal, "default", MODELS[0], **options).facts["implied"]
        assert row["weight_of_events"] is row["expected_weight_of_events"] is None


def test_each_model_is_tested_against_its_own_initial_validation():
    initial = dict(zip(MODELS, (0.82, 0.85), strict=True))
    found = report(
        LOANS,
        "default",
        MODELS[0],
        compare=MODELS[1],
        initial_auc=initial,
        initial_variance={MODELS[1]: 1e-4},
    )
    rows = found.facts["initial"]
    told = [(row["model"], row["test"]) for row in rows]
    assert told == [(MODELS[0], "ECB"), (MODELS[1], "ECB"), (MODELS[1], "two samples")]
    alone = report(
        LOANS, "default", MODELS[1], initial_auc=0.85, initial_variance=1e-4
    ).facts["initial"]
    assert rows[1:] == alone
    assert rows[0]["initial_variance"] is None
    gates = found.with_gates(fail_if_worse_than_initial=0.05).gates
    assert [(gate.subject, gate.value) for gate in gates] == [
        (MODELS[0], rows[0]["p_value"]),
        (MODELS[1], rows[2]["p_value"]),
    ]


def test_degrees_of_tests_of_several_models_are_named():
    values = dict(zip(MODELS, (1e-4, 2e-4), strict=True))
    facts = report(
        LOANS,
        "default",
        MODELS[0],
        compare=MODELS[1],
        initial_auc=dict.fromkeys(MODELS, 0.82),
        initial_variance=values,
    ).facts
    first, second = (row for row in facts["initial"] if row["test"] == "two samples")
    method = next(each for each in facts["methods"] if "two samples" in each["topic"])
    for row in (first, second):
        assert f"s_0 = {row['s_0']:.6f} ({row['model']})" in method["formula"]
        assert f"{row['model']}: {row['degrees_of_freedom']:,.1f}" in method["df"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"initial_auc": {"pdd": 0.8}},
            "`initial_auc` must name scores that are read, got",
        ),
        (
            {"initial_auc": {MODELS[0]: 0.8}, "initial_variance": {MODELS[1]: 0.1}},
            "`initial_variance` requires the `initial_auc` of the same score, got",
        ),
        ({"initial_variance": {MODELS[1]: 0.1}}, "add its AUC, or leave the variance out"),
        ({"method": "waldo"}, "`method` must be"),
    ],
)
def test_values_of_other_models_are_refused(options, told):
    with pytest.raises(CapcurveError, match=told):
        report(LOANS, "default", MODELS[0], compare=MODELS[1], **options)


def test_a_variance_alone_is_refused():
    with pytest.raises(CapcurveError, match="requires the `initial_auc` of the same score"):
        report(LOANS, "default", MODELS[0], initial_variance=1e-4)


@pytest.mark.parametrize(
    ("variance", "told"),
    [
        (
            0.0025,
            "is that of a sample of about 16 events, so the two-sample test finds large",
        ),
        (
            0.16,
            "is that of a sample of about 1 event, so the two-sample test finds large",
        ),
    ],
)
def test_a_small_initial_sample_is_told_where_the_verdict_stands(variance, told):
    with pytest.warns(FewEventsWarning, match="`initial_variance` is that of about"):
        found = report(
            LOANS, "default", MODELS[0], initial_auc=0.8, initial_variance=variance
        )
    ecb, two_samples = found.facts["initial"]
    assert (ecb["is_reliable"], two_samples["is_reliable"]) == (True, False)
    assert two_samples["n_effective_initial"] == pytest.approx(0.16 / variance / 4)
    texts = {each["topic"]: each["text"] for each in found.facts["findings"]}
    assert f"The variance of the initial AUC {told}" in texts["initial"]


def test_a_small_initial_sample_of_amounts_is_one_of_pairs():
    with pytest.warns(FewEventsWarning, match="`initial_variance` is that of about 16 pa"):
        found = report(LOANS, "loss", MODELS[0], initial_auc=0.8, initial_variance=0.0025)
    texts = {each["topic"]: each["text"] for each in found.facts["findings"]}
    assert "that of a sample of about 16 pairs of equal rows, so" in texts["initial"]


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_degrees_of_freedom_that_do_not_matter_are_not_counted(tmp_path):
    rows = pl.DataFrame({"y": [1, 0] * 2_000, "s": [1.0] * 4_000})
    found = report(rows, "y", "s", initial_auc=0.8, initial_variance=0.01)
    assert found.facts["initial"][1]["degrees_of_freedom"] > 1e8
    page = found.to_html()
    assert ">over 1,000,000</td>" in page
    assert page.count("over 1,000,000") == 2  # in the table, and beside the formula
    found.write(tmp_path / "r.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "r.xlsx")["Initial"]
    numbers = [cell for row in sheet.iter_rows(values_only=True) for cell in row]
    assert all(abs(cell) < 1e6 for cell in numbers if isinstance(cell, int | float))


@pytest.mark.parametrize("name", ["AUC", "gAUC"])
def test_few_degrees_of_freedom_are_told_where_the_test_of_the_ecb_stands(name):
    score, noise = np.random.default_rng(3).normal(size=(2, 1500))
    outcome = np.exp(score + noise / 2) if name == "gAUC" else 1.0 * (score + noise > 1.2)
    place = np.argmin(np.where(outcome > 0, score, np.inf))
    outcome[place] = outcome.max()  # ranked last, and by far the heaviest
    rows = {"y": outcome, "s": score, "w": np.where(np.arange(1500) == place, 40.0, 1.0)}
    with pytest.warns(FewEventsWarning, match="degrees of freedom"):
        found = report(
            pl.DataFrame(rows), "y", "s", case_weights="w", initial_auc=0.95
        ).facts
    (ecb,) = found["initial"]
    assert (ecb["name"], ecb["is_reliable"]) == (name, False)
    assert ecb["degrees_of_freedom_s"] < 10
    texts = {each["topic"]: each["text"] for each in found["findings"]}
    assert (
        f"Few rows of the current sample have most of the variance of its {name} "
        f"({ecb['degrees_of_freedom_s']:.2g} degrees of freedom), so the ECB's test may "
        "not keep its level." in texts["initial"]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["logit-t", "logit", "wald", "newcombe", "exact", "bootstrap", "bca"]
)
def test_the_interval_has_the_method_that_was_asked_for(method):
    facts = report(LOANS, "default", MODELS[0], by="segment", method=method, seed=7).facts
    ratio = facts["models"][0]["accuracy_ratio"]
    wanted = accuracy_ratio_interval(Y, SCORES[0], method=method, random_state=7)
    assert (ratio["low"], ratio["high"]) == (wanted.low, wanted.high)
    assert ratio["method"] == wanted.method
    retail = (LOANS["segment"] == "retail").to_numpy()
    part = accuracy_ratio_interval(
        Y[retail], SCORES[0][retail], method=method, random_state=7
    )
    split = facts["segments"][0]
    (row,) = (each for each in split["groups"] if each["group"] == "retail")
    assert row["accuracy_ratio"]["high"] == part.high
    keeps = method in {"logit-t", "logit", "wald"}
    assert split["total"][0]["pooled"]["method"] == (method if keeps else "beta")
    assert facts["provenance"]["seed"] == (7 if method in {"bootstrap", "bca"} else None)
    topics = [each["topic"] for each in facts["methods"]]
    assert "Confidence interval of AR" in topics


def test_binned_rows_have_one_method():
    sketch = CapSketch()
    sketch.update(Y, SCORES[0])
    with pytest.raises(
        CapcurveError, match="'wald'` requires the rows, got rows that were"
    ):
        report(sketch, "default", MODELS[0], method="wald")


def test_a_score_that_all_rows_share_has_a_narrow_interval_and_bounded_differences():
    rows = LOANS.with_columns(
        one=pl.lit(1.0), perfect=pl.col("default").cast(pl.Float64) + 0.5
    )
    found = report(rows, "default", "one", compare="perfect")
    facts = found.facts
    ratio = facts["models"][0]["accuracy_ratio"]
    expected = accuracy_ratio_interval(rows["default"], rows["one"])
    assert (ratio["low"], ratio["value"]) == (expected.low, 0.0)
    assert -0.05 < ratio["low"] < 0 < ratio["high"] < 0.05
    (row,) = facts["challengers"]
    assert (row["value"], row["high"]) == (1.0, 1.0)
    (gate,) = found.with_gates(fail_below=0.1, fail_on_lower_bound=True).gates
    assert (gate.passed, gate.value) == (False, ratio["low"])


def test_an_event_of_probability_zero_is_refused():
    rows = pl.DataFrame({"y": [1, 0, 1, 0], "p": [0.0, 0.2, 0.4, 0.1]})
    with pytest.raises(CapcurveError, match="`p` must allow for what happened"):
        report(rows, "y", "p", implied="p")


def test_power_is_that_of_a_plan_from_the_sample(facts):
    power = facts["power"]
    assert (power["power"], power["level"]) == (0.8, 0.1)
    _, row = power["models"]
    either = plan_from_sample(Y, SCORES[1], confidence_level=0.9)
    fall = plan_from_sample(Y, SCORES[1], alternative="less", confidence_level=0.9)
    assert row["known"] == either.value
    assert row["detectable_difference"] == either.detectable_difference
    assert row["detectable_fall"] == -fall.detectable_difference
    assert row["detectable_fall_auc"] == -fall.detectable_difference / 2
    assert row["half_width"] == either.half_width
    (pair,) = power["pairs"]
    assert (pair["model"], pair["against"]) == MODELS[::-1]
    plan = plan_from_sample(Y, SCORES[1], SCORES[0], confidence_level=0.9)
    assert pair["detectable_difference"] == plan.detectable_difference


def find_power(row, trials, level, *, side=-1, distance=None):
    """Find the power of the test against the known AR of a row, as its method says."""
    known, df = (1 + row["known"]) / 2, row["degrees_of_freedom"]
    true = known + side * distance / 2
    quantile = stats.t.ppf(level, df)
    half = np.sqrt(known * (1 - known) / trials + quantile**2 / (4 * trials**2))
    edge = known + quantile**2 / (2 * trials) + side * quantile * half
    edge /= 1 + quantile**2 / trials
    s, s_0 = (2 * np.sqrt(p * (1 - p) / trials) for p in (true, edge))
    return stats.nct.sf(quantile * s_0 / s, df, distance / s)


def test_a_known_decrease_is_one_from_the_initial_auc(facts):
    row = facts["power"]["models"][0]
    assert row["known"] == pytest.approx(2 * 0.82 - 1)
    trials = accuracy_ratio_interval(Y, SCORES[0]).n_trials
    found = find_power(row, trials, 0.9, distance=row["detectable_fall"])
    assert found == pytest.approx(0.8, abs=1e-6)


def test_the_fall_since_initial_validation_is_that_of_the_two_sample_test():
    """Its error is pooled, which differs if the initial sample is the smaller one."""
    options = {"initial_auc": 0.8, "initial_variance": 0.0009}
    found = report(LOANS, "default", MODELS[0], compare=MODELS[1], **options).facts
    champion, challenger = found["power"]["models"]
    (row,) = (row for row in found["initial"] if row["test"] == "two samples")
    df, fall = row["degrees_of_freedom"], champion["detectable_fall_initial"] / 2
    current = accuracy_ratio_interval(LOANS["default"], LOANS[MODELS[0]])
    share, trials = np.array([0.8, 0.8 - fall]), np.array([0.16 / 0.0009, current.n_trials])
    pooled = share @ trials / trials.sum()
    error, null = (np.sqrt((p * (1 - p) / trials).sum()) for p in (share, pooled))
    power = stats.nct.sf(stats.t.ppf(0.95, df) * null / error, df, fall / error)
    assert power == pytest.approx(0.8, abs=1e-6)
    assert challenger["detectable_fall_initial"] is None
    columns = report(LOANS, "default", MODELS[0], **options).to_html()
    assert "Decrease since initial validation" in columns


def test_power_can_be_derived_from_the_degrees_of_freedom_that_are_told():
    """With 20 events they differ from those of intervals, which add pseudo-observations."""
    rows = LOANS.filter(pl.col("default") == 0).head(300)
    rows = pl.concat([rows, LOANS.filter(pl.col("default") == 1).head(20)])
    facts = report(rows, "default", MODELS[0], compare=MODELS[1]).facts
    (told,) = (each["df"] for each in facts["methods"] if each["topic"] == "Power")
    power, listed = facts["power"], []
    for row in power["models"]:
        trials = accuracy_ratio_interval(rows["default"], rows[row["model"]]).n_trials
        found = find_power(row, trials, 0.95, distance=row["detectable_fall"])
        assert found == pytest.approx(0.8, abs=1e-6)
        either = [
            find_power(row, trials, 0.975, side=side, distance=row["detectable_difference"])
            for side in (-1, 1)
        ]
        assert min(either) == pytest.approx(0.8, abs=1e-3)  # the far end counts, too
        listed.append(f"{row['model']}: {row['degrees_of_freedom']:.1f}")
    (pair,) = power["pairs"]
    listed.append(f"{MODELS[1]} minus {MODELS[0]}: {pair['degrees_of_freedom']:.1f}")
    assert told == "; ".join(listed)


def test_power_says_where_the_plan_of_a_sample_warns():
    y, scores = Y[:400], [score[:400] for score in SCORES]
    with pytest.warns(FewEventsWarning, match="min\\(events, non-events\\)"):
        plan_from_sample(y, scores[0])
    rows = LOANS.head(400)
    few = report(rows, "default", MODELS[0], compare=MODELS[1]).facts["power"]
    assert {row["is_reliable"] for row in [*few["models"], *few["pairs"]]} == {False}
    many = report(LOANS, "default", MODELS[0], compare=MODELS[1]).facts["power"]
    assert {row["is_reliable"] for row in [*many["models"], *many["pairs"]]} == {True}


def test_power_of_amounts_has_no_auc_and_bins_have_none():
    found = report(LOANS, "loss", MODELS[0]).facts["power"]["models"][0]
    assert found["detectable_fall"] > 0
    assert found["detectable_fall_auc"] is None
    for known in ({"initial_auc": 0.8}, {"initial_auc": 0.8, "initial_variance": 0.0004}):
        found = report(LOANS, "loss", MODELS[0], **known).facts
        assert found["power"]["models"][0]["detectable_fall_auc"] is None
        assert "of the test of gAUC against initial validation is not known." in str(
            found["findings"]
        )
    sketch = CapSketch()
    sketch.update(Y, SCORES[0])
    assert report(sketch, "default", MODELS[0]).facts["power"] is None


def test_the_workbook_says_what_power_rests_on_and_that_segments_were_not_tested(tmp_path):
    made = report(LOANS, "loss", MODELS[0], by="segment")
    made.write(tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    models = [*book["Models"].iter_rows(values_only=True)]
    (named,) = [row for row in models if "Decrease in AR from it" in row]
    below = models[models.index(named) + 1]
    assert below[named.index("Degrees of freedom")] == pytest.approx(
        made.facts["power"]["models"][0]["degrees_of_freedom"]
    )
    notes = [row[-1] for row in book["Comparison"].iter_rows(values_only=True)]
    assert "not tested: there is no test of all groups for amounts" in notes
    tests = [*book["Comparison"].iter_rows(values_only=True)]
    assert not [row for row in tests if "Segments tested" in row]


def test_a_perfect_ranking_has_no_power():
    rows = pl.DataFrame({"y": [1, 1, 0, 0], "s": [4, 3, 2, 1]})
    found = report(rows, "y", "s").facts
    assert found["power"]["models"][0]["detectable_fall"] is None
    assert found["power"]["models"][0]["detectable_fall_auc"] is None
    texts = {each["topic"]: each["text"] for each in found["findings"]}
    assert texts["power"] == (
        "Which decrease in AR a test on these rows finds is not known, because rows that "
        "are ranked without an error show no variance of AR."
    )


def test_a_test_that_could_not_be_made_has_no_verdict():
    constant = LOANS.with_columns(constant=pl.lit(0.1))
    options = {"initial_auc": 0.7, "initial_variance": 1e-4}
    facts = report(constant, "default", "constant", **options).facts
    assert "The rows show no variance of AR, so these" in str(facts["findings"])
    ecb = facts["initial"][0]
    assert (ecb["p_value"], ecb["is_significant"]) == (None, None)
    assert ecb["is_reliable"] is None
    table = tabulate_initial([ecb], choose_words(facts))
    shown = {each.name: each.write(each.values[0]) for each in table.columns}
    assert shown["Decrease at the 0.05 level"] == "not tested"
    assert shown["Degrees of freedom"] == shown["p-value"] == "–"


@pytest.mark.parametrize("order", [1, -1])
def test_no_difference_from_a_constant_score_is_detectable(order):
    rows = LOANS.with_columns(constant=pl.lit(0.1))
    first, second = [MODELS[0], "constant"][::order]
    (pair,) = report(rows, "default", first, compare=[second]).facts["power"]["pairs"]
    assert pair["detectable_difference"] is None


@pytest.mark.parametrize(
    ("probability", "why"),
    [
        ([0.5, 0.4, None, None], "imply no AR: all rows with a probability are events."),
        ([1.0, 0.5, 0.0, 0.0], "probability between 0 and 1 have the same outcome."),
        ([1.0, 0.4, 0.6, 0.0], "probability between 0 and 1 share one score, so no other"),
    ],
)
def test_an_implied_ratio_that_no_test_compares_says_why(probability, why):
    rows = pl.DataFrame({"y": [1, 1, 0, 0], "s": [4, 3, 3, 1], "p": probability})
    found = report(rows, "y", "s", implied="p")
    assert "could not be tested" in found.to_html() or "imply no AR" in found.to_html()
    texts = {each["topic"]: each["text"] for each in found.facts["findings"]}
    assert why in texts["implied"]


def test_of_tests_that_were_not_made_nobody_knows_whether_they_keep_their_level():
    rows = pl.DataFrame({"y": [1, 0, 0], "a": [0.9, 0.2, 0.1], "b": [0.3, 0.2, 0.5]})
    facts = report(
        rows.with_columns(c=0.5), "y", "c", compare=["a", "b"], implied="c"
    ).facts
    made = {row["p_value"] is not None for row in facts["challengers"]}
    assert made == {False}
    assert {row["is_reliable"] for row in facts["challengers"]} == {None}
    assert [row["is_reliable"] for row in facts["implied"]] == [None]
    assert "keep its level" not in str(facts["findings"])


def test_sentences_say_undefined_and_count_one_event_in_the_singular():
    first = pl.col("default").cum_sum().eq(1) & pl.col("default").eq(1)
    single = LOANS.with_columns(default=first.cast(pl.Int64), constant=pl.lit(0.1))
    for score in ("constant", MODELS[0]):
        found = report(  # without a warning of a test that was not made
            single, "default", score, by="segment", period="year", initial_auc=0.7
        )
        text = found.to_json()
        assert not re.search(r"\bnan\b|\b1 events|\b1 non-events", text)
        assert "interval undefined, p-value undefined" in found.facts["initial"][0]["text"]
        assert "1 event, 2,999 non-events" in found.facts["initial"][0]["text"]


def test_a_trend_tells_from_which_period_to_which_it_is_fitted():
    # Few events of one period between others take it out of the trend.
    some = pl.col("year").ne(LOANS["year"].unique().sort()[1])
    rows = pl.concat([LOANS.filter(some), LOANS.filter(~some).head(20)])
    found = report(rows, "default", MODELS[0], period="year").facts
    (trend,) = found["periods"][0]["trend"]
    years = sorted(map(str, LOANS["year"].unique()))
    assert (trend["n_periods"], trend["n_spanned"]) == (3, 4)
    steps = trend["change"] * (trend["n_spanned"] - 1)
    assert steps == pytest.approx(trend["last"] - trend["first"])
    assert trend["text"].startswith(f"from {years[0]} to {years[-1]}, AR change ")
    assert "in 3 of 4 periods)" in trend["text"]


@pytest.mark.filterwarnings("ignore:left out")
def test_periods_are_called_by_the_length_they_are_cut_to(tmp_path):
    dated = LOANS.with_columns(month=pl.date(pl.col("year"), 2, 1)).with_row_index()
    score = pl.when(pl.col("index") > 5).then(MODELS[0]).alias(MODELS[0])
    dated = dated.with_columns(score)
    options = {"period": "month", "by": "segment"}
    made = report(dated, "default", MODELS[0], period_by="quarter", **options)
    assert [made.facts["periods"][0]["by"], made.facts["rows"]["by"][1]["by"]] == [
        "month",
        "month",
    ]
    page, told = made.to_html(), str(made.facts["findings"])
    assert page.count("<h3>By month, by quarter</h3>") == 2  # also of rows left out
    assert page.count("<h3>By segment</h3>") == 2
    assert "Periods are the quarters of the dates in month." in told
    assert "month, by quarter, champion_pd: " in str(made.facts["methods"])
    made.write(tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    named = {
        sheet.title
        for sheet in book
        for row in sheet.iter_rows(values_only=True)
        if "month, by quarter" in row
    }
    assert named == {"Periods", "Rows", "Comparison", "Chart data"}
    whole = report(dated, "default", MODELS[0], **options)
    assert "<h3>By month</h3>" in whole.to_html()
    assert "Periods are the" not in str(whole.facts["findings"])


def test_the_size_of_the_initial_sample_has_all_its_digits():
    assert count_initial_events(0.8, 0.0003) == 0.8 * (1 - 0.8) / 0.0003 / 4
    assert count_initial_events(0.8, 0.002) == 20
    assert count_initial_events(0.8, 0.0) == inf


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_what_is_0_over_0_of_perfect_scores_is_in_the_methods():
    y = np.r_[np.ones(25, int), np.zeros(300, int)]
    noise = np.linspace(0, 0.9, 325)
    rows = pl.DataFrame(
        {"y": y, "a": y + noise, "b": y - noise, "c": y + np.sin(noise * 99) * 3}
    )

    def explain(*names):
        facts = report(rows, "y", names[0], compare=names[1:]).facts
        (text,) = (m["text"] for m in facts["methods"] if m["topic"] == "Challengers")
        return facts["challengers"], text

    (pair,), text = explain("a", "b")
    assert (pair["statistic"], pair["p_value"], pair["degrees_of_freedom"]) == (0, 1, 24)
    assert "rho is 0 / 0: it is 0 then." in text
    assert "one degree of freedom less than the smaller class has rows." in text
    assert text.endswith(
        "T is 0 / 0: it is 0 and p = 1 then, as the rows tell no difference."
    )
    rows = rows.with_columns(d=pl.col("c") * 2)
    (pair,), text = explain("c", "d")
    assert (pair["statistic"], pair["p_value"], pair["degrees_of_freedom"]) == (0, 1, 24)
    assert "0 / 0" in text
    rows = rows.with_columns(d=pl.Series(np.sin(noise * 300)))
    assert "0 / 0" not in explain("c", "d")[1]
