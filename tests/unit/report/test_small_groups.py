"""Groups of few events, of few non-events, and of a single one: what is said of them."""

import re
import warnings

import numpy as np
import polars as pl
import pytest

from capcurve import (
    FewEventsWarning,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    gain_capture,
    report,
)

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
    assert "A and B have few non-events" in text
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


def make_ranked(counts):
    """Make groups of so many events and non-events, and of events below all non-events."""
    y, s, group = [], [], []
    for name, (events, others, below) in counts.items():
        y += [1] * events + [0] * others
        s += (
            [1.0] * (events - below) + [-1.0] * below + list(np.linspace(-0.9, 0.9, others))
        )
        group += [name] * (events + others)
    return pl.DataFrame({"y": y, "s": s, "g": group})


@pytest.mark.parametrize(
    ("method", "is_uncertain"),
    [("beta", False), ("exact", False), ("logit-t", True), ("wald", True), ("bca", True)],
)
def test_few_wrongly_ranked_events_are_no_few_events(method, is_uncertain):
    rows = make_ranked({"A": (200, 800, 2), "B": (60, 600, 20), "C": (60, 600, 25)})
    made = report(rows, "y", "s", by="g", method=method)
    (split,) = made.facts["segments"]
    status = "few wrongly ranked events" if is_uncertain else None
    assert list_statuses(made.facts) == [status, None, None]  # AR of A is 1 - 2 * 2 / 200
    assert split["homogeneity"][0]["left_out"] == []
    told = next(row["text"] for row in made.facts["findings"] if row["topic"] == "segments")
    assert "to 0.980 (A" in told
    assert "leave" not in told
    assert "few events" not in told
    assert ("A has few wrongly ranked events, so its interval may" in told) == is_uncertain
    page = made.to_html()
    assert ("Hollow points: few wrongly ranked events." in page) == is_uncertain
    assert ('<span class="mark">few wrongly ranked events<' in page) == is_uncertain
    assert "few events" not in page
    made.write("r.xlsx")


def test_the_page_says_why_tests_of_groups_may_not_keep_their_level():
    """The mean number of wrongly ranked events is 2, or the groups are small."""
    for counts, told in (
        ({"A": (200, 800, 2), "B": (60, 600, 2)}, "Fewer than 6 wrongly ranked events ("),
        ({"A": (9, 600, 2), "B": (9, 600, 2)}, "The sample is small for this test"),
    ):
        page = report(make_ranked(counts), "y", "s", by="g").to_html()
        assert f'<span class="quiet">{told}' in page


def test_few_wrongly_ranked_events_of_a_model_are_no_few_events():
    rows = make_ranked({"A": (200, 800, 2)})
    made = report(rows, "y", "s", method="logit")
    (model,) = made.facts["models"]
    assert model["few_events"]
    assert "The method logit relies on wrongly ranked events" in str(made.facts["findings"])
    assert '<span class="mark">few wrongly ranked events<' in made.to_html()


def make_heavy(group="A"):
    """Make rows of which three have most of the weight, that are ranked in the middle."""
    places = np.arange(1000)
    return pl.DataFrame(
        {
            "y": (places % 3 == 0).astype(int),
            "s": (places * 37 % 101 + 8 * (places % 3 == 0)).astype(float),
            "w": np.where(np.isin(places, (300, 303, 301)), 30.0, 1.0),
            "g": group,
        }
    )


@pytest.mark.parametrize(
    ("method", "is_uncertain"),
    [("beta", False), ("logit-t", False), ("logit", True), ("wald", True), ("bca", True)],
)
def test_few_degrees_of_freedom_are_few_where_the_method_ignores_them(method, is_uncertain):
    even = make_heavy("B").with_columns(w=1.0)
    rows = pl.concat([make_heavy(), even])
    made = report(rows, "y", "s", by="g", case_weights="w", method=method)
    (model,), facts = made.facts["models"], str(made.facts["findings"])
    assert model["few_events"] == is_uncertain
    assert model["accuracy_ratio"]["degrees_of_freedom"] < 10
    assert ("so the interval may be too narrow" in facts) == is_uncertain
    assert "may cover the true AR" not in facts
    status = "few degrees of freedom" if is_uncertain else None
    assert list_statuses(made.facts) == [status, None]
    assert ("A has few degrees of freedom, so its interval may" in facts) == is_uncertain
    page = made.to_html()
    mark = '<span class="mark">few degrees of freedom<'
    assert page.count(mark) == 2 * is_uncertain
    made.write("r.xlsx")


def make_losses(correlation, group):
    """Make losses of one row in ten; large ones rank by the correlation among these."""
    z, noise = np.random.default_rng(5).standard_normal((2, 1000))
    has_loss = np.arange(1000) < 100
    of_loss = 1.2 + correlation * z + (1 - correlation**2) ** 0.5 * noise
    return pl.DataFrame(
        {
            "y": np.where(has_loss, np.exp(1.2 * z), 0),
            "s": np.where(has_loss, of_loss, noise),
            "g": group,
        }
    )


def test_large_amounts_that_rank_low_are_told():
    rows = pl.concat([make_losses(-0.6, "A"), make_losses(0.4, "B")])
    made = report(rows, "y", "s", by="g")
    status = "large amounts ranked low"
    assert list_statuses(made.facts) == [status, None]
    facts = str(made.facts["findings"])
    assert "A has large amounts ranked low, so its interval may miss more often" in facts
    page = made.to_html()
    assert f'<span class="mark">{status}<' in page
    assert f"Hollow points: {status}." in page
    made.write("r.xlsx")


def test_large_amounts_that_rank_low_are_told_of_all_rows():
    made = report(make_losses(-0.6, "A"), "y", "s")
    (model,) = made.facts["models"]
    assert model["few_events"]
    assert model["accuracy_ratio"]["large_ranked_low"]
    told = "Among the amounts above 0 large ones rank low, so one that is larger than these"
    assert told in str(made.facts["findings"])
    assert '<span class="mark">large amounts ranked low<' in made.to_html()


def test_large_amounts_that_rank_low_are_told_of_groups_in_frames():
    rows = pl.concat([make_losses(-0.6, "A"), make_losses(0.4, "B")])
    with pytest.warns(FewEventsWarning, match="where large amounts rank low, so .*: g A$"):
        gain_capture(rows, "y", "s", by="g", confidence_level=0.95)


def test_few_degrees_of_freedom_are_told_of_intervals():
    rows = make_heavy()
    named = {"y_true": rows["y"], "y_score": rows["s"], "sample_weight": rows["w"]}
    with pytest.warns(FewEventsWarning, match="degrees of freedom .fewer than 10., as few"):
        accuracy_ratio_interval(**named, method="logit")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        accuracy_ratio_interval(**named)


def test_few_non_events_of_a_model_are_called_that():
    rows = make({"A": (194, 10)}).with_columns(t=pl.col("s").reverse())
    made = report(rows, "y", "s", compare="t")
    assert made.facts["models"][0]["few_events"]
    assert '<span class="mark">few non-events<' in made.to_html()


def test_few_wrongly_ranked_rows_of_amounts_are_called_that():
    random = np.random.default_rng(3)
    amount = random.lognormal(size=300)
    rows = pl.DataFrame({"y": amount, "s": amount + random.normal(size=300) / 50})
    rows = rows.with_columns(g=pl.int_range(300) % 2)
    made = report(rows, "y", "s", by="g", method="wald")
    assert list_statuses(made.facts) == ["few wrongly ranked events"] * 2
    assert "g 0 and g 1 have few effective pairs ranked wrongly" in str(
        made.facts["findings"]
    )
    page = made.to_html()
    assert "Hollow points: few effective pairs ranked wrongly." in page
    assert '<span class="mark">fewer than 10 of ' in page
    made.write("r.xlsx")


def test_hollow_points_of_amounts_count_pairs_as_the_table_does():
    random = np.random.default_rng(3)
    amount = random.lognormal(size=60)
    rows = pl.DataFrame({"y": amount, "s": amount + random.normal(size=60)})
    page = report(rows.with_columns(g=pl.int_range(60) % 2), "y", "s", by="g").to_html()
    assert (
        "Hollow points: few effective pairs of rows (fewer than 20: those of about 40 rows "
        "of equal weight, or of more rows with unequal amounts, weights or clusters)."
    ) in page
    assert "effective rows" not in page


def test_the_group_with_the_lowest_ratio_may_have_few_wrongly_ranked_events():
    rows = make_ranked({"A": (200, 800, 198), "B": (60, 600, 20), "C": (5, 600, 5)})
    (split,) = report(rows, "y", "s", by="g", method="wald").facts["segments"]
    assert split["weakest"][0]["group"] == "A"  # C has few events


def test_groups_whose_events_are_all_in_one_cluster_were_not_tested_for_that_reason():
    rows = make({"A": (20, 90), "B": (40, 90)})
    cluster = pl.when(pl.col("y") == 1).then(-1).otherwise(pl.int_range(240))
    rows = rows.with_columns(c=cluster, t=pl.col("g").replace({"A": "2023", "B": "2024"}))
    found = report(rows, "y", "s", by="g", period="t", clusters="c").facts
    told = {each["topic"]: each["text"] for each in found["findings"]}
    why = "not tested, as all events are in one cluster, which shows no variance of AR."
    assert f"; differences were {why}" in told["segments"]
    assert f"A trend over periods was {why}" in told["trend"]


def test_the_weakest_group_is_the_lowest_that_the_finding_names():
    rows = make_ranked({"A": (60, 600, 50), "B": (8, 600, 2), "C": (9, 600, 8)})
    made = report(rows, "y", "s", by="g").facts
    (split,) = made["segments"]
    assert list_statuses(made) == [None, "few events", "few events"]
    assert split["homogeneity"][0]["left_out"] == []
    lowest = min(split["groups"], key=lambda row: row["accuracy_ratio"]["value"])
    assert split["weakest"][0]["group"] == lowest["group"] == "C"
    assert "ranges from" in str(made["findings"])
    assert f"{lowest['accuracy_ratio']['value']:.3f} (C; few " in str(made["findings"])


def test_a_group_that_no_test_compares_for_its_single_event_is_named_with_its_ratio():
    rows = make_ranked({"ost": (60, 600, 20), "west": (1, 38, 1)})
    made = report(rows, "y", "s", by="g").facts
    told = next(row["text"] for row in made["findings"] if row["topic"] == "segments")
    assert told == (
        "By g, AR ranges from -1.000 (west; few events) to 0.333 (ost); differences were "
        "not tested, as fewer than two groups have two or more events and non-events."
    )
    (split,) = made["segments"]
    assert split["homogeneity"][0]["left_out"] == ["west"]
    assert split["weakest"][0]["group"] == "west"  # as docs/json.md says


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
    assert ("where a single event or non-event" in text) == is_marked
    assert ("They are all intervals of AR in this report" in text) != is_marked


def test_a_low_default_portfolio_is_a_small_sample():
    rows = make({"A": (9, 400)}).with_columns(t=pl.col("s").reverse())
    made = report(rows, "y", "s", compare="t", initial_auc=0.9)
    assert [row["n_minority"] for row in made.facts["initial"]] == [9]
    texts = {each["topic"]: each["text"] for each in made.facts["findings"]}
    for topic in ("challenger", "initial"):
        assert re.search("The (current )?sample is small", texts[topic])
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


def rank_losses(n, *noises):
    """Make losses of independent rows, and scores that differ from them by noise."""
    random = np.random.default_rng(3)
    loss = random.gamma(2, 100, n)
    return loss, *(loss + random.normal(0, noise, n) for noise in noises)


@pytest.mark.parametrize(("n", "is_few"), [(450, True), (900, False)])
def test_the_power_of_amounts_counts_wrongly_ranked_pairs(n, is_few):
    loss, score = rank_losses(n, 80)
    facts = report(pl.DataFrame({"loss": loss, "s": score}), "loss", "s").facts
    ratio = facts["models"][0]["accuracy_ratio"]
    n_pairs = ratio["n_effective"] * (1 - ratio["value"]) / 2
    assert (12 < n_pairs < 17) is is_few
    assert (n_pairs < 20) is is_few
    (power,) = [each["text"] for each in facts["findings"] if each["topic"] == "power"]
    assert ("Fewer than 20 wrongly ranked pairs of rows (counted" in power) is is_few
    assert facts["power"]["models"][0]["is_reliable"] is not is_few


@pytest.mark.parametrize(("noise", "is_few"), [(40.0, True), (100.0, False)])
def test_intervals_and_tests_of_amounts_count_wrongly_ranked_pairs(noise, is_few):
    loss, score, other = rank_losses(400, noise, noise)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimate = accuracy_ratio_interval(loss, score, method="wald")
        accuracy_ratio_test(loss, score, other)
    n_pairs = estimate.n_effective * (1 - estimate.value) / 2
    assert (n_pairs < 10) is is_few
    told = [str(each.message) for each in caught]
    assert len(told) == 2 * is_few
    assert all("(fewer than 10)" in each for each in told)
    found = f"{n_pairs:.2g} effective pairs ranked wrongly, by the AR of amounts"
    assert not is_few or found in told[0]
