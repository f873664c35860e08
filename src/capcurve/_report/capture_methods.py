"""Explain the limits of capture rates, lift and the rates of bands."""

from collections.abc import Iterator

from capcurve._inference.wording import format_level
from capcurve._report.method import make_method
from capcurve._report.options import Facts
from capcurve._report.pseudo_observations import is_unweighted
from capcurve._report.sources import BROWN, WILSON

WILSON_LIMITS = (
    "limits of u = (u + z^2 / (2 K) -+ z sqrt(u (1 - u) / K + z^2 / (4 K^2))) / "
    "(1 + z^2 / K)"
)
EXACT_ENDS = (
    "at least as far out as the alpha quantile of Beta(K u, K (1 - u) + max(1, t K)) and "
    "the 1 - alpha quantile of Beta(K u + max(1, t K), K (1 - u))"
)
ALLOWED_TRIALS = (
    "if t K > 1 K is replaced by (v + t) / (v / K + t^2), v = u for the upper limit and 1 "
    "- u for the lower one, with its own t"
)
RANGE = "Y_0 = max(0, (x - 1 + pi) / pi), Y_1 = min(1, x / pi), u = (Y - Y_0) / (Y_1 - Y_0)"
COUNTED_VARIANCE = (
    "V_2 = (1 - p)^2 Var(g of events) / m + (p (1 - pi) / pi)^2 Var(g of non-events) / n, "
    "p = s pi from 0 to 1, V_1 = V_2 + (p (Y - x))^2 / (N pi (1 - pi))"
)
PARTS = (
    "b = 1, or where nothing ranks below the block at the cut-off, for the lower limit, 1 "
    "less the part of it that is selected, and where nothing ranks above it, for the upper "
    "limit, that part"
)
DEGREES_OF_PSI = (
    "2 (sum of psi^2)^2 / (sum of psi^4), at least 1 (infinite if all psi are 0)"
)
DEGREES_OF_UNEQUAL = (
    "the smaller of E and of the effective number of non-events, found in the same way, "
    "less 1, at least 1"
)
DEGREES_OF_AMOUNTS = "E - 1, at least 1"
DEGREES_OF_BANDS = f"of each band, {DEGREES_OF_PSI}"
DEGREES_OF_COUNTS = "the smaller of m and n, less 1, at least 1"
NORMAL = "infinite: the normal distribution"
ENDS = (
    " Near 0 and 1 the limits are extended to the exact one-sided limits of Clopper and "
    "Pearson (1934) at the full error probability alpha = 1 - level, if those are farther "
    "out."
)
UNSEEN = (
    " {} of which the sample has no example may count for more than those of a grade that "
    "is nearly all selected; t is what one such {} would add to u, or take from it, and "
    "as in the limits of Fay and Feuer (1997), it is added to the share and, squared, to "
    "its variance."
)


def explain_cuts(facts: Facts) -> Iterator[Facts]:
    """Explain what is selected at a cut-off, and how steep the curve is there."""
    if not has_limits(facts) and facts["band"] is None:
        return
    sample = facts["sample"]
    yield make_method(
        "Cut-offs",
        "At a population share x, g is the part of a row that is selected: 1 above the "
        "cut-off, 0 below it, and between them, in the block of tied rows that the cut-off "
        "splits, or which ends there, the part that makes up x. Y is the capture rate at "
        f"x, N {say_number(sample)}. s is the slope of the curve, from x - h to x + h, or "
        "what of this lies between 0 and 1. It says how much Y moves with the cut-off, "
        "whose score differs from sample to sample.",
        formula="s = (Y(x_b) - Y(x_a)) / (x_b - x_a), x_a = max(0, x - h), x_b = min(1, "
        "x + h), h = 0.5 N^(-1/5), or h = e = max(sqrt(x (1 - x) / N), 1 / N) where that "
        "block is a share of more than 2 e",
    )


def say_number(sample: Facts) -> str:
    """Say what the number of rows is, which does not depend on clusters."""
    if sample["weights"] != "sampling":
        return "the number of rows"
    effective = "the effective number of rows, (sum of w)^2 / (sum of w^2)"
    if sample["clusters"] is None:
        return effective
    return f"{effective} with the weights of rows, not of clusters"


def has_limits(facts: Facts) -> bool:
    """Whether capture rates, or rates of bands, have limits."""
    model = facts["models"][0]
    return model["captured"][0]["low"] is not None or model["gains_total"]["has_limits"]


def explain_capture(facts: Facts) -> Iterator[Facts]:
    """Explain limits of capture rates and lift, and the band."""
    has_band = facts["band"] is not None  # whose limits are those of capture rates
    if has_band or facts["models"][0]["captured"][0]["low"] is not None:
        yield explain_rates(facts)
    if facts["band"] is not None:
        level = format_level(facts["confidence_level"])
        yield make_method(
            "Confidence band",
            f"Pointwise: it covers the true curve with a probability of {level} at a "
            "single population share chosen in advance, by the limits of a capture rate at "
            "x = 0, 1/500, 2/500 and so on.",
        )


def explain_rates(facts: Facts) -> Facts:
    """Explain limits of the capture rate."""
    if is_unweighted(facts):
        (text, formula), degrees = explain_counted_rates(), DEGREES_OF_COUNTS
    elif facts["outcome"] == "events":
        (text, formula), degrees = explain_unequal_rates(facts), DEGREES_OF_UNEQUAL
    else:
        (text, formula), degrees = explain_rates_of_amounts(facts), DEGREES_OF_AMOUNTS
    return make_method(
        "Capture rate and lift",
        f"{text}{say_unseen(facts)}{ENDS} Limits always include Y. Lift and its limits are "
        "those of the capture rate, divided by the population share.",
        formula=f"{formula}; {WILSON_LIMITS}, {EXACT_ENDS}; {ALLOWED_TRIALS}; lift = Y / x",
        df=degrees,
        source=WILSON,
    )


def say_unseen(facts: Facts) -> str:
    """Say how limits allow for what the sample does not show."""
    if facts["outcome"] == "events":
        return UNSEEN.format("An event", "event")
    return UNSEEN.format("An amount", "amount")


def explain_counted_rates() -> tuple[str, str]:
    """Explain limits of events of equal weight, with their formula."""
    text = (
        "The limits are those of Wilson for a proportion u observed in K trials, where K "
        "is the number that gives u its variance. They cover two intervals: that of u = Y, "
        "for rows of which the number of events differs from sample to sample, and that "
        "of how far up Y lies in the range from Y_0 to Y_1 that the worst and the best "
        "ranking of so many events set. pi is the event rate of all rows and p that at the "
        "cut-off; Var(g) is taken over the m events, and over the n non-events (sums of "
        "squares divided by m and n). q_t is the quantile of Student's t, that of the "
        "normal distribution is z of the second interval."
    )
    formula = (
        "first u = Y, z = q_t, K = u (1 - u) / V_1, or m where u or V_1 is 0, or u is 1, t "
        f"= b / m; then limits of Y = Y_0 + (Y_1 - Y_0) limits of u; {RANGE}; K = u (1 - "
        "u) (Y_1 - Y_0)^2 / V_2, or m (Y_1 - Y_0) in these cases, t = b / (m (Y_1 - Y_0)); "
        f"{COUNTED_VARIANCE}; {PARTS}"
    )
    return text, formula


def explain_unequal_rates(facts: Facts) -> tuple[str, str]:
    """Explain limits of weighted or clustered events, with their formula."""
    has_clusters = facts["sample"]["clusters"] is not None
    squares = (
        ", of which each cluster adds the square of its sum; n clusters hold events"
        if has_clusters
        else "; n rows are events"
    )
    text = (
        "The limits are those of Wilson for a proportion u observed in K trials, where K "
        "is the number that gives u its variance. They cover two intervals: that of u = Y "
        "by Student's t, for rows of which the number of events differs from sample to "
        "sample, and that of how far up Y lies in the range from Y_0 to Y_1 that "
        "the worst and the best ranking of so many events set, by the normal distribution. "
        f"psi is the influence of a row{squares}. w is its weight, y 1 for an event and "
        "0 for a non-event, T the weight of all events, W that of all rows, pi = T / W. "
        "E is the effective number of events, (sum of w)^2 / (sum of w^2)"
        f"{', w added up by cluster' * has_clusters}."
    )
    formula = (
        "first u = Y, z = q_t, K = u (1 - u) / Var(Y), or E where u or Var(Y) is 0, or u "
        "is 1, t = b / E; Var(Y) = n / (n - 1) sum of psi^2, psi = w (y (g - Y) / T - s (g "
        f"- x) / W); then limits of Y = Y_0 + (Y_1 - Y_0) limits of u; {RANGE}; K = u (1 - "
        f"u) (Y_1 - Y_0)^2 / Var(Y), or E (Y_1 - Y_0) in these cases, t = b / (E (Y_1 - "
        "Y_0)); Var(Y) with x in psi replaced by Y for events, by (x - pi Y) / (1 - pi) "
        f"for non-events; {PARTS}"
    )
    return text, formula


def explain_rates_of_amounts(facts: Facts) -> tuple[str, str]:
    """Explain limits of the captured share of amounts, with their formula."""
    has_clusters = facts["sample"]["clusters"] is not None
    unit = "clusters" if has_clusters else "rows"
    text = (
        "Y is the share of the total amount T. The limits are those of Wilson for a "
        "proportion u = Y observed in K trials, with Student's t, where K is the number of "
        "trials that gives u its variance. psi is the influence of a row with the weight w "
        f"and the amount y; W is the weight of all rows, and n {unit} have an amount above "
        f"0.{' Each cluster adds the square of its sum of psi.' * has_clusters} E is "
        "(sum of w y)^2 / (sum of (w y)^2)"
        f"{', w y added up by cluster' * has_clusters}."
    )
    formula = (
        "z = q_t, K = u (1 - u) / Var(Y), or E where u or Var(Y) is 0, or u is 1, "
        "t = b / E; Var(Y) = n / (n - 1) sum of psi^2, psi = w (y (g - Y) / T - s (g - x) "
        f"/ W); {PARTS}"
    )
    return text, formula


def explain_bands(facts: Facts) -> Iterator[Facts]:
    """Explain the limits of the rate of a band."""
    if not facts["models"][0]["gains_total"]["has_limits"]:
        return
    is_event, is_plain = facts["outcome"] == "events", is_unweighted(facts)
    quantile = "the normal distribution" if is_plain else "Student's t"
    limits = (
        "Those of Wilson for a proportion, as for the capture rate: u is the event rate of "
        "the band, K the number of trials that gives it its variance, and z the quantile "
        f"of {quantile}."
        if is_event
        else "Student's t on the scale of logarithms; r is the mean outcome, q_t the "
        "quantile of Student's t. A band without any amount, of a single row or equal "
        "amounts, or in which so few rows carry the weight that a limit would lie beyond "
        "1,000 times r, has none but 0."
    )
    has_clusters = facts["sample"]["clusters"] is not None
    in_band = "b k" if has_clusters else "N (x_2 - x_1)"
    inside = "v = w (g_2 - g_1) of a {}, or w of one in a band of one score"
    squares = f"k = (sum of v)^2 / sum of v^2, {inside}"
    clusters = f"; {squares.format('cluster')}" if has_clusters else ""
    formula = (
        f"{WILSON_LIMITS}, {EXACT_ENDS}; K = u (1 - u) / Var(u), or {in_band} where u "
        f"or Var(u) is 0, or u is 1, t = b / ({in_band}); {ALLOWED_TRIALS}; b is the "
        f"largest part that the band has of any block of tied rows{clusters}"
        if is_event
        else "limits of r = r exp(-+ q_t sqrt(Var(r)) / r)"
    )
    rate = "u" if is_event else "r"
    factor = "" if is_plain else "n / (n - 1) "
    degrees = NORMAL if is_plain else DEGREES_OF_BANDS
    size = ""
    if not is_event:
        factor, degrees = f"k / (k - 1) {factor}", f"{degrees}, at most k - 1"
        size = f"; {squares.format('cluster' if has_clusters else 'row')}"
    yield make_method(
        "Limits of the rate of a band",
        f"{limits} {say_influence(facts)}{(say_unseen(facts) + ENDS) if is_event else ''}",
        formula=f"{formula}; Var({rate}) = {factor}sum of psi^2, psi = w (y (g_2 - g_1) - "
        "pi (Y_2 - Y_1 + s_2 (g_2 - x_2) - s_1 (g_1 - x_1))) / (W (x_2 - x_1)), or "
        f"w (y - {rate}) / (W (x_2 - x_1)) in a band of one score, 0 elsewhere{size}",
        df=degrees,
        source=BROWN if is_event else None,
    )


def say_influence(facts: Facts) -> str:
    """Say what the influence of a row on the rate of a band is made of."""
    sample, is_event = facts["sample"], facts["outcome"] == "events"
    has_clusters = sample["clusters"] is not None
    weight = "1" if is_unweighted(facts) else "its weight"
    text = (
        f"psi is the influence of a row on the rate; w is {weight}, y its outcome, W the "
        "weight of all rows, pi their mean outcome. Indices 1 and 2 are the beginning and "
        "the end of the band (see cut-offs); where it begins with the best row, the "
        "terms of 1 are 0. A band of one score is one that the table has for each score."
    )
    if is_unweighted(facts):
        return text
    unit = "clusters" if has_clusters else "rows"
    kind = "are events" if is_event else "have an amount above 0"
    if has_clusters:
        kind = "hold events" if is_event else kind
        text += " Each cluster adds the square of its sum of psi."
    return f"{text} n {unit} {kind}."
