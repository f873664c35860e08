"""Options and facts of a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from capcurve._curve.gains_table import BandSpec
from capcurve._inference.options import (
    IntervalMethod,
    IntervalOptions,
    Side,
    check_interval_options,
)
from capcurve._input.options import check_initial, check_word, is_real, show
from capcurve.exceptions import CapcurveError

Facts = dict[str, Any]
PerModel = float | Mapping[str, float] | None  # a plain number is the champion's
RESAMPLING = ("bootstrap", "bca")  # interval methods that draw random numbers
PeriodLength = Literal["month", "quarter", "year"]


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """Options of a report that do not concern which rows are ranked, and how.

    Attributes
    ----------
    title : str
        Title of the report.
    period : str or None
        Column of dates or periods, for the trend.
    period_by : {'month', 'quarter', 'year'} or None
        What dates are cut to; None: months, or years if there are too many months.
    bands : int, sequence of float or 'scores'
        Bands of the gains table: their number, cumulative population shares, or one band
        per distinct score.
    confidence_level : float
        Confidence level of all intervals and of the band, between 0 and 1.
    initial_auc : float, mapping of str to float, or None
        AUC at initial validation, from 0 to 1: of the champion, or of each score named.
    initial_variance : float, mapping of str to float, or None
        Variance of the initial AUC, in the same way.
    method : str
        Method of the intervals of AR, as in `accuracy_ratio_interval`.
    seed : int
        Seed of the methods that draw random numbers.
    implied : tuple of str
        Columns of probabilities of the event: scores of the report, or others.
    implied_side : {'two-sided', 'less', 'greater'}
        Side of the observed AR in the test against the implied one.
    green, amber : float or None
        AR from which the finding on AR is green, and from which it is amber.
    meta : mapping of str to str
        Free names and texts, such as the identifier of the model.
    limitations : tuple of str
        Limitations to list besides those that the report finds itself.
    """

    title: str
    period: str | None = None
    period_by: PeriodLength | None = None
    bands: BandSpec = 10
    confidence_level: float = 0.95
    initial_auc: PerModel = None
    initial_variance: PerModel = None
    method: IntervalMethod = "beta"
    seed: int = 0
    implied: tuple[str, ...] = ()
    implied_side: Side = "two-sided"
    green: float | None = None
    amber: float | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    limitations: tuple[str, ...] = ()


class InitialValues(NamedTuple):
    """AUC of a model at its initial validation, and the variance of that AUC."""

    auc: float
    variance: float | None


def check_report_options(options: ReportOptions, estimates: Sequence[str]) -> None:
    """Raise if an option is invalid, or does not go with another one."""
    find_initial_values(options.initial_auc, options.initial_variance, estimates)
    check_interval_options(make_interval_options(options), get_args(IntervalMethod))
    check_word(options.implied_side, "implied_side", get_args(Side))
    check_word(options.period_by, "period_by", (*get_args(PeriodLength), None))
    if options.period_by is not None and options.period is None:
        raise CapcurveError(
            "`period_by` requires `period`, which was not given; pass the column of dates "
            "as `period`"
        )
    check_limits(options.green, options.amber)


def check_limits(green: float | None, amber: float | None) -> None:
    """Raise unless the limits of green and amber are both given, in order, or neither."""
    if green is None and amber is None:
        return
    if green is None or amber is None:
        given, absent = ("amber", "green") if green is None else ("green", "amber")
        raise CapcurveError(
            f"`{given}` requires `{absent}`, which was not given; pass both limits"
        )
    for name, limit in (("green", green), ("amber", amber)):
        if not is_real(limit) or not -1 <= limit <= 1:
            raise CapcurveError(
                f"`{name}` must be an AR from -1 to 1, got {show(limit)}; 45 % is 0.45"
            )
    if not amber < green:
        raise CapcurveError(
            f"`amber` must be below `green`, got {amber:g} and {green:g}; an AR of "
            "`green` or more is green, from `amber` to `green` amber, and red below"
        )


def make_interval_options(options: ReportOptions) -> IntervalOptions:
    """Return how the intervals of AR are made."""
    level, seed = options.confidence_level, options.seed
    return IntervalOptions(level, options.method, random_state=seed)


def find_seed(options: ReportOptions) -> int | None:
    """Return the seed of the intervals; None if their method draws no random numbers."""
    return options.seed if options.method in RESAMPLING else None


def find_initial_values(
    initial_auc: PerModel, initial_variance: PerModel, estimates: Sequence[str]
) -> dict[str, InitialValues]:
    """Find the initial AUC of each model; a plain number is that of the champion.

    Raise for a model that there is not, and for a variance without its AUC.
    """
    aucs = name_values("initial_auc", initial_auc, estimates)
    variances = name_values("initial_variance", initial_variance, estimates)
    for name in variances:
        if name not in aucs:
            raise CapcurveError(
                f"`initial_variance` requires the `initial_auc` of the same score, got a "
                f"variance of {name!r} alone; add its AUC, or leave the variance out"
            )
    for name, auc in aucs.items():
        check_initial(auc, variances.get(name))
    return {name: InitialValues(auc, variances.get(name)) for name, auc in aucs.items()}


def name_values(
    argument: str, given: PerModel, estimates: Sequence[str]
) -> Mapping[str, float]:
    """Return values by model; raise for a model that there is not."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return {estimates[0]: given}
    for name in given:
        if name not in estimates:
            raise CapcurveError(
                f"`{argument}` must name scores that are read, got {name!r}; choose among "
                f"{', '.join(map(repr, estimates))}"
            )
    return given
