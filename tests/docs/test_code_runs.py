"""All code of the documentation runs, a test for each page."""

import re
from itertools import pairwise

import pytest

from docs.pages import TAUGHT, code_of, list_pages, read, run_page

HEADER = re.compile(r"\A---\n(?:.*\n)*?file_format: mystnb\n(?:.*\n)*?---\n")
# What runs elsewhere: with the libraries of tests/integrations, and in test_geometry.py.
ELSEWHERE = ("recipes/", "pictures.md")
WIDEST = 80  # characters of a line of code, which a page shows without scrolling
PAGES = [name for name in list_pages() if code_of(name) and not name.startswith(ELSEWHERE)]


@pytest.mark.parametrize("name", PAGES)
def test_page(name, tmp_path):
    run_page(name, tmp_path)


def test_pages_of_all_kinds_are_found():
    assert {"index.md", "tutorials/cap_curve_in_python.md"} <= set(PAGES)
    assert any(code.is_cell for code in code_of("tutorials/cap_curve_in_python.md"))


@pytest.mark.parametrize("name", [name for name in PAGES if "/" in name])
def test_lines_of_code_fit_a_page(name):
    long = [
        line
        for code in code_of(name)
        for line in code.text.splitlines()
        if len(line) > WIDEST
    ]
    assert long == []


@pytest.mark.parametrize("name", PAGES)
def test_pages_with_cells_are_run_by_the_build(name):
    if any(code.is_cell for code in code_of(name)):
        assert HEADER.match(read(name))


@pytest.mark.parametrize("name", [n for n in list_pages() if n.startswith(TAUGHT)])
def test_headings_of_taught_pages_go_down_one_step_at_a_time(name):
    levels = [len(mark) for mark in re.findall(r"^(#+) ", without_code(name), re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))


def without_code(name):
    return re.sub(r"^(`{3,}).*?^\1", "", read(name), flags=re.MULTILINE | re.DOTALL)


def test_lines_for_the_shell_run_and_may_be_continued(tmp_path, monkeypatch):
    from docs import pages

    monkeypatch.setattr(pages, "DOCS", tmp_path)
    (tmp_path / "a.md").write_text(
        "```{code-cell} python\n!echo one \\\n    two > said.txt\n```\n"
        "```python\nassert open('said.txt').read() == 'one two\\n'\n```\n"
        "```{code-cell} python\n%%bash\nrm said.txt\n```\n"
        "```python\nimport os\nassert not os.path.exists('said.txt')\n```\n"
        "```{code-block} python\nspark.read\n```\n"
    )
    pages.run_page("a.md", tmp_path)


def test_a_wrong_line_and_a_wrong_output_are_noticed(tmp_path, monkeypatch):
    from docs import pages

    monkeypatch.setattr(pages, "DOCS", tmp_path)
    (tmp_path / "a.md").write_text("```python\n1 / 0\n```\n")
    with pytest.raises(ZeroDivisionError):
        pages.run_page("a.md", tmp_path)
    (tmp_path / "a.md").write_text("```{code-cell} python\n>>> 1 + 1\n3\n```\n")
    with pytest.raises(AssertionError, match="Expected"):
        pages.run_page("a.md", tmp_path)
    (tmp_path / "a.md").write_text("```{code-cell}\n:tags: [raises-exception]\n1\n```\n")
    with pytest.raises(AssertionError, match="nothing was raised"):
        pages.run_page("a.md", tmp_path)
