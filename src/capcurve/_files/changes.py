"""Files that change while they are read, whose hash would be of other rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from capcurve._files.paths import InputFile
from capcurve.exceptions import CapcurveError


class Fingerprint(NamedTuple):
    """What differs once a file was written to, or another file has its name.

    The time of the last change of permissions or links is no part of it, as these leave the
    rows as they are.
    """

    device: int
    inode: int
    size: int
    modified: int


def take_fingerprint(file: InputFile) -> Fingerprint | None:
    """Look at a file without reading it; None if that is impossible."""
    try:
        found = Path(file.path).stat()
    except OSError:  # who reads it says more
        return None
    return Fingerprint(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


@contextmanager
def refuse_changes(files: Sequence[InputFile]) -> Iterator[None]:
    """Raise if one of the files changes while they are read and hashed.

    Whatever else is raised by then may be due to the change, and is its cause.
    """
    before = [take_fingerprint(file) for file in files]
    try:
        yield
    except Exception as error:
        refuse_changed(files, before, error)
        raise
    refuse_changed(files, before)


def refuse_changed(
    files: Sequence[InputFile],
    before: Sequence[Fingerprint | None],
    cause: Exception | None = None,
) -> None:
    """Raise for the first file that is not what it was."""
    for file, found in zip(files, before, strict=True):
        if take_fingerprint(file) != found:
            raise CapcurveError(
                f"cannot read {file.name}: it must stay as it is until it is read, but it "
                "changed while it was read; run again when it is complete"
            ) from cause
