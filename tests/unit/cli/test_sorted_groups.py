"""Notes name groups in the order of the table, wherever they come in the file."""

import json

import polars as pl
import pytest

SHARES = ("--shares", "1=1,2=1,3=1")
LABELS = ["10", "9", None, "b", "a"]


@pytest.mark.parametrize(
    "command",
    [
        ("change", "--sample", "p"),
        ("reference", *SHARES),
        ("compare", "--sample", "p", "--against", "x"),
    ],
)
def test_notes_name_groups_in_the_order_of_the_table(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    rows = [
        (int(at in {1, 7}), 1 + at % 3, label, "xw"[at % 2])
        for label in LABELS
        for at in range(12)
    ]
    pl.DataFrame(rows, schema=["y", "s", "g", "p"], orient="row").write_csv("f.csv")
    name, *options = command
    names = ("f.csv", "--truth", "y", "--estimate", "s", "--by", "g", "--format", "json")
    code, out, err = run(name, *names, *options)
    assert code == 0
    listed = list(dict.fromkeys(row["g"] for row in json.loads(out)["results"]))
    assert listed == ["9", "10", "a", "b", None]
    notes = [line for line in err.splitlines() if "g 10" in line]
    assert notes
    for note in notes:
        places = [note.index(each) for each in ("g 9", "g 10", "g a", "g b", "missing g")]
        assert places == sorted(places)
