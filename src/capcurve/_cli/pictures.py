"""Pictures that ``capcurve plot`` and ``capcurve demo`` write."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from capcurve._cli.streams import notify_warnings
from capcurve._curve.curve import CapCurve
from capcurve._input.columns import Columns
from capcurve._plot.axes import OwnStyles, new_figure
from capcurve._plot.curve_display import CurveDisplay, show_ranked
from capcurve._plot.displays import (
    CAPCurveDisplay,
    GainsTableDisplay,
    KSDisplay,
    LiftCurveDisplay,
    LorenzCurveDisplay,
)
from capcurve._plot.panel_grid import MOST_PANELS, draw_panels, lay_out
from capcurve._plot.panels import describe_displays
from capcurve._plot.picture import MOST_CURVES
from capcurve._plot.ranked import Ranked
from capcurve._plot.summary import draw_summary
from capcurve._report.control_characters import escape_controls
from capcurve._report.scored import ScoredBins, ScoredGroup, ScoredRows
from capcurve._report.writing import write_content
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OVERLAYS = frozenset({"mark", "shade", "band", "random_band"})
CUTS = frozenset({"bands", "confidence_level"})


class Kind(NamedTuple):
    """A kind of picture: its display, and the options that apply."""

    display: type[CurveDisplay] | None
    options: frozenset[str]


KINDS: Mapping[str, Kind] = {
    "cap": Kind(CAPCurveDisplay, OVERLAYS),
    "lift": Kind(LiftCurveDisplay, OVERLAYS),
    "lorenz": Kind(LorenzCurveDisplay, OVERLAYS),
    "ks": Kind(KSDisplay, frozenset({"mark", "shade"})),
    "gains": Kind(GainsTableDisplay, CUTS),
    "summary": Kind(None, CUTS | {"mark"}),
}


def choose_kind(kind: str | None, options: Mapping[str, Any], *, lift: bool) -> str:
    """Return the kind of picture; raise for options that do not apply to it."""
    if lift and kind not in {None, "lift"}:
        raise CapcurveError(
            f"--lift is short for --kind lift, got --kind {kind} too; pass one of them"
        )
    chosen = kind or ("lift" if lift else "cap")
    for name, value in options.items():
        if value and name not in KINDS[chosen].options:
            option = "confidence" if name == "confidence_level" else name.replace("_", "-")
            fitting = [each for each, found in KINDS.items() if name in found.options]
            raise CapcurveError(
                f"--{option} applies to --kind {', '.join(fitting)}, got it for {chosen}; "
                "leave it out"
            )
    return chosen


def draw_picture_of(
    scored_groups: Sequence[ScoredGroup], path: Path, kind: str = "cap", **options: Any
) -> None:
    """Draw all defined curves in one picture, or in panels if they are many."""
    given = {name: value for name, value in options.items() if value}
    defined = [scored for scored in scored_groups if scored.curve is not None]
    display = KINDS[kind].display
    # Where HOME cannot be written to, matplotlib says so, and takes another place.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    figure = new_figure()
    with notify_warnings():  # as of characters that the font lacks
        if display is None:
            (scored,) = require_one(defined)
            ranked = Ranked(find_curve(scored), find_rows([scored]), None)
            draw_summary(figure, ranked, name=name_curve(scored), **given)
        elif len(defined) > MOST_CURVES // display.picture.lines_each:
            refuse_many(defined)
            draw_many(figure, display, defined, given)
        else:
            curves = {name_curve(scored): find_curve(scored) for scored in defined}
            ranked = Ranked(curves, find_rows(defined), None)
            show_ranked(display, ranked, None).plot(figure.subplots(), **given)
        write_content(path, print_figure(figure, path.suffix))


def print_figure(figure: Figure, ending: str) -> bytes:
    """Return a picture in the format of an ending.

    It is made in memory, as matplotlib closes a PDF by writing to it, on a full disk too.
    """
    import matplotlib as mpl

    content = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "capcurve"}):  # the same names of clip paths
        figure.savefig(content, format=ending.lower().removeprefix("."), dpi=150)
    return content.getvalue()


def require_one(defined: Sequence[ScoredGroup]) -> Sequence[ScoredGroup]:
    """Raise unless there is one curve."""
    if len(defined) > 1:
        raise CapcurveError(
            f"--kind summary shows one score of one group, got {len(defined)} curves; pass "
            "one --estimate, and choose a group with --query"
        )
    return defined


def refuse_many(defined: Sequence[ScoredGroup]) -> None:
    """Raise for more curves than panels that a reader can see."""
    if len(defined) > MOST_PANELS:
        raise CapcurveError(
            f"a picture must have at most {MOST_PANELS} curves, got {len(defined):,}; "
            "choose groups with --query, or print them with `capcurve score`"
        )


def draw_many(
    figure: Figure,
    display: type[CurveDisplay],
    defined: Sequence[ScoredGroup],
    options: Mapping[str, Any],
) -> None:
    """Draw each curve in a panel of its own."""
    displays = {
        escape_controls(label_curve(scored)): show_ranked(
            display, Ranked(find_curve(scored), find_rows([scored]), None), None
        )
        for scored in defined
    }
    panels = describe_displays(displays, **options)
    draw_panels(figure, panels, OwnStyles(), lay_out(len(panels)))


def find_curve(scored: ScoredGroup) -> Any:
    """Return the curve of a group, with its grades or its guaranteed bounds."""
    if isinstance(scored, ScoredBins) and not scored.binned.exact:
        return scored.binned
    curve: CapCurve | None = scored.curve
    if curve is not None and isinstance(scored, ScoredRows) and scored.grades:
        return replace(curve, grades=tuple(map(escape_text, scored.grades)))
    return curve


def find_rows(defined: Sequence[ScoredGroup]) -> tuple[Columns, ...]:
    """Return the rows of each group, if they are in memory."""
    return tuple(scored.columns for scored in defined if isinstance(scored, ScoredRows))


def name_curve(scored: ScoredGroup) -> str:
    """Name a curve in the legend."""
    return escape_text(label_curve(scored))


def label_curve(scored: ScoredGroup) -> str:
    """Name a curve; a score that is named after its label is named once."""
    if scored.level == scored.estimate:
        scored = replace(scored, level=None)
    elif scored.level is not None:
        scored = replace(
            scored, estimate=f"{scored.level} by {scored.estimate}", level=None
        )
    return scored.label


def escape_text(text: str) -> str:
    """Escape control characters, and dollars, which would start a formula."""
    return escape_controls(text).replace("$", r"\$")
