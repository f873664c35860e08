"""Where a result goes, and in which format."""

import csv
import json
import stat
import sys
from pathlib import Path

import pytest

from answers import read_results

ROWS = "y,s,g\n1,4,a\n0,3,a\n1,2,=b\n0,1,=b\n"
SCORE = ("score", "f.csv", "--truth=y", "--estimate=s", "--by=g")


@pytest.fixture
def shell(run):
    Path("f.csv").write_text(ROWS)
    return run


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("r.json", "json"),
        ("r.NDJSON", "ndjson"),
        ("r.jsonl", "ndjson"),
        ("r.csv", "csv"),
        ("r.md", "markdown"),
        ("r.txt", "text"),
    ],
)
def test_the_ending_of_a_file_is_its_format(shell, name, form):
    printed = shell(*SCORE, "--format", form)[1]
    code, out, err = shell(*SCORE, "-o", name)
    assert (code, out) == (0, "")
    assert f"result written to {name}" in err.splitlines()
    found = Path(name).read_text("utf-8")
    if form == "json":
        assert read_results(found) == read_results(printed)
    else:
        assert found == printed


def test_a_result_is_written_whole_or_not_at_all(shell, monkeypatch):
    Path("r.csv").write_text("before")
    Path("r.csv").chmod(0o640)

    def fail(path, _):
        path.write_text("hal")
        raise OSError("no space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("capcurve._cli.answer.write_text", fail)
        code, _, err = shell(*SCORE, "-o", "r.csv")
    assert (code, err.splitlines()[-1]) == (
        2,
        (
            "capcurve: error: cannot write 'r.csv': no space left on device; "
            "the old file was kept; choose another place"
        ),
    )
    assert Path("r.csv").read_text() == "before"
    assert {path.name for path in Path().iterdir()} == {"f.csv", "r.csv"}
    assert shell(*SCORE, "-o", "r.csv")[0] == 0
    assert Path("r.csv").read_text().startswith("g,estimate,")
    assert stat.S_IMODE(Path("r.csv").stat().st_mode) == 0o640


def test_a_dash_is_stdout(shell):
    assert shell(*SCORE, "-o", "-", "--format=csv")[1] == shell(*SCORE, "--format=csv")[1]
    assert {path.name for path in Path().iterdir()} == {"f.csv"}
    found = json.loads(shell("report", *SCORE[1:], "-o", "-")[1])
    assert found["models"][0]["name"] == "s"


def test_a_format_may_go_to_a_file_of_any_name(shell):
    assert shell(*SCORE, "-o", "result", "--format=csv")[0] == 0
    assert Path("result").read_text() == shell(*SCORE, "--format=csv")[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("-o", "r.xlsx"),
            "--output must end in one of .txt, .json, .ndjson, .jsonl, .csv, .md, got 'r.x",
        ),
        (
            ("-o", "r.csv", "--format=json"),
            "--format and the ending of --output must agree, got json and 'r.csv'; leave",
        ),
        (("-o", "no/r.csv"), "--output must be in an existing folder, got 'no/r.csv'; cre"),
    ],
)
def test_files_that_cannot_be_are_refused_before_reading(run, options, message):
    code, out, err = run(*SCORE, *options)  # there is no f.csv
    assert (code, out) == (2, "")
    assert err.startswith(f"capcurve: error: {message}")


def test_json_lines_have_a_result_each(shell):
    lines = shell(*SCORE, "--format=ndjson")[1].splitlines()
    assert [json.loads(line) for line in lines] == read_results(
        shell(*SCORE, "--format=json")[1]
    )


def test_undefined_numbers_are_null_in_json_lines(shell):
    Path("f.csv").write_text("y,s,g\n1,2,a\n0,1,a\n1,2,b\n1,1,b\n")
    line = shell(*SCORE, "--format=ndjson")[1].splitlines()[1]
    assert json.loads(line)["accuracy_ratio"] is None
    assert (json.loads(line)["n"], json.loads(line)["n_events"]) == (2, 2)


def test_a_terminal_shows_rarely_read_columns_if_asked_for(shell, monkeypatch):
    rare = ("worst", "best", "method")
    assert all(word in shell(*SCORE)[1] for word in rare)  # in a pipe
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    plain, verbose = shell(*SCORE)[1], shell(*SCORE, "--verbose")[1]
    assert not any(word in plain for word in rare)
    assert shell(*SCORE, "-o", "r.txt")[0] == 0
    assert "worst" in Path("r.txt").read_text()  # a file has no width
    assert "\n\n" not in Path("r.txt").read_text()
    assert all(word in verbose for word in rare)
    for form in ("csv", "markdown", "ndjson"):  # programs and pages have all of them
        assert "worst" in shell(*SCORE, "--format", form)[1]


def test_verbose_says_how_files_are_read(shell):
    assert "plan memory: 4 rows ranked in memory" in shell(*SCORE, "--verbose")[2]
    _, _, err = shell("plot", *SCORE[1:], "-o", "cap.svg", "--verbose")
    assert "plan memory: 4 rows ranked in memory" in err


def test_a_file_of_csv_holds_no_formula(shell):
    assert shell(*SCORE, "-o", "r.csv")[0] == 0
    with Path("r.csv").open() as file:
        assert [row["g"] for row in csv.DictReader(file)] == ["'=b", "a"]
