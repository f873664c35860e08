"""Errors of usage say what was expected, what was given, and what to do."""

from pathlib import Path

import click
import pytest

from capcurve._cli.usage_errors import AT_A_SHARE, explain_usage, print_help_with

COLUMNS = ("f.csv", "--truth", "y", "--estimate", "s")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score",), "capcurve score requires FILE, which was not given; add it"),
        (
            ("plot", *COLUMNS),
            "capcurve plot requires --output, which was not given; add it",
        ),
        (
            ("sketch", "merge"),
            "capcurve sketch merge requires SKETCH, which was not given; add it",
        ),
        (
            ("score", *COLUMNS, "--confidence", "high"),
            "--confidence must be a number, got 'high'; pass a number",
        ),
        (
            ("score", *COLUMNS, "--seed", "0.5"),
            "--seed must be a whole number, got '0.5'; pass a whole number",
        ),
        (
            ("score", *COLUMNS, "--on-undefined", "it's"),
            '--on-undefined must be one of fail, skip, got "it\'s"; choose one of them',
        ),
        (
            ("score", *COLUMNS, "--zzz"),
            "capcurve score has no option --zzz; see capcurve score --help",
        ),
        (
            ("score", *COLUMNS, "--event-level", "second"),
            "capcurve score has no option --event-level; name the event as --pos-label",
        ),
        (
            ("score", *COLUMNS, "--capture", "0.2"),
            f"capcurve score has no option --capture; {AT_A_SHARE}",
        ),
        (("score", *COLUMNS, "--by"), "--by requires a value, got none; add it"),
        (
            ("demo", "--output-dir", "f.csv"),
            "--output-dir must be a folder, got a file, 'f.csv'; name a folder",
        ),
        (
            ("plot", *COLUMNS, "-o", "folder"),
            "--output must be a file, got a folder, 'folder'; name a file",
        ),
        (
            ("run", "a.toml", "b", "c"),
            "capcurve run takes fewer words, also got 'b c'; see capcurve run --help",
        ),
        (
            ("sketch", "zzz"),
            "capcurve sketch has no command 'zzz'; see capcurve sketch --help",
        ),
    ],
)
def test_usage(run, arguments, message):
    Path("f.csv").write_text("y,s\n1,2\n0,1\n")
    Path("folder").mkdir()
    assert run(*arguments) == (2, "", f"capcurve: error: {message}\n")


def test_messages_that_are_not_known_are_passed_on():
    option = click.Option(["-n", "--number"])
    assert explain_usage(click.BadParameter("odd.", param=option)) == "--number: odd."
    assert explain_usage(click.UsageError("too much")) == "too much"
    assert explain_usage(click.NoSuchOption("--x")) == (
        "capcurve has no option --x; see capcurve --help"
    )
    assert explain_usage(click.MissingParameter()) == (
        "capcurve requires a file, which was not given; add it"
    )


@pytest.mark.parametrize(
    ("name", "values"), [("--output", ("a.json", "b.csv")), ("--weight", ("w", "w"))]
)
def test_an_option_of_one_value_is_not_given_twice(run, name, values):
    first, second = values
    command = ("score", "f.csv", "--truth=y", "--estimate=s", "--estimate=t")
    code, _, err = run(*command, name, first, f"{name}={second}")
    told = f"{name} takes one value, got several; pass one of them"
    assert (code, err) == (2, f"capcurve: error: {told}\n")


@pytest.mark.parametrize("command", ["score", "report"])
def test_a_negative_seed_is_called_by_its_option(run, command):
    columns = ("--truth", "y", "--estimate", "s")
    code, _, err = run(command, "f.csv", *columns, "--seed", "-1", "--method", "bca")
    assert code == 2
    assert "--seed must be a whole number that is not negative, got -1; leave it" in err


def test_a_weight_that_is_the_outcome_is_said_to_leave_out_non_events(run, tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("y,s\n" + "0,1\n1,2\n1,3\n0,4\n" * 9)
    code, _, err = run(
        "report",
        str(path),
        "--truth",
        "y",
        "--weight",
        "y",
        "--estimate",
        "s",
        "-o",
        "r.json",
    )
    assert code == 2
    assert (
        "--truth and --weight must name two columns, got 'y' for both: rows of weight 0 "
        "are left out, so that `y` holds only events; name another weight, or leave it out"
    ) in err


def test_a_command_of_click_may_have_no_option_for_help():
    bare = click.Command("bare", add_help_option=False)
    assert print_help_with(bare.get_help_option(click.Context(bare))) is None
