"""The grid: every cell is a row of a table, and a line of what its measure enters."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from coverage_grid import measures, new_questions
from coverage_grid.designs import (
    BEST_70,
    FIVE,
    SEVEN,
    Clustered,
    Facilities,
    Losses,
    LossRates,
    Models,
    Scores,
    binormal,
    exponential,
    graded,
    lognormal,
    student,
    undetectable,
)
from coverage_grid.simulation import Simulation

# Events of rows.
SIZES = (
    (20, 400),
    (20, 2000),
    (30, 75),
    (30, 1000),
    (50, 125),
    (50, 1000),
    (100, 1000),
    (100, 10_000),
    (500, 1250),
    (500, 5000),
)
FEW_SIZES = ((20, 1000), (30, 1000), (50, 1000), (100, 2000), (500, 5000))

SCORES = (
    binormal(0.02),
    binormal(0.3),
    binormal(0.6),
    binormal(0.8),
    binormal(0.9),
    binormal(0.95),
    binormal(0.5, 0.5),
    binormal(0.8, 0.5),
    binormal(0.95, 0.5),
    binormal(0.5, 2),
    binormal(0.8, 2),
    binormal(0.9, 2),
    exponential(0.6),
    exponential(0.9),
    exponential(0.9, mirrored=True),
    lognormal(0.6),
    lognormal(0.9),
    student(1.5),
    student(3.5),
    undetectable(0.92, 0.15),
    undetectable(0.97, 0.1),
    graded(0.6, FIVE),
    graded(0.6, SEVEN),
    graded(0.85, FIVE),
    graded(0.8, BEST_70, ", 70 % in the best"),
    graded(0.95, BEST_70, ", 70 % in the best"),
)
# One in ten events ranks below nearly all non-events: one sample of 20 in eight shows none.
HIDDEN = undetectable(0.97, 0.1, depth=2.5)


class Part(NamedTuple):
    """A part of a table: its measure, its designs, and the sizes of each."""

    table: str
    measure: Callable[..., None]
    designs: tuple[Any, ...]
    sizes: tuple[tuple[int, int], ...]
    replications: int = 500
    slopes: tuple[float, ...] = ()  # of log weights in the score
    events_vary: bool = False  # whether the number of events is drawn


def name_size(m: int, n: int) -> str:
    """Format a sample size."""
    return f"{m} of {n}"


def expand(part: Part) -> Iterator[Simulation]:
    """Yield the simulations of a part."""
    for design in part.designs:
        for m, n in part.sizes:
            for b in part.slopes or (None,):
                weights = "" if b is None else f", weights exp({b:g} score)"
                about = "about " if part.events_vary else ""
                options = {} if b is None else {"b": b}
                yield Simulation(
                    part.table,
                    f"{design.name}, {about}{name_size(m, n)}{weights}",
                    partial(part.measure, design=design, m=m, n=n, **options),
                    part.replications,
                )


RATIO = "AR"
UNSEEN = "AR, beyond what few events can show (not asserted)"
LEVELS = "AR at other levels"
WEIGHTED = "AR, weights correlated with the score"
CLUSTERS = "AR, clusters"
CAPTURE = "capture rate at a share"
CAPTURE_GIVEN = "capture rate, numbers of both classes given (not asserted)"
CAPTURE_WEIGHTED = "capture rate, weights correlated with the score"
CAPTURE_CLUSTERS = "capture rate, clusters"
LIFT = "lift at a share"
KS = "KS"
BANDS = "simultaneous band of a curve"
POINTWISE = "pointwise band of a curve"
PAIRED = "two scores of the same rows"
MARGINS = "two scores of the same rows, margin at its edge"
JOINT = "joint test of several scores"

SLOPES = (-0.5, 0.5, 1.0)
WEIGHTED_SIZES = ((20, 400), (30, 1000), (50, 1000), (100, 2000), (200, 2000), (500, 5000))
OBLIGORS = ((30, 300), (30, 600), (90, 900), (300, 3000))
CURVES = (binormal(0.02), binormal(0.6), binormal(0.9), binormal(0.6, 2), graded(0.6, FIVE))
CLASS_SIZES = (
    (20, 80, 300),
    (50, 50, 50),
    (100, 300, 600),
    (10,) * 10,
    (30,) * 10,
    (100,) * 10,
    (10, 10, 20, 20, 40, 40, 80, 80, 160, 160),
    (50,) * 20,
)
CURVE_SIZES = (
    (20, 50),
    (20, 1000),
    (30, 1000),
    (50, 125),
    (50, 1000),
    (100, 10_000),
    (200, 500),
    (500, 10_000),
)
PAIRS = (
    Models((0.02, 0.02), 0.5),
    Models((0.4, 0.4), 0.3),
    Models((0.6, 0.6), 0.5),
    Models((0.6, 0.6), 0.5, (2.0, 0.5)),
    Models((0.8, 0.8), 0.9),
    Models((0.9, 0.9), 0.5),
    Models((0.9, 0.9), 0.8, (2.0, 1.0)),
    Models((0.95, 0.95), 0.8),
    Models((0.8, 0.6), 0.6),
    Models((0.9, 0.7), 0.8),
)
EDGES = (
    Models((0.75, 0.85), 0.8),
    Models((0.6, 0.65), 0.8),
    Models((0.3, 0.4), 0.5),
    Models((0.85, 0.9), 0.8),
)

PARTS = (
    Part(RATIO, measures.ratio, SCORES, SIZES),
    Part(UNSEEN, measures.ratio_unseen, (HIDDEN,), FEW_SIZES),
    Part(
        LEVELS,
        measures.ratio_levels,
        tuple(SCORES[i] for i in (0, 2, 4, 7, 10, 13, 19, 24)),
        ((20, 400), (50, 125), (50, 2500), (500, 5000)),
        1000,
    ),
    Part(
        WEIGHTED,
        measures.ratio_weighted,
        (binormal(0.02), binormal(0.6), binormal(0.6, 1.5), binormal(0.9)),
        WEIGHTED_SIZES,
        slopes=SLOPES,
    ),
    Part(
        CLUSTERS,
        measures.ratio_clustered,
        tuple(
            Clustered(f"{kind} sizes, AR {scores.ratio:.2g}", scores, kind)
            for kind in ("equal", "geometric", "lognormal", "related", "both")
            for scores in (binormal(0.5), binormal(0.9))
        ),
        OBLIGORS,
    ),
    Part(
        CLUSTERS,
        measures.ratio_weighted_clusters,
        (Clustered("geometric sizes, AR 0.5", binormal(0.5), "geometric"),),
        OBLIGORS,
        slopes=(-0.5, 1.0),
    ),
    Part(
        CLUSTERS,
        measures.ratio_clustered,
        (Facilities(0.1),),
        ((30, 300), (90, 900)),
        500,
    ),
    Part(
        CAPTURE,
        measures.capture,
        (*CURVES, graded(0.6, SEVEN), graded(0.85, FIVE)),
        CURVE_SIZES,
        events_vary=True,
    ),
    Part(
        CAPTURE_GIVEN,
        measures.capture_given,
        (binormal(0.6), binormal(0.9)),
        ((20, 50), (200, 500), (50, 1000), (500, 10_000)),
    ),
    Part(
        CAPTURE_WEIGHTED,
        measures.capture_weighted,
        (binormal(0.6),),
        ((30, 1000), (50, 1000), (100, 1000), (200, 2000), (500, 5000)),
        slopes=SLOPES,
        events_vary=True,
    ),
    Part(
        CAPTURE_CLUSTERS,
        measures.capture_clustered,
        tuple(
            Clustered(f"{kind} sizes, AR 0.6", binormal(0.6), kind)
            for kind in ("equal", "geometric", "lognormal")
        ),
        ((30, 600), (90, 900)),
        500,
    ),
    Part(
        LIFT,
        measures.lift,
        (binormal(0.6),),
        ((20, 1000), (50, 125), (500, 10_000)),
        events_vary=True,
    ),
    Part(KS, measures.ks, (*CURVES, binormal(0.3), graded(0.6, SEVEN)), CURVE_SIZES),
    Part(
        KS,
        measures.ks_weighted,
        (binormal(0.02), binormal(0.6)),
        ((30, 1000), (100, 1000), (200, 2000)),
        slopes=(-0.5, 1.0),
    ),
    Part(
        BANDS,
        measures.band,
        (
            binormal(0.02),
            binormal(0.6),
            binormal(0.95),
            binormal(0.6, 2),
            graded(0.6, SEVEN),
        ),
        ((20, 1000), (50, 125), (100, 1000)),
        150,
        events_vary=True,
    ),
    Part(
        POINTWISE,
        measures.band_pointwise,
        (binormal(0.6), graded(0.6, SEVEN)),
        ((20, 1000), (500, 10_000)),
        150,
        events_vary=True,
    ),
    Part(PAIRED, measures.paired, PAIRS, FEW_SIZES),
    Part(PAIRED, measures.paired, PAIRS[2:6], ((20, 50), (50, 125), (500, 1250))),
    Part(
        PAIRED,
        measures.paired_weighted,
        (Models((0.5, 0.5), 0.5), Models((0.8, 0.8), 0.5)),
        ((30, 1000), (100, 2000)),
        slopes=(-0.5, 1.0),
    ),
    Part(MARGINS, measures.margins, EDGES, ((20, 1000), (30, 1000), (50, 125), (50, 1000))),
    Part(MARGINS, measures.margins, EDGES, ((100, 2000), (500, 5000))),
    Part(
        JOINT,
        measures.joint,
        tuple(Models((r,) * k, 0.5) for k in (3, 6) for r in (0.5, 0.8, 0.9)),
        ((20, 400), (30, 600), (50, 1000), (100, 1000)),
        500,
    ),
)

# Two samples: events of rows, first and second.
UNEQUAL = (
    ((20, 400), (20, 400)),
    ((20, 400), (500, 5000)),
    ((500, 5000), (20, 400)),
    ((50, 1000), (500, 5000)),
    ((30, 600), (60, 1200)),
    ((50, 500), (50, 500)),
    ((100, 1000), (100, 1000)),
    ((500, 1250), (500, 5000)),
)
ALIKE = (
    binormal(0.02),
    binormal(0.3),
    binormal(0.6),
    binormal(0.8),
    binormal(0.9),
    binormal(0.95),
    binormal(0.9, 2),
    exponential(0.9),
    undetectable(0.97, 0.1),
    graded(0.6, SEVEN),
)
DIFFERENT = (
    (binormal(0.6), binormal(0.8)),
    (binormal(0.9), binormal(0.7)),
    (binormal(0.6, 2), binormal(0.4)),
    (graded(0.85, FIVE), binormal(0.5)),
)
SAMPLES = "two samples"


def name_samples(first: tuple[int, int], second: tuple[int, int]) -> str:
    """Format the sizes of two samples."""
    return f"{name_size(*first)} and {name_size(*second)}"


def samples_of(designs: tuple[Scores, Scores], first: Any, second: Any) -> Simulation:
    """Make the simulation of two samples."""
    names = " and ".join(dict.fromkeys(design.name for design in designs))
    measure = partial(measures.samples, designs=designs, first=first, second=second)
    return Simulation(SAMPLES, f"{names}, {name_samples(first, second)}", measure, 1000)


def cells_of_samples() -> Iterator[Simulation]:
    """Yield the simulations of two samples."""
    for design in ALIKE:
        for first, second in UNEQUAL:
            yield samples_of((design, design), first, second)
    for pair in DIFFERENT:
        for first, second in (UNEQUAL[0], UNEQUAL[1], UNEQUAL[2], UNEQUAL[6]):
            yield samples_of(pair, first, second)


def cells_of_dependent_samples() -> Iterator[Simulation]:
    """Yield the simulations of two samples with weights, or of clusters."""
    for first, second in (UNEQUAL[0], UNEQUAL[3], UNEQUAL[6]):
        sizes: dict[str, Any] = {"first": first, "second": second}
        shown = name_samples(first, second)
        for b in (-0.5, 1.0):
            yield Simulation(
                SAMPLES,
                f"normal AR 0.6, {shown}, weights exp({b:g} score)",
                partial(measures.samples_weighted, design=binormal(0.6), b=b, **sizes),
                500,
            )
        grouped = Clustered("", binormal(0.6), "geometric")
        yield Simulation(
            SAMPLES,
            f"normal AR 0.6, {shown} obligors of geometric sizes",
            partial(measures.samples_clustered, design=grouped, **sizes),
            500,
        )


def cells_of_sample_margins() -> Iterator[Simulation]:
    """Yield the simulations of two samples whose difference is at the edge of a margin."""
    for edge in ((binormal(0.75), binormal(0.85)), (binormal(0.6), binormal(0.65))):
        for first, second in (UNEQUAL[0], UNEQUAL[1], UNEQUAL[2], UNEQUAL[6]):
            yield Simulation(
                "two samples, margin at its edge",
                f"{edge[0].name} and {edge[1].name}, {name_samples(first, second)}",
                partial(measures.samples_margin, designs=edge, first=first, second=second),
                500,
            )


def cells_of_initial() -> Iterator[Simulation]:
    """Yield the simulations of the test against initial validation."""
    periods = (
        (None, (20, 400)),
        (None, (100, 1000)),
        ((20, 400), (500, 5000)),
        ((50, 500), (500, 5000)),
        ((100, 1000), (100, 1000)),
        ((100, 1000), (500, 5000)),
        ((500, 5000), (20, 400)),
        ((1000, 10_000), (100, 1000)),
    )
    for ratio in (0.3, 0.5, 0.7, 0.9):
        for then, now in periods:
            before = f"{then[0]} events then" if then else "AUC then known"
            yield Simulation(
                "test against the AUC at initial validation",
                f"normal AR {ratio:g}, {before}, {now[0]} now",
                partial(measures.initial, design=binormal(ratio), then=then, now=now),
                500,
            )


def cells_of_amounts() -> Iterator[Simulation]:
    """Yield the simulations of amounts."""
    for zeros, n in (
        (0.95, 400),
        (0.95, 1000),
        (0.95, 2000),
        (0.95, 10_000),
        (0.8, 100),
        (0.8, 250),
        (0.8, 500),
        (0.5, 60),
        (0.5, 200),
        (0.0, 50),
        (0.0, 100),
        (0.0, 500),
    ):
        for severity in (0.5, 1.2):
            design = Losses(zeros, severity=severity)
            yield Simulation(
                "amounts: lognormal losses",
                f"{zeros:.0%} zeros of {n}, severity sd {severity:g}",
                partial(measures.losses, design=design, n=n),
                500,
            )
    for zeros, n in (
        (0.95, 400),
        (0.9, 300),
        (0.9, 1000),
        (0.4, 300),
        (0.0, 50),
        (0.0, 300),
    ):
        for correlation in (0.3, 0.8):
            yield Simulation(
                "amounts: loss rates",
                f"{zeros:.0%} zeros of {n}, correlation {correlation:g}",
                partial(measures.loss_rates, design=LossRates(zeros, correlation), n=n),
                500,
            )
    for zeros, n in ((0.95, 1000), (0.8, 250), (0.0, 100)):
        yield Simulation(
            "amounts: two scores of the same rows",
            f"{zeros:.0%} zeros of {n}, severity sd 1.2",
            partial(measures.losses_paired, design=Losses(zeros), n=n),
            500,
        )


def cells_of_low_amounts() -> Iterator[Simulation]:
    """Yield the simulations of amounts of which large ones rank low."""
    for zeros, n in ((0.95, 1000), (0.95, 4000), (0.8, 1000)):
        for severity in (1.2, 2):
            for correlation in (-0.2, -0.4, -0.6):
                design = Losses(zeros, correlation=correlation, severity=severity)
                yield Simulation(
                    "amounts: large losses ranked low",
                    f"{zeros:.0%} zeros of {n}, severity sd {severity:g}, "
                    f"correlation {correlation:g}",
                    partial(measures.losses, design=design, n=n),
                    500,
                )


def cells_of_others() -> Iterator[Simulation]:
    """Yield the simulations that no table above lists."""
    for m, n in CURVE_SIZES:
        yield Simulation(
            "p-values of a score without any relation to the outcome",
            name_size(m, n),
            partial(measures.ratio_useless, m=m, n=n),
            500,
        )
    for design in (binormal(0.5), binormal(0.9), binormal(0.97)):
        for sizes in CLASS_SIZES:
            equal = f"{len(sizes)} x {sizes[0]}"
            named = equal if len(set(sizes)) == 1 else " + ".join(map(str, sizes))
            yield Simulation(
                "AR averaged over class labels",
                f"{design.name}, {named} rows",
                partial(measures.ratio_averaged, design=design, sizes=sizes),
                500,
            )
    for m, n in ((20, 1000), (50, 125), (100, 1000)):
        yield Simulation(
            "bands of a score without any relation to the outcome",
            name_size(m, n),
            partial(measures.band_random, m=m, n=n),
            500,
        )
    models = Models((0.6, 0.6), 0.5)
    for m, n in ((20, 1000), (50, 1000), (100, 1000)):
        yield Simulation(
            PAIRED,
            f"{models.name}, {name_size(m, n)} obligors of geometric sizes",
            partial(measures.paired_clustered, design=models, m=m, n=n),
            500,
        )
        yield Simulation(
            PAIRED,
            f"{models.name}, 7 grades, {name_size(m, n)}",
            partial(measures.paired_grades, design=models, m=m, n=n, cuts=SEVEN),
            500,
        )


def list_simulations() -> dict[str, Simulation]:
    """Return every simulation by its key."""
    every = [
        *(simulation for part in PARTS for simulation in expand(part)),
        *cells_of_amounts(),
        *cells_of_low_amounts(),
        *cells_of_samples(),
        *cells_of_dependent_samples(),
        *cells_of_sample_margins(),
        *cells_of_initial(),
        *cells_of_others(),
        *new_questions.cells(),
    ]
    found = {simulation.key: simulation for simulation in every}
    if len(found) < len(every):
        twice = [key for key, n in Counter(each.key for each in every).items() if n > 1]
        raise ValueError(f"two simulations have one name, {twice}; give each its own")
    return found
