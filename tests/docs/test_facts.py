"""Facts that several pages repeat are those of the page that they come from."""

from docs.pages import code_of, read


def flat(text):
    return " ".join(text.split())


def test_a_table_of_counts_has_the_realised_classes_in_its_rows():
    names = {}
    for code in code_of("howto/somers_d.md"):
        exec(code.text, names)  # noqa: S102 -- the code of our own page
    rows, columns = names["counts"].shape
    assert rows != columns  # a square table looks the same if it is transposed
    assert repr(names["of_table"]) == repr(names["of_rows"])
    assert "a row for each *realised* class" in flat(read("howto/somers_d.md"))
