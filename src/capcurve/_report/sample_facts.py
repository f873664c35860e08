"""Describe the sample of a report, and what the report does not show."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from capcurve._input.periods import explain_text_order
from capcurve._report.model_facts import CAPTURE_SHARES_SHOWN, EXACT
from capcurve._report.odd_scores import list_odd
from capcurve._report.options import Facts
from capcurve._report.outcomes import BEFORE_QUERY, LEFT_OUT, say_odd
from capcurve._report.phrases import say_list, say_percent
from capcurve._report.report_input import ReportInput, Split
from capcurve._report.rounded_bounds import round_down, round_up
from capcurve._report.scored import ScoredBins, ScoredGroup, ScoredRows
from capcurve._report.uncounted_bins import are_weighted

CALIBRATION = (
    "Calibration is not assessed: whether predicted levels, such as PDs, agree with "
    "observed rates."
)
STABILITY = (
    "Stability is not assessed: whether the population, or the distribution of scores, has "
    "changed."
)
SAME_ROWS = (
    "Whether the model was fitted on these rows is not known here. If it was, its AR is "
    "too high, and no interval shows by how much; rows that it has not seen show that."
)
SHOCK = (
    "No interval allows for a shock that all rows share, such as one bad year: with the "
    "same model, a sample from another state of the economy may give another AR."
)
INDEPENDENCE_OF_COUNTS = (
    "The rows that were counted are taken as independent. If several of them belong to one "
    "borrower, intervals are too narrow; a file with a row for each loan can name the "
    "borrower."
)
INDEPENDENCE = (
    "Rows are taken as independent. If several rows belong to one borrower, name the "
    "column of borrowers (clusters, --cluster); intervals are then wider as a rule."
)
WHOLE_WEIGHTS = (
    "The whole numbers in the column of weights are taken as sampling weights. If each row "
    "stands for that many equal rows, pass it as a column of counts (--counts); intervals "
    "are then narrower."
)
OF_IMPLIED = (
    "The test of the implied AR takes events{} as independent, given the probabilities. "
    "The economy moves them together, so {}."
)
OF_SHOCK = {  # simulated: "Common shocks" in docs/inference.md
    "two-sided": "it rejects right through-the-cycle PDs more often than its level says, "
    "in good and average years as in a recession",
    "less": "in a recession it rejects right through-the-cycle PDs more often than its "
    "level says, in good and average years less often",
    "greater": "in good and average years it rejects right through-the-cycle PDs more "
    "often than its level says, in a recession less often",
}
QUERY = (
    "The effect of the query on the outcome is not assessed: it may have removed events or "
    "other rows. It is assessed where the files are no databases and hold the outcome, "
    "rows are neither weighted nor counted, and amounts have at most 1,000 values."
)
UNREPEATABLE = (
    "The query depends on chance or the time ({}): the recorded command may return other "
    "rows, and then gives other numbers. The SHA-256 of its rows, in the provenance, tells "
    "whether they are the same."
)
INDEPENDENCE_OF_BINS = (
    "Rows are taken as independent. If several of them belong to one borrower, intervals "
    "are too narrow; bins do not hold the borrowers."
)
LEFT_OUT_OF_BINS = (
    "How many rows were left out before the rows were binned, and whether they differ from "
    "those used, is not known."
)
BINS = (
    "Rows were binned before the report was made: the tables have no limits of capture "
    "rates, of lift and of the rates of bands; there are no tests but those against "
    "initial validation, and no segments."
)
UNCOUNTED_BINS = (
    "Rows were binned before the report was made, and their bins do not count events: "
    "there are no limits, no tests and no segments."
)
APPROXIMATE = (
    "Some bins hold several scores, whose rows are treated as tied: KS, capture rates, "
    "lift, the gains table and the curve are approximate. Whatever the order within bins, "
    "KS lies between {} and {}; the guaranteed bounds of the capture rates at {} "
    "are at most {} apart."
)
APPROXIMATE_RATIO = " AR lies between {} and {}; it is approximate{}."
AS_AR = ", and so are AUC and the tests against initial validation"  # of counted events


def describe_sample(report_input: ReportInput) -> Facts:
    """Describe the size and the design of the sample."""
    champion, design = report_input.whole[0], report_input.design
    return {
        "n_rows": champion.n_rows,
        **count_classes(champion),
        "clusters": describe_clusters(champion, design.get("clusters")),
        **describe_weights(champion, design),
        "period": report_input.span,
    }


def describe_weights(champion: ScoredGroup, design: Mapping[str, str]) -> Facts:
    """Say which weights rows have, and in which column; bins do not hold its name."""
    if isinstance(champion, ScoredBins):
        is_weighted = are_weighted(champion.binned)
        return {"weights": "sampling" if is_weighted else "none", "weights_column": None}
    weights = next((part for part in ("counts", "weights") if part in design), None)
    return {
        "weights": {"counts": "counts", "weights": "sampling"}.get(weights or "", "none"),
        "weights_column": None if weights is None else design[weights],
    }


def count_classes(champion: ScoredGroup) -> Facts:
    """Count rows that are events and that are not; of amounts, those above 0 and of 0."""
    if isinstance(champion, ScoredRows):
        events, others = champion.columns.class_counts
        return {"n_events": events, "n_non_events": others}
    curve = champion.curve
    if curve is None or not champion.is_counted:
        return {"n_events": None, "n_non_events": None}
    events = round(curve.total_target)
    return {"n_events": events, "n_non_events": champion.n_rows - events}


def describe_clusters(champion: ScoredGroup, column: str | None) -> Facts | None:
    """Count the clusters, and those that hold an event; None without clusters."""
    if not isinstance(champion, ScoredRows):
        return None
    columns = champion.columns
    cluster = columns.weights.cluster
    if cluster is None:
        return None
    return {
        "column": column,
        "n": len(np.unique(cluster)),
        "n_event_clusters": len(np.unique(cluster[columns.target > 0])),
    }


def list_limitations(report_input: ReportInput) -> list[str]:
    """List what the report does not assess or takes for granted, then those given."""
    champion = report_input.whole[0]
    found = [CALIBRATION, STABILITY, SAME_ROWS, SHOCK]
    if isinstance(champion, ScoredBins):
        bins = BINS if champion.is_counted else UNCOUNTED_BINS
        found += [bins, *list_approximate(champion), INDEPENDENCE_OF_BINS, LEFT_OUT_OF_BINS]
    elif isinstance(champion, ScoredRows) and champion.columns.weights.cluster is None:
        is_counted = champion.columns.weights.counts_rows
        found.append(INDEPENDENCE_OF_COUNTS if is_counted else INDEPENDENCE)
    if report_input.options.implied:
        clusters = report_input.design.get("clusters")
        of_clusters = " of different clusters" if clusters else ""
        shock = OF_SHOCK[report_input.options.implied_side]
        found.append(OF_IMPLIED.format(of_clusters, shock))
    if champion.may_be_counted:
        found.append(WHOLE_WEIGHTS)
    if report_input.few_amounts is not None:
        found.append(f"The outcome {report_input.few_amounts}.")
    found += report_input.mixed_percents
    found += list(list_orders(report_input.periods))
    found += [f"The score {odd.text}." for odd in list_odd(report_input.whole)]
    found += list_odd_outcomes(report_input)
    query = report_input.provenance.get("query")
    if query is not None and query["response_rate_before"] is None:
        found.append(QUERY)
    if query is not None and query["unrepeatable"]:
        found.append(UNREPEATABLE.format(", ".join(query["unrepeatable"])))
    found += list_copies(report_input.provenance.get("files", ()))
    return [*found, *report_input.options.limitations]


def list_approximate(champion: ScoredBins) -> Iterator[str]:
    """Say within which bounds KS and capture rates lie where bins hold several scores."""
    binned = champion.binned
    ks, ratio = binned.ks, binned.accuracy_ratio
    rates = list(map(binned.capture_rate_at, CAPTURE_SHARES_SHOWN))
    width = max(each.high - each.low for each in rates)
    if max(width, ks.high - ks.low, ratio.high - ratio.low) > EXACT:
        shares = say_list([say_percent(share, 0) for share in CAPTURE_SHARES_SHOWN])
        of_ratio = APPROXIMATE_RATIO.format(
            round_down(ratio.low), round_up(ratio.high), AS_AR * champion.is_counted
        )
        is_wide = ratio.high - ratio.low > EXACT
        yield (
            APPROXIMATE.format(
                round_down(ks.low), round_up(ks.high), shares, round_up(width)
            )
            + of_ratio * is_wide
        )


def list_odd_outcomes(report_input: ReportInput) -> Iterator[str]:
    """Say which odd outcomes rows hold that were left out or taken away by a query."""
    column, has_events = report_input.design.get("truth"), report_input.whole[0].has_events
    query = report_input.provenance.get("query") or {}
    odd = {
        LEFT_OUT: report_input.rows.get("odd_outcomes"),
        BEFORE_QUERY: query.get("odd_outcomes_before"),
    }
    for where, each in odd.items():
        if each:
            yield say_odd(str(column), each, where, has_events=has_events)


def list_orders(periods: Iterable[Split]) -> Iterator[str]:
    """Say which periods are text that need not sort by time."""
    for split in periods:
        if not split.is_timed:
            labels = [label for label in split.labels if label is not None]
            yield f"The {explain_text_order(labels, split.by)}."


def list_copies(files: Iterable[Facts]) -> Iterator[str]:
    """Say which files hold the same bytes, so that their rows count more than once."""
    first: dict[str, str] = {}
    for file in files:
        name = first.setdefault(file["sha256"], file["name"])
        if name != file["name"]:
            yield f"{name} and {file['name']} hold the same bytes: their rows count twice."
