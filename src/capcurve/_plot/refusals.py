"""Keywords that no picture takes, refused with where they go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches

# How rows are ranked, which is settled when curves are drawn.
READING = ("pos_label", "labels", "target_type", "descending", "sample_weight")
ALIKE = 0.75  # of two names, from 0 to 1
SIZES = ("figsize", "dpi")
LINE_STYLES = (
    *("color", "c", "linewidth", "lw", "linestyle", "ls", "alpha", "label", "zorder"),
    *("marker", "markersize", "ms", "markevery", "drawstyle"),
)
# Options of `plot` that say how matplotlib draws.
DRAWING = (
    *("ax", "curve_kwargs", "chance_level_kwargs", "perfect_level_kwargs", "despine"),
    *("n_columns", "panel_size"),
)


def refuse_reading(options: Iterable[str]) -> None:
    """Raise for a keyword that says how rows are read, such as one of an estimator's."""
    given = set(options)
    for name in READING:
        if name in given:
            raise TypeError(
                "plot() takes what a picture shows, but got an unexpected keyword argument "
                f"{name!r}, which says how rows are read; pass it to from_predictions, "
                "with the predictions of an estimator as y_score"
            )


def refuse_unknown(options: Iterable[str], known: Iterable[str]) -> None:
    """Raise for a keyword that no picture has, as Python does."""
    names = set(known)
    for name in sorted(set(options) - names):
        raise TypeError(
            f"plot() got an unexpected keyword argument {name!r}; "
            f"{say_where(name, [*sorted(names), *DRAWING])}"
        )


@contextmanager
def name_chart() -> Iterator[None]:
    """Let a keyword that `plot` refuses be one of `chart`, which has the same ones."""
    try:
        yield
    except TypeError as error:
        raise TypeError(str(error).replace("plot()", "chart()", 1)) from error


def say_where(name: str, known: Sequence[str]) -> str:
    """Say where an option goes that `plot` does not take, or which one it may mean."""
    if name in SIZES:
        return (
            f"pass axes of your own as ax, from plt.subplots({name}=...), or of panels "
            "panel_size"
        )
    if name in LINE_STYLES:
        return f"pass the style of its lines as curve_kwargs={{{name!r}: ...}}"
    close = get_close_matches(name, known, n=1, cutoff=ALIKE)
    return f"did you mean {close[0]!r}?" if close else "pass an option that it documents"


def refuse_drawing(options: Iterable[str]) -> None:
    """Raise for a keyword of matplotlib's, which an interactive chart does not take."""
    given = set(options)
    for name in (*DRAWING, *SIZES, *LINE_STYLES):
        if name in given:
            raise TypeError(
                "chart() takes what a picture shows, but got an unexpected keyword "
                f"argument {name!r}, which is for matplotlib; leave it out, as the colours "
                "of a chart are fixed; .properties(width=..., height=...) sets its size"
            )
