"""Cell formats of a workbook."""

from typing import Any

ACCENT, INK, QUIET, LINE, TINT = "#00588C", "#1C2126", "#545D66", "#D5DAE0", "#EEF2F6"
WARN, WARN_TINT = "#8A3B00", "#FDF0E6"
LIGHTS = {"green": "#DDF0E3", "amber": "#FDEBC8", "red": "#F9D9D5"}
POINTS_PER_LINE, POINTS_PER_ROW = 15.0, 17.0
# Shows a heading after a space, which neither wraps nor is part of its text. LibreOffice
# loses the indent of some numbers, so that headings with one would not be above them.
APART = '"\u00a0\u00a0\u00a0"@'


class Styles:
    """Cell formats of a workbook, each made once.

    Parameters
    ----------
    book : xlsxwriter.Workbook
    """

    def __init__(self, book: Any) -> None:
        self.book = book
        self.made: dict[tuple[tuple[str, Any], ...], Any] = {}

    def words(self, **properties: Any) -> Any:
        """Return the format of a text, which stays one when a reader edits it."""
        return self.make(quote_prefix=True, text_wrap=True, **properties)

    def make(self, **properties: Any) -> Any:
        """Return the format with these properties of XlsxWriter."""
        key = tuple(sorted(properties.items()))
        if key not in self.made:
            self.made[key] = self.book.add_format({"font_color": INK, **properties})
        return self.made[key]

    @property
    def title(self) -> Any:
        """Return the format of the heading of a sheet."""
        return self.words(bold=True, font_size=16, font_color=ACCENT, valign="top")

    @property
    def subtitle(self) -> Any:
        """Return the format of the heading of a table."""
        return self.make(bold=True, font_size=12, font_color=ACCENT)

    @property
    def note(self) -> Any:
        """Return the format of sentences below a heading."""
        return self.words(font_color=QUIET, valign="top")

    @property
    def span(self) -> Any:
        """Return the format of a heading above several columns."""
        return self.words(
            bold=True,
            align="center",
            valign="bottom",
            bg_color=TINT,
            bottom=1,
            bottom_color=LINE,
        )

    def heading(self, *, is_number: bool, indent: int) -> Any:
        """Return the format of a column's heading, aligned as its values."""
        return self.words(
            bold=True,
            align="right" if is_number else "left",
            indent=indent,
            valign="bottom",
            bg_color=TINT,
            bottom=1,
            bottom_color=ACCENT,
            num_format=APART if is_number else "General",
        )

    def text(self, *, align: str, indent: int = 0, **line: Any) -> Any:
        """Return the format of a text in a table."""
        return self.words(**lay_line(**line), align=align, indent=indent)

    def number(self, code: str, **line: Any) -> Any:
        """Return the format of a number in a table."""
        return self.make(**lay_line(**line), align="right", num_format=code)

    def mark(self, sign: str, code: str) -> Any:
        """Return the format of a number that a mark points out."""
        return self.make(
            bold=True,
            font_color=WARN,
            bg_color=WARN_TINT,
            num_format=f'"{sign} "{code};"{sign} "-{code}',
        )

    def light(self, status: str) -> Any:
        """Return the format of the word of a status."""
        return self.make(bold=True, bg_color=LIGHTS[status], align="center", valign="top")


def lay_line(*, is_total: bool = False, valign: str = "vcenter") -> dict[str, Any]:
    """Return what the cells of a row share."""
    line = {"valign": valign, "bottom": 1, "bottom_color": LINE}
    return line | {"bold": True, "top": 1, "top_color": INK} if is_total else line
