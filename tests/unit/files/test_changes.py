"""A file that changes while it is read is refused: its hash would be of other rows."""

import os
from pathlib import Path

import pytest

from capcurve import CapcurveError
from capcurve._files.changes import refuse_changes
from capcurve._files.paths import InputFile

FILES = [InputFile("first", "a.csv"), InputFile("second", "b.csv")]
CHANGED = (
    "cannot read second: it must stay as it is until it is read, but it changed while it "
    "was read; run again when it is complete"
)


@pytest.fixture(autouse=True)
def _files():
    for name in ("a.csv", "b.csv"):
        Path(name).write_text("y,s\n1,2\n", "utf-8")


def append(path):
    with path.open("a", encoding="utf-8") as file:
        file.write("0,1\n")


def replace(path):
    other = Path("c.csv")
    other.write_bytes(path.read_bytes())
    found = path.stat()
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns))
    other.replace(path)


def rewrite(path):
    found = path.stat()
    path.write_bytes(b"y,s\n0,2\n")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns + 1))


def fail_after_a_change(problem):
    append(Path("b.csv"))
    raise problem


@pytest.mark.parametrize("change", [append, replace, rewrite, Path.unlink])
def test_a_change_is_refused(change):
    with pytest.raises(CapcurveError) as caught, refuse_changes(FILES):
        change(Path("b.csv"))
    assert str(caught.value) == CHANGED


def test_what_else_goes_wrong_then_is_its_cause():
    problem = CapcurveError("line 3 has 1 fields")
    with pytest.raises(CapcurveError) as caught, refuse_changes(FILES):
        fail_after_a_change(problem)
    assert str(caught.value) == CHANGED
    assert caught.value.__cause__ is problem
    with pytest.raises(CapcurveError, match="line 3") as caught, refuse_changes(FILES):
        raise problem
    assert caught.value is problem


def test_an_interrupt_stays_one():
    with pytest.raises(KeyboardInterrupt), refuse_changes(FILES):
        fail_after_a_change(KeyboardInterrupt())


def test_what_leaves_the_rows_as_they_are_is_no_change():
    with refuse_changes([*FILES, InputFile("gone", "no.csv")]):
        Path("b.csv").chmod(0o600)
        Path("c.csv").hardlink_to("b.csv")
        Path("a.csv").read_bytes()
