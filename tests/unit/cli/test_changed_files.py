"""No command writes what it read of a file that changed on the way."""

import hashlib
import json
import os
from pathlib import Path

import polars as pl
import pytest

from capcurve._cli import sketch_files
from capcurve._files import open as opening
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(600))
COLUMNS = ("--truth", "default", "--estimate", "champion_pd")
PAIR = (*COLUMNS, "--estimate", "challenger_pd")
COMMANDS = {
    "score": ("score", "f.csv", *COLUMNS, "-o", "r.json"),
    "printed": ("score", "f.csv", *COLUMNS),
    "out of core": ("score", "f.csv", *COLUMNS, "--memory-limit", "1GB", "-o", "r.json"),
    "query": ("score", "f.csv", *COLUMNS, "--query", "from data", "-o", "r.json"),
    "table": ("table", "f.csv", *COLUMNS, "-o", "r.json"),
    "compare": ("compare", "f.csv", *PAIR, "-o", "r.json"),
    "samples": ("compare", "g.csv", *COLUMNS, "--against", "f.csv", "-o", "r.json"),
    "report": ("report", "f.csv", *COLUMNS, "-o", "r.json"),
    "sketch": ("sketch", "make", "f.csv", *COLUMNS, "-o", "r.sketch"),
    "Parquet": ("score", "f.parquet", *COLUMNS, "-o", "r.json"),
}
SAID = (
    "it must stay as it is until it is read, but it changed while it was read; run again "
    "when it is complete"
)
pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")


@pytest.fixture
def _changing(monkeypatch):
    """Write to f.csv, and touch f.parquet, as soon as the first bytes are read."""
    LOANS.write_csv("f.csv")
    LOANS.reverse().write_csv("g.csv")
    LOANS.write_parquet("f.parquet")
    look = opening.refuse_other_formats

    def look_and_write(file):
        look(file)
        if file.name == "f.csv":
            with Path(file.path).open("ab") as opened:
                opened.write(LOANS[:1].write_csv(include_header=False).encode())
        if file.name == "f.parquet":
            os.utime(file.path, ns=(0, 0))

    monkeypatch.setattr(opening, "refuse_other_formats", look_and_write)


@pytest.mark.usefixtures("_changing")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_that_changes_is_refused(run, name):
    file = "f.parquet" if name == "Parquet" else "f.csv"
    code, out, err = run(*COMMANDS[name])
    assert (code, out) == (2, "")
    assert err == f"capcurve: error: cannot read {file}: {SAID}\n"
    assert list(Path().glob("r.*")) == []


@pytest.mark.usefixtures("_changing")
def test_a_run_goes_on_with_the_other_files(run):
    Path("capcurve.toml").write_text(
        "[report]\ntruth = 'default'\nestimate = 'champion_pd'\n"
        "output = '{name}.json'\n[[portfolio]]\nfiles = '*.csv'\n",
        "utf-8",
    )
    code, _, err = run("run", "--quiet")
    assert code == 2
    assert f"cannot read f.csv: {SAID}" in err
    assert [path.name for path in Path().glob("?.json")] == ["g.json"]


@pytest.mark.parametrize("command", ["show", "table"])
def test_the_hash_of_a_sketch_is_that_of_what_was_read(run, command, monkeypatch):
    """Its bytes are read once, and another file may take its name at once."""
    LOANS.write_csv("f.csv")
    run("sketch", "make", "f.csv", *COLUMNS, "-o", "f.sketch")
    content = Path("f.sketch").read_bytes()
    read = sketch_files.read_sketch_bytes

    def read_and_replace(path):
        found = read(path)
        Path(path).write_bytes(b"another one")
        return found

    monkeypatch.setattr(sketch_files, "read_sketch_bytes", read_and_replace)
    assert run("sketch", command, "f.sketch", "-o", "r.json")[0] == 0
    (file,) = json.loads(Path("r.json").read_text("utf-8"))["provenance"]["files"]
    assert file["sha256"] == hashlib.sha256(content).hexdigest()
