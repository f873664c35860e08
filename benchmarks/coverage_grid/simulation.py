"""One simulation: a design, what is measured in it, and how often."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from coverage_grid.ledger import Line, open_ledger


@dataclass(frozen=True)
class Simulation:
    """A row of a table: a measure that draws one sample and enters what it promises."""

    table: str
    name: str
    measure: Callable[..., None]
    replications: int

    @property
    def key(self) -> str:
        """Name by which results are kept, and from which the seed is made."""
        return f"{self.table}: {self.name}"


def simulate(
    simulation: Simulation, replications: int, seed: int, stage: int
) -> dict[str, Line]:
    """Run one simulation; its random numbers depend on its own key only."""
    words = np.frombuffer(sha256(simulation.key.encode()).digest(), np.uint32)
    random = np.random.default_rng([seed, stage, *words.tolist()])
    with open_ledger() as ledger:
        for _ in range(replications):
            ledger.forget()
            simulation.measure(ledger, random)
    return ledger.lines
