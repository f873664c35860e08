"""Whatever the caller holds -> checked columns, once; every check lives here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, Literal, NoReturn, Self, get_args

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve.exceptions import CapcurveError

TargetType = Literal["auto", "binary", "continuous"]
WeightKind = Literal["sampling", "frequency"]
Label = int | float | bool | str
Array = NDArray[Any]

LABELS_SHOWN = 10


@dataclass(frozen=True, eq=False)
class Columns:
    """Checked rows of positive weight.

    ``target`` is boolean for events and float64 for amounts per unit of weight;
    ``weight`` is None where every row weighs 1, and whole if it ``counts_rows``: then a
    row stands for as many equal ones. Rows of the same ``cluster``, numbered from 0, are
    not independent. Where a row stands for several of unequal weight, ``rows`` counts them
    and ``squares`` sums the squares of their weights.
    """

    target: Array
    score: Array
    weight: NDArray[np.float64] | None = None
    descending: bool = True
    counts_rows: bool = False
    cluster: NDArray[np.int64] | None = None
    rows: NDArray[np.float64] | None = None
    squares: NDArray[np.float64] | None = None

    def __getitem__(self, rows: Any) -> Self:
        """Take some of the rows."""
        held = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if isinstance(getattr(self, field.name), np.ndarray)
        }
        return replace(self, **{name: column[rows] for name, column in held.items()})

    @property
    def mass(self) -> NDArray[np.float64]:
        """Weight of each row, also where it is 1."""
        return np.ones(len(self.target)) if self.weight is None else self.weight

    @property
    def row_counts(self) -> NDArray[np.float64]:
        """Number of rows that each stands for."""
        if self.rows is not None:
            return self.rows
        return self.mass if self.counts_rows else np.ones(len(self.target))

    @property
    def squared_weights(self) -> NDArray[np.float64]:
        """Sum of the squared weights of the rows that each stands for."""
        if self.squares is not None:
            return self.squares
        return self.mass if self.counts_rows else self.mass**2

    @property
    def has_events(self) -> bool:
        """Whether the target is a 0/1 event, not an amount."""
        return self.target.dtype == np.bool_

    @property
    def is_constant(self) -> bool:
        """Whether all targets are equal, so that no ranking can be right or wrong."""
        return bool(self.target.min() == self.target.max())

    @property
    def target_mass(self) -> float:
        """Outcome of all rows: the weight of the events, or the weighted amount."""
        return float(
            self.target.sum() if self.weight is None else self.target @ self.weight
        )

    def ranked_by_target(self) -> Self:
        """Return the same rows as the perfect model scores them."""
        return replace(self, score=self.target, descending=True)


def read_columns(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    weights: WeightKind = "sampling",
    groups: ArrayLike | None = None,
) -> Columns:
    """Check one target against one score."""
    (columns,) = read_rivals(
        y_true,
        {"y_score": y_score},
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        groups=groups,
    )
    return columns


def read_rivals(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    sample_weight: ArrayLike | None,
    pos_label: Label | None,
    target_type: TargetType,
    descending: bool,
    weights: WeightKind,
    groups: ArrayLike | None,
) -> list[Columns]:
    """Check one target against several scores of the same rows."""
    arrays = {"y_true": as_array(y_true, "y_true")}
    arrays |= {name: as_array(score, name) for name, score in scores.items()}
    if groups is not None:
        arrays["groups"] = as_array(groups, "groups")
    arrays, weight = weigh(arrays, sample_weight)
    counts_rows = read_weight_kind(weight, weights)
    cluster = None
    if groups is not None:
        cluster = read_clusters(arrays["groups"], counts_rows=counts_rows)
    target = read_target(arrays["y_true"], pos_label, target_type)
    return [
        Columns(
            target, read_score(arrays[name], name), weight, descending, counts_rows, cluster
        )
        for name in scores
    ]


def read_weight_kind(weight: Array | None, kind: WeightKind) -> bool:
    """Tell whether weights count rows; if they do, they are whole."""
    if kind not in get_args(WeightKind):
        raise CapcurveError(f"`weights` must be 'sampling' or 'frequency', got {kind!r}")
    if kind == "sampling":
        return False
    if weight is None:
        raise CapcurveError(
            "`weights='frequency'` says what `sample_weight` holds; pass it"
        )
    if np.any(weight != np.floor(weight)):
        raise CapcurveError(
            "`sample_weight` must be whole where `weights='frequency'`: a row stands for "
            "as many equal rows; for any other weight there is `weights='sampling'`"
        )
    return True


def read_clusters(groups: Array, *, counts_rows: bool) -> NDArray[np.int64]:
    """Give a number to each cluster of rows that are not independent."""
    if counts_rows:
        raise CapcurveError(
            "`groups` and `weights='frequency'` contradict each other: equal rows that "
            "were counted have lost their group; pass them one by one"
        )
    refuse_missing(groups, "groups")
    names = groups if groups.dtype.kind != "O" else groups.astype(str)
    number = np.unique(names, return_inverse=True)[1]
    if not number.any():
        raise CapcurveError(
            "`groups` must name at least two groups, got one: nothing varies between "
            "independent groups"
        )
    return number.astype(np.int64, copy=False)


def read_ideal(
    y_true: ArrayLike,
    *,
    sample_weight: ArrayLike | None,
    pos_label: Label | None,
    target_type: TargetType,
) -> Columns:
    """Check a target and score it by itself."""
    arrays, weight = weigh({"y_true": as_array(y_true, "y_true")}, sample_weight)
    target = read_target(arrays["y_true"], pos_label, target_type)
    return Columns(target=target, score=target, weight=weight)


def read_one_vs_rest(
    y_true: ArrayLike,
    y_score: Array,
    *,
    sample_weight: ArrayLike | None,
    labels: Sequence[Label] | None,
    descending: bool,
) -> Iterator[tuple[Label, Columns]]:
    """Check a multiclass target and yield each label against the rest, in order."""
    arrays = {"y_true": as_array(y_true, "y_true"), "y_score": y_score}
    arrays, weight = weigh(arrays, sample_weight, matrix="y_score")
    truth = arrays["y_true"]
    refuse_missing(truth, "y_true")
    present = distinct(truth).tolist()
    levels = present if labels is None else np.asarray(labels, dtype=object).tolist()
    n_columns = y_score.shape[1]
    if len(levels) != n_columns:
        raise CapcurveError(
            f"`y_score` must have one column per label, got {n_columns} columns for "
            f"{len(levels)} labels ({listed(levels)}); "
            "pass the labels in column order as `labels`"
        )
    unknown = [label for label in present if label not in levels]
    if unknown:
        raise CapcurveError(
            f"`y_true` holds labels that `labels` does not name: {listed(unknown)}; "
            f"`labels` names {listed(levels)}"
        )
    scores = [read_score(column) for column in arrays["y_score"].T]
    for level, score in zip(levels, scores, strict=True):
        yield level, Columns(truth == level, score, weight, descending)


def as_array(values: ArrayLike, name: str) -> Array:
    """Turn a list, an array or a series of any data-frame library into an array."""
    if type(values) is np.ndarray:
        return values
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise_missing(name, int(np.ma.getmaskarray(values).sum()))
    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        if missing := series.null_count():
            raise_missing(name, missing)
        return series.to_numpy()
    try:
        return np.asarray(values)
    except ValueError as error:
        raise CapcurveError(
            f"`{name}` must be one-dimensional, got rows of unequal length; "
            "pass a flat list or array"
        ) from error


def weigh(
    arrays: dict[str, Array],
    sample_weight: ArrayLike | None,
    *,
    matrix: str | None = None,
) -> tuple[dict[str, Array], NDArray[np.float64] | None]:
    """Check shapes and weights, and drop the rows of weight zero: they do not exist."""
    if sample_weight is None:
        check_shapes(arrays, matrix)
        return arrays, None
    weight = as_array(sample_weight, "sample_weight")
    check_shapes({**arrays, "sample_weight": weight}, matrix)
    weight = read_weight(weight)
    if weight.min() == 0:
        exists = weight > 0
        if not exists.any():
            raise CapcurveError(
                "`sample_weight` must hold at least one positive weight, all are zero"
            )
        arrays = {name: array[exists] for name, array in arrays.items()}
        weight = weight[exists]
    return arrays, weight


def check_shapes(arrays: dict[str, Array], matrix: str | None) -> None:
    """Refuse empty input, unequal lengths and the wrong number of dimensions."""
    shapes = [array.shape for array in arrays.values()]
    if len({shape[:1] for shape in shapes}) == 1 and shapes[0][:1] not in {(), (0,)}:
        wanted = {name: 2 if name == matrix else 1 for name in arrays}
        if all(len(array.shape) == wanted[name] for name, array in arrays.items()):
            return
    got = ", ".join(f"`{name}` {array.shape}" for name, array in arrays.items())
    problem = "must be one-dimensional, of equal length and not empty"
    raise CapcurveError(f"the data {problem}, got shapes {got}")


def read_weight(weight: Array, name: str = "sample_weight") -> NDArray[np.float64]:
    """Check that weights are finite and not negative."""
    weight = as_numbers(weight, name).astype(np.float64, copy=False)
    if not (weight.min() >= 0 and weight.max() < np.inf):
        wrong = {
            "negative": np.count_nonzero(weight < 0),
            "nan": np.count_nonzero(np.isnan(weight)),
            "infinite": np.count_nonzero(weight == np.inf),
        }
        got = ", ".join(f"{count} {kind}" for kind, count in wrong.items() if count)
        raise CapcurveError(
            f"`{name}` must be finite and not negative, got {got}; "
            "a row that should not count has weight 0"
        )
    return weight


def read_score(score: Array, name: str = "y_score") -> Array:
    """Check that scores are numbers; infinities are scores, nan is not."""
    score = as_numbers(score, name)
    refuse_missing(score, name)
    return score


def read_target(
    truth: Array,
    pos_label: Label | None,
    target_type: TargetType,
    name: str = "y_true",
) -> Array:
    """Turn labels or amounts into a boolean or a float64 target."""
    if target_type not in get_args(TargetType):
        raise CapcurveError(
            f"`target_type` must be 'auto', 'binary' or 'continuous', got {target_type!r}"
        )
    refuse_missing(truth, name)
    if pos_label is not None:
        return read_labels(truth, pos_label, target_type, name)
    if truth.dtype.kind == "O":
        truth = np.asarray(truth.tolist())
    if truth.dtype.kind == "b":
        return truth
    if truth.dtype.kind not in "iuf":
        raise_pos_label_needed(truth, name)
    return read_numeric_target(truth, target_type, name)


def read_labels(
    truth: Array, pos_label: Label, target_type: TargetType, name: str
) -> Array:
    """Compare labels with the one that stands for the event."""
    if target_type == "continuous":
        raise CapcurveError(
            "`pos_label` names an event, but `target_type='continuous'` says that "
            f"`{name}` holds amounts; drop one of the two"
        )
    events = np.asarray(truth == pos_label, dtype=np.bool_)
    if not events.any():
        raise CapcurveError(
            f"`pos_label` is {pos_label!r}, which is not among the labels of `{name}`: "
            f"{listed(distinct(truth))}"
        )
    return events


def read_numeric_target(truth: Array, target_type: TargetType, name: str) -> Array:
    """Tell 0/1 and -1/1 events from amounts, or refuse to guess."""
    low, high = truth.min(), truth.max()
    if low >= 0 and high <= 1 and is_among(truth, 0, 1):
        return truth.astype(np.bool_)
    if target_type != "continuous" and low == -1 and high <= 1 and is_among(truth, -1, 1):
        return np.asarray(truth == 1)
    if target_type == "binary":
        raise_pos_label_needed(truth, name)
    if target_type == "auto" and truth.dtype.kind != "f":
        raise CapcurveError(
            f"`{name}` holds integers other than 0 and 1 "
            f"({listed(distinct(truth))}), which may be labels or counts; pass "
            "`pos_label` for labels or `target_type='continuous'` for amounts"
        )
    if low < 0 or high == np.inf:
        raise CapcurveError(
            f"`{name}` must hold finite amounts that are not negative, got values from "
            f"{low:g} to {high:g}; shift or clip them, or pass `pos_label` for labels"
        )
    return truth.astype(np.float64, copy=False)


def is_among(values: Array, first: int, second: int) -> bool:
    """Whether every value is one of two, where integers need no further look."""
    if values.dtype.kind != "f" and second - first == 1:
        return True
    return bool(np.all((values == first) | (values == second)))


def as_numbers(values: Array, name: str) -> Array:
    """Refuse anything that is not a real number; text is never parsed."""
    if values.dtype.kind == "b":
        return values.astype(np.uint8)
    if values.dtype.kind == "O":
        refuse_missing(values, name)
        values = np.asarray(values.tolist())
        if values.dtype.kind == "O" and values.size:  # decimals and fractions
            values = decimals(values)
    if values.dtype.kind not in "iuf":
        raise CapcurveError(
            f"`{name}` must hold numbers, got dtype {values.dtype}; convert it first"
        )
    return values


def decimals(values: Array) -> Array:
    """Turn Decimal and Fraction objects into floats, anything else is left alone."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return values


def refuse_missing(values: Array, name: str) -> None:
    """Raise with the count if any value is missing."""
    if values.dtype.kind == "f":
        # The smallest value is nan if any is: cheaper than a mask.
        missing = int(np.isnan(values).sum()) if np.isnan(values.min()) else 0
    elif values.dtype.kind == "O":
        missing = sum(is_missing(value) for value in values.ravel())
    else:
        return
    if missing:
        raise_missing(name, missing)


def is_missing(value: object) -> bool:
    """Whether an object is None, a nan, or a library's mark for a missing value."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)  # noqa: PLR0124 -- nan is what differs from itself


def raise_missing(name: str, count: int) -> NoReturn:
    """Refuse missing values in arrays."""
    raise CapcurveError(
        f"`{name}` must not hold missing values, got {count} nan or null; "
        "drop or fill these rows first"
    )


def raise_pos_label_needed(truth: Array, name: str) -> NoReturn:
    """Refuse labels without a natural event."""
    raise CapcurveError(
        f"`{name}` must hold 0/1, -1/1 or boolean events, got the labels "
        f"{listed(distinct(truth))}; pass the label of the event as `pos_label`"
    )


def refuse_unknown(names: Iterable[str], known: Sequence[str], where: str) -> None:
    """Refuse columns that are not there, and list close ones."""
    for name in names:
        if name not in known:
            close = get_close_matches(str(name), known, n=3, cutoff=0.5)
            hint = (
                f"did you mean {' or '.join(map(repr, close))}?"
                if close
                else f"its columns are {', '.join(map(repr, known))}"
            )
            raise CapcurveError(f"{where} has no column {name!r}; {hint}")


def distinct(labels: Array) -> Array:
    """Sort the labels that occur; of mixed types by what they look like."""
    try:
        return np.unique(labels)
    except TypeError:
        found = sorted(set(labels.tolist()), key=str)
        return np.fromiter(found, dtype=object, count=len(found))


def listed(labels: Sequence[Any] | Array) -> str:
    """Write out the first few labels."""
    first = np.asarray(labels[:LABELS_SHOWN], dtype=object).tolist()
    shown = ", ".join(repr(label) for label in first)
    return shown if len(labels) <= LABELS_SHOWN else f"{shown}, ... {len(labels)} in all"
