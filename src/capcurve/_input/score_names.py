"""Match score columns with the class labels that they are named after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capcurve._input.column import MAX_LABELS_SHOWN, format_labels
from capcurve._input.seen import Levels
from capcurve._input.unused_levels import suggest_dropping
from capcurve.exceptions import CapcurveError, warn_caller

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from capcurve._input.dtypes import Label
    from capcurve._input.seen import Seen


def name_levels(labels: Iterable[Label], estimates: Sequence[str]) -> list[str]:
    """Name class labels as score columns are named after them.

    A missing value makes floats of whole numbers in pandas: 1.0 is named 1, unless a column
    says 1.0.

    Examples
    --------
    >>> name_levels([1.0, 2.0], [".pred_1", ".pred_2"])
    ['1', '2']
    """
    labels = list(labels)
    names = [str(label) for label in labels]
    if any(name in estimate for name in names for estimate in estimates):
        return names
    wholes = [
        str(int(label))
        for label in labels
        if isinstance(label, float) and label.is_integer()
    ]
    return wholes if len(wholes) == len(names) else names


def match_scores(truth: Seen, levels: list[str], estimates: list[str]) -> list[str]:
    """Order the score columns as the class labels: by name, or by declared position."""
    if spare := list_spare(levels, estimates):
        raise CapcurveError(
            "each score column must be named after a label that occurs, got "
            f"{format_labels(spare)} without such a row; leave it out, or declare the "
            "levels (an enum, or categories of pandas)"
        )
    found = f"got the levels {levels} and the score columns {estimates}"
    if len(levels) != len(estimates):
        lacking = list_lacking(levels, estimates)
        added = f"add that of {format_labels(lacking)}, or " if lacking else ""
        raise CapcurveError(
            f"`estimate` must name one score column per level, {found}; "
            f"{suggest_dropping(truth)}{added}for a "
            "single event pass it as `pos_label`"
        )
    matched = match_names(levels, estimates)
    if matched is not None:
        return matched
    if truth.levels is None or bear_names(levels, estimates):
        raise CapcurveError(
            "the score columns must match the levels by name, got "
            f"{describe_names(levels, estimates)}; rename the columns after their levels"
        )
    if not Levels(truth.levels, truth.is_ordered).are_arranged:
        raise CapcurveError(
            "the score columns must match by name levels in alphabetical order, which "
            f"nobody may have chosen, {found}; rename them, or declare the order with "
            "`ordered=True`"
        )
    pairs = ", ".join(
        f"{name!r} for {level!r}" for name, level in zip(estimates, levels, strict=True)
    )
    warn_caller(
        "no score column is named after a level, so they are taken by position: "
        f"{pairs}; rename the columns after their levels",
        UserWarning,
    )
    return estimates


def list_spare(levels: list[str], estimates: list[str]) -> list[str]:
    """List the score columns without a level, where each level names another one."""
    for names in (estimates, strip_affixes(estimates)):
        if set(levels) < set(names):
            pairs = zip(names, estimates, strict=True)
            return [estimate for name, estimate in pairs if name not in levels]
    return []


def list_lacking(levels: list[str], estimates: list[str]) -> list[str]:
    """List the levels without a score column, where each column names another one."""
    stripped = strip_affixes(estimates) if len(estimates) > 1 else estimates
    return list_spare(stripped, levels) or list_spare(estimates, levels)


def match_names(levels: list[str], estimates: list[str]) -> list[str] | None:
    """Order score columns as the labels that they are named after, if they all are."""
    matched = match_affixes(levels, estimates)
    if matched is not None or len(levels) != len(estimates):
        return matched
    named = find_names(levels, estimates)
    if None in named or len({*named}) < len(levels):
        return None
    return [estimates[named.index(level)] for level in levels]


def match_affixes(levels: list[str], estimates: list[str]) -> list[str] | None:
    """Order score columns as labels, where only what all names share sets them apart."""
    parts, names = strip_affixes(levels), strip_affixes(estimates)
    if set(parts) != set(names):
        return None
    matched = [estimates[names.index(part)] for part in parts]
    pairs = zip(levels, matched, strict=True)
    return matched if all(level in name for level, name in pairs) else None


def find_names(levels: list[str], estimates: list[str]) -> list[str | None]:
    """Find the label that each score column is named after; None if it is not a single one.

    Of labels that are part of each other it is the longest.

    Examples
    --------
    >>> find_names(["low", "mid", "high"], ["High", "prob_low", "other"])
    ['high', 'low', None]
    """
    named = []
    for forms in zip(estimates, strip_affixes(estimates), strict=True):
        found = [
            level for level in levels if any(is_word_of(level, form) for form in forms)
        ]
        whole = [level for level in found if not is_part_of_another(level, found)]
        named.append(whole[0] if len(whole) == 1 else None)
    return named


def is_word_of(level: str, name: str) -> bool:
    """Whether a name is a label, or starts with or ends in it as a word, in any case.

    Where a letter meets a digit, a word ends too.
    """
    word, text = level.casefold(), name.casefold()
    for start, letters in ((word, text), (word[::-1], text[::-1])):
        joint = letters[len(start) - 1 : len(start) + 1]
        is_inside = len(joint) > 1 and (joint.isalpha() or joint.isdigit())
        if start and letters.startswith(start) and not is_inside:
            return True
    return False


def is_part_of_another(level: str, levels: list[str]) -> bool:
    """Whether a label is a part of another one, in any case."""
    part = level.casefold()
    return any(part != other.casefold() and part in other.casefold() for other in levels)


def bear_names(levels: list[str], estimates: list[str]) -> bool:
    """Whether the name of any score column may be meant for a label, as `phigh` may."""
    forms = {*estimates, *strip_affixes(estimates)}
    return any(may_name(level, form) for form in forms for level in levels)


def may_name(level: str, name: str) -> bool:
    """Whether a name starts with or ends in a label; a single letter only as a word."""
    word, text = level.casefold(), name.casefold()
    is_at_end = len(word) > 1 and (text.startswith(word) or text.endswith(word))
    return is_at_end or is_word_of(level, name)


def describe_names(levels: list[str], estimates: list[str]) -> str:
    """Say which label each score column is named after, and which labels have none."""
    named = find_names(levels, estimates)
    pairs = [
        f"{name!r} for {'none' if level is None else repr(level)}"
        for name, level in zip(estimates, named, strict=True)
    ]
    pairs.sort(key=lambda pair: not pair.endswith(" for none"))
    shown = ", ".join(pairs[:MAX_LABELS_SHOWN])
    if len(pairs) > MAX_LABELS_SHOWN:
        shown += f", ... ({len(pairs)} in total)"
    lacking = [level for level in levels if level not in named]
    return f"{shown}, and no column for {format_labels(lacking)}"


def strip_affixes(names: list[str]) -> list[str]:
    """Cut what all names start with and end in, such as `prob_`."""
    start = count_shared_prefix(names)
    end = count_shared_prefix([name[start:][::-1] for name in names])
    return [name[start : len(name) - end] for name in names]


def count_shared_prefix(names: list[str]) -> int:
    """Count the letters with which all names start."""
    letters = [len(set(column)) == 1 for column in zip(*names, strict=False)]
    return letters.index(False) if False in letters else len(letters)
