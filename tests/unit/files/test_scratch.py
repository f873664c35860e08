"""Temporary folders are removed, those of killed processes at the next run."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from capcurve import CapcurveError
from capcurve._files import scratch
from capcurve._files.scratch import (
    LOCK,
    PREFIX,
    lock_folder,
    make_scratch_folder,
    remove_folder,
)

HOLD = """
import sys, time
from capcurve import CapcurveError
from capcurve._files.scratch import make_scratch_folder
with make_scratch_folder() as folder:
    (folder / "rows").mkdir()
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def parent(tmp_path, monkeypatch):
    """Make temporary folders in a folder of the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def leave_folder(parent, name):
    """Make a folder as a killed process leaves it."""
    folder = parent / f"{PREFIX}{name}"
    (folder / "rows").mkdir(parents=True)
    (folder / LOCK).touch()
    return folder


def test_the_folder_goes_with_its_block(parent):
    with make_scratch_folder() as folder:
        (folder / "file").touch()
        assert list(parent.iterdir()) == [folder]
    assert list(parent.iterdir()) == []
    with pytest.raises(OSError, match="of the caller"), make_scratch_folder():
        raise OSError("of the caller")
    assert list(parent.iterdir()) == []


def test_abandoned_folders_are_removed(parent):
    left = leave_folder(parent, "killed")
    with make_scratch_folder() as folder:
        assert list(parent.iterdir()) == [folder]
    assert not left.exists()


def test_what_cannot_be_removed_yet_keeps_its_lock(parent, monkeypatch):
    left, tries = leave_folder(parent, "killed"), []
    (left / "rows" / "file").touch()
    remove = scratch.shutil.rmtree

    def fail(path):
        tries.append(path)
        if len(tries) < 3 or path.name.startswith("locked"):
            raise OSError("Directory not empty")
        remove(path)

    monkeypatch.setattr(scratch, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(scratch.shutil, "rmtree", fail)
    remove_folder(left)
    assert list(parent.iterdir()) == []
    assert tries == [left / "rows"] * 3 + [left]
    kept = make_scratch_folder()
    folder = kept.__enter__()
    (folder / "locked").mkdir()
    (folder / "file").touch()
    with pytest.raises(OSError, match="not empty"):
        kept.__exit__(None, None, None)
    assert sorted(path.name for path in folder.iterdir()) == [LOCK, "locked"]
    monkeypatch.setattr(scratch.shutil, "rmtree", remove)
    with make_scratch_folder() as other:
        assert list(parent.iterdir()) == [other]


def test_folders_in_use_and_folders_of_others_stay(parent, monkeypatch):
    used = leave_folder(parent, "used")
    with lock_folder(used):
        (parent / f"{PREFIX}plots").mkdir()  # a user's folder, which has no lock
        elsewhere = leave_folder(parent / "elsewhere", "linked")
        (parent / f"{PREFIX}link").symlink_to(elsewhere)
        with make_scratch_folder():
            pass
        names = {path.name for path in parent.iterdir()}
        kept = {used.name, f"{PREFIX}plots", f"{PREFIX}link", "elsewhere"}
        assert names == kept
        assert (elsewhere / LOCK).exists()
    monkeypatch.setattr(os, "getuid", lambda: -1)
    with make_scratch_folder():
        assert used.exists()


def test_file_systems_without_locks(parent, monkeypatch):
    def fail(*_):
        raise OSError("no locks available")

    left = leave_folder(parent, "killed")
    monkeypatch.setattr("fcntl.flock", fail)
    with make_scratch_folder() as folder:
        assert folder.exists()
    assert left.exists()


@pytest.mark.slow
def test_a_killed_process_is_cleaned_up_after(parent):
    process = subprocess.Popen(  # noqa: S603 -- our own command
        [sys.executable, "-c", HOLD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        folder = Path(process.stdout.readline().strip())
        assert folder.parent == parent
        with make_scratch_folder():
            assert (folder / "rows").exists()
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (folder / "rows").exists()
        with make_scratch_folder():
            assert not folder.exists()


def test_a_folder_may_be_made_elsewhere(parent):
    (parent / "here").mkdir()
    left, elsewhere = (
        leave_folder(parent / "here", "killed"),
        leave_folder(parent, "killed"),
    )
    with make_scratch_folder(parent / "here") as folder:
        assert folder.parent == parent / "here"
    assert (left.exists(), elsewhere.exists()) == (False, True)


@pytest.mark.parametrize("place", ["none", "file", "closed"])
def test_another_place_than_that_of_tmpdir_is_not_taken(parent, monkeypatch, place):
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", place)
    told = {"none": "No such file or directory", "file": "Not a directory"}
    if place == "file":
        Path(place).touch()
    elif place == "closed":  # permissions do not bind the root user
        told[place] = "Permission denied"
        monkeypatch.setattr(os, "mkdir", refuse_folder)
    with pytest.raises(CapcurveError) as caught, make_scratch_folder():
        pass
    assert str(caught.value) == (
        f"TMPDIR must be a folder where files can be written, got {place!r}: "
        f"{told[place]}; correct it, or unset it"
    )
    if place == "none":
        with make_scratch_folder(parent) as folder:  # next to an output
            assert folder.parent == parent


def refuse_folder(path, *_):
    raise PermissionError(errno.EACCES, "Permission denied", path)


def test_without_tmpdir_a_usual_place_is_taken(parent, monkeypatch):
    monkeypatch.delenv("TMPDIR")
    with make_scratch_folder() as folder:
        assert folder.parent == parent


def test_without_any_usual_place_the_error_says_to_name_one(monkeypatch):
    monkeypatch.delenv("TMPDIR")
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", list)
    with pytest.raises(CapcurveError) as caught, make_scratch_folder():
        pass
    assert str(caught.value) == (
        "temporary files need a folder with space where files can be written, got none "
        "among the usual ones; set TMPDIR to such a folder"
    )


def test_commands_name_a_tmpdir_that_is_not_there(tmp_path):
    rows = "y,s\n1,2\n0,1\n"
    command = ["score", "-", "--truth", "y", "--estimate", "s", "--format", "csv"]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "gone")}
    done = subprocess.run(  # noqa: S603 -- our own program
        [sys.executable, "-m", "capcurve", *command],
        input=rows,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("capcurve: error: TMPDIR must be a folder where files ca")
