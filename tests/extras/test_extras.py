"""Each extra alone: what it promises runs, and what it lacks is named in one line."""

import pytest

from extras.environment import list_distributions, make_environment, run_python

pytestmark = pytest.mark.slow

ROWS = "y,s,g\n" + "".join(f"{i % 3 == 0:d},{i % 7},{'ab'[i % 2]}\n" for i in range(60))
COLUMNS = ("--truth", "y", "--estimate", "s")
ARRAYS = "import capcurve; y, s = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]; "
PUBLISH = (
    "curve = capcurve.CapCurve.from_predictions(y, s); "
    "print(capcurve.GainsTable.from_curve(curve, 2).to_gt().as_raw_html())"
)
CHART = "c = capcurve.CapCurve.from_predictions(y, s).chart(mark=0.5); "
SCORE_A_MODEL = """
from sklearn.linear_model import LogisticRegression
model = LogisticRegression().fit([[each] for each in s], y)
print(capcurve.accuracy_ratio_scorer(model, [[5], [1]], [1, 0]))
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run Python code, or the shell, in the environment of an extra."""
    folders = {}

    def run_in(extra, *arguments):
        if extra not in folders:
            folder = tmp_path_factory.mktemp(extra or "core")
            folders[extra] = make_environment(folder, extra)
            (folder / "rows.csv").write_text(ROWS)
        return run_python(folders[extra], *arguments)

    return run_in


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        (None, "print(capcurve.accuracy_ratio_score(y, s))"),
        (None, "print(capcurve.CapCurve.from_predictions(y, s).capture_rate_at(0.4))"),
        (None, "k = capcurve.CapSketch(); k.update(y, s); print(k.accuracy_ratio)"),
        ("plot", "capcurve.CAPCurveDisplay.from_predictions(y, s).plot(); print('drawn')"),
        ("chart", CHART + "c.save('c.html'); print(len(open('c.html').read()) > 10**5)"),
        ("chart", CHART + "print(len(c._repr_mimebundle_()[0]))"),
        ("stats", "print(capcurve.accuracy_ratio_interval(y * 9, s * 9))"),
        ("sklearn", SCORE_A_MODEL),
        ("tables", PUBLISH),
    ],
)
def test_what_an_extra_promises_runs(run, extra, code):
    found = run(extra, "-W", "ignore", "-c", ARRAYS + code)
    assert found.returncode == 0, found.stderr
    assert found.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "rows.csv", *COLUMNS),
        ("score", "rows.csv", *COLUMNS, "--by", "g"),
        ("score", "rows.csv", *COLUMNS, "--approx"),
        ("score", "rows.csv", *COLUMNS, "--memory-limit", "1GB"),
        ("table", "rows.csv", *COLUMNS, "--memory-limit", "1GB"),
        ("compare", "rows.csv", *COLUMNS, "--estimate", "y"),
        ("plan", "--ar", "0.6", "--event-rate", "0.1", "--n-events", "50"),
        ("plot", "rows.csv", *COLUMNS, "--output", "curve.png"),
    ],
)
def test_the_extra_cli_alone_runs_every_command_but_the_report(run, arguments):
    found = run("cli", "-m", "capcurve", *arguments)
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize(
    ("extra", "arguments", "missing"),
    [
        (None, ("-m", "capcurve", "score", "rows.csv", *COLUMNS), "cli"),
        (
            "cli",
            ("-m", "capcurve", "report", "rows.csv", *COLUMNS, "-o", "r.html"),
            "report",
        ),
        (None, ("-c", ARRAYS + "capcurve.CAPCurveDisplay.from_predictions(y, s)"), "plot"),
        (None, ("-c", ARRAYS + CHART), "chart"),
        (None, ("-c", ARRAYS + "capcurve.accuracy_ratio_interval(y, s)"), "stats"),
        (None, ("-c", ARRAYS + PUBLISH), "tables"),
    ],
)
def test_what_an_extra_lacks_is_named(run, extra, arguments, missing):
    found = run(extra, *arguments)
    assert found.returncode in {1, 2}
    assert f'pip install "capcurve[{missing}]"' in found.stderr.splitlines()[-1]


def test_a_report_needs_the_extra_report_and_a_data_frame(run):
    code = (
        "import pyarrow, capcurve; from capcurve.datasets import make_portfolio; "
        "table = pyarrow.table(make_portfolio()); "
        "capcurve.report(table, 'default', 'champion_pd').write('report.html')"
    )
    assert "pyarrow" not in list_distributions("capcurve", frozenset({"report"}))
    found = run("all", "-W", "ignore", "-c", code)
    assert found.returncode == 0, found.stderr


def test_the_core_is_numpy_and_narwhals():
    assert list_distributions("capcurve") == {"capcurve", "numpy", "narwhals"}
