"""The page about a score."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from capcurve import CapCurve, CapcurveError, GainsTable, SummaryPage, plot_summary
from capcurve._plot.ranked import Ranked
from capcurve._plot.summary import draw_summary, find_page_size
from capcurve._plot.summary_table import write_score
from capcurve.datasets import make_portfolio

LOANS = make_portfolio(2_000)
Y, S = LOANS["default"], LOANS["champion_pd"]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def cells(page):
    return [text.get_text() for text in page.axes_["table"].texts]


def test_a_page_of_events():
    page = plot_summary(Y, S, name="Champion", mark=0.1, confidence_level=0.9)
    curve = CapCurve.from_predictions(Y, S)
    assert isinstance(page, SummaryPage)
    assert list(page.axes_) == ["cap", "lift", "ks", "gains", "table"]
    assert list(page.displays_) == ["cap", "lift", "ks", "gains"]
    assert page.table == GainsTable.from_curve(curve)
    title = page.figure_.get_suptitle()
    assert title.startswith(
        f"Champion: AR = {curve.accuracy_ratio:.3f}, KS = {curve.ks:.3f}, population 2,000"
    )
    assert f" events ({curve.response_rate:.2%})" in title
    assert repr(page) == f"SummaryPage(Champion (AR = {curve.accuracy_ratio:.3f}))"
    assert [panel for panel, d in page.displays_.items() if d.picture_.marks] == [
        "cap",
        "lift",
    ]
    assert any(each.role == "limits" for each in page.displays_["gains"].picture_.layers)


def test_the_table_holds_the_numbers():
    page = plot_summary([1, 0, 1, 0, 0], [9.5, 8, 8, 2, 1], bands=2, title="Own")
    assert page.figure_.get_suptitle() == "Own"
    dash = "\N{EN DASH}"
    texts = cells(page)
    heads = [text for text in texts if not text[0].isdigit()]
    assert [head.replace("\n", " ") for head in heads] == [
        *("Band", "First score", "Last score", "Population", "Events", "Response rate"),
        *("Capture rate", "Lift", "KS"),
    ]
    rows = [[texts[3 * column + 1 + row] for column in range(9)] for row in range(2)]
    assert rows == [
        [f"0{dash}50", "9.50", "8", "2.5", "1.8", "70.00%", "87.5%", "1.75", "0.625"],
        [f"50{dash}100", "8", "1", "2.5", "0.2", "10.00%", "100.0%", "1.00", "0.000"],
    ]


def test_amounts_have_a_lorenz_curve_and_no_ks():
    page = plot_summary(np.asarray(S) * 100 + 0.001, np.asarray(S), name=None, bands=20)
    assert list(page.axes_) == ["cap", "lift", "lorenz", "gains", "table"]
    assert page.figure_.get_suptitle().startswith("AR = 1.000, population 2,000, mean outc")
    assert "Mean\noutcome" in cells(page)
    assert "KS" not in cells(page)
    assert page.axes_["gains"].get_xticklabels()[0].get_rotation() == 90


@pytest.mark.parametrize("n_rows", [750, 2_000])
@pytest.mark.parametrize("bands", [10, 20])
@pytest.mark.parametrize("scale", [1, 10**16])
def test_columns_of_the_table_are_apart(n_rows, bands, scale):
    scores = np.log(S / (1 - S))[:n_rows] * scale  # whole, if large
    page = plot_summary(Y[:n_rows], scores, name="A", mark=0.1, bands=bands)
    page.figure_.canvas.draw()
    ax = page.axes_["table"]
    boxes = [text.get_window_extent() for text in ax.texts]
    columns = [boxes[i : i + bands + 1] for i in range(0, len(boxes), bands + 1)]
    letter = 0.5 * ax.texts[0].get_fontsize() * page.figure_.dpi / 72
    for left, right in pairwise(columns):
        ends = max(box.x1 for box in left)
        assert min(box.x0 for box in right) - ends >= letter
    assert min(box.x0 for box in columns[0]) >= ax.bbox.x0
    assert max(box.x1 for box in columns[-1]) <= ax.bbox.x1
    assert ax.texts[0].get_fontsize() >= 5.5


@pytest.mark.parametrize(
    "style",
    [
        {"font.size": 18},
        "fivethirtyeight",
        {"axes.labelsize": 22, "xtick.labelsize": 22, "axes.titlesize": 22},
    ],
    ids=str,
)
def test_rows_of_the_table_are_apart_whatever_the_letters(style):
    bands = 20
    with plt.style.context(style):
        page = plot_summary(Y, S, bands=bands)
        page.figure_.canvas.draw()
        texts = page.axes_["table"].texts
        boxes = [text.get_window_extent() for text in texts]
        title = page.axes_["table"].title.get_window_extent()
    columns = [boxes[i : i + bands + 1] for i in range(0, len(boxes), bands + 1)]
    for column in columns:
        assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(column))
        assert title.y0 > column[0].y1


def test_a_page_grows_with_large_letters_only():
    sizes = []
    for letters in (6, 10, 15):
        with plt.rc_context({"font.size": letters}):
            sizes.append(find_page_size())
    assert sizes == [(13.5, 8.6), (13.5, 8.6), pytest.approx((20.25, 12.9))]


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0.012345, "0.0123"),
        (0.5, "0.500"),
        (99.95, "100"),
        (-99.97, "-100"),
        (269.7, "270"),
        (1234.5, "1,234"),
        (1e9, "1,000,000,000"),
        (np.inf, "inf"),
    ],
)
def test_scores_have_three_digits_and_no_bare_point(score, text):
    assert write_score(score) == text


def test_mean_outcomes_have_four_digits_and_no_exponent():
    page = plot_summary(
        [12_345.5, 12_345.5, 402, 1.5], [4, 3, 2, 1], bands=4, target_type="continuous"
    )
    at = cells(page).index("Mean\noutcome")
    assert cells(page)[at + 1 : at + 5] == ["12,346", "12,346", "402.0", "1.500"]


def test_grades_are_named():
    curve = CapCurve.from_frame(
        pd.DataFrame({"y": [0, 1, 1], "s": ["A", "B", "B"]}), "y", "s", order=["A", "B"]
    )
    page = draw_summary(Figure(), Ranked(curve, (), None), name="G", bands="scores")
    assert cells(page)[:6] == ["Band", "B", "A", "First\nscore", "B", "A"]


def test_the_panels_are_an_interactive_chart_that_needs_no_network(tmp_path):
    page = plot_summary(Y, S, name="Champion", mark=0.1)
    chart = page.chart()
    spec = chart.to_dict()
    titles = ["CAP curve", "Lift curve", "Score distributions", "Response rate by band"]
    assert [part["title"]["text"] for part in spec["concat"]] == titles
    assert spec["columns"] == 2
    assert spec["title"]["text"] == page.figure_.get_suptitle()
    alone = {name: each.chart().to_dict() for name, each in page.displays_.items()}
    for part, own in zip(spec["concat"], alone.values(), strict=True):
        assert len(part["layer"]) == len(own["layer"])
        assert (part["width"], part["height"]) == (own["width"], own["height"])
    names = [each["name"] for each in spec["params"] if each["name"].startswith("at_")]
    assert len(names) == len(set(names)) == 2  # of population shares, and of scores
    chart.save(tmp_path / "page.html")
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>Champion: AR = " in html
    assert "https://cdn" not in html
    untitled = plot_summary(Y, S, title="").chart().to_dict()
    assert "title" not in untitled


def test_the_page_is_shown_once():
    assert not any(
        hasattr(SummaryPage, f"_repr_{kind}_") for kind in ("html", "png", "mimebundle")
    )
    page = plot_summary(Y, S)
    assert plt.get_fignums() == [page.figure_.number]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_score": {"a": S, "b": S}}, "`y_score` must be one score for a summary, got 2"),
        (
            {"y_score": np.column_stack([-np.array(S), S])},
            r"one score .*, got 2; of two class probabilities pass .* as `proba\[:, 1\]`",
        ),
        ({"bands": 21}, r"`bands` must be at most 20 .*, got 21 \(21\); pass fewer"),
        ({"bands": "scores"}, "`bands` must be at most 20 for the table to be read"),
        ({"title": 3}, "`title` must be a text, got 3"),
    ],
)
def test_what_does_not_fit_on_a_page_is_refused(options, message):
    with pytest.raises(CapcurveError, match=message):
        plot_summary(**({"y_true": Y, "y_score": S} | options))
