"""Columns of Parquet files are found by their names, upper and lower case told apart."""

from datetime import date, datetime
from decimal import Decimal
from itertools import permutations

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.header import read_names
from capcurve._files.open import read_table
from capcurve._files.parquet import read_own_columns
from capcurve._files.paths import InputFile

BOTH = {"Y": [5, 6], "y": [1, 0], "s": [0.5, 0.1]}
AMBIGUOUS = (
    "column names must differ in more than upper and lower case, got 'Y' and 'y'; rename "
    "one of them"
)


def write(columns, name="f.parquet"):
    table = pa.table(list(columns.values()), names=list(columns))
    pq.write_table(table, f"./{name}")  # else PyArrow takes a prefix for a protocol


def read(*names, outcome="y", **options):
    (first, *others) = names
    source = Source(first, [outcome], ["s"], others=others, **options)
    return read_table(source).table.to_pydict()


@pytest.mark.parametrize("outcome", ["Y", "y"])
def test_columns_that_differ_in_case_are_told_apart(outcome):
    write(BOTH)
    assert read("f.parquet", outcome=outcome) == {outcome: BOTH[outcome], "s": BOTH["s"]}
    assert read_names(Source("f.parquet", [outcome], ["s"])) == ["Y", "y", "s"]


def test_a_column_is_found_beside_one_that_is_called_like_a_renamed_one():
    write(BOTH | {"y_1": [7, 8]})
    for outcome in ("Y", "y", "y_1"):
        found = read("f.parquet", outcome=outcome)
        assert found[outcome] == (BOTH | {"y_1": [7, 8]})[outcome]


@pytest.mark.parametrize("names", [("f", "g"), ("g", "f"), ("g", "h"), ("h", "f")])
def test_files_may_hold_the_columns_in_any_order(names):
    write(BOTH)
    write({"s": [0.3], "y": [1], "Y": [9]}, "g.parquet")
    write({"y": [0], "s": [0.2]}, "h.parquet")
    rows = {"f": ([1, 0], [0.5, 0.1]), "g": ([1], [0.3]), "h": ([0], [0.2])}
    first, second = names
    assert read(f"{first}.parquet", f"{second}.parquet") == {
        "y": rows[first][0] + rows[second][0],
        "s": rows[first][1] + rows[second][1],
    }


@pytest.mark.parametrize(
    "name", ["~f.parquet", "s3:f.parquet", "f*.parquet", "./f.parquet"]
)
def test_a_file_of_any_name_is_read(name):
    write(BOTH, name)
    write(BOTH, "f2.parquet")
    assert read(name) == {"y": [1, 0], "s": [0.5, 0.1]}


def test_no_column_is_named_that_the_file_lacks():
    write(BOTH)
    with pytest.raises(CapcurveError) as caught:
        read("f.parquet", outcome="y_1")
    assert str(caught.value) == "f.parquet has no column 'y_1'; did you mean 'y'?"


def test_columns_of_the_same_name_are_refused_if_they_are_needed():
    pq.write_table(
        pa.table([[1, 0], [1, 0], [2, 3], [0.5, 0.1]], names=["y", "z", "z", "s"]),
        "f.parquet",
    )
    expected = {"y": [1, 0], "s": [0.5, 0.1]}
    assert read("f.parquet") == expected
    assert read("f.parquet", query="select y, s from data") == expected
    with pytest.raises(CapcurveError) as caught:
        read("f.parquet", outcome="z")
    assert str(caught.value) == (
        "cannot read f.parquet: it has 'z' more than once; rename the duplicates"
    )


def test_a_query_cannot_name_columns_that_differ_in_case():
    write(BOTH)
    with pytest.raises(CapcurveError) as caught:
        read("f.parquet", query="from data")
    assert str(caught.value) == AMBIGUOUS


def test_fields_within_a_column_are_no_columns():
    inner = [{"y": 1, "z": {"s": [1, 2]}}, {"y": 2, "z": {"s": []}}]
    write({"a": inner, "y": [1, 0], "b": [[1], [2]], "s": [0.5, 0.1]}, "f[1].parquet")
    file = InputFile("f[1].parquet", "f[1].parquet")
    (found,) = read_own_columns(duckdb.connect(), [file])
    assert [column.name for column in found] == ["a", "y", "b", "s"]
    assert read("f[1].parquet") == {"y": [1, 0], "s": [0.5, 0.1]}


PARTS = {
    "integers": pa.array([1, 2, 9_007_199_254_740_994]),
    "fractions": pa.array([1.4, 2.6, 3.1]),
    "single": pa.array([0.5, 2.25, 16_777_217.0], pa.float32()),
    "decimals": pa.array([1.25, 2.5, 3.75], pa.float64()).cast(pa.decimal128(10, 2)),
    "small": pa.array([200, 1, 3], pa.uint8()),
    "missing": pa.nulls(3),
}


@pytest.mark.slow
@pytest.mark.parametrize("query", [None, "from data"])
@pytest.mark.parametrize(("first", "second"), [*permutations(PARTS, 2)])
def test_numbers_of_files_whose_types_differ_keep_their_digits(first, second, query):
    """The oracle is Python: integers stay integers, and any others are read as doubles."""
    for name in (first, second):
        write({"y": [1, 0, 1], "s": PARTS[name]}, f"{name}.parquet")
    found = read(f"{first}.parquet", f"{second}.parquet", query=query)["s"]
    values = [*PARTS[first].to_pylist(), *PARTS[second].to_pylist()]
    if not {first, second} & {"fractions", "single"}:
        assert found == values
    else:
        as_doubles = [None if value is None else float(value) for value in values]
        assert [None if value is None else float(value) for value in found] == as_doubles


@pytest.mark.parametrize("query", [None, "from data"])
def test_whole_numbers_that_no_float_holds_are_refused_beside_floats(query):
    write({"y": [1, 0], "s": [2**60 + 1, 2**60]})
    write({"y": [1, 0], "s": [2.0, 1.0]}, "g.parquet")
    for first, second in (("f", "g"), ("g", "f")):
        with pytest.raises(CapcurveError) as caught:
            read(f"{first}.parquet", f"{second}.parquet", query=query)
        assert str(caught.value) == (
            f"cannot read {first}.parquet and 1 more: `s` must hold numbers that a float "
            f"holds exactly, got {2**60 + 1} in f.parquet, while other files have other "
            "types; write s with one type, or round it"
        )


def test_a_query_may_leave_whole_numbers_out_that_no_float_holds():
    write({"y": [1, 0], "s": [1, 0], "i": [2**60 + 1, 2**60]})
    write({"y": [1], "s": [0.5], "i": [0.5]}, "g.parquet")
    for query in ("select y, s from data", "from data where y < 1"):
        assert read("f.parquet", "g.parquet", query=query)["s"][0] in (0, 1)


@pytest.mark.parametrize(
    ("types", "texts"),
    [
        (((20, 0), (20, 2)), ("9007199254740993", "9007199254740993.01")),
        (((38, 0), (38, 30)), ("1", "1.5")),
        (((10, 1), (38, 30)), ("1.5", "1.5")),
    ],
)
@pytest.mark.parametrize("query", [None, "from data"])
def test_decimals_of_several_scales_keep_their_digits(types, texts, query):
    for name, kind, text in zip(("f", "g"), types, texts, strict=True):
        column = pa.array([Decimal(text)], pa.decimal128(*kind))
        write({"y": [1], "s": column, "k": column}, f"{name}.parquet")
    for first, second in ((0, 1), (1, 0)):
        source = Source(
            f"{'fg'[first]}.parquet",
            ["y"],
            [],
            ["k"],
            others=[f"{'fg'[second]}.parquet"],
            query=query,
        )
        found = read_table(source).table.to_pydict()["k"]
        expected = [Decimal(texts[first]), Decimal(texts[second])]
        assert [Decimal(str(value)) for value in found] == expected


def test_a_query_reads_numbers_of_several_types_where_a_file_lacks_a_column():
    write({"y": [1, 0], "s": [2, 1], "old": [1, 2]})
    write({"s": [0.4, 0.3], "y": [1, 0]}, "g.parquet")
    found = read("f.parquet", "g.parquet", query="select y, s from data")
    assert found == {"y": [1, 0, 1, 0], "s": [2, 1, 0.4, 0.3]}
    with pytest.raises(CapcurveError, match=r'Referenced column "old" not found'):
        read("f.parquet", "g.parquet", query="select y, s from data where old > 0")


def test_a_query_reads_numbers_of_several_types_where_a_name_is_there_twice():
    pq.write_table(pa.table([[1], [2], [5], [5]], names=["y", "s", "z", "z"]), "f.parquet")
    write({"y": [0], "s": [0.4], "z": [1]}, "g.parquet")
    found = read("f.parquet", "g.parquet", query="select y, s from data")
    assert found == {"y": [1, 0], "s": [2, 0.4]}


def test_days_and_times_are_one_kind():
    write({"y": [1], "s": [date(2024, 5, 1)]})
    write({"y": [0], "s": [datetime.fromisoformat("2024-05-02 12:00")]}, "g.parquet")
    days = [
        datetime.fromisoformat("2024-05-01"),
        datetime.fromisoformat("2024-05-02 12:00"),
    ]
    assert read("f.parquet", "g.parquet")["s"] == days


@pytest.mark.parametrize(
    ("column", "said"),
    [(["1.4"], "VARCHAR"), ([True], "BOOLEAN"), ([date(2024, 5, 1)], "DATE")],
)
def test_values_of_another_kind_are_refused_with_their_file(column, said):
    write({"y": [1], "s": [0.5]})
    write({"y": [1], "s": PARTS["missing"][:1]}, "g.parquet")
    write({"y": [0], "s": column}, "h.parquet")
    for first, second in (("f", "h"), ("h", "f")):
        got = ["DOUBLE in f.parquet", f"{said} in h.parquet"]
        with pytest.raises(CapcurveError) as caught:
            read(f"{first}.parquet", "g.parquet", f"{second}.parquet")
        assert str(caught.value) == (
            "`s` must hold values of one kind in all files, got "
            f"{' and '.join(got if first == 'f' else got[::-1])}; write it with one type"
        )


def test_a_query_sees_text_where_only_some_files_have_numbers():
    write({"y": [1], "s": [0.5]})
    write({"y": [0], "s": ["0.25"]}, "g.parquet")
    query = "select y, s::double as s from data"
    assert read("f.parquet", "g.parquet", query=query)["s"] == [0.5, 0.25]


def test_a_column_that_one_file_lacks_is_named():
    write({"y": [1], "s": [0.5]})
    write({"y": [0]}, "g.parquet")
    with pytest.raises(CapcurveError, match=r"g\.parquet.*\bs\b"):
        read("f.parquet", "g.parquet")


def test_columns_that_nothing_reads_may_differ():
    write({"y": [1], "s": [0.5], "t": [1]})
    write({"y": [0], "s": [0.25], "t": ["x"]}, "g.parquet")
    assert read("f.parquet", "g.parquet")["s"] == [0.5, 0.25]
