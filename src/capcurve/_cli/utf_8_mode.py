"""Python's UTF-8 mode, without which a locale of ASCII has no name with an umlaut."""

import os
import sys
from contextlib import suppress

MODE = ("-X", "utf8")
TERMINAL = "PYTHONIOENCODING"


def use_utf_8_mode() -> None:
    """Start the process anew in UTF-8 mode if names of files have to be ASCII.

    Names of columns and files on the command line, and files called after a portfolio,
    would else be none. The terminal still gets what it can show.
    """
    if sys.getfilesystemencoding().lower() not in {"ascii", "us-ascii"}:
        return
    os.environ.setdefault(TERMINAL, "ascii:backslashreplace")
    program, *arguments = sys.orig_argv
    with suppress(OSError):  # of a program that was replaced: go on without
        os.execv(sys.executable or program, [program, *MODE, *arguments])  # noqa: S606 -- ourselves
