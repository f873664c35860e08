"""Columns that files lack, or have twice.

A column that is lacking may be in the names of their folders.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from capcurve._files.paths import TEXT_ENDINGS, InputFile, find_ending
from capcurve._input.column import refuse_unknown_columns
from capcurve._input.score import is_number_text
from capcurve.exceptions import CapcurveError

OF_QUERY = "the result of --query"


def refuse_missing_columns(
    names: Sequence[str], known: Sequence[str], where: str, files: Sequence[InputFile]
) -> None:
    """Raise if files lack a column; say so if a folder is called `column=value`."""
    try:
        refuse_unknown_columns(names, known, where)
    except CapcurveError as error:
        folders = [part for file in files for part in Path(file.name).parts[:-1]]
        missing = tuple(f"{name}=" for name in names if name not in known)
        found = next((each for each in folders if each.startswith(missing)), None)
        if found is None and may_lack_header(known, files):
            raise CapcurveError(
                f"{error}; these are numbers: if the header line is missing, add it"
            ) from error
        if found is None:
            raise
        column = found.partition("=")[0]
        raise CapcurveError(
            f"{error}; a folder such as {found} is no column: write `{column}` into the "
            "files"
        ) from error


def may_lack_header(known: Sequence[str], files: Sequence[InputFile]) -> bool:
    """Whether the names of the columns of text files are numbers, as a row of data is."""
    are_texts = any(find_ending(file.path) in TEXT_ENDINGS for file in files)
    return are_texts and all(map(is_number_text, known))


def refuse_repeated_columns(
    names: Sequence[str], known: Sequence[str], file: InputFile
) -> None:
    """Raise if the header of a text file has a column more than once."""
    counts = Counter(known)
    if repeated := sorted(name for name in names if counts[name] > 1):
        raise CapcurveError(
            f"cannot read {file.name}: its header names "
            f"{', '.join(map(repr, repeated))} more than once; rename the duplicates"
        )
