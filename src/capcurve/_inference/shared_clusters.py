"""Correlation of the accuracy ratios of segments that share clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from capcurve._inference.angles import Angle, find_errors
from capcurve._inference.influence import compute_ratio_influence
from capcurve._inference.limits import import_scipy
from capcurve._input.dtypes import Label
from capcurve._input.segments import Segmented, list_segment_rows
from capcurve._tally.dtypes import FloatArray

NEARLY_ALL = 1 - 1e-6  # of a correlation, so that equal segments leave a variance


class Shared(NamedTuple):
    """How segments depend on each other through clusters that have rows in several.

    Attributes
    ----------
    labels : list of class labels
    correlation : ndarray of float64, shape (n_segments, n_segments), or None
        Correlation of their accuracy ratios; None if they are independent.
    """

    labels: list[Label]
    correlation: FloatArray | None

    def among(self, some: Iterable[Label]) -> FloatArray | None:
        """Return the correlation of some segments."""
        if self.correlation is None:
            return None
        at = [self.labels.index(label) for label in some]
        return self.correlation[np.ix_(at, at)]

    def covary(self, angles: Mapping[Label, Angle], label: Label) -> float:
        """Return the covariance of the AUC of a segment with the mean of the others."""
        correlation = self.among([label, *(name for name in angles if name != label)])
        if correlation is None:
            return 0.0
        others = [angle for name, angle in angles.items() if name != label]
        pairs = np.array([angle.pairs for angle in others])
        error = find_errors([angles[label]])[0]
        errors = pairs / pairs.sum() * find_errors(others)
        return float(error * correlation[0, 1:] @ errors)


def correlate_segments(rows: Segmented, n_segments: int) -> FloatArray | None:
    """Return the correlation of the ARs of segments; None if they are independent.

    A cluster moves each of its segments by the sum of the influences of its rows there;
    products of these sums add up to the covariance, as within a segment: Obuchowski (1997),
    doi:10.2307/2533958.
    """
    columns, segment = rows
    cluster = columns.weights.cluster
    if cluster is None:
        return None
    pairs = np.unique(cluster * n_segments + segment)
    if len(pairs) == len(np.unique(cluster)):
        return None
    psi = np.zeros(len(segment))
    for at in list_segment_rows(segment, n_segments):
        part = columns[at]
        if len(part.target) and not part.is_constant:
            psi[at] = compute_ratio_influence([part]).psi[0]
    shape = n_segments, int(cluster.max()) + 1
    moved = import_scipy("sparse").csr_array((psi, (segment, cluster)), shape=shape)
    covariance = (moved @ moved.T).toarray()
    errors = np.sqrt(covariance.diagonal())
    errors[errors == 0] = np.inf  # nothing moves a perfectly ranked segment
    correlation: FloatArray = NEARLY_ALL * covariance / np.outer(errors, errors)
    np.fill_diagonal(correlation, 1.0)
    return correlation
