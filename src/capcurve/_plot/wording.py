"""Long texts in little room: wrapped, made smaller or shortened."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.text import Text

# Where a name may be broken: behind spaces and some signs, but not between brackets.
BREAKS = re.compile(r"(?<=[\s_/-])(?=\S)(?![^()]*\))")
SIZES = (1.0, 0.85, 0.7)  # of a title, as shares of its own size
MOST_LINES = 3
LEAST = 12  # characters of a line
LEAST_NAME = 10  # characters of a name before a number


def wrap(text: str, width: int) -> str:
    """Break a text into lines of about the same length, behind spaces and signs.

    Texts with a ``$`` stay as they are, since matplotlib may read them as formulas.
    """
    if "$" in text or len(text) <= width:
        return text
    name, number = split_number(text)
    if name and max(len(name), len(number)) <= width:
        return f"{name}\n{number}"
    broken = break_text(text, width)
    n_lines = len(broken)
    longest = max(len(part.rstrip()) for part in BREAKS.split(text))
    for narrower in range(max(longest, -(-len(text) // n_lines)), width):
        lines = break_text(text, narrower)
        if len(lines) <= n_lines:
            return "\n".join(lines)
    return "\n".join(broken)


def break_text(text: str, width: int) -> list[str]:
    """Fill lines up to a width."""
    lines = [""]
    for part in BREAKS.split(text):
        for piece in textwrap.wrap(part, width, drop_whitespace=False):
            if len((lines[-1] + piece).rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return [line.rstrip() for line in lines]


def split_number(text: str) -> tuple[str, str]:
    """Split a text such as ``A (AR = 0.5)`` before the brackets at its end."""
    name, _, number = text.rpartition(" (")
    return (name, f"({number}") if text.endswith(")") else ("", text)


def shorten(text: str, length: int) -> str:
    """Replace the middle of a text that is too long by an ellipsis.

    A number in brackets at its end is kept, unless too little of the text would be left.
    """
    if len(text) <= length or "$" in text:
        return text
    name, number = split_number(text)
    if name and length - len(number) - 1 >= LEAST_NAME:
        return f"{shorten(name, length - len(number) - 1)} {number}"
    tail = length // 2
    return f"{text[: length - tail - 1].rstrip()}…{text[-tail:].lstrip()}"


def fit_text(text: Text, size: float, room: float, *, upright: bool = False) -> None:
    """Make a text fit a width, or a height if ``upright``, in pixels.

    It is wrapped, then made smaller, and at last shortened.
    """
    if measure(text, upright=upright) <= room:
        return
    whole = " ".join(text.get_text().split("\n"))

    def fits(words: str, share: float) -> bool:
        text.set_text(words)
        text.set_fontsize(share * size)
        return measure(text, upright=upright) <= room

    for share in SIZES:
        for n_lines in range(1, MOST_LINES + 1):
            if fits(wrap(whole, max(LEAST, -(-len(whole) // n_lines) + 4)), share):
                return
    for length in range(len(whole), LEAST, -1):
        if fits(shorten(whole, length), SIZES[-1]):
            return


def measure(text: Text, *, upright: bool) -> float:
    """Return the width of a text, or its height if ``upright``, in pixels."""
    extent = text.get_window_extent()
    return float(extent.height if upright else extent.width)
