"""``python -m capcurve`` and the ``capcurve`` command."""

import sys

from capcurve._interrupted import listen


def run() -> None:
    """Run as the ``capcurve`` command, which hears signals before it imports anything."""
    listen()
    from capcurve._cli.utf_8_mode import use_utf_8_mode

    use_utf_8_mode()
    from capcurve._files.interrupts import end_signals

    end_signals.listen()
    code = main()
    end_signals.ignore()
    sys.exit(code)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    from capcurve._cli.run import main

    return main(arguments)


if __name__ == "__main__":
    run()
