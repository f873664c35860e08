"""What page and workbook say of limits of capture rates that few rows, or amounts, have."""

import numpy as np
import openpyxl
import polars as pl
import pytest

from capcurve import BinnedCurve, report
from capcurve._report.capture_notes import list_capture_notes

FEW = (
    "few rows: effectively fewer than 15 rows are selected or left out, so the coverage "
    "of the interval may fall below its confidence level."
)
BEYOND = (
    "Limits of amounts may lie above the perfect curve of this sample, as that varies too."
)
RANDOM = np.random.default_rng(5)
AMOUNT = RANDOM.uniform(0.2, 1, size=400)
ROWS = pl.DataFrame({"y": AMOUNT, "s": AMOUNT + RANDOM.normal(size=400)})


def make(rows, folder):
    """Make a report; return its facts, its page, and the texts of a sheet."""
    made = report(rows, "y", "s")
    made.write(folder / "r.xlsx")
    sheet = openpyxl.load_workbook(folder / "r.xlsx")["Models"]
    texts = [str(cell.value) for row in sheet.iter_rows() for cell in row]
    return made.facts, made.to_html(), texts


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_limits_beyond_the_perfect_curve_and_of_few_rows_are_told(tmp_path):
    facts, page, texts = make(ROWS, tmp_path)
    at = facts["models"][0]["captured"][0]
    best = np.sort(AMOUNT)[-4:].sum() / AMOUNT.sum()
    assert at["high"] > best
    assert [each["few_rows"] for each in facts["models"][0]["captured"]] == [
        True,
        *[False] * 4,
    ]
    assert list_capture_notes(facts) == [FEW, BEYOND]
    assert page.count('<span class="mark">few rows</span>') == 1
    for text in (FEW, BEYOND):
        assert text in page
        assert text in texts
    assert texts.count("few rows") == 1


def test_counted_events_have_no_limits_beyond_the_perfect_curve(tmp_path):
    y = np.arange(3_000) % 10 == 0
    rows = pl.DataFrame({"y": y * 1, "s": y + RANDOM.normal(size=3_000)})
    facts, page, texts = make(rows, tmp_path)
    assert list_capture_notes(facts) == []
    assert ">few rows<" not in page
    assert "few rows" not in texts


def test_amounts_within_the_perfect_curve_are_not_told_to_lie_beyond(tmp_path):
    amount = RANDOM.lognormal(sigma=1, size=9_000)
    rows = pl.DataFrame({"y": amount, "s": RANDOM.normal(size=9_000)})
    facts, _, _ = make(rows, tmp_path)
    assert list_capture_notes(facts) == []


def test_bins_of_amounts_have_no_limits():
    binned = BinnedCurve.from_frame(ROWS, "y", "s")
    assert list_capture_notes(report(binned, "y", "s").facts) == []


FEW_EVENTS = (
    "Fewer than 20 independent events or non-events: the coverage of limits of capture "
    "rates and of bands may fall below their confidence level."
)


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
@pytest.mark.parametrize(("n_events", "n_told"), [(15, 2), (20, 0)])
def test_limits_of_few_events_are_told_beside_rates_and_gains(n_events, n_told, tmp_path):
    y = np.arange(600) < n_events
    rows = pl.DataFrame({"y": y * 1, "s": y + RANDOM.normal(size=600)})
    facts, page, texts = make(rows, tmp_path)
    assert list_capture_notes(facts) == [FEW_EVENTS, FEW][1 - n_told // 2 :]
    assert page.count(FEW_EVENTS) == n_told
    assert (FEW_EVENTS in texts) == bool(n_told)
    gains = openpyxl.load_workbook(tmp_path / "r.xlsx")["Gains"]
    told = [cell.value for row in gains.iter_rows() for cell in row]
    assert told.count(FEW_EVENTS) == n_told // 2
