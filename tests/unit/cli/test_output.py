"""Every format says the same under the same headings, and nothing that it shows runs."""

import csv
import io
import json
import re
import sys
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from markdown_it import MarkdownIt

from answers import read_results
from capcurve import CapcurveError, gain_capture
from capcurve._cli.output import CutOffScore, render, render_text
from capcurve._cli.rows import Row, align_rows

# Group b: the events rank first and third of four, so that AR is 2 * 3/4 - 1.
UNDEFINED_FIRST = "y,s,g\n0,1,a\n0,2,a\n1,3,b\n0,2,b\n1,1,b\n0,0,b\n"
OPTIONS = ("f.csv", "--truth", "y", "--estimate", "s")
PAIR = (*OPTIONS, "--estimate", "t")
ROWS = "y,s,t\n1,4,4\n0,3,1\n1,2,3\n0,1,2\n"


class Cells(HTMLParser):
    """Read the cells of a table, and the names of all tags."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.tags = [], set()
        self.feed(page)

    def handle_starttag(self, tag, _attributes):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"th", "td"}:
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.removesuffix("\n")


def read_markdown(text):
    """Read a table as a reader of Markdown does."""
    cells = Cells(MarkdownIt("commonmark").enable("table").render(text))
    assert cells.tags == {"table", "thead", "tbody", "tr", "th", "td"}
    heading, *rows = cells.rows
    return [dict(zip(heading, row, strict=True)) for row in rows]


def read_text(text):
    """Read the rows of a table of text, whose columns lie two spaces apart."""
    lines = text.splitlines()
    rule = next(number for number, line in enumerate(lines) if "──" in line)
    return [re.split(r" {2,}", line.strip()) for line in lines[rule + 1 :]]


# -- Headings ------------------------------------------------------------------------------


def test_numbers_stand_under_their_headings_where_the_first_group_is_undefined(run):
    Path("f.csv").write_text(UNDEFINED_FIRST)
    command = ("score", *OPTIONS, "--by", "g", "--approx", "--format")
    a, b = read_results(run(*command, "json")[1])
    assert list(a) == list(b)
    counted = {"n": 2, "n_events": 0, "response_rate": 0}
    names = {"g": "a", "estimate": "s"}
    assert {name: value for name, value in a.items() if value is not None} == (
        names | counted
    )
    expected = {"accuracy_ratio": 0.5, "lower": 0.5, "upper": 0.5, "ks": 0.5}
    expected |= {"capture_10": 0.2, "capture_50": 0.5, "n": 4, "n_events": 2}
    assert {name: b[name] for name in expected} == pytest.approx(expected)
    one, other = csv.DictReader(io.StringIO(run(*command, "csv")[1]))
    assert list(one) == list(other) == list(a)
    assert {name: float(other[name]) for name in expected} == pytest.approx(expected)
    one, other = read_markdown(run(*command, "markdown")[1])
    assert list(other) == [name.replace("_", " ") for name in a]
    shown = {"accuracy ratio": "0.5000", "lower": "0.5000", "upper": "0.5000"}
    shown |= {"ks": "0.5000", "capture 10": "0.2000", "capture 50": "0.5000"}
    shown |= {"n": "4", "n events": "2"}
    assert {name: other[name] for name in shown} == shown
    assert set(one.values()) == {"a", "s", "-", "2", "0", "0.0000"}
    one, other = read_text(run(*command, "text")[1])
    assert one == ["a", "s", *["-"] * (len(a) - 6), "2", "0", "0.0000", "-"]
    assert other == list(read_markdown(run(*command, "markdown")[1])[1].values())


@pytest.mark.slow
@pytest.mark.parametrize("order", ["ab", "ba", "aba"])
@pytest.mark.parametrize("plan", [(), ("--approx",), ("--memory-limit", "1GB")])
def test_headings_do_not_depend_on_which_groups_are_undefined(run, order, plan):
    lines = {"a": "0,1,{0}\n0,2,{0}\n", "b": "1,3,{0}\n0,2,{0}\n1,1,{0}\n0,0,{0}\n"}
    groups = (lines[kind].format(number) for number, kind in enumerate(order))
    Path("f.csv").write_text("y,s,g\n" + "".join(groups))
    Path("b.csv").write_text("y,s,g\n" + lines["b"].format(0))
    for command in ("score", "table"):
        more = ("--by", "g", "--format", "csv", *plan)
        whole = run(command, *OPTIONS, *more)[1]
        defined = run(command, "b.csv", *OPTIONS[1:], *more)[1]
        assert whole.splitlines()[0] == defined.splitlines()[0]


def test_rows_have_the_cells_of_all_rows_in_one_order():
    rows = [Row({"g": "a"}, {"y": 1}), Row({"g": "b"}, {"z": 2, "x": 3})]
    a, b = align_rows(rows, "xyz")
    assert list(a.items()) == [("g", "a"), ("x", None), ("y", 1), ("z", None)]
    assert list(b.items()) == [("g", "b"), ("x", 3), ("y", None), ("z", 2)]


# -- Wide tables ---------------------------------------------------------------------------

LONG = {"a": "probability_of_default_champion", "b": "probability_of_default_challenger"}


@pytest.fixture
def pair(run, monkeypatch):
    """Compare scores of long names, in a terminal of some width or in a pipe."""
    names = {"s": LONG["a"], "t": LONG["b"]}
    pl.read_csv(io.StringIO(ROWS)).rename(names).write_csv("f.csv")
    options = ("f.csv", "--truth", "y", "--estimate", LONG["a"], "--estimate", LONG["b"])

    def compare(width=None, *more):
        if width is not None:
            monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
            monkeypatch.setenv("COLUMNS", str(width))
        return run("compare", *options, *more)[1]

    return compare


def test_a_pipe_has_a_line_per_row_whatever_its_length(pair):
    (row,) = read_text(pair())
    assert row[:4] == [LONG["a"], LONG["b"], "0.5000", "1.0000"]
    assert len(row) == 15
    assert "…" not in pair()


def test_a_narrow_terminal_has_blocks_of_columns(pair):
    whole = read_text(pair(300))[0]
    assert len(whole) == 11  # of 15, as some are rarely read
    blocks = pair(120).split("\n\n")
    assert len(blocks) == 2
    assert all(len(line) <= 120 for block in blocks for line in block.splitlines())
    shown = []
    for block in blocks:
        (first, *more) = read_text(block)
        assert first[:2] == ["probability_of_default_", "probability_of_default_"]
        assert more == [["champion", "challenger"]]
        shown += first[2:]
    assert shown == whole[2:]
    headings = pair(120).splitlines()[:2]
    assert [line.split()[:3] for line in headings] == [
        ["estimate", "estimate", "ar"],
        ["a", "b", "a"],
    ]


def test_every_block_of_a_gains_table_has_the_numbers_of_the_bands():
    bands = [{"estimate": "pd", "band": n, "n": 100, "lift": 1.5} for n in (1, 2)]
    blocks = render_text(bands, 24).split("\n\n")
    assert [block.split()[:2] for block in blocks] == [["estimate", "band"]] * 2


def test_every_block_has_the_columns_that_tell_its_rows_apart():
    shares = [{"statistic": "capture_rate", "share": n / 10, "value": 1.5} for n in (1, 2)]
    blocks = render_text(shares, 24).split("\n\n")
    assert len(blocks) == 1
    blocks = render_text([{**each, "low": 1.0, "high": 2.0} for each in shares], 36)
    assert [re.findall(r"0\.\d000", each) for each in blocks.split("\n\n")] == [
        ["0.1000", "0.2000"]
    ] * 3
    alike = [{"statistic": "ks", "value": 1.5, "low": 1.0}] * 2
    blocks = render_text(alike, 24).split("\n\n")
    assert [block.split()[:2] for block in blocks] == [
        ["statistic", "value"],
        ["statistic", "low"],
    ]
    exact = [{"estimate": "pd", "threshold": CutOffScore(n / 7), "n": n} for n in (1, 2)]
    assert all(repr(n / 7) in render_text(exact, 20) for n in (1, 2))


def test_what_fits_a_terminal_is_not_cut(pair):
    whole = pair()
    assert pair(300, "--verbose") == whole


def test_a_terminal_narrower_than_a_number_has_one_in_each_block(pair):
    blocks = pair(20).split("\n\n")
    assert len(blocks) == 9
    assert [read_text(block)[0][0] for block in blocks] == ["probability_of_"] * 9


# -- Groups called like results ------------------------------------------------------------


@pytest.mark.slow
def test_groups_called_like_a_result_are_refused_at_every_command(run):
    commands = {
        "score": ("score", *OPTIONS, "--fail-below", "0"),
        "table": ("table", *OPTIONS, "--approx"),
        "pairs": ("compare", *PAIR),
        "initial": ("compare", *OPTIONS, "--initial-auc", "0.7"),
        "cuts": ("cut-offs", *OPTIONS, "--capture-rate", "0.5"),
    }
    for command in commands.values():
        Path("f.csv").write_text(ROWS)
        code, out, _ = run(*command, "--format", "csv")
        assert code == 0
        for name in out.splitlines()[0].split(","):
            frame = pl.read_csv(io.StringIO(ROWS)).with_columns(pl.lit("a").alias(name))
            frame.write_csv("f.csv")
            code, out, err = run(*command, "--by", name)
            assert (code, out) == (2, "")
            assert err.splitlines()[-1] == (
                "capcurve: error: --by must not name columns that the result has too, got "
                f"[{name!r}]; rename them first"
            )


def test_the_rule_is_that_of_frames(run):
    Path("f.csv").write_text("y,s,estimate\n1,2,4\n0,1,4\n")
    with pytest.raises(CapcurveError) as caught:
        gain_capture(pl.read_csv("f.csv"), "y", "s", by="estimate")
    _, _, err = run("score", *OPTIONS, "--by", "estimate")
    assert str(caught.value).replace("`by`", "--by") in err


def test_a_picture_has_no_column_that_a_group_could_be_called_like(run):
    Path("f.csv").write_text("y,s,estimate\n1,2,4\n0,1,4\n")
    code, _, _ = run("plot", *OPTIONS, "--by", "estimate", "-o", "cap.svg")
    assert code == 0
    assert "<!-- estimate 4, s (AR = " in Path("cap.svg").read_text()


# -- Names that would run ------------------------------------------------------------------

FORMULAS = (  # those of OWASP, and what follows each sign
    *("=1+1", "+1+1", "-1+1", "@SUM(1)", "=cmd|' /C calc'!A0", '=HYPERLINK("x")'),
    *("\t=1+1", "\r=1+1", "\n=1+1", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20x", "-"),
    *("-inf", "+-1", "-1,5", "-1_000", "=1"),
    *("a;=1+1", "a; @SUM(1)", "a;b;\uff1d1"),  # where a semicolon separates fields
)
NUMBERS = ("-1", "+2.5", "-.5e-7", "-1e5", "1=1", "a-b", "'x", "2024-01-01", "0")
MARKDOWN = (
    *("<script>alert(1)</script>", "a|b", "`code`", "**bold**", "_it_", "a_b_c", "~~x~~"),
    *(
        "$\\frac$",
        "[x](javascript:alert(1))",
        "![x](y)",
        "<http://x.y>",
        "&lt;",
        "a\\|b",
        "\\",
        "a\\",
    ),
    *("line\nbreak", "x\r\ny", "# head", "&amp;|&#124;", "a`|`b", "| --- |", "日本 é"),
)
CONTROLS = (
    *(
        "\x1b[2J",
        "\x1b]0;title\x07",
        "\x9b2J",
        "\x00",
        "a\x08b",
        "\x7f",
        "\x85",
        "a\u2028b",
    ),
    *("\u202egnp.exe", "\u2066x\u2069", "a\rb", "\x1b"),
)
HOSTILE = (*FORMULAS, *NUMBERS, *MARKDOWN, *CONTROLS)


TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def has_controls(text):
    """Whether a text holds anything that moves a cursor or turns the direction."""
    return any(
        unicodedata.category(each) in {"Cc", "Zl", "Zp"}
        or unicodedata.bidirectional(each) in TURNS
        for each in text
    )


def restore(shown):
    """Read escapes such as \\x1b back."""
    return re.sub(
        r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|[nrt])",
        lambda found: found[0].encode().decode("unicode_escape"),
        shown,
    )


def runs_in_a_spreadsheet(cell):
    signs = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
    fields = [field.lstrip(" ") for field in cell.split(";")]
    is_number = re.fullmatch(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", cell)
    return not is_number and any(field.startswith(signs) for field in fields)


@pytest.fixture
def hostile():
    """Write a file with a group of each name, a row of each outcome in it."""
    names = [name for name in HOSTILE for _ in range(2)]
    columns = {"y": [1, 0] * len(HOSTILE), "s": [2, 1] * len(HOSTILE), "g": names}
    pl.DataFrame(columns).write_parquet("f.parquet")
    return ("score", "f.parquet", *OPTIONS[1:], "--by", "g", "--format")


def test_the_list_holds_what_it_is_meant_to_hold():
    assert all(map(runs_in_a_spreadsheet, FORMULAS))
    assert not any(map(runs_in_a_spreadsheet, NUMBERS))
    assert all(map(has_controls, CONTROLS))
    assert len(set(HOSTILE)) == len(HOSTILE)


def test_json_keeps_names_as_they_are(run, hostile):
    _, out, _ = run(*hostile, "json")
    assert not has_controls(out.replace("\n", "").replace("\x7f", ""))
    assert {row["g"] for row in read_results(out)} == set(HOSTILE)


def test_no_cell_of_csv_is_a_formula(run, hostile):
    _, out, _ = run(*hostile, "csv")
    assert not has_controls(out.replace("\n", ""))
    cells = [row["g"] for row in csv.DictReader(io.StringIO(out))]
    assert not any(map(runs_in_a_spreadsheet, cells))
    bare = [cell if cell == "'x" else cell.replace("'", "", 1) for cell in cells]
    assert set(map(restore, bare)) == set(HOSTILE)
    assert set(NUMBERS) < set(cells)
    assert len(out.splitlines()) == 1 + len(HOSTILE)


def test_markdown_shows_names_as_they_are(run, hostile):
    _, out, _ = run(*hostile, "markdown")
    assert not has_controls(out.replace("\n", ""))
    assert "<" not in out
    assert {restore(row["g"]) for row in read_markdown(out)} == set(HOSTILE)
    assert "| a_b_c |" in out  # what needs no escape has none
    assert len(out.splitlines()) == 2 + len(HOSTILE)


def test_a_terminal_shows_names_as_they_are(run, hostile):
    _, out, err = run(*hostile, "text")
    assert not has_controls(out.replace("\n", ""))
    assert {restore(cells[0]) for cells in read_text(out)} == set(HOSTILE)
    assert not has_controls(err.removesuffix("\n"))


@pytest.mark.parametrize("name", ["=1+1", "\x1b[2J", "a\nb", "<b>", "x|y", "\u202ex"])
def test_headings_and_messages_are_as_inert_as_cells(run, name):
    columns = {"y": [1, 0], "s": [2, 1], name: ["a", "a"]}
    pl.DataFrame(columns).write_parquet("f.parquet")
    command = ("score", "f.parquet", *OPTIONS[1:3], "--by", name, "--estimate", "s")
    heading = next(csv.reader(io.StringIO(run(*command, "--format", "csv")[1])))[0]
    assert not runs_in_a_spreadsheet(heading)
    assert restore(heading.removeprefix("'")) == name
    (row,) = read_markdown(run(*command, "--format", "markdown")[1])
    assert restore(next(iter(row))) == name
    assert not has_controls(run(*command)[1].replace("\n", ""))
    code, out, err = run("score", f"{name}.csv", *OPTIONS[1:], "--by", name)
    assert (code, out) == (2, "")
    assert not has_controls(err.removesuffix("\n"))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, len(HOSTILE), 20))
def test_a_picture_of_hostile_names_can_be_read(run, first):
    names = [name for name in (*HOSTILE[first : first + 19], "日本") for _ in range(2)]
    columns = {"y": [1, 0] * (len(names) // 2), "s": [2, 1] * (len(names) // 2)}
    pl.DataFrame({**columns, "g": names}).write_parquet("f.parquet")
    code, _, err = run("plot", "f.parquet", *OPTIONS[1:], "--by", "g", "-o", "cap.svg")
    assert code == 0
    assert not has_controls(err.replace("\n", ""))
    assert "capcurve: note: Glyph 26085 " in err  # a font without Japanese
    assert all(
        line.startswith(("capcurve: note: ", "picture ")) for line in err.splitlines()
    )
    ET.parse("cap.svg")  # noqa: S314 -- our own


# -- Limits for pipelines ------------------------------------------------------------------


def test_every_group_is_compared_with_the_limit(run):
    ratios = {"a": 1.0, "b": 0.5, "c": None}
    c = "0,1,c\n0,2,c\n"
    Path("f.csv").write_text(UNDEFINED_FIRST.replace("0,1,a\n0,2,a", "1,2,a\n0,1,a") + c)
    command = ("score", *OPTIONS, "--by", "g", "--format", "json", "--fail-below")
    for limit in ("-1", "0.5", "0.5000001", "1"):
        code, out, err = run(*command, limit)
        passed = {row["g"]: row["passed"] for row in read_results(out)}
        assert passed == {
            group: "yes" if ratio is not None and ratio >= float(limit) else "no"
            for group, ratio in ratios.items()
        }
        assert code == 1
        told = err.splitlines()[-1]
        assert told.startswith("capcurve: failed: accuracy ratio of ")
        failed = {group for group in ratios if f" of {group}, s is " in told}
        assert failed == {group for group, mark in passed.items() if mark == "no"}
    Path("f.csv").write_text(UNDEFINED_FIRST.replace("0,1,a\n0,2,a", "1,2,a\n0,1,a"))
    assert run(*command, "0.5")[0] == 0


def test_an_average_that_fails_is_named_by_its_kind(run):
    Path("f.csv").write_text("t,a,b,c\na,3,1,1\nb,1,3,1\nc,1,1,3\nc,3,1,1\n")
    options = ("--truth", "t", *(f"--estimate={name}" for name in "abc"))
    code, _, err = run("score", "f.csv", *options, "--fail-below", "1")
    assert code == 1
    assert re.search(r"accuracy ratio of macro is 0\.\d{4}, required", err)


def test_a_limit_without_an_interval_is_undefined(run):
    Path("f.csv").write_text("y,s\n1.5,2\n0.5,1\n0.5,2\n")
    _, out, _ = run("score", *OPTIONS, "--approx", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["low"], row["high"], row["worst_ties"]) == ("", "", "")
    options = ("--approx", "--fail-below", "-1", "--fail-on-lower-bound")
    code, _, err = run("score", *OPTIONS, *options)
    assert code == 1
    assert "lower confidence limit of s is undefined (the rows show no variance, or" in err


@pytest.mark.parametrize("limit", ["nan", "inf", "45", "-1.1"])
def test_a_limit_that_no_ratio_can_be_is_refused(run, limit):
    Path("f.csv").write_text(ROWS)
    code, out, err = run("score", *OPTIONS, "--fail-below", limit)
    assert (code, out) == (2, "")
    assert err == (
        "capcurve: error: --fail-below must be an AR from -1 to 1, got "
        f"{float(limit)}; 45 % is "
        "0.45\n"
    )


def test_the_command_alone_prints_its_help(run):
    code, out, err = run()
    assert (code, err) == (0, "")
    assert out == run("--help")[1]
    assert "\nCommands:\n  change " in out


def test_the_tables_of_the_demo_are_two(run):
    code, out, _ = run("demo", "--format", "markdown")
    assert code == 0
    first, second = out.split("\n\n")
    assert [len(read_markdown(table)) for table in (first, second)] == [1, 10]
    assert "| first score | last score |" in second  # as in capcurve table


def test_names_in_chinese_take_two_places_each():
    rows = [{"name": "零售", "n": 1}, {"name": "a", "n": 2}]
    lines = render_text(rows).splitlines()
    assert lines == [
        " name   n",
        " ────────",
        " 零售   1",
        " a      2",
    ]


def test_names_without_a_gap_are_cut_where_the_room_ends():
    rows = [{"name": "零售零售零售零售零售零售零售", "n": 1}, {"name": "x" * 33, "n": 2}]
    lines = render_text(rows, 20).splitlines()
    names = [line.split()[0] for line in lines[2:]]
    assert names == ["零售零售零售零售", "零售零售零售", *["x" * 16] * 2, "x"]


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize(
    ("lower", "upper", "shown"),
    [
        (0.39116, 0.39134, ["0.3911", "0.3914"]),
        (-0.39134, -0.39116, ["-0.3914", "-0.3911"]),
        (0.39116, 0.39116 + 1e-16, ["0.3912", "0.3912"]),  # exact
        (0.3, 0.5, ["0.3000", "0.5000"]),
        (-1.29e-6, 1.21e-5, ["-1.3e-06", "1.3e-05"]),
        (0.0, 0.00006, ["0.0000", "0.0001"]),
        (None, None, ["-", "-"]),
        (float("nan"), float("nan"), ["-", "-"]),
        ("a", "b", ["a", "b"]),
    ],
)
def test_printed_bounds_still_are_bounds(form, lower, upper, shown):
    row = {"name": "s", "lower": lower, "upper": upper, "ks": 0.39116}
    line = render([row], form).splitlines()[-1]
    assert line.replace("|", " ").split() == ["s", *shown, "0.3912"]
    exact = {"lower": 0.39116, "upper": 0.39118}
    assert json.loads(render([exact], "ndjson")) == exact
