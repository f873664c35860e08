"""Install the wheel with each extra alone into an empty environment, and use it.

Usage: python release/try_extras.py [FOLDER]; `make dist` calls it after `make_dist.py`.
What the extra `all` installs is listed in a bill of materials (CycloneDX) by the wheel.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ARRAYS = "import capcurve; y, s = [1, 0, 1, 0, 0] * 9, [5, 4, 3, 2, 1] * 9; "
CURVE = ARRAYS + "curve = capcurve.CapCurve.from_predictions(y, s); "
LOANS = (
    "import sys; from capcurve.__main__ import main; "
    "rows = ''.join(f'{i % 3 == 0:d},{i % 7}\\n' for i in range(90)); "
    "open('loans.csv', 'w').write(f'y,s\\n{rows}'); "
    "columns = ['loans.csv', '--truth', 'y', '--estimate', 's']; "
)
PROGRAMS = {  # what each extra is for; a test compares the names with pyproject.toml
    "": CURVE + "print(curve.accuracy_ratio, curve.capture_rate_at(0.4))",
    "all": LOANS + "sys.exit(main(['report', *columns, '-o', 'r.html']))",
    "chart": CURVE + "curve.chart().save('chart.html')",
    "cli": LOANS + "sys.exit(main(['score', *columns]))",
    "device": ARRAYS
    + "import array_api_compat; print(capcurve.accuracy_ratio_score(y, s))",
    "plot": CURVE + "curve.plot().figure_.savefig('curve.png')",
    "report": (
        ARRAYS + "sketch = capcurve.CapSketch(); sketch.update(y, s); "
        "capcurve.report(sketch, None, 's').write('report.html')"
    ),
    "sklearn": (
        ARRAYS + "from sklearn.dummy import DummyClassifier; "
        "model = DummyClassifier().fit([[each] for each in s], y); "
        "print(capcurve.accuracy_ratio_scorer(model, [[5], [1]], [1, 0]))"
    ),
    "stats": ARRAYS + "print(capcurve.accuracy_ratio_interval(y, s))",
    "tables": CURVE
    + "print(len(capcurve.GainsTable.from_curve(curve, 2).to_gt().as_raw_html()))",
}


def try_extra(wheel: Path, extra: str) -> str:
    """Install the wheel with an extra, and return why its program fails; empty if not."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        asked = f"{wheel}[{extra}]" if extra else str(wheel)
        install = [python, "-m", "pip", "install", "--quiet", "--no-compile", asked]
        subprocess.run(install, check=True)  # noqa: S603 -- our own words
        if extra == "all":
            write_bill(python, wheel.with_suffix(".cdx.json"))
        found = subprocess.run(  # noqa: S603 -- our own words
            [python, "-I", "-W", "ignore", "-c", PROGRAMS[extra]],
            check=False,
            capture_output=True,
            text=True,
            cwd=folder,
            env={"PATH": os.defpath, "MPLBACKEND": "agg", "HOME": folder},
        )
    return found.stderr if found.returncode else ""


def write_bill(python: str, path: Path) -> None:
    """Write the bill of materials of an environment."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    subprocess.run([*command, "--output-file", str(path), python], check=True)  # noqa: S603 -- our own words


def main() -> int:
    """Try every extra of the wheel in the folder that is named, or dist."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve()
    (wheel,) = folder.glob("*.whl")
    failed = False
    for extra in PROGRAMS:
        problem = try_extra(wheel, extra)
        sys.stdout.write(f"{wheel.name}[{extra}]: {problem or 'runs'}\n")
        failed |= bool(problem)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
