"""The door for arrays: scores, curves, tables and intervals."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from capcurve import (
    CapCurve,
    GainsTable,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    cap_curve,
    capture_rate_interval,
    capture_rate_score,
    ks_interval,
    lift_curve,
    lift_interval,
    lift_score,
    perfect_cap_curve,
    somers_d_interval,
    somers_d_score,
)
from fuzz import oracle
from fuzz.cases import (
    ARRAY_SPOILS,
    BIG_OBJECTS,
    Case,
    draw_case,
    draw_weights,
    spoil,
)
from fuzz.checks import Checker, as_float, as_number, check_points, is_undefined
from fuzz.oracle import Rows


def as_numpy(values: list[Any], storage: str) -> np.ndarray:
    return np.array(values, dtype=object if storage == "str" else storage)


CONTAINERS: tuple[Callable[[list[Any], str], Any], ...] = (
    as_numpy,
    as_numpy,
    as_numpy,
    lambda values, _: list(values),
    lambda values, _: tuple(values),
    lambda values, storage: pd.Series(
        as_numpy(values, storage), index=range(7, 7 + len(values))
    ),
    lambda values, storage: (
        pl.Series(values, dtype=pl.String)
        if storage == "str"
        else pl.Series(as_numpy(values, storage))
    ),
    lambda values, storage: pa.chunked_array(
        [pa.array(values) if storage == "str" else pa.array(as_numpy(values, storage))]
    ),
    lambda values, storage: np.repeat(as_numpy(values, storage), 2)[::2],
)


def contain(case: Case, name: str, turn: int) -> Any:
    """Put a column in one of the containers that a user may hold it in."""
    values, storage = case.columns[name], case.storage[name]
    if storage == "list":
        return values
    container = CONTAINERS[(case.choice // 9**turn) % len(CONTAINERS)]
    if storage == "uint64" and container is CONTAINERS[3]:
        container = as_numpy
    return container(values, storage)


def draw_arrays(rng: random.Random, profile: str) -> Case:
    case = draw_case(rng, profile)
    kind = rng.random()
    if kind < 0.06:
        return spoil(case, rng, ARRAY_SPOILS)
    if kind < 0.12:
        return draw_several_labels(rng, profile)
    if kind < 0.14 and profile == "extreme":
        return draw_objects(case, rng)
    return case


def draw_objects(case: Case, rng: random.Random) -> Case:
    """Hold integers of any size, or decimals, in lists."""
    kind = rng.random()
    if kind < 0.4:
        scores: list[Any] = [2**70 + rng.randint(0, 3) for _ in range(case.n)]
    elif kind < 0.7:
        scores = [rng.choice((2**63, 2**63 + 1, -1)) for _ in range(case.n)]
    else:
        tenth = Decimal("0.1")
        scores = [tenth + rng.randint(0, 3) * Decimal("1e-23") for _ in range(case.n)]
    return replace(
        case,
        columns={**case.columns, "s": scores},
        storage={**case.storage, "s": "list"},
        may=(*case.may, BIG_OBJECTS),
    )


def draw_several_labels(rng: random.Random, profile: str) -> Case:
    """Draw class labels with a column of scores each."""
    n = rng.choice((3, 6, 12, 25) if profile == "ordinary" else (1, 2, 3, 5))
    labels = rng.choice((("a", "b", "c"), (0, 1, 2, 3), (2.5, 7.5), ("é", "", "日本")))
    truth = [rng.choice(labels) for _ in range(n)]
    kind = "float64" if profile == "extreme" or rng.random() < 0.7 else "float32"
    columns = {
        f"s{i}": [round(rng.random(), 1) for _ in range(n)] for i in range(len(labels))
    }
    if kind == "float32":
        columns = {
            name: np.float32(column).astype(float).tolist()
            for name, column in columns.items()
        }
    values: dict[str, list[Any]] = {"y": truth, **columns}
    storage = {"y": "list", **dict.fromkeys(columns, kind)}
    weight = None
    if rng.random() < 0.4:
        weight = "w"
        values["w"], storage["w"] = draw_weights(rng, n)
    options: dict[str, Any] = rng.choice(({}, {"descending": False}))
    return Case(
        columns=values,
        storage=storage,
        meant=truth,
        estimates=tuple(columns),
        weight=weight,
        options={**options, "labels": list(labels)},
        levels=labels,
        choice=rng.randrange(2**16),
    )


def check_arrays(case: Case) -> Checker:
    checker = Checker(case)
    if case.levels is not None:
        check_several_labels(checker)
        return checker
    y, s = contain(case, "y", 0), contain(case, "s", 1)
    options = dict(case.options)
    if case.weight is not None:
        options["sample_weight"] = contain(case, case.weight, 2)
    if case.refusal is not None:
        check_refusals(checker, y, s, options)
        return checker
    rows = oracle.read_rows(
        case.meant, case.columns["s"], case.weights, descending=case.descending
    )
    check_scores(checker, rows, y, s, options)
    check_curves(checker, rows, y, s, options)
    if case.choice % 11 == 0 and not rows.is_constant:
        check_intervals(checker, rows, y, s, options)
    return checker


def check_refusals(checker: Checker, y: Any, s: Any, options: dict[str, Any]) -> None:
    checker.ask("accuracy_ratio_score", accuracy_ratio_score, y, s, **options)
    checker.ask("cap_curve", cap_curve, y, s, **options)
    checker.ask("capture_rate_score", capture_rate_score, y, s, fraction=0.5, **options)
    checker.ask("from_predictions", CapCurve.from_predictions, y, s, **options)
    checker.ask("interval", accuracy_ratio_interval, y, s, **options)


def check_scores(
    checker: Checker, rows: Rows, y: Any, s: Any, options: dict[str, Any]
) -> None:
    """Compare the functions that return a number."""
    case, curve = checker.case, rows.curve
    ratio = checker.ask("accuracy_ratio_score", accuracy_ratio_score, y, s, **options)
    if ratio is not None:
        checker.near("accuracy_ratio_score", ratio.value, oracle.accuracy_ratio(rows))
        checker.warns(
            "accuracy_ratio_score", ratio, UndefinedMetricWarning, due=rows.is_constant
        )
    share = case.shares[case.choice % len(case.shares)]
    for name, function, divisor in (
        ("capture_rate_score", capture_rate_score, 1.0),
        ("lift_score", lift_score, share),
    ):
        answer = checker.ask(name, function, y, s, fraction=share, **options)
        if answer is None:
            continue
        checker.warns(name, answer, UndefinedMetricWarning, due=rows.is_constant)
        if rows.is_constant:
            checker.near(name, answer.value, None)
        else:
            checker.rate_at(name, answer.value * divisor, curve, share)
    if case.storage["y"] not in {"str", "list"}:
        check_somers_d(checker, y, s, options)


def check_somers_d(checker: Checker, y: Any, s: Any, options: dict[str, Any]) -> None:
    """Compare Somers' D, which takes the numbers of the outcome as they are."""
    case = checker.case
    rows = oracle.read_rows(
        case.columns["y"], case.columns["s"], case.weights, descending=case.descending
    )
    taken = {
        name: options[name] for name in ("sample_weight", "descending") if name in options
    }
    answer = checker.ask("somers_d_score", somers_d_score, y, s, **taken)
    if answer is not None:
        checker.near("somers_d_score", answer.value, oracle.somers_d(rows))
        checker.warns(
            "somers_d_score", answer, UndefinedMetricWarning, due=rows.is_constant
        )


def check_curves(
    checker: Checker, rows: Rows, y: Any, s: Any, options: dict[str, Any]
) -> None:
    """Compare curves and the numbers read off them."""
    if rows.is_constant:
        checker.expect_refusal("cap_curve", cap_curve, y, s, **options)
        checker.expect_refusal(
            "from_predictions", CapCurve.from_predictions, y, s, **options
        )
        return
    points = checker.ask("cap_curve", cap_curve, y, s, **options)
    if points is not None:
        check_points(checker, "cap_curve", rows, points.value)
    exact = rows.curve
    lifted = checker.ask("lift_curve", lift_curve, y, s, **options)
    if lifted is not None:
        points = zip(
            lifted.value.population_share.tolist(), lifted.value.lift.tolist(), strict=True
        )
        captured = [share * lift for share, lift in points]
        checker.all_near("lift_curve", captured, exact.rates[1:])
    fewer = checker.ask("bends", cap_curve, y, s, drop_intermediate=True, **options)
    if fewer is not None:
        share, rate, _ = fewer.value
        along = np.interp([float(x) for x in exact.shares], share, rate)
        if np.diff(share).min() > 1e-6:  # where the curve rises steeply, rounding shows
            checker.all_near("drop_intermediate", along, exact.rates)
    check_perfect(checker, rows, y, options)
    curve = checker.ask("from_predictions", CapCurve.from_predictions, y, s, **options)
    if curve is not None:
        check_readings(checker, rows, curve.value)
        if checker.case.choice % 4 == 0:
            check_tables(checker, rows, curve.value)


def check_perfect(checker: Checker, rows: Rows, y: Any, options: dict[str, Any]) -> None:
    taken = {name: value for name, value in options.items() if name != "descending"}
    perfect = rows.perfect
    points = checker.ask("perfect_cap_curve", perfect_cap_curve, y, **taken)
    if points is not None:
        checker.all_near("perfect share", points.value[0], perfect.shares)
        checker.all_near("perfect rate", points.value[1], perfect.rates)


def check_readings(checker: Checker, rows: Rows, curve: CapCurve) -> None:
    """Compare every number of a `CapCurve`."""
    weight, outcome = rows.total_weight, rows.total_outcome
    for name, exact, unit in (
        ("accuracy_ratio", oracle.accuracy_ratio(rows), None),
        ("ks", oracle.ks(rows), None),
        ("total_weight", weight, weight),
        ("total_target", outcome, outcome),
        ("response_rate", outcome / weight, outcome / weight),
    ):
        answer = checker.ask(f"CapCurve.{name}", getattr, curve, name)
        if answer is not None:
            checker.near(f"CapCurve.{name}", answer.value, exact, unit=unit)
    bounds = checker.ask("CapCurve.tie_bounds", getattr, curve, "tie_bounds")
    if bounds is not None:
        worst, best = oracle.tie_bounds(rows)
        checker.near("tie_bounds.worst", bounds.value.worst, worst)
        checker.near("tie_bounds.best", bounds.value.best, best)
    points = checker.ask("CapCurve points", list_points, curve)
    if points is not None:
        check_points(checker, "CapCurve", rows, points.value)
    shares = checker.case.shares
    for share in (0.0, shares[checker.case.choice % len(shares)], 1.0):
        check_readings_at(checker, rows, curve, share)


def list_points(curve: CapCurve) -> tuple[Any, Any, Any]:
    return curve.population_share, curve.capture_rate, curve.thresholds


def check_readings_at(checker: Checker, rows: Rows, curve: CapCurve, share: float) -> None:
    """Compare what is read off a curve at a share of the population or of the outcome."""
    exact = rows.curve
    captured = checker.ask("capture_rate_at", curve.capture_rate_at, share)
    if captured is not None:
        checker.rate_at(f"capture_rate_at({share})", captured.value, exact, share)
    needed = checker.ask("population_share_for", curve.population_share_for, share)
    if needed is not None:
        checker.share_for(f"population_share_for({share})", needed.value, exact, share)
    last = checker.ask("threshold_at", curve.threshold_at, share)
    if last is not None:
        checker.score_at(f"threshold_at({share})", last.value, exact, Fraction(share))
    lifted = checker.ask("lift_at", curve.lift_at, share) if share else None
    if lifted is not None:
        checker.rate_at(f"lift_at({share})", lifted.value * share, exact, share)


def check_tables(checker: Checker, rows: Rows, curve: CapCurve) -> None:
    """Compare a gains table in equal bands, at some shares, or by score."""
    case = checker.case
    count = 1 + case.choice % 11
    ways: tuple[tuple[Any, list[Fraction]], ...] = (
        (count, [Fraction(band / count) for band in range(1, count + 1)]),
        (list(case.shares), [*map(Fraction, case.shares), Fraction(1)]),
        ("scores", rows.curve.shares[1:]),
    )
    bands, edges = ways[case.choice // 4 % len(ways)]
    table = checker.ask(f"gains table {bands}", GainsTable.from_curve, curve, bands)
    if table is not None:
        columns = {name: list(column) for name, column in table.value.to_dict().items()}
        check_bands(checker, f"gains table {bands}", rows, columns, edges)


def check_bands(
    checker: Checker,
    what: str,
    rows: Rows,
    columns: dict[str, list[Any]],
    edges: list[Fraction],
) -> None:
    """Compare every column of a gains table."""
    exact, curve = oracle.gains_table(rows, edges), rows.curve
    total, outcome = rows.total_weight, rows.total_outcome
    checker.same(f"{what} band", list(columns["band"]), list(range(1, len(edges) + 1)))
    if len(columns["n"]) != len(edges):
        return
    for place, band in enumerate(exact):
        got = {name: as_number(column[place]) for name, column in columns.items()}
        at = f"{what}[{place}]"
        checker.near(f"{at} n", got["n"], band.n, unit=total)
        checker.near(f"{at} n_events", got["n_events"], band.n_events, unit=outcome)
        checker.near(f"{at} share", got["population_share"], band.population_share)
        checker.near(f"{at} capture_rate", got["capture_rate"], band.capture_rate)
        checker.near(f"{at} ks", got["ks"], band.ks)
        if band.capture_rate is None:
            checker.near(f"{at} lift", got["lift"], None)
            checker.near(f"{at} band_lift", got["band_lift"], None)
        else:
            checker.near(
                f"{at} lift", got["lift"] * got["population_share"], band.capture_rate
            )
            part = band.n / total  # a band's own rate is rounded as much as it is narrow
            checker.near(
                f"{at} band_lift", got["band_lift"] * float(part), band.n_events / outcome
            )
        checker.near(
            f"{at} rate",
            got["response_rate"] * as_float(band.n),
            band.n_events,
            unit=outcome,
        )
        start = edges[place - 1] if place else Fraction(0)
        checker.score_at(f"{at} lowest", got["lowest_score"], curve, band.population_share)
        checker.score_at(f"{at} highest", got["highest_score"], curve, start, after=True)


# -- Intervals: no exact answer, but what every interval must keep -------------------------

RESAMPLED = {"bootstrap", "bca"}


def check_intervals(
    checker: Checker, rows: Rows, y: Any, s: Any, options: dict[str, Any]
) -> None:
    """Check that estimates lie inside of limits, and limits inside of what is possible."""
    case, ratio = checker.case, oracle.accuracy_ratio(rows)
    curve, share = rows.curve, max(case.shares)
    methods = ["logit-t", "logit", "wald"]
    if not case.has_amounts and not case.is_weighted:
        methods += ["newcombe", "exact"]
    method = [*methods, "bootstrap", "bca"][case.choice % (len(methods) + 2)]
    extra: dict[str, Any] = {"method": method}
    if method in RESAMPLED:
        extra |= {"n_resamples": 60, "random_state": case.choice}
    ask = partial(accuracy_ratio_interval, y, s, **options, **extra)
    check_nested(checker, ask, ratio, (-1, 1))
    if case.storage["y"] not in {"str", "list"}:
        taken = {
            name: value
            for name, value in options.items()
            if name in {"sample_weight", "descending"}
        }
        plain = oracle.read_rows(
            case.columns["y"], case.columns["s"], case.weights, descending=case.descending
        )
        ask = partial(somers_d_interval, y, s, **taken)
        check_nested(checker, ask, oracle.somers_d(plain), (-1, 1))
    if case.has_amounts or case.is_weighted:
        return
    rate, data = curve.rate_at(Fraction(share)), (y, s)
    ask = partial(capture_rate_interval, *data, fraction=share, **options)
    check_nested(checker, ask, rate, (0, 1))
    ask = partial(lift_interval, *data, fraction=share, **options)
    check_nested(checker, ask, rate / Fraction(share), (0, 1 / share))
    ask = partial(ks_interval, *data, **options)
    check_nested(checker, ask, oracle.ks(rows), (0, 1))


def check_nested(
    checker: Checker,
    ask: partial[Any],
    exact: Fraction | None,
    ends: tuple[float, float],
) -> None:
    """Ask for an interval at two levels: the wider one holds the other."""
    method = ask.keywords.get("method", "")
    name = f"{ask.func.__name__} {method}"
    estimates = []
    for level in (0.8, 0.99):
        answer = checker.ask(name, ask, confidence_level=level)
        if answer is None:
            return
        estimates.append(answer.value)
        found = answer.value
        checker.near(f"{name} value", found.value, exact)
        if not is_undefined(found.low) and method not in RESAMPLED:
            checker.within(f"{name} estimate", found.value, found.low, found.high)
        for limit in (found.low, found.high):
            if not is_undefined(limit):
                checker.within(f"{name} limits", limit, *ends)
    inner, outer = estimates
    checker.same(f"{name} has limits", is_undefined(inner.low), is_undefined(outer.low))
    if not is_undefined(inner.low):
        checker.within(f"{name} level", inner.low, outer.low, outer.high)
        checker.within(f"{name} level", inner.high, outer.low, outer.high)


def check_several_labels(checker: Checker) -> None:
    """Compare one against the rest, plain and weighted means."""
    case = checker.case
    scores = np.array([case.columns[name] for name in case.estimates]).T
    scores = scores.astype(case.storage[case.estimates[0]])
    options = dict(case.options)
    if case.weight is not None:
        options["sample_weight"] = contain(case, case.weight, 2)
    columns = {
        label: case.columns[name]
        for label, name in zip(case.levels or (), case.estimates, strict=True)
    }
    for average in ("macro", "weighted"):
        answer = checker.ask(
            average,
            accuracy_ratio_score,
            case.columns["y"],
            scores,
            average=average,
            **options,
        )
        if answer is not None:
            exact = oracle.one_against_the_rest(
                case.meant,
                columns,
                case.weights,
                weighted=average == "weighted",
                descending=case.descending,
            )
            checker.near(average, answer.value, exact)
