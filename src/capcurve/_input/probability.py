"""Check columns of probabilities, such as PDs."""

import numpy as np

from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError


def read_probabilities(values: Array, name: str, to_rank: str = "the score") -> FloatArray:
    """Return probabilities as float64; raise for other numbers and for labels.

    ``to_rank`` is what to pass a score as that is no probability.
    """
    found: FloatArray = values.astype(np.float64, copy=False)
    if not len(found):
        return found
    low, high = found.min(), found.max()
    if low < 0 or high > 1:
        raise CapcurveError(
            f"`{name}` must hold probabilities from 0 to 1, got numbers from {low:g} to "
            f"{high:g}; divide percentages by 100, and pass scores that only rank as "
            f"{to_rank}"
        )
    if np.all((found == 0) | (found == 1)):
        raise CapcurveError(
            f"`{name}` must hold probabilities of the event, got only 0 and 1, as labels "
            "are; pass probabilities, such as PDs or `predict_proba(X)[:, 1]`"
        )
    return found


def refuse_impossible(probability: FloatArray, event: Array, name: str) -> None:
    """Raise if a row with probability 0 is an event, or one with 1 is none."""
    events = np.count_nonzero(event & (probability == 0))
    others = np.count_nonzero(~event & (probability == 1))
    if events or others:
        number, kind, value = (events, "event", 0) if events else (others, "non-event", 1)
        found = f"{number} {kind}{'s' * bool(number != 1)} with {value}"
        raise CapcurveError(
            f"`{name}` must allow for what happened, got {found}, which no test is needed "
            "to refute; set a floor and a cap, such as 0.0001 and 0.9999"
        )
