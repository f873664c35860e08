"""The scripts that type checkers read: right ones, one of mistakes, and the README."""

import doctest
from pathlib import Path

HERE = Path(__file__).parent / "typing"
ROOT = HERE.parents[1]
SCRIPTS = [HERE / name for name in ("user.py", "frames.py", "mistakes.py")]
README = "readme.py"
RIGHT = ("user.py", "frames.py", README)
# scikit-learn has no types of its own, and doctest shows what an expression gives.
IN_README = (
    "# mypy: disable-error-code=import-untyped\n"
    "# pyright: standard, reportUnusedExpression=false\n"
)


def write_readme(folder):
    """Write the examples of the README as a script."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_examples(text)
    assert len(examples) > 40
    path = folder / README
    path.write_text(IN_README + "".join(each.source for each in examples), encoding="utf-8")
    return path


def by_name(errors):
    """Return the lines and messages of errors by the name of the file."""
    found = {}
    for file, line, message in errors:
        found.setdefault(Path(file).name, []).append((line, message))
    return found


def mistakes():
    """Return the lines that are marked as mistakes."""
    lines = (HERE / "mistakes.py").read_text(encoding="utf-8").splitlines()
    marked = {i for i, line in enumerate(lines, 1) if line.endswith("# error")}
    assert len(marked) > 30
    return marked
