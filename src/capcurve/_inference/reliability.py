"""Say where an interval may not cover at its level, or a test may not keep its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from math import inf, isnan
from typing import TYPE_CHECKING, Literal

from capcurve._inference.limits import hoeffding_limits
from capcurve._inference.options import FEW_DEGREES, FEW_ERROR_PAIRS, FEW_ERRORS, FEW_EVENTS
from capcurve._inference.small_class import SMALL, describe_small_class
from capcurve._inference.wording import (
    AR_OF_AMOUNTS,
    GENERALISED_AUC,
    SOMERS_D,
    format_degrees,
    is_of_amounts,
)
from capcurve._input.columns import Columns, explain_constant
from capcurve.exceptions import FewEventsWarning, UndefinedMetricWarning, warn_caller

if TYPE_CHECKING:
    from capcurve._inference.estimate import Comparison, Estimate

RATIOS = ("AR", "AUC")  # by which events are ranked wrongly
# Methods whose standard error rests on the wrongly ranked events that a sample shows.
METHODS_BY_ERRORS = {"logit-t", "logit", "wald", "newcombe", "bootstrap", "bca"}
# Methods that take their standard error, or their resamples, as if many rows had made them.
METHODS_WITHOUT_DEGREES = METHODS_BY_ERRORS - {"logit-t"}
SHORTAGES = ("rows", "degrees", "order", "errors")  # in the order in which they are told
Shortage = Literal["rows", "degrees", "order", "errors"]
FEW_ALLOWED_FOR = (
    f"fewer than {FEW_DEGREES} degrees of freedom where the method does not allow for them"
)
FEW_DEGREES_IN_TEST = (
    f"fewer than {FEW_DEGREES} degrees of freedom (few rows or clusters have most of the "
    "variance)"
)
MISRANKED_IN_TEST = f"fewer than {FEW_ERRORS} wrongly ranked ones"
MISRANKED_ALONE = f"fewer than {FEW_ERRORS} wrongly ranked events"
MISRANKED_PAIRS_ALONE = f"fewer than {FEW_ERROR_PAIRS} effective pairs ranked wrongly"
LARGE_RANKED_LOW = "too few effective pairs of rows where large amounts rank low"
RELIED_ON = "where the method relies on them"
MISRANKED = f"{MISRANKED_ALONE} {RELIED_ON}"
MISRANKED_PAIRS = f"{MISRANKED_PAIRS_ALONE} {RELIED_ON}"


def warn_if_unreliable(columns: Columns, estimate: Estimate) -> None:
    """Warn if the estimate is undefined or based on few events."""
    if columns.is_constant:
        warn_caller(
            f"{estimate.name} is undefined and set to nan: {explain_constant(columns)}",
            UndefinedMetricWarning,
        )
        return
    warn_if_few(columns, estimate)


def warn_if_few(columns: Columns, estimate: Estimate, where: str = "") -> None:
    """Warn if the estimate is based on few events, or few pairs of rows."""
    reason = explain_few_events(estimate)
    if reason and estimate.method == "exact":
        warn_caller(
            f"the interval{where} is based on {reason}; it is wide, as limits by 'exact' "
            "hold for any number of them",
            FewEventsWarning,
        )
    elif reason:
        warn_caller(
            f"the interval{where} is based on {reason}, so its coverage may fall below the "
            f"confidence level{format_exact_limits(columns, estimate)}",
            FewEventsWarning,
        )


def warn_if_unreliable_test(
    comparison: Comparison, df: float = inf, name: str = "the test"
) -> None:
    """Warn if a test may not keep its level."""
    reason = explain_few_in_test(comparison, df)
    if reason:
        warn_caller(f"{name} is based on {reason}", FewEventsWarning)


def warn_few_in_tests(places: str, *causes: str) -> None:
    """Warn once about all tests that may not keep their level, and why."""
    if places:
        warn_caller(
            f"{', or '.join(causes)}, so the test may not keep its level: {places}",
            FewEventsWarning,
        )


def warn_few_in_samples(
    places: str,
    rows: Sequence[Columns | None],
    fraction: float | None,
    shortages: Iterable[Sequence[Shortage]],
) -> None:
    """Warn once about all tests of two samples: of AR, or of capture rates.

    ``shortages`` are what each of the tests has few of.
    """
    small = describe_small_class(rows, of_share=fraction is not None)
    misranked = choose_misranked(rows)
    if fraction is not None:
        rate = "the smaller of the capture rate and 1 minus it"
        misranked = f"fewer than {FEW_ERRORS} rows of the smaller class times {rate}"
    warn_of_shortages(places, small, misranked, shortages)


def choose_misranked(rows: Iterable[Columns | None]) -> str:
    """Name what tests may have few of: wrongly ranked events, or pairs of amounts."""
    is_event = all(each.has_events for each in rows if each is not None)
    return MISRANKED_ALONE if is_event else MISRANKED_PAIRS_ALONE


def warn_few_in_pairs(
    places: str,
    rows: Iterable[Columns | None],
    fraction: float | None,
    shortages: Iterable[Sequence[Shortage]],
) -> None:
    """Warn once about all tests of two scores of the same rows: of AR, or capture rates.

    ``shortages`` are what each of the tests has few of.
    """
    known = [each for each in rows if each is not None]
    small = describe_small_class(known, of_share=fraction is not None)
    warn_of_shortages(places, small, choose_misranked(known), shortages)


def warn_of_shortages(
    places: str, small: str, misranked: str, shortages: Iterable[Sequence[Shortage]]
) -> None:
    """Warn of tests by what any of them has few of; order of amounts is not among it."""
    found = set(chain.from_iterable(shortages))
    told = zip(SHORTAGES, (small, FEW_DEGREES_IN_TEST, "", misranked), strict=True)
    warn_few_in_tests(places, *(cause for each, cause in told if each in found))


def warn_few_in_intervals(
    places: str,
    small: str = SMALL,
    *,
    shortages: Collection[str | None] = ("rows",),
    is_amount: bool = False,
) -> None:
    """Warn once about all intervals that may not cover at their level, and why."""
    if places:
        misranked = MISRANKED_PAIRS if is_amount else MISRANKED
        every = small, FEW_ALLOWED_FOR, LARGE_RANKED_LOW, misranked
        told = zip(SHORTAGES, every, strict=True)
        causes = [cause for shortage, cause in told if shortage in shortages]
        warn_caller(
            f"{', or '.join(causes)}, so the coverage of the interval may fall below its "
            f"confidence level: {places}",
            FewEventsWarning,
        )


def warn_of_wide_intervals(places: str, small: str = SMALL) -> None:
    """Warn once about all intervals of few rows that hold for any number of them."""
    if places:
        warn_caller(
            f"{small}, so the interval is wide, as limits by 'exact' hold for any number "
            f"of them: {places}",
            FewEventsWarning,
        )


def explain_few_in_test(comparison: Comparison, df: float = inf) -> str:
    """Say why a test may not keep its level; an empty string if it should.

    ``df`` are the degrees of freedom of its standard error, where the test takes the normal
    distribution whatever they are.
    """
    df = min(df, comparison.degrees_of_freedom)
    causes = {
        "rows": f"{format_effective_size(comparison)} (fewer than {FEW_EVENTS})",
        "degrees": f"{format_degrees(df)} (fewer than {FEW_DEGREES}), as few rows or "
        "clusters have most of the variance",
        "errors": format_errors(comparison, comparison.n_errors),
    }
    told = [causes[each] for each in list_shortages(comparison, df)]
    return f"{', and on '.join(told)}, so it may not keep its level" if told else ""


def list_shortages(comparison: Comparison, df: float = inf) -> list[Shortage]:
    """List what is so few that a test may not keep its level; few rows say enough."""
    if comparison.n_effective < FEW_EVENTS:
        return ["rows"]
    is_few: dict[Shortage, bool] = {
        "degrees": min(df, comparison.degrees_of_freedom) < FEW_DEGREES,
        "errors": comparison.n_errors < FEW_ERRORS,
    }
    return [shortage for shortage, few in is_few.items() if few]


def explain_few_events(estimate: Estimate) -> str:
    """Say why the confidence level may not hold; an empty string if it should."""
    shortage = find_shortage(estimate)
    if shortage == "rows":
        return f"{format_effective_size(estimate)} (fewer than {FEW_EVENTS})"
    if shortage == "degrees":
        return (
            f"{format_degrees(estimate.degrees_of_freedom)} (fewer than {FEW_DEGREES}), as "
            "few rows or clusters have most of its variance; 'beta' allows for that"
        )
    if shortage == "order":
        return (
            f"{format_effective_size(estimate)}, too few where large amounts rank low "
            "among those above 0 (a larger one may lower AR far)"
        )
    if shortage == "errors":
        return (
            f"{format_errors(estimate, count_errors(estimate))}; 'beta' covers with fewer"
        )
    return ""


def find_shortage(estimate: Estimate) -> Shortage | None:
    """Find what is so few that an interval may not cover at its level; None if nothing is.

    By a method that does not use them, few degrees of freedom make it too narrow.
    """
    if isnan(estimate.value):
        return None
    if estimate.n_effective < FEW_EVENTS:
        return "rows"
    if has_few_degrees(estimate.method, estimate.degrees_of_freedom):
        return "degrees"
    if estimate.large_ranked_low:
        return "order"
    if estimate.method in METHODS_BY_ERRORS and count_errors(estimate) < FEW_ERRORS:
        return "errors"
    return None


def has_few_degrees(method: str, degrees_of_freedom: float) -> bool:
    """Whether a method ignores that few rows or clusters decide, as those by t do not."""
    return method in METHODS_WITHOUT_DEGREES and degrees_of_freedom < FEW_DEGREES


def may_miss(estimate: Estimate) -> bool:
    """Whether an interval may not cover at its level; limits by 'exact' do."""
    return estimate.method != "exact" and bool(explain_few_events(estimate))


def format_errors(estimate: Estimate | Comparison, n_errors: float) -> str:
    """Format the few wrongly ranked events, rows or pairs to be expected, and the limit."""
    name, few = estimate.name, f"(fewer than {FEW_ERRORS})"
    if is_of_one_sample(estimate):
        n_pairs = 2 * n_errors  # half of which takes the place of the smaller class
        return (
            f"{n_pairs:.2g} effective pairs ranked wrongly, by the {name} (fewer than "
            f"{FEW_ERROR_PAIRS})"
        )
    if not name.endswith(RATIOS):
        return (
            f"{n_errors:.2g} rows, the smaller class times the smaller of the {name} and 1 "
            f"minus it {few}"
        )
    return f"{n_errors:.2g} wrongly ranked events, by the AUC {few}"


def format_effective_size(estimate: Estimate | Comparison) -> str:
    """Format the number of independent units in the smaller class."""
    n_events, n_nonevents = estimate.n_events, estimate.n_nonevents
    n = estimate.n_effective
    plural = "" if n == 1 else "s"
    if is_of_one_sample(estimate):
        return f"{show_few(n)} effective pair{plural} of rows"
    if is_of_amounts(estimate):
        return f"{show_few(n)} effective row{plural}{' above 0' if n_nonevents else ''}"
    noun = "event" if n_events <= n_nonevents else "non-event"
    noun = noun if n_nonevents else "row"
    if n == min(n_events, n_nonevents):
        return f"{n:,.0f} {noun}{plural}"
    return f"{show_few(n)} effective {noun}{plural}"


def show_few(n: float) -> str:
    """Show a number by three digits, and by more if these would reach the limit of few."""
    digits = 3
    while n < FEW_EVENTS <= float(f"{n:.{digits}g}"):
        digits += 1
    return f"{n:.{digits}g}"


def count_errors(estimate: Estimate) -> float:
    """Return the size of the smaller class times the rarer share, such as 1 - AUC."""
    low, high = estimate.scale
    if inf in {estimate.n_effective, high}:
        return inf
    share = (estimate.value - low) / (high - low)
    # Of 0/1 outcomes as one sample, half the size is at most that of the rarer outcome.
    size = estimate.n_effective / 2 if is_of_one_sample(estimate) else estimate.n_effective
    return size * min(share, 1 - share)


def is_of_one_sample(estimate: Estimate | Comparison) -> bool:
    """Whether the rows are one sample, the effective size of which is one of pairs."""
    return estimate.name.endswith((AR_OF_AMOUNTS, SOMERS_D, GENERALISED_AUC))


def format_exact_limits(columns: Columns, estimate: Estimate) -> str:
    """Format the distribution-free limits of AR, where the rows allow them."""
    limits = format_exact_range(columns, estimate)
    return f"; distribution-free limits (`method='exact'`): {limits}" if limits else ""


def format_exact_range(columns: Columns, estimate: Estimate) -> str:
    """Format the distribution-free limits alone; an empty string where there are none."""
    if estimate.name != "AR" or not columns.has_counted_events:
        return ""
    n_pairs = min(estimate.n_events, estimate.n_nonevents)
    low, high, _ = hoeffding_limits(estimate.value, n_pairs, estimate.confidence_level)
    return f"{low:.3f} to {high:.3f}"


def has_few_events(columns: Columns, ratio: float, n_effective: float) -> bool:
    """Whether a sample is so small, or so well ranked, that intervals may miss.

    Of amounts ``n_effective`` are its effective pairs, few if a few large amounts decide.
    """
    if isnan(ratio):
        return False
    if not columns.has_events:
        return min(columns.n_minority, n_effective) < FEW_EVENTS
    return count_minority(columns) * (1 - abs(ratio)) / 2 < FEW_ERRORS


def count_minority(columns: Columns) -> float:
    """Count the independent rows of the minority class: Kish's number, or clusters."""
    if columns.weights.cluster is not None:
        return columns.n_minority
    return min(
        float(columns.mass[rows].sum() ** 2 / columns.squared_weights[rows].sum())
        for rows in (columns.target, ~columns.target)
    )
