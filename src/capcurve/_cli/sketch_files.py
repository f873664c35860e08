"""Sketch files: make them from files of rows, read, merge and write them."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from glob import has_magic
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw

from capcurve._cli.output_options import STDOUT
from capcurve._cli.request import (
    FileOptions,
    make_file_roles,
    make_meaning,
    make_source,
    notes_of_warnings,
    notify_odd_files,
    notify_other_labels,
    notify_unrepeatable,
    notify_words,
)
from capcurve._cli.row_counts import RowCounts
from capcurve._cli.score_notes import Notify, notify_odd
from capcurve._cli.streams import print_bytes
from capcurve._curve.sketch import CapSketch
from capcurve._curve.sketch_bytes import MAGIC
from capcurve._curve.sketch_query import sketch_query
from capcurve._files.open import Origin, open_file
from capcurve._files.paths import (
    STDIN,
    make_missing_error,
    match_files,
    refuse_folder,
)
from capcurve._files.provenance import hash_bytes
from capcurve._report.scored import ScoredBins
from capcurve._report.writing import write_content
from capcurve.exceptions import CapcurveError

# What a sketch was made with, and the option that says so.
MADE_WITH = {
    "max_bins": "--max-bins",
    "target_type": "--target-type",
    "pos_label": "--pos-label",
    "descending": "--ascending",
}


def make_file_sketch(options: FileOptions, max_bins: int, notify: Notify) -> CapSketch:
    """Make a sketch of the rows of a file, of which one batch is in memory at a time."""
    with (
        open_file(
            make_source(options),
            options.memory_limit,
            progress=not options.quiet,
            read_again=True,
        ) as opened,
        notes_of_warnings(notify),
    ):
        notify_odd_files(options, notify)
        notify_words(opened, options, notify)
        notify_unrepeatable(opened, notify)
        frame = nw.from_native(opened.relation)
        notify_other_labels(frame, options, notify)
        made = sketch_query(
            opened.relation,
            make_file_roles(options),
            make_meaning(options, frame),
            max_bins,
        )
    if made.n_rows:
        (name,) = options.estimate
        notify_odd([ScoredBins({}, name, None, made.curve)], notify)
    return made


def list_sketches(paths: Sequence[str]) -> list[str]:
    """Return the sketch files that names and glob patterns stand for."""
    found = [name for path in paths for name in find_sketches(path)]
    counted = Counter(map(os.path.realpath, found))
    if repeated := [name for name in found if counted[os.path.realpath(name)] > 1]:
        raise CapcurveError(
            f"each sketch must be named once, got {repeated[0]} more often; leave one of "
            "them out, as its rows would count twice"
        )
    return found


def find_sketches(path: str) -> list[str]:
    """Return the sorted sketch files that a name or a glob pattern stands for."""
    if path == STDIN:
        return [path]
    refuse_folder(path, "*.sketch")
    return match_files(path) if has_magic(path) and not Path(path).exists() else [path]


def read_sketch_files(paths: Sequence[str]) -> dict[str, CapSketch]:
    """Read sketches by their names: those of the files without endings, if they differ."""
    return read_and_describe_sketches(paths)[0]


def read_and_describe_sketches(
    paths: Sequence[str],
) -> tuple[dict[str, CapSketch], RowCounts]:
    """Read sketches by their names, count their rows, and describe their files."""
    names = [name_path(path) if path == STDIN else Path(path).stem for path in paths]
    if len(set(names)) < len(names):
        names = list(paths)
    found, files = {}, []
    for name, path in zip(names, paths, strict=True):
        content = read_sketch_bytes(path)
        found[name] = parse_sketch(content, path)
        files.append({"name": name_path(path), **hash_bytes(content)})
    rows = sum(sketch.n_rows for sketch in found.values())
    return found, RowCounts(rows, rows, (), Origin(files, None))


def name_path(path: str) -> str:
    """Name a file, or stdin."""
    return "stdin" if path == STDIN else path


def read_sketch_bytes(path: str) -> bytes:
    """Read the bytes of a sketch from a file or stdin; raise for what is none."""
    try:
        if path == STDIN:
            content = read_stdin()
        else:
            with Path(path).open("rb") as file:
                content = file.read(len(MAGIC))
                if content == MAGIC:  # and no file of many gigabytes
                    content += file.read()
    except FileNotFoundError as error:
        raise make_missing_error(path) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise CapcurveError(f"cannot read {path}: {reason}; check the file") from error
    refuse_other_files(content, path)
    return content


def parse_sketch(content: bytes, path: str) -> CapSketch:
    """Restore a sketch from bytes; raise, with the name of the file, if they are none."""
    try:
        return CapSketch.from_bytes(content)
    except CapcurveError as error:
        raise CapcurveError(say_of_file(str(error), path)) from error


def refuse_other_files(content: bytes, path: str) -> None:
    """Raise for what is not the beginning of a sketch."""
    if not content.startswith(MAGIC):
        kind = "a file of another kind" if content else "nothing"
        raise CapcurveError(
            f"{name_path(path)} must be a sketch, as `capcurve sketch "
            f"make` or `CapSketch.to_bytes` writes it, got {kind}; check the name"
        )


def read_stdin() -> bytes:
    """Read all bytes of standard input."""
    if sys.stdin is None:
        raise CapcurveError(
            "stdin must hold a sketch, but it is closed; redirect the file to it"
        )
    return sys.stdin.buffer.read()


def say_of_file(message: str, path: str) -> str:
    """Say what is wrong with bytes as what is wrong with a file."""
    return message.replace("`data`", name_path(path)).replace(
        "from `to_bytes`", "of `capcurve sketch make` or `CapSketch.to_bytes`"
    )


def merge_sketches(sketches: Mapping[str, CapSketch]) -> CapSketch:
    """Merge sketches; raise, with their names, if they were made in different ways."""
    (first, model), *others = sketches.items()
    for name, sketch in others:
        for what, option in MADE_WITH.items():
            wanted, got = (list_arguments(each)[what] for each in (model, sketch))
            if got != wanted or type(got) is not type(wanted):
                raise CapcurveError(
                    f"sketches must be made with the same options to be merged, got "
                    f"{option} {show(wanted)} for {first} and {show(got)} for {name}; make "
                    "them alike"
                )
    return reduce(CapSketch.merge, sketches.values())


def explain_mixed(sketches: Mapping[str, CapSketch]) -> str:
    """Say that some sketches hold amounts, and others 0 and 1; empty if none do."""
    first: dict[bool, str] = {}
    for name, sketch in sketches.items():
        if sketch.n_rows:
            first.setdefault(sketch.curve.has_events, name)
    if len(first) < 2:  # noqa: PLR2004 -- both kinds
        return ""
    return (
        f"capcurve: note: {first[False]} holds amounts and {first[True]} only 0 and 1; "
        "merged as amounts, which are wrong if the outcomes are not the same"
    )


def list_copies(sketches: Mapping[str, CapSketch], counts: RowCounts) -> Iterator[str]:
    """Yield which sketches hold the same bytes, as a delivery under two names."""
    first: dict[str, str] = {}
    files = counts.describe_origin()["files"]
    for sketch, file in zip(sketches.values(), files, strict=True):
        name = first.setdefault(file["sha256"], file["name"])
        if name != file["name"] and sketch.n_rows:
            yield (
                f"{name} and {file['name']} hold the same bytes, so their rows count "
                "twice; leave one out if it is a copy"
            )


def list_arguments(sketch: CapSketch) -> dict[str, Any]:
    """List what a sketch was made with."""
    return {
        "max_bins": sketch.max_bins,
        "target_type": sketch.target_type,
        "pos_label": sketch.pos_label,
        "descending": sketch.curve.descending,
    }


def show(value: object) -> str:
    """Show the value of an option: text in quotes, a flag as off or on."""
    if isinstance(value, bool):
        return "off" if value else "on"  # descending is the default, without --ascending
    return "not given" if value is None else repr(value)


def write_sketch_file(sketch: CapSketch, output: str) -> None:
    """Write a sketch to a file, whole or not at all, or to stdout."""
    content = sketch.to_bytes()
    if output != STDOUT:
        write_content(Path(output), content)
        return
    print_bytes(content)


def count_single_rows(sketch: CapSketch, *, is_weighted: bool = False) -> int:
    """Count the rows that are alone in their bin; of weighted rows, at least how many.

    Bins hold weights and not how many rows these are of, but b bins of n rows leave at
    least 2b - n with one row.
    """
    weight = sketch.curve.by_score.weight
    if is_weighted:
        return max(0, 2 * len(weight) - sketch.n_rows)
    return int((weight == 1).sum())


def list_disclosures(sketch: CapSketch, *, is_weighted: bool) -> Iterator[str]:
    """Yield what can be read from a sketch of single rows, and of amounts."""
    if alone := count_single_rows(sketch, is_weighted=is_weighted):
        least = "at least " if is_weighted else ""
        read = "score, weight and outcome" if is_weighted else "score and outcome"
        yield (
            f"{least}{alone:,} of the bins {choose_verb(alone)} a single row, whose {read} "
            "can be read from the sketch; --max-bins makes bins coarser"
        )
    outcomes = sketch.curve.by_target
    held = int((outcomes.lowest == outcomes.highest).sum())
    if held and not sketch.curve.has_events:
        yield (
            f"{held:,} of the bins of outcomes {choose_verb(held)} a single amount, which "
            "can be read from the sketch; --max-bins makes bins coarser"
        )


def choose_verb(n_bins: int) -> str:
    """Return the verb for a number of bins."""
    return "holds" if n_bins == 1 else "hold"
