"""Public names, their arguments and options stay, or a deprecation says what will not."""

import warnings

import pytest

import capcurve
from compatibility import names
from compatibility.records import NAMES, RENEW, Record


@pytest.fixture(scope="module")
def differences():
    return names.compare(Record.read(NAMES).lines, list(names.list_lines()))


def test_users_lose_no_name_argument_or_option(differences):
    breaks, _ = differences
    assert not breaks, (
        "users lose these: deprecate them first (docs/compatibility.md). If it is meant, "
        f"say so under *Changed* in the CHANGELOG and run `{RENEW} --with-breaks`"
    )


@pytest.mark.filterwarnings("default:names are not recorded")
def test_what_is_new_is_recorded(differences):
    """Ask for it; the next test demands it of every new version."""
    _, additions = differences
    if additions:
        warnings.warn(
            f"names are not recorded: run `{RENEW}`\n" + "\n".join(additions), stacklevel=1
        )


def test_the_record_is_of_this_version():
    assert Record.read(NAMES).version == capcurve.__version__, f"run `{RENEW}`"


def test_the_record_has_what_users_rely_on():
    lines = Record.read(NAMES).lines
    assert len(lines) == len({names.find_key(line) for line in lines}) > 1000
    keys = [line.partition("(")[0] for line in lines]
    assert set(capcurve.__all__) <= {key.partition(":")[0] for key in keys}
    assert {"datasets.make_portfolio", "CapCurve.lift_at", "Estimate.low"} <= set(keys)
    assert {"CAPCurveDisplay.ax_", "CutOff.lift", "CapSketch.max_bins"} <= set(keys)
    assert "MissingDependencyError: ImportError" in lines
    assert "$ capcurve sketch make  --max-bins  VALUE  default 65536" in lines


# -- What counts as a loss -----------------------------------------------------------------

CALL = "f(x, y=1, *, method='a', seed=None)"
OPTION = "$ capcurve score  -o, --output  a|b  default a  repeatable"
FLAG = "$ capcurve score  --quiet"


@pytest.mark.parametrize(
    ("before", "now", "loss"),
    [
        (CALL, "g(x)", "removed"),
        (CALL, "f", "no longer called"),
        (CALL, "f(x, y=1, *, method='a')", "`seed` removed"),
        (CALL, "f(y=1, x=0, *, method='a', seed=None)", "positional arguments are (y, x)"),
        (CALL, "f(x, *, y=1, method='a', seed=None)", "positional arguments are (x)"),
        (CALL, "f(x, y=1, *, method='b', seed=None)", "default of `method` is 'b'"),
        (CALL, "f(x, y, *, method='a', seed=None)", "default of `y` is gone"),
        (CALL, "f(x, y=1, *, z, method='a', seed=None)", "`z` required"),
        (CALL, "f(x, y=1, z=2, *, method='a', seed=None)", "`z` may be passed by position"),
        ("A.b", "A.b()", "became a method"),
        ("f(m=): 'a', 'b'", "f(m=): 'a', 'c'", "'b' removed"),
        ("E: CapcurveError, ValueError", "E: CapcurveError", "ValueError removed"),
        (OPTION, FLAG, "removed"),
        (OPTION, OPTION.replace("-o, ", ""), "-o removed"),
        (OPTION, OPTION.replace("--output", "--out"), "removed"),
        (OPTION, OPTION.replace("a|b", "a|c"), "b removed"),
        (OPTION, OPTION.replace("default a", "default b"), "was default a"),
        (OPTION, OPTION.replace("repeatable", "required"), "required"),
        (OPTION, OPTION.replace("  repeatable", ""), "no longer repeatable"),
        (FLAG, f"{FLAG}  VALUE", "requires a value"),
        (f"{FLAG}  VALUE", FLAG, "takes no value"),
        (f"{FLAG}  VALUE", f"{FLAG}  VALUE  default 3", "was without default"),
        (f"{FLAG}  VALUE", f"{FLAG}  a|b", "VALUE removed"),
        ("$ capcurve score", "$ capcurve", "removed"),
    ],
)
def test_a_loss_is_noticed(before, now, loss):
    breaks, _ = names.compare([before], [now])
    assert any(each.startswith(loss) for each in breaks), breaks


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (CALL, CALL.replace("seed=None", "seed=None, new=1")),
        (CALL, CALL.replace("method='a', seed=None", "seed=None, method='a'")),
        (CALL, CALL.replace("(x", "(x: 'Array'")),
        ("f(m=): 'a', 'b'", "f(m=): 'a', 'b', 'c'"),
        (OPTION, OPTION.replace("a|b", "a|b|c")),
        (OPTION, OPTION.replace("a|b", "VALUE")),
        (f"{FLAG}  VALUE  required", f"{FLAG}  VALUE"),
    ],
)
def test_what_users_can_ignore_is_new_but_no_loss(before, now):
    breaks, additions = names.compare([before], [now, "h(x)"])
    assert breaks == []
    assert additions == [now, "h(x)"]
