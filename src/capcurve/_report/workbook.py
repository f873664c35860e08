"""Write the facts of a report as an Excel workbook."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from capcurve._report.control_characters import escape_all_controls
from capcurve._report.options import Facts
from capcurve._report.scored import show_key
from capcurve.exceptions import CapcurveError

NAMES_OF_SHARES = {"population_share", "capture_rate", "response_rate", "tie_share"}
MAX_SHEET_NAME = 31  # characters; the limit of Excel
MAX_ROWS = 2**20 - 1  # below the header; the limit of Excel
MAX_COLUMN_WIDTH = 60  # characters


def write_workbook(facts: Facts, path: Path) -> None:
    """Write a workbook with a sheet for each part of the report."""
    import xlsxwriter

    facts = escape_all_controls(facts)
    content = BytesIO()  # xlsxwriter has an error of its own for a disk that is full
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        created = datetime.fromisoformat(facts["provenance"]["time"]).replace(tzinfo=None)
        book.set_properties({"title": facts["title"], "created": created})
        for name, rows in make_sheets(facts).items():
            if rows:
                fill_sheet(book, name, rows)
    path.write_bytes(content.getvalue())


def make_sheets(facts: Facts) -> dict[str, list[Facts]]:
    """Return the rows of each sheet, by sheet name."""
    models = facts["models"]
    sheets = {
        "Models": [summarise_model(model) for model in models],
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
            *({"what": "method", "text": each["text"]} for each in facts["methods"]),
            *({"what": "reference", "text": text} for text in facts["references"]),
            *(
                {"what": name, "text": str(value)}
                for part in ("rows", "provenance")
                for name, value in facts[part].items()
            ),
        ],
    }
    for kind, title in (("segments", "Segments"), ("periods", "Periods")):
        sheets[title] = [
            {"by": section["by"], **flatten_group(row)}
            for section in facts[kind]
            for row in section["groups"]
        ]
    return sheets


def summarise_model(model: Facts) -> Facts:
    """Return the facts of a model that are single values."""
    single_values = {
        name: value
        for name, value in model.items()
        if not isinstance(value, Mapping | list) and value is not None
    }
    ratio, auc = model["accuracy_ratio"], model["auc"] or {}
    return {
        "model": single_values.pop("name"),
        "accuracy_ratio": ratio["value"],
        "low": ratio["low"],
        "high": ratio["high"],
        "standard_error": ratio["standard_error"],
        "auc": auc.get("value"),
        "ks": model["ks"]["value"],
        **single_values,
        "worst_ties": model["tie_bounds"]["worst"],
        "best_ties": model["tie_bounds"]["best"],
    }


def flatten_group(row: Facts) -> Facts:
    """Return the facts of a group, with AR and its limits as columns."""
    ratio = row["accuracy_ratio"] or {}
    numbers = {name: value for name, value in row.items() if name != "accuracy_ratio"}
    return numbers | {
        "group": show_key(row["group"]),
        "accuracy_ratio": ratio.get("value"),
        "low": ratio.get("low"),
        "high": ratio.get("high"),
    }


def fill_sheet(book: Any, name: str, rows: Sequence[Facts]) -> None:
    """Write rows below a frozen header row."""
    if len(rows) > MAX_ROWS:
        raise CapcurveError(
            f"a sheet of a workbook must have at most {MAX_ROWS:,} rows, but {name!r} has "
            f"{len(rows):,}; pass fewer `bands`, or write .json"
        )
    sheet = book.add_worksheet(name[:MAX_SHEET_NAME])
    heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True})
    share = book.add_format({"num_format": "0.00%"})
    plain = book.add_format({"num_format": "#,##0.######"})
    columns = list(rows[0])
    for place, column in enumerate(columns):
        sheet.write_string(0, place, column.replace("_", " "), heading)
        cell_format = share if column in NAMES_OF_SHARES else plain
        for number, row in enumerate(rows, start=1):
            write_cell(sheet, number, place, row.get(column), cell_format)
        longest = max(len(str(row.get(column) or "")) for row in rows)
        sheet.set_column(
            place, place, min(MAX_COLUMN_WIDTH, max(10, min(longest, 14), len(column)))
        )
        if any(isinstance(row.get(column), str) for row in rows):
            sheet.set_column(place, place, min(MAX_COLUMN_WIDTH, max(10, longest)))
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, len(rows), len(columns) - 1)


def write_cell(sheet: Any, row: int, place: int, value: Any, cell_format: Any) -> None:
    """Write a cell with its native type; texts are never formulas."""
    if isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, place, value, cell_format)
    elif value is not None:
        sheet.write_string(row, place, str(value))
