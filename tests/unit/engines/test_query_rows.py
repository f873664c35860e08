"""Rows that engines select, check and count: dtypes, names, weights and groups."""

import itertools
from decimal import Decimal
from fractions import Fraction

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    BinnedCurve,
    CapcurveError,
    DroppedRowsWarning,
    UndefinedMetricWarning,
    gain_capture,
    gains_table,
)
from capcurve._engines import plan as thresholds
from capcurve._engines import query_outcome
from frame_constructors import columns_of
from query_constructors import MARKS, duckdb_relation, each_engine, polars_lazy, rows_of

pytestmark = MARKS

# -- Numbers of any size -------------------------------------------------------------------

ALWAYS_EXACT = ("decimal of 18 digits", "decimal of 38 places")
PLANS = ["direct", "large", "approximate", "one scan"]
OFFSETS = np.random.default_rng(4).integers(0, 40, 60).tolist()
OUTCOMES = np.random.default_rng(5).integers(0, 2, 60).tolist()
WHOLE = {
    "int64 at 2**53": (pa.int64(), 2**53 - 20),
    "int64 at -2**53": (pa.int64(), -(2**53) - 20),
    "int64 at 2**62": (pa.int64(), 2**62 - 20),
    "int64 below 2**63": (pa.int64(), 2**63 - 40),
    "uint64 at 2**63": (pa.uint64(), 2**63 - 20),
    "uint64 below 2**64": (pa.uint64(), 2**64 - 40),
}
DECIMAL = {
    "decimal of 18 digits": (pa.decimal128(18, 3), Decimal("10.000")),
    "decimal with 20 digits": (pa.decimal128(38, 20), Decimal(1)),
    "decimal of 10**30": (pa.decimal128(38, 0), Decimal(10**30)),
    "decimal of 38 places": (pa.decimal128(38, 37), Decimal(0)),
    "decimal of 2**53": (pa.decimal128(38, 0), Decimal(2**53 - 20)),
}


def count_ratio(scores):
    """Compute AR by all pairs, in whole numbers."""
    events, rest = (
        [score for score, outcome in zip(scores, OUTCOMES, strict=True) if outcome == kind]
        for kind in (1, 0)
    )
    surplus = sum((a > b) - (a < b) for a in events for b in rest)
    return Fraction(surplus, len(events) * len(rest))


SIZED = [
    each
    for each in each_engine(
        itertools.product(WHOLE | DECIMAL, PLANS),
        [
            *itertools.product(["int64 at 2**53"], PLANS),
            ("decimal with 20 digits", "large"),
            ("decimal of 38 places", "direct"),
        ],
    )
    if not each.id.startswith("sqlite-decimal")  # which it lacks
]


def judge(query, scores, plan, monkeypatch):
    """Ask for AR; say whether it was refused, or fail if it is not exact."""
    if plan in {"large", "one scan"}:
        monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
        monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    try:
        found = gain_capture(query, "y", "s", approx=plan in {"approximate", "one scan"})
    except CapcurveError as error:
        return "refused" if "`s`" in str(error) and "float64" in str(error) else str(error)
    row = {name: column[0] for name, column in columns_of(found).items()}
    exact = pytest.approx(float(count_ratio(scores)), rel=1e-12)
    assert all(row[name] == exact for name in ("estimate", "lower", "upper") if name in row)
    return "exact"


@pytest.mark.parametrize(
    ("engine", "case", "plan"),
    SIZED,
    indirect=["engine"],
)
def test_numbers_of_any_size_are_compared_exactly_or_refused(
    engine, case, plan, monkeypatch
):
    dtype, start = (WHOLE | DECIMAL)[case]
    step = 1 if pa.types.is_integer(dtype) else Decimal(1).scaleb(-dtype.scale)
    scores = [start + step * offset for offset in OFFSETS]
    answer = judge(engine({"y": OUTCOMES, "s": scores}, s=dtype), scores, plan, monkeypatch)
    assert answer in {"exact", "refused"}
    if case in ALWAYS_EXACT or (case in WHOLE and plan in {"direct", "large"}):
        assert answer == "exact"


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("start", [5, 2**53 - 20, 2**70, -(2**100)])
@pytest.mark.parametrize("library", ["polars", "duckdb"])
def test_whole_numbers_of_128_bits(library, start, plan, monkeypatch):
    scores = [start + offset for offset in OFFSETS]
    if library == "polars":
        query = pl.LazyFrame(
            {"y": OUTCOMES, "s": scores}, schema_overrides={"s": pl.Int128}
        )
    else:
        texts = pa.table({"y": OUTCOMES, "s": list(map(str, scores))})
        query = duckdb.connect().from_arrow(texts).project("y, s::hugeint as s")
    answer = judge(query, scores, plan, monkeypatch)
    assert answer == ("exact" if start == 5 else "refused")


def test_scores_up_to_2_53_are_put_into_bins():
    scores = [2**53 - 60 + offset for offset in OFFSETS]
    found = BinnedCurve.from_frame(pl.LazyFrame({"y": OUTCOMES, "s": scores}), "y", "s")
    assert found.accuracy_ratio.low == pytest.approx(float(count_ratio(scores)))
    scores[0] = 2**53
    with pytest.raises(CapcurveError, match="bins hold scores as float64, which rounds"):
        BinnedCurve.from_frame(pl.LazyFrame({"y": OUTCOMES, "s": scores}), "y", "s")


@pytest.mark.parametrize(
    ("engine", "largest"),
    each_engine([1e-304, 1e-310, 5e-324], [5e-324]),
    indirect=["engine"],
)
def test_scores_within_a_subnormal_range_are_put_into_bins(engine, largest):
    scores = [largest, largest / 2, 0.0, largest / 4]
    query = engine({"y": [1, 0, 0, 0], "s": scores})
    found = columns_of(gain_capture(query, "y", "s", approx=True))
    assert found["lower"][0] <= 1 <= found["upper"][0]


@pytest.mark.parametrize("rows", [3, 30])
def test_outcomes_of_128_bits_are_whole_numbers(rows):
    counts = {"y": list(range(rows)), "s": list(range(rows))}
    query = pl.LazyFrame(counts, schema_overrides={"y": pl.Int128})
    with pytest.raises(CapcurveError, match="`y` holds whole numbers other than 0 and 1"):
        gain_capture(query, "y", "s", approx=True)


# -- Names that engines take for patterns --------------------------------------------------


@pytest.mark.parametrize("make", [polars_lazy, duckdb_relation])
@pytest.mark.parametrize("options", [{}, {"approx": True}])
def test_a_column_called_like_a_pattern_is_that_column(make, options, monkeypatch):
    if options:
        monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
        monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    names = {"y": "^s$", "s": "*", "g": "^.*$", "w": "^y"}
    columns = {"s": [0, 0, 0, 0, 0, 0], "y": [1, 1, 1, 0, 0, 0]}
    columns |= {
        names["y"]: [1, 0, 1, 0, 0, 1],
        names["s"]: [3.0, 2.0, 1.0, 3.0, 2.0, 1.0],
        names["g"]: list("aaabbb"),
        names["w"]: [1.0, 1.0, 2.0, 1.0, 1.0, 2.0],
    }
    plain = {name: columns[unusual] for name, unusual in names.items()}
    exact = gain_capture(pl.DataFrame(plain), "y", "s", by="g", case_weights="w")
    expected = dict(exact.select("g", "estimate").iter_rows())
    keys, data = [names["g"]], (names["y"], names["s"])
    for frame, extra in (
        (make(pa.table(columns), None), options),
        (pl.DataFrame(columns), {}),
    ):
        found = gain_capture(frame, *data, by=keys, case_weights="^y", **extra)
        ratios = {key: row["estimate"] for (key,), row in rows_of(found, keys).items()}
        assert ratios == pytest.approx(expected)
        found = gain_capture(frame, *data, **extra)
        assert columns_of(found)["estimate"] == pytest.approx([-4 / 9])


# -- Weights -------------------------------------------------------------------------------

EXTREME = {
    "least": ([1e-60, 0.0, 1.0, 1.0], "got weights from 1e-60 to 1"),
    "greatest": ([1.0, 0.0, 1e60, 1.0], r"got weights from 1 to 1e\+60"),
}


@pytest.mark.parametrize(
    ("engine", "case", "approx"),
    each_engine(
        itertools.product(EXTREME, (False, True)), [("least", False), ("greatest", True)]
    ),
    indirect=["engine"],
)
def test_weights_of_extreme_range_are_refused_as_in_memory(engine, case, approx):
    weights, message = EXTREME[case]
    columns = {"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "w": weights}
    message = f"`w` must be 0 or lie between 1e-50 and 1e\\+50, {message}"
    for data, options in (
        (engine(columns), {"approx": approx}),
        (pl.DataFrame(columns), {}),
    ):
        with pytest.raises(CapcurveError, match=message):
            gain_capture(data, "y", "s", case_weights="w", **options)


@pytest.mark.parametrize(
    ("engine", "weight"), each_engine([1e60, -1.0, 9e999], [9e999]), indirect=["engine"]
)
def test_a_weight_of_an_incomplete_row_is_not_judged(engine, weight):
    columns = {"y": [1, 0, None], "s": [2, 1, 3], "w": [1.0, 1.0, weight]}
    for data in (pl.DataFrame(columns), engine(columns)):
        with pytest.warns(DroppedRowsWarning):
            found = gain_capture(data, "y", "s", case_weights="w")
        assert columns_of(found)["estimate"] == [1]


@pytest.mark.parametrize(
    ("engine", "largest"), each_engine([1e60, 1e-60], [1e-60]), indirect=["engine"]
)
def test_amounts_of_extreme_range_are_refused_as_in_memory(engine, largest):
    columns = {"y": [largest, 0.0, largest / 2, largest / 3], "s": [4, 3, 2, 1]}
    for data in (engine(columns), pl.DataFrame(columns)):
        with pytest.raises(CapcurveError, match="`y` must hold amounts whose largest lies"):
            gain_capture(data, "y", "s", target_type="continuous")


# -- Groups --------------------------------------------------------------------------------

LEFT_OUT = {
    "g": ["b", None, "a", "a", "c", "d", "d"],
    "y": [1, 1, 1, 0, 0, 1, 0],
    "s": [None, 1.0, 3.0, 2.0, 1.0, 1.0, 2.0],
    "w": [1.0, None, 2.0, 1.0, 0.0, 1.0, 1.0],
}
ratios_of = {("a",): 1, ("b",): None, ("c",): None, ("d",): -1, ("None",): None}


@pytest.mark.filterwarnings("ignore::capcurve.DroppedRowsWarning")
@pytest.mark.parametrize("plan", ["direct", "large", "approximate"])
def test_groups_without_a_complete_row_are_nan_as_in_memory(engine, plan, monkeypatch):
    if plan == "large":
        monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
        monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    options = {"by": "g", "case_weights": "w", "approx": plan == "approximate"}
    with pytest.warns(UndefinedMetricWarning, match="g b; g c; missing g$"):
        found = rows_of(gain_capture(engine(LEFT_OUT), "y", "s", **options), ["g"])
    expected = {key: np.nan if ratio is None else ratio for key, ratio in ratios_of.items()}
    assert list(found) == list(ratios_of)
    for key, row in found.items():
        assert row["estimate"] == pytest.approx(expected[key], nan_ok=True)


def test_a_scan_is_spared_where_the_checks_saw_0_and_1_alone(monkeypatch):
    monkeypatch.setattr(query_outcome, "find_extremes", lambda *_: pytest.fail("a scan"))
    query = pl.LazyFrame({"y": [1, 0, 1, 0], "a": [4, 3, 2, 1], "b": [1, 2, 3, 4]})
    found = gain_capture(query, "y", ["a", "b"], approx=True)
    assert found["estimate"].to_list() == [0.5, -0.5]


def test_ranges_of_amounts_are_those_of_the_checks_if_every_row_counts(engine, monkeypatch):
    scans, scan = [], query_outcome.find_extremes
    monkeypatch.setattr(
        query_outcome, "find_extremes", lambda *query: scans.append(query) or scan(*query)
    )
    columns = {"y": [0.5, 3.5, 1.5, 0.0], "a": [4, 3, 2, 1], "b": [1.0, 2.0, 3.0, 4.0]}
    gain_capture(engine(columns), "y", ["a", "b"], approx=True)
    assert not scans
    lacking = columns | {"a": [4, 3, None, 1]}
    with pytest.warns(DroppedRowsWarning):
        gain_capture(engine(lacking), "y", ["a", "b"], approx=True)
    assert len(scans) == 3


def test_whole_numbers_beyond_1_are_ambiguous_for_several_models_too(engine):
    query = engine({"y": [1, 0, 2, 0], "a": [4, 3, 2, 1], "b": [1, 2, 3, 4]})
    with pytest.raises(CapcurveError, match="`y` holds whole numbers other than 0 and 1"):
        gain_capture(query, "y", ["a", "b"], approx=True)


# -- Counted rows --------------------------------------------------------------------------


def test_counts_per_grade_are_those_of_rows_in_memory(engine):
    columns = {"g": list("aabb"), "s": [2, 1, 2, 1], "n": [4, 6, 5, 3], "bad": [3, 1, 2, 0]}
    options = {"truth": None, "estimate": "s", "events": "bad", "counts": "n"}
    for by in (None, "g"):
        keys = [by or "metric"]
        found = rows_of(gain_capture(engine(columns), by=by, **options), keys)
        exact = rows_of(gain_capture(pl.DataFrame(columns), by=by, **options), keys)
        assert {key: row["estimate"] for key, row in found.items()} == pytest.approx(
            {key: row["estimate"] for key, row in exact.items()}
        )


@pytest.mark.parametrize(
    ("engine", "role"), each_engine(["truth", "events"], ["events"]), indirect=["engine"]
)
def test_counts_without_a_complete_row_have_no_ratio(engine, role):
    roles = {"truth": None, role: "y"}
    columns = {"y": [0, 1], "s": [2.0, 1.0], "t": [None, None], "n": [3, 1]}
    data = (
        engine(columns, t=pa.int64()),
        pl.DataFrame(columns, schema_overrides={"t": pl.Int64}),
    )
    for rows in data:
        with (
            pytest.warns(DroppedRowsWarning, match="left out 2 of 2 lines of"),
            pytest.warns(UndefinedMetricWarning),
        ):
            found = gain_capture(rows, estimate=["s", "t"], counts="n", **roles)
        assert columns_of(found)["estimate"] == pytest.approx([np.nan] * 2, nan_ok=True)
        with (
            pytest.warns(DroppedRowsWarning),
            pytest.raises(CapcurveError, match="`data` has no complete row"),
        ):
            gains_table(rows, estimate=["s", "t"], counts="n", **roles)


@pytest.mark.parametrize("approx", [False, True])
def test_nan_that_the_statistics_of_a_file_leave_out_is_missing(tmp_path, approx):
    path = tmp_path / "nan.parquet"
    data = {"y": [0, 1, 0, 1], "s": [np.nan, 0.0, 1.0, 2.0], "w": [1.0, 2.0, 1.0, 1.0]}
    pl.DataFrame(data).write_parquet(path)
    with pytest.warns(DroppedRowsWarning, match=r"left out 1 of 4 rows .*\(s 1\)"):
        found = gain_capture(
            duckdb.read_parquet(str(path)), "y", "s", case_weights="w", approx=approx
        )
    assert found["estimate"][0].as_py() == pytest.approx(-1 / 3)
