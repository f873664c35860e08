"""What a command line asks of a file beyond memory -> curves that DuckDB has binned."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from capcurve import files
from capcurve._binned_frames import read_binned
from capcurve._binned_results import table_columns
from capcurve._input import Array
from capcurve._precision import Options
from capcurve._request import (
    CAPTURED_AT,
    Ranked,
    Request,
    Say,
    announce,
    label_like,
    measures_of,
    source_of,
)
from capcurve._truth import TruthOptions
from capcurve.binned_curve import BinnedCurve
from capcurve.curve import CapCurve
from capcurve.estimates import Estimate
from capcurve.exceptions import CapcurveError, DroppedRowsWarning
from capcurve.table import Bands, GainsTable

LARGE = 1 << 30  # bytes of files from which rows are not read into memory


@dataclass(frozen=True, eq=False)
class RankedBins(Ranked):
    """Rows that an engine has put into bins, ranked."""

    binned: BinnedCurve

    @cached_property
    def curve(self) -> CapCurve | None:
        """Draw through the edges of bins."""
        return None if len(self.binned.by_target) == 1 else self.binned.curve

    @property
    def rarest(self) -> int:
        """Count the rows of the rarer kind; without an interval it does not matter."""
        if not self.is_counted:
            return self.binned.n_rows
        events = self.binned.by_target.target.sum()
        return int(min(events, self.binned.by_target.weight.sum() - events))

    def ratio(self, options: Options) -> Estimate:
        """Estimate the accuracy ratio from the pairs of all bins."""
        if self.is_counted:
            return self.binned.interval(confidence_level=options.confidence_level)
        value, undefined = self.binned.accuracy_ratio.value, float("nan")
        return Estimate(
            value=value,
            standard_error=undefined,
            low=undefined,
            high=undefined,
            p_value=undefined,
            confidence_level=options.confidence_level,
            method="none",
            n_events=0,
            n_nonevents=0,
            name="AR",
        )

    @property
    def n_rows(self) -> int:
        """Count the rows."""
        return self.binned.n_rows

    @property
    def has_events(self) -> bool:
        """Look at the outcomes."""
        return self.binned.has_events

    @property
    def is_counted(self) -> bool:
        """Whether there is an interval."""
        return self.binned.has_events and self.binned.by_score.weight.dtype.kind != "f"

    @property
    def tie_share(self) -> None:
        """Nothing is known of single scores."""
        return

    @property
    def uncertainty(self) -> float:
        """Find the widest limits of the measures."""
        if self.curve is None:
            return 0.0
        captured = (self.binned.capture_rate_at(share) for share in CAPTURED_AT.values())
        return max(each.high - each.low for each in (self.binned.ks, *captured))

    def measures(self) -> dict[str, float | None]:
        """Read KS and the bounds under ties off the bins; limits where they are wide."""
        if self.curve is None:
            return measures_of(None, None)
        found = measures_of(self.curve, self.binned.tie_bounds, self.binned.ks.value)
        if self.binned.exact:
            return found
        _, lower, upper = self.binned.accuracy_ratio
        return {"lower": lower, "upper": upper, **found}

    def table(self, bands: Bands) -> Mapping[str, Array]:
        """Cut the curve into bands, with limits where bins are not split at their edges."""
        if bands == "scores" and self.binned.curve.tie_gain:
            raise CapcurveError(
                "--bands scores: there are too many scores for a band each; pass a number"
            )
        if self.binned.exact:
            return GainsTable.from_curve(self.binned.curve, bands).to_dict()
        return table_columns(self.binned, bands)


def is_large(request: Request) -> bool:
    """Whether rows are better left where they are."""
    asked = request.approx or request.memory_limit is not None
    return asked or files.size_of(request.file) > LARGE


def shares_of(bands: Bands | None) -> Sequence[float]:
    """List the population shares at which a curve is asked for."""
    if bands is None:
        return list(CAPTURED_AT.values())
    if isinstance(bands, int):
        return [band / bands for band in range(1, bands)]
    return [] if isinstance(bands, str) else list(bands)


def read_ranked_bins(
    request: Request, say: Say, shares: Sequence[float]
) -> list[RankedBins]:
    """Let DuckDB read a file and bin its rows; exact unless limits were asked for."""
    with (
        files.opened(
            source_of(request),
            request.memory_limit,
            progress=not request.quiet,
            read_again=True,
        ) as relation,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always", DroppedRowsWarning)
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        refuse_text(request, types)
        kind = {"VARCHAR": "O", "BOOLEAN": "b"}.get(types[request.truth], "f")
        label = label_like(kind, request.pos_label)
        binned = read_binned(
            relation,
            request.truth,
            request.estimate,
            by=request.by,
            case_weights=request.weight,
            na_rm=True,
            descending=not request.ascending,
            options=TruthOptions("first", label, request.target_type),
            exact_at=None if request.approx else shares,
        )
    for warning in caught:
        say(f"capcurve: note: {warning.message}")
    keys: list[dict[str, Any]] = [{}]
    if binned.keys is not None:
        keys = list(binned.keys.iter_rows(named=True))
    ranked = [
        RankedBins(
            {name: "null" if key is None else str(key) for name, key in group.items()},
            estimate,
            None,
            curves[number],
        )
        for number, group in enumerate(keys)
        for estimate, curves in binned.curves.items()
    ]
    announce(ranked, say)
    if by_bins := max(one.uncertainty for one in ranked) * (not request.approx):
        say(
            "capcurve: note: of groups KS and captured shares are read off bins, which "
            f"may put them wrong by {by_bins:.1e} at most"
        )
    if not ranked[0].is_counted:
        say(
            "capcurve: note: no interval: of amounts and weighted rows it takes the rows; "
            "leave out --memory-limit and --approx"
        )
    return ranked


def refuse_text(request: Request, types: dict[str, str]) -> None:
    """Refuse columns of text where numbers should be."""
    for name in (*request.estimate, *([request.weight] if request.weight else [])):
        if types[name] == "VARCHAR":
            raise CapcurveError(f"`{name}` must hold numbers, got text")
