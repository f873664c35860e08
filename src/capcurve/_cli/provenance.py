"""What a command read, with which options and versions."""

import platform
from importlib.metadata import version
from typing import Any

import click

from capcurve._files.provenance import describe_sources

LIBRARIES = ("capcurve", "numpy", "narwhals", "scipy", "duckdb")
# Options that change where and how a result is shown, but not the result.
OF_SHOWING = {"file", "form", "output", "verbose", "quiet"}


def describe_run() -> dict[str, Any]:
    """Describe the command that runs: its files with hashes, its options, its versions."""
    context = click.get_current_context()
    files = context.params.get("file")
    return {
        "files": list(describe_sources(files)) if files else [],
        "options": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in sorted(context.params.items())
            if name not in OF_SHOWING
        },
        "versions": {name: version(name) for name in LIBRARIES},
        "python": platform.python_version(),
    }
