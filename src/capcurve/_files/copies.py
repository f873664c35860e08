"""Files that hold the same bytes under different names."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from capcurve._files.paths import STDIN, list_paths
from capcurve._files.provenance import hash_file


class Copy(NamedTuple):
    """Two files that hold the same bytes."""

    name: str
    other: str


def find_copies(paths: Sequence[str]) -> list[Copy]:
    """List files that hold the same bytes; only those of equal size are read."""
    if tuple(paths) == (STDIN,):
        return []
    by_size: dict[int, list[str]] = defaultdict(list)
    for path in list_paths(paths):
        by_size[Path(path).stat().st_size].append(path)
    first: dict[str, str] = {}
    suspects = [path for same in by_size.values() if len(same) > 1 for path in same]
    found = ((path, first.setdefault(hash_file(path)["sha256"], path)) for path in suspects)
    return [Copy(earlier, path) for path, earlier in found if earlier != path]
