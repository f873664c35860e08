"""Say messages of the library in the words of the command line."""

import re
from ast import literal_eval

from capcurve._files.quoting import quote_name
from capcurve._files.remedies import write_null_query, write_query

# An argument with a value, such as `alternative='less'`.
GIVEN = re.compile(r"`(\w+)='?([^'`]+)'?`")
# A name, but of a column: only columns hold values.
NAMED = re.compile(r"`(\w+)`(?! (?:must hold|holds?)\b)")
# What Python is told to do about a word in a column of a file that stores text.
READING = re.compile(
    r"`(?P<name>.+?)` must hold (?P<kind>numbers|0/1).*"
    r"\((?P<advice>null_values=(?P<word>.+?) in polars\.read_csv, nullstr=.+? in DuckDB)\)",
    re.DOTALL,
)
# What Python is told to do about text that a word for infinity kept from being numbers, or
# that holds numbers alone.
CASTING = re.compile(
    r"schema_overrides=\{(?P<name>.+?): pl\.Float64\} in polars\.read_csv, or a cast"
    r"|pl\.col\((?P<column>.+?)\)\.cast\(pl\.Float64\) in polars, astype\(float\) in pandas"
)
OPTION_NAMES = {
    "pos_label": "--pos-label",
    "target_type": "--target-type",
    "confidence_level": "--confidence",
    "initial_auc": "--initial-auc",
    "initial_variance": "--initial-variance",
    "case_weights": "--weight",
    "counts": "--counts",
    "events": "--events",
    "clusters": "--cluster",
    "order": "--order",
    "fail_below": "--fail-below",
    "fail_on_lower_bound": "--fail-on-lower-bound",
    "fail_if_worse_than_initial": "--fail-if-worse-than-initial",
    "fail_if_challenger_better": "--fail-if-challenger-better",
    "fail_if_left_out": "--fail-if-left-out",
    "min_events": "--min-events",
    "on_undefined": "--on-undefined",
    "approx": "--approx and --memory-limit",
    "by": "--by",
    "compare": "--compare",
    "truth": "--truth",
    "estimate": "--estimate",
    "mark": "--mark",
    "bands": "--bands",
    "accuracy_ratio": "--ar",
    "first": "--ar",
    "second": "--second-ar",
    "event_rate": "--event-rate",
    "half_width": "--half-width",
    "n_events": "--n-events",
    "power": "--power",
    "difference": "--difference",
    "correlation": "--correlation",
    "events_ratio": "--events-ratio",
    "spread": "--spread",
    "share": "--share",
    "population_share": "--share",
    "threshold": "--threshold",
    "capture_rate": "--capture-rate",
    "alternative": "--alternative",
    "margin": "--margin",
    "empty_grades": "--empty-grades",
    "segment_weights": "--segment-weights",
    "reference": "--shares",
    "sample": "--sample",
    "against": "--against",
    "max_bins": "--max-bins",
    "period_by": "--period-by",
    "period": "--period",
    "implied": "--implied",
    "green": "--green",
    "amber": "--amber",
}
# Said of an option only with a value, as many a column is called so.
USUAL_COLUMNS = {"score": "--score"}


def use_given_options(message: str) -> str:
    """Replace arguments that have values by command-line options.

    Others stay, for a column may be called as an argument is.
    """

    def say(found: re.Match[str]) -> str:
        option = (OPTION_NAMES | USUAL_COLUMNS).get(found[1])
        return found[0] if option is None else f"{option} {found[2]}"

    return GIVEN.sub(say, message)


def use_option_names(message: str) -> str:
    """Replace argument names in an error message by command-line options."""
    message = use_given_options(suggest_null_query(message))
    return NAMED.sub(lambda found: OPTION_NAMES.get(found[1], found[0]), message)


def suggest_null_query(message: str) -> str:
    """Say how a query makes a word a missing value, instead of how Python does."""
    found = READING.match(message)
    if found is None:
        return CASTING.sub(suggest_cast, message)
    cast = "::double" if found["kind"] == "numbers" else ""
    query = write_null_query(found["name"], literal_eval(found["word"]), cast)
    return message.replace(found["advice"], query)


def suggest_cast(found: re.Match[str]) -> str:
    """Say how a query makes numbers of text, instead of how Python does."""
    name = literal_eval(found["name"] or found["column"])
    return write_query(name, f"{quote_name(name)}::double")
