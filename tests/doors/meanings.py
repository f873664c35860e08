"""Meanings of columns: a small table each, what is said of it, and how it is to be read.

All tables have two dozen rows with tied scores. ``outcome`` says how the outcome of each
row is to be read, and ``rank`` how its score is; the exact answer follows from these alone
(`doors.expected`), and not from how a column is stored or from anything in capcurve.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple


class Levels(NamedTuple):
    """A categorical column, and the order that it declares; None if it has none.

    ``arranged`` lists categories that are in some order without a declaration of it.
    """

    cells: list[Any]
    names: tuple[Any, ...] | None
    arranged: tuple[Any, ...] | None = None


Column = list[Any] | Levels


# Sorted by score to be read, and mixed to be used, so that no order of rows helps.
TENTHS = [9, 9, 8, 8, 8, 7, 7, 6, 6, 6, 5, 5, 4, 4, 4, 4, 3, 3, 3, 2, 2, 1, 1, 1]
BAD = [1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]
LOSS = [8, 2.5, 0, 4, 6, 0, 2.5, 9, 0, 0, 5, 1, 0, 3, 0, 0, 1, 2, 0, 0, 0, 0.5, 0, 1]
WEIGHT = [1, 0.5, 2, 1.5, 1, 3, 0.5, 1, 2, 2, 1, 1.5, 1, 0.5, 1, 4, 1, 2, 1, 1, 3, 1, 2, 1]
COUNT = [1, 2, 1, 0, 3, 2, 1, 1, 4, 2, 1, 3, 5, 1, 2, 0, 6, 1, 2, 3, 4, 2, 7, 1]
BORROWER = [0, 1, 2, 0, 3, 4, 1, 5, 2, 6, 7, 3, 8, 9, 4, 5, 0, 6, 7, 8, 9, 1, 2, 3]
CLASS = ["VF", "F", "M", "VF", "M", "M", "VF", "F", "VF", "M", "F", "VF"] * 2
VF = [7, 4, 2, 5, 1, 3, 7, 2, 2, 5, 1, 6, 6, 5, 4, 1, 3, 3, 5, 2, 6, 1, 2, 4]
F = [2, 6, 1, 4, 3, 5, 2, 7, 1, 3, 5, 3, 1, 4, 2, 6, 3, 1, 4, 5, 2, 2, 3, 1]
M = [1, 3, 7, 2, 6, 4, 3, 1, 5, 2, 2, 1, 4, 2, 6, 2, 5, 7, 1, 3, 1, 6, 2, 3]
GRADES = ("AAA", "AA", "A", "BBB", "BB", "B", "CCC", "CC", "C")  # of 1 to 9 tenths


def mix(values: Sequence[Any]) -> list[Any]:
    """Put a column in the order of the rows that all tables have."""
    return [values[7 * row % len(values)] for row in range(len(values))]


def leave_gaps(values: Sequence[Any], *rows: int) -> list[Any]:
    """Remove the values of some rows."""
    return [None if row in rows else value for row, value in enumerate(values)]


SCORE = [tenths / 10 for tenths in mix(TENTHS)]
EVENTS = mix(BAD)
AMOUNTS = [float(loss) for loss in mix(LOSS)]


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """A table, what is said of it, and how it is to be read.

    Attributes
    ----------
    truth
        Column of the outcome; None if ``events`` are counted.
    scores
        Column of the score, or of the score of each class label, by name.
    parts
        Columns that play another part, each named like the argument of the functions on
        data frames that says so.
    by
        Columns whose values are shown apart.
    options
        What else is said, by the arguments of these functions.
    outcome
        How the outcome of each row is to be read: 0 or 1, an amount, or a class label.
    rank
        How the score of each row is to be read, as a number.
    refused
        What every door must say if it must refuse the table: a regular expression.
    """

    truth: Column | None = field(default_factory=lambda: EVENTS)
    scores: Mapping[str, Column] = field(default_factory=lambda: {"s": SCORE})
    parts: Mapping[str, list[Any]] = field(default_factory=dict)
    by: Mapping[str, list[Any]] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    outcome: Sequence[Any] = field(default_factory=lambda: EVENTS)
    rank: Sequence[Any] = field(default_factory=lambda: SCORE)
    refused: str | None = None

    @property
    def columns(self) -> dict[str, Column]:
        """All columns by name."""
        truth = {} if self.truth is None else {"y": self.truth}
        return {**truth, **self.scores, **self.parts, **self.by}

    @property
    def has_labels(self) -> bool:
        """Whether each class label has a score of its own."""
        return len(self.scores) > 1

    @property
    def has_amounts(self) -> bool:
        """Whether outcomes are amounts."""
        return not self.has_labels and not set(self.outcome) <= {0, 1}

    @property
    def needs_rows(self) -> bool:
        """Whether an interval requires the rows, and not only counts in bins."""
        return self.has_amounts or "case_weights" in self.parts


LABELS = ["bad" if event else "good" for event in EVENTS]
DECLARED = Levels(LABELS, ("bad", "good"))
UNDECLARED = Levels(LABELS, None)
CODES = [1 + event for event in EVENTS]
SIGNS = [2 * event - 1 for event in EVENTS]
WHOLE = [float(code) for code in CODES]
FRACTIONS = [
    score if event else score / 2 for event, score in zip(EVENTS, SCORE, strict=True)
]
GRADE = [GRADES[tenths - 1] for tenths in mix(TENTHS)]
WEIGHTS = [float(weight) for weight in mix(WEIGHT)]
ZERO_WEIGHTS = [weight * (row % 5 > 0) for row, weight in enumerate(WEIGHTS)]
WEIGHTLESS = [row for row, weight in enumerate(ZERO_WEIGHTS) if not weight]
COUNTS = mix(COUNT)
NONE_COUNTED = [row for row, count in enumerate(COUNTS) if not count]
DEFAULTS = [min(2, n) * event for event, n in zip(EVENTS, COUNTS, strict=True)]
BORROWERS = [f"borrower {number}" for number in mix(BORROWER)]
EXTREMES = {0.9: inf, 0.4: 0.0, 0.3: -0.0, 0.2: -0.2, 0.1: -inf}
NEXT = {
    0.8: 0.7999999999999999,
    0.6: 0.7,
    0.7: 0.7000000000000001,
    0.3: 0.30000000000000004,
}
OUTLYING = [EXTREMES.get(score, score) for score in SCORE]
NEIGHBOURS = [0.3 if score == 0.2 else NEXT.get(score, score) for score in SCORE]
BIG = [2**60 + tenths for tenths in mix(TENTHS)]
GAPS = {
    "truth": leave_gaps(EVENTS, 3, 17),
    "scores": {"s": leave_gaps(SCORE, 3, 8)},
}

LABEL_NEEDED = "pass the label of the event"
AMBIGUOUS = "holds whole numbers other than 0 and 1"

EVENT_MEANINGS = {
    "0/1 as integers": Meaning(),
    "0/1 as floats": Meaning(truth=[float(event) for event in EVENTS]),
    "booleans": Meaning(truth=[bool(event) for event in EVENTS]),
    "-1/1": Meaning(truth=SIGNS),
    "0/1 as categories in order": Meaning(truth=Levels(EVENTS, (0, 1))),
    "0/1 as categories without an order": Meaning(truth=Levels(EVENTS, None)),
    "-1/1 as categories in order": Meaning(truth=Levels(SIGNS, (-1, 1))),
    "0/1 as categories, one level without rows": Meaning(truth=Levels(EVENTS, (0, 1, 2))),
    "0/1 as text": Meaning(truth=[str(event) for event in EVENTS], refused=LABEL_NEEDED),
    "text": Meaning(truth=LABELS, refused=LABEL_NEEDED),
    "text, `pos_label`": Meaning(truth=LABELS, options={"pos_label": "bad"}),
    "text, absent `pos_label`": Meaning(
        truth=LABELS, options={"pos_label": "worse"}, refused="not among the labels"
    ),
    "integers, `pos_label`": Meaning(truth=CODES, options={"pos_label": 2}),
    "whole floats, `pos_label`": Meaning(truth=WHOLE, options={"pos_label": 2}),
    "booleans, `pos_label` false": Meaning(
        truth=[not event for event in EVENTS], options={"pos_label": False}
    ),
    "categories in order": Meaning(truth=DECLARED),
    "categories in order, `event_level` first": Meaning(
        truth=DECLARED, options={"event_level": "first"}
    ),
    "categories in order, `event_level` second": Meaning(
        truth=DECLARED,
        options={"event_level": "second"},
        outcome=[1 - event for event in EVENTS],
    ),
    "categories in order, `pos_label`": Meaning(
        truth=DECLARED, options={"pos_label": "bad"}
    ),
    "categories without an order": Meaning(truth=UNDECLARED, refused=LABEL_NEEDED),
    "categories without an order, not alphabetical": Meaning(
        truth=Levels(LABELS, None, ("good", "bad")), refused=LABEL_NEEDED
    ),
    "categories without an order, `pos_label`": Meaning(
        truth=UNDECLARED, options={"pos_label": "bad"}
    ),
    "one class only, asked for a curve": Meaning(
        truth=[0] * len(EVENTS),
        refused="is undefined|requires outcomes that differ",
    ),
    "a score for each text label": Meaning(
        truth=mix(CLASS),
        scores={"VF": mix(VF), "F": mix(F), "M": mix(M)},
        outcome=mix(CLASS),
    ),
    "a score for each category": Meaning(
        truth=Levels(mix(CLASS), ("VF", "F", "M")),
        scores={"prob_F": mix(F), "prob_VF": mix(VF), "prob_M": mix(M)},
        outcome=mix(CLASS),
    ),
}
AMOUNT_MEANINGS = {
    "amounts": Meaning(truth=AMOUNTS, outcome=AMOUNTS),
    "whole floats 1.0/2.0": Meaning(truth=WHOLE, refused=AMBIGUOUS),
    "whole floats, said to be amounts": Meaning(
        truth=WHOLE, options={"target_type": "continuous"}, outcome=WHOLE
    ),
    "integers 1/2": Meaning(truth=CODES, refused=AMBIGUOUS),
    "integers, said to be amounts": Meaning(
        truth=CODES, options={"target_type": "continuous"}, outcome=CODES
    ),
    "amounts, said to be events": Meaning(
        truth=AMOUNTS,
        options={"target_type": "binary"},
        refused="mark events in a column of 0 and 1",
    ),
    "negative amounts": Meaning(
        truth=[amount - 0.5 for amount in AMOUNTS],
        refused="must hold finite amounts that are not negative",
    ),
    "swapped outcome and score": Meaning(
        truth=FRACTIONS, scores={"s": EVENTS}, refused="look swapped"
    ),
    "swapped outcome and score of -1/1": Meaning(
        truth=FRACTIONS, scores={"s": SIGNS}, refused="look swapped"
    ),
    "fractions ranked by 0/1, said to be amounts": Meaning(
        truth=FRACTIONS,
        scores={"s": EVENTS},
        options={"target_type": "continuous"},
        outcome=FRACTIONS,
        rank=EVENTS,
    ),
}
ROW_MEANINGS = {
    "sampling weights": Meaning(parts={"case_weights": WEIGHTS}),
    "exposures, the weights of amounts": Meaning(
        truth=AMOUNTS, parts={"case_weights": WEIGHTS}, outcome=AMOUNTS
    ),
    "weights of zero": Meaning(parts={"case_weights": ZERO_WEIGHTS}),
    "missing values in rows of weight zero": Meaning(
        truth=leave_gaps(EVENTS, *WEIGHTLESS),
        scores={"s": leave_gaps(SCORE, *WEIGHTLESS)},
        parts={"case_weights": ZERO_WEIGHTS},
    ),
    "missing values beside a count of zero": Meaning(
        truth=leave_gaps(EVENTS, *NONE_COUNTED),
        scores={"s": leave_gaps(SCORE, *NONE_COUNTED)},
        parts={"counts": COUNTS},
    ),
    "negative weights": Meaning(
        parts={"case_weights": [weight - 1 for weight in WEIGHTS]},
        refused="must be finite and not negative",
    ),
    "counted rows": Meaning(parts={"counts": COUNTS}),
    "counted rows of amounts": Meaning(
        truth=AMOUNTS, parts={"counts": COUNTS}, outcome=AMOUNTS
    ),
    "events among counted rows": Meaning(
        truth=None,
        parts={"counts": COUNTS, "events": DEFAULTS},
        outcome=[1] * len(SCORE) + [0] * len(SCORE),
        rank=SCORE * 2,
    ),
    "clusters": Meaning(parts={"clusters": BORROWERS}),
    "clusters of weighted rows": Meaning(
        parts={"case_weights": WEIGHTS, "clusters": BORROWERS}
    ),
    "clusters of amounts": Meaning(
        truth=AMOUNTS, parts={"clusters": BORROWERS}, outcome=AMOUNTS
    ),
    "clusters of counted rows": Meaning(
        parts={"counts": COUNTS, "clusters": BORROWERS}, refused="cannot be combined"
    ),
    "by one column, with a missing group": Meaning(
        by={"region": ["north", "north", "south", None, "south", None] * 4}
    ),
    "by one column, a group of one class": Meaning(
        by={
            "region": ["north" if row % 3 or e else "south" for row, e in enumerate(EVENTS)]
        }
    ),
    "by two columns": Meaning(
        by={
            "region": ["east", "east", "west", "west"] * 6,
            "year": [2023, 2024, 2024, 2023, 2023, 2024] * 4,
        }
    ),
    "missing values left out": Meaning(**GAPS),
    "missing weights left out": Meaning(parts={"case_weights": leave_gaps(WEIGHTS, 3, 8)}),
    "missing values refused": Meaning(
        **GAPS, options={"na_rm": False}, refused="missing value"
    ),
}
SCORE_MEANINGS = {
    "text grades, `order`": Meaning(scores={"s": GRADE}, options={"order": GRADES}),
    "text grades": Meaning(scores={"s": GRADE}, refused="must hold numbers"),
    "ordered categories as grades": Meaning(scores={"s": Levels(GRADE, GRADES)}),
    "unordered categories as grades": Meaning(
        scores={"s": Levels(GRADE, None)}, refused="must hold numbers"
    ),
    "low scores first": Meaning(
        options={"descending": False}, rank=[-score for score in SCORE]
    ),
    "low scores first, amounts": Meaning(
        truth=AMOUNTS,
        options={"descending": False},
        outcome=AMOUNTS,
        rank=[-score for score in SCORE],
    ),
    "integers beyond 2^53": Meaning(scores={"s": BIG}),
    "infinite scores, and both zeros": Meaning(scores={"s": OUTLYING}, rank=OUTLYING),
    "scores that differ in the last digit": Meaning(
        scores={"s": NEIGHBOURS}, rank=NEIGHBOURS
    ),
    "confidence level 0.9": Meaning(options={"confidence_level": 0.9}),
}
SECTIONS = {
    "Events": EVENT_MEANINGS,
    "Amounts": AMOUNT_MEANINGS,
    "Rows": ROW_MEANINGS,
    "Scores": SCORE_MEANINGS,
}
MEANINGS = {name: it for section in SECTIONS.values() for name, it in section.items()}
