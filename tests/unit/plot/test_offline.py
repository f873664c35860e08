"""Charts as pages: in a real browser, in the dark, without a network."""

import io
import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import altair as alt
import numpy as np
import pytest

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    KSDisplay,
    LiftCurveDisplay,
    MissingDependencyError,
    PanelsDisplay,
)
from capcurve._plot.offline import CONFIG, INK, MIME, read_chart_library
from capcurve.datasets import make_portfolio

LOANS = make_portfolio(3_000)
NAMES = ["Champion", "</script><b>Challenger & co</b>"]
SHARES = (0.005, 0.1, 0.3, 0.9)


@pytest.fixture(scope="module")
def curves():
    scores = (LOANS["champion_pd"], LOANS["challenger_pd"])
    return [CapCurve.from_predictions(LOANS["default"], score) for score in scores]


@pytest.fixture(scope="module")
def chart(curves):
    display = CAPCurveDisplay(curves, name=NAMES)
    return display.chart(title="Tom & <Jerry>", band="pointwise", mark=0.5)


def test_a_notebook_gets_the_specification_and_a_page_without_links(chart):
    bundle, metadata = chart._repr_mimebundle_()
    assert set(bundle) == {MIME, "text/html", "text/plain"}
    assert MIME == "application/vnd.vegalite.v6.json"
    assert bundle[MIME]["background"] == "transparent"
    assert bundle["text/plain"] == "OfflineChart('Tom & <Jerry>')"
    own = bundle["text/html"].replace(read_chart_library(), "")
    assert len(own) < 100_000
    assert not re.search(r"src=|href=|https?://(?!vega.github.io/schema)", own)
    assert metadata[MIME]["embed_options"]["actions"]["editor"] is False


def test_the_renderer_and_the_theme_of_the_user_come_first(chart):
    with alt.renderers.enable("mimetype"):
        bundle, *_ = chart._repr_mimebundle_()
        assert "text/html" not in bundle
    own = chart.configure(background="white").configure_axis(labelColor="red").to_dict()
    assert "background" not in own
    assert own["config"]["axis"]["labelColor"] == "red"
    assert own["config"]["axis"]["titleColor"] == INK
    assert CONFIG["axis"]["labelColor"] == INK


def test_charts_are_saved_to_paths_and_files(chart):
    chart.save("chart.html")
    page = Path("chart.html").read_text(encoding="utf-8")
    assert "<title>Tom &amp; &lt;Jerry></title>" in page
    buffer = io.StringIO()
    chart.save(buffer, "html")
    assert buffer.getvalue() == page
    with Path("other.html").open("w", encoding="utf-8") as opened:
        chart.save(opened)
    assert Path("other.html").read_text(encoding="utf-8") == page
    chart.save("altair.html", embed_options={"actions": False})
    assert "cdn.jsdelivr.net" not in Path("altair.html").read_text(encoding="utf-8")
    chart.save("chart.json")
    assert json.loads(Path("chart.json").read_text())["background"] == "transparent"
    chart.save("chart.png", scale_factor=0.5)
    assert Path("chart.png").read_bytes().startswith(b"\x89PNG")
    assert "cdn.jsdelivr.net" in chart.to_html(fullhtml=False)  # as Altair makes it
    assert "<title>Plain</title>" in chart.properties(title="Plain").to_html()
    untitled = chart.copy()
    untitled.title = alt.Undefined
    assert repr(untitled) == "OfflineChart('Chart')"


def test_images_leave_out_the_slider_and_what_stands_there(curves):
    single = CAPCurveDisplay(curves, name=["A", "B"]).chart(mark=0.5)
    panels = PanelsDisplay(dict(zip("AB", curves, strict=True))).chart()
    for chart in (single, panels):
        image, page = io.StringIO(), io.StringIO()
        chart.save(image, format="svg")
        chart.save(page, format="html")
        assert "at 10" not in image.getvalue()
        assert ">100%<" in image.getvalue()
        assert "% at 50%" in image.getvalue() or chart is panels
        assert re.search(r"at_[0-9a-f]{8}", page.getvalue())


def test_a_renderer_of_images_leaves_out_the_slider(chart):
    with alt.renderers.enable("svg"):
        bundle = chart._repr_mimebundle_()
    assert "at 10.0%" not in bundle["image/svg+xml"]
    assert "% at 50%" in bundle["image/svg+xml"]


def test_what_is_not_installed_is_named(curves, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingDependencyError, match=r'vl_convert .* "capcurve\[chart\]"'):
        curves[0].chart()
    monkeypatch.undo()
    monkeypatch.delitem(sys.modules, "capcurve._plot.chart", raising=False)
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingDependencyError, match=r'altair .* "capcurve\[chart\]"'):
        curves[0].chart()


# The page, in a browser.


@pytest.fixture
def show(browser, tmp_path):
    """Open a page; nothing may go wrong there, nor be asked from anywhere."""
    pages, trouble, requests = [], [], []

    def show_page(html, **options):
        path = tmp_path / "shown.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(**options)
        page.set_default_timeout(120_000)  # beside other tests
        pages.append(page)
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda asked: requests.append(asked.url))
        page.goto(path.as_uri())
        page.wait_for_selector("svg .mark-line path", state="attached")
        return page

    yield show_page
    for page in pages:
        page.close()
    assert trouble == []
    assert set(requests) == {(tmp_path / "shown.html").as_uri()}


def frame_of(page):
    """Return the rectangle between the axes: that of the x axis and the y axis."""
    across, up = (
        page.locator(".role-axis-domain line").nth(i).bounding_box() for i in (0, 1)
    )
    return across["x"], up["y"], across["width"], up["height"]


def texts_of(page):
    """Return the texts beside the chart."""
    return page.locator(".mark-text.role-mark text").all_text_contents()


def move(page, share):
    page.locator(".vega-bind input").evaluate(
        "(each, value) => {each.value = value; each.dispatchEvent(new Event('input'))}",
        f"{100 * share:g}",
    )
    page.wait_for_function(
        "text => [...document.querySelectorAll('.mark-text.role-mark text')]"
        ".some(each => each.textContent === text)",
        arg=f"at {share:.1%}",
    )


@pytest.mark.slow
def test_the_slider_of_ks_shows_ks_and_then_the_scores_below(show):
    score = np.concatenate([np.linspace(0.001, 0.01, 500), np.linspace(0.02, 0.6, 20)])
    y = np.random.default_rng(0).random(520) < score * 5
    curve = CapCurve.from_predictions(y, score)
    page = show(KSDisplay(curve).chart().to_html())
    shown = sorted(float(text.split("%")[0]) for text in texts_of(page) if "%" in text)
    assert shown[1] - shown[0] == pytest.approx(100 * curve.ks, abs=0.11)
    slider = page.locator(".vega-bind input")
    assert slider.input_value() == page.locator(".vega-bind span").last.text_content()
    slider.press("Home")
    page.wait_for_function(
        "[...document.querySelectorAll('.mark-text.role-mark text')]"
        ".some(each => each.textContent === 'at 0.001')"
    )


@pytest.mark.slow
def test_pointing_at_a_curve_shows_its_name_and_its_numbers(show, chart, curves):
    page = show(chart.to_html())
    left, top, width, height = frame_of(page)
    tooltip = page.locator("#vg-tooltip-element.visible")
    for curve, name in zip(curves, NAMES, strict=True):
        up = 12 if name == "Champion" else -12
        share = 0.3
        captured = curve.capture_rate_at(share)
        # Away from the other curve, so that this one is the nearest.
        other = curves[0] if curve is curves[1] else curves[1]
        up = -14 if other.capture_rate_at(share) < captured else 14
        x, y = left + share * width, top + (1 - captured) * height + up
        page.mouse.move(x + 3, y)
        page.mouse.move(x, y)
        tooltip.wait_for()
        told = dict(
            zip(
                tooltip.locator("td.key").all_inner_texts(),
                tooltip.locator("td.value").all_inner_texts(),
                strict=True,
            )
        )
        assert list(told) == [
            "Curve",
            "Population share",
            "Capture rate",
            "Lift",
            "Score cut-off",
        ]
        assert told["Curve"] == f"{name} (AR = {curve.accuracy_ratio:.3f})"
        at = float(told["Population share"].removesuffix("%")) / 100
        assert at == pytest.approx(share, abs=0.05)
        shown = float(told["Capture rate"].removesuffix("%")) / 100
        assert shown == pytest.approx(curve.capture_rate_at(at), abs=2e-4)
        assert float(told["Lift"]) == pytest.approx(shown / at, rel=2e-3)
        cut_off = float(told["Score cut-off"])
        assert curve.at_threshold(cut_off).capture_rate == pytest.approx(shown, abs=2e-3)


@pytest.mark.slow
def test_the_slider_moves_the_rule_and_reads_every_curve_off(show, chart, curves):
    page = show(chart.to_html())
    for share in SHARES:
        move(page, share)
        told = texts_of(page)
        for curve, name in zip(curves, NAMES, strict=True):
            (shown,) = (text for text in told if text.endswith(f"%  {name}"))
            value = float(shown.partition("%")[0]) / 100
            assert value == pytest.approx(curve.capture_rate_at(share), abs=0.001)
        left, _, width, _ = frame_of(page)
        rules = page.locator(".mark-rule line").evaluate_all(
            "lines => lines.map(line => line.getBoundingClientRect())"
            ".filter(box => box.height > 300).map(box => box.x + box.width / 2)"
        )
        assert min(abs(rule - left - share * width) for rule in rules) < 1


@pytest.mark.slow
def test_clicks_in_the_legend_pick_curves_out_and_let_them_go(show, curves):
    display = CAPCurveDisplay([*curves, curves[0]], name=["A", "B", "C"])
    page = show(display.chart(plot_perfect=False).to_html())

    def count_shown():
        page.wait_for_timeout(300)
        pale = page.locator(".mark-line path").evaluate_all(
            "paths => paths.map(path => path.getAttribute('opacity'))"
        )
        beside = [text[-1] for text in texts_of(page) if "%  " in text]
        return pale.count("0.12"), sorted(beside)

    assert count_shown() == (0, ["A", "B", "C"])
    labels = page.locator(".role-legend-label text")
    labels.nth(0).click()
    assert count_shown() == (2, ["A"])
    labels.nth(1).click()
    assert count_shown() == (1, ["A", "B"])
    labels.nth(0).click()
    assert count_shown() == (2, ["B"])
    labels.nth(1).click()
    assert count_shown() == (0, ["A", "B", "C"])


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_the_colour_of_the_page_on_a_transparent_ground(show, chart, scheme):
    page = show(chart.to_html(), color_scheme=scheme)
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert ink == ("rgb(0, 0, 0)" if scheme == "light" else "rgb(255, 255, 255)")
    fills = page.locator("svg .mark-text text").evaluate_all(
        "texts => texts.map(text => getComputedStyle(text).fill)"
    )
    assert set(fills) == {ink}
    assert page.locator("svg rect.background").count() == 0 or page.locator(
        "svg rect.background"
    ).first.evaluate("each => each.getAttribute('fill')") in {None, "none", "transparent"}


@pytest.mark.slow
def test_texts_beside_the_chart_never_overlap(show, curves):
    many = [curves[i % 2] for i in range(20)]
    names = [f"A model of a rather long name, number {i}" for i in range(20)]
    page = show(CAPCurveDisplay(many, name=names).chart().to_html())
    for share in (0.005, 0.1, 0.995):
        move(page, share)
        boxes = [
            each.bounding_box() for each in page.locator(".mark-text.role-mark text").all()
        ]
        beside = sorted(box["y"] for box in boxes)
        assert len(beside) == 21  # with the share itself
        gaps = [low - high for high, low in pairwise(beside)]
        assert min(gaps) > 12
        _, top, _, height = frame_of(page)
        assert beside[-1] < top + height + 5


@pytest.mark.slow
def test_charts_share_a_page_and_charts_side_by_side_a_slider(show, curves):
    cap, lift = curves[0].chart(name="A"), LiftCurveDisplay(curves[0], name="A").chart()
    shown = (cap, lift, cap)
    pages = [each._repr_mimebundle_()[0]["text/html"] for each in shown]
    page = show("<meta charset='utf-8'>" + "".join(pages))
    page.wait_for_function(
        "document.querySelectorAll('.capcurve-chart svg.marks').length == 3"
    )
    assert page.evaluate("window.vegaEmbed") is None
    both = alt.hconcat(cap, lift).resolve_scale(
        color="independent", strokeDash="independent"
    )
    page = show(both.to_html(inline=True))
    assert page.locator(".vega-bind").count() == 1
    move(page, 0.3)
    told = texts_of(page)
    assert f"{curves[0].capture_rate_at(0.3):.1%}  A" in told
    assert f"{curves[0].lift_at(0.3):.2f}  A" in told
