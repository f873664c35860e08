"""Cells of the questions that come next: implied AR, change, segments, planning."""

from collections.abc import Iterator

from coverage_grid.simulation import Simulation


def cells() -> Iterator[Simulation]:
    """Yield the simulations."""
    yield from ()
