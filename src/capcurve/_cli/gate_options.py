"""Options of gates, and the exit that a failed one leads to."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, get_args

import click

from capcurve._cli.help import GATES, Decorator, Function, add_options, option
from capcurve._cli.streams import alert, notify
from capcurve._cli.undefined import UndefinedError
from capcurve._report.gate_limits import OF_RESULTS, GateLimits, OnUndefined
from capcurve._report.gates import (
    Gate,
    describe_gates,
    explain_failures,
    explain_skipped,
    is_unjudged,
    judge_left_out,
    list_undecided,
)
from capcurve.exceptions import CapcurveError

RATIO_GATES = (
    option(
        GATES,
        "--fail-below",
        type=float,
        metavar="AR",
        help="Fail if an AR is below this value.",
    ),
    option(
        GATES,
        "--fail-on-lower-bound",
        is_flag=True,
        help="Compare its lower confidence limit instead.",
    ),
)
TEST_GATES = (
    option(
        GATES,
        "--fail-if-worse-than-initial",
        type=float,
        metavar="P",
        help="Fail if AUC decreased: p-value below P.",
    ),
    option(
        GATES,
        "--fail-if-challenger-better",
        type=float,
        metavar="P",
        help="Fail if a later score ranks better: p < P.",
    ),
)
SHARED_GATES = (
    option(
        GATES,
        "--fail-if-left-out",
        type=float,
        metavar="SHARE",
        help="Fail if more rows are left out: 0.05 is 5 %.",
    ),
    option(
        GATES,
        "--min-events",
        type=int,
        metavar="N",
        help="Undefined below N unweighted events.",
    ),
    option(
        GATES,
        "--on-undefined",
        type=click.Choice(get_args(OnUndefined)),
        default="fail",
        metavar="WORD",
        help="fail (default), or skip undefined results.",
    ),
)
NAMES = (
    *("fail_below", "fail_on_lower_bound", "fail_if_worse_than_initial"),
    *("fail_if_challenger_better", "fail_if_left_out", "min_events", "on_undefined"),
)


class LimitFailedError(click.ClickException):
    """A gate failed."""


def take_limits(options: Mapping[str, Any]) -> GateLimits:
    """Take the limits out of the options of a command."""
    given = {name: options[name] for name in NAMES if name in options}
    try:
        return GateLimits(**given)
    except CapcurveError as error:
        *some, last = [f"`{name}`" for name in OF_RESULTS.split("`")[1::2] if name in given]
        offered = f"{', '.join(some)} or {last}" if some else last
        raise CapcurveError(str(error).replace(OF_RESULTS, offered)) from error


def gate_options(*, ratio: bool = False, tests: bool = False) -> Decorator:
    """Return a decorator that adds gates to a command, which gets them as ``limits``."""

    def add(function: Function) -> Function:
        @wraps(function)
        def run(**options: Any) -> None:
            limits = take_limits(options)
            rest = {name: each for name, each in options.items() if name not in NAMES}
            function(limits=limits, **rest)

        chosen = (*(RATIO_GATES if ratio else ()), *(TEST_GATES if tests else ()))
        return add_options((*chosen, *SHARED_GATES))(run)

    return add


@contextmanager
def skip_undefined(limits: GateLimits, outputs: Sequence[Path]) -> Iterator[None]:
    """End a command whose result is undefined as a whole without it, if that is asked for.

    Raise if a file of an earlier run would stay where the result was to be written.
    """
    try:
        yield
    except UndefinedError as problem:
        if not may_be_skipped(problem, limits):
            raise CapcurveError(explain_unskipped(problem, limits)) from problem
        older = [str(path) for path in outputs if path.exists()]
        if older:
            raise CapcurveError(
                f"--output must be of this run, but nothing was made ({problem.reason}), "
                f"so that {' and '.join(older)} of an earlier run would stay; move it "
                "away, or leave --on-undefined skip out"
            ) from problem
        alert(f"capcurve: note: skipped, nothing is written: {problem.reason}")


def may_be_skipped(problem: UndefinedError, limits: GateLimits) -> bool:
    """Whether undefined results are skipped; not if too many rows were left out."""
    return limits.on_undefined == "skip" and not find_failed(problem, limits)


def explain_unskipped(problem: UndefinedError, limits: GateLimits) -> str:
    """Say why a result is undefined, and what keeps it from being skipped, if asked for."""
    failed = find_failed(problem, limits)
    if limits.on_undefined != "skip" or not failed:
        return str(problem)
    return f"{problem}; it is not skipped, as the {failed[0].text}"


def find_failed(problem: UndefinedError, limits: GateLimits) -> list[Gate]:
    """Return the gate on the rows left out, if it fails."""
    gates = [] if problem.rows is None else judge_left_out(problem.rows, limits)
    return [gate for gate in gates if gate.passed is False]


def fail_on(gates: Sequence[Gate]) -> None:
    """Exit with code 1 and a line that names what failed, if anything did.

    Say which gates guaranteed bounds leave open. Say so if no gate was judged, or only that
    on the rows left out, with --quiet, too.
    """
    told = describe_gates(gates)
    for text in list_undecided(gates):
        notify(f"capcurve: note: {text}")
    if is_unjudged(told):
        alert(f"capcurve: note: {explain_skipped(told)}")
    if failures := explain_failures(gates):
        raise LimitFailedError(failures)
