"""Rules that many docstrings and pages tell are told alike, and are those of the code."""

import inspect
import re

import numpy as np
import pytest

import capcurve
from docs.pages import ROOT, read

RULE = "whole numbers of an integer type, or of at most ten values"
# Numbers and pictures have no limits of a sample, or name no clusters for those they have.
OTHERS = re.compile("_score$|_curve$|_vec$|^plot_|^random_band$|^scorers$")
SOURCES = sorted((ROOT / "src/capcurve").rglob("*.py"))


def flat(text):
    return " ".join(text.split())


@pytest.mark.parametrize("dtype", [int, float])
@pytest.mark.parametrize("n_values", [10, 11])
def test_few_whole_numbers_are_refused_as_amounts_and_all_of_an_integer_type(
    dtype, n_values
):
    amounts = (np.arange(40) % n_values * 1000).astype(dtype)
    if dtype is int or n_values == 10:
        with pytest.raises(capcurve.CapcurveError, match="holds whole numbers"):
            capcurve.accuracy_ratio_score(amounts, np.arange(40))
    else:
        assert np.isfinite(capcurve.accuracy_ratio_score(amounts, np.arange(40)))


def test_each_docstring_tells_what_is_refused_as_amounts():
    texts = [flat(path.read_text(encoding="utf-8")) for path in SOURCES]
    told = [text.count("'auto' reads") for text in texts]
    assert sum(told) > 15
    for text, n in zip(texts, told, strict=True):
        assert text.count(f"it refuses {RULE}, which may be labels or counts") == n


def test_pages_and_the_other_docstrings_tell_the_same():
    assert RULE in flat(read("report.md")).lower()
    assert RULE in flat(capcurve.report.__doc__)
    assert RULE in flat(capcurve.gain_curve.__doc__)


def test_the_how_to_names_what_takes_no_clusters():
    page = read("howto/clusters.md")
    lacking = [
        name
        for name in capcurve.__all__
        if inspect.isfunction(function := getattr(capcurve, name))
        and not OTHERS.search(name)
        and "clusters" not in inspect.signature(function).parameters
    ]
    assert "plan_test" in lacking
    assert [name for name in lacking if f"`{name}`" not in page] == []
