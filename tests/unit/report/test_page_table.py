"""Tables of a page: exact values behind short ones, heads over columns, totals."""

import re
from html.parser import HTMLParser

from capcurve._report.page_format import write_number
from capcurve._report.page_table import Column, Table, break_name


class Cells(HTMLParser):
    """Collect the elements of a table."""

    def __init__(self, markup):
        super().__init__()
        self.found = []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, text):
        if self.found:
            tag, attributes, before = self.found[-1]
            self.found[-1] = (tag, attributes, before + text)

    def of(self, *tags):
        return [each for each in self.found if each[0] in tags]


def test_a_cell_keeps_its_exact_value():
    columns = [
        Column("Name", ["a<b", None], is_text=True, marks=["", "late"]),
        Column("AR", [0.123456, None], write_number, marks=["few events", ""]),
        Column("Grade", ["AAA", "B"], ranks=[1, 2]),
    ]
    markup = Table("x & y", columns).__html__()
    cells = Cells(markup).of("th", "td")
    assert [cell[2].strip() for cell in cells[:3]] == ["Name", "AR", "Grade"]
    first, second = cells[3:6], cells[6:]
    assert (first[0][0], first[0][2]) == ("th", "a<b")
    assert first[1][1]["data-value"] == "0.123456"
    assert first[2][1] == {"data-rank": "1"}
    assert second[0][1]["data-value"] == ""
    assert re.search(
        'data-value="0.123456"><span class="mark">few events</span>0.1235<', markup
    )
    assert re.search('data-value=""><span class="mark">late</span></th>', markup)
    assert 'aria-label="x &amp; y"' in markup
    assert "<tfoot>" not in markup
    assert 'class="over"' not in markup
    assert "wide" not in markup


def test_heads_over_columns_span_their_neighbours():
    columns = [
        Column("Segment", ["a"]),
        Column("AR", [1], over="one"),
        Column("Low", [2], over="one"),
        Column("AR", [3], over="two"),
    ]
    over, leaves = Table("t", columns).write_head().split("</tr>")[:2]
    assert re.findall('colspan="([0-9]+)"[^>]*>([^<]*)<', over) == [
        ("1", ""),
        ("2", "one"),
        ("1", "two"),
    ]
    assert leaves.count("<th") == 4
    assert re.findall('<th scope="col"( class="first")?>', leaves) == [
        "",
        ' class="first"',
        "",
        ' class="first"',
    ]


def test_totals_are_a_foot_that_does_not_sort():
    columns = [Column("Band", [1, 2], total="Total"), Column("Rows", [3, 4], total="7")]
    foot = Table("t", columns).write_foot()
    assert [cell[2] for cell in Cells(foot).of("th", "td")] == ["Total", "7"]


def test_wide_tables_are_told_apart_for_print():
    for n, style in ((8, 'class="table"'), (9, '"table wide"'), (18, '"table widest"')):
        assert style in Table("t", [Column(str(i), [i]) for i in range(n)]).__html__()


def test_only_long_names_may_be_broken():
    long, short = "a_model_with_a_long_name<", "short_name"
    table = Table("t", [Column("Model", [long, short], is_text=True)])
    assert "a_<wbr>model_<wbr>with_<wbr>a_<wbr>long_<wbr>name&lt;</th>" in table.write_row(
        0
    )
    assert 'class="long"' in table.write_row(0)
    assert ">short_name</th>" in table.write_row(1)
    assert break_name("a_b<") == "a_b&lt;"
    assert break_name(long).startswith("a_<wbr>model_<wbr>")
