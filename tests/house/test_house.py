"""Rules of the house, checked by machine."""

import ast
import inspect
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import capcurve

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "capcurve"

# Imports point to the left. `__init__` stands above all, as it names what is public.
LAYERS = [
    "exceptions",
    "_input",
    "_tally",
    "_groups",
    "_pairs",
    "_bins",
    "_engines",
    "curve",
    "table",
    "metrics",
    "_limits",
    "estimates",
    "_chance",
    "_influence",
    "_resampling",
    "_precision",
    "_ratio_estimates",
    "_share_estimates",
    "intervals",
    "concordance",
    "_contrasts",
    "comparisons",
    "bands",
    "binned_curve",
    "_truth",
    "_roles",
    "_grouped_bins",
    "_binned_frames",
    "_results",
    "_group_estimates",
    "_binned_results",
    "frames",
    "model_comparison",
    "_sketch_bytes",
    "sketch",
    "_estimators",
    "_drawing",
    "_html",
    "_curve_display",
    "display",
    "panels",
    "datasets",
    "_progress",
    "_delimited",
    "_databases",
    "files",
    "_request",
    "_ranked_bins",
    "_rows",
    "_output",
    "_report",
    "reports",
    "__init__",
    "cli",
    "__main__",
]


def module_of(path):
    return path.relative_to(SRC).with_suffix("").parts[0]


def imported(node):
    """Name the modules of capcurve that a statement imports."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("capcurve"):
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        names = []
    return [name.split(".")[1] for name in names if name.startswith("capcurve.")]


@pytest.mark.parametrize(
    "path", sorted(SRC.rglob("*.py")), ids=lambda path: str(path.relative_to(SRC))
)
def test_imports_point_one_way(path):
    own = module_of(path)
    # At the top level only: an import inside a presenting method is deliberate.
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for name in imported(node):
            layer = name if name in LAYERS else "__init__"
            assert LAYERS.index(layer) <= LAYERS.index(own), f"{own} imports {name}"


def test_every_module_has_its_layer():
    assert {module_of(path) for path in SRC.rglob("*.py")} == set(LAYERS)


def test_all_equals_the_public_names():
    public = [
        name
        for name, value in vars(capcurve).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    ]
    assert capcurve.__all__ == sorted(public)


def test_public_names_are_documented_with_an_example():
    for name in capcurve.__all__:
        value = getattr(capcurve, name)
        assert value.__doc__, name
        if not (inspect.isclass(value) and issubclass(value, Exception)):
            assert ">>>" in value.__doc__, f"{name} has no example"


def test_importing_loads_numpy_and_narwhals_only():
    program = (
        "import sys, capcurve\n"
        "heavy = {'pandas', 'polars', 'pyarrow', 'matplotlib', 'sklearn', 'scipy',"
        " 'duckdb', 'click', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert run.stdout == "[]\n"


def test_no_module_is_named_after_what_it_is_not():
    stems = {path.stem.strip("_") for path in SRC.rglob("*.py")}
    assert not stems & {"utils", "helpers", "base", "common", "misc", "types"}


def test_one_version_everywhere():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", changelog, re.MULTILINE)
    assert newest
    assert newest[1] == capcurve.__version__ == version("capcurve")


def test_the_layers_are_those_that_contributors_read():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for layer in LAYERS:
        assert layer.startswith("__") or f"`{layer}" in guide, layer


@pytest.mark.parametrize(
    "name", sorted(path.name for path in (ROOT / "docs/decisions").glob("*"))
)
def test_decisions_have_their_three_parts(name):
    text = (ROOT / "docs/decisions" / name).read_text(encoding="utf-8")
    assert re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", name)
    for part in ("## Context", "## Choice", "## Consequences"):
        assert part in text
