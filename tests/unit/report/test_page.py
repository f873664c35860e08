"""The page of a report in a real browser: what it shows, and what a hand can do."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe

from capcurve import CapCurve, gain_capture, report
from capcurve._report.html import read_resource
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))
NASTY = "<script>alert(1)</script>"
FORMULA = '=HYPERLINK("http://example.com")'
PHONE = {"viewport": {"width": 390, "height": 844}}
KINDS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "phone": PHONE,
    "dark phone": PHONE | {"color_scheme": "dark"},
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:the accuracy ratio is undefined"),
]


@pytest.fixture(scope="module")
def found():
    return report(
        LOANS.rename({"champion_pd": NASTY, "segment": FORMULA}),
        "default",
        NASTY,
        compare="challenger_pd",
        by=[FORMULA, "grade"],
        period="year",
        initial_auc=0.82,
        initial_variance=1e-4,
        title="Tom & Jerry's <portfolio>",
        meta={"Model ID": "PD-7", "Author": "A. Validator"},
    ).with_gates(fail_below=0.55, min_events=20, on_undefined="skip")


@pytest.fixture(scope="module")
def facts(found):
    return found.facts


@pytest.fixture(scope="module")
def address(found, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    found.write(path)
    assert path.stat().st_size < 400_000
    return path.as_uri()


@pytest.fixture
def open_page(browser):
    """Open a page, and see that nothing goes wrong or out."""
    opened, trouble, requests = [], [], []

    def open_it(address, **options):
        page = browser.new_page(**options)
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: trouble.append(dialog.message))
        page.on("request", lambda asked: requests.append(asked.url))
        page.goto(address)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("body[data-ready]")
        opened.append(page)
        return page

    yield open_it
    for page in opened:
        page.close()
    assert trouble == []
    assert [each for each in requests if not each.startswith(("file:", "data:"))] == []


@pytest.fixture
def page(open_page, address, request):
    return open_page(address, **getattr(request, "param", {}))


def hover(page, plot, x, y=0.5):
    """Point at a place of a chart, as shares of its width and height."""
    plot = page.locator(plot)
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + x * box["width"] - 1, box["y"] + y * box["height"])
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])


def read_tip(page):
    """Return the rows of the tip as lists of texts, without an empty first head."""
    rows = page.locator(".tip tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def test_the_first_screen_is_the_answer(page, facts):
    champion = facts["models"][0]
    shown = page.locator("[data-ar]")
    assert shown.inner_text() == f"{champion['accuracy_ratio']['value']:.4f}"
    assert float(shown.get_attribute("data-ar")) == champion["accuracy_ratio"]["value"]
    assert shown.bounding_box()["y"] < 720
    assert page.locator("h1").inner_text() == "Tom & Jerry's <portfolio>"
    sentences = page.locator(".findings dd").all_inner_texts()
    assert len(sentences) == len(facts["findings"])
    assert "PD-7" in page.locator(".meta").inner_text()


def test_contents_lead_to_every_section(page):
    sections = page.locator("main > section, #limitations, #gates").evaluate_all(
        "each => each.map(one => one.id)"
    )
    links = page.locator(".contents a").evaluate_all(
        "each => each.map(one => one.hash.slice(1))"
    )
    assert links == sections
    assert {"segments", "periods", "challengers", "initial"} <= set(sections)


def test_gates_are_counted_above_their_table(page, facts):
    found = [gate["passed"] for gate in facts["gates"]]
    failed, skipped, passed = map(found.count, (False, None, True))
    assert min(failed, skipped, passed) > 0
    told = f"{failed} failed, {skipped} not judged, {passed} passed."
    assert page.locator("#gates + p").inner_text() == told


def move_slider(page, step):
    """Put the slider at a step, of which a share of 1 has 1,000."""
    page.locator("#cut").evaluate(
        "(each, value) => {each.value = value; each.dispatchEvent(new Event('input'))}",
        str(step),
    )


def read_cuts(page):
    """Return the name and the texts of each model at the slider."""
    rows = page.locator("tr[id^='cut-']").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


@pytest.mark.parametrize(
    ("truth", "weights"), [("default", None), ("default", "exposure"), ("loss", None)]
)
def test_the_slider_tells_what_the_table_does(open_page, tmp_path, truth, weights):
    """Read off the thinned line, lift in the top 1 % was 7.98, not 7.93."""
    loans = pl.DataFrame(make_portfolio(40_000))
    models = ["champion_pd", "challenger_pd"]
    found = report(loans, truth, models[0], compare=models[1], case_weights=weights)
    found.write(tmp_path / "report.html")
    page = open_page((tmp_path / "report.html").as_uri())
    rows = page.locator("#curves table.data:not(.plain) tbody tr").all()
    assert len(rows) == 10
    for row in rows:
        share, name, captured, _, _, lift, *_, score = row.locator(
            "th, td"
        ).all_inner_texts()
        at = float(share.strip("%"))
        move_slider(page, round(10 * at))
        assert page.locator("#cut-share").inner_text() == f"{at:.1f}%"
        (cut,) = (each for each in read_cuts(page) if each[0] == name)
        assert cut[1:] == [captured, lift, score]
    curves = [
        CapCurve.from_frame(loans, truth, name, case_weights=weights) for name in models
    ]
    for step in (1, 3, 7, 333, 999, 1_000):
        move_slider(page, step)
        for curve, cut in zip(curves, read_cuts(page), strict=True):
            captured = curve.capture_rate_at(step / 1_000)
            assert cut[1:3] == [f"{captured:.2%}", f"{1_000 * captured / step:,.2f}"]
            threshold = curve.threshold_at(step / 1_000)
            assert float(cut[3]) == pytest.approx(threshold, rel=1e-2)


def read_step(page):
    """Return the step at which the pointer stands, of which a share of 1 has 1,000."""
    shown = page.locator(".tip p").inner_text().split(" ")[-1]
    return round(10 * float(shown.strip("%")))


def test_a_pointer_reads_every_model_off(page, facts):
    hover(page, "#chart-cap .plot", 0.3004)
    heads, champion, band, challenger = read_tip(page)
    assert heads[1:] == ["Capture rate", "Lift", "Score cut-off"]
    assert page.locator(".tip p").inner_text() == "Population share 30.0%"
    assert [champion[0], challenger[0]] == [NASTY, "challenger_pd"]
    for row, column in ((champion, "champion_pd"), (challenger, "challenger_pd")):
        curve = CapCurve.from_frame(LOANS, "default", column)
        exact = curve.capture_rate_at(0.3)
        assert row[1:3] == [f"{exact:.2%}", f"{exact / 0.3:.2f}"]
        assert float(row[3]) == pytest.approx(curve.threshold_at(0.3), rel=1e-2)
    at = facts["band"]["population_share"].index(0.3)
    low, high = facts["band"]["low"][at], facts["band"]["high"][at]
    assert band == ["95% band", f"{low:.2%} to {high:.2%}"]
    assert low < float(champion[1][:-1]) / 100 < high
    color = "each => getComputedStyle(each).stroke"
    lines = page.locator(".tip .line").all()
    drawn = page.locator("#chart-cap .box .line").all()
    assert [each.evaluate(color) for each in lines] == [
        each.evaluate(color) for each in drawn[::-1]
    ]
    page.keyboard.press("Escape")
    assert not page.locator(".tip").is_visible()


def test_views_of_ks_roc_and_lift_read_off_all_rows(page):
    y, score = LOANS["default"].to_numpy(), LOANS["champion_pd"].to_numpy()
    cuts = np.append(np.inf, np.unique(score)[::-1])
    events, others, rows = (
        np.array([each[score >= cut].sum() for cut in cuts]) / each.sum()
        for each in (y, 1 - y, np.ones(len(y)))
    )
    page.get_by_role("tab", name="KS").click()
    assert not page.locator("#chart-cap").is_visible()
    hover(page, "#chart-ks .plot", 0.2502)
    assert page.locator(".tip p").inner_text() == "Population share 25.0%"
    at = [np.interp(0.25, rows, each) for each in (events, others)]
    row = read_tip(page)[1]
    assert row[1:4] == [f"{at[0]:.2%}", f"{at[1]:.2%}", f"{at[0] - at[1]:.4f}"]
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="KS").focus()
    page.keyboard.press("ArrowRight")
    hover(page, "#chart-roc .plot", 0.2)
    false, (_, found, share, cut) = read_step(page) / 1_000, read_tip(page)[1]
    assert found == f"{np.interp(false, others, events):.2%}"
    assert share == f"{np.interp(false, others, rows):.2%}"
    last = np.flatnonzero(rows >= np.interp(false, others, rows))[0]
    assert float(cut) == cuts[last]
    spot = page.locator("#chart-roc .spot.m0")
    assert float(spot.get_attribute("cy")[:-1]) == pytest.approx(
        100 - float(found[:-1]), abs=0.01
    )
    page.get_by_role("tab", name="Lift").click()
    hover(page, "#chart-lift .plot", 0.25)
    step = read_step(page) / 1_000
    lift = np.interp(step, rows, events) / step
    assert read_tip(page)[1][1] == f"{lift:.2f}"


def test_a_click_in_the_legend_hides_a_model(page):
    entry = page.get_by_role("button", name="challenger_pd").first
    line = page.locator("#chart-cap .box .line.m1")
    entry.click()
    assert entry.get_attribute("aria-pressed") == "false"
    assert not line.is_visible()
    hover(page, "#chart-cap .plot", 0.3)
    assert [row[0] for row in read_tip(page)[1:]] == [NASTY, "95% band"]
    entry.click()
    assert line.is_visible()
    assert page.locator("#chart-segments-0 .point.m1").first.is_visible()


def test_a_pointer_at_a_segment_tells_every_model(page, facts):
    (section,) = (each for each in facts["segments"] if each["by"] == FORMULA)
    plot = page.locator("#chart-segments-0 .plot")
    plot.scroll_into_view_if_needed()
    n = len(section["wide"])
    hover(page, "#chart-segments-0 .plot", 0.5, 0.5 / n)
    name = section["wide"][0]["group"]
    assert page.locator(".tip p").inner_text().startswith(name)
    ratios = gain_capture(LOANS, "default", "champion_pd", by="segment")
    (exact,) = ratios.filter(pl.col("segment") == name)["estimate"]
    rows = read_tip(page)
    assert [row[0] for row in rows] == [NASTY, "challenger_pd"]
    assert float(rows[0][1].split(" ")[0]) == pytest.approx(exact, abs=5e-5)


def test_every_table_sorts_by_every_column(page):
    table = page.get_by_role("table").filter(has_text="First score").first
    for name, place in (("Value", 5), ("First score", 9)):
        button = table.get_by_role("button", name=name, exact=True)
        for state, is_reversed in (("ascending", False), ("descending", True)):
            button.click()
            assert table.locator("th[aria-sort]").get_attribute("aria-sort") == state
            shown = table.locator(f"tbody tr > :nth-child({place})").evaluate_all(
                "cells => cells.map(cell => Number(cell.dataset.value))"
            )
            assert shown == sorted(shown, reverse=is_reversed)
    heads = page.locator("table.data:not(.plain) thead tr:last-child th")
    lonely = page.locator(
        "table.data:not(.plain):not(:has(tbody tr:nth-child(2))) thead tr th"
    )
    assert heads.count() - lonely.count() <= page.locator("thead button").count()


def test_segments_sort_by_name_and_undefined_last(page):
    table = page.locator("#segments table").nth(1)
    name = table.get_by_role("button").first
    ratio = table.get_by_role("button", name="AR").first
    before = table.locator("tbody th").all_inner_texts()
    for _ in range(2):
        ratio.click()
        shown = table.locator("tbody td:nth-child(2)").all_inner_texts()
        numbers = [each for each in shown if not each.startswith("–")]
        assert shown[: len(numbers)] == numbers
    name.click()
    assert table.locator("tbody th").all_inner_texts() == before


def save(page, button):
    """Press a button, and return the name and the content of what it saves."""
    with page.expect_download() as saved:
        button.click()
    return saved.value.suggested_filename, Path(saved.value.path()).read_bytes()


def test_a_table_is_saved_with_exact_numbers_and_without_formulas(page, facts):
    button = page.get_by_role("button", name="Save as CSV: Gains table of challenger_pd")
    name, content = save(page, button)
    assert name == "Gains-table-of-challenger_pd.csv"
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    gains = facts["models"][1]["gains"]
    assert [float(row["Event rate"]) for row in rows] == [
        each["response_rate"] for each in gains
    ]
    assert [float(row["Cumulative: KS"]) for row in rows] == [
        each["cumulative_ks"] for each in gains
    ]
    _, content = save(page, page.locator("#segments .table + .save button").first)
    first = content.decode("utf-8-sig").splitlines()[0]
    assert first.startswith('"\'=HYPERLINK(""http://example.com"")"')


def test_a_saved_table_has_the_marks_of_its_rows_as_notes(page, facts):
    model = next(each for each in facts["models"] if each["gains_total"]["n_inversions"])
    name = f"Save as CSV: Gains table of {model['name']}"
    _, content = save(page, page.get_by_role("button", name=name))
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [row["Note"] for row in rows] == [
        "inversion" * each["is_inversion"] for each in model["gains"]
    ]
    table = page.locator("#segments .table:has(.mark)").first
    marks = table.locator("tbody .mark").all_text_contents()
    _, content = save(page, table.locator("+ .save button"))
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [row["Note"] for row in rows if row["Note"]] == marks
    _, content = save(page, page.locator(".table:not(:has(.mark)) + .save button").first)
    assert "Note" not in content.decode("utf-8-sig").splitlines()[0]


@pytest.mark.parametrize("text", ["=1+1", "a; =1", "\uff1d1", "-x", "a;b;@SUM(1)"])
def test_no_saved_text_is_a_formula_in_a_spreadsheet(browser, text):
    script = read_resource("saving.js")
    code = script[script.index("const formula") : script.index("function writeCell")]
    page = browser.new_page()
    written = page.evaluate(f"text => {{ {code} return writeField(text); }}", text)
    page.close()
    (cell,) = next(csv.reader([written]))
    assert cell.replace("'", "", 1) == text
    assert all(field.strip()[0] not in "=+-@\uff1d" for field in cell.split(";"))


def read_caption(drawn):
    """Read the lines of text at the left edge below a saved chart."""
    chart = drawn[drawn.rindex("</g>") :]
    return " ".join(re.findall(r"<text [^>]*>([^<]*)</text>", chart))


def test_charts_are_saved_as_svg_and_png(page):
    button = page.get_by_role("button", name="Save the chart as SVG").first
    name, content = save(page, button)
    assert name == "Cumulative-accuracy-profile.svg"
    drawn = content.decode()
    assert read_caption(drawn).startswith("Solid grey: perfect ranking. Dotted grey:")
    assert re.search('="[^"]*%"', drawn) is None
    assert "NaN" not in drawn
    assert "challenger_pd" in drawn
    assert "class=" not in drawn
    _, content = save(page, page.get_by_role("button", name="Save the chart as PNG").first)
    assert content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(content[i : i + 4], "big") for i in (16, 20))
    assert width > 1_000
    assert height > 600
    for kind in ("segments", "periods"):
        button = page.locator(f"#{kind} figure .save button", has_text="SVG").first
        drawn = save(page, button)[1].decode()
        assert "NaN" not in drawn
        caption = page.locator(f"#{kind} .caption").first.inner_text()
        assert caption.startswith("Lines: 95% intervals. Dashed: AR of all rows")
        assert read_caption(drawn) == caption


def test_grades_are_named_at_the_cut(open_page):
    rows = {"grade": ["low", "high"], "n": [900, 100], "events": [9, 30]}
    options = {"counts": "n", "events": "events", "order": ["low", "high"]}
    report(pl.DataFrame(rows), None, "grade", **options).write("r.html")
    page = open_page(Path("r.html").resolve().as_uri())
    for share, grade in ((0.05, "high"), (0.5, "low")):
        page.locator("#cut").fill(str(int(1000 * share)))
        assert page.locator("#cut-0 td").last.inner_text() == grade


@pytest.mark.parametrize("page", KINDS.values(), ids=KINDS, indirect=True)
def test_page_is_legible_everywhere(page):
    found = Axe().run(page)
    serious = [
        (each["id"], [node["target"] for node in each["nodes"]])
        for each in found.response["violations"]
        if each["impact"] in {"serious", "critical"}
    ]
    assert serious == []
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_phone_keeps_the_first_column_and_shows_that_there_is_more(page):
    table = page.locator("#gains .table").first
    assert "more" in table.get_attribute("class").split()
    table.locator(".scroll").evaluate("each => { each.scrollLeft = 200 }")
    left = table.locator("tbody th").first.bounding_box()["x"]
    assert left == pytest.approx(table.bounding_box()["x"], abs=1)
    table.locator(".scroll").evaluate("each => { each.scrollLeft = 10000 }")
    page.wait_for_function(
        "() => !document.querySelector('#gains .table').classList.contains('more')"
    )


@pytest.fixture(scope="module")
def crowded():
    """A report of five models, 20 segments with long names and 40 months."""
    rows = pl.DataFrame(make_portfolio(6_000))
    chance = np.random.default_rng(5)
    others = [f"a_challenger_with_a_long_name_{i}" for i in range(4)]
    rows = rows.with_columns(
        *(
            (pl.col("champion_pd") * chance.lognormal(0, 0.5, len(rows))).alias(name)
            for name in others
        ),
        region=pl.Series([f"Region number {i % 20} of the country" for i in range(6_000)]),
        month=pl.Series(
            [f"{2021 + i % 40 // 12}-{i % 40 % 12 + 1:02d}" for i in range(6_000)]
        ),
    )
    options = {"compare": others, "by": "region", "period": "month"}
    return report(rows, "default", "champion_pd", **options)


BOXES = """plot => {
  const shown = [...plot.querySelectorAll('text')].filter(
    (each) => each.getClientRects().length);
  return shown.map((each) => {
    const box = each.getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom, each.textContent];
  });
}"""


@pytest.mark.parametrize("width", [1400, 768, 390])
def test_no_label_is_printed_over_another(open_page, crowded, width):
    crowded.write("crowded.html")
    page = open_page(
        Path("crowded.html").resolve().as_uri(), viewport={"width": width, "height": 900}
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for plot in page.locator("figure.groups .plot").all():
        boxes = plot.evaluate(BOXES)
        assert len(boxes) > 10
        clashes = [
            (one[4], other[4])
            for i, one in enumerate(boxes)
            for other in boxes[:i]
            if min(one[2], other[2]) - max(one[0], other[0]) > 1
            and min(one[3], other[3]) - max(one[1], other[1]) > 3
        ]
        assert clashes == []


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}], indirect=True)
def test_print_is_dark_on_white_and_says_at_which_share(page):
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(17, 17, 17)"
    assert not page.locator("#cut").is_visible()
    assert not page.get_by_role("button", name="Save the chart as PNG").first.is_visible()
    assert page.locator("#cut-title").inner_text() == "At the top 10.0% of the population"
    for view in ("cap", "lift", "ks", "roc"):
        assert page.locator(f"#chart-{view}").is_visible()
    # On its second page, a table has a head of plain text only: buttons are not repeated.
    boxes = page.locator("thead button").evaluate_all(
        "each => each.map(one => getComputedStyle(one).display)"
    )
    assert set(boxes) == {"contents"}


def test_without_scripts_all_curves_and_numbers_are_there(open_page, address):
    page = open_page(address, java_script_enabled=False)
    for view in ("cap", "lift", "ks", "roc"):
        assert page.locator(f"#chart-{view} .line").first.is_visible()
    assert page.locator("#gains tbody tr").count() == 20
    assert not page.locator("#cut").is_visible()
    assert page.get_by_role("button").count() == 0
    at = page.locator("#cut-0 td").all_inner_texts()
    assert re.fullmatch(r"\d+\.\d\d%", at[0])


def test_a_script_of_another_hand_does_not_run(browser, found):
    page = browser.new_page()
    Path("r.html").write_text(
        found.to_html().replace("</main>", "<script>document.title = 'x'</script></main>"),
        encoding="utf-8",
    )
    page.goto(Path("r.html").resolve().as_uri())
    page.wait_for_selector("body[data-ready]")
    assert page.title() == "Tom & Jerry's <portfolio>"
    page.close()


def test_amounts_have_two_views(open_page):
    rows = LOANS.with_columns(pl.col("loss"))
    report(rows, "loss", "champion_pd").write("amounts.html")
    page = open_page(Path("amounts.html").resolve().as_uri())
    assert page.get_by_role("tab").all_inner_texts() == ["CAP", "Lift"]
    text = page.locator("body").inner_text()
    assert re.search(r"\de-\d|\bnan\b|\bNone\b|\bnull\b", text) is None


def test_embedded_data_cannot_end_its_element(found):
    (embedded,) = re.findall(
        '<script type="application/json" id="data">(.*?)</script>', found.to_html()
    )
    assert json.loads(embedded)["models"][0]["name"] == NASTY
