"""Reading of HTML views: the texts of their rows, and their sentences."""

import re
from html import unescape


def rows_of(html):
    """List the texts of the cells of all tables, row by row."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[unescape(cell).strip() for cell in row] for row in cells]


def sentences_of(html):
    """List heads and notes, without marks."""
    found = re.findall(r"<p[^>]*>(.*?)</p>", html)
    return [unescape(re.sub(r"<[^>]+>", "", each)) for each in found]
