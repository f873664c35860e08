"""Write files atomically."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file under a temporary name in the same folder, then rename it.

    If writing fails or is interrupted, an existing file at ``path`` is left unchanged.
    """
    draft = path.with_name(f".{path.stem}-{os.getpid()}{path.suffix}")
    try:
        write(draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
