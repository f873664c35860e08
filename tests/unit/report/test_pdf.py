"""The PDF is printed by a browser, with a head on every page, or refused."""

import errno
import os
import re
import signal
import subprocess
import sys
import zlib
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import polars as pl
import pytest

from capcurve import CapcurveError, report
from capcurve._report import pdf
from capcurve.datasets import make_portfolio

pytestmark = pytest.mark.slow
TIME = datetime(2024, 2, 3, tzinfo=UTC)


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


def test_a_report_has_the_same_bytes_whenever_it_is_printed(found):
    time = found.facts["provenance"]["time"]
    found.write("a.pdf")
    content = Path("a.pdf").read_bytes()
    digits = "".join(filter(str.isdigit, time.removesuffix("+00:00")))
    assert content.count(f"Date (D:{digits}+00'00')".encode()) == 4
    end = datetime.fromisoformat(time) + timedelta(seconds=2)
    while datetime.now(UTC) < end:
        sleep(0.1)
    found.write("b.pdf")
    assert Path("b.pdf").read_bytes() == content


def make_browser(text):
    """Write a program that is taken for a browser, and return its name."""
    program = Path("browser").absolute()
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.skipif(sys.platform == "win32", reason="a script of a shell")
@pytest.mark.parametrize(
    ("text", "n_free", "told"),
    [
        (
            "exit 3",
            2**30,
            "ended with exit code 3; write .html and print it from a browser",
        ),
        ("exec sleep 60", 2**30, "took more than 0.5 seconds; write .html and print it"),
        (
            (
                "for each; do case $each in --print-to-pdf=*) "
                'printf "%%PDF" > "${each#*=}"; esac; done'
            ),
            2**19,
            (
                "wrote no whole file; its folder for temporary files has 0.5 MiB left: set "
                "TMPDIR to a folder with more space"
            ),
        ),
    ],
)
def test_a_browser_that_fails_is_told_with_what_to_do(monkeypatch, text, n_free, told):
    monkeypatch.setattr(pdf, "BROWSERS", (make_browser(text),))
    monkeypatch.setattr(pdf, "TIMEOUT_SECONDS", 0.5)
    usage = type("Usage", (), {"free": n_free})
    monkeypatch.setattr(pdf, "disk_usage", lambda _: usage)
    with pytest.raises(CapcurveError, match=re.escape(f"{Path('browser')} {told}")):
        pdf.write_pdf("page", Path("r.pdf"), {}, TIME)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_a_full_folder_for_temporary_files_is_not_the_place_of_the_report(
    found, monkeypatch, number
):
    def fail(*_):
        raise OSError(number, "told by the system")

    monkeypatch.setattr(pdf, "BROWSERS", (make_browser("exit 0"),))
    monkeypatch.setattr(pdf, "run_browser", fail)
    with pytest.raises(CapcurveError) as caught:
        found.write("r.pdf")
    assert str(caught.value) == (
        "the PDF was not written: told by the system in the folder for temporary files; "
        "set TMPDIR to a folder with more space"
        if number == errno.ENOSPC
        else "cannot write 'r.pdf': told by the system; choose another place"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a script of a shell")
def test_all_that_a_browser_leaves_goes_with_a_terminated_command(tmp_path):
    make_browser('echo > "$TMPDIR/socket"; sleep 60 & sleep 60')
    Path("browser").rename("chromium")
    Path("f.csv").write_text("y,s\n1,2\n0,1\n1,3\n0,4\n")
    place = tmp_path / "temporary"
    place.mkdir()
    command = [sys.executable, "-m", "capcurve", "report", "f.csv", "--truth", "y"]
    environment = {
        **os.environ,
        "PATH": f"{Path.cwd()}:{os.environ['PATH']}",
        "TMPDIR": str(place),
    }
    with subprocess.Popen(  # noqa: S603 -- our own program
        [*command, "--estimate", "s", "-o", "r.pdf", "--quiet"], env=environment
    ) as process:
        end = monotonic() + 60
        while not list(place.glob("*/*/socket")) and monotonic() < end:
            sleep(0.05)
        assert list(place.glob("*/*/socket"))
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 143
    assert list(place.iterdir()) == []
    assert not Path("r.pdf").exists()


def test_a_long_or_relative_folder_for_temporary_files(found, monkeypatch):
    long = Path("x" * 100)  # longer than the path of a socket may be
    long.mkdir()
    for place in (long, long.absolute()):
        monkeypatch.setenv("TMPDIR", str(place))
        found.write("r.pdf")
        assert list(long.iterdir()) == []


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
        pdf.write_pdf(f"<img src='{address}'>page", Path("r.pdf"), {"Title": "x"}, TIME)
        server.shutdown()
    assert Path("r.pdf").read_bytes().startswith(b"%PDF")
    assert asked == []


def test_every_page_has_the_title_and_its_number(found):
    page = found.to_html()
    assert '@top-left { content: "A \\"title\\" \\\\ \\3c x>";' in page
    assert 'counter(page) " / " counter(pages)' in page
