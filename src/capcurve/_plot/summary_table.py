"""A gains table as text on matplotlib axes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from capcurve._curve.gains_table import GainsTable
from capcurve._input.score import name_grades
from capcurve._plot.arrangement import run_layout
from capcurve._plot.request import Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

MOST_ROWS = 20
FEW_ROWS = 12  # up to which the letters need not shrink
MOST_EXACT = 1000  # below which fractions of rows are shown
ROUNDED = 6  # digits after which a mass is rounding
GAPS = 0.2  # of the width, at least, between columns
HEAD = 1.6  # height of the heads, as a multiple of that of a row
HEAD_TEXT = 1.4  # what their letters may take of it


def draw_table(ax: Axes, sample: Sample, table: GainsTable, bands: Sequence[str]) -> None:
    """Write the columns of a gains table under their heads."""
    columns = list_columns(sample, table, bands)
    n_rows = len(bands)
    ax.set_axis_off()
    ax.set_title("Gains table")
    ax.set_xlim(0, 1)
    ax.set_ylim(max(n_rows, FEW_ROWS), -HEAD)
    size = "small" if n_rows <= FEW_ROWS else "x-small"
    text: dict[str, Any] = {"fontsize": size, "ha": "right", "va": "center"}
    drawn = []
    for head, cells in columns.items():
        shown = ax.text(1, -0.9, head, fontweight="bold", linespacing=1.1, **text)
        rows = [ax.text(1, row + 0.4, cell, **text) for row, cell in enumerate(cells)]
        drawn.append([shown, *rows])
    color = ax.xaxis.label.get_color()
    for y, width in ((-HEAD, 1.2), (-0.15, 0.6), (n_rows, 1.2)):
        ax.axhline(y, color=color, linewidth=width, clip_on=False)
    run_layout(ax)
    set_columns(ax, drawn)


def set_columns(ax: Axes, columns: Sequence[Sequence[Text]]) -> None:
    """Put columns side by side, with the same gap after each, in letters that fit."""
    area = ax.get_window_extent()
    room = area.width
    bottom, top = ax.get_ylim()
    row = area.height / (bottom - top)
    heads, *rows = zip(*columns, strict=True)
    excess = (
        sum(map(measure, columns)) / (1 - GAPS) / room,
        measure_height(heads) / (HEAD_TEXT * row),
        max(map(measure_height, rows)) / row,
    )
    for text in chain.from_iterable(columns):
        text.set_fontsize(float(text.get_fontsize()) / max(1.0, *excess))
    widths = [measure(column) for column in columns]
    gap = (room - sum(widths)) / len(columns)
    right = -gap / 2
    for width, column in zip(widths, columns, strict=True):
        right += gap + width
        for text in column:
            text.set_x(right / room)


def measure(texts: Sequence[Text]) -> float:
    """Return the width of the widest text in pixels."""
    return max(text.get_window_extent().width for text in texts)


def measure_height(texts: Sequence[Text]) -> float:
    """Return the height of the highest text in pixels."""
    return max(text.get_window_extent().height for text in texts)


def list_columns(
    sample: Sample, table: GainsTable, bands: Sequence[str]
) -> dict[str, list[str]]:
    """List the columns of the table as text, by their heads."""
    is_share = sample.has_events
    rates = [
        f"{rate:.2%}" if is_share else write_digits(rate, 4) for rate in table.response_rate
    ]
    columns = {
        "Band": list(bands),
        "First\nscore": write_scores(sample, table.highest_score),
        "Last\nscore": write_scores(sample, table.lowest_score),
        "Population": [write_mass(n) for n in table.n],
        "Events" if is_share else "Outcome": [write_mass(n) for n in table.n_events],
        "Response\nrate" if is_share else "Mean\noutcome": rates,
        "Capture\nrate": [f"{rate:.1%}" for rate in table.capture_rate],
        "Lift": [f"{lift:.2f}" for lift in table.lift],
    }
    if is_share:
        columns["KS"] = [f"{ks:.3f}" for ks in table.ks]
    return columns


def write_mass(mass: float) -> str:
    """Write a number of rows or events; ties may be split between bands."""
    is_whole = round(mass, ROUNDED) % 1 == 0
    return f"{mass:,.0f}" if is_whole or mass >= MOST_EXACT else f"{mass:,.1f}"


def write_scores(sample: Sample, scores: Any) -> list[str]:
    """Write scores: the names of grades, or numbers."""
    named = name_grades(scores, sample.curve.grades).tolist()
    return [each if isinstance(each, str) else write_score(each) for each in named]


def write_score(score: float) -> str:
    """Write a score with three digits, whole numbers with all of theirs."""
    return f"{score:,.0f}" if score % 1 == 0 else write_digits(score, 3)


def write_digits(value: float, digits: int) -> str:
    """Write a number with that many digits, or the whole part of a larger one."""
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    return f"{value:#.{digits}g}".removesuffix(".")  # which rounding may leave
