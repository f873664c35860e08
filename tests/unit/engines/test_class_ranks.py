"""Ranks of the minority class among the majority class, against a count of each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve._engines import class_ranks
from capcurve._engines.class_ranks import rank_among

FLOATS = st.lists(
    st.sampled_from([-np.inf, -2.0, 0.0, 0.5, 1.0, 7.0, np.inf]), min_size=1, max_size=40
)


@given(few=FLOATS, many=FLOATS)
def test_ranks_are_those_of_counting(few, many):
    few, many = np.sort(few), np.array(many)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_ranks, "ROWS_PER_BLOCK", 4)
        below, up_to = rank_among(few, many)
    assert below.tolist() == [np.count_nonzero(many < each) for each in few]
    assert up_to.tolist() == [np.count_nonzero(many <= each) for each in few]


def test_many_rows_are_ranked_in_blocks():
    rng = np.random.default_rng(2)
    few, many = np.sort(rng.random(70_000).round(4)), rng.random(90_000).round(4)
    below, up_to = rank_among(few, many)
    assert below.tolist() == np.searchsorted(many, few, "left").tolist()
    assert up_to.tolist() == np.searchsorted(many, few, "right").tolist()
