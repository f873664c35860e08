"""Every public result has a view for notebooks, which is checked here for all at once."""

import inspect
import re
import subprocess
import sys
import warnings
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from math import isfinite

import numpy as np
import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe

import capcurve
from capcurve import (
    CapCurve,
    CapSketch,
    DoubleLift,
    GainsTable,
    Gate,
    accuracy_ratio_change,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_implied,
    accuracy_ratio_test_initial,
    accuracy_ratio_test_joint,
    accuracy_ratio_test_segments,
    plan_from_sample,
    plan_interval,
    plan_test,
    report,
)
from capcurve.datasets import make_portfolio

DRAWN = (*(name for name in capcurve.__all__ if name.endswith("Display")), "SummaryPage")
WITHOUT = {
    **dict.fromkeys(DRAWN, "its figure is what a notebook shows"),
    "Scorer": "it makes scores, and is none",
}
# Numbers that a view leaves out.
LEFT_OUT = {
    # The table of segments would be too wide for a notebook.
    "SegmentComparison": {"rest_statistics", "rest_degrees_of_freedom"},
    "Estimate": {"n_trials", "scale", "test"},  # for computing
    "Comparison": {"n_errors"},  # for computing
    "ImpliedComparison": {"high"},  # the end of the scale, as the test is one-sided
    "PowerPlan": {"n_events_second", "n_nonevents_second"},  # 0 for the same rows
    "Bins": {"lowest", "highest"},  # keys; the view shows the numbers that they stand for
    "Band": {"population_share", "low", "high"},  # at three of 501 shares
}
# Percentages, and what is shown if it is not the default.
LEFT_OUT_ALWAYS = {"confidence_level", "margin", "spread"}
# Numbers of a part of another result.
OF_PARTS = {
    "Estimate": {"value", "low", "high", "n_events", "n_nonevents"},
    "Comparison": {"value", "low", "high", "p_value"},
    "ChangePart": {"value", "low", "high", "p_value", "standard_error"},
    "Trend": {
        "change",
        "low",
        "high",
        "first",
        "last",
        "n_periods",
        "n_spanned",
        "p_value",
    },
}

HOSTILE = "<script>alert('x')</script>"
VOID = {"br", "img", "input", "hr", "meta", "link"}
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?(?: ?%)?")

LOANS = make_portfolio()
Y, CHAMPION, CHALLENGER = (
    LOANS[name] for name in ("default", "champion_pd", "challenger_pd")
)
CURVE = CapCurve.from_predictions(Y, CHAMPION)
SKETCH = CapSketch(max_bins=200)
SKETCH.update(Y, CHAMPION)
ESTIMATE = accuracy_ratio_interval(Y, CHAMPION)
COMPARISON = accuracy_ratio_test(Y, CHALLENGER, CHAMPION)
PARTS = np.array(["retail", HOSTILE])[np.arange(len(Y)) % 2]


@pytest.fixture(autouse=True)
def _few_events_are_fine():
    warnings.simplefilter("ignore", capcurve.FewEventsWarning)


def average_labels():
    truth = np.array(["a", HOSTILE, "c"])[np.arange(600) % 3]
    scores = np.random.default_rng(1).random((600, 3))
    return accuracy_ratio_interval(truth, scores, labels=["a", HOSTILE, "c"])


def explain_change():
    grade = [ord(letter) for letter in LOANS["grade"]]
    return accuracy_ratio_change(Y, grade, PARTS, samples=("retail", HOSTILE))


def gate(**verdict):
    return Gate(gate="fail_below", subject=HOSTILE, limit=0.4, text=HOSTILE, **verdict)


# Name of a public result, and results to show, with text from the user wherever it can be.
EXAMPLES = {
    "AccuracyRatioChange": lambda: [explain_change()],
    "Band": lambda: [CURVE.band("simultaneous", random_state=1)],
    "BinnedCurve": lambda: [SKETCH.curve],
    "Bins": lambda: [SKETCH.curve.by_score],
    "Bounded": lambda: [SKETCH.accuracy_ratio],
    "BoundedCurve": lambda: [SKETCH.cap_curve()],
    "BoundedTable": lambda: [SKETCH.gains_table(4)],
    "CapCurve": lambda: [CURVE],
    "CapSketch": lambda: [SKETCH],
    "ChangePart": lambda: [
        explain_change().mix,
        replace(explain_change().mix, name=HOSTILE),
    ],
    "Comparison": lambda: [COMPARISON, replace(COMPARISON, name=HOSTILE, method=HOSTILE)],
    "CutOff": lambda: [CURVE.at_threshold(0.05), CURVE.at_threshold([0.05, 0.1])],
    "DoubleLift": lambda: [
        DoubleLift.from_predictions(Y, CHAMPION, CHALLENGER, bands=4),
        DoubleLift.from_predictions(Y, CHAMPION, CHALLENGER, bands=4, rescale=True),
    ],
    "Estimate": lambda: [
        ESTIMATE,
        replace(ESTIMATE, name=HOSTILE, method=HOSTILE),
        average_labels(),
    ],
    "GainsTable": lambda: [GainsTable.from_curve(CURVE, [0.25, 0.5])],
    "ImpliedComparison": lambda: [
        accuracy_ratio_test_implied(Y, CHAMPION, alternative="less")
    ],
    "Gate": lambda: [
        gate(passed=True, value=0.5),
        gate(passed=None, value=None),
    ],
    "InitialComparison": lambda: [
        accuracy_ratio_test_initial(ESTIMATE, initial_auc=0.8, initial_variance=1e-4)
    ],
    "IntervalPlan": lambda: [plan_interval(0.6, event_rate=0.02, n_events=100)],
    "JointComparison": lambda: [
        accuracy_ratio_test_joint(Y, {"champion": CHAMPION, HOSTILE: CHALLENGER})
    ],
    "PowerPlan": lambda: [
        plan_test(0.6, 0.55, event_rate=0.02, correlation=0.8, n_events=300)
    ],
    "Profile": lambda: [CURVE.profile],
    "Report": lambda: [
        report(pl.DataFrame(LOANS), "default", "champion_pd", title=HOSTILE)
    ],
    "SamplePlan": lambda: [
        plan_from_sample(Y, CHAMPION),
        replace(plan_from_sample(Y, CHAMPION, half_width=0.03), name=HOSTILE),
    ],
    "SegmentComparison": lambda: [accuracy_ratio_test_segments(Y, CHAMPION, PARTS)],
    "Tally": lambda: [CURVE.tally],
    "TieBounds": lambda: [CURVE.tie_bounds],
    "Trend": lambda: [
        accuracy_ratio_test_segments(Y, CHAMPION, LOANS["year"], ordered=True).trend
    ],
}


def list_results(public):
    """List the names of the classes that a user receives."""
    return [
        name
        for name, value in public.items()
        if inspect.isclass(value) and not issubclass(value, Exception | Warning)
        if name not in WITHOUT
    ]


def list_without_view(public):
    return [
        name
        for name in list_results(public)
        if not callable(getattr(public[name], "_repr_html_", None)) or name not in EXAMPLES
    ]


PUBLIC = {name: getattr(capcurve, name) for name in capcurve.__all__}
RESULTS = list_results(PUBLIC)


class Page(HTMLParser):
    """Read HTML strictly: every element is closed, in order."""

    def __init__(self, html):
        super().__init__()
        self.open, self.texts, self.elements = [], [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(self.texts)


def is_shown(number, text):
    """Whether a text holds a number, rounded to the digits that it shows."""
    if 0 <= number < 0.001 and "< 0.001" in text:
        return True
    for found in NUMBER.findall(text):
        scale = 0.01 if found.endswith("%") else 1
        digits = found.rstrip(" %").replace(",", "")
        mantissa, _, power = digits.partition("e")
        last = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2])) * scale
        distance = abs(number - float(digits) * scale)
        if distance <= 1e-9 * abs(number):
            return True
        if distance <= 0.5001 * last <= max(6e-4, 1e-3 * abs(number)):
            return True
    return False


def list_numbers(result, *, is_part=False):
    """List all numbers of a result, its parts included, but for those that are left out."""
    if isinstance(result, np.ndarray):
        values = result.ravel()
        shown = values if len(values) <= 60 else np.concatenate([values[:10], values[-10:]])
        return shown.astype(float).tolist()
    parts = []
    if isinstance(result, dict):
        parts = list(result.values())
    elif is_dataclass(result) or hasattr(result, "_fields"):
        name = type(result).__name__
        names = getattr(result, "_fields", None) or [each.name for each in fields(result)]
        kept = set(names) - LEFT_OUT.get(name, set()) - LEFT_OUT_ALWAYS
        kept &= OF_PARTS.get(name, kept) if is_part else kept
        if getattr(result, "n_nonevents", 1) == 0:
            kept.discard("n_nonevents")  # they are rows, not events
        one_sided = {"greater": "high", "less": "low"}  # the other is the end of the scale
        if name == "Comparison":
            kept.discard(one_sided.get(result.alternative))
        parts = [getattr(result, name) for name in kept]
    elif isinstance(result, tuple):
        parts = list(result)
    is_number = isinstance(result, int | float) and not isinstance(result, bool)
    numbers = [result] if is_number and isfinite(result) else []
    is_whole = isinstance(result, capcurve.InitialComparison)  # shows its tests in full
    return numbers + [
        each for part in parts for each in list_numbers(part, is_part=not is_whole)
    ]


def numbers_of(result):
    if isinstance(result, CapCurve):
        rates = (result.capture_rate_at(share) for share in (0.1, 0.2, 0.5))
        totals = result.total_weight, result.total_target
        return [result.accuracy_ratio, *result.tie_bounds, result.ks, *rates, *totals]
    if isinstance(result, capcurve.BinnedCurve | CapSketch):
        rates = (result.capture_rate_at(share) for share in (0.1, 0.2, 0.5))
        bounded = [result.accuracy_ratio, result.ks, *rates]
        return [result.n_rows, *(each for bounds in bounded for each in bounds)]
    if isinstance(result, capcurve.BoundedTable):
        columns = ("capture_rate", "lift")
        return [x for table in result for name in columns for x in getattr(table, name)]
    if isinstance(result, capcurve.Report):
        return []
    return list_numbers(result)


def test_every_public_result_has_a_view_and_an_example():
    assert list_without_view(PUBLIC) == []
    assert set(EXAMPLES) == set(RESULTS)
    assert set(WITHOUT) < set(PUBLIC)


def test_a_new_result_without_a_view_is_found():
    planted = type("Planted", (), {})
    seen = type("Seen", (), {"_repr_html_": lambda _: ""})
    found = list_without_view(PUBLIC | {"Planted": planted, "Seen": seen})
    assert found == ["Planted", "Seen"]  # the second has no example here


@pytest.mark.slow
@pytest.mark.parametrize("name", RESULTS)
def test_views_are_well_formed_and_fetch_and_run_nothing(name):
    for result in EXAMPLES[name]():
        assert type(result) is PUBLIC[name]
        page = Page(result._repr_html_())
        for tag, attributes in page.elements:
            assert tag not in {"script", "link", "img", "object", "embed"}
            assert not any(each.startswith("on") for each in attributes)
            assert not {"src", "href", "background", "xlink:href"} & set(attributes)
            told = " ".join(
                str(value) for key, value in attributes.items() if key != "srcdoc"
            )
            assert "http" not in told
        assert "http" not in page.text
        assert "url(" not in result._repr_html_().partition("srcdoc")[0]


@pytest.mark.parametrize("name", RESULTS)
def test_views_hold_the_numbers_of_the_result(name):
    for result in EXAMPLES[name]():
        text = Page(result._repr_html_()).text
        missing = [value for value in numbers_of(result) if not is_shown(value, text)]
        assert not missing, (missing, text)


@pytest.mark.parametrize(
    "name",
    [
        *("AccuracyRatioChange", "ChangePart", "Comparison", "Estimate", "Gate"),
        *("JointComparison", "SamplePlan", "SegmentComparison"),
    ],
)
def test_views_show_text_of_the_user_as_text(name):
    for result in EXAMPLES[name]()[1:] or EXAMPLES[name]():
        html = result._repr_html_()
        assert "<script" not in html
        assert HOSTILE in Page(html).text


@pytest.mark.parametrize("name", sorted(set(RESULTS) - {"InitialComparison"}))
def test_the_plain_form_stays_one_line(name):
    arrays = {"Tally", "Bins", "Profile", "BoundedCurve", "BoundedTable", "GainsTable"}
    if name not in arrays | {"CutOff"}:  # NumPy breaks the lines of their arrays
        assert all("\n" not in repr(result) for result in EXAMPLES[name]())


def test_a_view_loads_nothing_that_draws_or_frames():
    program = (
        "import sys, warnings\n"
        "from capcurve import accuracy_ratio_interval\n"
        "loaded = set(sys.modules)\n"
        "found = accuracy_ratio_interval([1, 0] * 40, [2, 1, 0, 3] * 20)\n"
        "assert 'capcurve._view' not in loaded\n"
        "assert found._repr_html_()\n"
        "heavy = {'matplotlib', 'pandas', 'polars', 'great_tables', 'jinja2', 'altair'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert run.stdout == "[]\n"


# In a browser.

THEMES = {"light": ("#ffffff", "#111111"), "dark": ("#111111", "#dddddd")}
COLOURS = """
() => [...document.querySelectorAll(".capcurve-view, .capcurve-view *")]
  .filter((each) => !each.closest("svg"))
  .map((each) => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor])
"""


@pytest.fixture
def open_page(browser):
    """Open a page like a notebook, and see that nothing goes wrong or out."""
    opened, trouble, requests = [], [], []

    def open_in(theme, body):
        paper, ink = THEMES[theme]
        page = browser.new_page(viewport={"width": 900, "height": 900})
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: trouble.append(dialog.message))
        page.on("request", lambda asked: requests.append(asked.url))
        page.set_content(
            f"<!doctype html><html lang=en><title>Notebook</title>"
            f"<body style='background:{paper};color:{ink};font:14px sans-serif'>"
            f"<main><h1>Notebook</h1>{body}</main>"
        )
        opened.append(page)
        return page

    yield open_in
    for page in opened:
        page.close()
    assert trouble == []
    assert requests == []


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_views_have_the_colours_of_the_notebook_and_can_be_read(open_page, theme):
    shown = [each for name in RESULTS if name != "Report" for each in EXAMPLES[name]()]
    page = open_page(theme, "".join(each._repr_html_() for each in shown))
    assert page.locator(".capcurve-view").count() == len(shown)
    ink = {"light": "rgb(17, 17, 17)", "dark": "rgb(221, 221, 221)"}[theme]
    assert {tuple(each) for each in page.evaluate(COLOURS)} == {(ink, "rgba(0, 0, 0, 0)")}
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.slow
def test_a_report_runs_in_a_frame_that_cannot_reach_the_notebook(open_page):
    (found,) = EXAMPLES["Report"]()
    page = open_page("dark", found._repr_html_())
    frame = page.locator("iframe").element_handle().content_frame()
    frame.wait_for_selector("body[data-ready]")
    assert frame.locator("h1").inner_text() == HOSTILE
    assert frame.locator(".chart svg").count() >= 2
    reach = "() => { try { return parent.document.title } catch (error) { return 'no' } }"
    assert frame.evaluate(reach) == "no"
    box = page.locator("iframe").bounding_box()
    assert box["width"] > 800
    assert 600 < box["height"] < 900


@pytest.mark.slow
def test_a_table_for_publication_is_dark_on_white_in_every_notebook(open_page):
    made = GainsTable.from_curve(CURVE).to_gt(title=HOSTILE)
    dark_rows = "<style>body tbody tr:nth-child(n) { background: #111 }</style>"
    page = open_page("dark", dark_rows + made.as_raw_html())
    paper = page.locator("tbody tr > *").evaluate_all(
        "cells => cells.map((cell) => getComputedStyle(cell).backgroundColor)"
    )
    assert len(paper) == 11 * 11
    assert set(paper) == {"rgb(255, 255, 255)"}
    assert page.locator(".gt_title").inner_text() == HOSTILE
    right = page.locator("tbody td:nth-child(3)").evaluate_all(
        "cells => cells.map((cell) => { const range = document.createRange();"
        " range.selectNodeContents(cell);"
        " return Math.round(range.getBoundingClientRect().right) })"
    )
    assert len(right) == 11
    assert len(set(right)) == 1
