"""A workbook, and what it and the page make of names that control something."""

import json
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import openpyxl
import polars as pl
import pytest

from capcurve import CapcurveError, report
from capcurve._report.workbook import MAX_ROWS
from capcurve.datasets import make_portfolio

HOSTILE = "\ud800 \x1b[2J\x9b1m \u202e=1+1 \x00\ufffe<b>"
SHOWN = r"\ud800 \x1b[2J\x9b1m \u202e=1+1 \x00\ufffe<b>"
NAME = "\x1b]0;x\x07 \u202es"


class Texts(HTMLParser):
    """Collect the texts of a page, outside of scripts."""

    def __init__(self, page):
        super().__init__()
        self.texts = []
        self.feed(page)

    def handle_data(self, data):
        if self.cdata_elem is None:
            self.texts.append(data)


@pytest.fixture
def hostile():
    """Make a report with hostile names of columns and groups, and such a title."""
    rows = pl.DataFrame(make_portfolio(300)).rename({"champion_pd": NAME})
    rows = rows.with_columns(pl.lit("\x1b[2J").alias("g\x07"))
    return report(rows, "default", NAME, by=["g\x07"], title=HOSTILE)


def read_sheets(path):
    """Read the cells of each sheet, with the types that a spreadsheet gives them."""
    book = openpyxl.load_workbook(path)
    return {sheet.title: list(sheet.iter_rows()) for sheet in book.worksheets}


def test_a_page_keeps_no_control_character(hostile):
    hostile.write("r.html")
    page = Path("r.html").read_text("utf-8")
    kinds = {unicodedata.category(each) for each in set(page) - set("\n\t")}
    assert not kinds & {"Cc", "Cs"}
    told = "".join(Texts(page).texts)
    assert not set("\u202e\u2066\u2028") & set(told)
    for shown in (SHOWN, r"\x1b]0;x\x07 \u202es", r"\x1b[2J", r"g\x07"):
        assert shown in told
    assert "\\u001b" not in page  # nor in what scripts draw


def test_a_workbook_shows_control_characters(hostile):
    hostile.write("r.xlsx")
    book = openpyxl.load_workbook("r.xlsx")
    assert book.properties.title == SHOWN
    sheets = read_sheets("r.xlsx")
    assert sheets["Models"][1][0].value == r"\x1b]0;x\x07 \u202es"
    assert {row[0].value for row in sheets["Segments"][1:]} == {r"g\x07"}
    kinds = {cell.data_type for rows in sheets.values() for row in rows for cell in row}
    assert "f" not in kinds


def test_json_keeps_names_as_they_are(hostile):
    hostile.write("r.json")
    content = Path("r.json").read_bytes()
    assert content.isascii()
    assert json.loads(content) == hostile.facts
    assert hostile.facts["title"] == HOSTILE


def test_a_sheet_that_no_spreadsheet_could_read_is_refused(monkeypatch):
    rows = pl.DataFrame({"y": [0, 1] * 20, "s": range(40)})
    found = report(rows, "y", "s", bands="scores")
    monkeypatch.setattr("capcurve._report.workbook.MAX_ROWS", 41)
    found.write("r.xlsx")
    assert len(read_sheets("r.xlsx")["Curve"]) == 1 + 41
    before = Path("r.xlsx").read_bytes()
    monkeypatch.setattr("capcurve._report.workbook.MAX_ROWS", 40)
    with pytest.raises(CapcurveError) as caught:
        found.write("r.xlsx")
    assert str(caught.value) == (
        "a sheet of a workbook must have at most 40 rows, but 'Curve' has 41; pass fewer "
        "`bands`, or write .json"
    )
    assert Path("r.xlsx").read_bytes() == before


def test_the_limit_is_that_of_the_file_format():
    """A sheet has 1,048,576 rows (ECMA-376), of which the header takes one."""
    assert 1 + MAX_ROWS == 1_048_576
