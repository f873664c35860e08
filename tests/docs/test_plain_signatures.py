"""Signatures on the site hold what one can type."""

import importlib.util

import pytest

from docs.pages import DOCS


def load():
    path = DOCS / "_extensions" / "plain_signatures.py"
    spec = importlib.util.spec_from_file_location("plain_signatures", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("(a, *, kind=<class 'capcurve.CAPCurveDisplay'>)", "(a, *, kind=CAPCurveDisplay)"),
        ("(key=<function first at 0x7f00>)", "(key=first)"),
        ("(way=<Way.UP: 'up'>)", "(way=Way.UP)"),
        ("(a=<factory>, b=<object object at 0x7f00>)", "(a=..., b=...)"),
        ("(low=-inf, name='a < b', *, n=2)", "(low=-inf, name='a < b', *, n=2)"),
    ],
)
def test_defaults_are_shown_as_they_are_typed(shown, expected):
    assert load().make_plain(shown) == expected


def test_only_a_signature_that_changes_is_replaced():
    process = load().process
    others = (None, "function", "name", None, None)
    assert process(*others, "(a=<factory>)", "int") == ("(a=...)", "int")
    assert process(*others, "(a=1)", "int") is None
    assert process(*others, None, None) is None
