"""Words that usually stand for a missing value in text."""

from collections.abc import Iterable

BLANKS = " \t\r\n\v\f\u00a0\u202f\ufeff"  # trimmed; spreadsheets write no-break spaces too
# What pandas, R, SAS, SQL and Excel (in English and German) write for a missing number,
# in lower case: words are compared trimmed and in any case.
USUAL_WORDS = (
    *("na", "n/a", "#na", "#n/a", "#n/a n/a", "<na>", "nan", "-nan", "+nan", "nat"),
    *("null", "none", ".", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "#nv", "#null!"),
    *("#value!", "#wert!", "#div/0!", "#ref!", "#bezug!", "#name?", "#num!", "#zahl!"),
)
# Among labels "none" is a class like any other: none, minor and major damage.
# Weka, and many files of the UCI repository, write "?" for a missing value.
DOUBTFUL_LABELS = (*(word for word in USUAL_WORDS if word != "none"), "?")


def fold_word(word: str) -> str:
    """Return a word as it is compared: trimmed and in lower case."""
    return word.strip(BLANKS).lower()


def find_doubtful_labels(labels: Iterable[object]) -> list[str]:
    """List the labels that may stand for a missing value.

    Examples
    --------
    >>> find_doubtful_labels(["yes", "no", "NA", "none"])
    ['NA']
    """
    texts = (label for label in labels if isinstance(label, str))
    return [text for text in texts if fold_word(text) in DOUBTFUL_LABELS]


def suggest_reading(word: str) -> str:
    """Say how a word becomes a missing value where another library parses the text."""
    return f"null_values={word!r} in polars.read_csv, nullstr={word!r} in DuckDB"
