"""Large amounts that rank low: the interval of AR says that it may miss."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from capcurve import FewEventsWarning, accuracy_ratio_interval
from capcurve._inference.amount_order import correlate_ranks

RANDOM = np.random.default_rng(3)
Z, NOISE = RANDOM.standard_normal((2, 2000))
HAS_LOSS = np.arange(2000) < 100
TOLD = "large amounts rank low"


def draw(correlation, severity=1.2, shift=1.2, has_loss=HAS_LOSS):
    """Return losses and scores of a given correlation above 0."""
    rest = (1 - correlation**2) ** 0.5
    of_loss = shift + correlation * Z + rest * NOISE
    loss = np.where(has_loss, np.exp(severity * Z), 0)
    return loss, np.where(has_loss, of_loss, NOISE)


def is_low(loss, score, **options):
    """Whether the interval says that large amounts rank low."""
    return accuracy_ratio_interval(loss, score, **options).large_ranked_low


def test_warns_where_large_losses_rank_low():
    loss, score = draw(-0.5)
    with pytest.warns(FewEventsWarning, match=f"effective pairs of rows.*{TOLD}"):
        found = accuracy_ratio_interval(loss, score)
    assert found.large_ranked_low
    assert found.to_dict()["large_ranked_low"]
    assert TOLD in found._repr_html_()


@pytest.mark.parametrize("correlation", [0.0, 0.4])
def test_is_silent_where_they_do_not(correlation):
    assert not is_low(*draw(correlation))


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_low_scores_may_rank_first():
    loss, score = draw(-0.5)
    assert is_low(loss, -score, descending=False)
    # A score that ranks losses low as such is wrong about large ones too.
    assert not is_low(loss, -score)


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_without_zeros_a_low_rank_is_that_of_the_score_reversed():
    rows = HAS_LOSS
    loss, score = draw(-0.8)
    assert not is_low(loss[rows], score[rows])


def test_many_losses_of_like_size_are_enough():
    has_loss = np.arange(2000) < 800
    assert not is_low(*draw(-0.5, severity=0.5, has_loss=has_loss))


def test_equal_losses_have_no_order():
    _, score = draw(-0.5)
    assert not is_low(3.0 * HAS_LOSS, score, target_type="continuous")


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
@pytest.mark.parametrize("correlation", [-0.5, -0.2])
def test_counted_rows_are_repeated_rows(correlation):
    loss, score = draw(correlation)
    counts = np.where(np.arange(2000) % 3, 1, 2)
    counted = is_low(loss, score, sample_weight=counts, weights="frequency")
    assert counted == is_low(np.repeat(loss, counts), np.repeat(score, counts))


def test_ranks_correlate_as_in_scipy():
    first, second = np.round(Z[:50], 1), np.round(Z[:50] + NOISE[:50], 1)
    counts = np.arange(50) % 3 + 1.0
    repeat = [np.repeat(each, counts.astype(int)) for each in (first, second)]
    expected = spearmanr(*repeat).statistic
    assert correlate_ranks(first, second, counts) == pytest.approx(expected)
    assert correlate_ranks(first, np.ones(50), counts) == 0
