"""``capcurve implied --weight`` shows the weights of events, as a report does."""

import json

import polars as pl
import pytest

from capcurve import report
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(2_000)).with_columns(
    w=1 + pl.int_range(pl.len()) % 3 / 2
)
NAMES = ("--truth", "default", "--estimate", "champion_pd")
ALONE = {"year": [2030], "champion_pd": [0.5], "default": [None], "w": [1.0]}


@pytest.fixture
def implied(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    alone = pl.DataFrame(ALONE, schema_overrides={"default": pl.Int64})
    pl.concat([LOANS, alone], how="diagonal_relaxed").write_csv("f.csv")

    def run_implied(*options):
        code, out, _ = run("implied", "f.csv", *NAMES, *options)
        assert code == 0
        return out

    return run_implied


def test_weights_are_those_of_a_report(implied):
    facts = report(
        LOANS, "default", "champion_pd", case_weights="w", implied="champion_pd"
    ).facts
    (found,) = json.loads(implied("--weight", "w", "--format", "json"))["results"]
    for name in ("weight_of_events", "expected_weight_of_events"):
        assert found[name] == pytest.approx(facts["implied"][0][name])
    assert found["n_events"] == facts["implied"][0]["n_events"]
    heads = implied("--weight", "w", "--format", "markdown").splitlines()[0].split(" | ")
    assert heads[-4:] == [
        "expected events (rows)",
        "events (rows)",
        "expected weight of events",
        "weight of events |",
    ]


def test_groups_have_weights_of_their_own(implied):
    out = implied("--weight", "w", "--by", "year", "--format", "json")
    *years, none = json.loads(out)["results"]
    for row in years:
        own = LOANS.filter(pl.col("year") == int(row["year"]))
        weight = own.filter(pl.col("default") == 1)["w"].sum()
        assert row["weight_of_events"] == pytest.approx(weight)
        expected = (own["w"] * own["champion_pd"]).sum()
        assert row["expected_weight_of_events"] == pytest.approx(expected)
    assert none["year"] == "2030"
    assert none["weight_of_events"] is none["expected_weight_of_events"] is None


def test_without_sampling_weights_events_are_rows_alone(implied):
    (row,) = json.loads(implied("--format", "json"))["results"]
    assert not {"weight_of_events", "expected_weight_of_events"} & row.keys()
    assert "n events |" in implied("--format", "markdown")
