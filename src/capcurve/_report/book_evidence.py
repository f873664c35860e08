"""Sheets of a workbook on what the numbers rest on: rows, methods and provenance."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from capcurve._report.book_table import Column, Sheet, Table, dig, make_table, pick
from capcurve._report.left_out import NO_WEIGHT
from capcurve._report.left_out_findings import say_several_reasons
from capcurve._report.options import Facts
from capcurve._report.phrases import UNWEIGHTED
from capcurve._report.scored import show_key
from capcurve._report.sources import format_reference, list_sources

MAX_PART = 30_000  # characters of a long text in one cell; the next row continues it


def make_rows_sheet(facts: Facts) -> Sheet:
    """Describe the rows that were read, used and left out."""
    rows = facts["rows"]
    return Sheet(
        name="Rows",
        title="Rows read, used and left out",
        notes=[say_several_reasons(rows)],
        tables=[
            tabulate_counts(facts, rows),
            tabulate_reasons(facts, rows["reasons"]),
            tabulate_other_labels(rows["other_labels"]),
            tabulate_missing_words(rows["missing_words"]),
            tabulate_own_rows(rows["own_rows"]),
            tabulate_left_out_by(facts, rows["by"] if rows["left_out"] else []),
        ],
    )


def list_outcome(facts: Facts, events: Sequence[Any], rates: Sequence[Any]) -> list[Column]:
    """List the events or amounts of groups of rows, and their rate.

    All tables of the sheet have one format of events, and one of amounts.
    """
    like = list_all_events(facts)
    if facts["outcome"] == "events":
        is_weighted = facts["sample"]["weights"] == "sampling"
        name = "Weight of events" if is_weighted else "Events"
        return [
            Column(name, "count", events, like=like),
            Column("Event rate", "rate", rates),
        ]
    return [
        Column("Total outcome", "amount", events, like=like),
        Column("Mean outcome", "amount", rates),
    ]


def list_all_events(facts: Facts) -> list[float | None]:
    """List the events or amounts of all tables of rows."""
    rows = facts["rows"]
    groups = [group for each in rows["by"] for group in each["groups"]]
    return [
        dig(facts, "provenance", "query", "events_before"),
        facts["models"][0]["n_events"],
        rows["left_out_total"]["n_events"],
        *pick(rows["reasons"], "n_events"),
        *pick(groups, "n_events_left_out"),
    ]


def list_unweighted(n_rows: Sequence[Any]) -> list[Column]:
    """List the rows with an outcome that count in no weighted number."""
    return [Column(UNWEIGHTED, "count", n_rows)] if any(n_rows) else []


def tabulate_counts(facts: Facts, rows: Facts) -> Table:
    """Make the table of the rows read, used and left out."""
    left_out, query = rows["left_out_total"], facts["provenance"]["query"]
    events_read, rate_read = find_read(facts, rows)
    names = ["In the files, before the query", "Read", "Left out", "Used"]
    counts = [dig(query, "rows_before"), rows["read"], rows["left_out"], rows["used"]]
    events = [
        dig(query, "events_before"),
        events_read,
        left_out["n_events"],
        facts["models"][0]["n_events"],
    ]
    rates = [
        dig(query, "response_rate_before"),
        rate_read,
        left_out["response_rate"],
        rows["used_response_rate"],
    ]
    p_values = [None, None, left_out["p_value"], None]
    skipped = int(counts[0] is None)
    return make_table(
        [
            Column("Rows", "text", names[skipped:]),
            Column("Number", "count", counts[skipped:]),
            *list_outcome(facts, events[skipped:], rates[skipped:]),
            Column("p-value, left out against used", "p_value", p_values[skipped:]),
        ]
    )


def find_read(facts: Facts, rows: Facts) -> tuple[float | None, float | None]:
    """Find the events or amounts of all rows read, and their rate, where these are known.

    They are known if every row left out has an outcome and, of weighted rows, a weight.
    """
    left_out, used = rows["left_out_total"], facts["models"][0]
    lacks_weight = any(each["reason"] == NO_WEIGHT for each in rows["reasons"])
    if rows["read"] is None or lacks_weight:
        return None, None
    if left_out["n_rows_with_outcome"] != left_out["n_rows"]:
        return None, None
    events, mass = left_out["n_events"] or 0, measure_left_out(left_out)
    total = used["n_events"] + events
    return total, None if mass is None else total / (used["n"] + mass)


def measure_left_out(left_out: Facts) -> float | None:
    """Return the weight of the rows left out; None where only a rate of 0 is known."""
    if not left_out["is_weighted"]:
        return float(left_out["n_rows"])
    rate = left_out["response_rate"]
    if rate is None:  # they have a weight of 0
        return 0.0
    return left_out["n_events"] / rate if rate else None


def tabulate_reasons(facts: Facts, reasons: Sequence[Facts]) -> Table:
    """Make the table of the reasons for which rows were left out."""
    return make_table(
        [
            Column("Reason", "text", pick(reasons, "reason")),
            Column("Column", "text", pick(reasons, "column")),
            Column("Rows", "count", pick(reasons, "n_rows")),
            Column("With an outcome", "count", pick(reasons, "n_rows_with_outcome")),
            *list_unweighted(pick(reasons, "n_rows_without_weight")),
            *list_outcome(facts, pick(reasons, "n_events"), pick(reasons, "response_rate")),
        ],
        title="Rows left out, by reason",
    )


def tabulate_missing_words(words: Sequence[Facts]) -> Table:
    """Make the table of the words that were taken for missing values."""
    return make_table(
        [
            Column("Column", "text", pick(words, "column")),
            Column("Word", "text", [each["word"] or "(empty)" for each in words]),
            Column("Number", "count", pick(words, "n")),
        ],
        title="Words taken for missing values",
    )


def tabulate_other_labels(labels: Sequence[Facts]) -> Table:
    """Make the table of labels of the outcome that count as non-events."""
    return make_table(
        [
            Column("Label", "text", pick(labels, "label")),
            Column("Rows", "count", pick(labels, "n")),
        ],
        title="Labels that count as non-events",
    )


def tabulate_own_rows(own_rows: Sequence[Facts]) -> Table:
    """Make the table of AR on the rows of one model and on those of all."""
    alone, common = "Rows that this model can rank", "Rows that all models can rank"
    return make_table(
        [
            Column("Model", "text", pick(own_rows, "model")),
            Column("Rows", "count", pick(own_rows, "n_rows"), alone),
            Column("AR", "ratio", pick(own_rows, "accuracy_ratio"), alone),
            Column("Rows", "count", pick(own_rows, "n_rows_common"), common),
            Column("AR", "ratio", pick(own_rows, "accuracy_ratio_common"), common),
            Column("Change of AR", "difference", pick(own_rows, "difference")),
        ],
        title="What leaving rows out changes",
    )


def tabulate_left_out_by(facts: Facts, by: Sequence[Facts]) -> Table:
    """Make the table of rows left out by segment and period."""
    rows = [{"by": each["by"], **group} for each in by for group in each["groups"]]
    read, left_out = pick(rows, "n_read"), pick(rows, "n_left_out")
    shares = [out / n if n else None for out, n in zip(left_out, read, strict=True)]
    return make_table(
        [
            Column("Grouped by", "text", pick(rows, "by")),
            Column("Group", "text", [show_key(row["group"]) for row in rows]),
            Column("Rows read", "count", read),
            Column("Left out", "count", left_out),
            Column("Share left out", "rate", shares),
            Column("With an outcome", "count", pick(rows, "n_left_out_with_outcome")),
            *list_unweighted(pick(rows, "n_left_out_without_weight")),
            *list_outcome(
                facts, pick(rows, "n_events_left_out"), pick(rows, "response_rate_left_out")
            ),
        ],
        title="Rows left out, by segment and period",
    )


def make_methods_sheet(facts: Facts) -> Sheet:
    """Describe what is not assessed, and the methods that were used, with sources."""
    methods = facts["methods"]
    sources = [" ".join(map(cite, list_sources(each))) or None for each in methods]
    columns = [
        Column("Topic", "text", pick(methods, "topic"), widest=20),
        Column("What was done", "prose", pick(methods, "text"), widest=56),
        Column("Formula", "text", pick(methods, "formula"), widest=30),
        Column("Degrees of freedom", "text", pick(methods, "df"), widest=22),
        Column("Source", "prose", sources, widest=42),
    ]
    return Sheet(
        name="Methods",
        title="Limitations and methods",
        notes=facts["limitations"],
        tables=[make_table(columns, is_main=True)],
    )


def cite(source: Facts) -> str:
    """Write a reference in one line."""
    section = "" if source["section"] is None else f", {source['section']}"
    return f"{format_reference(source)}{section}"


def make_provenance_sheet(facts: Facts) -> Sheet:
    """Describe what the report was made of and how it can be made again."""
    provenance = facts["provenance"]
    files = provenance["files"]
    run = provenance.get("run")
    read = files if run is None else [*files, run["config"]]
    return Sheet(
        name="Provenance",
        title="Provenance",
        notes=[promise_same(provenance["query"])],
        tables=[
            tabulate_items(list_items(facts), ""),
            make_table(
                [
                    Column("File", "text", pick(read, "name")),
                    Column("SHA-256", "prose", pick(read, "sha256")),
                    Column("Bytes", "count", pick(read, "size")),
                ],
                title="Files",
            ),
            tabulate_items(provenance["options"], "Options"),
            tabulate_items(
                {"Python": provenance["python"], **provenance["versions"]}, "Versions"
            ),
        ],
    )


def promise_same(query: Facts | None) -> str:
    """Say when the report comes out the same again."""
    promise = "With the same files, options and versions, the report comes out the same"
    if query is None or not query["unrepeatable"]:
        return f"{promise}."
    reasons = ", ".join(query["unrepeatable"])
    return (
        f"{promise} only if the query returns the same rows, and it depends on chance or "
        f"the time ({reasons})."
    )


def list_items(facts: Facts) -> Facts:
    """List the texts of the provenance, after what the caller says of the report."""
    provenance = facts["provenance"]
    run = provenance.get("run", {"command": None, "config": {"name": None}})
    return {
        **facts["meta"],
        "Run": run["command"],
        "Config of the run": run["config"]["name"],
        "Command": provenance["command"],
        "Python call": provenance["call"],
        "SHA-256 of the rows of the query": (provenance["query"] or {}).get("sha256"),
        "System": provenance["os"],
        "Random seed": provenance["seed"],
        "Time": provenance["time"],
    }


def tabulate_items(items: Mapping[str, Any], title: str) -> Table:
    """Make a table of names and texts; what is None is left out."""
    shown = {name: show_option(value) for name, value in items.items() if value is not None}
    pairs = [pair for item in shown.items() for pair in split_text(*item)]
    names, texts = [each[0] for each in pairs], [each[1] for each in pairs]
    columns = [Column("Item", "text", names), Column("Value", "prose", texts)]
    return make_table(columns, title=title)


def split_text(name: str, text: str) -> Iterable[tuple[str, str]]:
    """Split a text that no cell could hold into several rows."""
    parts = [text[i : i + MAX_PART] for i in range(0, max(len(text), 1), MAX_PART)]
    yield name, parts[0]
    for part in parts[1:]:
        yield f"{name}, continued", part


def show_option(value: Any) -> str:
    """Write the value of an option as people do."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {show_option(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(show_option, value))
    return "none" if value is None else str(value)
