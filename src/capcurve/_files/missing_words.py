"""Words that stand for a missing value in text files."""

from collections.abc import Mapping

BLANKS = " \t\r\n\v\f\u00a0\u202f\ufeff"  # trimmed; spreadsheets write no-break spaces too
# What pandas, R, SAS, SQL and Excel (in English and German) write for a missing number,
# in lower case: words are compared trimmed and in any case.
USUAL_WORDS = (
    *("na", "n/a", "#na", "#n/a", "#n/a n/a", "<na>", "nan", "-nan", "+nan", "nat"),
    *("null", "none", ".", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "#nv", "#null!"),
    *("#value!", "#wert!", "#div/0!", "#ref!", "#bezug!", "#name?", "#num!", "#zahl!"),
)
# By column, the words met and how many fields hold each; an empty field is the word ''.
MissingWords = Mapping[str, Mapping[str, int]]


def fold_word(word: str) -> str:
    """Return a word as it is compared: trimmed and in lower case."""
    return word.strip(BLANKS).lower()


def describe_words(words: Mapping[str, int]) -> str:
    """Say how many values are missing, and by which word.

    Examples
    --------
    >>> describe_words({"": 81, "n/a": 31})
    "112 missing: 81 empty, 31 'n/a'"
    """
    counts = ", ".join(
        f"{count:,} {word!r}" if word else f"{count:,} empty"
        for word, count in words.items()
    )
    return f"{sum(words.values()):,} missing: {counts}"
