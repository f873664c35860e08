"""Groups that are not compared with the others: findings, page and workbook say why."""

import io
import re

import numpy as np
import openpyxl
import polars as pl
import pytest

from capcurve import report

pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
COUNTS = {2019: (0, 40), 2020: (40, 300), 2021: (9, 90), 2022: (60, 300), 2023: (50, 200)}
LEFT_OUT = "AR within the others leaves these groups out, and no test compares them: "
UNADJUSTED = "No adjusted p-value, as the test of all groups leaves them out: "


def make(counts, **columns):
    """Make rows of groups with so many events and non-events each."""
    random = np.random.default_rng(3)
    parts = [
        (name, y, n)
        for name, each in counts.items()
        for y, n in zip((1, 0), each, strict=True)
    ]
    y = np.repeat([y for _, y, _ in parts], [n for *_, n in parts])
    group = np.repeat([name for name, *_ in parts], [n for *_, n in parts])
    score = random.normal(size=len(y)) + y
    return pl.DataFrame({"y": y, "s": score, "g": group}).with_columns(**columns)


def tell(made, topic="trend"):
    return next(each["text"] for each in made.facts["findings"] if each["topic"] == topic)


def read_sheet(made, name, tmp_path):
    """Read the texts of a sheet."""
    made.write(tmp_path / "r.xlsx")
    data = io.BytesIO((tmp_path / "r.xlsx").read_bytes())
    rows = openpyxl.load_workbook(data)[name].iter_rows(values_only=True)
    return [cell for row in rows for cell in row if isinstance(cell, str)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("last", "reason"), [((1, 90), "one event"), ((90, 1), "one non-event")]
)
def test_a_last_period_of_a_single_event_is_not_compared_for_that(last, reason, tmp_path):
    made = report(make(COUNTS | {2024: last}), "y", "s", period="g", by="g")
    assert f"limits). It is not compared with the others, as it has {reason}." in tell(made)
    told = f"{LEFT_OUT}2019 (no events); 2024 ({reason})."
    page = made.to_html()
    assert page.count(f'<p class="note">{told}</p>') == 2
    assert page.count(f'<p class="note">{UNADJUSTED}2021.</p>') == 2
    for name in ("Periods", "Segments"):
        sheet = read_sheet(made, name, tmp_path)
        assert told in sheet
        assert f"{UNADJUSTED}2021." in sheet
        (note,) = (text for text in sheet if text.endswith(f", not compared: {reason}"))
        assert note.startswith("few ")
        assert "no events" in sheet


def test_nothing_is_said_where_all_groups_are_compared_or_none(tmp_path):
    del (counts := dict(COUNTS))[2019], counts[2021]
    for rows in (counts, {2022: (1, 90), 2023: (1, 90)}):
        made = report(make(rows), "y", "s", period="g")
        texts = [tell(made), made.to_html(), *read_sheet(made, "Periods", tmp_path)]
        assert not re.search("not compared|leaves (these|them)", " ".join(texts))


def test_a_last_period_of_another_kind_is_told_by_its_status():
    made = report(make(COUNTS | {2024: (0, 9)}), "y", "s", period="g")
    assert "In the last period, 2024, AR is undefined: no events." in tell(made)
    assert "not compared" not in tell(made)


def test_events_that_count_as_one_are_called_that():
    rows = make(COUNTS | {2024: (3, 90)})
    one = (pl.col("g") == 2024) & (pl.col("y") == 1)
    rows = rows.with_columns(c=pl.when(one).then(-1).otherwise(pl.int_range(pl.len())))
    made = report(rows, "y", "s", period="g", clusters="c")
    reason = "all events or non-events in one cluster"
    assert f"It is not compared with the others, as it has {reason}." in tell(made)
    first = one & (one.cum_sum() == 1)
    rows = rows.with_columns(w=pl.when(one & ~first).then(1e-18).otherwise(1.0))
    made = report(rows, "y", "s", period="g", case_weights="w")
    assert "as it has effectively one event or non-event." in tell(made)


def test_columns_of_segments_are_told_apart_in_the_workbook(tmp_path):
    rows = make(COUNTS, h=pl.int_range(pl.len()) % 2)
    sheet = read_sheet(report(rows, "y", "s", by=["g", "h"]), "Segments", tmp_path)
    assert f"By g: {LEFT_OUT}2019 (no events)." in sheet
    assert not any(text.startswith("By h: ") for text in sheet)


def test_finding_and_table_count_the_same_periods():
    few = {2017: (4, 50), 2018: (30, 200)}
    made = report(make(few | COUNTS | {2024: (1, 90)}), "y", "s", period="g")
    (trend,) = made.facts["periods"][0]["trend"]
    assert (trend["n_periods"], trend["n_spanned"]) == (4, 6)
    assert "over 4 of the 6 periods from 2018 to 2023" in tell(made)
    assert trend["text"].startswith("from 2018 to 2023, ")
    assert "in 4 of 6 periods)" in trend["text"]


def test_the_trend_of_a_constant_score_starts_at_zero():
    rows = make({2022: (30, 90), 2023: (41, 87), 2024: (50, 66)}, s=pl.lit(0.1))
    (trend,) = report(rows, "y", "s", period="g").facts["periods"][0]["trend"]
    assert (trend["first"], trend["last"], trend["change"]) == (0, 0, 0)


def test_two_groups_are_both():
    made = report(make({"A": (30, 90), "B": (40, 90)}), "y", "s", by="g")
    assert "Test of equal AR in both groups: " in made.to_html()


def test_quarters_of_one_year_have_a_trend_and_gaps_whatever_comes_first():
    quarters = {f"Q{n} 2023": (40, 200) for n in (1, 2, 4)}
    made = report(make(quarters), "y", "s", period="g")
    assert "over 3 periods, Q1 2023 to Q4 2023" in tell(made)
    assert "Q3 2023 has no rows: the trend counts periods" in tell(made)
    with pytest.warns(UserWarning, match="need not be the order of time"):
        made = report(make(quarters | {"Q4 2022": (40, 200)}), "y", "s", period="g")
    assert "A trend over the periods of g was not tested" in tell(made)
