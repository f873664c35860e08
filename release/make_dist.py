"""Build sdist and wheel from a clone, twice, and check them.

Usage: python release/make_dist.py [FOLDER]; `make dist` calls it. The files are those that
git lists, their time is that of the last commit, and two builds are the same bytes.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "src/capcurve/"
UNPUBLISHED = (".ci/",)  # what only the host of the repository reads
MADE = {"PKG-INFO"}  # by the build


def run_git(*arguments: str) -> str:
    """Return what git prints."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 -- our own words


def build(folder: Path) -> list[Path]:
    """Build the sdist, and the wheel from it, as of the last commit."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or run_git("log", "-1", "--format=%ct")
    environment = os.environ | {"SOURCE_DATE_EPOCH": epoch.strip()}
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 -- our own words
    return sorted(folder.iterdir())


def compare_builds(first: list[Path], second: list[Path]) -> Iterator[str]:
    """Name the files in which two builds differ."""
    for one, other in zip(first, second, strict=True):
        if (one.name, one.read_bytes()) != (other.name, other.read_bytes()):
            yield f"{one.name} differs between two builds"


def list_sdist(path: Path) -> set[str]:
    """List the files of an sdist, without the name of its folder."""
    with tarfile.open(path) as archive:
        names = [member.name for member in archive if member.isfile()]
    return {name.partition("/")[2] for name in names} - MADE


def list_wheel(path: Path) -> set[str]:
    """List the files of a wheel, without what describes it."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    return {name for name in names if ".dist-info/" not in name}


def check_contents(
    tracked: set[str], in_sdist: set[str], in_wheel: set[str]
) -> Iterator[str]:
    """Name the files that the sdist or the wheel lacks, or should not have."""
    published = {name for name in tracked if not name.startswith(UNPUBLISHED)}
    package = {name.removeprefix("src/") for name in tracked if name.startswith(PACKAGE)}
    for kind, expected, found in (
        ("sdist", published, in_sdist),
        ("wheel", package, in_wheel),
    ):
        yield from (f"the {kind} lacks {name}" for name in sorted(expected - found))
        yield from (f"the {kind} holds {name}" for name in sorted(found - expected))


def check_metadata(paths: list[Path]) -> Iterator[str]:
    """Let twine check the metadata and the page that the index would show."""
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, paths)]
    found = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 -- our own words
    if found.returncode:
        yield found.stdout.strip()


def main() -> int:
    """Build into the folder that is named, or dist."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    built = build(folder)
    with tempfile.TemporaryDirectory() as again:
        problems = list(compare_builds(built, build(Path(again))))
    wheel, sdist = sorted(built, key=lambda path: path.suffix == ".gz")
    tracked = set(run_git("ls-files").splitlines())
    problems += check_contents(tracked, list_sdist(sdist), list_wheel(wheel))
    problems += check_metadata(built)
    for path in built:
        sys.stdout.write(f"{path}: {path.stat().st_size:,} bytes\n")
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
