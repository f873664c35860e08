"""Rules of the house, checked by machine."""

import ast
import doctest
import graphlib
import inspect
import pickle
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import capcurve
from versions import needs

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "capcurve"

# Packages follow the data: imports point to the left, in function bodies too.
PACKAGES = [
    "_tally",
    "_input",
    "_files",
    "_engines",
    "_curve",
    "_inference",
    "_arrays",
    "_frames",
    "_plot",
    "_report",
    "_cli",
]
PLAIN_MODULES = {
    "__init__",
    "__main__",
    "_interrupted",
    "_public",
    "_view",
    "datasets",
    "exceptions",
}
# Methods that present a curve, one line each, are the only arrows back.
PRESENTING = {
    ("_curve.pictured", "_plot.displays"),
    ("_curve.curve", "_inference.band"),
    ("_curve.binned_curve", "_inference.accuracy_ratio"),
}
LONGEST = 400  # lines of a module
LONGEST_RECIPE = 40


def module_of(path):
    return ".".join(path.relative_to(SRC).with_suffix("").parts)


def imports_that_run(tree):
    """Walk all statements but those for the type checker."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        yield from imports_that_run(node)


def arrows():
    """List which module imports which, within capcurve."""
    for path in sorted(SRC.rglob("*.py")):
        for name in imports_that_run(ast.parse(path.read_text(encoding="utf-8"))):
            if name.startswith("capcurve."):
                yield module_of(path), name.removeprefix("capcurve.")


def rank_of(module):
    return PACKAGES.index(module.split(".")[0])


def test_imports_point_one_way():
    back = {
        (own, other)
        for own, other in arrows()
        if not {own, other} & PLAIN_MODULES and rank_of(other) > rank_of(own)
    }
    assert back == PRESENTING


def test_plain_modules_stand_below_all_packages():
    for own, other in arrows():
        if own in PLAIN_MODULES - {"__init__", "__main__"}:
            assert other == "_public", own


def test_modules_import_each_other_in_no_circle_but_that_of_presenting_methods():
    below = {}
    for own, other in set(arrows()) - PRESENTING:
        below.setdefault(own, set()).add(other)
    list(graphlib.TopologicalSorter(below).static_order())  # raises CycleError


def test_the_packages_are_those_that_contributors_read():
    folders = {path.parent.name for path in SRC.glob("*/__init__.py")}
    assert folders == set(PACKAGES)
    assert {path.stem for path in SRC.glob("*.py")} == PLAIN_MODULES
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert all(f"`{package}" in guide for package in PACKAGES)


@pytest.mark.parametrize("path", sorted(SRC.rglob("*.py")), ids=module_of)
def test_modules_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_every_module_has_its_test():
    """Unit tests mirror the packages; what only shows at a door is tested there."""
    tests = ROOT / "tests" / "unit"
    for path in tests.rglob("test_*.py"):
        package = path.parent.relative_to(tests).as_posix()
        assert package == "." or f"_{package}" in PACKAGES, path


def test_every_test_file_holds_tests():
    """An empty file passes in silence."""
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    empty = [path for path in paths if "def test_" not in path.read_text(encoding="utf-8")]
    assert empty == []


def names_for_type_checkers():
    """List the names that `capcurve` imports for type checkers, by module."""
    tree = ast.parse((SRC / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        node.module.removeprefix("capcurve."): tuple(sorted(a.name for a in node.names))
        for node in block.body
        if node.module != "capcurve"
    }


def test_public_names_are_listed_alike_everywhere():
    homes = {module: tuple(sorted(names)) for module, names in capcurve.HOMES.items()}
    assert homes == names_for_type_checkers()
    assert capcurve.__all__ == sorted(name for names in homes.values() for name in names)
    assert set(capcurve.__all__) <= set(dir(capcurve))
    with pytest.raises(AttributeError, match="module 'capcurve' has no attribute 'gini'"):
        _ = capcurve.gini


@pytest.mark.parametrize("name", capcurve.__all__)
def test_public_names_say_that_they_live_in_capcurve(name):
    value = getattr(capcurve, name)
    assert value.__module__ == "capcurve"
    copy = pickle.loads(pickle.dumps(value))  # noqa: S301 -- our own class
    assert copy is value or not (inspect.isclass(value) or inspect.isfunction(value))


@pytest.mark.parametrize("name", capcurve.__all__)
def test_examples_of_public_names_run(name):
    """Run examples that doctest does not collect: public names live in `capcurve`."""
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner = doctest.DocTestRunner(optionflags=flags)
    told = []
    value = getattr(capcurve, name)
    for case in doctest.DocTestFinder().find(value, name, module=False):
        runner.run(case, out=told.append)
    assert not runner.failures, "".join(told)
    assert runner.tries or issubclass(value, Exception)


def test_modules_of_the_package_are_found():
    program = "import capcurve\nprint(capcurve.datasets, capcurve.exceptions)"
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert "capcurve.datasets" in run.stdout


PACKAGES_OF_OTHERS = {
    "altair",
    "click",
    "duckdb",
    "jinja2",
    "matplotlib",
    "narwhals",
    "numpy",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scipy",
    "sklearn",
}

HEAVY = {
    # what somebody runs: the packages of others that it may import besides the standard
    # library, and the most modules that it may import in all
    "import": ("import capcurve", set(), 5),
    "first names": (
        "from capcurve import CapCurve, accuracy_ratio_score, gain_capture",
        {"numpy", "narwhals"},
        420,
    ),
    "help": ("run('--help')", {"click"}, 140),
    "score": (
        "run('score', sys.argv[1], '--truth', 'y', '--estimate', 's')",
        {"numpy", "narwhals", "click", "duckdb", "pyarrow", "scipy"},
        780,
    ),
}

# SciPy is imported for its special functions, and takes long for anything else.
SLOW = {"scipy.optimize", "scipy.stats", "pandas", "rich.console", "unittest.mock"}

PROGRAM = """
import sys
before = set(sys.modules)

def run(*arguments):
    from capcurve.__main__ import main
    import contextlib, io
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(list(arguments)) == 0

{statement}
loaded = set(sys.modules) - before
print(*sorted(loaded))
"""


def list_imported(statement, file):
    """Run a statement in a Python of its own; return the modules that it imports."""
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", PROGRAM.format(statement=statement), str(file)],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(run.stdout.split())


def find_heavy(modules, allowed, most):
    """Name what makes a start heavy: packages and modules, or their number."""
    packages = {module.split(".")[0] for module in modules}
    heavy = packages & (PACKAGES_OF_OTHERS - allowed) | modules & SLOW
    return heavy | ({len(modules)} if len(modules) > most else set())


@pytest.fixture
def scores_file(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("y,s\n" + "1,0.9\n0,0.2\n0,0.4\n1,0.3\n" * 30)
    return file


@needs("duckdb", "2", "older ones import pandas where it is installed")
@pytest.mark.parametrize("name", HEAVY)
def test_starting_stays_light(name, scores_file):
    statement, allowed, most = HEAVY[name]
    assert not find_heavy(list_imported(statement, scores_file), allowed, most)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["scipy.optimize", "pandas", "rich.console", "unittest.mock"]
)
def test_a_planted_heavy_import_is_noticed(name, scores_file):
    statement, allowed, most = HEAVY["score"]
    planted = list_imported(f"import {name}\n{statement}", scores_file)
    assert name in find_heavy(planted, allowed, most)


def test_a_start_of_many_modules_is_noticed(scores_file):
    statement, allowed, most = HEAVY["first names"]
    planted = list_imported(f"import scipy.special\n{statement}", scores_file)
    assert len(planted) in find_heavy(planted, allowed | {"scipy"}, most)


def public_signatures():
    """Yield the signature of every public function, class and method, with its name."""
    for name in capcurve.__all__:
        value = getattr(capcurve, name)
        if inspect.isclass(value) and issubclass(value, Exception):
            continue
        yield name, inspect.signature(value)
        if inspect.isclass(value):
            for each in dir(value):
                method = getattr(value, each)
                if each[0] != "_" and callable(method):
                    yield f"{name}.{each}", inspect.signature(method)


def test_signatures_can_be_read():
    """Annotations are kept as text, so that help() does not spell out every alias."""
    for name, signature in public_signatures():
        assert len(str(signature)) < 970, name
        assert "numpy._typing" not in str(signature), name
    for name in ("accuracy_ratio_score", "cap_curve", "capture_rate_score"):
        assert len(str(inspect.signature(getattr(capcurve, name)))) < 300, name


def test_public_signatures_show_their_arguments():
    """Keyword arguments are spelled out, or named by a typed dictionary."""
    for name, signature in public_signatures():
        for parameter in signature.parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                assert "Unpack[" in str(parameter.annotation), name


def test_nothing_reads_a_path_outside_of_the_project():
    outside = "../" + "shared"
    folders = ("src", "tests", "docs", "benchmarks", "examples", "release", "recipe")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    files += [*ROOT.glob("*"), *ROOT.glob(".ci/*"), *ROOT.glob(".github/**/*")]
    texts = (".py", ".md", ".toml", ".yaml", ".yml", "Makefile", "run")
    read = [path for path in files if path.is_file() and path.name.endswith(texts)]
    assert ROOT / "README.md" in read
    for path in read:
        assert outside not in path.read_text(encoding="utf-8"), path


def test_public_names_are_documented_with_an_example():
    for name in capcurve.__all__:
        value = getattr(capcurve, name)
        assert value.__doc__, name
        if not (inspect.isclass(value) and issubclass(value, Exception)):
            assert ">>>" in value.__doc__, f"{name} has no example"


def test_no_module_is_named_after_what_it_is_not():
    stems = {path.stem.strip("_") for path in SRC.rglob("*.py")}
    assert not stems & {"utils", "helpers", "base", "common", "misc", "types"}


def test_one_version_everywhere():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", changelog, re.MULTILINE)
    assert newest
    assert newest[1] == capcurve.__version__ == version("capcurve")


@pytest.mark.parametrize(
    "name", sorted(path.name for path in (ROOT / "docs/decisions").glob("*"))
)
def test_decisions_have_their_three_parts(name):
    text = (ROOT / "docs/decisions" / name).read_text(encoding="utf-8")
    assert re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", name)
    for part in ("## Context", "## Choice", "## Consequences"):
        assert part in text


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs/recipes").glob("*.md")), ids=lambda path: path.stem
)
def test_recipes_are_short_and_listed(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < LONGEST_RECIPE
    listed = (ROOT / "docs/recipes/README.md").read_text(encoding="utf-8")
    assert path.name == "README.md" or f"]({path.name})" in listed
