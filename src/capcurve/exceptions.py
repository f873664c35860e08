"""Exceptions and warnings."""

import sys
import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any

from capcurve._public import public


@public
class CapcurveError(ValueError):
    """Invalid input or option; a `ValueError`.

    The message names the argument or column, says what was found there, and what to do.

    Examples
    --------
    >>> from capcurve import CapcurveError, accuracy_ratio_score
    >>> try:
    ...     accuracy_ratio_score([0, 1], [0.2, float("nan")])
    ... except CapcurveError as error:
    ...     print("refused:", error)
    refused: `y_score` ... missing ...
    """


@public
class MissingDependencyError(ImportError):
    """An optional dependency is required but not installed; an `ImportError`.

    Parameters
    ----------
    library : str
        Name of the missing library, also kept as the attribute ``name``.
    purpose : str
        What the library is required for, as a noun phrase.
    extra : str, default=None
        Extra of capcurve that installs it, such as ``'plot'``. None: no extra does.

    Examples
    --------
    >>> from capcurve import MissingDependencyError
    >>> print(MissingDependencyError("matplotlib", purpose="plotting", extra="plot"))
    matplotlib is required for plotting but not installed; run: pip install "capcurve[plot]"
    """

    def __init__(self, library: str, *, purpose: str, extra: str | None = None) -> None:
        package = f'"capcurve[{extra}]"' if extra else library
        super().__init__(
            f"{library} is required for {purpose} but not installed; "
            f"run: pip install {package}",
            name=library,
        )
        self._make_again = partial(type(self), library, purpose=purpose, extra=extra)

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an exception is made again from its message alone.
        return self._make_again, (), vars(self)


@public
class DroppedRowsWarning(UserWarning):
    """Rows of a data frame were left out because a value is missing.

    The message counts them, in total and by column; ``na_rm=False`` makes it an error.

    Attributes
    ----------
    n_rows : int
        Number of rows that were left out.
    missing : dict of str to int
        Number of missing values by column.
    """

    def __init__(
        self, message: str = "", n_rows: int = 0, missing: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(message)
        self.n_rows = n_rows
        self.missing: dict[str, int] = dict(missing or {})


@public
class FewEventsWarning(UserWarning):
    """Data are so few that an interval or a test may miss its nominal level.

    The message says what there is too little of, effective numbers where weights are
    unequal or rows come in clusters:

    - events or non-events, or for amounts and Somers' D pairs of rows: fewer than 20;
    - rows selected, or left out, at a population share: fewer than 15;
    - wrongly ranked events to be expected, ``min(m, n) * min(AUC, 1 - AUC)``: fewer than 5
      in most tests, 2 for implied AR, 6 for tests of all segments, 10 for plans;
    - degrees of freedom, of tests, plans and intervals whose method does not allow for
      them: fewer than 10, as few rows or clusters have most of the variance.

    The page "How intervals and tests are computed" of the documentation has the rule of
    each result in a table.
    """


@public
class HardLabelsWarning(UserWarning):
    """The score holds only the labels of the outcome, as predicted labels do.

    Labels rank rows in two groups, so the result understates a classifier that can give
    probabilities. It is right for a score that has two values. `accuracy_ratio_score`,
    `capture_rate_score`, `lift_score` and `response_rate_score` warn; intervals, tests,
    pictures and data frames do not.
    """


@public
class UndefinedMetricWarning(UserWarning):
    """A statistic is undefined for this input, such as a single class, and is nan."""


@public
class WideBoundsWarning(UserWarning):
    """One bin of several scores keeps the guaranteed bounds of AR more than 0.01 apart.

    The message names its scores and the way to the exact number.
    """


def warn_caller(message: str | Warning, category: type[Warning]) -> None:
    """Issue a warning that points at the first line outside of capcurve."""
    level = 2
    frame = sys._getframe(1)  # noqa: SLF001 -- the frames that `stacklevel` counts
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("capcurve."):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
