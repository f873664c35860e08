"""The door for queries: Polars lazy and DuckDB; direct, exact in bins, and with bounds."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import polars as pl
import pyarrow.parquet as pq

from capcurve import BinnedCurve, Bounded, CapCurve, gain_capture, gain_curve, gains_table
from fuzz import oracle
from fuzz.cases import Case
from fuzz.checks import Checker
from fuzz.containers import columns_of, make_arrow, make_polars
from fuzz.frames import (
    arguments,
    check_capture,
    check_columns,
    check_curves,
    check_keys,
    check_tables,
    choose_bands,
    is_undefined_as_a_whole,
    label_column,
    list_shown,
)
from fuzz.oracle import Rows
from fuzz.tables import Group, draw_table, read_group, split_groups

THRESHOLD = "capcurve._engines.plan.MAX_DIRECT_ROWS"
GRANTED = "capcurve._engines.plan.FREE_SHARE"


def draw_queries(rng: random.Random, profile: str) -> Case:
    return draw_table(rng, profile, frames=False)


@cache
def connect() -> duckdb.DuckDBPyConnection:
    """Open DuckDB once, as opening takes longer than most queries here."""
    return duckdb.connect()


@contextmanager
def open_query(case: Case) -> Iterator[tuple[str, Any]]:
    """Make a query of one of the engines, on rows in memory or in a Parquet file."""
    is_polars, is_stored = case.choice % 2 == 1, case.choice // 16 % 3 == 0
    data: Any = make_polars(case) if is_polars else make_arrow(case)
    if not is_stored:
        yield (
            ("polars", data.lazy()) if is_polars else ("duckdb", connect().from_arrow(data))
        )
        return
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "data.parquet")
        if is_polars:
            data.write_parquet(path)
            yield "polars parquet", pl.scan_parquet(path)
        else:
            pq.write_table(data, path)
            yield "duckdb parquet", connect().read_parquet(path)


def check_queries(case: Case) -> Checker:
    """Check one of the plans, and one score by itself."""
    checker = Checker(case)
    groups = sort_groups(split_groups(case))
    with open_query(case) as (engine, query):
        if case.levels is not None:
            check_direct(checker, engine, query, groups)
            return checker
        plans = (check_direct, check_in_bins, check_bounds, check_in_one_scan)
        plans[case.choice // 2 % len(plans)](checker, engine, query, groups)
        if not case.by and case.refusal is None:
            check_single(checker, engine, query)
    return checker


def check_direct(checker: Checker, engine: str, query: Any, groups: list[Group]) -> None:
    """Compare exact results of distinct rows that the engine hands over."""
    check_capture(checker, f"{engine} gain_capture", query, groups)
    check_curves(checker, f"{engine} gain_curve", query, groups)
    check_tables(checker, f"{engine} gains_table", query, groups)


def check_in_bins(checker: Checker, engine: str, query: Any, groups: list[Group]) -> None:
    """Compare exact results of pairs that the engine counts, as it does for many rows."""
    case, what = checker.case, f"{engine} gain_capture in bins"
    with patch(THRESHOLD, 0), patch(GRANTED, 0):
        if case.refusal is None and not any(group.rows for group in groups):
            checker.expect_refusal(what, gain_capture, query, **arguments(case))
        else:
            check_capture(checker, what, query, groups)


def check_in_one_scan(
    checker: Checker, engine: str, query: Any, groups: list[Group]
) -> None:
    """Check bounds of bins that are made in one scan, as for many complete events."""
    with patch(THRESHOLD, 0), patch(GRANTED, 0):
        check_bounds(checker, f"{engine} one scan", query, groups)


def sort_groups(groups: list[Group]) -> list[Group]:
    """Sort groups as the results of queries are: by their keys, null last."""
    return sorted(groups, key=lambda group: [(key is None, key or 0) for key in group.keys])


# -- Bounds --------------------------------------------------------------------------------


def check_bounds(checker: Checker, what: str, query: Any, groups: list[Group]) -> None:
    """Check that the bounds of every verb hold the exact numbers."""
    case = checker.case
    asked = {**arguments(case), "approx": True}
    if case.is_counted:  # bins are of rows, weighted or not
        asked["case_weights"] = asked.pop("counts")
    if case.refusal is None and not any(group.rows for group in groups):
        checker.expect_refusal(what, gain_capture, query, **asked)
        return
    what = f"{what} approx"
    present = [group for group in groups if group.rows]
    ratios = checker.ask(f"{what} gain_capture", gain_capture, query, **asked)
    if ratios is not None:
        check_bounded_ratios(
            checker, f"{what} gain_capture", columns_of(ratios.value), groups
        )
    curves = checker.ask(f"{what} gain_curve", gain_curve, query, **asked)
    if curves is not None:
        check_bounded_curves(
            checker, f"{what} gain_curve", columns_of(curves.value), present
        )
    shown = list_shown(case, groups) if case.refusal is None else []
    bands: Any = choose_bands(case, shown[0][2])[0] if shown else 10
    if bands == "scores":  # with bins, a band for each bin
        bands = 3
    tables = checker.ask(f"{what} gains_table", gains_table, query, bands=bands, **asked)
    if tables is not None:
        check_bounded_tables(
            checker, f"{what} gains_table", columns_of(tables.value), shown, bands
        )


def check_bounded_ratios(
    checker: Checker, what: str, found: dict[str, list[Any]], groups: list[Group]
) -> None:
    case = checker.case
    label = label_column(case)
    names = [*case.by, *([label] if label else []), "metric", "estimator", "estimate"]
    places = [(group, name) for group in groups for name in case.estimates]
    if not check_columns(checker, what, found, [*names, "lower", "upper"], len(places)):
        return
    for row, (group, name) in enumerate(places):
        at = f"{what} {group.keys} {name}"
        check_keys(checker, at, found, row, group)
        exact = oracle.accuracy_ratio(read_group(case, group, name))
        bounds = [found[column][row] for column in ("estimate", "lower", "upper")]
        check_bounded(checker, at, Bounded(*bounds), exact)


def check_bounded(
    checker: Checker, what: str, got: Bounded, exact: Fraction | None
) -> None:
    """Check that bounds hold the exact number, and the estimate."""
    if exact is None:
        for name in got._fields:
            checker.near(f"{what} {name}", getattr(got, name), None)
        return
    checker.within(f"{what} estimate", got.value, got.low, got.high)
    checker.within(f"{what} exact", exact, got.low, got.high)


def check_bounded_curves(
    checker: Checker, what: str, found: dict[str, list[Any]], groups: list[Group]
) -> None:
    """Check that each point of a curve of bins lies on the exact curve."""
    case, label = checker.case, label_column(checker.case)
    columns = [found[name] for name in (*case.by, *([label] if label else []))]
    keys = list(zip(*columns, strict=True)) or [()] * len(found["threshold"])
    for group, name, rows in list_shown(case, groups):
        key = (*group.keys, *([name] if label else []))
        at = f"{what} {key}"
        own = [row for row, value in enumerate(keys) if value == key]
        points = [
            (found["population_share"][row], found["capture_rate"][row]) for row in own
        ]
        checker.same(f"{at} ends", (points or [(None,)])[-1][0], 1.0)
        for share, rate in points:
            if rows.curve.masses[-1]:
                checker.point_on(f"{at} rate", share, rate, rows.curve)
            else:
                checker.near(f"{at} rate", rate, None)


def check_bounded_tables(
    checker: Checker,
    what: str,
    found: dict[str, list[Any]],
    shown: list[tuple[Group, str, Rows]],
    bands: Any,
) -> None:
    """Check the bounds of the captured share at the end of each band."""
    row = 0
    for group, name, rows in shown:
        at = f"{what} {group.keys} {name} {bands}"
        edges = (
            [Fraction(band / bands) for band in range(1, bands + 1)]
            if isinstance(bands, int)
            else [*map(Fraction, bands), Fraction(1)]
        )
        for share in edges:
            if row >= len(found["band"]):
                checker.differ(at, f"{row} rows", "more")
                return
            bounds = [found[column][row] for column in ("capture_rate", "lower", "upper")]
            if rows.curve.masses[-1]:
                check_bounded_rate(checker, at, Bounded(*bounds), rows, share)
            row += 1
    checker.same(f"{what} rows", len(found["band"]), row)


def check_bounded_rate(
    checker: Checker, what: str, got: Bounded, rows: Rows, share: Fraction
) -> None:
    """Check that bounds hold the exact captured share, give or take rounding."""
    checker.within(f"{what} estimate", got.value, got.low, got.high)
    moved = checker.share_rounding
    least = rows.curve.rate_at(max(Fraction(0), share - moved))
    most = rows.curve.rate_at(min(Fraction(1), share + moved))
    checker.within(f"{what} low", got.low, -1, most)
    checker.within(f"{what} high", got.high, least, 2)


# -- One score, no groups ------------------------------------------------------------------


def check_single(checker: Checker, engine: str, query: Any) -> None:
    """Compare curves of one score: direct, exact in bins, and in bins."""
    name = checker.case.estimates[-1]
    case = replace(checker.case, estimates=(name,))
    (group,) = split_groups(case)
    rows = read_group(case, group, name)
    data = (query, case.truth, name)
    options = {**case.options, **case.weight_role}
    at = f"{engine} from_frame"
    if is_undefined_as_a_whole(case, [group]):
        checker.expect_refusal(at, CapCurve.from_frame, *data, **options)
        return
    curve = checker.ask(at, CapCurve.from_frame, *data, **options)
    if curve is not None:
        read_statistics(checker, at, curve.value, rows)
    # Bins are of rows, weighted or not.
    options = {**case.options, **({"case_weights": case.weight} if case.weight else {})}
    exact = checker.ask(
        f"{engine} exact bins",
        BinnedCurve.from_frame,
        *data,
        exact_at=case.shares,
        **options,
    )
    if exact is not None:
        check_exact_bins(checker, f"{engine} exact bins", exact.value, rows)
    binned = checker.ask(f"{engine} bins", BinnedCurve.from_frame, *data, **options)
    if binned is not None:
        check_bins(checker, f"{engine} bins", binned.value, rows)


def read_statistics(checker: Checker, what: str, curve: CapCurve, rows: Rows) -> None:
    for name, exact in (
        ("accuracy_ratio", oracle.accuracy_ratio(rows)),
        ("ks", oracle.ks(rows)),
    ):
        answer = checker.ask(f"{what} {name}", getattr, curve, name)
        if answer is not None:
            checker.near(f"{what} {name}", answer.value, exact)


def check_exact_bins(checker: Checker, what: str, binned: BinnedCurve, rows: Rows) -> None:
    """Compare what an engine counted within bins too."""
    case = checker.case
    for name, exact in (
        ("accuracy_ratio", oracle.accuracy_ratio(rows)),
        ("ks", oracle.ks(rows)),
    ):
        answer = checker.ask(f"{what} {name}", getattr, binned, name)
        if answer is not None:
            for part in Bounded._fields:
                checker.near(f"{what} {name} {part}", getattr(answer.value, part), exact)
    bounds = checker.ask(f"{what} tie_bounds", getattr, binned, "tie_bounds")
    if bounds is not None and bounds.value is not None:
        worst, best = oracle.tie_bounds(rows)
        checker.near(f"{what} worst", bounds.value.worst, worst)
        checker.near(f"{what} best", bounds.value.best, best)
    for share in case.shares:
        answer = checker.ask(f"{what} capture_rate_at", binned.capture_rate_at, share)
        if answer is not None:
            for part in Bounded._fields:
                got = getattr(answer.value, part)
                checker.rate_at(
                    f"{what} capture_rate_at({share}) {part}", got, rows.curve, share
                )


def check_bins(checker: Checker, what: str, binned: Any, rows: Rows) -> None:
    """Check that the bounds of every statistic hold the exact one; of a sketch as well."""
    for name, exact in (
        ("accuracy_ratio", oracle.accuracy_ratio(rows)),
        ("ks", oracle.ks(rows)),
    ):
        answer = checker.ask(f"{what} {name}", getattr, binned, name)
        if answer is not None:
            check_bounded(checker, f"{what} {name}", answer.value, exact)
            checker.within(f"{what} {name} possible", answer.value.low, -1, 1)
            checker.within(f"{what} {name} possible", answer.value.high, -1, 1)
    for share in checker.case.shares:
        check_bins_at(checker, what, binned, rows, share)
    check_binned_points(checker, what, binned, rows)


def check_bins_at(
    checker: Checker, what: str, binned: Any, rows: Rows, share: float
) -> None:
    """Check the bounds at a share of the population."""
    at = f"{what} capture_rate_at({share})"
    answer = checker.ask(at, binned.capture_rate_at, share)
    if answer is not None:
        check_bounded_rate(checker, at, answer.value, rows, Fraction(share))
    at = f"{what} lift_at({share})"
    lifted = checker.ask(at, binned.lift_at, share)
    if lifted is not None:
        captured = Bounded(*(share * part for part in lifted.value))
        check_bounded_rate(checker, at, captured, rows, Fraction(share))


def check_binned_points(checker: Checker, what: str, binned: Any, rows: Rows) -> None:
    """Check the bounds of the points of the curve, and of a gains table."""
    points = checker.ask(f"{what} cap_curve", binned.cap_curve)
    if points is not None:
        for share, rate, low, high in zip(*points.value, strict=True):
            bounds = Bounded(rate, low, high)
            check_bounded_rate(checker, f"{what} cap_curve", bounds, rows, Fraction(share))
    table = checker.ask(f"{what} gains_table", binned.gains_table, 4)
    if table is not None:
        for band in range(4):
            rates = [part.capture_rate[band] for part in table.value]
            check_bounded_rate(
                checker, f"{what} table", Bounded(*rates), rows, Fraction((band + 1) / 4)
            )
