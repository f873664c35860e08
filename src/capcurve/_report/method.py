"""Describe one method: what was done, its formula, degrees of freedom and source."""

from collections.abc import Iterable

from capcurve._report.options import Facts
from capcurve._report.sources import Source

OF_RATIO = "Confidence interval of AR"
P_VALUE_OF = (
    " The p-value of {}, which the JSON file has, is two-sided, of the hypothesis that "
    "the score is uninformative ({} is 0)"
)
P_VALUE = P_VALUE_OF.format("an AR", "AR")
WITH_DEGREES = ("beta", "logit-t")  # methods of limits by Student's t


def make_method(
    topic: str,
    text: str,
    *,
    formula: str | None = None,
    df: str | None = None,
    source: Source | None = None,
    section: str | None = None,
) -> Facts:
    """Return the facts on a method."""
    return {
        "topic": topic,
        "text": text,
        "formula": formula,
        "df": df,
        "source": None if source is None else source.describe(section),
    }


def list_degrees(facts: Facts, statistic: str = "accuracy_ratio") -> str | None:
    """Write the degrees of freedom of a statistic of each model, if its limits use them."""
    return join_degrees((model["name"], model[statistic]) for model in facts["models"])


def list_pooled_degrees(facts: Facts) -> str | None:
    """Write the degrees of freedom of each pooled AR, if its limits use them."""
    return join_degrees(
        (f"{split['by']}, {total['model']}", total["pooled"])
        for split in (*facts["segments"], *facts["periods"])
        for total in split["total"]
    )


def join_degrees(found: Iterable[tuple[str, Facts | None]]) -> str | None:
    """Write the degrees of freedom of named estimates."""
    told = [
        f"{name}: {degrees:,.1f}"
        for name, estimate in found
        if estimate is not None
        and estimate["method"] in WITH_DEGREES
        and (degrees := estimate["degrees_of_freedom"]) is not None
    ]
    # A column may split rows both into segments and into periods.
    return "; ".join(dict.fromkeys(told)) or None
