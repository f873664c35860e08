"""Random tables: groups, several models, a score for each class label, missing values."""

from __future__ import annotations

import random
from dataclasses import replace
from math import nan
from typing import Any, NamedTuple

from fuzz import oracle
from fuzz.cases import (
    SCORES,
    SPOILS,
    UNORDERED,
    Case,
    Column,
    draw_case,
    draw_shares,
    draw_weights,
    is_missing,
    spoil,
    with_outcome,
    with_rules,
)
from fuzz.oracle import Rows

# Names that engines, SQL and our own queries might stumble over.
NAMES = (
    *("y", "s", "w", "wy", "near", "far", "bin", "low", "high", "v", "n rows", "row"),
    *("été", "日本", 'a "quoted" name', "it's; --", "a,b", "select", "c0", "all", "rows"),
    *("{x}", "%s", "a.b", "Ω|Ω", "up to w", "index", "level_0", "$1", "tied"),
)
ALL_COLUMNS = ("*", "^.*$")  # to engines these are patterns
KEYS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("str", ("a", "b", "c")),
    ("str", ("日本", "été", "x|y", "=1+1")),
    ("int64", (1, 2, 3)),
    ("bool", (False, True)),
    ("int64", (-(2**60), 2**60, 0)),
    ("label", ("north", "south")),
)


class Group(NamedTuple):
    """Rows shown together: their keys, and the numbers of those that are complete."""

    keys: tuple[Any, ...]
    rows: list[int]


def split_groups(case: Case) -> list[Group]:
    """List the groups in the order in which they appear; a null is a group of its own."""
    found: dict[tuple[Any, ...], list[int]] = {}
    keys = [tuple(case.columns[name][row] for name in case.by) for row in range(case.n)]
    for row, key in enumerate(keys):
        rows = found.setdefault(key, [])
        if is_complete(case, row) and (case.weights is None or case.weights[row] > 0):
            rows.append(row)
    return [Group(key, rows) for key, rows in found.items()] or [Group((), [])]


def is_complete(case: Case, row: int) -> bool:
    used = [*case.estimates, *([case.weight] if case.weight else [])]
    values = [case.columns[name][row] for name in used]
    return not any(map(is_missing, [case.meant[row], *values]))


def read_group(case: Case, group: Group, estimate: str, label: Any = None) -> Rows:
    """Rank the rows of a group by one score; by one label against the rest, if given."""
    meant = [case.meant[row] for row in group.rows]
    if case.levels is not None:
        meant = [int(value == label) for value in meant]
    weights = None
    if case.weights is not None:
        weights = [case.weights[row] for row in group.rows]
    scores = [case.columns[estimate][row] for row in group.rows]
    return oracle.read_rows(meant, scores, weights, descending=case.descending)


def average_labels(case: Case, group: Group, *, weighted: bool) -> Any:
    """Average one against the rest in a group."""
    return oracle.one_against_the_rest(
        [case.meant[row] for row in group.rows],
        {
            label: [case.columns[name][row] for row in group.rows]
            for label, name in zip(case.levels or (), case.estimates, strict=True)
        },
        None if case.weights is None else [case.weights[row] for row in group.rows],
        weighted=weighted,
        descending=case.descending,
    )


# -- Drawing -------------------------------------------------------------------------------


def draw_table(rng: random.Random, profile: str, *, frames: bool) -> Case:
    """Draw a table; ``frames`` adds what only data frames in memory declare."""
    if rng.random() < 0.12:
        case = draw_labelled(rng, profile, frames=frames)
    else:
        case = draw_case(rng, profile, frames=frames)
        if rng.random() < 0.07:
            return rename(spoil(case, rng, SPOILS), rng)
        if frames and case.n > 1 and rng.random() < 0.06:
            case = declare(case, rng)
        case = add_models(case, rng, profile)
    case = lose_values(add_groups(case, rng), rng)
    return rename(with_rules(case), rng)


def declare(case: Case, rng: random.Random) -> Case:
    """Write events as a categorical without an order, or as one of 0 and 1."""
    events = [rng.randint(0, 1) for _ in range(case.n)]
    events[0], events[-1] = 0, 1
    if rng.random() < 0.4:
        binary = with_outcome(case, events, "categorical", "")
        return replace(binary, meant=events, categories=(0, 1), refusal=None)
    written = [("good", "bad")[event] for event in events]
    unordered = with_outcome(case, written, "unordered", UNORDERED)
    if rng.random() < 0.5:
        return unordered
    options = {**unordered.options, "pos_label": "bad"}
    return replace(unordered, meant=events, options=options, refusal=None)


def draw_labelled(rng: random.Random, profile: str, *, frames: bool) -> Case:
    """Draw class labels, and a score column named after each."""
    n = rng.choice((4, 8, 16, 30) if profile == "ordinary" else (3, 4, 5, 6))
    labels = rng.choice((("a", "b", "c"), ("VF", "F", "M", "L"), ("é", "日本", "z z")))
    declared = frames and rng.random() < 0.6
    truth = [rng.choice(labels) for _ in range(n)]
    if not declared:
        truth[: len(labels)] = labels[:n]
        labels = tuple(sorted(set(truth)))
    prefix = rng.choice(("", "prob_", "p "))
    names = [f"{prefix}{label}" for label in labels]
    columns = {
        name: Column([round(rng.random(), 1) for _ in range(n)], "float64")
        for name in names
    }
    options: dict[str, Any] = rng.choice(({}, {"descending": False}))
    columns["y"] = Column(truth, "categorical" if declared else "str")
    if rng.random() < 0.3:
        columns["w"] = draw_weights(rng, n)
    order = rng.sample(names, len(names))
    return Case(
        columns={name: columns[name].cells for name in ["y", *order, *columns]},
        storage={name: column.storage for name, column in columns.items()},
        meant=truth,
        estimates=tuple(names),
        weight="w" if "w" in columns else None,
        options=options,
        levels=labels,
        categories=labels if declared else None,
        shares=draw_shares(rng),
        choice=rng.randrange(2**16),
    )


def add_models(case: Case, rng: random.Random, profile: str) -> Case:
    """Add up to two more scores of the same rows."""
    if case.refusal is not None or rng.random() < 0.6:
        return case
    names = ["s2", "s3"][: rng.randint(1, 2)]
    columns = {name: rng.choice(SCORES[profile])(rng, case.n) for name in names}
    return replace(
        case,
        columns={**case.columns, **{name: one.cells for name, one in columns.items()}},
        storage={**case.storage, **{name: one.storage for name, one in columns.items()}},
        estimates=(*case.estimates, *names),
    )


def add_groups(case: Case, rng: random.Random) -> Case:
    """Add up to two columns to group by, with nulls here and there."""
    if case.refusal is not None or rng.random() < 0.5:
        return case
    values, storage = dict(case.columns), dict(case.storage)
    by = ["g", "h"][: rng.choice((1, 1, 2))]
    for name in by:
        storage[name], keys = rng.choice(KEYS)
        values[name] = [rng.choice(keys) for _ in range(case.n)]
        if rng.random() < 0.3:
            values[name] = [None if rng.random() < 0.2 else key for key in values[name]]
    return replace(case, columns=values, storage=storage, by=tuple(by))


def lose_values(case: Case, rng: random.Random) -> Case:
    """Lose some outcomes, scores and weights."""
    if case.refusal is not None or rng.random() < 0.6:
        return case
    values, meant = (
        {name: list(column) for name, column in case.columns.items()},
        [*case.meant],
    )
    used = [case.truth, *case.estimates, *([case.weight] if case.weight else [])]
    for name in used:
        if rng.random() < 0.5:
            gap = (
                nan
                if case.storage[name].startswith("float") and rng.random() < 0.5
                else None
            )
            for row in range(case.n):
                if rng.random() < 0.12:
                    values[name][row] = gap
                    if name == case.truth:
                        meant[row] = None
    return replace(case, columns=values, meant=meant)


def rename(case: Case, rng: random.Random) -> Case:
    """Give columns names that are hard to quote; those named after labels keep theirs."""
    if rng.random() < 0.5:
        return case
    fixed = set(case.estimates) if case.levels is not None else set()
    pool = (*NAMES, *ALL_COLUMNS) if rng.random() < 0.05 else NAMES
    free = [name for name in pool if name not in fixed]
    new = dict(zip(case.columns, rng.sample(free, len(case.columns)), strict=True))
    new |= {name: name for name in fixed}
    return replace(
        case,
        columns={new[name]: column for name, column in case.columns.items()},
        storage={new[name]: kind for name, kind in case.storage.items()},
        truth=new[case.truth],
        estimates=tuple(new[name] for name in case.estimates),
        by=tuple(new[name] for name in case.by),
        weight=None if case.weight is None else new[case.weight],
    )
