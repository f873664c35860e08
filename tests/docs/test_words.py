"""The words of the documentation: plain, and never those of an older way of writing."""

import re

import pytest

from docs.pages import ROOT, list_pages

# Each is a turn of phrase that readers stumbled over, with what to write instead.
OLD = {
    r"\bsimply\b": "leave it out",
    r"\bof none\b|\bof no curve\b|\bof one there is none\b": "undefined, None",
    r"\bthat there (?:is|are) not\b": "unknown, invalid",
    r"\bthere is no such (?:\w+ )?as\b": "no such file",
    r"\bfor certain\b|\bcertain limits\b": "guaranteed bounds",
    r"\bsays nothing\b|\buseless score": "uninformative score",
    r"\bgoes? without saying\b": "implied",
    r"\bsay it all\b|\bsays it all\b": "sufficient",
    r"\bas unequal as can be\b": "the most unequal",
    r"\btakes the rows (?:them|it)\w*": "requires row-level data",
    r"\brests? on\b": "is based on",
    r"\bwhat is ranked by what\b|\bof a ranking\b(?= a)": "say what it is",
    r"\bstumbles? over\b": "cannot read",
    r"\b[Tt]ell those who listen\b": "log",
    r"\bof amounts and weighted rows it\b": "for amounts or weighted rows",
    r"\bspeaks? of other samples\b": "sampling variability only",
    r"\bthe score is not turned\b": "is not negated",
    r"\brarest kind\b": "minority class",
    r"\bhold the lower limit against\b": "compare",
    r"\bmake up for the mean\b": "Bessel's correction",
    r"\bgive no limits\b": "nan limits",
}
# Decisions are superseded, never rewritten.
NAMES = [f"docs/{n}" for n in list_pages() if not n.startswith("decisions/")]
PAPERS = ("SECURITY.md", "SUPPORT.md", "CODE_OF_CONDUCT.md")
FILES = [*NAMES, "README.md", *PAPERS]


def find_old(text):
    return [
        f"{found[0]!r}: {instead}"
        for pattern, instead in OLD.items()
        for found in re.finditer(pattern, text, re.IGNORECASE)
    ]


@pytest.mark.parametrize("name", FILES)
def test_no_page_uses_old_phrases(name):
    assert find_old((ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Refuse levels and methods that there are not.",
        "of none, nothing but their names",
        "limits that hold for certain",
        "a score that says nothing",
        "where a useless score would stay",
        "there is no such file as 'x'",
        "their totals say it all",
        "Simply pass a list.",
    ],
)
def test_old_phrases_are_noticed(sentence):
    assert find_old(sentence)
