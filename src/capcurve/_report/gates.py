"""Gates: limits that a result must keep, for pipelines that stop when one fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any, Literal, NamedTuple

from capcurve._public import public
from capcurve._report.gate_limits import GateLimits
from capcurve._report.gate_numbers import write_beside, write_p_beside
from capcurve._report.model_facts import EXACT
from capcurve._view import make_note, make_numbers, make_view, write_number

NAMES = {
    "fail_below": "AR reaches the limit",
    "fail_if_worse_than_initial": "Not worse than initially",
    "fail_if_challenger_better": "No better challenger",
    "fail_if_left_out": "Few rows left out",
}
EVENT, ROW, ROW_ABOVE_0 = "event", "row", "row above 0"  # what gates count
OF_LOWER_LIMIT = "lower confidence limit"  # how the text of such a gate begins
ONLY_BOUNDS = "is only known to be from"  # in the text of a gate that bounds leave open
# Why a value is undefined although its rows have events and non-events.
NO_INTERVAL = "the rows show no variance, or bins do not hold it"
NO_VARIANCE = "the rows show no variance of the difference"
TESTS = {"ECB": "the ECB's test", "two samples": "the two-sample test"}
Word = Literal["better", "worse"]
FORBIDDEN: Mapping[Word, str] = {
    "better": "fail_if_challenger_better",
    "worse": "fail_if_worse_than_initial",
}
VERDICTS = {False: "failed", None: "not judged", True: "passed"}  # urgent ones first


@public
@dataclass(frozen=True, kw_only=True)
class Gate:
    """The verdict on one number of a result against a limit, read-only.

    Attributes
    ----------
    gate : str
        The option that set the limit: ``'fail_below'``, ``'fail_if_worse_than_initial'``,
        ``'fail_if_challenger_better'`` or ``'fail_if_left_out'``.
    subject : str
        What was judged: the score and its group, or ``'rows'``.
    value : float or None
        AR, its lower confidence limit, a p-value, or the share of the rows that were left
        out; None if it is undefined, as it is with fewer events than ``min_events``.
    limit : float
        Smallest value that passes; of the share that was left out, the largest.
    passed : bool or None
        Whether the value keeps the limit. None if the value is undefined, rests on too few
        events, or has the limit within its guaranteed bounds, and such values are skipped.
    text : str
        The verdict as a clause.

    See Also
    --------
    Report.with_gates : Judges a report.

    Examples
    --------
    >>> import polars as pl
    >>> from capcurve import report
    >>> from capcurve.datasets import make_portfolio
    >>> found = report(pl.DataFrame(make_portfolio()), "default", "champion_pd")
    >>> found.with_gates(fail_below=0.6).gates[0].text
    'accuracy ratio of champion_pd is 0.5727, required is at least 0.6'
    """

    gate: str
    subject: str
    value: float | None
    limit: float
    passed: bool | None
    text: str

    def _repr_html_(self) -> str:
        value = "undefined" if self.value is None else write_number(self.value)
        numbers = {"value": value, "limit": write_number(self.limit)}
        named = {"gate": self.gate, "subject": self.subject, **numbers}
        return make_view(
            make_numbers({**named, "verdict": VERDICTS[self.passed]}), make_note(self.text)
        )


class Judged(NamedTuple):
    """A number to judge.

    Attributes
    ----------
    subject : str
        Score and group.
    value : float or None
        AR, a limit or a p-value; None and nan are undefined.
    n_events : float
        Number of events that it rests on.
    reason : str
        Why the value is undefined, such as no events; empty if that is not known.
    test : str
        Test of a p-value, by its key in `TESTS`; empty if there is only one.
    bounds : tuple of float or None
        Guaranteed bounds of the value, if scores share bins.
    unit : str
        What ``n_events`` counts: events, or of amounts the rows above 0 or all rows.
    effective : str
        What few events come down to, with unequal weights or clusters, such as '13 of 20';
        empty if that is not told.
    """

    subject: str
    value: float | None
    n_events: float
    reason: str = ""
    test: str = ""
    bounds: tuple[float, float] | None = None
    unit: str = EVENT
    effective: str = ""


class Challenge(NamedTuple):
    """The p-value of a challenger or a sample, and by how much its AR is higher.

    The test is two-sided, or one-sided.
    """

    judged: Judged
    gain: float
    is_one_sided: bool = False


def judge_ratios(found: Iterable[Judged], limits: GateLimits) -> list[Gate]:
    """Judge each AR, or each lower confidence limit, against ``fail_below``."""
    if limits.fail_below is None:
        return []
    name = OF_LOWER_LIMIT if limits.fail_on_lower_bound else "accuracy ratio"
    rule = Rule("fail_below", limits.fail_below, limits)
    return [rule.judge(each, f"{name} of {each.subject}", write_beside) for each in found]


def judge_initial(
    found: Iterable[Judged], limits: GateLimits, *, is_adjusted: bool = False
) -> list[Gate]:
    """Judge the p-value of each decrease in AUC since initial validation."""
    level = limits.fail_if_worse_than_initial
    if level is None:
        return []
    rule = Rule("fail_if_worse_than_initial", level, limits)
    p_value = f"p-value{' (Holm)' * is_adjusted}"
    name = f"one-sided {p_value} of the decrease since initial validation of {{}} by {{}}"
    return [
        rule.judge(each, name.format(each.subject, TESTS[each.test]), write_p_beside)
        for each in found
    ]


def judge_changes(found: Iterable[Challenge], limits: GateLimits, word: Word) -> list[Gate]:
    """Judge whether AR is significantly better, or worse, than what it is compared with.

    A better challenger fails, and a sample that is worse than the reference sample.
    """
    gate = FORBIDDEN[word]
    level = getattr(limits, gate)
    if level is None:
        return []
    rule = Rule(gate, level, limits)
    return [judge_change(rule, each, word) for each in found]


def judge_change(rule: Rule, challenge: Challenge, word: Word) -> Gate:
    """Judge the p-value of a change, which passes in the other direction."""
    each, gain, is_one_sided = challenge
    change = gain if word == "better" else -gain
    if rule.is_unjudged(each):
        return rule.judge(each, f"p-value of {each.subject}", write_p_beside)
    if change > 0:
        sides = "one-sided" if is_one_sided else "two-sided"
        name = f"{each.subject}: difference in AR {gain:+.4f}, whose {sides} p-value (Holm)"
        return rule.judge(each, name, write_p_beside)
    text = f"{each.subject}: difference in AR {gain:+.4f}, which is not {word}"
    return Gate(**rule.name(each), passed=True, text=text)


def judge_left_out(rows: Mapping[str, Any], limits: GateLimits) -> list[Gate]:
    """Judge the share of the rows that were left out, for whatever reason."""
    limit = limits.fail_if_left_out
    if limit is None:
        return []
    left_out, read = rows["left_out"], rows["read"]
    share, passed = None, None if limits.on_undefined == "skip" else False
    reason = "no row was read" if left_out == 0 else "binned rows do not hold it"
    text = f"share of rows left out is undefined, as {reason}"
    if read:
        share = left_out / read
        passed = share <= limit
        text = (
            f"share of rows left out is {share:.4g} ({left_out:,} of {read:,}), allowed is "
            f"at most {limit:g}"
        )
    elif passed is None:
        text += ", skipped"
    return [
        Gate(
            gate="fail_if_left_out",
            subject="rows",
            value=share,
            limit=limit,
            passed=passed,
            text=text,
        )
    ]


class Rule(NamedTuple):
    """A limit by the name of its option, and what to do with undefined values."""

    gate: str
    limit: float
    limits: GateLimits

    def judge(self, each: Judged, name: str, write: Callable[[float, float], str]) -> Gate:
        """Judge a value; its name and how it is written beside the limit make the text."""
        undefined = self.explain_undefined(each, write)
        if undefined is None:
            value = float(each.value or 0.0)
            shown = write(value, self.limit)
            text = f"{name} is {shown}, required is at least {self.limit:g}"
            if self.limits.min_events is not None and each.effective:
                text += f"; effectively it rests on {each.effective} events"
            return Gate(**self.name(each), passed=value >= self.limit, text=text)
        if self.limits.on_undefined == "skip":
            text = f"{name} {undefined}, skipped"
            return Gate(**self.name(each), passed=None, text=text)
        if is_undefined(each.value):
            undefined += f", required is at least {self.limit:g}"
        return Gate(**self.name(each), passed=False, text=f"{name} {undefined}")

    def name(self, each: Judged) -> dict[str, Any]:
        """Name the gate, its subject, value and limit."""
        is_known = not (is_undefined(each.value) or self.has_few_events(each))
        return {
            "gate": self.gate,
            "subject": each.subject,
            "value": each.value if is_known else None,
            "limit": self.limit,
        }

    def is_unjudged(self, each: Judged) -> bool:
        """Whether a value is undefined, or counts as such."""
        return self.explain_undefined(each, write_beside) is not None

    def has_few_events(self, each: Judged) -> bool:
        """Whether a value counts as undefined, as it rests on too few events."""
        fewest = self.limits.min_events
        return fewest is not None and each.n_events < fewest

    def explain_undefined(
        self, each: Judged, write: Callable[[float, float], str]
    ) -> str | None:
        """Say why a value is not judged; None if it is."""
        if each.value is None or isnan(each.value):
            return f"is undefined ({each.reason})" if each.reason else "is undefined"
        if self.has_few_events(each):
            noun, _, rest = each.unit.partition(" ")
            plural = "" if each.n_events == 1 else "s"
            events = f"{noun}{plural} {rest}".rstrip()
            return (
                f"is {write(each.value, self.limit)}, but rests on {each.n_events:g} "
                f"{events}, required are at least {self.limits.min_events}"
            )
        if each.bounds is not None and self.is_within(*each.bounds):
            low, high = each.bounds
            return (
                f"{ONLY_BOUNDS} {low:.6g} to {high:.6g}, as scores share bins, required is "
                f"at least {self.limit:g}"
            )
        return None

    def is_within(self, low: float, high: float) -> bool:
        """Whether some order of the rows within bins keeps the limit, and another does not.

        Bounds that differ by rounding alone are those of an exact value.
        """
        return low < self.limit <= high and high - low > EXACT


def is_undefined(value: float | None) -> bool:
    """Whether a value is None or nan."""
    return value is None or isnan(value)


def describe_gates(gates: Sequence[Gate]) -> list[dict[str, Any]]:
    """Return gates as plain dicts."""
    return [asdict(gate) for gate in gates]


def is_unjudged(gates: Sequence[Mapping[str, Any]]) -> bool:
    """Whether no gate was judged, or only that on the rows left out, which says no more."""
    ranks = [gate for gate in gates if gate["gate"] != "fail_if_left_out"]
    return bool(gates) and all(gate["passed"] is None for gate in ranks or gates)


def explain_skipped(gates: Sequence[Mapping[str, Any]]) -> str | None:
    """Say how many gates were skipped; None if none was."""
    n_skipped = sum(gate["passed"] is None for gate in gates)
    if not n_skipped:
        return None
    if n_skipped == len(gates):
        return "all gates were skipped"
    if is_unjudged(gates):
        return "all gates but that of the rows left out were skipped"
    verb = "was" if n_skipped == 1 else "were"
    return f"{n_skipped} of {len(gates)} gates {verb} skipped"


def explain_failures(gates: Sequence[Gate]) -> str:
    """Name all that failed in one line; empty if nothing did."""
    return "; ".join(gate.text for gate in gates if gate.passed is False)


def list_undecided(gates: Sequence[Gate]) -> list[str]:
    """Say which gates were skipped because their limit lies within guaranteed bounds."""
    return [gate.text for gate in gates if gate.passed is None and ONLY_BOUNDS in gate.text]


def name_gate(gate: Mapping[str, Any]) -> str:
    """Name a gate as people do, that on the lower limit of AR too."""
    if gate["text"].startswith(OF_LOWER_LIMIT):
        return f"Lower limit of {NAMES[gate['gate']]}"
    return NAMES[gate["gate"]]


def count_verdicts(gates: Sequence[Mapping[str, Any]]) -> str:
    """Count the verdicts of gates in words, the urgent ones first."""
    found = [gate["passed"] for gate in gates]
    return ", ".join(
        f"{found.count(passed):,} {word}"
        for passed, word in VERDICTS.items()
        if passed in found
    )
