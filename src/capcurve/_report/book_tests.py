"""Sheets of a workbook on tests: of challengers, initial validation and implied AR."""

from collections.abc import Sequence

from capcurve._report.book_groups import tabulate_segment_tests, tabulate_trends
from capcurve._report.book_models import describe_level
from capcurve._report.book_table import NOTE, Column, Sheet, dig, make_table, pick
from capcurve._report.gates import VERDICTS, name_gate
from capcurve._report.options import Facts
from capcurve._report.phrases import MOST_DEGREES, judge_decrease, say_degrees

DIFFERENCE = "Difference in AR"
TEST = "Student's t"
SIGN = (
    "A positive difference means that the first model ranks better. Holm's p-values allow "
    "for the number of pairs."
)
ONE_SIDED = (
    "One-sided tests at the {level:.4g} % level: a small p-value indicates that {word} "
    "has decreased. The ECB's test treats the initial {word} as known; if it was estimated "
    "from a sample, the test rejects too often. The statistic is the decrease divided by "
    "s_0, compared with the normal distribution in the ECB's test (whose degrees of "
    "freedom are infinite), and with Student's t in the test of two samples."
)


def make_comparison_sheet(facts: Facts) -> Sheet:
    """Describe all tests but those against initial validation."""
    pairs = dig(facts, "power", "pairs") or []
    found = {
        (each["model"], each["against"]): each["detectable_difference"] for each in pairs
    }
    rows = facts["challengers"]
    degrees = pick(rows, "degrees_of_freedom")
    detectable = [found.get((row["model"], row["against"])) for row in rows]
    return Sheet(
        name="Comparison",
        title="Comparison of models, segments and periods",
        notes=[describe_level(facts), SIGN],
        tables=[
            make_table(
                [
                    Column("Model", "text", pick(rows, "model")),
                    Column("Against", "text", pick(rows, "against")),
                    *list_difference(rows),
                    Column("s_0", "error", pick(rows, "s_0"), TEST),
                    Column("Statistic", "statistic", pick(rows, "statistic"), TEST),
                    Column("Degrees of freedom", "statistic", degrees, TEST),
                    Column("p-value", "p_value", pick(rows, "p_value")),
                    Column("p-value (Holm)", "p_value", pick(rows, "p_holm")),
                    Column("Detectable difference", "ratio", detectable),
                    Column("Method", "text", pick(rows, "method")),
                ],
                title="Models on the same rows",
            ),
            tabulate_segment_tests(facts),
            tabulate_trends(facts),
            make_table(
                list_implied(facts), title="Observed AR against the AR that the PDs imply"
            ),
        ],
    )


def list_difference(rows: list[Facts]) -> list[Column]:
    """List a difference of two AR, with its limits and standard error."""
    return [
        Column("Difference", "difference", pick(rows, "value"), DIFFERENCE),
        Column("Lower limit", "difference", pick(rows, "low"), DIFFERENCE),
        Column("Upper limit", "difference", pick(rows, "high"), DIFFERENCE),
        Column("Standard error", "error", pick(rows, "standard_error"), DIFFERENCE),
    ]


def list_implied(facts: Facts) -> list[Column]:
    """List the tests of observed AR against the one that probabilities imply."""
    rows = facts["implied"] or []
    return [
        Column("Probabilities", "text", pick(rows, "model")),
        Column("Ranked by", "text", pick(rows, "score")),
        Column("Observed AR", "ratio", pick(rows, "observed")),
        Column("Implied AR", "ratio", pick(rows, "implied")),
        Column("Difference", "difference", pick(rows, "difference")),
        Column("Standard error", "error", pick(rows, "standard_error")),
        Column("Lower end", "ratio", pick(rows, "low"), "Range if the PDs are right"),
        Column("Upper end", "ratio", pick(rows, "high"), "Range if the PDs are right"),
        Column("Statistic", "statistic", pick(rows, "statistic")),
        Column("p-value", "p_value", pick(rows, "p_value")),
        *list_events(rows),
        Column("Shift of log-odds", "error", pick(rows, "shift")),
        Column("Rows left out", "count", pick(rows, "n_left_out")),
    ]


def list_events(rows: Sequence[Facts]) -> list[Column]:
    """List events and expected ones: rows and, where these differ, the weights shifted."""
    counts, weights = pick(rows, "n_events"), pick(rows, "weight_of_events")
    expected = pick(rows, "expected_events")
    if all(weight is None for weight in weights):
        return [
            Column("Events", "count", counts),
            Column("Expected events", "count", expected),
        ]
    expected_weights = pick(rows, "expected_weight_of_events")
    both = [*weights, *expected_weights]
    return [
        Column("Events (rows)", "count", counts),
        Column("Expected events (rows)", "count", expected),
        Column("Weight of events", "count", weights, like=both),
        Column("Expected weight of events", "count", expected_weights, like=both),
    ]


def make_initial_sheet(facts: Facts) -> Sheet:
    """Describe the tests against the AUC at initial validation."""
    rows = facts["initial"]
    word = "AUC" if facts["outcome"] == "events" else "gAUC"
    counts = [("Events", "n_events")] if word == "AUC" else []
    counts += [("Rows", "n_rows")]
    return Sheet(
        name="Initial",
        title="Comparison with initial validation",
        notes=[ONE_SIDED.format(word=word, level=100 * (1 - facts["confidence_level"]))],
        tables=[
            make_table(
                [
                    Column("Model", "text", pick(rows, "model")),
                    Column("Test", "text", pick(rows, "test")),
                    Column("Initial", "ratio", pick(rows, "first"), word),
                    Column("Current", "ratio", pick(rows, "second"), word),
                    Column("Decrease", "difference", pick(rows, "value"), word),
                    Column("Lower limit", "difference", pick(rows, "low"), word),
                    Column("s", "error", pick(rows, "s"), "Current sample"),
                    Column("s²", "variance", pick(rows, "variance"), "Current sample"),
                    *[
                        Column(name, "count", pick(rows, field), "Current sample")
                        for name, field in counts
                    ],
                    Column("Initial variance", "variance", pick(rows, "initial_variance")),
                    Column("s_0", "error", pick(rows, "s_0")),
                    Column("Statistic", "statistic", pick(rows, "statistic")),
                    Column(
                        "Degrees of freedom", "statistic", list(map(show_degrees, rows))
                    ),
                    Column("p-value", "p_value", pick(rows, "p_value")),
                    Column(NOTE, "text", list(map(judge_decrease, rows))),
                ],
                n_names=2,
            )
        ],
    )


def show_degrees(row: Facts) -> float | str | None:
    """Show the degrees of freedom of a test: a number, or words where it is too large."""
    df: float | None = row["degrees_of_freedom"]
    if row["test"] == "ECB":
        return "infinite"
    return df if df is None or df <= MOST_DEGREES else say_degrees(df)


def make_limits_sheet(facts: Facts) -> Sheet:
    """Describe the limits that were to be kept, each with its verdict."""
    gates = facts["gates"]
    columns = [
        Column("Limit", "text", list(map(name_gate, gates))),
        Column("Subject", "text", pick(gates, "subject")),
        Column("Value", "error", pick(gates, "value")),
        Column("Required", "error", pick(gates, "limit")),
        Column("Verdict", "text", [VERDICTS[gate["passed"]] for gate in gates]),
        Column("Reason", "prose", pick(gates, "text")),
    ]
    return Sheet(
        name="Limits",
        title="Limits to be kept",
        tables=[make_table(columns, is_main=True, n_names=2)],
    )
