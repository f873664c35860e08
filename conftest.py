"""What every test and doctest shares."""

import os
import re
import shutil
import tempfile
from contextlib import chdir
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from hypothesis import settings

from offline import sitecustomize as offline

mpl.use("Agg")

ON_SPARK = re.compile(r"test_spark\.py|\[(spark|connect)\b")
DRAWS_OR_RUNS_PROGRAMS = re.compile(
    r"tests/(unit/plot|fuzz)/|test_code_runs\.py|test_examples\.py|README\.md"
)
REQUIRE_ALL = os.environ.get("CAPCURVE_REQUIRE_ALL") == "1"

# The same cases every time, so that a commit never fails by luck; thorough ones are drawn.
settings.register_profile("fast", max_examples=30, deadline=None, derandomize=True)
settings.register_profile("quick", parent=settings.get_profile("fast"), max_examples=10)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


# Processes that tests start refuse to leave the machine too.
REFUSED = Path(tempfile.mkdtemp(prefix="capcurve-tests-")) / "refused.txt"
REFUSED.touch()
os.environ[offline.NOTES] = str(REFUSED)
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(Path(offline.__file__).parent), os.environ.get("PYTHONPATH")])
)


def fail_instead_of_skipping(report):
    if REQUIRE_ALL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"CAPCURVE_REQUIRE_ALL=1 forbids this skip: {report.longrepr}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leave whole folders that draw or run programs to `make test`."""
    for item in items:
        if DRAWS_OR_RUNS_PROGRAMS.search(item.nodeid):
            item.add_marker("slow")


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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give all tests on Spark to one worker, so that Java starts once.

    The cases of any other test stay together too: every scope takes the scheduler time.
    """
    from xdist.scheduler import LoadScopeScheduling

    class OneSpark(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            if "test_cluster.py" in nodeid:  # whose clusters start once too
                return "cluster"
            return "spark" if ON_SPARK.search(nodeid) else nodeid.partition("[")[0]

    return OneSpark(config, log)


@pytest.fixture(autouse=True)
def clean(tmp_path):
    """Work in an empty folder, and leave no figure open.

    Without ``monkeypatch``, which would keep pytest-run-parallel from running any test.
    """
    with chdir(tmp_path):
        yield
    plt.close("all")


@pytest.fixture(autouse=True)
def no_network():
    """Fail a test during which a connection was refused, though a library carried on."""
    before = REFUSED.read_text(encoding="utf-8")
    yield
    refused = REFUSED.read_text(encoding="utf-8").removeprefix(before)
    assert not refused, f"a connection left this machine: {refused}"


def pytest_unconfigure():
    """Remove the notes of what was refused."""
    shutil.rmtree(REFUSED.parent, ignore_errors=True)


@pytest.fixture(scope="session")
def published():
    """Give the folder of the published data sets."""
    return Path(__file__).parent / "tests" / "reference"


@pytest.fixture(scope="module")
def browser():
    """A real browser, for tests of pages."""
    api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium is here; `make browser` installs one")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        yield started
        started.close()
