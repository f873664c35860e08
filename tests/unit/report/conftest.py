"""A browser for the pages of reports and of runs."""

import shutil

import pytest
from playwright.sync_api import sync_playwright


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        if chromium is None:
            pytest.skip("no Chromium is here; `make browser` installs one")
        started = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        yield started
        started.close()
