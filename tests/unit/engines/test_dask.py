"""What Dask does with rows of which it does not know the order."""

import dask.dataframe as dd
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pytest

from capcurve import BinnedCurve, accuracy_ratio_score, gain_capture
from query_constructors import LOANS, MARKS

pytestmark = MARKS


@pytest.fixture
def several_files(tmp_path):
    """Read files whose rows are numbered from 0 each, as other partitions."""
    rows = pd.DataFrame(LOANS)[["default", "champion_pd"]]
    for number, part in enumerate(np.array_split(np.arange(len(rows)), 3)):
        rows.iloc[part].reset_index(drop=True).to_parquet(tmp_path / f"{number}.parquet")
    return dd.read_parquet(tmp_path).repartition(npartitions=5)


def test_rows_of_several_files_are_not_aligned_by_their_numbers(several_files):
    found = gain_capture(several_files, "default", "champion_pd")
    expected = accuracy_ratio_score(LOANS["default"], LOANS["champion_pd"])
    assert found["estimate"].to_list() == [pytest.approx(expected, rel=1e-12)]


def test_no_rows_are_shuffled(several_files, monkeypatch):
    plans, collect = [], nw.LazyFrame.collect

    def spy(frame):
        plans.append(frame.to_native().optimize(fuse=False).expr.tree_repr())
        return collect(frame)

    monkeypatch.setattr(nw.LazyFrame, "collect", spy)
    gain_capture(several_files, "default", "champion_pd")
    curve = BinnedCurve.from_frame(several_files, "default", "champion_pd", exact_at=[0.1])
    assert curve.accuracy_ratio.low == curve.accuracy_ratio.high
    assert len(plans) > 3
    assert not [plan for plan in plans if "Shuffle" in plan]
