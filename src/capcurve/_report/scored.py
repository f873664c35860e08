"""Groups of rows or bins ranked by a score, as the report and the command line use them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._curve.curve import CapCurve, make_curve
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._engines.row_rankings import RowRankings
from capcurve._frames.binned_results import (
    count_crowded_bins,
    cut_binned_table,
    is_constant_outcome,
)
from capcurve._inference.accuracy_ratio import estimate_accuracy_ratio
from capcurve._inference.estimate import Estimate
from capcurve._inference.options import IntervalOptions
from capcurve._inference.somers_d import estimate_somers_d
from capcurve._input.columns import Columns
from capcurve._input.score import name_grades
from capcurve._report.uncounted_bins import estimate_uncounted
from capcurve._tally.dtypes import Array
from capcurve._tally.order import order_rows
from capcurve._tally.tally import TieBounds
from capcurve.exceptions import CapcurveError

CAPTURE_SHARES = {"capture_10": 0.1, "capture_50": 0.5}
ALL, MISSING = "All", "(missing)"  # what tables call all rows, and rows without a group
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?(e[-+]?\d+)?|inf)")
Group = Mapping[str, str | None]  # the value of each grouping column; None is missing


@dataclass(frozen=True, eq=False)
class ScoredGroup(ABC):
    """One group of rows, ranked by one score.

    Attributes
    ----------
    group : dict of str or None
        Value of each grouping column; None is missing. Empty if rows are not grouped.
    estimate : str
        Name of the score column.
    level : str or None
        Class label that is the event, if each label has its own score.
    """

    group: Group
    estimate: str
    level: str | None

    @property
    def names(self) -> dict[str, str]:
        """Score column and class label, which identify the curve within the group."""
        level = {} if self.level is None else {"level": self.level}
        return {"estimate": self.estimate, **level}

    @property
    def label(self) -> str:
        """Group, score column and class label as text."""
        return ", ".join([*name_group(self.group), *self.names.values()])

    @property
    def place(self) -> list[str]:
        """Group and class label as texts, without the score column; empty without them."""
        level = [] if self.level is None else [self.level]
        return [*name_group(self.group), *level]

    @property
    @abstractmethod
    def curve(self) -> CapCurve | None:
        """CAP curve, or None if there are no rows or all outcomes are equal."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Number of rows with a weight above 0."""

    @property
    @abstractmethod
    def totals(self) -> tuple[float, float]:
        """Total weight and total outcome, of undefined curves too."""

    @property
    @abstractmethod
    def n_events(self) -> float:
        """Number of events; of amounts, of rows above 0, or of all rows in bins."""

    @property
    @abstractmethod
    def has_events(self) -> bool:
        """Whether outcomes are 0/1 events, not amounts."""

    @property
    @abstractmethod
    def is_counted(self) -> bool:
        """Whether rows are unweighted 0/1 events."""

    @property
    def may_be_counted(self) -> bool:
        """Whether sampling weights are whole numbers, as counts of rows would be."""
        return False

    @property
    @abstractmethod
    def tie_share(self) -> float | None:
        """Share of rows that are tied with another row; None if unknown."""

    @abstractmethod
    def estimate_ratio(self, options: IntervalOptions) -> Estimate:
        """Estimate the accuracy ratio with its confidence interval."""

    def estimate_concordance(self, options: IntervalOptions) -> Estimate:
        """Estimate AR, or Somers' D of amounts: the AUC or gAUC of validation reports."""
        return self.estimate_somers_d(options) or self.estimate_ratio(options)

    @abstractmethod
    def estimate_somers_d(self, options: IntervalOptions) -> Estimate | None:
        """Estimate Somers' D of amounts; None for events, whose AR it is, and for bins."""

    @abstractmethod
    def list_statistics(self) -> dict[str, float | None]:
        """List KS, capture rates and tie bounds; all None if the curve is undefined."""

    def name_scores(self, scores: Array) -> Array:
        """Return scores as they were written: the names of grades."""
        return scores

    @abstractmethod
    def make_gains_table(self, bands: BandSpec) -> Mapping[str, Array]:
        """Return the columns of the gains table."""


@dataclass(frozen=True, eq=False)
class ScoredRows(ScoredGroup):
    """Rows in memory, ranked by one score."""

    columns: Columns
    grades: tuple[str, ...] | None = None

    @cached_property
    def curve(self) -> CapCurve | None:
        """CAP curve, or None if there are no rows or all outcomes are equal."""
        undefined = not len(self.columns.target) or self.columns.is_constant
        return None if undefined else make_curve(self.columns)

    @property
    def n_rows(self) -> int:
        """Number of rows with a weight above 0; counted rows count."""
        return sum(self.columns.class_counts)

    @property
    def totals(self) -> tuple[float, float]:
        """Total weight and total outcome, of undefined curves too."""
        if self.curve is not None:
            return self.curve.total_weight, self.curve.total_target
        mass = self.columns.mass
        return float(mass.sum()), float((self.columns.target * mass).sum())

    @property
    def n_events(self) -> int:
        """Number of events; of amounts, of rows above 0."""
        return self.columns.class_counts[0]

    @property
    def may_be_counted(self) -> bool:
        """Whether sampling weights are whole numbers, as counts of rows would be."""
        return self.columns.may_be_counted

    @property
    def has_events(self) -> bool:
        """Whether outcomes are 0/1 events, not amounts."""
        return self.columns.has_events

    @property
    def is_counted(self) -> bool:
        """Whether rows are independent, unweighted 0/1 events, counted or not."""
        return self.columns.has_counted_events

    @property
    def tie_share(self) -> float:
        """Share of rows that are tied with another row."""
        order, equals_next = order_rows(self.columns.score)
        counts = self.columns.row_counts[order]
        is_tied = np.append(equals_next, False) | np.append(False, equals_next)
        return float(counts[is_tied | (counts > 1)].sum() / counts.sum())

    @property
    def is_constant(self) -> bool:
        """Whether all rows share one score."""
        score = self.columns.score
        return bool(score.min() == score.max())  # all may be infinite

    @property
    def equals_outcome(self) -> bool:
        """Whether the score of each row is its outcome, or non-event if low is first."""
        return self.columns.ranks_by_outcome

    def estimate_ratio(self, options: IntervalOptions) -> Estimate:
        """Estimate the accuracy ratio from the rows, with its confidence interval."""
        return estimate_accuracy_ratio(self.columns, options)

    def find_ratio(self) -> float:
        """Return the accuracy ratio alone; nan if it is undefined."""
        return float("nan") if self.curve is None else self.curve.accuracy_ratio

    def list_statistics(self) -> dict[str, float | None]:
        """List KS, capture rates and tie bounds; all None if the curve is undefined."""
        ties = None if self.curve is None else self.curve.tie_bounds
        return list_curve_statistics(self.curve, ties)

    def make_gains_table(self, bands: BandSpec) -> Mapping[str, Array]:
        """Return the columns of the gains table; none if the curve is undefined."""
        if self.curve is None:
            return {}
        table = GainsTable.from_curve(self.curve, bands).to_dict()
        for end in ("highest_score", "lowest_score"):
            table[end] = self.name_scores(table[end])
        return table

    def name_scores(self, scores: Array) -> Array:
        """Return scores as they were written: the names of grades."""
        return name_grades(scores, self.grades)

    def estimate_somers_d(self, options: IntervalOptions) -> Estimate | None:
        """Estimate Somers' D of amounts; None for events, whose AR it is."""
        return None if self.has_events else estimate_somers_d(self.columns, options)


def score_rankings(rankings: RowRankings) -> list[ScoredRows]:
    """Return the scored rows of each group and ranking, groups in sorted order."""
    names = [] if rankings.keys is None else rankings.keys.columns
    keys = [()] if rankings.keys is None else list(rankings.keys.iter_rows())
    order = np.argsort(rankings.group, kind="stable")
    ends = np.cumsum(np.bincount(rankings.group, minlength=len(keys)))[:-1]
    rows = dict(zip(keys, np.split(order, ends), strict=True))
    scored_groups = [
        ScoredRows(
            {name: format_key(value) for name, value in zip(names, key, strict=True)},
            ranking.name if not rankings.are_levels else ranking.estimate,
            ranking.name if rankings.are_levels else None,
            ranking.columns[rows[key]] if names else ranking.columns,
            ranking.grades,
        )
        for key in keys
        for ranking in rankings.rankings
    ]
    return sorted(scored_groups, key=sort_by_group)


def format_key(value: object) -> str | None:
    """Format the value of a grouping column as text; None, which is missing, stays."""
    return None if value is None else str(value)


def show_key(key: str | None) -> str:
    """Return the value of a grouping column as people read it.

    A group that has one of our own names for rows is put in quotation marks.
    """
    if key is None:
        return MISSING
    return f'"{key}"' if key in {MISSING, ALL} else key


def say_key(key: str | None) -> str:
    """Quote a group in a sentence that would not be seen there, such as - or nothing."""
    text = show_key(key)
    return text if any(map(str.isalnum, text)) else f'"{text}"'


def name_group(group: Group) -> list[str]:
    """Name a group in a sentence, by each of its columns."""
    return [name_key(column, key) for column, key in group.items()]


def name_key(column: str, key: str | None) -> str:
    """Name a group in a sentence: a number, which may be read as a count, by its column."""
    text = say_key(key)
    return f"{column} {text}" if key is None or NUMBER.fullmatch(key) else text


def sort_by_group(scored: ScoredGroup) -> list[tuple[bool, bool, float, str]]:
    """Return a sort key of groups."""
    return list(map(make_sort_key, scored.group.values()))


def make_sort_key(key: str | None) -> tuple[bool, bool, float, str]:
    """Return a sort key: numbers by size, other values as text, missing ones last."""
    text = show_key(key)
    number = NUMBER.fullmatch(text)
    return key is None, number is None, float(text) if number else 0.0, text


def list_curve_statistics(
    curve: CapCurve | None, ties: TieBounds | None, ks: float | None = None
) -> dict[str, float | None]:
    """List KS, capture rates and tie bounds; all None if there is no curve."""
    names = ("ks", *CAPTURE_SHARES, "worst_ties", "best_ties")
    if curve is None:
        return dict.fromkeys(names)
    return {
        "ks": curve.ks if ks is None else ks,
        **{name: curve.capture_rate_at(share) for name, share in CAPTURE_SHARES.items()},
        "worst_ties": None if ties is None else ties.worst,
        "best_ties": None if ties is None else ties.best,
    }


@dataclass(frozen=True, eq=False)
class ScoredBins(ScoredGroup):
    """Rows that an engine has binned by one score."""

    binned: BinnedCurve

    @cached_property
    def curve(self) -> CapCurve | None:
        """CAP curve through the bin edges, or None if all outcomes are equal."""
        return None if is_constant_outcome(self.binned) else self.binned.curve

    def estimate_ratio(self, options: IntervalOptions) -> Estimate:
        """Estimate the accuracy ratio from pair counts; nan limits if not `is_counted`."""
        if self.is_counted:
            return self.binned.interval(confidence_level=options.confidence_level)
        return estimate_uncounted(self.binned, options)

    def estimate_somers_d(self, options: IntervalOptions) -> None:
        """Return None: Somers' D requires the rows."""

    @property
    def n_rows(self) -> int:
        """Number of rows with a weight above 0."""
        return self.binned.n_rows

    @property
    def totals(self) -> tuple[float, float]:
        """Total weight and total outcome, of undefined curves too."""
        bins = self.binned.by_score
        return float(bins.weight.sum()), float(bins.target.sum())

    @property
    def n_events(self) -> float:
        """Number of events; of amounts and weighted rows, of all rows."""
        return self.totals[1] if self.is_counted else self.n_rows

    @property
    def has_events(self) -> bool:
        """Whether outcomes are 0/1 events, not amounts."""
        return self.binned.has_events

    @property
    def is_counted(self) -> bool:
        """Whether rows are unweighted 0/1 events, so that there is an interval."""
        return self.binned.has_events and self.binned.by_score.weight.dtype.kind != "f"

    @property
    def tie_share(self) -> None:
        """None: bins do not keep the single scores."""
        return

    @property
    def max_bound_width(self) -> float:
        """Largest distance between the guaranteed bounds of KS and of the capture rates."""
        if self.curve is None:
            return 0.0
        rates = [self.binned.capture_rate_at(share) for share in CAPTURE_SHARES.values()]
        return max(bounded.high - bounded.low for bounded in (self.binned.ks, *rates))

    def list_statistics(self) -> dict[str, float | None]:
        """List KS, capture rates and tie bounds, with bounds of AR unless it is exact."""
        if self.curve is None:
            return list_curve_statistics(None, None)
        statistics = list_curve_statistics(
            self.curve, self.binned.tie_bounds, self.binned.ks.value
        )
        if self.binned.exact:
            return statistics
        _, lower, upper = self.binned.accuracy_ratio
        return {"lower": lower, "upper": upper, **statistics}

    def make_gains_table(self, bands: BandSpec) -> Mapping[str, Array]:
        """Return the columns of the gains table, with bounds unless it is exact."""
        if bands == "scores" and count_crowded_bins(self.binned):
            raise CapcurveError(
                "--bands scores requires few distinct scores, got too many for one band "
                "per score; pass a number of bands"
            )
        if self.binned.exact:
            return GainsTable.from_curve(self.binned.curve, bands).to_dict()
        return cut_binned_table(self.binned, bands)
