"""A file and what is asked of it -> the material of a report."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from capcurve import files
from capcurve._input import read_columns
from capcurve._report.content import Material
from capcurve._report.groups import by_label, by_period
from capcurve._request import (
    RankedRows,
    Request,
    Say,
    announce,
    rank,
    read_complete_rows,
)
from capcurve.table import Bands

FILES_NAMED = 20
BLOCK = 1 << 20


class Wishes(NamedTuple):
    """What a report is to hold beside the numbers of all rows."""

    period: str | None
    confidence_level: float
    bands: Bands
    initial_auc: float | None
    initial_variance: float | None
    title: str | None


def material_of(request: Request, wishes: Wishes, say: Say) -> Material:
    """Read a file once, and rank its rows as a whole, by segment and by period."""
    periods = () if wishes.period is None else (wishes.period,)
    found = read_complete_rows(request._replace(by=(*request.by, *periods)), say)
    whole = list(rank(request._replace(by=()), found.columns))
    announce(whole, say)
    present = np.ones(len(found.columns[request.truth]), dtype=np.bool_)
    if request.weight is not None:
        present = np.asarray(found.columns[request.weight], dtype=np.float64) > 0
    keys = {name: found.columns[name][present].tolist() for name in (*request.by, *periods)}
    return Material(
        title=wishes.title or f"{request.estimate[0]} against {request.truth}",
        whole=whole,
        segments={name: by_label(whole, name, keys[name]) for name in request.by},
        periods={name: by_period(whole, name, keys[name]) for name in periods},
        bands=wishes.bands,
        confidence_level=wishes.confidence_level,
        rows_read=found.n_read,
        missing=found.missing,
        initial_auc=wishes.initial_auc,
        initial_variance=wishes.initial_variance,
        provenance={"files": provenance_of(request.file)},
        options=described(request),
    )


def material_of_portfolio(loans: Mapping[str, Any]) -> Material:
    """Rank generated loans by both of their scores."""
    whole = [
        RankedRows({}, name, None, read_columns(loans["default"], loans[name]))
        for name in ("champion_pd", "challenger_pd")
    ]
    return Material(
        title="Generated loan portfolio",
        whole=whole,
        segments={"segment": by_label(whole, "segment", loans["segment"].tolist())},
        periods={"year": by_period(whole, "year", loans["year"].tolist())},
        bands=10,
        confidence_level=0.95,
        rows_read=len(loans["default"]),
        missing={},
    )


def described(request: Request) -> dict[str, str]:
    """Name the options that say what was ranked by what."""
    names = {
        "truth": request.truth,
        "estimates": ", ".join(request.estimate),
        "weights": request.weight,
        "event": request.pos_label,
        "ranked first": "low scores" if request.ascending else "high scores",
        "table": request.table,
        "query": request.query,
    }
    return {name: str(value) for name, value in names.items() if value}


def provenance_of(path: str) -> Sequence[dict[str, Any]]:
    """Name files with their size and checksum; of many the sum over all."""
    if path == files.STDIN:
        return []
    paths = files.paths_of(path)
    if len(paths) <= FILES_NAMED:
        return [described_files([each]) for each in paths]
    return [described_files(paths) | {"name": f"{path} ({len(paths)} files)"}]


def described_files(paths: Sequence[str]) -> dict[str, Any]:
    """Add up the bytes of files, one after the other."""
    digest, size = hashlib.sha256(), 0
    for path in paths:
        with Path(path).open("rb") as file:
            for block in iter(partial(file.read, BLOCK), b""):
                digest.update(block)
                size += len(block)
    return {"name": paths[0], "bytes": size, "sha256": digest.hexdigest()}
