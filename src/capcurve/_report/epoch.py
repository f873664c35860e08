"""The time that SOURCE_DATE_EPOCH asks for, so that documents can be made again."""

import os
from datetime import UTC, datetime

from capcurve.exceptions import CapcurveError

VARIABLE = "SOURCE_DATE_EPOCH"


def read_epoch() -> datetime | None:
    """Return the time that the environment asks for; None if it does not."""
    seconds = os.environ.get(VARIABLE)
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise CapcurveError(
            f"the environment variable {VARIABLE} must be a time in seconds since 1970, "
            f"got {seconds!r}; correct it, or unset it"
        ) from error
