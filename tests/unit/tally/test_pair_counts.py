"""Counted pairs: by definition, by a second implementation, and joined in any order."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, rankdata

from capcurve._engines.rows import count_pairs, tally_rows
from capcurve._input.reading import read_columns
from capcurve._tally import threads
from capcurve._tally.pair_counts import PairCounts, exact_dot
from capcurve._tally.tally import Tally
from capcurve._tally.threads import ROWS_PER_THREAD
from strategies import rankings

COUNTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12)


def signs(y, s):
    """Compare every event with every non-event."""
    s = np.unique(s, return_inverse=True)[1]
    return np.sign(np.subtract.outer(s[y == 1], s[y == 0]))


def midrank_delong(y, s):
    """Compute DeLong's variance of AR after Sun and Xu (2014), by midranks."""
    s = np.unique(s, return_inverse=True)[1]
    x, z = s[y == 1], s[y == 0]
    m, n = len(x), len(z)
    pooled = rankdata(np.r_[x, z])
    v10 = (pooled[:m] - rankdata(x)) / n
    v01 = 1 - (pooled[m:] - rankdata(z)) / m
    return 4 * (v10.var(ddof=1) / m + v01.var(ddof=1) / n)


def counts_of(y, s, **options):
    return count_pairs(read_columns(y, s, **options))


@given(ranking=rankings(kinds=["events"]), descending=st.booleans())
def test_counts_are_those_of_all_pairs(ranking, descending):
    y, s = ranking
    sign = signs(y, s) * (1 if descending else -1)
    expected = PairCounts(
        *sign.shape,
        int(sign.sum()),
        int((sign.sum(axis=1) ** 2).sum()),
        int((sign.sum(axis=0) ** 2).sum()),
        int(np.count_nonzero(sign)),
    )
    assert counts_of(y, s, descending=descending) == expected
    tally = tally_rows(read_columns(y, s, descending=descending))
    assert PairCounts.from_tally(tally) == expected


@given(ranking=rankings(kinds=["events"]))
def test_delong_is_that_of_midranks(ranking):
    y, s = ranking
    pairs = counts_of(y, s)
    if min(pairs.events, pairs.nonevents) > 1:
        assert pairs.delong_variance == pytest.approx(midrank_delong(y, s), abs=1e-12)
    else:
        assert np.isnan(pairs.delong_variance)
        assert np.isnan(pairs.eht_variance)


@given(ranking=rankings(kinds=["events"]))
def test_the_surplus_is_that_of_mann_and_whitney(ranking):
    y, s = ranking
    s = np.unique(s, return_inverse=True)[1]
    pairs = counts_of(y, s)
    expected = mannwhitneyu(s[y == 1], s[y == 0], method="asymptotic").statistic
    assert (pairs.surplus + pairs.pairs) / 2 == expected


@given(ranking=rankings(kinds=["events"]))
def test_delong_exceeds_eht_by_the_interaction(ranking):
    y, s = ranking
    pairs, sign = counts_of(y, s), signs(y, s)
    m, n = sign.shape
    if min(m, n) > 1:
        rows, columns = sign.mean(axis=1)[:, None], sign.mean(axis=0)[None]
        rest = sign - rows - columns + sign.mean()
        mean_square = (rest**2).sum() / ((m - 1) * (n - 1))
        difference = pairs.delong_variance - pairs.eht_variance
        assert difference == pytest.approx(mean_square / (m * n), abs=1e-12)


@given(blocks=COUNTS, data=st.data())
def test_ranges_join_in_any_association(blocks, data):
    parts = [PairCounts(*block) for block in blocks]  # worst first
    whole = reduce(PairCounts.join, parts)
    while len(parts) > 1:
        at = data.draw(st.integers(0, len(parts) - 2))
        parts[at : at + 2] = [parts[at].join(parts[at + 1])]
    assert parts[0] == whole
    events, nonevents = np.array(blocks[::-1]).T
    tally = Tally(np.arange(len(blocks), 0, -1), events + nonevents, events)
    assert PairCounts.from_tally(tally) == whole


@given(ranking=rankings(kinds=["events"]), data=st.data())
def test_counted_rows_are_repeated_rows(ranking, data):
    y, s = ranking
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y)))
    counted = counts_of(y, s, sample_weight=times, weights="frequency")
    assert counted == counts_of(y.repeat(times), s.repeat(times))


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.03, 0.6])
def test_many_rows_in_threads(share):
    n = 3 * ROWS_PER_THREAD
    rng = np.random.default_rng(3)
    y, s = rng.random(n) < share, rng.integers(0, 50_000, n) + rng.random(n).round(1)
    columns = read_columns(y, s)
    assert count_pairs(columns) == PairCounts.from_tally(tally_rows(columns))
    assert counts_of(y, s).delong_variance == pytest.approx(midrank_delong(y, s), rel=1e-9)


@pytest.mark.parametrize("share", [0.02, 0.5])
@pytest.mark.parametrize("digits", [2, 17], ids=["ties", "no ties"])
def test_threads_give_what_one_thread_gives(monkeypatch, share, digits):
    rng = np.random.default_rng(4)
    y, s = rng.random(5_000) < share, rng.random(5_000).round(digits)
    expected = count_pairs(read_columns(y, s))
    monkeypatch.setattr(threads, "ROWS_PER_THREAD", 500)
    monkeypatch.setattr(threads, "count_threads", lambda: 3)
    assert count_pairs(read_columns(y, s)) == expected


def test_a_tie_in_one_thread_alone():
    n = 3 * ROWS_PER_THREAD
    s = np.arange(n, dtype=float)
    y = np.arange(n) % 1000 == 0
    s[n - 1] = s[0]  # a non-event of the last chunk ties with an event
    columns = read_columns(y, s)
    pairs = count_pairs(columns)
    assert pairs == PairCounts.from_tally(tally_rows(columns))
    assert pairs.untied == pairs.pairs - 1


@pytest.mark.parametrize("bits", [3, 20, 31, 40, 59])
def test_sums_of_products_do_not_overflow(bits):
    rng = np.random.default_rng(bits)
    counts = rng.integers(0, 1 << 20, 50)
    first, second = rng.integers(-(1 << bits), 1 << bits, (2, 50))
    expected = sum(
        int(c) * int(a) * int(b) for c, a, b in zip(counts, first, second, strict=True)
    )
    assert exact_dot(counts, first, second) == expected
    assert exact_dot(counts, first) == int((counts.astype(object) * first).sum())
    huge = np.array([1 << 61, 1 << 60])
    assert exact_dot(huge, np.array([1, 1]), np.array([1, -1])) == 1 << 60
    assert exact_dot(huge, huge, huge) == (1 << 183) + (1 << 180)
    assert exact_dot(counts[:0], counts[:0]) == 0
    many = rng.integers(0, 1 << 40, 300_000)
    assert exact_dot(many, many) == sum(int(value) ** 2 for value in many)
