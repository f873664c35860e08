"""Say what made a report, so that it can be made again."""

import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from capcurve._report.epoch import read_epoch
from capcurve._report.options import Facts

LIBRARIES = ("capcurve", "numpy", "narwhals", "scipy")
OF_QUERY = "  # data: the rows that the query returned"
EMPTY: Facts = {"command": None, "call": None, "options": {}, "files": [], "query": None}


def describe_provenance(given: Mapping[str, Any]) -> Facts:
    """Add versions, system and time to what is known of the source of a report.

    ``libraries`` of ``given`` names those that read the data.
    """
    told = dict(EMPTY | dict(given))
    if told["call"] is not None and told["query"] is not None:
        told["call"] += OF_QUERY
    libraries = dict.fromkeys([*LIBRARIES, *told.pop("libraries", ())])
    return told | {
        "versions": dict(list_versions(libraries)),
        "python": platform.python_version(),
        "os": f"{platform.system()} {platform.release()} {platform.machine()}",
        "seed": given.get("seed"),  # None: no random numbers were drawn
        "time": make_timestamp(),
    }


def list_versions(libraries: Iterable[str]) -> Iterable[tuple[str, str]]:
    """List the version of each library that is installed."""
    for name in libraries:
        if name == "sqlite":  # a part of Python, which some builds lack
            from sqlite3 import sqlite_version

            yield name, sqlite_version
            continue
        try:
            yield name, version(name)
        except PackageNotFoundError:  # a module of another name than its package
            continue


def make_timestamp() -> str:
    """Return the current UTC time, or that of ``SOURCE_DATE_EPOCH``."""
    return (read_epoch() or datetime.now(UTC)).isoformat(timespec="seconds")


def write_call(arguments: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """Write the call of `report` that makes the same report of the same rows.

    Parameters
    ----------
    arguments : mapping of str
        Arguments of `report`, without the data.
    defaults : mapping of str
        Default of each argument that has one; arguments that equal it are left out.
    """
    plain = {name: make_plain(value) for name, value in arguments.items()}
    positional = [repr(value) for name, value in plain.items() if name not in defaults]
    keywords = [
        f"{name}={value!r}"
        for name, value in plain.items()
        if name in defaults and value != make_plain(defaults[name])
    ]
    return f"report({', '.join(['data', *positional, *keywords])})"


def make_plain(value: Any) -> Any:
    """Convert the value of an option to what JSON can represent."""
    if isinstance(value, np.ndarray | np.generic):
        return make_plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(name): make_plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [make_plain(each) for each in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value) if isinstance(value, Path) else repr(value)
