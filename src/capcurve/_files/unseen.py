"""What a pattern meets and cannot see, so that no file is left out without a word."""

import os
import stat
from collections.abc import Iterable, Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import NamedTuple

from capcurve._files.failures import make_unread_error

RECURSIVE = "**"
NO_FILE = {  # by whether it was named, or matches a pattern
    True: "it is a pipe, a socket or a device; pass - and pipe its rows to standard input, "
    "or write them to a file",
    False: "it is a pipe, a socket or a device; write its rows to a file, or remove it",
}


class Matches(NamedTuple):
    """What a name or a pattern stands for.

    Attributes
    ----------
    files : list of str
        Sorted.
    broken : dict
        Names that match and cannot be opened, and why.
    unseen : dict
        Folders that the pattern looks into and that cannot be listed, and why.
    folders : list of str
        Folders that match.
    """

    files: list[str]
    broken: dict[str, str]
    unseen: dict[str, str]
    folders: Sequence[str] = ()


def find_matches(pattern: str) -> Matches:
    """Find the files of a name or a pattern, and what stands in the way."""
    if Path(pattern).is_file():
        return Matches([pattern], {}, {})
    folders: list[str] = []
    found = Matches([], {}, find_unseen(pattern), folders)
    for name in sorted(glob(pattern, recursive=True)):  # noqa: PTH207 -- a whole path may be a pattern
        try:
            mode = os.stat(name).st_mode  # noqa: PTH116 -- a slash at the end counts
        except OSError as error:
            found.broken[name] = explain_unopened(name, error)
            continue
        if stat.S_ISREG(mode):
            found.files.append(name)
        elif stat.S_ISDIR(mode):
            folders.append(name)
        else:
            found.broken[name] = f"cannot read {name}: {NO_FILE[name == pattern]}"
    return found


def find_unseen(pattern: str) -> dict[str, str]:
    """Find the folders that a pattern looks into in vain, and why."""
    folder, name = os.path.split(pattern)
    if folder == pattern:  # the root, or nothing
        return {}
    unseen = find_unseen(folder)
    for each in list_folders(folder, name):
        target = each if has_magic(name) else os.path.join(each, name)  # noqa: PTH118 -- keeps "./"
        try:
            look_for(target, all_of_it=has_magic(name))
        except NotADirectoryError:
            continue
        except FileNotFoundError as error:
            if is_link_to_nothing(each):
                unseen[each] = explain_unopened(each, error)
        except OSError as error:
            unseen[target] = explain_unopened(target, error)
    return unseen


def list_folders(folder: str, name: str) -> Iterable[str]:
    """List what a pattern takes for folders, in which it looks for a name."""
    if name == RECURSIVE:
        return glob(os.path.join(folder, name), recursive=True)  # noqa: PTH118, PTH207 -- see above
    if has_magic(folder):
        return glob(folder, recursive=True)  # noqa: PTH207 -- see above
    return [folder or os.curdir]


def look_for(path: str, *, all_of_it: bool) -> None:
    """Raise unless a folder can be listed, or a single name be looked up in its folder."""
    if all_of_it:
        os.scandir(path).close()
    else:
        os.lstat(path)


def is_link_to_nothing(path: str) -> bool:
    """Whether a path is a link, but not to a file or a folder."""
    return Path(path).is_symlink() and not os.path.exists(path)  # noqa: PTH110 -- raises nothing


def explain_unopened(path: str, error: OSError) -> str:
    """Say why a path cannot be opened."""
    if isinstance(error, FileNotFoundError) and is_link_to_nothing(path):
        target = str(Path(path).readlink())
        return (
            f"cannot read {path}: it is a link to nothing ({target!r}); mount or restore "
            "what it stands for, or remove the link"
        )
    return str(make_unread_error(path, error))
