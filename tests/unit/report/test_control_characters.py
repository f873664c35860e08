"""Characters that control a terminal or the direction of text are shown, not sent."""

import sys
import unicodedata

from capcurve._report.control_characters import escape_all_controls, escape_controls

NOT_IN_XML = {"\ufffe", "\uffff"}
DIRECTIONS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


def controls_something(character):
    """Whether Unicode lists a character as a control, a line end or a turn, or XML none."""
    is_control = unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
    is_control |= character in NOT_IN_XML
    return is_control or unicodedata.bidirectional(character) in DIRECTIONS


def test_all_controls_of_unicode_are_escaped_and_no_other_character():
    for character in map(chr, range(sys.maxunicode + 1)):
        shown = escape_controls(character)
        if controls_something(character):
            assert shown.isascii()
            assert shown.isprintable()
            assert shown.encode().decode("unicode_escape") == character
        else:
            assert shown == character


def test_texts_are_escaped_at_any_depth():
    facts = {"a\x1b": ["\x07", {"b": "\udcff"}, 1.5, None, True], "c": "plain"}
    assert escape_all_controls(facts) == {
        r"a\x1b": [r"\x07", {"b": r"\udcff"}, 1.5, None, True],
        "c": "plain",
    }
