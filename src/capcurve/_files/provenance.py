"""Record names, sizes and checksums of the files that were read."""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from capcurve._files.paths import InputFile

MAX_FILES_NAMED = 20
BLOCK_SIZE = 1 << 20


def describe_files(files: Sequence[InputFile], pattern: str) -> list[dict[str, Any]]:
    """Return name, size and SHA-256 of opened files, or of all together if many."""
    if len(files) <= MAX_FILES_NAMED:
        return [hash_files([file.path]) | {"name": file.name} for file in files]
    paths = [file.path for file in files]
    return [hash_files(paths) | {"name": f"{pattern} ({len(paths)} files)"}]


def hash_files(paths: Sequence[str]) -> dict[str, Any]:
    """Return the name of the first file, and size and SHA-256 of all files together."""
    digest = hashlib.sha256()
    size = 0
    for path in paths:
        with Path(path).open("rb") as file:
            for block in iter(partial(file.read, BLOCK_SIZE), b""):
                digest.update(block)
                size += len(block)
    return {"name": paths[0], "size": size, "sha256": digest.hexdigest()}
