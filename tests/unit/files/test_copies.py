"""Copies of a file are found by their bytes, whatever their names."""

from pathlib import Path

from capcurve._files.copies import find_copies


def test_only_files_of_the_same_bytes_are_copies():
    for name, text in {
        "a": "y,s\n1,2\n",
        "b": "y,s\n1,3\n",
        "c": "y\n",
        "d": "y,s\n1,2\n",
    }.items():
        Path(f"{name}.csv").write_text(text, encoding="utf-8")
    assert find_copies(["*.csv"]) == [("a.csv", "d.csv")]
    assert find_copies(["a.csv", "b.csv"]) == []
    assert find_copies(["-"]) == []
