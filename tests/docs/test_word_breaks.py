"""Long names break at their joints, short ones stay whole, and nothing else changes."""

import importlib.util
import re

import pytest

from docs.pages import DOCS


def break_words(html):
    path = DOCS / "_extensions" / "word_breaks.py"
    spec = importlib.util.spec_from_file_location("word_breaks", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.break_words(html)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<h1>accuracy_ratio_score<a>#</a></h1>",
            "<h1>accuracy_<wbr/>ratio_<wbr/>score<a>#</a></h1>",
        ),
        ("<h1>CAPCurveDisplay<a>", "<h1>CAPCurve<wbr/>Display<a>"),
        (
            '<span class="pre">--fail-below</span>,',
            '<span class="pre whole">--fail-below</span>,',
        ),
        (
            '<span class="pre">CapCurve.from_predictions</span>',
            '<span class="pre">Cap<wbr/>Curve.<wbr/>from_<wbr/>predictions</span>',
        ),
        ("<p>accuracy_ratio_score_of_a_text</p>", "<p>accuracy_ratio_score_of_a_text</p>"),
    ],
)
def test_names_break_at_their_joints(html, expected):
    broken = break_words(html)
    assert broken == expected
    assert re.sub("<[^>]*>", "", broken) == re.sub("<[^>]*>", "", html)
