"""Notes of a run that doubt an option or the data, which stderr has beside the summary."""

import re
from collections.abc import Iterable

# What such notes say; others count rows, or name what is few.
DOUBT = re.compile(
    r"is \S+ (an AR|a Somers' D)\?|if that means a missing value|neither 0 nor 1"
    "|may be reversed|is the same in all rows|equals the outcome in every row"
    "|hold the same bytes|swapped"
)


def list_doubts(notes: Iterable[str]) -> list[str]:
    """List the notes after which an operator may have to mend a config or a file."""
    return [note for note in notes if DOUBT.search(note)]
