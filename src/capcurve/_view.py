"""HTML views of results for notebooks: a head, tables of numbers, notes, frames.

All text is escaped here. Colours are those of the notebook, light or dark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import isinf, isnan
from numbers import Integral
from typing import Any, NamedTuple

LONGEST = 60  # rows of a table; longer ones are cut in the middle
KEPT = 10  # rows that stay at either end
SMALLEST = 0.0001  # smaller numbers are written as powers of ten
FEWER_DECIMALS_FROM, NO_DECIMALS_FROM = 1_000, 100_000
FRAME_HEIGHT = 720

# Names of one class, so that the sheet of a notebook, which has as many, does not win.
STYLE = """\
<style>
.capcurve-view{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.5em 2em;\
overflow-x:auto;line-height:1.35;font-variant-numeric:tabular-nums}
.capcurve-view p{flex:1 0 100%;box-sizing:border-box;margin:0}
.capcurve-view p.note,.capcurve-view p.warning{padding-right:max(0px,100% - 60em)}
.capcurve-view p.note{font-size:.92em;opacity:.85}
.capcurve-view p.warning{padding-left:.6em;border-left:3px solid #c77700}
.capcurve-view table{margin:0;border-collapse:collapse;font-size:inherit}
.capcurve-view th,.capcurve-view td{padding:.15em .9em .15em 0;border:0;text-align:right;\
vertical-align:baseline;white-space:nowrap}
.capcurve-view th{font-weight:normal}
.capcurve-view thead th{font-weight:600;vertical-align:bottom}
.capcurve-view th.text,.capcurve-view td.text{text-align:left}
.capcurve-view th.span{text-align:center}
.capcurve-view td.cut{text-align:center;font-style:italic;opacity:.85}
.capcurve-view tbody tr,.capcurve-view tfoot tr{\
border-top:1px solid color-mix(in srgb,currentColor 18%,transparent)}
.capcurve-view tfoot th,.capcurve-view tfoot td{font-weight:600}
</style>"""


class Column(NamedTuple):
    """A column of a table: its name, its values, and how one is written."""

    name: str
    values: Any
    write: Callable[[Any], str] = str
    is_text: bool = False


def make_view(*parts: str) -> str:
    """Put parts, which the functions below make, into a view."""
    return "\n".join((STYLE, '<div class="capcurve-view">', *parts, "</div>"))


def make_head(strong: str, rest: str = "") -> str:
    """Make the sentence at the head of a view; its first part is bold."""
    return f"<p><strong>{write_text(strong)}</strong>{write_text(rest)}</p>"


def make_note(text: str) -> str:
    """Make a note that explains."""
    return f'<p class="note">{write_text(text)}</p>'


def make_warning(text: str) -> str:
    """Make a note that warns."""
    return f'<p class="warning">{write_text(text)}</p>'


def make_numbers(numbers: Mapping[str, str]) -> str:
    """Make a table of named numbers, one in each row."""
    rows = (
        f'<tr><th scope="row" class="text">{write_text(name)}</th>'
        f"<td>{write_text(number)}</td></tr>"
        for name, number in numbers.items()
    )
    return "\n".join(("<table><tbody>", *rows, "</tbody></table>"))


def make_table(
    columns: Sequence[Column],
    *,
    spans: Sequence[tuple[str, int]] = (),
    total: Sequence[str] = (),
) -> str:
    """Make a table, the first column of which names the rows.

    ``spans`` are labels above several columns, each with their number; ``total`` is a last
    row. A long table is cut in the middle.
    """
    head = [write_row([(column.name, column.is_text) for column in columns], "col")]
    if spans:
        head.insert(0, write_spans(spans))
    body = write_body(columns)
    foot = []
    if total:
        cells = [
            (cell, column.is_text) for cell, column in zip(total, columns, strict=True)
        ]
        foot = ["<tfoot>", write_row(cells, "row"), "</tfoot>"]
    return "\n".join(
        ("<table><thead>", *head, "</thead><tbody>", *body, "</tbody>", *foot, "</table>")
    )


def write_body(columns: Sequence[Column]) -> list[str]:
    """Write the rows of a table, or those at both ends of a long one."""
    n_rows = len(columns[0].values)
    if n_rows <= LONGEST:
        return write_rows(columns, slice(None))
    cut = (
        f'<tr><td class="cut" colspan="{len(columns)}">{n_rows - 2 * KEPT:,} of '
        f"{n_rows:,} rows are not shown</td></tr>"
    )
    ends = slice(None, KEPT), slice(-KEPT, None)
    first, last = (write_rows(columns, end) for end in ends)
    return [*first, cut, *last]


def write_rows(columns: Sequence[Column], part: slice) -> list[str]:
    """Write a part of the rows of a table."""
    texts = [[column.write(value) for value in column.values[part]] for column in columns]
    kinds = [column.is_text for column in columns]
    return [
        write_row(list(zip(cells, kinds, strict=True)), "row")
        for cells in zip(*texts, strict=True)
    ]


def write_row(cells: Sequence[tuple[str, bool]], scope: str) -> str:
    """Write a row, of heads only if their scope is 'col'."""
    written = []
    for place, (text, is_text) in enumerate(cells):
        kind = ' class="text"' if is_text else ""
        if scope == "col" or place == 0:
            written.append(f'<th scope="{scope}"{kind}>{write_text(text)}</th>')
        else:
            written.append(f"<td{kind}>{write_text(text)}</td>")
    return f"<tr>{''.join(written)}</tr>"


def write_spans(spans: Sequence[tuple[str, int]]) -> str:
    """Write the row of labels above several columns."""
    cells = (
        f'<th class="span" scope="colgroup" colspan="{width}">{write_text(label)}</th>'
        if label
        else f'<td colspan="{width}"></td>'
        for label, width in spans
    )
    return f"<tr>{''.join(cells)}</tr>"


def make_frame(page: str, title: str) -> str:
    """Show a whole page in a frame of its own, which cannot reach the notebook."""
    return (
        f'<iframe sandbox="allow-scripts allow-downloads" title="{write_text(title)}" '
        f'style="width:100%;height:{FRAME_HEIGHT}px;border:0" '
        f'srcdoc="{write_text(page)}"></iframe>'
    )


def write_text(text: str) -> str:
    """Escape a text; what UTF-8 cannot encode is shown as Python writes it."""
    return escape(text.encode("utf-8", "backslashreplace").decode())


def write_number(value: float, digits: int = 4) -> str:
    """Write a number with fixed decimals; a large one with fewer, a tiny one as a power."""
    if isnan(value):
        return "undefined"
    if isinf(value):
        return "∞" if value > 0 else "-∞"
    size = abs(value)
    if 0 < size < SMALLEST:
        return f"{value:.2e}"
    if size >= FEWER_DECIMALS_FROM:
        return f"{value:,.0f}" if size >= NO_DECIMALS_FROM else f"{value:,.2f}"
    return f"{value:.{digits}f}"


def write_fixed(value: float, digits: int) -> str:
    """Write a number with fixed decimals, so that a column lines up."""
    if isnan(value) or isinf(value):
        return write_number(value)
    return f"{value:,.{digits}f}"


def write_mass(value: float) -> str:
    """Write a count, a weight or an amount, never as a power of ten."""
    return f"{value:,.0f}" if abs(value) >= NO_DECIMALS_FROM else f"{value:,.6g}"


def write_score(value: float | Integral) -> str:
    """Write a score with six digits; whole numbers, as they are, may have more."""
    if isinstance(value, Integral):
        return str(value)
    return write_number(value) if isinf(value) or isnan(value) else f"{value:.6g}"


def write_share(value: float) -> str:
    """Write a share as a percentage."""
    return "undefined" if isnan(value) else f"{value:.2%}"
