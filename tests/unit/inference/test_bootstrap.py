"""Bootstrap replicates: they have the moments of drawn rows, at the cost of blocks."""

import numpy as np
import pytest

from capcurve import CapCurve, accuracy_ratio_interval
from capcurve._engines.rows import tally_rows
from capcurve._inference.bootstrap import (
    draw_class_size,
    draw_replicates,
    draw_tally_replicates,
    join_pure_runs,
)
from capcurve._input.reading import read_columns
from capcurve._tally.tally import Tally
from capcurve.datasets import make_portfolio

RNG = np.random.default_rng(21)
Y = np.arange(400) < 60
GRADES = RNG.integers(0, 6, 400) + Y
SCORES = {"grades": GRADES, "distinct": RNG.normal(size=400) + Y}
every_score = pytest.mark.parametrize("name", list(SCORES))


def drawn_rows(y, s, n, *, stratified):
    """Draw rows the plain way."""
    for _ in range(n):
        if stratified:
            kinds = (np.flatnonzero(y), np.flatnonzero(~y))
            rows = np.concatenate([RNG.choice(kind, len(kind)) for kind in kinds])
        else:
            rows = RNG.integers(len(y), size=len(y))
        yield CapCurve.from_predictions(y[rows], s[rows])


@pytest.mark.slow
@every_score
def test_replicates_are_distributed_as_drawn_rows(name):
    s = SCORES[name]
    own = list(draw_replicates(read_columns(Y, s), 3000, 1))
    plain = list(drawn_rows(Y, s, 1500, stratified=True))
    for read in (
        lambda curve: curve.accuracy_ratio,
        lambda curve: curve.ks,
        lambda curve: curve.capture_rate_at(0.2),
    ):
        ours, theirs = ([read(curve) for curve in curves] for curves in (own, plain))
        assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=8e-3)
        assert np.std(ours) == pytest.approx(np.std(theirs), rel=0.08)
        levels = [0.05, 0.5, 0.95]
        assert np.quantile(ours, levels) == pytest.approx(
            np.quantile(theirs, levels), abs=0.03
        )
    assert {curve.total_target for curve in own} == {60}
    assert {curve.total_weight for curve in own} == {400}


@every_score
def test_counted_rows_are_drawn_as_repeated_rows(name):
    s, times = SCORES[name], 1 + np.arange(400) % 3
    columns = read_columns(Y, s, sample_weight=times, weights="frequency")
    counted = [curve.accuracy_ratio for curve in draw_replicates(columns, 1500, 1)]
    repeated = read_columns(Y.repeat(times), s.repeat(times))
    plain = [curve.accuracy_ratio for curve in draw_replicates(repeated, 1500, 2)]
    assert np.std(counted) == pytest.approx(np.std(plain), rel=0.1)


def test_weighted_rows_are_drawn_kind_by_kind():
    columns = read_columns(Y, GRADES, sample_weight=np.full(400, 2.0))
    drawn = [(c.total_target, c.total_weight) for c in draw_replicates(columns, 20, 1)]
    assert set(drawn) == {(120.0, 800.0)}


def test_drawn_numbers_of_events_have_the_moments_of_rows_and_leave_no_class_empty():
    random = np.random.default_rng(3)
    drawn = np.array([draw_class_size(60, 400, random) for _ in range(4_000)])
    assert drawn.mean() == pytest.approx(60, abs=0.5)
    assert drawn.var() == pytest.approx(400 * 0.15 * 0.85, rel=0.1)
    few = {draw_class_size(1, 3, random) for _ in range(200)}
    assert few == {1, 2}  # 0 in 30 %, and 3 in 4 % of draws, are drawn again


def test_runs_of_one_kind_are_joined_without_a_trace():
    columns = read_columns(Y, SCORES["distinct"])
    tally = tally_rows(columns)
    joined = join_pure_runs(tally)
    assert len(joined) < len(tally) / 2
    curves = [CapCurve(each, each.events_first()) for each in (tally, joined)]
    assert curves[0].accuracy_ratio == curves[1].accuracy_ratio
    assert curves[0].ks == curves[1].ks
    for share in (0.013, 0.2, 0.77):
        captured = [curve.capture_rate_at(share) for curve in curves]
        assert captured[0] == pytest.approx(captured[1])
    mixed = Tally(np.array([3, 2, 1]), np.array([4, 2, 5]), np.array([2, 1, 0]))
    assert len(join_pure_runs(mixed)) == 3


def test_a_seed_gives_the_same_replicates():
    tally = tally_rows(read_columns(Y, GRADES))
    first, second = (
        [
            c.accuracy_ratio
            for c in draw_tally_replicates(tally, 20, np.random.default_rng(5))
        ]
        for _ in range(2)
    )
    assert first == second
    assert len(set(first)) > 10


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_limits_hardly_depend_on_the_seed(method):
    loans = make_portfolio(2_000)
    data = loans["default"], loans["champion_pd"]
    found = [
        accuracy_ratio_interval(*data, method=method, random_state=seed)
        for seed in range(4)
    ]
    limits = np.array([[each.low, each.high] for each in found])
    spread = np.ptp(limits, axis=0)
    assert (spread > 0).all()
    assert (spread < 0.15 * (found[0].high - found[0].low)).all()


AMOUNTS = np.where(Y, GRADES + 1.5, 0.0)
WEIGHT = RNG.random(400) + 0.5
CLUSTER = np.array([f"loan {number}" for number in RNG.integers(0, 90, 400)], dtype=object)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
@pytest.mark.parametrize(
    ("y", "columns"),
    [
        (Y, {"sample_weight": WEIGHT}),
        (Y, {"clusters": CLUSTER}),
        (AMOUNTS, {}),
        (AMOUNTS, {"sample_weight": WEIGHT}),
    ],
    ids=["weighted events", "clusters", "amounts", "weighted amounts"],
)
def test_rows_in_another_order_have_the_same_limits(method, y, columns):
    found = []
    for rows in (np.arange(400), RNG.permutation(400)):
        interval = accuracy_ratio_interval(
            y[rows],
            GRADES[rows],
            method=method,
            n_resamples=50,
            random_state=3,
            **{name: column[rows] for name, column in columns.items()},
        )
        found.append((interval.low, interval.high))
    assert found[0] == pytest.approx(found[1], rel=1e-12)
