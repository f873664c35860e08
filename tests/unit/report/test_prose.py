"""Sentences have a true minus and no space before %; names are those of the data."""

import pytest

from capcurve._report.prose import choose_prose, write_prose


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("in 95 % of 10 % or more", "in 95% of 10% or more"),
        ("AR -0.012 (-0.2 to 1) in 2021-01", "AR −0.012 (−0.2 to 1) in 2021-01"),
        ("so p < 0.001, a = 1", "so p\N{NO-BREAK SPACE}<\N{NO-BREAK SPACE}0.001, a = 1"),
    ],
)
def test_a_sentence_has_the_signs_of_print(text, shown):
    assert write_prose(text) == shown


FACTS = {
    "models": [{"name": "pd -1"}, {"name": "pd"}],
    "segments": [{"by": "ltv", "groups": [{"group": name} for name in ("-5", "0 %-50 %")]}],
}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pd -1 has AR -0.1", "pd -1 has AR −0.1"),
        ("0.4 (0 %-50 %) to 0.5 (-5).", "0.4 (0 %-50 %) to 0.5 (-5)."),
        ("AR of -5, 50 %", "AR of -5, 50%"),
        ("from -5.5 to -50", "from −5.5 to −50"),
    ],
)
def test_a_name_in_a_sentence_stays_as_it_is(text, shown):
    assert choose_prose(FACTS)(text) == shown


def test_names_without_signs_need_no_care():
    assert choose_prose({"models": [{"name": "pd"}]}) is write_prose
