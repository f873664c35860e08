"""Record names, sizes and checksums of the files that were read."""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from capcurve._files.paths import DATABASES, InputFile, find_ending

BLOCK_SIZE = 1 << 20
LOGS = ("-wal", ".wal")  # of SQLite, of DuckDB


def describe_files(files: Sequence[InputFile]) -> list[dict[str, Any]]:
    """Return name, size and SHA-256 of each opened file, and of its write-ahead log."""
    return [
        {"name": f"{file.name}{ending}", **hash_file(f"{file.path}{ending}")}
        for file in files
        for ending in ("", *find_logs(file.path))
    ]


def find_logs(path: str) -> list[str]:
    """Find the rows of a database that its writer has not yet moved into the file."""
    if find_ending(path) not in DATABASES:
        return []
    logs = {ending: Path(f"{path}{ending}") for ending in LOGS}
    return [ending for ending, log in logs.items() if log.is_file() and log.stat().st_size]


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
