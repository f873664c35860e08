"""Infinite scores are null in JSON, and shown as such to readers."""

import json
from math import inf

import openpyxl
import polars as pl
import pytest

from capcurve import report
from capcurve._report.infinite_scores import name_ends

pytestmark = pytest.mark.filterwarnings("ignore")
SIGNS = ("∞", "−∞")


@pytest.fixture(scope="module")
def rows():
    """Make rows of which a fifth is infinite at either end."""
    scores = [inf] * 40 + [-inf] * 40 + [1.5, 2.0, 3.5] * 40
    amounts = [(place * 7) % 5 / 4 for place in range(200)]
    events = [int(each > 0.5) for each in amounts]
    return pl.DataFrame({"y": events, "amount": amounts, "s": scores})


@pytest.mark.parametrize("truth", ["y", "amount"])
@pytest.mark.parametrize(("descending", "signs"), [(True, SIGNS), (False, SIGNS[::-1])])
def test_pages_and_workbooks_show_infinite_scores(tmp_path, rows, truth, descending, signs):
    made = report(rows, truth, "s", bands=5, descending=descending)
    (model,) = made.facts["models"]
    best, worst = signs
    assert model["gains"][0]["highest_score"] is None  # JSON has no infinite numbers
    page = made.to_html()
    for sign in signs:
        assert f">{sign}</td>" in page
    assert page.count(f'<td class="first">{best}</td>') > 2  # cut-offs at small shares
    assert json.dumps(f"{best} {best} ")[1:-1] in page  # those of the slider
    made.write(tmp_path / "r.xlsx")
    gains = openpyxl.load_workbook(tmp_path / "r.xlsx")["Gains"]
    cells = [cell.value for row in gains.rows for cell in row]
    assert cells.index(best) < cells.index(worst)
    assert made.facts["models"][0] == model


def test_missing_ends_have_the_name_of_their_side():
    assert name_ends([None, None, 2, 1, None], SIGNS) == ["∞", "∞", 2, 1, "−∞"]
    assert name_ends([2, 1], SIGNS) == [2, 1]
    assert name_ends([None, "B"], SIGNS) == ["∞", "B"]
    assert name_ends([None, None], SIGNS) == [None, None]
