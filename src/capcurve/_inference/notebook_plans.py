"""HTML views of plans for notebooks."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from capcurve._inference.notebook import list_degrees, name_classes
from capcurve._inference.wording import (
    format_level,
    format_model,
    format_need,
    format_test,
    is_of_amounts,
    name_counted,
)
from capcurve._view import (
    Column,
    make_head,
    make_numbers,
    make_table,
    make_view,
    write_number,
    write_share,
)

if TYPE_CHECKING:
    from capcurve._inference.plans import IntervalPlan, PowerPlan, SamplePlan


def view_interval_plan(plan: IntervalPlan) -> str:
    """Show the interval that a sample size leads one to expect."""
    low, high = write_number(plan.low), write_number(plan.high)
    model = "largest variance" if plan.spread is None else format_model(plan.spread)
    ratio, half_width = map(write_number, (plan.accuracy_ratio, plan.half_width))
    head = make_head(
        f"AR {ratio}, half-width {half_width}",
        f", expected {format_level(plan.confidence_level)} interval {low} to {high}",
    )
    numbers = {
        **list_sizes(plan.n_events, plan.n_nonevents),
        "Event rate": write_share(plan.event_rate),
        "Model": model,
    }
    return make_view(head, make_numbers(numbers))


def view_power_plan(plan: PowerPlan) -> str:
    """Show the power of a test at the planned size."""
    first, second = write_number(plan.first), write_number(plan.second)
    head = make_head(
        f"Power {write_share(plan.power)}",
        f", AR difference {write_number(plan.difference)} ({first} - {second}), "
        f"{format_test(plan.alternative, plan.margin, plan.confidence_level)}",
    )
    samples = [(plan.n_events, plan.n_nonevents)]
    design = {"Event rate": write_share(plan.event_rate)}
    if plan.correlation is None:
        samples.append((plan.n_events_second, plan.n_nonevents_second))
        sizes = make_table(list_samples(samples))
    else:
        sizes = make_numbers(list_sizes(*samples[0]))
        design["Correlation of the scores"] = f"{plan.correlation:g}"
    design["Model"] = format_model(plan.spread)
    return make_view(head, sizes, make_numbers(design))


def list_samples(samples: list[tuple[int, int]]) -> list[Column]:
    """List the sizes of independent samples, as columns of a table."""
    names = ["first", "second"]
    sizes = [list_sizes(*sample) for sample in samples]
    return [
        Column("Sample", names, is_text=True),
        *(Column(name, [each[name] for each in sizes]) for name in sizes[0]),
    ]


def view_sample_plan(plan: SamplePlan) -> str:
    """Show what a sample can show, and what more events would."""
    power = f"{100 * plan.power:.4g} %"
    is_amount = is_of_amounts(plan)
    counted = name_counted(is_amount=is_amount).capitalize()
    numbers = {
        **list_sizes(plan.n_events, plan.n_nonevents, is_amount=is_amount),
        "Standard error": write_number(plan.standard_error),
        **list_degrees(plan.degrees_of_freedom),
        f"Difference found with power {power}": write_number(plan.detectable_difference),
        "Test": format_test(plan.alternative, plan.margin, plan.confidence_level),
    }
    if not isnan(plan.difference):
        difference = f"{plan.difference:g}"
        numbers[f"Power for the difference {difference}"] = write_share(
            plan.power_for_difference
        )
        numbers[f"{counted} for power {power}"] = format_need(
            plan.events_for_difference, is_amount=is_amount
        )
    if not isnan(plan.wanted_half_width):
        wanted = f"{plan.wanted_half_width:g}"
        numbers[f"{counted} for the half-width {wanted}"] = format_need(
            plan.events_for_half_width, is_amount=is_amount
        )
    value, half_width = map(write_number, (plan.value, plan.half_width))
    head = make_head(
        f"{plan.name} {value}, half-width {half_width}",
        f" at {format_level(plan.confidence_level)}",
    )
    return make_view(head, make_numbers(numbers))


def list_sizes(
    n_events: int, n_nonevents: int, *, is_amount: bool = False
) -> dict[str, str]:
    """List planned numbers of events, of non-events and of all rows."""
    counted, rest = name_classes(is_amount=is_amount)
    return {
        counted: f"{n_events:,}",
        rest: f"{n_nonevents:,}",
        "Rows": f"{n_events + n_nonevents:,}",
    }
