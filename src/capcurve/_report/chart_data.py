"""Write what the scripts of a page tell at each step of the slider and of the pointer."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from capcurve._report.charts import count_others
from capcurve._report.options import Facts
from capcurve._report.page_format import (
    write_lift,
    write_number,
    write_percent,
    write_signed,
)
from capcurve._report.readings import PLACES, STEPS
from capcurve._tally.dtypes import Array

Write = Callable[[Any], str]


def list_chart_data(facts: Facts, cutoffs: Sequence[Write]) -> Facts:
    """List what scripts tell of the models, each with its format of cut-offs in tables."""
    models = zip(facts["models"], map(write_small, cutoffs), strict=True)
    return {
        "steps": STEPS,
        "level": write_percent(facts["models"][0]["accuracy_ratio"]["confidence_level"], 0),
        "models": [write_readings(model, write_score) for model, write_score in models],
        "band": facts["band"] and write_band(facts["band"]),
    }


def write_readings(model: Facts, write_score: Write) -> Facts:
    """Write a model at each population share, and at each false positive rate."""
    found, roc = model["readings"], model["readings"]["roc"]
    captured = np.array(found["capture_rate"])
    lift = [None, *(captured[1:] / PLACES[1:]).tolist()]
    selected: Facts = {
        "captured": write_shares(captured),
        "lift": " ".join(map(write_lift, lift)),
        "score": join_texts(map(write_score, found["threshold"])),
    }
    if roc is None:
        return {"name": model["name"], "share": selected}
    others = count_others(PLACES, captured, model["response_rate"])
    selected |= {
        "others": write_shares(others),
        "gap": " ".join(map(write_number, np.abs(captured - others).tolist())),
    }
    positive = {
        "captured": write_shares(roc["capture_rate"]),
        "share": write_shares(roc["population_share"]),
        "score": join_texts(map(write_score, roc["threshold"])),
    }
    return {"name": model["name"], "share": selected, "others": positive}


def write_shares(shares: Array | Sequence[float]) -> str:
    """Write shares as percentages without their sign."""
    return " ".join(write_percent(share).removesuffix("%") for share in shares)


def join_texts(texts: Iterable[str]) -> str | list[str]:
    """Join texts, which makes a page smaller, unless the name of a grade has spaces."""
    listed = list(texts)
    return listed if any(" " in text for text in listed) else " ".join(listed)


def write_small(write: Write) -> Write:
    """Write a score with three digits if the format of tables would make it 0."""

    def write_score(value: float | str | None) -> str:
        text = write(value)
        is_lost = isinstance(value, float) and value and not re.search("[1-9]", text)
        return write_signed(f"{value:.3g}") if is_lost else text

    return write_score


def write_band(band: Facts) -> list[str]:
    """Write the limits of a band, which is a straight line between its points."""
    low, high = (
        np.interp(PLACES, band["population_share"], band[end]).tolist()
        for end in ("low", "high")
    )
    limits = zip(map(write_percent, low), map(write_percent, high), strict=True)
    return [" to ".join(pair) for pair in limits]
