"""What the caller says: which column plays which part, and how to read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from capcurve._input.column import as_list, as_names
from capcurve._input.dtypes import Estimator, EventLevel, Label, Names, TargetType
from capcurve._input.options import check_flags, check_label, check_word, show
from capcurve.exceptions import CapcurveError

WORDS = {
    "event_level": (*get_args(EventLevel), None),
    "target_type": get_args(TargetType),
    "estimator": (*get_args(Estimator), None),
}


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Which column plays which part.

    Attributes
    ----------
    truth : str or None
        Column of the outcome; None where ``events`` counts the events of a row.
    estimates : tuple of str
        Columns of the scores.
    by : tuple of str
        Columns whose values are shown apart.
    weights : str or None
        Column of sampling weights.
    counts : str or None
        Column of the number of equal rows that a row stands for.
    events : str or None
        Column of the number of events among ``counts``.
    clusters : str or None
        Column that names the rows that are not independent.
    """

    truth: str | None
    estimates: tuple[str, ...]
    by: tuple[str, ...] = ()
    weights: str | None = None
    counts: str | None = None
    events: str | None = None
    clusters: str | None = None

    def __post_init__(self) -> None:
        if self.truth is not None and self.truth in self.by:
            raise CapcurveError(
                f"`by` must not name the truth column {self.truth!r}, as every group would "
                "hold a single outcome; group by other columns"
            )
        if (self.truth is None) == (self.events is None):
            raise CapcurveError(
                "either `truth` names the outcome of each row, or `events` counts the "
                f"events of each row, got {'neither' if self.truth is None else 'both'}; "
                "pass one of the two"
            )
        if self.events is not None and self.counts is None:
            raise CapcurveError(
                f"`events` ({self.events!r}) counts events among `counts`; name the column "
                "that counts the rows as `counts`"
            )
        for name in ("weights", "clusters"):
            if self.counts is not None and getattr(self, name) is not None:
                word = "case_weights" if name == "weights" else name
                raise CapcurveError(
                    f"`counts` and `{word}` cannot be combined, as rows that were counted "
                    f"have no {name} of their own; pass only one of them"
                )

    @property
    def values(self) -> tuple[str, ...]:
        """Columns whose missing values drop a row."""
        named = (self.truth, *self.estimates, self.weights, self.counts, self.events)
        return tuple(name for name in (*named, self.clusters) if name is not None)

    def explain_no_row(self) -> str:
        """Say that no row of the data counts, and what to do."""
        mass = self.weights or self.counts
        if mass is None:
            return (
                "`data` has no complete row; check how it was filtered, or fill in missing "
                "values"
            )
        return (
            f"`data` has no complete row with `{mass}` above 0; check `{mass}` and how the "
            "data were filtered, or fill in missing values"
        )


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """How to read the columns.

    Attributes
    ----------
    pos_label : int, float, bool, str or None
        Label of the event.
    event_level : {'first', 'second'} or None
        Which of two declared levels is the event. None: 1 for 0/1 and booleans, the first
        level for others.
    target_type : {'auto', 'binary', 'continuous'}
        Whether outcomes are events or amounts; 'auto' refuses what is ambiguous.
    estimator : {'binary', 'macro', 'macro_weighted'} or None
        Whether all scores rank one event, or each ranks a class label of its own.
    descending : bool
        Whether high scores are ranked first.
    order : tuple of str or None
        Grades of text scores, from the lowest score to the highest.
    ordered : tuple of str or None
        The only scores that ``order`` may be about; None: all, of which those that hold
        numbers stay numbers beside one of text.
    na_rm : bool
        Whether rows with a missing value are dropped, with a warning, or refused.
    """

    pos_label: Label | None = None
    event_level: EventLevel | None = None
    target_type: TargetType = "auto"
    estimator: Estimator | None = None
    descending: bool = True
    order: tuple[str, ...] | None = None
    ordered: tuple[str, ...] | None = None
    na_rm: bool = True

    def __post_init__(self) -> None:
        for name, words in WORDS.items():
            check_word(getattr(self, name), name, words)
        check_label(self.pos_label, "pos_label")
        check_flags(descending=self.descending, na_rm=self.na_rm)
        if self.pos_label is None:
            return
        if self.event_level is not None or self.ranks_levels:
            other = "estimator" if self.ranks_levels else "event_level"
            raise CapcurveError(
                f"`pos_label` and `{other}` cannot be combined; pass only one of them"
            )
        if self.target_type == "continuous":
            raise CapcurveError(
                "`pos_label` names an event, but `target_type='continuous'` says that "
                "outcomes are amounts; drop one of the two"
            )

    @property
    def ranks_levels(self) -> bool:
        """Whether each class label is to have a score of its own."""
        return self.estimator in {"macro", "macro_weighted"}

    @property
    def reads_flags(self) -> bool:
        """Whether 0/1 outcomes and numeric scores are read as they stand."""
        said = (self.pos_label, self.event_level, self.order)
        return (
            all(each is None for each in said)
            and self.target_type != "continuous"
            and not self.ranks_levels
        )


def make_roles(
    truth: str | None,
    estimate: Names,
    *,
    by: Names | None = None,
    case_weights: str | None = None,
    counts: str | None = None,
    events: str | None = None,
    clusters: str | None = None,
) -> Roles:
    """Make the roles of columns from the arguments of a function on frames."""
    single = {
        "truth": truth,
        "case_weights": case_weights,
        "counts": counts,
        "events": events,
        "clusters": clusters,
    }
    for argument, name in single.items():
        if name is not None:
            refuse_other_than_names(argument, [name])
    estimates, keys = read_names("estimate", estimate), read_names("by", by)
    return Roles(
        truth=truth,
        estimates=estimates,
        by=keys,
        weights=case_weights,
        counts=counts,
        events=events,
        clusters=clusters,
    )


def read_names(argument: str, names: Names | None) -> tuple[str, ...]:
    """Return one or several column names; raise for a column itself, or for none."""
    listed = [names] if type(names).__name__ == "Series" else as_names(names)
    refuse_other_than_names(argument, listed)
    if argument == "estimate" and not listed:
        raise CapcurveError("`estimate` must name a score column, got none; pass its name")
    return tuple(map(str, listed))


def refuse_other_than_names(argument: str, names: Sequence[object]) -> None:
    """Raise if an argument holds anything but text, such as the column itself."""
    for name in names:
        if not isinstance(name, str):
            raise CapcurveError(
                f"`{argument}` must be the name of a column of `data`, got {show(name)}; "
                "pass the name as text"
            )


def as_order(order: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return grades from the lowest score to the highest; raise if one is listed twice."""
    if order is None:
        return None
    grades = tuple(map(str, as_list(order) or ()))
    if not grades or len(set(grades)) < len(grades):
        raise CapcurveError(
            "`order` must list each grade once, from the lowest score to the highest, got "
            f"{show(order)}; pass a list of text"
        )
    return grades
