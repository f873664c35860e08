"""Views of segments, trends and changes."""

from dataclasses import replace
from html import unescape
from math import nan

import pytest

from capcurve import AccuracyRatioChange, ChangePart, Estimate, SegmentComparison, Trend
from views import rows_of, sentences_of

POOLED = Estimate(
    value=0.5647,
    standard_error=0.02,
    low=0.51,
    high=0.61,
    confidence_level=0.95,
    method="beta",
    n_events=100,
    n_nonevents=2000,
    test=lambda: nan,
    name="pooled AR",
)
RETAIL = replace(POOLED, value=0.6, n_events=60, name="AR")
OTHER = replace(POOLED, value=nan, low=nan, high=nan, n_events=0, name="AR")
TREND = Trend(
    change=0.004,
    low=-0.036,
    high=0.044,
    confidence_level=0.95,
    first=0.567,
    last=0.578,
    n_periods=4,
    n_spanned=4,
    statistic=0.18,
    degrees_of_freedom=284.32,
    p_value=0.856,
)
SEGMENTS = SegmentComparison(
    statistic=1.339,
    degrees_of_freedom=(2.0, 1213.46),
    p_value=0.264,
    pooled=POOLED,
    estimates={"retail": RETAIL, None: OTHER},
    rest={"retail": 0.55, None: nan},
    p_values={"retail": 0.0005, None: nan},
    p_holm={"retail": 0.001, None: nan},
    p_bh={"retail": 0.3, None: nan},
    rest_statistics={"retail": 3.5, None: nan},
    rest_degrees_of_freedom={"retail": 88.1, None: nan},
    trend=None,
    few_events=(),
    left_out=(None,),
    is_reliable=True,
)
MIX = ChangePart(
    name="mix",
    value=-0.011,
    standard_error=0.0109,
    low=-0.0324,
    high=0.0104,
    confidence_level=0.9,
    p_value=0.314,
    degrees_of_freedom=99.95,
)
CHANGE = AccuracyRatioChange(
    first=RETAIL,
    second=replace(RETAIL, value=0.5922),
    total=replace(MIX, name="total", value=-0.0078),
    mix=MIX,
    ranking=replace(MIX, name="ranking", value=0.0032, low=nan, high=nan, p_value=nan),
    samples=(2021, "now"),
    n_grades=8,
    are_bands=False,
    has_few_events=False,
)


def test_segments_have_a_row_each():
    html = SEGMENTS._repr_html_()
    assert sentences_of(html) == [
        (
            "AR of 2 segments, all equal: p = 0.264 (F = 1.339 with 2 and 1,213.5 degrees "
            "of freedom)"
        ),
        (
            "Pooled AR 0.5647, 95 % interval 0.5100 to 0.6100 (beta, 100 events, 2,000 "
            "non-events)"
        ),
        "The test of all segments leaves out None.",
    ]
    assert rows_of(html) == [
        [
            *("Segment", "AR", "95 % interval", "Events", "Non-events"),
            *("AR of the rest", "p-value", "Holm", "BH"),
        ],
        [
            *("retail", "0.6000", "0.5100 to 0.6100", "60", "2,000"),
            *("0.5500", "< 0.001", "0.001", "0.300"),
        ],
        ["None", "undefined", "undefined", "0", "2,000", *["undefined"] * 4],
    ]


def test_a_trend_is_a_sentence_with_the_segments_and_a_view_of_its_own():
    sentence = (
        "AR change 0.0040 per period (0.5670 to 0.5780 in 4 periods), 95 % interval "
        "-0.0360 to 0.0440, p = 0.856"
    )
    assert sentences_of(replace(SEGMENTS, trend=TREND)._repr_html_())[2] == sentence
    html = TREND._repr_html_()
    assert sentences_of(html) == [sentence]
    assert rows_of(html) == [["Test statistic", "0.1800"], ["Degrees of freedom", "284.3"]]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"few_events": ("retail", 3)}, "against the rest, of 'retail', 3"),
        ({"is_reliable": False}, "of all segments"),
        ({"is_reliable": False, "trend": TREND}, "of all segments, and of the trend"),
        (
            {"is_reliable": False, "few_events": ("retail",)},
            "against the rest, of 'retail'; of all segments",
        ),
    ],
)
def test_segments_warn_of_tests_that_may_miss_their_level(changed, told):
    warning = sentences_of(replace(SEGMENTS, **changed)._repr_html_())[-1]
    assert warning == f"Few events, so tests may not keep their level: {told}."


@pytest.mark.parametrize(
    ("trend", "subject"),
    [
        (None, "The test of all segments leaves"),
        (TREND, "The test of all segments and that of the trend leave"),
    ],
)
def test_segments_name_those_that_the_tests_leave_out(trend, subject):
    found = replace(SEGMENTS, left_out=("retail", "corporate"), trend=trend)
    assert f"{subject} out 'retail', 'corporate'." in unescape(found._repr_html_())
    assert "leave" not in replace(found, left_out=())._repr_html_()


def test_a_change_shows_its_parts_and_both_samples():
    html = CHANGE._repr_html_()
    assert sentences_of(html) == [
        (
            "AR change -0.0078 from 2021 to now, 90 % interval -0.0324 to 0.0104, by the "
            "mix and the ranking of 8 grades"
        )
    ]
    assert rows_of(html) == [
        ["Part", "Change of AR", "Standard error", "Low", "High", "p-value"],
        ["total", "-0.0078", "0.0109", "-0.0324", "0.0104", "0.314"],
        ["mix", "-0.0110", "0.0109", "-0.0324", "0.0104", "0.314"],
        ["ranking", "0.0032", "0.0109", *["undefined"] * 3],
        ["Sample", "AR", "95 % interval", "Events", "Non-events"],
        ["2021", "0.6000", "0.5100 to 0.6100", "60", "2,000"],
        ["now", "0.5922", "0.5100 to 0.6100", "60", "2,000"],
    ]


def test_a_change_of_bands_says_so_and_warns_of_few_events():
    html = replace(CHANGE, are_bands=True, has_few_events=True)._repr_html_()
    assert sentences_of(html)[0].endswith("the ranking of 8 bands")
    assert sentences_of(html)[1] == (
        "Few events, so the interval may not cover at its confidence level."
    )


def test_a_change_of_amounts_counts_rows_above_0():
    name = "AR of amounts"
    first, second = (replace(each, name=name) for each in (CHANGE.first, CHANGE.second))
    html = replace(CHANGE, first=first, second=second, has_few_events=True)._repr_html_()
    assert sentences_of(html)[0].startswith("AR of amounts change -0.0078 from 2021")
    assert sentences_of(html)[1].startswith("Few rows, so")
    assert rows_of(html)[4] == [
        "Sample",
        name,
        "95 % interval",
        "Rows above 0",
        "Rows of 0",
    ]


def test_an_undefined_change_says_so():
    total = replace(CHANGE.ranking, value=nan)
    assert sentences_of(replace(CHANGE, total=total)._repr_html_())[0].startswith(
        "AR change undefined from 2021 to now, 90 % interval undefined, by"
    )


def test_a_part_is_a_sentence():
    html = MIX._repr_html_()
    assert sentences_of(html) == [
        "AR change, mix -0.0110, 90 % interval -0.0324 to 0.0104, p = 0.314"
    ]
    assert rows_of(html) == [["Standard error", "0.0109"], ["Degrees of freedom", "100.0"]]
