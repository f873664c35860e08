"""Check the built site in Chromium: accessibility (WCAG 2.2 AA by axe), width, search.

Usage: python docs/check_in_browser.py [FOLDER [PART OF A NAME]]; `make test-docs` calls it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from urllib.parse import quote

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

SCREENS = ((1400, "light"), (390, "dark"))  # pixels, and colours
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# What people type, and the pages of which one must be among the first that are found.
SEARCHES = {
    "gini": ("howto/gini_in_python",),
    "accuracy ratio": ("howto/gini_in_python", "reference/glossary"),
    "CAP curve": ("tutorials/cap_curve_in_python",),
    "gain curve": ("tutorials/gain_curves_on_data_frames",),
    "lift": ("howto/lift_chart", "howto/lift_at_ten_percent"),
    "ks": ("howto/ks_statistic",),
    "auc": ("howto/auc_to_gini", "howto/compare_two_auc"),
    "decile table": ("howto/decile_table",),
    "intervals": ("guide/intervals", "howto/confidence_interval"),
    "bootstrap": ("howto/bootstrap_interval",),
    "delong": ("howto/compare_two_auc", "guide/tests"),
    "sample size": ("howto/how_many_defaults",),
    "ties": ("guide/ties",),
    "weights": ("howto/sample_weights", "guide/weights"),
    "clusters": ("howto/clusters",),
    "missing": ("howto/missing_scores",),
    "segment": ("howto/cap_by_segment",),
    "spark": ("howto/spark",),
    "polars": ("howto/polars",),
    "sketch": ("tutorials/a_billion_rows", "sketch"),
    "yardstick": ("reference/from_yardstick",),
    "plotly": ("howto/interactive_chart",),
    "altair": ("howto/interactive_chart",),
    "interactive chart": ("howto/interactive_chart",),
    "accuracy_ratio_score": ("reference/generated/capcurve.accuracy_ratio_score",),
}
FIRST = 3  # results that a reader looks at
# What few pages hold, and the page that comes first.
RARE = {
    "class imbalance": "howto/imbalanced_classes",
    "imbalanced": "howto/imbalanced_classes",
    "class_weight": "howto/imbalanced_classes",
    "oversampling": "howto/imbalanced_classes",
    "minimum number of defaults": "howto/how_many_defaults",
    "rating grades notches": "howto/rating_grades",
    "calibration test binomial": "guide/scope",
    "probability calibration": "guide/scope",
    "migration matrix": "guide/scope",
    "homogeneity": "guide/scope",
    "overrides": "guide/scope",
    "Brier": "guide/scope",
    "PSI": "guide/scope",
    "CIER": "guide/scope",
}
USED = (
    "inference",
    "howto/",
    "tutorials/",
    "guide/",
    "reference/",
    "pictures",
    "sketch",
    "json",
    "report",
    "run",
)
FOUND = "#search-results ul.search li a:first-child"
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def check_page(page: Page, path: Path) -> Iterator[str]:
    """Name what is wrong with a page on one screen."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(f"script: {error}"))
    page.on("requestfailed", lambda request: errors.append(f"not loaded: {request.url}"))
    page.goto(path.as_uri())
    yield from errors
    if page.evaluate(TOO_WIDE):
        yield "wider than the screen"
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
    for rule in found.response["violations"]:
        places = [node["target"][0] for node in rule["nodes"]]
        yield f"{rule['id']}: {rule['help']}, {len(places)} times, as in {places[0]}"


def check_site(browser: Browser, folder: Path, part: str) -> Iterator[str]:
    """Check every page whose name holds a part, on all screens."""
    paths = sorted(folder.rglob("*.html"))
    paths = [path for path in paths if "_static" not in path.parts and part in str(path)]
    for width, colors in SCREENS:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=colors
        )
        for path in paths:
            page = context.new_page()
            name = f"{path.relative_to(folder)} ({width}, {colors})"
            yield from (f"{name}: {problem}" for problem in check_page(page, path))
            page.close()
        context.close()


def check_search(browser: Browser, folder: Path) -> Iterator[str]:
    """Name the words for which the search does not put pages for users first."""
    page = browser.new_page()
    for words, wanted in SEARCHES.items():
        found = find_first(page, folder, words, FIRST)
        if not all(name.startswith(USED) for name in found) or not set(wanted) & set(found):
            yield f"search for {words!r} puts first {', '.join(found)}"
    for words, name in RARE.items():
        (found,) = find_first(page, folder, words, 1)
        if found != name:
            yield f"search for {words!r} puts first {found}"
    page.close()


def find_first(page: Page, folder: Path, words: str, count: int) -> list[str]:
    """Search, and return the pages that come first."""
    page.goto(f"{(folder / 'search.html').as_uri()}?q={quote(words)}")
    page.locator(FOUND).nth(count - 1).wait_for(timeout=10_000)
    links = page.locator(FOUND).evaluate_all("all => all.map(a => a.getAttribute('href'))")
    return [link.split(".html")[0] for link in links[:count]]


def main() -> int:
    """Check the folder that is named, or build/docs."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs").resolve()
    part = sys.argv[2] if len(sys.argv) > 2 else ""  # noqa: PLR2004 -- the second argument
    if not (folder / "index.html").is_file():
        sys.stderr.write(f"no site in {folder}; run `make docs` first\n")
        return 2
    chromium = which("chromium") or which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        failed = False
        for problem in (*check_search(browser, folder), *check_site(browser, folder, part)):
            failed = True
            sys.stderr.write(f"{problem}\n")
        browser.close()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
