"""Words and numbers of the sentences in a report."""

from collections.abc import Sequence
from math import inf

from capcurve._inference.options import (
    FEW_DEGREES,
    FEW_ERROR_PAIRS,
    FEW_ERRORS,
    FEW_EVENTS,
    find_level,
)
from capcurve._inference.reliability import Shortage, has_few_degrees
from capcurve._inference.shrinkage import do_few_decide
from capcurve._inference.wording import (
    AR_OF_AMOUNTS,
    NO_DIFFERENCE,
    format_apart,
    format_degrees,
    format_level,
    format_p_value,
)
from capcurve._report.options import Facts
from capcurve._report.scored import name_key

SMALLEST_SHOWN = "less than 0.0005"  # what rounds to 0.000
MOST_DEGREES = 1e6  # of freedom, beyond which Student's t is the normal distribution
LARGE = 1_000  # mean amounts, which are written without decimals
MOST_NAMED = 5  # groups or columns in a sentence
SPLIT_ROWS = (
    "Band 1 is ranked first. Rows at the edge of a band are split pro rata, with all rows "
    "of the same score, so counts can be fractional."
)
SMALL = " is small"
FEW_IN_TEST = "The sample is small for this test, which may not keep its level."
FEW_MISRANKED_EXPECTED = (  # the numbers are effective ones, as those of few events
    "Fewer than {} wrongly ranked {} (counted as independent ones of equal weight) are to "
    "be expected"
)
PAIRS = "pairs of rows"  # of amounts: what is ranked wrongly, where of events it is events
UNWEIGHTED = "Of those, without a weight above 0"
TOO_FEW = "the rows, or clusters of rows, are too few to show the variance of AR"
MAY_COVER_LESS = "may cover the true AR less often than its level says"


FEW = "few events"  # the status of a group in the facts, of amounts too
FEW_OTHERS = "few non-events"  # where these are the smaller class
FEW_MISRANKED = "few wrongly ranked events"  # of methods that rely on them; of amounts too
FEW_FREEDOM = "few degrees of freedom"  # of methods that do not allow for them
LARGE_LOW = "large amounts ranked low"  # among those above 0
SHORTAGE_OF: dict[str, Shortage] = {
    FEW: "rows",
    FEW_OTHERS: "rows",
    FEW_FREEDOM: "degrees",
    LARGE_LOW: "order",
    FEW_MISRANKED: "errors",
}
FEW_PAIRS_OF_ROWS = "few effective pairs of rows"  # of amounts
OF_AMOUNTS = {
    FEW: FEW_PAIRS_OF_ROWS,
    FEW_MISRANKED: "few effective pairs ranked wrongly",
}
OF_NONE = {"no rows": "all rows left out"}  # a group is of rows that were read
FREE_LIMITS = "distribution-free limits"


def choose_few(ratio: Facts) -> str:
    """Choose the status of an AR whose interval is uncertain: what is few behind it."""
    if ratio["n_effective"] >= FEW_EVENTS:
        df = ratio["degrees_of_freedom"]
        is_by_degrees = df is not None and has_few_degrees(ratio["method"], df)
        if is_by_degrees:
            return FEW_FREEDOM
        return LARGE_LOW if ratio["large_ranked_low"] else FEW_MISRANKED
    if ratio["name"] != AR_OF_AMOUNTS and ratio["n_events"] > ratio["n_nonevents"]:
        return FEW_OTHERS
    return FEW


def is_small(row: Facts) -> bool:
    """Whether AR of a group is defined, but one of its classes is small."""
    return row["status"] in {FEW, FEW_OTHERS}


def is_few(row: Facts) -> bool:
    """Whether AR of a group is defined, but its interval may not cover at its level."""
    return row["status"] in SHORTAGE_OF


def name_few(rows: Sequence[Facts]) -> str:
    """Name what is few in groups, where intervals may cover less often than they say."""
    found = {row["status"] for row in rows}
    named = [status for status in SHORTAGE_OF if status in found]
    if rows[0]["n_non_events"] is None:
        named = [OF_AMOUNTS.get(status, status) for status in named]
    return " or ".join(named)


def name_smaller(rows: Sequence[Facts]) -> str:
    """Name of what groups have few, without the word few."""
    if rows[0]["n_non_events"] is None:
        return "effective pairs of rows"
    found = {row["status"] for row in rows}
    if found == {FEW}:
        return "events"
    return "non-events" if found == {FEW_OTHERS} else "events or non-events"


def describe_few(model: Facts) -> str:
    """Say what is few behind the interval of a model; an empty string if nothing is."""
    if not model["few_events"]:
        return ""
    ratio = model["accuracy_ratio"]
    return say_few({"status": choose_few(ratio), "accuracy_ratio": ratio})


def say_negative(model: Facts) -> str:
    """Say of an AR below 0 that the score may be reversed, or that it may be chance."""
    if not model["reversed"]:
        return ""
    high = model["accuracy_ratio"]["high"]
    is_chance = high is not None and high >= 0
    why = ", but its interval includes 0" if is_chance else ": the score may be reversed"
    return f"AR is negative{why}"


def say_status(row: Facts) -> str:
    """Say why AR of a group is uncertain or undefined, and which limits it has then."""
    limits = FREE_LIMITS if row.get("has_free_limits") else ""
    return ", ".join(filter(None, [say_few(row), limits]))


def say_few(row: Facts) -> str:
    """Say why AR of a group is uncertain or undefined, and what few rows count."""
    status, ratio = row.get("status"), row["accuracy_ratio"]
    if status not in {FEW, FEW_OTHERS, FEW_MISRANKED}:
        return OF_NONE.get(status or "", status or "")
    if ratio["name"] == AR_OF_AMOUNTS:
        n_pairs = f"{ratio['n_effective']:.3g}"
        if status == FEW_MISRANKED:
            return (
                f"fewer than {FEW_ERROR_PAIRS} of {n_pairs} effective pairs ranked wrongly"
            )
        return f"{OF_AMOUNTS[status]}: {n_pairs}"
    effective = "" if status == FEW_MISRANKED else say_effective_of(row)
    return f"{status}, {effective} effective" if effective else status


def say_effective_of(row: Facts) -> str:
    """Say to how many a class of a group comes down, with unequal weights or clusters."""
    ratio = row["accuracy_ratio"]
    n, side = ratio["n_effective"], "nonevents" if row["status"] == FEW_OTHERS else "events"
    n_rows = ratio[f"n_{side}"]
    if n is None or n >= n_rows:
        return ""
    shown = min(n, FEW_EVENTS - 0.1) if n < FEW_EVENTS else n  # never rounded to enough
    return f"{shown:.3g} of {n_rows:,}"


def is_few_in_test(row: Facts) -> bool:
    """Whether a test may not keep its level on the rows of the report."""
    least = {
        "n_effective": FEW_EVENTS,
        "degrees_of_freedom": FEW_DEGREES,
        "n_errors": FEW_ERRORS,
    }
    return any(row[key] is not None and row[key] < few for key, few in least.items())


def name_units(facts: Facts) -> str:
    """Name what is independent of the rest: rows, or clusters of them."""
    return "rows" if facts["sample"]["clusters"] is None else "clusters"


def say_few_in_test(row: Facts, units: str) -> str:
    """Say why a test on the rows of the report may not keep its level."""
    dominated = f"few {units} have most of the variance of the difference"
    reason = explain_few_in_test(row, "the sample", dominated)
    if reason.endswith(SMALL):
        return FEW_IN_TEST
    return f"{raise_first(reason)}, so the test may not keep its level."


def explain_few_in_test(row: Facts, sample: str, dominated: str) -> str:
    """Say what is few in a sample, so that a test may not keep its level.

    The sample is small, few rows have most of the variance, or few are ranked wrongly.
    ``dominated`` says that few have most of the variance, and of what it is one.
    """
    small = f"{sample}{SMALL}"
    n_minority = row.get("n_minority")
    if row.get("method") == "ECB":  # by the normal distribution, whatever those of s
        row = row | {"degrees_of_freedom": row.get("degrees_of_freedom_s")}
    if n_minority is not None and n_minority < FEW_EVENTS:
        return small
    told = []
    if has_few_deciding(row):
        told.append(f"{dominated} ({format_degrees(row['degrees_of_freedom'])})")
    if has_few_errors(row):
        told.append(explain_few_errors(row, sample))
    return ", and ".join(told) or small


def has_few_deciding(row: Facts) -> bool:
    """Whether few rows or clusters have most of a variance, and not for want of others."""
    df, size = row.get("degrees_of_freedom"), row.get("n_effective")
    return df is not None and do_few_decide(df, inf if size is None else size)


def has_few_errors(row: Facts) -> bool:
    """Whether few are ranked wrongly in rows of which there are enough."""
    n_errors, n_effective = row.get("n_errors"), row.get("n_effective")
    if n_errors is None or n_effective is None:
        return False
    return bool(n_errors < FEW_ERRORS and n_effective >= FEW_EVENTS)


def explain_few_errors(row: Facts, sample: str) -> str:
    """Say that few wrongly ranked events, or rows, are to be expected in a sample."""
    if row.get("name", "AR") in {"AR", "AUC"} and row.get("n_nonevents") != 0:
        return f"in {sample}, {say_few_misranked('events')}"
    return (
        f"in {sample}, which comes down to {row['n_effective']:.1f} independent pairs of "
        f"equal rows, fewer than {FEW_ERROR_PAIRS} wrongly ranked ones are to be expected"
    )


def say_few_misranked(noun: str) -> str:
    """Say that few wrong ranks are to be expected for a test, as a clause."""
    few = FEW_ERROR_PAIRS if noun == PAIRS else FEW_ERRORS
    return lower_first(FEW_MISRANKED_EXPECTED.format(few, noun))


def raise_first(clause: str) -> str:
    """Write a clause as the begin of a sentence."""
    return f"{clause[0].upper()}{clause[1:]}"


def lower_first(sentence: str) -> str:
    """Write a sentence as the second part of another one."""
    return f"{sentence[0].lower()}{sentence[1:]}"


def explain_no_variance(model: Facts, ratio: float, df: float | None = None) -> str:
    """Say why the variance of the AR of a model is unknown."""
    if model["is_constant"]:
        return "all rows share one score, which shows no variance of AR"
    if abs(ratio) == 1:
        return "rows that are ranked without an error show no variance of AR"
    if df is not None and df < 1:
        return f"the variance of AR has fewer than 1 degree of freedom ({df:.2g})"
    return TOO_FEW


def say_degrees(df: float) -> str:
    """Write degrees of freedom, unless they are so many that they do not matter."""
    return f"{df:,.1f}" if df <= MOST_DEGREES else f"over {MOST_DEGREES:,.0f}"


def judge_decrease(row: Facts) -> str:
    """Say in a cell whether a test finds a decrease, if it was made."""
    if row["is_significant"] is None:
        return "not tested"
    return "significant decrease" if row["is_significant"] else "no significant decrease"


def say_few_behind(ratio: Facts, causes: Sequence[str]) -> str:
    """Say what is few behind the interval of AR of all rows.

    ``causes`` are what leaves few pairs of equal rows, of amounts.
    """
    is_amount, n = ratio["name"] == AR_OF_AMOUNTS, ratio["n_effective"]
    few = choose_few(ratio)
    if few == LARGE_LOW:
        return (
            "Among the amounts above 0 large ones rank low, so one that is larger than "
            f"these may lower AR far: the interval {MAY_COVER_LESS}"
        )
    if few == FEW_MISRANKED:
        noun, limit = ("pairs", FEW_ERROR_PAIRS) if is_amount else ("events", FEW_ERRORS)
        return (
            f"The method {ratio['method']} relies on wrongly ranked {noun}, of which fewer "
            f"than {limit} are to be expected, so the interval {MAY_COVER_LESS}"
        )
    if is_amount:
        return (
            f"By unequal {say_list(causes)} the rows come down to {n:.1f} independent "
            f"pairs of equal rows, fewer than {FEW_EVENTS}, so the interval "
            f"{MAY_COVER_LESS}"
        )
    return (
        f"Fewer than {FEW_EVENTS} independent events or non-events stand behind the "
        f"interval, so it {MAY_COVER_LESS}"
    )


def say_own_outcome(descending: bool, ranks_first: bool, number: int = 1) -> str:  # noqa: FBT001
    """Say that so many scores are the outcome, or 1 minus it, and what AR is then."""
    equal = "equals" if number == 1 else "equal"
    if descending:
        return f"{equal} the outcome in every row, so AR is 1"
    if not ranks_first:
        return f"{equal} the outcome in every row, so AR is -1, as low scores rank first"
    return f"{equal} 1 minus the outcome in every row, so AR is 1, as low scores rank first"


def say_ratio(value: float) -> str:
    """Write an accuracy ratio, an AUC or a difference; 0 without a minus."""
    return f"{value:z.3f}"


def say_size(difference: float) -> str:
    """Write the size of a difference, which is not 0 where its digits are."""
    shown = say_ratio(abs(difference))
    return SMALLEST_SHOWN if shown == say_ratio(0) else shown


def is_none(difference: float) -> bool:
    """Whether two AR are equal, but for rounding."""
    return abs(difference) <= NO_DIFFERENCE


def say_percent(share: float, digits: int = 2) -> str:
    """Write a share as a percentage."""
    return f"{100 * share:.{digits}f} %"


def say_rate(rate: float, *, has_events: bool) -> str:
    """Write an event rate as a percentage, or a mean amount as a number."""
    if has_events:
        return say_percent(rate)
    return f"{rate:.4g}" if abs(rate) < LARGE else f"{rate:,.0f}"


def say_rates(*rates: float, has_events: bool) -> list[str]:
    """Write event rates or mean amounts that are compared, with as many decimals each."""
    told = [say_rate(rate, has_events=has_events) for rate in rates]
    if has_events or any(
        "e" in text or abs(rate) >= LARGE for text, rate in zip(told, rates, strict=True)
    ):
        return told
    decimals = max(len(text.partition(".")[2]) for text in told)
    return [f"{rate:.{decimals}f}" for rate in rates]


def say_count(number: float, noun: str = "") -> str:
    """Write a number, with a noun in the plural unless it is 1."""
    if not noun:
        return f"{number:,.0f}"
    return f"{number:,.0f} {noun}{'' if number == 1 else 's'}"


def say_all(number: int, noun: str) -> str:
    """Write that something holds for all of several things."""
    both = 2
    return f"both {noun}s" if number == both else f"all {say_count(number, noun)}"


def say_p_value(p_value: float, confidence_level: float) -> str:
    """Write a p-value, with so many digits that it is on its side of the level."""
    return format_p_value(p_value, confidence_level)


def say_interval(found: Facts, sign: int = 1) -> str:
    """Write the confidence interval of an estimate, or of its opposite.

    A limit that is not 0 has so many digits that it is not shown as 0.
    """
    low, high = sorted((sign * found["low"], sign * found["high"]))
    level = format_level(found["confidence_level"])
    return f"{level} confidence interval {format_apart(low, 0)} to {format_apart(high, 0)}"


def say_level(confidence_level: float) -> str:
    """Write the significance level that goes with a confidence level."""
    return f"the {100 * find_level(confidence_level):.4g} % level"


def say_quantile(share: float) -> str:
    """Write the share below a quantile."""
    return f"{100 * share:.6g} %"


def say_list(words: Sequence[str]) -> str:
    """Join words with commas and a last "and"; beyond some, count the others."""
    n_others = len(words) - MOST_NAMED
    if n_others > 1:
        words = [*words[:MOST_NAMED], f"{n_others} others"]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def say_group(column: str, row: Facts) -> str:
    """Write the AR of a group with its name, and what few rows it rests on."""
    told = "; ".join(filter(None, [name_key(column, row["group"]), say_few(row)]))
    return f"{say_ratio(row['accuracy_ratio']['value'])} ({told})"


def is_significant(p_value: float | None, confidence_level: float) -> bool:
    """Whether a p-value is below 1 minus the confidence level."""
    return p_value is not None and p_value < find_level(confidence_level)
