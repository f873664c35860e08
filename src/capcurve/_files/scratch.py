"""A folder for temporary files, which a killed process leaves behind for the next run."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import IO

from capcurve._files.interrupts import end_signals

PREFIX = "capcurve-"
LOCK = "capcurve.lock"


@contextmanager
def make_scratch_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder for temporary files, and remove those of processes that were killed."""
    remove_abandoned_folders(parent or Path(tempfile.gettempdir()))
    lock: IO[str] = StringIO()  # no lock yet
    with end_signals.hold():
        try:
            with tempfile.TemporaryDirectory(prefix=PREFIX, dir=parent) as folder:
                lock = lock_folder(Path(folder))
                yield Path(folder)
        finally:
            lock.close()


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
    import os

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
                    shutil.rmtree(folder)
