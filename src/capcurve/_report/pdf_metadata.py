"""Name the author and the maker of a PDF file."""

import re
from collections.abc import Mapping
from datetime import datetime

from capcurve.exceptions import CapcurveError

# ISO 32000-1: 7.5.6 on updates that are appended to a file, 14.3.3 on its information.
START = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")
ENTRY = re.compile(rb"/(Root|Info|Size)\s+(\d+)( \d+ R)?")
DATE = re.compile(rb"/(?:CreationDate|ModDate) ?\(.*?\)")
NODE = re.compile(rb"\(node(\d{8})\)")  # names of parts of the text, for screen readers
BROWSER_TIME = re.compile(rb"(?<=Date \(D:)\d{14}[+-]\d\d'\d\d'(?=\))")


def add_metadata(content: bytes, names: Mapping[str, str | None], time: datetime) -> bytes:
    """Append the author, the title and the like to a PDF; None leaves one out.

    The time, in UTC, takes the place of that of the browser, which is as long, so that all
    in the file stays where its tables say.
    """
    digits = "".join(filter(str.isdigit, time.isoformat(timespec="seconds")[:19]))
    content = BROWSER_TIME.sub(f"{digits}+00'00'".encode(), content, count=2)
    content = number_nodes(content)
    start, entries = START.search(content), read_trailer(content)
    if start is None or not {"Root", "Size"} <= entries.keys():
        raise CapcurveError(
            "the PDF of the browser must end in a table of its objects, which was not "
            "found; write .html and print it from a browser"
        )
    number = int(entries["Size"])
    values = "".join(
        f"/{name} {write_string(text)}\n" for name, text in names.items() if text
    )
    dates = b"\n".join(DATE.findall(content)[:2])
    body = f"{number} 0 obj\n<<{values}".encode() + dates + b">>\nendobj\n"
    offset = len(content) + 1
    table = (
        f"xref\n{number} 1\n{offset:010d} 00000 n \n"
        f"trailer\n<</Size {number + 1}\n/Root {entries['Root']} 0 R\n"
        f"/Info {number} 0 R\n/Prev {int(start[1])}>>\n"
        f"startxref\n{offset + len(body)}\n%%EOF\n"
    )
    return content + b"\n" + body + table.encode()


def number_nodes(content: bytes) -> bytes:
    """Give the named parts of a PDF numbers from 1 on.

    Where the browser begins depends on what it did before, and on the load of the machine.
    """
    first = min(map(int, NODE.findall(content)), default=1)
    return NODE.sub(lambda found: b"(node%08d)" % (int(found[1]) - first + 1), content)


def read_trailer(content: bytes) -> dict[str, str]:
    """Return the numbers in the last trailer of a PDF."""
    trailer = content[content.rfind(b"trailer") :]
    return {name.decode(): number.decode() for name, number, _ in ENTRY.findall(trailer)}


def write_string(text: str) -> str:
    """Write a text as a string of a PDF: UTF-16 in hexadecimal digits."""
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"
