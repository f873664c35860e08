"""The command ``capcurve score``: AR with its interval, KS and capture rates."""

from collections.abc import Mapping, Sequence
from typing import Any

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.count_headings import head_masses
from capcurve._cli.gate_options import fail_on, gate_options
from capcurve._cli.help import add_options, command
from capcurve._cli.options import (
    FILE_OPTIONS,
    METHOD_OPTIONS,
    SCALE_OPTIONS,
    confidence_option,
)
from capcurve._cli.out_of_core import BinnedReading, list_shares, read_scored_groups
from capcurve._cli.output_options import Output, planned_output_options
from capcurve._cli.request import FileOptions, Reading
from capcurve._cli.rows import Row
from capcurve._cli.score_rows import RARE_SCORE_COLUMNS, SCORE_COLUMNS, make_score_rows
from capcurve._cli.streams import notify_warnings
from capcurve._cli.undefined import explain_no_curve
from capcurve._inference.options import IntervalMethod, IntervalOptions
from capcurve._report.gate_limits import GateLimits
from capcurve._report.gates import (
    EVENT,
    NO_INTERVAL,
    ROW_ABOVE_0,
    Gate,
    Judged,
    judge_left_out,
    judge_ratios,
)
from capcurve._report.scored import ScoredBins, show_key
from capcurve._report.uncounted_bins import refuse_unknown_events
from capcurve.exceptions import CapcurveError

NO_LABEL = "it is undefined for every class label"
PASSED = {True: "yes", False: "no", None: "skipped"}


@command()
@add_options(FILE_OPTIONS)
@add_options(SCALE_OPTIONS)
@confidence_option
@add_options(METHOD_OPTIONS)
@gate_options(ratio=True)
@planned_output_options
def score(
    output: Output,
    limits: GateLimits,
    confidence: float,
    method: IntervalMethod,
    seed: int,
    **options: Any,
) -> None:
    """Print AR with its interval, KS and capture rates, a row for each score.

    If a score column is named after each of several class labels: a row for each label,
    and their macro and weighted averages.

    Example: capcurve score loans.csv --truth default --estimate champion_pd
    """
    reading = read_scored_groups(
        FileOptions(
            **options,
            is_described=output.is_json,
            may_be_undefined=limits.on_undefined == "skip",
        ),
        list_shares(None),
        verbose=output.verbose,
    )
    if method != "beta" and not reading.has_rows:
        raise CapcurveError(
            f"--method {method} requires the rows in memory, got rows that were binned; "
            "leave it out, or leave out --approx and --memory-limit"
        )
    interval = IntervalOptions(confidence, method, random_state=seed)
    with notify_warnings():
        rows = make_score_rows(reading.groups, interval)
        ratios = judge_ratios(list_judged(rows, reading, limits), limits)
        gates = [*ratios, *judge_left_out(reading.counts.to_dict(), limits)]
        answer = Answer(
            command="score",
            rows=mark_rows(rows, ratios),
            order=SCORE_COLUMNS,
            rare=RARE_SCORE_COLUMNS,
            counts=reading.counts,
            confidence_level=confidence,
            method=method,
            gates=gates,
            headings=head_masses(reading.groups, is_weighted=options["weight"] is not None),
        )
        write_answer(answer, output)
    fail_on(gates)


def list_judged(
    rows: Sequence[Row], reading: Reading | BinnedReading, limits: GateLimits
) -> list[Judged]:
    """List what the gates judge, with events; an average has those of its rarest label."""
    refuse_min_events(reading, limits)
    events: dict[Any, float] = {}
    reasons: dict[Any, str] = {}
    fewest: dict[Any, float] = {}
    for scored in reading.groups:
        keys = tuple(scored.group.values())
        events[keys, scored.estimate, scored.level] = scored.n_events
        reasons[keys, scored.estimate, scored.level] = explain_no_curve(
            scored, reading.no_rows
        )
        fewest[keys] = min(scored.n_events, fewest.get(keys, scored.n_events))
    judged, column = [], "low" if limits.fail_on_lower_bound else "accuracy_ratio"
    for group, cells in rows:
        keys = tuple(group.values())
        name, level = cells["estimate"], cells.get("level")
        judged.append(
            Judged(
                ", ".join(filter(None, (*map(show_key, keys), name, level))),
                cells[column],
                events.get((keys, name, level), fewest[keys]),
                reasons.get((keys, name, level), NO_LABEL) or NO_INTERVAL,
                bounds=None if column == "low" else find_bounds(cells),
                unit=EVENT if reading.groups[0].has_events else ROW_ABOVE_0,
            )
        )
    return judged


def refuse_min_events(reading: Reading | BinnedReading, limits: GateLimits) -> None:
    """Raise for a least number of events where bins do not count them."""
    scored = reading.groups[0]
    if limits.min_events is None or not isinstance(scored, ScoredBins):
        return
    if not scored.is_counted:
        refuse_unknown_events(
            "leave out --approx and --memory-limit", has_events=scored.has_events
        )


def find_bounds(cells: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the guaranteed bounds of AR, if scores share bins.

    The lower confidence limit needs none, as it is that of the worst order within bins.
    """
    return (cells["lower"], cells["upper"]) if "lower" in cells else None


def mark_rows(rows: Sequence[Row], gates: Sequence[Gate]) -> Sequence[Row]:
    """Add a column ``passed``, if rows were judged."""
    if not gates:
        return rows
    return [
        Row(group, {**cells, "passed": PASSED[gate.passed]})
        for (group, cells), gate in zip(rows, gates, strict=True)
    ]
