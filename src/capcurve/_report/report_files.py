"""Say which files a report can be written as, and which library one of them lacks."""

from pathlib import Path

from capcurve.exceptions import CapcurveError, MissingDependencyError

REPORT_ENDINGS = (".html", ".json", ".xlsx", ".pdf")


def find_report_ending(path: Path) -> str:
    """Return the ending of a file name; raise if it is not that of a report."""
    ending = path.suffix.lower()
    if ending not in REPORT_ENDINGS:
        raise CapcurveError(
            f"the file name of a report must end in one of {', '.join(REPORT_ENDINGS)}, "
            f"got {str(path)!r}; choose one of them"
        )
    return ending


def explain_missing_library(error: ModuleNotFoundError) -> MissingDependencyError:
    """Return an error that names the missing library and the extra that installs it."""
    return MissingDependencyError(str(error.name), extra="report", purpose="reports")
