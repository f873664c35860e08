"""Every public name is in the reference, and taught on some page."""

import ast
import re

import capcurve
from docs.pages import DOCS, TAUGHT, list_pages, read

LISTED = re.compile(r"^\.\. autosummary::\n(?:   :.*\n)+\n((?:   \w+\n)+)", re.MULTILINE)
# Names that need no page but that of the reference. There are none.
NOT_TAUGHT: set[str] = set()


def names_in_the_reference():
    for path in sorted((DOCS / "reference").glob("*.md")):
        for table in LISTED.findall(path.read_text(encoding="utf-8")):
            yield from table.split()


def words_taught():
    text = "\n".join(read(name) for name in list_pages() if name.startswith(TAUGHT))
    return set(re.findall(r"\w+", text))


def test_every_public_name_stands_once_in_the_reference():
    assert sorted(names_in_the_reference()) == capcurve.__all__


def test_every_public_name_is_taught():
    assert sorted(set(capcurve.__all__) - words_taught() - NOT_TAUGHT) == []


def test_no_exception_is_stale():
    assert not NOT_TAUGHT & words_taught()
    assert set(capcurve.__all__) >= NOT_TAUGHT


def test_words_for_the_search_belong_to_pages():
    source = (DOCS / "_extensions" / "search_words.py").read_text(encoding="utf-8")
    (words,) = (
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign) and node.targets[0].id == "WORDS"
    )
    assert {key.value for key in words.keys} <= set(capcurve.__all__)


def test_words_of_the_glossary_lead_to_one_entry():
    entries = re.search(
        r"```\{glossary\}\n(.*?)```", read("reference/glossary.md"), re.DOTALL
    )
    terms = [line for line in entries[1].splitlines() if line and line[0] != " "]
    assert len({term.lower() for term in terms}) == len(terms)
    first = [entry.splitlines()[0].lower() for entry in entries[1].strip().split("\n\n")]
    assert first == sorted(first)
