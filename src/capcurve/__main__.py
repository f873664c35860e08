"""``python -m capcurve`` and the ``capcurve`` command."""

import sys

from capcurve._interrupted import listen


def run() -> None:
    """Run as the ``capcurve`` command, which hears Ctrl-C before it imports anything."""
    listen()
    from capcurve._files.interrupts import ctrl_c

    ctrl_c.listen()
    code = main()
    ctrl_c.ignore()
    sys.exit(code)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    from capcurve._cli.run import main

    return main(arguments)


if __name__ == "__main__":
    run()
