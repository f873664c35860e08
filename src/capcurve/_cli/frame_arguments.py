"""Read files as arguments of the functions for data frames."""

from typing import Any

from capcurve._cli.request import (
    FileOptions,
    make_file_roles,
    make_meaning,
    make_source,
    read_frame,
)
from capcurve._cli.row_counts import RowCounts, count_frame
from capcurve._cli.streams import notify
from capcurve._cli.undefined import make_rowless_error


def read_arguments(
    options: FileOptions, sample: str | None = None
) -> tuple[dict[str, Any], RowCounts]:
    """Read files as arguments of the functions for data frames, and count their rows."""
    read = options if sample is None else options._replace(by=(*options.by, sample))
    frame, origin = read_frame(read, notify)
    if not len(frame):
        raise make_rowless_error(make_source(options).title)
    meaning = make_meaning(options, frame)
    arguments = {
        "data": frame.to_native(),
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
    return arguments, count_frame(frame, make_file_roles(options), origin)
