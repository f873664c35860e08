"""Options of a report that are checked before anything is read."""

import polars as pl
import pytest

from capcurve import BinnedCurve, CapcurveError, report
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(500))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"green": 0.5}, "`green` requires `amber`, which was not given; pass both"),
        ({"amber": 0.5}, "`amber` requires `green`, which was not given; pass both"),
        ({"green": 50, "amber": 0.4}, "`green` must be an AR from -1 to 1, got 50; 45 %"),
        ({"green": 0.5, "amber": "x"}, "`amber` must be an AR from -1 to 1, got 'x'; 45"),
        ({"green": 0.4, "amber": 0.4}, "`amber` must be below `green`, got 0.4 and 0.4;"),
    ],
)
def test_limits_of_colours_come_in_pairs_and_in_order(options, told):
    with pytest.raises(CapcurveError, match=told):
        report(LOANS, "default", "champion_pd", **options)
    binned = BinnedCurve.from_frame(LOANS, "default", "champion_pd")
    with pytest.raises(CapcurveError, match=told):
        report(binned, "default", "champion_pd", **options)


def test_meta_and_limitations_are_shown_as_given():
    found = report(
        LOANS,
        "default",
        "champion_pd",
        meta={"model id": "PD-7", "owner": "Retail"},
        limitations=["No macroeconomic downturn in the sample."],
        green=0.9,
        amber=0.1,
    ).facts
    assert found["meta"] == {"model id": "PD-7", "owner": "Retail"}
    assert found["limitations"][-1] == "No macroeconomic downturn in the sample."
    assert found["findings"][0]["status"] == "amber"
    assert found["thresholds"] == {"green": 0.9, "amber": 0.1}


def test_every_report_says_what_it_does_not_assess():
    def list_limitations(*arguments, **options):
        return [
            text.split(" ")[0]
            for text in report(*arguments, **options).facts["limitations"]
        ]

    rows = LOANS.with_columns(w=pl.col("loan") % 3 + 1)
    data = rows, "default", "champion_pd"
    common = ["Calibration", "Stability", "Whether", "No"]
    assert list_limitations(*data) == [*common, "Rows"]
    assert list_limitations(*data, clusters="loan") == common
    assert list_limitations(*data, case_weights="w") == [*common, "Rows", "The"]
    assert list_limitations(*data, counts="w") == [*common, "The"]
    binned = BinnedCurve.from_frame(*data)
    found = report(binned, "default", "champion_pd").facts["limitations"]
    assert [" ".join(text.split(" ")[:4]) for text in found[4:]] == [
        "Rows were binned before",
        "Rows are taken as",
        "How many rows were",
    ]


@pytest.mark.parametrize("outcome", ["default", "loss"])
def test_every_report_says_which_errors_no_interval_shows(outcome):
    told = report(LOANS, outcome, "champion_pd").facts["limitations"]
    (fitted,) = [text for text in told if "fitted on these rows" in text]
    assert "its AR is too high, and no interval shows by how much" in fitted
    (shock,) = [text for text in told if "shock that all rows share" in text]
    assert "such as one bad year" in shock
