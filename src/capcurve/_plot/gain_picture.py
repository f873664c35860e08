"""Pictures of the curves of a gain curve frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from capcurve._curve.profile import DIAGONAL, interpolate_at
from capcurve._input.column import as_names
from capcurve._input.dtypes import Names
from capcurve._input.options import check_flags, read_fractions, show
from capcurve._plot.cap_picture import CAPPicture
from capcurve._plot.curve_picture import shade_between
from capcurve._plot.gain_lines import GainLine
from capcurve._plot.panel_grid import (
    Panel,
    add_others,
    check_title,
    describe_picture,
    refuse_many_panels,
)
from capcurve._plot.picture import (
    MOST_CURVES,
    Axis,
    Detail,
    Layer,
    Mark,
    Picture,
    merge_distinct,
)
from capcurve._plot.refusals import refuse_unknown
from capcurve._plot.series_picture import write_entry
from capcurve.exceptions import CapcurveError

PANELS = "name the columns whose values make panels in `panel_by`"
LEVEL = "level"  # of a categorical outcome; these make panels if nothing else is asked


@dataclass(frozen=True, kw_only=True)
class GainRequest:
    """What a picture of a gain curve frame shows besides its curves."""

    marks: tuple[float, ...] = ()
    plot_chance_level: bool = True
    plot_perfect: bool = True
    shade: bool = True
    others: bool = True
    title: str | None = None


def read_gain_request(
    mark: float | Sequence[float] = (), title: str | None = None, **flags: bool
) -> GainRequest:
    """Check the options of a picture of a gain curve frame."""
    known = {field.name for field in fields(GainRequest)} - {"marks"}
    refuse_unknown(flags, known | {"mark"})
    check_flags(**flags)
    check_title(title)
    marks = read_fractions(mark, "mark").ravel().tolist()
    return GainRequest(marks=tuple(marks), title=title, **flags)


def describe_panels(
    lines: Sequence[GainLine], panel_by: Names | None, request: GainRequest
) -> list[Panel]:
    """Describe the panels of a frame; a single one has a picture with title and AR."""
    columns = choose_columns(lines, panel_by)
    rest = [name for name in lines[0].keys if name not in columns]
    panels: dict[str, list[GainLine]] = {}
    for line in lines:
        panels.setdefault(name_panel(line, columns), []).append(line)
    if len(panels) == 1:
        ((title, own),) = panels.items()
        return [Panel(describe_alone(title, own, rest, request), title)]
    refuse_many_panels(len(panels))
    names = list(dict.fromkeys(join_keys(line, rest) for line in lines))
    refuse_many_names(len(names))
    described = [
        describe_panel(title, own, rest, names, request) for title, own in panels.items()
    ]
    return add_others(described) if request.others else described


def choose_columns(lines: Sequence[GainLine], panel_by: Names | None) -> list[str]:
    """Return the columns whose values make panels."""
    known = list(lines[0].keys)
    if panel_by is None:
        return [name for name in known if name == LEVEL]
    columns = as_names(panel_by)
    for name in columns:
        if name not in known:
            raise CapcurveError(
                f"`panel_by` must name columns that tell curves apart, got {show(name)}; "
                f"those of this frame are {', '.join(map(repr, known)) or 'none'}"
            )
    return columns


def name_panel(line: GainLine, columns: Sequence[str]) -> str:
    """Name a panel by its value, or by the values of several columns with their names."""
    if len(columns) == 1:
        return join_keys(line, columns)
    return ", ".join(f"{name} {line.keys[name]}" for name in columns)


def join_keys(line: GainLine, columns: Sequence[str]) -> str:
    """Join the values of columns to a name."""
    return ", ".join(line.keys[name] for name in columns)


def refuse_many_names(n_names: int) -> None:
    """Raise for more names than a legend that panels share can tell apart."""
    if n_names > MOST_CURVES:
        raise CapcurveError(
            f"panels must have at most {MOST_CURVES} different names of curves to be told "
            f"apart, got {n_names}; name more columns in `panel_by`"
        )


def describe_alone(
    level: str, lines: Sequence[GainLine], columns: Sequence[str], request: GainRequest
) -> Picture:
    """Describe the curves of a frame without panels, with AR in the legend."""
    names = [join_keys(line, columns) or None for line in lines]
    entries = [
        name if (ratio := write_ratio(line)) is None else write_entry(name, ratio)
        for line, name in zip(lines, names, strict=True)
    ]
    title = request.title
    if title is None:
        ratio = write_ratio(lines[0]) if len(lines) == 1 else None
        kind = f"{CAPPicture.kind} curve" + ("" if len(lines) == 1 else "s")
        title = ", ".join(filter(None, (level, kind, ratio)))
    return describe(lines, range(len(lines)), names, entries, request, title)


def describe_panel(
    title: str,
    lines: Sequence[GainLine],
    columns: Sequence[str],
    names: Sequence[str],
    request: GainRequest,
) -> Panel:
    """Describe one of several panels, whose legend entries are names alone."""
    own = [join_keys(line, columns) or None for line in lines]
    numbers = [names.index(name or "") for name in own]
    entries: list[str | None] = own if len(names) > 1 else [None] * len(own)
    picture = describe(lines, numbers, own, entries, request, title)
    if len(lines) == 1:
        return replace(describe_picture(title, picture), number=write_ratio(lines[0]))
    keys = tuple(write_key(line, request) for line in lines)
    return Panel(picture, title, numbers=keys if any(keys) else ())


def spell_names(picture: Picture, *, has_own_title: bool) -> Picture:
    """Have matplotlib show names from data as they are, and read no formula in them."""
    layers = tuple(
        layer if layer.entry is None else replace(layer, entry=spell(layer.entry))
        for layer in picture.layers
    )
    title = picture.title if has_own_title else spell(picture.title)
    return replace(picture, layers=layers, title=title)


def spell(text: str) -> str:
    """Escape what matplotlib reads as the beginning of a formula."""
    return text.replace("$", r"\$")


def write_key(line: GainLine, request: GainRequest) -> str:
    """Write AR and the marked capture rates of a curve among others of a panel."""
    ratio = line.accuracy_ratio
    captured = np.interp(request.marks, *line.profile).tolist()
    parts = [] if ratio is None else [f"AR {ratio:.3f}"]
    parts += [
        f"{height:.1%} at {100 * share:.4g}%"
        for share, height in zip(request.marks, captured, strict=True)
    ]
    return ", ".join(parts)


def write_ratio(line: GainLine) -> str | None:
    """Write the AR of a curve, if the frame holds it."""
    return None if line.accuracy_ratio is None else f"AR = {line.accuracy_ratio:.3f}"


def describe(  # noqa: PLR0917 -- the parts of each curve, and what all share
    lines: Sequence[GainLine],
    numbers: Sequence[int],
    names: Sequence[str | None],
    entries: Sequence[str | None],
    request: GainRequest,
    title: str,
) -> Picture:
    """Describe a picture of curves, with the references that the frame tells."""
    return Picture(
        title=title,
        x=Axis("Population share", "share", 0, 1),
        y=Axis("Capture rate", "share", 0, 1),
        layers=(
            *list_references(lines, request),
            *(
                describe_line(line, number, name, entry)
                for line, number, name, entry in zip(
                    lines, numbers, names, entries, strict=True
                )
            ),
        ),
        marks=tuple(
            mark
            for line, number in zip(lines, numbers, strict=True)
            for mark in list_marks(line, number, request.marks)
        ),
        is_square=True,
    )


def list_marks(line: GainLine, number: int, shares: Sequence[float]) -> Iterator[Mark]:
    """List the points that are read off a curve."""
    captured = np.interp(shares, *line.profile).tolist()
    for share, height in zip(shares, captured, strict=True):
        text = f"{height:.1%} captured at {100 * share:.4g}%"
        yield Mark(number, share, height, text)


def list_references(lines: Sequence[GainLine], request: GainRequest) -> Iterator[Layer]:
    """List the shaded area, the random line, and the perfect line of each curve."""
    perfect = [line.perfect for line in lines if line.perfect is not None]
    if request.shade and perfect:
        yield shade_between([DIAGONAL] * len(perfect), perfect)
    if request.plot_chance_level:
        yield Layer("chance", *DIAGONAL, entry=CAPPicture.chance_entry)
    if request.plot_perfect and perfect:
        yield Layer("perfect", *merge_distinct(perfect), entry=CAPPicture.perfect_entry)


def describe_line(
    line: GainLine, number: int, name: str | None, entry: str | None
) -> Layer:
    """Describe one curve, with the cut-off score at each of its points."""
    share, captured = line.profile
    is_whole = share[-1] >= 1 and captured[-1] >= 1
    x, y = line.profile.thinned() if is_whole else line.profile
    details: tuple[Detail, ...] = ()
    if line.thresholds is not None:
        kept = np.searchsorted(share, x)
        details = (Detail("Score cut-off", "score", line.thresholds[kept]),)
    return Layer(
        "curve",
        x,
        y,
        number=number,
        name=name,
        entry=entry,
        details=details,
        read=lambda at: interpolate_at(at, share, captured),
    )
