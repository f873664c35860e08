"""Odd scores are noted where samples, segments and periods are compared, too."""

from pathlib import Path

import pytest

from capcurve.datasets import make_portfolio

COLUMNS = ("--truth", "default", "--estimate", "champion_pd")
SAMPLE = ("--sample", "year")
BY = ("--by", "segment")
COMMANDS = {
    "samples": ("compare", *SAMPLE, "--against", "2021"),
    "segments": ("segments", *BY),
    "change": ("change", *SAMPLE, "--bands", "5", *BY),
}


def write_loans(name, first=0, last=4000, *, odd="-9999", grade=3):
    """Write loans; the score of each tenth one stands for a missing value."""
    loans = make_portfolio(4_000)
    lines = ["default,champion_pd,year,segment,n,mark"]
    for i in range(first, last):
        score = odd if i % 10 == 0 else round(loans["champion_pd"][i], grade)
        year, segment = loans["year"][i], loans["segment"][i]
        outcome = "" if i % 100 == 0 else loans["default"][i]
        lines.append(f"{outcome},{score},{year},{segment},{i % 3 * 2},{i % 9}")
    Path(name).write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("command", ["samples", "segments", "change"])
@pytest.mark.parametrize(
    ("options", "rows", "place"),
    [((), 360, "last"), (("--ascending",), 360, "first"), (("--counts", "n"), 720, "last")],
)
def test_all_rows_are_looked_at_together(run, command, options, rows, place):
    write_loans("f.csv")
    name, *others = COMMANDS[command]
    code, _, err = run(name, "f.csv", *COLUMNS, *others, *options)
    assert code == 0, err
    assert err.count(f"note: 'champion_pd' is -9999 in {rows} rows and from ") == 1
    assert err.count(f" in all others, so these rank {place}; if that means") == 1


def test_so_are_those_of_two_files(run):
    write_loans("a.csv", 0, 2000)
    write_loans("b.csv", 2000, 4000)
    _, _, err = run("compare", "a.csv", *COLUMNS, "--against", "b.csv")
    assert err.count("'champion_pd' is -9999 in 360 rows") == 1


def test_and_at_the_grades_of_another_portfolio(run):
    write_loans("f.csv", odd="-inf", grade=1)
    shares = "-inf=1,0=5,0.1=3,0.2=1,0.3=1,0.4=1,0.5=1"
    _, _, err = run("reference", "f.csv", *COLUMNS, "--shares", shares)
    assert "'champion_pd' is infinite in 360 rows, which rank first or last" in err


def test_what_ranks_beside_probabilities_is_looked_at(run):
    write_loans("f.csv")
    renamed = "select *, champion_pd as score, greatest(champion_pd, 0.01) as pd from data"
    options = ("--truth", "default", "--estimate", "pd", "--score", "score")
    _, _, err = run("implied", "f.csv", *options, "--query", renamed)
    assert "'score' is -9999 in 360 rows" in err


def test_grades_in_words_are_none(run):
    write_loans("f.csv")
    grades = "select *, concat('g', mark) as grade from data"
    order = ",".join(f"g{i}" for i in range(9))
    options = ("--truth", "default", "--estimate", "grade", "--order", order, *SAMPLE)
    code, _, err = run("change", "f.csv", *options, "--query", grades)
    assert code == 0
    assert "in all others" not in err
