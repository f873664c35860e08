"""The config file of `capcurve run`: what it means, and what is refused in which words."""

import errno
import os
from pathlib import Path

import pytest

from capcurve.__main__ import main
from capcurve._cli.config import read_config
from capcurve._cli.config_values import list_options
from capcurve._cli.report import report
from capcurve.exceptions import CapcurveError

COMMON = '[report]\ntruth = "y"\nestimate = "s"\n'
ONE = COMMON + '[[portfolio]]\nfile = "a.csv"\n'


def read(text, name="capcurve.toml"):
    path = Path(name)
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text, encoding="utf-8")
    return read_config(path, report)


def refuse(text, message, **given):
    with pytest.raises(CapcurveError) as caught:
        read(text, **given)
    assert message in str(caught.value)


def test_what_is_left_out_has_a_default():
    config = read(ONE)
    assert config.title == "Validation reports"
    assert config.summaries == (Path("reports/index.html"),)
    (portfolio,) = config.portfolios
    assert (portfolio.name, portfolio.files, portfolio.problem) == ("a", ("a.csv",), None)
    assert portfolio.outputs == (Path("reports/a.html"),)
    given = portfolio.context.params
    assert (given["truth"], given["estimate"], given["title"]) == ("y", ("s",), "a")
    assert given["confidence"] == 0.95


def test_every_kind_of_option():
    config = read(
        """
        title = "Nightly"
        summary = ["out/index.html", "out/index.json"]
        [report]
        truth = "y"
        estimate = ["s", "t"]
        confidence = 0.9
        bands = 5
        meta = {owner = "risk", version = 2}
        target-type = "binary"
        ascending = true
        output = ["out/{name}.html", "out/{name}.xlsx"]
        fail-below = 0
        min-events = 20
        [[portfolio]]
        name = "Retail"
        file = "r.csv.gz"
        ascending = false
        title = "Book of {name}"
        [[portfolio]]
        name = "Both"
        file = ["a.csv", "b*.csv"]
        estimate = "u"
        output = []
        pos-label = 1
        """
    )
    first, second = config.portfolios
    given = first.context.params
    assert given["estimate"] == ("s", "t")
    assert (given["confidence"], given["bands"], given["ascending"]) == (0.9, "5", False)
    assert given["meta"] == ("owner=risk", "version=2")
    assert given["title"] == "Book of Retail"
    assert (given["fail_below"], given["min_events"]) == (0, 20)
    assert first.outputs == (Path("out/Retail.html"), Path("out/Retail.xlsx"))
    given = second.context.params
    assert (given["file"], given["estimate"]) == (("a.csv", "b*.csv"), ("u",))
    assert (given["ascending"], given["pos_label"], second.outputs) == (True, "1", ())
    assert config.summaries == (Path("out/index.html"), Path("out/index.json"))


def test_a_portfolio_takes_options_back():
    common = (
        f'{COMMON}period = "year"\nfail-below = 0.5\n'
        'min-events = 30\non-undefined = "skip"\ntitle = "T"\nby = "g"\n'
    )
    names = ("period", "fail-below", "min-events", "on-undefined", "title", "by")
    back = "".join(f"{name} = []\n" for name in names)
    entry = ONE.removeprefix(COMMON)
    one, other, usual = (
        read(text).portfolios[0].context.params
        for text in (common + entry, common + entry + back, ONE)
    )
    keys = ("period", "fail_below", "min_events", "on_undefined", "title", "by")
    assert all(one[key] != usual[key] for key in keys)
    assert {key: other[key] for key in keys} == {key: usual[key] for key in keys}


def test_paths_are_those_of_the_config():
    Path("in [it]").mkdir()
    Path("in [it]/a.csv").touch()
    config = read(
        COMMON
        + '[[portfolio]]\nfile = "a.csv"\n[[portfolio]]\nfile = "x*.csv"\nname = "x"\n'
        f'[[portfolio]]\nfile = "{Path.cwd()}/b.csv"\n',
        name="in [it]/night.toml",
    )
    first, pattern, absolute = (each.files[0] for each in config.portfolios)
    assert first == "in [it]/a.csv"
    assert pattern == "in [[]it]/x*.csv"
    assert absolute == f"{Path.cwd()}/b.csv"
    assert config.portfolios[0].outputs == (Path("in [it]/reports/a.html"),)


def test_each_file_of_a_pattern_is_a_portfolio():
    for name in ("north/loans.csv", "south/loans.csv", "c.parquet", "folder.csv/x"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    config = read(
        COMMON + '[[portfolio]]\nfiles = "*/loans.csv"\nname = "{folder} {stem}"\n'
        '[[portfolio]]\nfiles = ["*.parquet", "none/*.csv"]\n'
    )
    assert [each.name for each in config.portfolios] == [
        *("north loans", "south loans", "c", "none *.csv"),
    ]
    assert config.portfolios[1].files == ("south/loans.csv",)
    assert config.portfolios[3].problem == (
        "cannot read none/*.csv: no file matches this pattern; correct it"
    )


def test_files_that_are_called_alike_stop_no_other():
    for name in ("a.csv", "a.csv.gz", "b.csv", "c|d.csv"):
        Path(name).touch()
    pattern = COMMON + '[[portfolio]]\nfiles = "*.csv*"\n'
    problems = {each.files: each.problem for each in read(pattern).portfolios}
    advice = "; remove one of the two, or narrow the pattern"
    signs = '/ \\ * ? " < > |'
    assert problems == {
        ("a.csv",): f"the name must be that of one file, got a.csv and a.csv.gz{advice}",
        ("a.csv.gz",): f"the name must be that of one file, got a.csv.gz and a.csv{advice}",
        ("b.csv",): None,
        ("c|d.csv",): f"the name must be one that a report can have, without {signs}, got "
        "'c|d'; rename the file",
    }
    several = pattern.replace('"*.csv*"', '["a.csv", "*.csv", "*.csv.gz"]')
    assert {each.files: each.problem for each in read(several).portfolios} == problems
    # A fault of the config, not of the files, stops the run.
    refuse(pattern.replace("*.csv*", "[bc]*.csv") + 'name = "x"\n', "must have names that")


@pytest.mark.parametrize(
    "entries",
    [
        'files = "**/*.csv"\n',
        'files = ["x/*.csv", "y/*.csv", "b.csv"]\n',
        'files = "*/*.csv"\n[[portfolio]]\nfiles = "b.csv"\n',
        'files = "x/*.csv"\n[[portfolio]]\nfiles = "y/*"\n[[portfolio]]\nfile = "b.csv"\n',
    ],
)
def test_files_of_several_folders_that_are_called_alike_stop_no_other(entries):
    for name in ("x/a.csv", "y/a.csv", "b.csv"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).touch()
    told = "the name must be that of one portfolio, got 'a' for {} and for {}; write "
    told += '`name = "{{folder}}-{{stem}}"` beside `files`'
    config = f"{COMMON}[[portfolio]]\n{entries}"
    assert {each.files: each.problem for each in read(config).portfolios} == {
        ("x/a.csv",): told.format("x/a.csv", "y/a.csv"),
        ("y/a.csv",): told.format("y/a.csv", "x/a.csv"),
        ("b.csv",): None,
    }
    apart = config.replace("files = ", 'name = "{folder}-{stem}"\nfiles = ')
    assert {each.problem for each in read(apart).portfolios} == {None}


def test_a_file_that_is_called_like_another_portfolio_stops_no_other():
    for name in ("p/x/a.csv", "q/x/a.csv", "x/b.csv", "x/b.csv.gz", "x/index.csv"):
        Path(name).parent.mkdir(exist_ok=True, parents=True)
        Path(name).touch()
    entries = (
        '[[portfolio]]\nfile = "x/b.csv"\n'
        '[[portfolio]]\nfiles = ["*/x/a.csv", "x/*.csv"]\nname = "{stem}"\n'
        '[[portfolio]]\nfiles = "x/*.csv.gz"\n'
    )
    one = "the name must be that of one portfolio, got "
    other = "or write another `name`"
    own_file = "the report must have a file of its own"
    places = "another `name`, `output` or `summary`"
    rename = "; rename one of the files, or narrow the pattern of `files`"
    found = [(each.files, each.problem) for each in read(COMMON + entries).portfolios]
    assert found == [
        (("x/b.csv",), None),
        (("p/x/a.csv",), f"{one}'a' for p/x/a.csv and for q/x/a.csv{rename}"),
        (("q/x/a.csv",), f"{one}'a' for q/x/a.csv and for p/x/a.csv{rename}"),
        (
            ("x/b.csv",),
            f"{one}'b' for x/b.csv and for x/b.csv; narrow the pattern of `files`, {other}",
        ),
        (
            ("x/index.csv",),
            f"{own_file}, got reports/index.html, which is the summary; write {places}",
        ),
        (("x/b.csv.gz",), f"{one}'b' for x/b.csv.gz and for x/b.csv{rename}"),
    ]
    # A fault of the config, not of the files, stops the run.
    fault = '[[portfolio]]\nfiles = "x/i*.csv"\noutput = "reports/index.html"\n'
    refuse(COMMON + fault, "each report must have a file of its own, got ")


def test_a_pattern_without_files_has_the_name_of_its_portfolio():
    (found,) = read(COMMON + '[[portfolio]]\nname = "x"\nfiles = "none/*.csv"\n').portfolios
    assert found.name == "x"


def test_a_folder_that_cannot_be_read_stops_no_other():
    Path("b.csv").touch()
    long = f"{'x' * 300}/*.csv"
    found = read(COMMON + f'[[portfolio]]\nfiles = ["{long}", "b.csv"]\n').portfolios
    assert [each.problem is None for each in found] == [False, True]


def test_what_a_pattern_cannot_see_is_a_portfolio_with_a_problem():
    for name in ("n", "o"):
        Path(name).mkdir()
        Path(name, "l.csv").touch()
    Path("o/k.csv").symlink_to("gone.csv")
    Path("w").symlink_to("/nonexistent")
    entry = '[[portfolio]]\nfiles = "*/[kl].csv"\nname = "{folder}-{stem}"\n'
    found = {each.name: each.problem for each in read(COMMON + entry).portfolios}
    assert list(found) == ["n-l", "o-k", "o-l", "w"]
    assert found["n-l"] is found["o-l"] is None
    assert found["o-k"].startswith("cannot read o/k.csv: it is a link to nothing ('gone.c")
    assert found["w"].startswith("cannot read w: it is a link to nothing ('/nonexistent')")


def test_a_name_that_no_file_has_may_be_that_of_a_portfolio():
    entry = '[[portfolio]]\nfile = "a.csv"\nname = "Retail / SME"\n'
    (found,) = read(COMMON + entry + 'output = "r.html"\n').portfolios
    assert found.name == "Retail / SME"
    several = entry.replace("file =", "files =")  # whose name the config gives, too
    for told in (entry, several, several.replace("SME", "{stem}")):
        refuse(COMMON + told, "must have a name that a file can have")
    assert read(COMMON + several + 'output = "r.html"\n').portfolios


def test_a_section_of_pyproject():
    text = '[project]\nname = "x"\n[tool.capcurve]\ntitle = "T"\n' + ONE.replace(
        "[report]", "[tool.capcurve.report]"
    ).replace("[[portfolio]]", "[[tool.capcurve.portfolio]]")
    assert read(text, name="pyproject.toml").title == "T"
    assert read_config(None, report).title == "T"
    Path("capcurve.toml").write_text(ONE, encoding="utf-8")
    assert read_config(None, report).title == "Validation reports"
    Path("capcurve.toml").unlink()
    for other in ("[tool.black]\n", "tool = 1\n", ""):
        refuse(
            other, "must have the section [tool.capcurve], got none", name="pyproject.toml"
        )
        with pytest.raises(CapcurveError, match=r"requires capcurve\.toml, or pyproject"):
            read_config(None, report)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            'titel = "x"\n' + ONE,
            "got 'titel'; did you mean title? (the keys are title, summary, report, portf",
        ),
        ('truth = "y"\n' + ONE, "got 'truth'; leave it out (the keys are title, summary, "),
        (ONE + "fail_below = 0.4\n", "`portfolio[a.csv]` of capcurve.toml must have known"),
        (ONE + "fail_below = 0.4\n", "got 'fail_below'; did you mean fail-below"),
        (ONE + "xyzzy = 1\n", "got 'xyzzy'; leave it out (`capcurve report --help` l"),
        (
            COMMON + 'file = "x"\n',
            (
                "`report` of capcurve.toml must have known keys, got 'file'; write it in "
                "[[portfolio]] instead"
            ),
        ),
        (ONE + 'confidence = "high"\n', "`portfolio[a.csv].confidence` of capcurve.toml"),
        (
            ONE + "confidence = true\n",
            "must be a number, or [] for none, got true; change it",
        ),
        (ONE + "min-events = 1.5\n", "must be a whole number, or [] for none, got 1.5"),
        (ONE + "min-events = true\n", "must be a whole number, or [] for none, got true"),
        (ONE + "truth = true\n", "must be text, or [] for none, got true"),
        (ONE + "by = [true]\n", "must be text, or a list of texts, got true"),
        (ONE + 'by = ["g", 3]\n', "must be text, or a list of texts, got 3; change it"),
        (ONE + 'period = ""\n', "must be text, or [] for none, got an empty one; change"),
        (ONE + "period = 2023\n", "must be text, or [] for none, got 2023; change it"),
        (ONE + 'ascending = "no"\n', "must be true or false, got 'no'"),
        (ONE + 'target-type = "amount"\n', "must be one of auto, binary, continuous, got"),
        (ONE + "output = 3\n", "`portfolio[a.csv].output` of capcurve.toml must be text"),
        (ONE + "output = [3]\n", "must be text, or a list of texts, got [3]"),
        ("title = 3\n" + ONE, "`title` of capcurve.toml must be text, got 3"),
        ('title = " "\n' + ONE, "`title` of capcurve.toml must be text, got ' '"),
        ("report = 3\n" + ONE[len(COMMON) :], "`report` of capcurve.toml must be a table"),
        ("portfolio = 3\n", "`portfolio` of capcurve.toml must be a list, written [[port"),
        ("portfolio = [3]\n", "`portfolio[1]` of capcurve.toml must be a table, got 3"),
        (COMMON, "must list portfolios as [[portfolio]], got none; add one"),
        (COMMON + "[[portfolio]]\n", "must have either `file`, for one portfolio, or"),
        (ONE + 'files = "*.csv"\n', "got both; keep one of them"),
        (COMMON + "[[portfolio]]\nfile = []\n", "must be a file, or a list of files"),
        (COMMON + '[[portfolio]]\nfile = ""\n', "`portfolio[1].file` of capcurve.toml"),
        (COMMON + '[[portfolio]]\nfile = ""\n', "or a list of texts, got an empty one; "),
        (COMMON + '[[portfolio]]\nfile = "-"\n', "must be a file, or a list of files"),
        (COMMON + '[[portfolio]]\nfile = "x/*.csv"\n', "must have a name that a file can"),
        (ONE + 'name = "a/b"\n', "? \" < > |, got 'a/b'; write a `name`, in which {stem}"),
        (ONE + "bands = 'many'\n", "`portfolio[a.csv]` of capcurve.toml: `bands` must be"),
        (ONE + "fail-below = 45\n", "`fail-below` must be an AR from -1 to 1, got 45"),
        (ONE + "confidence = 95\n", "`confidence` must lie between 0 and 1"),
        (ONE + "amber = 0.5\ngreen = 0.3\n", "`amber` must be below `green`"),
        (ONE + "fail-if-worse-than-initial = 0.05\n", "requires the AUC at initial"),
        (ONE + "fail-if-challenger-better = 0.05\n", "requires a challenger, got one"),
        (
            '[[portfolio]]\nfile = "a.csv"\nestimate = "s"\n',
            "got neither; pass one of the two",
        ),
        (ONE + 'output = "{nam}.html"\n', "got {nam}; write {name}"),
        (ONE + 'name = "{file}"\n', "than {stem}, {folder}, got {file}; write {stem}"),
        (ONE + "fail-on-lower-bound = true\n", "`fail-on-lower-bound` requires"),
        (
            '[[portfolio]]\nfile = "a.csv"\ntruth = "y"\n',
            "report requires `estimate`, which",
        ),
        (
            ONE + ONE[len(COMMON) :],
            "must have names that differ, got 'a' for portfolio 1 (a.csv) and for",
        ),
        (
            'summary = "x.txt"\n' + ONE,
            "`summary` of capcurve.toml must end in .html or .json, got 'x.txt'; rename it",
        ),
        (
            ONE + 'name = "A"\noutput = ["a.html", "{name}.doc"]\n',
            (
                "`portfolio[A].output` of capcurve.toml: the file name of a report must "
                "end in one of .html, .json, .xlsx, .pdf, got 'A.doc'; choose one of them"
            ),
        ),
        (
            COMMON + "quiet = true\n",
            "got 'quiet'; pass --quiet to `capcurve run` instead",
        ),
        ("verbose = true\n" + ONE, "got 'verbose'; pass --verbose to `capcurve run` inst"),
        ('summary = "a.html"\n' + ONE + 'output = "a.html"\n', "a file of its own"),
        (
            'summary = "a.html"\n' + ONE + 'output = "r/../a.html"\n',
            "a.html' for the summary and for a; write {name} into `output`",
        ),
        ("a = \n", "capcurve.toml must be valid TOML in UTF-8, got an error: Invalid"),
    ],
)
def test_what_is_refused(change, message):
    refuse(change, message)


def test_files_that_cannot_be_read():
    with pytest.raises(CapcurveError, match=r"cannot read none\.toml: no such file; check"):
        read_config(Path("none.toml"), report)
    with pytest.raises(CapcurveError, match=r"^cannot read \.: .*; check the file$"):
        read_config(Path(), report)
    Path("c.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(
        CapcurveError, match=r"c\.toml must be valid TOML in UTF-8, got an error"
    ):
        read_config(Path("c.toml"), report)


def test_a_byte_order_mark_is_none_of_it():
    Path("capcurve.toml").write_bytes(b"\xef\xbb\xbf" + ONE.encode())
    assert len(read_config(None, report).portfolios) == 1


def test_every_option_of_a_report_can_stand_in_a_config():
    known = list_options(report)
    written = {"--" + name for name in known}
    shell = {name for each in report.params for name in each.opts if name[:2] == "--"}
    assert shell - written == {"--format", "--output", "--quiet"}


def test_a_config_that_may_not_be_read(monkeypatch, capsys):
    def refuse_file(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    Path("c.toml").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(Path, "read_text", refuse_file)
    assert main(["run", "c.toml"]) == 2
    assert capsys.readouterr().err == (
        "capcurve: error: cannot read c.toml: Permission denied; check the permissions of "
        "the file and its folder\n"
    )
