"""Record names, sizes and checksums of the files that were read."""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from capcurve._files.paths import InputFile

BLOCK_SIZE = 1 << 20


def describe_files(files: Sequence[InputFile]) -> list[dict[str, Any]]:
    """Return name, size and SHA-256 of each opened file."""
    return [{"name": file.name, **hash_file(file.path)} for file in files]


def hash_bytes(content: bytes) -> dict[str, Any]:
    """Return size and SHA-256 of what was read."""
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def hash_file(path: str) -> dict[str, Any]:
    """Return size and SHA-256 of a file."""
    digest = hashlib.sha256()
    size = 0
    with Path(path).open("rb") as file:
        for block in iter(partial(file.read, BLOCK_SIZE), b""):
            digest.update(block)
            size += len(block)
    return {"size": size, "sha256": digest.hexdigest()}
