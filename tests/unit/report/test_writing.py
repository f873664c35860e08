"""A written file is whole or not there, whoever else writes it, and whatever is killed."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from capcurve import CapcurveError
from capcurve._report.writing import find_target, write_whole
from threads import running_threads

HOLD = """
import sys, pathlib
from capcurve._report.writing import write_whole

def write(draft):
    draft.write_text("half")
    print(draft, flush=True)
    sys.stdin.read()

write_whole(pathlib.Path("r.html"), write)
"""


def write_text(text):
    return lambda draft: draft.write_text(text)


def names():
    return sorted(path.name for path in Path().iterdir())


def test_a_file_is_written_and_nothing_else():
    write_whole(Path("r.html"), write_text("page"))
    assert (Path("r.html").read_text(), names()) == ("page", ["r.html"])
    plain = Path("plain")
    plain.touch()
    assert Path("r.html").stat().st_mode == plain.stat().st_mode


def test_a_failure_leaves_what_stood_there():
    Path("r.html").write_text("before")

    def fail(draft):
        draft.write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(Path("r.html"), fail)
    assert (Path("r.html").read_text(), names()) == ("before", ["r.html"])


@pytest.mark.parametrize("old", [True, False])
def test_a_full_disk_names_the_file_and_what_was_kept(old):
    if old:
        Path("r.html").write_text("before")

    def fail(draft):
        draft.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(CapcurveError) as caught:
        write_whole(Path("r.html"), fail)
    assert str(caught.value) == (
        "cannot write 'r.html': No space left on device"
        f"{'; the old file was kept' if old else ''}; make space or choose another place"
    )
    assert names() == (["r.html"] if old else [])


def test_many_threads_write_one_path():
    texts = [str(number) * 100_000 for number in range(16)]

    def write(text):
        for _ in range(20):
            write_whole(Path("r.html"), write_text(text))
            assert Path("r.html").read_text() in texts

    with running_threads(16) as pool:
        list(pool.map(write, texts))
    assert names() == ["r.html"]


@pytest.mark.slow
def test_drafts_of_killed_processes_go_with_the_next_write():
    command = [sys.executable, "-c", HOLD]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:  # noqa: S603 -- our own text
        draft = Path(process.stdout.readline().strip())
        assert draft.parents[1] == Path.cwd()  # on the same disk, so that it is renamed
        assert draft.read_text() == "half"
        write_whole(Path("r.html"), write_text("page"))
        assert draft.exists()  # as its process is alive
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert draft.exists()
    write_whole(Path("r.html"), write_text("page"))
    assert (Path("r.html").read_text(), names()) == ("page", ["r.html"])


def test_links_are_followed():
    Path("store").mkdir()
    Path("store/2024").write_text("before")
    Path("chain.html").symlink_to("store/2024")
    Path("latest.html").symlink_to("chain.html")
    Path("new.html").symlink_to("store/2025")
    endings = []

    def write(draft):
        endings.append(draft.suffix)
        draft.write_text("after")

    write_whole(Path("latest.html"), write)
    write_whole(Path("new.html"), write)
    assert Path("latest.html").readlink() == Path("chain.html")
    assert Path("store/2024").read_text() == Path("store/2025").read_text() == "after"
    assert endings == [".html", ".html"]  # not those of the files that links lead to
    assert {path.name for path in Path("store").iterdir()} == {"2024", "2025"}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444])
def test_permissions_are_kept(mode):
    Path("r.html").touch()
    Path("r.html").chmod(mode)
    write_whole(Path("r.html"), write_text("page"))
    assert stat.S_IMODE(Path("r.html").stat().st_mode) == mode


def test_the_longest_name_there_is():
    longest = Path("é" * 125 + ".html")
    assert len(os.fsencode(longest)) == 255
    write_whole(longest, write_text("page"))
    assert longest.read_text() == "page"
    with pytest.raises(CapcurveError, match="File name too long; choose another place"):
        write_whole(Path("x" + str(longest)), write_text("page"))
    assert names() == [str(longest)]


def test_places_where_no_file_can_be():
    Path("folder").mkdir()
    os.mkfifo("pipe.html")
    Path("link.html").symlink_to("pipe.html")
    for name in ("folder", "pipe.html", "link.html"):
        with pytest.raises(CapcurveError) as caught:
            write_whole(Path(name), write_text("page"))
        assert str(caught.value) == (
            f"`path` must be a file, got {name!r}, which is a folder or a device; choose "
            "another name"
        )
    assert Path("pipe.html").is_fifo()
    Path("lost.html").symlink_to("gone/r.html")
    for name, folder in (("no/r.html", "no"), ("lost.html", str(Path("gone").resolve()))):
        with pytest.raises(CapcurveError) as caught:
            find_target(Path(name), "--output")
        assert str(caught.value) == (
            f"--output must be in an existing folder, got {name!r}; create the folder "
            f"{folder!r} first"
        )
    Path("round.html").symlink_to("round.html")
    with pytest.raises(CapcurveError, match=r"symbolic links; choose another place$"):
        write_whole(Path("round.html"), write_text("page"))


@pytest.mark.skipif(sys.platform == "win32", reason="there, files have no such owners")
def test_a_link_that_another_user_planted_is_not_followed(monkeypatch):
    Path("kept").write_text("before")
    link = Path("/tmp").resolve() / f"capcurve-test-{os.getpid()}.html"  # noqa: S108 -- meant
    link.symlink_to(Path("kept").resolve())
    try:
        assert find_target(link) == Path("kept").resolve()  # our own link
        if os.geteuid() == 0:
            os.lchown(link, 1, 1)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: 1)
        with pytest.raises(CapcurveError, match="no link of another user"):
            write_whole(link, write_text("after"))
    finally:
        link.unlink()
    assert Path("kept").read_text() == "before"
