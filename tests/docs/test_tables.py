"""The tables of the reference hold: code runs, and numbers are those of the library."""

import contextlib
import io
import re
import warnings

import numpy as np
import polars as pl
import pytest

import capcurve
from capcurve.datasets import make_portfolio
from docs.pages import code_of, read

CODE = re.compile(r"`([^`]+)`")
SIZE, EVENTS = 100, 20


def rows_of(name, header):
    """Give the cells of the rows below a header."""
    rows = None
    for line in read(name).splitlines():
        if line.startswith(header):
            rows = []
        elif rows is not None and line.startswith("| ") and "---" not in line:
            rows.append([cell.strip() for cell in line.strip("| ").split(" | ")])
        elif rows is not None and not line.startswith("|"):
            yield from rows
            rows = None


def names_of(page):
    names = {}
    for code in code_of(page):
        exec(code.text, names)  # noqa: S102 -- the code of our own page
    return names


METRICS = list(rows_of("reference/metrics.md", "| metric | code |"))


def measure(code, score):
    names = {name: getattr(capcurve, name) for name in capcurve.__all__}
    outcome = np.repeat([1, 0], [EVENTS, SIZE - EVENTS])
    return eval(  # noqa: S307 -- the code of our own page
        CODE.match(code)[1],
        names,
        {"y": outcome, "s": score, "segments": np.arange(SIZE) % 2},
    )


@pytest.mark.parametrize("row", METRICS, ids=lambda row: row[1])
def test_metrics_have_the_numbers_of_their_cards(row):
    _, code, lowest, highest, *shown = row
    best = np.arange(SIZE, 0, -1.0)
    scores = best, np.ones(SIZE), -best
    assert [measure(code, score) for score in scores] == pytest.approx(
        [float(number) for number in shown], abs=1e-12
    )
    rng = np.random.default_rng(0)
    found = [measure(code, rng.integers(0, 9, SIZE)) for _ in range(200)]
    assert float(lowest) <= min(found) < max(found) <= float(shown[0]) <= float(highest)


def test_all_metrics_are_read():
    assert len(METRICS) == 9


def test_scikit_learn():
    page = "reference/from_scikit_learn.md"
    names = names_of(page)
    equal = 0
    for theirs, ours, note in rows_of(page, "| scikit-learn | capcurve |"):
        values = [eval(code[1], names) for code in map(CODE.match, (theirs, ours)) if code]  # noqa: S307
        if note.startswith("the same"):
            assert values[1] == pytest.approx(values[0], abs=1e-12), ours
            equal += 1
        if note == "twice the one less 1":
            assert values[1] == pytest.approx(2 * values[0] - 1, abs=1e-12)
            equal += 1
    assert equal == 7


@pytest.mark.parametrize(
    ("page", "header", "count"),
    [
        ("from_yardstick", "| yardstick | capcurve |", 18),
        ("from_proc", "| pROC | capcurve |", 12),
        ("from_rocr", "| ROCR | capcurve |", 7),
        ("from_rocr", "| InformationValue | capcurve |", 8),
        ("from_sas_and_matlab", "| SAS | capcurve |", 11),
        ("from_sas_and_matlab", "| MATLAB | capcurve |", 8),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_row_runs(page, header, count):
    names = names_of(f"reference/{page}.md")
    ran = 0
    for _, ours, *_ in rows_of(f"reference/{page}.md", header):
        code = CODE.fullmatch(ours)
        if code and re.search(r"[(.]", code[1]):
            with contextlib.redirect_stdout(io.StringIO()):
                assert eval(code[1], names) is not None  # noqa: S307 -- our own page
            ran += 1
    assert ran == count


@pytest.mark.parametrize("last", ["metrics.unpivot", "metrics.melt"])
def test_the_table_of_several_metrics_has_every_fold(last):
    recipe = next(
        code.text for code in code_of("reference/from_yardstick.md") if last in code.text
    )
    names = names_of("reference/from_yardstick.md")
    folds = ["a", "a", "a", "a", None, None, None, "c"]
    score = [0.9, 0.8, 0.7, 0.6, 0.4, 0.4, 0.2, None]
    names["two_classes"] = names["two_classes"].with_columns(
        fold=pl.Series(folds), p_yes=pl.Series(score)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        exec(recipe, names)  # noqa: S102 -- the code of our own page
    metrics = pl.DataFrame(names["metrics"])
    found = {row["fold"]: row for row in metrics.to_dicts()}
    assert set(found) == {"a", None, "c"}
    assert found[None]["ks"] == pytest.approx(0.5)
    assert found["c"]["ks"] is None


def test_the_columns_of_a_curve_are_those_that_the_page_names():
    names = names_of("reference/from_yardstick.md")
    columns = names["gain_curve"](names["two_classes"], "truth", "p_yes").columns
    table = read("reference/from_yardstick.md")
    for column in ("n", "n_events", "population_share", "capture_rate", "threshold"):
        assert column in columns
        assert f"`{column}`" in table


def test_the_front_page_says_what_its_picture_shows():
    loans = make_portfolio()
    captured = capcurve.capture_rate_score(
        loans["default"], loans["champion_pd"], fraction=0.1
    )
    said = f"{100 * captured:.1f} %"
    assert read("index.md").count(said) == 2
