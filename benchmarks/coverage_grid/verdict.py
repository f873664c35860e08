"""Whether a cell keeps what is promised, allowing for the error of the simulation."""

from dataclasses import dataclass
from math import sqrt

from coverage_grid.ledger import GOALS, Line

# A cell whose true rate is just at the limit is called beyond it once in 160 times.
ERRORS = 2.5
CLEAR = 1.0  # errors within the limits; what is nearer is simulated again,
HOPELESS = 6.0  # but not what is beyond them by so many errors
AGAIN = 2  # times as many samples the second time
MEAN_COVERAGE = 97.0  # largest mean over all 95 % intervals: width is not free
MOST_FLAGGED = 0.1  # largest share of cells that may need their warning


@dataclass(frozen=True)
class Cell:
    """One result in one design, with its verdict."""

    table: str
    name: str
    line: str
    counts: Line

    @property
    def observed(self) -> float:
        """Share of hits in percent."""
        return 100 * self.counts.hits / self.counts.replications

    @property
    def flagged(self) -> float:
        """Share of results with a warning in percent."""
        return 100 * self.counts.flagged / self.counts.replications

    @property
    def width(self) -> float:
        """Mean width of the intervals."""
        return self.counts.widths / self.counts.replications

    @property
    def is_flagged(self) -> bool:
        """Whether most results say that they cannot promise it."""
        return self.flagged > 50

    @property
    def is_asserted(self) -> bool:
        """Whether the goal is asserted, rather than shown beside."""
        return GOALS[self.counts.goal].is_asserted

    @property
    def limits(self) -> tuple[float, float]:
        """The goal in percent."""
        goal = GOALS[self.counts.goal]
        if self.counts.goal == "power":
            promised = 100 * self.counts.promised / self.counts.replications
            return promised + goal.low, promised + goal.high
        return goal.low, goal.high

    @property
    def nominal(self) -> float:
        """What is promised, in percent."""
        if self.counts.goal == "power":
            return 100 * self.counts.promised / self.counts.replications
        return GOALS[self.counts.goal].nominal

    @property
    def error(self) -> float:
        """Monte-Carlo standard error in percentage points."""
        return error_at(self.observed, self.counts.replications)

    def is_within(self, errors: float) -> bool:
        """Whether the observed share is within the goal, shifted by so many errors."""
        low, high = self.limits
        size = self.counts.replications
        return (low <= 0 or self.observed >= low + errors * error_at(low, size)) and (
            high >= 100 or self.observed <= high - errors * error_at(high, size)
        )

    @property
    def is_clear(self) -> bool:
        """Whether the observed share is within the goal or beyond it, without a doubt."""
        return (
            not self.is_asserted or self.is_within(CLEAR) or not self.is_within(-HOPELESS)
        )

    @property
    def is_beyond(self) -> bool:
        """Whether the goal is missed by more than the simulation's error can explain."""
        return self.is_asserted and not self.is_within(-ERRORS)

    @property
    def fails(self) -> bool:
        """Whether the goal is missed, and the result does not say so."""
        return self.is_beyond and not self.is_flagged


def error_at(percentage: float, replications: int) -> float:
    """Return the Monte-Carlo standard error at a true rate, in percentage points."""
    share = min(0.995, max(0.005, percentage / 100))
    return 100 * sqrt(share * (1 - share) / replications)


@dataclass(frozen=True)
class Summary:
    """What holds of many cells together."""

    cells: int
    beyond: int
    fail: int
    flagged: int
    lowest: float
    mean: float  # of the 95 % intervals; nan if there are none

    @property
    def need_flag(self) -> int:
        """Cells that miss the goal and say so."""
        return self.beyond - self.fail


def summarise(cells: list[Cell]) -> Summary:
    """Count the cells that are asserted."""
    cells = [cell for cell in cells if cell.is_asserted]
    covered = [cell.observed for cell in cells if cell.counts.goal == "95 % interval"]
    return Summary(
        cells=len(cells),
        beyond=sum(cell.is_beyond for cell in cells),
        fail=sum(cell.fails for cell in cells),
        flagged=sum(cell.is_flagged for cell in cells),
        lowest=min(covered, default=float("nan")),
        mean=sum(covered) / len(covered) if covered else float("nan"),
    )


def find_faults(cells: list[Cell]) -> list[str]:
    """Say which promises are not kept; nothing if all are."""
    faults = [
        f"{cell.table}: {cell.name}, {cell.line}: {cell.observed:.1f} +- {cell.error:.1f} "
        f"instead of {cell.limits[0]:.3g} to {cell.limits[1]:.3g}, with a warning in "
        f"{cell.flagged:.0f} % of samples"
        for cell in cells
        if cell.fails
    ]
    summary = summarise(cells)
    if summary.mean > MEAN_COVERAGE:
        faults.append(f"the mean coverage of 95 % intervals is {summary.mean:.2f} %")
    if summary.need_flag > MOST_FLAGGED * summary.cells:
        faults.append(f"{summary.need_flag} of {summary.cells} cells need their warning")
    return faults
