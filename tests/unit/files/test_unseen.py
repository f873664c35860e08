"""What a pattern meets and cannot see stops it, instead of being left out."""

import os
from pathlib import Path

import pytest

from capcurve import CapcurveError
from capcurve._files.paths import find_any, match_files

DENIED = "Permission denied; check the permissions of the file and its folder"


@pytest.fixture
def tree():
    """Make folders with a file each."""
    for name in ("n", "s", "s/deep"):
        Path("tree", name).mkdir(parents=True, exist_ok=True)
        Path("tree", name, "l.csv").write_text("y,s\n1,2\n")


@pytest.fixture
def close(monkeypatch):
    """Let a folder be closed, as permissions do not bind the root user."""

    def deny(name):
        def guard(function):
            def guarded(path, *arguments, **options):
                inner = os.fspath(path)
                if (function is scan and inner == name) or inner.startswith(f"{name}/"):
                    raise PermissionError(13, "Permission denied", inner)
                return function(path, *arguments, **options)

            return guarded

        scan = os.scandir
        for each in ("scandir", "lstat"):
            monkeypatch.setattr(os, each, guard(getattr(os, each)))

    return deny


def refuse(pattern):
    with pytest.raises(CapcurveError) as caught:
        match_files(pattern)
    return str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "place"),
    [
        ("tree/*/l.csv", "tree/s/l.csv"),
        ("tree/*/*.csv", "tree/s"),
        ("tree/s/*.csv", "tree/s"),
        ("tree/**/*.csv", "tree/s"),
        ("tree/**/l.csv", "tree/s"),
        ("tree/s/deep/*.csv", "tree/s/deep"),
        ("./tree/*/*.csv", "./tree/s"),
    ],
)
@pytest.mark.usefixtures("tree")
def test_a_folder_that_cannot_be_listed_is_named(close, pattern, place):
    assert match_files(pattern)
    close(place.removesuffix("/l.csv").removesuffix("/deep"))
    assert refuse(pattern) == f"cannot read {place}: {DENIED}"


@pytest.mark.usefixtures("tree")
def test_the_files_that_are_seen_are_told(close):
    close("tree/s")
    found = find_any("tree/*/l.csv")
    assert found.files == ["tree/n/l.csv"]
    assert list(found.unseen) == ["tree/s/l.csv"]


def test_a_link_to_nothing_is_named():
    Path("a.csv").write_text("y,s\n1,2\n")
    Path("b.csv").symlink_to("gone/b.csv")
    expected = (
        "cannot read b.csv: it is a link to nothing ('gone/b.csv'); mount or restore what "
        "it stands for, or remove the link"
    )
    assert refuse("*.csv") == refuse("b.csv") == refuse("[b].csv") == expected
    assert match_files("a*.csv") == ["a.csv"]
    assert find_any("*.csv").files == ["a.csv"]
    Path("b.csv").unlink()
    Path("b.csv").symlink_to("b.csv")
    assert refuse("*.csv") == "cannot read b.csv: Too many levels of symbolic links"


@pytest.mark.usefixtures("tree")
def test_a_link_to_no_folder_is_named():
    Path("tree/w").symlink_to("/nonexistent/w")
    for pattern in ("tree/*/l.csv", "tree/*/*.csv", "tree/w/*.csv", "tree/w/x/*.csv"):
        message = refuse(pattern)
        assert message.startswith("cannot read tree/w: it is a link to nothing ('/nonexi")
    assert match_files("tree/[ns]/*.csv") == ["tree/n/l.csv", "tree/s/l.csv"]


@pytest.mark.usefixtures("tree")
def test_what_is_no_folder_or_no_file_is_passed_over():
    Path("tree/notes.txt").touch()
    Path("tree/t").symlink_to("n")
    Path("tree/empty").mkdir()
    found = ["tree/n/l.csv", "tree/s/l.csv", "tree/t/l.csv"]
    assert match_files("tree/*/l.csv") == match_files("tree/*/*.csv") == found
    assert match_files(f"{Path().absolute()}/tree/*/l.csv") == [
        f"{Path().absolute()}/{name}" for name in found
    ]
    assert len(match_files("**/l.csv")) == 4
    assert match_files("tree/[ns]*") == match_files("tree/no*") == ["tree/notes.txt"]
    assert refuse("none/*.csv") == (
        "cannot read none/*.csv: no file matches this pattern; correct it"
    )


@pytest.mark.parametrize(
    ("folder", "pattern", "inner"),
    [
        ("d.parquet", "*.parquet", "*.parquet"),
        ("d.parquet", "*", "*.parquet"),
        ("d.csv.gz", "*.csv.gz", "*.csv"),
        ("d.CSV", "?.CSV", "*.csv"),
        ("d.sketch", "*.sketch", "*.sketch"),
    ],
)
@pytest.mark.usefixtures("tree")
def test_a_folder_that_is_called_as_a_file_is_named(folder, pattern, inner):
    Path("tree", folder).mkdir()
    Path("tree/a.txt").touch()
    said = f"cannot read tree/{folder}: it is a folder, which tree/"
    advice = (
        " matches; narrow this pattern, and pass the files of the folder, such as "
        f"'tree/{folder}/{inner}'"
    )
    assert refuse(f"tree/**/{pattern}") == f"{said}**/{pattern}{advice}"
    Path("tree", folder, "README").touch()  # which says nothing of rows
    assert refuse(f"tree/{pattern}") == f"{said}{pattern}{advice}"
    found = find_any(f"tree/{pattern}")
    assert found.files == (["tree/a.txt"] if pattern == "*" else [])
    assert list(found.broken) == [f"tree/{folder}"]


@pytest.mark.parametrize("inner", ["part-0.csv", "year=2020/part-0.csv"])
@pytest.mark.parametrize("pattern", ["**/*.csv", "**/*", "**", "./**/*.csv"])
def test_a_folder_whose_files_match_is_read(inner, pattern):
    Path("d.csv", inner).parent.mkdir(parents=True)
    Path("d.csv", inner).touch()
    assert list(map(Path, match_files(pattern))) == [Path("d.csv", inner)]


@pytest.mark.parametrize("pattern", ["y.csv", "*.csv", "*"])
def test_what_is_neither_a_file_nor_a_folder_is_named(pattern):
    os.mkfifo("y.csv")
    advice = (
        "pass - and pipe its rows to standard input, or write them to a file"
        if pattern == "y.csv"
        else "write its rows to a file, or remove it"
    )
    expected = f"cannot read y.csv: it is a pipe, a socket or a device; {advice}"
    assert refuse(pattern) == expected
