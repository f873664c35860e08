"""File names: what they stand for, what kind of file they name, how DuckDB takes them."""

import os
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from glob import has_magic
from pathlib import Path
from typing import NamedTuple

from capcurve._files.failures import explain_unread
from capcurve._files.unseen import (
    Matches,
    explain_unopened,
    find_matches,
    is_link_to_nothing,
)
from capcurve.exceptions import CapcurveError

PARQUET_ENDINGS = (".parquet", ".pq")
TEXT_ENDINGS = (".csv", ".tsv", ".txt")
JSON_LINES_ENDINGS = (".jsonl", ".ndjson")
SQLITE = (".sqlite", ".sqlite3")
DUCKDB = (".duckdb", ".ddb")
SQLITE_OR_DUCKDB = (".db",)
DATABASES = (*SQLITE, *DUCKDB, *SQLITE_OR_DUCKDB)
KINDS = (PARQUET_ENDINGS, TEXT_ENDINGS, JSON_LINES_ENDINGS, DATABASES)
OTHER_ENDINGS = (  # of files with data that another name does not help
    *(".feather", ".arrow", ".ipc", ".orc", ".avro", ".xls", ".xlsx", ".ods", ".pkl"),
    *(".rds", ".rda", ".rdata", ".sas7bdat", ".xpt", ".sav", ".dta"),
)
COMPRESSED = (".gz", ".zst")
STDIN = "-"
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")  # a drive of Windows has one letter
GONE = "the current folder no longer exists; change into an existing one"
STREAM = re.compile(r"/dev/(std(in|out|err)|fd/.*)|/proc/[^/]+/fd/.*")


class InputFile(NamedTuple):
    """A file under the name that the user knows and the path that is opened.

    They differ for standard input, for copies, and for names that DuckDB would expand.
    """

    name: str
    path: str

    @property
    def pattern(self) -> str:
        """The path as a glob pattern that matches no other file."""
        return re.sub(r"([*?[])", r"[\1]", self.path)


def name_files(paths: list[str]) -> list[InputFile]:
    """Return the files with paths that DuckDB takes as they are."""
    files = []
    for path in paths:
        try:
            path.encode()
        except UnicodeEncodeError as error:
            shown = path.encode(errors="backslashreplace").decode()
            raise CapcurveError(
                f"the name of a file must be text in UTF-8, got {shown}; rename the file, "
                "or pass - and redirect it to standard input"
            ) from error
        # DuckDB expands a tilde, and reads a prefix such as s3: as a protocol.
        is_expanded = re.match(r"~|[\w+.-]{2,}:", path) is not None
        files.append(InputFile(path, f"./{path}" if is_expanded else path))
    return files


def find_ending(path: str) -> str:
    """Return the ending of a file name in lower case, without that of a compression."""
    plain = Path(path)
    return (plain.with_suffix("") if plain.suffix in COMPRESSED else plain).suffix.lower()


def list_paths(paths: Sequence[str]) -> list[str]:
    """Return the files that names and glob patterns stand for, those of each sorted."""
    if STDIN in paths:
        raise CapcurveError(
            f"- stands for standard input, which must be the only file, got {len(paths)}; "
            "leave it out, or the others"
        )
    found = [name for path in paths for name in find_files(path)]
    counted = Counter(map(os.path.realpath, found))
    if repeated := [name for name in found if counted[os.path.realpath(name)] > 1]:
        raise CapcurveError(
            f"each file must be named once, or its rows would count twice, got "
            f"{repeated[0]} more often; leave one out"
        )
    kinds = {find_kind(name): name for name in reversed(found)}
    if len(kinds) > 1:
        raise CapcurveError(
            f"all files must be of one kind, got {', '.join(sorted(kinds.values()))}; "
            "convert some of them"
        )
    return found


def find_files(path: str) -> list[str]:
    """Return the sorted files that a file name or a glob pattern stands for."""
    refuse_address(path)
    if not has_magic(path):
        find_kind(path)  # which says more than that there is no such file
    return match_files(path)


def match_files(path: str) -> list[str]:
    """Return the sorted files of a name or a pattern, whatever their endings.

    Raise if it matches none, or meets something that cannot be seen.
    """
    refuse_address(path)
    found = find_any(path)
    for problem in (*found.broken.values(), *found.unseen.values()):
        raise CapcurveError(problem)
    return found.files


def find_any(path: str) -> Matches:
    """Return what a name or a pattern stands for; raise if that is nothing at all."""
    refuse_folder(path, "*.csv")
    with explain_unread(path):  # such as a folder without permission
        found = find_matches(path)
    for folder in found.folders:
        if is_called_a_file(folder, path) and not holds_any(folder, found.files):
            inside = name_inside(folder, f"*{Path(folder).suffix}")
            found.broken[folder] = (
                f"cannot read {folder}: it is a folder, which {path} matches; narrow this "
                f"pattern, and pass the files of the folder, such as '{inside}'"
            )
    if not any((found.files, found.broken, found.unseen)):
        if has_magic(path):
            raise CapcurveError(
                f"cannot read {path}: no file matches this pattern; correct it"
            )
        raise make_missing_error(path)
    return found


def is_called_a_file(folder: str, pattern: str) -> bool:
    """Whether a folder that matches a pattern is called as a file that it is meant for.

    Of Spark, say, whose data set is a folder. Other folders beside the files are usual.
    """
    meant = Path(pattern).suffix
    return has_known_ending(folder) or (meant != "" and not has_magic(meant))


def holds_any(folder: str, files: Sequence[str]) -> bool:
    """Whether one of the files lies in a folder."""
    return any(Path(folder) in Path(each).parents for each in files)


def make_missing_error(path: str) -> CapcurveError:
    """Return the error for a name without a file."""
    if not Path(path).is_absolute() and is_in_no_folder():
        return CapcurveError(GONE)
    if is_link_to_nothing(path):
        return CapcurveError(explain_unopened(path, FileNotFoundError()))
    return CapcurveError(f"cannot read {path}: no such file; {suggest_file(path)}")


def suggest_file(path: str) -> str:
    """Name the files next to a missing one that are of its kind and called alike."""
    wanted = Path(path)
    files: dict[str, str] = {}
    with suppress(OSError):  # no such folder, or one that may not be listed
        found = wanted.parent.iterdir()
        files = {each.stem: str(each) for each in found if each.suffix == wanted.suffix}
    close = get_close_matches(wanted.stem, files)
    if not close:
        return "check the name"
    return f"did you mean {' or '.join(files[stem] for stem in close)}?"


def refuse_address(path: str) -> None:
    """Raise for the address of a file elsewhere."""
    if ADDRESS.match(path):
        raise CapcurveError(
            f"cannot read {path}: it is an address, and only files of this machine are "
            "read; download it first, or pass - and pipe it to standard input"
        )


def is_in_no_folder() -> bool:
    """Whether the current folder was removed, so that no name is found from there."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def refuse_folder(path: str, files: str) -> None:
    """Raise for a folder, of whose files a pattern is named."""
    with explain_unread(path):
        is_folder = Path(path).is_dir()
    if is_folder:
        raise CapcurveError(
            f"cannot read {path}: it is a folder; pass its files, such as "
            f"'{name_inside(path, files)}'"
        )


def name_inside(folder: str, files: str) -> Path:
    """Name a pattern of files in a folder, of its own ending if that is one of data."""
    return Path(folder) / (f"*{find_ending(folder)}" if has_known_ending(folder) else files)


def has_known_ending(path: str) -> bool:
    """Whether a name ends as that of a file with data does."""
    return any(find_ending(path) in kind for kind in KINDS)


def find_kind(path: str) -> tuple[str, ...]:
    """Return the endings of files of the same kind; raise if the ending is unknown."""
    refuse_folder(path, "*.csv")
    ending = find_ending(path)
    for kind in KINDS:
        if ending in kind:
            return kind
    if STREAM.fullmatch(path) or Path(path).is_fifo():
        raise CapcurveError(
            f"cannot read {path}: it is a stream, which can be read only once; pass - and "
            "pipe it to standard input"
        )
    known = [each for kind in KINDS for each in kind]
    convert = "convert the file, to Parquet for example"
    remedy = convert if ending in OTHER_ENDINGS else "rename it, or convert the file"
    raise CapcurveError(
        f"cannot read {path}: the name must end in one of {', '.join(known)} "
        f"(text also in {' or '.join(COMPRESSED)}); {remedy}"
    )
