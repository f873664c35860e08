"""Cut-offs of groups and models: counted by hand, and those of curves of arrays."""

import numpy as np
import polars as pl
import pytest

from capcurve import (
    CapCurve,
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    capture_rate_interval,
    gain_cut_offs,
    gains_table,
    lift_interval,
    response_rate_interval,
    response_rate_score,
)
from capcurve.datasets import make_portfolio
from frame_constructors import CONSTRUCTORS, columns_of

COLUMNS = make_portfolio(4_000)
LOANS = pl.DataFrame(COLUMNS)
MODELS = ["champion_pd", "challenger_pd"]
ORDER = list("ABCDEFGH")
# Two grades: B selects 3 of 8 rows and 2 of 4 events.
ROWS = pl.DataFrame(
    {
        "y": [1, 0, 1, 1, 0, 0, 1, 0],
        "s": [9, 8, 8, 5, 5, 5, 2, 1],
        "g": ["C", "B", "B", "A", "A", "A", "A", "A"],
    }
)
every_library = pytest.mark.parametrize(
    "make", list(CONSTRUCTORS.values()), ids=list(CONSTRUCTORS)
)


def rows_of(frame):
    columns = columns_of(frame)
    return [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]


@every_library
def test_a_cut_off_selects_the_rows_from_its_score_up(make):
    found = gain_cut_offs(
        make(COLUMNS), "default", MODELS, threshold=[0.05, 0.1], by="segment"
    )
    assert type(found) is type(make(COLUMNS))
    rows = rows_of(found)
    assert len(rows) == 12
    for row in rows:
        part = LOANS.filter(pl.col("segment") == row["segment"])
        chosen = part.filter(pl.col(row["model"]) >= row["threshold"])["default"]
        captured = chosen.sum() / part["default"].sum()
        expected = {
            "n": len(chosen),
            "n_events": chosen.sum(),
            "response_rate": chosen.mean(),
            "population_share": len(chosen) / len(part),
            "capture_rate": captured,
            "lift": captured / len(chosen) * len(part),
        }
        assert {name: row[name] for name in expected} == pytest.approx(expected)
    assert [row["threshold"] for row in rows[:3]] == [0.05, 0.1, 0.05]
    assert [row["model"] for row in rows[:3]] == [MODELS[0], MODELS[0], MODELS[1]]


def test_the_smallest_selection_that_captures_enough():
    found = gain_cut_offs(ROWS, "y", "s", capture_rate=[0, 0.25, 0.26, 1])
    assert found.columns == [
        *("capture_rate_asked", "threshold", "n", "n_events", "response_rate"),
        *("population_share", "capture_rate", "lift"),
    ]
    assert found["capture_rate_asked"].to_list() == [0, 0.25, 0.26, 1]
    assert found["threshold"].to_list() == [np.inf, 9, 8, 2]
    assert found["n"].to_list() == [0, 1, 3, 7]
    assert found["n_events"].to_list() == [0, 1, 2, 4]
    assert found["capture_rate"].to_list() == [0, 0.25, 0.5, 1]
    assert found["lift"].to_list() == pytest.approx([np.nan, 2, 4 / 3, 8 / 7], nan_ok=True)
    turned = ROWS.with_columns(-pl.col("s"))
    found = gain_cut_offs(turned, "y", "s", capture_rate=[0, 0.26], descending=False)
    assert found["threshold"].to_list() == [-np.inf, -8]


def test_a_share_splits_tied_rows():
    (row,) = rows_of(gain_cut_offs(ROWS, "y", "s", population_share=0.5))
    # 9, both 8, and one of three rows of 5, of which one is an event
    assert row == pytest.approx(
        {
            "threshold": 5,
            "n": 4,
            "n_events": 2 + 1 / 3,
            "response_rate": (2 + 1 / 3) / 4,
            "population_share": 0.5,
            "capture_rate": (2 + 1 / 3) / 4,
            "lift": (2 + 1 / 3) / 2,
        }
    )
    assert row["response_rate"] == pytest.approx(
        response_rate_score(ROWS["y"], ROWS["s"], fraction=0.5)
    )


def test_grades_have_names():
    options = {"order": ["A", "B", "C"]}
    found = gain_cut_offs(ROWS, "y", "g", threshold=["B", "A"], **options)
    assert found["threshold"].to_list() == ["B", "A"]
    assert found["n"].to_list() == [3, 8]
    assert found["capture_rate"].to_list() == [0.5, 1]
    found = gain_cut_offs(ROWS, "y", "g", capture_rate=[0, 0.3], **options)
    assert found["threshold"].to_list() == [None, "B"]
    found = gain_cut_offs(ROWS, "y", "g", population_share=0.5, **options)
    assert found["threshold"].to_list() == ["A"]
    ordered = ROWS.with_columns(pl.col("g").cast(pl.Enum(["A", "B", "C"])))
    assert gain_cut_offs(ordered, "y", "g", threshold="B")["n"].to_list() == [3]
    with pytest.raises(CapcurveError, match=r"must be a grade of the score \(A, B, C\)"):
        gain_cut_offs(ordered, "y", "g", threshold=2)


def test_numbers_are_those_of_curves_for_weights_amounts_counts_and_labels():
    shares, rates = [0.01, 0.25, 1.0], [0.0, 0.3, 1.0]
    weighted = {"sample_weight": LOANS["exposure"]}
    for truth, options in (("default", weighted), ("loss", {}), ("loss", weighted)):
        curve = CapCurve.from_predictions(LOANS[truth], LOANS["champion_pd"], **options)
        data = LOANS, truth, "champion_pd"
        said = {"case_weights": "exposure"} if options else {}
        found = gain_cut_offs(*data, capture_rate=rates, **said)
        assert found["threshold"].to_list() == curve.threshold_for(rates).tolist()
        cut = curve.at_threshold(found["threshold"])
        for name, numbers in cut._asdict().items():
            expected = pytest.approx(numbers.tolist(), nan_ok=True)
            assert found[name].to_list() == expected
        found = gain_cut_offs(*data, population_share=shares, **said)
        assert found["threshold"].to_list() == curve.threshold_at(shares).tolist()
        rate = curve.response_rate_at(shares).tolist()
        assert found["response_rate"].to_list() == pytest.approx(rate)
    scale = pl.DataFrame({"grade": [3, 2, 1], "loans": [10, 30, 60], "bad": [5, 4, 1]})
    found = gain_cut_offs(scale, None, "grade", threshold=2, events="bad", counts="loans")
    assert found.select("n", "n_events", "capture_rate").row(0) == (40, 9, 0.9)
    labels = pl.DataFrame({"y": list("abca"), "a": [4, 2, 1, 3], "b": [1, 4, 3, 2]})
    labels = labels.with_columns(c=pl.Series([1, 3, 4, 2]))
    found = gain_cut_offs(labels, "y", ["a", "b", "c"], threshold=3)
    assert found["level"].to_list() == ["a", "b", "c"]
    assert found["n_events"].to_list() == [2, 1, 1]


def test_limits_are_those_of_the_intervals():
    shares = [0.05, 0.3]
    options = {"population_share": shares, "confidence_level": 0.9, "by": "segment"}
    found = gain_cut_offs(LOANS, "default", "champion_pd", **options)
    assert len(found) == 6
    for row in found.to_dicts():
        part = LOANS.filter(pl.col("segment") == row["segment"])
        for name, estimate in (
            ("response_rate", response_rate_interval),
            ("capture_rate", capture_rate_interval),
            ("lift", lift_interval),
        ):
            alone = estimate(
                part["default"],
                part["champion_pd"],
                fraction=row["population_share"],
                confidence_level=0.9,
            )
            assert row[name] == pytest.approx(alone.value)
            limits = row[f"{name}_low"], row[f"{name}_high"]
            assert limits == pytest.approx((alone.low, alone.high))
    first = gains_table(LOANS, "default", "champion_pd", bands=[0.3], confidence_level=0.9)
    whole = gain_cut_offs(
        LOANS, "default", "champion_pd", population_share=0.3, confidence_level=0.9
    )
    assert whole["response_rate_low"][0] == pytest.approx(first["response_rate_low"][0])
    clustered = gain_cut_offs(
        LOANS.with_columns(borrower=pl.col("loan") // 4),
        *("default", "champion_pd"),
        population_share=0.3,
        confidence_level=0.9,
        clusters="borrower",
    )
    assert clustered["response_rate_low"][0] != whole["response_rate_low"][0]


def test_few_events_and_few_rows_are_announced_by_name():
    few = LOANS.filter((pl.col("segment") != "retail") | (pl.col("loan") < 300))
    options = {"by": "segment", "confidence_level": 0.95}
    with pytest.warns(FewEventsWarning, match="fewer than 20 events .*: segment retail$"):
        gain_cut_offs(few, "default", "champion_pd", population_share=0.2, **options)
    with pytest.warns(
        FewEventsWarning,
        match="effectively fewer than 15 rows are selected or left .*segment corporate$",
    ):
        gain_cut_offs(LOANS, "default", "champion_pd", population_share=0.03, **options)
    with pytest.warns(FewEventsWarning, match="or left out.*: `data`$"):
        gain_cut_offs(
            LOANS, "default", "champion_pd", population_share=0.998, confidence_level=0.95
        )


def test_groups_of_one_outcome_select_rows_but_no_share_of_events():
    frame = pl.DataFrame(
        {
            "g": list("aabbccd"),
            "y": [1, 0, 0, 0, 1, 1, None],
            "s": [2, 1, 2, 1, 2, 1, 1],
        }
    )

    def cut(told, **options):
        with pytest.warns() as caught:
            found = gain_cut_offs(frame, "y", "s", by="g", **options)
        undefined = [str(w.message) for w in caught if w.category is UndefinedMetricWarning]
        assert undefined == [told]
        assert RuntimeWarning not in {w.category for w in caught}
        return found.fill_nan(None)

    set_to_nan = "is undefined and set to nan where all outcomes are"
    no_event = f"{set_to_nan} 0 or no row is complete: g b"
    found = cut(f"the capture rate and lift {no_event}", threshold=2)
    assert found["g"].to_list() == ["a", "b", "c"]
    assert found["n"].to_list() == [1, 1, 1]
    assert found["response_rate"].to_list() == [1, 0, 1]
    assert found["capture_rate"].to_list() == [1, None, 0.5]
    found = cut(f"the cut-off for a capture rate {no_event}", capture_rate=0.5)
    assert found["threshold"].to_list() == [2, None, 2]
    assert found["n"].to_list() == [1, None, 1]
    found = cut(
        "the confidence interval (without any event, capture rate and lift too) "
        f"{set_to_nan} equal or no row is complete: g b; g c",
        population_share=0.5,
        confidence_level=0.9,
    )
    assert found["capture_rate_low"].is_null().to_list() == [False, True, True]
    with pytest.raises(CapcurveError, match="the gain curve is undefined"):
        gain_cut_offs(frame.filter(pl.col("g") == "b"), "y", "s", threshold=2)


def test_groups_without_a_complete_row_have_no_rows():
    frame = pl.DataFrame({"g": ["a"], "y": pl.Series([None], dtype=pl.Int64), "s": [1.0]})
    with pytest.warns(match="left out 1 of 1 rows"):
        found = gain_cut_offs(frame, "y", "s", by="g", capture_rate=0.5)
    assert found.shape == (0, 9)
    with pytest.warns(match="left out 1 of 1 rows"):
        found = gain_cut_offs(
            frame, "y", "s", by="g", population_share=0.5, confidence_level=0.9
        )
    assert found.shape == (0, 14)


def test_queries_and_one_value_of_any_type():
    query = LOANS.lazy()
    found = gain_cut_offs(query, "default", "champion_pd", threshold=np.array([0.05]))
    assert found.equals(gain_cut_offs(LOANS, "default", "champion_pd", threshold=0.05))
    several = gain_cut_offs(LOANS, "default", "champion_pd", capture_rate=pl.Series([0.8]))
    alone = gain_cut_offs(LOANS, "default", "champion_pd", capture_rate=np.array(0.8))
    assert several.equals(alone)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "require one of `threshold`, `capture_rate`, `population_share`, got none"),
        (
            {"threshold": 1, "capture_rate": 0.1},
            "got `threshold` and `capture_rate`; pass one of them",
        ),
        ({"threshold": []}, "`threshold` must be a number or a list of numbers, got"),
        ({"threshold": [[1, 2]]}, "pass the cut-offs in one list"),
        ({"threshold": "B"}, "`threshold` must be a score that is a number"),
        ({"capture_rate": 80}, r"`capture_rate` must be a fraction in \[0, 1\], got 80"),
        ({"population_share": 0}, r"`population_share` must be a fraction in \(0, 1\]"),
        (
            {"threshold": 0.1, "confidence_level": 0.95},
            "`confidence_level` requires `population_share`, as .* got `threshold`",
        ),
        ({"population_share": 0.1, "confidence_level": 95}, "95 % is 0.95"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(CapcurveError, match=message):
        gain_cut_offs(LOANS, "default", "champion_pd", **options)
