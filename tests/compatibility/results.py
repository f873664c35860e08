"""Results as lines of text: a call, and the numbers that it returns.

The inputs are made of integers, without NumPy's random generators, so that no version of
NumPy changes them. Results that are drawn at random, such as the bootstrap, are left out.
"""

import dataclasses
import itertools
import math
import warnings
from importlib.metadata import version

import numpy as np
import polars as pl

import capcurve

N_ROWS = 240
GAP = "  "  # between the parts of a line
# SciPy 1.15 and 1.16 have other last digits of distributions, by 6e-12 at most.
SCIPY = tuple(map(int, version("scipy").split(".")[:2]))
TOLERANCE = 1e-12 if SCIPY >= (1, 17) else 1e-10  # relative, and absolute below 1
SEVERAL = 9  # numbers of an array that are all recorded; of longer ones that many are


# -- Rows ----------------------------------------------------------------------------------


def draw(seed, top):
    """Return whole numbers from 0 to ``top`` - 1, by a linear congruential generator."""
    state, drawn = seed, []
    for _ in range(N_ROWS):
        state = (1_103_515_245 * state + 12_345) % 2**31
        drawn.append((state >> 12) % top)
    return np.array(drawn, dtype=np.int64)


def make_columns():
    """Return columns by the names that calls use; all are exact in binary."""
    score, noise = draw(1, 1024), draw(2, 1024)
    event = (noise < score // 3).astype(int)
    rival = score + draw(3, 512)
    return {
        "event": event,
        "amount": event * (1 + draw(4, 40) + score // 32),
        "loss": np.minimum(draw(5, 9) + score // 128, 16) / 16,
        "score": score / 1024,
        "rival": rival / 2048,
        "third": draw(6, 700) / 1024,
        "grade": score // 128,
        "pd": (1 + score // 4) / 512,
        "weight": (1 + draw(7, 12)) / 4,
        "count": 1 + draw(8, 3),
        "cluster": np.arange(N_ROWS) // 3,
        "segment": np.arange(N_ROWS) % 3,
        "period": 2021 + draw(9, 4),
        "label": (score + draw(10, 900)) // 700,
    }


def make_tables(columns):
    """Return what calls use besides columns."""
    grades = columns["grade"], columns["event"]
    table = pl.DataFrame(dict(zip(("grade", "event"), grades, strict=True)))
    grouped = table.group_by("grade").agg(pl.len().alias("n"), pl.sum("event"))
    lines = grouped.sort("grade").with_columns(pd=(1 + pl.col("grade")) / 16)
    matrix = np.column_stack([columns[name] for name in ("score", "rival", "third")])
    return {
        "np": np,
        "rows": pl.DataFrame(columns),
        "lines": lines,
        "scores": {name: columns[name] for name in ("score", "rival", "third")},
        "pair": {name: columns[name] for name in ("grade", "third")},
        "matrix": matrix / matrix.sum(axis=1, keepdims=True),
        "first": columns["period"] < 2023,
        "last": columns["period"] > 2022,
    }


COLUMNS = make_columns()
NAMES = {name: getattr(capcurve, name) for name in capcurve.__all__}
NAMES |= COLUMNS | make_tables(COLUMNS)


# -- Calls ---------------------------------------------------------------------------------

OUTCOMES = ("event", "amount", "loss")
SCORES = ("score", "grade")
WEIGHTS = ("", "sample_weight=weight", "sample_weight=count, weights='frequency'")
LOW_FIRST = "descending=False"
CONTINUOUS = "target_type='continuous'"


def join(*parts):
    """Join arguments, leaving out those that are empty."""
    return ", ".join(filter(None, parts))


def type_of(outcome):
    """Return the option that says what whole numbers are."""
    return "" if outcome == "event" else CONTINUOUS


def list_calls():
    """Yield each call whose numbers are kept, as Python."""
    for each in (
        list_scores,
        list_curves,
        list_intervals,
        list_tests,
        list_segments,
        list_plans,
        list_frames,
        list_bins,
    ):
        yield from each()


def list_scores():
    """Yield metrics for every kind of outcome, weight and order, with and without ties."""
    grid = itertools.product(OUTCOMES, SCORES, WEIGHTS[:2], ("", LOW_FIRST))
    for outcome, score, weight, order in grid:
        data = join(outcome, score, weight, order, type_of(outcome))
        yield f"accuracy_ratio_score({data})"
        if score == "grade":
            for name in ("capture_rate", "lift", "response_rate"):
                yield f"{name}_score({data}, fraction=0.15)"
    for outcome, weight, order in itertools.product(
        ("label", "loss"), WEIGHTS[:2], ("", LOW_FIRST)
    ):
        yield f"somers_d_score({join(outcome, 'score', weight, order)})"
    for average in ("macro", "weighted"):
        yield f"accuracy_ratio_score(label, matrix, average='{average}')"
    for data in ("pd", "pd, y_score=grade", "pd, sample_weight=weight"):
        yield f"implied_accuracy_ratio_score({data})"
    for weights in ("pairs", "events"):
        data = f"event, score, segment, segment_weights='{weights}'"
        yield f"pooled_accuracy_ratio_score({data})"


def list_curves():
    """Yield points of curves and what is read off them."""
    for data in ("event, score", "event, grade, sample_weight=weight", "loss, grade"):
        yield f"cap_curve({data})"
        yield f"lift_curve({data})"
        outcome, _, *weight = data.split(", ")
        yield f"perfect_cap_curve({join(outcome, *weight)})"
        curve = f"CapCurve.from_predictions({data})"
        for member in (
            "accuracy_ratio",
            "ks",
            "tie_bounds",
            "capture_rate_at([0.05, 0.1, 0.5])",
            "population_share_for([0.5, 0.8])",
            "lift_at([0.05, 0.1, 0.5])",
            "response_rate_at([0.05, 0.1, 0.5])",
            "threshold_at(0.2)",
            "threshold_for(0.8)",
            "at_threshold(0.5)",
            "perfect",
            "response_rate",
        ):
            yield f"{curve}.{member}"
        for bands in ("4", "'scores'") if "grade" in data else ("10",):
            yield f"GainsTable.from_curve({curve}, {bands})"
    yield "CapCurve.from_predictions(event, score).band()"
    yield "random_band(20, 200)"
    yield "random_band(20, 200, kind='simultaneous')"
    yield "DoubleLift.from_predictions(loss, score, rival, bands=4)"


def list_intervals():
    """Yield intervals by every method that draws nothing at random."""
    yield from list_intervals_of_shares()
    for data in (
        "score",
        "grade",
        "grade, sample_weight=weight",
        "grade, clusters=cluster",
    ):
        for method in ("beta", "logit-t", "wald", "logit"):
            yield f"accuracy_ratio_interval(event, {data}, method='{method}')"
    for method in ("newcombe", "exact"):
        for score in SCORES:
            yield f"accuracy_ratio_interval(event, {score}, method='{method}')"
    for data in (
        f"event, grade, {WEIGHTS[2]}",
        "event, score, confidence_level=0.9, descending=False",
        f"amount, score, {CONTINUOUS}",
        "loss, grade, sample_weight=weight",
        "loss, grade, clusters=cluster",
        "label, matrix",
    ):
        yield f"accuracy_ratio_interval({data})"
    yield "accuracy_ratio_interval(event, score).to_auc()"
    for method in ("beta", "logit-t", "wald", "logit"):
        yield f"somers_d_interval(label, score, method='{method}')"
        yield f"somers_d_from_table([[8, 3, 1], [3, 6, 4], [1, 2, 7]], method='{method}')"
    yield "somers_d_interval(loss, grade, sample_weight=weight)"
    yield "somers_d_interval(loss, grade, clusters=cluster)"
    yield "somers_d_interval(loss, grade).to_auc()"


def list_intervals_of_shares():
    """Yield intervals of what the top share holds, and of KS."""
    for name in ("capture_rate", "lift", "response_rate"):
        for data in (
            "event, score",
            "event, grade, sample_weight=weight",
            f"event, grade, {WEIGHTS[2]}",
            "event, grade, clusters=cluster",
            "event, score, descending=False",
            "loss, grade",
        ):
            yield f"{name}_interval({data}, fraction=0.15)"
    for data in ("score", "grade, sample_weight=weight", "score, clusters=cluster"):
        yield f"ks_interval(event, {data})"


def list_tests():
    """Yield tests of two scores, of several, of two samples, and against expectations."""
    for method in ("score", "delong", "delong-t", "eht"):
        yield f"accuracy_ratio_test(event, rival, score, method='{method}')"
        yield f"accuracy_ratio_test_joint(event, scores, method='{method}')"
    for side in ("greater", "less", "equivalent"):
        margin = f"alternative='{side}', margin=0.05"
        yield f"accuracy_ratio_test(event, rival, score, {margin})"
        yield f"capture_rate_test(event, rival, score, fraction=0.2, {margin})"
    for data in (
        "sample_weight=weight",
        WEIGHTS[2],
        "clusters=cluster",
        LOW_FIRST,
        "confidence_level=0.9",
    ):
        yield f"accuracy_ratio_test(event, grade, third, {data})"
        yield f"accuracy_ratio_test_joint(event, pair, {data})"
        yield f"capture_rate_test(event, grade, third, fraction=0.2, {data})"
    yield "accuracy_ratio_test(loss, rival, score)"
    both = ", ".join(
        f"accuracy_ratio_interval(event[{sample}], score[{sample}])"
        for sample in ("first", "last")
    )
    yield f"accuracy_ratio_test_independent({both})"
    for side in ("greater", "equivalent"):
        yield f"accuracy_ratio_test_independent({both}, alternative='{side}', margin=0.02)"
    initial = "accuracy_ratio_interval(event, score), initial_auc=0.8"
    yield f"accuracy_ratio_test_initial({initial})"
    yield f"accuracy_ratio_test_initial({initial}, initial_variance=0.0004)"
    for data in (
        "",
        "shift=False",
        "sample_weight=weight",
        "clusters=cluster",
        "alternative='less'",
        "y_score=grade",
    ):
        yield f"accuracy_ratio_test_implied({join('event', 'pd', data)})"


def list_segments():
    """Yield what is said of segments, of changes, and of other portfolios."""
    for data in ("", "sample_weight=weight", "clusters=cluster", LOW_FIRST):
        yield f"accuracy_ratio_test_segments({join('event', 'score', 'segment', data)})"
        yield f"pooled_accuracy_ratio_interval({join('event', 'grade', 'segment', data)})"
        yield f"accuracy_ratio_change({join('event', 'grade', 'last', data)})"
        yield f"accuracy_ratio_at_reference({join('event', 'grade', 'grade[last]', data)})"
    yield "accuracy_ratio_test_segments(event, score, period, ordered=True)"
    yield "pooled_accuracy_ratio_interval(event, grade, segment, segment_weights='events')"
    yield "accuracy_ratio_change(event, grade, last, shares='known')"
    yield "accuracy_ratio_change(event, score, last, bands=4)"
    yield "accuracy_ratio_change(loss, grade, last)"


def list_plans():
    """Yield plans."""
    yield "plan_interval(0.6, event_rate=0.02, half_width=0.05)"
    yield "plan_interval(0.6, event_rate=0.02, n_events=100, spread=1.2)"
    for data in (
        "0.6, 0.55, power=0.8",
        "0.6, 0.55, n_events=200",
        "None, 0.55, power=0.8, n_events=200",
        "0.6, 0.55, power=0.9, alternative='greater', margin=0.02",
    ):
        yield f"plan_test({data}, event_rate=0.02, correlation=0.7)"
        yield f"plan_test({data}, event_rate=0.02, events_ratio=2)"
    yield "plan_from_sample(event, score, half_width=0.05)"
    yield "plan_from_sample(event, score, rival, difference=0.05)"
    yield "plan_from_sample(event, grade, n_events=500, clusters=cluster)"


def list_frames():
    """Yield what the verbs of data frames return."""
    columns = "rows, 'event', 'grade'"
    pair = "rows, 'event', ['score', 'rival']"
    options = (
        "",
        "by='segment'",
        "case_weights='weight'",
        "by='segment', confidence_level=0.95",
    )
    for data in options:
        yield f"gain_capture({join(columns, data)})"
        yield f"gains_table({join(columns, data, 'bands=3')})"
    yield "gain_capture(lines, None, 'grade', counts='n', events='event')"
    yield "gain_capture_vec(rows['event'], rows['grade'], case_weights=rows['weight'])"
    yield "gain_curve(rows, 'event', 'grade')"
    yield "gain_cut_offs(rows, 'event', 'score', threshold=[0.5, 0.75], by='segment')"
    yield "gain_cut_offs(rows, 'event', 'grade', capture_rate=[0.5, 0.8])"
    share = "population_share=0.2, confidence_level=0.9"
    yield f"gain_cut_offs(rows, 'event', 'grade', {share})"
    for data in (
        "",
        "by='segment'",
        "fraction=0.2",
        "alternative='equivalent', margin=0.05",
    ):
        yield f"compare_models({join(pair, data)})"
    yield "compare_samples(rows, 'event', 'score', 'period', 2021)"
    yield "compare_segments(rows, 'event', 'score', by='segment')"
    yield "summarize_segments(rows, 'event', 'score', by='segment')"
    yield "summarize_segments(rows, 'event', 'score', by='period', ordered=True)"
    yield "compare_implied(rows, 'event', 'pd', by='segment')"
    yield "compare_implied(rows, 'event', 'pd', score='grade')"
    yield "plan_models(rows, 'event', 'score', by='segment', half_width=0.1)"
    yield "gain_capture_change(rows, 'event', 'grade', 'period')"
    yield "gain_capture_at_reference(rows, 'event', 'grade', [0, 3, 5, 7], by='segment')"


def list_bins():
    """Yield guaranteed bounds."""
    for data in ("'event', 'score'", "'loss', 'score', case_weights='weight'"):
        curve = f"BinnedCurve.from_frame(rows, {data})"
        for member in ("accuracy_ratio", "ks", "lift_at(0.1)", "capture_rate_at(0.1)"):
            yield f"{curve}.{member}"


# -- Numbers -------------------------------------------------------------------------------


def list_lines():
    """Yield a line for each call, with the numbers that it returns."""
    for call in list_calls():
        with warnings.catch_warnings(action="ignore"):
            found = eval(call, dict(NAMES))  # noqa: S307 -- our own text
        numbers = dict(read_numbers(found))
        yield GAP.join([call, *(f"{name} {value!r}" for name, value in numbers.items())])


def read_numbers(value, name="="):
    """Yield each number of a result, with the names that lead to it."""
    if isinstance(value, pl.DataFrame):
        value = {column: value[column].to_numpy() for column in value.columns}
    if dataclasses.is_dataclass(value):
        value = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        for key, each in value.items():
            yield from read_numbers(each, str(key) if name == "=" else f"{name}.{key}")
    elif isinstance(value, tuple | list | np.ndarray):
        yield from read_items(value, name)
    elif isinstance(value, int | float | np.number | np.bool):
        yield name, float(value)


def read_items(values, name):
    """Yield the numbers of a short array, or some of a long one and its length."""
    if len(values) > SEVERAL:
        yield f"{name}.length", float(len(values))
    places = np.linspace(0, len(values) - 1, min(len(values), SEVERAL)).astype(int)
    for place in places:
        yield from read_numbers(values[place], f"{name}[{place}]")


def compare(recorded, present):
    """Return the numbers that differ from the recorded ones, and lines with new ones."""
    before, now = (dict(map(read_line, lines)) for lines in (recorded, present))
    breaks = [
        f"{call}: {name} was {value}, is {now.get(call, {}).get(name, 'gone')}"
        for call, numbers in before.items()
        for name, value in numbers.items()
        if not is_same(value, now.get(call, {}).get(name))
    ]
    return breaks, [
        line
        for line, (call, numbers) in zip(present, now.items(), strict=True)
        if numbers.keys() - before.get(call, {}).keys()
    ]


def find_key(line):
    """Return the call that a line is about."""
    return line.split(GAP)[0]


def read_line(line):
    """Read a call and its numbers by name."""
    call, *parts = line.split(GAP)
    pairs = (part.rsplit(" ", 1) for part in parts)
    return call, {name: float(value) for name, value in pairs}


def is_same(before, now):
    """Whether two numbers agree but for rounding."""
    if now is None:
        return False
    return (math.isnan(before) and math.isnan(now)) or math.isclose(
        before, now, rel_tol=TOLERANCE, abs_tol=TOLERANCE
    )
