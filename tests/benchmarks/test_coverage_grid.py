"""The benchmark of coverage: designs are true, runs can be taken up, bad cells are seen."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from capcurve import CapCurve, accuracy_ratio_score, somers_d_score
from coverage_grid import measures
from coverage_grid.described import DESIGNS
from coverage_grid.designs import (
    BEST_70,
    FIVE,
    RELATION,
    Clustered,
    Facilities,
    Losses,
    LossRates,
    Models,
    binormal,
    exponential,
    graded,
    lognormal,
    student,
    undetectable,
)
from coverage_grid.ledger import Ledger, Line, open_ledger
from coverage_grid.new_questions import BEFORE, FLATTER, MOVED, SIZES_OF_SEGMENTS
from coverage_grid.page import INTRODUCTION, label_of, write_page
from coverage_grid.run import Plan, Run, make_cells, simulations
from coverage_grid.simulation import Simulation, simulate
from coverage_grid.store import Store, digest_source
from coverage_grid.verdict import Cell, find_faults

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
# Mean numbers of facilities of an obligor with a score of 0, and of 1.
SIZES = {
    "equal": (3, 3),
    "geometric": (3, 3),
    "related": (2, 1 + np.exp(0.5)),
    "both": (1 + np.exp(0.5), 1 + np.exp(1)),  # exp(z) is exp(1 / 2) on average
}
LARGE = 30_000  # standard error of AR about 0.005


@pytest.mark.parametrize(
    "design",
    [
        binormal(0.02),
        binormal(0.8, 2),
        binormal(0.95, 0.5),
        exponential(0.9),
        exponential(0.9, mirrored=True),
        lognormal(0.6),
        student(1.5),
        undetectable(0.92, 0.15),
        undetectable(0.97, 0.1, depth=2.5),
        graded(0.6, FIVE),
        graded(0.8, BEST_70),
    ],
    ids=lambda design: design.name,
)
def test_scores_have_the_true_values_that_they_claim(design):
    curve = CapCurve.from_predictions(
        *design.draw(np.random.default_rng(1), LARGE // 2, LARGE)
    )
    assert curve.accuracy_ratio == pytest.approx(design.ratio, abs=0.018)
    assert curve.ks == pytest.approx(design.ks, abs=0.02)
    for share in measures.SHARES:
        true = design.capture(share, 0.5)
        assert curve.capture_rate_at(share) == pytest.approx(true, abs=0.015)


def test_names_say_the_ratio():
    assert binormal(0.3, 2).ratio == pytest.approx(0.3, abs=1e-5)
    assert exponential(0.9).ratio == pytest.approx(0.9, abs=1e-5)
    assert exponential(0.7, mirrored=True).ratio == pytest.approx(0.7, abs=1e-5)
    # 15 % without discrimination leave 85 % of the ratio.
    assert undetectable(0.8, 0.15).ratio == pytest.approx(0.85 * 0.8, abs=1e-5)


@pytest.mark.parametrize(
    "design",
    [undetectable(0.92, 0.15), undetectable(0.97, 0.1), undetectable(0.97, 0.1, depth=2.5)],
    ids=lambda design: design.name,
)
def test_labels_say_the_ratio_of_all_events(design):
    label = label_of(f"{design.name}, 20 of 400")
    assert label.startswith(f"AR {design.ratio:.2f}: ")
    assert label.endswith(" of the others, 20 of 400")
    assert label_of("normal AR 0.9, 20 of 400") == "normal AR 0.9, 20 of 400"


def test_hidden_events_lie_where_the_page_says():
    random = np.random.default_rng(7)
    hidden = undetectable(0.97, 1.0, depth=2.5)
    y, s = hidden.draw(random, LARGE // 2, LARGE)
    below = (1 - accuracy_ratio_score(y, s)) / 2  # share of non-events above an event
    assert f"below {below:.0%}".replace("%", " %") in " ".join(INTRODUCTION.split())


def test_the_page_of_the_documentation_has_the_rows_and_the_introduction_of_the_grid():
    page = PAGE.read_text(encoding="utf-8")
    _, *tables = re.split(r"^## (?!Summary)", page, flags=re.MULTILINE)
    rows = [
        f"{table.splitlines()[0]}: {row}"
        for table in tables
        for row in re.findall(r"^\| (?!---)(\S.*?) \| ", table, re.MULTILINE)
    ]
    labels = [f"{each.table}: {label_of(each.name)}" for each in simulations().values()]
    assert sorted(rows) == sorted(label[0].upper() + label[1:] for label in labels)
    assert not re.search(r"AR 0\.\d+, \d+% of events", page)
    for part in re.split(r"\{.*?\}|\n\n", INTRODUCTION):
        assert part.strip() in page
    assert page.endswith(f"\n\n{DESIGNS}")


def joined(numbers, pattern="{:g}"):
    *first, last = (pattern.format(number) for number in numbers)
    return f"{', '.join(first)} and {last}"


def test_designs_are_described_with_their_numbers():
    losses, facilities = Losses(0.5), Facilities(0.1)
    rest = (1 - facilities.strength**2) ** 0.5
    percent = "{:.0%}"
    for said in (
        f"exp(b s + {measures.NOISE:g} z)",
        f"exp({RELATION:g} s)",
        f"exp({RELATION:g} s + z)",
        joined(FIVE).replace(" and", ","),
        joined(BEST_70).replace(" and", ","),
        f"√{facilities.shared:g} z + √{1 - facilities.shared:g} z",
        f"{facilities.strength:g} x + {rest:g} x'",
        f"{losses.shift:g} + {losses.correlation:g} z + √(1 - {losses.correlation:g}²) z",
        joined(LossRates.shape),
        *(joined(each, percent).replace("%", "") for each in (BEFORE.shares, MOVED.shares)),
        *(joined(each, percent).replace("%", "") for each in (BEFORE.rates, FLATTER)),
        joined(m for m, _ in SIZES_OF_SEGMENTS["5 segments of 20 to 200 events"]),
    ):
        assert said in " ".join(DESIGNS.split()), said


def test_numbers_of_facilities_are_as_described():
    design, random = Clustered("", binormal(0.5), "related"), np.random.default_rng(8)
    s = np.repeat([0.0, 1.0], LARGE)
    sizes = {kind: replace(design, sizes=kind).draw_sizes(random, s) for kind in SIZES}
    for kind, (low, high) in SIZES.items():
        assert sizes[kind].min() >= 1
        means = sizes[kind][:LARGE].mean(), sizes[kind][LARGE:].mean()
        assert means == pytest.approx((low, high), rel=0.05)


@pytest.mark.parametrize("b", [-0.5, 0.5])
def test_weights_move_the_truth_as_claimed(b):
    random, design = np.random.default_rng(2), binormal(0.6, 1.5)
    y, s = design.draw(random, LARGE // 4, LARGE)
    w = measures.weigh(random, s, b)
    curve = CapCurve.from_predictions(y, s, sample_weight=w)
    tilted = design.weighted(b)
    assert curve.accuracy_ratio == pytest.approx(tilted.ratio, abs=0.02)
    true = tilted.capture(0.1, design.weighted_rate(0.25, b))
    assert curve.capture_rate_at(0.1) == pytest.approx(true, abs=0.015)


@pytest.mark.parametrize("sizes", ["equal", "geometric", "lognormal", "related", "both"])
def test_clusters_have_the_ratio_that_they_claim(sizes):
    design = Clustered("", binormal(0.5), sizes)
    y, s, _ = design.draw(np.random.default_rng(3), LARGE // 4, LARGE)
    assert accuracy_ratio_score(y, s) == pytest.approx(design.ratio, abs=0.025)


def test_facilities_have_the_ratio_that_they_claim():
    design = Facilities(0.1)
    y, s, _ = design.draw(np.random.default_rng(4), LARGE // 10, LARGE)
    assert y.mean() == pytest.approx(0.1, abs=0.005)
    assert accuracy_ratio_score(y, s) == pytest.approx(design.ratio, abs=0.02)


@pytest.mark.parametrize("zeros", [0.0, 0.5, 0.9])
def test_amounts_have_the_values_that_they_claim(zeros):
    random = np.random.default_rng(5)
    design = Losses(zeros)
    y, s = design.draw(random, LARGE)
    assert accuracy_ratio_score(y, s) == pytest.approx(design.ratio, abs=0.025)
    assert somers_d_score(y, s) == pytest.approx(design.somers_d, abs=0.015)
    rates = LossRates(zeros)
    y, s, exposure = rates.draw(random, LARGE // 2)
    found = accuracy_ratio_score(y, s, sample_weight=exposure)
    assert found == pytest.approx(rates.ratio, abs=0.05)


def test_models_have_the_ratios_and_the_correlation_that_they_claim():
    design = Models((0.6, 0.3), 0.7, (2.0, 0.5))
    y, (first, second) = design.draw(np.random.default_rng(6), LARGE // 2, LARGE)
    assert accuracy_ratio_score(y, first) == pytest.approx(0.6, abs=0.018)
    assert accuracy_ratio_score(y, second) == pytest.approx(0.3, abs=0.018)
    assert np.corrcoef(first[y], second[y])[0, 1] == pytest.approx(0.7, abs=0.02)


def test_a_run_that_was_stopped_is_taken_up_with_the_same_numbers(tmp_path):
    chosen = [
        each
        for key, each in simulations().items()
        if key.startswith("AR: normal AR 0.6, ") and "of 400" in key
    ] + [simulations()["lift at a share: normal AR 0.6, about 50 of 125"]]
    assert len(chosen) == 2
    plan, path, told = Plan(seed=1, scale=0.01, workers=1), tmp_path / "cells.jsonl", []

    def run(source):
        store = Store(path, source)
        return Run(plan, store, lambda *done: told.append(done)).find_cells(chosen)

    first = run("a")
    assert [cell.line for cell in first[:3]] == ["default", "logit-t", "wald"]
    assert {cell.name for cell in first} == {each.name for each in chosen}
    jobs = len(told)
    kept = path.read_text(encoding="utf-8").splitlines()
    assert len(kept) == jobs
    path.write_text("\n".join([kept[0], kept[1][:40]]), encoding="utf-8")  # cut off
    assert run("a") == first
    assert len(told) == 2 * jobs - 1  # only the first simulation was not run again
    assert run("b") == first  # nothing is read of other code
    assert len(told) == 3 * jobs - 1


def test_other_cells_do_not_change_the_numbers():
    found = simulations()["AR: normal AR 0.6, 30 of 75"]
    assert simulate(found, 5, 1, 0) == simulate(found, 5, 1, 0)
    assert simulate(found, 5, 1, 0) != simulate(found, 5, 1, 1)
    assert simulate(found, 5, 1, 0) != simulate(found, 5, 2, 0)


def test_the_digest_sees_code_but_not_texts(monkeypatch, tmp_path):
    source = tmp_path / "measures.py"
    monkeypatch.setattr("coverage_grid.store.HERE", tmp_path)
    monkeypatch.setattr("coverage_grid.store.PACKAGES", ())
    monkeypatch.setattr("coverage_grid.store.MODULES", ("measures",))
    digests = []
    for text in ("x = 1", '"""A text."""\nx = 1  # a word', "x = 2"):
        source.write_text(text, encoding="utf-8")
        digests.append(digest_source())
    assert digests[0] == digests[1] != digests[2]


def planted(low):
    """Make the cells of an interval of a proportion 0.5 that reaches down to `low`."""

    class Found:
        high = 1.0

        def __init__(self, low):
            self.low = low

    def measure(ledger, random):
        ledger.cover("default", Found(random.random() * low), 0.5)

    simulation = Simulation("planted", f"low {low}", measure, 500)
    return make_cells(simulation, simulate(simulation, 500, 1, 0))


def test_a_bad_cell_is_a_fault():
    assert not find_faults(planted(0.5 / 0.95))  # covers in 95 % of samples
    (fault,) = find_faults(planted(0.5 / 0.8))
    assert "low 0.625" in fault
    assert "instead of 93.5 to 100, with a warning in 0 % of samples" in fault


def counts(goal="95 % interval", *, hits, flagged=0, replications=1000):
    line = Line(goal, replications, hits=hits, flagged=flagged)
    return Cell("table", "design", "default", line)


def test_a_flag_excuses_one_cell_in_ten():
    good, flagged = counts(hits=950), counts(hits=800, flagged=501)
    assert counts(hits=800, flagged=500).fails  # half of the warnings are not enough
    assert not find_faults([good] * 9 + [flagged])
    assert find_faults([good] * 8 + [flagged]) == ["1 of 9 cells need their warning"]


def test_intervals_may_not_be_too_wide_on_average():
    assert find_faults([counts(hits=980)]) == [
        "the mean coverage of 95 % intervals is 98.00 %"
    ]


@pytest.mark.parametrize(
    ("goal", "hits", "clear", "beyond"),
    [
        ("95 % interval", 945, True, False),
        ("95 % interval", 935, False, False),
        ("95 % interval", 916, False, False),
        ("95 % interval", 915, False, True),
        ("95 % interval", 800, True, True),
        ("5 % test", 50, True, False),
        ("5 % test", 30, False, False),
        ("5 % test", 16, False, True),
        ("5 % test", 85, False, True),
        ("5 % exact test", 0, True, False),
        ("99 % interval", 970, False, True),
        ("other interval", 500, True, False),
    ],
)
def test_verdicts_allow_for_the_error_of_the_simulation(goal, hits, clear, beyond):
    cell = counts(goal, hits=hits)
    assert (cell.is_clear, cell.is_beyond) == (clear, beyond)


def test_a_prediction_is_held_against_what_happens():
    ledger = Ledger()
    for i in range(100):
        ledger.predict("power", 0.8, hit=i < 70, warned=False)
    (cell,) = make_cells(Simulation("planning", "one", print, 1), ledger.lines)
    assert (cell.nominal, cell.observed) == (pytest.approx(80), 70)
    assert cell.limits == (pytest.approx(77), pytest.approx(83))


def test_warnings_count_for_the_result_that_they_came_with():
    with open_ledger() as ledger:
        measures.ratio(ledger, np.random.default_rng(1), binormal(0.5), 5, 100)
        y, s = binormal(0.5).draw(np.random.default_rng(1), 50, 100)
        CapCurve.from_predictions(y, s)
        ledger.reject("after", 0.01)
    flagged = {name: line.flagged for name, line in ledger.lines.items()}
    assert flagged["default"] == 1
    assert flagged["after"] == 0


def test_the_page_shows_every_cell():
    bad = counts(hits=900)
    page = write_page([counts(hits=951, flagged=30), bad, counts("5 % test", hits=50)], 7)
    assert "seed 7" in page
    assert "| table | 3 | 1,000 | 90.0 | 92.5 | 1 | 1 | 0 |" in page
    assert "- table: design, default: **90.0 ± 0.9**" in page


def test_the_page_says_how_many_samples_there_are_and_what_is_bold():
    once, again = counts(hits=452, replications=500), counts(hits=916)
    shown = counts("other interval", hits=866)
    aside = Cell("beside", "design", "default", shown.counts)
    page = write_page([once, again, aside, counts("5 % test", hits=84)], 7)
    assert "| table | 3 | 500 or 1,000 |" in page
    assert "| beside | *1* | *1,000* | *86.6* | *86.6* |  |  |  |" in page
    said = dict(re.findall(r"With (.+) samples a 95 % interval is bold (.+\n.+)\.", page))
    assert said == {
        "500": "below 90.7 %,\na 5 % test below 1.1 % or above 9.3 %",
        "1,000": "below 91.6 %,\na 5 % test below 1.7 % or above 8.4 %",
    }
    assert not again.is_beyond
    assert counts(hits=915).is_beyond


def test_every_cell_of_the_grid_runs():
    """One sample of each measure, in its first design."""
    first = {}
    for each in simulations().values():
        first.setdefault(each.measure.func, each)
    for each in first.values():
        lines = simulate(each, 1, 1, 0)
        assert lines, each.key
        assert json.dumps([line.goal for line in lines.values()])
