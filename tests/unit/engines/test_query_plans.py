"""Every law on every engine: groups of one query, each a variation of the same rows."""

import itertools

import numpy as np
import polars as pl
import pytest

from capcurve import (
    gain_capture,
)
from capcurve._engines import plan as thresholds
from capcurve._engines import query_plans
from query_constructors import MARKS, each_engine, rows_of

pytestmark = MARKS


def variations():
    """Name rows that the laws relate to those of 'as is'."""
    rng = np.random.default_rng(14)
    s = rng.integers(0, 40, 300) / 8
    y = (rng.random(300) < 0.1 + s / 9).astype(int)
    w = rng.integers(0, 4, 300)
    i = rng.permutation(300)
    ones = np.ones(300)
    rows = {
        "as is": (y, s, ones),
        "shuffled": (y[i], s[i], ones),
        "repeated": (np.repeat(y, w), np.repeat(s, w), np.ones(w.sum())),
        "weighted": (y, s, w),
        "equally weighted": (y, s, 0.37 * ones),
        "halved": (np.r_[y, y], np.r_[s, s], np.r_[ones, ones] / 2),
        "mapped": (y, np.exp(3 * s) - 700, ones),
        "negated": (y, -s, ones),
        "swapped": (1 - y, -s, ones),
        "constant": (y, ones, ones),
        "perfect": (y, y * 1.0, ones),
    }
    parts = [
        pl.DataFrame(
            {
                "law": [law] * len(columns[0]),
                **dict(zip("ysw", map(np.float64, columns), strict=True)),
            }
        ).with_columns(pl.col("y").cast(pl.Int64))
        for law, columns in rows.items()
    ]
    return pl.concat(parts).sample(fraction=1, shuffle=True, seed=2)


LAWS = {
    "as is": {"shuffled": 1, "equally weighted": 1, "halved": 1, "mapped": 1}
    | {"negated": -1, "swapped": 1},
    "weighted": {"repeated": 1},
}


@pytest.mark.parametrize(
    ("engine", "plan", "down"),
    each_engine(
        itertools.product(("direct", "bucketed"), (True, False)),
        [("direct", False), ("bucketed", True)],
        further=[("bucketed", True)],
    ),
    indirect=["engine"],
)
def test_every_law_on_every_engine(engine, plan, down, monkeypatch):
    if plan == "bucketed":  # in bins so coarse that they hold several scores
        monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
        monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
        monkeypatch.setattr(query_plans, "BITS", 1)
        monkeypatch.setattr(query_plans, "GRID", 3.0)
    frame = variations()
    query = engine(frame.to_dict(as_series=False))
    options = {"by": "law", "case_weights": "w", "descending": down}
    found = rows_of(gain_capture(query, "y", "s", **options), ["law"])
    ratios = {law: row["estimate"] for (law,), row in found.items()}
    exact = gain_capture(frame, "y", "s", **options)
    expected = dict(exact.select("law", "estimate").iter_rows())
    assert ratios == pytest.approx(expected, rel=1e-12, abs=1e-14)
    for law, others in LAWS.items():
        for other, sign in others.items():
            assert ratios[other] == pytest.approx(sign * ratios[law], rel=1e-12)
    assert ratios["constant"] == pytest.approx(0, abs=1e-14)
    assert ratios["perfect"] == pytest.approx(1 if down else -1)
