"""A page -> a PDF, printed by a Chromium that is there."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from capcurve.exceptions import CapcurveError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 120  # seconds


def write_pdf(page: str, path: Path) -> None:
    """Print a page as a person would."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise CapcurveError(
            "a PDF is printed by Chromium or Chrome, and there is neither; install one, or "
            "write .html and print it"
        )
    with tempfile.TemporaryDirectory(prefix="capcurve-") as folder:
        source = Path(folder) / "report.html"
        source.write_text(page, encoding="utf-8")
        command = (
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={folder}/profile",
            "--virtual-time-budget=20000",
            "--no-pdf-header-footer",
            f"--print-to-pdf={path}",
            source.as_uri(),
        )
        done = subprocess.run(  # noqa: S603 -- a browser found on the path, and our page
            command, capture_output=True, check=False, timeout=PATIENCE
        )
    if done.returncode or not path.is_file():
        raise CapcurveError(f"{browser} did not print the report (exit {done.returncode})")
