"""Facts of a report -> an Excel workbook of real numbers; no text in it is a formula."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

Facts = dict[str, Any]

NAMES_OF_SHARES = {"population_share", "capture_rate", "response_rate", "tie_share"}
MOST = 31  # letters of the name of a sheet
WIDEST = 60  # letters of a column


def write_workbook(facts: Facts, path: Path) -> None:
    """Write a sheet for each part of the report."""
    import xlsxwriter

    with xlsxwriter.Workbook(path) as book:
        created = datetime.fromisoformat(facts["provenance"]["time"]).replace(tzinfo=None)
        book.set_properties({"title": facts["title"], "created": created})
        for name, rows in sheets_of(facts).items():
            if rows:
                fill(book, name, rows)


def sheets_of(facts: Facts) -> dict[str, list[Facts]]:
    """Lay the facts out as rows of named cells."""
    models = facts["models"]
    sheets = {
        "Models": [summary_of(model) for model in models],
        "Captured": [
            {"model": model["name"], **at} for model in models for at in model["captured"]
        ],
        "Gains": [
            {"model": model["name"], **row} for model in models for row in model["gains"]
        ],
        "Challengers": list(facts["challengers"]),
        "Initial": list(facts["initial"]),
        "Curve": [
            {"model": model["name"], **dict(zip(model["curve"], point, strict=True))}
            for model in models
            for point in zip(*model["curve"].values(), strict=True)
        ],
        "About": [
            *({"what": "note", "text": note} for note in facts["notes"]),
            *({"what": "reference", "text": each} for each in facts["references"]),
            *(
                {"what": name, "text": str(value)}
                for part in ("rows", "options", "provenance")
                for name, value in facts[part].items()
            ),
        ],
    }
    for kind, title in (("segments", "Segments"), ("periods", "Periods")):
        sheets[title] = [
            {"by": each["by"], **group_of(row)}
            for each in facts[kind]
            for row in each["groups"]
        ]
    return sheets


def summary_of(model: Facts) -> Facts:
    """Take the numbers of a model that are one each."""
    plain = {
        name: value
        for name, value in model.items()
        if not isinstance(value, Mapping | list) and value is not None
    }
    ratio, auc = model["accuracy_ratio"], model["auc"] or {}
    return {
        "model": plain.pop("name"),
        "accuracy_ratio": ratio["value"],
        "low": ratio["low"],
        "high": ratio["high"],
        "standard_error": ratio["standard_error"],
        "auc": auc.get("value"),
        **plain,
        "worst_ties": model["tie_bounds"]["worst"],
        "best_ties": model["tie_bounds"]["best"],
    }


def group_of(row: Facts) -> Facts:
    """Take the numbers of a group."""
    ratio = row["accuracy_ratio"] or {}
    numbers = {name: value for name, value in row.items() if name != "accuracy_ratio"}
    return numbers | {
        "accuracy_ratio": ratio.get("value"),
        "low": ratio.get("low"),
        "high": ratio.get("high"),
    }


def fill(book: Any, name: str, rows: Sequence[Facts]) -> None:
    """Write rows below a header that stays in sight."""
    sheet = book.add_worksheet(name[:MOST])
    heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True})
    share = book.add_format({"num_format": "0.00%"})
    plain = book.add_format({"num_format": "#,##0.######"})
    columns = list(rows[0])
    for place, column in enumerate(columns):
        sheet.write_string(0, place, column.replace("_", " "), heading)
        form = share if column in NAMES_OF_SHARES else plain
        for number, row in enumerate(rows, start=1):
            write_cell(sheet, number, place, row.get(column), form)
        longest = max(len(str(row.get(column) or "")) for row in rows)
        sheet.set_column(place, place, min(WIDEST, max(10, min(longest, 14), len(column))))
        if any(isinstance(row.get(column), str) for row in rows):
            sheet.set_column(place, place, min(WIDEST, max(10, longest)))
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, len(rows), len(columns) - 1)


def write_cell(sheet: Any, row: int, place: int, value: Any, form: Any) -> None:
    """Write a value as what it is."""
    if isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, place, value, form)
    elif value is not None:
        sheet.write_string(row, place, str(value))
