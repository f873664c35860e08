"""Tables of a page say what the facts say, in the words of the report."""

import re
import warnings

import polars as pl
import pytest

from capcurve import BinnedCurve, report
from capcurve._report.comparison_tables import (
    tabulate_challengers,
    tabulate_gates,
    tabulate_implied,
    tabulate_initial,
    tabulate_missing_words,
    tabulate_power,
)
from capcurve._report.group_tables import (
    list_tips,
    read_groups,
    tabulate_groups,
    tabulate_rest,
)
from capcurve._report.html import render_page
from capcurve._report.page_parts import (
    find_author,
    link_reference,
    list_contents,
    list_provenance,
    list_tables,
    write_source,
)
from capcurve._report.page_tables import choose_words, pick, tabulate_gains, tabulate_models
from capcurve._report.prose import write_prose
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000)).with_columns(
    region=pl.when(pl.col("loan") % 3 > 0).then(pl.lit("here")),
    challenger_pd=pl.when(pl.col("loan") % 50 > 0).then("challenger_pd"),
    third=pl.col("champion_pd") * (1 + pl.col("loan") % 7),
    nowhere=pl.when(pl.col("default") == 1).then(pl.lit("a")).otherwise(pl.lit("b")),
)


def report_on(truth="default", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return report(LOANS, truth, "champion_pd", **options).facts


@pytest.fixture(scope="module")
def facts():
    return report_on(
        compare=["challenger_pd", "third"],
        by=["region", "nowhere"],
        period="year",
        initial_auc=0.9,
        initial_variance=1e-4,
        implied=["champion_pd"],
        meta={"Owner": "me"},
    )


@pytest.fixture(scope="module")
def words(facts):
    return choose_words(facts)


def heads(table):
    return [column.over + column.name for column in table.columns]


def values(table, name):
    (column,) = (
        each for each in table.columns if name in (each.name, each.over + each.name)
    )
    return list(column.values)


def test_models_of_events_have_auc_and_of_amounts_gauc(facts, words):
    assert values(tabulate_models(facts, words), "AUCValue") == [
        model["auc"]["value"] for model in facts["models"]
    ]
    amounts = report_on("loss")
    table = tabulate_models(amounts, choose_words(amounts))
    assert "gAUCLower" in heads(table)
    assert "KSLower" not in heads(table)
    assert "AUCValue" not in heads(table)


def test_gains_have_non_events_limits_and_totals(facts, words):
    model = facts["models"][0]
    table = tabulate_gains(model, words)
    others = values(table, "Non-events")
    assert sum(others) == pytest.approx(model["n"] - model["n_events"])
    assert [row["n_events"] for row in model["gains"]] == values(table, "Events")
    marks = next(each.marks for each in table.columns if each.marks is not None)
    assert [bool(mark) for mark in marks] == [row["is_inversion"] for row in model["gains"]]
    assert table.columns[0].total == "Total"
    assert {"Event rateLower", "CumulativeKS"} <= set(heads(table))
    amounts = report_on("loss", case_weights="exposure")
    table = tabulate_gains(amounts["models"][0], choose_words(amounts))
    assert "Non-events" not in heads(table)
    assert heads(table)[1:3] == ["Weight", "Total outcome"]


def test_groups_put_models_side_by_side_with_a_total(facts, words):
    section = facts["segments"][0]
    table = tabulate_groups(section, words)
    assert values(table, "region") == ["here", "(missing)"]
    wide = section["wide"]
    assert values(table, "thirdAR") == [
        row["models"][2]["accuracy_ratio"]["value"] for row in wide
    ]
    assert table.columns[0].total == "All rows"
    assert read_groups(section).n_models == 3
    undefined = tabulate_groups(facts["segments"][1], words)
    assert list(undefined.columns[0].marks) == ["no non-events", "no events"]
    assert values(undefined, "thirdAR") == [None, None]
    assert tabulate_rest(facts["segments"][1]) is None


def test_of_two_groups_each_is_the_rest_of_the_other(facts):
    section = facts["segments"][0]
    table = tabulate_rest(section)
    assert values(table, "thirdAR within the others") == pytest.approx(
        values(table, "thirdAR")[::-1]
    )
    assert values(table, "thirdp-value") == pick(section["groups"], "p_value")[2::3]
    assert not any("Holm" in name for name in heads(table))


def test_the_tables_of_groups_have_the_numbers_of_the_findings():
    rows = LOANS.with_columns(third=pl.int_range(len(LOANS)) % 3)
    made = report(rows, "default", "champion_pd", by="third", period="year").facts
    told = {row["topic"]: row["text"] for row in made["findings"]}
    last = tabulate_rest(made["periods"][0]).columns
    rest, alone, adjusted = [
        column.write(column.values[-1])
        for name in ("AR within the others", "p-value", "p-value (Holm)")
        for column in last
        if column.name == name
    ]
    assert f"from the {float(rest):.3f} within" in told["trend"]
    assert f"p = {float(alone):.3f} alone, p = {float(adjusted):.3f} adj" in told["trend"]


def test_groups_of_weighted_rows_are_counted_too():
    weighted = report_on(case_weights="exposure", by="region")
    section = weighted["segments"][0]
    table = tabulate_groups(section, choose_words(weighted))
    assert heads(table)[4:7] == ["Rows", "Weight", "Weight of events"]
    gains = tabulate_gains(weighted["models"][0], choose_words(weighted))
    assert heads(gains)[1:4] == ["Weight", "Weight of events", "Weight of non-events"]
    assert values(table, "Rows") == [row["n_rows"] for row in section["wide"]]
    assert sum(values(table, "Rows")) == len(LOANS)


def test_tips_tell_why_a_ratio_is_undefined(facts, words):
    tips = list_tips(facts["segments"][1], words)
    assert tips[0]["name"] == "a"
    assert tips[0]["values"][0] == "undefined: no non-events"
    tips = list_tips(facts["segments"][0], words)
    assert tips[0]["sizes"].endswith("events")
    assert " to " in tips[0]["values"][0]


def test_a_ratio_of_few_events_or_without_limits_is_told(facts, words):
    section = facts["segments"][0]
    (first, *_), *others = (row["models"] for row in section["wide"])
    estimate = {**first["accuracy_ratio"], "low": None, "value": -0.25}
    row = {**section["wide"][0], "models": [first | {"accuracy_ratio": estimate}]}
    row["models"][0]["status"] = "few events"
    (tip,) = list_tips({**section, "wide": [row]}, words)
    assert tip["values"] == ["−0.2500, few events"]
    assert others


def test_events_expected_of_weighted_rows_are_told_by_weight_too(facts):
    (row,) = facts["implied"]
    assert {"Events", "Expected events"} <= set(heads(tabulate_implied([row])))
    weights = {"weight_of_events": 12.5, "expected_weight_of_events": 14.26}
    weighted = tabulate_implied([row | weights])
    assert values(weighted, "Events (rows)") == [row["n_events"]]
    assert values(weighted, "Expected events (rows)") == [row["expected_events"]]
    (expected,) = (each for each in weighted.columns if each.name.startswith("Expected w"))
    assert list(map(expected.write, expected.values)) == ["14.26"]
    assert values(weighted, "Weight of events") == [12.5]


def test_tests_are_named_as_people_write_them(facts, words):
    table = tabulate_challengers(facts["challengers"])
    assert len(values(table, "p-value (Holm)")) == 3
    assert set(values(table, "Method")) == {"score test"}
    pair = tabulate_challengers(facts["challengers"][:1])
    assert "p-value (Holm)" not in heads(pair)
    assert " minus " in values(pair, "Models")[0]
    initial = tabulate_initial(facts["initial"], words)
    assert values(initial, "Test")[:2] == ["ECB", "Two samples"]
    (degrees,) = (each for each in initial.columns if each.name == "Degrees of freedom")
    number = facts["initial"][1]["degrees_of_freedom"]
    assert list(map(degrees.write, degrees.values)) == ["infinite", f"{number:,.1f}"]
    assert values(initial, "s_0") == [row["s_0"] for row in facts["initial"]]
    verdicts = {"significant decrease", "no significant decrease"}
    assert set(values(initial, "Decrease at the 0.05 level")) <= verdicts
    implied = tabulate_implied(facts["implied"])
    assert values(implied, "Probabilities") == values(implied, "Ranked by")
    assert "Rows left out" not in heads(implied)
    row = facts["implied"][0]
    for head, key in (("Standard error", "standard_error"), ("Shift of log-odds", "shift")):
        assert values(implied, head) == [row[key]]
    assert {"Lower limit", "Upper limit"} <= set(heads(implied))
    below = tabulate_implied([row | {"alternative": "less", "high": None}])
    assert "Lower limit" in heads(below)
    assert "Upper limit" not in heads(below)
    some = tabulate_implied([facts["implied"][0] | {"n_left_out": 3}])
    assert values(some, "Rows left out") == [3]
    power = tabulate_power(facts["power"])
    assert all(0 < each < 1 for each in values(power, "Decrease from it"))


def test_gates_are_listed_with_their_result():
    gate = {"gate": "fail_below", "subject": "a", "value": 0.4, "limit": 0.5, "text": "t"}
    gates = [gate | {"passed": passed} for passed in (True, False, None)]
    assert values(tabulate_gates(gates, write_prose), "Result") == [
        "passed",
        "failed",
        "not judged",
    ]
    assert (
        values(tabulate_gates(gates, write_prose), "Gate") == ["AR reaches the limit"] * 3
    )


def test_only_what_was_asked_for_is_listed(facts, words):
    anchors = [anchor for anchor, _ in list_contents(facts)]
    assert anchors[4:9] == ["challengers", "initial", "implied", "segments", "periods"]
    plain = report_on()
    assert [anchor for anchor, _ in list_contents(plain)] == [
        *(
            "summary",
            "limitations",
            "curves",
            "gains",
            "power",
            "rows",
            "methods",
            "provenance",
        )
    ]
    tables = list_tables(plain, choose_words(plain), write_prose)
    assert not {"challengers", "initial", "implied"} & set(tables)
    unlimited = list_contents(plain | {"limitations": []})
    assert "Limitations" not in dict(unlimited).values()
    tables = list_tables(plain | {"power": None}, words, write_prose)
    assert "power" not in tables


def test_rows_left_out_are_listed_by_reason_and_segment(facts, words):
    tables = list_tables(facts, words, write_prose)
    assert values(tables["reasons"], "Rows") == [
        "missing score",
        "left out in total",
        "used",
    ]
    assert values(tables["reasons"], "Number") == [60, 60, 2940]
    assert sum(values(tables["left_out"][0], "Left out")) == 60
    assert values(tables["own_rows"], "Common rows") == [2940] * 3


def test_the_author_is_found_among_the_given_names():
    assert find_author({"Model ID": "1", "VALIDATOR": "v", "author": "a"}) == "a"
    assert find_author({"Model ID": "1"}) is None


def test_sources_are_short_and_references_are_linked():
    source = {"authors": "A, B", "year": 2003, "section": None}
    assert write_source(source) == "A, B (2003)"
    assert write_source(source | {"section": "section 2"}) == "A, B (2003), section 2"
    linked = link_reference("A <b>. doi:10.1/x_y")
    assert linked == 'A &lt;b&gt;. <a href="https://doi.org/10.1/x_y">doi:10.1/x_y</a>'
    assert link_reference("A <b>. Risk 16.") == "A &lt;b&gt;. Risk 16."
    odd = link_reference("A. doi:10.1/x<7>#")  # a bare # would end the address
    assert odd == 'A. <a href="https://doi.org/10.1/x%3C7%3E%23">doi:10.1/x&lt;7&gt;#</a>'


def test_the_page_shows_what_the_command_line_adds(facts):
    told = facts["provenance"] | {
        "command": "capcurve report <x>.csv",
        "files": [{"name": f"{n}.csv", "size": 1234, "sha256": "ab"} for n in range(3)],
        "query": {
            "rows_before": 4000,
            "rows_after": 3000,
            "sha256": "cd",
            "unrepeatable": [],
        },
    }
    gate = {"gate": "fail_below", "subject": "a", "value": 0.4, "limit": 0.5, "text": "t"}
    finding = {"topic": "accuracy_ratio", "text": "AR is fine.", "status": "amber"}
    page = render_page(
        facts
        | {"provenance": told, "gates": [gate | {"passed": False}], "findings": [finding]}
    )
    assert "<code>capcurve report &lt;x&gt;.csv</code>" in page
    assert "0.csv, 1,234 bytes, SHA-256 ab" in page
    assert "and 1 more files" in page
    assert "returned 3,000 rows of 4,000 in the files" in page
    assert "<dt>Rows of the query</dt><dd>3,000 rows, SHA-256 cd</dd>" in page
    assert 'class="status amber"' in page
    assert "✕</span>failed</td>" in page


def test_designs_are_named(facts):
    del facts
    clustered = report_on(clusters="segment")
    page = render_page(clustered)
    assert "The column segment names 3 clusters" in page
    assert "sampling weights" in render_page(report_on(case_weights="exposure"))
    counted = {"grade": ["low", "high"], "n": [900, 100], "events": [9, 30]}
    options = {"counts": "n", "events": "events", "order": ["low", "high"]}
    page = report(pl.DataFrame(counted), None, "grade", **options).to_html()
    assert "The column n holds counts" in page


def test_rows_that_bands_share_explain_fractions():
    told = "Rows at the edge of a band are split pro rata"
    tied = LOANS.with_columns(pl.col("champion_pd").round(1))
    assert told in report(tied, "default", "champion_pd").to_html()
    distinct = tied.with_columns(champion_pd=pl.col("loan").cast(pl.Float64))
    assert told not in report(distinct, "default", "champion_pd").to_html()
    seven = report(distinct, "default", "champion_pd", bands=7).to_html()
    assert told in seven


def test_binned_amounts_have_neither_gauc_nor_a_test(words):
    del words
    amounts = report(
        BinnedCurve.from_frame(LOANS, "loss", "champion_pd"), "loss", "x"
    ).facts
    table = tabulate_models(amounts, choose_words(amounts))
    assert heads(table) == ["Model", "ARValue", "KSValue"]
    page = render_page(amounts)
    assert "No interval: it requires the individual rows" in page


def test_what_the_first_finding_adds_is_in_the_table_of_models():
    small = LOANS.head(300)
    facts = report(small, "default", "champion_pd").facts
    columns = tabulate_models(facts, choose_words(facts)).columns[-2:]
    limits = facts["models"][0]["exact_limits"]
    assert [(each.over, each.values[0]) for each in columns] == [
        ("AR, any distribution", limits["low"]),
        ("AR, any distribution", limits["high"]),
    ]
    page = render_page(facts)
    assert ">Statistics</h3>" in page
    assert f"{limits['low']:.4f}".replace("-", "−") in page


@pytest.mark.parametrize(
    ("truth", "name"),
    [("default", "events"), ("fine", "non-events"), ("loss", "pairs of rows")],
)
def test_effective_sizes_that_findings_tell_are_in_the_table_of_models(truth, name):
    rows = LOANS.with_columns(
        cluster=pl.col("default").cum_sum() // 40, fine=1 - pl.col("default")
    )
    facts = report(rows, truth, "champion_pd", clusters="cluster").facts
    *_, size = tabulate_models(facts, choose_words(facts)).columns
    n = facts["models"][0]["n_effective"]
    assert (size.name, size.values, size.write(n)) == (f"Effective {name}", [n], f"{n:.1f}")
    many = report(rows, "default", "champion_pd", clusters="loan").facts
    *_, last = tabulate_models(many, choose_words(many)).columns
    assert last.over == "KS"


def test_a_page_writes_all_cut_offs_of_a_score_in_one_format():
    pd = pl.col("champion_pd")
    rows = LOANS.with_columns(pl.when(pd > 0.05).then(pd.round(2)).otherwise(pd.round(4)))
    facts = report(rows, "default", "champion_pd", compare="third").facts
    page = render_page(facts)
    shown = re.findall(r'<tr id="cut-.*?([\d.]+)</td></tr>', page)
    write = (
        list_tables(facts, choose_words(facts), write_prose)["captured"]
        .columns[-1]
        .writes[0]
    )
    at = facts["models"][0]["captured"]
    (cutoff,) = (row["threshold"] for row in at if row["population_share"] == 0.1)
    assert shown[0] == write(cutoff)
    assert round(cutoff, 2) == cutoff
    assert len(shown[0].partition(".")[2]) > 2


def test_provenance_lists_what_is_known(facts):
    told = facts["provenance"] | {"call": None, "options": {}}
    names = [name for name, _ in list_provenance(told)]
    assert names == ["Versions", "System", "Time"]
    config = {"name": "night.toml", "size": 1234, "sha256": "ab"}
    run = {"command": "capcurve run night.toml --only <A>", "config": config}
    first, second, *_ = list_provenance(told | {"run": run})
    assert first == ("Run", "capcurve run night.toml --only <A>")
    assert second == ("Config of the run", "night.toml, 1,234 bytes, SHA-256 ab")
    page = render_page({**facts, "provenance": told | {"run": run}})
    assert "<dt>Run</dt><dd><code>capcurve run night.toml --only &lt;A&gt;</code>" in page
    options = {"a": 1, "b": None, "c": True, "d": ["x", False], "e": {"id": "PD-7"}}
    first, *_ = list_provenance(told | {"options": options})
    assert first == ("Options", "a: 1; c: yes; d: x, no; e: id PD-7")


@pytest.mark.parametrize("n_files", [20, 21, 1_234])
def test_a_page_shows_twenty_files_and_counts_the_others(facts, n_files):
    files = [{"name": f"{i}.csv", "size": i, "sha256": "ab"} for i in range(n_files)]
    told = list(list_provenance(facts["provenance"] | {"files": files}))
    shown = [text for name, text in told if name == "File"]
    assert len(shown) == 20
    assert shown[19] == "19.csv, 19 bytes, SHA-256 ab"
    rest = "the report as JSON, or as a workbook, has the hashes of all"
    expected = {
        20: [],
        21: [f"1 more of 21; {rest}"],
        1_234: [f"1,214 more of 1,234; {rest}"],
    }
    assert [text for name, text in told if name == "Files"] == expected[n_files]


def test_words_for_missing_values_have_a_table():
    words = [
        {"column": "pd", "word": "#NV", "n": 40},
        {"column": "pd", "word": "", "n": 2},
    ]
    table = tabulate_missing_words(words)
    assert [column.name for column in table.columns] == ["Column", "Word", "Number"]
    assert list(table.columns[1].values) == ["#NV", "(empty)"]
    assert tabulate_missing_words([]) is None
