"""Render every kind of picture in several styles, numbers of curves and names.

Usage: python gallery.py FOLDER [PART OF A NAME]
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from capcurve import CapCurve, CAPCurveDisplay, LiftCurveDisplay, random_band

STYLES = ("default", "dark_background", "ggplot", "grayscale")
NUMBERS = (1, 3, 8, 20)
N_LOANS = 600
LONG = "Gradient boosting with monotone constraints, refit of 2024, segment {:02}"
SIDE = 2  # inches of each picture among small ones


@dataclass(frozen=True)
class Models:
    """Curves of several models on the same loans, with a name each."""

    curves: Sequence[CapCurve]
    names: Sequence[str]


@cache
def make_models(n_models: int, *, long_names: bool = False) -> Models:
    """Rank generated loans by models of different strength."""
    rng = np.random.default_rng(0)
    risk = rng.normal(size=N_LOANS)
    default = rng.random(N_LOANS) < 1 / (1 + np.exp(2.5 - 1.5 * risk))
    curves = [
        CapCurve.from_predictions(default, risk + noise * rng.normal(size=N_LOANS))
        for noise in np.linspace(0.3, 3, n_models)
    ]
    name = LONG if long_names else "Model {}"
    return Models(curves, [name.format(i + 1) for i in range(n_models)])


Draw = Callable[[Models, "plt.Axes | None"], Figure]
PICTURES: dict[str, Draw] = {}


def picture(draw: Draw) -> Draw:
    """Register a kind of picture by the name of the function that draws it."""
    PICTURES[draw.__name__] = draw
    return draw


def named(
    models: Models,
) -> tuple[CapCurve, str] | tuple[Sequence[CapCurve], Sequence[str]]:
    """Return what displays take: one curve with its name, or lists."""
    if len(models.curves) == 1:
        return models.curves[0], models.names[0]
    return models.curves, models.names


@picture
def cap(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves."""
    return CAPCurveDisplay(*named(models)).plot(ax).figure_


@picture
def cap_with_marks(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves with shade and marks."""
    return CAPCurveDisplay(*named(models)).plot(ax, mark=(0.1, 0.5), shade=True).figure_


@picture
def cap_with_bands(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves with confidence bands."""
    events = int(models.curves[0].total_target)
    uninformative = random_band(events, N_LOANS - events, kind="pointwise")
    options = {"band": "pointwise", "random_band": uninformative, "mark": 0.2}
    return CAPCurveDisplay(*named(models)).plot(ax, **options).figure_


@picture
def cap_of_counts(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves with numbers of loans on the axes."""
    options = {"normalize_scale": False, "mark": 0.1}
    return CAPCurveDisplay(*named(models)).plot(ax, **options).figure_


@picture
def cap_of_folds(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves as those of folds, with their mean."""
    curves = models.curves if len(models.curves) > 1 else models.curves[0]
    return CAPCurveDisplay(curves, models.names[0]).plot(ax).figure_


@picture
def lift(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw lift curves with a mark."""
    return LiftCurveDisplay(*named(models)).plot(ax, mark=(0.1, 0.3)).figure_


def list_cases() -> Iterator[tuple[str, Callable[[], Figure]]]:
    """List every case by name: picture, style, number of curves, and names."""
    for (name, draw), style, n, is_long in itertools.product(
        PICTURES.items(), STYLES, NUMBERS, (False, True)
    ):

        def render(draw=draw, style=style, n=n, is_long=is_long) -> Figure:  # noqa: ANN001 -- bound now
            with plt.style.context(style):
                return draw(make_models(n, long_names=is_long), None)

        yield f"{name}-{style}-{n:02}-{'long' if is_long else 'short'}", render
    for part, style, n in itertools.product(range(0, len(PICTURES), 4), STYLES, (1, 3)):
        kinds = list(PICTURES)[part : part + 4]

        def render_small(kinds=kinds, style=style, n=n) -> Figure:  # noqa: ANN001 -- bound now
            return draw_small(kinds, style, n)

        yield f"small-{style}-{n:02}-{part // 4 + 1}", render_small


def draw_small(kinds: Sequence[str], style: str, n_models: int) -> Figure:
    """Draw up to four kinds of pictures on axes of two inches each."""
    with plt.style.context(style):
        figure, grid = plt.subplots(2, 2, figsize=(2 * SIDE, 2 * SIDE))
        for ax in grid.flat[len(kinds) :]:
            ax.remove()
        for kind, ax in zip(kinds, grid.flat, strict=False):
            PICTURES[kind](make_models(n_models), ax)
        return figure


def main(folder: Path, part: str = "") -> None:
    """Write a PNG of each case whose name holds a part."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, render in list_cases():
        if part in name:
            figure = render()
            figure.savefig(folder / f"{name}.png", dpi=100)
            plt.close(figure)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
