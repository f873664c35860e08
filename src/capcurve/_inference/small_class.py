"""Name what is few where a class is small, and what makes it smaller."""

from collections.abc import Iterable

from capcurve._inference.options import FEW_EVENTS
from capcurve._input.columns import Columns

SMALL = f"fewer than {FEW_EVENTS} events or non-events"


def describe_small_class(rows: Iterable[Columns | None], *, of_share: bool = False) -> str:
    """Name what is few in rows of one design, or in bins, which have limits if counted.

    ``of_share`` is for statistics at a population share, such as capture rates.
    """
    known = [each for each in rows if each is not None]
    return name_small_class(
        is_amount=not all(each.has_events for each in known),
        of_share=of_share,
        has_weights=any(
            each.weight is not None and not each.weights.counts_rows for each in known
        ),
        has_clusters=any(each.weights.cluster is not None for each in known),
    )


def name_small_class(
    *, is_amount: bool, has_weights: bool, has_clusters: bool, of_share: bool = False
) -> str:
    """Name what is few, and only what counts for less in these rows."""
    causes = ["amounts"] * is_amount + ["weights"] * has_weights
    less = " and ".join(filter(None, [", ".join(causes[:-1]), *causes[-1:]]))
    less = f"unequal {less}" * bool(causes)
    if has_clusters:
        less = f"{less}, and rows of one cluster," if causes else "rows of one cluster"
    count = f" ({less} count for less)" if less else ""
    if is_amount:
        unit = "rows above 0" if of_share else "effective pairs of rows"
        return f"fewer than {FEW_EVENTS} {unit}{count}"
    return f"{'effectively ' * bool(less)}{SMALL}{count}"
