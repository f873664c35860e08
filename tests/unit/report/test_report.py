"""The report: its facts, its page in a real browser, and its PDF."""

import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
from datetime import date, timedelta
from functools import partial
from html import escape, unescape
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import (
    BinnedCurve,
    CapcurveError,
    CapSketch,
    DroppedRowsWarning,
    MissingDependencyError,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_initial,
    gain_capture,
    gains_table,
    report,
)
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))
NASTY = "<script>alert(1)</script>"
FORMULA = '=HYPERLINK("http://example.com")'
SCHEMA = json.loads(files("capcurve._report").joinpath("schema.json").read_text("utf-8"))
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def found():
    return report(
        LOANS.rename({"champion_pd": NASTY, "segment": FORMULA}),
        "default",
        NASTY,
        compare="challenger_pd",
        by=[FORMULA, "grade"],
        period="year",
        initial_auc=0.82,
        initial_variance=1e-4,
        title="Tom & Jerry's <portfolio>",
    )


@pytest.fixture(scope="module")
def facts(found):
    return found.facts


@pytest.mark.filterwarnings("ignore:the accuracy ratio is undefined")
def test_facts_are_the_numbers_of_the_library(facts):
    y = LOANS["default"].to_numpy()
    scores = [LOANS[name].to_numpy() for name in ("champion_pd", "challenger_pd")]
    for model, s in zip(facts["models"], scores, strict=True):
        expected = accuracy_ratio_interval(y, s)
        for name in ("value", "low", "high", "n_events"):
            assert model["accuracy_ratio"][name] == getattr(expected, name)
        assert model["accuracy_ratio"]["text"] == repr(expected)
        assert model["auc"]["value"] == expected.to_auc().value
    for by, column in ((FORMULA, "segment"), ("grade", "grade")):
        (groups,) = (each["groups"] for each in facts["segments"] if each["by"] == by)
        exact = gain_capture(LOANS, "default", "champion_pd", by=column)
        ratios = {
            each["group"]: each["accuracy_ratio"] and each["accuracy_ratio"]["value"]
            for each in groups
            if each["model"] == NASTY
        }
        for key, ratio in exact.select(column, "estimate").iter_rows():
            assert ratios[key] == (None if np.isnan(ratio) else pytest.approx(ratio))
    (difference,) = facts["challengers"]
    expected = accuracy_ratio_test(y, scores[1], scores[0])
    assert difference["value"] == pytest.approx(expected.value)
    assert difference["p_value"] == pytest.approx(expected.p_value)
    assert (difference["model"], difference["against"]) == ("challenger_pd", NASTY)
    fall = accuracy_ratio_test_initial(
        accuracy_ratio_interval(y, scores[0]), initial_auc=0.82, initial_variance=1e-4
    )
    assert [each["p_value"] for each in facts["initial"][:2]] == [
        fall.ecb.p_value,
        fall.two_sample.p_value,
    ]
    table = gains_table(LOANS, "default", "champion_pd")
    gains = facts["models"][0]["gains"]
    captured = [row["cumulative_capture_rate"] for row in gains]
    assert captured == table["capture_rate"].to_list()
    assert [each["group"] for each in facts["periods"][0]["groups"]][::2] == [
        str(year) for year in sorted(LOANS["year"].unique())
    ]


def test_facts_follow_the_schema(found, facts):
    jsonschema.validate(facts, SCHEMA)
    assert json.loads(found.to_json()) == facts
    wrong = {**facts, "schema_version": 1}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, SCHEMA)


def test_amounts_weights_and_missing_values_follow_it_too():
    rows = LOANS.with_columns(
        challenger_pd=pl.when(pl.col("loan") % 50 == 0).then(None).otherwise("champion_pd")
    )
    with pytest.warns(UserWarning, match="left out 60 of 3,000 rows"):
        found = report(
            rows,
            "loss",
            "challenger_pd",
            case_weights="exposure",
            by="grade",
            descending=False,
        )
    jsonschema.validate(found.facts, SCHEMA)
    counts = [found.facts["rows"][name] for name in ("read", "used", "left_out")]
    assert counts == [3_000, 2_940, 60]
    assert found.facts["rows"]["missing"] == {"challenger_pd": 60}
    assert found.facts["models"][0]["reversed"]
    assert "AR is negative: the score may be reversed." in found.to_html()


@pytest.mark.parametrize("argument", ["compare", "by", "period", "implied"])
def test_what_requires_rows_is_refused_for_a_sketch(argument):
    sketch = CapSketch()
    sketch.update(LOANS["default"], LOANS["champion_pd"])
    expected = f"must be made without `compare`.*, got `{argument}`; pass the rows"
    with pytest.raises(CapcurveError, match=expected):
        report(sketch, "default", "champion_pd", **{argument: "segment"})


def test_a_sketch_is_reported_with_its_limits():
    sketch = CapSketch(max_bins=64)
    for part in LOANS.iter_slices(500):
        sketch.update(part["default"], part["champion_pd"])
    found = report(sketch, "default", "champion_pd", initial_auc=0.8)
    jsonschema.validate(found.facts, SCHEMA)
    (model,) = found.facts["models"]
    assert model["limits"] == {
        "low": sketch.accuracy_ratio.low,
        "high": sketch.accuracy_ratio.high,
    }
    assert "computed from binned scores. Guaranteed bounds of AR: 0." in found.to_html()
    low, high = sketch.ks.low, sketch.ks.high
    assert low < high
    assert model["ks"]["limits"] == {"low": low, "high": high}
    (approximate,) = [each for each in found.facts["limitations"] if "KS" in each]
    low, high = math.floor(low * 1e4) / 1e4, math.ceil(high * 1e4) / 1e4  # outwards
    assert f"KS lies between {low:.4f} and {high:.4f}; " in approximate
    methods = {each["topic"]: each["text"] for each in found.facts["methods"]}
    assert "The interval of AR is widened by them" in methods["Binned scores"]
    assert {"Cut-offs", "Capture rate and lift", "Confidence band"} <= set(methods)
    assert "All numbers are computed from all bins, also" in methods["Charts"]
    assert found.facts["rows"]["used"] == 3_000
    found.write("report.xlsx")
    with pytest.raises(CapcurveError, match="`period` and `implied`, got `by`; pass the"):
        report(sketch, "default", "champion_pd", by="segment")
    amounts = BinnedCurve.from_frame(LOANS, "loss", "champion_pd")
    found = report(amounts, "loss", "champion_pd")
    jsonschema.validate(found.facts, SCHEMA)
    assert found.facts["band"] is None


def test_exact_bins_have_nothing_approximate():
    rows = LOANS.with_columns(s=pl.col("champion_pd").round(2))
    facts = report(BinnedCurve.from_frame(rows, "default", "s"), "default", "s").facts
    assert not [each for each in facts["limitations"] if "approximate" in each]
    methods = {each["topic"]: each["text"] for each in facts["methods"]}
    assert methods["Binned scores"].endswith("best order within bins.")


def test_periods_are_dates_cut_to_months_or_years():
    days = [date(2020, 1, 31) + timedelta(days=30 * (i % 45)) for i in range(3_000)]
    rows = LOANS.with_columns(
        day=pl.Series(days), month=pl.Series(days).dt.strftime("%Y-%m"), n=pl.col("loan")
    )

    def periods(name, part=rows):
        each = report(part, "default", "champion_pd", period=name).facts["periods"][0]
        return [group["group"] for group in each["groups"]]

    assert periods("day") == ["2020", "2021", "2022", "2023"]
    early = rows.filter(pl.col("day") < date(2021, 1, 1))
    assert periods("day", early)[:3] == ["2020-01", "2020-03", "2020-04"]
    assert periods("month", early)[-1] == "2020-12"
    some = early.with_columns(n=pl.when(pl.col("n") % 3 > 0).then(pl.col("n") % 3 * 9))
    assert periods("n", some) == ["9", "18", None]
    with pytest.raises(CapcurveError, match=r"`n` must have at most 40 .*, got 3,000;"):
        periods("n")


def test_segments_are_sorted_and_a_missing_one_is_not_the_text_null():
    keys = ["9", None, "null", "10", "-1", "x"]
    rows = pl.DataFrame({"y": [0, 1] * 6, "s": range(12), "g": np.repeat(keys, 2)})
    found = report(rows, "y", "s", by="g", title="t")
    jsonschema.validate(found.facts, SCHEMA)
    groups = [group["group"] for group in found.facts["segments"][0]["groups"]]
    assert groups == ["-1", "9", "10", "null", "x", None]
    page = found.to_html()
    assert re.findall('scope="row"[^>]*>([^<]*)<', page.split('id="segments"')[1])[4:6] == [
        "x",
        "(missing)",
    ]
    assert '"name":"(missing)"' in page


def test_segments_named_as_ours_are_told_apart_from_them():
    keys = ["(missing)", None, "All", "All"]
    rows = pl.DataFrame({"y": [0, 1] * 8, "s": range(16), "g": keys * 4})
    page = report(rows, "y", "s", by="g", title="t").to_html().split('id="segments"')[1]
    assert re.findall('scope="row"[^>]*>([^<]*)<', page)[:3] == [
        "&quot;(missing)&quot;",
        "&quot;All&quot;",
        "(missing)",
    ]


@pytest.mark.parametrize(
    "library",
    [pd.DataFrame, partial(pd.DataFrame, dtype=object), pl.DataFrame],
    ids=["pandas", "pandas objects", "polars"],
)
def test_nan_is_one_missing_segment(library):
    rows = library({"g": [2.0, 2.0, np.nan, float("nan"), 10.0, 10.0]})
    if isinstance(rows, pd.DataFrame):
        rows = rows.assign(y=[0, 1] * 3, s=range(6))
    else:
        rows = rows.with_columns(y=pl.Series([0, 1] * 3), s=pl.Series(range(6)))
    groups = report(rows, "y", "s", by="g").facts["segments"][0]["groups"]
    found = [(row["group"], row["n"]) for row in groups]
    assert found == [("2.0", 2), ("10.0", 2), (None, 2)]


@pytest.mark.parametrize(
    ("options", "read", "used"),
    [
        ({"events": "e", "counts": "n"}, 16, 12),
        ({"truth": "y", "case_weights": "n"}, 7, 3),
        ({"truth": "y"}, 7, 4),
    ],
)
def test_rows_are_those_that_lines_stand_for(options, read, used):
    rows = {"n": [5, 5, 3, 2, 0, 0, None], "e": [0, 1, 2, 1, 0, 0, 1]}
    rows |= {"s": [4, 3, None, 1, None, 2, 5], "y": [0, 1, 1, 1, 1, None, 1]}
    with pytest.warns(DroppedRowsWarning):
        found = report(pl.DataFrame(rows), options.pop("truth", None), "s", **options)
    counted = found.facts["rows"]
    assert (counted["read"], counted["used"]) == (read, used)
    assert counted["left_out"] == read - used


def test_rows_that_are_all_incomplete_have_no_curve():
    rows = pl.DataFrame({"y": [0, 1], "s": pl.Series([None, None], dtype=pl.Int64)})
    with (
        pytest.warns(DroppedRowsWarning),
        pytest.raises(CapcurveError, match="or no row is complete and of a"),
    ):
        report(rows.with_columns(g=1), "y", "s", by="g")


def test_a_list_of_scores_is_told_where_the_others_go():
    with pytest.raises(
        CapcurveError,
        match=r"^`estimate` must be the name of one column, got \['champion_pd', "
        r"'challenger_pd'\]; pass 'champion_pd' as `estimate`, and "
        r"compare=\['challenger_pd'\]$",
    ):
        report(LOANS, "default", ["champion_pd", "challenger_pd"])
    with pytest.raises(CapcurveError, match="`estimate` must be the name of a column"):
        report(LOANS, "default", ["champion_pd"])


def test_what_has_no_report_is_refused(monkeypatch):
    with pytest.raises(CapcurveError, match="`data` has no column 'segmnt'; did you mean"):
        report(LOANS, "default", "champion_pd", by="segmnt")
    with pytest.raises(CapcurveError, match="requires outcomes that differ, but all"):
        report(LOANS.filter(pl.col("default") == 0), "default", "champion_pd")
    with pytest.raises(CapcurveError, match=r"must end in one of \.html, \.json, "):
        report(LOANS, "default", "champion_pd").write("report.docx")
    found = report(LOANS, "default", "champion_pd")
    assert repr(found).startswith("Report('champion_pd against default', AR 0.")
    for library, ending in (("jinja2", "html"), ("xlsxwriter", "xlsx")):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, library, None)
            with pytest.raises(MissingDependencyError, match=r"capcurve\[report\]"):
                found.write(f"report.{ending}")
    assert list(Path().iterdir()) == []


@pytest.mark.slow
def test_equal_input_gives_equal_bytes(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    def written(ending):
        report(LOANS, "default", "champion_pd", by="segment").write(f"r.{ending}")
        return Path(f"r.{ending}").read_bytes()

    for ending in ("html", "json", "xlsx"):
        assert written(ending) == written(ending)
    assert "2023-11-14 22:13:20 UTC" in Path("r.html").read_text("utf-8")


def test_a_notebook_shows_the_page_in_a_frame(found):
    frame = found._repr_html_()
    (page,) = re.findall('srcdoc="([^"]*)"></iframe>$', frame)
    assert unescape(page) == found.to_html()
    title = escape(found.facts["title"])
    assert frame.startswith(
        f'<iframe sandbox="allow-scripts allow-downloads" title="{title}" '
    )


def test_a_notebook_without_the_extra_shows_the_line(monkeypatch, found):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert found._repr_html_() is None


# A process that is killed.


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["json", "html"])
def test_a_killed_process_leaves_a_whole_file(ending):
    LOANS.write_csv("loans.csv")
    options = ["--truth", "default", "--estimate", "champion_pd", "--by", "segment"]
    command = [sys.executable, "-m", "capcurve", "report", "loans.csv", *options]
    output = Path(f"report.{ending}")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    before = b"what stood there"
    start = time.perf_counter()
    subprocess.run([*command, "-o", output], check=True, env=environment)  # noqa: S603
    seconds, whole = time.perf_counter() - start, output.read_bytes()
    chance = random.Random(3)  # noqa: S311 -- moments, not secrets
    for _ in range(4):
        output.write_bytes(before)
        with subprocess.Popen([*command, "-o", output], env=environment) as process:  # noqa: S603
            time.sleep(chance.uniform(0.3, 1.1) * seconds)
            process.send_signal(signal.SIGKILL)
        assert output.read_bytes() in (before, whole)


@pytest.mark.slow
def test_command_line_writes_the_same_report():
    LOANS.write_csv("loans.csv")
    command = [sys.executable, "-m", "capcurve", "report", "loans.csv", "--truth"]
    options = ["default", "--estimate", "champion_pd", "--compare", "challenger_pd"]
    more = ["--by", "segment", "--period", "year", "--format", "json"]
    done = subprocess.run(  # noqa: S603
        [*command, *options, *more], check=True, capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    jsonschema.validate(found, SCHEMA)
    (source,) = found["provenance"]["files"]
    assert source["name"] == "loans.csv"
    assert source["size"] == Path("loans.csv").stat().st_size
    assert re.fullmatch("[0-9a-f]{64}", source["sha256"])
    expected = report(
        LOANS,
        "default",
        "champion_pd",
        compare="challenger_pd",
        by="segment",
        period="year",
    ).facts
    for part in ("models", "segments", "periods", "challengers", "band", "perfect", "rows"):
        assert found[part] == expected[part]
