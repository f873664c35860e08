"""Where a door differs from the others, and why."""

from __future__ import annotations

from typing import NamedTuple

FILES = ("CSV", "Parquet", "SQLite")
BINS = ("`approx=True`", "`--memory-limit`", "`--approx`")
REPORTS = ("`report()`", "`capcurve report`")
SHELL = (*FILES, "`--memory-limit`", "`--approx`", "`capcurve report`")
ORDERED = (
    "categories in order",
    "categories in order, `event_level` first",
    "categories in order, `event_level` second",
    "ordered categories as grades",
)


class Difference(NamedTuple):
    """Why some doors give another answer than the others.

    Attributes
    ----------
    doors, meanings
        Each of these doors differs for each of these meanings.
    reason
        Why, and what to do instead.
    found
        What the door says, or what its answer lacks: a regular expression. The page shows
        it, so it is made of plain words and of ``|`` for "or". With ``^`` and ``$`` it is
        about an answer, else an error.
    """

    doors: tuple[str, ...]
    meanings: tuple[str, ...]
    reason: str
    found: str


DIFFERENCES = (
    Difference(
        ("arrays",),
        (*ORDERED, "text grades, `order`"),
        "Arrays declare no order. Pass `pos_label`, and grades as numbers.",
        "pass the label of the event|unexpected keyword argument|must hold numbers",
    ),
    Difference(
        ("pandas",),
        ("categories without an order, not alphabetical",),
        "pandas sorts categories by the alphabet unless someone arranges them. The first "
        "of two that are arranged is the event, as that of a factor in yardstick. "
        "`to_pandas()` of another library may arrange them as they appear: pass "
        "`pos_label` there.",
        "^gives a number$",
    ),
    Difference(
        ("Ibis", *SHELL),
        ORDERED,
        "Ibis and files hold categories as text, without their order. Pass `pos_label`, or "
        "`order` of grades.",
        "pass the label of the event|requires a column that declares two levels|"
        "has no option|must hold numbers",
    ),
    Difference(
        ("CSV", "SQLite", "`--approx`"),
        ("0/1 as text",),
        "Neither a text file nor SQLite says that a column of digits is text, so it is "
        "read as numbers.",
        "^gives a number$",
    ),
    Difference(
        ("SQLite",),
        ("booleans, `pos_label` false",),
        "SQLite holds booleans as 0 and 1. Pass `--pos-label 0`.",
        "not among the labels",
    ),
    Difference(
        BINS,
        ("a score for each text label", "a score for each category"),
        "Bins hold a single event. Pass it as `--pos-label`, or leave the option out.",
        "binned scores require a single event",
    ),
    Difference(
        REPORTS,
        ("a score for each text label", "a score for each category"),
        "A report is about a single event. Pass it as `pos_label`.",
        "pass the label of the event|must have two levels|"
        "requires an outcome with two class labels",
    ),
    Difference(
        BINS,
        (
            "amounts",
            "whole floats, said to be amounts",
            "integers, said to be amounts",
            "fractions ranked by 0/1, said to be amounts",
            "low scores first, amounts",
            "sampling weights",
            "exposures, the weights of amounts",
            "weights of zero",
            "missing values in rows of weight zero",
            "missing weights left out",
        ),
        "The variance of amounts and of weighted rows cannot be computed from bins. AR and "
        "what is read off the curve are the same; a note says that there is no interval.",
        "^gives no high, low$",
    ),
    Difference(
        BINS,
        (
            "counted rows",
            "missing values beside a count of zero",
            "counted rows of amounts",
            "events among counted rows",
            "clusters",
            "clusters of weighted rows",
            "clusters of amounts",
        ),
        "Bins hold neither counted rows nor clusters. Leave the option out.",
        "bins do not hold",
    ),
    Difference(
        BINS,
        ("text grades, `order`",),
        "Bins hold numbers. Leave the option out.",
        "bins require numeric scores",
    ),
    Difference(
        ("`approx=True`",),
        ("ordered categories as grades",),
        "Bins hold numbers. Leave the option out.",
        "bins require numeric scores",
    ),
    Difference(
        BINS,
        ("integers beyond 2^53",),
        "Bins hold scores as floats, which cannot tell such integers apart. Leave the "
        "option out.",
        "rounds integers beyond",
    ),
    Difference(
        ("arrays",),
        ("events among counted rows",),
        "Arrays have one outcome per row. Pass the events and the rest as two rows, with "
        "`weights='frequency'`.",
        "unexpected keyword argument 'events'",
    ),
    Difference(
        ("`approx=True`",),
        ("one class only, asked for a curve",),
        "A query is binned before its outcomes are known to be equal. A warning says so.",
        "^gives nan$",
    ),
    Difference(
        ("arrays",),
        ("by one column, a group of one class",),
        "A group is passed on its own, and has no curve. AR alone is nan, with a warning.",
        "curve is undefined",
    ),
    Difference(
        ("arrays",),
        ("missing values left out", "missing weights left out"),
        "Arrays leave no rows out. Drop them first.",
        "must not hold missing values|must be finite and not negative",
    ),
    Difference(
        SHELL,
        ("missing values refused",),
        "The shell always leaves rows with missing values out, and says how many.",
        "has no option",
    ),
    Difference(
        REPORTS,
        ("by one column, with a missing group", "by one column, a group of one class"),
        "A report shows AR, its interval and the counts of segments, but KS and capture "
        "rates of all rows only.",
        "^gives no capture_10, ks$",
    ),
    Difference(
        REPORTS,
        ("by two columns",),
        "A report shows the segments of each column apart, not their combinations.",
        "^shows the groups 2023, 2024, east, west$",
    ),
)
EXCEPTIONS = {
    (door, meaning): difference
    for difference in DIFFERENCES
    for door in difference.doors
    for meaning in difference.meanings
}
