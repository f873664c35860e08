"""Values of marks in a legend are those of the curve that the entry names."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    KSDisplay,
    LiftCurveDisplay,
    LorenzCurveDisplay,
    gains_table,
)
from capcurve.datasets import make_portfolio

pandas = pytest.importorskip("pandas")
LOANS = pandas.DataFrame(make_portfolio(3_000))
MANY = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.9)  # texts beside the curves would be too many
SCORES = {
    "Champion": LOANS["champion_pd"],
    "Challenger": LOANS["challenger_pd"],
    "Loan": LOANS["loan"],
}
KINDS = {
    "CAP": (CAPCurveDisplay, {}),
    "lift": (LiftCurveDisplay, {}),
    "Lorenz": (LorenzCurveDisplay, {}),
    "KS over the score": (KSDisplay, {}),
    "KS over the population": (KSDisplay, {"over": "population_share"}),
}


def list_models(kind, **options):
    """Draw models; return the display and a frame for each name."""
    drawn = kind.from_predictions(LOANS["default"], SCORES, **options)
    return drawn, {
        name: pandas.DataFrame({"y": LOANS["default"], "s": score})
        for name, score in SCORES.items()
    }


def list_groups(kind, **options):
    """Draw groups; return the display and a frame for each name."""
    columns = {"default": "y", "champion_pd": "s"}
    parts = dict(
        iter(LOANS.rename(columns=columns)[["y", "s", "segment"]].groupby("segment"))
    )
    curves = {name: CapCurve.from_frame(part, "y", "s") for name, part in parts.items()}
    return kind(curves).plot(**options), parts


def list_classes(kind, **options):
    """Draw classes; return the display and a frame for each name."""
    random = np.random.default_rng(3)
    labels = random.choice(list("abc"), 900, p=[0.5, 0.3, 0.2])
    scores = random.random((900, 3))
    for i, label in enumerate("abc"):
        scores[:, i] += (0.1 + 0.3 * i) * (labels == label)
    scores /= scores.sum(axis=1, keepdims=True)
    drawn = kind.from_predictions(labels, scores, **options)
    return drawn, {
        label: pandas.DataFrame({"y": (labels == label).astype(int), "s": scores[:, i]})
        for i, label in enumerate("abc")
    }


def expect(kind, frame, share):
    """Write the value at a share as the legend does, from a gains table."""
    at = 1 - share if kind is LorenzCurveDisplay else share
    (row,) = gains_table(frame, "y", "s", bands=[at])[:1].itertuples()
    where = f"{100 * share:.4g}%"
    if kind is LorenzCurveDisplay:
        return f"{1 - row.capture_rate:.1%} in the last {where}"
    if kind is LiftCurveDisplay:
        return f"{row.lift:.2f} at {where}"
    value = f"{row.capture_rate:.1%}" if kind is CAPCurveDisplay else f"{row.ks:.3f}"
    return f"{value} at {where}"


def list_values(text):
    """List the numbers of a text with the shares at which they were read off."""
    return re.findall(r"[\d.]+%?(?: in the last| at) [\d.]+%", text.replace("\n", " "))


@pytest.mark.parametrize("marks", [0.1, MANY])
@pytest.mark.parametrize("drawn", [list_models, list_groups, list_classes])
@pytest.mark.parametrize("named", KINDS)
def test_values_in_the_legend_are_those_of_the_named_curve(named, drawn, marks):
    kind, own = KINDS[named]
    if isinstance(marks, float):  # as on a slide with several pictures
        own = {"ax": plt.subplots(figsize=(4, 4))[1], **own}
    display, frames = drawn(kind, mark=marks, **own)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    shown = [text.get_text() for text in display.ax_.texts if text.get_visible()]
    for name, frame in frames.items():
        found = [
            value
            for text in texts
            if text.startswith(name) and "KS = " not in text
            for value in list_values(text)
        ]
        expected = [expect(kind, frame, share) for share in np.ravel(marks)]
        assert set(found) <= set(expected)
        assert shown or found == expected
