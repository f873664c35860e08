"""Run commands in this process."""

from pathlib import Path

import pytest

from capcurve._cli.run import main


@pytest.fixture
def run(capsys):
    """Run a command and give exit code, stdout and stderr."""

    def run_command(*arguments):
        code = main(arguments)
        return code, *capsys.readouterr()

    return run_command


@pytest.fixture
def score(run):
    """Score column s of a file against column y, after writing its content."""

    def run_score(content, *options, name="f.csv"):
        if content is not None:
            Path(name).write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
        return run(*f"score {name} --truth y --estimate s --format json".split(), *options)

    return run_score


@pytest.fixture
def refused(score):
    """Score a file that must be refused, and give the one line about it."""

    def run_score(*arguments, **options):
        code, out, err = score(*arguments, **options)
        assert (code, out) == (2, "")
        assert err.startswith("capcurve: error: ")
        assert err.count("\n") == 1
        return err.removeprefix("capcurve: error: ").rstrip("\n")

    return run_score
