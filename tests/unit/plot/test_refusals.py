"""Keywords that no picture takes are refused with where they go."""

import pytest

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    DoubleLift,
    DoubleLiftDisplay,
    GainCurveDisplay,
    PanelsDisplay,
    gain_curve,
    plot_panels,
)

Y, S = [0, 1, 1, 0], [1, 2, 3, 2]
CURVE = CapCurve.from_predictions(Y, S)
CHARTS = {
    "curve": CURVE.chart,
    "display": CAPCurveDisplay(CURVE).chart,
    "double lift": DoubleLiftDisplay(
        DoubleLift.from_predictions(Y, [0.1, 0.2, 0.4, 0.3], [0.2, 0.3, 0.1, 0.4], bands=2)
    ).chart,
    "panels": PanelsDisplay([CURVE, CURVE]).chart,
}


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
@pytest.mark.parametrize(
    "option", ["curve_kwargs", "despine", "ax", "figsize", "color", "panel_size"]
)
def test_a_chart_takes_nothing_of_matplotlib(chart, option):
    with pytest.raises(TypeError, match=rf"^chart\(\) .*'{option}', .* colours .* fixed"):
        chart(**{option: None})


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ("figsize", r"; pass axes of your own as ax, from plt\.subplots\(figsize="),
        ("linewidth", r"; pass the style of its lines as curve_kwargs=\{'linewidth': "),
        ("marks", r"'marks'; did you mean 'mark'\?$"),
        ("curve_style", r"'curve_style'; pass an option that it documents$"),
        ("series", r"'series'; pass an option that it documents$"),
        ("colour", r"'colour'; pass an option that it documents$"),
    ],
    ids=["size", "style", "alike", "not alike", "inner", "unknown"],
)
@pytest.mark.parametrize(
    "draw",
    [
        lambda **options: CAPCurveDisplay.from_predictions(Y, S, **options),
        CURVE.plot,
        lambda **options: plot_panels([CURVE], **options),
    ],
    ids=["display", "curve", "panels"],
)
def test_an_unknown_option_of_plot_is_told_where_it_goes(draw, option, advice):
    with pytest.raises(TypeError, match=advice):
        draw(**{option: None})


@pytest.mark.parametrize("name", ["curve", "display", "panels"])
def test_a_chart_names_itself_where_it_refuses_an_option(name):
    with pytest.raises(TypeError, match=r"^chart\(\) got .*'marks'; did you mean 'mark'"):
        CHARTS[name](marks=0.1)


def test_a_chart_of_a_frame_refuses_what_it_does_not_know():
    pd = pytest.importorskip("pandas")
    curves = gain_curve(pd.DataFrame({"bad": Y, "pd": S}), "bad", "pd")
    display = GainCurveDisplay(curves)
    with pytest.raises(TypeError, match=r"^chart\(\) .*'curve_kwargs'"):
        display.chart(curve_kwargs={})
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'; pass"):
        display.chart(colour="red")
    with pytest.raises(TypeError, match=r"^chart\(\) .*'marks'; did you mean 'mark'"):
        display.chart(marks=0.1)
