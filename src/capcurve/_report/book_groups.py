"""Sheets of a workbook on segments and periods."""

from collections.abc import Iterator, Sequence

from capcurve._report.book_models import (
    MARK_OF_FEW_EVENTS,
    describe_level,
    list_counts,
)
from capcurve._report.book_numbers import Kind
from capcurve._report.book_table import (
    NOTE,
    Column,
    Mark,
    Sheet,
    Table,
    list_estimate,
    list_interval,
    make_table,
    pick,
)
from capcurve._report.group_findings import may_miss, say_absent, say_few_in_groups
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW,
    FEW_FREEDOM,
    FEW_MISRANKED,
    FEW_OTHERS,
    LARGE_LOW,
    OF_AMOUNTS,
    is_few,
    is_small,
    name_few,
    say_status,
)
from capcurve._report.scored import ALL, show_key
from capcurve._report.untested_groups import (
    explain_untested,
    has_clusters,
    list_untested,
)

RATIO = "Accuracy ratio"
REST = "Against the other groups"
NO_TEST = "not tested: there is no test of all groups for amounts"
OF_ALL = "AR within {}, and tests of all of them together, are on the sheet Comparison."
WITHIN = "AR within {} is on the sheet Comparison"
NONE_OF_AMOUNTS = "; there is no test of all of them together for amounts"


def list_few(facts: Facts) -> list[str]:
    """List what may be few in a group whose interval is marked."""
    splits = [*facts["segments"], *facts["periods"]]
    found = {row["status"] for split in splits for row in split["groups"]}
    rare = [each for each in (FEW_FREEDOM, LARGE_LOW, FEW_MISRANKED) if each in found]
    if facts["outcome"] == "events":
        return [FEW, FEW_OTHERS, *rare]
    return [OF_AMOUNTS.get(status, status) for status in (FEW, *rare)]


def mark_few(facts: Facts) -> list[Mark]:
    """Mark the AR of groups of which few events or rows are known."""
    return [Mark("AR", MARK_OF_FEW_EVENTS, few) for few in list_few(facts)]


def explain_mark(sections: Sequence[Facts]) -> Iterator[str]:
    """Say what the mark of few events or rows means, if a group of the sheet has it."""
    few = [row for each in sections for row in each["groups"] if is_few(row)]
    uncertain = list(filter(may_miss, few))
    if uncertain:
        free = ", unless its limits are distribution-free" * (len(uncertain) < len(few))
        yield (
            f"{MARK_OF_FEW_EVENTS} {name_few(uncertain)}: the coverage of the interval may "
            f"fall below its confidence level{free}."
        )
    elif few:
        yield (
            f"{MARK_OF_FEW_EVENTS} {name_few(few)}: the limits are distribution-free, for "
            "any number of events."
        )


def say_elsewhere(facts: Facts, sections: Sequence[Facts], name: str) -> Iterator[str]:
    """Say which numbers of all groups another sheet has."""
    tests = [test for each in sections for test in each["homogeneity"]]
    totals = [total for each in sections for total in each["total"]]
    if any(test["p_value"] is not None for test in tests):
        yield OF_ALL.format(name)
    elif any(total["pooled"] for total in totals):
        none = NONE_OF_AMOUNTS * (facts["outcome"] == "amounts")
        yield f"{WITHIN.format(name)}{none}."


def make_segments_sheet(facts: Facts) -> Sheet:
    """Describe each model in each segment: all columns of segments as one table."""
    sections = facts["segments"]
    rows = [
        {"by": each["by"], "note": note, **row}
        for each in sections
        for row, note in zip(
            each["groups"], note_groups(facts, each, each["groups"]), strict=True
        )
    ]
    totals = [
        {"by": each["by"], "is_total": True, "note": say_status(row), **row}
        for each in sections
        for row in each["total"]
    ]
    return Sheet(
        name="Segments",
        title="Accuracy ratio by segment",
        notes=[
            describe_level(facts),
            *explain_mark(sections),
            *explain_dashes(facts, sections),
            *say_elsewhere(facts, sections, "segments"),
        ],
        tables=[
            make_table(
                list_groups(facts, [*rows, *totals]),
                n_totals=len(totals),
                n_names=2,
                is_main=True,
                marks=mark_few(facts),
            ),
        ],
    )


def list_groups(facts: Facts, rows: Sequence[Facts]) -> list[Column]:
    """List the columns of a table with a row for each group and model."""
    degrees = pick(rows, "degrees_of_freedom")
    names = [ALL if row.get("is_total") else show_key(row["group"]) for row in rows]
    return [
        Column("Segmented by", "text", pick(rows, "by")),
        Column("Segment", "text", names),
        Column("Model", "text", pick(rows, "model")),
        *list_counts(facts, rows),
        *list_estimate(rows, "AR", RATIO, "accuracy_ratio"),
        Column("AR within the others", "ratio", pick(rows, "rest"), REST),
        Column("t statistic", "statistic", pick(rows, "statistic"), REST),
        Column("Degrees of freedom", "statistic", degrees, REST),
        Column("p-value", "p_value", pick(rows, "p_value"), REST),
        Column("p-value (Holm)", "p_value", pick(rows, "p_adjusted"), REST),
        Column(NOTE, "text", pick(rows, "note")),
    ]


def tabulate_segment_tests(facts: Facts) -> Table:
    """Make the table of the tests that AR is the same in all segments."""
    sections = facts["segments"]
    tests = [
        {"by": each["by"], **test} for each in sections for test in each["homogeneity"]
    ]
    totals = [total for each in sections for total in each["total"]]
    weakest = [found for each in sections for found in each["weakest"]]
    names = [None if each is None else show_key(each["group"]) for each in weakest]
    span = "Test of equal AR in all segments"
    columns = [
        Column("Segmented by", "text", pick(tests, "by")),
        Column("Model", "text", pick(tests, "model")),
        Column("Segments tested", "rank", count_tested(tests), span),
        *list_equality(tests, span),
        *list_interval(totals, "AR", "AR within segments", "pooled"),
        Column("Weakest", "text", names, name_compared(sections)),
        Column("AR of the weakest", "ratio", pick(weakest, "accuracy_ratio")),
        Column(NOTE, "text", note_tests(sections)),
    ]
    return make_table(columns, title="Whether the accuracy ratio differs by segment")


def name_compared(sections: Sequence[Facts]) -> str:
    """Say of which groups the weakest is one, where some have few events."""
    rows = [row for each in sections for row in each["groups"]]
    return "Of the groups compared" * any(map(is_small, rows))


def note_tests(sections: Sequence[Facts]) -> list[str | None]:
    """Say why the tests of all groups, and of a trend, may not keep their level."""
    return [note_test(each, test) for each in sections for test in each["homogeneity"]]


def note_test(section: Facts, test: Facts) -> str | None:
    """Say why a test of all groups was not made, or may not keep its level."""
    if any(row["n_non_events"] is None for row in section["groups"]):
        return NO_TEST
    return (
        say_few_in_groups(section, test["model"]) if test["is_reliable"] is False else None
    )


def count_tested(tests: Sequence[Facts]) -> list[int | None]:
    """List how many groups each test compares; None if it was not made."""
    return [test["n_groups"] or None for test in tests]


def list_equality(tests: Sequence[Facts], span: str) -> list[Column]:
    """List the columns of the test that AR is the same in all groups."""
    # Dependent groups leave fractions of degrees of freedom.
    kind: Kind = "statistic" if any(pick(tests, "shares_clusters")) else "rank"
    return [
        Column("F statistic", "statistic", pick(tests, "statistic"), span),
        Column("Degrees of freedom", kind, pick(tests, "df_1"), span),
        Column("of the error", "statistic", pick(tests, "df_2"), span),
        Column("p-value", "p_value", pick(tests, "p_value"), span),
    ]


def make_periods_sheet(facts: Facts) -> Sheet:
    """Describe each period, with the models side by side."""
    return Sheet(
        name="Periods",
        title="Accuracy ratio by period",
        notes=[
            describe_level(facts),
            *explain_mark(facts["periods"]),
            *explain_gaps(facts),
            *explain_dashes(facts, facts["periods"]),
            *say_elsewhere(facts, facts["periods"], "periods"),
        ],
        tables=[tabulate_periods(facts, section) for section in facts["periods"]],
    )


def explain_gaps(facts: Facts) -> list[str]:
    """Say which periods have no rows, and that charts and a trend do not count them."""
    also = " and in the trend"
    return [
        f"{say_absent(each)}, and no place in charts{also * has_trend(each)}."
        for each in facts["periods"]
        if each["absent"]
    ]


def has_trend(section: Facts) -> bool:
    """Whether a trend of a model was tested over the periods; amounts have none."""
    trends = filter(None, section["trend"])
    return any(trend["p_value"] is not None for trend in trends)


def explain_dashes(facts: Facts, sections: Sequence[Facts]) -> Iterator[str]:
    """Say which groups have no test against the others, or no adjusted p-value."""
    for each in sections:
        before = f"By {each['by']}: " if len(sections) > 1 else ""
        for text in list_untested(each, in_clusters=has_clusters(facts)):
            yield f"{before}{text}"


def note_groups(facts: Facts, section: Facts, rows: Sequence[Facts]) -> list[str]:
    """Note why AR of groups is uncertain or undefined, or not compared with the others."""
    reasons = explain_untested(section, in_clusters=has_clusters(facts))
    notes = []
    for row in rows:
        told = [say_status(row)]
        if row["accuracy_ratio"] is not None and row.get("group", ALL) in reasons:
            told.append(f"not compared: {reasons[row['group']]}")
        notes.append(", ".join(filter(None, told)))
    return notes


def tabulate_periods(facts: Facts, section: Facts) -> Table:
    """Make the table of a column of periods: a row per period."""
    rows = [*section["wide"], widen_total(section["total"])]
    names = [*(show_key(row["group"]) for row in section["wide"]), ALL]
    columns = [Column(section["by"], "text", names), *list_counts(facts, rows)]
    for total in section["total"]:
        model = total["model"]
        own = [row for row in [*section["groups"], total] if row["model"] == model]
        columns += [
            *list_estimate(own, "AR", model, "accuracy_ratio"),
            Column("AR within the others", "ratio", pick(own, "rest"), model),
            Column("t statistic", "statistic", pick(own, "statistic"), model),
            Column(
                "Degrees of freedom", "statistic", pick(own, "degrees_of_freedom"), model
            ),
            Column("p-value", "p_value", pick(own, "p_value"), model),
            Column("p-value (Holm)", "p_value", pick(own, "p_adjusted"), model),
            Column(NOTE, "text", note_groups(facts, section, own), model),
        ]
    return make_table(columns, n_totals=1, is_main=True, marks=mark_few(facts))


def widen_total(total: Sequence[Facts]) -> Facts:
    """Put the totals of the models side by side."""
    return {**total[0], "models": list(total)}


def list_span(sections: Sequence[Facts], span: str) -> list[Column]:
    """List the first, the last and the number of the periods that a line was fitted to."""
    trends = [trend for each in sections for trend in each["trend"]]
    tests = [(each, test) for each in sections for test in each["homogeneity"]]
    fitted = [
        [] if trend is None else list_tested(*test)
        for trend, test in zip(trends, tests, strict=True)
    ]
    return [
        Column(
            "First period", "text", [each[0] if each else None for each in fitted], span
        ),
        Column(
            "Last period", "text", [each[-1] if each else None for each in fitted], span
        ),
        Column("Periods", "rank", pick(trends, "n_periods"), span),
        Column("From first to last", "rank", pick(trends, "n_spanned"), span),
    ]


def list_tested(section: Facts, test: Facts) -> list[str]:
    """List the periods that take part in the test of all, in their order."""
    groups = [row["group"] for row in section["wide"] if row["group"] is not None]
    return [group for group in groups if group not in test["left_out"]]


def tabulate_trends(facts: Facts) -> Table:
    """Make the table of the tests of a trend, and of equal AR in all periods."""
    sections = facts["periods"]
    tests = [test for each in sections for test in each["homogeneity"]]
    trends = [trend for each in sections for trend in each["trend"]]
    weakest = [found for each in sections for found in each["weakest"]]
    names = [None if each is None else show_key(each["group"]) for each in weakest]
    totals = [total for each in sections for total in each["total"]]
    span, equal = "Linear trend", "Test of equal AR in all periods"
    degrees = pick(trends, "degrees_of_freedom")
    columns = [
        Column(
            "Periods of", "text", [each["by"] for each in sections for _ in each["total"]]
        ),
        Column("Model", "text", pick(tests, "model")),
        Column("Weakest", "text", names, name_compared(sections)),
        *list_span(sections, span),
        Column("AR at the first", "ratio", pick(trends, "first"), span),
        Column("AR at the last", "ratio", pick(trends, "last"), span),
        Column("Change per period", "difference", pick(trends, "change"), span),
        Column("Lower limit", "difference", pick(trends, "low"), span),
        Column("Upper limit", "difference", pick(trends, "high"), span),
        Column("t statistic", "statistic", pick(trends, "statistic"), span),
        Column("Degrees of freedom", "statistic", degrees, span),
        Column("p-value", "p_value", pick(trends, "p_value"), span),
        Column("Periods tested", "rank", count_tested(tests), equal),
        *list_equality(tests, equal),
        *list_interval(totals, "AR", "AR within periods", "pooled"),
        Column(NOTE, "text", note_tests(sections)),
    ]
    timed = all(section["in_time_order"] for section in sections)
    what = "changes over time" if timed else "differs between periods"
    return make_table(columns, title=f"Whether the accuracy ratio {what}")
