"""The truth column of a data frame -> the outcome that each score is ranked against."""

from typing import Any, Literal, NamedTuple, get_args

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._input import Array, Label, TargetType, listed, read_target
from capcurve.exceptions import CapcurveError

EventLevel = Literal["first", "second"]
Estimator = Literal["binary", "macro", "macro_weighted"]
Series = nw.Series[Any]

ALLOWED = {
    "event_level": get_args(EventLevel),
    "estimator": (*get_args(Estimator), None),
}


class TruthOptions(NamedTuple):
    """What a caller says of the truth column."""

    event_level: EventLevel = "first"
    pos_label: Label | None = None
    target_type: TargetType = "auto"
    estimator: Estimator | None = None


class Outcome(NamedTuple):
    """What one score column is ranked against: an event, an amount, or a level."""

    estimate: str
    target: Array
    level: str | None = None


def read_outcomes(
    column: Series, estimates: list[str], options: TruthOptions
) -> list[Outcome]:
    """Pair each score with its outcome: all with one, or each with a level of its own."""
    known = known_levels(column)
    refuse_clashes(column.name, known, options)
    if ranks_levels(column, known, estimates, options):
        levels = known if known is not None else sorted(column.unique().to_list())
        names = match_scores(
            [str(level) for level in levels], estimates, ordered=known is not None
        )
        return [
            Outcome(name, equals(column, level), str(level))
            for name, level in zip(names, levels, strict=True)
        ]
    target = read_event(column, known, options)
    return [Outcome(name, target) for name in estimates]


def known_levels(column: Series) -> list[Any] | None:
    """List the levels of a categorical in their order; None for any other column."""
    if isinstance(column.dtype, nw.Categorical | nw.Enum):
        return column.cat.get_categories().to_list()
    return None


def equals(column: Series, level: Any) -> Array:
    """Mark the rows of a level."""
    if isinstance(column.dtype, nw.Categorical | nw.Enum):
        column, level = column.cast(nw.String), str(level)
    marked: Array = (column == level).to_numpy()
    return marked.astype(np.bool_)


def refuse_clashes(truth: str, known: list[Any] | None, options: TruthOptions) -> None:
    """Refuse options that contradict each other or the column."""
    for name, allowed in ALLOWED.items():
        if getattr(options, name) not in allowed:
            words = ", ".join(repr(value) for value in allowed)
            raise CapcurveError(
                f"`{name}` must be one of {words}, got {getattr(options, name)!r}"
            )
    macro = options.estimator in {"macro", "macro_weighted"}
    if options.pos_label is not None and (options.event_level == "second" or macro):
        other = "estimator" if macro else "event_level"
        raise CapcurveError(f"`pos_label` and `{other}` contradict each other; drop one")
    if options.event_level == "second" and (known is None or len(known) != 2):  # noqa: PLR2004 -- first and second
        raise CapcurveError(
            f"`event_level='second'` needs a categorical of two levels, and `{truth}` is "
            "none; pass the event as `pos_label`"
        )


def ranks_levels(
    column: Series,
    known: list[Any] | None,
    estimates: list[str],
    options: TruthOptions,
) -> bool:
    """Decide whether each level has a score of its own."""
    if options.estimator is not None:
        return options.estimator != "binary"
    if options.pos_label is not None or (len(estimates) == 1 and known is None):
        return False
    if known is not None:
        return len(known) > 2  # noqa: PLR2004 -- two levels are an event and the rest
    labels = [str(label) for label in column.unique().to_list()]
    return named_after(labels, estimates) is not None


def match_scores(levels: list[str], estimates: list[str], *, ordered: bool) -> list[str]:
    """Order the score columns as the levels: by name if names say so, else by position."""
    both = f"the levels are {levels} and the score columns {estimates}"
    if len(levels) != len(estimates):
        raise CapcurveError(f"one score column per level is needed: {both}")
    matched = named_after(levels, estimates)
    if matched is not None:
        return matched
    if not ordered or set(levels) & {*estimates, *without_affixes(estimates)}:
        raise CapcurveError(f"score columns do not match the levels by name: {both}")
    return estimates


def named_after(levels: list[str], estimates: list[str]) -> list[str] | None:
    """Order score columns as the levels that they are named after, if they all are."""
    parts, names = without_affixes(levels), without_affixes(estimates)
    if set(parts) != set(names):
        return None
    matched = [estimates[names.index(part)] for part in parts]
    pairs = zip(levels, matched, strict=True)
    return matched if all(level in name for level, name in pairs) else None


def without_affixes(names: list[str]) -> list[str]:
    """Cut what all names start with and end in, such as `prob_`."""
    start = shared_start(names)
    end = shared_start([name[start:][::-1] for name in names])
    return [name[start : len(name) - end] for name in names]


def shared_start(names: list[str]) -> int:
    """Count the letters with which all names start."""
    letters = [len(set(column)) == 1 for column in zip(*names, strict=False)]
    return letters.index(False) if False in letters else len(letters)


def read_event(column: Series, known: list[Any] | None, options: TruthOptions) -> Array:
    """Turn a truth column into one event or amount."""
    if known is None:
        values = (
            column.cast(nw.Float64) if column.dtype.is_decimal() else column
        ).to_numpy()
        if not len(values):
            return np.zeros(0, dtype=np.bool_)
        return read_target(values, options.pos_label, options.target_type, column.name)
    if options.target_type == "continuous":
        raise CapcurveError(f"`{column.name}` is categorical and holds no amounts")
    names = listed(np.array([str(level) for level in known]))
    if options.pos_label is not None:
        if options.pos_label not in known:
            raise CapcurveError(
                f"`pos_label` is {options.pos_label!r}, which is not among the levels of "
                f"`{column.name}`: {names}"
            )
        return equals(column, options.pos_label)
    if len(known) != 2:  # noqa: PLR2004 -- an event and the rest
        raise CapcurveError(
            f"`{column.name}` must have two levels, got {len(known)} ({names}); pass the "
            "event as `pos_label`, or a score column for each level"
        )
    return equals(column, known[0 if options.event_level == "first" else 1])
