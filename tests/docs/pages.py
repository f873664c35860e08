"""The pages of the documentation, and the code on them."""

import contextlib
import doctest
import gc
import io
import os
import re
import subprocess
import sys
import textwrap
import types
import warnings
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TAUGHT = ("tutorials", "guide", "howto")
NOT_PAGES = ("_", "reference/generated")
FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,}|:{3,})(?P<kind>\{code-cell\}[^\n]*|python)\n"
    r"(?P<body>.*?)^ *(?P=fence)\s*$",
    re.MULTILINE | re.DOTALL,
)
OPTIONS = re.compile(
    r"\A(?:---\n(?P<yaml>.*?)---\n|(?P<lines>(?::[\w-]+:[^\n]*\n)+))", re.DOTALL
)
SHELL = re.compile(r"^(?P<indent> *)!(?P<line>(?:.*\\\n)*.+)$", re.MULTILINE)
BASH = "%%bash\n"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@dataclass(frozen=True)
class Code:
    """A piece of code, and where it stands."""

    text: str
    line: int
    is_cell: bool
    raises: bool


def list_pages():
    """List all pages that people write, by their place below docs."""
    names = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    return [name for name in names if not name.startswith(NOT_PAGES)]


def read(name):
    return (DOCS / name).read_text(encoding="utf-8")


def code_of(name):
    """List the pieces of Python of a page."""
    text = read(name)
    found = []
    for block in FENCE.finditer(text):
        body = textwrap.dedent(block["body"])
        options = OPTIONS.match(body)
        said = options[0] if options else ""
        line = text.count("\n", 0, block.start("body")) + said.count("\n")
        cell = block["kind"] != "python"
        found.append(Code(body[len(said) :], line, cell, "raises-exception" in said))
    return found


def run_page(name, folder):
    """Run the code of a page in order, with shared names, beside copies of its data."""
    place = folder / "docs" / Path(name).parent
    place.mkdir(parents=True, exist_ok=True)
    for data in ("data", "_static"):
        if (DOCS / data).is_dir() and not (folder / "docs" / data).exists():
            (folder / "docs" / data).symlink_to(DOCS / data)
    os.chdir(place)  # the fixture `clean` brings the old one back
    module = types.ModuleType("page")
    module.display = print
    module.run_in_shell = run_in_shell
    sys.modules["page"] = module
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pages show some, and say so
            for code in code_of(name):
                run(code, name, module)
            vars(module).clear()
            gc.collect()  # folders that a page leaves to Python to remove
    finally:
        del sys.modules["page"]


def run(code, name, module):
    """Run a piece of code: what it prints is compared where the page shows it."""
    if ">>> " in code.text:
        run_session(code, name, module)
        return
    text = SHELL.sub(as_call, code.text)
    if text.startswith(BASH):
        text = f"run_in_shell({text.removeprefix(BASH)!r})"
    compiled = compile("\n" * code.line + text, str(DOCS / name), "exec")
    try:
        exec(compiled, vars(module))  # noqa: S102 -- the code of our own page
    except Exception:
        if not code.raises:
            raise
    else:
        assert not code.raises, f"{name}, line {code.line}: nothing was raised"


def as_call(line):
    """Write a line that a notebook hands to the shell as a call."""
    return f"{line['indent']}run_in_shell({line['line']!r})"


def run_session(code, name, module):
    test = doctest.DocTestParser().get_doctest(
        code.text, vars(module), name, str(DOCS / name), code.line
    )
    lines = []
    failed = doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(
        test, out=lines.append, clear_globs=False
    )
    vars(module).update(test.globs)
    assert failed.failed == 0, "".join(lines)


def run_in_shell(line):
    """Run a line as a notebook does, with the commands of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(  # noqa: S602 -- a line of our own page
        line,
        shell=True,
        check=False,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    return done.returncode
