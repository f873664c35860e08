"""Read files as arguments of the functions for data frames."""

from typing import Any

import narwhals.stable.v2 as nw

from capcurve._cli.request import (
    FileOptions,
    make_file_roles,
    make_meaning,
    make_source,
    notify_missing_words,
)
from capcurve._cli.row_counts import RowCounts, count_frame
from capcurve._cli.streams import notify
from capcurve._files.open import read_table


def read_arguments(
    options: FileOptions, sample: str | None = None
) -> tuple[dict[str, Any], RowCounts]:
    """Read files as arguments of the functions for data frames, and count their rows."""
    source = make_source(
        options if sample is None else options._replace(by=(*options.by, sample))
    )
    table, missing = read_table(source, progress=not options.quiet)
    notify_missing_words(missing, notify)
    frame = nw.from_native(table, eager_only=True)
    meaning = make_meaning(options, frame)
    arguments = {
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
    return arguments, count_frame(frame, make_file_roles(options))
