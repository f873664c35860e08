"""What in a query gives other rows in another run is named."""

import sqlite3
from contextlib import closing

import duckdb
import pytest

from capcurve._files.delimited import Source
from capcurve._files.open import read_table

SAMPLE = ["sample without a seed"]


@pytest.fixture(autouse=True)
def _files():
    rows = "create table data as select 1 as y, 2.5::double as s, date '2026-01-01' as d"
    with duckdb.connect("f.duckdb") as connection:
        connection.execute(rows)
        connection.execute("create table other as select 3 as localtime")
        connection.execute("create macro quiet(x) as x")
        connection.execute("create macro two() as random(), (x) as x")
        connection.execute("create macro twice(x) as quiet(x) + quiet(x), (x, z) as z")
        connection.execute("create macro noisy(x) as quiet(x) + twice(random()) * 0")
        connection.execute("copy data to 'f.csv'")
    with closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table data (y, s, d)")
        connection.execute("insert into data values (1, 2.5, '2026-01-01')")
        connection.execute("create view drawn as select * from data order by RANDOM()")
        connection.commit()


def list_unrepeatable(name, query):
    return read_table(Source(name, ["y"], ["s"], query=query)).unrepeatable


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("from data", []),
        ("select y, s + hash(s) % 2 as s from data where d > '2020-01-01'", []),
        ("select y, s as s from data where 'random()' <> 'now()'", []),
        ("select y, s, s as random, s as now from data", []),
        ("from data order by random()", ["random"]),
        ('from data order by "RanDom"() limit 5', ["random"]),
        ("with a as (from data where uuid()::varchar <> '') from a", ["uuid"]),
        ("from data where y in (select 1 where random() < 2)", ["random"]),
        ("from data union all from data where d < now()", ["now"]),
        ("from data where d < current_date", ["current_date"]),
        ("from data where d < Current_Timestamp", ["current_timestamp"]),
        ("from data where data.d < today() or random() < 2", ["random", "today"]),
        ("from data where age(d) > interval 1 day or true", ["current_date"]),
        ("from data where age(date '2027-01-01', d) > interval 1 day", []),
        ("from data where d < current_localtimestamp()", ["current_localtimestamp"]),
        ("from data where d < ago(interval 1 day)", ["current_timestamp"]),
        ("from data using sample 100 rows", SAMPLE),
        ("from data tablesample 100%", SAMPLE),
        ("select y, s from (from data using sample 100 rows)", SAMPLE),
        ("from data using sample reservoir(100 rows) repeatable (1)", []),
        ("from data using sample 100% (bernoulli, 1)", []),
        ("select *, current_database() as n from data", []),
        ("select y, if(y = 1, s, error('no')) as s from data", []),
    ],
)
def test_chance_and_clocks_are_found_where_they_are_called(query, found):
    assert list_unrepeatable("f.duckdb", query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("select y, noisy(s) as s from data", ["random"]),
        ("select y, quiet(s) as s from data", []),
        ("select y, s + two() as s from data", ["random"]),
        ("select y, localtime as s from data, other", []),
        ("from data where current_date > d", ["current_date"]),
    ],
)
def test_macros_and_columns_of_a_database(query, found):
    assert list_unrepeatable("f.duckdb", query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [("from data", []), ("from data where d::date < current_date", ["current_date"])],
)
def test_a_text_file(query, found):
    assert list_unrepeatable("f.csv", query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("select * from data", []),
        ("select y, abs(s) as s from data where strftime('%Y', d) = '2026'", []),
        ("select * from data order by RANDOM()", ["random"]),
        ("select * from drawn", ["random"]),
        ("select * from data where d < current_date", ["current_date"]),
    ],
)
def test_sqlite_names_the_functions_that_it_calls(query, found):
    assert list_unrepeatable("f.sqlite", query) == found
