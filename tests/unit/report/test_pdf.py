"""The PDF is printed by a browser, with a head on every page, or refused."""

import re
import zlib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import polars as pl
import pytest

from capcurve import CapcurveError, report
from capcurve._report import pdf
from capcurve.datasets import make_portfolio

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found():
    loans = pl.DataFrame(make_portfolio(2_000))
    options = {"by": "segment", "title": 'A "title" \\ <x>', "meta": {"Author": "A. B."}}
    return report(loans, "default", "champion_pd", **options)


def test_pdf_is_printed_by_a_browser_or_refused(found, monkeypatch):
    found.write("report.pdf")
    content = Path("report.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    for name, text in (("Author", "A. B."), ("Title", 'A "title" \\ <x>')):
        (written,) = re.findall(rf"/{name} <FEFF([0-9A-F]*)>".encode(), content)
        assert bytes.fromhex(written.decode()).decode("utf-16-be") == text
    monkeypatch.setattr(pdf, "BROWSERS", ("no-such-browser",))
    with pytest.raises(CapcurveError, match="requires Chromium or Chrome, but neither"):
        found.write("report.pdf")
    monkeypatch.setattr(pdf, "BROWSERS", ("false",))
    with pytest.raises(CapcurveError, match=r"not written: .*false ended with exit"):
        found.write("other.pdf")
    assert Path("report.pdf").read_bytes() == content
    assert not Path("other.pdf").exists()


def count_glyphs(content):
    """Count the letters on each page of a PDF that Chromium printed."""
    streams = dict(
        re.findall(
            rb"\n(\d+) 0 obj\n<<[^>]*>> stream\n(.*?)\nendstream", content, re.DOTALL
        )
    )
    pages = re.findall(rb"/Type /Page\n.*?/Contents (\d+) 0 R", content, re.DOTALL)
    return [len(re.findall(rb"T[jJ]\b", zlib.decompress(streams[page]))) for page in pages]


@pytest.mark.filterwarnings("ignore:left out")
def test_the_last_page_holds_more_than_the_name_of_the_program():
    loans = pl.DataFrame(make_portfolio(3_000)).head(300)
    loans = loans.with_columns(month=pl.date("year", pl.int_range(300) % 12 + 1, 1))
    score = pl.when(pl.int_range(300) > 5).then("champion_pd").alias("champion_pd")
    found = report(
        loans.with_columns(score),
        "default",
        "champion_pd",
        by="segment",
        period="month",
        period_by="year",
    )
    found.write("report.pdf")
    assert count_glyphs(Path("report.pdf").read_bytes())[-1] > 200


@pytest.mark.parametrize("n_lines", range(8, 14))
def test_findings_start_on_the_first_page_whatever_their_height(n_lines):
    loans = pl.DataFrame(make_portfolio(2_000)).with_columns(
        pl.col("champion_pd", "challenger_pd").round(3)
    )
    found = report(
        loans,
        "default",
        "champion_pd",
        compare="challenger_pd",
        by="segment",
        initial_auc=0.7,
        limitations=[f"line {number}" for number in range(n_lines)],
    )
    found.write("report.pdf")
    first, second, *_ = count_glyphs(Path("report.pdf").read_bytes())
    assert min(first, second) > 700


def test_a_page_that_is_printed_reaches_no_host():
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/pixel"
        pdf.write_pdf(f"<img src='{address}'>page", Path("r.pdf"), {"Title": "x"})
        server.shutdown()
    assert Path("r.pdf").read_bytes().startswith(b"%PDF")
    assert asked == []


def test_every_page_has_the_title_and_its_number(found):
    page = found.to_html()
    assert '@top-left { content: "A \\"title\\" \\\\ \\3c x>";' in page
    assert 'counter(page) " / " counter(pages)' in page
