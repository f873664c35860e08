"""``capcurve plan``: sample sizes, power and detectable differences."""

from collections.abc import Mapping, Sequence
from itertools import combinations, groupby
from math import isnan
from typing import Any, get_args

import click

from capcurve._arrays.planning import plan_interval, plan_test
from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.count_headings import head_above_zero
from capcurve._cli.help import STATISTICS, add_options, command, option
from capcurve._cli.options import FILE_OPTIONS, confidence_option
from capcurve._cli.output_options import Output, output_options
from capcurve._cli.request import FileOptions, Reading, read_scored_rows
from capcurve._cli.rows import Row
from capcurve._cli.streams import notify, notify_warnings
from capcurve._inference.comparison import Hypothesis
from capcurve._inference.options import Side
from capcurve._inference.planning import FEWEST_MISRANKED, explain_few
from capcurve._inference.plans import IntervalPlan, PowerPlan, SamplePlan
from capcurve._inference.sample_planning import (
    SampleQuestion,
    check_sample_question,
    explain_dominated,
    is_dominated,
    make_sample_plan,
)
from capcurve._report.scored import ScoredRows
from capcurve.exceptions import CapcurveError

ANY_SPREAD = "any"
USUAL_POWER = 0.8
SAMPLE_COLUMNS = (
    *("estimate_a", "estimate_b", "accuracy_ratio", "difference", "std_error"),
    *("half_width", "detectable_difference", "power_for_difference"),
    *("events_for_difference", "events_for_half_width", "n_events", "n"),
)
NUMBER_OPTIONS = (
    option(STATISTICS, "--ar", type=float, metavar="AR", help="AR that is expected."),
    option(
        STATISTICS, "--second-ar", type=float, metavar="AR", help="AR to test --ar against."
    ),
    option(
        STATISTICS,
        "--event-rate",
        type=float,
        metavar="RATE",
        help="Share of events among all rows.",
    ),
    option(
        STATISTICS,
        "--correlation",
        type=float,
        metavar="R",
        help="Correlation of two scores of the same rows.",
    ),
    option(
        STATISTICS,
        "--events-ratio",
        type=float,
        metavar="R",
        help="Without it: events in the second sample per first.",
    ),
    option(
        STATISTICS,
        "--spread",
        metavar="R",
        help="Ratio of standard deviations, events' first; or any.",
    ),
)
QUESTION_OPTIONS = (
    option(
        STATISTICS,
        "--half-width",
        type=float,
        metavar="WIDTH",
        help="Half-width of the interval.",
    ),
    option(STATISTICS, "--n-events", type=int, metavar="COUNT", help="Events to plan for."),
    option(
        STATISTICS,
        "--power",
        type=float,
        metavar="POWER",
        help="Power of the test (with FILE: 0.8).",
    ),
    option(
        STATISTICS,
        "--difference",
        type=float,
        metavar="AR",
        help="True difference to find; with FILE only.",
    ),
    option(
        STATISTICS,
        "--alternative",
        type=click.Choice(get_args(Side)),
        default="two-sided",
        metavar="WORD",
        help="Test: two-sided (default), greater or less.",
    ),
    option(
        STATISTICS,
        "--margin",
        type=float,
        default=0.0,
        metavar="AR",
        help="Non-inferiority margin of the test.",
    ),
)


ASSUMED = ("ar", "second_ar", "event_rate", "correlation", "events_ratio", "spread")
ASKED = ("half_width", "n_events", "power", "difference", "alternative", "margin")
OF_ROWS = ("truth", "estimate", "events", "counts", "by", "weight", "cluster", "difference")
OF_TESTS = ("correlation", "events_ratio", "alternative", "margin")


@command()
@add_options(FILE_OPTIONS)
@add_options(NUMBER_OPTIONS)
@add_options(QUESTION_OPTIONS)
@confidence_option
@output_options
def plan(file: tuple[str, ...], output: Output, confidence: float, **options: Any) -> None:
    """Find the events that an interval or a test needs, or what a sample can show.

    Without FILE, the one number that is left out is found.

    Example: capcurve plan --ar 0.6 --event-rate 0.02 --half-width 0.05
    """
    if not file:
        refuse_given(options, OF_ROWS, "rows, got no FILE; add FILE")
    else:
        refuse_given(options, ASSUMED, "no FILE, got one; leave out one of the two")
    with notify_warnings():
        counts, headings = None, dict[str, str]()
        if not file:
            rows = [Row({}, list_plan(plan_numbers(options, confidence)))]
            order = list(rows[0].cells)
        else:
            options |= {"file": file, "is_described": output.is_json}
            rows, reading = plan_file(options, confidence)
            counts = reading.counts
            has_events = reading.groups[0].has_events
            headings = head_above_zero(SAMPLE_COLUMNS, has_events=has_events)
            order = list(SAMPLE_COLUMNS)
    answer = Answer(
        command="plan",
        rows=rows,
        order=order,
        counts=counts,
        confidence_level=confidence,
        headings=headings,
    )
    write_answer(answer, output)


for _parameter in plan.params:
    if _parameter.name in {"file", "estimate"}:
        _parameter.required = False  # a plan from numbers has neither


def refuse_given(options: Mapping[str, Any], names: Sequence[str], where: str) -> None:
    """Raise if one of some options is given, which requires something else."""
    for name in names:
        unset = (0.0,) if name == "margin" else (None, (), "two-sided")
        if options[name] not in unset:
            raise CapcurveError(f"--{name.replace('_', '-')} requires {where}")


def plan_numbers(options: Mapping[str, Any], confidence: float) -> IntervalPlan | PowerPlan:
    """Plan an interval, or a test if there is a second AR or a power."""
    if options["event_rate"] is None:
        raise CapcurveError(
            "a plan requires FILE or --event-rate, got neither; add one of them"
        )
    assumed: dict[str, Any] = {
        "event_rate": options["event_rate"],
        "n_events": options["n_events"],
        "spread": parse_spread(options["spread"]),
        "confidence_level": confidence,
    }
    is_interval = options["second_ar"] is None and options["power"] is None
    if is_interval and options["ar"] is None:
        raise CapcurveError("a plan of an interval requires --ar, got none; add --ar AR")
    if not is_interval and assumed["spread"] is None:
        raise CapcurveError(
            f"--spread {ANY_SPREAD} applies to an interval, got a test; pass a number"
        )
    if is_interval:
        test = "a test, got neither --second-ar nor --power; add one of them"
        refuse_given(options, OF_TESTS, test)
        return plan_interval(options["ar"], half_width=options["half_width"], **assumed)
    interval = "an interval, got --second-ar or --power of a test; leave them out"
    refuse_given(options, ["half_width"], interval)
    ratio = options["events_ratio"]
    return plan_test(
        options["ar"],
        options["second_ar"],
        power=options["power"],
        correlation=options["correlation"],
        events_ratio=1.0 if ratio is None else ratio,
        alternative=options["alternative"],
        margin=options["margin"],
        **assumed,
    )


def parse_spread(text: str | None) -> float | None:
    """Parse the ratio of standard deviations; None stands for any."""
    if text == ANY_SPREAD:
        return None
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        raise CapcurveError(
            f"--spread must be a number or the word {ANY_SPREAD}, got {text!r}; 1 means "
            "that scores of events and non-events have the same standard deviation"
        ) from None


def list_plan(found: IntervalPlan | PowerPlan) -> dict[str, Any]:
    """List the numbers of a plan, with the number of rows; none that do not apply."""
    cells = found.to_dict() | {"n": found.n_events + found.n_nonevents}
    if not cells.get("n_events_second", 1):
        del cells["n_events_second"], cells["n_nonevents_second"]
    return cells


def plan_file(options: dict[str, Any], confidence: float) -> tuple[list[Row], Reading]:
    """Plan from the rows of a file, by group, for each score and each pair of scores."""
    power = options["power"]
    question = SampleQuestion(
        Hypothesis(options["alternative"], options["margin"], confidence),
        USUAL_POWER if power is None else power,
        difference=options["difference"],
        half_width=options["half_width"],
        n_events=options["n_events"],
    )
    check_sample_question(question)
    of_file = {
        name: value for name, value in options.items() if name not in {*ASSUMED, *ASKED}
    }
    reading = read_scored_rows(FileOptions(**of_file), notify)
    rows = []
    few, dominated, undefined = list[str](), list[str](), list[str]()
    for group, members in groupby(reading.groups, key=lambda scored: scored.group):
        defined = [scored for scored in members if scored.curve is not None]
        for scored in [*((each,) for each in defined), *combinations(defined, 2)]:
            refuse_labels(scored)
            found, misranked = make_sample_plan([each.columns for each in scored], question)
            rows.append(Row(group, list_sample_plan(scored, found)))
            if isnan(misranked):
                undefined.append(scored[0].label)
            elif misranked < FEWEST_MISRANKED:
                few.append(scored[0].label)
            elif is_dominated(found):
                dominated.append(scored[0].label)
    for reason, labels in (
        ("no variance to plan from", undefined),
        (explain_few(is_amount=not reading.groups[0].has_events), few),
        (explain_dominated(), dominated),
    ):
        if labels:
            notify(f"capcurve: note: {reason}: {'; '.join(dict.fromkeys(labels))}")
    return rows, reading


def refuse_labels(scored: Sequence[ScoredRows]) -> None:
    """Raise for a score of one of several class labels."""
    if scored[0].level is not None:
        raise CapcurveError(
            "plan requires an outcome with two class labels, got a score for each of "
            "several; pass one label as --pos-label"
        )


def list_sample_plan(scored: Sequence[ScoredRows], found: SamplePlan) -> dict[str, Any]:
    """List what a sample can show, and what was asked for."""
    names = [each.estimate for each in scored]
    cells = {
        "estimate_a": names[0],
        "estimate_b": names[1] if len(names) > 1 else "",
        "difference" if len(names) > 1 else "accuracy_ratio": found.value,
        "std_error": found.standard_error,
        "half_width": found.half_width,
        "detectable_difference": found.detectable_difference,
        "n_events": found.n_events,
        "n": found.n_events + found.n_nonevents,
    }
    if not isnan(found.difference):
        cells["power_for_difference"] = found.power_for_difference
        cells["events_for_difference"] = found.events_for_difference
    if not isnan(found.wanted_half_width):
        cells["events_for_half_width"] = found.events_for_half_width
    return cells
