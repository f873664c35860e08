"""Facts of graded scores name the grades, in every format."""

import json
import re
from importlib.resources import files

import jsonschema
import polars as pl
import pytest

from capcurve import report

SCHEMA = json.loads(files("capcurve._report").joinpath("schema.json").read_text("utf-8"))
GRADES = ("AAA", "AA", "A", "BBB")  # the best borrowers first, so the lowest score
RANKED = ["BBB", "A", "AA", "AAA"]


@pytest.fixture
def found():
    columns = {
        "grade": GRADES,
        "obligors": [500, 400, 300, 120],
        "defaults": [2, 6, 14, 25],
    }
    return report(
        pl.DataFrame(columns),
        None,
        "grade",
        counts="obligors",
        events="defaults",
        order=GRADES,
        bands="scores",
    )


def test_facts_name_the_grades(found):
    jsonschema.validate(found.facts, SCHEMA)
    (model,) = found.facts["models"]
    assert model["curve"]["threshold"] == [None, *RANKED]
    ends = [(row["highest_score"], row["lowest_score"]) for row in model["gains"]]
    assert ends == list(zip(RANKED, RANKED, strict=True))
    assert [row["n"] for row in model["gains"]] == pytest.approx([120, 300, 400, 500])


def test_a_page_names_the_grades_and_sorts_them_by_rank(found):
    page = found.to_html()
    cells = re.findall(r'<td data-rank="(-?\d)">([AB]+)</td>', page)
    ranked = [(str(-band), grade) for band, grade in enumerate(RANKED, start=1)]
    assert cells == [cell for cell in ranked for _ in range(2)]
    data = json.loads(re.search(r'id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
    scores = data["models"][0]["share"]["score"].split(" ")
    assert list(dict.fromkeys(scores)) == ["–", *RANKED]
