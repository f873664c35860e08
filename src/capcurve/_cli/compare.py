"""The command ``capcurve compare``: tests of pairs of scores, and against initial AUC."""

from collections.abc import Sequence
from typing import Any

import click

from capcurve._cli.options import (
    FILE_OPTIONS,
    INITIAL_OPTIONS,
    TEST_OPTIONS,
    add_options,
    confidence_option,
    format_option,
)
from capcurve._cli.request import FileOptions, read_scored_rows
from capcurve._cli.rows import TEST_COLUMNS, make_initial_rows, make_pair_rows
from capcurve._cli.samples import COLUMNS, SAMPLE_OPTIONS, make_sample_rows
from capcurve._cli.streams import notify, notify_warnings
from capcurve._cli.tables import print_rows
from capcurve._inference.comparison import Hypothesis, check_hypothesis
from capcurve._inference.options import Alternative
from capcurve._input.options import check_fraction
from capcurve.exceptions import CapcurveError


@click.command()
@add_options(FILE_OPTIONS)
@confidence_option
@add_options(TEST_OPTIONS)
@add_options(SAMPLE_OPTIONS)
@add_options(INITIAL_OPTIONS)
@format_option
def compare(
    form: str,
    confidence: float,
    initial_auc: float | None,
    initial_variance: float | None,
    *,
    against: str | None,
    sample: str | None,
    share: float | None,
    alternative: Alternative,
    margin: float,
    **options: Any,
) -> None:
    """Test whether scores have the same AR, a row for each pair.

    With --against, whether a score has the same AR in two samples: those of two files, or
    of the values of a column (--sample). Reads all rows into memory.

    Example: capcurve compare loans.csv --truth default --estimate new --estimate old
    """
    hypothesis = Hypothesis(alternative, margin, confidence)
    check_hypothesis(hypothesis)
    if share is not None:
        check_fraction(share, "share", above_zero=True)
    if against is not None or sample is not None:
        refuse_initial(initial_auc)
        found = make_sample_rows(FileOptions(**options), sample, against, share, hypothesis)
        print_rows(found, COLUMNS, form)
        return
    refuse_contradictions(hypothesis, initial_auc, initial_variance, options["estimate"])
    if share is not None and initial_auc is not None:
        raise CapcurveError(
            "--initial-auc tests an AUC, got --share too; leave one of them out"
        )
    scored_groups = read_scored_rows(FileOptions(**options), notify)
    with notify_warnings():
        if initial_auc is None:
            rows = make_pair_rows(scored_groups, share, hypothesis)
        else:
            rows = make_initial_rows(
                scored_groups, initial_auc, initial_variance, confidence
            )
        print_rows(rows, TEST_COLUMNS, form)


def refuse_initial(initial_auc: float | None) -> None:
    """Raise if samples are to be compared with the initial AUC too."""
    if initial_auc is not None:
        raise CapcurveError(
            "--initial-auc and --against are different tests, got both; leave one of them "
            "out"
        )


def refuse_contradictions(
    hypothesis: Hypothesis,
    initial_auc: float | None,
    initial_variance: float | None,
    estimates: Sequence[str],
) -> None:
    """Raise if the options of a test do not belong together."""
    if initial_auc is None:
        if initial_variance is not None:
            raise CapcurveError(
                "--initial-variance requires --initial-auc, which was not given; add "
                "--initial-auc AUC"
            )
        if len(estimates) == 1:
            raise CapcurveError(
                "compare requires two or more scores, --against or --initial-auc, got one "
                "--estimate; add another --estimate, --against or --initial-auc"
            )
    elif hypothesis.alternative != "two-sided":
        raise CapcurveError(
            "--initial-auc tests for a decrease, got --alternative "
            f"{hypothesis.alternative}; leave one of them out"
        )
