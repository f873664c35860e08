"""What only some doors say: master scales, labels of queries, gAUC, orders of grades."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    CapCurve,
    CapcurveError,
    accuracy_ratio_interval,
    compare_models,
    gain_capture,
    gain_curve,
    gains_table,
    report,
    somers_d_interval,
)
from capcurve.__main__ import main
from capcurve.datasets import make_portfolio
from frame_constructors import columns_of

LOANS = pl.DataFrame(make_portfolio(1_000))
GRADES = ["AAA", "AA", "A", "BBB", "BB"]
# A master scale: 12 of 40 obligors of the worst grade default, and so on.
SCALE = {
    "grade": GRADES,
    "rank": [0, 1, 2, 3, 4],
    "obligors": [100, 90, 80, 60, 40],
    "defaults": [0, 2, 3, 6, 12],
}
ONE_BY_ONE = {
    "rank": np.repeat(SCALE["rank"], SCALE["obligors"]),
    "bad": np.concatenate(
        [
            np.repeat([1, 0], [events, n - events])
            for events, n in zip(SCALE["defaults"], SCALE["obligors"], strict=True)
        ]
    ),
}
EXPECTED = accuracy_ratio_interval(ONE_BY_ONE["bad"], ONE_BY_ONE["rank"])
COUNTED = {"events": "defaults", "counts": "obligors"}


@pytest.fixture
def shell(capsys):
    def run(*arguments):
        code = main(list(arguments))
        out, err = capsys.readouterr()
        assert code == 0, err
        return json.loads(out)["results"]

    return run


@pytest.fixture
def refused(capsys):
    def run(*arguments):
        assert main(list(arguments)) == 2
        (line,) = capsys.readouterr().err.strip().split("\n")
        return line.removeprefix("capcurve: error: ")

    return run


@pytest.mark.parametrize("door", ["csv", "parquet"])
def test_a_master_scale_in_the_shell(shell, refused, door):
    frame = pl.DataFrame(SCALE)
    if door == "csv":
        frame.write_csv("scale.csv")
    else:
        frame.write_parquet("scale.parquet")
    command = ("score", f"scale.{door}", "--events", "defaults", "--counts", "obligors")
    for estimate in (("rank",), ("grade", "--order", ",".join(GRADES))):
        (row,) = shell(*command, "--estimate", *estimate, "--format", "json")
        assert (row["accuracy_ratio"], row["low"], row["high"]) == pytest.approx(
            (EXPECTED.value, EXPECTED.low, EXPECTED.high), rel=1e-12
        )
        assert (row["n"], row["n_events"]) == (370, 23)
    table = ("table", *command[1:], "--estimate", "grade", "--order", ",".join(GRADES))
    bands = shell(*table, "--bands", "scores", "--format", "json")
    assert [band["highest_score"] for band in bands] == GRADES[::-1]
    lacking = refused(*command, "--estimate", "grade", "--order", "AAA,AA")
    assert lacking.startswith("--order must list every grade of `grade`, but it lacks 'A'")
    message = refused(*command, "--estimate", "grade")
    assert message.startswith("`grade` must hold numbers")
    for option in ("--approx", "--memory-limit=1GB"):
        message = refused(*command, "--estimate", "rank", option)
        assert message.startswith("bins do not hold --counts")


def test_a_master_scale_in_the_report_and_as_a_curve():
    frame = pl.DataFrame(SCALE)
    facts = report(frame, None, "grade", order=GRADES, **COUNTED).facts
    rows = {"read": 370, "used": 370, "left_out": 0, "missing": {}, "reasons": []}
    assert rows.items() <= facts["rows"].items()
    ratio = facts["models"][0]["accuracy_ratio"]
    assert (ratio["low"], ratio["high"]) == pytest.approx((EXPECTED.low, EXPECTED.high))
    curve = CapCurve.from_frame(frame, None, "rank", **COUNTED)
    assert curve.accuracy_ratio == pytest.approx(EXPECTED.value, rel=1e-12)
    points = gain_curve(frame, None, "grade", order=GRADES, **COUNTED)
    assert points["threshold"].to_list() == [None, *GRADES[::-1]]
    bands = gains_table(frame, None, "grade", order=GRADES, bands="scores", **COUNTED)
    assert bands["lowest_score"].to_list() == GRADES[::-1]


def test_clusters_widen_the_test_of_two_models():
    frame = LOANS.with_columns(borrower=np.arange(1_000) // 4)
    pair = ["champion_pd", "challenger_pd"]
    alone = compare_models(frame, "default", pair)["std_error"][0]
    together = compare_models(frame, "default", pair, clusters="borrower")["std_error"][0]
    assert alone != together
    with pytest.raises(CapcurveError, match="`counts` and `clusters` cannot be combined"):
        compare_models(frame, "default", pair, counts="loan", clusters="borrower")


TRUTH = ["no", "yes", "no", "yes", "no"]
SCORE = [0.1, 0.9, 0.2, 0.8, 0.85]


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_appearance_is_no_order(seed):
    order = np.random.default_rng(seed).permutation(5)
    truth, score = ([column[i] for i in order] for column in (TRUTH, SCORE))
    unordered = pl.DataFrame({"y": pl.Series(truth, dtype=pl.Categorical), "s": score})
    dictionary = pa.table({"y": pa.array(truth).dictionary_encode(), "s": score})
    for frame in (unordered, dictionary, unordered.lazy()):
        with pytest.raises(CapcurveError, match="pass the label of the event"):
            gain_capture(frame, "y", "s")
        found = columns_of(gain_capture(frame, "y", "s", pos_label="yes"))
        assert found["estimate"] == [pytest.approx(2 / 3)]
    declared = pl.DataFrame(
        {"y": pl.Series(truth, dtype=pl.Enum(["yes", "no"])), "s": score}
    )
    assert gain_capture(declared, "y", "s")["estimate"][0] == pytest.approx(2 / 3)
    second = gain_capture(declared, "y", "s", event_level="second")["estimate"][0]
    assert second == pytest.approx(-2 / 3)


@pytest.mark.parametrize(
    "truth",
    [
        pd.Series([0, 1, 0, 1, 0], dtype="category"),
        pd.Series([False, True, False, True, False], dtype="category"),
        pd.Series([0.0, 1.0, 0.0, 1.0, 0.0], dtype="category"),
        pd.Series([0, 1, 0, 1, 0]),
    ],
)
def test_one_is_the_event_in_every_container(truth):
    frame = pd.DataFrame({"y": truth, "s": SCORE})
    assert gain_capture(frame, "y", "s")["estimate"][0] == pytest.approx(2 / 3)


def test_an_order_is_for_text_and_lists_each_grade_once():
    with pytest.raises(CapcurveError, match="`order` lists the grades of a text score"):
        gain_capture(LOANS, "default", "champion_pd", order=["A", "B"])
    with pytest.raises(CapcurveError, match="`order` must list each grade once"):
        gain_capture(LOANS, "default", "segment", order=["A", "A"])


def test_amounts_are_validated_by_gauc(shell):
    LOANS.write_parquet("l.parquet")
    columns = ("l.parquet", "--truth", "loss", "--estimate", "champion_pd")
    expected = somers_d_interval(LOANS["loss"], LOANS["champion_pd"])
    (row,) = shell("score", *columns, "--format", "json")
    assert (row["somers_d"], row["somers_d_low"]) == pytest.approx(
        (expected.value, expected.low)
    )
    assert row["gauc"] == pytest.approx((expected.value + 1) / 2)
    (test,) = shell("compare", *columns, "--initial-auc", "0.75", "--format", "json")
    assert test["auc_current"] == pytest.approx((expected.value + 1) / 2)
    facts = report(LOANS, "loss", "champion_pd", initial_auc=0.75).facts
    assert facts["initial"][0]["second"] == pytest.approx(expected.to_auc().value)
    assert facts["models"][0]["gauc"]["value"] == pytest.approx(expected.to_auc().value)


def test_labels_of_a_query_are_decided_as_in_memory():
    columns = {
        "n": [1, 2, 1, 2, 1],
        "t": TRUTH,
        "b": [x == "yes" for x in TRUTH],
        "s": SCORE,
    }
    frame = pl.DataFrame(columns).with_columns(u=pl.Series([-1, 1, -1, 1, -1]))
    asked = [("n", 2), ("t", "yes"), ("b", True), ("b", None), ("u", None), ("u", 1)]
    for truth, label in asked:
        found = gain_capture(frame.lazy(), truth, "s", pos_label=label, approx=True)
        assert found["estimate"][0] == pytest.approx(2 / 3), truth
    for truth, label in (("n", "2"), ("t", 2), ("n", 3)):
        with pytest.raises(CapcurveError, match="`pos_label` is "):
            gain_capture(frame.lazy(), truth, "s", pos_label=label, approx=True)
    declared = frame.with_columns(pl.col("t").cast(pl.Enum(["yes", "no"])))
    for data in (declared, declared.lazy()):
        with pytest.raises(CapcurveError, match="`pos_label` is 'maybe'"):
            gain_capture(data, "t", "s", pos_label="maybe", approx=True)
    with pytest.raises(CapcurveError, match="either `truth` names the outcome"):
        gain_capture(frame, None, "s")
