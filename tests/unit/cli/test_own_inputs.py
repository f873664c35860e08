"""No command replaces a file that it reads, or what stdout is redirected to."""

import os
from pathlib import Path

import pytest

ROWS = "default,pd\n" + "".join(f"{n % 3 // 2},{n / 70}\n" for n in range(60))
MEANING = "--truth default --estimate pd"
CONFIG = """
[report]
truth = "default"
estimate = "pd"
output = []
[[portfolio]]
file = "loans.csv"
"""


@pytest.fixture(autouse=True)
def _loans():
    Path("loans.csv").write_text(ROWS, encoding="utf-8")
    Path("link.csv").symlink_to("loans.csv")
    os.link("loans.csv", "loans.html")


@pytest.mark.parametrize(
    "command",
    [
        f"score loans.csv {MEANING} -o loans.csv",
        f"score l*.csv {MEANING} -o loans.csv",
        f"table link.csv {MEANING} -o loans.csv",
        f"table loans.csv {MEANING} -o ./link.csv",
        f"report loans.csv {MEANING} -o loans.html",
        f"compare other.csv {MEANING} --against loans.csv -o loans.csv",
        f"sketch make loans.csv {MEANING} -o loans.csv",
        "sketch show loans.csv -o loans.csv",
        "sketch report loans.csv -o loans.html",
    ],
)
def test_an_output_is_no_input(run, command):
    code, out, err = run(*command.split())
    assert (code, out) == (2, "")
    assert "must be another file than those that are read" in err
    assert "choose another name" in err
    assert Path("loans.csv").read_text(encoding="utf-8") == ROWS


@pytest.mark.parametrize(
    "change",
    [
        ("output = []", 'output = "loans.html"'),
        ("[report]", 'summary = "loans.html"\n[report]'),
    ],
)
def test_a_run_keeps_its_inputs(run, change):
    Path("night.toml").write_text(CONFIG.replace(*change), encoding="utf-8")
    code, _, err = run("run", "night.toml", "--check")
    assert code == 2
    assert "a report or summary must be another file than those that are read" in err


@pytest.mark.parametrize("more", [(), ("--only", "other")])
def test_a_run_prints_to_no_input(run, more):
    other = f'{CONFIG}[[portfolio]]\nfile = "other.csv"\n'
    Path("other.csv").write_text(ROWS, encoding="utf-8")
    Path("night.toml").write_text(other, encoding="utf-8")
    code, _, err = run("run", "night.toml", *more, "-o", "loans.csv")
    assert code == 2
    assert "--output must be another file" in err
    assert Path("loans.csv").read_text(encoding="utf-8") == ROWS


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("out/loans.json", "loans"),
        ("out/../out/loans.json", "loans"),
        ("out/gone.json", "gone"),
        ("out/index.json", "the summary"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--check",), ("--only", "other")])
def test_a_run_prints_to_none_of_its_reports(run, name, what, more):
    outputs = 'output = ["out/{name}.html", "out/{name}.json"]'
    config = f'summary = "out/index.json"\n{CONFIG.replace("output = []", outputs)}'
    config += '[[portfolio]]\nfile = "link.csv"\nname = "other"\n'
    config += '[[portfolio]]\nfiles = "g*.csv"\n'  # whose older report stays
    Path("gone.csv").symlink_to("/nonexistent")
    Path("out").mkdir()
    Path("night.toml").write_text(config, encoding="utf-8")
    assert run("run", "night.toml", *more, "-o", name) == (
        2,
        "",
        (
            "capcurve: error: --output must be another file than the reports and summaries "
            f"of the run, got {name!r}, which is that of {what}; choose another name\n"
        ),
    )
    assert list(Path("out").iterdir()) == []


def test_an_output_is_not_what_stdin_is_redirected_from(run, monkeypatch):
    command = f"score - {MEANING} -o".split()
    with Path("loans.csv").open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        code, out, err = run(*command, "link.csv")
        assert (code, out) == (2, "")
        assert err == (
            "capcurve: error: --output must be another file than those that are read, got "
            "'link.csv', which stdin is redirected from; choose another name\n"
        )
        Path("older.csv").touch()
        assert run(*command, "older.csv")[0] == 0
    assert Path("loans.csv").read_text(encoding="utf-8") == ROWS
    monkeypatch.setattr("sys.stdin", None)
    code, _, err = run(*command, "older.csv")
    assert (code, "stdin must hold the file, but it is closed" in err) == (2, True)


@pytest.mark.parametrize("form", [[], ["--format", "csv"]])
def test_a_device_is_no_output(run, form):
    code, out, err = run(*f"score loans.csv {MEANING} -o /dev/null".split(), *form)
    assert (code, out) == (2, "")
    assert err == (
        "capcurve: error: --output must be a file, got '/dev/null', which is a device; "
        "write to - instead, and redirect stdout to it\n"
    )


def test_an_output_is_written_once(run):
    names = ["-o", "a.html", "-o", "./a.html"]
    code, out, err = run(*f"report loans.csv {MEANING}".split(), *names)
    assert (code, out) == (2, "")
    assert "several --output must be different files" in err
    assert not Path("a.html").exists()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_stream_is_written_as_a_dash(run, name):
    code, _, err = run(*f"score loans.csv {MEANING} --format csv -o {name}".split())
    assert code == 2
    assert err == (
        f"capcurve: error: --output must be a file, got '{name}', which is a stream; to "
        "print, write to - instead\n"
    )


def test_a_query_that_finds_nothing(run):
    query = ("--query", "select * from data where pd > 9")
    assert run(*f"score loans.csv {MEANING}".split(), *query) == (
        2,
        "",
        (
            "capcurve: error: --query must return rows of loans.csv, but it returned none; "
            "check its condition\n"
        ),
    )


def test_sketch_alone_shows_its_help(run):
    code, out, err = run("sketch")
    assert (code, err) == (0, "")
    assert "Usage: capcurve sketch" in out
    assert "merge" in out


def test_an_older_result_is_replaced(run):
    Path("result.csv").write_text("old", encoding="utf-8")
    code, _, _ = run(*f"score loans.csv {MEANING} -o result.csv".split())
    assert code == 0
    assert "accuracy_ratio" in Path("result.csv").read_text(encoding="utf-8")


@pytest.fixture
def unopened(monkeypatch):
    """Make a link to nothing, a loop, and a file in a folder that is closed."""
    Path("dangling.csv").symlink_to("/nonexistent")
    Path("loop.csv").symlink_to("loop.csv")
    Path("closed").mkdir()
    Path("closed/a.csv").write_text(ROWS, encoding="utf-8")
    stat = os.stat

    def guarded(path, *arguments, **options):  # permissions do not bind the root user
        if str(path).startswith("closed/"):
            raise PermissionError(13, "Permission denied", path)
        return stat(path, *arguments, **options)

    monkeypatch.setattr(os, "stat", guarded)
    return {
        "dangling.csv": "it is a link to nothing ('/nonexistent'); mount or restore what",
        "loop.csv": "Too many levels of symbolic links",
        "closed/a.csv": "Permission denied; check the permissions of the file and its",
    }


def test_a_file_that_cannot_be_opened_is_told_where_an_output_exists(run, unopened):
    for name, reason in unopened.items():
        command = f"score {name} {MEANING} -o old.json".split()
        Path("old.json").unlink(missing_ok=True)
        first = run(*command)
        Path("old.json").write_text("of yesterday", encoding="utf-8")
        assert run(*command) == first
        assert first[0] == 2
        assert f"capcurve: error: cannot read {name}: {reason}" in first[2]


@pytest.mark.parametrize("more", [(), ("--check",), ("-o", "rows.json")])
def test_a_file_that_cannot_be_opened_stops_no_later_run(run, unopened, more):
    entries = "".join(f'[[portfolio]]\nfile = "{name}"\n' for name in unopened)
    config = 'output = "out/{name}.json"\n[[portfolio]]\nfile = "loans.csv"\n'
    config = CONFIG[: CONFIG.index("output")] + config
    config += entries.replace('closed/a.csv"', 'closed/a.csv"\nname = "closed"')
    entries = '[[portfolio]]\nfiles = "d*.csv"\nname = "found {stem}"\n'
    Path("night.toml").write_text(config + entries, encoding="utf-8")
    Path("out").mkdir()
    for name in ("dangling", "loop", "closed", "found dangling"):
        Path("out", f"{name}.json").write_text("of yesterday", encoding="utf-8")
    Path("rows.json").write_text("of yesterday", encoding="utf-8")
    for _ in range(2):
        code, _, err = run("run", "night.toml", "--quiet", *more)
        assert code == 2
        for name, reason in unopened.items():
            assert f"cannot read {name}: {reason}" in err
        assert "capcurve: error: found dangling: cannot read dangling.csv: it is a" in err
        assert err.count("\n") == 4
        assert Path("out/loans.json").exists() is (more != ("--check",))
