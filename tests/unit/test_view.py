"""HTML parts that views in notebooks are made of."""

from math import inf, nan

import numpy as np
import pytest

from capcurve._view import (
    Column,
    make_frame,
    make_head,
    make_note,
    make_numbers,
    make_table,
    make_view,
    make_warning,
    write_fixed,
    write_mass,
    write_number,
    write_score,
    write_share,
    write_text,
)
from views import rows_of

HOSTILE = "<script>alert(\"1\")</script> & 'co'"
ESCAPED = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#x27;co&#x27;"


@pytest.mark.parametrize(
    "html",
    [
        make_head(HOSTILE),
        make_head("AR 1", HOSTILE),
        make_note(HOSTILE),
        make_warning(HOSTILE),
        make_numbers({HOSTILE: "1"}),
        make_numbers({"name": HOSTILE}),
        make_table([Column(HOSTILE, ["a"])]),
        make_table([Column("a", [HOSTILE], is_text=True)]),
        make_table([Column("a", ["1"]), Column("b", [HOSTILE])]),
        make_table([Column("a", ["1"])], spans=[(HOSTILE, 1)]),
        make_table([Column("a", ["1"])], total=[HOSTILE]),
        make_frame("page", HOSTILE),
        make_frame(HOSTILE, "title"),
    ],
)
def test_every_part_escapes_text(html):
    assert ESCAPED in html
    assert "<script" not in html


def test_what_utf_8_lacks_is_shown_as_python_writes_it():
    assert write_text("a\ud800b").encode() == b"a\\ud800b"


def test_a_view_has_one_sheet_of_styles_and_its_parts():
    html = make_view(make_head("AR 0.5", ", so"), make_note("why"))
    assert html.count("<style>") == 1
    assert html.endswith(
        '<div class="capcurve-view">\n<p><strong>AR 0.5</strong>, so</p>\n'
        '<p class="note">why</p>\n</div>'
    )


def test_a_table_of_numbers_names_each():
    assert rows_of(make_numbers({"AR": "0.5", "KS": "0.4"})) == [
        ["AR", "0.5"],
        ["KS", "0.4"],
    ]


def test_a_table_has_labels_above_columns_and_a_last_row():
    html = make_table(
        [
            Column("Band", [1, 2], is_text=True),
            Column("n", [0.25, 0.5], "{:.2f}".format),
            Column("Lift", [2, 1]),
        ],
        spans=[("", 1), ("In the band", 2)],
        total=["All", "0.75", ""],
    )
    assert rows_of(html) == [
        ["", "In the band"],
        ["Band", "n", "Lift"],
        ["1", "0.25", "2"],
        ["2", "0.50", "1"],
        ["All", "0.75", ""],
    ]
    assert '<th class="span" scope="colgroup" colspan="2">In the band</th>' in html
    assert html.index("</tbody>") < html.index("<tfoot>") < html.index("All")
    assert '<th scope="row" class="text">1</th>' in html
    assert '<th scope="col">n</th>' in html


@pytest.mark.parametrize("values", [list(range(60)), np.arange(60)])
def test_sixty_rows_are_shown_in_full(values):
    html = make_table([Column("x", values)])
    assert rows_of(html) == [["x"], *([str(each)] for each in range(60))]


@pytest.mark.parametrize("values", [list(range(1_061)), np.arange(1_061)])
def test_more_rows_are_cut_in_the_middle_and_the_table_says_so(values):
    rows = rows_of(make_table([Column("x", values), Column("y", values)]))
    line = ["1,041 of 1,061 rows are not shown"]
    first, last = range(10), range(1_051, 1_061)
    shown = [[[str(each), str(each)] for each in part] for part in (first, last)]
    assert rows == [["x", "y"], *shown[0], line, *shown[1]]


def test_rows_that_are_cut_are_not_written():
    def refuse_the_middle(value):
        assert value not in range(10, 90)
        return str(value)

    assert make_table([Column("x", range(100), refuse_the_middle)])


def test_a_frame_is_sandboxed_and_holds_the_page():
    html = make_frame('<p class="a">1</p>', "Title")
    assert html.startswith('<iframe sandbox="allow-scripts allow-downloads" title="Title" ')
    assert 'srcdoc="&lt;p class=&quot;a&quot;&gt;1&lt;/p&gt;"></iframe>' in html
    assert "allow-same-origin" not in html
    assert "height:720px" in html


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5000"),
        (-0.12345, "-0.1235"),
        (0, "0.0000"),
        (0.0001, "0.0001"),
        (0.0000999, "9.99e-05"),
        (-2e-9, "-2.00e-09"),
        (999.99, "999.9900"),
        (1_000, "1,000.00"),
        (-12_345.678, "-12,345.68"),
        (100_000, "100,000"),
        (nan, "undefined"),
        (inf, "∞"),
        (-inf, "-∞"),
    ],
)
def test_numbers_have_the_digits_that_say_something(value, text):
    assert write_number(value) == text


def test_other_formats():
    assert write_number(0.5, 2) == "0.50"
    assert write_fixed(1234.5, 1) == "1,234.5"
    assert [write_fixed(value, 1) for value in (nan, inf)] == ["undefined", "∞"]
    assert [write_mass(value) for value in (3, 2.5, 12_345.678, 1e9)] == [
        "3",
        "2.5",
        "12,345.7",
        "1,000,000,000",
    ]
    assert write_share(0.42604) == "42.60%"
    assert write_share(nan) == "undefined"


def test_scores_have_six_digits_and_whole_numbers_all_of_theirs():
    whole = np.int64(2**53 + 1)
    assert write_score(whole) == "9007199254740993"
    assert write_score(10**400) == str(10**400)
    assert write_score(0.123456789) == "0.123457"
    assert write_score(np.float64(700.0)) == "700"
    assert [write_score(value) for value in (inf, -inf, nan)] == ["∞", "-∞", "undefined"]
