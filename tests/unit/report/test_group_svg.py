"""Charts of segments and periods: all groups keep their place, few events clip."""

import re

import pytest

from capcurve._report.group_svg import (
    Groups,
    choose_strides,
    draw_forest,
    draw_trend,
    shorten,
)


def row(value, low=None, high=None, *, few=False, status=None):
    ratio = None if value is None else {"value": value, "low": low, "high": high}
    return {"accuracy_ratio": ratio, "few_events": few, "status": status}


def groups(*rows, overall=(0.5,)):
    names = [f"group <{number}>" for number in range(len(rows))]
    return Groups("by <", names, [[each] for each in rows], overall)


CERTAIN = row(0.5, 0.45, 0.55)
FEW = row(0.6, -0.9, 1.0, few=True, status="few events")
NONE = row(None, few=True, status="no events")
BARE = row(0.4)


@pytest.mark.parametrize("is_across", [True, False])
def test_few_events_do_not_stretch_the_axis_unless_there_are_no_others(is_across):
    axis = groups(CERTAIN, FEW).choose_axis(is_across=is_across)
    assert axis.low > 0.35
    assert 0.6 < axis.high < 0.7
    alone = groups(FEW, NONE).choose_axis(is_across=is_across)
    assert (alone.low, alone.high) == (-1.0, 1.0)
    nothing = groups(NONE, overall=[None]).choose_axis(is_across=is_across)
    assert nothing.low < nothing.high


@pytest.mark.parametrize("draw", [draw_forest, draw_trend])
def test_every_group_keeps_its_place(draw):
    drawn = draw(groups(CERTAIN, NONE, FEW, BARE), "label <")
    assert re.findall('data-group="([0-9])"', drawn) == ["0", "1", "2", "3"]
    assert drawn.count('class="point m0"') == 2
    assert drawn.count('class="point few m0"') == 1
    assert drawn.count('class="rule m0"') == 2
    assert drawn.count('class="arrow m0"') == 2
    assert drawn.count('class="overall m0"') == 1
    assert 'aria-label="label &lt;"' in drawn
    assert "by &lt;" in drawn or draw is draw_forest


def test_an_undefined_ratio_is_explained_or_crossed():
    assert ">no events</text>" in draw_forest(groups(CERTAIN, NONE), "l")
    assert 'class="cross m0"' in draw_trend(groups(CERTAIN, NONE), "l")


def test_the_line_of_a_trend_is_broken_where_it_is_undefined():
    drawn = draw_trend(groups(CERTAIN, CERTAIN, NONE, CERTAIN), "l")
    (path,) = re.findall('d="([^"]*)" class="link m0"', drawn)
    assert re.findall("[ML]", path) == ["M", "L", "M"]


def test_rows_without_a_period_are_not_joined_to_the_others():
    rows = Groups("by", ["2023", "2024", "(missing)"], [[CERTAIN]] * 3, [0.5])
    (path,) = re.findall('d="([^"]*)" class="link m0"', draw_trend(rows, "l"))
    assert re.findall("[ML]", path) == ["M", "L"]


def test_a_model_without_a_ratio_of_all_rows_has_no_line():
    assert "overall" not in draw_trend(groups(CERTAIN, overall=[None]), "l")


def test_height_grows_with_groups_and_models():
    heights = [
        int(re.search(r"--height:(\d+)px", draw_forest(groups(*[CERTAIN] * n), "l"))[1])
        for n in (1, 5, 40)
    ]
    assert heights == [29, 145, 1160]
    assert "--zoom:0.72" in draw_forest(groups(*[CERTAIN] * 40), "l")


def test_many_periods_have_fewer_names_and_smaller_points():
    names = [f"2021-{number:02d}" for number in range(48)]
    strides = choose_strides(names, 0)
    assert strides["large"] < strides["medium"] < strides["small"]
    wide = choose_strides(names, 1_000)
    assert wide["large"] == wide["medium"] == wide["small"] < wide["paper"]
    assert set(choose_strides(names[:4], 0).values()) == {1}
    many = Groups("month", names, [[CERTAIN] * 2] * 48, (0.5, 0.5))
    drawn = draw_trend(many, "l")
    assert "trend dense" in drawn
    assert drawn.count("period large") == -(-48 // strides["large"])
    assert "dense" not in draw_trend(groups(CERTAIN), "l")


def test_a_long_name_loses_its_middle():
    assert shorten("short", 10) == "short"
    assert shorten("Region number 10 of the country", 20) == "Region number…ountry"
