"""Run the command line; every error is reported in one line."""

import sys
from collections.abc import Sequence

from capcurve.exceptions import MissingDependencyError

LIMIT_FAILED = 1
USAGE_OR_INPUT = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        return invoke(arguments)
    except ModuleNotFoundError as error:
        missing = MissingDependencyError(
            str(error.name), extra="cli", purpose="this command"
        )
        return complain(str(missing))
    except (ValueError, OSError, ImportError, MemoryError) as error:
        return complain(str(error) or type(error).__name__)


def invoke(arguments: Sequence[str] | None) -> int:
    """Let click run the command; report its errors in the style of this program."""
    import click

    from capcurve._cli.commands import LimitFailedError, capcurve
    from capcurve._cli.request import use_option_names
    from capcurve.exceptions import CapcurveError

    try:
        capcurve.main(arguments, prog_name="capcurve", standalone_mode=False)
    except LimitFailedError as error:
        return complain(error.format_message(), "failed", LIMIT_FAILED)
    except click.ClickException as error:
        return complain(error.format_message())
    except CapcurveError as error:
        return complain(use_option_names(str(error)))
    except click.Abort:
        return INTERRUPTED
    return 0


def complain(message: str, kind: str = "error", code: int = USAGE_OR_INPUT) -> int:
    """Print a message on one line of stderr and return the exit code."""
    print(f"capcurve: {kind}: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201
    return code


def run() -> None:
    """Run as the ``capcurve`` command."""
    sys.exit(main())


if __name__ == "__main__":
    run()
