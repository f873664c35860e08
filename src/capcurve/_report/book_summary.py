"""The first sheet of a workbook: findings, key figures and the sample on one page."""

from collections.abc import Sequence
from typing import Any

from capcurve._report.book_layout import PADDING, find_height, find_row_height
from capcurve._report.book_models import name_roles, note_model, write_level
from capcurve._report.book_numbers import Kind, choose_format
from capcurve._report.book_page import Page, write_text
from capcurve._report.book_styles import Styles
from capcurve._report.book_table import Column, list_interval, make_table, pick
from capcurve._report.gates import VERDICTS, count_verdicts, name_gate
from capcurve._report.options import Facts
from capcurve._report.phrases import raise_first

WIDTH_OF_NAMES, WIDTH_OF_NUMBERS, N_NUMBERS = 26, 11, 8
MIDDLE = 5  # first column of the right half
TOPICS = {
    "accuracy_ratio": "Accuracy ratio",
    "leakage": "Score and outcome",
    "challenger": "Challenger",
    "initial": "Initial validation",
    "segments": "Segments",
    "trend": "Trend",
    "implied": "Implied AR",
    "left_out": "Rows left out",
    "power": "Power",
}
LIGHT_OF_VERDICT = {True: "green", False: "red", None: "amber"}
URGENCY = list(VERDICTS)
MOST_GATES = 6  # on the first sheet
TOP = 0.1  # population share of the key figures


def write_summary(book: Any, styles: Styles, facts: Facts) -> Page:
    """Write the first sheet, but for its charts."""
    widths = [WIDTH_OF_NAMES] + [WIDTH_OF_NUMBERS] * N_NUMBERS
    page = Page(book.add_worksheet("Summary"), "Summary", styles, widths)
    page.write_heading(facts["title"], styles.title, font_size=16)
    page.write_heading(describe_size(facts), styles.note)
    write_findings(page, facts)
    write_limitations(page, facts["limitations"])
    write_gates(page, facts["gates"])
    page.row += 1
    page.write_table(make_table(list_key_figures(facts), title="Key figures"))
    for model in facts["models"]:
        if note := note_model(model):
            page.write_heading(f"{model['name']}: {note}", styles.note)
    write_pairs(page, facts)
    return page


def describe_size(facts: Facts) -> str:
    """Say in a line how large the sample is, and when the report was made."""
    champion, time = facts["models"][0], facts["provenance"]["time"]
    parts = [f"{facts['rows']['used']:,} rows"]
    weighted = "weighted " if facts["sample"]["weights"] == "sampling" else ""
    if facts["outcome"] == "events":
        rate = champion["response_rate"]
        shown = choose_format("rate", [rate]).show(rate)
        parts.append(f"{weighted}event rate {shown}")
    parts.append(f"made {time.replace('T', ' ').replace('+00:00', ' UTC')}")
    return ", ".join(parts)


def write_subtitle(page: Page, text: str) -> None:
    """Write the heading of a part."""
    page.row += 1
    page.sheet.write_string(page.row, 0, text, page.styles.subtitle)
    page.row += 1


def write_findings(page: Page, facts: Facts) -> None:
    """Write the findings, with their status if there are limits for it."""
    write_subtitle(page, "Findings")
    judged = any(finding["status"] for finding in facts["findings"])
    for finding in facts["findings"]:
        write_sentence(
            page,
            TOPICS[finding["topic"]],
            finding["text"],
            finding["status"] if judged else None,
            judged=judged,
        )


def write_sentence(
    page: Page, name: str, text: str, light: str | None, *, judged: bool, word: str = ""
) -> None:
    """Write a sentence beside its topic, in a row that is high enough for it."""
    styles, first = page.styles, 1 + judged
    write_text(page.sheet, page.row, 0, name, styles.words(bold=True, valign="top"))
    if light is not None:
        page.sheet.write_string(page.row, 1, word or light, styles.light(light))
    style = styles.words(valign="top", indent=int(judged))
    page.write_across(text, first, N_NUMBERS, style)
    width = WIDTH_OF_NUMBERS * (N_NUMBERS + 1 - first) - judged
    room = WIDTH_OF_NAMES - PADDING  # bold letters are wider
    page.set_height(page.row, max(find_height(name, room), find_height(text, width)) + 3)
    page.row += 1


def write_gates(page: Page, gates: Sequence[Facts]) -> None:
    """Write the limits that were to be kept, first those that were not."""
    if not gates:
        return
    write_subtitle(page, "Limits to be kept")
    urgent = sorted(gates, key=lambda gate: URGENCY.index(gate["passed"]))
    for gate in urgent[:MOST_GATES]:
        passed, text = gate["passed"], f"{gate['text']}."
        write_sentence(
            page,
            name_gate(gate),
            text if text.startswith(f"{gate['subject']}: ") else raise_first(text),
            LIGHT_OF_VERDICT[passed],
            judged=True,
            word=VERDICTS[passed],
        )
    if len(gates) > MOST_GATES:
        told = count_verdicts(gates)
        page.write_heading(f"All are on the sheet Limits: {told}.", page.styles.note)


def list_key_figures(facts: Facts) -> list[Column]:
    """List AR and AUC with their limits, KS, and what the best tenth captures."""
    models, level = facts["models"], write_level(facts)
    roles = name_roles(models)
    names = [
        model["name"] if role is None else f"{model['name']} ({role})"
        for model, role in zip(models, roles, strict=True)
    ]
    name, path = "AUC", "auc"
    if facts["outcome"] == "amounts":
        name, path = "gAUC", "gauc"
    tops = [
        next(at for at in model["captured"] if at["population_share"] == TOP)
        for model in models
    ]
    return [
        Column("Model", "text", names),
        *list_interval(models, "AR", f"AR with {level} interval", "accuracy_ratio"),
        *list_interval(models, name, f"{name} with {level} interval", path),
        Column("KS", "ratio", pick(models, "ks", "value")),
        Column(
            f"Captured in the top {100 * TOP:.0f} %", "share", pick(tops, "capture_rate")
        ),
    ]


def write_pairs(page: Page, facts: Facts) -> None:
    """Write the sample on the left, and what the caller says of the report on the right."""
    row = page.row
    write_subtitle(page, "Sample")
    start = page.row
    for name, value, kind in list_sample(facts):
        write_pair(page, 0, name, value, kind)
    end = page.row
    if facts["meta"]:
        page.sheet.write_string(row + 1, MIDDLE, "About this report", page.styles.subtitle)
        page.row = start
        for name, value in facts["meta"].items():
            write_pair(page, MIDDLE, name, value, "text")
    page.row = max(end, page.row)


def write_pair(page: Page, column: int, name: str, value: Any, kind: Kind) -> None:
    """Write a name and its value in a line of the sheet."""
    styles, first = page.styles, column + 1 + bool(column)
    page.write_across(name, column, first - 1, styles.text(align="left"))
    if isinstance(value, int | float):
        style = styles.number(choose_format(kind, [value]).code)
        page.sheet.merge_range(page.row, first, page.row, first + 1, "", style)
        page.sheet.write_number(page.row, first, value, style)
    else:
        last, align = (N_NUMBERS, "left") if column else (first + 1, "right")
        page.write_across(str(value), first, last, styles.text(align=align))
        width = WIDTH_OF_NUMBERS * (last + 1 - first)
        page.set_height(page.row, find_row_height(find_height(str(value), width)))
    page.row += 1


def list_sample(facts: Facts) -> list[tuple[str, Any, Kind]]:
    """List name, value and kind of what describes the sample."""
    sample, rows, champion = facts["sample"], facts["rows"], facts["models"][0]
    has_events = facts["outcome"] == "events"
    found: list[tuple[str, Any, Kind]] = [
        ("Rows read", rows["read"], "count"),
        ("Rows left out", rows["left_out"], "count"),
        ("Rows used", rows["used"], "count"),
        ("Events" if has_events else "Rows above 0", sample["n_events"], "count"),
        ("Non-events" if has_events else "Rows of 0", sample["n_non_events"], "count"),
    ]
    name = "event rate" if has_events else "mean outcome"
    kind: Kind = "rate" if has_events else "count"
    if sample["weights"] == "sampling":
        name = f"weighted {name}"
    found.append((name.capitalize(), champion["response_rate"], kind))
    period = sample["period"]
    if period is not None and period["first"] is not None:
        found.append(("Period", f"{period['first']} to {period['last']}", "text"))
    if sample["clusters"] is not None:
        clusters = sample["clusters"]
        found.append((f"Clusters ({clusters['column']})", clusters["n"], "count"))
    if sample["weights"] != "none":
        column = sample["weights_column"]  # bins do not hold its name
        name = "Counts" if sample["weights"] == "counts" else "Weights"
        where = "of rows in bins" if column is None else f"of the column {column}"
        found.append((name, where, "text"))
    return [each for each in found if each[1] is not None]


def write_limitations(page: Page, limitations: Sequence[str]) -> None:
    """Write what the report does not assess."""
    write_subtitle(page, "Limitations")
    for text in limitations:
        page.write_heading(text, page.styles.note)
