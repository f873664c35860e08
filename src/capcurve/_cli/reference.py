"""The command ``capcurve reference``: AR at the grades of another portfolio."""

from typing import Any

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.count_headings import head_above_zero
from capcurve._cli.frame_arguments import read_arguments
from capcurve._cli.frame_rows import make_frame_rows
from capcurve._cli.help import STATISTICS, add_options, command, option
from capcurve._cli.odd_columns import has_events, notify_odd_columns
from capcurve._cli.options import FILE_OPTIONS, confidence_option
from capcurve._cli.output_options import Output, output_options
from capcurve._cli.request import FileOptions
from capcurve._cli.sorted_groups import sort_rows_by_group
from capcurve._cli.streams import notify, notify_warnings
from capcurve._frames.gain_capture_at_reference import gain_capture_at_reference
from capcurve._input.score import is_number_text
from capcurve.exceptions import CapcurveError

# Columns of the data frame, and what the command line calls them.
REFERENCE_NAMES = {
    "model": "estimate",
    "estimate": "accuracy_ratio",
    **{name: name for name in ("std_error", "low", "high", "n_events")},
}


@command()
@add_options(FILE_OPTIONS)
@option(
    STATISTICS,
    "--shares",
    required=True,
    metavar="GRADE=SHARE,...",
    help="Share or number of rows of each grade in it.",
)
@confidence_option
@output_options
def reference(output: Output, confidence: float, shares: str, **options: Any) -> None:
    """Print the AR that rows would have with the grades of a portfolio.

    At the same reference, groups (--by) can be compared. Reads all rows into memory.

    Example: capcurve reference loans.csv --truth default --estimate grade
    --order A,B,C,D,E,F,G,H --shares A=5,B=10,C=15,D=20,E=20,F=15,G=10,H=5 --by year
    """
    file_options = FileOptions(**options, is_described=output.is_json)
    arguments, counts = read_arguments(file_options)
    notify_odd_columns(arguments["data"], file_options, notify)
    arguments["data"] = sort_rows_by_group(arguments["data"], file_options.by)
    with notify_warnings():
        result = gain_capture_at_reference(
            **arguments,
            reference=parse_shares(shares, are_numbers=file_options.order is None),
            confidence_level=confidence,
        )
    rows = make_frame_rows(result, file_options.by, REFERENCE_NAMES)
    answer = Answer(
        command="reference",
        rows=rows,
        order=tuple(REFERENCE_NAMES.values()),
        counts=counts,
        confidence_level=confidence,
        headings=head_above_zero(
            REFERENCE_NAMES.values(), has_events=has_events(arguments["data"], file_options)
        ),
    )
    write_answer(answer, output)


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
