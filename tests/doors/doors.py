"""Every door as a function: a meaning in, the numbers that the door gives out."""

from __future__ import annotations

import io
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from capcurve import (
    CapCurve,
    CapcurveError,
    Estimate,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    gain_capture,
    gains_table,
    report,
    somers_d_interval,
)
from capcurve.__main__ import main
from doors import containers
from doors.expected import Answer, Key
from doors.meanings import Meaning
from frame_constructors import columns_of

LIMITS = ("low", "high", "lower", "upper")
CURVE = frozenset({"accuracy_ratio", "low", "high", "ks", "capture_10", "n", "n_events"})
ALL = CURVE | {"somers_d", "somers_d_low", "somers_d_high"}


class Door(NamedTuple):
    """A way in.

    Attributes
    ----------
    ask
        Asks for the numbers of a meaning.
    gives
        Names of the numbers that it gives.
    call
        What it calls, for the page.
    """

    ask: Callable[[Meaning], Answer]
    gives: frozenset[str]
    call: str


def name_group(values: Iterable[Any]) -> Key:
    """Name a group as it is printed."""
    return tuple("(missing)" if pd.isna(value) else str(value) for value in values)


# -- Arrays --------------------------------------------------------------------------------


def ask_arrays(meaning: Meaning) -> Answer:
    """Ask the functions on arrays; each group is passed on its own."""
    arrays = {
        name: containers.make_array(column) for name, column in meaning.columns.items()
    }
    if meaning.has_labels:
        return ask_labels(meaning, arrays)
    groups = defaultdict(list)
    for row, key in enumerate(zip(*meaning.by.values(), strict=True)):
        groups[name_group(key)].append(row)
    if not groups:
        return {(): ask_rows(meaning, arrays)}
    return {
        key: ask_rows(meaning, {name: array[rows] for name, array in arrays.items()})
        for key, rows in groups.items()
    }


def ask_rows(meaning: Meaning, arrays: Mapping[str, Any]) -> dict[str, float]:
    """Ask for the numbers of one outcome and one score, with the arrays' own words."""
    words = {"case_weights": "sample_weight", "counts": "sample_weight"}
    parts = {words.get(name, name): arrays[name] for name in meaning.parts}
    options = {k: v for k, v in meaning.options.items() if k != "na_rm"}
    level = {"confidence_level": options.pop("confidence_level", 0.95)}
    if "counts" in meaning.parts:
        level["weights"] = "frequency"
    data = arrays.get("y"), arrays["s"]
    found = accuracy_ratio_interval(*data, **parts, **options, **level)
    parts_of_curve = {k: v for k, v in parts.items() if k != "clusters"}
    curve = CapCurve.from_predictions(*data, **parts_of_curve, **options)
    numbers = {
        **list_limits(found),
        "accuracy_ratio": accuracy_ratio_score(*data, **parts_of_curve, **options),
        **list_curve(curve),
    }
    if meaning.has_amounts:
        options.pop("target_type", None)
        concordance = somers_d_interval(*data, **parts, **options, **level)
        numbers |= list_limits(concordance, "somers_d", "somers_d_")
    return numbers


def ask_labels(meaning: Meaning, arrays: Mapping[str, Any]) -> Answer:
    """Ask for the numbers of each label against the rest, and of their mean."""
    scores = {name.removeprefix("prob_"): arrays[name] for name in meaning.scores}
    labels = sorted(scores)
    matrix = np.column_stack([scores[label] for label in labels])
    mean = accuracy_ratio_interval(arrays["y"], matrix)
    curves = {
        label: CapCurve.from_predictions(arrays["y"], scores[label], pos_label=label)
        for label in labels
    }
    return {("macro",): list_limits(mean)} | {
        (label,): {**list_limits(mean.by_label[label]), **list_curve(curve)}
        for label, curve in curves.items()
    }


def list_limits(
    found: Estimate, name: str = "accuracy_ratio", prefix: str = ""
) -> dict[str, float]:
    """List an estimate and its limits."""
    return {name: found.value, f"{prefix}low": found.low, f"{prefix}high": found.high}


def list_curve(curve: CapCurve) -> dict[str, float]:
    """List what is read off a curve."""
    return {
        "ks": curve.ks,
        "capture_10": curve.capture_rate_at(0.1),
        "n": curve.total_weight,
        "n_events": curve.total_target,
    }


# -- Data frames and queries ---------------------------------------------------------------


def ask_frames(
    make: Callable[[Meaning], Any], plan: Mapping[str, int], meaning: Meaning
) -> Answer:
    """Ask the functions on data frames and queries, with options on how to compute."""
    data = make(meaning)
    columns = data, None if meaning.truth is None else "y", name_scores(meaning)
    said = {name: name for name in meaning.parts} | {
        "by": list(meaning.by),
        **meaning.options,
        **plan,
    }
    answer: Answer = defaultdict(dict)
    level = {} if "approx" in plan and meaning.needs_rows else {"confidence_level": 0.95}
    for row in list_rows(gain_capture(*columns, **level | said)):
        key = [row[name] for name in meaning.by]
        key += [row["estimator"]] if meaning.has_labels else []
        names = {"estimate": "accuracy_ratio", **{name: name for name in LIMITS}}
        answer[name_group(key)] = {
            name: row[column] for column, name in names.items() if column in row
        }
    of_curve = {k: v for k, v in said.items() if k not in {"clusters", "confidence_level"}}
    keys = [*meaning.by, *(["level"] if meaning.has_labels else [])]
    for row in list_rows(gains_table(*columns, **of_curve, bands=[0.1])):
        numbers = answer[name_group(row[name] for name in keys)]
        numbers.setdefault("capture_10", row["capture_rate"])
        for name in ("n", "n_events"):
            numbers[name] = numbers.get(name, 0) + row[name]
    if "approx" in plan:  # bins hold several scores
        return answer
    for row in list_rows(gains_table(*columns, **of_curve, bands="scores")):
        numbers = answer[name_group(row[name] for name in keys)]
        numbers["ks"] = max(numbers.get("ks", 0), row["ks"])
    return answer


def name_scores(meaning: Meaning) -> str | list[str]:
    """Name the column of the score, or of the score of each label."""
    return list(meaning.scores) if meaning.has_labels else "s"


def list_rows(frame: Any) -> list[dict[str, Any]]:
    """Turn a frame of any library into rows."""
    columns = columns_of(frame)
    return [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]


# -- Shell ---------------------------------------------------------------------------------

OPTION_NAMES = {
    "case_weights": "--weight",
    "clusters": "--cluster",
    "confidence_level": "--confidence",
}


def ask_shell(
    write: Callable[[Meaning, Path], Path], plan: Sequence[str], meaning: Meaning
) -> Answer:
    """Ask `capcurve score` about a file."""
    rows = run_shell("score", write, meaning, plan)
    keys = [*meaning.by, *(["level"] if meaning.has_labels else [])]
    answer = {name_group(row[name] for name in keys): row for row in rows}
    answer.pop(("macro_weighted",), None)
    return answer


def run_shell(
    command: str,
    write: Callable[[Meaning, Path], Path],
    meaning: Meaning,
    plan: Sequence[str] = (),
) -> Any:
    """Run a command on a file and parse what it prints; raise with its message."""
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        arguments = [command, str(write(meaning, Path(folder))), *list_arguments(meaning)]
        with redirect_stdout(out), redirect_stderr(err):
            code = main([*arguments, *plan, "--quiet", "--format", "json"])
    if code:
        raise CapcurveError(err.getvalue().strip())
    found = json.loads(out.getvalue())
    return found.get("results", found)  # a report has none


def list_arguments(meaning: Meaning) -> list[str]:
    """Say a meaning in the words of the shell."""
    arguments = [] if meaning.truth is None else ["--truth", "y"]
    for name in meaning.scores:
        arguments += ["--estimate", name]
    for name in meaning.by:
        arguments += ["--by", name]
    for name in meaning.parts:
        arguments += [OPTION_NAMES.get(name, f"--{name}"), name]
    for name, value in meaning.options.items():
        arguments += list_option(name, value)
    return arguments


def list_option(name: str, value: Any) -> list[str]:
    """Say one option in the words of the shell."""
    if name == "descending":
        return ["--ascending"]
    if name == "na_rm":
        return ["--no-na-rm"]
    text = ",".join(value) if name == "order" else str(value)
    return [OPTION_NAMES.get(name, f"--{name.replace('_', '-')}"), text]


# -- Report --------------------------------------------------------------------------------


def ask_report(meaning: Meaning) -> Answer:
    """Ask for a report of a data frame."""
    estimate, *others = meaning.scores
    parts = {name: name for name in meaning.parts}
    truth = None if meaning.truth is None else "y"
    found = report(
        containers.make_polars(meaning),
        truth,
        estimate,
        compare=others,
        by=list(meaning.by),
        **parts,
        **meaning.options,
    )
    return list_facts(found.facts)


def ask_report_of_file(meaning: Meaning) -> Answer:
    """Ask `capcurve report` about a file."""
    return list_facts(run_shell("report", containers.write_parquet, meaning))


def list_facts(facts: Mapping[str, Any]) -> Answer:
    """List the numbers of all rows, or of the segments if there are some."""
    if facts["segments"]:
        return {
            name_group([group["group"]]): list_ratio(group)
            for section in facts["segments"]
            for group in section["groups"]
        }
    model = facts["models"][0]
    captured = {row["population_share"]: row["capture_rate"] for row in model["captured"]}
    numbers = list_ratio(model) | {"ks": model["ks"]["value"], "capture_10": captured[0.1]}
    if found := model["somers_d"]:
        numbers["somers_d"] = found["value"]
        numbers |= {f"somers_d_{end}": found[end] for end in ("low", "high")}
    return {(): numbers}


def list_ratio(facts: Mapping[str, Any]) -> dict[str, float]:
    """List AR with its limits, and the counts."""
    ratio = facts["accuracy_ratio"] or {}  # none of a segment of one class
    return {
        "accuracy_ratio": ratio.get("value"),
        "low": ratio.get("low"),
        "high": ratio.get("high"),
        "n": facts["n"],
        "n_events": facts["n_events"],
    }


def open_frames(make: Callable[[Meaning], Any], **plan: int) -> Door:
    """Make the door of a library of data frames or of an engine, with its options."""
    gives = CURVE - {"ks"} if "approx" in plan else CURVE
    options = ", ".join(f"{name}={value}" for name, value in plan.items())
    said = f"({options})" if plan else ""
    calls = [f"`{name}{said}`" for name in ("gain_capture", "gains_table")]
    return Door(partial(ask_frames, make, plan), gives, ", ".join(calls))


def open_shell(
    write: Callable[[Meaning, Path], Path],
    ending: str,
    *plan: str,
    gives: frozenset[str] = ALL,
) -> Door:
    """Make the door of a kind of file, and of options that say how it is processed."""
    options = "".join(f" {option}" for option in plan)
    call = f"`capcurve score rows.{ending}{options}`"
    return Door(partial(ask_shell, write, plan), gives, call)


DOORS = {
    "arrays": Door(
        ask_arrays,
        ALL,
        "`accuracy_ratio_score`, `accuracy_ratio_interval`, `somers_d_interval`, "
        "`CapCurve.from_predictions`; for each group",
    ),
    "pandas": open_frames(containers.make_pandas),
    "Polars": open_frames(containers.make_polars),
    "PyArrow": open_frames(containers.make_arrow),
    "Polars lazy": open_frames(containers.make_lazy),
    "DuckDB": open_frames(containers.make_relation),
    "Ibis": open_frames(containers.make_ibis),
    "`memory_limit=1`": open_frames(containers.make_relation, memory_limit=1),
    "`approx=True`": open_frames(containers.make_arrow, approx=True),
    "CSV": open_shell(containers.write_csv, "csv"),
    "Parquet": open_shell(containers.write_parquet, "parquet"),
    "SQLite": open_shell(containers.write_sqlite, "sqlite"),
    "`--memory-limit`": open_shell(
        containers.write_parquet, "parquet", "--memory-limit", "1GB", gives=CURVE
    ),
    "`--approx`": open_shell(containers.write_csv, "csv", "--approx", gives=CURVE),
    "`report()`": Door(ask_report, ALL, "`report` of a Polars data frame"),
    "`capcurve report`": Door(ask_report_of_file, ALL, "`capcurve report rows.parquet`"),
}
