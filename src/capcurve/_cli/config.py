"""Read the config file of ``capcurve run``: portfolios, options, and what to write."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from glob import escape
from os.path import isfile
from pathlib import Path
from typing import Any, NamedTuple

import click

from capcurve._cli.config_checks import check_endings, check_options
from capcurve._cli.config_values import (
    OF_PORTFOLIO,
    ConfigError,
    Options,
    Place,
    Table,
    list_arguments,
    list_options,
    make_error,
    refuse_unknown_keys,
    require_table,
    take_text,
    take_texts,
    use_key_names,
)
from capcurve._cli.own_inputs import refuse_output
from capcurve._cli.portfolio_names import (
    ADVICE,
    NAME_WORDS,
    explain_namesake,
    explain_odd_name,
    explain_shared_name,
    explain_summary,
    fill_name,
    is_filled,
    refuse_odd_name,
)
from capcurve._cli.run import find_failure
from capcurve._files.failures import make_unread_error
from capcurve._files.paths import STDIN, find_any, make_missing_error
from capcurve._files.provenance import hash_file
from capcurve._files.unseen import Matches
from capcurve._report.options import Facts
from capcurve.exceptions import CapcurveError

CONFIG_NAMES = ("capcurve.toml", "pyproject.toml")
SECTION = "capcurve"  # of [tool] in pyproject.toml
TOP_KEYS = ("title", "summary", "report", "portfolio")
TOP_LISTED = f"the keys are {', '.join(TOP_KEYS)}; options stand in [report]"
USUAL_TITLE = "Validation reports"
USUAL_SUMMARY = ("reports/index.html",)
USUAL_OUTPUT = ("reports/{name}.html",)
OUTPUT_WORDS = ("{name}",)
SUMMARY_ENDINGS = (".html", ".json")


class Portfolio(NamedTuple):
    """One portfolio of a run.

    Attributes
    ----------
    name : str
    files : tuple of str
        Names or patterns of its files, whose rows are read together.
    context : click.Context
        Its parsed options, as of the command ``report``.
    outputs : tuple of Path
        Reports to write.
    problem : str or None
        Why it cannot be read, if that is known already.
    is_found : bool
        Whether its file, which a pattern of ``files`` found, gave it its name.
    """

    name: str
    files: tuple[str, ...]
    context: click.Context
    outputs: tuple[Path, ...]
    problem: str | None = None
    is_found: bool = False


class Config(NamedTuple):
    """What a config file says, checked; ``file`` is its name, size and hash."""

    path: Path
    file: Facts
    title: str
    summaries: tuple[Path, ...]
    portfolios: tuple[Portfolio, ...]


class Reader(NamedTuple):
    """What the entries of a config file have in common."""

    command: click.Command
    options: Options
    common: Table
    folder: Path
    summaries: tuple[Path, ...]


def read_config(path: Path | None, command: click.Command) -> Config:
    """Read and check a config file; by default the one in this folder.

    Parameters
    ----------
    path : Path or None
        ``pyproject.toml``, of which ``[tool.capcurve]`` is read, or another TOML file.
    command : click.Command
        ``capcurve report``, whose options a portfolio may have.
    """
    path = find_config() if path is None else path
    table, place = load_table(path), Place(path.name)
    refuse_unknown_keys(table, TOP_KEYS, place, TOP_LISTED)
    options = list_options(command)
    common = require_table(table.get("report", {}), place.at("report"))
    refuse_unknown_keys(common, (*options, "output"), place.at("report"))
    list_arguments(common, options, place.at("report"))
    entries = table.get("portfolio", [])
    if not isinstance(entries, list):
        raise make_error(place.at("portfolio"), "a list, written [[portfolio]]", entries)
    named = take_texts(table, "summary", place, USUAL_SUMMARY)
    summaries = tuple(path.parent / each for each in named)
    reader = Reader(command, options, common, path.parent, summaries)
    portfolios = [
        portfolio
        for number, entry in enumerate(entries, 1)
        for portfolio in read_entry(reader, entry, name_entry(entry, number, place))
    ]
    config = Config(
        path,
        {"name": str(path), **hash_file(str(path))},
        take_text(table, "title", place, USUAL_TITLE),
        summaries,
        tuple(tell_shared_names(portfolios)),
    )
    check_config(config)
    return config


def find_config() -> Path:
    """Find the config file in this folder."""
    for name in CONFIG_NAMES:
        path = Path(name)
        if path.is_file() and (name != CONFIG_NAMES[1] or SECTION in find_tools(path)):
            return path
    raise CapcurveError(
        "a run requires capcurve.toml, or pyproject.toml with [tool.capcurve], in this "
        "folder, got neither; write one, or name another file"
    )


def find_tools(path: Path) -> Table:
    """Return the table [tool] of a file, if there is one."""
    tools = parse_toml(path).get("tool", {})
    return tools if isinstance(tools, dict) else {}


def load_table(path: Path) -> Table:
    """Load the config, which is a section of pyproject.toml and all of another file."""
    if path.name != CONFIG_NAMES[1]:
        return parse_toml(path)
    tools = find_tools(path)
    if SECTION not in tools:
        raise CapcurveError(
            f"{path} must have the section [tool.capcurve], got none; add it"
        )
    return require_table(tools[SECTION], Place(path.name, f"tool.{SECTION}"))


def parse_toml(path: Path) -> Table:
    """Parse a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise make_missing_error(str(path)) from error
    except PermissionError as error:
        raise make_unread_error(str(path), error) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise CapcurveError(f"cannot read {path}: {reason}; check the file") from error
    except ValueError as error:  # of TOML, or of UTF-8
        raise CapcurveError(
            f"{path} must be valid TOML in UTF-8, got an error: {error}; repair it"
        ) from error


def name_entry(entry: Any, number: int, place: Place) -> Place:
    """Name an entry of a config by its name or files, or else by its number from 1."""
    given = entry if isinstance(entry, dict) else {}
    names = (given.get(key) for key in OF_PORTFOLIO)
    found = next((name for name in names if name and isinstance(name, str)), str(number))
    return place.at(f"portfolio[{found}]")


def read_entry(reader: Reader, entry: Any, place: Place) -> Iterator[Portfolio]:
    """Read an entry of a config: one portfolio, or one for each of several files."""
    entry = require_table(entry, place)
    refuse_unknown_keys(entry, (*OF_PORTFOLIO, *reader.options, "output"), place)
    list_arguments(entry, reader.options, place)
    if ("file" in entry) == ("files" in entry):
        given = "both" if "file" in entry else "neither"
        raise CapcurveError(
            f"{place} must have either `file`, for one portfolio, or `files`, for one "
            f"portfolio per file, got {given}; keep one of them"
        )
    said = {**reader.common, **entry}
    outputs = take_texts(said, "output", place, USUAL_OUTPUT)
    refuse_unknown_words(outputs, OUTPUT_WORDS, place.at("output"))
    is_named = any("{name}" in each for each in outputs)
    if is_named and "name" in entry:  # what it says stops all, unlike names of files
        refuse_odd_name(take_text(entry, "name", place, ""), place)
    for name, files, problem in list_portfolios(reader, entry, place):
        if is_named and "file" in entry:
            refuse_odd_name(name, place)
        elif is_named and problem is None:  # a file that a run finds stops no other one
            problem = explain_odd_name(name) or find_summary(reader, outputs, name)  # noqa: PLW2901
        given = said.get("title", [])  # which may be taken back
        title = name if given == [] else str(given).replace("{name}", name)
        arguments = list_arguments({**said, "title": title}, reader.options, place)
        context = parse_arguments(reader.command, arguments, files, place)
        written = outputs if files else ()  # none of a pattern that matches no file
        paths = tuple(reader.folder / each.replace("{name}", name) for each in written)
        # Reports name the command that makes them, which requires its outputs.
        context.params["output"] = tuple(map(str, paths))
        yield Portfolio(
            name,
            files,
            context,
            paths,
            problem,
            is_found="files" in entry and is_filled(str(entry.get("name", "{stem}"))),
        )


def find_summary(reader: Reader, outputs: Sequence[str], name: str) -> str | None:
    """Say that a name makes a report of the summary, if it does."""
    summaries = [each.resolve() for each in reader.summaries]
    for each in outputs:
        path = reader.folder / each.replace("{name}", name)
        if "{name}" in each and path.resolve() in summaries:
            return explain_summary(path)
    return None


def tell_shared_names(portfolios: Sequence[Portfolio]) -> Iterator[Portfolio]:
    """Make a name that a file gave and another portfolio has the problem of that file."""
    named: dict[str, list[Portfolio]] = {}
    for each in portfolios:
        if each.files:  # and not the place that cannot be seen
            named.setdefault(each.name, []).append(each)
    for each in portfolios:
        other = next((one for one in named.get(each.name, ()) if one is not each), None)
        if each.is_found and each.problem is None and other is not None:
            problem = explain_shared_name(each.name, each.files[0], other.files[0])
            yield each._replace(problem=problem)
        else:
            yield each


def list_portfolios(
    reader: Reader, entry: Table, place: Place
) -> Iterator[tuple[str, tuple[str, ...], str | None]]:
    """List names and files of the portfolios of an entry, and why some have none."""
    name = take_text(entry, "name", place, "{stem}")
    refuse_unknown_words([name], NAME_WORDS, place.at("name"))
    if "file" in entry:
        files = take_texts(entry, "file", place, ())
        if not files or STDIN in files:
            raise make_error(place.at("file"), "a file, or a list of files", entry["file"])
        yield fill_name(name, files[0]), tuple(locate(reader, each) for each in files), None
        return
    found: dict[str, str | None] = {}  # each name once, and why it cannot be opened
    unseen: set[str] = set()  # folders that cannot be listed, patterns without a file
    for pattern in take_texts(entry, "files", place, ()):
        try:
            matches = find_any(locate(reader, pattern))
        except CapcurveError as error:
            matches = Matches([], {}, {pattern: str(error)})
        met = dict.fromkeys(matches.files) | matches.broken | matches.unseen
        found |= dict(sorted(met.items()))
        unseen |= matches.unseen.keys()
    paths = [path for path in found if path not in unseen]
    for path, problem in found.items():
        if path in unseen:
            yield name if "{" not in name else path.replace("/", " "), (), problem
        else:
            yield fill_name(name, path), (path,), problem or explain_namesake(path, paths)


def refuse_unknown_words(texts: Sequence[str], known: Sequence[str], place: Place) -> None:
    """Raise for a word in braces that is not filled in."""
    for text in texts:
        for word in re.findall(r"\{[^{}]*\}", text):
            if word not in known:
                raise CapcurveError(
                    f"{place} must have no other word in braces than {', '.join(known)}, "
                    f"got {word}; write {known[0]}"
                )


def locate(reader: Reader, file: str) -> str:
    """Return where a file or a pattern is, seen from the config."""
    path = reader.folder / file
    # Unlike Path.is_file, this raises nothing for a folder that may not be read.
    if isfile(path) or Path(file).is_absolute() or reader.folder == Path():  # noqa: PTH113
        return str(path)
    return f"{escape(str(reader.folder))}/{file}"


def parse_arguments(
    command: click.Command, arguments: Sequence[str], files: Sequence[str], place: Place
) -> click.Context:
    """Parse options as the shell does, and check them; an error names the entry."""
    words = [*arguments, "--", *(files or ["none"])]
    try:
        with command.make_context(str(command.name), words) as context:
            check_options(context)
    except (click.ClickException, CapcurveError) as error:
        message = use_key_names(find_failure(error).message, command)
        raise ConfigError(f"{place}: {message}") from error
    return context


def check_config(config: Config) -> None:
    """Raise if there is no portfolio, or if files would be written twice or nowhere."""
    if not config.portfolios:
        raise CapcurveError(
            f"{config.path.name} must list portfolios as [[portfolio]], got none; add one "
            "with a `file`"
        )
    named = [
        (each.name, f"portfolio {number} ({', '.join(each.files)})")
        for number, each in enumerate(config.portfolios, 1)
        if each.problem is None
    ]
    refuse_repeated(named, "portfolios must have names that differ", ADVICE)
    place = Place(config.path.name)
    for summary in config.summaries:
        if summary.suffix.lower() not in SUMMARY_ENDINGS:
            raise CapcurveError(
                f"{place.at('summary')} must end in {' or '.join(SUMMARY_ENDINGS)}, got "
                f"{str(summary)!r}; rename it"
            )
    sound = [each for each in config.portfolios if each.problem is None]
    for each in sound:
        check_endings(each.outputs, place.at(f"portfolio[{each.name}].output"))
    outputs = [path for portfolio in sound for path in portfolio.outputs]
    refuse_inputs(config, (*config.summaries, *outputs), "a report or summary")
    refuse_repeated(
        [(str(path.resolve()), writer) for path, writer in list_written(config, sound)],
        "each report must have a file of its own",
        "write {name} into `output`",
    )


def list_written(
    config: Config, portfolios: Iterable[Portfolio]
) -> Iterator[tuple[Path, str]]:
    """List the files that a run writes, each with what is written there."""
    for path in config.summaries:
        yield path, "the summary"
    for each in portfolios:
        for path in each.outputs:
            yield path, each.name


def refuse_own_reports(config: Config, output: Path | None) -> None:
    """Raise if the result of a run would replace one of its reports or summaries."""
    for path, writer in list_written(config, config.portfolios):
        if output is not None and output.resolve() == path.resolve():
            raise CapcurveError(
                "--output must be another file than the reports and summaries of the run, "
                f"got {str(output)!r}, which is that of {writer}; choose another name"
            )


def refuse_inputs(config: Config, outputs: Sequence[Path], name: str) -> None:
    """Raise if an output is one of the files of the portfolios, or the config."""
    read = [file for portfolio in config.portfolios for file in portfolio.files]
    for output in outputs:
        refuse_output(output, [str(config.path), *read], name)


def refuse_repeated(named: Iterable[tuple[str, str]], wanted: str, advice: str) -> None:
    """Raise if a name is given to two things."""
    first: dict[str, str] = {}
    for name, what in named:
        if name in first:
            raise CapcurveError(
                f"{wanted}, got {name!r} for {first[name]} and for {what}; {advice}"
            )
        first[name] = what
