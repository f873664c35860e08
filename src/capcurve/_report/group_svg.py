"""Draw AR with its interval by segment and by period as SVG."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from capcurve._report.options import Facts
from capcurve._report.phrases import say_status
from capcurve._report.ratio_axis import RatioAxis
from capcurve._report.scored import MISSING
from capcurve._report.svg import SIDE, icon, percent, stretched, tag, text

LETTER = 7.2  # pixels of a character
ROW, GAP = 15, 14  # pixels of an interval, and between groups
ABOVE = 12  # further pixels of a group whose name stands above it
BESIDE_LENGTH, ABOVE_LENGTH = 30, 44  # characters of a name
PERIOD_LENGTH = 14
COLUMN, NARROWEST = 9, 3.5  # pixels of an interval in a trend, and the fewest
DENSE = 80  # intervals of a trend, from which they are drawn smaller
SLOT = 30  # pixels that the intervals of a period share
WIDTHS = {"large": 760, "medium": 420, "small": 260}  # least widths of a trend in pixels
PAPER, SMALLEST = 840, 0.45  # pixels of a page, and the smallest scale to fit one
PAPER_WIDTH = 560  # pixels of a trend in print
CROSS = "M-3.5,-10.5 L3.5,-3.5 M-3.5,-3.5 L3.5,-10.5"


@dataclass(frozen=True)
class Groups:
    """The groups of a section, each with a row of facts for every model.

    Attributes
    ----------
    by : str
    names : sequence of str
        Names of the groups, in order.
    rows : sequence of sequence of dict
        Facts of each group and model.
    overall : sequence of float or None
        AR of all rows, for each model.
    """

    by: str
    names: Sequence[str]
    rows: Sequence[Sequence[Facts]]
    overall: Sequence[float | None]

    @property
    def n_models(self) -> int:
        """Number of models."""
        return len(self.overall)

    def choose_axis(self, *, is_across: bool) -> RatioAxis:
        """Choose the axis of AR.

        All values of AR are on it; intervals of few events do not stretch it, and end in
        an arrow, unless there are no others.
        """
        estimates = [
            (row["accuracy_ratio"], row["few_events"])
            for group in self.rows
            for row in group
            if row["accuracy_ratio"] is not None
        ]
        known = [each for each in self.overall if each is not None]
        known += [estimate["value"] for estimate, _ in estimates]
        are_few = all(few for _, few in estimates)
        known += [
            estimate[end]
            for estimate, few in estimates
            for end in ("low", "high")
            if estimate[end] is not None and (are_few or not few)
        ]
        return RatioAxis.around(known, is_across=is_across)


def shorten(name: str, length: int) -> str:
    """Cut the middle of a long name, as names often differ at the end."""
    if len(name) <= length:
        return name
    tail = length // 3
    return f"{name[: length - tail - 1].rstrip()}…{name[-tail:].lstrip()}"


def draw_forest(groups: Groups, label: str) -> str:
    """Draw AR across, with a row for each group and model."""
    n = len(groups.names)
    axis = groups.choose_axis(is_across=True)
    parts = [*axis.draw(), *draw_overall(groups, axis)]
    for place, (name, rows) in enumerate(zip(groups.names, groups.rows, strict=True)):
        middle = percent((place + 0.5) / n)
        inner = "".join(
            draw_row(row, axis, number, spread(number, groups.n_models, ROW))
            for number, row in enumerate(rows)
        )
        parts += [
            text(shorten(name, BESIDE_LENGTH), "0", middle, "beside", dx=-12, dy=4),
            text(shorten(name, ABOVE_LENGTH), "0", percent(place / n), "above", dy=13),
            tag("svg", inner, y=middle, class_="rows", overflow="visible"),
            draw_hit(place, y=percent(place / n), height=percent(1 / n)),
        ]
    longest = max(len(shorten(name, BESIDE_LENGTH)) for name in groups.names)
    height = n * (groups.n_models * ROW + GAP)
    sizes = {
        "beside": f"{24 + longest * LETTER:.0f}px",
        "height": f"{height}px",
        "above": f"{n * ABOVE}px",
        "zoom": f"{min(1, max(PAPER / height, SMALLEST)):.2f}",
    }
    return wrap(parts, label, "forest", sizes)


def draw_trend(groups: Groups, label: str) -> str:
    """Draw AR upwards, with a column for each period and model."""
    n = len(groups.names)
    axis = groups.choose_axis(is_across=False)
    links = stretched("".join(draw_links(groups, axis)))
    parts = [*axis.draw(), *draw_overall(groups, axis), links]
    least = n * (groups.n_models * NARROWEST + 4)
    strides = choose_strides(groups.names, least)
    is_dense = n * groups.n_models > DENSE
    apart = NARROWEST if is_dense else max(NARROWEST, min(COLUMN, SLOT / groups.n_models))
    for place, (name, rows) in enumerate(zip(groups.names, groups.rows, strict=True)):
        middle = percent((place + 0.5) / n)
        inner = "".join(
            draw_column(row, axis, number, spread(number, groups.n_models, apart))
            for number, row in enumerate(rows)
        )
        fits = "".join(f" {width}" for width, each in strides.items() if place % each == 0)
        shown = shorten(name, PERIOD_LENGTH)
        parts += [
            text(shown, middle, "100%", f"period{fits}", dy=18, text_anchor="middle"),
            tag("svg", inner, x=middle, overflow="visible"),
            draw_hit(place, x=percent(place / n), width=percent(1 / n)),
        ]
    parts.append(text(groups.by, "50%", "100%", "label", dy=40, text_anchor="middle"))
    kind = "trend dense" if is_dense else "trend"
    return wrap(parts, label, kind, {"least": f"{least:.0f}px"})


def wrap(parts: Sequence[str], label: str, kind: str, sizes: dict[str, str]) -> str:
    """Make a chart of its parts; the style sheet uses the sizes."""
    style = ";".join(f"--{name}:{size}" for name, size in sizes.items())
    shown = "".join(parts)
    return tag(
        "svg", shown, class_=f"plot {kind}", role="img", aria_label=label, style=style
    )


def choose_strides(names: Sequence[str], least: float) -> dict[str, int]:
    """Choose every how many names there is room, in charts of several widths.

    On a screen, none is narrower than ``least`` pixels.
    """
    room = len(names) * (min(max(map(len, names)), PERIOD_LENGTH) + 1.5) * LETTER
    strides = {name: ceil(room / max(width, least)) for name, width in WIDTHS.items()}
    return strides | {"paper": ceil(room / PAPER_WIDTH)}


def spread(number: int, n_models: int, apart: float) -> str:
    """Return how far a model is from the middle of its group, in pixels."""
    return f"{(number - (n_models - 1) / 2) * apart:.4g}"


def draw_overall(groups: Groups, axis: RatioAxis) -> Iterator[str]:
    """Draw the AR of all rows as a line for each model."""
    for number, ratio in enumerate(groups.overall):
        if ratio is not None:
            yield axis.draw_line(ratio, f"overall m{number}")


def draw_links(groups: Groups, axis: RatioAxis) -> Iterator[str]:
    """Draw a thin line through the periods of each model, broken where AR is undefined.

    Rows without a period are in no order with the others.
    """
    n = len(groups.names)
    for number in range(groups.n_models):
        path, pen = [], "M"
        for place, rows in enumerate(groups.rows):
            estimate = rows[number]["accuracy_ratio"]
            if estimate is None or groups.names[place] == MISSING:
                pen = "M"
                continue
            x, y = (place + 0.5) / n, 1 - axis.share(estimate["value"])
            path.append(f"{pen}{SIDE * x:.4g},{SIDE * y:.4g}")
            pen = "L"
        yield tag("path", d="".join(path), class_=f"link m{number}")


def draw_row(row: Facts, axis: RatioAxis, number: int, shift: str) -> str:
    """Draw a model in a segment, or say why its AR is undefined."""
    if row["accuracy_ratio"] is None:
        return text(say_status(row), "0", shift, f"none m{number}", dx=8, dy=4)
    return draw_estimate(row, axis, number, shift)


def draw_column(row: Facts, axis: RatioAxis, number: int, shift: str) -> str:
    """Draw a model in a period, or a cross if its AR is undefined."""
    if row["accuracy_ratio"] is None:
        return icon(CROSS, shift, "100%", f"cross m{number}")
    return draw_estimate(row, axis, number, shift)


def draw_estimate(row: Facts, axis: RatioAxis, number: int, shift: str) -> str:
    """Draw AR with its interval, if it has one; the point of few events is hollow."""
    estimate = row["accuracy_ratio"]
    interval = ""
    if estimate["low"] is not None:
        ends = estimate["low"], estimate["high"]
        interval = axis.draw_interval(*ends, shift, f"m{number}")
    style = f"point few m{number}" if row["few_events"] else f"point m{number}"
    return interval + axis.draw_point(estimate["value"], shift, number, style)


def draw_hit(place: int, **box: str) -> str:
    """Draw the area in which the pointer shows the numbers of a group."""
    whole = {"x": "0", "y": "0", "width": "100%", "height": "100%"}
    return tag("rect", class_="hit", data_group=place, **{**whole, **box})
