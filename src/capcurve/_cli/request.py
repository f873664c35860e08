"""Read the rows of a file into memory and score them."""

import shlex
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from capcurve._cli.no_rows import score_no_rows
from capcurve._cli.option_names import use_given_options
from capcurve._cli.row_counts import RowCounts, count_frame
from capcurve._cli.score_notes import Notify, notify_leakage, notify_undefined
from capcurve._cli.undefined import (
    AllEqualError,
    NoQueryRowsError,
    NoRowsError,
    UndefinedError,
    explain_no_rows,
    make_rowless_error,
)
from capcurve._cli.whole_weights import notify_whole_weights
from capcurve._engines.rank import rank_all_rows
from capcurve._engines.row_rankings import RowRankings
from capcurve._files.copies import find_copies
from capcurve._files.databases import refuse_table_of_query
from capcurve._files.delimited import Source
from capcurve._files.missing_words import describe_words
from capcurve._files.open import (
    FileTable,
    Origin,
    read_table,
    read_table_and_origin,
    takes_words,
)
from capcurve._files.paths import STDIN
from capcurve._files.rowless import find_rowless
from capcurve._files.typed_rows import TypedRows
from capcurve._input.columns import Columns, explain_constant
from capcurve._input.dtypes import Frame, Label, LazyFrame, TargetType
from capcurve._input.meaning import Meaning, Roles, as_order, make_roles
from capcurve._input.score import is_number_text
from capcurve._report.scored import ScoredRows, score_rankings
from capcurve.exceptions import CapcurveError

MAX_LABELS = 5  # that a note lists


class FileOptions(NamedTuple):
    """Options that describe files, their columns and how to rank their rows."""

    file: tuple[str, ...]
    truth: str | None
    estimate: tuple[str, ...]
    by: tuple[str, ...]
    weight: str | None
    counts: str | None
    events: str | None
    cluster: str | None
    order: str | None
    pos_label: str | None
    target_type: TargetType
    ascending: bool
    na: tuple[str, ...]
    na_only: tuple[str, ...]
    decimal_comma: bool
    encoding: str
    memory_limit: str | None = None
    approx: bool = False
    quiet: bool = False
    table: str | None = None
    query: str | None = None
    is_described: bool = False  # whether the files are to be hashed
    may_be_undefined: bool = False  # whether all curves may be, of no rows, too
    ordered: tuple[str, ...] | None = None  # scores that the order is about; None: all
    probabilities: tuple[str, ...] = ()  # columns of numbers that rank nothing

    @property
    def grades(self) -> tuple[str, ...]:
        """Scores that are words in an order, or numbers beside one in words."""
        return () if self.order is None else self.may_be_grades

    @property
    def may_be_grades(self) -> tuple[str, ...]:
        """Scores that may be words, if --order lists them."""
        return self.estimate if self.ordered is None else self.ordered


class Reading(NamedTuple):
    """Scored rows of files, by group, score column and class label, and how many.

    Attributes
    ----------
    groups : list of ScoredRows
    counts : RowCounts
        Rows that were read, used and left out.
    no_rows : str
        Why there is no row, where there is none.
    """

    groups: list[ScoredRows]
    counts: RowCounts
    no_rows: str = NoRowsError.reason

    @property
    def has_rows(self) -> bool:
        """Whether the rows are in memory."""
        return True


def read_scored_rows(options: FileOptions, notify: Notify) -> Reading:
    """Read files and score their rows, by group, score column and class label."""
    frame, origin = read_frame(options, notify)
    with notes_of_warnings(notify):
        roles, meaning = make_file_roles(options), make_meaning(options, frame)
        rankings = rank_all_rows(frame, roles, meaning)
        require_rows(rankings, options)
        counts = count_frame(frame, roles, origin)
    if not len(rankings.group):
        why = explain_no_rows(options.query, counts.read)
        return Reading(score_no_rows(rankings, options.by, why), counts, why)
    scored_groups = score_rankings(rankings)
    notify_whole_weights(scored_groups, options.weight, notify)
    told = {"may_be_all": options.may_be_undefined, "has_query": bool(options.query)}
    notify_undefined(scored_groups, notify, **told)
    notify_leakage(scored_groups, notify)
    return Reading(scored_groups, counts)


def read_frame(options: FileOptions, notify: Notify) -> tuple[Frame, Origin | None]:
    """Read the columns of files as a data frame, and describe the files if asked to."""
    if options.is_described:
        return read_described_frame(options, notify)
    found = read_table(make_source(options), progress=not options.quiet)
    return make_frame(found, options, notify), None


def read_described_frame(options: FileOptions, notify: Notify) -> tuple[Frame, Origin]:
    """Read the columns of files as a data frame, and describe the files."""
    found, origin = read_table_and_origin(make_source(options), progress=not options.quiet)
    try:
        return make_frame(found, options, notify), origin
    except UndefinedError as problem:
        problem.files = origin.files
        raise


def make_frame(found: FileTable, options: FileOptions, notify: Notify) -> Frame:
    """Make a data frame of what was read, and print the words taken for missing values."""
    notify_odd_files(options, notify)
    notify_words(found, options, notify)
    notify_unrepeatable(found, notify)
    if options.query is not None and not len(found.table) and not options.may_be_undefined:
        raise make_empty_query_error(options)
    frame: Frame = nw.from_native(found.table, eager_only=True)
    notify_other_labels(frame, options, notify)
    return frame


@contextmanager
def notes_of_warnings(notify: Notify) -> Iterator[list[warnings.WarningMessage]]:
    """Print warnings about the rows of a file as notes, and give them."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield caught
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        notify(f"capcurve: note: {use_given_options(message)}")


def notify_odd_files(options: FileOptions, notify: Notify) -> None:
    """Print which files hold no rows, or the same bytes, as a delivery under two names."""
    for name, other in find_copies(options.file):
        notify(
            f"capcurve: note: {name} and {other} hold the same bytes, so their rows count "
            "twice; leave one out if it is a copy"
        )
    for name in find_rowless(options.file, options.encoding):
        notify(f"capcurve: note: {name} has no rows")


def notify_words(
    found: FileTable | TypedRows, options: FileOptions, notify: Notify
) -> None:
    """Print the words taken for missing values, for names against the odds, or for nothing.

    Empty fields need no note. Percent signs have one.
    """
    if found.unmatched:
        told = " and ".join(
            f"{'--na' if word in options.na else '--na-only'} {word!r}"
            for word in found.unmatched
        )
        where = f"the columns used in {make_source(options).title}"
        notify(f"capcurve: note: {told} matched no field of {where}")
    for name, words in found.missing_words.items():
        if any(words):
            notify(f"capcurve: note: `{name}`: {describe_words(words)}")
    for name, percents in found.percents.items():
        notify(f"capcurve: note: `{name}`: {percents.describe()}")
    for name, words in found.kept_words.items():
        listed = ", ".join(f"{count:,} {word!r}" for word, count in words.items())
        remedy = " ".join(f"--na {shlex.quote(word)}" for word in words)
        notify(
            f"capcurve: note: `{name}`: {listed} count as names; pass {remedy} if they "
            "mean a missing value"
        )


def notify_unrepeatable(found: FileTable | TypedRows, notify: Notify) -> None:
    """Print what in a query gives other rows when the command runs again."""
    if found.unrepeatable:
        notify(
            f"capcurve: note: --query depends on chance or the time "
            f"({', '.join(found.unrepeatable)}), so the same command may give other "
            "numbers; a sample with a seed (using sample 1000 rows repeatable (1)) and a "
            "fixed date do not"
        )


def notify_other_labels(
    frame: Frame | LazyFrame, options: FileOptions, notify: Notify
) -> None:
    """Print which labels --pos-label makes non-events, if there are several."""
    if options.truth is None or options.pos_label is None:
        return
    label = parse_label(frame.collect_schema()[options.truth], options.pos_label)
    listed = count_labels(frame, options.truth)
    others = [(value, count) for value, count in listed if value != label]
    if 1 < len(others) < len(listed):
        shown = [f"{count:,} {value!r}" for value, count in others[:MAX_LABELS]]
        shown += [f"{len(others) - MAX_LABELS} more"] if len(others) > MAX_LABELS else []
        notify(
            f"capcurve: note: `{options.truth}`: non-events are {', '.join(shown)} "
            "(counted before rows are left out)"
        )


def count_labels(frame: Frame | LazyFrame, name: str) -> list[tuple[Any, int]]:
    """Count the rows of each outcome, the most frequent one first."""
    if isinstance(frame, nw.DataFrame):  # a group_by of PyArrow loads its datasets
        counted = nw.to_native(frame)[name].drop_null().value_counts().to_pylist()
        counts = [(each["values"], each["counts"]) for each in counted]
    else:
        known = frame.filter(~nw.col(name).is_null())
        counts = known.group_by(name).agg(nw.len()).collect("pyarrow").rows()
    return sorted(counts, key=lambda pair: (-pair[1], str(pair[0])))


def require_rows(rankings: RowRankings, options: FileOptions) -> None:
    """Raise if no row is complete, or if the only curve is undefined."""
    if not len(rankings.group) and not options.may_be_undefined:
        raise make_no_rows_error(options, rankings.dropped.n_rows)
    if options.by or rankings.are_levels or options.may_be_undefined:
        return
    for ranking in rankings.rankings:
        refuse_constant(ranking.columns, options)


def make_empty_query_error(options: FileOptions) -> NoQueryRowsError:
    """Make the error of a query without a row."""
    problem = NoQueryRowsError(
        f"--query must return rows of {make_source(options).title}, but it returned none; "
        "check its condition"
    )
    problem.rows = dict.fromkeys(("read", "used", "left_out"), 0)
    return problem


def make_no_rows_error(options: FileOptions, n_read: int) -> NoRowsError:
    """Make the error of files without a complete row, or without any."""
    title, roles = make_source(options).title, make_file_roles(options)
    if not n_read and roles.counts is None:  # whose sum may be 0
        return make_rowless_error(title)
    mass = roles.weights or roles.counts
    above = "" if mass is None else f", and with `{mass}` above 0"
    may_have_words = all(each == STDIN or takes_words(each) for each in options.file)
    advice = "check the file and --na" if may_have_words else "check the file"
    return NoRowsError(
        f"{title} must have rows without a missing value in "
        f"{', '.join(roles.values)}{above}, got none; {advice}"
    )


def refuse_constant(columns: Columns, options: FileOptions) -> None:
    """Raise if all outcomes are equal."""
    if columns.is_constant:
        reason = explain_constant(columns)
        reason = reason.replace("`y_true`", f"`{options.truth or options.events}`")
        if options.weight is not None and options.weight == options.truth:
            raise AllEqualError(
                f"--truth and --weight must name two columns, got {options.truth!r} for "
                f"both: rows of weight 0 are left out, so that {reason}; name another "
                "weight, or leave it out"
            )
        raise AllEqualError(
            f"the CAP curve of {make_source(options).title} is undefined: {reason}; it "
            "requires both events and non-events, or amounts that differ"
        )


def refuse_clusters(cluster: str | None, command: str) -> None:
    """Raise for a command whose bands and numbers do not allow for dependent rows."""
    if cluster is not None:
        raise CapcurveError(
            "--cluster requires intervals or tests of dependent rows, as of score, "
            f"compare, report and table --confidence, got {command}; leave it out if rows "
            "are independent"
        )


def make_source(options: FileOptions) -> Source:
    """Describe which columns of a file to read, and how."""
    refuse_table_of_query(options.table, options.query)
    return Source(
        options.file[0],
        outcomes=[] if options.truth is None else [options.truth],
        numbers=[name for name in list_numbers(options) if name is not None],
        keys=list_texts(options),
        missing=(*options.na, *options.na_only),
        usual_words=not options.na_only,
        decimal="," if options.decimal_comma else ".",
        encoding=options.encoding,
        table=options.table,
        query=options.query,
        others=options.file[1:],
        grades=options.may_be_grades,
        graded=options.grades,
        order=list_order(options),
    )


def list_numbers(options: FileOptions) -> list[str | None]:
    """List the columns that must hold numbers; scores beside an order need not."""
    scores = [name for name in options.estimate if name not in options.grades]
    masses = (options.weight, options.counts, options.events)
    return list(dict.fromkeys([*scores, *options.probabilities, *masses]))


def list_texts(options: FileOptions) -> list[str]:
    """List the columns that stay what they are: groups and clusters."""
    clusters = [] if options.cluster is None else [options.cluster]
    return list(dict.fromkeys([*options.by, *clusters]))


def list_order(options: FileOptions) -> list[str]:
    """List the grades from the lowest score to the highest; none without an order."""
    return [] if options.order is None else options.order.split(",")


def make_file_roles(options: FileOptions) -> Roles:
    """Say which column of a file plays which part."""
    return make_roles(
        options.truth,
        options.estimate,
        by=options.by,
        case_weights=options.weight,
        counts=options.counts,
        events=options.events,
        clusters=options.cluster,
    )


def make_meaning(options: FileOptions, frame: Frame | LazyFrame) -> Meaning:
    """Say how the columns of a file are to be read."""
    refuse_label_of_events(options)
    label: Label | None = options.pos_label
    if options.truth is not None and options.pos_label is not None:
        label = parse_label(frame.collect_schema()[options.truth], options.pos_label)
    order = None if options.order is None else list_order(options)
    return Meaning(
        pos_label=label,
        target_type=options.target_type,
        descending=not options.ascending,
        order=as_order(order),
        ordered=options.ordered,
    )


def refuse_label_of_events(options: FileOptions) -> None:
    """Raise for options that say what an outcome means, where events are counted."""
    if options.truth is None and (options.pos_label or options.target_type != "auto"):
        raise CapcurveError(
            "--pos-label and --target-type require --truth, got --events, which counts the "
            "events; leave them out"
        )


def parse_label(dtype: Any, label: str) -> Label:
    """Convert the label of the event to the type of the outcome column."""
    if dtype == nw.Boolean:
        names = {"true": True, "1": True, "false": False, "0": False}
        return names.get(label.lower(), label)
    if not dtype.is_numeric() or not is_number_text(label):
        return label
    number = float(label)
    return int(number) if number.is_integer() else number
