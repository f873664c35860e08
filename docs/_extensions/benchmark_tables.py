"""Show the records of `make bench` that are kept in docs/about/benchmarks."""

import json
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class BenchmarkTables(SphinxDirective):
    """The tables of one file: a table for each case, and what it was measured on."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Read a file beside the page."""
        path = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        self.env.note_dependency(str(path))
        file = json.loads(path.read_text(encoding="utf-8"))
        return self.parse_text_to_nodes(write(file), allow_section_headings=True)


def write(file: dict) -> str:
    """Write the records of a file as Markdown: cases of the same jobs share a table."""
    by_case = itemgetter("case", "rows")
    cases = [(*case, list(rows)) for case, rows in groupby(file["records"], by_case)]
    tables = [describe(file)]
    for jobs, alike in groupby(cases, lambda case: [row["job"] for row in case[2]]):
        table = [
            f"| case | rows | {' | '.join(jobs)} |",
            "| --- |" + " ---: |" * (len(jobs) + 1),
        ]
        for case, count, rows in alike:
            shown = " | ".join(map(spell, rows))
            table.append(f"| {case} | {count or 0:,} | {shown} |".replace("| 0 |", "| |"))
        tables.append("\n".join(table))
    return "\n\n".join(tables)


def describe(file: dict) -> str:
    """Say what the numbers depend on."""
    packages = ", ".join(f"{name} {number}" for name, number in file["packages"].items())
    return (
        f"`benchmarks/{file['script']}.py` at commit `{file['commit']}`: Python "
        f"{file['python']}, {file['machine']}, {file['processors']} processors; {packages}."
    )


def spell(record: dict) -> str:
    """Write a value with three digits and a unit that suits it."""
    value, unit = record["value"], record["unit"]
    steps = UNITS[unit]
    name, step = next((each for each in steps if value >= each[1]), steps[-1])
    return f"{float(f'{value / step:.3g}'):g} {name}".strip()


UNITS = {
    "s": [("s", 1), ("ms", 1e-3), ("µs", 1e-6)],
    "B": [("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1)],
    "1": [("", 1)],
}


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("benchmark-tables", BenchmarkTables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
