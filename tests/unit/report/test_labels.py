"""Labels that an event named among several makes non-events are in every report."""

import json
from importlib.resources import files

import jsonschema
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import report

SCHEMA = json.loads(files("capcurve._report").joinpath("schema.json").read_text("utf-8"))
pytestmark = pytest.mark.filterwarnings("ignore::capcurve.DroppedRowsWarning")

LABELS = ["bad", "good", "closed", "good", None, "good"] * 8
SCORES = [0.9, 0.2, 0.4, 0.5, 0.1, None] * 8
FRAMES = {
    "polars": pl.DataFrame,
    "enum": lambda columns: pl.DataFrame(columns).with_columns(
        pl.col("y").cast(pl.Enum(["good", "closed", "bad", "none"]))
    ),
    "pandas": pd.DataFrame,
    "categories": lambda columns: pd.DataFrame(columns).astype({"y": "category"}),
    "pyarrow": pa.table,
}


def make_report(make, event="bad", **columns):
    frame = make({"y": LABELS, "s": SCORES, **columns})
    return report(
        frame, "y", "s", pos_label=event, title="t", **dict.fromkeys(columns, "n")
    )


@pytest.mark.parametrize("make", FRAMES.values(), ids=list(FRAMES))
def test_labels_of_non_events_are_counted_among_the_rows_used(make):
    found = make_report(make)
    jsonschema.validate(found.facts, SCHEMA)
    counted = [{"label": "good", "n": 16}, {"label": "closed", "n": 8}]
    assert found.facts["rows"]["other_labels"] == counted
    assert "Non-events are 16 good and 8 closed." in found.facts["findings"][0]["text"]
    page = found.to_html().split("Labels that count as non-events")[-1]
    assert page.index("good") < page.index("closed")


def test_lines_that_stand_for_several_rows_count_as_many():
    frame = pl.DataFrame({"y": LABELS, "s": SCORES, "n": [3] * 48})
    found = report(frame, "y", "s", pos_label="bad", counts="n").facts["rows"]
    assert [each["n"] for each in found["other_labels"]] == [48, 24]


def test_two_labels_and_plain_events_have_no_list():
    pair = pl.DataFrame({"y": ["bad", "good", "good"] * 8, "s": [0.9, 0.2, 0.95] * 8})
    plain = pair.with_columns(y=pl.col("y") == "bad")
    for frame, options in ((pair, {"pos_label": "bad"}), (plain, {})):
        found = report(frame, "y", "s", **options)
        assert found.facts["rows"]["other_labels"] == []
        assert "Labels that count" not in found.to_html()
