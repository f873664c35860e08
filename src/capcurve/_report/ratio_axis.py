"""The axis of AR in a chart of groups: across in a forest, upwards in a trend."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from capcurve._report.svg import icon, list_ticks, percent, tag, text, write_ticks

LEFT = 44  # pixels beside a plot for numbers
ROOM = 0.02  # least room beside the outermost value
# Points of models, which are told apart without colours too.
SHAPES = (
    "M-4,0 A4 4 0 1 0 4,0 A4 4 0 1 0 -4,0Z",
    "M-3.7,-3.7 L3.7,-3.7 L3.7,3.7 L-3.7,3.7Z",
    "M0,-5 L5,0 L0,5 L-5,0Z",
    "M0,-4.6 L4.8,3.8 L-4.8,3.8Z",
    "M0,4.6 L4.8,-3.8 L-4.8,-3.8Z",
)
LABEL = "Accuracy ratio"
# Tips of intervals that end beyond the axis, which lies left, right, below or above.
ARROWS = {
    (True, "low"): "M6,-4.5 L0,0 L6,4.5Z",
    (True, "high"): "M-6,-4.5 L0,0 L-6,4.5Z",
    (False, "low"): "M-4.5,-6 L0,0 L4.5,-6Z",
    (False, "high"): "M-4.5,6 L0,0 L4.5,6Z",
}


@dataclass(frozen=True)
class RatioAxis:
    """An axis of AR with its limits.

    Attributes
    ----------
    low, high : float
    is_across : bool
        Whether it goes from left to right, and not upwards.
    """

    low: float
    high: float
    is_across: bool

    @classmethod
    def around(cls, values: Sequence[float], *, is_across: bool) -> "RatioAxis":
        """Return an axis that ends at round numbers around the values."""
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        room = max((high - low) / 20, ROOM)
        low, high = low - room, high + room
        ticks = list_ticks(low, high)
        step = ticks[1] - ticks[0]
        first = max(floor(low / step + 1e-9) * step, -1.0)
        last = min(ceil(high / step - 1e-9) * step, 1.0)
        return cls(first, last, is_across)

    def share(self, value: float) -> float:
        """Return where a value is, from 0 to 1; what is beyond is at the end."""
        at = (value - self.low) / (self.high - self.low)
        return min(max(at, 0.0), 1.0)

    def place(self, value: float) -> str:
        """Return where a value is, in percent of the plot."""
        share = self.share(value)
        return percent(share if self.is_across else 1 - share)

    def draw(self) -> Iterator[str]:
        """Draw grid lines, numbers and the label."""
        ticks = list_ticks(self.low, self.high)
        for tick, number in zip(ticks, write_ticks(ticks), strict=True):
            at = self.place(tick)
            is_inner_zero = tick == 0 and self.low < 0
            yield self.draw_line(tick, "grid zero" if is_inner_zero else "grid")
            if self.is_across:
                yield text(number, at, "100%", "tick", dy=18, text_anchor="middle")
            else:
                yield text(number, "0", at, "tick", dx=-8, dy=4, text_anchor="end")
        if self.is_across:
            yield text(LABEL, "50%", "100%", "label", dy=40, text_anchor="middle")
        else:
            yield text(LABEL, "0", "0", "label", dx=-LEFT, dy=-12)

    def draw_line(self, value: float, style: str) -> str:
        """Draw a line through the whole plot at a value."""
        at = self.place(value)
        if self.is_across:
            return tag("line", x1=at, x2=at, y1="0", y2="100%", class_=style)
        return tag("line", x1="0", x2="100%", y1=at, y2=at, class_=style)

    def draw_interval(self, low: float, high: float, shift: str, model: str) -> str:
        """Draw a line between two values, with an arrow at an end beyond the axis."""
        start, stop = self.place(low), self.place(high)
        if self.is_across:
            ends = {"x1": start, "x2": stop, "y1": shift, "y2": shift}
        else:
            ends = {"x1": shift, "x2": shift, "y1": start, "y2": stop}
        shown = tag("line", class_=f"rule {model}", **ends)
        if low < self.low:
            shown += self.draw_icon(ARROWS[self.is_across, "low"], start, shift, model)
        if high > self.high:
            shown += self.draw_icon(ARROWS[self.is_across, "high"], stop, shift, model)
        return shown

    def draw_icon(self, path: str, at: str, shift: str, model: str) -> str:
        """Draw an arrow."""
        x, y = (at, shift) if self.is_across else (shift, at)
        return icon(path, x, y, f"arrow {model}")

    def draw_point(self, value: float, shift: str, number: int, style: str) -> str:
        """Draw the point of a model."""
        at = self.place(value)
        x, y = (at, shift) if self.is_across else (shift, at)
        return icon(choose_shape(number), x, y, style)


def choose_shape(number: int) -> str:
    """Choose the shape of the points of a model."""
    return SHAPES[number % len(SHAPES)]
