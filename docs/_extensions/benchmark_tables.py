"""Show the records of `make bench` that are kept in docs/about/benchmarks."""

import json
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

KILO = 1000


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
    """Write the records of a file as Markdown."""
    parts = [describe(file)]
    for case, records in groupby(file["records"], itemgetter("case")):
        rows = list(records)
        counts = {row["rows"] for row in rows if row["rows"]}
        size = f", {max(counts):,} rows" if counts else ""
        table = ["| job | measured |", "| --- | ---: |"]
        table += [f"| {row['job']} | {spell(row['value'], row['unit'])} |" for row in rows]
        parts.append(f"**{case}{size}**\n\n" + "\n".join(table))
    return "\n\n".join(parts)


def describe(file: dict) -> str:
    """Say what the numbers depend on."""
    packages = ", ".join(f"{name} {number}" for name, number in file["packages"].items())
    return (
        f"`benchmarks/{file['script']}.py` at commit `{file['commit']}`: Python "
        f"{file['python']}, {file['machine']}, {file['processors']} processors; {packages}."
    )


def spell(value: float, unit: str) -> str:
    """Write a value with three digits and a unit that suits it."""
    if unit == "1":
        return f"{value:.3g}"
    steps = [("s", 1), ("ms", 1e-3), ("µs", 1e-6)] if unit == "s" else SIZES
    name, step = next(
        (step for step in steps if value >= step[1]), steps[-1]
    )
    shown = value / step
    return f"{shown:,.0f} {name}" if shown >= 100 else f"{shown:.3g} {name}"  # noqa: PLR2004


SIZES = [("GB", KILO**3), ("MB", KILO**2), ("kB", KILO), ("B", 1)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("benchmark-tables", BenchmarkTables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
