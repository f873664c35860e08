"""Arguments of a sketch, as plain values."""

import numpy as np

from capcurve._input.dtypes import Label
from capcurve._input.options import is_whole, show
from capcurve.exceptions import CapcurveError


def read_max_bins(max_bins: int) -> int:
    """Return the number of bins as a plain integer; raise if it is too small or none."""
    if not is_whole(max_bins) or max_bins < 2:  # noqa: PLR2004 -- a single bin has no ranking
        raise CapcurveError(
            f"`max_bins` must be a whole number of at least 2, got {show(max_bins)}; the "
            "default is 65536"
        )
    return int(max_bins)


def read_label(pos_label: Label) -> Label:
    """Return a label as a plain value; raise if it is of another type, or nan."""
    label = pos_label.item() if isinstance(pos_label, np.generic) else pos_label
    if not isinstance(label, Label) or label != label:  # noqa: PLR0124 -- nan
        raise CapcurveError(
            "`pos_label` must be a number, a text or a boolean, got "
            f"{show(pos_label)}; pass the label of the event as it stands in `y_true`"
        )
    return label
