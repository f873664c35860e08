"""Options mean the same at every command, or are on a list that says why not."""

import click
import pytest

from capcurve._cli.commands import COMMANDS
from capcurve._cli.commands import capcurve as group


def list_commands():
    """List all commands by name, and those of `sketch` by both names."""
    for name in COMMANDS:
        command = group.get_command(None, name)
        if isinstance(command, click.Group):
            for own, each in command.commands.items():
                yield f"{name} {own}", each
        else:
            yield name, command


ALL_COMMANDS = dict(list_commands())
# They read sketches, or what a file says of portfolios, and no columns of rows.
OTHERS = ("demo", "run", *(name for name in ALL_COMMANDS if name.startswith("sketch ")))
ROWS = [name for name in ALL_COMMANDS if name not in OTHERS]
BINNED = ("score", "table", "plot")
IN_MEMORY = "it reads all rows into memory"
WRITES = "it writes a picture or a page, whose format is its ending"
NO_GATE = "it makes no number that the gate is about"
NO_TEST = "it makes no test of two scores or against initial validation"
ONE_METHOD = "there is one method"
NO_BANDS = "it cuts rows into no bands"
# Options that only some commands have, as they are about what these do.
OF_ONE = {
    "cut-offs": {"--threshold", "--capture-rate"},
    "implied": {"--score", "--as-given"},
    "segments": {"--ordered", "--segment-weights"},
    "change": {"--empty-grades"},
    "compare": {"--against"},
    "demo": {"--output-dir"},
    "run": {"--only", "--check"},
    "sketch make": {"--max-bins"},
    "plan": {
        *("--ar", "--second-ar", "--event-rate", "--correlation", "--events-ratio"),
        *("--spread", "--half-width", "--n-events", "--power", "--difference"),
    },
    "plot": {"--kind", "--mark", "--shade", "--lift", "--band", "--random-band"},
    "report": {
        *(
            "--compare",
            "--period",
            "--period-by",
            "--implied",
            "--implied-side",
            "--green",
            "--amber",
        ),
        *("--meta", "--limitation", "--title"),
    },
}
# Options of several commands, with the reason why the others have none.
OF_SOME = {
    "--memory-limit": (BINNED, IN_MEMORY),
    "--approx": (BINNED, IN_MEMORY),
    "--bands": (("table", "plot", "report", "change"), NO_BANDS),
    "--confidence": (ROWS, NO_TEST),
    "--method": (("score", "compare", "report"), ONE_METHOD),
    "--seed": (("score", "report"), "nothing is drawn at random"),
    "--share": (("compare", "cut-offs"), "it is not about one population share"),
    "--sample": (("change", "compare"), "it has no samples"),
    "--shares": (("change", "reference"), "it has no shares of grades"),
    "--alternative": (("compare", "implied", "plan"), "its test has no side"),
    "--margin": (("compare", "plan"), "its test has no margin"),
    "--initial-auc": (("compare", "report"), NO_TEST),
    "--initial-variance": (("compare", "report"), NO_TEST),
    "--fail-below": (("score", "report"), NO_GATE),
    "--fail-on-lower-bound": (("score", "report"), NO_GATE),
    "--fail-if-worse-than-initial": (("compare", "report"), NO_GATE),
    "--fail-if-challenger-better": (("compare", "report"), NO_GATE),
    "--fail-if-left-out": (("score", "compare", "report"), NO_GATE),
    "--min-events": (("score", "compare", "report"), NO_GATE),
    "--on-undefined": (("score", "compare", "report"), NO_GATE),
    "--verbose": ([name for name in ROWS if name != "report"], WRITES),
    "--format": ([name for name in ROWS if name != "plot"], WRITES),
    "--output": (ROWS, "it writes two files"),
}
# Same name, but not the same words: with the reason.
OWN_MEANING = {
    ("plot", "--bands"): "pictures of bands only",
    ("change", "--bands"): "bands take the place of grades",
    ("table", "--confidence"): "limits are only added if asked for",
    ("cut-offs", "--confidence"): "limits are only added if asked for",
    ("plot", "--confidence"): "limits are only added if asked for",
    ("compare", "--method"): "tests have other methods than intervals",
    ("sketch report", "--initial-auc"): "a sketch holds one score",
    ("sketch report", "--initial-variance"): "a sketch holds one score",
    ("compare", "--share"): "it compares two scores at a share",
    ("cut-offs", "--share"): "it asks for the response rate of shares",
    ("change", "--shares"): "shares are estimated or known",
    ("reference", "--shares"): "shares are those of the other portfolio",
    ("compare", "--alternative"): "a test of equivalence has two sides too",
    ("implied", "--alternative"): "the side of AR below the implied one",
    ("plan", "--alternative"): "no plan of equivalence",
    ("plan", "--margin"): "a margin of non-inferiority",
    ("plot", "--output"): "a picture",
    ("report", "--output"): "a page, a workbook or facts",
    ("report", "--format"): "JSON alone can be printed",
    ("demo", "--format"): "tables for people",
    ("compare", "--sample"): "each is compared with --against",
    ("sketch make", "--memory-limit"): "DuckDB alone makes sketches of files",
    ("sketch make", "--truth"): "a sketch holds no counted events",
    ("sketch make", "--estimate"): "a sketch holds one score",
    ("score", "--verbose"): "it also logs how rows are ranked",
    ("table", "--verbose"): "it also logs how rows are ranked",
    ("plot", "--verbose"): "it logs how rows are ranked",
    ("sketch make", "--output"): "a sketch",
    ("sketch merge", "--output"): "a sketch",
    ("sketch plot", "--bands"): "pictures of bands only",
    ("sketch plot", "--output"): "a picture",
    ("sketch report", "--output"): "a page, a workbook or facts",
}


def options_of(command):
    found = [each for each in command.params if isinstance(each, click.Option)]
    return {max(each.opts, key=len): each for each in found}


OPTIONS = {name: options_of(command) for name, command in ALL_COMMANDS.items()}
ALL = sorted({option for options in OPTIONS.values() for option in options})


def test_every_option_of_rows_is_at_every_command_that_reads_rows():
    limited = set(OF_SOME) | {each for options in OF_ONE.values() for each in options}
    shared = set(ALL) - limited
    assert {"--counts", "--events", "--cluster", "--order", "--encoding", "--na-only"} < (
        shared
    )
    for name in ROWS:
        assert shared <= set(OPTIONS[name]), name


@pytest.mark.parametrize("option", ALL)
def test_an_option_is_where_it_has_a_meaning(option):
    having = {name for name in ROWS if option in OPTIONS[name]}
    if option in OF_SOME:
        assert having == set(OF_SOME[option][0]) - set(OTHERS)
    else:
        own = {name for name, options in OF_ONE.items() if option in options}
        assert having == (own - set(OTHERS) if own else set(ROWS))


def test_lists_name_no_option_that_is_gone():
    of_one = {option for options in OF_ONE.values() for option in options}
    assert of_one | set(OF_SOME) <= set(ALL)
    for name, option in OWN_MEANING:
        assert option in OPTIONS[name]


@pytest.mark.parametrize("option", ALL)
def test_an_option_means_the_same_everywhere(option):
    meanings = {
        name: (found.help, found.metavar, found.multiple, repr(found.default))
        for name, options in OPTIONS.items()
        if (found := options.get(option)) and (name, option) not in OWN_MEANING
    }
    assert len(set(meanings.values())) <= 1, meanings
