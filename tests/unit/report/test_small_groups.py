"""Groups of few events, of few non-events, and of a single one: what is said of them."""

import numpy as np
import polars as pl
import pytest

from capcurve import report

pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
RANDOM = np.random.default_rng(3)


def make(counts, **columns):
    """Make rows of groups with so many events and non-events each."""
    y, group = [], []
    for name, (events, others) in counts.items():
        y += [1] * events + [0] * others
        group += [name] * (events + others)
    score = RANDOM.normal(size=len(y)) + np.array(y) / 2
    return pl.DataFrame({"y": y, "s": score, "g": group, **columns})


def list_statuses(facts):
    (split,) = facts["segments"]
    return [row["status"] for row in split["groups"]]


def test_few_non_events_are_called_that_everywhere():
    made = report(make({"A": (194, 10), "B": (180, 12)}), "y", "s", by="g")
    assert list_statuses(made.facts) == ["few non-events"] * 2
    text = str(made.facts["findings"])
    assert "These groups have few non-events" in text
    assert "few non-events" in made.to_html()
    made.write("r.xlsx")


def test_of_weighted_rows_the_class_with_fewer_in_effect_is_named():
    rows = make({"A": (30, 60), "B": (90, 90)})
    heavy = (pl.col("g") == "A") & (pl.col("y") == 0) & (pl.int_range(90 + 180) < 33)
    rows = rows.with_columns(w=pl.when(heavy).then(900.0).otherwise(1.0))
    made = report(rows, "y", "s", by="g", case_weights="w")
    assert list_statuses(made.facts) == ["few non-events", None]
    rows = rows.with_columns(w=pl.when(pl.int_range(270) < 3).then(900.0).otherwise(1.0))
    made = report(rows, "y", "s", by="g", case_weights="w")
    assert list_statuses(made.facts) == ["few events", None]


@pytest.mark.parametrize(("method", "is_marked"), [("beta", True), ("exact", False)])
def test_distribution_free_limits_of_a_single_event_are_marked(method, is_marked):
    rows = make({"A": (1, 90), "B": (40, 90)})
    made = report(rows, "y", "s", by="g", method=method)
    (split,) = made.facts["segments"]
    first, second = split["groups"]
    assert (first["has_free_limits"], second["has_free_limits"]) == (is_marked, False)
    assert first["accuracy_ratio"]["method"] == "exact"
    assert ("few events, distribution-free limits" in made.to_html()) == is_marked
    text = " ".join(each["text"] for each in made.facts["methods"])
    assert "where a single event or non-event" in text


def test_a_low_default_portfolio_is_a_small_sample():
    rows = make({"A": (9, 400)}).with_columns(t=pl.col("s").reverse())
    made = report(rows, "y", "s", compare="t", initial_auc=0.9)
    assert [row["n_minority"] for row in made.facts["initial"]] == [9]
    texts = {each["topic"]: each["text"] for each in made.facts["findings"]}
    for topic in ("challenger", "initial"):
        assert "The sample is small for this test" in texts[topic]
        assert "A small part of the sample" not in texts[topic]


def test_a_report_with_implied_ratios_says_that_events_are_taken_as_independent():
    rows = make({"A": (50, 400)}).with_columns(p=1 / (1 + (2 - pl.col("s")).exp()))
    told = "implied AR takes events as independent, given the probabilities."
    rows = rows.with_columns(c=pl.int_range(450) // 2)
    assert told in str(report(rows, "y", "p", implied="p").facts["limitations"])
    assert told not in str(report(rows, "y", "p").facts["limitations"])
    clustered = report(rows, "y", "p", implied="p", clusters="c").facts["limitations"]
    assert "takes events of different clusters as independent" in str(clustered)


def test_a_gate_on_the_lower_limit_is_named_by_it():
    made = report(make({"A": (50, 400)}), "y", "s")
    for is_lower in (True, False):
        judged = made.with_gates(fail_below=0.1, fail_on_lower_bound=is_lower)
        page = judged.to_html()
        assert ("Lower limit of AR reaches the limit" in page) == is_lower
        assert "AR reaches the limit" in page
