"""Write files atomically."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from capcurve._files.failures import FULL
from capcurve._files.scratch import make_scratch_folder
from capcurve.exceptions import CapcurveError


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file in a temporary folder next to its place, then rename it.

    If writing fails or is interrupted, an existing file is left unchanged. The new one gets
    its permissions. A link stays one: the file that it leads to is replaced.
    """
    target = find_target(path)
    try:
        with make_scratch_folder(target.parent) as folder:
            draft = folder / f"draft{path.suffix}"
            write(draft)
            with suppress(FileNotFoundError):
                shutil.copymode(target, draft)
            draft.replace(target)
    except OSError as error:
        raise explain_unwritten(path, target, error) from error


def write_content(path: Path, content: bytes) -> None:
    """Write bytes to a file, whole or not at all."""

    def write(draft: Path) -> None:
        draft.write_bytes(content)

    write_whole(path, write)


def make_folder(path: Path) -> None:
    """Make the folder of a file where there is none."""
    with explain_unmade(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def explain_unmade(folder: Path) -> Iterator[None]:
    """Turn what the system raises about a folder that cannot be made into one error."""
    try:
        yield
    except OSError as error:
        raise CapcurveError(
            f"cannot make the folder {str(folder)!r}: {error.strerror}; choose another "
            "place"
        ) from error


def explain_unwritten(path: Path, target: Path, error: OSError) -> CapcurveError:
    """Return the error for a file that the system did not let be written."""
    # `Path.exists` raises in a folder that may not be read.
    kept = "; the old file was kept" if os.path.exists(target) else ""  # noqa: PTH110
    reason = error.strerror or str(error)
    hint = "make space or choose" if error.errno in FULL else "choose"
    return CapcurveError(
        f"cannot write {str(path)!r}: {reason}{kept}; {hint} another place"
    )


def find_target(path: Path, name: str = "`path`") -> Path:
    """Follow links to the place of a file; raise if no file can be written there."""
    try:
        return follow_links(path, name)
    except FileNotFoundError:  # the current folder was removed, which the caller tells
        raise
    except OSError as error:  # in a folder that may not be read
        raise explain_unwritten(path, path, error) from error


def follow_links(path: Path, name: str) -> Path:
    """Return the place that links lead to; raise if no file can be written there."""
    if is_planted(path):
        raise CapcurveError(
            f"{name} must be no link of another user in a folder where everybody may "
            f"write, got {str(path)!r}; choose another folder"
        )
    target = Path(os.path.realpath(path))
    for folder in (path.parent, target.parent):
        if folder.is_file():
            raise CapcurveError(
                f"{name} must be in a folder, got {str(path)!r}, but {str(folder)!r} is a "
                "file; choose another folder"
            )
        if not folder.is_dir():
            raise CapcurveError(
                f"{name} must be in an existing folder, got {str(path)!r}; create the "
                f"folder {str(folder)!r} first"
            )
    if target.exists() and not target.is_file():
        raise CapcurveError(
            f"{name} must be a file, got {str(path)!r}, which is a folder or a device; "
            "choose another name"
        )
    return target


def is_planted(path: Path) -> bool:
    """Whether another user put a link where everybody may write, so that we overwrite.

    Linux refuses to open such links (its setting ``fs.protected_symlinks``), but a draft is
    moved to the place that a link leads to, and nothing opens the link.
    """
    if not path.is_symlink():
        return False
    folder = path.parent.stat()
    everybody_writes = stat.S_ISVTX | stat.S_IWOTH
    return (
        folder.st_mode & everybody_writes == everybody_writes
        and path.lstat().st_uid not in {os.geteuid(), folder.st_uid}
    )
