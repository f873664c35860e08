"""Designs of samples that a report knows: plain, counted, weighted, clustered rows."""

import pytest

# Options of `report`; the columns are called n, w and b.
DESIGNS = [
    {},
    {"counts": "n"},
    {"case_weights": "w"},
    {"clusters": "b"},
    {"case_weights": "w", "clusters": "b"},
]
each_design = pytest.mark.parametrize(
    "options", DESIGNS, ids=lambda options: "+".join(options) or "plain"
)
