"""Views of plans."""

from dataclasses import replace
from math import nan

from capcurve import IntervalPlan, PowerPlan, SamplePlan
from views import rows_of, sentences_of

INTERVAL = IntervalPlan(
    accuracy_ratio=0.6,
    half_width=0.0879,
    low=0.5055,
    high=0.6813,
    n_events=100,
    n_nonevents=4900,
    event_rate=0.02,
    confidence_level=0.95,
    spread=1.25,
)
POWER = PowerPlan(
    first=0.6,
    second=0.55,
    difference=0.05,
    power=0.8014,
    n_events=300,
    n_nonevents=14_700,
    n_events_second=0,
    n_nonevents_second=0,
    event_rate=0.02,
    correlation=0.8,
    alternative="greater",
    margin=0.02,
    confidence_level=0.95,
    spread=1.0,
)
SAMPLE = SamplePlan(
    value=0.5727,
    standard_error=0.0219,
    half_width=0.0431,
    detectable_difference=0.0614,
    power=0.8,
    n_events=453,
    n_nonevents=9547,
    difference=nan,
    power_for_difference=nan,
    events_for_difference=None,
    wanted_half_width=nan,
    events_for_half_width=None,
    alternative="two-sided",
    margin=0.0,
    confidence_level=0.95,
)


def test_an_interval_is_planned():
    html = INTERVAL._repr_html_()
    assert sentences_of(html) == [
        "AR 0.6000, half-width 0.0879, expected 95 % interval 0.5055 to 0.6813"
    ]
    assert rows_of(html) == [
        ["Events", "100"],
        ["Non-events", "4,900"],
        ["Rows", "5,000"],
        ["Event rate", "2.00%"],
        ["Model", "binormal, spread 1.25"],
    ]
    any_model = replace(INTERVAL, spread=None)._repr_html_()
    assert rows_of(any_model)[-1] == ["Model", "largest variance"]


def test_a_test_of_the_same_rows_is_planned():
    html = POWER._repr_html_()
    assert sentences_of(html) == [
        "Power 80.14%, AR difference 0.0500 (0.6000 - 0.5500), greater at 5 %, margin 0.02"
    ]
    assert rows_of(html) == [
        ["Events", "300"],
        ["Non-events", "14,700"],
        ["Rows", "15,000"],
        ["Event rate", "2.00%"],
        ["Correlation of the scores", "0.8"],
        ["Model", "binormal"],
    ]


def test_a_test_of_two_samples_shows_both():
    two = replace(POWER, correlation=None, n_events_second=150, n_nonevents_second=7350)
    assert rows_of(two._repr_html_()) == [
        ["Sample", "Events", "Non-events", "Rows"],
        ["first", "300", "14,700", "15,000"],
        ["second", "150", "7,350", "7,500"],
        ["Event rate", "2.00%"],
        ["Model", "binormal"],
    ]


def test_a_sample_shows_what_it_can_show():
    html = SAMPLE._repr_html_()
    assert sentences_of(html) == ["AR 0.5727, half-width 0.0431 at 95 %"]
    assert rows_of(html) == [
        ["Events", "453"],
        ["Non-events", "9,547"],
        ["Rows", "10,000"],
        ["Standard error", "0.0219"],
        ["Difference found with power 80 %", "0.0614"],
        ["Test", "two-sided at 5 %"],
    ]


def test_a_sample_shows_what_more_events_would_show():
    asked = replace(
        SAMPLE,
        difference=0.05,
        power_for_difference=0.625,
        events_for_difference=1682,
        wanted_half_width=0.03,
        detectable_difference=nan,
    )
    rows = rows_of(asked._repr_html_())
    assert rows[4] == ["Difference found with power 80 %", "undefined"]
    assert rows[6:] == [
        ["Power for the difference 0.05", "62.50%"],
        ["Events for power 80 %", "1,682 events"],
        ["Events for the half-width 0.03", "no number of events"],
    ]


def test_a_sample_of_amounts_counts_rows_above_0():
    asked = replace(
        SAMPLE,
        name="AR of amounts",
        difference=0.05,
        power_for_difference=0.625,
        events_for_difference=1682,
        wanted_half_width=0.03,
    )
    rows = rows_of(asked._repr_html_())
    assert rows[:2] == [["Rows above 0", "453"], ["Rows of 0", "9,547"]]
    assert rows[-2:] == [
        ["Rows above 0 for power 80 %", "1,682 rows above 0"],
        ["Rows above 0 for the half-width 0.03", "no number of rows above 0"],
    ]
    said = repr(asked)
    assert "with 453 rows above 0 in 10,000 rows" in said
    assert "80 % with 1,682 rows above 0; half-width 0.03 with no number of rows" in said
