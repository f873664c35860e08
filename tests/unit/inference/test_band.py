"""Bands: what they hold, how they are made, and how they are drawn."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from scipy import stats

from capcurve import (
    Band,
    CapCurve,
    CAPCurveDisplay,
    CapcurveError,
    FewEventsWarning,
    LiftCurveDisplay,
    capture_rate_interval,
    random_band,
)
from capcurve._inference import band as band_module
from capcurve._inference.band import join_short_steps
from capcurve._inference.bootstrap import join_pure_runs
from capcurve._inference.ks import MAX_LATTICE_STEPS, ks_critical_value, ks_p_value
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
Y, S = LOANS["default"], LOANS["champion_pd"]
CURVE = CapCurve.from_predictions(Y, S)
KINDS = pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])


# statistics of the note: events, rows, half-width on the scale of the capture rate
@pytest.mark.parametrize(
    ("events", "rows", "width"),
    [
        (10, 100, 0.4),
        (10, 500, 0.406),
        (20, 1000, 0.292),
        (50, 500, 0.18),  # the note has 0.178, which chance reaches in 5.3 %
        (100, 1000, 0.128),
    ],
)
def test_the_simultaneous_random_band_has_the_published_width(events, rows, width):
    band = random_band(events, rows - events, kind="simultaneous")
    assert band.high[250] - 0.5 == pytest.approx(width, abs=6e-4)
    assert 0.5 - band.low[250] == pytest.approx(width, abs=6e-4)


@pytest.mark.parametrize(("m", "n"), [(3, 5), (12, 30), (25, 25)])
def test_the_critical_value_is_reached_just_often_enough(m, n):
    reach = ks_critical_value(0.95, m, n)
    assert ks_p_value(reach, m, n) <= 0.05
    step = np.gcd(m, n) / (m * n)
    assert ks_p_value(reach - step, m, n) > 0.05


def test_many_rows_take_the_limit_for_one_sample():
    m = int(np.sqrt(MAX_LATTICE_STEPS))
    reach = ks_critical_value(0.95, m, 4 * m)
    assert reach * np.sqrt(m * 4 / 5) == pytest.approx(1.358, rel=0.01)
    assert ks_p_value(reach, m, 4 * m) == pytest.approx(0.05, rel=1e-3)
    assert ks_p_value(0.9, 200, 300) < 1e-60


def test_the_pointwise_random_band_is_hypergeometric():
    band = random_band(40, 460, confidence_level=0.9)
    for point in (50, 125, 250, 400):
        taken = round(500 * band.population_share[point])
        chance = stats.hypergeom(500, 40, taken)
        limits = chance.ppf([0.05, 0.95]) / 40
        assert [band.low[point], band.high[point]] == pytest.approx(limits)
    assert (band.low[0], band.high[0], band.low[-1], band.high[-1]) == (0, 0, 1, 1)


def test_between_whole_rows_the_random_band_is_straight():
    band = random_band(3, 7, confidence_level=0.9)
    rows = np.linspace(0, 10, 11)
    corners = np.searchsorted(band.population_share, rows / 10 - 1e-9)
    for limit in (band.low, band.high):
        straight = np.interp(10 * band.population_share, rows, limit[corners])
        assert limit == pytest.approx(straight)
    assert len(set(band.high.round(9))) > 4


@KINDS
def test_useless_scores_stay_inside(kind):
    rng = np.random.default_rng(7)
    band = random_band(30, 270, kind=kind)
    y = np.arange(300) < 30
    inside = []
    for _ in range(400):
        curve = CapCurve.from_predictions(y, rng.random(300))
        height = np.interp(band.population_share, *curve.profile)
        held = (band.low - 1e-9 <= height) & (height <= band.high + 1e-9)
        inside.append(held.all() if kind == "simultaneous" else held[250])
    assert np.mean(inside) == pytest.approx(0.96, abs=0.03)


def test_the_pointwise_band_is_the_interval_at_each_share():
    band = CURVE.band(confidence_level=0.9)
    for point in (5, 50, 250, 450):
        share = band.population_share[point]
        found = capture_rate_interval(Y, S, fraction=share, confidence_level=0.9)
        assert (band.low[point], band.high[point]) == pytest.approx((found.low, found.high))
    assert repr(band) == "Band(90 % pointwise around the curve, points=501)"


def test_the_simultaneous_band_is_wider_and_of_one_width():
    pointwise, band = CURVE.band(), CURVE.band("simultaneous", random_state=1)
    middle = slice(100, 250)
    width = band.high[middle] - band.low[middle]
    assert np.ptp(width) < 1e-12
    assert np.all(width > (pointwise.high - pointwise.low)[middle])
    rate = stats.binomtest(453, 10_000).proportion_ci(0.999, "wilson").low
    assert np.all(band.high <= band.population_share / rate + 1e-9)
    assert np.any(band.high > np.interp(band.population_share, *CURVE.perfect))
    again = CURVE.band("simultaneous", random_state=np.random.default_rng(1))
    assert again.low.tolist() == band.low.tolist()


@KINDS
def test_a_band_is_frozen(kind):
    band = random_band(10, 90, kind=kind)
    with pytest.raises(ValueError, match="read-only"):
        band.low[0] = 1
    with pytest.raises(AttributeError):
        band.low = 1
    assert isinstance(band, Band)


@pytest.mark.parametrize(
    "options", [{"sample_weight": LOANS["exposure"]}, {"y_true": LOANS["loss"]}]
)
def test_curves_of_amounts_and_weights_have_no_band(options):
    curve = CapCurve.from_predictions(**{"y_true": Y, "y_score": S, **options})
    with pytest.raises(
        CapcurveError, match="a band requires a curve of unweighted 0/1 events, got"
    ):
        curve.band()
    with pytest.raises(
        CapcurveError, match="`random_band='pointwise'` requires a curve of unweighted 0/1"
    ):
        curve.plot(plt.figure().subplots(), random_band="pointwise")
    curve.plot(plt.figure().subplots(), random_band=random_band(100, 900))
    plt.close("all")


@pytest.mark.parametrize("option", ["band", "random_band"])
@pytest.mark.parametrize("band", [True, 0.95, "both"])
def test_what_is_no_band_is_not_drawn(option, band):
    with pytest.raises(
        CapcurveError, match=f"`{option}` must be 'pointwise' or 'simultaneous', got"
    ):
        CURVE.plot(plt.figure().subplots(), **{option: band})
    plt.close("all")


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
@pytest.mark.parametrize("n", [0, -1, 2.5, "many", True])
def test_numbers_of_replicates_that_make_no_sense_are_refused(kind, n):
    with pytest.raises(
        CapcurveError, match="`n_resamples` must be a positive whole number, got"
    ):
        CURVE.band(kind, n_resamples=n)


def test_what_can_not_be_is_refused():
    with pytest.raises(CapcurveError, match="`kind` must be 'pointwise' or 'simultan"):
        CURVE.band("both")
    with pytest.raises(CapcurveError, match="`kind` must be"):
        random_band(1, 1, kind="both")
    with pytest.raises(
        CapcurveError, match="`n_events` must be a positive whole number, got 0"
    ):
        random_band(0, 5)
    with pytest.raises(CapcurveError, match="`confidence_level` must lie between"):
        CURVE.band(confidence_level=95)
    with pytest.raises(CapcurveError, match="`confidence_level` must lie between"):
        CURVE.band(confidence_level="95 %")
    with pytest.raises(CapcurveError, match=r"`kind` must be .*, got \['pointwise'\]; the"):
        CURVE.band(["pointwise"])


@pytest.mark.slow
@pytest.mark.parametrize("display", [CAPCurveDisplay, LiftCurveDisplay])
@pytest.mark.parametrize("normalize_scale", [True, False])
def test_bands_are_filled_and_named_once(display, normalize_scale):
    drawn = display([CURVE, CURVE]).plot(
        curve_kwargs=[{}, {}],
        band=CURVE.band("simultaneous", n_resamples=20),
        random_band="pointwise",
        normalize_scale=normalize_scale,
    )
    labels = drawn.ax_.get_legend_handles_labels()[1]
    assert labels.count("95% confidence band (simultaneous)") == 1
    assert labels.count("95% band of a random score (pointwise)") == 1
    filled = drawn.ax_.collections
    assert len(filled) == 3  # the band of a random score is the same for both
    bands = [each for each in filled if each.get_gid() == "capcurve-band"]
    first, second = (each.get_facecolor()[0][:3].tolist() for each in bands)
    assert first != second
    plt.close(drawn.figure_)


def test_a_filled_band_has_the_limits_of_the_band():
    drawn = CAPCurveDisplay.from_predictions(Y, S, band="pointwise")
    (filled,) = drawn.ax_.collections
    points = filled.get_paths()[0].vertices
    band = CURVE.band()
    at = np.isclose(points[:, 0], 0.5)
    heights = sorted(set(points[at, 1].round(9)))
    assert heights == pytest.approx([band.low[250], band.high[250]], abs=1e-8)
    plt.close(drawn.figure_)


@pytest.mark.parametrize(("events", "kind"), [(12, "12 events"), (288, "12 non-events")])
def test_few_events_are_told(events, kind):
    y = (np.arange(300) < events).astype(int)
    with pytest.warns(FewEventsWarning, match=f"the band is based on {kind} "):
        CapCurve.from_predictions(y, np.arange(300) % 97).band()


def test_the_steps_of_a_large_sample_are_joined_without_changing_the_band(monkeypatch):
    rng = np.random.default_rng(7)
    score = rng.random(60_000)
    event = rng.random(60_000) < score**2
    curve = CapCurve.from_predictions(event, score)
    joined = join_short_steps(join_pure_runs(curve.tally))
    assert 2000 < len(joined) <= 4097
    assert (joined.weight.sum(), joined.target.sum()) == (60_000, event.sum())
    share = np.linspace(0, 1, 501)
    profiles = [
        CapCurve(each, each.events_first()).profile for each in (curve.tally, joined)
    ]
    heights = [np.interp(share, *profile) for profile in profiles]
    assert np.abs(heights[0] - heights[1]).max() < 1 / 2048
    band = curve.band("simultaneous", n_resamples=400, random_state=1)
    monkeypatch.setattr(band_module, "MAX_STEPS", 1 << 20)
    full = curve.band("simultaneous", n_resamples=400, random_state=1)
    widths = [(each.high - each.low).max() for each in (band, full)]
    assert widths[0] == pytest.approx(widths[1], rel=0.08)  # of another 400 replicates
    assert widths[0] != widths[1]
