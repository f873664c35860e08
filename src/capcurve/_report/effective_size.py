"""Say to how many equal, independent rows the rows behind an AR come down."""

from typing import Any

from capcurve._inference.options import FEW_EVENTS
from capcurve._report.options import Facts
from capcurve._report.phrases import say_list

MANY_EFFECTIVE = 0.95  # share of events, above which unequal weights need no word


def say_effective(facts: Facts) -> list[str]:
    """Say to how many events unequal weights and clusters come down, if that is few."""
    sample, n = facts["sample"], facts["models"][0]["n_effective"]
    if facts["outcome"] == "amounts":
        return say_effective_pairs(facts)
    causes = {
        "unequal weights": sample["weights"] == "sampling",
        "clusters": sample["clusters"] is not None,
    }
    named = [cause for cause, is_one in causes.items() if is_one]
    if not named or n is None:
        return []
    events, others = sample["n_events"], sample["n_non_events"]
    if n > MANY_EFFECTIVE * min(events, others):
        return []
    noun = "event" if events <= others else "non-event"
    noun = f"{noun}{'' if round(n) == 1 else 's'}"
    if causes["clusters"]:
        noun = f"independent {noun}"
    if causes["unequal weights"]:
        noun += " of equal weight"
    return [f"By {say_list(named)} alone they are as few as {n:,.0f} {noun}."]


def say_effective_pairs(facts: Facts) -> list[str]:
    """Say to how many pairs of equal rows amounts come down, if that is few."""
    sample, model = facts["sample"], facts["models"][0]
    n, n_rows = model["n_effective"], sample["n_rows"]
    if n is None or n > MANY_EFFECTIVE * n_rows / 2:
        return []
    if model["few_events"] and n < FEW_EVENTS:  # which another sentence says
        return []
    pairs = "pair" if round(n) == 1 else "pairs"
    told = f"they are as few as {n:,.0f} independent {pairs} of equal rows"
    return [f"By unequal {say_list(list_unequal(facts))} alone {told}."]


def list_unequal(facts: Facts) -> list[str]:
    """List what of amounts may be unequal, so that they come down to fewer equal rows."""
    sample = facts["sample"]
    causes = {
        "amounts": True,
        "weights": sample["weights"] == "sampling",
        "clusters": sample["clusters"] is not None,
    }
    return [cause for cause, is_one in causes.items() if is_one]


def list_effective(facts: Facts) -> tuple[str, list[Any]]:
    """Name the effective size, and list that of each model; nothing where none is told."""
    models, sample = facts["models"], facts["sample"]
    is_amount = facts["outcome"] == "amounts"
    is_counted = not is_amount and sample["clusters"] is None
    few = any(model["few_events"] for model in models)
    if (is_counted and sample["weights"] != "sampling") or not (
        few or say_effective(facts)
    ):
        return "", []
    if is_amount:
        name = "Effective pairs of rows"
    elif sample["n_events"] <= sample["n_non_events"]:
        name = "Effective events"
    else:
        name = "Effective non-events"
    return name, [model["n_effective"] for model in models]
