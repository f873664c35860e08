"""Names of the portfolios of a config, which those of their reports are made of."""

from collections.abc import Sequence
from pathlib import Path

from capcurve._cli.config_values import Place
from capcurve._files.paths import COMPRESSED
from capcurve.exceptions import CapcurveError

NAME_WORDS = ("{stem}", "{folder}")  # that are filled in
ADVICE = "write a `name`, in which {stem} and {folder} are those of the file"
WITH_FOLDER = "{folder}-{stem}"
NOT_IN_NAMES = '/\\\0*?"<>|'
SIGNS = " ".join(NOT_IN_NAMES.replace("\0", ""))


def fill_name(name: str, path: str) -> str:
    """Fill in the name of a portfolio from that of its file."""
    file = Path(path)
    plain = file.with_suffix("") if file.suffix in COMPRESSED else file
    folder = file.absolute().parent.name
    return name.replace("{stem}", plain.stem).replace("{folder}", folder)


def is_filled(name: str) -> bool:
    """Whether a name is made of that of its file."""
    return any(word in name for word in NAME_WORDS)


def refuse_odd_name(name: str, place: Place) -> None:
    """Raise for a name that cannot be that of a file."""
    if is_odd(name):
        raise CapcurveError(
            f"{place} must have a name that a file can have, without {SIGNS}, got "
            f"{name!r}; {ADVICE}"
        )


def is_odd(name: str) -> bool:
    """Whether a name cannot be that of a file on every system."""
    return name in {".", ".."} or any(sign in name for sign in NOT_IN_NAMES)


def explain_odd_name(name: str) -> str | None:
    """Say why a file that a pattern found can have no report, if that is its name."""
    if not is_odd(name):
        return None
    return (
        f"the name must be one that a report can have, without {SIGNS}, got {name!r}; "
        "rename the file"
    )


def explain_namesake(path: str, paths: Sequence[str]) -> str | None:
    """Say why a file that a pattern found cannot be told from another, if it cannot."""
    for other in paths:
        if other != path and find_stem(other) == find_stem(path):
            return (
                f"the name must be that of one file, got {path} and {other}; remove one of "
                "the two, or narrow the pattern"
            )
    return None


def explain_shared_name(name: str, path: str, other: str) -> str:
    """Say why a file that a pattern found is no portfolio: another one is called so."""
    if path == other:
        advice = "narrow the pattern of `files`, or write another `name`"
    elif fill_name(WITH_FOLDER, path) != fill_name(WITH_FOLDER, other):
        advice = f'write `name = "{WITH_FOLDER}"` beside `files`'
    else:
        advice = "rename one of the files, or narrow the pattern of `files`"
    return (
        f"the name must be that of one portfolio, got {name!r} for {path} and for {other}; "
        f"{advice}"
    )


def explain_summary(output: Path) -> str:
    """Say why a file that a pattern found can have no report: its place is taken."""
    return (
        f"the report must have a file of its own, got {output}, which is the summary; "
        "write another `name`, `output` or `summary`"
    )


def find_stem(path: str) -> str:
    """Return the place of a file without its endings."""
    return f"{Path(path).parent}/{fill_name('{stem}', path)}"
