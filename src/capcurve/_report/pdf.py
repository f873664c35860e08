"""Render the HTML page to PDF with a headless browser."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from capcurve._files.scratch import make_scratch_folder
from capcurve._report.pdf_metadata import add_metadata
from capcurve.exceptions import CapcurveError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TIMEOUT_SECONDS = 120
# Neither the page nor the browser's own updates find any host.
OFFLINE = ("--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND")


def write_pdf(page: str, path: Path, names: Mapping[str, str | None]) -> None:
    """Render an HTML page to PDF with headless Chromium or Chrome.

    Parameters
    ----------
    page : str
    path : Path
    names : mapping of str to str or None
        Title, author and the like, as PDF names them.
    """
    browser = find_browser()
    with make_scratch_folder() as folder:
        source = folder / "report.html"
        source.write_text(page, encoding="utf-8")
        command = (
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            *OFFLINE,
            f"--user-data-dir={folder}/profile",
            "--virtual-time-budget=20000",
            "--no-pdf-header-footer",
            f"--print-to-pdf={folder}/report.pdf",
            source.as_uri(),
        )
        done = subprocess.run(  # noqa: S603 -- a browser from the PATH, opening a page of ours
            command, capture_output=True, check=False, timeout=TIMEOUT_SECONDS
        )
        printed = folder / "report.pdf"
        if done.returncode or not printed.is_file():
            raise CapcurveError(
                f"the PDF was not written: {browser} ended with exit code "
                f"{done.returncode}; write .html and print it from a browser"
            )
        path.write_bytes(add_metadata(printed.read_bytes(), names))


def find_browser() -> str:
    """Find the browser that prints; raise if there is none."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise CapcurveError(
            "a PDF report requires Chromium or Chrome, but neither is on the PATH; install "
            "one of them, or write .html and print it from a browser"
        )
    return browser
