"""Check the built site: links, anchors, pictures, quotes, weight, and no network.

Usage: python docs/check_site.py [FOLDER], which `make docs` calls after the build.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

MOST = 1_000_000  # bytes of a page with all that it loads
LOADED = {"img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src"}
PICTURE = re.compile(r"\.(?:png|svg|jpe?g|gif|webp)$", re.IGNORECASE)
CURLED = re.compile("\u2018\u2019|\u201c\u201d")  # quotes of an empty text
NOT_LOADED = {"search", "index", "next", "prev", "canonical", "author", "copyright"}


@dataclass
class Page(HTMLParser):
    """What a page leads to, what it loads, and where it can be entered."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)  # when they come into sight
    anchors: set[str] = field(default_factory=set)
    unnamed: int = 0
    sizeless: int = 0
    curled: int = 0

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep links, loads and anchors."""
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "img" and not is_text(found.get("alt", "")):
            self.unnamed += 1
        if tag in LOADED and LOADED[tag] in found and found.get("rel") not in NOT_LOADED:
            later = found.get("loading") == "lazy"
            is_png = found[LOADED[tag]].endswith(".png")
            self.sizeless += later and is_png and "height" not in found
            (self.later if later else self.loads).append(found[LOADED[tag]])

    def handle_data(self, data: str) -> None:
        """Count empty quotes that were made curly."""
        self.curled += len(CURLED.findall(data))


def is_text(alt: str) -> bool:
    """Tell whether the text of a picture says something, and is no name of a file."""
    return bool(alt.strip()) and not PICTURE.search(alt)


def read(path: Path) -> Page:
    """Read a page."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def check(folder: Path) -> Iterator[str]:
    """Name what is wrong with a site."""
    pages = {path.resolve(): read(path) for path in sorted(folder.rglob("*.html"))}
    pages = {path: page for path, page in pages.items() if "_static" not in path.parts}
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        yield from (f"{name}: {problem}" for problem in check_links(path, page, pages))
        yield from (f"{name}: {problem}" for problem in check_loads(path, page))
        if page.unnamed:
            yield f"{name}: {page.unnamed} pictures without a text"
        if page.sizeless:
            yield f"{name}: {page.sizeless} late pictures without a size move what follows"
        if page.curled:
            yield f"{name}: {page.curled} empty quotes made curly, which belong in code"
    for name in ("llms.txt", "llms-full.txt"):
        if not (folder / name).is_file():
            yield f"{name} is missing"


def check_links(path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    """Name links to pages and anchors that there are not."""
    for link in sorted(set(page.links)):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        anchor = unquote(parts.fragment)
        if not target.exists():
            yield f"no page {link}"
        elif anchor and target in pages and anchor not in pages[target].anchors:
            yield f"no anchor {link}"


def check_loads(path: Path, page: Page) -> Iterator[str]:
    """Name what comes from a network or is missing, and pages that are too heavy."""
    weight = path.stat().st_size
    for load in sorted({*page.loads, *page.later}):
        parts = urlsplit(load)
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc:
            yield f"loads {load} from a network"
            continue
        file = (path.parent / unquote(parts.path)).resolve()
        if not file.is_file():
            yield f"no file {load}"
        elif load in page.loads:
            weight += file.stat().st_size
    if weight > MOST:
        yield f"weighs {weight / 1e6:.2f} MB, more than {MOST / 1e6:.0f} MB"


def main() -> int:
    """Check the folder that is named, or build/docs."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs")
    if not (folder / "index.html").is_file():
        sys.stderr.write(f"no site in {folder}; run `make docs` first\n")
        return 2
    problems = list(check(folder))
    sys.stderr.write("".join(f"{problem}\n" for problem in problems))
    if not problems:
        sys.stdout.write(f"{folder}: links, pictures and weights are right\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
