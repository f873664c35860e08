"""Weights that may be counts of rows: the shell and the report say how they were taken."""

import json
from pathlib import Path

import pytest

SCALE = "flag,rank,count\n1,3,5\n0,3,200\n1,2,9\n0,2,700\n1,1,2\n0,1,900\n"
DATA = ("m.csv", "--truth", "flag", "--estimate", "rank")


@pytest.mark.parametrize("command", ["score", "table"])
@pytest.mark.parametrize(
    ("options", "factor", "is_told"),
    [
        ("--weight count", 1, True),
        ("--weight count --approx", 1, True),
        ("--weight count --memory-limit 1GB", 1, True),
        ("--weight count", 0.5, False),
        ("--weight count --approx", 0.5, False),
        ("--counts count", 1, False),
    ],
)
def test_whole_weights_are_told(run, command, options, factor, is_told):
    head, *lines = SCALE.splitlines()
    cells = [line.rsplit(",", 1) for line in lines]
    rows = [f"{start},{int(count) * factor}" for start, count in cells]
    Path("m.csv").write_text("\n".join([head, *rows]))
    code, _, err = run(command, *DATA, *options.split())
    assert code == 0
    note = "'count' holds whole numbers and is taken as sampling weights"
    assert (note in err) == is_told


def test_weights_of_0_and_1_are_no_counts(run):
    Path("m.csv").write_text("flag,rank,count\n1,3,1\n0,3,1\n1,2,0\n0,1,\n")
    for plan in ([], ["--approx"]):
        code, _, err = run("score", *DATA, "--weight", "count", *plan)
        assert code == 0
        assert "holds whole numbers" not in err


def test_whole_weights_are_told_in_the_report(run):
    Path("m.csv").write_text(SCALE)
    for option in ("--weight", "--counts"):
        code, _, err = run("report", *DATA, option, "count", "-o", "r.json")
        assert code == 0
        told = any(
            text.startswith("The whole numbers in the column of weights are taken as")
            for text in json.loads(Path("r.json").read_text())["limitations"]
        )
        assert told == (option == "--weight") == ("is taken as sampling weights" in err)
