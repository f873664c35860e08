"""A data frame and the roles of its columns -> checked rankings of grouped rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from capcurve._engines import lazy
from capcurve._input import Array, Columns, read_score, read_weight, refuse_unknown
from capcurve._truth import TruthOptions, read_outcomes
from capcurve.exceptions import CapcurveError, DroppedRowsWarning, warn_caller

Names = str | Sequence[str]
Frame = nw.DataFrame[Any]
Series = nw.Series[Any]
AnyFrame = TypeVar("AnyFrame", bound=nw.DataFrame[Any] | nw.LazyFrame[Any])

MOST_DIRECT = 4_000_000  # rows of a query beyond which the engine counts bin by bin
ROW, FIRST = "row of capcurve", "first row of capcurve"


class Ranking(NamedTuple):
    """One score against one outcome: of a model, or of a level against the rest."""

    name: str
    columns: Columns


class CheckedQuery(NamedTuple):
    """A query whose rows its engine has checked, and what it found."""

    query: lazy.Query
    checks: lazy.Checks


@dataclass(frozen=True, eq=False)
class Roles:
    """Checked rows of a frame, grouped and ranked.

    ``group`` numbers the group of each row from 0, and ``keys`` holds the columns of
    ``by``, a row for each group, or is None.
    """

    frame: Frame
    keys: Frame | None
    group: NDArray[np.int64]
    rankings: list[Ranking]
    are_levels: bool

    @property
    def n_groups(self) -> int:
        """Number of groups, those without a complete row included."""
        return 1 if self.keys is None else len(self.keys)


def read_roles(
    data: Any,
    truth: str,
    estimate: Names,
    *,
    by: Names | None,
    case_weights: str | None,
    na_rm: bool,
    descending: bool,
    options: TruthOptions,
) -> Roles:
    """Check a frame's columns and say what is ranked by what in which group."""
    estimates, groups = as_names(estimate), as_names(by)
    found = checked_query(data, truth, estimates, groups, case_weights, na_rm=na_rm)
    if isinstance(found, CheckedQuery):
        frame, mass = condense(found, [truth, *estimates])
        keys, group = number_groups(frame, groups)
    else:
        frame, used = found, [truth, *estimates, *as_names(case_weights)]
        keys, group = number_groups(frame, groups)
        frame, group = keep(frame, group, complete_rows(frame, used, na_rm=na_rm))
        frame, group, mass = weigh(frame, group, case_weights)
    outcomes = read_outcomes(frame.get_column(truth), estimates, options)
    scores = {name: read_estimate(frame.get_column(name)) for name in estimates}
    return Roles(
        frame=frame,
        keys=keys,
        group=group,
        rankings=[
            Ranking(
                outcome.level or outcome.estimate,
                replace(
                    mass,
                    target=outcome.target,
                    score=scores[outcome.estimate],
                    descending=descending,
                ),
            )
            for outcome in outcomes
        ],
        are_levels=outcomes[0].level is not None,
    )


def weigh(
    frame: Frame, group: NDArray[np.int64], case_weights: str | None
) -> tuple[Frame, NDArray[np.int64], Columns]:
    """Check the weights and leave out rows of weight 0; outcome and score follow."""
    blank = np.zeros(0)
    if case_weights is None or not len(frame):
        return frame, group, Columns(blank, blank)
    weight = read_weight(to_array(frame.get_column(case_weights)), case_weights)
    frame, group = keep(frame, group, weight > 0)
    return frame, group, Columns(blank, blank, weight[weight > 0])


def checked_query(
    data: Any,
    truth: str,
    estimate: Names,
    by: Names | None,
    case_weights: str | None,
    *,
    na_rm: bool,
) -> Frame | CheckedQuery:
    """Find the columns of a frame, and let the engine of a query check its rows."""
    if isinstance(data, CheckedQuery):
        return data
    keys, values = as_names(by), [truth, *as_names(estimate)]
    frame = with_roles(read_query(data), values, keys, case_weights)
    if not isinstance(frame, nw.LazyFrame):
        return frame
    with lazy.failures_named():
        query = lazy.query_of(frame, keys, values, case_weights)
        checks = lazy.check(query, values)
    judge(checks, case_weights, na_rm=na_rm)
    return CheckedQuery(query, checks)


def with_roles(
    frame: AnyFrame, values: Sequence[str], keys: Sequence[str], case_weights: str | None
) -> AnyFrame:
    """Refuse columns that a frame lacks, and groups of one outcome each."""
    used = [*values, *as_names(case_weights), *keys]
    refuse_unknown(used, frame.collect_schema().names(), "`data`")
    if values[0] in keys:
        raise CapcurveError(
            f"`by` names the truth column {values[0]!r}: every group would hold one outcome"
        )
    return frame


def is_large(data: Frame | CheckedQuery) -> bool:
    """Whether distinct rows of a query may be too many to travel."""
    return isinstance(data, CheckedQuery) and are_many(data.checks.n_rows)


def are_many(n_rows: int) -> bool:
    """Whether rows are too many to travel, or to be scanned without need."""
    return n_rows > MOST_DIRECT


def condense(checked: CheckedQuery, values: list[str]) -> tuple[Frame, Columns]:
    """Let an engine group its rows; outcome and score follow."""
    with lazy.failures_named():
        condensed = lazy.condense(checked.query, values, checked.checks)
    lazy.log_plan("direct", len(condensed.frame), "distinct rows")
    blank = np.zeros(0)
    if condensed.weight is None:
        return condensed.frame, Columns(blank, blank, condensed.rows, counts_rows=True)
    return condensed.frame, Columns(
        blank, blank, condensed.weight, rows=condensed.rows, squares=condensed.squares
    )


def judge(checks: lazy.Checks, case_weights: str | None, *, na_rm: bool) -> None:
    """Announce or refuse what an engine found."""
    announce_missing(checks.missing, checks.incomplete, checks.n_rows, na_rm=na_rm)
    if checks.negative or checks.infinite:
        raise CapcurveError(
            f"`{case_weights}` must be finite and not negative, got {checks.negative} "
            f"negative and {checks.infinite} infinite; a row that should not count has "
            "weight 0"
        )


def keep(frame: Frame, group: Array, rows: Array) -> tuple[Frame, Array]:
    """Keep some of the rows."""
    if rows.all():
        return frame, group
    mask = nw.new_series("rows", rows, backend=frame.implementation)
    return nw.maybe_reset_index(frame).filter(mask), group[rows]


def read_estimate(column: Series) -> Array:
    """Check a score column."""
    score = to_array(column)
    return read_score(score, column.name) if len(score) else np.zeros(0)


def read_frame(data: Any) -> Frame:
    """Wrap a data frame of any library; a query is run."""
    frame = read_query(data)
    return lazy.collect(frame) if isinstance(frame, nw.LazyFrame) else frame


def read_query(data: Any) -> Frame | nw.LazyFrame[Any]:
    """Wrap a data frame or a query of any library; a stream of Arrow is read, once."""
    try:
        frame: Frame | nw.LazyFrame[Any] = nw.from_native(data)
    except (TypeError, ValueError) as error:
        if isinstance(error, TypeError) and hasattr(data, "__arrow_c_stream__"):
            return nw.from_arrow(data, backend="pyarrow")
        kind = f"{type(data).__module__}.{type(data).__qualname__}"
        raise CapcurveError(
            "`data` must be a data frame or a query with distinct column names, got "
            f"{kind} ({' '.join(str(error).split())[:120]})"
        ) from error
    return frame


def as_names(names: Names | None) -> list[str]:
    """Turn one name or several into a list without repetition."""
    listed_names = (
        [] if names is None else [names] if isinstance(names, str) else list(names)
    )
    if len(set(listed_names)) < len(listed_names):
        raise CapcurveError(f"a column is named twice: {listed_names}")
    return listed_names


def number_groups(frame: Frame, by: list[str]) -> tuple[Frame | None, NDArray[np.int64]]:
    """Give groups a number as they appear; a null is a group of its own."""
    if not by:
        return None, np.zeros(len(frame), dtype=np.int64)
    if not len(frame):
        return frame.select(by), np.empty(0, dtype=np.int64)
    first = first_rows(frame, by)
    starts = np.flatnonzero(first == np.arange(len(first), dtype=first.dtype))
    keys = nw.maybe_reset_index(frame.select(by)[starts, :])
    number = np.empty(len(first), dtype=np.int64)  # set where groups start, read there only
    number[starts] = np.arange(len(starts))
    return keys, number[first]


def first_rows(frame: Frame, by: list[str]) -> Array:
    """Find for each row the first row of its group."""
    if not frame.implementation.is_pyarrow():
        numbered = frame.select(by).with_row_index(ROW)
        first = numbered.select(nw.col(ROW).min().over(*by)).get_column(ROW)
        return first.to_numpy()
    # A window of pyarrow neither keeps the order of rows nor nulls of a dictionary.
    plain = [key for i, name in enumerate(by) for key in without_nulls(frame, name, i)]
    numbered = frame.select(plain).with_row_index(ROW)
    parts = [name for name in numbered.columns if name != ROW]
    firsts = numbered.group_by(*parts).agg(nw.col(ROW).min().alias(FIRST))
    joined = numbered.join(firsts, on=parts, how="left")
    found = np.empty(len(frame), dtype=np.int64)
    found[joined.get_column(ROW).to_numpy()] = joined.get_column(FIRST).to_numpy()
    return found


def without_nulls(frame: Frame, name: str, number: int) -> tuple[nw.Expr, nw.Expr]:
    """Split a key into whether it is null and what it is otherwise."""
    column = nw.col(name)
    if frame.schema[name].is_numeric():
        value = column.fill_null(0)
    else:
        value = column.cast(nw.String).fill_null("")
    return column.is_null().alias(f"null {number}"), value.alias(f"value {number}")


def complete_rows(frame: Frame, names: list[str], *, na_rm: bool) -> Array:
    """Mark the rows without a missing value; say how many others there are, or refuse."""
    missing = {name: missing_rows(frame.get_column(name)) for name in names}
    incomplete: Array = np.logical_or.reduce(list(missing.values()))
    counts = {name: int(rows.sum()) for name, rows in missing.items()}
    announce_missing(counts, int(incomplete.sum()), len(frame), na_rm=na_rm)
    return ~incomplete


def announce_missing(
    missing: Mapping[str, int], incomplete: int, n_rows: int, *, na_rm: bool
) -> None:
    """Say how many rows have a missing value, or refuse them."""
    if incomplete:
        counts = ", ".join(f"{name} {count}" for name, count in missing.items() if count)
        found = f"{incomplete} of {n_rows} rows with a missing value ({counts})"
        if not na_rm:
            raise CapcurveError(f"`data` has {found}; `na_rm=True` leaves them out")
        warn_caller(f"left out {found}", DroppedRowsWarning)


def missing_rows(column: Series) -> Array:
    """Mark nulls and nans."""
    missing = column.is_null()
    if column.dtype.is_float():
        missing |= column.is_nan().fill_null(value=False)
    marked: Array = missing.to_numpy()
    return marked.astype(np.bool_)


def to_array(column: Series) -> Array:
    """Turn a column without nulls into an array, decimals into floats."""
    if column.dtype.is_decimal():
        column = column.cast(nw.Float64)
    values: Array = column.to_numpy()
    return values
