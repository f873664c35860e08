"""Views of curves and gains tables."""

import numpy as np
import pytest

from capcurve import BinnedCurve, CapCurve, CapSketch, CutOff, GainsTable
from capcurve._curve.drawing import draw, draw_area, draw_line
from capcurve._curve.profile import Profile
from views import rows_of

CURVE = CapCurve.from_predictions([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
FRACTIONS = "Counts can be fractional: rows at the edge of a band are split pro rata"


def sketch_of(outcomes, scores, **options):
    sketch = CapSketch(**options)
    sketch.update(outcomes, scores)
    return sketch


def test_a_gains_table_shows_its_bands_and_all_of_them():
    # Of two events in five rows, the first two hold one: 1 / 2 against 2 / 5.
    html = GainsTable.from_curve(CURVE, [0.4])._repr_html_()
    assert rows_of(html) == [
        ["", "In the band", "Up to the end of the band", "Score"],
        [
            *("Band", "n", "Events", "Response rate", "Lift", "Population share"),
            *("Capture rate", "Lift", "KS", "First", "Last"),
        ],
        [
            *("1", "2", "1", "50.00%", "1.250"),
            *("40.00%", "50.00%", "1.250", "0.1667", "5", "4"),
        ],
        [
            *("2", "3", "1", "33.33%", "0.833"),
            *("100.00%", "100.00%", "1.000", "0.0000", "3", "1"),
        ],
        ["All", "5", "2", "40.00%", "1.000", *[""] * 6],
    ]
    assert FRACTIONS not in html


def test_a_gains_table_explains_fractions():
    html = GainsTable.from_curve(CURVE, 2)._repr_html_()
    assert [row[1:3] for row in rows_of(html)[2:]] == [
        ["2.5", "1.5"],
        ["2.5", "0.5"],
        ["5.0", "2.0"],
    ]
    assert FRACTIONS in html


def test_few_events_have_two_decimals_and_many_have_one():
    y, score = [1, 0, 0, 0] * 101, [1] * 404
    table = GainsTable.from_curve(CapCurve.from_predictions(y, score), 3)
    assert rows_of(table._repr_html_())[2][1:3] == ["134.7", "33.7"]
    table = GainsTable.from_curve(CapCurve.from_predictions(y[:40], score[:40]), 3)
    assert rows_of(table._repr_html_())[2][1:3] == ["13.33", "3.33"]


def test_amounts_are_no_events_and_no_percentages():
    curve = CapCurve.from_predictions([2.5, 0.25, 0.0], [3, 2, 1])
    rows = rows_of(GainsTable.from_curve(curve, "scores")._repr_html_())
    assert rows[1][2] == "Outcome"
    assert [row[2:4] for row in rows[2:]] == [
        ["2.50", "2.5000"],
        ["0.25", "0.2500"],
        ["0.00", "0.0000"],
        ["2.75", "0.9167"],
    ]
    large = CapCurve.from_predictions([2500.5, 10.0], [2, 1])
    html = GainsTable.from_curve(large, "scores")._repr_html_()
    assert rows_of(html)[2][2:4] == ["2,500.5", "2,500.50"]
    assert FRACTIONS not in html


def test_a_band_for_each_score_has_one_column_of_scores():
    html = GainsTable.from_curve(CURVE, "scores")._repr_html_()
    assert rows_of(html)[1][-2:] == ["KS", "Score"]
    assert rows_of(html)[0] == ["", "In the band", "Up to the end of the band", ""]


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        ([0.5, 0.25, 0.0], ["0.50", "0.25", "0.00"]),
        ([1 / 3, 0.25, 0.1], ["0.333333", "0.250000", "0.100000"]),
        ([1e-7, 5e-8, 0.0], ["1e-07", "5e-08", "0"]),
        ([2_500_000.5, 3.0, 1.0], ["2.5e+06", "3", "1"]),
        ([np.inf, 3.0, -np.inf], ["∞", "3", "-∞"]),
        ([1_234.5, 3.0, 1.0], ["1,234.5", "3.0", "1.0"]),
    ],
)
def test_scores_line_up_or_have_six_digits(scores, shown):
    curve = CapCurve.from_predictions([1, 0, 1], scores)
    rows = rows_of(GainsTable.from_curve(curve, "scores")._repr_html_())
    assert [row[-1] for row in rows[2:5]] == shown


def test_a_table_without_outcome_is_undefined_and_not_an_error():
    table = GainsTable.from_curve(CURVE, 1)
    nothing = np.zeros(1)
    undefined = np.full(1, np.nan)
    table = GainsTable(
        table.band,
        table.n,
        nothing,
        nothing,
        table.population_share,
        *[undefined] * 4,
        table.highest_score,
        table.lowest_score,
    )
    rows = rows_of(table._repr_html_())
    assert rows[2][3:9] == ["0.00%", "undefined", "100.00%", *["undefined"] * 3]
    assert rows[3][3:5] == ["0.00%", "undefined"]


def test_a_binned_curve_shows_its_guaranteed_bounds():
    rng = np.random.default_rng(1)
    sketch = sketch_of(rng.random(200) < 0.3, rng.normal(size=200), max_bins=8)
    for shown in (sketch, sketch.curve):
        html = shown._repr_html_()
        rows = {row[0]: row[1:] for row in rows_of(html)}
        assert rows["Statistic"] == ["Value", "At least", "At most"]
        ratio = [f"{each:.6f}" for each in sketch.accuracy_ratio]
        assert rows["Accuracy ratio (AR)"] == ratio
        assert len(set(ratio)) == 3
        assert rows["KS"] == [f"{each:.6f}" for each in sketch.ks]
        captured = [f"{each:.6f}" for each in sketch.capture_rate_at(0.2)]
        assert rows["Capture rate at 20%"] == captured
        assert len(set(captured)) == 3
        assert rows["Rows"] == ["200"]
        assert rows["Bins"] == [str(len(sketch.curve.by_score))]
        assert rows["Plan"] == ["sketch"]
        assert "The exact number lies within the guaranteed bounds" in html
        assert html.count("<svg") == 1


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (CapSketch(), "The CAP curve is undefined: no row has come so far; add rows"),
        (
            sketch_of([0, 0], [1, 2]),
            "The CAP curve is undefined: all outcomes of the 2 rows so far are equal; it",
        ),
    ],
)
def test_an_undefined_curve_says_so(shown, told):
    html = shown._repr_html_()
    assert f'<p class="warning">{told}' in html
    assert "<svg" not in html
    assert rows_of(html)[0] == ["Rows", str(shown.n_rows)]


def test_what_rounding_hides_is_said_and_not_raised():
    sketch = CapSketch()
    sketch.update([1.0, 1.0 + 1e-15], [1, 2], sample_weight=[1.0, 1e9])
    assert isinstance(sketch.curve, BinnedCurve)
    assert '<p class="warning">' in sketch._repr_html_()


def test_bounded_points_and_tables_show_all_three():
    sketch = sketch_of([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    html = sketch.cap_curve()._repr_html_()
    assert "<strong>CAP curve of 4 points</strong> with guaranteed bounds" in html
    assert rows_of(html) == [
        ["Population share", "Capture rate", "At least", "At most"],
        *(
            [share, *[rate] * 3]
            for share, rate in (("0.00%", "0.00%"), ("25.00%", "50.00%"))
        ),
        *([share, *["100.00%"] * 3] for share in ("75.00%", "100.00%")),
    ]
    bounded = sketch.gains_table(2)
    assert rows_of(bounded._repr_html_()) == [
        ["", "Capture rate", "Lift"],
        ["Band", "Population share", *["Value", "At least", "At most"] * 2],
        ["1", "50.00%", *["75.00%"] * 3, *["1.5000"] * 3],
        ["2", "100.00%", *["100.00%"] * 3, *["1.0000"] * 3],
    ]


def test_a_bounded_table_keeps_the_bounds_apart():
    sketch = sketch_of([1, 0, 1, 0, 0, 1], [6.0, 5.0, 4.5, -1.0, -2.0, -3.0], max_bins=3)
    bounded = sketch.gains_table([0.2])
    first = rows_of(bounded._repr_html_())[2]
    assert first[2:5] == [f"{table.capture_rate[0]:.2%}" for table in bounded]
    assert first[5:8] == [f"{table.lift[0]:.4f}" for table in bounded]
    assert len(set(first[2:5])) == 3


def test_a_path_shows_its_points():
    html = CURVE.perfect._repr_html_()
    assert "<strong>Path of 3 points</strong>" in html
    assert rows_of(html)[1:] == [
        ["0.00%", "0.00%"],
        ["40.00%", "100.00%"],
        ["100.00%", "100.00%"],
    ]


def test_a_cut_off_shows_one_selection_or_several():
    one = [["Population share", "40.00%"], ["Capture rate", "50.00%"]]
    assert rows_of(CURVE.at_threshold(4)._repr_html_()) == [
        *one,
        ["Response rate", "0.5000"],
        ["Lift", "1.2500"],
    ]
    several = CURVE.at_threshold([[9], [4]])
    assert isinstance(several, CutOff)
    assert rows_of(several._repr_html_()) == [
        ["Cut-off", "Population share", "Capture rate", "Response rate", "Lift"],
        ["1", "0.00%", "0.00%", "undefined", "undefined"],
        ["2", "40.00%", "50.00%", "0.5000", "1.2500"],
    ]


def test_an_area_runs_along_one_line_and_back_along_the_other():
    low, high = (Profile(np.array([0, 0.5, 1]), np.array([0, y, 1])) for y in (0.25, 0.75))
    assert (
        'd="M0.0 240.0L120.0 60.0L240.0 0.0L240.0 0.0L120.0 180.0L0.0 240.0Z"'
    ) in draw_area(low, high)
    picture = draw("name", draw_line(low))
    assert 'aria-label="name"' in picture
    assert "M0.0 240.0L120.0 180.0L240.0 0.0" in picture
    assert picture.count("Population share") == picture.count("Capture rate") == 1
