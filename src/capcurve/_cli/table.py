"""The command ``capcurve table``: the gains table."""

from typing import Any

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.count_headings import head_masses
from capcurve._cli.gains_rows import GAINS_COLUMNS, SCORE_HEADINGS, make_gains_rows
from capcurve._cli.help import add_options, command
from capcurve._cli.options import (
    FILE_OPTIONS,
    SCALE_OPTIONS,
    bands_option,
    limits_option,
    parse_bands,
)
from capcurve._cli.out_of_core import list_shares, read_scored_groups
from capcurve._cli.output_options import Output, planned_output_options
from capcurve._cli.request import FileOptions, refuse_clusters
from capcurve._cli.streams import notify_warnings


@command()
@add_options(FILE_OPTIONS)
@add_options(SCALE_OPTIONS)
@bands_option
@limits_option
@planned_output_options
def table(output: Output, bands: str, confidence: float | None, **options: Any) -> None:
    """Print the gains table, a row for each band of the ranked rows.

    Example: capcurve table loans.csv --truth default --estimate champion_pd --bands 10
    """
    if confidence is None:
        refuse_clusters(options["cluster"], "table without --confidence")
    band_spec = parse_bands(bands)
    reading = read_scored_groups(
        FileOptions(**options, is_described=output.is_json),
        list_shares(band_spec),
        verbose=output.verbose,
    )
    with notify_warnings():
        answer = Answer(
            command="table",
            rows=make_gains_rows(reading.groups, band_spec, confidence),
            order=GAINS_COLUMNS,
            counts=reading.counts,
            confidence_level=confidence,
            headings=head_masses(reading.groups, is_weighted=options["weight"] is not None)
            | SCORE_HEADINGS,
        )
        write_answer(answer, output)
