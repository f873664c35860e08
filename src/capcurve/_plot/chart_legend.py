"""What the legend of a chart says, and the colour and dashes of each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

from capcurve._plot.palette import OKABE_ITO
from capcurve._plot.picture import Layer, Picture, Role

NEUTRAL = "#8a8a8a"  # seen on white and on black
LINES: frozenset[Role] = frozenset({"curve", "fold", "chance", "perfect", "gap", "limits"})
FOLD_OPACITY = 0.5
AREAS: frozenset[Role] = frozenset({"shade", "band", "random band", "spread", "bounds"})
# With six colours, 30 pairs before one is repeated; neighbours differ in both. None is
# dotted, as the random line is.
DASHES: Sequence[Sequence[int]] = (
    *([1, 0], [8, 3], [8, 2, 2, 2], [14, 3]),
    [9, 2, 2, 2, 2, 2],
)
REFERENCE_DASHES: dict[Role, Sequence[int]] = {
    "fold": [6, 3],
    "chance": [2, 3],
    "perfect": [1, 0],
    "gap": [3, 2],
    "limits": [1, 0],
}
GAPS = 4  # lengths of their dashes; with the colours, 12 pairs before one is repeated
LETTER, KEY = 6, 42  # pixels of a letter of an entry, and of its key with the spaces
COLUMNS = ((24, 3), (44, 2))  # longest entry, in characters, for so many columns
ENTRY_WIDTH = 620  # pixels, beyond which an entry is cut


@dataclass(frozen=True, slots=True)
class Entry:
    """A line in the legend: its text, colour and dashes; ``shown`` if it is listed."""

    text: str
    color: str
    dash: Sequence[int]
    shown: bool


def color_curve(number: int) -> str:
    """Return the colour of a curve by its number."""
    return OKABE_ITO[number % len(OKABE_ITO)]


def dash_curve(number: int) -> Sequence[int]:
    """Return the dashes of a curve by its number, as lengths in pixels."""
    return DASHES[(number + number // len(OKABE_ITO)) % len(DASHES)]


def list_entries(picture: Picture) -> dict[int, Entry]:
    """Return the entry of each line, by the position of its layer in the picture.

    Curves come first; folds of the same number have one entry.
    """
    places = [i for i, layer in enumerate(picture.layers) if layer.role in LINES]
    places.sort(key=lambda i: picture.layers[i].role != "curve")
    entries: dict[int, Entry] = {}
    of_folds: dict[int, Entry] = {}
    are_many = sum(layer.role == "gap" for layer in picture.layers) > 1
    seen: set[str] = set()
    means = {layer.number for layer in picture.curves}
    for i in places:
        layer = picture.layers[i]
        if layer.role == "fold" and layer.number in of_folds:
            entries[i] = of_folds[layer.number]
            continue
        has_mean = layer.number in means
        entries[i] = make_entry(layer, f"Curve {i + 1}", seen, has_mean=has_mean)
        if are_many and layer.role == "gap":
            entries[i] = replace(entries[i], **style_gap(layer.number))
        if layer.role == "fold":
            of_folds[layer.number] = entries[i]
    return entries


def style_gap(number: int) -> dict[str, Any]:
    """Return colour and dashes of one of several gaps, in which neighbours differ."""
    dash, space = REFERENCE_DASHES["gap"]
    return {"color": color_curve(number), "dash": [dash * (1 + number % GAPS), space]}


def make_entry(layer: Layer, otherwise: str, seen: set[str], *, has_mean: bool) -> Entry:
    """Return the entry of a line; folds without a mean have the dashes of a curve."""
    text = make_distinct(layer.entry or layer.name or otherwise, seen)
    color = color_line(layer)
    dash = REFERENCE_DASHES.get(layer.role) or dash_curve(layer.number)
    if layer.role == "fold" and not has_mean:
        dash = dash_curve(layer.number)
    return Entry(text, color, dash, shown=layer.entry is not None)


def color_line(layer: Layer) -> str:
    """Return the colour of a line; that of folds is paler, in the legend too."""
    is_reference = layer.role not in {"curve", "fold"}
    if is_reference and (layer.role != "chance" or layer.name is None):
        return NEUTRAL
    color = color_curve(layer.number)
    if layer.role != "fold":
        return color
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{FOLD_OPACITY})"


def make_distinct(text: str, seen: set[str]) -> str:
    """Add a number to a text that is there already, so that each entry has one curve."""
    distinct, number = text, 1
    while distinct in seen:
        number += 1
        distinct = f"{text} [{number}]"
    seen.add(distinct)
    return distinct


@dataclass(frozen=True, slots=True)
class Legend:
    """Encodings of the lines of a chart, which share one legend.

    ``room`` is the width in pixels beyond which it would push other charts apart, if any.
    """

    entries: dict[int, Entry]
    room: int | None = None

    @property
    def distinct(self) -> list[Entry]:
        """The entries, each once."""
        return list({entry.text: entry for entry in self.entries.values()}.values())

    def describe(self) -> Any:
        """Return the legend, or None if there is nothing to list."""
        shown = [entry.text for entry in self.distinct if entry.shown]
        if not shown:
            return None
        longest = max(map(len, shown))
        columns = next((count for length, count in COLUMNS if longest <= length), 1)
        if self.room is not None:
            columns = max(1, min(columns, int(self.room / (LETTER * longest + KEY))))
        return alt.Legend(
            title=None,
            orient="bottom",
            columns=columns,
            values=shown,
            labelLimit=ENTRY_WIDTH,
            symbolType="stroke",
            symbolSize=500,
            symbolStrokeWidth=2.2,
        )

    def encode(self) -> dict[str, Any]:
        """Encode the field ``curve`` as colour and dashes."""
        entries = self.distinct
        domain = [entry.text for entry in entries]
        colors = alt.Scale(domain=domain, range=[entry.color for entry in entries])
        dashes = alt.Scale(domain=domain, range=[list(entry.dash) for entry in entries])
        legend = self.describe()
        return {
            "color": alt.Color("curve:N", scale=colors, legend=legend),
            "strokeDash": alt.StrokeDash("curve:N", scale=dashes, legend=legend),
        }


def encode_fill(layers: Sequence[Layer]) -> Any:
    """Encode the field ``area`` as the colour of bands and bars, which share a legend."""
    listed = {each.entry: color_area(each) for each in layers if each.entry is not None}
    scale = alt.Scale(domain=list(listed), range=list(listed.values()))
    legend = alt.Legend(
        title=None,
        orient="bottom",
        columns=2,
        labelLimit=ENTRY_WIDTH,
        symbolType="square",
        symbolOpacity=0.5,
        symbolStrokeWidth=0,
    )
    return alt.Fill("area:N", scale=scale, legend=legend)


def color_area(layer: Layer) -> str:
    """Return the colour of an area: neutral unless it belongs to a curve."""
    if layer.role in {"shade", "random band"}:
        return NEUTRAL
    return color_curve(layer.number)
