"""The command ``capcurve compare``: tests of pairs of scores, and against initial AUC."""

from collections.abc import Mapping, Sequence
from typing import Any

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.compared_gates import judge_against, judge_decreases, judge_pairs
from capcurve._cli.count_headings import head_initial, head_pairs
from capcurve._cli.gate_options import fail_on, gate_options
from capcurve._cli.help import add_options, command
from capcurve._cli.options import (
    FILE_OPTIONS,
    TEST_OPTIONS,
    confidence_option,
)
from capcurve._cli.output_options import Output, output_options
from capcurve._cli.pair_rows import (
    RARE_TEST_COLUMNS,
    TEST_COLUMNS,
    make_initial_rows,
    make_pair_rows,
)
from capcurve._cli.report_options import INITIAL_PER_MODEL, parse_per_model
from capcurve._cli.request import FileOptions, read_scored_rows
from capcurve._cli.samples import (
    SAMPLE_COLUMNS,
    SAMPLE_OPTIONS,
    SampleRequest,
    make_sample_rows,
)
from capcurve._cli.streams import notify, notify_warnings
from capcurve._inference.comparison import Hypothesis, check_hypothesis
from capcurve._inference.options import Alternative, TestMethod
from capcurve._input.options import check_fraction
from capcurve._report.gate_limits import GateLimits
from capcurve._report.gates import judge_left_out
from capcurve._report.options import InitialValues, find_initial_values
from capcurve._report.scored import ScoredRows
from capcurve.exceptions import CapcurveError

OF_CLASSES = (
    "capcurve: note: the gAUC of now is that of the amounts themselves; one of classes, "
    "such as LGD grades, is another number, which `somers_d_from_table` gives in Python"
)


@command(names_data=True)
@add_options(FILE_OPTIONS)
@confidence_option
@add_options(TEST_OPTIONS)
@add_options(SAMPLE_OPTIONS)
@add_options(INITIAL_PER_MODEL)
@gate_options(tests=True)
@output_options
def compare(
    output: Output,
    limits: GateLimits,
    confidence: float,
    initial_auc: tuple[str, ...],
    initial_variance: tuple[str, ...],
    *,
    method: TestMethod,
    share: float | None,
    alternative: Alternative,
    margin: float,
    **options: Any,
) -> None:
    """Test whether scores have the same AR, a row for each pair.

    With --against, whether a score has the same AR in two samples: those of two files, or
    of the values of a column (--sample); of loans in both, only --cluster tells. With
    --initial-auc, whether AUC has decreased. Reads all rows into memory. p_holm counts all
    pairs and groups that are printed.

    Example: capcurve compare loans.csv --truth default --estimate champion_pd
    --estimate challenger_pd
    """
    hypothesis = Hypothesis(alternative, margin, confidence)
    check_hypothesis(hypothesis)
    if share is not None:
        check_fraction(share, "share", above_zero=True)
    sample, against = options.pop("sample"), options.pop("against")
    if against is not None or sample is not None:
        refuse_other_tests(limits, method, has_initial=bool(initial_auc))
        refuse_sample_gates(limits, hypothesis)
        request = SampleRequest(sample, against, share, hypothesis)
        described = FileOptions(**options, is_described=output.is_json)
        write_samples(described, request, limits, output)
        return
    initial = parse_initial(initial_auc, initial_variance, options["estimate"])
    refuse_contradictions(hypothesis, initial, options["estimate"])
    refuse_gates(limits, alternative, has_initial=bool(initial))
    if share is not None and (initial or method != "score"):
        other = "--initial-auc" if initial else "--method"
        raise CapcurveError(
            f"{other} is about AR and AUC, got --share too; leave one of them out"
        )
    reading = read_scored_rows(
        FileOptions(
            **options,
            is_described=output.is_json,
            may_be_undefined=limits.on_undefined == "skip",
        ),
        notify,
    )
    with notify_warnings():
        if not initial:
            rows = make_pair_rows(reading.groups, share, hypothesis, method)
            gates = judge_pairs(rows, reading, limits)
        else:
            notify_of_initial(reading.groups, options["estimate"], initial)
            rows = make_initial_rows(reading.groups, initial, confidence)
            gates = judge_decreases(rows, reading, limits)
        answer = Answer(
            command="compare",
            rows=rows,
            order=TEST_COLUMNS,
            rare=RARE_TEST_COLUMNS,
            counts=reading.counts,
            confidence_level=confidence,
            method=None if initial or share is not None else method,
            gates=[*gates, *judge_left_out(reading.counts.to_dict(), limits)],
            headings=head_initial(reading.groups)
            if initial
            else head_pairs(reading.groups),
        )
        write_answer(answer, output)
    fail_on(answer.gates)


def write_samples(
    options: FileOptions, request: SampleRequest, limits: GateLimits, output: Output
) -> None:
    """Write the tests of samples without common rows."""
    rows, counts, headings = make_sample_rows(options, request)
    gates = judge_against(rows, limits) + judge_left_out(counts.to_dict(), limits)
    answer = Answer(
        command="compare",
        rows=rows,
        order=SAMPLE_COLUMNS,
        rare=RARE_TEST_COLUMNS,
        counts=counts,
        confidence_level=request.hypothesis.confidence_level,
        method="two samples",
        gates=gates,
        headings=headings,
    )
    write_answer(answer, output)
    fail_on(gates)


def parse_initial(
    aucs: Sequence[str], variances: Sequence[str], estimates: Sequence[str]
) -> dict[str, InitialValues]:
    """Parse the initial AUC of each score; a plain number is the champion's."""
    return find_initial_values(
        parse_per_model("--initial-auc", aucs),
        parse_per_model("--initial-variance", variances),
        estimates,
    )


def notify_of_initial(
    scored_groups: Sequence[ScoredRows],
    estimates: Sequence[str],
    initial: Mapping[str, InitialValues],
) -> None:
    """Name the scores whose initial AUC was not given; tell gAUC from that of classes."""
    if not scored_groups[0].has_events:
        notify(OF_CLASSES)
    untested = [repr(name) for name in estimates if name not in initial]
    if untested:
        notify(
            f"capcurve: note: {', '.join(untested)} not tested, as only the AUC of "
            f"{', '.join(map(repr, initial))} was given; add --initial-auc NAME=AUC"
        )


def refuse_other_tests(
    limits: GateLimits, method: TestMethod, *, has_initial: bool
) -> None:
    """Raise for what applies to other tests than those of two samples."""
    if has_initial:
        raise CapcurveError(
            "--initial-auc and --against are different tests, got both; leave one of them "
            "out"
        )
    if method != "score":
        raise CapcurveError(
            f"--against compares samples by the score method, got --method {method}; leave "
            "it out"
        )
    if limits.fail_if_challenger_better is not None:
        raise CapcurveError(
            "--fail-if-challenger-better is about pairs of scores, got --against; use "
            "--fail-if-worse-than-initial, to which the reference is the initial sample"
        )


def refuse_sample_gates(limits: GateLimits, hypothesis: Hypothesis) -> None:
    """Raise for a gate on the change between samples whose test asks something else."""
    alternative, margin = hypothesis.alternative, hypothesis.margin
    is_judged = limits.fail_if_worse_than_initial is not None
    if is_judged and (alternative == "greater" or margin):
        other = f"--margin {margin:g}" if margin else f"--alternative {alternative}"
        raise CapcurveError(
            "--fail-if-worse-than-initial requires the alternative two-sided or less (the "
            f"reference ranks better) without a margin, got {other}; leave it out"
        )


def refuse_gates(
    limits: GateLimits, alternative: Alternative, *, has_initial: bool
) -> None:
    """Raise for a gate on a test that is not made."""
    if limits.fail_if_worse_than_initial is not None and not has_initial:
        raise CapcurveError(
            "--fail-if-worse-than-initial requires --initial-auc, which was not given; add "
            "--initial-auc AUC"
        )
    if limits.fail_if_challenger_better is None:
        return
    if has_initial:
        raise CapcurveError(
            "--fail-if-challenger-better is about pairs of scores, got --initial-auc; run "
            "compare twice, or report, which makes both tests"
        )
    if alternative not in {"two-sided", "less"}:
        raise CapcurveError(
            "--fail-if-challenger-better requires the alternative two-sided or less (the "
            f"first score ranks worse), got --alternative {alternative}; leave it out"
        )


def refuse_contradictions(
    hypothesis: Hypothesis,
    initial: Mapping[str, InitialValues],
    estimates: Sequence[str],
) -> None:
    """Raise if the options of a test do not belong together."""
    if not initial:
        if len(estimates) == 1:
            raise CapcurveError(
                "compare requires two or more scores, --against or --initial-auc, got one "
                "--estimate; add another --estimate, --against or --initial-auc"
            )
    elif hypothesis.alternative != "two-sided":
        raise CapcurveError(
            "--initial-auc tests for a decrease, got --alternative "
            f"{hypothesis.alternative}; leave one of them out"
        )
