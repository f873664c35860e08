"""Interactive charts: what their specifications hold."""

import itertools
import json
import re
import warnings

import altair as alt
import numpy as np
import pytest

from capcurve import (
    BinnedCurve,
    CapCurve,
    CAPCurveDisplay,
    CapcurveError,
    CapSketch,
    GainsTableDisplay,
    KSDisplay,
    LiftCurveDisplay,
)
from capcurve._plot.chart import make_chart
from capcurve._plot.chart_legend import color_curve, dash_curve
from capcurve._plot.chart_marks import MOST_TEXTS, place_texts, to_pixels
from capcurve._plot.picture import Axis, Detail, Layer, Mark, Picture
from capcurve.datasets import make_portfolio

LOANS = make_portfolio(3_000)
NAMES = ["Champion", "Challenger"]


@pytest.fixture(scope="module")
def curves():
    scores = (LOANS["champion_pd"], LOANS["challenger_pd"])
    return [CapCurve.from_predictions(LOANS["default"], score) for score in scores]


def rows_of(spec, field):
    """List the rows of the only data set that has a field."""
    (found,) = (rows for rows in spec["datasets"].values() if rows and field in rows[0])
    return found


def encodings(spec, channel):
    return [
        layer["encoding"][channel]
        for layer in spec["layer"]
        if channel in layer.get("encoding", {})
    ]


def test_rows_are_points_of_the_curve_with_lift_and_cut_off(curves):
    spec = CAPCurveDisplay(curves, name=NAMES).chart().to_dict()
    rows = rows_of(spec, "i")
    assert 200 < len(rows) < 1_000
    for i, curve in enumerate(curves):
        for row in (row for row in rows if row["i"] == i):
            captured = curve.capture_rate_at(row["x"])
            assert row["y"] == pytest.approx(captured, abs=1e-5)
            if 0 < row["x"] < 1:
                assert row["d0"] == pytest.approx(captured / row["x"], rel=1e-3)
                assert float(row["d1"]) == pytest.approx(
                    curve.threshold_at(row["x"] - 1e-5), rel=1e-4
                )
    assert [row["d1"] for row in rows if row["x"] == 0] == ["inf", "inf"]
    assert all(len(f"{row['y']:.6g}") >= len(str(row["y"])) - 2 for row in rows)


def test_the_slider_reads_the_curve_off_at_every_step(curves):
    spec = CAPCurveDisplay(curves, name=NAMES).chart().to_dict()
    rows = rows_of(spec, "y0")
    assert [row["x"] for row in rows] == pytest.approx(np.linspace(0, 1, 201).tolist())
    for i, curve in enumerate(curves):
        for row in rows:
            exact = curve.capture_rate_at(row["x"])
            assert row[f"y{i}"] == pytest.approx(exact, abs=1e-6)


def test_lift_and_totals_are_read_off_too(curves):
    lift = LiftCurveDisplay(curves[0]).chart().to_dict()
    rows = rows_of(lift, "y0")
    assert [row["y0"] for row in rows[:2]] == [None, None]  # shares below 1 %
    assert rows[20]["y0"] == pytest.approx(curves[0].lift_at(0.1), rel=2e-3)
    points = rows_of(lift, "i")
    assert {"d0", "d1"} <= set(points[0])
    totals = CAPCurveDisplay(curves[0]).chart(normalize_scale=False).to_dict()
    rows = rows_of(totals, "y0")
    assert rows[-1] == {"x": 3_000, "y0": curves[0].total_target}


def test_the_picture_of_the_last_plot_is_drawn_unless_options_are_given(curves):
    display = CAPCurveDisplay(curves[0], name="Champion").plot(mark=0.4, title="Mine")
    again = display.chart()
    assert again.title.text == "Mine"
    assert "captured at 40%" in json.dumps(again.to_dict())
    other = display.chart(mark=0.2)
    assert "captured at 20%" in json.dumps(other.to_dict())
    assert "captured at 40%" not in json.dumps(other.to_dict())
    assert "Model B (AR" in json.dumps(display.chart("Model B").to_dict())
    with pytest.raises(CapcurveError, match="`mark`"):
        display.chart(mark=2)


def test_every_curve_draws_itself(curves):
    assert repr(curves[0].chart(name="A")) == "OfflineChart('CAP curve, AR = 0.566')"
    sketch = CapSketch(max_bins=32)
    sketch.update(LOANS["default"], LOANS["champion_pd"])
    for binned in (sketch, sketch.curve):
        assert isinstance(binned, BinnedCurve | CapSketch)
        assert "Guaranteed bounds" in json.dumps(binned.chart().to_dict())
        assert binned.plot(name="binned").get_title() == binned.chart().title.text


def test_twenty_curves_differ_in_colour_or_dashes_and_neighbours_in_both():
    looks = [(color_curve(i), tuple(dash_curve(i))) for i in range(20)]
    assert len(set(looks)) == 20
    for (color, dash), (next_color, next_dash) in itertools.pairwise(looks):
        assert color != next_color
        assert dash != next_dash
    assert not [dash for _, dash in looks if min(dash) > 0 and max(dash) <= 4]


def test_curves_of_one_name_have_entries_of_their_own(curves):
    spec = CAPCurveDisplay([curves[0]] * 3, name=["A", "A", "B" * 60]).chart().to_dict()
    domain = encodings(spec, "color")[0]["scale"]["domain"]
    assert domain[:2] == ["A (AR = 0.566)", "A (AR = 0.566) [2]"]
    assert f"{'B' * 20}\\u2026{'B' * 13}" in json.dumps(spec).replace("\\\\", "\\")


def test_folds_have_one_entry_and_their_mean_is_read_off(curves):
    spec = CAPCurveDisplay(curves, name="Forest").chart().to_dict()
    domain = encodings(spec, "color")[0]["scale"]["domain"]
    assert domain[0].startswith("Forest, mean (AR = 0.60")
    assert domain.count("2 folds") == 1
    colors = encodings(spec, "color")[0]["scale"]["range"]
    assert (colors[0], colors[domain.index("2 folds")]) == (
        "#0072B2",
        "rgba(0,114,178,0.5)",
    )
    marks = [layer["mark"] for layer in spec["layer"] if "detail" in layer["encoding"]]
    assert marks  # drawn in the colour of the entry
    assert not any("opacity" in mark for mark in marks)
    assert encodings(spec, "fill")[0]["scale"]["domain"] == ["± 1 standard deviation"]
    apart = CAPCurveDisplay(curves).chart(normalize_scale=False).to_dict()
    assert not any("binding" in str(each.get("bind")) for each in apart.get("params", []))


def test_areas_are_in_the_legend_once(curves):
    display = CAPCurveDisplay(curves, name=NAMES)
    spec = display.chart(band="pointwise", shade=True).to_dict()
    fields = [each for each in encodings(spec, "fill") if "field" in each]
    assert [each["scale"]["domain"] for each in fields] == [
        ["95% confidence band (pointwise)"]
    ]
    assert len(encodings(spec, "fill")) == 3
    bands = [each for each in spec["layer"] if "fill" in each.get("encoding", {})]
    dimmed = [each["encoding"].get("opacity", {}).get("value") for each in bands]
    assert dimmed == [None, pytest.approx(0.024), pytest.approx(0.024)]


BANDS = Axis("Band", "name", names=("1", "2", "3"))
PLACES = np.arange(3.0)


def make_bars(**options):
    heights = np.array([0.5, 0.3, 0.2])
    layers = (
        Layer("bars", PLACES, heights, number=0, name="A", entry="A", **options),
        Layer("bars", PLACES, heights / 2, number=1, name="B", entry="B"),
        Layer("limits", PLACES, heights - 0.1, top=heights + 0.1, entry="95% limits"),
        Layer("chance", np.array([-0.5, 2.5]), np.full(2, 0.33), entry="Random"),
    )
    return Picture("Gains", BANDS, Axis("Response rate", "share", 0), layers)


def test_bars_stand_side_by_side_with_their_limits():
    scores = np.array([np.inf, 2.0, 1.0])
    spec = make_chart(make_bars(details=(Detail("Score", "score", scores),))).to_dict()
    bars = [each for each in spec["datasets"].values() if each and "left" in each[0]]
    (first, second) = bars
    assert first[0]["right"] <= second[0]["left"]
    assert second[0]["right"] <= first[1]["left"]
    assert [row["at"] for row in first] == ["1", "2", "3"]
    assert [row["d0"] for row in first] == ["inf", "2", "1"]
    limits = rows_of(spec, "top")
    assert limits[0]["x"] == pytest.approx((first[0]["left"] + first[0]["right"]) / 2)
    assert encodings(spec, "x")[0]["scale"]["domain"] == [-0.5, 2.5]
    assert encodings(spec, "y")[0]["scale"]["domain"] == [0, 0.6]
    assert encodings(spec, "fill")[0]["scale"]["domain"] == ["A", "B"]
    (toggle,) = spec["params"]  # nothing to read off
    assert (toggle["bind"], toggle["select"]["fields"]) == ("legend", ["area"])
    picked = [each["condition"][0]["value"] for each in encodings(spec, "opacity")]
    assert picked == [0.5, 0.5, 1, 1, 1]
    areas = [
        step["calculate"]
        for layer in spec["layer"]
        for step in layer.get("transform", [])
        if step.get("as") == "area"
    ]
    assert areas == ['"A"', '"B"', '"A"', '"A"', '"A"']
    tooltips = [
        {each["title"]: each["field"] for each in fields}
        for fields in encodings(spec, "tooltip")
    ]
    assert tooltips[0]["95% limits"] == "limits"
    assert "limits" not in tooltips[1].values()
    assert first[0]["limits"] == "40.00% to 60.00%"


def test_the_values_of_bars_are_those_drawn():
    sample = make_portfolio(600)
    y, s = sample["default"], sample["champion_pd"]
    spec = GainsTableDisplay.from_predictions(y, s, confidence_level=0.9).chart().to_dict()
    (fields,) = encodings(spec, "tooltip")
    titles = [each["title"] for each in fields]
    assert titles[2:6] == ["Response rate", "90% confidence limits", "Population", "Events"]
    amounts = [3.5, 0, 0, 2, 0, 0]
    display = GainsTableDisplay.from_predictions(amounts, [6, 5, 4, 3, 2, 1], bands=3)
    fields = encodings(display.chart().to_dict(), "tooltip")[0]
    assert [each["title"] for each in fields][-3] == "Outcome"


def test_limits_that_are_not_drawn_are_not_told():
    known = Layer("limits", PLACES[:2], np.zeros(2), top=np.ones(2), entry="90% limits")
    other = Layer("limits", PLACES, np.zeros(3), top=np.ones(3), number=1, entry="Bounds")
    bars = Layer("bars", PLACES, np.full(3, 0.5), name="A", entry="A")
    picture = Picture("", BANDS, Axis("Rows", "amount", 0), (bars, known, other))
    spec = make_chart(picture).to_dict()
    rows = [each for each in spec["datasets"].values() if each and "left" in each[0]]
    assert [row["limits"] for row in rows[0]] == ["0 to 1", "0 to 1", "-"]
    assert "Limits" in [each["title"] for each in encodings(spec, "tooltip")[0]]


def test_bars_of_one_model_need_no_legend():
    layer = Layer("bars", PLACES, np.array([3.0, 2, 1]))
    limits = Layer("limits", PLACES, np.zeros(3), top=np.ones(3), number=5)
    picture = Picture("", BANDS, Axis("Rows", "amount", 0), (layer, limits))
    spec = make_chart(picture).to_dict()
    assert encodings(spec, "fill") == [{"value": color_curve(0)}]
    assert "title" not in spec
    assert encodings(spec, "strokeDash")[0]["legend"] is None


def test_two_distributions_with_their_gap():
    scores = np.array([0.0, 1, 1, 2, 2, 3])
    layers = (
        Layer(
            "curve", scores, np.array([0, 0, 0.2, 0.2, 0.5, 1]), name="Events", entry="E"
        ),
        Layer("curve", scores, np.array([0, 0, 0.6, 0.6, 0.9, 1]), None, 1, "Others", "O"),
        Layer("gap", np.array([1.0]), np.array([0.2]), np.array([0.6]), entry="KS = 0.4"),
        Layer("gap", np.array([1.0, 1]), np.array([0.2, 0.6])),
    )
    picture = Picture("KS", Axis("Score", "score"), Axis("Share", "share", 0, 1), layers)
    spec = make_chart(picture).to_dict()
    gaps = [
        each
        for each in spec["datasets"].values()
        if [(row.get("x"), row.get("y")) for row in each] == [(1, 0.2), (1, 0.6)]
    ]
    assert len(gaps) == 1  # the same rows, stored once
    (slider,) = (each for each in spec["params"] if "bind" in each and "value" in each)
    assert (slider["bind"]["min"], slider["bind"]["max"], slider["value"]) == (0, 3, 1)
    assert slider["bind"]["name"] == "Score, in steps "
    tooltips = encodings(spec, "tooltip")
    assert [each["title"] for each in tooltips[0]] == ["Curve", "Score", "Share"]


def find_slider(display, **options):
    spec = display.chart(**options).to_dict()
    (slider,) = (each for each in spec["params"] if "bind" in each and "value" in each)
    return slider


def test_the_slider_of_ks_starts_at_its_cut_off(curves):
    curve = curves[0]
    widest = np.argmax(curve.capture_rate - curve.population_share)
    spec = KSDisplay(curve).chart(over="score").to_dict()
    row = rows_of(spec, "y0")[find_slider(KSDisplay(curve), over="score")["value"]]
    assert row["x"] == curve.thresholds[widest]
    assert row["y1"] - row["y0"] == pytest.approx(curve.ks, abs=2e-6)
    shared = find_slider(KSDisplay(curve), over="population_share")
    assert shared["name"] == find_slider(CAPCurveDisplay(curve))["name"]


@pytest.mark.parametrize("descending", [True, False])
def test_the_slider_of_ks_reads_scores_of_rows_however_they_crowd(descending):
    generator = np.random.default_rng(1)
    score = np.clip(generator.lognormal(np.log(0.0055), 1.1, 20_000), 0, 0.6)
    y, sign = generator.random(20_000) < score, 1 if descending else -1
    curve = CapCurve.from_predictions(y, sign * score, descending=descending)
    display = KSDisplay(curve)
    spec, slider = display.chart().to_dict(), find_slider(display)
    rows, at = rows_of(spec, "y0"), [row["x"] for row in rows_of(spec, "y0")]
    assert set(at) <= set(curve.thresholds)
    assert (slider["bind"]["min"], slider["bind"]["max"]) == (0, len(rows) - 1)
    (moved,) = (each for each in spec["params"] if "expr" in each)
    assert json.loads(moved["expr"].split(f"[{slider['name']}]")[0]) == at
    start = rows[slider["value"]]
    assert abs(start["y1"] - start["y0"]) == pytest.approx(curve.ks, abs=2e-6)
    below = np.searchsorted(np.sort(sign * score), at)  # rows below each step
    assert np.max(np.diff(below)) < 0.03 * 20_000
    for row in rows:  # a cut-off itself is selected, from either side
        below = score < row["x"] if descending else -score <= row["x"]
        assert row["y0"] == pytest.approx(np.mean(below[y]), abs=1e-6)


def test_every_curve_has_its_cut_off_of_ks_on_the_slider(curves):
    rows = rows_of(KSDisplay(dict(zip("ab", curves, strict=True))).chart().to_dict(), "y0")
    for i, curve in enumerate(curves):
        pairs = [(row[f"y{2 * i}"], row[f"y{2 * i + 1}"]) for row in rows]
        gaps = [others - events for events, others in pairs if events is not None]
        assert max(gaps) == pytest.approx(curve.ks, abs=2e-6)


def test_curves_over_names_have_no_slider_and_name_the_place():
    layers = (
        Layer("curve", PLACES, np.array([1.0, 2, 3]), name="Expected", entry="Expected"),
        Layer("curve", PLACES, np.array([1.0, 3, 3]), None, 1, "Observed", "Observed"),
    )
    picture = Picture("", BANDS, Axis("Loss", "amount"), layers)
    spec = make_chart(picture).to_dict()
    assert rows_of(spec, "i")[1] == {"i": 0, "x": 1, "y": 2, "at": "2"}
    assert not any("bind" in each and "value" in each for each in spec["params"])
    assert encodings(spec, "tooltip")[0][1]["field"] == "at"
    assert "labelExpr" in encodings(spec, "x")[0]["axis"]


@pytest.mark.parametrize(
    ("count", "width", "angle", "step"),
    [
        *[(5, 520, 0, 1), (10, 520, 0, 1), (20, 520, -35, 1), (100, 520, -90, 3)],
        *[(10, 320, -35, 1), (10, 210, -35, 1), (20, 210, -35, 2), (15, 210, -90, 1)],
    ],
)
def test_names_along_an_axis_do_not_meet(count, width, angle, step):
    names = tuple(f"{100 * i // count}-{100 * (i + 1) // count}" for i in range(count))
    layers = (Layer("bars", np.arange(float(count)), np.ones(count)),)
    picture = Picture("", Axis("Band", "name", names=names), Axis("Loss", "amount"), layers)
    spec = make_chart(picture, None if width == 520 else width).to_dict()
    axis = encodings(spec, "x")[0]["axis"]
    assert (axis["labelAngle"], axis["values"]) == (angle, list(range(0, count, step)))
    # Each has the width of its text, seen along the axis, or the height of a line.
    across = 6 * max(map(len, names)) if not angle else 11 / np.sin(np.radians(-angle))
    assert step * width / count >= across


def test_details_of_all_units_are_written():
    values = np.array([1.0, 2.0])
    details = (
        Detail("Rows", "amount", np.array([1e6, np.nan])),
        Detail("Grade", "name", np.array(["A", "B"])),
        Detail("Share", "share", np.array([np.inf, 0.5])),
        Detail("Lift", "number", np.array([2.0, np.nan])),
    )
    layers = (
        Layer("curve", values, values, name="a", details=details),
        Layer("curve", values, values, number=1),
    )
    picture = Picture("", Axis("x", "number"), Axis("y", "number"), layers)
    rows = rows_of(make_chart(picture).to_dict(), "i")
    found = [[row[f"d{i}"] for row in rows] for i in range(4)]
    assert found == [
        ["1,000,000", "-", "-", "-"],
        ["A", "B", "-", "-"],
        ["-", "50.00%", "-", "-"],
        ["2.000", "-", "-", "-"],
    ]


def test_a_constant_line_has_room_around_it():
    layer = Layer("curve", np.array([0.0, 1]), np.full(2, 2.0))
    picture = Picture("", Axis("x", "share", 0, 1), Axis("y", "number"), (layer,))
    spec = make_chart(picture).to_dict()
    assert encodings(spec, "y")[0]["scale"]["domain"] == [1.5, 2.5]


def boxes_of(picture, monkeypatch):
    """Return the canvas of a picture, and left end, middle and width of each text."""
    from capcurve._plot import chart_marks

    canvases = []
    monkeypatch.setattr(
        chart_marks, "place_texts", lambda each: canvases.append(each) or place_texts(each)
    )
    make_chart(picture)
    (canvas,) = canvases
    found = []
    for mark, (start, down) in zip(picture.marks, place_texts(canvas), strict=True):
        x, y = to_pixels(canvas, mark)
        found.append((x + start, y + down, 6.3 * len(mark.brief or mark.text)))
    return canvas, found


def test_texts_of_marks_cover_neither_each_other_nor_the_curve(curves, monkeypatch):
    display = CAPCurveDisplay(curves, name=NAMES)
    for shares in ((0.1, 0.5), (0.02, 0.9, 1), 0.97):
        canvas, boxes = boxes_of(display.describe(mark=shares), monkeypatch)
        for (left, middle, width), (other, level, wide) in itertools.combinations(boxes, 2):
            apart = left + width < other or other + wide < left
            assert apart or abs(middle - level) >= 14
        for left, middle, width in boxes:
            assert left >= 0
            assert left + width <= canvas.scale.width
            share = np.linspace(left, left + width, 60) / canvas.scale.width
            for curve in curves:
                height = canvas.scale.height * (
                    1 - curve.capture_rate_at(np.clip(share, 0, 1))
                )
                assert np.all(abs(height - middle) > 5)


@pytest.mark.parametrize("number", [2, 3])
def test_texts_of_curves_close_to_each_other_stay_near_their_points(number, monkeypatch):
    share = np.linspace(0, 1, 101)
    layers = [
        Layer("curve", share, share**0.5 - i / 400, number=i, name=str(i))
        for i in range(number)
    ] + [Layer("chance", share, share)]
    marks = [
        Mark(i, at, at**0.5 - i / 400, "45.3% at 20%")
        for at in (0.1, 0.2)
        for i in range(number)
    ]
    axis = Axis("x", "share", 0, 1)
    picture = Picture(
        "", axis, axis, tuple(layers), marks=tuple(marks), is_square=True, room_below=True
    )
    canvas, boxes = boxes_of(picture, monkeypatch)
    for mark, (left, middle, _) in zip(marks, boxes, strict=True):
        x, y = to_pixels(canvas, mark)
        assert np.hypot(left - x, middle - y) < 65
    spec = make_chart(picture).to_dict()
    joined = [
        row["x"]
        for layer in spec["layer"]
        if layer["mark"].get("y2Offset")  # a thin line; one layer has those that are alike
        for row in spec["datasets"][layer["data"]["name"]]
    ]
    assert joined == ([0.1, 0.2] if number == 3 else [])


@pytest.mark.parametrize("seed", [3, 5, 10])
def test_texts_at_one_share_of_ks_are_in_the_order_of_their_points(seed, monkeypatch):
    random = np.random.default_rng(seed)
    signal = random.normal(size=400)
    event = random.random(400) < 1 / (1 + np.exp(1.5 - 1.3 * signal))
    curves = {
        name: CapCurve.from_predictions(event, signal + noise * random.normal(size=400))
        for name, noise in (("A", 0.2), ("B", 0.6), ("C", 1.2))
    }
    picture = KSDisplay(curves).describe(mark=0.2, over="population_share")
    canvas, boxes = boxes_of(picture, monkeypatch)
    texts = [
        (to_pixels(canvas, mark)[1], middle)
        for mark, (_, middle, _) in zip(picture.marks, boxes, strict=True)
    ]
    for (up, middle), (other, level) in itertools.combinations(texts, 2):
        assert (up - other) * (middle - level) >= 0
    gaps = [layer for layer in picture.layers if layer.role == "gap"]
    for gap, (left, middle, width) in itertools.product(gaps, boxes):
        across, up = canvas.scale.to_pixels(gap.x, gap.y)
        low, high = sorted(canvas.scale.height - up)
        assert not (left < across[0] < left + width and low < middle < high)


def test_crowded_texts_keep_at_least_apart_and_many_are_shown_to_the_pointer_only(
    curves, monkeypatch
):
    many = [
        Layer(
            "curve", np.array([0.0, 1]), np.array([low, low + 0.01]), number=i, name=str(i)
        )
        for i, low in enumerate(np.linspace(0, 0.98, 60))
    ]
    marks = tuple(Mark(0, 0.5, 0.005, "a text " * 4) for _ in range(3))
    axis = Axis("x", "share", 0, 1)
    _, boxes = boxes_of(Picture("", axis, axis, tuple(many), marks), monkeypatch)
    for (left, middle, width), (other, level, wide) in itertools.combinations(boxes, 2):
        apart = left + width < other or other + wide < left
        assert apart or abs(middle - level) >= 14
    long = Picture("", axis, axis, tuple(many), (Mark(0, 0.5, 0.5, "w" * 200),) * 2)
    _, boxes = boxes_of(long, monkeypatch)  # there is no room at all
    assert [left for left, _, _ in boxes] == pytest.approx([520 / 2 + 9] * 2)
    display = CAPCurveDisplay(curves, name=NAMES)
    for n, drawn in ((MOST_TEXTS // 2, True), (MOST_TEXTS // 2 + 1, False)):
        spec = display.chart(mark=[i / 10 for i in range(1, n + 1)]).to_dict()
        texts = [each["field"] for each in encodings(spec, "text")]
        assert (len(texts) > 2) == drawn
        assert len(encodings(spec, "tooltip")) == 2


def test_a_chart_is_an_ordinary_chart_of_altair(curves):
    cap, lift = curves[0].chart(name="A"), LiftCurveDisplay(curves[0], name="A").chart()
    assert isinstance(cap, alt.LayerChart)
    assert cap.properties(width=300).to_dict()["width"] == 300
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both = alt.hconcat(cap, lift).to_dict()
    names = [each["name"] for each in both["params"]]
    assert len(set(names)) == len(names) == 5  # one slider, and two selections of each
    assert "config" not in both["hconcat"][0]
    more = cap + alt.Chart().mark_rule().encode(y=alt.datum(0.5))
    assert type(more) is type(cap)


def test_data_are_stored_once_and_small(curves):
    chart = CAPCurveDisplay(curves, name=NAMES).chart()
    text = json.dumps(chart.to_dict(), separators=(",", ":"))
    assert len(text) < 100_000
    assert text.count('"d1":') < 800
    stored = [json.dumps(each) for each in chart.to_dict()["datasets"].values()]
    assert len(set(stored)) == len(stored)
    assert not re.search(r"\d\.\d{9}", re.sub(r'"expr[^"]*"', "", text))
