"""Run simulations on all cores, those near the limits a second time with fresh samples."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from time import process_time

from coverage_grid.grid import list_simulations
from coverage_grid.ledger import Line
from coverage_grid.simulation import Simulation, simulate
from coverage_grid.store import Store
from coverage_grid.verdict import Cell

AGAIN = 4  # times as many samples the second time


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


def run_stage(
    chosen: list[Simulation],
    stage: int,
    plan: Plan,
    store: Store,
    pool: Executor,
    tell: Callable[[int, int], None],
) -> None:
    """Run what the store does not hold yet."""
    missing = [each for each in chosen if store.get(plan.job(each, stage)) is None]
    jobs = {
        pool.submit(
            run_one, each.key, plan.replications(each, stage), plan.seed, stage
        ): each
        for each in missing
    }
    for done, job in enumerate(as_completed(jobs), 1):
        store.put(plan.job(jobs[job], stage), *job.result())
        tell(done, len(jobs))


def run(
    chosen: Iterable[Simulation],
    plan: Plan,
    store: Store,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Cell]:
    """Return all cells with their verdicts.

    Where any cell of a simulation is beyond the goal, or within it by less than one
    Monte-Carlo error, the whole simulation is repeated with four times as many fresh
    samples. They alone are counted then, so that no result is kept because it looked good.
    """
    chosen = list(chosen)
    with ProcessPoolExecutor(plan.workers) as pool:
        run_stage(chosen, 0, plan, store, pool, tell)
        close = [each for each in chosen if not is_clear(each, plan, store)]
        run_stage(close, 1, plan, store, pool, tell)
    again = {each.key for each in close}
    cells = []
    for each in chosen:
        lines = store.get(plan.job(each, int(each.key in again)))
        cells += make_cells(each, lines or {})
    return cells


def is_clear(simulation: Simulation, plan: Plan, store: Store) -> bool:
    """Return whether every cell keeps its goal by more than its Monte-Carlo error."""
    lines = store.get(plan.job(simulation, 0)) or {}
    return all(cell.is_clear for cell in make_cells(simulation, lines))
