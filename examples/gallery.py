"""Render every kind of picture in several styles, numbers of curves and names.

Usage: python gallery.py FOLDER [PART OF A NAME], or python gallery.py PAGE.md, which
writes the pictures of a page, each drawn by the code below it.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    DoubleLiftDisplay,
    GainsTableDisplay,
    KSDisplay,
    LiftCurveDisplay,
    LorenzCurveDisplay,
    plot_panels,
    plot_summary,
    random_band,
)

ROOT = Path(__file__).parents[1]
DOTS_PER_INCH = 130  # of pictures in documents
STYLES = ("default", "dark_background", "ggplot", "grayscale")
NUMBERS = (1, 3, 8, 20)
N_LOANS = 600
LONG = "Gradient boosting with monotone constraints, refit of 2024, segment {:02}"
SIDE = 2  # inches of each picture among small ones


@dataclass(frozen=True)
class Models:
    """Several models on the same loans, with a name each."""

    default: np.ndarray
    scores: dict[str, np.ndarray]
    curves: dict[str, CapCurve]


@cache
def make_models(n_models: int, *, long_names: bool = False) -> Models:
    """Rank generated loans by models of different strength."""
    rng = np.random.default_rng(0)
    risk = rng.normal(size=N_LOANS)
    default = rng.random(N_LOANS) < 1 / (1 + np.exp(2.5 - 1.5 * risk))
    name = LONG if long_names else "Model {}"
    scores = {
        name.format(i + 1): 1 / (1 + np.exp(2.5 - risk - noise * rng.normal(size=N_LOANS)))
        for i, noise in enumerate(np.linspace(0.3, 3, n_models))
    }
    curves = {
        each: CapCurve.from_predictions(default, score) for each, score in scores.items()
    }
    return Models(default, scores, curves)


Draw = Callable[..., Figure]


@dataclass(frozen=True)
class Kind:
    """A kind of picture: who draws it, and of how many models at most.

    ``most_small``: of how many on axes of two inches; 0 where it takes no axes.
    """

    draw: Draw
    most: int
    most_small: int


PICTURES: dict[str, Kind] = {}


def picture(most: int = 20, most_small: int = 3) -> Callable[[Draw], Draw]:
    """Register a kind of picture by the name of the function that draws it."""

    def register(draw: Draw) -> Draw:
        PICTURES[draw.__name__] = Kind(draw, most, min(most, most_small))
        return draw

    return register


@picture()
def cap(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves."""
    return CAPCurveDisplay(models.curves).plot(ax).figure_


@picture()
def cap_with_marks(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves with shade and marks."""
    return CAPCurveDisplay(models.curves).plot(ax, mark=(0.1, 0.5), shade=True).figure_


@picture()
def cap_with_bands(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves with confidence bands."""
    events = int(models.default.sum())
    by_chance = random_band(events, N_LOANS - events, kind="pointwise")
    display = CAPCurveDisplay(models.curves)
    return display.plot(ax, band="pointwise", random_band=by_chance, mark=0.2).figure_


@picture()
def cap_of_counts(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves with numbers of loans on the axes."""
    return CAPCurveDisplay(models.curves).plot(ax, normalize_scale=False, mark=0.1).figure_


@picture()
def cap_of_folds(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw CAP curves as those of folds, with their mean."""
    folds = {next(iter(models.curves)): list(make_models(5).curves.values())}
    others = {f"{name}, again": list(models.curves.values())[::-1] for name in folds}
    display = CAPCurveDisplay(folds | others if len(models.curves) > 1 else folds)
    return display.plot(ax).figure_


@picture()
def lift(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw lift curves with marks."""
    return LiftCurveDisplay(models.curves).plot(ax, mark=(0.1, 0.3)).figure_


@picture(most_small=2)
def lorenz(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw ordered Lorenz curves with a mark."""
    return LorenzCurveDisplay(models.curves).plot(ax, mark=0.5).figure_


@picture(most=8, most_small=1)
def ks(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw the distributions of scores of events and of non-events."""
    return KSDisplay(models.curves).plot(ax).figure_


@picture(most=8, most_small=1)
def ks_over_population(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw the same over the share of the population."""
    return KSDisplay(models.curves).plot(ax, over="population_share").figure_


@picture(most=8)
def gains(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw gains tables with confidence limits."""
    return GainsTableDisplay(models.curves).plot(ax, confidence_level=0.95).figure_


@picture(most=3)
def gains_of_bands(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw the lift of twenty bands."""
    return GainsTableDisplay(models.curves).plot(ax, bands=20, statistic="lift").figure_


@picture(most=1)
def double_lift(models: Models, ax: plt.Axes | None = None) -> Figure:
    """Draw two predictions where they disagree."""
    (name,) = models.scores
    pair = {name: models.scores[name], "Challenger": make_models(3).scores["Model 2"]}
    return DoubleLiftDisplay.from_predictions(models.default, pair, ax=ax).figure_


@picture(most_small=0)
def panels(models: Models) -> Figure:
    """Draw a panel for each model."""
    return plot_panels(models.curves, mark=0.2).figure_


@picture(most=1, most_small=0)
def summary(models: Models) -> Figure:
    """Draw one page about a model."""
    ((name, score),) = models.scores.items()
    return plot_summary(models.default, score, name=name, mark=0.1).figure_


def list_cases() -> Iterator[tuple[str, Callable[[], Figure]]]:
    """List every case by name: picture, style, number of curves, and names."""
    for (name, kind), style, n, is_long in itertools.product(
        PICTURES.items(), STYLES, NUMBERS, (False, True)
    ):
        if n <= kind.most:
            words = "long" if is_long else "short"
            yield (
                f"{name}-{style}-{n:02}-{words}",
                partial(draw, name, style, n, long_names=is_long),
            )
    for part, style, n in itertools.product(list_quartets(), STYLES, (1, 3)):
        yield f"small-{style}-{n:02}-{part[0]}", partial(draw_small, part, style, n)


def draw(name: str, style: str, n_models: int, *, long_names: bool) -> Figure:
    """Draw a kind of picture in a style."""
    with plt.style.context(style):
        return PICTURES[name].draw(make_models(n_models, long_names=long_names))


def list_quartets() -> list[list[str]]:
    """List the kinds of pictures that can be drawn on axes, four at a time."""
    kinds = [name for name, kind in PICTURES.items() if kind.most_small]
    return [kinds[start : start + 4] for start in range(0, len(kinds), 4)]


def draw_small(kinds: Sequence[str], style: str, n_models: int) -> Figure:
    """Draw up to four kinds of pictures on axes of two inches each."""
    with plt.style.context(style):
        figure, grid = plt.subplots(2, 2, figsize=(2 * SIDE, 2 * SIDE))
        for ax in grid.flat[len(kinds) :]:
            ax.remove()
        for name, ax in zip(kinds, grid.flat, strict=False):
            kind = PICTURES[name]
            kind.draw(make_models(min(n_models, kind.most_small)), ax)
        return figure


def draw_page(page: Path) -> Iterator[tuple[Path, Figure]]:
    """Run the code of a page in order; yield each picture and its file."""
    picture, code = r"!\[[^]]*\]\((?P<file>[^)]+)\)", r"```python\n(?P<code>.*?)```"
    names: dict[str, object] = {}
    file = None
    for found in re.finditer(f"{picture}|{code}", page.read_text("utf-8"), re.DOTALL):
        if found["file"]:
            file = page.parent / found["file"]
            continue
        exec(found["code"], names)  # noqa: S102 -- the code of a page of this project
        if file is not None:
            yield file, plt.gcf()
            plt.close("all")
            file = None


def write_page(page: Path) -> None:
    """Write the pictures of a page."""
    for file, figure in draw_page(page):
        file.parent.mkdir(exist_ok=True)
        figure.savefig(file, dpi=DOTS_PER_INCH)


def main(folder: Path, part: str = "") -> None:
    """Write a PNG of each case whose name holds a part."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, render in list_cases():
        if part in name:
            figure = render()
            figure.savefig(folder / f"{name}.png", dpi=100)
            plt.close(figure)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if target.suffix == ".md":
        write_page(target)
    else:
        main(target, *sys.argv[2:])
