"""Complete words in bash, which takes = apart and does not quote what it inserts."""

import os
import re
from typing import Any

from click.shell_completion import BashComplete, CompletionItem, add_completion_class

SPECIAL = re.compile(r"([^\w@%+=:,./-])")
IN_DOUBLE_QUOTES = re.compile(r'([$`"\\])')


class QuotingBashComplete(BashComplete):
    """Completion of values after ``--option=`` too, quoted as the word already is."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete, and this one, without any =."""
        words, word = super().get_completion_args()
        kept = [
            each
            for place, each in enumerate(words)
            if each != "=" or not words[place - 1].startswith("--")
        ]
        return kept, "" if word == "=" else word

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Write a word as bash is to insert it, twice escaped as its script reads it."""
        value = str(item.value)
        if item.type == "plain":
            typed = os.environ["COMP_WORDS"].split("\n")[int(os.environ["COMP_CWORD"]) :]
            value = quote_word(value, "".join(typed[:1])).replace("\\", "\\\\")
        return f"{item.type},{value}"


def quote_word(word: str, typed: str) -> str:
    """Quote a word for bash, which closes a quote that what was typed has opened."""
    if typed.startswith("'"):
        return word
    return (IN_DOUBLE_QUOTES if typed.startswith('"') else SPECIAL).sub(r"\\\1", word)


def use_in_bash() -> None:
    """Let click complete words in bash so."""
    add_completion_class(QuotingBashComplete)
