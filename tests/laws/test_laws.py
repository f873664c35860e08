"""Laws that every score obeys; a new score joins SCORES and inherits them all."""

import contextlib
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import partial
from unittest import mock

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import somersd
from sklearn.metrics import roc_auc_score

from capcurve import (
    BinnedCurve,
    CapCurve,
    CapcurveError,
    CapSketch,
    UndefinedMetricWarning,
    accuracy_ratio_score,
    cap_curve,
    capture_rate_score,
    gain_capture,
    gains_table,
    lift_score,
    perfect_cap_curve,
    pooled_accuracy_ratio_score,
    response_rate_score,
)
from capcurve._engines import query_plans
from capcurve._engines.rows import tally_rows
from capcurve._input.reading import read_columns
from strategies import rankings, weighted_rankings


def ks_score(*data, **options):
    return CapCurve.from_predictions(*data, **options).ks


def curve_accuracy_ratio(*data, **options):
    return CapCurve.from_predictions(*data, **options).accuracy_ratio


def best_tie_order(*data, **options):
    return CapCurve.from_predictions(*data, **options).tie_bounds.best


def worst_tie_order(*data, **options):
    return CapCurve.from_predictions(*data, **options).tie_bounds.worst


def share_for_43_percent(*data, **options):
    # Not a fraction at which a curve stands still: there rounding may take either end.
    return CapCurve.from_predictions(*data, **options).population_share_for(0.4321)


def tidy_gain_capture(y, s, *, sample_weight=None, **options):
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    frame = pl.DataFrame({"y": y, "s": s, "w": weight})
    return gain_capture(frame, "y", "s", case_weights="w", **options)["estimate"][0]


def grouped_gain_capture(y, s, *, sample_weight=None, **options):
    """Compute it in the middle of three groups; the outer ones are others."""
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    weight = np.asarray(weight, dtype=float)
    others = pl.DataFrame({"y": y[::-1], "s": s, "w": np.ones(len(y))})
    frames = [others, pl.DataFrame({"y": y, "s": s, "w": weight}), others]
    frame = pl.concat([f.with_columns(g=pl.lit(i)) for i, f in enumerate(frames)])
    frame = frame.sample(fraction=1, shuffle=True, seed=1)
    result = gain_capture(frame, "y", "s", by="g", case_weights="w", **options)
    return result.filter(pl.col("g") == 1)["estimate"][0]


def pooled_twice(y, s, *, sample_weight=None, **options):
    """Pool two segments of the same rows, whose scores must not be compared."""
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
    return pooled_accuracy_ratio_score(
        np.append(y, y),
        np.append(s, s),
        np.repeat(["first", "second"], len(y)),
        sample_weight=np.append(weight, 3 * weight),
        **options,
    )


def captured_in_the_first_third(y, s, *, sample_weight=None, **options):
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    frame = pl.DataFrame({"y": y, "s": s, "w": weight})
    table = gains_table(frame, "y", "s", case_weights="w", bands=3, **options)
    return table["capture_rate"][0]


def framed(y, s, sample_weight):
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    return pl.DataFrame({"y": y, "s": s, "w": np.asarray(weight, dtype=float)})


def gain_capture_of_a_query(y, s, *, sample_weight=None, **options):
    query = framed(y, s, sample_weight).lazy()
    found = gain_capture(query, "y", "s", case_weights="w", **options)
    return found["estimate"][0]


def counted_in_bins(y, s, *, sample_weight=None, read, **options):
    """Count in bins so coarse that they hold several scores."""
    query = framed(y, s, sample_weight).lazy()
    with mock.patch.multiple(query_plans, BITS=1, GRID=2.0):
        curve = BinnedCurve.from_frame(
            query, "y", "s", case_weights="w", exact_at=(0.3,), **options
        )
    return read(curve)


def sketched(y, s, *, sample_weight=None, descending=True, **options):
    half = len(y) // 2
    sketches = [CapSketch(descending=descending, **options) for _ in range(2)]
    for sketch, rows in zip(sketches, (slice(half), slice(half, None)), strict=True):
        weight = None if sample_weight is None else sample_weight[rows]
        sketch.update(y[rows], s[rows], sample_weight=weight)
    return sketches[0].merge(sketches[1]).accuracy_ratio.value


COUNTED = {
    "accuracy_ratio and ks": lambda curve: [curve.accuracy_ratio.value, curve.ks.value],
    "capture_rate at 30 %": lambda curve: curve.capture_rate_at(0.3).value,
}


# Few scores are drawn, so that a score may look like predicted labels.
pytestmark = [
    pytest.mark.filterwarnings("ignore:`y_score` should rank rows"),
    pytest.mark.filterwarnings("ignore:.* look swapped"),
]

respond = partial(response_rate_score, fraction=0.3)  # which has the unit of the outcome

# name: (score, value of a constant score, value of the target as score)
SCORES = {
    "accuracy_ratio": (accuracy_ratio_score, 0, 1),
    "accuracy_ratio of the curve": (curve_accuracy_ratio, 0, 1),
    "ks": (ks_score, 0, 1),
    "capture_rate at 30 %": (partial(capture_rate_score, fraction=0.3), 0.3, None),
    "lift at 30 %": (partial(lift_score, fraction=0.3), 1, None),
    "response rate at 30 %": (respond, None, None),
    "share for 43 %": (share_for_43_percent, 0.4321, None),
    "gain_capture": (tidy_gain_capture, 0, 1),
    "gain_capture of a group": (grouped_gain_capture, 0, 1),
    "pooled accuracy_ratio": (pooled_twice, 0, 1),
    "gains_table": (captured_in_the_first_third, 1 / 3, None),
    "best tie order": (best_tie_order, 1, 1),
    "worst tie order": (worst_tie_order, -1, 1),
}
QUERIES = {
    "accuracy_ratio of a sketch": (sketched, 0, 1),
    "gain_capture of a query": (gain_capture_of_a_query, 0, 1),
    **{
        f"{name}, counted in bins": (partial(counted_in_bins, read=read), *known)
        for (name, read), known in zip(
            COUNTED.items(), (([0, 0], [1, 1]), (0.3, None)), strict=True
        )
    },
}
every = [
    *(pytest.param(*each, id=name) for name, each in SCORES.items()),
    *(
        pytest.param(*each, id=name, marks=pytest.mark.engines)
        for name, each in QUERIES.items()
    ),
]
ANTISYMMETRIC = {
    "accuracy_ratio": (accuracy_ratio_score, accuracy_ratio_score),
    "accuracy_ratio of the curve": (curve_accuracy_ratio, curve_accuracy_ratio),
    "gain_capture of a group": (grouped_gain_capture, grouped_gain_capture),
    "pooled accuracy_ratio": (pooled_twice, pooled_twice),
    "tie orders": (best_tie_order, worst_tie_order),
}

close = partial(pytest.approx, rel=1e-12, abs=1e-12)
every_score = pytest.mark.parametrize(
    "score", [pytest.param(each.values[0], id=each.id, marks=each.marks) for each in every]
)
every_ratio = pytest.mark.parametrize(
    "score",
    [
        pytest.param(each.values[0], id=each.id, marks=each.marks)
        for each in every
        if each.values[0] is not respond
    ],
)


@every_score
@given(ranking=weighted_rankings(), seed=st.integers(0, 99))
def test_row_order_is_irrelevant(score, ranking, seed):
    y, s, w = ranking
    i = np.random.default_rng(seed).permutation(len(y))
    assert score(y[i], s[i], sample_weight=w[i]) == close(score(y, s, sample_weight=w))


@every_score
@given(ranking=rankings())
def test_increasing_maps_of_the_score_change_nothing(score, ranking):
    y, s = ranking
    ranks = np.unique(s, return_inverse=True)[1]
    expected = score(y, s)
    for mapped in (
        np.arctan(ranks),
        ranks**3 - 5,
        np.exp(ranks - 700.0),
        ranks.astype("u1"),
    ):
        assert score(y, mapped) == close(expected)


LARGE = 2**62, 2**70, Decimal("1e25"), Fraction(10**30, 7), np.longdouble(2) ** 60, 1e300


@pytest.mark.parametrize("score", [accuracy_ratio_score, curve_accuracy_ratio, ks_score])
@given(ranking=rankings(), start=st.sampled_from(LARGE), step=st.sampled_from([1, 2**50]))
def test_scores_of_any_size_are_compared_as_they_are_or_refused(
    score, ranking, start, step
):
    y, s = ranking
    ranks = np.unique(s, return_inverse=True)[1]
    large = [start + type(start)(step) * rank for rank in ranks.tolist()]
    if len(set(large)) < len(set(ranks)):  # as floats, before they came to us
        return
    with contextlib.suppress(CapcurveError):
        assert score(y, large) == close(score(y, s))


@every_score
@given(ranking=rankings(), data=st.data())
def test_integer_weight_means_repetition_and_zero_removal(score, ranking, data):
    y, s = ranking
    counts = st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)).map(np.array)
    w = data.draw(counts.filter(lambda w: len(set(y.repeat(w))) > 1))
    assert score(y, s, sample_weight=w) == close(score(y.repeat(w), s.repeat(w)))


@every_score
@given(ranking=rankings())
def test_equal_weights_are_no_weights(score, ranking):
    y, s = ranking
    expected = score(y, s)
    for weight in (1, 0.37, 1e9):
        assert score(y, s, sample_weight=np.full(len(y), weight)) == close(expected)


@every_score
@given(ranking=weighted_rankings())
def test_halving_a_row_changes_nothing(score, ranking):
    y, s, w = ranking
    halved = score(
        np.r_[y, y[:1]], np.r_[s, s[:1]], sample_weight=np.r_[w[0] / 2, w[1:], w[0] / 2]
    )
    assert halved == close(score(y, s, sample_weight=w))


@every_score
@given(ranking=weighted_rankings())
def test_low_scores_first_is_the_negated_score(score, ranking):
    y, s, w = ranking
    ascending = score(y, s, sample_weight=w, descending=False)
    assert ascending == close(score(y, -s, sample_weight=w))


@every_ratio
@given(ranking=weighted_rankings(kinds=["events"]))
def test_amounts_of_zero_and_one_are_labels(score, ranking):
    y, s, w = ranking
    as_amounts = score(2.5 * y, s, sample_weight=w)
    assert as_amounts == close(score(y, s, sample_weight=w))
    named = np.where(y == 1, "bad", "good")
    assert score(named, s, sample_weight=w, pos_label="bad") == close(as_amounts)


@every_ratio
@given(
    ranking=weighted_rankings(kinds=["amounts"]), scale=st.sampled_from([1e-6, 3.0, 1e8])
)
def test_the_unit_of_an_amount_is_irrelevant(score, ranking, scale):
    y, s, w = ranking
    assert score(scale * y, s, sample_weight=w, target_type="continuous") == close(
        score(y, s, sample_weight=w, target_type="continuous")
    )


@given(
    ranking=weighted_rankings(kinds=["amounts"]), scale=st.sampled_from([1e-6, 3.0, 1e8])
)
def test_a_response_rate_has_the_unit_of_the_amount(ranking, scale):
    y, s, w = ranking
    options = {"sample_weight": w, "target_type": "continuous"}
    assert respond(scale * y, s, **options) == close(scale * respond(y, s, **options))


@given(ranking=weighted_rankings())
def test_the_response_rate_of_a_constant_score_is_the_mean(ranking):
    y, s, w = ranking
    expected = np.average(y, weights=w)
    assert respond(y, np.full(len(y), s[0]), sample_weight=w) == close(expected)


@pytest.mark.parametrize(
    ("score", "constant", "_"), [each for each in every if each.values[1] is not None]
)
@given(ranking=weighted_rankings())
def test_a_constant_score_is_random(score, constant, _, ranking):
    y, s, w = ranking
    assert score(y, np.full(len(y), s[0]), sample_weight=w) == close(constant)


@pytest.mark.parametrize(
    ("score", "_", "perfect"), [each for each in every if each.values[2] is not None]
)
@given(ranking=weighted_rankings())
def test_the_target_as_score_is_perfect(score, _, perfect, ranking):
    y, _, w = ranking
    assert score(y, y, sample_weight=w) == close(perfect)


@pytest.mark.parametrize(
    ("score", "mirrored"), ANTISYMMETRIC.values(), ids=list(ANTISYMMETRIC)
)
@given(ranking=weighted_rankings())
def test_a_negated_score_negates(score, mirrored, ranking):
    y, s, w = ranking
    assert score(y, -s, sample_weight=w) == close(-mirrored(y, s, sample_weight=w))


@pytest.mark.parametrize("score", [accuracy_ratio_score, curve_accuracy_ratio, ks_score])
@given(ranking=weighted_rankings(kinds=["events"]))
def test_swapped_labels_and_a_negated_score_cancel(score, ranking):
    y, s, w = ranking
    assert score(1 - y, -s, sample_weight=w) == close(score(y, s, sample_weight=w))


@given(ranking=weighted_rankings(kinds=["events"]))
def test_accuracy_ratio_is_twice_auc_less_one(ranking):
    y, s, w = ranking
    s = np.unique(s, return_inverse=True)[1]  # scikit-learn refuses infinities
    assert accuracy_ratio_score(y, s) == close(2 * roc_auc_score(y, s) - 1)
    weighted = 2 * roc_auc_score(y, s, sample_weight=w) - 1
    assert accuracy_ratio_score(y, s, sample_weight=w) == close(weighted)


@given(ranking=rankings(kinds=["events"]))
def test_accuracy_ratio_is_somers_d_of_score_given_outcome(ranking):
    y, s = ranking
    s = np.unique(s, return_inverse=True)[1]
    if len(set(s)) > 1:  # SciPy gives nan for a constant score
        assert accuracy_ratio_score(y, s) == close(somersd(y, s).statistic)


@given(ranking=weighted_rankings())
def test_accuracy_ratio_of_amounts_is_the_gini_of_all_pairs(ranking):
    y, s, w = ranking
    pairs = np.abs(np.subtract.outer(y, y)) * np.outer(w, w)
    agree = np.sign(np.subtract.outer(y, y)) * np.sign(
        np.subtract.outer(*[np.unique(s, return_inverse=True)[1]] * 2)
    )
    expected = (pairs * agree).sum() / pairs.sum()
    assert accuracy_ratio_score(y, s, sample_weight=w) == close(expected)


@given(ranking=weighted_rankings())
def test_tie_bounds_are_reached_by_reordering_ties(ranking):
    y, s, w = ranking
    score = np.unique(s, return_inverse=True)[1] * 1000.0
    bounds = CapCurve.from_predictions(y, s, sample_weight=w).tie_bounds
    assert accuracy_ratio_score(y, score + y, sample_weight=w) == close(bounds.best)
    assert accuracy_ratio_score(y, score - y, sample_weight=w) == close(bounds.worst)


@given(ranking=weighted_rankings(), seed=st.integers(0, 99))
def test_noise_below_all_gaps_stays_within_the_tie_bounds(ranking, seed):
    y, s, w = ranking
    ranks = 2.5 * np.unique(s, return_inverse=True)[1] + 0.5
    noise = np.random.default_rng(seed).uniform(-1e-9, 1e-9, len(y))
    bounds = CapCurve.from_predictions(y, ranks, sample_weight=w).tie_bounds
    found = accuracy_ratio_score(y, ranks + noise, sample_weight=w)
    assert bounds.worst - 1e-12 <= found <= bounds.best + 1e-12


@given(ranking=weighted_rankings())
def test_the_curve_is_monotone_and_never_above_perfect(ranking):
    y, s, w = ranking
    share, captured, thresholds = cap_curve(y, s, sample_weight=w)
    assert (share[0], captured[0], thresholds[0]) == (0, 0, np.inf)
    assert (share[-1], captured[-1]) == (1, 1)
    assert np.all(np.diff(share) > 0)
    assert np.all(np.diff(captured) >= 0)
    assert np.all(np.diff(thresholds[1:]) < 0)
    best = np.interp(share, *perfect_cap_curve(y, sample_weight=w))
    assert np.all(captured <= best + 1e-12)


@given(ranking=weighted_rankings())
def test_leaving_out_straight_points_keeps_the_line(ranking):
    y, s, w = ranking
    share, captured, _ = cap_curve(y, s, sample_weight=w)
    kept = cap_curve(y, s, sample_weight=w, drop_intermediate=True)
    assert np.interp(share, kept.population_share, kept.capture_rate) == close(captured)
    assert set(kept.thresholds) <= {np.inf, *s}


@given(ranking=weighted_rankings(), cells=st.integers(1, 12))
def test_thinning_keeps_the_ends_and_errs_by_less_than_a_cell(ranking, cells):
    y, s, w = ranking
    path = CapCurve.from_predictions(y, s, sample_weight=w).profile
    thin = path.thinned(cells)
    assert [thin.population_share[i] for i in (0, -1)] == [0, 1]
    assert (
        np.abs(np.interp(path.population_share, *thin) - path.capture_rate).max()
        < 1 / cells
    )
    assert len(thin.population_share) <= 4 * cells + 2


@given(ranking=weighted_rankings(), data=st.data())
def test_merged_tallies_are_the_tally_of_the_whole(ranking, data):
    y, s, w = ranking
    cut = data.draw(st.integers(1, len(y) - 1))
    descending = data.draw(st.booleans())

    def tally(rows):
        return tally_rows(
            read_columns(
                y[rows],
                s[rows],
                sample_weight=w[rows],
                target_type="continuous",
                descending=descending,
            )
        )

    whole = tally(slice(None))
    merged = tally(slice(cut)).merge(tally(slice(cut, None)), descending=descending)
    assert merged.score.tolist() == whole.score.tolist()
    assert merged.weight == close(whole.weight)
    assert merged.target == close(whole.target)
    assert merged.concordance_surplus == close(whole.concordance_surplus)


@given(ranking=weighted_rankings(), data=st.data())
def test_groups_are_filters(ranking, data):
    y, s, w = ranking
    groups = st.lists(st.sampled_from([None, "a", "b"]), min_size=len(y), max_size=len(y))
    group = data.draw(groups)
    frame = pl.DataFrame(
        {"y": y, "s": s, "w": w, "g": group}, schema_overrides={"g": pl.String}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        result = gain_capture(
            frame, "y", "s", by="g", case_weights="w", target_type="continuous"
        )
        for key, value in zip(result["g"], result["estimate"], strict=True):
            rows = np.array([own == key for own in group])
            alone = accuracy_ratio_score(
                y[rows], s[rows], sample_weight=w[rows], target_type="continuous"
            )
            assert value == pytest.approx(alone, rel=1e-12, abs=1e-12, nan_ok=True)
    assert result["g"].to_list() == list(dict.fromkeys(group))


@given(ranking=weighted_rankings())
def test_reading_there_and_back(ranking):
    y, s, w = ranking
    curve = CapCurve.from_predictions(y, s, sample_weight=w)
    for captured in np.linspace(0, 1, 8):
        share = curve.population_share_for(captured)
        assert curve.capture_rate_at(share) == close(captured)
        before = np.nextafter(share, 0)
        assert curve.capture_rate_at(max(0, before - 1e-9)) <= captured
