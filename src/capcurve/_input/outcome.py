"""Decide how an outcome column is read: as an event, an amount, or class labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, NoReturn

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._input.column import (
    MAX_LABELS_SHOWN,
    as_floats,
    format_labels,
    to_array,
    unwrap_numbers,
)
from capcurve._input.dtypes import Label, Series, TargetType
from capcurve._input.few_amounts import find_few, warn_of_few_amounts
from capcurve._input.hard_labels import refuse_predicted_levels
from capcurve._input.meaning import Meaning
from capcurve._input.missing import refuse_missing
from capcurve._input.score_names import (
    list_lacking,
    list_spare,
    match_affixes,
    match_names,
    match_scores,
    name_levels,
)
from capcurve._input.seen import Levels, Seen, SeenArray, find_one
from capcurve._input.series_values import take_values
from capcurve._input.swapped import PAIR, check_swapped, describe_pairs
from capcurve._input.unused_levels import suggest_dropping
from capcurve._input.usual_words import find_doubtful_labels, suggest_reading
from capcurve._input.weights import GREATEST_MASS, LEAST_MASS
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

MAX_LABELS = 1_000  # class labels beyond which a column is no set of classes
MAX_AMBIGUOUS = 10  # distinct whole numbers up to which they may be class labels
NO_SCORES: Mapping[str, Any] = {}


class OutcomeRule(NamedTuple):
    """How a column becomes the outcome that a score is evaluated against.

    Attributes
    ----------
    kind : {'flag', 'label', 'amount'}
        Whether the column is 0/1 or boolean, is compared with ``label``, or holds amounts.
    label : int, float, bool, str or None
        The label of the event.
    level : str or None
        The class label that this score ranks against the rest, where each has a score.
    estimate : str
        The score column.
    """

    kind: Literal["flag", "label", "amount"]
    label: Label | None = None
    level: str | None = None
    estimate: str = ""

    @property
    def has_events(self) -> bool:
        """Whether the outcome is a 0/1 event, not an amount."""
        return self.kind != "amount"

    def of_array(self, values: Array) -> Array:
        """Apply the rule to an array: booleans for events, float64 for amounts."""
        if self.kind == "label":
            return np.asarray(values == self.label, dtype=np.bool_)
        return values.astype(np.bool_ if self.has_events else np.float64, copy=False)

    def of_series(self, column: Series) -> Array:
        """Apply the rule to a column of a data frame."""
        is_pyarrow = column.implementation.is_pyarrow()  # whose comparisons load pandas
        marked = None
        if self.kind == "label" and isinstance(column.dtype, nw.Categorical | nw.Enum):
            marked = column.cast(nw.String) == str(self.label)
        elif self.kind == "label" and column.dtype == nw.String and not is_pyarrow:
            marked = column == self.label
        if marked is not None:
            return take_values(marked).astype(np.bool_, copy=False)
        # As `see_series` takes them, so that a label that was found marks its rows.
        values = unwrap_numbers(to_array(column), column.name)
        return self.of_array(values if self.has_events else as_floats(values, column.name))

    def of_query(self, column: nw.Expr, dtype: Any) -> nw.Expr:
        """Apply the rule to a column of a query: floats, 1.0 for an event."""
        if self.kind == "label":
            if isinstance(dtype, nw.Categorical | nw.Enum):
                column = column.cast(nw.String) == str(self.label)
            else:
                column = column == self.label
        if self.kind == "label" or dtype == nw.Boolean:
            column = column.cast(nw.Int32)  # databases cast no boolean to a float
        return column.cast(nw.Float64)


def read_target(
    truth: Array,
    pos_label: Label | None,
    target_type: TargetType,
    scores: Mapping[str, Array] = NO_SCORES,
) -> Array:
    """Turn an array of labels or amounts, which scores rank, into booleans or float64."""
    name = "y_true"
    meaning = Meaning(pos_label=pos_label, target_type=target_type)
    refuse_missing(truth, name)
    if pos_label is None:
        truth = unwrap_numbers(truth, name)
    seen = SeenArray(truth, name)
    ranked = {score: SeenArray(values, score) for score, values in scores.items()}
    rule = decide_event(seen, meaning, ranked)
    check_amounts(rule, seen, meaning, ranked)
    return rule.of_array(truth if rule.has_events else as_floats(truth, name))


def decide_outcomes(
    truth: Seen, scores: Mapping[str, Seen], meaning: Meaning
) -> list[OutcomeRule]:
    """Pair each score with its outcome: all with one, or each with a label of its own.

    Parameters
    ----------
    truth : Seen
        The outcome column.
    scores : mapping of str to Seen
        The score columns by name.
    meaning : Meaning
        What the caller said.
    """
    estimates = list(scores)
    if meaning.order is None:
        refuse_predicted_levels(truth, scores)
    if meaning.event_level is not None and len(truth.levels or ()) != PAIR:
        refuse_event_level(truth, estimates, meaning)
    if has_score_per_level(truth, estimates, meaning):
        labels = list(truth.levels or sorted(truth.labels(MAX_LABELS), key=str))
        levels = name_levels(labels, estimates)
        names = match_scores(truth, levels, estimates)
        return [
            OutcomeRule("label", label, level, name)
            for label, level, name in zip(labels, levels, names, strict=True)
        ]
    rule = decide_event(truth, meaning, scores)
    check_amounts(rule, truth, meaning, scores)
    return [rule._replace(estimate=name) for name in estimates]


def refuse_event_level(truth: Seen, estimates: list[str], meaning: Meaning) -> NoReturn:
    """Refuse to choose one of levels that are not declared, or not two."""
    levels = truth.levels
    found = "without any" if levels is None else f"with {len(levels)}"
    held = "" if levels is None else f" ({format_labels(levels)})"
    remedy = "pass the event as `pos_label`"
    if len(estimates) > 1 and has_score_per_level(truth, estimates, meaning):
        remedy = (
            f"leave it out to average over all labels, or {remedy}, with that class's "
            "column alone"
        )
    raise CapcurveError(
        f"`event_level={meaning.event_level!r}` requires a column that declares two levels "
        f"(an enum, or categories of pandas), got `{truth.name}` {found}{held}; "
        f"{suggest_dropping(truth)}{remedy}"
    )


def check_amounts(
    rule: OutcomeRule, truth: Seen, meaning: Meaning, scores: Mapping[str, Seen]
) -> None:
    """Refuse, or warn of, what may be no amounts, unless the caller calls it so."""
    if not rule.has_events and meaning.target_type == "auto" and not truth.is_empty:
        check_swapped(truth, scores)
        warn_of_few_amounts(truth)


def decide_event(
    truth: Seen, meaning: Meaning, scores: Mapping[str, Seen] = NO_SCORES
) -> OutcomeRule:
    """Decide what one outcome column, which scores rank, means, or refuse to guess."""
    if meaning.pos_label is not None:
        if not truth.is_empty and not truth.holds_label(meaning.pos_label):
            labels = format_labels(truth.levels or truth.labels(MAX_LABELS))
            raise CapcurveError(
                f"`pos_label` is {meaning.pos_label!r}, which is not among the labels of "
                f"`{truth.name}`: {labels}; pass the one that is the event, as the column "
                "holds it"
            )
        return OutcomeRule("label", meaning.pos_label)
    if truth.levels is not None:
        return decide_level(truth, truth.levels, meaning)
    if truth.kind == "boolean" or truth.is_empty:
        return OutcomeRule("flag")
    if truth.is_categorical and (event := find_flag(truth)) is not None:
        return OutcomeRule("label", event)
    if truth.kind == "text":
        raise_pos_label_needed(truth, suggest_scores(truth, scores, meaning))
    return decide_number(truth, meaning, scores)


def find_flag(truth: Seen) -> Label | None:
    """Find the category that stands for 1, if the rows hold 0/1, -1/1 or False/True."""
    event = find_one(truth.levels or ())
    return find_one(truth.labels(PAIR + 1)) if event is None else event


def decide_level(truth: Seen, levels: Sequence[Label], meaning: Meaning) -> OutcomeRule:
    """Choose the event among declared levels: 1 of 0/1, else the first of two."""
    if meaning.target_type == "continuous":
        raise CapcurveError(
            f"`{truth.name}` must hold amounts if `target_type='continuous'`, got a "
            "categorical column; convert it to numbers, or leave `target_type` out"
        )
    if meaning.event_level is None and (event := find_flag(truth)) is not None:
        return OutcomeRule("label", event)
    if len(levels) != PAIR:
        raise CapcurveError(
            f"`{truth.name}` must have two levels, got {len(levels)} "
            f"({format_labels(levels)}); {suggest_dropping(truth)}pass the event as "
            "`pos_label`"
        )
    are_arranged = Levels(truth.levels, truth.is_ordered).are_arranged
    if meaning.event_level is None and not are_arranged:
        first, second = (format_labels([level]) for level in levels)
        raise CapcurveError(
            f"`{truth.name}` must say which of its levels is the event, got categories in "
            f"alphabetical order ({format_labels(levels)}), as nobody may have chosen it; "
            f"pass the label of the event as `pos_label`, or `event_level='second'` for "
            f"{second}, `'first'` for {first}, or declare an order with `ordered=True`, "
            "the event first"
        )
    return OutcomeRule("label", levels[meaning.event_level == "second"])


def decide_number(truth: Seen, meaning: Meaning, scores: Mapping[str, Seen]) -> OutcomeRule:
    """Tell 0/1 and -1/1 events from amounts, or refuse to guess."""
    low, high = truth.ends
    kind = meaning.target_type
    if low >= 0 and high <= 1 and truth.holds_only(0, 1):
        return OutcomeRule("flag")
    if kind != "continuous" and low == -1 and high <= 1 and truth.holds_only(-1, 1):
        return OutcomeRule("label", 1)
    if kind == "binary":
        raise_pos_label_needed(truth)
    if kind == "auto" and may_be_labels(truth):
        raise_ambiguous(truth, scores, suggest_scores(truth, scores, meaning))
    if low < 0 or high == np.inf:
        raise CapcurveError(
            f"`{truth.name}` must hold finite amounts that are not negative, got values "
            f"from {low:g} to {high:g}; {suggest_amounts(low)}"
        )
    if high > GREATEST_MASS or 0 < high < LEAST_MASS:
        raise CapcurveError(
            f"`{truth.name}` must hold amounts whose largest lies between {LEAST_MASS:g} "
            f"and {GREATEST_MASS:g}, got {high:g}; choose another unit"
        )
    return OutcomeRule("amount")


def raise_ambiguous(truth: Seen, scores: Mapping[str, Seen], scored: str) -> NoReturn:
    """Refuse whole numbers that may be labels or amounts, or a score."""
    labels = truth.labels(MAX_LABELS)
    meant, remedy = ", which may be class labels or amounts", ""
    if (held := describe_pairs(scores)) is not None:
        meant = f" and {held}, so outcome and score look swapped"
        remedy = "the outcome first, or "
    others = [label for label in labels if label not in {0, 1}]
    raise CapcurveError(
        f"`{truth.name}` holds whole numbers other than 0 and 1 "
        f"({format_labels(others)}){meant}; pass {remedy}`pos_label` for labels or "
        f"`target_type='continuous'` for amounts{scored}"
    )


def suggest_amounts(low: float) -> str:
    """Say what to do about amounts that are negative, or else infinite."""
    if low >= 0:
        return "clip them"
    return (
        "set negative ones to 0, or add a constant to all, which keeps AR; or rank them as "
        "they are in Python, with `somers_d_interval`"
    )


def may_be_labels(truth: Seen) -> bool:
    """Whether numbers may be class labels: integers, or few distinct whole numbers."""
    if truth.kind == "integer":
        return True
    return (
        not truth.holds_fractions()
        and len(truth.labels(MAX_AMBIGUOUS + 1)) <= MAX_AMBIGUOUS
    )


def has_score_per_level(truth: Seen, estimates: list[str], meaning: Meaning) -> bool:
    """Decide whether each class label has a score of its own."""
    if meaning.estimator is not None:
        return meaning.estimator != "binary"
    if meaning.pos_label is not None:
        return False
    if truth.levels is not None:
        return ranks_declared_levels(truth, truth.levels, estimates, meaning)
    if len(estimates) == 1 or not may_be_classes(truth, meaning):
        return False
    labels = name_levels(truth.labels(MAX_LABELS), estimates)
    has_classes = truth.kind == "text" and len(labels) >= PAIR and find_flag(truth) is None
    # Numbers at the ends of names may be those of models, as in lr_1 and rf_2.
    match = match_names if has_classes else match_affixes
    return match(labels, estimates) is not None or (
        has_classes and bool(list_spare(labels, estimates))
    )


def may_be_classes(truth: Seen, meaning: Meaning) -> bool:
    """Whether a column that declares no levels may hold classes: text, or their codes."""
    if truth.kind == "text":
        return True
    if truth.kind == "boolean" or meaning.target_type == "continuous":
        return False
    if truth.holds_only(0, 1) or not may_be_labels(truth):
        return False
    return truth.kind == "integer" or not truth.holds_only(-1, 1)


def ranks_declared_levels(
    truth: Seen, levels: Sequence[Label], estimates: list[str], meaning: Meaning
) -> bool:
    """Decide whether each declared level has a score; two are named after theirs."""
    if len(levels) > PAIR:
        return len(estimates) > 1 or find_flag(truth) is None
    if meaning.event_level is not None or find_flag(truth) is not None:
        return False
    names = name_levels(levels, estimates)
    return len(estimates) == PAIR and match_names(names, estimates) is not None


def suggest_scores(truth: Seen, scores: Mapping[str, Seen], meaning: Meaning) -> str:
    """Say how each label may have a score, where the caller takes several classes."""
    labels = truth.labels(MAX_LABELS)
    most = MAX_LABELS if truth.kind == "text" else MAX_AMBIGUOUS
    is_possible = meaning.estimator != "binary" and PAIR < len(labels) <= most
    if len(scores) == 1 or not is_possible:
        return ""
    return (
        f", or, if each label has a score, {advise_scores(truth.name, labels, [*scores])}"
    )


def advise_scores(name: str, labels: Sequence[Label], estimates: list[str]) -> str:
    """Say how to pass a score for each label; raise if just some labels have one."""
    names = name_levels(labels, estimates)
    if lacking := list_lacking(names, estimates):
        raise CapcurveError(
            f"each label of `{name}` must have a score, got none of "
            f"{format_labels(lacking)}; add it, or pass the label of the event as "
            "`pos_label`"
        )
    if match_affixes(names, estimates) is not None:  # which columns of a frame settle
        return "pass a data frame with a column for each of them"
    return (
        "name the columns after the labels or declare the levels (an enum, or categories "
        "of pandas)"
    )


def is_coded_twice(labels: Sequence[Label]) -> bool:
    """Whether 0 and 1 stand beside words, as where files write the outcome in two ways."""
    written = set(map(str, labels))
    return {"0", "1"} <= written and any(map(str.isalpha, written))


def raise_pos_label_needed(truth: Seen, scored: str = "") -> NoReturn:
    """Refuse labels without a natural event, or amounts where events are required."""
    labels = truth.labels(MAX_LABELS)
    found, remedy = "the labels", f"pass the label of the event as `pos_label`{scored}"
    if len(labels) > MAX_LABELS_SHOWN:
        remedy += ", or name another column, as these may be keys"
    if is_coded_twice(labels):
        remedy += ", or recode it if some rows or files write 0 and 1, and others words"
    for word in find_doubtful_labels(labels)[:1]:
        reading = suggest_reading(word)
        remedy += f"; if {word!r} is a missing value, make it null first ({reading})"
    if truth.kind == "number" and truth.holds_fractions():
        few = find_few(truth)
        remedy = "mark events in a column of 0 and 1"
        found, remedy = "the amounts", remedy if few is None else f"{few}, or {remedy}"
    raise CapcurveError(
        f"`{truth.name}` must hold 0/1, -1/1 or boolean events, got {found} "
        f"{format_labels(labels)}; {remedy}"
    )
