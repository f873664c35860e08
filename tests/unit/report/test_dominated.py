"""One row with most of the weight: what a report, a plan and a test say of it."""

import re

import numpy as np
import openpyxl
import polars as pl
import pytest

from capcurve import FewEventsWarning, plan_from_sample, plan_models, report
from capcurve._cli.run import main
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000)).with_row_index("row")
FIRST = LOANS["default"].arg_max()


def weigh(weight):
    """Give the first event a weight; all others have 1."""
    return LOANS.with_columns(
        weight=pl.when(pl.col("row") == FIRST).then(weight).otherwise(1.0)
    )


def say(facts, topic):
    return next(each["text"] for each in facts["findings"] if each["topic"] == topic)


@pytest.fixture(scope="module", params=[16.0, 25.0], ids=["some", "most"])
def dominated(request):
    options = {"compare": "challenger_pd", "case_weights": "weight"}
    return report(weigh(request.param), "default", "champion_pd", **options).facts


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_findings_say_that_few_rows_decide(dominated):
    ratio = dominated["models"][0]["accuracy_ratio"]
    df = ratio["degrees_of_freedom"]
    assert df < 10
    assert f"so the interval is wide ({df:.2g} degrees of freedom)" in say(
        dominated, "accuracy_ratio"
    )
    (row,) = dominated["challengers"]
    assert not row["is_reliable"]
    assert f"variance of the difference ({row['degrees_of_freedom']:.2g} degrees" in say(
        dominated, "challenger"
    )
    assert not any(each["is_reliable"] for each in dominated["power"]["models"])


def test_plans_of_dominated_samples_warn():
    rows = weigh(16.0)
    with pytest.warns(FewEventsWarning, match="few rows or clusters have most") as told:
        plan = plan_from_sample(
            rows["default"], rows["champion_pd"], sample_weight=rows["weight"]
        )
    assert f"few rows: {plan.degrees_of_freedom:.2g} degrees" in str(told[0].message)
    with pytest.warns(FewEventsWarning, match="^fewer than 10 degrees"):
        plan_models(rows, "default", "champion_pd", case_weights="weight")


def test_less_than_one_degree_of_freedom_plans_nothing():
    rows = weigh(40.0)
    with pytest.warns(FewEventsWarning):
        plan = plan_from_sample(
            rows["default"], rows["champion_pd"], sample_weight=rows["weight"]
        )
    assert plan.degrees_of_freedom < 1
    assert np.isnan(plan.detectable_difference)
    assert 0 < plan.half_width < 1  # of the interval, which has limits all the same


def test_the_shell_notes_a_dominated_plan(tmp_path, capsys):
    weigh(16.0).write_csv(tmp_path / "loans.csv")
    options = ["--truth", "default", "--estimate", "champion_pd", "--weight", "weight"]
    assert main(["plan", str(tmp_path / "loans.csv"), *options]) == 0
    assert "fewer than 10 degrees of freedom, as few rows" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_groups_with_few_events_say_what_weights_leave_of_them():
    """All groups have 30 events; in two of them, one has half of the weight."""
    number, group = np.arange(1_200) % 300, np.repeat(list("abcd"), 300)
    event = number < 30
    score = np.random.default_rng(1).normal(size=1_200) + event
    weight = np.where((number == 0) & np.isin(group, ["b", "c"]), 29.0, 1.0)
    rows = pl.DataFrame({"y": event * 1, "s": score, "w": weight, "g": group})
    years = {"a": 2021, "b": 2022, "c": 2023, "d": 2024}
    rows = rows.with_columns(year=pl.col("g").replace_strict(years))
    options = {"by": "g", "period": "year", "case_weights": "w"}
    facts = report(rows, "y", "s", **options).facts
    n = 58**2 / (29**2 + 29)
    told = rf"b \(AR [\d.]+, effectively {n:.3g} of 30\), c \(AR [\d.]+, effectively"
    assert re.search(told, str(facts["findings"]))
    assert f"2022 (effectively {n:.3g} of 30), 2023" in say(facts, "trend")
    page = report(rows, "y", "s", **options).to_html()
    assert f"few events, {n:.3g} of 30 effective" in page


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
@pytest.mark.parametrize(
    ("weight", "variance", "is_told"),
    [(16.0, None, False), (25.0, 0.0002, True), (1.0, 0.0009, False)],
)
def test_more_degrees_of_freedom_explain_a_smaller_fall(weight, variance, is_told):
    options = {"initial_auc": 0.8, "initial_variance": variance, "case_weights": "weight"}
    made = report(weigh(weight), "default", "champion_pd", **options)
    row = made.facts["power"]["models"][0]
    initial = row["detectable_fall_initial"]
    assert (initial is not None and initial < row["detectable_fall"]) == is_told
    told = "since initial validation is the smaller one, as its test has more degrees"
    assert (told in made.to_html()) == is_told
    made.write("r.xlsx")
    notes = openpyxl.load_workbook("r.xlsx")["Models"]["A"]
    assert any(told in str(cell.value) for cell in notes) == is_told
