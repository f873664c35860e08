"""Describe the curves of a report as pictures: CAP, lift, KS and ROC."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from capcurve._curve.profile import DIAGONAL
from capcurve._plot.picture import Axis, Layer, Mark, Picture
from capcurve._report.options import Facts
from capcurve._report.page_format import write_percent
from capcurve._report.phrases import say_list
from capcurve._tally.dtypes import Array

FIRST_LIFT = 0.01  # smallest share shown: the lift of a few rows is very large
LIFT_POINTS = 251
SHARE = "Population share"


class View(NamedTuple):
    """A way to look at the same curves.

    Attributes
    ----------
    name : str
        Name of the view for scripts.
    title : str
    picture : Picture
    caption : str
        What the lines are.
    lines_each : int
        Lines of each model.
    """

    name: str
    title: str
    picture: Picture
    caption: str
    lines_each: int = 1


class Points(NamedTuple):
    """Points of a curve: shares of rows, of events, and of non-events if there are any."""

    share: Array
    captured: Array
    others: Array


def list_views(facts: Facts) -> list[View]:
    """List the views; amounts have no non-events, and so neither KS nor ROC."""
    views = [view_cap(facts), view_lift(facts)]
    if facts["outcome"] == "events":
        views += [view_ks(facts), view_roc(facts)]
    return views


def read_points(model: Facts) -> Points:
    """Return the points of a curve."""
    share = np.array(model["curve"]["population_share"])
    captured = np.array(model["curve"]["capture_rate"])
    return Points(share, captured, count_others(share, captured, model["response_rate"]))


def count_others(share: Array, captured: Array, rate: float) -> Array:
    """Return the share of non-events selected, from those of all rows and of events.

    A share p of the rows holds p - rate * c of all rows that are not events, where c is
    the share of events among them.
    """
    if not 0 < rate < 1:
        return np.full_like(share, np.nan)
    return np.clip((share - rate * captured) / (1 - rate), 0, 1)


def list_curves(facts: Facts) -> Iterator[tuple[int, str, Points]]:
    """List the number, the name and the points of each model."""
    for number, model in enumerate(facts["models"]):
        yield number, model["name"], read_points(model)


def view_cap(facts: Facts) -> View:
    """Describe the CAP curves, the random and perfect ones, and the champion's band."""
    share, captured = (np.array(each) for each in facts["perfect"].values())
    layers = [Layer("chance", *DIAGONAL), Layer("perfect", share, captured)]
    caption = "Solid grey: perfect ranking. Dotted grey: random ranking."
    if facts["band"] is not None:
        share, low, high = (np.array(each) for each in facts["band"].values())
        layers.insert(0, Layer("band", share, low, top=high))
        champion = facts["models"][0]
        level = write_percent(champion["accuracy_ratio"]["confidence_level"], 0)
        caption += f" Shaded: pointwise {level} confidence band of {champion['name']}."
    at_shares = facts["models"][0]["captured"]  # in words, as a saved picture has no table
    shares = [write_percent(at["population_share"], 0) for at in at_shares]
    marks = [
        Mark(number, at["population_share"], at["capture_rate"], "")
        for number, model in enumerate(facts["models"])
        for at in model["captured"]
    ]
    layers += [
        Layer("curve", points.share, points.captured, None, number, name)
        for number, name, points in list_curves(facts)
    ]
    x, y = Axis(SHARE, "share", 0, 1), Axis("Capture rate", "share", 0, 1)
    picture = Picture("Cumulative accuracy profile", x, y, tuple(layers), tuple(marks))
    caption += f" Dots: the top {say_list(shares)} of the population."
    return View("cap", "CAP", picture, caption)


def view_lift(facts: Facts) -> View:
    """Describe cumulative lift and the random line."""
    layers = [Layer("chance", np.array([0.0, 1.0]), np.ones(2))]
    highest = 1.0
    for number, name, points in list_curves(facts):
        share, lift = find_lift(points.share, points.captured)
        highest = max(highest, float(lift.max()))
        layers.append(Layer("curve", share, lift, None, number, name))
    x = Axis(SHARE, "share", 0, 1)
    y = Axis("Cumulative lift", "number", 0, 1.05 * highest)
    return View(
        "lift",
        "Lift",
        Picture("Cumulative lift", x, y, tuple(layers)),
        f"Capture rate divided by population share, from {FIRST_LIFT:.0%} of the "
        "population on. Dotted grey: random ranking.",
    )


def find_lift(share: Array, captured: Array) -> tuple[Array, Array]:
    """Find points of a lift curve, which bends between the points of a CAP curve."""
    grid = np.linspace(0, 1, LIFT_POINTS)
    shown = np.union1d(share[share > FIRST_LIFT], grid[grid > FIRST_LIFT])
    shown = np.append(FIRST_LIFT, shown)
    return shown, np.interp(shown, share, captured) / shown


def view_ks(facts: Facts) -> View:
    """Describe the shares of events and of non-events, and where they differ most."""
    layers = []
    for number, name, points in list_curves(facts):
        gap = np.argmax(np.abs(points.captured - points.others))
        ends = np.sort([points.captured[gap], points.others[gap]])
        layers += [
            Layer("gap", np.repeat(points.share[gap], 2), ends, None, 2 * number, name),
            Layer("curve", points.share, points.captured, None, 2 * number, name),
            Layer("curve", points.share, points.others, None, 2 * number + 1, name),
        ]
    x, y = Axis(SHARE, "share", 0, 1), Axis("Cumulative share", "share", 0, 1)
    return View(
        "ks",
        "KS",
        Picture("Events and non-events", x, y, tuple(layers)),
        "Upper line of each model: events. Thin line: non-events. KS is the largest "
        "vertical distance between both, drawn dotted.",
        lines_each=2,
    )


def view_roc(facts: Facts) -> View:
    """Describe the ROC curves and the random line."""
    layers = [Layer("chance", *DIAGONAL)]
    layers += [
        Layer("curve", points.others, points.captured, None, number, name)
        for number, name, points in list_curves(facts)
    ]
    x = Axis("False positive rate (share of non-events selected)", "share", 0, 1)
    y = Axis("True positive rate (capture rate)", "share", 0, 1)
    return View(
        "roc",
        "ROC",
        Picture("Receiver operating characteristic", x, y, tuple(layers)),
        "The area under a curve is its AUC. Dotted grey: random ranking.",
    )
