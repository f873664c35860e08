"""The commands `change` and `reference`: the numbers of the frame functions."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import polars as pl
import pytest

from answers import read_results
from capcurve import gain_capture_at_reference, gain_capture_change, report
from capcurve.datasets import make_portfolio

SCHEMA = json.loads(files("capcurve._cli").joinpath("schema.json").read_text("utf-8"))
LOANS = pl.DataFrame(make_portfolio(6_000))
ORDER = "A,B,C,D,E,F,G,H"
GRADED = ("--estimate", "grade", "--order", ORDER)
SHARES = ",".join(f"{grade}={place + 1}" for place, grade in enumerate(ORDER.split(",")))


@pytest.fixture
def loans():
    """Write the loans to a file."""
    LOANS.write_csv("loans.csv")
    return "loans.csv", "--truth", "default"


def test_changes_are_those_of_the_frame_function(run, loans):
    code, out, err = run("change", *loans, *GRADED, "--sample", "year", "--format", "json")
    note = "the p-values are not adjusted for several comparisons"
    assert (code, err) == (0, f"capcurve: note: {note}\n")
    expected = gain_capture_change(
        LOANS.with_columns(pl.col("year").cast(str)),
        "default",
        ["grade"],
        "year",
        order=ORDER.split(","),
    )
    rows = read_results(out)
    assert len(rows) == 9
    names = {
        "model": "estimate",
        "estimate": "change",
        "estimate_first": "ar_first",
        "estimate_second": "ar_second",
    }
    for row, other in zip(rows, expected.to_dicts(), strict=True):
        assert row == pytest.approx({names.get(k, k): v for k, v in other.items()})


def test_samples_are_text_whatever_holds_them(run, loans):
    LOANS.write_parquet("loans.parquet")
    found = []
    for name in ("loans.csv", "loans.parquet"):
        options = (*loans[1:], *GRADED, "--sample", "year", "--format", "json")
        _, out, _ = run("change", name, *options)
        jsonschema.validate(json.loads(out), SCHEMA)
        found.append(read_results(out))
    assert found[0] == found[1]
    assert found[0][0]["sample_first"] == "2021"


def test_options_of_changes(run, loans):
    options = (
        "--estimate champion_pd --bands 5 --shares known --confidence 0.9 --by segment"
    )
    LOANS.with_columns(month=pl.col("loan") % 2 * 3 + 8).write_csv("loans.csv")
    code, out, _ = run(
        *("change", *loans, *options.split(), "--sample", "month"),
        *("--format", "json"),
    )
    assert code == 0
    rows = read_results(out)
    assert {(row["sample_first"], row["sample_second"]) for row in rows} == {("8", "11")}
    (mix,) = [row for row in rows if (row["segment"], row["part"]) == ("retail", "mix")]
    frame = LOANS.with_columns(month=pl.col("loan") % 2 * 3 + 8)
    expected = gain_capture_change(
        frame.filter(pl.col("segment") == "retail"),
        "default",
        "champion_pd",
        "month",
        bands=5,
        shares="known",
        confidence_level=0.9,
    )
    assert mix["low"] == pytest.approx(expected["low"][1])


def test_what_a_report_advises_for_amounts_in_clusters_runs_on_its_rows(run):
    """On scores of many values, a segment that lacks some bands, and missing scores."""
    rng = np.random.default_rng(7)
    loss = rng.beta(0.6, 1.1, 600)
    rows = pl.DataFrame(
        {
            "loss": loss,
            "old": loss + rng.uniform(size=600),
            "new": [None if x < 0.1 else x for x in rng.uniform(size=600)],
            "segment": ["east"] * 290 + ["south"] * 290 + ["west"] * 20,
            "customer": rng.integers(0, 200, 600),
        }
    )
    rows.write_csv("loans.csv")
    asked = {"compare": "new", "by": "segment", "clusters": "customer"}
    with pytest.warns(UserWarning, match="left out"):
        facts = report(rows, "loss", "old", **asked).facts
    told = next(each["text"] for each in facts["findings"] if each["topic"] == "segments")
    advice = "--sample, --cluster, --bands 10 and --empty-grades other"
    assert f"total of capcurve change with {advice}" in told
    assert "the rows are those of this report if each of its models is an --es" in told
    options = (
        "--truth loss --estimate old --estimate new --sample segment --cluster customer "
        "--bands 10 --empty-grades other --format json"
    )
    code, out, err = run("change", "loans.csv", *options.split())
    assert code == 0
    assert (
        "capcurve: note: values of `segment` are text and compared in the order of text, "
        "each with the one before it: 'east', 'south', 'west'; if they are periods, write "
        "them as 2023-Q1 or 2023-01 to compare them in the order of time\n"
    ) in err
    ratio = {
        row["group"]: row["accuracy_ratio"]["value"]
        for row in facts["segments"][0]["groups"]
        if row["model"] == "old"
    }
    totals = [
        row["change"]
        for row in read_results(out)
        if (row["estimate"], row["part"]) == ("old", "total")
    ]
    east, south, west = (ratio[name] for name in ("east", "south", "west"))
    assert totals == pytest.approx([south - east, west - south])


def test_a_table_with_a_row_per_grade(run, loans):
    table = LOANS.group_by("year", "grade").agg(n=pl.len(), bad=pl.col("default").sum())
    table.write_csv("grades.csv")
    options = (*GRADED, "--sample", "year", "--format", "csv")
    counted = run("change", "grades.csv", "--events", "bad", "--counts", "n", *options)
    rows = run("change", *loans, *options)
    for found, expected in zip(counted[1].split(), rows[1].split(), strict=True):
        for one, other in zip(found.split(","), expected.split(","), strict=True):
            if one != other:
                assert float(one) == pytest.approx(float(other))


def test_ar_at_reference_is_that_of_the_frame_function(run, loans):
    code, out, err = run(
        "reference", *loans, *GRADED, "--shares", SHARES, "--by", "year", "--format", "json"
    )
    assert (code, err) == (0, "")
    expected = gain_capture_at_reference(
        LOANS.with_columns(pl.col("year").cast(str)),
        "default",
        ["grade"],
        {grade: place + 1 for place, grade in enumerate(ORDER.split(","))},
        by="year",
        order=ORDER.split(","),
    )
    names = {"model": "estimate", "estimate": "accuracy_ratio"}
    rows = {row["year"]: row for row in read_results(out)}
    assert list(rows) == sorted(rows)
    assert len(rows) == len(expected)
    for other in expected.drop("metric").to_dicts():
        renamed = {names.get(name, name): value for name, value in other.items()}
        assert rows[other["year"]] == pytest.approx(renamed)


def test_grades_that_are_numbers(run):
    Path("f.csv").write_text("y,s\n" + "1,2\n0,2\n1,1\n0,1\n0,1\n" * 30)
    code, out, _ = run(
        *["reference", "f.csv", "--truth", "y", "--estimate", "s", "--shares", "1=1,2=3.0"]
    )
    assert code == 0
    # AR = q (1 - q) (r2 - r1) / (M (1 - M)) of two grades
    mean = (1 / 3 + 3 / 2) / 4
    assert f"{3 / 16 * (1 / 2 - 1 / 3) / (mean * (1 - mean)):.4f}" in out


def test_tables_for_people(run, loans):
    options = ("--sample", "year", "--by", "segment", "--empty-grades", "other")
    code, out, err = run("change", *loans, *GRADED, *options)
    assert code == 0
    assert "ranking" in out
    assert "small business" in out
    assert err.startswith("capcurve: note: the interval is based on fewer than 5")
    out = run("change", *loans, *GRADED, *options, "--format", "markdown")[1]
    assert out.startswith("| segment | estimate | sample first | sample second | part |")
    segments = list(
        dict.fromkeys(line.split("|")[1].strip() for line in out.splitlines()[2:])
    )
    assert segments == ["corporate", "retail", "small business"]


def test_missing_words_are_told(run):
    rng = np.random.default_rng(1)
    rows = [f"{y},{s},{k}" for y, s, k in rng.integers(0, 2, (400, 3))]
    Path("f.csv").write_text("\n".join(["y,s,k", *rows, "1,n/a,0"]))
    code, _, err = run(
        *["change", "f.csv", "--truth", "y", "--estimate", "s", "--sample", "k"]
    )
    assert code == 0
    assert "capcurve: note: `s`: " in err
    assert "left out 1 of 401 rows" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("change --sample yaer --estimate exposure", "did you mean 'year'?"),
        ("change --sample year --estimate exposure", "pass --bands 10 to compare"),
        (
            "change --sample default --estimate loan",
            "--sample must be the name of a column",
        ),
        (
            "change --sample year --estimate loan --bands 1",
            "--bands must be a whole number",
        ),
        (
            "change --sample year --estimate loan --bands 2 --confidence 2",
            "--confidence must",
        ),
        ("reference --estimate loan --shares A=1", "--shares must name grades as numbers"),
        (
            "reference --estimate loan --shares 1=1,B",
            "as in A=0.7,B=0.3, got 'B'; separate",
        ),
        ("reference --estimate loan --shares =1", "as in A=0.7,B=0.3, got '=1'; separate"),
        ("reference --estimate year --shares 2021=1", "--shares must name each grade"),
        (
            "reference --estimate year --shares 2021=1,2021=2",
            "--shares must name each grade once, got '2021' twice; leave one out",
        ),
    ],
)
def test_what_is_refused(run, loans, arguments, message):
    command, *options = arguments.split()
    code, out, err = run(command, *loans, *options)
    assert (code, out) == (2, "")
    assert err.startswith("capcurve: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_one_class_is_a_note(run, loans):
    frame = LOANS.with_columns(default=pl.col("default") * (pl.col("year") > 2021))
    frame.write_csv("loans.csv")
    code, out, err = run("change", *loans, *GRADED, "--sample", "year")
    assert code == 0
    assert err == (
        "capcurve: note: the change of AR is undefined and set to nan, as all outcomes are "
        "equal: '2021' to '2022'\n"
        "capcurve: note: the p-values are not adjusted for several comparisons\n"
    )
    rows = [line.split()[:5] for line in out.splitlines()]
    assert ["grade", "2021", "2022", "total", "-"] in rows


@pytest.mark.parametrize(
    "command",
    [
        ("cut-offs", "--share", "0.2", "--confidence", "0.9"),
        ("change", "--sample", "half"),
        ("compare", "--sample", "half", "--against", "1"),
    ],
)
def test_json_of_master_scales_and_groups_keeps_to_the_schema(run, command):
    scale = LOANS.with_columns(half=pl.col("year") > 2022).cast({"half": int})
    scale = scale.group_by("segment", "half", "grade").agg(
        defaults=pl.col("default").sum(),
        obligors=pl.len(),
    )
    scale = scale.with_columns(points=pl.col("grade").rank("dense"))
    scale.write_csv("scale.csv")
    columns = [
        "--events",
        "defaults",
        "--counts",
        "obligors",
        "--estimate",
        "points",
        "--by",
        "segment",
    ]
    name, *options = command
    code, out, err = run(name, "scale.csv", *columns, *options, "--format", "json")
    assert code == 0, err
    answer = json.loads(out)
    jsonschema.validate(answer, SCHEMA)
    assert {row["segment"] for row in answer["results"]} == set(LOANS["segment"])
    assert answer["rows"]["read"] == len(LOANS)


def test_an_interval_or_a_test_that_is_undefined_is_not_called_unreliable(run):
    lines = [f"{int(n in (3, 40))},{n % 13},{n % 7},{n // 30}\n" for n in range(60)]
    Path("f.csv").write_text("y,s,t,h\n" + "".join(lines), encoding="utf-8")
    command = ("f.csv", "--truth", "y", "--estimate", "s", "--sample", "h", "--bands", "2")
    why = "is undefined and set to nan, as rows, or clusters of rows, are too few to show"
    told = run("change", *command)[2]
    assert f"the interval of the change {why} the variance: '0' to '1'" in told
    assert "may fall below" not in told
    lines[40] = "0,1,1,1\n"
    Path("f.csv").write_text("y,s,t,h\n" + "".join(lines), encoding="utf-8")
    told = run("compare", *command[:5], "--estimate", "t")[2]
    assert f"the test {why} the variance: s, t" in told
    assert "may not keep" not in told
