"""A folder for temporary files, which a killed process leaves behind for the next run."""

import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from io import StringIO
from pathlib import Path
from typing import IO

from capcurve._files.interrupts import end_signals
from capcurve.exceptions import CapcurveError

PREFIX = "capcurve-"
LOCK = "capcurve.lock"
VARIABLE = "TMPDIR"
TRIES, PAUSE_SECONDS = 20, 0.05  # while a stopped process writes its last file


@contextmanager
def make_scratch_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder for temporary files, and remove those of processes that were killed.

    It is in `parent`, or where TMPDIR says. Python would take another place for one that
    cannot be used, such as a disk that rows must not be written to; this raises.
    """
    named = os.environ.get(VARIABLE) if parent is None else None
    place = parent or Path(named or find_usual_place())
    remove_abandoned_folders(place)
    lock: IO[str] = StringIO()  # no lock yet
    with end_signals.hold():
        try:
            with ExitStack() as stack:
                with nullcontext() if named is None else name_variable(named):
                    folder = place / f"{PREFIX}{secrets.token_hex(8)}"
                    stack.callback(remove_folder, folder)
                    folder.mkdir(mode=0o700)
                    lock = lock_folder(folder)
                yield folder
        finally:
            lock.close()


def find_usual_place() -> str:
    """Return where Python makes temporary files; raise if it can write nowhere."""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError as error:
        raise CapcurveError(
            "temporary files need a folder with space where files can be written, got none "
            f"among the usual ones; set {VARIABLE} to such a folder"
        ) from error


def remove_folder(folder: Path) -> None:
    """Remove a folder, if it is there; try again while somebody writes into it."""
    for _ in range(TRIES - 1):
        try:
            remove_once(folder)
        except OSError:
            time.sleep(PAUSE_SECONDS)
        else:
            return
    remove_once(folder)


def remove_once(folder: Path) -> None:
    """Remove a folder; the lock goes last, by which a later run finds what is left."""
    if not folder.exists():
        return
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()
    shutil.rmtree(folder)


@contextmanager
def name_variable(value: str) -> Iterator[None]:
    """Turn what the system raises about a folder into an error that names TMPDIR."""
    try:
        yield
    except OSError as error:
        raise CapcurveError(
            f"{VARIABLE} must be a folder where files can be written, got {value!r}: "
            f"{error.strerror or error}; correct it, or unset it"
        ) from error


if sys.platform == "win32":  # pragma: no cover -- Windows has no such locks

    def lock_folder(folder: Path) -> IO[str]:
        """Return no lock."""
        del folder
        return StringIO()

    def remove_abandoned_folders(parent: Path) -> None:
        """Remove nothing."""
        del parent

else:
    import fcntl

    def lock_folder(folder: Path) -> IO[str]:
        """Lock a file in the folder; the system unlocks it if the process is killed."""
        draft = folder / f"{LOCK}.draft"
        lock = draft.open("w")
        with suppress(OSError):  # not every file system has locks
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Nobody ever sees the name without the lock, which means an abandoned folder.
            draft.rename(folder / LOCK)
        return lock

    def remove_abandoned_folders(parent: Path) -> None:
        """Remove this user's folders whose lock nobody holds."""
        for path in parent.glob(f"{PREFIX}*/{LOCK}"):
            folder = path.parent
            with suppress(OSError):  # in use, of another user, or just removed
                if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                    continue
                with path.open() as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    remove_once(folder)
