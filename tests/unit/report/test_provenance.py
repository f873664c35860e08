"""What made a report, and that it makes the same report again."""

import json
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import BinnedCurve, CapcurveError, report
from capcurve.__main__ import main
from capcurve._report.provenance import describe_provenance, make_plain, make_timestamp
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(1_000)).with_columns(
    obligors=pl.col("loan") % 3 + 1, grade_text=pl.col("grade")
)


@pytest.fixture(autouse=True)
def _fixed_time(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


@pytest.mark.parametrize("epoch", ["", "x", "1e9", "99999999999999"])
def test_a_time_that_is_none_is_refused_by_its_name(monkeypatch, epoch, capsys):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    told = f"SOURCE_DATE_EPOCH must be a time in seconds since 1970, got {epoch!r}; correct"
    with pytest.raises(CapcurveError, match=told):
        make_timestamp()
    assert main(["score", "loans.csv"]) == 2
    assert told in capsys.readouterr().err


CALLS = {
    "plain": (("default", "champion_pd"), {}),
    "all options": (
        ("default", "champion_pd"),
        {
            "compare": "challenger_pd",
            "by": ["segment", "grade"],
            "period": "year",
            "clusters": "loan",
            "confidence_level": 0.9,
            "bands": np.array([0.1, 0.5]),
            "initial_auc": 0.8,
            "initial_variance": 1e-4,
            "implied": ("champion_pd",),
            "green": 0.6,
            "amber": 0.5,
            "meta": {"model id": 'PD "7"'},
            "limitations": ["It's small."],
            "title": "Tom's portfolio",
            "pos_label": np.int64(1),
        },
    ),
    "grades": (
        ("default", "grade_text"),
        {"order": tuple("ABCDEFGH"), "bands": "scores", "counts": "obligors"},
    ),
    "amounts": (("loss", "exposure"), {"descending": False, "case_weights": "obligors"}),
}


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
@pytest.mark.parametrize("name", CALLS)
def test_the_call_in_a_report_makes_the_same_report(name):
    positional, options = CALLS[name]
    made = report(LOANS, *positional, **options)
    call = json.loads(made.to_json())["provenance"]["call"]
    again = eval(call, {"report": report, "data": LOANS})  # noqa: S307 -- our own text
    assert again.to_json() == made.to_json()
    assert again.facts["provenance"]["call"] == call


def test_options_are_listed_with_their_values_also_those_not_given():
    provenance = report(LOANS, "default", "champion_pd", bands=(0.1, 0.5)).facts[
        "provenance"
    ]
    assert provenance["call"] == (
        "report(data, 'default', 'champion_pd', bands=[0.1, 0.5])"
    )
    options = provenance["options"]
    assert options["bands"] == [0.1, 0.5]
    assert options["confidence_level"] == 0.95
    assert "data" not in options
    assert options["initial_auc"] is None
    assert provenance["command"] is None
    assert (provenance["files"], provenance["query"]) == ([], None)
    assert provenance["seed"] is None
    assert provenance["time"] == "2023-11-14T22:13:20+00:00"


@pytest.mark.parametrize(
    ("library", "name"),
    [(pl.DataFrame, "polars"), (pa.table, "pyarrow"), (pd.DataFrame, "pandas")],
)
def test_the_library_of_the_data_is_named_with_its_version(library, name):
    rows = library({"y": [1, 0, 1, 0], "s": [4, 3, 2, 1]})
    versions = report(rows, "y", "s").facts["provenance"]["versions"]
    assert list(versions) == ["capcurve", "numpy", "narwhals", "scipy", name]
    assert versions[name] == __import__(name).__version__


def test_the_version_of_sqlite_is_that_which_python_calls():
    versions = describe_provenance({"libraries": ["duckdb", "sqlite"]})["versions"]
    assert versions["sqlite"] == sqlite3.sqlite_version
    assert list(versions)[-2:] == ["duckdb", "sqlite"]


def test_the_system_is_named():
    provenance = report(LOANS, "default", "champion_pd").facts["provenance"]
    assert len(provenance["os"].split(" ")) == 3
    assert provenance["python"].count(".") == 2


def test_a_library_that_is_no_package_has_no_version():
    versions = describe_provenance({"libraries": ["no-such-library"]})["versions"]
    assert list(versions) == ["capcurve", "numpy", "narwhals", "scipy"]


def test_bins_name_their_plan():
    binned = BinnedCurve.from_frame(LOANS, "default", "champion_pd")
    provenance = report(binned, "default", "champion_pd").facts["provenance"]
    assert provenance["plan"] == binned.plan
    assert provenance["call"] == "report(data, 'default', 'champion_pd')"


def test_values_become_what_json_can_hold():
    given = {1: (np.float64(0.5), None), "path": Path("a.csv"), "flags": {True}}
    assert make_plain(given) == {"1": [0.5, None], "path": "a.csv", "flags": [True]}
    assert make_plain(np.arange(3)) == [0, 1, 2]
    assert make_plain(3 + 1j) == "(3+1j)"
