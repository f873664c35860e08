"""Run simulations on all cores, those near the limits a second time with fresh samples."""

from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from time import process_time

from coverage_grid.grid import list_simulations
from coverage_grid.ledger import Line
from coverage_grid.simulation import Simulation, simulate
from coverage_grid.store import Store
from coverage_grid.verdict import AGAIN, Cell


@dataclass(frozen=True)
class Plan:
    """How a run is made."""

    seed: int
    scale: float
    workers: int

    def replications(self, simulation: Simulation, stage: int) -> int:
        """Return the number of samples of a stage."""
        first = max(10, round(self.scale * simulation.replications))
        return first * (1, AGAIN)[stage]

    def job(self, simulation: Simulation, stage: int) -> str:
        """Return the key by which a result is kept."""
        size = self.replications(simulation, stage)
        return f"{simulation.key} | seed {self.seed} | stage {stage} | {size}"


def run_one(
    key: str, replications: int, seed: int, stage: int
) -> tuple[dict[str, Line], float]:
    """Run a simulation of the grid, in a process of its own, and take the time."""
    start = process_time()
    lines = simulate(simulations()[key], replications, seed, stage)
    return lines, process_time() - start


def simulations() -> dict[str, Simulation]:
    """Return the grid, made once in each process."""
    if not GRID:
        GRID.update(list_simulations())
    return GRID


GRID: dict[str, Simulation] = {}


def make_cells(simulation: Simulation, lines: dict[str, Line]) -> list[Cell]:
    """Return the cells of a simulation."""
    return [
        Cell(simulation.table, simulation.name, line, counts)
        for line, counts in lines.items()
    ]


@dataclass
class Run:
    """A run of the grid, or of a part of it."""

    plan: Plan
    store: Store
    tell: Callable[[int, int], None] = print

    def find_cells(self, chosen: list[Simulation]) -> list[Cell]:
        """Simulate what the store does not hold, and return all cells.

        Where any cell of a simulation is not clear, the whole simulation is repeated with
        more, fresh samples. They alone are counted then, so that no result is kept because
        it looked good.
        """
        with ProcessPoolExecutor(self.plan.workers) as pool:
            self.run_stage(chosen, 0, pool)
            unclear = [each for each in chosen if not self.is_clear(each)]
            self.run_stage(unclear, 1, pool)
        again = {each.key for each in unclear}
        return [
            cell
            for each in chosen
            for cell in self.read_cells(each, int(each.key in again))
        ]

    def run_stage(self, chosen: list[Simulation], stage: int, pool: Executor) -> None:
        """Run what the store does not hold yet."""
        jobs = {
            pool.submit(
                run_one,
                each.key,
                self.plan.replications(each, stage),
                self.plan.seed,
                stage,
            ): self.plan.job(each, stage)
            for each in chosen
            if self.plan.job(each, stage) not in self.store.found
        }
        for done, job in enumerate(as_completed(jobs), 1):
            self.store.put(jobs[job], *job.result())
            self.tell(done, len(jobs))

    def read_cells(self, simulation: Simulation, stage: int) -> list[Cell]:
        """Return the cells of a simulation that was run."""
        return make_cells(simulation, self.store.found[self.plan.job(simulation, stage)])

    def is_clear(self, simulation: Simulation) -> bool:
        """Return whether every cell keeps its goal, or misses it, without a doubt."""
        return all(cell.is_clear for cell in self.read_cells(simulation, 0))
