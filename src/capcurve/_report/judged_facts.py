"""Facts of a report that can be judged by gates."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

from capcurve._report.gate_limits import GateLimits, OnUndefined
from capcurve._report.gates import Gate, describe_gates
from capcurve._report.gates_of_report import judge_report
from capcurve._report.options import Facts
from capcurve._report.provenance import OF_QUERY


@dataclass(frozen=True, eq=False)
class JudgedFacts:
    """Facts of a report, and the verdicts of gates on them."""

    facts: Facts

    @property
    def gates(self) -> tuple[Gate, ...]:
        """Verdicts on the limits of `with_gates`; empty without limits."""
        return tuple(Gate(**gate) for gate in self.facts.get("gates", ()))

    def with_gates(
        self,
        *,
        fail_below: float | None = None,
        fail_on_lower_bound: bool = False,
        fail_if_worse_than_initial: float | None = None,
        fail_if_challenger_better: float | None = None,
        fail_if_left_out: float | None = None,
        min_events: int | None = None,
        on_undefined: OnUndefined = "fail",
    ) -> Self:
        """Return the same report with verdicts on limits, which all its formats show.

        The champion is judged on all rows and in each segment, not in each period.

        Parameters
        ----------
        fail_below : float, default=None
            Smallest AR that passes, from -1 to 1. If scores share bins, the guaranteed
            lower bound of AR must reach it; with a limit within the bounds, AR counts as
            undefined.
        fail_on_lower_bound : bool, default=False
            Whether ``fail_below`` is about the lower confidence limit of AR.
        fail_if_worse_than_initial : float, default=None
            Significance level of the test that AUC decreased since initial validation: the
            two-sample test if there is an ``initial_variance``, otherwise the ECB's. Each
            model with an ``initial_auc`` is judged.
        fail_if_challenger_better : float, default=None
            Significance level at which a challenger with a higher AR fails the champion.
            Its p-value is two-sided and adjusted by Holm's method.
        fail_if_left_out : float, default=None
            Largest share of the rows that may be left out, from 0 to 1, for whatever
            reason: a missing value, or a weight of 0.
        min_events : int, default=None
            Results of fewer events count as undefined. Events are counted as they are, not
            as what they come down to by weight or cluster.
        on_undefined : {'fail', 'skip'}, default='fail'
            Whether an undefined result fails or is not judged.

        Returns
        -------
        Report
            Its ``gates`` are the verdicts; ``facts["gates"]`` are the same as dicts.

        Raises
        ------
        CapcurveError
            If a limit is out of range; if the report has no test of that kind; or if
            ``min_events`` is given and rows were binned with weights or amounts, so that
            nobody knows how many events there are.

        Examples
        --------
        >>> import polars as pl
        >>> from capcurve import report
        >>> from capcurve.datasets import make_portfolio
        >>> found = report(pl.DataFrame(make_portfolio()), "default", "champion_pd")
        >>> [gate.passed for gate in found.with_gates(fail_below=0.5).gates]
        [True]
        """
        limits = GateLimits(
            fail_below=fail_below,
            fail_on_lower_bound=fail_on_lower_bound,
            fail_if_worse_than_initial=fail_if_worse_than_initial,
            fail_if_challenger_better=fail_if_challenger_better,
            fail_if_left_out=fail_if_left_out,
            min_events=min_events,
            on_undefined=on_undefined,
        )
        gates = describe_gates(judge_report(self.facts, limits))
        provenance = add_to_call(self.facts["provenance"], limits)
        facts = {**self.facts, "gates": gates, "provenance": provenance}
        return replace(self, facts=facts)


def add_to_call(provenance: Facts, limits: GateLimits) -> Facts:
    """Add the limits to the call that makes the same report again."""
    call = provenance["call"]
    if call is None:
        return provenance
    given = ", ".join(
        f"{each.name}={getattr(limits, each.name)!r}"
        for each in fields(limits)
        if getattr(limits, each.name) != each.default
    )
    comment = OF_QUERY if call.endswith(OF_QUERY) else ""
    call = f"{call.removesuffix(OF_QUERY)}.with_gates({given}){comment}"
    return {**provenance, "call": call}
