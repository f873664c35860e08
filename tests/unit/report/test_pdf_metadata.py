"""The information of a PDF, read back from the bytes."""

import re
from datetime import UTC, datetime

import pytest

from capcurve import CapcurveError
from capcurve._report.pdf_metadata import add_metadata

# The smallest PDF: a catalogue, a list of no pages, and a table of both.
OBJECTS = (
    b"%PDF-1.4\n1 0 obj\n<</Type /Catalog /Pages 2 0 R>>\nendobj\n"
    b"2 0 obj\n<</Type /Pages /Kids [] /Count 0>>\nendobj\n"
    b"3 0 obj\n<</CreationDate (D:20240101)\n/ModDate (D:20240102)>>\nendobj\n"
)
END = b"trailer\n<</Size 4\n/Root 1 0 R\n/Info 3 0 R>>\nstartxref\n%d\n%%%%EOF\n"
TIME = datetime(987, 2, 3, 4, 5, 6, 7, UTC)
WHOLE = OBJECTS + b"xref\n0 0\n" + END % len(OBJECTS)


def test_the_last_trailer_leads_to_the_new_information():
    names = {"Title": "Größe (a)", "Author": None, "Creator": "c"}
    found = add_metadata(WHOLE, names, TIME)
    assert found.startswith(WHOLE)
    start = int(re.findall(rb"startxref\n(\d+)", found)[-1])
    assert found[start:].startswith(b"xref\n4 1\n")
    offset = int(found[start:].split(b"\n")[2][:10])
    information = found[offset : found.index(b"endobj", offset)]
    assert information.startswith(b"4 0 obj")
    (title,) = re.findall(rb"/Title <FEFF([0-9A-F]*)>", information)
    assert bytes.fromhex(title.decode()).decode("utf-16-be") == "Größe (a)"
    assert b"/Author" not in information
    assert b"/CreationDate (D:20240101)" in information
    trailer = found[found.rindex(b"trailer") :]
    for entry in (b"/Size 5", b"/Root 1 0 R", b"/Info 4 0 R"):
        assert entry in trailer
    assert int(re.search(rb"/Prev (\d+)", trailer)[1]) == len(OBJECTS)


def test_a_time_takes_the_place_of_that_of_the_browser():
    written = b"(D:20261126225530-01'30')"
    content = OBJECTS.replace(b"(D:20240101)", written).replace(b"(D:20240102)", written)
    content += b"% /ModDate " + written + b"\n"  # a text, say
    content += b"xref\n0 0\n" + END % len(content)
    found = add_metadata(content, {}, TIME)
    asked = b"(D:09870203040506+00'00')"
    assert found.startswith(content.replace(written, asked, 2))
    assert found.count(asked) == 4
    assert found.count(written) == 1


def test_parts_are_numbered_from_1_wherever_the_browser_begins():
    def write(first):
        names = b" ".join(b"(node%08d)" % (first + number) for number in (4, 0, 9))
        return WHOLE.replace(b"/Kids []", b"/Kids [] /Named [%s]" % names)

    assert (
        add_metadata(write(113), {}, TIME)
        == add_metadata(write(99), {}, TIME)
        != add_metadata(WHOLE, {}, TIME)
    )
    assert b"(node00000005) (node00000001) (node00000010)" in add_metadata(
        write(113), {}, TIME
    )


@pytest.mark.parametrize("content", [b"", b"%PDF-1.5 ... %%EOF", WHOLE[:-6]])
def test_a_file_of_another_kind_is_refused(content):
    with pytest.raises(CapcurveError, match=r"must end in a table of its objects"):
        add_metadata(content, {"Title": "t"}, TIME)
