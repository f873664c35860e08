"""Links between Markdown files, and to their headings, lead somewhere."""

import re
from itertools import pairwise
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

from docs.pages import DOCS, ROOT, list_pages

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
LABEL = re.compile(r"^\(([\w-]+)\)=$", re.MULTILINE)
CARD = re.compile(r"^:link: (\S+)\n:link-type: doc$", re.MULTILINE)
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
MADE_AT_BUILD = ("reference/generated/", "_static/generated/")
PAPERS = ("SECURITY.md", "SUPPORT.md", "CODE_OF_CONDUCT.md")
OTHERS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *PAPERS)
FILES = [*(f"docs/{name}" for name in list_pages()), *OTHERS]


def parse(path):
    text = FRONT_MATTER.sub("", path.read_text(encoding="utf-8"))
    return text, MarkdownIt("commonmark").enable("table").parse(text)


def links_of(path):
    """Give the targets of all links and pictures, of cards, and of tables of contents."""
    text, tokens = parse(path)
    for token in walk(tokens):
        if token.type in ("link_open", "image"):
            yield token.attrs.get("href") or token.attrs.get("src")
    for page in [*CARD.findall(text), *contents_of(text)]:
        yield f"{page}.md"


def contents_of(text):
    for table in TOCTREE.findall(text):
        lines = [line.strip() for line in table.splitlines()]
        if ":glob:" not in lines:
            named = [re.sub(r".*<(.*)>", r"\1", line) for line in lines]
            yield from (line for line in named if line and not line.startswith(":"))


def walk(tokens):
    for token in tokens:
        yield token
        yield from walk(token.children or [])


def anchors_of(path):
    """Give the anchors of headings, as GitHub and the site make them, and labels."""
    text, tokens = parse(path)
    seen = {}
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            words = "".join(each.content for each in walk(inline.children))
            slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            seen[slug] = seen.get(slug, -1) + 1
            yield slug if seen[slug] == 0 else f"{slug}-{seen[slug]}"
    yield from LABEL.findall(text)


def find_broken(path):
    """List the links of a file that lead nowhere."""
    return [link for link in links_of(path) if is_broken(path, link)]


def is_broken(path, link):
    if re.match(r"[a-z]+:", link):
        return False
    place, _, anchor = unquote(link).partition("#")
    target = (path.parent / place).resolve() if place else path
    if target.is_relative_to(DOCS):
        made = target.relative_to(DOCS).as_posix().startswith(MADE_AT_BUILD)
        if made:
            return False
    if not target.exists():
        return True
    return bool(anchor) and target.suffix == ".md" and anchor not in set(anchors_of(target))


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_links_lead_somewhere(name):
    assert find_broken(ROOT / name) == []


def test_every_page_is_in_the_navigation():
    """A page that no table of contents names cannot be found; recipes are named by glob."""
    reached, waiting = set(), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        text = page.read_text(encoding="utf-8")
        waiting += [(page.parent / f"{each}.md").resolve() for each in contents_of(text)]
        waiting += [each.resolve() for each in globbed(page.parent, text)]
    pages = {DOCS / name for name in list_pages()} - {DOCS / "recipes/README.md"}
    assert pages <= reached, sorted(map(str, pages - reached))


def globbed(folder, text):
    for table in TOCTREE.findall(text):
        if ":glob:" in table:
            for line in table.splitlines():
                if line and not line.startswith(":"):
                    yield from folder.glob(f"{line}.md")


@pytest.mark.parametrize("name", FILES)
def test_no_line_is_lost_as_a_comment(name):
    """The site leaves out lines of text that begin with %."""
    _, tokens = parse(ROOT / name)
    lost = [
        line
        for token in tokens
        if token.type == "inline"
        for line in token.content.splitlines()
        if line.startswith("%")
    ]
    assert lost == []


def test_planted_links_are_noticed(tmp_path):
    page, other = tmp_path / "a.md", tmp_path / "b.md"
    other.write_text("# One, two\n\n## One, two\n\n(here)=\n")
    page.write_text(
        "[x](b.md) [x](b.md#one-two) [x](b.md#one-two-1) [x](b.md#here) [x](#no)"
        " [x](https://example.org) [x](c.md) ![x](d.png) [x](b.md#three)\n\n"
        "```{toctree}\nb\nnone\n```\n"
    )
    assert find_broken(page) == ["#no", "c.md", "d.png", "b.md#three", "none.md"]
