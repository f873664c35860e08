import duckdb
import pytest

from capcurve._files.numbers import NumberFormat
from capcurve._files.parsed_texts import name_parsed, parse_texts

FORM = NumberFormat(added_words=["-999", "-1.0"])
ROWS = "select unnest([' 0.5 ', '8 %', 'NA', '-999.00', '-1', 'B', '', null]) as s"


def test_text_and_number_are_null_where_a_value_is_missing():
    parsed = duckdb.sql(parse_texts(ROWS, ["s"], FORM))
    assert parsed.select(*name_parsed("s")).fetchall() == [
        ("0.5", False, "0.5", 0.5),
        ("8 %", False, "8 %", 0.08),
        ("NA", True, None, None),
        ("-999.00", True, None, None),
        ("-1", True, None, None),
        ("B", False, "B", None),
        ("", True, None, None),
        (None, None, None, None),
    ]


@pytest.mark.parametrize("n_words", [1, 20])
def test_the_query_stays_short(n_words):
    """DuckDB plans a megabyte of SQL for seconds."""
    form = NumberFormat(",", added_words=[str(-word) for word in range(1, n_words + 1)])
    names = [f"c{number}" for number in range(10)]
    assert len(parse_texts("rows", names, form)) / len(names) < 4_000 + 4_000 * n_words
