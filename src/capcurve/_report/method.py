"""Describe one method: what was done, its formula, degrees of freedom and source."""

from capcurve._report.options import Facts
from capcurve._report.sources import Source

OF_RATIO = "Confidence interval of AR"
P_VALUE = (
    " The p-value of an AR, which the JSON file has, is two-sided, of the hypothesis that "
    "the score is uninformative (AR is 0)"
)


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
    """Write the degrees of freedom of a statistic of each model."""
    told = [
        f"{model['name']}: {degrees:,.1f}"
        for model in facts["models"]
        if (found := model[statistic]) is not None
        and (degrees := found["degrees_of_freedom"]) is not None
    ]
    return "; ".join(told) or None
