"""What a command line asks of a file -> a curve for each group, estimate and level."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from capcurve import files
from capcurve._delimited import MISSING_TEXTS, Source
from capcurve._input import (
    Array,
    Columns,
    Label,
    TargetType,
    read_score,
    read_target,
    read_weight,
)
from capcurve._precision import Options, smallest_class
from capcurve._ratio_estimates import ratio_estimate
from capcurve._truth import named_after
from capcurve.curve import CapCurve, TieBounds, constant_reason, curve_of
from capcurve.estimates import Estimate
from capcurve.exceptions import CapcurveError
from capcurve.table import Bands, GainsTable

CAPTURED_AT = {"capture_10": 0.1, "capture_50": 0.5}
TWO = 2  # labels are an event and the rest; more are levels
Say = Callable[[str], None]

OPTIONS = {
    "`target_type='continuous'`": "--target-type continuous",
    "`pos_label`": "--pos-label",
    "`confidence_level`": "--confidence",
    "`initial_auc`": "--initial-auc",
    "`initial_variance`": "--initial-variance",
}


class Request(NamedTuple):
    """The options that say what of a file is ranked by what."""

    file: str
    truth: str
    estimate: tuple[str, ...]
    by: tuple[str, ...]
    weight: str | None
    pos_label: str | None
    target_type: TargetType
    ascending: bool
    na: tuple[str, ...]
    decimal_comma: bool
    memory_limit: str | None = None
    approx: bool = False
    quiet: bool = False
    table: str | None = None
    query: str | None = None


@dataclass(frozen=True, eq=False)
class Ranked(ABC):
    """One group, ranked by one estimate, with one level as the event."""

    group: dict[str, str]
    estimate: str
    level: str | None

    @property
    def keys(self) -> dict[str, str]:
        """Name what tells the curve from the others."""
        level = {} if self.level is None else {"level": self.level}
        return {**self.group, "estimate": self.estimate, **level}

    @property
    @abstractmethod
    def curve(self) -> CapCurve | None:
        """The curve, or None where there are no rows or all outcomes are equal."""

    @property
    @abstractmethod
    def rarest(self) -> int:
        """Rows of the rarer kind, which an interval rests on."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Rows that count."""

    @property
    @abstractmethod
    def has_events(self) -> bool:
        """Whether outcomes are 0/1 events."""

    @property
    @abstractmethod
    def is_counted(self) -> bool:
        """Whether rows are 0/1 events without weights."""

    @property
    @abstractmethod
    def tie_share(self) -> float | None:
        """Share of rows whose score another row has, where it is known."""

    @abstractmethod
    def ratio(self, options: Options) -> Estimate:
        """Estimate the accuracy ratio."""

    @abstractmethod
    def measures(self) -> dict[str, float | None]:
        """List what is read off the curve."""

    @abstractmethod
    def table(self, bands: Bands) -> Mapping[str, Array]:
        """Cut the curve into bands."""


@dataclass(frozen=True, eq=False)
class RankedRows(Ranked):
    """Rows in memory, ranked."""

    columns: Columns

    @cached_property
    def curve(self) -> CapCurve | None:
        """Rank the rows."""
        undefined = not len(self.columns.target) or self.columns.is_constant
        return None if undefined else curve_of(self.columns)

    @property
    def rarest(self) -> int:
        """Count the rows of the rarer kind."""
        return smallest_class(self.columns)

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        return len(self.columns.target)

    @property
    def has_events(self) -> bool:
        """Look at the outcomes."""
        return self.columns.has_events

    @property
    def is_counted(self) -> bool:
        """Look at outcomes and weights."""
        return self.has_events and self.columns.weight is None

    @property
    def tie_share(self) -> float:
        """Count the rows that share their score."""
        counts = np.unique(self.columns.score, return_counts=True)[1]
        return float(counts[counts > 1].sum() / self.n_rows)

    def ratio(self, options: Options) -> Estimate:
        """Estimate the accuracy ratio from the rows."""
        return ratio_estimate(self.columns, options)

    def measures(self) -> dict[str, float | None]:
        """Read KS and the bounds under ties off the curve."""
        return measures_of(
            self.curve, None if self.curve is None else self.curve.tie_bounds
        )

    def table(self, bands: Bands) -> Mapping[str, Array]:
        """Cut the curve into bands."""
        return (
            {} if self.curve is None else GainsTable.from_curve(self.curve, bands).to_dict()
        )


def measures_of(
    curve: CapCurve | None, ties: TieBounds | None, ks: float | None = None
) -> dict[str, float | None]:
    """Name KS, capture rates, and the bounds under ties; of no curve, nothing but names."""
    names = ("ks", *CAPTURED_AT, "worst_ties", "best_ties")
    if curve is None:
        return dict.fromkeys(names)
    return {
        "ks": curve.ks if ks is None else ks,
        **{name: curve.capture_rate_at(share) for name, share in CAPTURED_AT.items()},
        "worst_ties": None if ties is None else ties.worst,
        "best_ties": None if ties is None else ties.best,
    }


def read_ranked(request: Request, say: Say) -> list[RankedRows]:
    """Read a file and make the curves asked for."""
    ranked = list(rank(request, read_complete_rows(request, say).columns))
    announce(ranked, say)
    return ranked


def announce(ranked: Sequence[Ranked], say: Say) -> None:
    """Say which scores may be reversed, and which curves are undefined."""
    for name in dict.fromkeys(one.estimate for one in ranked):
        curves = [one.curve for one in ranked if one.estimate == name and one.curve]
        if any(curve.accuracy_ratio < 0 for curve in curves):
            say(
                f"capcurve: note: the AR of {name!r} is negative, so the score may be "
                "reversed; --ascending ranks low scores first"
            )
    if all(one.curve is None for one in ranked):
        raise CapcurveError("the CAP curve is undefined: in no group do outcomes differ")
    undefined = [", ".join(one.keys.values()) for one in ranked if one.curve is None]
    if undefined:
        say("capcurve: note: undefined, as all outcomes are equal: " + "; ".join(undefined))


def in_options(message: str) -> str:
    """Name the options of the command line where a message names arguments."""
    for argument, option in OPTIONS.items():
        message = message.replace(argument, option)
    return message


def rank(request: Request, columns: dict[str, Array]) -> Iterator[RankedRows]:
    """Make the curve of each group, estimate and level."""
    truth = columns[request.truth]
    scores = {}
    for name in request.estimate:
        files.refuse_text(columns[name], name)
        scores[name] = read_score(columns[name], name)
    weight = None
    if request.weight is not None:
        files.refuse_text(columns[request.weight], request.weight)
        weight = read_weight(columns[request.weight], request.weight)
    outcomes = list(outcomes_of(truth, request))
    for group, rows in groups_of(columns, request.by):
        present = rows if weight is None else rows[weight[rows] > 0]
        for name, level, target in outcomes:
            own = Columns(
                target[present],
                scores[name][present],
                None if weight is None else weight[present],
                not request.ascending,
            )
            ranked = RankedRows(group, name, level, own)
            if ranked.curve is None and not request.by and level is None:
                reason = constant_reason(own).replace("`y_true`", f"`{request.truth}`")
                raise CapcurveError(f"the CAP curve is undefined: {reason}")
            yield ranked


def outcomes_of(truth: Array, request: Request) -> Iterator[tuple[str, str | None, Array]]:
    """Pair each estimate with the outcome, or with a level if names say so."""
    estimates = list(request.estimate)
    if request.pos_label is None and len(estimates) > TWO and truth.dtype.kind != "f":
        levels = np.unique(truth).tolist()
        matched = named_after([str(level) for level in levels], estimates)
        if matched is not None:
            for name, level in zip(matched, levels, strict=True):
                yield name, str(level), truth == level
            return
    label = label_like(truth.dtype.kind, request.pos_label)
    target = read_target(truth, label, request.target_type, request.truth)
    for name in estimates:
        yield name, None, target


def groups_of(
    columns: dict[str, Array], by: tuple[str, ...]
) -> Iterator[tuple[dict[str, str], Array]]:
    """Find the rows of each group, in the order of appearance."""
    n_rows = len(next(iter(columns.values())))
    numbers: dict[tuple[Any, ...], int] = {}
    if not by:
        yield {}, np.arange(n_rows)
        return
    keys = zip(*(columns[name].tolist() for name in by), strict=True)
    group = np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64)
    order = np.argsort(group, kind="stable")
    bounds = np.cumsum(np.bincount(group))[:-1]
    for key, rows in zip(numbers, np.split(order, bounds), strict=True):
        texts = ["null" if value is None else str(value) for value in key]
        yield dict(zip(by, texts, strict=True)), rows


class CompleteRows(NamedTuple):
    """Columns without missing values, and what was left out."""

    columns: dict[str, Array]
    n_read: int
    missing: dict[str, int]


def read_complete_rows(request: Request, say: Say) -> CompleteRows:
    """Read the columns and leave out rows with a missing value, saying how many."""
    needed = [request.truth, *request.estimate]
    needed += [request.weight] if request.weight else []
    columns = files.read_file(source_of(request), progress=not request.quiet)
    if request.truth in request.by:
        raise CapcurveError(f"--by names the column of --truth, {request.truth!r}")
    missing = {name: files.missing_rows(columns[name]) for name in needed}
    incomplete = np.logical_or.reduce(list(missing.values()))
    if incomplete.all():
        raise CapcurveError(f"{request.file} has no rows with all of: {', '.join(missing)}")
    if incomplete.any():
        counts = ", ".join(
            f"{name} {rows.sum():,}" for name, rows in missing.items() if rows.any()
        )
        say(
            f"capcurve: note: left out {incomplete.sum():,} of {len(incomplete):,} rows "
            f"with a missing value ({counts})"
        )
    complete = {name: column[~incomplete] for name, column in columns.items()}
    return CompleteRows(
        {
            name: np.ma.getdata(column) if name in missing else column
            for name, column in complete.items()
        },
        len(incomplete),
        {name: int(rows.sum()) for name, rows in missing.items() if rows.any()},
    )


def source_of(request: Request) -> Source:
    """Say what to read of a file."""
    return Source(
        request.file,
        outcomes=[request.truth],
        numbers=[*request.estimate, *([request.weight] if request.weight else [])],
        keys=request.by,
        missing=(*MISSING_TEXTS, *request.na),
        decimal="," if request.decimal_comma else ".",
        table=request.table,
        query=request.query,
    )


def label_like(kind: str, label: str | None) -> Label | None:
    """Read the label as the outcome's column was read: as text or as a number."""
    if label is None or kind == "O":
        return label
    if kind == "b":
        return {"true": True, "1": True, "false": False, "0": False}.get(
            label.lower(), label
        )
    if not files.is_number(label):
        return label
    number = float(label)
    return int(number) if number.is_integer() else number
