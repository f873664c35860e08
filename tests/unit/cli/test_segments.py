"""The command ``capcurve segments`` prints the numbers of the arrays' functions."""

import csv
import io
import json

import numpy as np
import polars as pl
import pytest

from answers import read_results
from capcurve import accuracy_ratio_test_segments, pooled_accuracy_ratio_interval
from capcurve.__main__ import main
from capcurve.datasets import make_portfolio

COLUMNS = make_portfolio()
LOANS = pl.DataFrame(COLUMNS)
OPTIONS = ("--truth", "default", "--estimate", "champion_pd")


@pytest.fixture
def shell(capsys):
    def run(*arguments, code=0):
        assert main(["segments", *arguments]) == code
        return capsys.readouterr()

    return run


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_shell_prints_the_numbers_of_arrays(shell, ending):
    getattr(LOANS, f"write_{ending}")(f"loans.{ending}")
    asked = f"loans.{ending}", *OPTIONS, "--by", "year", "--ordered", "--format", "json"
    rows = read_results(shell(*asked, "--confidence", "0.9").out)
    expected = accuracy_ratio_test_segments(
        COLUMNS["default"],
        COLUMNS["champion_pd"],
        COLUMNS["year"],
        ordered=True,
        confidence_level=0.9,
    )
    assert [row["year"] for row in rows] == [*map(str, expected.estimates), *["(all)"] * 3]
    for row, (year, estimate) in zip(rows, expected.estimates.items(), strict=False):
        assert row["test"] == "rest"
        assert row["estimate"] == "champion_pd"
        assert row["n_events"] == estimate.n_events
        found = [row[name] for name in ("accuracy_ratio", "std_error", "low", "high")]
        assert found == pytest.approx(
            [estimate.value, estimate.standard_error, estimate.low, estimate.high]
        )
        found = [row[name] for name in ("rest", "p_value", "p_holm", "p_bh")]
        tests = expected.rest, expected.p_values, expected.p_holm, expected.p_bh
        assert found == pytest.approx([values[year] for values in tests])
    pooled, equal, trend = rows[-3:]
    assert [row["left_out"] for row in rows] == [False] * 4 + [None] * 3
    assert [row["test"] for row in rows[-3:]] == ["pooled", "all equal", "trend"]
    assert (pooled["accuracy_ratio"], pooled["low"]) == pytest.approx(
        (expected.pooled.value, expected.pooled.low)
    )
    assert (equal["statistic"], equal["p_value"]) == pytest.approx(
        (expected.statistic, expected.p_value)
    )
    assert equal["accuracy_ratio"] is None
    assert trend["accuracy_ratio"] is None
    assert (trend["change"], trend["low"], trend["p_value"]) == pytest.approx(
        (expected.trend.change, expected.trend.low, expected.trend.p_value)
    )


def test_the_rows_have_statistics_and_standard_errors(shell):
    LOANS.write_csv("loans.csv")
    asked = "loans.csv", *OPTIONS, "--by", "year", "--format", "json"
    rows = read_results(shell(*asked).out)
    expected = accuracy_ratio_test_segments(
        COLUMNS["default"], COLUMNS["champion_pd"], COLUMNS["year"]
    )
    pooled = rows[-2]
    assert pooled["std_error"] == pytest.approx(expected.pooled.standard_error)
    for row in rows[:-2]:
        year = int(row["year"])
        found = row["statistic"], row["df_2"]
        assert found == pytest.approx(
            (expected.rest_statistics[year], expected.rest_degrees_of_freedom[year])
        )


def test_periods_of_numbers_are_sorted_by_size(shell):
    month = np.arange(10_000) % 6 + 7
    LOANS.with_columns(month=month).write_csv("loans.csv")
    asked = "loans.csv", *OPTIONS, "--by", "month", "--ordered", "--format", "csv"
    rows = list(csv.DictReader(io.StringIO(shell(*asked).out)))
    assert [row["month"] for row in rows[:6]] == [str(number) for number in range(7, 13)]
    expected = accuracy_ratio_test_segments(
        COLUMNS["default"], COLUMNS["champion_pd"], month, ordered=True
    )
    assert float(rows[-1]["change"]) == pytest.approx(expected.trend.change)


def test_segments_are_sorted_and_several_scores_are_told_apart(shell):
    LOANS.with_columns(
        segment=pl.when(pl.col("loan") % 7 > 0).then("segment").otherwise(None)
    ).write_csv("loans.csv")
    asked = "loans.csv", *OPTIONS, "--estimate", "challenger_pd", "--by", "segment"
    out = shell(*asked).out
    assert out.index("corporate") < out.index("retail") < out.index("small business")
    assert out.index("small business") < out.index("(missing)") < out.index("(all)")
    assert "trend" not in out
    rows = read_results(shell(*asked, "--format", "json").out)
    assert [row["estimate"] for row in rows] == ["champion_pd"] * 6 + ["challenger_pd"] * 6
    assert rows[3]["segment"] is None
    markdown = shell(*asked, "--format", "markdown").out
    assert markdown.startswith("| segment | estimate | test | accuracy ratio |")


def test_segments_may_be_weighted_by_their_events(shell):
    LOANS.write_csv("loans.csv")
    asked = "loans.csv", *OPTIONS, "--by", "segment", "--format", "json"
    by_pairs, by_events = (
        read_results(shell(*asked, *more).out)
        for more in ((), ("--segment-weights", "events", "--confidence", "0.9"))
    )
    data = COLUMNS["default"], COLUMNS["champion_pd"], COLUMNS["segment"]
    expected = pooled_accuracy_ratio_interval(
        *data, segment_weights="events", confidence_level=0.9
    )
    pooled = by_events[-2]
    found = [pooled[name] for name in ("accuracy_ratio", "low", "high", "p_value")]
    assert found == pytest.approx(
        [expected.value, expected.low, expected.high, expected.p_value]
    )
    assert by_pairs[-2]["accuracy_ratio"] != pytest.approx(expected.value)
    assert by_events[-1] == pytest.approx(by_pairs[-1], nan_ok=True)


@pytest.mark.parametrize(
    ("names", "note"),
    [
        (["9", "10", ""], "9, 10"),
        (["2022-Q4", "2023-Q1", ""], "2022-Q4, 2023-Q1"),
    ],
)
def test_the_order_of_periods_is_told(shell, names, note):
    period = pl.Series([names[i % 3] for i in range(len(LOANS))])
    LOANS.with_columns(period=period).write_csv("loans.csv")
    err = shell("loans.csv", *OPTIONS, "--by", "period", "--ordered").err
    assert err == (
        f"capcurve: note: periods in order: {note}\n"
        "capcurve: note: rows without a period are in no test of periods: missing period\n"
    )


def test_rows_without_a_period_are_in_no_test(shell):
    period = pl.Series([[2022, 2023, None][i % 3] for i in range(len(LOANS))])
    LOANS.with_columns(period=period).write_csv("loans.csv")
    asked = "loans.csv", *OPTIONS, "--by", "period", "--ordered", "--format", "json"
    rows = json.loads(shell(*asked).out)["results"]
    assert [row["left_out"] for row in rows[:3]] == [False, False, True]
    assert rows[2]["accuracy_ratio"] is not None
    assert rows[2]["rest"] is rows[2]["p_value"] is rows[2]["p_holm"] is None
    assert [row["n_segments"] for row in rows[3:]] == [3, 2, 2]
    LOANS.with_columns(period=pl.lit(None, pl.String)).write_csv("loans.csv")
    assert "periods in order: none\n" in shell(*asked).err


def test_periods_that_need_not_sort_by_time_are_noted(shell):
    period = pl.Series([["Jan", "Apr", "9"][i % 3] for i in range(len(LOANS))])
    LOANS.with_columns(period=period).write_csv("loans.csv")
    asked = "loans.csv", *OPTIONS, "--by", "period"
    assert shell(*asked, "--ordered").err == (
        "capcurve: note: periods in order: 9, Apr, Jan\n"
        "capcurve: note: periods of `period` are text and sorted as text, which need not "
        "be the order of time: '9', 'Apr', 'Jan'; write them as 2023-Q1 or 2023-01 to sort "
        "them by time\n"
    )
    assert shell(*asked).err == ""


def test_dates_among_other_text_are_refused_as_periods(shell):
    day = pl.Series([["2023-01-31", "31.02.2023"][i % 2] for i in range(len(LOANS))])
    LOANS.with_columns(day=day).write_csv("loans.csv")
    asked = "loans.csv", *OPTIONS, "--by", "day", "--ordered"
    assert shell(*asked, code=2).err == (
        "capcurve: error: `day` must hold dates alone, such as '2023-01-31', or none, "
        "got '31.02.2023' among them; correct it, or make it a missing value (of text "
        "files by --na '31.02.2023')\n"
    )
    left = shell(*asked, "--na", "31.02.2023").err
    assert "periods in order: 2023-01-31\n" in left
    assert "rows without a period are in no test of periods: missing day" in left


def test_few_events_are_noted(shell):
    LOANS.head(400).write_csv("few.csv")
    printed = shell("few.csv", *OPTIONS, "--by", "segment")
    assert "capcurve: note: tests may not keep their level" in printed.err
    assert "of all segments and of the trend" in printed.err
    assert "pooled" in printed.out


def test_what_the_shell_refuses(shell):
    LOANS.write_csv("loans.csv")

    def refused(*arguments):
        (line,) = shell(*arguments, code=2).err.strip().split("\n")
        return line.removeprefix("capcurve: error: ")

    message = refused("loans.csv", *OPTIONS)
    assert message.startswith("segments requires --by, which was not given")
    asked = "loans.csv", "--by", "segment", "--truth"
    message = refused(*asked, "loss", "--estimate", "champion_pd")
    assert message.startswith("a test of segments requires 0/1 events, got amounts")
    assert "`" not in message
    assert "neither" not in message
    message = refused("loans.csv", *OPTIONS, "--by", "segmnt")
    assert message.endswith("did you mean 'segment'?")
    message = refused("loans.csv", *OPTIONS, "--by", "segment", "--confidence", "95")
    assert message.startswith("--confidence must lie between 0 and 1")
    labels = pl.Series(["a", "b", "c", "a"] * 2_500)
    LOANS.select(
        *("year", "segment"), t=labels, a="champion_pd", b="challenger_pd", c="exposure"
    ).write_csv("labels.csv")
    scores = [word for name in "abc" for word in ("--estimate", name)]
    message = refused("labels.csv", "--truth", "t", *scores, "--by", "year")
    assert message.startswith("segments requires an outcome with two class labels")


def test_many_periods_are_named_in_part(shell, tmp_path):
    rows = [f"{1990 + i % 14},{i % 3 // 2},{i * 7 % 101}" for i in range(420)]
    (tmp_path / "many.csv").write_text("year,y,s\n" + "\n".join(rows))
    done = shell(
        *(str(tmp_path / "many.csv"), "--truth", "y", "--estimate", "s"),
        *("--by", "year", "--ordered"),
    )
    assert "note: periods in order: 1990, 1991, 1992" in str(done)
    assert "2001, ..., 2003" in str(done)
