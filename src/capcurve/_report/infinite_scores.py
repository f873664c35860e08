"""Name infinite scores to readers; JSON cannot represent them, so facts have None."""

from collections.abc import Sequence
from typing import Any

from capcurve._report.options import Facts

INFINITE, NEGATIVE = "\N{INFINITY}", "\N{MINUS SIGN}\N{INFINITY}"


def name_infinite_scores(facts: Facts) -> Facts:
    """Return facts that name the infinite scores of gains tables and cut-offs."""
    return facts | {"models": list(map(name_in_model, facts["models"]))}


def name_in_model(model: Facts) -> Facts:
    """Name the infinite scores of a model.

    The first and the last score of all tell which end of its cut-offs is infinite.
    """
    ends = [row[f"{end}_score"] for row in model["gains"] for end in ("highest", "lowest")]
    if None not in ends:
        return model
    names = (INFINITE, NEGATIVE) if model["descending"] else (NEGATIVE, INFINITE)

    def name(cut_offs: Sequence[Any]) -> list[Any]:
        return name_ends([ends[0], *cut_offs, ends[-1]], names)[1:-1]

    def name_readings(found: Facts) -> Facts:
        nothing, *cut_offs = found["threshold"]  # that of no rows is undefined
        return found | {"threshold": [nothing, *name(cut_offs)]}

    named = name_ends(ends, names)
    pairs = zip(named[::2], named[1::2], strict=True)
    cut_offs = name([row["threshold"] for row in model["captured"]])
    readings = name_readings(model["readings"])
    if readings["roc"] is not None:
        readings["roc"] = name_readings(readings["roc"])
    return model | {
        "gains": [
            row | {"highest_score": first, "lowest_score": last}
            for row, (first, last) in zip(model["gains"], pairs, strict=True)
        ],
        "captured": [
            row | {"threshold": cut_off}
            for row, cut_off in zip(model["captured"], cut_offs, strict=True)
        ],
        "readings": readings,
    }


def name_ends(scores: Sequence[Any], names: tuple[str, str]) -> list[Any]:
    """Name the missing scores at either end, from the best to the worst one.

    If none is known, it is unknown at which end they are.
    """
    known = [place for place, score in enumerate(scores) if score is not None]
    if not known:
        return list(scores)
    best, worst = names
    return [
        best if place < known[0] else worst if place > known[-1] else score
        for place, score in enumerate(scores)
    ]
