"""Render the HTML page to PDF with a headless browser."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from shutil import disk_usage

from capcurve._files.failures import FULL
from capcurve._files.scratch import VARIABLE, make_scratch_folder
from capcurve._report.pdf_metadata import add_metadata
from capcurve.exceptions import CapcurveError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TIMEOUT_SECONDS = 120
FREE_BYTES = 32 * 2**20  # that a browser needs for its profile, with some to spare
MORE_SPACE = f"set {VARIABLE} to a folder with more space"
# Neither the page nor the browser's own updates find any host.
OFFLINE = ("--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND")


def write_pdf(
    page: str, path: Path, names: Mapping[str, str | None], time: datetime
) -> None:
    """Render an HTML page to PDF with headless Chromium or Chrome.

    Parameters
    ----------
    page : str
    path : Path
    names : mapping of str to str or None
        Title, author and the like, as PDF names them.
    time : datetime
        When the report was made, in UTC; the file does not say when it was printed.
    """
    path.write_bytes(add_metadata(print_page(page), names, time))


def print_page(page: str) -> bytes:
    """Return what the browser prints of a page in a temporary folder, where all is put."""
    browser = find_browser()
    with name_full_folder(), make_scratch_folder() as scratch:
        folder = scratch.absolute()
        source, printed = folder / "report.html", folder / "report.pdf"
        source.write_text(page, encoding="utf-8")
        code = run_browser(
            (
                str(Path(browser).absolute()),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                *OFFLINE,
                f"--user-data-dir={folder}/profile",
                "--virtual-time-budget=20000",
                "--no-pdf-header-footer",
                f"--print-to-pdf={printed}",
                source.as_uri(),
            ),
            folder,
        )
        content = printed.read_bytes() if printed.is_file() else b""
        if code or not content.rstrip().endswith(b"%%EOF"):
            raise CapcurveError(
                f"the PDF was not written: {browser} {describe_end(code)}; "
                f"{advise(disk_usage(folder).free)}"
            )
        return content


def run_browser(command: Sequence[str], folder: Path) -> int | None:
    """Return the exit code of a browser; None if it was stopped, as it takes too long.

    None of its processes is left, as they would write into a folder that is removed. Its
    temporary folder is named from where it runs, for a path of a socket must be short.
    """
    temporary = folder / "temporary"
    temporary.mkdir()
    with subprocess.Popen(  # noqa: S603 -- a browser from the PATH, opening a page of ours
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=temporary,
        env={**os.environ, VARIABLE: "."},
        start_new_session=True,
    ) as process:
        try:
            return process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return None
        finally:
            stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop a process, if it is not done, and those that it started."""
    if sys.platform == "win32":  # pragma: no cover -- Windows has no such groups
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def name_full_folder() -> Iterator[None]:
    """Turn what the system raises about a full temporary folder into an error of its own.

    The place of the report may well have space.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        reason = error.strerror or str(error)
        raise CapcurveError(
            f"the PDF was not written: {reason} in the folder for temporary files; "
            f"{MORE_SPACE}"
        ) from error


def describe_end(code: int | None) -> str:
    """Say how the browser ended."""
    if code is None:
        return f"took more than {TIMEOUT_SECONDS} seconds"
    return f"ended with exit code {code}" if code else "wrote no whole file"


def advise(n_free: int) -> str:
    """Say what to do where the browser failed, by the bytes that its folder has left."""
    if n_free >= FREE_BYTES:
        return "write .html and print it from a browser"
    return f"its folder for temporary files has {n_free / 2**20:.1f} MiB left: {MORE_SPACE}"


def find_browser() -> str:
    """Find the browser that prints; raise if there is none."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise CapcurveError(
            "a PDF report requires Chromium or Chrome, but neither is on the PATH; install "
            "one of them, or write .html and print it from a browser"
        )
    return browser
