"""Write files atomically."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from capcurve._files.scratch import make_scratch_folder
from capcurve.exceptions import CapcurveError


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file in a temporary folder next to its place, then rename it.

    If writing fails or is interrupted, an existing file is left unchanged. The new one gets
    its permissions. A link stays one: the file that it leads to is replaced.
    """
    target = find_target(path)
    with make_scratch_folder(target.parent) as folder:
        draft = folder / f"draft{path.suffix}"
        write(draft)
        with suppress(FileNotFoundError):
            shutil.copymode(target, draft)
        draft.replace(target)


def find_target(path: Path, name: str = "`path`") -> Path:
    """Follow links to the place of a file; raise if no file can be written there."""
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
