"""Rows of the statistics of sketches, with guaranteed bounds."""

from collections.abc import Mapping, Sequence
from typing import Any

from capcurve._cli.rows import Row, as_whole_number, name_first
from capcurve._cli.streams import notify
from capcurve._cli.undefined import AllEqualError, NoRowsError, UndefinedError
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._curve.sketch import CapSketch
from capcurve._inference.options import IntervalOptions
from capcurve._inference.reliability import (
    explain_few_events,
    may_miss,
    warn_few_in_intervals,
    warn_of_wide_intervals,
)
from capcurve._report.scored import ScoredBins
from capcurve._tally.bounded import Bounded
from capcurve._tally.dtypes import Array
from capcurve._tally.order import read_keys
from capcurve.exceptions import CapcurveError

STATISTIC_COLUMNS = (
    *("sketch", "statistic", "population_share", "value"),
    *("lower", "upper", "low", "high"),
)


class ScoredSketch(ScoredBins):
    """A sketch, whose bins the table by score lists as they are."""

    def make_gains_table(self, bands: BandSpec) -> Mapping[str, Array]:
        """Return the columns of the gains table, with bounds unless it is exact.

        At the ends of bins, which the word scores asks for, the curve is exact.
        """
        if bands != "scores":
            return super().make_gains_table(bands)
        table = GainsTable.from_curve(self.binned.curve, bands).to_dict()
        bins = self.binned.by_score
        best_first = slice(None, None, -1 if self.binned.descending else 1)
        ends = {
            "highest_score": read_keys(bins.highest, bins.grid)[best_first],
            "lowest_score": read_keys(bins.lowest, bins.grid)[best_first],
        }
        exact = table["capture_rate"]
        return table | ends | {"lower": exact, "upper": exact}


def make_statistic_rows(
    sketches: Mapping[str, CapSketch], shares: Sequence[float], confidence: float
) -> list[Row]:
    """List the statistics of each sketch, with bounds; None where they are undefined."""
    rows: list[Row] = []
    few: list[str] = []
    wide: list[str] = []
    for name, scored in score_sketches(sketches).items():
        bins = scored.binned.by_score
        limits: dict[str, Any] = {"low": None, "high": None}
        bounds: dict[tuple[str, float | None], Bounded | None] = {
            ("accuracy_ratio", None): None,
            ("ks", None): None,
            **{("capture_rate", share): None for share in shares},
        }
        if scored.curve is not None:
            bounds = {
                key: bound_statistic(scored, statistic=key[0], share=key[1])
                for key in bounds
            }
            estimate = scored.estimate_ratio(IntervalOptions(confidence))
            limits = {"low": estimate.low, "high": estimate.high}
            if scored.is_counted and explain_few_events(estimate):
                (few if may_miss(estimate) else wide).append(name)
        totals = float(bins.weight.sum()), float(bins.target.sum())
        rows += [
            Row(
                {},
                {"sketch": name, "statistic": statistic, "population_share": share}
                | list_bounds(bounded)
                | (limits if statistic == "accuracy_ratio" else {}),
            )
            for (statistic, share), bounded in bounds.items()
        ]
        rows += [
            Row({}, {"sketch": name, "statistic": statistic, "value": value})
            for statistic, value in (
                ("n", as_whole_number(totals[0])),
                ("n_events", as_whole_number(totals[1])),
                ("n_bins", len(bins)),
            )
        ]
    warn_few_in_intervals(name_first(few))
    warn_of_wide_intervals(name_first(wide))
    return rows


def bound_statistic(scored: ScoredBins, *, statistic: str, share: float | None) -> Bounded:
    """Return a statistic of a sketch with its guaranteed bounds."""
    if share is not None:
        return scored.binned.capture_rate_at(share)
    return scored.binned.ks if statistic == "ks" else scored.binned.accuracy_ratio


def list_bounds(bounded: Bounded | None) -> dict[str, float | None]:
    """Name a number and its guaranteed bounds; all are None if it is undefined."""
    names = ("value", "lower", "upper")
    return dict(zip(names, bounded or (None, None, None), strict=True))


def score_sketches(sketches: Mapping[str, CapSketch]) -> Mapping[str, ScoredBins]:
    """Take sketches as scored bins; print which have no curve or no interval."""
    found = {
        name: ScoredSketch({}, name, None, each.curve) for name, each in sketches.items()
    }
    for error in (NoRowsError, AllEqualError):
        names = [name for name, each in found.items() if find_error(each) is error]
        if names:
            notify(f"capcurve: note: undefined because {error.reason}: {name_first(names)}")
    bare = [
        name for name, scored in found.items() if scored.curve and not scored.is_counted
    ]
    if bare:
        notify(
            "capcurve: note: no interval: for amounts or weighted rows it requires the "
            f"individual rows: {name_first(bare)}"
        )
    return found


def require_curves(sketches: Mapping[str, CapSketch]) -> list[ScoredBins]:
    """Return scored bins of sketches; raise if some have no curve."""
    found = list(score_sketches(sketches).values())
    for scored in found:
        if (error := find_error(scored)) is not None:
            raise CapcurveError(
                f"the CAP curve requires outcomes that differ, got {scored.estimate}, in "
                f"which {error.reason}; merge it with other sketches, or leave it out"
            )
    return found


def find_error(scored: ScoredBins) -> type[UndefinedError] | None:
    """Find why a sketch has no curve; None if it has one."""
    if scored.curve is not None:
        return None
    return AllEqualError if len(scored.binned.by_score) else NoRowsError
