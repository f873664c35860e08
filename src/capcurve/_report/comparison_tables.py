"""Make the tables of a page on tests, gates and the rows left out."""

from collections.abc import Sequence

from capcurve._report.gates import VERDICTS, name_gate
from capcurve._report.options import Facts
from capcurve._report.page_format import (
    Write,
    choose_count,
    choose_outcome,
    write_number,
    write_p_value,
)
from capcurve._report.page_table import Column, Table
from capcurve._report.page_tables import Words, pick
from capcurve._report.phrases import UNWEIGHTED, judge_decrease, say_degrees
from capcurve._report.scored import show_key

METHODS = {"score": "score test", "delong": "DeLong", "two samples": "two-sample test"}
SMALLEST = 0.00005  # number that is not written as 0.0000
TESTS = {"ECB": "ECB", "two samples": "Two samples"}


def write_statistic(value: float | None) -> str:
    """Write a test statistic."""
    return write_number(value, 3)


def write_degrees(value: float | str | None) -> str:
    """Write degrees of freedom; those of the normal distribution are a word."""
    if isinstance(value, str):
        return value
    return write_number(None) if value is None else say_degrees(value)


def list_initial_degrees(rows: Sequence[Facts]) -> list[float | str | None]:
    """List the degrees of freedom of tests, of which the ECB's is by the normal law.

    A test that was not made has none.
    """
    degrees = [
        "infinite" if row["test"] == "ECB" else row["degrees_of_freedom"] for row in rows
    ]
    return [
        None if row["p_value"] is None else df
        for row, df in zip(rows, degrees, strict=True)
    ]


def tabulate_challengers(rows: Sequence[Facts]) -> Table:
    """Tabulate the paired tests of models."""
    names = [f"{row['model']} minus {row['against']}" for row in rows]
    methods = [METHODS.get(row["method"], row["method"]) for row in rows]
    columns = [
        Column("Models", names, is_text=True),
        Column("Difference in AR", pick(rows, "value"), write_number),
        Column("Lower limit", pick(rows, "low"), write_number),
        Column("Upper limit", pick(rows, "high"), write_number),
        Column("s_0", pick(rows, "s_0"), write_number),
        Column("Statistic", pick(rows, "statistic"), write_statistic),
        Column("Degrees of freedom", pick(rows, "degrees_of_freedom"), write_degrees),
        Column("p-value", pick(rows, "p_value"), write_p_value),
    ]
    if len(rows) > 1:
        adjusted = pick(rows, "p_holm")
        columns.append(Column("p-value (Holm)", adjusted, write_p_value))
    columns.append(Column("Method", methods, is_text=True))
    return Table("Paired tests of the difference in AR", columns)


def tabulate_initial(rows: Sequence[Facts], words: Words) -> Table:
    """Tabulate the tests against initial validation."""
    name = words.concordance
    verdicts = list(map(judge_decrease, rows))
    degrees = list_initial_degrees(rows)
    columns = [
        Column("Model", pick(rows, "model"), is_text=True),
        Column("Test", [TESTS[row["test"]] for row in rows], is_text=True),
        Column(f"Initial {name}", pick(rows, "first"), write_number),
        Column(f"Current {name}", pick(rows, "second"), write_number),
        Column("Decrease", pick(rows, "value"), write_number),
        Column("Lower limit", pick(rows, "low"), write_number),
        *list_initial_variances(rows),
        Column("s", pick(rows, "s"), write_number),
        Column("s_0", pick(rows, "s_0"), write_number),
        Column("Statistic", pick(rows, "statistic"), write_statistic),
        Column("Degrees of freedom", degrees, write_degrees),
        Column("p-value", pick(rows, "p_value"), write_p_value),
        Column(f"Decrease at the {rows[0]['level']:.3g} level", verdicts, is_text=True),
    ]
    counts = ("Events", "Rows") if words.are_events else ("Rows",)
    for count in counts:
        numbers = pick(rows, f"n_{count.lower()}")
        columns.append(Column(count, numbers, choose_count(numbers)))
    return Table(f"Tests of the current {name} against initial validation", columns)


def list_initial_variances(rows: Sequence[Facts]) -> list[Column]:
    """List the standard error of the initial AUC, if the variance of one is known."""
    errors = [
        None if row["initial_variance"] is None else row["initial_variance"] ** 0.5
        for row in rows
    ]
    if all(error is None for error in errors):
        return []
    return [Column("Initial s", errors, write_number)]


def tabulate_implied(rows: Sequence[Facts]) -> Table:
    """Tabulate the AR observed and the AR that probabilities imply."""
    columns = [
        Column("Probabilities", pick(rows, "model"), is_text=True),
        Column("Ranked by", pick(rows, "score"), is_text=True),
        Column("Observed AR", pick(rows, "observed"), write_number),
        Column("Implied AR", pick(rows, "implied"), write_number),
        Column("Difference", pick(rows, "difference"), write_number),
        Column("Standard error", pick(rows, "standard_error"), write_number),
        *list_range(rows),
        Column("Statistic", pick(rows, "statistic"), write_statistic),
        Column("p-value", pick(rows, "p_value"), write_p_value),
        *list_events(rows),
        Column("Shift of log-odds", pick(rows, "shift"), write_statistic),
    ]
    if any(left_out := pick(rows, "n_left_out")):
        columns.append(Column("Rows left out", left_out, choose_count(left_out)))
    return Table("Observed and implied AR", columns)


def list_events(rows: Sequence[Facts]) -> list[Column]:
    """List events and expected ones: rows and, where these differ, the weights shifted."""
    counts, weights = pick(rows, "n_events"), pick(rows, "weight_of_events")
    expected = pick(rows, "expected_events")
    if all(weight is None for weight in weights):
        return [
            Column("Events", counts, choose_count(counts)),
            Column("Expected events", expected, choose_count(expected)),
        ]
    expected_weights = pick(rows, "expected_weight_of_events")
    weight = choose_count([*weights, *expected_weights])
    return [
        Column("Events (rows)", counts, choose_count(counts)),
        Column("Expected events (rows)", expected, choose_count(expected)),
        Column("Weight of events", weights, weight),
        Column("Expected weight of events", expected_weights, weight),
    ]


def list_range(rows: Sequence[Facts]) -> list[Column]:
    """List where AR lies if the probabilities are right; a one-sided test has one limit."""
    lacked = {"less": "high", "greater": "low"}.get(rows[0]["alternative"])
    return [
        Column(f"{name} limit", pick(rows, end), write_number)
        for name, end in (("Lower", "low"), ("Upper", "high"))
        if end != lacked
    ]


def tabulate_power(power: Facts) -> Table:
    """Tabulate what tests on these rows can find."""
    rows = power["models"]
    columns = [
        Column("Model", pick(rows, "model"), is_text=True),
        Column("Known AR", pick(rows, "known"), write_number),
        Column("Decrease from it", pick(rows, "detectable_fall"), write_number),
        *list_initial_falls(pick(rows, "detectable_fall_initial")),
        Column("Difference from it", pick(rows, "detectable_difference"), write_number),
        Column("Half-width of the interval (beta)", pick(rows, "half_width"), write_number),
    ]
    return Table("Smallest decrease and difference that these rows would show", columns)


def list_initial_falls(falls: Sequence[float | None]) -> list[Column]:
    """List what the two-sample test against initial validation finds, if there is one."""
    if all(fall is None for fall in falls):
        return []
    return [Column("Decrease since initial validation", falls, write_number)]


def tabulate_pairs(power: Facts) -> Table:
    """Tabulate the differences between models that these rows can find."""
    rows = power["pairs"]
    names = [f"{row['model']} minus {row['against']}" for row in rows]
    found = pick(rows, "detectable_difference")
    columns = [
        Column("Models", names, is_text=True),
        Column("Difference in AR", found, write_number),
    ]
    return Table("Smallest difference between models that these rows would show", columns)


def tabulate_reasons(rows: Facts, n_events: float, words: Words) -> Table:
    """Tabulate the rows that were left out, by reason, and those that were used."""
    total = rows["left_out_total"]
    parts = [
        *rows["reasons"],
        total | {"reason": "left out in total", "column": ""},
        {"reason": "used", "column": "", "n_rows": rows["used"], "n_events": n_events}
        | {
            "response_rate": rows["used_response_rate"],
            "n_rows_with_outcome": rows["used"],
            "n_rows_without_weight": 0,
        },
    ]
    count = choose_count(pick(parts, "n_rows"))
    events = pick(parts, "n_events")
    rates = pick(parts, "response_rate")
    rate = choose_outcome(rates, are_events=words.are_events)
    columns = [
        Column("Rows", pick(parts, "reason"), is_text=True),
        Column("Column", pick(parts, "column"), is_text=True),
        Column("Number", pick(parts, "n_rows"), count),
        Column("With an outcome", pick(parts, "n_rows_with_outcome"), count),
        *list_unweighted(pick(parts, "n_rows_without_weight"), words),
        Column(words.outcome, events, choose_count(events)),
        Column(words.rate, rates, rate),
    ]
    return Table("Rows left out and used", columns)


def list_unweighted(n_rows: list[int], words: Words) -> list[Column]:
    """List the rows with an outcome that count in no weighted number."""
    if not (words.are_weighted and any(n_rows)):
        return []
    return [Column(UNWEIGHTED, n_rows, choose_count(n_rows))]


def tabulate_missing_words(words: Sequence[Facts]) -> Table | None:
    """Tabulate the words that were taken for missing values."""
    if not words:
        return None
    counts = pick(words, "n")
    columns = [
        Column("Column", pick(words, "column"), is_text=True),
        Column("Word", [each["word"] or "(empty)" for each in words], is_text=True),
        Column("Number", counts, choose_count(counts)),
    ]
    return Table("Words taken for missing values", columns)


def tabulate_other_labels(labels: Sequence[Facts]) -> Table | None:
    """Tabulate the labels of the outcome that count as non-events."""
    if not labels:
        return None
    counts = pick(labels, "n")
    columns = [
        Column("Label", pick(labels, "label"), is_text=True),
        Column("Rows", counts, choose_count(counts)),
    ]
    return Table("Labels that count as non-events", columns)


def tabulate_left_out(split: Facts, words: Words) -> Table:
    """Tabulate the rows left out by segment or period."""
    rows = split["groups"]
    names = [show_key(row["group"]) for row in rows]
    rates = pick(rows, "response_rate_left_out")
    counts = (
        pick(rows, "n_read"),
        pick(rows, "n_left_out"),
        pick(rows, "n_left_out_with_outcome"),
    )
    columns = [
        Column(split["by"], names, is_text=True, ranks=range(len(names))),
        Column("Rows read", counts[0], choose_count(counts[0])),
        Column("Left out", counts[1], choose_count(counts[1])),
        Column("With an outcome", counts[2], choose_count(counts[2])),
        *list_unweighted(pick(rows, "n_left_out_without_weight"), words),
        Column(
            f"{words.rate} of those left out",
            rates,
            choose_outcome(rates, are_events=words.are_events),
        ),
    ]
    return Table(f"Rows left out by {split['by']}", columns)


def tabulate_own_rows(rows: Sequence[Facts]) -> Table:
    """Tabulate AR on the rows with a score of each model, and on the common rows."""
    columns = [
        Column("Model", pick(rows, "model"), is_text=True),
        Column("Rows that it ranks", pick(rows, "n_rows"), lambda n: write_number(n, 0)),
        Column("AR on its rows", pick(rows, "accuracy_ratio"), write_number),
        Column("Common rows", pick(rows, "n_rows_common"), lambda n: write_number(n, 0)),
        Column("AR on common rows", pick(rows, "accuracy_ratio_common"), write_number),
        Column("Difference", pick(rows, "difference"), write_number),
    ]
    return Table("AR on the rows of each model and on the common rows", columns)


def write_judged(value: float | None) -> str:
    """Write an AR or a p-value, which is never 0."""
    if value is not None and 0 < value < SMALLEST:
        return write_p_value(value)
    return write_number(value)


def tabulate_gates(gates: Sequence[Facts], prose: Write) -> Table:
    """Tabulate the limits that were set and whether they are kept."""
    verdicts = [VERDICTS[gate["passed"]] for gate in gates]
    marks = ["✕" if gate["passed"] is False else "" for gate in gates]
    columns = [
        Column("Gate", list(map(name_gate, gates)), is_text=True),
        Column("Result", verdicts, is_text=True, marks=marks),
        Column("Applies to", pick(gates, "subject"), is_text=True),
        Column("Value", pick(gates, "value"), write_judged),
        Column("Limit", pick(gates, "limit"), write_number),
        Column("Explanation", pick(gates, "text"), prose, is_text=True),
    ]
    return Table("Gates", columns)
