"""Check weights and clusters, and drop rows of weight 0."""

from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve._input.column import as_array, as_numbers, flatten_column, to_array
from capcurve._input.columns import Weights
from capcurve._input.deprecations import warn_deprecated
from capcurve._input.dtypes import Series, WeightKind
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.missing import refuse_missing
from capcurve._input.options import check_word
from capcurve._tally.dtypes import Array, FloatArray, IntArray
from capcurve.exceptions import CapcurveError

# Weights and amounts between these, so that no product of a few overflows or underflows.
LEAST_MASS = 1e-50
GREATEST_MASS = 1e50
MAX_ROWS = 1 << 53
TAKE_FRAMES = "`gain_capture` and `gain_curve` take a frame with the names of its columns"
BESIDE = ("sample_weight", "clusters")  # arrays that are neither outcome nor score


def read_weight_kind(weight: Array | None, kind: WeightKind) -> bool:
    """Whether weights are frequencies; raise if they are not whole numbers then."""
    check_word(kind, "weights", get_args(WeightKind))
    if kind == "sampling":
        return False
    if weight is None:
        raise CapcurveError(
            "`weights='frequency'` requires `sample_weight`, got None; pass the number of "
            "rows that each row stands for"
        )
    if np.any(weight != np.floor(weight)):
        raise CapcurveError(
            "`sample_weight` must hold whole numbers if `weights='frequency'`, got "
            "fractions; pass `weights='sampling'` for weights that are not row counts"
        )
    refuse_many_rows(weight, "sample_weight")
    return True


def read_clusters(
    clusters: Array, *, counts_rows: bool = False, name: str = "clusters"
) -> NDArray[np.int64]:
    """Return the cluster number of each row, from 0."""
    if counts_rows:
        raise CapcurveError(
            "`clusters` and `weights='frequency'` cannot be combined, as counted rows do "
            "not have a cluster each; pass the rows one by one"
        )
    refuse_missing(clusters, name)
    if clusters.dtype.kind == "O":
        number = number_objects(clusters)
    else:
        number = np.unique(clusters, return_inverse=True)[1]
    if not number.any():
        raise CapcurveError(
            f"`{name}` must name at least two clusters, got one; leave it out if rows are "
            "independent"
        )
    return number.astype(np.int64, copy=False)


def number_objects(objects: Array) -> NDArray[np.int64]:
    """Give each Python object a number, equal ones, such as 1 and 1.0, the same.

    The numbers are in the order of the objects, or of the rows if objects have none.
    """
    numbers: dict[Any, int] = {}
    found = np.array([numbers.setdefault(each, len(numbers)) for each in objects], np.int64)
    try:
        listed = sorted(numbers)
    except TypeError:
        return found
    rank = {each: place for place, each in enumerate(listed)}
    return np.array([rank[each] for each in numbers], np.int64)[found]


def drop_zero_weights(
    arrays: dict[str, Array],
    sample_weight: ArrayLike | None,
    *,
    matrix: str | None = None,
) -> tuple[dict[str, Array], NDArray[np.float64] | None]:
    """Return checked arrays and weights without the rows of weight 0.

    ``matrix`` names the array that must have two dimensions, if there is one.
    """
    arrays = {
        name: array if name == matrix else flatten_column(array)
        for name, array in arrays.items()
    }
    if sample_weight is None:
        check_shapes(arrays, matrix)
        return arrays, None
    weight = as_array(sample_weight, "sample_weight")
    check_shapes({**arrays, "sample_weight": weight}, matrix)
    weight = read_weight(weight)
    if weight.min() == 0:
        positive = weight > 0
        if not positive.any():
            raise CapcurveError(
                "`sample_weight` must hold at least one positive weight, got only zeros; "
                "give the rows that count a weight above 0"
            )
        arrays = {name: array[positive] for name, array in arrays.items()}
        weight = weight[positive]
    return arrays, weight


def ignore_weightless_rows(missing: dict[str, Array], weights: Series) -> dict[str, Array]:
    """Return masks of missing values by column, without the rows of weight 0.

    Such a row does not count, whatever it holds.
    """
    lacking = missing[weights.name]
    if lacking.all() or not any(rows.any() for rows in missing.values()):
        return missing
    held = weights.filter((~lacking).tolist()) if lacking.any() else weights
    counts = np.ones(len(lacking), dtype=np.bool_)
    counts[~lacking] = as_numbers(to_array(held), weights.name) != 0
    return {name: rows & counts for name, rows in missing.items()}


def check_shapes(arrays: dict[str, Array], matrix: str | None) -> None:
    """Raise if arrays are empty, differ in length, or have the wrong dimensions."""
    for name, array in arrays.items():
        wanted = "two" if name == matrix else "one"
        if array.ndim != ("one", "two").index(wanted) + 1:
            raise CapcurveError(
                f"`{name}` must be {wanted}-dimensional, got shape {array.shape}; "
                f"{explain_shape(name, array)}"
            )
    got = ", ".join(f"`{name}` {array.shape}" for name, array in arrays.items())
    if len({len(array) for array in arrays.values()}) > 1:
        transposed = (
            matrix is not None and arrays[matrix].shape[1:] == arrays["y_true"].shape
        )
        remedy = "pass one score at a time" if transposed else "align the rows"
        raise CapcurveError(f"arrays must have equal lengths, got shapes {got}; {remedy}")
    if not all(map(len, arrays.values())):
        raise CapcurveError(f"arrays must not be empty, got shapes {got}; pass some rows")


def explain_shape(name: str, array: Array) -> str:
    """Say what to do about an array of the wrong dimensions."""
    if array.ndim == 2 and name == "y_true":  # noqa: PLR2004 -- a column for each label
        return (
            "of one-hot labels pass the column of the event, such as `y[:, 1]`, and of a "
            f"data frame the one column; {TAKE_FRAMES}"
        )
    if array.ndim == 2 and array.shape[1] == 2 and name not in BESIDE:  # noqa: PLR2004
        return "of two class probabilities pass that of the event, such as `proba[:, 1]`"
    if array.ndim == 2 and name not in BESIDE:  # noqa: PLR2004
        return "of several classes pass the column of one, and its label as `pos_label`"
    if array.ndim:
        return "pass one value for each row"
    return f"pass a list or an array; {TAKE_FRAMES}"


def read_weight(weight: Array, name: str = "sample_weight") -> NDArray[np.float64]:
    """Return weights as float64; raise if one is negative, nan, infinite or extreme."""
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
            "give a row weight 0 to leave it out"
        )
    least = weight.min() or np.min(weight, where=weight > 0, initial=np.inf)
    refuse_extreme_weights(float(least), float(weight.max()), name)
    return weight


def refuse_extreme_weights(least: float, greatest: float, name: str) -> None:
    """Raise for weights whose products would overflow or underflow."""
    if greatest and not (least >= LEAST_MASS and greatest <= GREATEST_MASS):
        raise CapcurveError(
            f"`{name}` must be 0 or lie between {LEAST_MASS:g} and {GREATEST_MASS:g}, got "
            f"weights from {least:g} to {greatest:g}; divide them by a typical weight"
        )


def read_counts(counts: Array, name: str) -> FloatArray:
    """Check that counts of equal rows are whole and not negative."""
    if not len(counts):
        return np.zeros(0)
    counts = read_weight(counts, name)
    if np.any(counts != np.floor(counts)):
        raise CapcurveError(
            f"`{name}` must hold whole numbers if it counts equal rows, got fractions; "
            "pass other weights as `case_weights`"
        )
    refuse_many_rows(counts, name)
    return counts


def refuse_many_rows(counts: FloatArray, name: str) -> None:
    """Raise for counts whose total floats do not hold exactly."""
    if (total := counts.sum()) > MAX_ROWS:
        raise CapcurveError(
            f"`{name}` must count at most 2**53 rows, got {total:.0f}; pass weights that "
            "are not row counts instead"
        )


def refuse_event_counts(
    truth: Array, counts: Weights, roles: Roles, meaning: Meaning
) -> None:
    """Raise for an outcome that seems to count the events among equal rows."""
    if (
        roles.counts is not None
        and counts.value is not None
        and meaning.pos_label is None
        and truth.dtype.kind in "uif"
        and np.all((truth >= 0) & (truth <= counts.value) & (truth == np.floor(truth)))
    ):
        raise CapcurveError(
            f"`{roles.truth}` must be the outcome of each row, got whole numbers up to "
            f"`{roles.counts}`; pass it as `events` if it counts the events among them, "
            "`pos_label` for labels or `target_type='continuous'` for amounts"
        )


def split_events(
    events: FloatArray | None, counts: Weights, roles: Roles
) -> tuple[IntArray, Array, Weights]:
    """Split rows that count events into events and the rest.

    Returns the row that each part comes from, whether it is events, and its count.
    """
    total = np.zeros(0) if counts.value is None else counts.value
    found = read_counts(total if events is None else events, str(roles.events))
    if np.any(found > total):
        row = int(np.argmax(found > total))
        raise CapcurveError(
            f"`{roles.events}` must count events among `{roles.counts}`, got "
            f"{found[row]:g} events among {total[row]:g} rows; check that the columns are "
            "not swapped"
        )
    rows = np.tile(np.arange(len(total)), 2)
    target = np.repeat([True, False], len(total))
    mass = np.append(found, total - found)
    some = mass > 0
    return rows[some], target[some], Weights(value=mass[some], counts_rows=True)


def choose_clusters(
    clusters: ArrayLike | None, groups: ArrayLike | None
) -> ArrayLike | None:
    """Return the clusters; warn if they were passed by their old name ``groups``."""
    if groups is None:
        return clusters
    if clusters is not None:
        raise CapcurveError("`groups` is the old name of `clusters`; pass `clusters` alone")
    warn_deprecated("groups")
    return groups
