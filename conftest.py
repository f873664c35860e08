"""What every test and doctest shares."""

import os
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from hypothesis import settings

mpl.use("Agg")

REQUIRE_ALL = os.environ.get("CAPCURVE_REQUIRE_ALL") == "1"

# The same cases every time, so that a commit never fails by luck; thorough ones are drawn.
settings.register_profile("fast", max_examples=40, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def fail_instead_of_skipping(report):
    if REQUIRE_ALL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"CAPCURVE_REQUIRE_ALL=1 forbids this skip: {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    fail_instead_of_skipping(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    fail_instead_of_skipping(report)
    return report


@pytest.fixture(autouse=True)
def clean(tmp_path, monkeypatch):
    """Work in an empty folder, and leave no figure open."""
    monkeypatch.chdir(tmp_path)
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def published():
    """Give the folder of the published data sets."""
    return Path(__file__).parent / "tests" / "reference"
