"""Words met in text files for a missing value."""

from collections.abc import Mapping

# By column, the words met and how many fields hold each; an empty field is the word ''.
MissingWords = Mapping[str, Mapping[str, int]]


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


def collect_words(empty: int, words: dict[str, int] | None) -> dict[str, int]:
    """Return missing words with their counts, the most frequent first."""
    found = dict(words or {})
    found[""] = found.get("", 0) + empty
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return {word: count for word, count in ordered if count}
