"""The page of a run: one axis for all intervals, and nothing that is not said."""

import re
from pathlib import Path

import pytest

from capcurve._report.gates import explain_skipped
from capcurve._report.run_facts import Outcome, make_run_facts
from capcurve._report.run_page import WIDTH, Axis, render_run_page

GATE = {"gate": "fail_below", "subject": "pd", "value": 0.5, "limit": 0.4, "text": "is 0.5"}
SPILLED = """
() => [...document.querySelectorAll("th, td")].filter(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const text = range.getBoundingClientRect(), own = cell.getBoundingClientRect();
  return text.left < own.left - 0.5 || text.right > own.right + 0.5;
}).map(cell => cell.innerText)
"""
REST = "all gates but that of the rows left out were skipped"


def make_outcome(
    name,
    *,
    ratio=0.5,
    limits=(0.4, 0.6),
    passed=(),
    error=None,
    facts=True,
    skipped=None,
):
    model = {
        "name": "pd",
        "accuracy_ratio": {
            "value": ratio,
            "low": limits[0],
            "high": limits[1],
            "confidence_level": 0.95,
        },
        "few_events": False,
        "curve": [0] * 1_000,
    }
    found = {
        "title": name,
        "outcome": "events",
        "sample": {"n_rows": 1_000, "n_events": 20},
        "rows": {"read": 1_003, "used": 1_000, "left_out": 3},
        "gates": [{**GATE, "passed": each} for each in passed],
        "models": [model],
        "provenance": {"files": [], "command": "capcurve report"},
    }
    return Outcome(
        name=name,
        files=["a.csv"],
        reports=[Path("out/deep") / f"{name}.html", Path("out/deep") / f"{name}.xlsx"],
        facts=found if facts else None,
        error=error,
        notes=["left out 3 rows"],
        seconds=0.25,
        skipped=skipped,
    )


def render(*outcomes):
    facts = make_run_facts(
        "Night", {"name": "c.toml", "sha256": "9f"}, outcomes, Path("out/index.html"), 1.5
    )
    return facts, render_run_page(facts)


def test_links_are_seen_from_the_folder_of_the_summary():
    facts, page = render(make_outcome("a b"))
    (portfolio,) = facts["portfolios"]
    assert portfolio["reports"] == ["deep/a b.html", "deep/a b.xlsx"]
    assert '<a href="deep/a%20b.html">a b</a>' in page
    assert 'href="deep/a%20b.xlsx">xlsx</a>' in page


def test_intervals_share_an_axis():
    _, page = render(make_outcome("a"), make_outcome("b", ratio=-0.21, limits=(-0.25, 0.1)))
    axis = Axis(-0.3)
    assert (axis(-0.3), axis(1)) == (0, WIDTH)
    assert f'cx="{axis(0.5)}"' in page
    assert f'x1="{axis(-0.25)}" x2="{axis(0.1)}"' in page
    assert "From \N{MINUS SIGN}0.3 to 1" in page
    assert "From 0 to 1" in render(make_outcome("a"))[1]


@pytest.mark.parametrize("limits", [(None, None), (0.4, 0.6)])
def test_what_is_undefined_is_a_dash(limits):
    _, page = render(make_outcome("a", ratio=None, limits=limits))
    assert "<circle" not in page
    assert ("<b>-</b>" in page, page.count(">-</td>")) == (True, limits[0] is None)
    _, page = render(make_outcome("a", limits=limits))
    assert (page.count('class="limits"'), "<circle" in page) == (
        limits[0] is not None,
        True,
    )


def test_verdicts():
    facts, page = render(
        make_outcome("a", passed=(True, None)),
        make_outcome("b", passed=(True, False)),
        make_outcome("c", error="disk full", passed=(True,)),
        make_outcome("d", error="no file", facts=False),
        make_outcome("e"),
    )
    assert [each["status"] for each in facts["portfolios"]] == [
        *("ok", "failed", "error", "error", "ok")
    ]
    assert "1 of 2 passed, 1 skipped" in page
    assert re.search(r'class="problem">is 0\.5<', page)
    assert re.search(r'class="problem">disk full<', page)
    assert re.search(r'class="problem" colspan="7">no file<', page)
    assert ">none<" in page
    order = [page.index(f">{name}</a>") for name in "bcae"]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("ratios", "left_out", "status", "told"),
    [
        ((None,), (True,), "unjudged", REST),
        ((None,), (False,), "failed", REST),
        ((None, None), (None,), "unjudged", "all gates were skipped"),
        ((), (None,), "unjudged", "all gates were skipped"),
        ((None, True), (True,), "ok", "1 of 3 gates was skipped"),
        ((True, None), (None,), "ok", "2 of 3 gates were skipped"),
        ((), (True,), "ok", None),
        ((), (), "ok", None),
    ],
)
def test_rows_left_out_judge_no_score(ratios, left_out, status, told):
    outcome = make_outcome("a", passed=ratios)
    rows = [{**GATE, "gate": "fail_if_left_out", "passed": each} for each in left_out]
    outcome.facts["gates"] += rows
    assert (outcome.status, explain_skipped(outcome.gates)) == (status, told)
    assert (
        make_run_facts("n", {"name": "c", "sha256": "9f"}, [outcome], Path("i"), 1)[
            "totals"
        ][status]
        == 1
    )


def test_skipped_portfolios_are_apart():
    """They are counted apart, and need no columns of numbers but the whole line."""
    _, page = render(
        make_outcome("a", facts=False, skipped="all outcomes are equal"),
        make_outcome("b", passed=(None,)),
        make_outcome("c", passed=(True,)),
    )
    rest, in_order = page.split("Not judged")[1].split("In order")
    unjudged, skipped = rest.split("Skipped")
    assert ('colspan="7">Reason</th>' in skipped, "Score" in skipped) == (True, False)
    assert re.search(r'class="reason" colspan="7">all outcomes are equal<', skipped)
    assert 'class="quiet">0 of 1 passed, 1 skipped<' in unjudged
    assert "<b>1</b> not judged" in page
    assert 'class="passed">1 of 1 passed<' in in_order
    assert "all outcomes are equal" not in in_order


def test_a_summary_keeps_no_curves():
    outcome = make_outcome("a")
    kept = outcome.without_curves()
    assert "curve" not in kept.facts["models"][0]
    assert kept.facts["provenance"] == {"files": []}
    broken = make_outcome("d", error="no file", facts=False)
    assert broken.without_curves() is broken


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("width", [390, 860, 1000, 1125, 1300])
def test_no_text_spills_into_the_next_column(browser, width):
    outcomes = [
        make_outcome("usual", passed=(True, False)),
        make_outcome("below 0", ratio=-0.511, limits=(-0.643, -0.322)),
    ]
    (model,) = outcomes[1].facts["models"]
    model["few_events"] = True
    model["accuracy_ratio"]["method"] = "beta"
    outcomes[1].facts["rows"]["left_out"] = 1_234_567
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_content(render(*outcomes)[1])
    assert page.evaluate(SPILLED) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_events_of_amounts_are_explained():
    told = "Events of amounts are rows above 0."
    assert told not in render(make_outcome("a"))[1]
    amounts = make_outcome("b")
    amounts.facts["outcome"] = "amounts"
    assert told in render(make_outcome("a"), amounts)[1]
