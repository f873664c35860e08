"""One reading: who decides, who runs, and which words every door knows."""

import ast
import inspect
from dataclasses import fields
from pathlib import Path

import click
import pytest

from capcurve import (
    BinnedCurve,
    CapCurve,
    compare_implied,
    compare_models,
    compare_samples,
    compare_segments,
    gain_capture,
    gain_capture_at_reference,
    gain_capture_change,
    gain_curve,
    gain_cut_offs,
    gains_table,
    plan_models,
    report,
    summarize_segments,
)
from capcurve._cli.commands import capcurve as commands
from capcurve._input.meaning import Meaning, Roles

SRC = Path(__file__).parents[2] / "src" / "capcurve"
RUNNING = {"collect", "fetchall", "fetchnumpy", "group_by", "to_arrow_table"}
DOORS = ("_frames", "_plot", "_report", "_cli")
ENTRIES = {"rank", "plan", "rankings", "row_rankings", "rows"}
PARAMETERS = {
    "estimates": {"estimate", "estimates"},
    "weights": {"case_weights", "weight"},
    "clusters": {"clusters", "cluster"},
    "descending": {"descending", "ascending"},
}
VERBS = [
    compare_samples,
    gain_capture,
    gain_curve,
    gain_cut_offs,
    gains_table,
    compare_models,
    compare_implied,
    compare_segments,
    summarize_segments,
    plan_models,
    gain_capture_change,
    gain_capture_at_reference,
    report,
]
COMMANDS = [
    *("score", "table", "plot", "compare", "implied", "segments", "change", "reference"),
    *("cut-offs", "plan", "report"),
]
CURVES = [CapCurve.from_frame, BinnedCurve.from_frame]
NO_INTERVAL = "it makes no interval, which clusters would widen"
ONE_CURVE = "it is one curve: of one event, without groups"
NAMED = "`pos_label` names the event"
BINS = "bins do not hold it; `CapCurve.from_frame` reads it"
WITHOUT = {
    ("gain_curve", "clusters"): NO_INTERVAL,
    ("gain_curve", "estimator"): "curves are not averaged over levels",
    ("gain_cut_offs", "estimator"): "cut-offs are not averaged over levels",
    ("gains_table", "estimator"): "tables are not averaged over levels",
    ("gain_capture_change", "estimator"): "grades need one event",
    ("gain_capture_at_reference", "estimator"): "grades need one event",
    ("compare_models", "estimator"): "several models need one event",
    ("compare_samples", "estimator"): "samples are compared for one event",
    ("plan_models", "estimator"): "several models need one event",
    ("compare_implied", "estimator"): "several models need one event",
    ("compare_implied", "target_type"): "only events have probabilities",
    ("compare_segments", "estimator"): "segments are compared for one event",
    ("summarize_segments", "estimator"): "segments are compared for one event",
    ("report", "estimator"): "each level has its own section",
    **{
        (curve, word): ONE_CURVE
        for curve in ("CapCurve", "BinnedCurve")
        for word in ("by", "estimator", "clusters")
    },
    **{(curve, "event_level"): NAMED for curve in ("CapCurve", "BinnedCurve")},
    **{("BinnedCurve", word): BINS for word in ("counts", "events", "order")},
    **{
        (f"capcurve {command}", word): reason
        for command in COMMANDS
        for word, reason in (
            ("event_level", NAMED),
            ("estimator", "each level has its own row"),
            ("na_rm", "a note counts the rows that are left out"),
        )
    },
}


def words_of(door):
    if isinstance(door, click.Command):
        return {parameter.name for parameter in door.params}
    return set(inspect.signature(door).parameters)


def name_of(door):
    if isinstance(door, click.Command):
        return f"capcurve {door.name}"
    return door.__qualname__.split(".")[0]


@pytest.mark.parametrize(
    "door",
    [*VERBS, *CURVES, *(commands.get_command(None, name) for name in COMMANDS)],
    ids=name_of,
)
def test_every_door_knows_every_word(door):
    known, name = words_of(door), name_of(door)
    for field in (*fields(Roles), *fields(Meaning)):
        if field.name == "ordered":  # which score `order` is about: no word of its own
            continue
        said = bool(PARAMETERS.get(field.name, {field.name}) & known)
        assert said != ((name, field.name) in WITHOUT), field.name


def list_modules(package):
    for path in sorted((SRC / package).glob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_what_decides_does_not_run():
    for path, tree in list_modules("_input"):
        called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not called & RUNNING, path


def test_what_runs_does_not_decide():
    """Engines are told a rule; they do not ask what the caller said of the outcome."""
    words = {"pos_label", "event_level", "target_type"}
    for path, tree in list_modules("_engines"):
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not used & words, path


def test_doors_reach_engines_by_one_entry():
    for door in DOORS:
        for path, tree in list_modules(door):
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and "._engines." in (node.module or ""):
                    assert node.module.rsplit(".", 1)[1] in ENTRIES, path


def test_thresholds_stand_in_the_plan():
    for package in ("_engines", *DOORS):
        for path, tree in list_modules(package):
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            asked = {name for name in names if name.startswith(("MAX_DIRECT", "MAX_FILE"))}
            assert path.stem == "plan" or not asked, path


def test_nobody_outside_of_engines_asks_for_the_kind_of_a_ranking():
    """What a ranking lacks it answers with None."""
    for package in ("_curve", "_inference", *DOORS):
        for path, tree in list_modules(package):
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                    assert "Ranking" not in ast.unparse(node), path
