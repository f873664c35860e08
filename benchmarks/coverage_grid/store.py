"""Finished simulations in a file of JSON lines, so that a run can be taken up again."""

import ast
import json
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import capcurve
from coverage_grid.ledger import Line

HERE = Path(__file__).parent
KEPT = HERE.parent / ".coverage_grid" / "cells.jsonl"  # ignored by git
# What a number can depend on: the packages that compute, and the designs and measures.
PACKAGES = ("_tally", "_input", "_engines", "_curve", "_inference", "_arrays")
MODULES = ("laws", "designs", "ledger", "measures", "new_questions", "simulation")


def digest_source() -> str:
    """Return a digest of the code that makes the numbers, without comments and texts."""
    library = Path(capcurve.__file__).parent
    files = [path for package in PACKAGES for path in (library / package).rglob("*.py")]
    files += [HERE / f"{module}.py" for module in MODULES]
    found = sha256()
    for path in sorted(files):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                node.body = [each for each in node.body if not is_text(each)]
        found.update(ast.dump(tree).encode())
    return found.hexdigest()[:16]


def is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a text alone, such as a docstring."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
        return False
    return isinstance(node.value.value, str)


class Store:
    """Results by key, source, seed, stage and number of replications."""

    def __init__(self, path: Path, source: str, *, fresh: bool = False) -> None:
        self.path = path
        self.source = source
        self.found: dict[str, dict[str, Line]] = {}
        if fresh:
            path.unlink(missing_ok=True)
        if path.exists():
            for text in path.read_text(encoding="utf-8").splitlines():
                self.read(text)

    def read(self, text: str) -> None:
        """Read one line; the last one may have been cut off when a run was stopped."""
        try:
            record = json.loads(text)
        except json.JSONDecodeError:
            return
        if record["source"] == self.source:
            lines = {name: Line(**each) for name, each in record["lines"].items()}
            self.found[record["job"]] = lines

    def put(self, job: str, lines: dict[str, Line], seconds: float) -> None:
        """Keep a result, with the time that it took."""
        self.found[job] = lines
        record = {
            "job": job,
            "source": self.source,
            "seconds": round(seconds, 3),
            "lines": {name: asdict(line) for name, line in lines.items()},
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
