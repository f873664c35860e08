"""The queries that the documentation shows for ``--query`` run."""

import re
import shlex

import duckdb
import pytest

from capcurve._files.query import run_query
from docs.pages import ROOT, list_pages

SHOWN = re.compile(r"""--query\s+("[^"]*"|'[^']*')""")
COLUMNS = "0.5 as pd, 0.5 as champion_pd, 2024 as year"
PAGES = ["README.md", *(f"docs/{name}" for name in list_pages())]


def list_queries():
    for page in PAGES:
        for shown in SHOWN.findall((ROOT / page).read_text(encoding="utf-8")):
            (query,) = shlex.split(shown)
            if "..." not in query:
                yield pytest.param(query, id=f"{page}: {query}")


@pytest.mark.parametrize("query", list(list_queries()))
def test_query_runs(query):
    with duckdb.connect() as connection:
        connection.execute(f'create table data as select 1 as "default", {COLUMNS}')
        assert run_query(connection, query, "loans.csv").relation.fetchall()


def test_queries_are_found():
    assert len(list(list_queries())) > 4
