"""A workbook as its reader finds it, and what names that control something become."""

import json
import math
import re
import unicodedata
import warnings
from html.parser import HTMLParser
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import polars as pl
import pytest
from openpyxl.cell.cell import MergedCell

from capcurve import CapcurveError, CapSketch, report
from capcurve._report import book_page
from capcurve._report.book_evidence import MAX_PART
from capcurve._report.book_layout import has_room
from capcurve._report.gates import OF_LOWER_LIMIT
from capcurve.datasets import make_portfolio

HOSTILE = "\ud800 \x1b[2J\x9b1m \u202e=1+1 \x00\ufffe<b>"
SHOWN = r"\ud800 \x1b[2J\x9b1m \u202e=1+1 \x00\ufffe<b>"
NAME = "\x1b]0;x\x07 \u202es"
LOANS = pl.DataFrame(make_portfolio(3_000))
ORDER = [
    "Summary",
    "Models",
    "Gains",
    "Segments",
    "Periods",
    "Comparison",
    "Initial",
    "Rows",
    "Methods",
    "Provenance",
    "Chart data",
]
RATIO, SHARE, COUNT = "0.000", r"0\.0+%", "#,##0"


class Texts(HTMLParser):
    """Collect the texts of a page, outside of scripts."""

    def __init__(self, page):
        super().__init__()
        self.texts = []
        self.feed(page)

    def handle_data(self, data):
        if self.cdata_elem is None:
            self.texts.append(data)


class Found:
    """A table of a sheet: its cells by heading, and the heading above that one."""

    def __init__(self, sheet, *headings):
        rows = list(sheet.iter_rows())
        self.head = next(
            n
            for n, row in enumerate(rows)
            if tuple(cell.value for cell in row[: len(headings)]) == headings
        )
        self.headings = [cell for cell in rows[self.head] if cell.value is not None]
        spans, above = [], ""
        for cell in rows[self.head - 1][: len(self.headings)]:
            above = above if isinstance(cell, MergedCell) else cell.value or ""
            spans.append(above)
        if not all(is_shaded(cell) for cell in rows[self.head - 1][: len(spans)]):
            spans = [""] * len(spans)
        names = (cell.value for cell in self.headings)
        self.names = list(zip(spans, names, strict=True))
        self.rows = []
        for row in rows[self.head + 1 :]:
            if all(cell.value is None for cell in row):
                break
            self.rows.append(row[: len(self.headings)])

    def cells(self, name, span=None):
        place = next(
            place
            for place, (above, found) in enumerate(self.names)
            if found == name and span in (None, above)
        )
        return [row[place] for row in self.rows]

    def values(self, name, span=None):
        return [cell.value for cell in self.cells(name, span)]


def is_shaded(cell):
    return isinstance(cell, MergedCell) or cell.fill.fill_type == "solid"


def load(found, name="r.xlsx"):
    found.write(name)
    return openpyxl.load_workbook(name)


def list_charts(sheet):
    return sheet._charts  # noqa: SLF001 -- openpyxl has no other way to read them


def near(values):
    return pytest.approx(values, rel=1e-14)  # a workbook keeps 16 digits


def find_texts(book):
    return [
        cell.value
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, str)
    ]


@pytest.fixture
def hostile():
    """Make a report with hostile names of columns and groups, and such a title."""
    rows = pl.DataFrame(make_portfolio(300)).rename({"champion_pd": NAME})
    rows = rows.with_columns(pl.lit("\x1b[2J").alias("g\x07"))
    return report(rows, "default", NAME, by=["g\x07"], title=HOSTILE)


@pytest.fixture(scope="module")
def full():
    """Make a report that fills all sheets, with a segment in which nothing happened."""
    rows = LOANS.with_columns(
        segment=pl.when(pl.col("default") + pl.col("loan") % 60 == 0)
        .then(pl.lit("quiet"))
        .otherwise("segment"),
        challenger_pd=pl.when(pl.col("loan") % 50 == 0)
        .then(None)
        .otherwise("challenger_pd"),
    )
    with pytest.warns(UserWarning, match="left out 60 of 3,000 rows"):
        return report(
            rows,
            "default",
            "champion_pd",
            compare="challenger_pd",
            by=["segment", "grade"],
            period="year",
            initial_auc=0.82,
            initial_variance=1e-4,
            implied="champion_pd",
            title="Mortgages 2024",
        )


@pytest.fixture(scope="module")
def book(full, tmp_path_factory):
    """Write that report and read it as a spreadsheet does."""
    path = tmp_path_factory.mktemp("book") / "r.xlsx"
    full.write(path)
    return openpyxl.load_workbook(path)


# -- What a reader finds -------------------------------------------------------------------


def test_sheets_stand_in_reading_order(book):
    assert book.sheetnames == ORDER
    assert book.active.title == "Summary"
    assert book.properties.title == "Mortgages 2024"


def test_sheets_without_content_are_left_out():
    found = report(LOANS, "default", "champion_pd")
    assert load(found).sheetnames == [
        "Summary",
        "Models",
        "Gains",
        "Rows",
        "Methods",
        "Provenance",
        "Chart data",
    ]


def test_the_summary_tells_the_findings_and_the_key_figures(full, book):
    sheet = book["Summary"]
    texts = [cell.value for row in sheet.iter_rows() for cell in row if cell.value]
    assert texts[0] == "Mortgages 2024"
    for finding in full.facts["findings"]:
        assert finding["text"] in texts
    for text in full.facts["limitations"]:
        assert text in texts
    figures = Found(sheet, "Model")
    models, level = full.facts["models"], "95 % interval"
    expected = {
        (f"AR with {level}", "AR"): [each["accuracy_ratio"]["value"] for each in models],
        (f"AR with {level}", "Lower limit"): [
            each["accuracy_ratio"]["low"] for each in models
        ],
        (f"AR with {level}", "Upper limit"): [
            each["accuracy_ratio"]["high"] for each in models
        ],
        (f"AUC with {level}", "AUC"): [each["auc"]["value"] for each in models],
        ("", "KS"): [each["ks"]["value"] for each in models],
        ("", "Captured in the top 10 %"): [
            each["captured"][2]["capture_rate"] for each in models
        ],
    }
    for (span, name), values in expected.items():
        assert figures.values(name, span) == near(values)
    assert figures.values("Model") == [
        "champion_pd (champion)",
        "challenger_pd (challenger)",
    ]


def test_the_sample_of_the_summary_counts_rows_and_events(full, book):
    cells = {
        row[0].value: row[1]
        for row in book["Summary"].iter_rows(max_col=2)
        if row[1].value is not None
    }
    facts = full.facts
    assert cells["Rows read"].value == 3_000
    assert cells["Rows left out"].value == 60
    assert cells["Rows used"].value == 2_940
    assert cells["Events"].value == facts["models"][0]["n_events"]
    assert cells["Event rate"].number_format == "0.00%"
    assert cells["Rows used"].number_format == COUNT


@pytest.mark.parametrize(
    ("mean", "code"),
    [
        (0.00018439, "#,##0.0000000"),
        (0.3085, "#,##0.0000"),
        (1234.56, "#,##0.0"),
        (1_234_567, "#,##0"),
    ],
)
def test_the_mean_outcome_of_the_summary_has_the_digits_of_its_size(mean, code):
    rows = LOANS.with_columns(y=pl.col("loss") / pl.col("loss").mean() * mean)
    cell = find_in_summary(report(rows, "y", "champion_pd"), "Mean outcome")
    assert cell.value == near(mean)
    assert cell.number_format == code


def test_the_event_rate_of_the_summary_has_two_digits():
    rare = pl.col("default") * (pl.col("default").cum_sum() <= 1)
    found = report(LOANS.with_columns(default=rare), "default", "champion_pd")
    assert find_in_summary(found, "Event rate").number_format == "0.000%"
    assert "event rate 0.033%, made" in load(found)["Summary"]["A2"].value


def find_in_summary(found, name):
    """Find the cell beside a name of the first sheet."""
    rows = load(found)["Summary"].iter_rows(max_col=2)
    (cell,) = (value for head, value in rows if head.value == name)
    return cell


def test_headings_are_words_and_not_keys(book):
    options = {cell.value for cell in book["Provenance"]["A"]}  # as callers know them
    for text in find_texts(book):
        if text not in {"champion_pd", "challenger_pd", *options}:
            assert not re.fullmatch(r"[a-z]+(_[a-z]+)+", text)
        assert (
            not re.search(r"[{\[]'|None|True\b|False\b|\bnan\b", text) or "report(" in text
        )


@pytest.mark.parametrize("name", ORDER[1:])
def test_headings_are_aligned_as_their_numbers_and_columns_have_one_format(book, name):
    sheet, heads = book[name], 0
    for row in sheet.iter_rows():
        for cell in row:
            if cell.border.bottom.color is None or not cell.font.bold:
                continue
            below = []
            for number in range(cell.row + 1, sheet.max_row + 1):
                beneath = sheet.cell(number, cell.column)
                if beneath.value is None and not beneath.has_style:
                    break
                below.append(beneath)
            numbers = [
                each for each in below if each.data_type == "n" and each.value is not None
            ]
            if cell.alignment.horizontal == "center" or not below:
                continue
            heads += 1
            assert len({each.number_format for each in numbers}) <= 1, cell.coordinate
            assert all("#.#" not in each.number_format for each in numbers)
            expected = "right" if numbers else cell.alignment.horizontal
            # Headings that fill their columns would run into each other.
            if is_shaded(cell):
                shown = '"\u00a0\u00a0\u00a0"@' if expected == "right" else "General"
                assert cell.number_format == shown, cell.coordinate
            assert cell.alignment.horizontal == expected, cell.coordinate
            assert {each.alignment.horizontal for each in below} == {expected}
    assert heads > 1


def test_numbers_have_the_format_of_their_kind(book):
    models = Found(book["Models"], "Model")
    gains, periods = Found(book["Gains"], "Model"), Found(book["Periods"], "year")
    formats = {
        (models, "AR", None): RATIO,
        (models, "Standard error", None): "0.0000",
        (gains, "Band", None): "0",
        (gains, "Rows", None): COUNT,
        (gains, "Event rate", None): "0.00%",
        (gains, "Capture rate", None): "0.0%",
        (gains, "Lift", None): "0.00",
        (periods, "AR", None): RATIO,
        (periods, "p-value (Holm)", None): '[<0.0001]"< 0.0001";0.0000',
    }
    for (table, name, span), code in formats.items():
        cells = [each for each in table.cells(name, span) if each.data_type == "n"]
        assert {each.number_format for each in cells} == {code}, name


def test_models_say_what_the_sample_could_show(full, book):
    table = Found(book["Models"], "Model")
    errors = [each["accuracy_ratio"]["standard_error"] for each in full.facts["models"]]
    assert table.values("Standard error", "Accuracy ratio") == near(errors)
    rows = list(book["Models"].iter_rows())
    start = next(
        number for number, row in enumerate(rows) if row[0].value == "Rows, events and ties"
    )
    heads = [cell.value for cell in rows[start + 2]]
    found = [
        row[heads.index("Decrease in AR from it")].value for row in rows[start + 3 :][:2]
    ]
    power = full.facts["power"]
    assert found == near([each["detectable_fall"] for each in power["models"]])
    spans = [cell.value for cell in rows[start + 1]]
    assert "What tests find with a probability of 80 %" in spans


def test_gains_have_a_total_and_mark_what_is_out_of_order(full, book):
    sheet, gains = book["Gains"], Found(book["Gains"], "Model")
    models = full.facts["models"]
    n_bands = len(models[0]["gains"])
    assert gains.values("Model")[::n_bands][:2] == ["champion_pd", "challenger_pd"]
    assert gains.values("Band")[-2:] == ["All", "All"]
    in_band = "In the band"
    for name, key in (
        ("Rows", "n"),
        ("Events", "n_events"),
        ("Non-events", "n_non_events"),
    ):
        values = gains.values(name, in_band)
        assert sum(values[:n_bands]) == near(values[-2])
        assert values[-2] == near(models[0]["gains_total"][key])
    assert all(cell.font.bold for cell in gains.rows[-1])
    notes = gains.values("Note")
    inverted = [row["is_inversion"] for model in models for row in model["gains"]]
    assert any(inverted)
    assert [note == "inversion" for note in notes[:-2]] == inverted
    words = {0: "no inversions", 1: "1 inversion"}
    for note, model in zip(notes[-2:], models, strict=True):
        number = model["gains_total"]["n_inversions"]
        assert note == words.get(number, f"{number} inversions")
    (ranges,) = sheet.conditional_formatting
    (rule,) = ranges.rules
    rate, note = gains.cells("Event rate")[0], gains.cells("Note")[0]
    assert ranges.sqref.ranges == {
        openpyxl.worksheet.cell_range.CellRange(
            f"{rate.coordinate}:{gains.cells('Event rate')[-3].coordinate}"
        )
    }
    assert rule.formula == [f'ISNUMBER(SEARCH("inversion",${note.coordinate}))']
    assert rule.dxf.numFmt.formatCode.startswith('"▲ "0.00%')


def test_segments_keep_groups_without_events_and_mark_few_events(full, book):
    segments = Found(book["Segments"], "Segmented by")
    facts = [
        (section["by"], row["model"], row)
        for section in full.facts["segments"]
        for row in section["groups"]
    ]
    n_rows = len(facts)
    assert segments.values("Segmented by")[:n_rows] == [by for by, _, _ in facts]
    assert segments.values("Rows")[:n_rows] == [row["n"] for _, _, row in facts]
    quiet = segments.values("Segment").index("quiet")
    assert segments.values("Events")[quiet] == 0
    assert segments.values("Note")[quiet] == "no events"
    assert segments.values("AR")[quiet] == "–"
    assert segments.cells("AR")[quiet].alignment.horizontal == "right"
    assert segments.values("Segment")[n_rows:] == ["All"] * 4
    assert (
        segments.values("AR")[n_rows] == full.facts["models"][0]["accuracy_ratio"]["value"]
    )
    assert "few events" in segments.values("Note")
    (ranges,) = book["Segments"].conditional_formatting
    assert ranges.rules[0].dxf.numFmt.formatCode.startswith('"◊ "0.000')


def test_periods_have_the_models_side_by_side(full, book):
    periods = Found(book["Periods"], "year")
    (section,) = full.facts["periods"]
    for number, model in enumerate(("champion_pd", "challenger_pd")):
        ratios = [
            row["models"][number]["accuracy_ratio"]["value"] for row in section["wide"]
        ]
        assert periods.values("AR", model)[:-1] == near(ratios)
        rest = [row["rest"] for row in section["groups"] if row["model"] == model]
        assert periods.values("AR within the others", model)[:-1] == near(rest)
    assert periods.values("year")[-1] == "All"
    assert periods.values("Rows")[-1] == 2_940


def test_tests_are_told_with_their_numbers(full, book):
    (pair,) = full.facts["challengers"]
    compared = Found(book["Comparison"], "Model")
    assert compared.values("Difference") == near([pair["value"]])
    assert compared.values("p-value (Holm)") == near([pair["p_holm"]])
    assert compared.values("s_0") == near([pair["s_0"]])
    assert compared.values("Degrees of freedom") == near([pair["degrees_of_freedom"]])
    segments = Found(book["Segments"], "Segmented by")
    groups = [row for each in full.facts["segments"] for row in each["groups"]]
    for name, key in (
        ("t statistic", "statistic"),
        ("Degrees of freedom", "degrees_of_freedom"),
    ):
        found = segments.values(name, "Against the other groups")[: len(groups)]
        expected = [row[key] for row in groups]
        known = [n for n, value in enumerate(expected) if value is not None]
        assert len(known) > 2
        assert [found[n] for n in known] == near([expected[n] for n in known])
    initial = Found(book["Initial"], "Model")
    facts = full.facts["initial"]
    assert initial.values("Statistic") == near([each["statistic"] for each in facts])
    assert initial.values("s_0") == near([each["s_0"] for each in facts])
    assert initial.values("Events") == [each["n_events"] for each in facts]
    assert initial.values("Rows") == [each["n_rows"] for each in facts]
    assert initial.values("s²") == near([each["variance"] for each in facts])
    for note, each in zip(initial.values("Note"), facts, strict=True):
        verdict = "significant" if each["p_value"] < 0.05 else "no significant"
        assert note == f"{verdict} decrease"


def test_tests_have_the_numbers_of_the_page_and_of_the_json(full, book):
    sheet, (row,) = book["Comparison"], full.facts["implied"]
    implied = Found(sheet, "Probabilities")
    for head, key in (
        ("Difference", "difference"),
        ("Standard error", "standard_error"),
        ("Events", "n_events"),
        ("Expected events", "expected_events"),
        ("Shift of log-odds", "shift"),
    ):
        assert implied.values(head) == near([row[key]])
    (section,) = full.facts["periods"]
    tests = section["homogeneity"]
    trends = Found(sheet, "Periods of", "Model", "Weakest")
    assert trends.values("Periods of") == [section["by"]] * len(tests)
    span = "Test of equal AR in all periods"
    assert trends.values("Degrees of freedom", span) == [each["df_1"] for each in tests]
    pooled = [total["pooled"]["value"] for total in section["total"]]
    assert trends.values("AR", "AR within periods") == near(pooled)
    assert trends.values("of the error", span) == near([each["df_2"] for each in tests])
    assert trends.values("Periods tested", span) == [each["n_groups"] for each in tests]
    for place, trend in enumerate(section["trend"]):
        first, last = (
            trends.values(f"{name} period", "Linear trend")[place]
            for name in ("First", "Last")
        )
        assert trend["text"].startswith(f"from {first} to {last}, ")
        n_periods = trends.values("Periods", "Linear trend")[place]
        assert n_periods == trend["n_periods"]


def list_notes(found, name):
    """List the sentences above the table of a sheet."""
    rows = load(found)[name].iter_rows(min_row=2, max_col=1, values_only=True)
    notes = [text for (text,) in rows]
    return notes[: notes.index(None)]


SPLIT = pl.select(row=pl.int_range(600)).with_columns(
    default=pl.col("row") * 7 % 10 < 4,
    loss=pl.col("row") * 7 % 10 + 0.5,
    score=pl.col("row") * 77 % 601,
    even=pl.col("row") % 2,
    few=pl.when(pl.col("row") < 8).then(pl.lit("few")).otherwise(pl.lit("many")),
)


@pytest.mark.parametrize(
    ("truth", "what", "last"),
    [
        (
            "loss",
            "effective pairs of rows",
            (
                " is on the sheet Comparison; there is no test of all of them together for "
                "amounts."
            ),
        ),
        (
            "default",
            "events",
            ", and tests of all of them together, are on the sheet Comparison.",
        ),
    ],
)
def test_a_sheet_explains_its_own_marks_and_names_the_tests_there_are(truth, what, last):
    book = report(SPLIT, truth, "score", by="few", period="even")
    (mark,) = (text for text in list_notes(book, "Segments") if "◊" in text)
    told = "the coverage of the interval may fall below its confidence level."
    assert mark == f"◊ few {what}: {told}"
    notes = list_notes(book, "Periods")
    assert not any("◊" in text for text in notes)
    assert notes[-1] == f"AR within periods{last}"


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_a_mark_does_not_doubt_distribution_free_limits():
    rows = SPLIT.with_columns(year=2020 + (pl.col("few") == "few").cast(int))
    made = report(rows, "default", "score", by="few", period="year", method="exact")
    findings = " ".join(each["text"] for each in made.facts["findings"])
    assert "few events" in findings
    assert "miss more often" not in findings
    told = "◊ few events: the limits are distribution-free, for any number of events."
    for sheet in ("Segments", "Periods"):
        assert told in list_notes(made, sheet)
    single = pl.DataFrame(
        {
            "y": [1, 0, 0, 1, 1, 0, 0, 0] + [1, 0] * 20,
            "s": [3, 5, 1, 2, 6, 3, 4, 1, *range(40)],
            "g": ["a"] * 3 + ["b"] * 5 + ["c"] * 40,
        }
    )
    (mark,) = (
        each
        for each in list_notes(report(single, "y", "s", by="g"), "Segments")
        if "◊" in each
    )
    assert mark.endswith("confidence level, unless its limits are distribution-free.")


def test_a_sheet_names_no_test_and_no_ratio_that_there_are_not():
    one = SPLIT.with_columns(one=pl.lit("a"))
    notes = list_notes(report(one, "default", "score", by="one"), "Segments")
    assert notes[-1] == "AR within segments is on the sheet Comparison."
    by = pl.when("default").then(pl.lit("yes")).otherwise(pl.lit("no"))
    apart = report(SPLIT.with_columns(by=by), "default", "score", by="by")
    assert "Comparison" not in " ".join(list_notes(apart, "Segments"))


def test_the_mark_of_inversions_is_explained_where_there_are_some():
    ranked = SPLIT.with_columns(score=pl.col("default").cast(int) * 600 + pl.col("row"))
    for rows, is_marked in ((SPLIT, True), (ranked, False)):
        notes = list_notes(report(rows, "default", "score"), "Gains")
        assert any("▲" in text for text in notes) == is_marked


def test_tests_of_few_events_have_a_note(tmp_path):
    loans = pl.DataFrame(make_portfolio(300))
    found = report(loans, "default", "champion_pd", by="segment", period="year")
    book = load(found, tmp_path / "r.xlsx")
    sheet, note = book["Comparison"], "The sample is small for this test, which may not"
    for head in ("Segmented by", "Periods of"):
        (shown,) = Found(sheet, head).values("Note")
        assert shown.startswith(note)
    told = "AR within periods, and tests of all of them together, are on the sheet Compar"
    assert any(text.startswith(told) for text in find_texts(book))
    found = report(loans, "loss", "champion_pd", period="year")
    sheet = load(found, tmp_path / "r.xlsx")["Comparison"]
    trends = Found(sheet, "Periods of", "Model", "Weakest")
    assert ("Linear trend", "First period") not in trends.names


def test_effective_events_and_limits_of_any_distribution_are_told(tmp_path):
    loans = pl.DataFrame(make_portfolio(300))
    found = report(loans, "default", "champion_pd")
    models = Found(load(found, tmp_path / "r.xlsx")["Models"], "Model", "Rows")
    limits = found.facts["models"][0]["exact_limits"]
    assert models.values("Lower limit", "AR, for any distribution") == near([limits["low"]])
    loans = loans.with_columns(cluster=pl.int_range(300) // 50)
    found = report(loans, "default", "champion_pd", clusters="cluster")
    models = Found(load(found, tmp_path / "r.xlsx")["Models"], "Model", "Rows")
    size = found.facts["models"][0]["n_effective"]
    assert models.values("Effective events") == near([size])


def test_rows_left_out_are_told_by_reason(full, book):
    rows = Found(book["Rows"], "Rows")
    assert dict(zip(rows.values("Rows"), rows.values("Number"), strict=True)) == {
        "Read": 3_000,
        "Left out": 60,
        "Used": 2_940,
    }
    reasons = Found(book["Rows"], "Reason")
    assert reasons.values("Reason") == ["missing score"]
    assert reasons.values("Column") == ["challenger_pd"]
    (reason,) = full.facts["rows"]["reasons"]
    assert reasons.values("Event rate") == near([reason["response_rate"]])


@pytest.mark.parametrize("weights", [None, "exposure"])
@pytest.mark.parametrize("target", ["default", "loss"])
def test_rows_read_have_an_event_rate_if_all_left_out_have_an_outcome(target, weights):
    kept = pl.col("loan") % 50 > 0
    data = LOANS.with_columns(pl.when(kept).then("champion_pd"))
    mass = LOANS["exposure"] if weights else pl.Series([1.0] * len(LOANS))
    events = (LOANS[target] * mass).sum()
    assert find_read(data, target, weights) == near([events, events / mass.sum()])
    lacking = data.with_columns(pl.when(pl.col("loan") != 50).then(target))
    assert find_read(lacking, target, weights) == [None, None]


def test_a_weight_of_0_counts_in_no_rate_and_a_missing_one_is_unknown():
    zero = LOANS.with_columns(exposure=pl.when(pl.col("loan") > 50).then("exposure") + 0)
    zero = zero.with_columns(pl.col("exposure").fill_null(0))
    total = zero["exposure"].sum()
    events = (zero["default"] * zero["exposure"]).sum()
    assert find_read(zero, "default", "exposure") == near([events, events / total])
    lacking = LOANS.with_columns(pl.when(pl.col("loan") != 50).then("exposure"))
    assert find_read(lacking, "default", "exposure") == [None, None]
    # Of weighted rows without an event, no fact has the weight.
    (loan,) = LOANS.filter(pl.col("default") == 0)["loan"].head(1)
    lacking = LOANS.with_columns(pl.when(pl.col("loan") != loan).then("champion_pd"))
    found = find_read(lacking, "default", "exposure")
    assert found == [pytest.approx((LOANS["default"] * LOANS["exposure"]).sum()), None]


def find_read(rows, target, weights):
    """Return the events or amounts of all rows read, and their rate."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = report(rows, target, "champion_pd", case_weights=weights)
    cells = Found(load(found)["Rows"], "Rows").rows[0][2:4]
    return [None if cell.value == "–" else cell.value for cell in cells]


def test_headings_have_room_for_bold_letters(book):
    """Bold letters are wider, so that some spreadsheets wrap where others do not."""
    found = Found(book["Rows"], "Model")
    change = found.headings[-1]
    assert change.value == "Change of AR"
    assert book["Rows"].row_dimensions[change.row].height >= 2 * 15


def test_methods_and_provenance_are_told(full, book):
    methods = Found(book["Methods"], "Topic")
    assert methods.values("What was done") == [
        each["text"] for each in full.facts["methods"]
    ]
    texts = find_texts(book)
    for name, version in full.facts["provenance"]["versions"].items():
        assert {name, version} <= set(texts)
    assert full.facts["provenance"]["call"] in texts


# -- Charts --------------------------------------------------------------------------------


def read_cells(book, reference):
    """Return the values of the cells that a chart refers to."""
    name, _, cells = reference.rpartition("!")
    found = book[name.strip("'")][cells.replace("$", "")]
    rows = found if isinstance(found, tuple) else ((found,),)
    return [cell.value for row in rows for cell in row]


def test_the_cap_chart_is_drawn_from_cells(full, book):
    cap, lift = list_charts(book["Summary"])
    models, band = full.facts["models"], full.facts["band"]
    series = {
        read_cells(book, each.tx.strRef.f)[0]: (
            read_cells(book, each.xVal.numRef.f),
            read_cells(book, each.yVal.numRef.f),
        )
        for each in reversed(cap.series)  # the first of the two limits
    }
    for model in models:
        curve = model["curve"]
        shares, captured = series[model["name"]]
        assert shares == near(curve["population_share"])
        assert captured == near(curve["capture_rate"])
    assert series["Random ranking"] == ([0, 1], [0, 1])
    for found, path in zip(
        series["Perfect ranking"], full.facts["perfect"].values(), strict=True
    ):
        assert found == near(path)
    shares, low = series["95 % confidence band of champion_pd"]
    assert shares == near(band["population_share"])
    assert low == near(band["low"])
    assert read_cells(book, cap.series[3].yVal.numRef.f) == near(band["high"])
    assert [entry.idx for entry in cap.legend.legendEntry] == [3]
    shares = read_cells(book, lift.series[0].xVal.numRef.f)
    assert min(shares) >= 0.01 > shares[0] - 0.01


def test_groups_are_drawn_with_their_intervals(full, book):
    (chart,) = list_charts(book["Periods"])
    (section,) = full.facts["periods"]
    ratios = [row["models"][0]["accuracy_ratio"] for row in section["wide"]]
    first = chart.series[0]
    assert read_cells(book, first.val.numRef.f) == near([each["value"] for each in ratios])
    above = read_cells(book, first.errBars.plus.numRef.f)
    assert above == near([each["high"] - each["value"] for each in ratios])
    below = read_cells(book, first.errBars.minus.numRef.f)
    assert below == near([each["value"] - each["low"] for each in ratios])
    assert len(list_charts(book["Segments"])) == 2


def test_the_axis_holds_all_intervals_and_undefined_groups_are_gaps(full, book):
    _, chart = list_charts(book["Segments"])
    groups = full.facts["segments"][1]["groups"]
    ratios = [row["accuracy_ratio"] for row in groups if row["accuracy_ratio"]]
    assert -1 <= min(each["low"] for each in ratios) < -0.8
    assert chart.y_axis.scaling.min == -1
    highest = max(each["high"] for each in ratios)
    assert chart.y_axis.scaling.max - 0.2 < highest <= chart.y_axis.scaling.max
    names = read_cells(book, chart.series[0].cat.strRef.f)
    ratios = read_cells(book, chart.series[0].val.numRef.f)
    assert dict(zip(names, ratios, strict=True))["A"] is None
    assert read_cells(book, chart.x_axis.title.tx.strRef.f) == ["grade"]


def test_a_column_without_any_ratio_has_no_chart():
    rows = LOANS.with_columns(g=pl.col("default"))
    book = load(report(rows, "default", "champion_pd", by="g"))
    assert not list_charts(book["Segments"])
    notes = Found(book["Segments"], "Segmented by").values("Note")
    assert notes[:2] == ["no events", "no non-events"]


def test_a_workbook_has_the_numbers_of_the_page(full, book):
    models = Found(book["Models"], "Model", "Rows")
    power = full.facts["power"]["models"]
    widths = [row["half_width"] for row in power]
    assert models.values("Half-width of the interval (beta)") == near(widths)
    (section,) = full.facts["periods"]
    trends = Found(book["Comparison"], "Periods of")
    for name, key in (("AR at the first", "first"), ("AR at the last", "last")):
        values = [trend[key] for trend in section["trend"]]
        assert trends.values(name, "Linear trend") == near(values)
    initial = Found(book["Initial"], "Model")
    assert initial.values("Degrees of freedom")[0] == "infinite"
    errors = [
        row["models"][0]["accuracy_ratio"]["standard_error"] for row in section["wide"]
    ]
    periods = Found(book["Periods"], section["by"])
    found = periods.values("Standard error", "champion_pd")
    assert found[: len(errors)] == near(errors)


def test_rates_of_bands_are_drawn_for_each_model(full, book):
    (chart,) = list_charts(book["Gains"])
    for model, series in zip(full.facts["models"], chart.series, strict=True):
        assert read_cells(book, series.tx.strRef.f) == [model["name"]]
        rates = [row["response_rate"] for row in model["gains"]]
        assert read_cells(book, series.val.numRef.f) == near(rates)


def test_charts_that_could_not_be_read_are_left_out():
    rows = LOANS.with_columns(g=pl.col("loan") % 41)
    scores = [pl.col("champion_pd").alias(f"m{number}") for number in range(7)]
    found = report(
        rows.with_columns(*scores),
        "default",
        "champion_pd",
        compare=[f"m{number}" for number in range(7)],
        by="g",
        bands=61,
    )
    book = load(found)
    assert not list_charts(book["Segments"])
    assert not list_charts(book["Gains"])
    cap = list_charts(book["Summary"])[0]
    names = [read_cells(book, each.tx.strRef.f)[0] for each in cap.series]
    assert names[:6] == ["champion_pd", *(f"m{number}" for number in range(5))]
    assert "m5" not in names


# -- Screen and paper ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ORDER)
def test_sheets_are_printed_on_landscape_pages_with_their_title(book, name):
    sheet = book[name]
    assert sheet.page_setup.orientation == "landscape"
    points = sum(
        0.75 * (7 * each.width + 5) * (each.max - each.min + 1)
        for each in sheet.column_dimensions.values()
    )
    is_wide = points * 0.6 > 770  # two models side by side, too small to read on A4
    assert sheet.page_setup.paperSize == (8 if is_wide else 9)
    assert is_wide or name != "Periods"
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToWidth or 1) == 1
    assert sheet.oddHeader.left.text == "Mortgages 2024"
    assert sheet.oddHeader.right.text == "&A"
    assert sheet.oddFooter.right.text == "Page &P of &N"
    assert sheet.oddFooter.left.text.startswith("capcurve ")


@pytest.mark.parametrize(
    ("name", "heading", "n_totals", "is_long"),
    [
        ("Gains", "Model", 2, False),
        ("Segments", "Segmented by", 4, True),
        ("Periods", "year", 1, False),
    ],
)
def test_long_tables_are_filtered_and_their_headings_stay(
    book, name, heading, n_totals, is_long
):
    sheet, table = book[name], Found(book[name], heading)
    first, last = table.rows[0], table.rows[-1 - n_totals]
    head, end = table.headings[0].coordinate, last[-1].coordinate
    assert sheet.auto_filter.ref == f"{head}:{end}"
    frozen = openpyxl.utils.cell.coordinate_from_string(sheet.freeze_panes)
    assert frozen[1] == first[0].row
    assert frozen[0] > "A"
    # A table of one page has its headings there; charts on later pages need none.
    titles = f"${table.head}:${table.head + 1}" if is_long else None
    assert sheet.print_title_rows == titles


def test_the_summary_is_one_page_that_repeats_no_heading(book):
    """With headings repeated from its middle, LibreOffice loses the last rows."""
    sheet = book["Summary"]
    assert sheet.page_setup.fitToHeight in (None, 1)
    assert sheet.print_title_rows is None
    assert sheet.freeze_panes == "A2"


@pytest.mark.parametrize(
    ("name", "n_charts", "n_pages"),
    [("Gains", 1, 2), ("Segments", 2, 2), ("Periods", 1, 1)],
)
def test_charts_stay_whole_on_paper(book, name, n_charts, n_pages):
    """A page of A4 is 595 points less margins high, at the scale that fits its width."""
    sheet = book[name]
    columns = sheet.column_dimensions.values()
    pixels = sum((7 * each.width + 5) * (each.max - each.min + 1) for each in columns)
    wide = pixels * 72 / 96
    page = (595 - 2 * 54) * max(1, wide / (842 - 2 * 36))
    starts = [0, *(each.id for each in sheet.row_breaks.brk)]
    charts = list_charts(sheet)
    assert (len(charts), len(starts)) == (n_charts, n_pages)
    for chart in charts:
        first, last = chart.anchor._from.row, chart.anchor.to.row  # noqa: SLF001
        start = max(each for each in starts if each <= first)
        assert not any(first < each <= last for each in starts)
        heights = [sheet.row_dimensions[n + 1].height or 17 for n in range(start, last + 1)]
        heading = 60 if start else 0  # the headings that are repeated, at most
        assert heading + sum(heights) <= page


@pytest.mark.parametrize(
    ("top", "height", "expected"),
    [
        (0, 90, True),
        (0, 95, False),  # a page may hold less than was measured
        (110, 10, False),  # or more: this may still be the first page
        (130, 10, True),  # the second ends at 180, as headings of 20 are repeated
        (130, 40, False),
    ],
)
def test_a_page_has_room_if_it_surely_has(top, height, expected):
    assert has_room(top, height, page=100, repeated=20) is expected


def test_names_that_look_like_numbers_raise_no_warning(full):
    full.write("r.xlsx")
    with ZipFile("r.xlsx") as archive:
        sheet = archive.read(f"xl/worksheets/sheet{1 + ORDER.index('Periods')}.xml")
    assert b'<ignoredError sqref="A1:XFD1048576" numberStoredAsText="1"/>' in sheet


def test_columns_are_wide_enough_and_not_too_wide(book):
    for sheet in book.worksheets[1:]:
        for dimension in sheet.column_dimensions.values():
            assert 7 <= dimension.width <= 75


# -- Other outcomes ------------------------------------------------------------------------


def test_amounts_have_their_own_words():
    found = report(LOANS, "loss", "champion_pd", case_weights="exposure", by="grade")
    book = load(found)
    (model,) = found.facts["models"]
    table = Found(book["Models"], "Model")
    assert table.values("Somers' D") == [model["somers_d"]["value"]]
    assert table.values("gAUC") == [model["gauc"]["value"]]
    segments = Found(book["Segments"], "Segmented by")
    names = {name for _, name in segments.names}
    assert {"Rows", "Weight", "Total outcome", "Mean outcome"} <= names
    assert not names & {"Events", "Event rate"}
    figures = Found(book["Summary"], "Model")
    assert figures.values("gAUC")[0] == model["gauc"]["value"]
    texts = find_texts(book)
    assert "Rows above 0" in texts
    assert "of the column exposure" in texts
    assert "Event rate" not in texts


def test_events_of_a_weighted_test_are_told_by_rows_and_by_weight():
    given = {"implied": "champion_pd", "case_weights": "exposure"}
    found = report(LOANS, "default", "champion_pd", **given)
    (row,) = found.facts["implied"]
    table = Found(load(found)["Comparison"], "Probabilities")
    for head, key in (
        ("Events (rows)", "n_events"),
        ("Expected events (rows)", "expected_events"),
        ("Weight of events", "weight_of_events"),
        ("Expected weight of events", "expected_weight_of_events"),
    ):
        assert table.values(head) == near([row[key]])


@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1, 1e6])
def test_weights_have_one_format_whatever_their_unit(unit):
    share = pl.col("exposure") / pl.col("exposure").sum()
    pd = pl.when(pl.col("loan") % 20 > 0).then("champion_pd")
    rows = LOANS.with_columns(pd, w=share * unit)
    with pytest.warns(UserWarning, match="left out"):
        found = report(
            rows,
            "default",
            "champion_pd",
            implied="champion_pd",
            case_weights="w",
            by="grade",
        )
    book = load(found)
    implied, gains = (
        Found(book["Comparison"], "Probabilities"),
        Found(book["Gains"], "Model"),
    )
    names = ("Weight of events", "Expected weight of events")
    codes = [{each.number_format for each in implied.cells(name)} for name in names]
    assert codes[0] == codes[1]
    tables = [Found(book["Rows"], head) for head in ("Rows", "Reason", "Grouped by")]
    cells = [cell for table in tables for cell in table.cells("Weight of events")]
    numbers = [cell for cell in cells if cell.data_type == "n"]
    assert len(numbers) > len(tables)
    assert len({cell.number_format for cell in numbers}) == 1
    code = gains.cells("Weight of events")[-1].number_format
    assert code == {1e-9: "0.000E+00", 1e-3: "#,##0." + "0" * 8, 1: "#,##0.00000"}.get(
        unit, "#,##0.0"
    )


def test_weights_clusters_and_counts_are_told():
    book = load(report(LOANS, "default", "champion_pd", case_weights="exposure"))
    names = {name for _, name in Found(book["Gains"], "Model").names}
    assert {"Weight", "Weight of events", "Weight of non-events"} <= names
    used = Found(book["Rows"], "Rows")
    assert "Events" not in {name for _, name in used.names}
    weight = (LOANS["default"] * LOANS["exposure"]).sum()
    assert used.values("Weight of events")[-1] == pytest.approx(weight)
    rows = LOANS.with_columns(borrower=pl.col("loan") // 2)
    book = load(report(rows, "default", "champion_pd", clusters="borrower"))
    cells = {row[0].value: row[1].value for row in book["Summary"].iter_rows()}
    assert cells["Clusters (borrower)"] == rows["borrower"].n_unique()


def test_grades_go_by_their_names():
    grades = ("AAA", "AA", "A", "BBB")
    columns = {"grade": grades, "n": [500, 400, 300, 120], "d": [2, 6, 14, 25]}
    found = report(
        pl.DataFrame(columns),
        None,
        "grade",
        counts="n",
        events="d",
        order=grades,
        bands="scores",
    )
    book = load(found)
    gains = Found(book["Gains"], "Model")
    assert gains.values("Score")[:-1] == ["BBB", "A", "AA", "AAA"]
    assert gains.values("Rows")[:-1] == near([120, 300, 400, 500])
    (chart,) = list_charts(book["Gains"])
    bars = chart.series[0].cat
    assert read_cells(book, (bars.strRef or bars.numRef).f) == ["BBB", "A", "AA", "AAA"]
    cells = {row[0].value: row[1].value for row in book["Summary"].iter_rows()}
    assert cells["Counts"] == "of the column n"


def test_a_sketch_has_a_workbook_too():
    sketch = CapSketch(max_bins=64)
    sketch.update(LOANS["default"], LOANS["champion_pd"])
    found = report(sketch, "default", "champion_pd")
    table = Found(load(found)["Models"], "Model")
    (model,) = found.facts["models"]
    assert table.values("AR") == [model["accuracy_ratio"]["value"]]


def test_low_scores_first_are_told():
    rows = LOANS.with_columns(score=-pl.col("champion_pd"))
    book = load(report(rows, "default", "score", descending=False))
    (title,) = list_charts(book["Summary"])[0].x_axis.title.tx.rich.p
    assert title.r[0].t == "Population share, low scores first"


def test_what_the_caller_says_and_gates_are_shown():
    found = report(LOANS, "default", "champion_pd")
    found.facts["meta"] = {"model id": "PD-7"}
    found.facts["findings"] = [
        {"topic": "accuracy_ratio", "text": "AR is 0.5.", "status": "amber"},
        {"topic": "power", "text": "A fall of 0.1 would be found.", "status": None},
    ]
    found.facts["gates"] = [make_gate("s", passed) for passed in (True, False, None)]
    book = load(found)
    rows = [
        [cell.value for cell in row if cell.value is not None]
        for row in book["Summary"].iter_rows()
    ]
    assert ["Accuracy ratio", "amber", "AR is 0.5."] in rows
    assert ["Power", "A fall of 0.1 would be found."] in rows
    start = rows.index(["AR reaches the limit", "failed", "AR of s is 0.5."])
    assert [row[1] for row in rows[start:][:3]] == ["failed", "not judged", "passed"]
    texts = find_texts(book)
    assert {"model id", "PD-7"} <= set(texts)


def test_names_that_begin_the_reason_of_a_verdict_keep_their_letters():
    found = report(LOANS, "default", "champion_pd")
    text = "lgd_new against lgd: difference in AR -0.1000, which is not better"
    gates = [
        make_gate("a", passed=True) | {"text": "accuracy ratio of a is 0.5"},
        make_gate("lgd_new against lgd", passed=True) | {"text": text},
    ]
    found.facts["gates"] = gates
    texts = find_texts(load(found))
    assert f"{text}." in texts
    assert "Accuracy ratio of a is 0.5." in texts


def make_gate(subject, passed):
    text = f"AR of {subject} is 0.5"
    return {
        "gate": "fail_below",
        "subject": subject,
        "value": None if passed is None else 0.5,
        "limit": 0.4,
        "passed": passed,
        "text": text,
    }


def test_long_names_of_limits_are_shown_in_full():
    found = report(LOANS, "default", "champion_pd")
    gate = make_gate("s", passed=True)
    found.facts["gates"] = [{**gate, "text": f"{OF_LOWER_LIMIT} s is 0.5"}]
    sheet = load(found)["Summary"]
    name = "Lower limit of AR reaches the limit"
    (row,) = (cell.row for cell in sheet["A"] if cell.value == name)
    assert len(name) > sheet.column_dimensions["A"].width
    assert sheet.row_dimensions[row].height >= 2 * 15  # points of two lines in Calibri 11


def test_many_limits_have_a_sheet_and_those_not_kept_come_first():
    found = report(LOANS, "default", "champion_pd")
    gates = [make_gate(f"g{number}", passed=number != 7) for number in range(9)]
    found.facts["gates"] = gates
    book = load(found)
    limits = Found(book["Limits"], "Limit")
    assert limits.values("Subject") == [f"g{number}" for number in range(9)]
    verdicts = ["passed"] * 7 + ["failed", "passed"]
    assert limits.values("Verdict") == verdicts
    assert limits.values("Required") == [0.4] * 9
    texts = [row[0].value for row in book["Summary"].iter_rows()]
    assert texts.count("AR reaches the limit") == 6
    assert "All are on the sheet Limits: 1 failed, 8 passed." in texts


# -- Names that control something ----------------------------------------------------------


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
    book = load(hostile)
    assert book.properties.title == SHOWN
    assert Found(book["Models"], "Model").values("Model") == [r"\x1b]0;x\x07 \u202es"]
    segments = Found(book["Segments"], "Segmented by")
    assert set(segments.values("Segmented by")) == {r"g\x07"}
    assert segments.values("Segment") == [r"\x1b[2J", "All"]


def test_json_keeps_names_as_they_are(hostile):
    hostile.write("r.json")
    content = Path("r.json").read_bytes()
    assert content.isascii()
    assert json.loads(content) == hostile.facts
    assert hostile.facts["title"] == HOSTILE


NAMES = [
    '=HYPERLINK("http://x")',
    "@SUM(A1)",
    "+1",
    "-1",
    "x" * 300,
    "x" * 299 + "y",
    "\N{BROKEN HEART}" * 20,
    "_x0041_",
    "'quoted",
    "<script>alert(1)</script>",
    "Summary!$A$1",
    None,
]


@pytest.mark.filterwarnings("ignore:periods of")
def test_texts_stay_the_texts_that_they_are():
    rows = pl.DataFrame({"y": [0, 1] * 24, "=1+1": range(48), "a!$B$2": range(48)})
    rows = rows.with_columns(pl.Series("[g]'!", [NAMES[i // 4] for i in range(48)]))
    found = report(
        rows,
        "y",
        "=1+1",
        compare="a!$B$2",
        by="[g]'!",
        period="[g]'!",
        title="&G &[Picture]",
    )
    book = load(found)
    segments = Found(book["Segments"], "Segmented by")
    expected = {"(missing)" if name is None else name for name in NAMES} | {"All"}
    assert set(segments.values("Segment")) == expected
    assert segments.values("Segment")[-4:] == ["(missing)", "(missing)", "All", "All"]
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    like_formulas = [
        cell for cell in cells if isinstance(cell.value, str) and cell.value[:1] in "=+-@"
    ]
    assert len(like_formulas) > 8
    assert all(cell.quotePrefix for cell in like_formulas if cell.value != "-")
    assert book["Summary"].oddHeader.left.text == "&& G && [Picture]"
    series = list_charts(book["Summary"])[0].series
    assert [read_cells(book, each.tx.strRef.f)[0] for each in series][:2] == [
        "=1+1",
        "a!$B$2",
    ]


def test_long_names_do_not_fill_a_chart():
    rows = LOANS.rename({"champion_pd": "m" * 300, "segment": "s" * 300})
    rows = rows.with_columns(pl.col("s" * 300) + "g" * 300)
    found = report(rows, "default", "m" * 300, by="s" * 300)
    book = load(found)
    (chart,) = list_charts(book["Segments"])
    names = [
        *read_cells(book, chart.series[0].tx.strRef.f),
        *read_cells(book, chart.series[0].cat.strRef.f),
        *read_cells(book, chart.x_axis.title.tx.strRef.f),
    ]
    assert all(len(name) == 32 and name.endswith("…") for name in names)
    segments = Found(book["Segments"], "Segmented by")
    assert segments.values("Segment")[0] == "corporate" + "g" * 300
    assert segments.values("Model")[0] == "m" * 300


def test_a_long_title_fits_a_page():
    found = report(LOANS, "default", "champion_pd", title="T & " * 200)
    book = load(found)
    running = book["Summary"].oddHeader.left.text
    assert running.startswith("T && T &&")
    assert running.endswith("…")
    assert book["Summary"]["A1"].value == found.facts["title"]
    assert book["Summary"].row_dimensions[1].height > 60


# -- Limits of the file format -------------------------------------------------------------


def test_the_limits_are_those_of_the_file_format():
    """Sheets have 1,048,576 rows and 16,384 columns, cells 32,767 characters (Excel)."""
    assert book_page.MAX_SHEET_ROWS == 1_048_576
    assert book_page.MAX_SHEET_COLUMNS == 16_384
    assert book_page.MAX_TEXT == 32_767
    assert all(len(name) <= 31 for name in ORDER)


def test_a_sheet_that_no_spreadsheet_could_read_is_refused(monkeypatch):
    rows = pl.DataFrame({"y": [0, 1] * 20, "s": range(40)})
    found = report(rows, "y", "s", bands="scores")
    longest = max(load(found), key=lambda sheet: sheet.max_row)
    size = longest.max_row
    before = Path("r.xlsx").read_bytes()
    monkeypatch.setattr(book_page, "MAX_SHEET_ROWS", size - 1)
    with pytest.raises(CapcurveError) as caught:
        found.write("r.xlsx")
    assert str(caught.value) == (
        f"a sheet of a workbook must have at most {size - 1} rows, but "
        f"{longest.title!r} has {size}; pass fewer `bands`, or write .json"
    )
    assert Path("r.xlsx").read_bytes() == before
    monkeypatch.setattr(book_page, "MAX_SHEET_ROWS", size)
    found.write("r.xlsx")
    monkeypatch.setattr(book_page, "MAX_SHEET_COLUMNS", 3)
    with pytest.raises(
        CapcurveError, match=r"at most 3 columns, but 'Summary' has \d+; comp"
    ):
        found.write("r.xlsx")


@pytest.mark.parametrize(
    ("name", "size"), [("n" * 32_767, 0), ("\U0001f494" * 16_384, 32_768)]
)
def test_a_cell_that_no_spreadsheet_could_read_is_refused(name, size):
    rows = pl.DataFrame({"y": [0, 1] * 20, "s": range(40), "g": [name] * 40})
    found = report(rows, "y", "s", by="g")
    if not size:
        assert name in find_texts(load(found))
        return
    with pytest.raises(CapcurveError) as caught:
        found.write("r.xlsx")
    assert str(caught.value).startswith(
        "a text of a workbook must have at most 32,767 characters, but one on sheet "
        "'Segments' has 32,768: '\U0001f494"
    )
    assert str(caught.value).endswith("...; shorten it, or write .json")


def test_a_long_command_goes_on_in_the_next_row():
    found = report(LOANS, "default", "champion_pd")
    found.facts["provenance"]["command"] = command = "capcurve report " + "f.csv " * 12_000
    rows = [row[:2] for row in load(found)["Provenance"].iter_rows()]
    told = [value.value for name, value in rows if str(name.value).startswith("Command")]
    assert "".join(told) == command
    assert len(told) == math.ceil(len(command) / MAX_PART)


def test_a_run_and_its_config_are_named():
    found = report(LOANS, "default", "champion_pd")
    assert "Run" not in find_texts(load(found))
    config = {"name": "night.toml", "size": 1234, "sha256": "ab"}
    run = {"command": "capcurve run night.toml", "config": config}
    found.facts["provenance"]["run"] = run
    rows = [[cell.value for cell in row] for row in load(found)["Provenance"].iter_rows()]
    told = {name: value for name, value, *_ in rows}
    assert told["Run"] == "capcurve run night.toml"
    assert told["Config of the run"] == "night.toml"
    assert ["night.toml", "ab", 1234] in [row[:3] for row in rows]


def test_options_are_told_without_the_signs_of_a_language():
    found = report(LOANS, "default", "champion_pd")
    found.facts["provenance"]["options"] = {
        "by": ["a", "b"],
        "quiet": True,
        "strict": False,
        "limits": {"green": 0.5, "amber": None},
        "nothing": None,
    }
    table = [row[:2] for row in load(found)["Provenance"].iter_rows()]
    told = {name.value: value.value for name, value in table}
    assert told["by"] == "a, b"
    assert (told["quiet"], told["strict"]) == ("yes", "no")
    assert told["limits"] == "green: 0.5, amber: none"
    assert "nothing" not in told


def test_equal_input_gives_equal_bytes(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    def written():
        found = report(LOANS, "default", "champion_pd", by="segment", period="year")
        found.write("r.xlsx")
        return Path("r.xlsx").read_bytes()

    first = written()
    assert written() == first
    times = {each.date_time for each in ZipFile("r.xlsx").infolist()}
    assert times == {(1980, 1, 1, 0, 0, 0)}
    assert b"2023-11-14T22:13:20Z" in ZipFile("r.xlsx").read("docProps/core.xml")
