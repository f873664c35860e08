"""Make the parts of a page that are neither curves nor tables of one kind."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from html import escape
from typing import Any
from urllib.parse import quote

from capcurve._report.comparison_tables import (
    tabulate_challengers,
    tabulate_gates,
    tabulate_implied,
    tabulate_initial,
    tabulate_left_out,
    tabulate_missing_words,
    tabulate_other_labels,
    tabulate_own_rows,
    tabulate_pairs,
    tabulate_power,
    tabulate_reasons,
)
from capcurve._report.options import Facts
from capcurve._report.page_format import Write, write_count
from capcurve._report.page_table import Drawn
from capcurve._report.page_tables import (
    Words,
    tabulate_captured,
    tabulate_gains,
    tabulate_models,
)
from capcurve._report.phrases import say_count

TOPICS = {
    "accuracy_ratio": "Accuracy ratio",
    "leakage": "Score and outcome",
    "challenger": "Challenger",
    "initial": "Initial validation",
    "segments": "Segments",
    "trend": "Trend",
    "implied": "Implied accuracy ratio",
    "left_out": "Rows left out",
    "power": "Power",
}
SECTIONS = {
    "challengers": "Comparison of models",
    "initial": "Initial validation",
    "implied": "Implied accuracy ratio",
    "segments": "Segments",
    "periods": "Trend over time",
    "power": "What this sample can show",
}
FILES_SHOWN = 20
ALL_FILES = "the report as JSON, or as a workbook, has the hashes of all"
AUTHORS = ("author", "validator", "owner")


def list_contents(facts: Facts) -> list[tuple[str, str]]:
    """List the anchors and the names of the sections."""
    names = SECTIONS | {"periods": name_periods(facts)}
    some = [(anchor, name) for anchor, name in names.items() if facts[anchor]]
    gains = "Gains tables" if len(facts["models"]) > 1 else "Gains table"
    return [
        ("summary", "Summary"),
        *([("limitations", "Limitations")] if facts["limitations"] else []),
        *([("gates", "Gates")] if facts["gates"] else []),
        ("curves", "Curves"),
        ("gains", gains),
        *some,
        ("rows", "Rows and sample"),
        ("methods", "Methods"),
        ("provenance", "Provenance"),
    ]


def name_periods(facts: Facts) -> str:
    """Name the section on periods, which need not be in the order of time."""
    timed = all(section["in_time_order"] for section in facts["periods"])
    return SECTIONS["periods"] if timed else "Periods"


def list_tables(facts: Facts, words: Words, prose: Write) -> dict[str, Any]:
    """Make the tables of a page, by name."""
    models, rows, power = facts["models"], facts["rows"], facts["power"]
    tables: dict[str, Any] = {
        "models": tabulate_models(facts, words),
        "captured": tabulate_captured(models),
        "gains": [tabulate_gains(model, words) for model in models],
        "reasons": tabulate_reasons(rows, facts["models"][0]["n_events"], words),
        "missing_words": tabulate_missing_words(rows["missing_words"]),
        "other_labels": tabulate_other_labels(rows["other_labels"]),
        "left_out": [tabulate_left_out(split, words) for split in rows["by"]],
        "own_rows": tabulate_own_rows(rows["own_rows"]),
        "gates": tabulate_gates(facts["gates"], prose),
    }
    if facts["challengers"]:
        tables["challengers"] = tabulate_challengers(facts["challengers"])
    if facts["initial"]:
        tables["initial"] = tabulate_initial(facts["initial"], words)
    if facts["implied"]:
        tables["implied"] = tabulate_implied(facts["implied"])
    if power:
        tables["power"] = tabulate_power(power)
        tables["pairs"] = tabulate_pairs(power)
    return tables


def list_provenance(provenance: Facts) -> Iterator[tuple[str, str]]:
    """List what made the report, by name."""
    for name in ("command", "call"):
        if provenance[name]:
            yield name.capitalize(), provenance[name]
    if "run" in provenance:
        yield "Run", provenance["run"]["command"]
        yield "Config of the run", say_file(provenance["run"]["config"])
    files = provenance["files"]
    for file in files[:FILES_SHOWN]:
        yield "File", say_file(file)
    if len(files) > FILES_SHOWN:
        rest = write_count(len(files) - FILES_SHOWN)
        yield "Files", f"{rest} more of {write_count(len(files))}; {ALL_FILES}"
    if query := provenance["query"]:
        yield "Rows of the query", say_query_rows(query)
    if given := provenance["options"]:
        told = {name: value for name, value in given.items() if value is not None}
        yield "Options", "; ".join(f"{name}: {say(told[name])}" for name in told)
    versions = "".join(
        f", {name} {number}" for name, number in provenance["versions"].items()
    )
    yield "Versions", f"Python {provenance['python']}{versions}"
    yield "System", provenance["os"]
    yield "Time", provenance["time"]


def say_file(file: Facts) -> str:
    """Say which file was read."""
    size = write_count(file["size"])
    return f"{file['name']}, {size} bytes, SHA-256 {file['sha256']}"


def say_query_rows(query: Facts) -> str:
    """Say which rows a query returned, so that others can be told from them."""
    return f"{say_count(query['rows_after'], 'row')}, SHA-256 {query['sha256']}"


def say(value: Any) -> str:
    """Write the value of an option as people do."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(say, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {say(each)}" for name, each in value.items())
    return str(value)


def find_author(meta: Mapping[str, str]) -> str | None:
    """Find who answers for the report among the names and texts that were given."""
    known = {name.lower(): text for name, text in meta.items()}
    return next((known[name] for name in AUTHORS if name in known), None)


def name_pdf(facts: Facts) -> dict[str, str | None]:
    """Name the title, the author and the maker of a PDF file."""
    return {
        "Title": facts["title"],
        "Author": find_author(facts["meta"]),
        "Creator": f"capcurve {facts['provenance']['versions']['capcurve']}",
        "Producer": "Chromium",
    }


def read_time(facts: Facts) -> datetime:
    """Return the UTC time at which the report was made."""
    return datetime.fromisoformat(facts["provenance"]["time"])


def write_source(source: Facts) -> str:
    """Write a source of a method in short; the list of references has the rest."""
    section = f", {source['section']}" if source["section"] else ""
    return f"{source['authors']} ({source['year']}){section}"


def link_reference(text: str) -> Drawn:
    """Write a reference with a link at its DOI."""
    before, mark, doi = text.partition("doi:")
    link = f'<a href="https://doi.org/{quote(doi)}">doi:{escape(doi)}</a>' if mark else ""
    return Drawn(f"{escape(before)}{link}")
