"""Random inputs that know what they mean, and print as Python that makes them again."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np

PROFILES = ("ordinary", "extreme")

# What may be refused with a CapcurveError instead of answered, and what must be. The number
# is the line of part 2 of the issue "One reading, five doors" that states the rule.
WEIGHT_RANGE = "weights of extreme range are right, or refused with the range (11)"
AMOUNT_RANGE = "amounts of extreme range are right, or refused with the range (11)"
BIG_INTEGERS = "integers beyond 2**53 are compared as integers, or refused (10)"
BIG_OBJECTS = "integers in lists beyond 64 bits and decimals are compared, or refused (10)"
WHOLE_FLOATS = "few whole floats are labels or amounts: ambiguous (3)"
SWAPPED = "fractions as outcome and 0/1 as score look swapped (4)"
UNORDERED = "the order of appearance of a categorical is no order (1)"
NOT_ALL_LABELS = "text is matched with score columns by name, so every label must occur"
ABSENT = "pos_label is no label of the rows that count"
SUBNORMAL = "scores of which only the last bits differ may be too close for an engine"


@dataclass(frozen=True, kw_only=True, repr=False)
class Case:
    """One input: columns, which part each plays, and what the outcome means.

    Attributes
    ----------
    columns, storage
        Columns as Python values, None where missing, and how each is stored.
    meant
        What the outcome of each row means: 0 or 1, an amount, or one of ``levels``.
    levels
        Class labels, if each has a score of its own; in the order of ``estimates``.
    refusal
        Rule by which every door must refuse the input; None if it must answer.
    may
        Rules by which a door may refuse the input.
    shares
        Population shares at which to read curves, and at which to cut bands.
    choice
        A number for what else a door chooses, such as a container.
    """

    columns: dict[str, list[Any]]
    storage: dict[str, str]
    meant: list[Any]
    truth: str = "y"
    estimates: tuple[str, ...] = ("s",)
    by: tuple[str, ...] = ()
    weight: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    levels: tuple[Any, ...] | None = None
    categories: tuple[Any, ...] | None = None
    has_amounts: bool = False
    refusal: str | None = None
    may: tuple[str, ...] = ()
    shares: tuple[float, ...] = (0.1, 0.5)
    choice: int = 0

    def __repr__(self) -> str:
        """Print what differs from the defaults."""
        plain = Case(columns={}, storage={}, meant=[])
        told = {each.name: getattr(self, each.name) for each in fields(self)}
        kept = (f"{n}={v!r}" for n, v in told.items() if v != getattr(plain, n))
        return f"Case({', '.join(kept)})"

    @property
    def n(self) -> int:
        return len(self.meant)

    @property
    def descending(self) -> bool:
        return self.options.get("descending", True)

    @property
    def weights(self) -> list[Any] | None:
        return None if self.weight is None else self.columns[self.weight]

    @property
    def is_weighted(self) -> bool:
        return self.weight is not None

    @property
    def is_counted(self) -> bool:
        """Whether a weight is said to be the number of equal rows."""
        return self.weight is not None and (
            "int" in self.storage[self.weight] and self.choice % 3 == 0
        )

    @property
    def weight_role(self) -> dict[str, str]:
        """Which part the column of weights plays, for the functions on frames."""
        if self.weight is None:
            return {}
        return {"counts" if self.is_counted else "case_weights": self.weight}

    @property
    def tolerance(self) -> float:
        """Largest error that rounding excuses."""
        return 1e-9 if self.is_weighted or AMOUNT_RANGE in self.may else 1e-12


class Column(NamedTuple):
    """Values and how they are stored."""

    cells: list[Any]
    storage: str


class Outcome(NamedTuple):
    """What outcomes mean, how they are written, and the options that say so."""

    meant: list[Any]
    column: Column
    options: dict[str, Any]
    has_amounts: bool = False
    categories: tuple[Any, ...] | None = None


def as_float32(values: Sequence[float]) -> list[float]:
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(values, dtype=np.float32).astype(np.float64).tolist()


# -- Scores --------------------------------------------------------------------------------


def draw_continuous(rng: random.Random, n: int) -> Column:
    return Column([rng.gauss(0, 1) for _ in range(n)], "float64")


def draw_rounded(rng: random.Random, n: int) -> Column:
    digits = rng.choice((0, 1, 1, 2))
    return Column([round(rng.random(), digits) for _ in range(n)], "float64")


def draw_grades(rng: random.Random, n: int) -> Column:
    storage = rng.choice(("int64", "int8", "uint8", "int32", "float64", "float32"))
    top = rng.choice((2, 3, 5, 20))
    kind = float if storage.startswith("float") else int
    return Column([kind(rng.randint(1, top)) for _ in range(n)], storage)


def draw_neighbours(rng: random.Random, n: int) -> Column:
    """Scores that share most of their bits, so that bins hold several of them."""
    middle = rng.choice((1.0, 0.3, 1e9, -7.0))
    step = middle * 10.0 ** rng.randint(-12, -4)
    return Column([middle + rng.randint(-6, 6) * step for _ in range(n)], "float64")


def draw_singles(rng: random.Random, n: int) -> Column:
    return Column(as_float32([rng.gauss(0, 1) for _ in range(n)]), "float32")


def draw_points(rng: random.Random, n: int) -> Column:
    top = 10 ** rng.randint(2, 15)
    return Column([rng.randint(-top, top) for _ in range(n)], "int64")


def draw_mostly_moderate(rng: random.Random, n: int) -> Column:
    """Add infinities and both zeros to a few others."""
    pool = [inf, -inf, 0.0, -0.0, 0.3, 0.1 + 0.2, 1e-300, 7e8, *(rng.random(),) * 3]
    return Column([rng.choice(pool) for _ in range(n)], "float64")


def draw_constant(rng: random.Random, n: int) -> Column:
    value = rng.choice((0.0, -0.0, 1.5, inf, -inf, 5e-324, 1.7976931348623157e308))
    return Column([value] * n, "float64")


def draw_odd_floats(rng: random.Random, n: int) -> Column:
    pool = [
        *(5e-324, 1e-323, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308),
        *(1.7976931348623157e308, 1.7976931348623155e308, -1.7976931348623157e308),
        *(inf, -inf, 0.0, -0.0, 1.0, math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0)),
        *(0.1 + 0.2, 0.3, 2.0**53, 2.0**53 + 2, 2.0**63),
    ]
    chosen = rng.sample(pool, rng.randint(1, len(pool)))
    return Column([rng.choice(chosen) for _ in range(n)], "float64")


def draw_odd_singles(rng: random.Random, n: int) -> Column:
    pool = as_float32([1e-45, 1e-40, 3.4e38, inf, -inf, 1.0, 1.0000001, 0.1, 16777217.0])
    return Column([rng.choice([*pool, -0.0, 0.0]) for _ in range(n)], "float32")


def draw_tiny(rng: random.Random, n: int) -> Column:
    return Column([rng.randint(-9, 9) * 5e-324 for _ in range(n)], "float64")


def draw_big_integers(rng: random.Random, n: int) -> Column:
    middle, storage = rng.choice(
        ((2**53, "int64"), (-(2**53), "int64"), (2**62, "int64"), (2**64 - 9, "uint64"))
    )
    return Column([middle + rng.randint(-8, 8) for _ in range(n)], storage)


def draw_integer_ends(rng: random.Random, n: int) -> Column:
    ends = np.iinfo(rng.choice((np.int8, np.int16, np.int32, np.uint8, np.uint32)))
    pool = [ends.min, ends.min + 1, ends.max - 1, ends.max, 0, 1]
    return Column([int(rng.choice(pool)) for _ in range(n)], ends.dtype.name)


def draw_booleans(rng: random.Random, n: int) -> Column:
    return Column([rng.random() < 0.5 for _ in range(n)], "bool")


Draw = Callable[[random.Random, int], Column]
SCORES: dict[str, tuple[Draw, ...]] = {
    "ordinary": (
        draw_continuous,
        draw_rounded,
        draw_rounded,
        draw_grades,
        draw_neighbours,
        draw_singles,
        draw_points,
        draw_mostly_moderate,
    ),
    "extreme": (
        draw_constant,
        draw_odd_floats,
        draw_odd_singles,
        draw_tiny,
        draw_big_integers,
        draw_integer_ends,
        draw_booleans,
        draw_rounded,
    ),
}


# -- Outcomes ------------------------------------------------------------------------------


def draw_events(rng: random.Random, n: int, profile: str) -> list[int]:
    """Draw 0/1 outcomes: both classes mostly, a single class sometimes."""
    kind = rng.random()
    if kind < (0.03 if profile == "ordinary" else 0.1):
        return [rng.randint(0, 1)] * n
    if kind < 0.25:
        lone = rng.randint(0, 1)
        events = [1 - lone] * n
        events[rng.randrange(n)] = lone
        return events
    rate = rng.choice((0.1, 0.3, 0.5, 0.8))
    return [int(rng.random() < rate) for _ in range(n)]


PLAIN_EVENTS: dict[str, tuple[Any, Any]] = {
    "int64": (0, 1),
    "int8": (0, 1),
    "uint8": (0, 1),
    "bool": (False, True),
    "float64": (0.0, 1.0),
    "float32": (0.0, 1.0),
}
SIGNED_EVENTS: dict[str, tuple[Any, Any]] = {"int64": (-1, 1), "float64": (-1.0, 1.0)}
LABELS: tuple[tuple[str, Any, Any], ...] = (
    ("str", "good", "bad"),
    ("str", "no", "yes"),
    ("str", "", "x"),
    ("str", "été", "日本 'x';--"),
    ("int64", 2, 1),
    ("int64", 1, 2),
    ("int64", 0, -1),
    ("float64", 1.0, 2.0),
    ("float64", 0.5, 0.25),
    ("int64", 1, 0),
)


def write_events(rng: random.Random, events: list[int]) -> Outcome:
    """Write events as numbers, booleans, or labels that need ``pos_label``."""
    kind = rng.random()
    options: dict[str, Any] = {}
    if kind < 0.6 or not any(events):  # without an event no label can be that of one
        storage = rng.choice(list(PLAIN_EVENTS))
        rest, event = PLAIN_EVENTS[storage]
        options = rng.choice(({}, {}, {"target_type": "binary"}))
    elif kind < 0.7:
        storage = rng.choice(list(SIGNED_EVENTS))
        rest, event = SIGNED_EVENTS[storage]
    else:
        storage, rest, event = rng.choice(LABELS)
        options = {"pos_label": event}
    written = [event if mark else rest for mark in events]
    return Outcome(events, Column(written, storage), options)


def write_levels(rng: random.Random, events: list[int]) -> Outcome:
    """Write events as a categorical of two declared levels."""
    names = rng.choice((("bad", "good"), ("Class1", "Class2"), ("z", "a"), ("ß", "")))
    second = rng.random() < 0.4
    event, rest = reversed(names) if second else names
    options: dict[str, Any] = {"event_level": "second"} if second else {}
    if rng.random() < 0.2:
        options = {"pos_label": event}
    written = [event if mark else rest for mark in events]
    return Outcome(events, Column(written, "categorical"), options, categories=names)


def draw_amounts(rng: random.Random, n: int) -> list[float]:
    kind = rng.random()
    if kind < 0.4:
        return [rng.lognormvariate(0, 1) for _ in range(n)]
    if kind < 0.7:
        return [rng.choice((0.0, 0.0, rng.lognormvariate(3, 1))) for _ in range(n)]
    if kind < 0.95:
        return [round(rng.random() * 5, 1) for _ in range(n)]
    return [2.5] * n


def draw_odd_amounts(rng: random.Random, n: int) -> list[float]:
    """Draw amounts of any size, and amounts that differ in the last bits only."""
    kind = rng.random()
    if kind < 0.4:
        return [10.0 ** rng.uniform(-40, 40) for _ in range(n)]
    if kind < 0.6:
        base = rng.choice((1.1, 1e9 + 0.5))
        return [base + rng.randint(0, 4) * math.ulp(base) for _ in range(n)]
    if kind < 0.8:
        return [rng.choice((5e-324, 1e-310, 0.0, 1e308, 0.5)) for _ in range(n)]
    return [rng.choice((0.0, 1e200, 2.5e200)) for _ in range(n)]


def write_amounts(rng: random.Random, amounts: list[float]) -> Outcome:
    """Write amounts as floats; as whole numbers only where the type is said."""
    if rng.random() < 0.3 and max(amounts) < 1e9:
        whole = [int(amount) for amount in amounts]
        storage = rng.choice(("int64", "float64"))
        written = [float(a) for a in whole] if storage == "float64" else whole
        column, meant = Column(written, storage), whole
        return Outcome(meant, column, {"target_type": "continuous"}, has_amounts=True)
    options = rng.choice(({}, {"target_type": "continuous"}))
    if is_whole(amounts):
        options = {"target_type": "continuous"}
    return Outcome(amounts, Column(amounts, "float64"), options, has_amounts=True)


def is_whole(values: Sequence[Any]) -> bool:
    return all(value == int(value) for value in values if value is not None)


def draw_outcome(rng: random.Random, n: int, profile: str, *, frames: bool) -> Outcome:
    if rng.random() < 0.3:
        odd = profile == "extreme" and rng.random() < 0.6
        return write_amounts(rng, (draw_odd_amounts if odd else draw_amounts)(rng, n))
    events = draw_events(rng, n, profile)
    if frames and rng.random() < 0.2:
        return write_levels(rng, events)
    return write_events(rng, events)


# -- Weights -------------------------------------------------------------------------------


def draw_weights(rng: random.Random, n: int) -> Column:
    kind = rng.random()
    if kind < 0.4:
        counts = [rng.randint(0 if rng.random() < 0.3 else 1, 5) for _ in range(n)]
        counts[rng.randrange(n)] = 3
        return Column(counts, rng.choice(("int64", "uint8", "int32")))
    if kind < 0.7:
        return Column([rng.lognormvariate(0, 1) for _ in range(n)], "float64")
    if kind < 0.85:
        singles = as_float32([0.1 + rng.random() for _ in range(n)])
        return Column(singles, "float32")
    sizes = [rng.choice((0.0, 0.25, 1.0, 1000.0)) for _ in range(n)]
    sizes[rng.randrange(n)] = 0.5
    return Column(sizes, "float64")


def draw_odd_weights(rng: random.Random, n: int) -> Column:
    kind = rng.random()
    if kind < 0.3:
        return Column([10.0 ** rng.uniform(-40, 40) for _ in range(n)], "float64")
    if kind < 0.5:
        size = rng.choice((1e200, 1e-200, 1e40, 1e-40, 5e-324, 1e308))
        return Column([size] * n, "float64")
    if kind < 0.8:
        large = rng.choice((1e6, 1e12, 1e16, 1e17, 1e40))
        return Column([rng.choice((large, 1.0, 1.0)) for _ in range(n)], "float64")
    base = math.nextafter(1.0, 2.0)
    return Column([rng.choice((1.0, base)) for _ in range(n)], "float64")


# -- Whole cases ---------------------------------------------------------------------------

ORDINARY_SIZES = (2, 3, 5, 8, 12, 20, 30)
EXTREME_SIZES = (1, 2, 3, 4, 6, 10, 15)
MODERATE = 1e6  # a range of weights or amounts up to this is ordinary


def draw_size(rng: random.Random, profile: str) -> int:
    if profile == "ordinary" and rng.random() < 0.01:
        return 150
    return rng.choice(ORDINARY_SIZES if profile == "ordinary" else EXTREME_SIZES)


def draw_shares(rng: random.Random) -> tuple[float, ...]:
    """Draw increasing population shares inside of (0, 1), odd and round ones."""
    pool = (0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.6, 0.75, 0.9, 0.99)
    chosen = {*rng.sample(pool, rng.randint(1, 3)), round(rng.random(), 3), rng.random()}
    return tuple(sorted(share for share in chosen if 0 < share < 1))


def draw_case(rng: random.Random, profile: str, *, frames: bool = False) -> Case:
    """Draw an outcome, a score and perhaps weights; the ends of what a door may refuse."""
    n = draw_size(rng, profile)
    outcome = draw_outcome(rng, n, profile, frames=frames)
    score = rng.choice(SCORES[profile])(rng, n)
    values = {"y": outcome.column.cells, "s": score.cells}
    storage = {"y": outcome.column.storage, "s": score.storage}
    weight = None
    if rng.random() < 0.45:
        weight = "w"
        odd = profile == "extreme" and rng.random() < 0.7
        column = (draw_odd_weights if odd else draw_weights)(rng, n)
        values["w"], storage["w"] = column
    options = dict(outcome.options)
    if rng.random() < 0.2:
        options["descending"] = False
    case = Case(
        columns=values,
        storage=storage,
        meant=outcome.meant,
        weight=weight,
        options=options,
        categories=outcome.categories,
        has_amounts=outcome.has_amounts,
        shares=draw_shares(rng),
        choice=rng.randrange(2**16),
    )
    return with_rules(case)


def with_rules(case: Case) -> Case:
    """Add the rules by which a door may refuse the input."""
    return replace(case, may=tuple(sorted({*case.may, *find_rules(case)})))


def find_rules(case: Case) -> Iterator[str]:
    """List what in the input is so extreme, or looks so odd, that it may be refused."""
    masses = [1] if case.weights is None else known(case.weights)
    amounts = known(case.meant) if case.has_amounts else [1]
    if not is_moderate(masses) or outweighs_the_rest(case):
        yield WEIGHT_RANGE
    if not is_moderate(amounts) or are_close(amounts):
        yield AMOUNT_RANGE
    scores = [value for name in case.estimates for value in known(case.columns[name])]
    if any(isinstance(value, int) and abs(value) >= 2**53 for value in scores):
        yield BIG_INTEGERS
    yield from find_odd_outcomes(case)


def outweighs_the_rest(case: Case) -> bool:
    """Whether events outweigh the other rows so far that sums may round them away."""
    rest = sum(row[1] for row in counted_rows(case) if not row[0])
    return 0 < rest < 1e-6 * sum(row[1] for row in counted_rows(case))


def find_odd_outcomes(case: Case) -> Iterator[str]:
    """List why the outcome of the rows that count may be refused."""
    counted = counted_rows(case)
    meant = {row[0] for row in counted}
    if case.levels and case.categories is None and meant != set(case.levels):
        yield NOT_ALL_LABELS
    if "pos_label" in case.options and not any(meant):
        yield ABSENT
    if case.has_amounts and case.options.get("target_type") != "continuous":
        if is_whole(list(meant)):
            yield WHOLE_FLOATS
        scores = [set(column) for column in list(zip(*counted, strict=True))[2:]]
        if max(meant, default=0) <= 1 and any(each <= {0, 1} for each in scores):
            yield SWAPPED


def counted_rows(case: Case) -> list[tuple[Any, ...]]:
    """List the rows that count, complete and of some weight: meant, weight and scores."""
    columns = [case.columns[name] for name in case.estimates]
    weights = [1] * case.n if case.weights is None else case.weights
    return [
        row
        for row in zip(case.meant, weights, *columns, strict=True)
        if not any(map(is_missing, row)) and row[1] != 0
    ]


def is_missing(value: Any) -> bool:
    return value is None or value != value  # noqa: PLR0124 -- nan


def known(column: Sequence[Any]) -> list[Any]:
    """Leave out what is missing."""
    return [value for value in column if not is_missing(value)]


def is_moderate(sizes: Sequence[Any]) -> bool:
    """Whether numbers are of ordinary size, and not far from each other."""
    positive = [size for size in sizes if size > 0] or [1]
    least, most = min(positive), max(positive)
    return most <= 1e12 and least >= 1e-12 and most <= MODERATE * least


def are_close(amounts: Sequence[Any]) -> bool:
    """Whether amounts differ by so little that their differences are mostly rounding."""
    least, most = min(amounts, default=0), max(amounts, default=0)
    return least < most and (most - least) < 1e-6 * most


# -- Cases that must be refused ------------------------------------------------------------


def replace_at(values: Sequence[Any], place: int, value: Any) -> list[Any]:
    return [*values[:place], value, *values[place + 1 :]]


def spoil_weight(case: Case, rng: random.Random) -> Case:
    wrong = rng.choice((-1.0, -5e-324, inf, -inf))
    weights = replace_at([1.0] * case.n, rng.randrange(case.n), wrong)
    return replace(
        case,
        columns={**case.columns, "w": weights},
        storage={**case.storage, "w": "float64"},
        weight="w",
        refusal="a weight is negative or infinite",
    )


def spoil_score(case: Case, rng: random.Random) -> Case:
    texts = [rng.choice(("a", "b", "")) for _ in range(case.n)]
    return replace(
        case,
        columns={**case.columns, "s": texts},
        storage={**case.storage, "s": "str"},
        refusal="scores are text",
    )


def with_outcome(case: Case, written: list[Any], storage: str, rule: str) -> Case:
    """Replace the outcome by one that says too little."""
    options = {k: v for k, v in case.options.items() if k == "descending"}
    return replace(
        case,
        columns={**case.columns, "y": written},
        storage={**case.storage, "y": storage},
        meant=written,
        weight=None,
        options=options,
        categories=None,
        has_amounts=False,
        refusal=rule,
    )


def spoil_amount(case: Case, rng: random.Random) -> Case:
    wrong = rng.choice((-0.5, -inf, inf))
    written = replace_at([0.25] * case.n, rng.randrange(case.n), wrong)
    return with_outcome(case, written, "float64", "an amount is negative or infinite")


def spoil_integers(case: Case, rng: random.Random) -> Case:
    written = replace_at(
        [rng.choice((0, 1, 2, 7)) for _ in range(case.n)], rng.randrange(case.n), 2
    )
    return with_outcome(case, written, "int64", "integers are labels or counts: ambiguous")


def spoil_labels(case: Case, rng: random.Random) -> Case:
    written = [rng.choice(("good", "bad")) for _ in range(case.n)]
    return with_outcome(case, written, "str", "text needs pos_label")


def spoil_pos_label(case: Case, rng: random.Random) -> Case:
    written = [rng.choice((0, 1)) for _ in range(case.n)]
    spoilt = with_outcome(case, written, "int64", "pos_label is no label of the outcome")
    return replace(spoilt, options={**spoilt.options, "pos_label": 3})


def spoil_floats(case: Case, rng: random.Random) -> Case:
    """Write labels as whole floats, as pandas makes them of integers with a gap."""
    first, second = rng.choice(((1.0, 2.0), (3.0, 5.0)))
    written = [rng.choice((first, second)) for _ in range(case.n)]
    written[0], written[-1] = first, second
    return with_outcome(case, written, "float64", WHOLE_FLOATS)


def spoil_order(case: Case, rng: random.Random) -> Case:
    """Pass the score as outcome, and the outcome as score."""
    fractions = [round(rng.uniform(0.01, 0.99), 2) for _ in range(case.n)]
    fractions[0] = 0.37
    marks = [rng.choice((0, 1)) for _ in range(case.n)]
    marks[0], marks[-1] = 0, 1
    spoilt = with_outcome(case, fractions, "float64", SWAPPED)
    return replace(
        spoilt,
        columns={**spoilt.columns, "s": marks},
        storage={**spoilt.storage, "s": "int64"},
    )


def spoil_nothing_left(case: Case, _rng: random.Random) -> Case:
    return replace(
        case,
        columns={**case.columns, "w": [0.0] * case.n},
        storage={**case.storage, "w": "float64"},
        weight="w",
        refusal="all weights are 0",
    )


def spoil_missing(case: Case, rng: random.Random) -> Case:
    """Make a value of an array missing, where no option says what to do with it."""
    scores = [float(value) for value in case.columns["s"]]
    return replace(
        case,
        columns={**case.columns, "s": replace_at(scores, rng.randrange(case.n), nan)},
        storage={**case.storage, "s": "float64"},
        refusal="an array has a missing value",
    )


Spoil = Callable[[Case, random.Random], Case]
SPOILS: tuple[Spoil, ...] = (
    spoil_weight,
    spoil_score,
    spoil_amount,
    spoil_integers,
    spoil_labels,
    spoil_pos_label,
    spoil_floats,
    spoil_order,
)
ARRAY_SPOILS: tuple[Spoil, ...] = (*SPOILS, spoil_nothing_left, spoil_missing)


def spoil(case: Case, rng: random.Random, spoils: Sequence[Spoil]) -> Case:
    """Make an input that every door must refuse; of at least two rows."""
    if case.n < 2 or case.by or len(case.estimates) > 1:
        return case
    return rng.choice(spoils)(case, rng)
