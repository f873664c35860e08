"""The commands ``change`` and ``reference``: what moves AR besides the model."""

from typing import Any

import click
import narwhals.stable.v2 as nw

from capcurve._cli.frame_rows import make_frame_rows
from capcurve._cli.options import (
    FILE_OPTIONS,
    add_options,
    confidence_option,
    format_option,
)
from capcurve._cli.request import (
    FileOptions,
    make_meaning,
    make_source,
    notify_missing_words,
)
from capcurve._cli.streams import notify, notify_warnings
from capcurve._cli.tables import print_rows
from capcurve._files.open import is_number_text, read_table
from capcurve._frames.gain_capture_at_reference import gain_capture_at_reference
from capcurve._frames.gain_capture_change import gain_capture_change
from capcurve.exceptions import CapcurveError

# Columns of the data frames, and what the command line calls them.
CHANGE_NAMES = {
    "model": "estimate",
    "sample_first": "sample_first",
    "sample_second": "sample_second",
    "part": "part",
    "estimate": "change",
    **{name: name for name in ("std_error", "low", "high", "p_value")},
    "estimate_first": "ar_first",
    "estimate_second": "ar_second",
    "n_events": "n_events",
}
REFERENCE_NAMES = {
    "model": "estimate",
    "estimate": "accuracy_ratio",
    **{name: name for name in ("std_error", "low", "high", "n_events")},
}

bands_option = click.option(
    "--bands",
    type=int,
    metavar="N",
    help="Bands of equal share that take the place of grades, for a score of many values.",
)


@click.command()
@add_options(FILE_OPTIONS)
@click.option(
    "--sample",
    required=True,
    metavar="COLUMN",
    help="Column of the period or portfolio of each row.",
)
@bands_option
@click.option(
    "--shares",
    type=click.Choice(["estimated", "known"]),
    default="estimated",
    metavar="WORD",
    help="Shares of the grades: estimated (default), or known, where only outcomes vary.",
)
@click.option(
    "--empty-grades",
    type=click.Choice(["refuse", "other"]),
    default="refuse",
    metavar="WORD",
    help="A grade without rows in one period: refuse (default), or take its event rate "
    "from the other.",
)
@confidence_option
@format_option
def change(
    form: str,
    confidence: float,
    sample: str,
    bands: int | None,
    *,
    shares: Any,
    empty_grades: Any,
    **options: Any,
) -> None:
    """Split changes of AR between periods into mix and ranking.

    Each period is compared with the one before it: how much of the change do the shares of
    the grades make (mix), and how much the outcomes within grades (ranking)? Reads all
    rows into memory.

    Example: capcurve change loans.csv --truth default --estimate points --bands 10
    --sample year
    """
    file_options = FileOptions(**options)
    with notify_warnings():
        result = gain_capture_change(
            **read_arguments(file_options, sample),
            sample=sample,
            bands=bands,
            shares=shares,
            empty_grades=empty_grades,
            confidence_level=confidence,
        )
    rows = make_frame_rows(result, file_options.by, CHANGE_NAMES)
    print_rows(rows, tuple(CHANGE_NAMES.values()), form)


@click.command()
@add_options(FILE_OPTIONS)
@click.option(
    "--shares",
    required=True,
    metavar="GRADE=SHARE,...",
    help="Share or number of rows of each grade in the reference portfolio.",
)
@confidence_option
@format_option
def reference(form: str, confidence: float, shares: str, **options: Any) -> None:
    """Print the AR that rows would have with the grades of a reference portfolio.

    At the same reference, groups (--by) can be compared. Reads all rows into memory.

    Example: capcurve reference loans.csv --truth default --estimate grade --order A,B
    --shares A=0.7,B=0.3 --by year
    """
    file_options = FileOptions(**options)
    with notify_warnings():
        result = gain_capture_at_reference(
            **read_arguments(file_options),
            reference=parse_shares(shares, are_numbers=file_options.order is None),
            confidence_level=confidence,
        )
    rows = make_frame_rows(result, file_options.by, REFERENCE_NAMES)
    print_rows(rows, tuple(REFERENCE_NAMES.values()), form)


def read_arguments(options: FileOptions, sample: str | None = None) -> dict[str, Any]:
    """Read a file, and say what its columns mean as arguments of the frame functions."""
    source = make_source(
        options if sample is None else options._replace(by=(*options.by, sample))
    )
    table, missing = read_table(source, progress=not options.quiet)
    notify_missing_words(missing, notify)
    meaning = make_meaning(options, nw.from_native(table, eager_only=True))
    return {
        "data": table,
        "truth": options.truth,
        "estimate": options.estimate,
        "by": options.by,
        "case_weights": options.weight,
        "counts": options.counts,
        "events": options.events,
        "clusters": options.cluster,
        "pos_label": meaning.pos_label,
        "target_type": meaning.target_type,
        "descending": meaning.descending,
        "order": meaning.order,
    }


def parse_shares(text: str, *, are_numbers: bool) -> dict[Any, float]:
    """Parse the shares of grades, which are numbers or, with --order, words."""
    shares: dict[Any, float] = {}
    for item in text.split(","):
        grade, _, share = item.rpartition("=")
        if not (grade and is_number_text(share)):
            raise CapcurveError(
                "--shares must list a share for each grade, as in A=0.7,B=0.3, got "
                f"{item!r}; separate them by commas"
            )
        if are_numbers and not is_number_text(grade):
            raise CapcurveError(
                f"--shares must name grades as numbers without --order, got {grade!r}; "
                "list the grades as --order, the lowest score first"
            )
        key = float(grade) if are_numbers else grade
        if key in shares:
            raise CapcurveError(
                f"--shares must name each grade once, got {grade!r} twice; leave one out"
            )
        shares[key] = float(share)
    return shares
