"""The door for the shell: files in, and what is printed read back."""

from __future__ import annotations

import contextlib
import csv
import html
import io
import json
import random
import re
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from capcurve import CapcurveError
from capcurve.__main__ import main
from fuzz import oracle
from fuzz.arrays import check_bands
from fuzz.cases import Case, is_missing
from fuzz.checks import Checker
from fuzz.containers import make_arrow
from fuzz.frames import choose_bands, list_rankings
from fuzz.oracle import Rows
from fuzz.tables import (
    Group,
    average_labels,
    draw_table,
    read_group,
    split_groups,
)

FORMATS = ("json", "csv", "text", "markdown")
PLANS = ((), (), ("--memory-limit", "1GB"), ("--approx",))
NAMES = ("data.csv", "été 日本.csv", "a b.csv", "d[12].csv")
NO_KEY = "(missing)"
MISSING = ("", "NA", "NULL", "None", "N/A")  # words that stand for nothing in numbers
KEPT = ("ks", "capture_10", "capture_50")
RESULTS = {  # columns that no group may be called like
    "score": {"low", "high", "ks", "n"},
    "table": {"band", "n", "n_events", "lift", "ks"},
}
COUNTED = ("worst_ties", "best_ties", "n", "n_events", "response_rate")


def draw_shell(rng: random.Random, profile: str) -> Case:
    return draw_table(rng, profile, frames=False)


class Run(NamedTuple):
    """How a command is called: file, plan and output format."""

    path: Path
    plan: tuple[str, ...]
    form: str

    def name(self, command: str) -> str:
        file = self.path.name if "[" in self.path.name else self.path.suffix
        return " ".join([command, file, self.form, *self.plan])


def check_shell(case: Case) -> Checker:
    checker = Checker(case)
    with tempfile.TemporaryDirectory() as folder:
        path = write_file(case, Path(folder))
        several = case.levels is not None
        plan = () if several else PLANS[case.choice // 8 % len(PLANS)]
        form = FORMATS[case.choice // 32 % (2 if several else 4)]
        run = Run(path, plan, form)
        check_score(checker, run)
        if not several and not plan:
            check_table(checker, run._replace(form="csv"))
    return checker


# -- Files ---------------------------------------------------------------------------------


def write_file(case: Case, folder: Path) -> Path:
    """Write a table as text, or as Parquet where text could not say what is meant."""
    texts = [
        value
        for name, kind in case.storage.items()
        if kind in {"str", "label"}
        for value in case.columns[name]
    ]
    if case.choice % 2 or "" in texts or has_missing_text(case):
        path = folder / "data.parquet"
        pq.write_table(make_arrow(case), path)
        return path
    path = folder / NAMES[case.choice // 2 % 4 if case.choice % 16 == 6 else 0]
    if path.name == "d[12].csv":
        write_text(replace(case, **backwards(case)), folder / "d1.csv")
    write_text(case, path)
    return path


def has_missing_text(case: Case) -> bool:
    """Whether text is missing, which a text file cannot tell from empty text."""
    kind = case.storage[case.truth]
    return kind == "str" and any(map(is_missing, case.columns[case.truth]))


def backwards(case: Case) -> dict[str, Any]:
    """Turn the outcome around, for a file that must not be read."""
    values = {**case.columns, case.truth: case.columns[case.truth][::-1]}
    return {"columns": values, "meant": case.meant[::-1]}


def write_text(case: Case, path: Path) -> None:
    """Write a CSV file, with one of the words for what is missing in numbers."""
    gap = MISSING[case.choice // 7 % len(MISSING)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator=("\n", "\r\n")[case.choice // 5 % 2])
        writer.writerow(case.columns)
        for row in range(case.n):
            writer.writerow(
                write_cell(column[row], "" if name in case.by else gap)
                for name, column in case.columns.items()
            )


def write_cell(value: Any, gap: str) -> str:
    if is_missing(value):
        return gap
    if isinstance(value, bool):
        return str(int(value))
    return str(value)


# -- Commands ------------------------------------------------------------------------------


def list_arguments(case: Case, command: str, run: Run, *more: str) -> list[str]:
    """Write the command line; `=` keeps values that start with a dash."""
    asked = [command, str(run.path), f"--truth={case.truth}", "--quiet", *run.plan]
    asked += [f"--estimate={name}" for name in case.estimates]
    asked += [f"--by={name}" for name in case.by]
    role = "counts" if case.is_counted and not run.plan else "weight"
    asked += [f"--{role}={case.weight}"] if case.weight else []
    asked += [] if case.descending else ["--ascending"]
    for name in ("pos_label", "target_type"):
        if name in case.options:
            asked.append(f"--{name.replace('_', '-')}={case.options[name]}")
    return [*asked, f"--format={run.form}", *more]


def call(arguments: list[str]) -> str:
    """Run a command in this process; an error that it tells in one line is raised."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    told = [line for line in err.getvalue().splitlines() if "error:" in line]
    if code == 2 and len(told) == 1 and told[0].startswith("capcurve: error: "):
        raise CapcurveError(told[0])
    if code != 0:
        raise RuntimeError(f"exit code {code} and {err.getvalue()!r}")
    return out.getvalue()


def read_output(text: str, form: str, names: list[str]) -> list[dict[str, Any]]:
    """Read printed rows back; numbers stay text where the format rounds them."""
    if form == "json":
        return list(json.loads(text)["results"])
    if form == "csv":
        rows = csv.reader(io.StringIO(text))
        next(rows)  # the names, as they stand in the file
        return [dict(zip(names, row, strict=True)) for row in rows]
    lines = text.splitlines()
    if form == "markdown":
        cells = [re.split(r"(?<!\\) ?\| ?", line)[1:-1] for line in lines[2:]]
    else:
        start = next(i for i, line in enumerate(lines) if "──" in line) + 1
        cells = [re.split(r" {2,}", line.strip()) for line in lines[start:]]
    return [
        {name: unescape(cell) for name, cell in zip(names, row, strict=True)}
        for row in cells
    ]


def unescape(cell: str) -> str:
    """Read a cell as Markdown shows it; the cells of other formats have no escapes."""
    return html.unescape(re.sub(r"\\([^\w\s])", r"\1", cell))


def read_headings(case: Case, run: Run) -> list[str]:
    """Read the names of the columns, which are whole in CSV only."""
    text = call(list_arguments(case, "score", run._replace(form="csv")))
    return [as_shown(name) for name in next(csv.reader(io.StringIO(text)))]


# -- score ---------------------------------------------------------------------------------


def check_score(checker: Checker, run: Run) -> None:
    """Compare the row of every group, score and label."""
    case, what = checker.case, run.name("score")
    groups = split_groups(case)
    if case.refusal is None and (
        set(case.by) & RESULTS["score"] or is_undefined_everywhere(case, groups)
    ):
        checker.expect_refusal(what, call, list_arguments(case, "score", run))
        return
    answer = checker.ask(what, call, list_arguments(case, "score", run))
    if answer is not None:
        check_printed(checker, what, answer.value, groups, run)


def check_printed(
    checker: Checker, what: str, text: str, groups: list[Group], run: Run
) -> None:
    """Read printed rows back, and compare their keys and numbers."""
    case = checker.case
    keys = [*case.by, "estimate", *(["level"] if case.levels else [])]
    headings = checker.ask(f"{what} headings", read_headings, case, run)
    if headings is None:
        return
    checker.same(f"{what} headings", headings.value[: len(keys)], keys)
    answered = checker.ask(f"{what} read", read_output, text, run.form, headings.value)
    if answered is None:
        return
    printed = {
        tuple(map(as_shown, (row[key] for key in keys))): row for row in answered.value
    }
    expected = dict(list_expected(case, groups, run))
    present = dict(list_expected(case, [group for group in groups if group.rows], run))
    checker.same(f"{what} keys", sorted(present.keys() - printed.keys()), [])
    checker.same(f"{what} keys", sorted(printed.keys() - expected.keys()), [])
    for key in sorted(set(printed) & set(expected)):
        at = f"{what} {key}"
        if isinstance(expected[key], Rows):
            check_row(checker, at, printed[key], expected[key], run)
        else:
            ratio = printed[key]["accuracy_ratio"]
            check_number(checker, at, ratio, expected[key], run)


def is_undefined_everywhere(case: Case, groups: list[Group]) -> bool:
    return all(
        not group.rows or read_group(case, group, name, label).is_constant
        for group in groups
        for _, name, label in list_rankings(case)
    )


def list_expected(case: Case, groups: list[Group], run: Run) -> Any:
    """List the keys of each row that must be printed, with what it is about."""
    for group in groups:
        shown = tuple(show_key(key, run) for key in group.keys)
        for label, name, level in list_rankings(case):
            own = (name, label) if case.levels else (name,)
            yield (*shown, *own), read_group(case, group, name, level)
        if case.levels:
            for kind in ("macro", "macro_weighted"):
                weighted = kind == "macro_weighted"
                yield (*shown, "", kind), average_labels(case, group, weighted=weighted)


def show_key(key: Any, run: Run) -> str:
    if key is None:
        return "" if run.form == "csv" else NO_KEY
    if isinstance(key, bool) and run.path.suffix == ".csv":
        return str(int(key))
    return as_shown(str(key))


def as_shown(cell: str | None) -> str:
    """Leave out signs that keep a spreadsheet from reading a cell as a formula.

    Where the comma is the decimal sign, a semicolon begins another cell.
    """
    signs = r"^['\t ](?=[=+@-])|(?<=;)'(?= *[=+@-])"
    return NO_KEY if cell is None else re.sub(signs, "", cell)


def check_row(
    checker: Checker, what: str, row: dict[str, Any], rows: Rows, run: Run
) -> None:
    """Compare the numbers of one row; those read off bins only where they are exact."""
    if rows.is_constant:
        for name in ("accuracy_ratio", "low", "high", *KEPT):
            checker.same(f"{what} {name}", parse(row[name], run)[0], None)
        return
    exact = list_exact(rows)
    unknown = list_unknown(checker.case, run)
    if "--approx" in run.plan:
        check_bounds(checker, what, row, exact["accuracy_ratio"], run)
    for name in exact.keys() & row.keys() - unknown:
        check_number(checker, f"{what} {name}", row[name], exact[name], run)
    low, high = parse(row["low"], run)[0], parse(row["high"], run)[0]
    if low is not None and high is not None:
        checker.same(f"{what} limits", -1 <= low <= high <= 1, expected=True)


def list_exact(rows: Rows) -> dict[str, Fraction]:
    """List the exact numbers of a row by the names of their columns."""
    (worst, best), somers_d = oracle.tie_bounds(rows), oracle.somers_d(rows) or Fraction(0)
    weight, outcome = rows.total_weight, rows.total_outcome
    return {
        "accuracy_ratio": oracle.accuracy_ratio(rows) or Fraction(0),
        "somers_d": somers_d,
        "gauc": (somers_d + 1) / 2,
        "ks": oracle.ks(rows),
        "capture_10": rows.curve.rate_at(Fraction(0.1)),
        "capture_50": rows.curve.rate_at(Fraction(0.5)),
        "worst_ties": worst,
        "best_ties": best,
        "n": weight,
        "n_events": outcome,
        "response_rate": outcome / weight,
    }


def list_unknown(case: Case, run: Run) -> set[str]:
    """List what is not exact: by group it is read off bins; ties of amounts are unknown."""
    if "--approx" in run.plan:
        return {"accuracy_ratio", *KEPT, "worst_ties", "best_ties"}
    if not run.plan:
        return set()
    ties = {"worst_ties", "best_ties"} if case.has_amounts else set()
    return ties | (set(KEPT) if case.by else set())


def check_bounds(
    checker: Checker, what: str, row: dict[str, Any], ratio: Fraction, run: Run
) -> None:
    """Check that the guaranteed bounds of AR hold it, as far as they are printed."""
    (lower, room), (upper, _) = parse(row["lower"], run), parse(row["upper"], run)
    if lower is None or upper is None:
        checker.differ(f"{what} bounds", (lower, upper), "numbers")
        return
    inside = max(Fraction(lower) - room, min(Fraction(upper) + room, ratio))
    checker.near(f"{what} exact in bounds", float(inside), ratio)


def parse(cell: Any, run: Run) -> tuple[float | None, Fraction]:
    """Read a number that was printed, and by how much printing may have rounded it."""
    if cell is None or cell in {"", "-", "nan"}:
        return None, Fraction(0)
    if run.form in {"json", "csv"}:
        return float(cell), Fraction(0)
    number = float(cell.replace(",", ""))
    decimals = re.fullmatch(r"-?[\d,]+\.(\d+)", cell)
    if decimals is not None:
        return number, Fraction(51, 100) / 10 ** len(decimals[1])
    return number, abs(Fraction(number)) / 10 if "e" in cell else Fraction(0)


def check_number(
    checker: Checker, what: str, cell: Any, exact: Fraction | None, run: Run
) -> None:
    """Compare a printed number, as exactly as it was printed."""
    number, room = parse(cell, run)
    if number is None or exact is None or not room:
        checker.near(what, number, exact)
        return
    checker.within(what, number, exact - room, exact + room)


# -- table ---------------------------------------------------------------------------------


def check_table(checker: Checker, run: Run) -> None:
    """Compare the bands of every group and score."""
    case, what = checker.case, run.name("table")
    groups = [group for group in split_groups(case) if group.rows]
    shown = [
        ((*(show_key(key, run) for key in group.keys), name), rows)
        for group in groups
        for name in case.estimates
        if case.refusal is None and not (rows := read_group(case, group, name)).is_constant
    ]
    bands = choose_bands(case, shown[0][1])[0] if shown else 10
    told = ",".join(map(repr, bands)) if isinstance(bands, list) else str(bands)
    arguments = list_arguments(case, "table", run, f"--bands={told}")
    if case.refusal is None and (not shown or set(case.by) & RESULTS["table"]):
        checker.expect_refusal(what, call, arguments)
        return
    answer = checker.ask(what, call, arguments)
    if answer is None:
        return
    printed: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in csv.DictReader(io.StringIO(answer.value)):
        key = tuple(as_shown(row[name]) for name in (*case.by, "estimate"))
        printed.setdefault(key, []).append(row)
    checker.same(f"{what} keys", sorted(printed), sorted(key for key, _ in shown))
    for key, rows in shown:
        table = printed.get(key, [])
        columns = {
            name: [float(row[name]) for row in table]
            for name in (table[0] if table else ())
            if name not in {*case.by, "estimate"}
        }
        if columns:
            check_bands(
                checker, f"{what} {key}", rows, columns, choose_bands(case, rows)[1]
            )
